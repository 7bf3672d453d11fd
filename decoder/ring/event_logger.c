/* SPDX-License-Identifier: MIT */
/*
 * The logger's ring reader: plans exchanges and judges their answers. It knows positions and counts, never I/O. The
 * writer and the collector may move between any two words read.
 */
#include "txtap/event_logger.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/min_max.h"
#include "ring/event_logger_walk.h"

#define FOUND_WORDS 6u
#ifndef TRIES_MAX
#define TRIES_MAX 64u /* exchanges that wait for counts that agree */
#endif
#define STANDSTILL_US 50000
#define DROPPED_US    1000000 /* of a ring that stands: drops are reported about so often */

/* What one exchange says of the ring. */
struct sample {
    uint32_t head, tail, dropped, size, buffer, head_again, tail_again, dropped_again;
    uint32_t words, events_dropped, events_put, words_after, events_dropped_after, events_put_after;
};

static uint32_t mask_of(uint32_t size)
{
    return (size & (size - 1)) == 0 ? size - 1 : 0;
}

bool txtap_logger_find(const uint8_t *bytes, size_t length, enum txtap_endian endian, uint32_t buffer, uint32_t *size,
                       uint32_t *offset)
{
    for (size_t at = 0; at + 4 * FOUND_WORDS <= length; at += 4) {
        struct bytes from = {bytes + at, 4 * FOUND_WORDS};
        uint32_t word[FOUND_WORDS];

        (void)bytes_take_words(&from, endian, word, FOUND_WORDS);
        if (word[4] != buffer || word[3] < TXTAP_LOGGER_SIZE_MIN || word[3] > TXTAP_LOGGER_SIZE_MAX ||
            (*size != 0 && word[3] != *size) || word[5] != mask_of(word[3]) || word[0] >= word[3] || word[1] >= word[3])
            continue;
        *size = word[3];
        *offset = (uint32_t)at;
        return true;
    }
    return false;
}

void txtap_logger_init(struct txtap_logger_ring *ring, const struct txtap_logger_config *config)
{
    const struct txtap_logger_place *place = config->place;
    enum txtap_ring_from from = config->from;

    assert(config->copy_words >= place->size);
    assert(place->size >= (place->totals != 0 ? TXTAP_LOGGER_SIZE_MIN : TXTAP_LOGGER_SIZE_MIN_UNCOUNTED));
    assert(place->size <= TXTAP_LOGGER_SIZE_MAX && config->read_words >= TXTAP_LOGGER_READ_MIN);
    memset(ring, 0, sizeof *ring);
    ring->place = *place;
    ring->copy = config->copy;
    ring->copy_words = config->copy_words;
    ring->raw = config->raw;
    ring->read_words = config->read_words;
    ring->from = from;
    ring->ready = ring->based = from == TXTAP_RING_FROM_START; /* from its first event on */
    ring->only_new = from == TXTAP_RING_FROM_NOW;
    ring->skip_drops = from != TXTAP_RING_FROM_START;
}

uint64_t txtap_logger_unread(const struct txtap_logger_ring *ring)
{
    return ring->head.position - ring->next;
}

/* After a loss that nothing counts it waits for the next event alone, which comes when it comes. */
static bool waits_for_an_event(const struct txtap_logger_ring *ring)
{
    return ring->place.totals == 0 && ring->missed && ring->guard_count > 0 && ring->next == ring->head.position;
}

bool txtap_logger_hurries(const struct txtap_logger_ring *ring)
{
    return !ring->sampled || ring->read.position < ring->head.position || ring->gone_us != 0 ||
           (!waits_for_an_event(ring) && (ring->missed || ring->tries > 0));
}

/* ---- plan ---- */

static void plan_read(struct txtap_logger_plan *plan, uint32_t address, uint32_t length, uint8_t *buffer)
{
    assert(plan->count < TXTAP_LOGGER_READS_MAX);
    plan->reads[plan->count++] = (struct txtap_read){address, length, buffer};
}

/* Zero to two address ranges: one that passes the ring's end is two. */
static void plan_words(const struct txtap_logger_ring *ring, struct txtap_logger_plan *plan, uint64_t first,
                       uint64_t count, uint8_t *buffer)
{
    uint32_t size = ring->place.size, index = (uint32_t)(first % size);
    uint32_t before_wrap = (uint32_t)min_u64(count, size - index);

    if (count == 0)
        return;
    plan_read(plan, ring->place.buffer + 4 * index, 4 * before_wrap, buffer);
    if (count > before_wrap)
        plan_read(plan, ring->place.buffer, 4 * ((uint32_t)count - before_wrap), buffer + 4 * (size_t)before_wrap);
}

/* Does it need counts, or a guard in their place, to know a lap? */
static bool needs_guard(const struct txtap_logger_ring *ring)
{
    return ring->place.totals == 0 && ring->from != TXTAP_RING_AT_REST;
}

/*
 * The first guard lies close before the tail: an event that is being written meanwhile has to be as long as nearly the
 * whole ring to have overwritten it.
 */
static uint32_t first_guard_words(uint32_t size)
{
    uint32_t words = size / 8;

    return words < TXTAP_LOGGER_GUARD_WORDS ? words : TXTAP_LOGGER_GUARD_WORDS;
}

static void plan_range(const struct txtap_logger_ring *ring, struct txtap_logger_plan *plan)
{
    uint32_t size = ring->place.size;

    plan->first = plan->end = ring->read.position;
    plan->first_guard = ring->sampled && needs_guard(ring) && ring->guard_count == 0;
    if (!ring->sampled)
        return;
    if (plan->first_guard) {
        plan->end = ring->head.position;
        plan->first = plan->end - first_guard_words(size);
        return;
    }
    plan->end = min_u64(ring->head.position, plan->first + ring->read_words);
    plan->end = min_u64(plan->end, plan->first + size);
    plan->end = min_u64(plan->end, ring->next + ring->copy_words); /* the copy has no room for more */
    plan->end = max_u64(plan->end, plan->first);
}

void txtap_logger_plan(struct txtap_logger_ring *ring, struct txtap_logger_plan *plan, uint64_t now_us)
{
    const struct txtap_logger_place *place = &ring->place;
    uint32_t totals_bytes = place->counts_events ? TXTAP_LOGGER_TOTALS_BYTES : TXTAP_LOGGER_TOTALS_BYTES - 4;

    plan->count = 0;
    plan->begin_us = now_us;
    plan_range(ring, plan);
    plan_words(ring, plan, plan->first, plan->end - plan->first, ring->raw);
    if (place->totals != 0)
        plan_read(plan, place->totals, totals_bytes, plan->totals);
    plan_read(plan, place->ring, sizeof plan->ring, plan->ring);
    plan_read(plan, place->ring, sizeof plan->again, plan->again);
    if (place->totals != 0)
        plan_read(plan, place->totals, totals_bytes, plan->totals_after);
    else if (plan->first_guard)
        plan_words(ring, plan, plan->first, plan->end - plan->first, plan->guard_after);
    else
        plan_words(ring, plan, ring->guard, ring->guard_count, plan->guard_after);
}

/* ---- commit: the sample ---- */

static uint32_t word_at(const struct txtap_logger_ring *ring, const uint8_t *bytes, size_t i)
{
    return bytes_u32(bytes + 4 * i, ring->place.endian);
}

static struct sample take_sample(const struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan)
{
    struct sample sample = {
        .head = word_at(ring, plan->ring, 0),
        .tail = word_at(ring, plan->ring, 1),
        .dropped = word_at(ring, plan->ring, 2),
        .size = word_at(ring, plan->ring, 3),
        .buffer = word_at(ring, plan->ring, 4),
        .head_again = word_at(ring, plan->again, 0),
        .tail_again = word_at(ring, plan->again, 1),
        .dropped_again = word_at(ring, plan->again, 2),
    };

    if (ring->place.totals != 0) {
        sample.words = word_at(ring, plan->totals, 0);
        sample.events_dropped = word_at(ring, plan->totals, 1);
        sample.words_after = word_at(ring, plan->totals_after, 0);
        sample.events_dropped_after = word_at(ring, plan->totals_after, 1);
    }
    if (ring->place.counts_events) {
        sample.events_put = word_at(ring, plan->totals, 2);
        sample.events_put_after = word_at(ring, plan->totals_after, 2);
    }
    return sample;
}

static enum txtap_status check_sample(const struct txtap_logger_ring *ring, const struct sample *sample)
{
    if (sample->buffer != ring->place.buffer || sample->size != ring->place.size)
        return TXTAP_ERROR_MOVED;
    if (sample->head >= sample->size || sample->tail >= sample->size || sample->head_again >= sample->size ||
        sample->tail_again >= sample->size)
        return TXTAP_ERROR_POINTER;
    return TXTAP_OK;
}

static uint32_t index_distance(const struct txtap_logger_ring *ring, uint64_t from, uint32_t to)
{
    uint32_t size = ring->place.size, index = (uint32_t)(from % size);

    return to >= index ? to - index : to + size - index;
}

static bool guard_is_intact(const struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan)
{
    for (uint32_t i = 0; i < ring->guard_count; i++)
        if (word_at(ring, plan->guard_after, i) != ring->guard_words[i])
            return false;
    return true;
}

/*
 * The first guard is what lies before the tail: the tail is the planned one, or the event being written may have
 * reached it, and nothing was written there between the two reads of it.
 */
static bool first_guard_stands(const struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                               uint64_t tail)
{
    return tail == ring->head.position &&
           memcmp(ring->raw, plan->guard_after, 4 * (size_t)(plan->end - plan->first)) == 0;
}

/* The newest words of those that were read, the last time and before. */
static void keep_guard(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan)
{
    uint64_t fresh = min_u64(plan->end - plan->first, TXTAP_LOGGER_GUARD_WORDS);
    uint64_t kept = plan->first_guard ? 0 : min_u64(ring->guard_count, TXTAP_LOGGER_GUARD_WORDS - fresh);

    if (!plan->first_guard && ring->guard + ring->guard_count != plan->first)
        kept = 0;
    kept = min_u64(kept, ring->place.size - 1 - min_u64(fresh, ring->place.size - 1));
    memmove(ring->guard_words, ring->guard_words + (ring->guard_count - kept), (size_t)kept * 4);
    for (uint32_t i = 0; i < fresh; i++)
        ring->guard_words[kept + i] = word_at(ring, ring->raw, (size_t)(plan->end - fresh - plan->first) + i);
    ring->guard = plan->end - fresh - kept;
    ring->guard_count = (uint32_t)(fresh + kept);
}

enum tail { TAIL_FOUND, TAIL_LAPPED, TAIL_UNKNOWN, TAIL_RESTARTED };

/*
 * Which position the tail has that was read. The count of words is stored after the tail: what it says first had been
 * reached before the tail was read; if it says no more than that afterwards, no lap of the writer went by unseen.
 */
static enum tail tail_by_totals(const struct txtap_logger_ring *ring, const struct sample *sample, uint64_t *tail)
{
    uint32_t moved = sample->words - ring->words_at_head, moved_after = sample->words_after - ring->words_at_head;
    uint64_t reached = ring->head.position + (moved < 0x80000000u ? moved : 0); /* the count may be behind the tail */

    if (sample->words - ring->words_seen >= 0x80000000u || sample->words_after - sample->words >= 0x80000000u)
        return TAIL_RESTARTED; /* it never goes back */
    *tail = reached + index_distance(ring, reached, sample->tail);
    if (moved_after < 0x80000000u && ring->head.position + moved_after > *tail)
        return TAIL_UNKNOWN;
    return TAIL_FOUND;
}

/* Without counts: the words before the tail as it was are the same, so that it was not overtaken; or they are not. */
static enum tail tail_by_guard(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                               const struct sample *sample, uint64_t now_us, uint64_t *tail)
{
    uint32_t moved = index_distance(ring, ring->head.position, sample->tail);

    *tail = ring->head.position + moved;
    /* A tail beyond it: what was taken for the guard had been overwritten when it was read. */
    if (ring->gone_us == 0 && guard_is_intact(ring, plan) && *tail <= ring->guard + ring->place.size)
        return TAIL_FOUND;
    if (moved == 0 && ring->gone_us == 0)
        ring->gone_us = now_us;
    if (moved == 0 && (plan->begin_us < ring->gone_us || plan->begin_us - ring->gone_us < STANDSTILL_US))
        return TAIL_UNKNOWN; /* it may be at work there */
    ring->gone_us = 0;
    *tail += ring->place.size;
    return TAIL_LAPPED;
}

static enum tail find_tail(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                           const struct sample *sample, uint64_t now_us, uint64_t *tail)
{
    *tail = ring->head.position;
    if (ring->from == TXTAP_RING_AT_REST)
        return TAIL_FOUND;
    return ring->place.totals != 0 ? tail_by_totals(ring, sample, tail)
                                   : tail_by_guard(ring, plan, sample, now_us, tail);
}

/*
 * What was dropped was dropped behind the tail: neither moved. (A put sets that count to 0 right after it moved the
 * tail.) The counts belong to the tail: none of them moved while they were read, and none is about to.
 */
static void note_counts(struct txtap_logger_ring *ring, const struct sample *sample, struct txtap_logger_mark *mark)
{
    uint32_t raw = sample->events_put + sample->events_dropped - sample->dropped;
    uint32_t moved = raw - ring->events_raw;

    ring->agreed = sample->tail == sample->tail_again && sample->dropped == sample->dropped_again &&
                   sample->words == sample->words_after && sample->events_put == sample->events_put_after &&
                   sample->events_dropped == sample->events_dropped_after &&
                   (ring->place.totals == 0 || sample->words == ring->words_at_head);
    if (!ring->agreed || !ring->place.counts_events || (ring->counted && moved >= 0x80000000u))
        return;
    ring->counted = true;
    ring->events_at_head += moved;
    ring->events_raw = raw;
    mark->events = ring->events_at_head;
    mark->events_known = true;
}

static void note_tail(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan, const struct sample *sample,
                      uint64_t tail, uint64_t now_us)
{
    bool moved = tail != ring->head.position;
    bool steady =
        sample->tail == sample->tail_again && sample->dropped <= sample->dropped_again; /* no put set it to 0 */

    ring->words_at_head += (uint32_t)(tail - ring->head.position);
    if (moved || !ring->sampled)
        ring->head = (struct txtap_logger_mark){
            .position = tail, .boundary = true, .begin_us = plan->begin_us, .end_us = now_us};
    ring->head.begin_us = plan->begin_us; /* none behind it was written when this exchange began */
    ring->head.pending = sample->dropped; /* the second one may be of a later tail */
    if (moved || sample->dropped == 0)
        ring->dropped_us = now_us;
    ring->dropped = steady ? sample->dropped : 0;
    ring->collected = tail - index_distance(ring, sample->head, sample->tail);
    note_counts(ring, sample, &ring->head);
    if (ring->read.position == tail && !ring->read.events_known)
        ring->read = ring->head;
    if (ring->confirmed.position == tail && !ring->confirmed.events_known)
        ring->confirmed = ring->head;
}

/* Where reading begins, by the first look, or one that is as good as the first. */
static void begin_at(struct txtap_logger_ring *ring, uint64_t start)
{
    ring->next = start;
    ring->seen_dropped = 0;
    ring->confirmed = ring->read = (struct txtap_logger_mark){.position = start, .boundary = true};
    if (start == ring->head.position)
        ring->confirmed = ring->read = ring->head;
}

static void begin(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan, const struct sample *sample,
                  uint64_t now_us)
{
    uint64_t tail = 2 * (uint64_t)ring->place.size + sample->tail;

    if (ring->from != TXTAP_RING_AT_REST &&
        (sample->words != sample->words_after || sample->head != sample->head_again ||
         sample->tail != sample->tail_again || sample->dropped > sample->dropped_again))
        return;
    if (plan->first_guard)
        tail = ring->head.position + index_distance(ring, ring->head.position, sample->tail);
    if (plan->first_guard && first_guard_stands(ring, plan, tail))
        keep_guard(ring, plan);
    ring->words_seen = sample->words_after;
    ring->words_at_head = sample->words - (uint32_t)(tail - ring->head.position); /* note_tail() adds it */
    note_tail(ring, plan, sample, tail, now_us);
    ring->sampled = true;
    if (!ring->missed)
        ring->attached = ring->head;
    begin_at(ring, ring->only_new ? tail : ring->collected);
    if (!ring->ready) { /* what was dropped before the attach */
        ring->skip_drops = ring->next != tail;
        ring->reported = ring->skip_drops ? 0 : ring->head.pending;
    }
    if (ring->from == TXTAP_RING_FROM_START && ring->place.totals != 0) /* what it wrote and is gone */
        ring->missed = sample->words > index_distance(ring, sample->head, sample->tail);
}

/* ---- commit: what stands ---- */

static void keep_words(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan)
{
    for (uint64_t p = plan->first; p < plan->end; p++)
        ring->copy[p % ring->copy_words] = word_at(ring, ring->raw, (size_t)(p - plan->first));
    if (needs_guard(ring) && plan->first >= ring->guard + ring->guard_count) /* the newest, which the last one proves */
        keep_guard(ring, plan);
}

/*
 * What was copied in an earlier exchange stands if none of it had been overwritten by now, for the event that was being
 * written meanwhile has been counted since: it is over by the time this exchange began, however long that one took.
 */
static bool is_confirmed_late(const struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                              uint64_t floor)
{
    return ring->confirmed.position >= floor &&
           (ring->head.position > ring->copied_head || plan->begin_us - ring->copied_us >= TXTAP_LOGGER_HOLD_US);
}

/*
 * What the collector had not got until after the copy was not touched; nor what no event is long enough to reach, nor
 * what lies behind a guard that is still there.
 */
static bool is_confirmed_at_once(const struct txtap_logger_ring *ring, uint64_t guard)
{
    uint32_t size = ring->place.size;
    uint32_t longest = (uint32_t)min_u64(TXTAP_LOGGER_WORDS_MAX + 1, size - 1);
    uint64_t safe = min_u64(ring->collected, ring->head.position + longest - size);

    return ring->from == TXTAP_RING_AT_REST || ring->confirmed.position >= min_u64(safe, guard);
}

/* Where an event begins that is not overwritten: the first such place that is known. */
static uint64_t find_start(const struct txtap_logger_ring *ring, uint64_t floor,
                           const struct txtap_logger_mark *old_read, bool head_stable)
{
    const uint64_t places[] = {
        old_read->boundary ? old_read->position : UINT64_MAX,
        head_stable ? ring->collected : UINT64_MAX,
        ring->read.boundary ? ring->read.position : UINT64_MAX,
    };
    uint64_t start = ring->head.position;

    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i] >= floor && places[i] > ring->confirmed.position && places[i] < start)
            start = places[i];
    return start;
}

/* What lies before start is lost. */
static void start_again(struct txtap_logger_ring *ring, uint64_t start)
{
    ring->missed = true;
    ring->tries = 0;
    ring->reported = 0; /* of the event that came next, which is not the one at start */
    if (!ring->ready && start >= ring->attached.position) {
        ring->skip_drops = false; /* they are no longer older than the attach, but for those that it saw */
        ring->reported = start == ring->attached.position ? ring->attached.pending : 0;
    }
    ring->next = start;
    ring->seen_dropped = 0;
    ring->confirmed = (struct txtap_logger_mark){.position = start, .boundary = true};
    if (start >= ring->read.position)
        ring->read = ring->confirmed;
    if (start == ring->head.position)
        ring->read = ring->confirmed = ring->head;
}

/* What stands is given out before more is lost. A loss with nothing behind it becomes one with that. */
static void emit_before_loss(struct txtap_logger_ring *ring)
{
    walk_emit(ring, ring->next != ring->confirmed.position);
}

static void judge(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan, const struct sample *sample,
                  struct txtap_logger_mark planned, uint64_t now_us)
{
    uint64_t floor = max_u64(ring->head.position, ring->place.size) - ring->place.size;
    uint64_t guard = needs_guard(ring) ? ring->guard : UINT64_MAX;
    struct txtap_logger_mark old_read = ring->read;

    if (ring->confirmed.position < old_read.position && is_confirmed_late(ring, plan, floor))
        ring->confirmed = old_read;
    if (plan->end > plan->first) {
        ring->read = plan->end == planned.position ? planned : (struct txtap_logger_mark){.position = plan->end};
        keep_words(ring, plan);
        ring->copied_us = now_us;
        ring->copied_head = ring->head.position;
    }
    if (ring->confirmed.position < floor && ring->from != TXTAP_RING_AT_REST) {
        emit_before_loss(ring);
        start_again(ring, find_start(ring, floor, &old_read, sample->head == sample->head_again));
    }
    if (ring->confirmed.position < ring->read.position && is_confirmed_at_once(ring, guard))
        ring->confirmed = ring->read;
    walk_emit(ring, ring->tries >= TRIES_MAX);
}

/*
 * The target drops what comes, for its ring is full: said now and then, not only when there is room again. Where events
 * are not counted only as many as leave something to be told when a header says that there were more than it can say.
 */
static void report_dropped(struct txtap_logger_ring *ring, bool at_once, uint64_t now_us)
{
    bool begun = ring->ready || (ring->sampled && ring->next == ring->attached.position);
    bool at_tail = ring->next == ring->head.position && begun && !ring->missed;
    bool limited = ring->place.totals != 0 && !ring->place.counts_events && !at_once;
    uint64_t dropped = limited ? min_u64(ring->dropped, DROPPED_MAX - 1) : ring->dropped;
    bool known = ring->agreed; /* at least so many, while more are being dropped */

    if (!at_tail || dropped <= ring->reported || (!at_once && (!known || now_us - ring->dropped_us < DROPPED_US)))
        return;
    ring->ready = true;
    ring->skip_drops = false;
    walk_gap(ring, dropped - ring->reported, known);
    ring->reported = dropped;
    ring->dropped_us = now_us;
}

enum txtap_status txtap_logger_commit(struct txtap_logger_ring *ring, const struct txtap_logger_plan *plan,
                                      uint64_t now_us)
{
    struct sample sample = take_sample(ring, plan);
    enum txtap_status status = check_sample(ring, &sample);
    struct txtap_logger_mark planned = ring->head;
    enum tail found;
    uint64_t tail = 0;

    ring->run_count = ring->run_at = 0;
    ring->seen = false;
    if (status != TXTAP_OK)
        return status;
    if (!ring->sampled || plan->first_guard) {
        begin(ring, plan, &sample, now_us);
        return TXTAP_OK;
    }
    found = find_tail(ring, plan, &sample, now_us, &tail);
    if (found == TAIL_RESTARTED)
        return TXTAP_ERROR_MOVED;
    ring->words_seen = sample.words_after;
    if (found == TAIL_UNKNOWN)
        return TXTAP_OK; /* nothing of it stands: the same is planned again */
    if (found == TAIL_LAPPED) {
        emit_before_loss(ring);
        note_tail(ring, plan, &sample, tail, now_us);
        start_again(ring, tail);
        ring->inexact = true;
        ring->guard_count = 0;
        ring->only_new = true; /* what lies before the tail may have been delivered, if it was no whole lap */
        return TXTAP_OK;
    }
    note_tail(ring, plan, &sample, tail, now_us);
    judge(ring, plan, &sample, planned, now_us);
    if (ring->next == ring->head.position)
        ring->seen_dropped = max_u64(ring->seen_dropped, ring->dropped);
    report_dropped(ring, false, now_us);
    return TXTAP_OK;
}

void txtap_logger_finish(struct txtap_logger_ring *ring, uint64_t until)
{
    ring->run_count = ring->run_at = 0;
    ring->seen = false;
    if (until == 0 || !ring->sampled)
        return;
    walk_emit(ring, true);
    if (ring->next < until) {
        bool known = ring->head.events_known && until == ring->head.position && ring->based && !ring->inexact;
        uint64_t written = ring->head.events - ring->events_base;
        uint64_t lost = known && written > ring->seq ? written - ring->seq : 1;

        walk_gap(ring, lost, known);
        ring->reported = ring->seen_dropped = 0;
        ring->next = until;
        ring->missed = false;
    }
    report_dropped(ring, true, 0);
}
