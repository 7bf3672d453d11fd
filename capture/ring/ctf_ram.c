/* SPDX-License-Identifier: MIT */
/* The CTF trace that Zephyr writes into RAM, as a kind of ring. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "probe/source_base.h"
#include "ring/ring_kind.h"
#include "ring/zephyr.h"
#include "stream/poller.h"
#include "txtap/ctf_ram.h"
#include "txtap/inner/zephyr.h"

/* ---- the reader ---- */

#define RECORD_BYTES   32    /* approximate size of a record */
#define EXCHANGE_BYTES 16384 /* large enough to be fast, and small enough for a slow probe */
#define SAMPLE_BYTES   256   /* part of an exchange for reads other than records */

struct ram_reader {
    struct txtap_ctf_ram ram;
    struct txtap_ctf_ram_plan plan;
    uint8_t *buffer;
    const uint8_t *bytes; /* bytes not delivered yet */
    uint32_t count;
    bool seen;          /* there was an exchange */
    bool reported_full; /* the gap after the last record was delivered */
};

static void ram_close(void *self)
{
    struct ram_reader *reader = self;

    free(reader->buffer);
    free(reader);
}

static enum txtap_status ram_open(void **self, const struct reader_setup *setup, struct error *error)
{
    struct ram_reader *reader = calloc(1, sizeof *reader);
    uint32_t room = (setup->read_bytes_max - SAMPLE_BYTES) & ~3u;
    struct txtap_ctf_ram_place place;

    room = room < EXCHANGE_BYTES ? room : EXCHANGE_BYTES;
    if (reader != NULL)
        reader->buffer = malloc(room);
    if (reader == NULL || reader->buffer == NULL) {
        free(reader);
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory to read ram_tracing");
    }
    memcpy(&place, setup->place->own, sizeof place);
    txtap_ctf_ram_init(&reader->ram, &place, reader->buffer, room);
    *self = reader;
    return TXTAP_OK;
}

/* Returns the state of the reader. Call this function only for a poller that reads a buffer of this kind, and only
 * while the ring is open. */
static const struct txtap_ctf_ram *zephyr_ram_of(const struct poller *poller)
{
    const struct ram_reader *reader = poller->reader_self;

    return &reader->ram;
}

/* ---- its operations ---- */

static size_t ram_plan(void *self, const struct txtap_read **reads, uint64_t now_us)
{
    struct ram_reader *reader = self;

    (void)now_us;
    txtap_ctf_ram_plan(&reader->ram, &reader->plan);
    *reads = reader->plan.reads;
    return reader->plan.count;
}

static enum txtap_status ram_commit(void *self, uint64_t begin_us, uint64_t end_us,
                                    struct reader_write_time *write_time)
{
    struct ram_reader *reader = self;

    (void)begin_us;
    (void)end_us;
    (void)write_time;
    reader->seen = true;
    return txtap_ctf_ram_commit(&reader->ram, &reader->plan, &reader->bytes, &reader->count);
}

static bool ram_next(void *self, struct reader_batch *batch)
{
    struct ram_reader *reader = self;
    const struct txtap_ctf_ram *ram = &reader->ram;

    *batch = (struct reader_batch){.bytes = reader->bytes, .byte_count = reader->count};
    if (reader->count == 0 && ram->full && ram->next >= ram->head && !reader->reported_full) {
        reader->reported_full = true;
        batch->ring.lost = 1; /* at least the record that did not fit; the target does not count later records */
        return true;
    }
    reader->count = 0;
    return batch->byte_count > 0;
}

static struct reader_state ram_state(const void *self)
{
    const struct ram_reader *reader = self;
    const struct txtap_ctf_ram *ram = &reader->ram;

    return (struct reader_state){
        .head = ram->head,
        .next = ram->next,
        .unread = ram->cleared ? 0 : (ram->head - ram->next + RECORD_BYTES - 1) / RECORD_BYTES,
        .capacity = ram->place.size / RECORD_BYTES + 1,
        .bytes = ram->place.size,
        .head_known = reader->seen,
        .idle = reader->plan.first == reader->plan.end,
    };
}

/* place.own contains a struct txtap_ctf_ram_place. The reader holds nothing back, and the target overwrites nothing. */
static const struct reader_ops ram_reader_ops = {
    .name = "ram_tracing",
    .bad_pointer =
        "the position is beyond its end: was the target reset, or is this another firmware's ELF file? start "
        "txtap again",
    .restarted = "the target restarted: start txtap again",
    .unit_bytes = 1,
    .open = ram_open,
    .close = ram_close,
    .plan = ram_plan,
    .commit = ram_commit,
    .next = ram_next,
    .state = ram_state,
};

#define RAM_SYMBOL      "ram_tracing"
#define POSITION_SYMBOL "pos"
#define FULL_SYMBOL     "buffer_full"
#define RAM_SOURCE      "tracing_backend_ram.c"
#define CANDIDATES_MAX  32
#define NEIGHBOUR_BYTES 64u /* the largest distance between two variables of one source file */
#define SPEED_BYTES     4096u
#define BUILT_WITH      "is the firmware built with CONFIG_TRACING_BACKEND_RAM?"

enum {
    KEY_ZEPHYR_RAM = 810,
    KEY_CTF_METADATA,
    KEY_POSITION,
};

/* ---- finding it ---- */

static bool is_of_backend(const char *source)
{
    return strcmp(basename(source), RAM_SOURCE) == 0;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/*
 * Finds the backend's variable if several variables have its name. Tries three rules in this order: the variable's
 * source file is the backend's; the variable is the only one in RAM; the variable is the only one close to the address
 * `near` (0: not known). Returns the number of possible variables. If this number is 1, *symbol is the variable.
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
                                       struct txtap_ctf_ram_place *place, struct error *error)
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
        return failure(error, ERROR_SYMBOL,
                       "%.100s: no variable '%s' of %s in its symbols: give its address with --position", elf_path(elf),
                       POSITION_SYMBOL, RAM_SOURCE);
    return failure(error, ERROR_AMBIGUOUS,
                   "%.100s: %zu variables are called '%s', and its symbols do not say which is that of %s\ngive "
                   "--position",
                   elf_path(elf), count, POSITION_SYMBOL, RAM_SOURCE);
}

/* Checks the position. A position beyond the buffer's end is invalid: other firmware runs, or this is another
 * variable. */
static enum txtap_status check_position(struct txtap_source source, const struct txtap_ctf_ram_place *place,
                                        struct error *error)
{
    uint8_t bytes[4];
    enum txtap_status status = memory_read(source, place->position, bytes, sizeof bytes);
    uint32_t position = memory_word(bytes, place->endian);

    if (status != TXTAP_OK)
        return memory_failure(source, status, POSITION_SYMBOL, error);
    if (position <= place->size)
        return TXTAP_OK;
    return failure(error, ERROR_NOT_FOUND,
                   "'%s' at 0x%08" PRIx32 " says %" PRIu32 ", but %s has %" PRIu32
                   " bytes\nis this the ELF file of the running firmware? --position gives the address of 'pos'",
                   POSITION_SYMBOL, place->position, position, RAM_SYMBOL, place->size);
}

/* Finds the buffer. `given` is the address of "pos"; NULL: the function finds this address in the symbols. */
static enum txtap_status find_ram(struct txtap_source source, const struct elf_file *elf, const uint32_t *given,
                                  struct txtap_ctf_ram_place *place, struct error *error)
{
    struct elf_symbol buffer;
    enum txtap_status status = zephyr_find(elf, RAM_SYMBOL, BUILT_WITH, &buffer, error);

    if (status != TXTAP_OK)
        return status;
    if (buffer.size == 0 || buffer.size > TXTAP_CTF_RAM_BYTES_MAX)
        return failure(error, ERROR_SYMBOL, "%.100s: %s has %" PRIu32 " bytes\nis this the firmware's ELF file?",
                       elf_path(elf), RAM_SYMBOL, buffer.size);
    *place = (struct txtap_ctf_ram_place){
        .endian = elf_endian(elf),
        .buffer = buffer.address,
        .size = buffer.size,
    };
    status = find_position(elf, given, place, error);
    return status == TXTAP_OK ? check_position(source, place, error) : status;
}

static enum txtap_status locate_ram(const struct ring_request *request, struct poller_place *place, struct error *error)
{
    const struct ring_config *config = request->config;
    struct txtap_ctf_ram_place own;
    enum txtap_status status =
        find_ram(request->source, request->elf, config->has_position ? &config->position : NULL, &own, error);

    _Static_assert(sizeof own <= sizeof place->reader.own, "a place has room for it");
    if (status != TXTAP_OK)
        return status;
    place->address = own.buffer;
    place->header = (struct txtap_header){.endian = own.endian, .timer_mask = UINT32_MAX, .base = own.buffer};
    memcpy(place->reader.own, &own, sizeof own);
    return TXTAP_OK;
}

/* ---- info ---- */

static enum txtap_status measure(struct poller *poller, double *bytes_per_second, struct error *error)
{
    const struct txtap_ctf_ram_place *ram = &zephyr_ram_of(poller)->place;
    uint8_t buffer[SPEED_BYTES];
    uint32_t most = poller->source.ops->read_bytes_max & ~3u, length = ram->size < 4 ? 4 : ram->size & ~3u;

    most = most < sizeof buffer ? most : sizeof buffer;
    return zephyr_measure(poller, &(struct txtap_read){ram->buffer & ~3u, length < most ? length : most, buffer}, 1,
                          bytes_per_second, error);
}

static enum txtap_status describe(struct poller *poller, const struct poller_place *found, const struct elf_file *elf,
                                  bool details, struct error *error)
{
    const struct txtap_ctf_ram_place *place = &zephyr_ram_of(poller)->place;
    uint32_t position = 0, full = 0;
    enum txtap_status status = zephyr_read_words(poller, place->endian, place->position, &position, 1, error);
    uint8_t word[4] = {0};

    (void)found;
    (void)details;
    (void)elf;
    if (status == TXTAP_OK && place->has_full)
        status = poller_read(poller, place->full & ~3u, 4, word, error);
    full = word[place->full % 4];
    if (status != TXTAP_OK)
        return status;
    printf("ram        0x%08" PRIx32 ", found by symbol, %" PRIu32 " bytes\n", place->buffer, place->size);
    printf("position   0x%08" PRIx32 ": %" PRIu32 " bytes are filled, %" PRIu32 " are free\n", place->position,
           position, place->size - position);
    if (!place->has_full)
        printf("full       not known: no variable 'buffer_full' in the symbols\n");
    else
        printf("full       %s\n",
               full ? "yes: a record did not fit, and all later ones were discarded, uncounted" : "no");
    return status;
}

/* ---- its options ---- */

static const struct argp_option rows[] = {
    {"zephyr-ram", KEY_ZEPHYR_RAM, NULL, 0,
     "Zephyr's CTF in RAM, found by the symbol " RAM_SYMBOL "; -o DIR is a trace for babeltrace2", 0},
    {"ctf-metadata", KEY_CTF_METADATA, "FILE", 0,
     "with --zephyr-ram: subsys/tracing/ctf/tsdl/metadata of the Zephyr that the firmware was built with", 0},
    {"position", KEY_POSITION, "ADDR", 0,
     "with --zephyr-ram: address of 'pos' in " RAM_SOURCE ", if the symbols do not say", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct ring_config *config = state->input;

    switch (key) {
    case KEY_ZEPHYR_RAM:
        ring_choose(&ring_ctf_ram, state);
        return 0;
    case KEY_CTF_METADATA:
        config->ctf_metadata = text;
        return 0;
    case KEY_POSITION:
        config->position = option_address(state, "--position", text, 4);
        config->has_position = true;
        return 0;
    case ARGP_KEY_END:
        if ((config->ctf_metadata || config->has_position) && config->kind != &ring_ctf_ram)
            option_error(state, "--%s needs --zephyr-ram", config->ctf_metadata ? "ctf-metadata" : "position");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check(const struct ring_config *config, const struct ring_use *use, const struct argp_state *state)
{
    if (use->only_shows)
        return;
    if (!config->ctf_metadata)
        option_error(state,
                     "--zephyr-ram needs --ctf-metadata FILE: subsys/tracing/ctf/tsdl/metadata of the Zephyr that "
                     "the firmware was built with");
    if (use->writes_directory && !use->has_output)
        option_error(state, "--zephyr-ram writes a directory: give -o DIR");
}

const struct ring_kind ring_ctf_ram = {
    .name = "zephyr-ram",
    .options = {rows, parse, NULL, NULL, NULL, NULL, NULL},
    .by_symbols = true,
    .bytes = true,
    .gap_means =
        "ram_tracing is full: the target discards all further records, uncounted: raise CONFIG_RAM_TRACING_BUFFER_SIZE",
    .tick_hz = TXTAP_ZEPHYR_CTF_HZ,
    .uptime_symbols = zephyr_uptime_symbols,
    .reader = &ram_reader_ops,
    .check = check,
    .locate = locate_ram,
    .measure = measure,
    .describe = describe,
};
