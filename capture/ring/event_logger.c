/* SPDX-License-Identifier: MIT */
/* The ring of Zephyr's kernel event logger, or of txtap's, as a kind of ring. */
#include "ring/event_logger.h"

#include <inttypes.h>
#include <string.h>

#include "probe/source_base.h"
#include "ring/zephyr.h"

#define BUFFER_SYMBOL "_sys_k_event_logger_buffer"
#define TOTALS_SYMBOL "txtap_event_logger_totals"
#define MASK_SYMBOL   "_sys_k_event_logger_mask" /* with CONFIG_KERNEL_EVENT_LOGGER_DYNAMIC */
#define LOGGER_BYTES  64                         /* of the structure, if the symbol has no size */
#define LOGGER_MAX    256                        /* it has a semaphore and a ring */
#define NAME_BYTES    32
#define BUILT_WITH    "is the firmware built with CONFIG_KERNEL_EVENT_LOGGER?"

enum { KEY_EVENT_LOGGER = 800 };

/* ---- where it is ---- */

static enum txtap_status check_size(const struct elf_file *elf, const struct txtap_logger_place *place,
                                    struct error *error)
{
    if (place->totals != 0 || place->size >= TXTAP_LOGGER_SIZE_MIN_UNCOUNTED)
        return TXTAP_OK;
    return failure(error, ERROR_NOT_FOUND,
                   "%.100s: the event logger's ring has %" PRIu32
                   " words: too few to be followed\nraise CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE",
                   elf_path(elf), place->size);
}

static enum txtap_status find_ring(struct txtap_source source, const struct elf_file *elf,
                                   struct txtap_logger_place *place, struct error *error)
{
    struct elf_symbol logger, buffer, totals;
    uint8_t bytes[LOGGER_MAX];
    uint32_t length, offset = 0, size;
    enum txtap_status status = zephyr_find(elf, EVENT_LOGGER_SYMBOL, BUILT_WITH, &logger, error);

    if (status == TXTAP_OK)
        status = zephyr_find(elf, BUFFER_SYMBOL, BUILT_WITH, &buffer, error);
    if (status != TXTAP_OK)
        return status;
    if (logger.address % 4 != 0 || buffer.address % 4 != 0)
        return failure(error, ERROR_SYMBOL, "%.100s: %s is at no multiple of 4\nis this the firmware's ELF file?",
                       elf_path(elf), EVENT_LOGGER_SYMBOL);
    length = logger.size == 0 ? LOGGER_BYTES : logger.size < LOGGER_MAX ? logger.size & ~3u : LOGGER_MAX;
    status = memory_read(source, logger.address, bytes, length);
    if (status != TXTAP_OK)
        return memory_failure(source, status, EVENT_LOGGER_SYMBOL, error);
    size = buffer.size / 4;
    if (!txtap_logger_find(bytes, length, elf_endian(elf), buffer.address, &size, &offset))
        return failure(error, ERROR_NOT_FOUND,
                       "%s at 0x%08" PRIx32 ": no ring in it whose buffer is at 0x%08" PRIx32
                       ": the logger is not initialised yet, or this is not the ELF file of the firmware that runs",
                       EVENT_LOGGER_SYMBOL, logger.address, buffer.address);
    *place = (struct txtap_logger_place){
        .endian = elf_endian(elf),
        .ring = logger.address + offset,
        .buffer = buffer.address,
        .size = size,
    };
    if (elf_symbol_find(elf, TOTALS_SYMBOL, &totals) == TXTAP_OK && totals.address % 4 == 0 && totals.in_ram &&
        (totals.size == 0 || totals.size >= TXTAP_LOGGER_TOTALS_BYTES))
        place->totals = totals.address;
    return check_size(elf, place, error);
}

/* Such a ring has no header: this is the one that its events, as TXTB's, would have. */
static struct txtap_header header_of(const struct txtap_logger_place *place)
{
    uint32_t start = place->ring + TXTB_HEADER_BYTES;

    return (struct txtap_header){
        .endian = TXTAP_LITTLE, /* as txtap_logger_entry() writes them */
        .timer_mask = UINT32_MAX,
        .base = place->ring,
        .registry_start = start,
        .registry_end = start,
        .ring_start = start,
        .ring_end = start + place->size / 2 * TXTB_ENTRY_BYTES,
        .current = start,
        .name_bytes = NAME_BYTES,
    };
}

static enum txtap_status locate_logger(const struct ring_request *request, struct poller_place *place,
                                       struct error *error)
{
    struct txtap_logger_place own;
    enum txtap_status status = find_ring(request->source, request->elf, &own, error);

    _Static_assert(sizeof own <= sizeof place->reader.own, "a place has room for it");
    if (status != TXTAP_OK)
        return status;
    place->address = own.ring;
    place->header = header_of(&own);
    memcpy(place->reader.own, &own, sizeof own);
    return TXTAP_OK;
}

/* ---- its option ---- */

static const struct argp_option rows[] = {
    {"kernel-event-logger", KEY_EVENT_LOGGER, NULL, 0,
     "the ring of Zephyr's kernel event logger, found by the symbol " EVENT_LOGGER_SYMBOL, 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    (void)text;
    if (key != KEY_EVENT_LOGGER)
        return ARGP_ERR_UNKNOWN;
    ring_choose(&ring_event_logger, state);
    return 0;
}

const struct ring_kind ring_event_logger = {
    .name = "kernel-event-logger",
    .options = {rows, parse, NULL, NULL, NULL, NULL, NULL},
    .definitions = event_logger_definitions,
    .advice = "record fewer types on the target (its mask)",
    .by_symbols = true,
    .enabled_symbol = MASK_SYMBOL,
    .uptime_symbols = zephyr_uptime_symbols,
    .reader = &logger_reader_ops,
    .locate = locate_logger,
    .measure = event_logger_measure,
    .describe = event_logger_describe,
};
