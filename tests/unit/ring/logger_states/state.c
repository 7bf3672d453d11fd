/* SPDX-License-Identifier: MIT */
#include "ring/logger_states/state.h"

#include <assert.h>
#include <string.h>

#define SEQ_KEPT       1000 /* the sequence number of the next item, once there is one */
#define NUMBERS_KEPT   8u   /* below the oldest event that matters, if old words matter */
#define LAPS_KEPT      2u   /* below the oldest position that matters */
#define OLDER_THAN_ANY 0x3FFFFFFFu

/* Ages are compared only with these: HOLD_US, the 50 ms of a standstill, the second between reports of drops. */
static const uint32_t ages_us[] = {0, TXTAP_LOGGER_HOLD_US + 500, 60000, 1100000};

static uint8_t age_class(uint64_t now_us, uint64_t since_us)
{
    uint64_t age = now_us - since_us;

    return age < TXTAP_LOGGER_HOLD_US ? 0 : age < 50000 ? 1 : age < 1000000 ? 2 : 3;
}

size_t state_bytes(const struct configuration *c)
{
    size_t copy = c->size * (c->copy_rings ? c->copy_rings : 1);

    return offsetof(struct state, words) + 4 * (copy + (c->counts == COUNTS_NOTHING ? TXTAP_LOGGER_GUARD_WORDS : 0));
}

static struct mark pack_mark(const struct txtap_logger_mark *mark)
{
    return (struct mark){(uint32_t)mark->position, mark->boundary, mark->events_known,
                         mark->events_known ? (int32_t)mark->events : 0};
}

static struct txtap_logger_mark unpack_mark(const struct mark *mark)
{
    return (struct txtap_logger_mark){.position = mark->position,
                                      .boundary = mark->boundary,
                                      .events_known = mark->events_known,
                                      .events = (uint64_t)(int64_t)mark->events};
}

static void pack_reader(struct state *state, const struct txtap_logger_ring *ring, bool reports, uint64_t now_us)
{
    uint32_t kept = (uint32_t)(ring->read.position - ring->next);

    state->only_new = ring->only_new;
    state->sampled = ring->sampled;
    state->ready = ring->ready;
    state->missed = ring->missed;
    state->inexact = ring->inexact;
    state->counted = ring->counted;
    state->based = ring->based;
    state->skip_drops = ring->skip_drops;
    state->tries = ring->tries;
    state->agreed = ring->agreed;
    state->dropped = ring->dropped;
    state->reported = (uint32_t)ring->reported;
    state->seen_dropped = ring->place.totals == 0 ? (uint32_t)ring->seen_dropped : 0;
    state->guard_count = ring->guard_count;
    state->next = (uint32_t)ring->next;
    state->guard = ring->guard_count > 0 ? (uint32_t)ring->guard : 0;
    state->words_at_head = ring->words_at_head;
    state->words_seen = ring->words_seen;
    state->events_raw = ring->events_raw;
    state->events_at_head = (int32_t)ring->events_at_head;
    state->events_base = ring->based ? (int32_t)ring->events_base : 0;
    state->seq = (int32_t)ring->seq;
    state->confirmed = pack_mark(&ring->confirmed);
    state->read = pack_mark(&ring->read);
    state->head = pack_mark(&ring->head);
    if (!ring->ready) {
        state->attached = pack_mark(&ring->attached);
        state->attached_pending = ring->attached.pending;
    }
    if (ring->confirmed.position < ring->read.position) {
        state->copied_age = age_class(now_us, ring->copied_us);
        state->copied_head = (uint32_t)ring->copied_head;
    }
    if (ring->gone_us != 0)
        state->gone_age = (uint8_t)(1 + age_class(now_us, ring->gone_us));
    if (ring->dropped > 0 && reports)
        state->dropped_age = age_class(now_us, ring->dropped_us);
    assert(kept <= ring->copy_words || kept > UINT32_MAX / 2);
    for (uint32_t i = 0; i < kept && kept <= ring->copy_words; i++)
        state->words[i] = ring->copy[(ring->next + i) % ring->copy_words];
    if (ring->guard_count > 0)
        memcpy(state->words + ring->copy_words, ring->guard_words, 4 * (size_t)ring->guard_count);
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Positions of the reader, moved by whole rings. */
static void lower_reader(struct state *state, uint32_t size)
{
    uint32_t least = least_of(least_of(state->next, state->confirmed.position), state->head.position), down;

    if (!state->sampled)
        return;
    if (!state->ready)
        least = least_of(least, state->attached.position);
    if (state->guard_count > 0)
        least = least_of(least, state->guard);
    down = least / size > LAPS_KEPT ? (least / size - LAPS_KEPT) * size : 0;
    state->next -= down;
    state->confirmed.position -= down;
    state->read.position -= down;
    state->head.position -= down;
    if (!state->ready)
        state->attached.position -= down;
    if (state->guard_count > 0)
        state->guard -= down;
    if (state->copied_head > 0)
        state->copied_head -= down;
}

/* Positions of the target, and its counts. */
static void lower_target(struct state *state, uint32_t size, bool from_start)
{
    struct moment *at = &state->at;
    uint32_t down = at->again ? 0 : at->head / size * size;

    at->head -= down;
    at->tail -= down;
    state->events_raw -= at->totals[1] + at->totals[2];
    at->totals[1] = at->totals[2] = 0;
    if (!state->sampled && from_start)
        return; /* the words show how much there was before */
    if (state->sampled) {
        state->words_at_head -= at->totals[0];
        state->words_seen -= at->totals[0];
    }
    at->totals[0] = 0;
}

/* If there are no counts, the reader never uses what it keeps of them. */
static void forget_counts(struct state *state, enum counts counts)
{
    if (counts == COUNTS_NOTHING)
        state->words_at_head = state->words_seen = state->at.totals[0] = 0;
    if (counts != COUNTS_EVENTS) {
        state->counted = state->based = 0;
        state->events_raw = state->at.totals[1] = state->at.totals[2] = 0;
        state->events_at_head = state->events_base = 0;
    }
}

/* Only the difference of these two counts is used: as if they had been accepted just now. */
static void renew_counts(struct state *state)
{
    uint32_t raw = state->at.totals[1] + state->at.totals[2] - state->at.dropped;

    state->events_at_head += (int32_t)(raw - state->events_raw);
    state->events_raw = raw;
}

/* Words that the reader has read already do not matter any more, except those that the target itself uses. */
static void forget_items(struct state *state, uint32_t size)
{
    struct moment *at = &state->at;
    bool tail_ahead = at->at_work == PUTTING && at->stores == at->length + 2;
    uint32_t stores = at->at_work == PUTTING && at->stores <= at->length + 1 ? at->stores : 0;
    uint32_t ahead = at->totals[0] + (tail_ahead ? at->length + 1u : 0) - state->words_at_head;
    int32_t read = (int32_t)at->tail - (int32_t)ahead - (int32_t)(state->head.position - state->read.position);

    for (uint32_t back = 1; back + stores <= size; back++) {
        int32_t position = (int32_t)(at->tail + 2 * size - back);
        uint32_t *word = &at->items[(uint32_t)position % size];

        position -= 2 * (int32_t)size;
        if (position >= read)
            continue;
        if (position < (int32_t)at->head)
            *word = 0;
        else if (*word >= FIRST_LIFE)
            *word = OLDER_THAN_ANY;
        else if (*word < OLDER_THAN_ANY)
            *word &= 0x00FFFFFF;
    }
}

static void lower_word(uint32_t *word, uint32_t numbers)
{
    if (*word >= FIRST_LIFE && *word < SECOND_LIFE)
        *word = *word - FIRST_LIFE < 256 * numbers ? OLDER_THAN_ANY : *word - 256 * numbers;
}

/* Numbers of events. */
static void lower_numbers(struct state *state, const struct configuration *c)
{
    uint32_t kept = state->oracle.attached && c->counts != COUNTS_NOTHING ? 0 : NUMBERS_KEPT;
    struct oracle *oracle = &state->oracle;
    uint32_t *number = state->at.again ? &state->at.first_end : &state->at.number;
    uint32_t least = !oracle->attached ? *number : (uint32_t)(oracle->anything ? oracle->last : oracle->oldest);
    uint32_t down = least > kept ? least - kept : 0;
    int32_t by = (int32_t)down, seq_by = state->ready ? state->seq - SEQ_KEPT : 0;

    *number -= down;
    for (unsigned i = 0; i < RING_WORDS_MAX; i++)
        lower_word(&state->at.items[i], down);
    for (unsigned i = 0; i < sizeof state->words / sizeof *state->words; i++)
        lower_word(&state->words[i], down);
    state->events_at_head -= by;
    state->confirmed.events -= state->confirmed.events_known ? by : 0;
    state->read.events -= state->read.events_known ? by : 0;
    state->head.events -= state->head.events_known ? by : 0;
    state->attached.events -= state->attached.events_known ? by : 0;
    state->events_base += state->based ? seq_by - by : 0;
    state->seq -= seq_by;
    oracle->started += state->ready && !oracle->anything && !oracle->unsure ? seq_by - by : 0;
    oracle->base += oracle->based ? seq_by - by : 0;
    oracle->next_seq -= oracle->reported ? seq_by : 0;
    if (oracle->anything) {
        oracle->last -= by;
    } else if (oracle->attached) {
        oracle->wanted -= by;
        oracle->oldest -= by;
    }
}

void state_pack(struct state *state, const struct fixture *fixture, uint64_t now_us)
{
    bool restarts = fixture->at.again || fixture->at.at_work == STARTING;

    memset(state, 0, sizeof *state);
    pack_reader(state, &fixture->ring, fixture->configuration->reports, now_us);
    state->at = fixture->at;
    state->oracle = fixture->oracle;
    if (!restarts)
        renew_counts(state);
    forget_counts(state, fixture->configuration->counts);
    if (state->sampled && fixture->configuration->counts != COUNTS_NOTHING && !restarts)
        forget_items(state, fixture->configuration->size);
    lower_reader(state, fixture->configuration->size);
    lower_target(state, fixture->configuration->size, fixture->configuration->from == TXTAP_RING_FROM_START);
    lower_numbers(state, fixture->configuration);
}

void state_unpack(struct fixture *fixture, const struct state *state, const struct txtap_logger_ring *template)
{
    struct txtap_logger_ring *ring = &fixture->ring;

    *ring = *template;
    ring->only_new = state->only_new;
    ring->sampled = state->sampled;
    ring->ready = state->ready;
    ring->missed = state->missed;
    ring->inexact = state->inexact;
    ring->counted = state->counted;
    ring->based = state->based;
    ring->skip_drops = state->skip_drops;
    ring->agreed = state->agreed;
    ring->tries = state->tries;
    ring->dropped = state->dropped;
    ring->reported = state->reported;
    ring->seen_dropped = state->seen_dropped;
    ring->guard_count = state->guard_count;
    ring->next = state->next;
    ring->guard = state->guard;
    ring->words_at_head = state->words_at_head;
    ring->words_seen = state->words_seen;
    ring->events_raw = state->events_raw;
    ring->events_at_head = (uint64_t)(int64_t)state->events_at_head;
    ring->events_base = (uint64_t)(int64_t)state->events_base;
    ring->seq = (uint64_t)(int64_t)state->seq;
    ring->confirmed = unpack_mark(&state->confirmed);
    ring->read = unpack_mark(&state->read);
    ring->head = unpack_mark(&state->head);
    ring->attached = unpack_mark(&state->attached);
    ring->attached.pending = state->attached_pending;
    ring->copied_us = NOW_US - ages_us[state->copied_age];
    ring->copied_head = state->copied_head;
    ring->gone_us = state->gone_age ? NOW_US - ages_us[state->gone_age - 1] : 0;
    ring->dropped_us = NOW_US - ages_us[state->dropped_age];
    memset(fixture->copy, 0, sizeof fixture->copy);
    for (uint32_t i = 0; i < ring->copy_words; i++)
        fixture->copy[(ring->next + i) % ring->copy_words] = state->words[i];
    if (ring->guard_count > 0)
        memcpy(ring->guard_words, state->words + ring->copy_words, 4 * (size_t)ring->guard_count);
    fixture->at = state->at;
    fixture->oracle = state->oracle;
}
