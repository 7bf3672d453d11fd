/* SPDX-License-Identifier: MIT */
#include "ring/states/state.h"

#include <assert.h>
#include <string.h>

#define LAPS_KEPT 3 /* number of laps that remain below the oldest event that is still needed */

/* One age per class. The reader compares ages only with three limits: HOLD_US, the 50 ms of rest, and PATIENCE_US. */
static const uint32_t ages_us[] = {0, 1, TXTAP_RING_HOLD_US + 500, 60000, 120000};

static uint8_t age_class(uint64_t now_us, uint64_t since_us)
{
    uint64_t age = now_us - since_us;

    return age == 0 ? 0 : age < TXTAP_RING_HOLD_US ? 1 : age < 50000 ? 2 : age < TXTAP_RING_PATIENCE_US ? 3 : 4;
}

static void pack_reader(struct state *state, const struct ring_inside *ring, uint64_t now_us)
{
    unsigned held = (unsigned)(ring->read_end - ring->next);

    state->laps = (uint32_t)ring->laps;
    state->half_laps = (uint32_t)ring->half_laps;
    state->half_laps_at = ring->half_laps_at;
    state->left_words_at = ring->left_words_at;
    state->life = ring->life;
    state->next = (uint32_t)ring->next;
    state->read_end = (uint32_t)ring->read_end;
    state->head = (uint32_t)ring->head;
    state->seq_base = (uint32_t)ring->seq_base;
    if (!ring->started) { /* start and head_at_attach are not used after the start */
        state->start = (uint32_t)ring->start;
        state->head_at_attach = (uint32_t)ring->head_at_attach;
    }
    state->laps_state = (uint8_t)ring->laps_state;
    state->started = ring->started;
    state->inexact = ring->inexact;
    state->not_wrapped_yet = ring->not_wrapped_yet && !ring->guard_known;
    state->guard_known = ring->guard_known;
    state->guard_gone = ring->guard_gone;
    state->overtaken = ring->overtaken;
    state->behind = ring->behind;
    state->losing = ring->losing;
    state->rested = (uint8_t)(ring->rested & ((1u << held) - 1));
    if (ring->guard_gone_us)
        state->guard_gone_age = (uint8_t)(1 + age_class(now_us, ring->guard_gone_us));
    if (ring->guard_known)
        memcpy(state->guard, ring->guard, sizeof state->guard);
    if (ring->newest_since_us) {
        state->newest_age = (uint8_t)(1 + age_class(now_us, ring->newest_since_us));
        memcpy(state->newest, ring->newest, sizeof state->newest);
    }
    for (unsigned i = 0; i < held; i++) {
        state->held_age[i] = age_class(now_us, ring->held_us[i]);
        state->seen_age[i] = age_class(now_us, ring->seen_us[i]);
        memcpy(state->held[i], ring->held[i], sizeof state->held[i]);
    }
}

/* Subtracts `events` from the numbers in words that were read. */
static void lower_words(uint8_t *words, size_t bytes, int32_t events)
{
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t value, least = FIRST_TRACE + 8 * (uint32_t)events;

        memcpy(&value, words + i, sizeof value);
        if (value < FIRST_TRACE || value >= SECOND_TRACE)
            continue;
        value = value < least ? OLDER_THAN_KNOWN : value - 8 * (uint32_t)events;
        memcpy(words + i, &value, sizeof value);
    }
}

/* Returns the number of laps that can be subtracted from all positions. */
static int32_t laps_to_spare(const struct state *state, const struct configuration *c)
{
    int32_t slots = (int32_t)c->slots, low = state->at.stores / STORES_AN_EVENT - slots, laps;
    int32_t oldest = state->oracle.anything ? state->oracle.last : state->oracle.wanted;

    low = oldest < low ? oldest : low;
    laps = low / slots - LAPS_KEPT;
    if ((int32_t)state->next / slots - 1 < laps)
        laps = (int32_t)state->next / slots - 1;
    if ((int32_t)state->head / slots - 2 < laps) /* the reader may not know yet whether the ring has wrapped */
        laps = (int32_t)state->head / slots - 2;
    if (state->laps_state == TXTAP_LAPS_COUNTED && (int32_t)state->laps < laps)
        laps = (int32_t)state->laps;
    if (laps > UINT16_MAX / 2 && laps <= UINT16_MAX) /* the 16-bit lap count has not wrapped yet */
        return 0;
    return laps < 0 ? 0 : laps;
}

static void lower(struct state *state, int32_t laps, int32_t events)
{
    struct oracle *oracle = &state->oracle;

    state->next -= (uint32_t)events;
    state->read_end -= (uint32_t)events;
    state->head -= (uint32_t)events;
    if (state->laps_state == TXTAP_LAPS_COUNTED)
        state->laps -= (uint32_t)laps;
    if (state->half_laps_at != 0)
        state->half_laps -= 2 * (uint32_t)laps;
    state->at.stores -= events * STORES_AN_EVENT;
    state->at.complete = state->at.complete < events ? 0 : state->at.complete - events;
    oracle->next_seq -= events; /* `base` stays: it is a number minus a sequence number */
    if (oracle->anything) {
        oracle->last -= events;
    } else {
        oracle->wanted -= events;
        oracle->wanted_position -= events;
        oracle->not_before -= oracle->not_before > 0 ? events : 0;
    }
    lower_words(state->held[0], sizeof state->held, events);
    lower_words(state->guard, sizeof state->guard, events);
    lower_words(state->newest, sizeof state->newest, events);
}

unsigned state_pack(struct state *state, const struct fixture *fixture, uint64_t now_us)
{
    const struct ring_inside *ring = &fixture->inside;
    int32_t laps;

    assert(ring->read_end - ring->next <= TXTAP_RING_HOLD_ENTRIES);
    memset(state, 0, sizeof *state);
    pack_reader(state, ring, now_us);
    state->at = fixture->at;
    if (fixture->configuration->late_slots == 0)
        state->at.complete = 0;
    state->oracle = fixture->oracle;
    if (!ring->started || ring->laps_state == TXTAP_LAPS_UNKNOWN || fixture->at.again >= 0)
        return 0;
    state->oracle.next_seq += (int32_t)ring->seq_base;
    state->oracle.base -= (int32_t)ring->seq_base;
    state->seq_base = 0;
    laps = laps_to_spare(state, fixture->configuration);
    lower(state, laps, laps * (int32_t)fixture->configuration->slots);
    return (unsigned)laps;
}

void state_unpack(struct fixture *fixture, const struct state *state, const struct ring_inside *template)
{
    struct ring_inside *ring = &fixture->inside;

    *ring = *template;
    ring->laps = state->laps;
    ring->half_laps = state->half_laps;
    ring->half_laps_at = state->half_laps_at;
    ring->left_words_at = state->left_words_at;
    ring->life = state->life;
    ring->next = state->next;
    ring->read_end = state->read_end;
    ring->head = state->head;
    ring->start = state->start;
    ring->head_at_attach = state->head_at_attach;
    ring->seq_base = state->seq_base;
    ring->laps_state = (enum txtap_ring_laps)state->laps_state;
    ring->started = state->started;
    ring->inexact = state->inexact;
    ring->not_wrapped_yet = state->not_wrapped_yet;
    ring->guard_known = state->guard_known;
    ring->guard_gone = state->guard_gone;
    ring->overtaken = state->overtaken;
    ring->behind = state->behind;
    ring->losing = state->losing;
    ring->rested = state->rested;
    ring->guard_gone_us = state->guard_gone_age ? NOW_US - ages_us[state->guard_gone_age - 1] : 0;
    ring->newest_since_us = state->newest_age ? NOW_US - ages_us[state->newest_age - 1] : 0;
    memcpy(ring->guard, state->guard, sizeof ring->guard);
    memcpy(ring->newest, state->newest, sizeof ring->newest);
    for (unsigned i = 0; i < state->read_end - state->next; i++) {
        ring->held_us[i] = NOW_US - ages_us[state->held_age[i]];
        ring->seen_us[i] = NOW_US - ages_us[state->seen_age[i]];
        memcpy(ring->held[i], state->held[i], sizeof ring->held[i]);
    }
    fixture->at = state->at;
    fixture->oracle = state->oracle;
}
