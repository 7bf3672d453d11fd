/* SPDX-License-Identifier: MIT */
#include "ring/logger_states/oracle.h"

#define GAP_MAX 1000000

static bool contradict_if(bool condition, struct hearing *hearing, const char *what)
{
    if (condition && !hearing->contradicts)
        hearing->contradicts = what;
    return condition;
}

/* The number of an event, if all its words are from that event. */
static bool number_of(const struct txtap_logger_item *item, int32_t *number)
{
    uint32_t value, length;

    if (item->type != EVENT_TYPE || item->count == 0 || !writer_number(item->words[0], &value, &length) ||
        length != item->count)
        return false;
    for (uint32_t i = 0; i < length; i++)
        if (item->words[i] != writer_data_word(value, length, i))
            return false;
    *number = (int32_t)value;
    return true;
}

/* Can it be the number of the next item, by a count that is known modulo lap? */
static bool fits(int32_t number, int32_t expected, const struct oracle *oracle)
{
    return number >= expected && (number - expected) % oracle->lap == 0;
}

static void check_first(const struct oracle *oracle, struct hearing *hearing, int32_t number, int32_t seq)
{
    contradict_if(number < oracle->oldest, hearing,
                  oracle->reported ? "the first gap claims more than was lost" : "an event is older than wanted");
    contradict_if(!oracle->unsure && number > oracle->wanted, hearing,
                  oracle->reported ? "the first gap is called exact and claims less than was lost"
                                   : "events after the attach are missing without a gap");
    if (hearing->counts_since_start && !oracle->unsure)
        contradict_if(number - seq != oracle->started, hearing, "the first sequence number is not that of the counts");
}

static void hear_event(struct oracle *oracle, struct hearing *hearing, const struct txtap_logger_item *item)
{
    int32_t number, seq = (int32_t)item->seq;

    if (contradict_if(!number_of(item, &number), hearing, "something that is not an event was delivered"))
        return;
    contradict_if(number >= (int32_t)writer_published(&hearing->at), hearing,
                  "an event was delivered before it was published");
    contradict_if(oracle->reported && seq != oracle->next_seq, hearing, "a sequence number is not the next");
    contradict_if(oracle->anything && number <= oracle->last, hearing, "an event came twice or out of order");
    if (!oracle->anything)
        check_first(oracle, hearing, number, seq);
    contradict_if(oracle->based && !oracle->unsure && number - seq != oracle->base, hearing,
                  "event and sequence number disagree: a silent loss, or a wrong exact gap");
    contradict_if(oracle->anything && oracle->unsure && !fits(number, oracle->last + 1, oracle), hearing,
                  "a gap of 'at least' claims more than was lost, or is wrong modulo its lap");
    if (!oracle->based || oracle->unsure)
        oracle->base = number - seq;
    oracle->based = oracle->anything = oracle->reported = 1;
    oracle->unsure = oracle->lap = 0;
    oracle->started = oracle->wanted = oracle->oldest = 0;
    oracle->last = number;
    oracle->next_seq = seq + 1;
}

static void hear_gap(struct oracle *oracle, struct hearing *hearing, const struct txtap_logger_item *item)
{
    contradict_if(oracle->reported && (int32_t)item->seq != oracle->next_seq, hearing, "a gap is not at its place");
    if (contradict_if(item->lost > GAP_MAX, hearing, "a gap is larger than anything that was written"))
        return;
    if (!item->exact) {
        oracle->lap = oracle->unsure && oracle->lap != item->lap ? 1 : (uint8_t)item->lap;
        oracle->unsure = 1;
    }
    oracle->reported = 1;
    oracle->next_seq = (int32_t)(item->seq + item->lost);
    if (oracle->anything) {
        oracle->last += (int32_t)item->lost;
    } else {
        oracle->wanted += (int32_t)item->lost;
        oracle->oldest += (int32_t)item->lost;
    }
    if (oracle->unsure) {
        oracle->based = 0;
        oracle->base = oracle->started = 0;
    }
    contradict_if((oracle->anything ? oracle->last + 1 : oracle->oldest) >
                      (int32_t)(hearing->at.again ? hearing->at.first_end : hearing->at.number),
                  hearing, "a gap claims more than was written");
}

void oracle_hear(struct oracle *oracle, struct hearing *hearing, const struct txtap_logger_item *item)
{
    if (contradict_if(!oracle->attached, hearing, "something was delivered before the ring was seen"))
        return;
    if (item->lost > 0)
        hear_gap(oracle, hearing, item);
    else
        hear_event(oracle, hearing, item);
}

void oracle_end(const struct oracle *oracle, struct hearing *hearing, bool rested)
{
    int32_t all = (int32_t)hearing->at.number, next = oracle->anything ? oracle->last + 1 : oracle->wanted;

    if (!rested)
        return;
    if (!oracle->unsure)
        contradict_if(next < all, hearing,
                      oracle->reported ? "events are missing at the end" : "events after the attach are not reported");
    else if (oracle->anything)
        contradict_if(!fits(all, next, oracle), hearing, "at the end more is reported lost than was");
}
