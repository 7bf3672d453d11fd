/* SPDX-License-Identifier: MIT */
#include "ring/states/oracle.h"

#include <string.h>

#define GAP_MAX 1000000

static uint32_t word_at(const uint8_t *entry, unsigned index)
{
    uint32_t value;

    memcpy(&value, entry + 4 * index, sizeof value);
    return value;
}

static void contradict(struct hearing *hearing, const char *what)
{
    if (!hearing->contradicts)
        hearing->contradicts = what;
}

static bool contradict_if(bool condition, struct hearing *hearing, const char *what)
{
    if (condition)
        contradict(hearing, what);
    return condition;
}

/* Returns the event's number, which some words of the entry contain; negative if they contain no number. */
static int number_of(const struct configuration *c, const uint8_t *entry)
{
    for (unsigned index = 1; index < 8; index++) {
        uint32_t value = word_at(entry, index);

        if (!(c->own_words >> index & 1) || (c->late_slots && (index == 5 || index == 7)))
            continue;
        if (value >= FIRST_TRACE && value < SECOND_TRACE)
            return (int)(value - FIRST_TRACE) / 8;
        return value >= SECOND_TRACE && value < NUMBERS_END ? -2 : -1;
    }
    return -1;
}

static void check_words(struct hearing *hearing, const uint8_t *entry, int number, bool unsettled)
{
    for (unsigned index = 0; index < 8; index++) {
        uint32_t value = word_at(entry, index);

        if (value == writer_entry_word(hearing->configuration, number, index, true))
            continue;
        if (!writer_is_late(hearing->configuration, number, index))
            contradict(hearing, "a torn entry was delivered");
        else
            contradict_if(!unsettled || value != 0, hearing, "a late word is wrong or missing in a settled entry");
    }
}

/*
 * Checks the first event. Without a lap count the reader cannot see laps before this event; then only its positions
 * must be consistent.
 */
static void check_first(const struct oracle *oracle, struct hearing *hearing, int number, int64_t seq)
{
    int64_t by_number = number - oracle->wanted;
    int64_t by_position = seq + (int64_t)hearing->seq_base - oracle->wanted_position;
    int64_t missing = hearing->laps_known ? by_number : by_position;

    contradict_if(number < oracle->not_before, hearing, "an event is older than wanted");
    if (oracle->based || missing <= 0)
        return;
    if (!oracle->reported)
        contradict(hearing, "events after the attach are missing without a gap");
    else if (oracle->unsure)
        contradict_if(oracle->missed > by_number, hearing, "the first gap of 'at least' claims more than was lost");
    else
        contradict_if(oracle->missed < missing || (!hearing->guarded && oracle->missed < by_number), hearing,
                      "the first gap is called exact and claims less than was lost");
}

static void hear_event(struct oracle *oracle, struct hearing *hearing, const uint8_t *entry, int64_t seq,
                       bool unsettled)
{
    int number = number_of(hearing->configuration, entry);

    if (contradict_if(number == -2, hearing, "an event of another trace was delivered") ||
        contradict_if(number < 0, hearing, "something that is not an event was delivered"))
        return;
    contradict_if(number >= writer_published(hearing->at), hearing, "an event was delivered before it was published");
    contradict_if(oracle->reported && seq != oracle->next_seq, hearing, "a sequence number is not the next");
    contradict_if(oracle->anything && number <= oracle->last, hearing, "an event came twice or out of order");
    contradict_if(oracle->based && !oracle->unsure && number - seq != oracle->base, hearing,
                  "event and sequence number disagree: a silent loss, or a wrong exact gap");
    contradict_if(oracle->anything && oracle->unsure && number - oracle->last - 1 < oracle->missed, hearing,
                  "a gap of 'at least' claims more than was lost");
    if (!oracle->anything)
        check_first(oracle, hearing, number, seq);
    check_words(hearing, entry, number, unsettled);
    if (!oracle->based || oracle->unsure)
        oracle->base = number - (int32_t)seq;
    oracle->based = oracle->anything = oracle->reported = 1;
    oracle->unsure = 0;
    oracle->missed = oracle->wanted = oracle->wanted_position = oracle->not_before = 0;
    oracle->last = number;
    oracle->next_seq = (int32_t)seq + 1;
}

/* Takes delivered events. unsettled: bit n is set if the entry n places before the last entry is unsettled. */
static void hear_events(struct oracle *oracle, struct hearing *hearing, const uint8_t *entries, size_t count,
                        uint64_t seq, uint32_t unsettled)
{
    for (size_t i = 0; i < count; i++) {
        size_t before_last = count - 1 - i;

        hear_event(oracle, hearing, entries + i * TXTB_ENTRY_BYTES, (int64_t)(seq + i),
                   before_last < 32 && (unsettled >> before_last & 1));
    }
}

static void hear_gap(struct oracle *oracle, struct hearing *hearing, const struct txtap_ring_batch *batch)
{
    contradict_if(oracle->reported && (int64_t)batch->lost_seq != oracle->next_seq, hearing,
                  "a gap is not at its place");
    if (contradict_if(batch->lost > GAP_MAX, hearing, "a gap is larger than anything that was written"))
        return;
    contradict_if(!oracle->may_say_least && !batch->exact && !hearing->at_end, hearing,
                  "counted laps gave an inexact gap");
    oracle->missed += (int32_t)batch->lost;
    oracle->unsure |= !batch->exact;
    oracle->reported = 1;
    contradict_if(oracle->anything && (hearing->at.again < 0 || hearing->configuration->counts_half_laps) &&
                      oracle->last + 1 + oracle->missed > writer_published(hearing->at),
                  hearing, "a gap claims more than was written");
    oracle->next_seq = (int32_t)(batch->lost_seq + batch->lost);
}

void oracle_hear(struct oracle *oracle, struct hearing *hearing, const struct txtap_ring_batch *batch)
{
    hear_events(oracle, hearing, batch->held, batch->held_count, batch->held_seq, batch->held_unsettled);
    if (batch->lost > 0)
        hear_gap(oracle, hearing, batch);
    hear_events(oracle, hearing, batch->entries, batch->count, batch->seq, batch->unsettled);
}
