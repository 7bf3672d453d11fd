/* SPDX-License-Identifier: MIT */
/* Reads the event logger's ring for a poller: as entries; learns the names of threads. */
#include "ring/event_logger.h"
#include "txtap/inner/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_PER_EVENT 3    /* about: a header and two words */
#define SAMPLE_BYTES    1024 /* of an exchange, for what is read besides the ring's words */
#define NAME_BYTES      32
#define COPY_RINGS      16u        /* this many rings of events may wait for counts that agree, */
#define COPY_WORDS_MAX  (1u << 18) /* but of a large ring no more than one ring and this */

struct logger_reader {
    struct txtap_logger_ring ring;
    struct txtap_logger_plan plan;
    struct txtap_logger_clock clock;
    struct txtap_registry *registry;
    struct txtap_logger_place logger;
    bool at_rest; /* nobody writes it */
    struct reader_place place;
    uint32_t *copy;
    uint8_t *raw;

    struct txtap_logger_item item; /* of the last batch */
    bool kept;                     /* it is a gap, which belongs to the next batch */
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

const struct txtap_logger_place *logger_place_of(const struct poller *poller)
{
    const struct logger_reader *reader = poller->reader_self;

    return &reader->logger;
}

uint8_t *logger_raw_of(const struct poller *poller)
{
    const struct logger_reader *reader = poller->reader_self;

    return reader->raw;
}

bool logger_thread_name(const struct reader_place *place, uint32_t address, char *name, size_t name_bytes)
{
    /* K_THREAD_DEFINE(NAME) names its thread object so; in older Zephyr a thread is its stack, which is named so. */
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

/* ---- the reader's operations ---- */

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

/* Names are the ELF file's symbols. An address without one is remembered, too. */
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
 * The gap goes into one batch with the event behind it, whose stamp says how long the gap took. Without counts beside
 * the ring nothing shows a burst that came and was collected between two exchanges: then no rate tells the gap's size.
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
