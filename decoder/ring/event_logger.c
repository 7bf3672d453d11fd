/* SPDX-License-Identifier: MIT */
/*
 * The reader of a logger's ring: plans exchanges and judges the answers. It uses positions and counts, and does no I/O.
 * The writer and the collector may move between any two words that an exchange reads.
 */
#include "txtap/event_logger.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/min_max.h"
#include "ring/event_logger_inside.h"
#include "ring/event_logger_walk.h"

#define FOUND_WORDS 6u
#ifndef TRIES_MAX
#define TRIES_MAX 64u /* limit of exchanges that wait until the counts agree */
#endif
#define DROPPED_US    1000000 /* microseconds from one report of drops to the next while the ring is full */
#define STANDSTILL_US 50000   /* microseconds; if the tail has not moved for this time, no event is being written */

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

void txtap_logger_init(struct txtap_logger_ring *opaque, const struct txtap_logger_config *config)
{
    struct logger_inside *ring = logger_inside(opaque);
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
    ring->ready = ring->based = from == TXTAP_RING_FROM_START; /* the stream begins with the logger's first event */
    ring->only_new = from == TXTAP_RING_FROM_NOW;
    ring->skip_drops = from != TXTAP_RING_FROM_START;
}

uint64_t txtap_logger_unread(const struct txtap_logger_ring *opaque)
{
    const struct logger_inside *ring = logger_inside_const(opaque);

    return ring->head.position - ring->next;
}

/*
 * Returns true if only another event can show the size of a loss, because there are no counts. Fast polling does not
 * help then.
 */
static bool waits_for_an_event(const struct logger_inside *ring)
{
    return ring->place.totals == 0 && ring->missed && ring->guard_count > 0 && ring->next == ring->head.position;
}

bool txtap_logger_hurries(const struct txtap_logger_ring *opaque)
{
    const struct logger_inside *ring = logger_inside_const(opaque);

    return !ring->sampled || ring->read.position < ring->head.position || ring->gone_us != 0 ||
           (!waits_for_an_event(ring) && (ring->missed || ring->tries > 0));
}

struct txtap_logger_state txtap_logger_state(const struct txtap_logger_ring *opaque)
{
    const struct logger_inside *ring = logger_inside_const(opaque);
    struct txtap_logger_state state = ring->shown;

    state.sampled = ring->sampled;
    state.ready = ring->ready;
    state.guarded = ring->guard_count > 0;
    state.head = ring->head.position;
    state.next = ring->next;
    state.seq = ring->seq;
    return state;
}

void txtap_logger_mark_inexact(struct txtap_logger_ring *opaque)
{
    logger_inside(opaque)->inexact = true;
}

/* ---- the sample of one exchange, and the position of the tail in it ---- */

/*
 * The words that one exchange read: the ring structure, the first three words of the structure again, and the totals
 * before and after these two reads.
 */
struct sample {
    uint32_t head, tail, dropped, size, buffer, head_again, tail_again, dropped_again;
    uint32_t words, events_dropped, events_put, words_after, events_dropped_after, events_put_after;
};

enum tail {
    TAIL_FOUND,
    TAIL_LAPPED,    /* the writer has lapped the old tail; *tail is the lowest possible new position */
    TAIL_UNKNOWN,   /* this exchange does not show the tail: read again */
    TAIL_RESTARTED, /* the logger restarted */
};

static uint32_t sample_word(const struct logger_inside *ring, const uint8_t *bytes, size_t i)
{
    return bytes_u32(bytes + 4 * i, ring->place.endian);
}

/*
 * Returns true if the reader needs a guard. Without totals, only changed words show that the writer completed a lap. So
 * the reader reads some words of the ring in two exchanges and compares them: these words are the guard.
 */
static bool sample_needs_guard(const struct logger_inside *ring)
{
    return ring->place.totals == 0 && ring->from != TXTAP_RING_AT_REST;
}

static struct sample sample_take(const struct logger_inside *ring, const struct txtap_logger_plan *plan)
{
    struct sample sample = {
        .head = sample_word(ring, plan->ring, 0),
        .tail = sample_word(ring, plan->ring, 1),
        .dropped = sample_word(ring, plan->ring, 2),
        .size = sample_word(ring, plan->ring, 3),
        .buffer = sample_word(ring, plan->ring, 4),
        .head_again = sample_word(ring, plan->again, 0),
        .tail_again = sample_word(ring, plan->again, 1),
        .dropped_again = sample_word(ring, plan->again, 2),
    };

    if (ring->place.totals != 0) {
        sample.words = sample_word(ring, plan->totals, 0);
        sample.events_dropped = sample_word(ring, plan->totals, 1);
        sample.events_put = sample_word(ring, plan->totals, 2);
        sample.words_after = sample_word(ring, plan->totals_after, 0);
        sample.events_dropped_after = sample_word(ring, plan->totals_after, 1);
        sample.events_put_after = sample_word(ring, plan->totals_after, 2);
    }
    return sample;
}

/*
 * Checks a sample. TXTAP_ERROR_MOVED: the sample describes another buffer. TXTAP_ERROR_POINTER: head or tail is outside
 * the ring.
 */
static enum txtap_status sample_check(const struct logger_inside *ring, const struct sample *sample)
{
    if (sample->buffer != ring->place.buffer || sample->size != ring->place.size)
        return TXTAP_ERROR_MOVED;
    if (sample->head >= sample->size || sample->tail >= sample->size || sample->head_again >= sample->size ||
        sample->tail_again >= sample->size)
        return TXTAP_ERROR_POINTER;
    return TXTAP_OK;
}

/* Returns the number of words from the position `from` to the next position whose index in the ring is `to`. */
static uint32_t sample_distance(const struct logger_inside *ring, uint64_t from, uint32_t to)
{
    uint32_t size = ring->place.size, index = (uint32_t)(from % size);

    return to >= index ? to - index : to + size - index;
}

static bool guard_is_intact(const struct logger_inside *ring, const struct txtap_logger_plan *plan)
{
    for (uint32_t i = 0; i < ring->guard_count; i++)
        if (sample_word(ring, plan->guard_after, i) != ring->guard_words[i])
            return false;
    return true;
}

/*
 * Returns true if the first guard is valid. The first guard consists of the words before the tail. It is valid if the
 * tail has not moved since the plan, and if both reads show the same words. If the tail has moved, an event that is
 * being written may have reached these words.
 */
static bool sample_proves_first_guard(const struct logger_inside *ring, const struct txtap_logger_plan *plan,
                                      uint64_t tail)
{
    return tail == ring->head.position &&
           memcmp(ring->raw, plan->guard_after, 4 * (size_t)(plan->end - plan->first)) == 0;
}

/* Makes the newest words read in this exchange and in earlier exchanges the guard. */
static void sample_keep_guard(struct logger_inside *ring, const struct txtap_logger_plan *plan)
{
    uint64_t fresh = min_u64(plan->end - plan->first, TXTAP_LOGGER_GUARD_WORDS);
    uint64_t kept = plan->first_guard ? 0 : min_u64(ring->guard_count, TXTAP_LOGGER_GUARD_WORDS - fresh);

    if (!plan->first_guard && ring->guard + ring->guard_count != plan->first)
        kept = 0;
    kept = min_u64(kept, ring->place.size - 1 - min_u64(fresh, ring->place.size - 1));
    memmove(ring->guard_words, ring->guard_words + (ring->guard_count - kept), (size_t)kept * 4);
    for (uint32_t i = 0; i < fresh; i++)
        ring->guard_words[kept + i] = sample_word(ring, ring->raw, (size_t)(plan->end - fresh - plan->first) + i);
    ring->guard = plan->end - fresh - kept;
    ring->guard_count = (uint32_t)(fresh + kept);
}

/*
 * Finds the tail's position by the target's counts. The target first stores the tail and then the count of words. So
 * when the tail was read, the writer had reached the position that the first count gives. If the position that the
 * second count gives is not above the tail, the writer has not lapped the tail unseen.
 */
static enum tail tail_by_totals(const struct logger_inside *ring, const struct sample *sample, uint64_t *tail)
{
    uint32_t moved = sample->words - ring->words_at_head, moved_after = sample->words_after - ring->words_at_head;
    uint64_t reached = ring->head.position + (moved < 0x80000000u ? moved : 0); /* the tail may be ahead of the count */

    if (sample->words - ring->words_seen >= 0x80000000u || sample->words_after - sample->words >= 0x80000000u)
        return TAIL_RESTARTED; /* the count of words never decreases */
    *tail = reached + sample_distance(ring, reached, sample->tail);
    if (moved_after < 0x80000000u && ring->head.position + moved_after > *tail)
        return TAIL_UNKNOWN;
    return TAIL_FOUND;
}

/*
 * Finds the tail's position by the guard, because there are no counts. If the words before the old tail are unchanged,
 * the writer has not lapped the old tail.
 */
static enum tail tail_by_guard(struct logger_inside *ring, const struct txtap_logger_plan *plan,
                               const struct sample *sample, uint64_t now_us, uint64_t *tail)
{
    uint32_t moved = sample_distance(ring, ring->head.position, sample->tail);

    *tail = ring->head.position + moved;
    /* If the tail is higher, the guard was overwritten before it was read. */
    if (ring->gone_us == 0 && guard_is_intact(ring, plan) && *tail <= ring->guard + ring->place.size)
        return TAIL_FOUND;
    if (moved == 0 && ring->gone_us == 0)
        ring->gone_us = now_us;
    if (moved == 0 && (plan->begin_us < ring->gone_us || plan->begin_us - ring->gone_us < STANDSTILL_US))
        return TAIL_UNKNOWN; /* the writer may be writing an event there */
    ring->gone_us = 0;
    *tail += ring->place.size;
    return TAIL_LAPPED;
}

/* Sets *tail to the position of the tail in the sample. now_us: time of the commit. */
static enum tail sample_find_tail(struct logger_inside *ring, const struct txtap_logger_plan *plan,
                                  const struct sample *sample, uint64_t now_us, uint64_t *tail)
{
    *tail = ring->head.position;
    if (ring->from == TXTAP_RING_AT_REST)
        return TAIL_FOUND;
    return ring->place.totals != 0 ? tail_by_totals(ring, sample, tail)
                                   : tail_by_guard(ring, plan, sample, now_us, tail);
}

/* ---- plan ---- */

static void plan_read(struct txtap_logger_plan *plan, uint32_t address, uint32_t length, uint8_t *buffer)
{
    assert(plan->count < TXTAP_LOGGER_READS_MAX);
    plan->reads[plan->count++] = (struct txtap_read){address, length, buffer};
}

/*
 * Plans the reads of count words from the position first on: no read if count is 0, two reads if the words cross the
 * ring's end, otherwise one read.
 */
static void plan_words(const struct logger_inside *ring, struct txtap_logger_plan *plan, uint64_t first, uint64_t count,
                       uint8_t *buffer)
{
    uint32_t size = ring->place.size, index = (uint32_t)(first % size);
    uint32_t before_wrap = (uint32_t)min_u64(count, size - index);

    if (count == 0)
        return;
    plan_read(plan, ring->place.buffer + 4 * index, 4 * before_wrap, buffer);
    if (count > before_wrap)
        plan_read(plan, ring->place.buffer, 4 * ((uint32_t)count - before_wrap), buffer + 4 * (size_t)before_wrap);
}

/*
 * Returns the number of words in the first guard. These words are just before the tail. So an event that is being
 * written overwrites them only if the event is nearly as long as the whole ring.
 */
static uint32_t first_guard_words(uint32_t size)
{
    uint32_t words = size / 8;

    return words < TXTAP_LOGGER_GUARD_WORDS ? words : TXTAP_LOGGER_GUARD_WORDS;
}

static void plan_range(const struct logger_inside *ring, struct txtap_logger_plan *plan)
{
    uint32_t size = ring->place.size;

    plan->first = plan->end = ring->read.position;
    plan->first_guard = ring->sampled && sample_needs_guard(ring) && ring->guard_count == 0;
    if (!ring->sampled)
        return;
    if (plan->first_guard) {
        plan->end = ring->head.position;
        plan->first = plan->end - first_guard_words(size);
        return;
    }
    plan->end = min_u64(ring->head.position, plan->first + ring->read_words);
    plan->end = min_u64(plan->end, plan->first + size);
    plan->end = min_u64(plan->end, ring->next + ring->copy_words); /* more words do not fit into the copy */
    plan->end = max_u64(plan->end, plan->first);
}

void txtap_logger_plan(struct txtap_logger_ring *opaque, struct txtap_logger_plan *plan, uint64_t now_us)
{
    struct logger_inside *ring = logger_inside(opaque);
    const struct txtap_logger_place *place = &ring->place;

    plan->count = 0;
    plan->begin_us = now_us;
    plan_range(ring, plan);
    plan_words(ring, plan, plan->first, plan->end - plan->first, ring->raw);
    if (place->totals != 0)
        plan_read(plan, place->totals, sizeof plan->totals, plan->totals);
    plan_read(plan, place->ring, sizeof plan->ring, plan->ring);
    plan_read(plan, place->ring, sizeof plan->again, plan->again);
    if (place->totals != 0)
        plan_read(plan, place->totals, sizeof plan->totals, plan->totals_after);
    else if (plan->first_guard)
        plan_words(ring, plan, plan->first, plan->end - plan->first, plan->guard_after);
    else
        plan_words(ring, plan, ring->guard, ring->guard_count, plan->guard_after);
}

/* ---- commit: the sample ---- */

/*
 * Notes the counts in the sample as the counts at this tail. They belong to this tail if no count changed while they
 * were read, and if no count is about to change. Then the events counted in dropped were dropped after this tail: a put
 * sets dropped to 0 directly after it moves the tail.
 */
static void note_counts(struct logger_inside *ring, const struct sample *sample, struct logger_mark *mark)
{
    uint32_t raw = sample->events_put + sample->events_dropped - sample->dropped;
    uint32_t moved = raw - ring->events_raw;

    ring->agreed = sample->tail == sample->tail_again && sample->dropped == sample->dropped_again &&
                   sample->words == sample->words_after && sample->events_put == sample->events_put_after &&
                   sample->events_dropped == sample->events_dropped_after &&
                   (ring->place.totals == 0 || sample->words == ring->words_at_head);
    if (!ring->agreed || ring->place.totals == 0 || (ring->counted && moved >= 0x80000000u))
        return;
    ring->counted = true;
    ring->events_at_head += moved;
    ring->events_raw = raw;
    mark->events = ring->events_at_head;
    mark->events_known = true;
}

static void note_tail(struct logger_inside *ring, const struct txtap_logger_plan *plan, const struct sample *sample,
                      uint64_t tail, uint64_t now_us)
{
    bool moved = tail != ring->head.position;
    bool steady =
        sample->tail == sample->tail_again && sample->dropped <= sample->dropped_again; /* no put set dropped to 0 */

    ring->words_at_head += (uint32_t)(tail - ring->head.position);
    if (moved || !ring->sampled)
        ring->head =
            (struct logger_mark){.position = tail, .boundary = true, .begin_us = plan->begin_us, .end_us = now_us};
    ring->head.begin_us = plan->begin_us; /* when this exchange began, no event after the tail was complete */
    ring->head.pending = sample->dropped; /* dropped_again may belong to a later tail */
    if (moved || sample->dropped == 0)
        ring->dropped_us = now_us;
    ring->dropped = steady ? sample->dropped : 0;
    ring->collected = tail - sample_distance(ring, sample->head, sample->tail);
    note_counts(ring, sample, &ring->head);
    if (ring->read.position == tail && !ring->read.events_known)
        ring->read = ring->head;
    if (ring->confirmed.position == tail && !ring->confirmed.events_known)
        ring->confirmed = ring->head;
}

/* Sets the reader to the position start. Call it after the first sample, and after the first guard was read. */
static void begin_at(struct logger_inside *ring, uint64_t start)
{
    ring->next = start;
    ring->seen_dropped = 0;
    ring->confirmed = ring->read = (struct logger_mark){.position = start, .boundary = true};
    if (start == ring->head.position)
        ring->confirmed = ring->read = ring->head;
}

static void begin(struct logger_inside *ring, const struct txtap_logger_plan *plan, const struct sample *sample,
                  uint64_t now_us)
{
    uint64_t tail = 2 * (uint64_t)ring->place.size + sample->tail;

    if (ring->from != TXTAP_RING_AT_REST &&
        (sample->words != sample->words_after || sample->head != sample->head_again ||
         sample->tail != sample->tail_again || sample->dropped > sample->dropped_again))
        return;
    if (plan->first_guard)
        tail = ring->head.position + sample_distance(ring, ring->head.position, sample->tail);
    if (plan->first_guard && sample_proves_first_guard(ring, plan, tail))
        sample_keep_guard(ring, plan);
    ring->words_seen = sample->words_after;
    /* Subtract the distance from head to tail, because note_tail() adds it again. */
    ring->words_at_head = sample->words - (uint32_t)(tail - ring->head.position);
    note_tail(ring, plan, sample, tail, now_us);
    ring->sampled = true;
    if (!ring->missed)
        ring->attached = ring->head;
    begin_at(ring, ring->only_new ? tail : ring->collected);
    if (!ring->ready) { /* do not report events that were dropped before the attach */
        ring->skip_drops = ring->next != tail;
        ring->reported = ring->skip_drops ? 0 : ring->head.pending;
    }
    /* The logger's first events may already be overwritten. */
    if (ring->from == TXTAP_RING_FROM_START && ring->place.totals != 0)
        ring->missed = sample->words > sample_distance(ring, sample->head, sample->tail);
}

/* ---- commit: valid words ---- */

static void keep_words(struct logger_inside *ring, const struct txtap_logger_plan *plan)
{
    for (uint64_t p = plan->first; p < plan->end; p++)
        ring->copy[p % ring->copy_words] = sample_word(ring, ring->raw, (size_t)(p - plan->first));
    if (sample_needs_guard(ring) &&
        plan->first >= ring->guard + ring->guard_count) /* the old guard proves that the new words are valid, so the new
                                                           words become the guard */
        sample_keep_guard(ring, plan);
}

/*
 * Returns true if words that an earlier exchange copied are valid: the tail shows that they are not overwritten even
 * now. An event that was being written during that copy does not matter: the target finished this event, and moved the
 * tail, before this exchange began.
 */
static bool is_confirmed_late(const struct logger_inside *ring, const struct txtap_logger_plan *plan, uint64_t floor)
{
    return ring->confirmed.position >= floor &&
           (ring->head.position > ring->copied_head || plan->begin_us - ring->copied_us >= TXTAP_LOGGER_HOLD_US);
}

/*
 * Returns true if the words are valid without another exchange. There are three possible reasons. The collector had not
 * taken the words after the copy, and the writer does not overwrite such words. Or no event is long enough to reach the
 * words. Or the words come after an unchanged guard.
 */
static bool is_confirmed_at_once(const struct logger_inside *ring, uint64_t guard)
{
    uint32_t size = ring->place.size;
    uint32_t longest = (uint32_t)min_u64(TXTAP_LOGGER_WORDS_MAX + 1, size - 1);
    uint64_t safe = min_u64(ring->collected, ring->head.position + longest - size);

    return ring->from == TXTAP_RING_AT_REST || ring->confirmed.position >= min_u64(safe, guard);
}

/* Returns the lowest known position, not below floor, at which an intact event begins. */
static uint64_t find_start(const struct logger_inside *ring, uint64_t floor, const struct logger_mark *old_read,
                           bool head_stable)
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

/* Restarts reading at the position start. The events before this position are lost. */
static void start_again(struct logger_inside *ring, uint64_t start)
{
    ring->missed = true;
    ring->tries = 0;
    ring->reported = 0; /* the old number belonged to an earlier event */
    if (!ring->ready && start >= ring->attached.position) {
        ring->skip_drops = false; /* except for the drops seen at the attach, all drops are now newer than the attach */
        ring->reported = start == ring->attached.position ? ring->attached.pending : 0;
    }
    ring->next = start;
    ring->seen_dropped = 0;
    ring->confirmed = (struct logger_mark){.position = start, .boundary = true};
    if (start >= ring->read.position)
        ring->read = ring->confirmed;
    if (start == ring->head.position)
        ring->read = ring->confirmed = ring->head;
}

/*
 * Emits the valid events before a further loss. If there is no valid event between an earlier loss and this loss, both
 * losses become one gap.
 */
static void emit_before_loss(struct logger_inside *ring)
{
    walk_emit(ring, ring->next != ring->confirmed.position);
}

static void judge(struct logger_inside *ring, const struct txtap_logger_plan *plan, const struct sample *sample,
                  struct logger_mark planned, uint64_t now_us)
{
    uint64_t floor = max_u64(ring->head.position, ring->place.size) - ring->place.size;
    uint64_t guard = sample_needs_guard(ring) ? ring->guard : UINT64_MAX;
    struct logger_mark old_read = ring->read;

    if (ring->confirmed.position < old_read.position && is_confirmed_late(ring, plan, floor))
        ring->confirmed = old_read;
    if (plan->end > plan->first) {
        ring->read = plan->end == planned.position ? planned : (struct logger_mark){.position = plan->end};
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
 * Reports drops while the ring is full. So the caller need not wait until the target writes the next event. at_once:
 * report now; false: report at most once in DROPPED_US.
 */
static void report_dropped(struct logger_inside *ring, bool at_once, uint64_t now_us)
{
    bool begun = ring->ready || (ring->sampled && ring->next == ring->attached.position);
    bool at_tail = ring->next == ring->head.position && begun && !ring->missed;
    bool known = ring->agreed; /* false: the target is dropping events now, so ring->dropped is a lower bound */

    if (!at_tail || ring->dropped <= ring->reported || (!at_once && (!known || now_us - ring->dropped_us < DROPPED_US)))
        return;
    ring->ready = true;
    ring->skip_drops = false;
    walk_gap(ring, ring->dropped - ring->reported, known);
    ring->reported = ring->dropped;
    ring->dropped_us = now_us;
}

enum txtap_status txtap_logger_commit(struct txtap_logger_ring *opaque, const struct txtap_logger_plan *plan,
                                      uint64_t now_us)
{
    struct logger_inside *ring = logger_inside(opaque);
    struct sample sample = sample_take(ring, plan);
    enum txtap_status status = sample_check(ring, &sample);
    struct logger_mark planned = ring->head;
    enum tail found;
    uint64_t tail = 0;

    ring->run_count = ring->run_at = 0;
    ring->shown.seen = false;
    if (status != TXTAP_OK)
        return status;
    if (!ring->sampled || plan->first_guard) {
        begin(ring, plan, &sample, now_us);
        return TXTAP_OK;
    }
    found = sample_find_tail(ring, plan, &sample, now_us, &tail);
    if (found == TAIL_RESTARTED)
        return TXTAP_ERROR_MOVED;
    ring->words_seen = sample.words_after;
    if (found == TAIL_UNKNOWN)
        return TXTAP_OK; /* no word is known to be valid: the next plan makes the same reads again */
    if (found == TAIL_LAPPED) {
        emit_before_loss(ring);
        note_tail(ring, plan, &sample, tail, now_us);
        start_again(ring, tail);
        ring->inexact = true;
        ring->guard_count = 0;
        ring->only_new = true; /* if the writer moved less than a lap, events before the tail are delivered already */
        return TXTAP_OK;
    }
    note_tail(ring, plan, &sample, tail, now_us);
    judge(ring, plan, &sample, planned, now_us);
    if (ring->next == ring->head.position)
        ring->seen_dropped = max_u64(ring->seen_dropped, ring->dropped);
    report_dropped(ring, false, now_us);
    return TXTAP_OK;
}

void txtap_logger_finish(struct txtap_logger_ring *opaque, uint64_t until)
{
    struct logger_inside *ring = logger_inside(opaque);

    ring->run_count = ring->run_at = 0;
    ring->shown.seen = false;
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
