/* SPDX-License-Identifier: MIT */
/* The ring of Zephyr's or txtap's kernel event logger, as a kind of ring. */
#include "ring/event_logger.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/source_base.h"
#include "ring/zephyr.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/registry.h"

/* ---- the reader ---- */

#define WORDS_PER_EVENT 3    /* approximate: a header and two words */
#define SAMPLE_BYTES    1024 /* part of an exchange for reads other than the ring's words */
#define NAME_BYTES      32
#define COPY_RINGS      16u        /* the reader keeps up to this number of rings of entries until the counts agree */
#define COPY_WORDS_MAX  (1u << 18) /* limit for a large ring: the copy has at most one ring and this number of words */

struct logger_reader {
    struct txtap_logger_ring ring;
    struct txtap_logger_plan plan;
    struct txtap_logger_clock clock;
    struct txtap_registry *registry;
    struct txtap_logger_place logger;
    bool at_rest; /* nobody writes the ring */
    struct reader_place place;
    uint32_t *copy;
    uint8_t *raw; /* room for all words of the ring; free for use between two steps of the poller */

    struct txtap_logger_item item; /* item of the last batch */
    bool kept;                     /* `item` is a gap, which belongs to the next batch */
    uint8_t entry[TXTB_ENTRY_BYTES];
    uint32_t words[TXTAP_LOGGER_WORDS_MAX];
};

static void add_name(struct txtap_registry *registry, uint32_t pointer, const char *name)
{
    struct txtap_object object = {.pointer = pointer, .type = TXTAP_OBJECT_THREAD, .live = true};

    memcpy(object.name, name, strnlen(name, sizeof object.name - 1));
    txtap_registry_restore(registry, &object, 1);
}

static void logger_close(void *self)
{
    struct logger_reader *reader = self;

    free(reader->copy);
    free(reader->raw);
    free(reader);
}

static struct logger_reader *new_reader(const struct reader_setup *setup)
{
    struct logger_reader *reader = calloc(1, sizeof *reader);
    const struct txtap_logger_place *place;
    uint32_t more, room = (setup->read_bytes_max - SAMPLE_BYTES) / 4;

    if (reader == NULL)
        return NULL;
    memcpy(&reader->logger, setup->place->own, sizeof reader->logger);
    place = &reader->logger;
    more = (COPY_RINGS - 1) * place->size < COPY_WORDS_MAX ? (COPY_RINGS - 1) * place->size : COPY_WORDS_MAX;
    reader->at_rest = setup->from == TXTAP_RING_AT_REST;
    reader->registry = setup->registry;
    reader->place = *setup->place;
    reader->copy = calloc(place->size + more, 4);
    reader->raw = calloc(place->size, 4);
    if (reader->copy == NULL || reader->raw == NULL) {
        logger_close(reader);
        return NULL;
    }
    txtap_logger_init(&reader->ring, &(struct txtap_logger_config){
                                         .place = place,
                                         .copy = reader->copy,
                                         .copy_words = place->size + more,
                                         .raw = reader->raw,
                                         .read_words = room,
                                         .from = setup->from,
                                     });
    return reader;
}

static enum txtap_status logger_open(void **self, const struct reader_setup *setup, struct error *error)
{
    *self = new_reader(setup);
    if (*self == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for the event logger's ring at 0x%08" PRIx32,
                       setup->address);
    add_name(setup->registry, TXTAP_LOGGER_THREAD_UNKNOWN, "-");
    return TXTAP_OK;
}

/* Gets the name of the thread at an address, without the prefix of Zephyr's macros. False: not known. */
static bool logger_thread_name(const struct reader_place *place, uint32_t address, char *name, size_t name_bytes)
{
    /* K_THREAD_DEFINE(NAME) names its thread object with the first prefix. In older Zephyr a thread is at the start of
     * its stack, whose name has the second prefix. */
    static const char *const prefixes[] = {"_k_thread_obj_", "_k_thread_stack_"};

    if (place->name_at == NULL || !place->name_at(place->self, address, name, name_bytes))
        return false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);

        if (strncmp(name, prefixes[i], length) == 0 && name[length] != '\0')
            memmove(name, name + length, strlen(name + length) + 1);
    }
    return true;
}

/* ---- its operations ---- */

static size_t logger_plan(void *self, const struct txtap_read **reads, uint64_t now_us)
{
    struct logger_reader *reader = self;

    txtap_logger_plan(&reader->ring, &reader->plan, now_us);
    *reads = reader->plan.reads;
    return reader->plan.count;
}

static enum txtap_status logger_commit(void *self, uint64_t begin_us, uint64_t end_us,
                                       struct reader_write_time *write_time)
{
    struct logger_reader *reader = self;
    uint64_t seq = txtap_logger_state(&reader->ring).seq;
    enum txtap_status status = txtap_logger_commit(&reader->ring, &reader->plan, end_us);
    const struct txtap_logger_state ring = txtap_logger_state(&reader->ring);

    (void)begin_us;
    if (status != TXTAP_OK || !ring.seen)
        return status;
    *write_time = (struct reader_write_time){
        .any = true,
        .counted = ring.seen_counted,
        .exact = true,
        .head = ring.seen_seq,
        .begin_us = ring.seen_begin_us,
        .end_us = ring.seen_end_us,
        .next = seq,
    };
    return TXTAP_OK;
}

/* Learns a thread's name from the ELF file's symbols. Also remembers addresses without a symbol. */
static void learn_name(struct logger_reader *reader)
{
    const struct txtap_logger_item *item = &reader->item;
    char name[TXTAP_OBJECT_NAME_BYTES] = "";

    if (item->type != TXTAP_LOGGER_CONTEXT_SWITCH || item->count != 2 || item->words[1] == 0 ||
        txtap_registry_find(reader->registry, item->words[1]) != NULL)
        return;
    if (!logger_thread_name(&reader->place, item->words[1], name, sizeof name))
        name[0] = '\0';
    add_name(reader->registry, item->words[1], name);
}

/*
 * Puts the gap into one batch with the next event, because the event's stamp shows how long the gap took. counts: the
 * target counts events beside the ring. Without these counts, a burst that is written and collected between two
 * exchanges goes unnoticed, so no rate can tell the size of the gap.
 */
static void take_gap(struct reader_batch *batch, const struct txtap_logger_item *item, bool counts)
{
    batch->ring.lost = item->lost;
    batch->ring.lost_seq = item->seq;
    batch->ring.exact = item->exact;
    batch->ring.lap = counts ? item->lap : 0;
}

static bool logger_next(void *self, struct reader_batch *batch)
{
    struct logger_reader *reader = self;
    struct txtap_logger_item *item = &reader->item;
    uint32_t count;

    *batch = (struct reader_batch){.words = NULL};
    if (!reader->kept && !txtap_logger_next(&reader->ring, item))
        return false;
    reader->kept = false;
    if (item->lost > 0) {
        take_gap(batch, item, reader->logger.totals != 0);
        if (!txtap_logger_next(&reader->ring, item))
            return true;
        reader->kept = item->lost > 0;
        if (reader->kept)
            return true;
    }
    learn_name(reader);
    txtap_logger_entry(&reader->clock, item, reader->logger.totals == 0, reader->entry, reader->words, &count);
    batch->ring.entries = reader->entry;
    batch->ring.count = 1;
    batch->ring.seq = item->seq;
    batch->words = reader->words;
    batch->word_count = count;
    return true;
}

static void logger_finish(void *self, uint64_t until)
{
    struct logger_reader *reader = self;

    txtap_logger_finish(&reader->ring, until);
}

static struct reader_state logger_state(const void *self)
{
    const struct logger_reader *reader = self;
    const struct txtap_logger_place *place = &reader->logger;
    const struct txtap_logger_state ring = txtap_logger_state(&reader->ring);

    return (struct reader_state){
        .head = ring.sampled ? ring.head : 0,
        .next = ring.next,
        .next_seq = ring.ready ? ring.seq : 0,
        .unread = (txtap_logger_unread(&reader->ring) + WORDS_PER_EVENT - 1) / WORDS_PER_EVENT,
        .capacity = place->size / WORDS_PER_EVENT + 1,
        .batch_events = 1,
        .bytes = (uint64_t)place->size * 4,
        .laps = place->totals != 0 ? TXTAP_LAPS_COUNTED : TXTAP_LAPS_NONE,
        .head_known = ring.sampled && (place->totals != 0 || ring.guarded || reader->at_rest),
        .started = ring.ready,
        .idle = reader->plan.first == reader->plan.end,
        .poll_now = txtap_logger_hurries(&reader->ring),
    };
}

static void logger_mark_inexact(void *self)
{
    struct logger_reader *reader = self;

    txtap_logger_mark_inexact(&reader->ring);
}

const struct reader_ops logger_reader_ops = {
    .name = "event logger",
    .bad_pointer = "its head or tail is outside the ring: was the target reset, or is something writing there? start "
                   "txtap again",
    .restarted = "it was restarted: start txtap again",
    .unit_bytes = 4,
    .open = logger_open,
    .close = logger_close,
    .plan = logger_plan,
    .commit = logger_commit,
    .next = logger_next,
    .finish = logger_finish,
    .state = logger_state,
    .mark_inexact = logger_mark_inexact,
};

#define EVENT_LOGGER_SYMBOL "sys_k_event_logger"
#define BUFFER_SYMBOL       "_sys_k_event_logger_buffer"
#define TOTALS_SYMBOL       "txtap_event_logger_totals"
#define MASK_SYMBOL         "_sys_k_event_logger_mask" /* exists with CONFIG_KERNEL_EVENT_LOGGER_DYNAMIC */
#define LOGGER_BYTES        64                         /* size of the structure, if the symbol has no size */
#define LOGGER_MAX          256                        /* upper limit: the structure has a semaphore and a ring */
#define RING_WORDS          (TXTAP_LOGGER_RING_BYTES / 4)
#define TOTALS_WORDS        (TXTAP_LOGGER_TOTALS_BYTES / 4)
#define COLLECTOR           "_collector_coop_thread"
#define THREAD_BYTES        64 /* size of a collector's name */
#define TYPES_DYNAMIC       32
#define BUILT_WITH          "is the firmware built with CONFIG_KERNEL_EVENT_LOGGER?"

enum { KEY_EVENT_LOGGER = 800 };

/* ---- finding it ---- */

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
        return failure(error, ERROR_SYMBOL, "%.100s: %s is not at a multiple of 4\nis this the firmware's ELF file?",
                       elf_path(elf), EVENT_LOGGER_SYMBOL);
    length = logger.size == 0 ? LOGGER_BYTES : logger.size < LOGGER_MAX ? logger.size & ~3u : LOGGER_MAX;
    status = memory_read(source, logger.address, bytes, length);
    if (status != TXTAP_OK)
        return memory_failure(source, status, EVENT_LOGGER_SYMBOL, error);
    size = buffer.size / 4;
    if (!txtap_logger_find(bytes, length, elf_endian(elf), buffer.address, &size, &offset))
        return failure(error, ERROR_NOT_FOUND,
                       "%s at 0x%08" PRIx32 ": no ring in it whose buffer is at 0x%08" PRIx32
                       ": the logger is not initialised yet, or this is not the ELF file of the running firmware",
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

/* This ring has no header. Returns a TXTB header that describes its events. */
static struct txtap_header header_of(const struct txtap_logger_place *place)
{
    uint32_t start = place->ring + TXTB_HEADER_BYTES;

    return (struct txtap_header){
        .endian = TXTAP_LITTLE, /* txtap_logger_entry() writes events in this byte order */
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

/* ---- how fast a probe can read it ---- */

/* Measures the probe's speed with the same reads as the ring's reader (docs/reference/zephyr.md). Words that wrap
 * around the ring's end need two reads. */
static enum txtap_status measure(struct poller *poller, double *bytes_per_second, struct error *error)
{
    const struct logger_reader *reader = poller->reader_self;
    const struct txtap_logger_place *place = &reader->logger;
    uint8_t wrap[4], ring[TXTAP_LOGGER_RING_BYTES], head[4], before[4 * TXTAP_LOGGER_GUARD_WORDS],
        after[4 * TXTAP_LOGGER_GUARD_WORDS];
    uint32_t counts = place->totals != 0 ? place->totals : place->buffer; /* without totals: the guard in the ring */
    uint32_t bytes = place->totals == 0 ? 4 : TXTAP_LOGGER_TOTALS_BYTES;
    uint32_t room = poller->source.ops->read_bytes_max / 8, half = place->size / 2;
    const struct txtap_read reads[] = {
        {place->buffer, 4 * (half < room ? half : room), reader->raw},
        {place->buffer, sizeof wrap, wrap},
        {counts, bytes, before},
        {place->ring, sizeof ring, ring},
        {place->ring, sizeof head, head},
        {counts, bytes, after},
    };

    return zephyr_measure(poller, reads, sizeof reads / sizeof *reads, bytes_per_second, error);
}

/* ---- its lines in info ---- */

static enum txtap_status read_variable(struct poller *poller, const struct elf_file *elf, const char *name, bool *there,
                                       uint32_t *value, struct error *error)
{
    struct elf_symbol symbol;

    *there = elf_symbol_find(elf, name, &symbol) == TXTAP_OK && symbol.address % 4 == 0;
    if (!*there)
        return TXTAP_OK;
    return zephyr_read_words(poller, elf_endian(elf), symbol.address, value, 1, error);
}

static void print_totals(const struct txtap_logger_place *place, const uint32_t totals[TOTALS_WORDS])
{
    if (place->totals == 0)
        printf(
            "counts     none beside the ring (Zephyr's own logger): every loss is noticed, its size is \"at least\"\n");
    else
        printf("counts     0x%08" PRIx32 ": %" PRIu32 " events put, %" PRIu32 " words; %" PRIu32
               " events dropped; loss is exact\n",
               place->totals, totals[2], totals[0], totals[1]);
}

static void print_types(bool dynamic, uint32_t mask)
{
    if (!dynamic) {
        printf("types      all are recorded\n");
        return;
    }
    printf("types      mask 0x%08" PRIx32 ":", mask);
    for (unsigned i = 0; i < TYPES_DYNAMIC; i++)
        if (mask >> i & 1)
            printf(" %u", i + 1);
    printf("%s\n", mask == 0 ? " nothing is recorded: the firmware has to call sys_k_event_logger_set_mask()" : "");
}

static void print_collector(const struct poller_place *place, bool there, uint32_t thread)
{
    char name[THREAD_BYTES] = "", escaped[TXTAP_ESCAPED_BYTES(THREAD_BYTES)];

    if (!there)
        return;
    if (thread == 0) {
        printf("collector  none has registered itself\n");
        return;
    }
    (void)logger_thread_name(&place->reader, thread, name, sizeof name);
    printf("collector  0x%08" PRIx32 " %s\n", thread, txtap_escape_terminal(escaped, sizeof escaped, name));
}

static enum txtap_status describe(struct poller *poller, const struct poller_place *found, const struct elf_file *elf,
                                  bool details, struct error *error)
{
    const struct logger_reader *reader = poller->reader_self;
    const struct txtap_logger_place *place = &reader->logger;
    uint32_t ring[RING_WORDS] = {0}, totals[TOTALS_WORDS] = {0}, mask = 0, collector = 0;
    bool dynamic = false, registers = false;
    struct elf_symbol logger;
    enum txtap_status status = zephyr_read_words(poller, place->endian, place->ring, ring, RING_WORDS, error);

    (void)details;
    if (status == TXTAP_OK && place->totals != 0)
        status = zephyr_read_words(poller, place->endian, place->totals, totals, TOTALS_WORDS, error);
    if (status == TXTAP_OK)
        status = read_variable(poller, elf, MASK_SYMBOL, &dynamic, &mask, error);
    if (status == TXTAP_OK)
        status = read_variable(poller, elf, COLLECTOR, &registers, &collector, error);
    if (status != TXTAP_OK || elf_symbol_find(elf, EVENT_LOGGER_SYMBOL, &logger) != TXTAP_OK)
        return status;
    printf("logger     0x%08" PRIx32 ", found by symbol, ring structure at +%" PRIu32 ", %s-endian\n", logger.address,
           place->ring - logger.address, place->endian == TXTAP_BIG ? "big" : "little");
    printf("ring       0x%08" PRIx32 ", %" PRIu32 " words; head %" PRIu32 ", tail %" PRIu32 ": %" PRIu32
           " words not collected; mask 0x%" PRIx32 "\n",
           place->buffer, place->size, ring[0], ring[1], (ring[1] + place->size - ring[0]) % place->size, ring[5]);
    printf("dropped    %" PRIu32 " events since the last one in the ring\n", ring[2]);
    print_totals(place, totals);
    print_types(dynamic, mask);
    print_collector(found, registers, collector);
    return status;
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
    .off_means = "the firmware records no type of event",
    .uptime_symbols = zephyr_uptime_symbols,
    .reader = &logger_reader_ops,
    .locate = locate_logger,
    .measure = measure,
    .describe = describe,
};
