/* SPDX-License-Identifier: MIT */
/* Finds Zephyr's rings by symbols. Does not know which probe reads. */
#include "locate/zephyr.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probe/memory.h"

#define LOGGER_SYMBOL "sys_k_event_logger"
#define BUFFER_SYMBOL "_sys_k_event_logger_buffer"
#define TOTALS_SYMBOL "txtap_event_logger_totals"
#define LOGGER_BYTES  64  /* of the structure, where the file does not say */
#define LOGGER_MAX    256 /* it has a semaphore and a ring */

#define RAM_SYMBOL      "ram_tracing"
#define POSITION_SYMBOL "pos"
#define FULL_SYMBOL     "buffer_full"
#define RAM_SOURCE      "tracing_backend_ram.c"
#define CANDIDATES_MAX  32
#define NEIGHBOUR_BYTES 64u /* apart, at most, are two variables of one file */

static enum txtap_status find_variable(const struct elf_file *elf, const char *name, const char *built_with,
                                       struct elf_symbol *symbol, char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = elf_symbol_find(elf, name, symbol);

    if (status != TXTAP_OK)
        return failure(error, status, "%.100s: no symbol %s (%s)", elf_path(elf), name,
                       elf_has_symbols(elf) ? built_with : "it was stripped: give the file that was linked");
    if (!symbol->in_ram)
        return failure(error, TXTAP_ERROR_SYMBOL,
                       "%.100s: %s lies at 0x%08" PRIx32 ", not in RAM: is this the firmware's ELF file?",
                       elf_path(elf), name, symbol->address);
    return TXTAP_OK;
}

static enum txtap_status read_failed(struct txtap_source source, const char *name, enum txtap_status status,
                                     char error[static ERROR_TEXT_BYTES])
{
    return failure(error, status, "%s: %.180s", name, source.ops->error_text(source.self));
}

/* ---- the event logger ---- */

#define LOGGER_BUILT_WITH "is the firmware built with CONFIG_KERNEL_EVENT_LOGGER?"

static enum txtap_status check_size(const struct elf_file *elf, const struct txtap_logger_place *place,
                                    char error[static ERROR_TEXT_BYTES])
{
    if (place->totals != 0 || place->size >= TXTAP_LOGGER_SIZE_MIN_UNCOUNTED)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_NOT_FOUND,
                   "%.100s: the event logger's ring has %" PRIu32
                   " words: too few to be followed: raise CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE",
                   elf_path(elf), place->size);
}

enum txtap_status locate_logger(struct txtap_source source, const struct elf_file *elf,
                                struct txtap_logger_place *place, char error[static ERROR_TEXT_BYTES])
{
    struct elf_symbol logger, buffer, totals;
    uint8_t bytes[LOGGER_MAX];
    uint32_t length, offset = 0, size;
    enum txtap_status status = find_variable(elf, LOGGER_SYMBOL, LOGGER_BUILT_WITH, &logger, error);

    if (status == TXTAP_OK)
        status = find_variable(elf, BUFFER_SYMBOL, LOGGER_BUILT_WITH, &buffer, error);
    if (status != TXTAP_OK)
        return status;
    if (logger.address % 4 != 0 || buffer.address % 4 != 0)
        return failure(error, TXTAP_ERROR_SYMBOL, "%.100s: %s is at no multiple of 4: is this the firmware's ELF file?",
                       elf_path(elf), LOGGER_SYMBOL);
    length = logger.size == 0 ? LOGGER_BYTES : logger.size < LOGGER_MAX ? logger.size & ~3u : LOGGER_MAX;
    status = memory_read(source, logger.address, bytes, length);
    if (status != TXTAP_OK)
        return read_failed(source, LOGGER_SYMBOL, status, error);
    size = buffer.size / 4;
    if (!txtap_logger_find(bytes, length, elf_endian(elf), buffer.address, &size, &offset))
        return failure(error, TXTAP_ERROR_NOT_FOUND,
                       "%s at 0x%08" PRIx32 ": no ring in it whose buffer is at 0x%08" PRIx32
                       ": the logger is not initialised yet, or this is not the ELF file of the firmware that runs",
                       LOGGER_SYMBOL, logger.address, buffer.address);
    *place = (struct txtap_logger_place){
        .endian = elf_endian(elf),
        .ring = logger.address + offset,
        .buffer = buffer.address,
        .size = size,
    };
    if (elf_symbol_find(elf, TOTALS_SYMBOL, &totals) == TXTAP_OK && totals.address % 4 == 0 && totals.in_ram) {
        place->totals = totals.address;
        place->counts_events = totals.size == 0 || totals.size >= TXTAP_LOGGER_TOTALS_BYTES;
    }
    return check_size(elf, place, error);
}

/* ---- CTF in RAM ---- */

#define RAM_BUILT_WITH "is the firmware built with CONFIG_TRACING_BACKEND_RAM?"

static bool is_of_backend(const char *source)
{
    const char *slash = strrchr(source, '/');

    return strcmp(slash != NULL ? slash + 1 : source, RAM_SOURCE) == 0;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/*
 * The variable of the backend's file, of several with that name: by the file's name in the symbol table, else the only
 * one in RAM, else the only one close to near (0: nothing to be close to). How many there are; 1: *symbol is it.
 */
static size_t find_local(const struct elf_file *elf, const char *name, uint32_t near, struct elf_symbol *symbol)
{
    struct elf_symbol found[CANDIDATES_MAX];
    char sources[CANDIDATES_MAX][ELF_SOURCE_BYTES];
    size_t count = elf_symbols_find(elf, name, found, sources, CANDIDATES_MAX), in_ram = 0, close = 0;
    struct elf_symbol neighbour = {0};

    count = count < CANDIDATES_MAX ? count : CANDIDATES_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!found[i].in_ram)
            continue;
        if (is_of_backend(sources[i])) {
            *symbol = found[i];
            return 1;
        }
        *symbol = found[i];
        in_ram++;
        if (near != 0 && apart(found[i].address, near) <= NEIGHBOUR_BYTES) {
            neighbour = found[i];
            close++;
        }
    }
    if (in_ram > 1 && close == 1) {
        *symbol = neighbour;
        return 1;
    }
    return in_ram;
}

static enum txtap_status find_position(const struct elf_file *elf, const uint32_t *given,
                                       struct txtap_zephyr_ram_place *place, char error[static ERROR_TEXT_BYTES])
{
    struct elf_symbol position, full;
    size_t flags = find_local(elf, FULL_SYMBOL, given != NULL ? *given : 0, &full), count;

    place->has_full = flags == 1;
    place->full = flags == 1 ? full.address : 0;
    if (given != NULL) {
        place->position = *given;
        return TXTAP_OK;
    }
    count = find_local(elf, POSITION_SYMBOL, place->full, &position);
    if (count == 1 && position.address % 4 == 0) {
        place->position = position.address;
        return TXTAP_OK;
    }
    if (count == 0)
        return failure(error, TXTAP_ERROR_SYMBOL,
                       "%.100s: no variable '%s' of %s in its symbols: say with --position where it is", elf_path(elf),
                       POSITION_SYMBOL, RAM_SOURCE);
    return failure(error, TXTAP_ERROR_AMBIGUOUS,
                   "%.100s: %zu variables are called '%s', and its symbols do not say which is that of %s: give "
                   "--position",
                   elf_path(elf), count, POSITION_SYMBOL, RAM_SOURCE);
}

/* A position beyond the buffer is none: another firmware runs, or the variable is another one. */
static enum txtap_status check_position(struct txtap_source source, const struct txtap_zephyr_ram_place *place,
                                        char error[static ERROR_TEXT_BYTES])
{
    uint8_t bytes[4];
    enum txtap_status status = memory_read(source, place->position, bytes, sizeof bytes);
    uint32_t position = memory_word(bytes, place->endian);

    if (status != TXTAP_OK)
        return read_failed(source, POSITION_SYMBOL, status, error);
    if (position <= place->size)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_NOT_FOUND,
                   "'%s' at 0x%08" PRIx32 " says %" PRIu32 ", but %s has %" PRIu32
                   " bytes: is this the ELF file of the firmware that runs? --position says where 'pos' is",
                   POSITION_SYMBOL, place->position, position, RAM_SYMBOL, place->size);
}

enum txtap_status locate_zephyr_ram(struct txtap_source source, const struct elf_file *elf, const uint32_t *given,
                                    struct txtap_zephyr_ram_place *place, char error[static ERROR_TEXT_BYTES])
{
    struct elf_symbol buffer;
    enum txtap_status status = find_variable(elf, RAM_SYMBOL, RAM_BUILT_WITH, &buffer, error);

    if (status != TXTAP_OK)
        return status;
    if (buffer.size == 0 || buffer.size > TXTAP_ZEPHYR_RAM_BYTES_MAX)
        return failure(error, TXTAP_ERROR_SYMBOL, "%.100s: %s has %" PRIu32 " bytes: is this the firmware's ELF file?",
                       elf_path(elf), RAM_SYMBOL, buffer.size);
    *place = (struct txtap_zephyr_ram_place){
        .endian = elf_endian(elf),
        .buffer = buffer.address,
        .size = buffer.size,
    };
    status = find_position(elf, given, place, error);
    return status == TXTAP_OK ? check_position(source, place, error) : status;
}
