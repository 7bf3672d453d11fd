/* SPDX-License-Identifier: MIT */
/* The event logger's ring for a session: entries, names of threads. */
#include "stream/event_logger_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_PER_EVENT 3    /* about: a header and two words */
#define SAMPLE_BYTES    1024 /* of an exchange, what is read beside the ring's words */
#define NAME_BYTES      32
#define COPY_RINGS      16u        /* so many rings of events may wait for counts that agree, */
#define COPY_WORDS_MAX  (1u << 18) /* but of a large one no more than one and this */

struct logger_reader {
    struct txtap_logger_ring ring;
    struct txtap_logger_plan plan;
    struct txtap_logger_clock clock;
    struct txtap_registry *registry;
    struct reader_place place;
    uint32_t *copy;
    uint8_t *raw;

    struct txtap_logger_item item; /* of the last batch */
    bool kept;                     /* it is a gap, for the next one */
    uint8_t entry[TXTB_ENTRY_BYTES];
    uint32_t words[TXTAP_LOGGER_WORDS_MAX];
};

static enum txtap_logger_from logger_from(enum txtap_ring_from from)
{
    switch (from) {
    case TXTAP_RING_FROM_NOW:
        return TXTAP_LOGGER_FROM_NOW;
    case TXTAP_RING_FROM_START:
        return TXTAP_LOGGER_FROM_START;
    case TXTAP_RING_AT_REST:
        return TXTAP_LOGGER_AT_REST;
    default:
        return TXTAP_LOGGER_FROM_OLDEST;
    }
}

static void add_name(struct txtap_registry *registry, uint32_t pointer, const char *name)
{
    struct txtap_object object = {.pointer = pointer, .type = TXTAP_OBJECT_THREAD, .live = true};

    memcpy(object.name, name, strnlen(name, sizeof object.name - 1));
    txtap_registry_restore(registry, &object, 1);
}

struct logger_reader *logger_reader_new(const struct reader_place *place, struct txtap_registry *registry,
                                        uint32_t read_bytes_max, enum txtap_ring_from from)
{
    struct logger_reader *reader = calloc(1, sizeof *reader);
    uint32_t size = place->logger.size, copy_words;
    uint32_t room = (read_bytes_max - SAMPLE_BYTES) / 4;

    if (reader == NULL)
        return NULL;
    reader->registry = registry;
    reader->place = *place;
    copy_words = size + ((COPY_RINGS - 1) * size < COPY_WORDS_MAX ? (COPY_RINGS - 1) * size : COPY_WORDS_MAX);
    reader->copy = calloc(copy_words, 4);
    reader->raw = calloc(size, 4);
    if (reader->copy == NULL || reader->raw == NULL) {
        logger_reader_free(reader);
        return NULL;
    }
    txtap_logger_init(&reader->ring, &place->logger, reader->copy, copy_words, reader->raw, room, logger_from(from));
    add_name(registry, TXTAP_LOGGER_THREAD_UNKNOWN, "-");
    return reader;
}

void logger_reader_free(struct logger_reader *reader)
{
    if (reader == NULL)
        return;
    free(reader->copy);
    free(reader->raw);
    free(reader);
}

const struct txtap_logger_ring *logger_reader_ring(const struct logger_reader *reader)
{
    return &reader->ring;
}

struct txtap_header logger_reader_header(uint32_t address, uint32_t entries)
{
    uint32_t start = address + TXTB_HEADER_BYTES;

    return (struct txtap_header){
        .endian = TXTAP_LITTLE, /* as txtap_logger_entry() writes them */
        .timer_mask = UINT32_MAX,
        .base = address,
        .registry_start = start,
        .registry_end = start,
        .ring_start = start,
        .ring_end = start + entries * TXTB_ENTRY_BYTES,
        .current = start,
        .name_bytes = NAME_BYTES,
    };
}

/* ---- as a session wants it ---- */

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
    struct txtap_logger_ring *ring = &reader->ring;
    uint64_t seq = ring->seq;
    enum txtap_status status = txtap_logger_commit(ring, &reader->plan, end_us);

    (void)begin_us;
    if (status != TXTAP_OK || !ring->seen)
        return status;
    *write_time = (struct reader_write_time){
        .any = true,
        .counted = ring->seen_counted,
        .exact = true,
        .head = ring->seen_seq,
        .begin_us = ring->seen_begin_us,
        .end_us = ring->seen_end_us,
        .next = seq,
    };
    return TXTAP_OK;
}

/* Names come from the ELF file's symbols; an address that has none is remembered as such. */
static void learn_name(struct logger_reader *reader)
{
    const struct txtap_logger_item *item = &reader->item;
    char name[TXTAP_OBJECT_NAME_BYTES] = "";

    if (item->type != TXTAP_LOGGER_CONTEXT_SWITCH || item->count != 2 || reader->place.name_at == NULL ||
        item->words[1] == 0 || txtap_registry_find(reader->registry, item->words[1]) != NULL)
        return;
    if (!reader->place.name_at(reader->place.self, item->words[1], name, sizeof name))
        name[0] = '\0';
    add_name(reader->registry, item->words[1], name);
}

/* The gap comes with the event behind it, whose stamp tells how long it took. */
static void take_gap(struct reader_batch *batch, const struct txtap_logger_item *item)
{
    batch->ring.lost = item->lost;
    batch->ring.lost_seq = item->seq;
    batch->ring.exact = item->exact;
    batch->ring.lap = item->lap;
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
        take_gap(batch, item);
        if (!txtap_logger_next(&reader->ring, item))
            return true;
        reader->kept = item->lost > 0;
        if (reader->kept)
            return true;
    }
    learn_name(reader);
    txtap_logger_entry(&reader->clock, item, reader->place.logger.totals == 0, reader->entry, reader->words, &count);
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
    const struct txtap_logger_ring *ring = &reader->ring;

    return (struct reader_state){
        .head = ring->sampled ? ring->head.position : 0,
        .next = ring->next,
        .next_seq = ring->ready ? ring->seq : 0,
        .unread = (txtap_logger_unread(ring) + WORDS_PER_EVENT - 1) / WORDS_PER_EVENT,
        .capacity = ring->place.size / WORDS_PER_EVENT + 1,
        .idle = reader->plan.first == reader->plan.end,
        .poll_now = txtap_logger_hurries(ring),
    };
}

static void logger_doubt(void *self)
{
    struct logger_reader *reader = self;

    reader->ring.inexact = true;
}

static enum txtap_status logger_refused(const void *self, enum txtap_status status, char error[static ERROR_TEXT_BYTES])
{
    const struct logger_reader *reader = self;

    if (status == TXTAP_ERROR_POINTER)
        return failure(error, status,
                       "event logger at 0x%08" PRIx32
                       ": its head or tail is outside the ring: was the target reset, or is something "
                       "writing there? start txtap again",
                       reader->ring.place.ring);
    return failure(error, status, "event logger at 0x%08" PRIx32 ": it was restarted: start txtap again",
                   reader->ring.place.ring);
}

const struct reader_ops logger_reader_ops = {
    logger_plan, logger_commit, logger_next, logger_finish, logger_state, logger_doubt, logger_refused,
};
