/* SPDX-License-Identifier: MIT */
#include "ring/logger_states/writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TOTAL_WORDS, TOTAL_DROPPED, TOTAL_EVENTS };

uint32_t writer_data_word(uint32_t number, uint32_t length, uint32_t index)
{
    return FIRST_LIFE + number * 256 + length * 16 + index;
}

bool writer_number(uint32_t word, uint32_t *number, uint32_t *length)
{
    if (word < FIRST_LIFE || word >= SECOND_LIFE)
        return false;
    *number = (word - FIRST_LIFE) / 256;
    *length = (word - FIRST_LIFE) / 16 % 16;
    return true;
}

struct moment writer_begin(void)
{
    return (struct moment){.at_work = AT_REST};
}

/* ---- its memory ---- */

struct place writer_place(const struct configuration *c, uint32_t address)
{
    static const enum place_kind ring[] = {PLACE_HEAD,     PLACE_TAIL,   PLACE_DROPPED,
                                           PLACE_CONSTANT, PLACE_BUFFER, PLACE_CONSTANT};

    if (address >= TARGET_BUFFER && address < TARGET_BUFFER + 4 * c->size)
        return (struct place){PLACE_ITEM, (address - TARGET_BUFFER) / 4};
    if (address >= TARGET_TOTALS && address < TARGET_TOTALS + 12)
        return (struct place){PLACE_TOTALS, (address - TARGET_TOTALS) / 4};
    assert(address >= TARGET_RING && address < TARGET_RING + TXTAP_LOGGER_RING_BYTES);
    return (struct place){ring[(address - TARGET_RING) / 4], (address - TARGET_RING) / 4};
}

uint32_t writer_value(const struct configuration *c, const struct moment *at, struct place place)
{
    switch (place.kind) {
    case PLACE_ITEM:
        return at->items[place.index];
    case PLACE_HEAD:
        return at->head % c->size;
    case PLACE_TAIL:
        return at->tail % c->size;
    case PLACE_DROPPED:
        return at->dropped;
    case PLACE_BUFFER:
        return at->at_work == STARTING ? 0 : TARGET_BUFFER;
    case PLACE_TOTALS:
        return at->totals[place.index];
    case PLACE_CONSTANT:
        return place.index == 3 ? c->size : 0;
    }
    abort();
}

/* ---- what it does, store by store ---- */

static struct place end_work(struct moment *at, struct place place)
{
    at->at_work = AT_REST;
    at->stores = at->length = 0;
    return place;
}

static uint32_t header_of(const struct configuration *c, const struct moment *at)
{
    uint32_t dropped = at->dropped;

    if (c->counts == COUNTS_NOTHING)
        dropped %= DROPPED_MAX + 1;
    else if (dropped > DROPPED_MAX)
        dropped = DROPPED_MAX;
    return EVENT_TYPE | (uint32_t)at->length << 16 | dropped << 24;
}

static struct place store_put(const struct configuration *c, struct moment *at)
{
    uint32_t store = at->stores++, words = at->length + 1u, index = (at->tail + store) % c->size;

    if (store == 0) {
        at->items[index] = header_of(c, at);
        return (struct place){PLACE_ITEM, index};
    }
    if (store < words) {
        at->items[index] = writer_data_word(at->number - 1, at->length, store - 1);
        if (at->again)
            at->items[index] += SECOND_LIFE - FIRST_LIFE;
        return (struct place){PLACE_ITEM, index};
    }
    switch (store - words) {
    case 0:
        at->tail += words;
        return (struct place){PLACE_TAIL, 0};
    case 1:
        at->totals[TOTAL_WORDS] += words;
        return (struct place){PLACE_TOTALS, TOTAL_WORDS};
    case 2:
        at->totals[TOTAL_EVENTS]++;
        return (struct place){PLACE_TOTALS, TOTAL_EVENTS};
    default:
        at->dropped = 0;
        return end_work(at, (struct place){PLACE_DROPPED, 0});
    }
}

static struct place store_drop(struct moment *at)
{
    if (at->stores++ == 0) {
        at->dropped++;
        return (struct place){PLACE_DROPPED, 0};
    }
    at->totals[TOTAL_DROPPED]++;
    return end_work(at, (struct place){PLACE_TOTALS, TOTAL_DROPPED});
}

/* From the current counts to those of a logger that was started that long ago. */
static struct place store_start(const struct configuration *c, struct moment *at)
{
    switch (at->stores++) {
    case 0:
        return (struct place){PLACE_BUFFER, 0};
    case 1:
        at->head = 0;
        return (struct place){PLACE_HEAD, 0};
    case 2:
        at->tail = 0;
        return (struct place){PLACE_TAIL, 0};
    case 3:
        at->dropped = 0;
        return (struct place){PLACE_DROPPED, 0};
    case 4:
        at->totals[TOTAL_WORDS] -= c->again_words;
        return (struct place){PLACE_TOTALS, TOTAL_WORDS};
    case 5:
        at->totals[TOTAL_DROPPED] -= c->again_words;
        return (struct place){PLACE_TOTALS, TOTAL_DROPPED};
    case 6:
        at->totals[TOTAL_EVENTS] -= c->again_words / 2;
        return (struct place){PLACE_TOTALS, TOTAL_EVENTS};
    default:
        at->again = 1;
        at->first_end = at->number;
        at->number = 0;
        return end_work(at, (struct place){PLACE_BUFFER, 0});
    }
}

static struct place store_next(const struct configuration *c, struct moment *at)
{
    switch (at->at_work) {
    case PUTTING:
        return store_put(c, at);
    case DROPPING:
        return store_drop(at);
    default:
        return store_start(c, at);
    }
}

/* ---- what it can do ---- */

static struct place begin(const struct configuration *c, struct moment *at, enum at_work work, uint32_t length)
{
    at->at_work = (uint8_t)work;
    at->length = (uint8_t)length;
    if (work != STARTING)
        at->number++;
    return store_next(c, at);
}

static struct place collect(const struct configuration *c, struct moment *at)
{
    at->head += 1 + (at->items[at->head % c->size] >> 16 & 0xFF);
    return (struct place){PLACE_HEAD, 0};
}

/*
 * After a restart the logger does not get as far as it was at the last exchange before: that would look as if it had
 * gone on.
 */
static bool may_put(const struct configuration *c, const struct moment *at, uint32_t words)
{
    uint32_t longest = 1;

    while (c->lengths >> longest > 1)
        longest++;
    return !at->again || at->tail + words + (c->events + 1) * (longest + 1) < c->again_words;
}

/* The logger is restarted, whatever it is doing. */
static unsigned start_again(const struct configuration *c, const struct moment *at, struct moment *next,
                            struct place *stored)
{
    if (c->again_words == 0 || at->again || at->at_work == STARTING)
        return 0;
    *next = *at;
    next->stores = next->length = 0;
    *stored = begin(c, next, STARTING, 0);
    return 1;
}

unsigned writer_steps(const struct configuration *c, const struct moment *at, struct moment next[STEPS_MAX],
                      struct place stored[STEPS_MAX])
{
    uint32_t room = c->size - 1 - (at->tail - at->head);
    unsigned count = 0;
    bool drops = false;

    next[0] = *at;
    if (at->at_work != AT_REST) {
        stored[0] = store_next(c, &next[0]);
        return 1 + start_again(c, at, &next[1], &stored[1]);
    }
    for (uint32_t length = 1; c->lengths >> length != 0; length++) {
        if (!(c->lengths >> length & 1) || !may_put(c, at, length + 1))
            continue;
        if (length + 1 > room) {
            drops = at->dropped < c->drops;
            continue;
        }
        next[count] = *at;
        stored[count] = begin(c, &next[count], PUTTING, length);
        count++;
    }
    if (drops) {
        next[count] = *at;
        stored[count] = begin(c, &next[count], DROPPING, 0);
        count++;
    }
    if (at->head != at->tail) {
        next[count] = *at;
        stored[count] = collect(c, &next[count]);
        count++;
    }
    count += start_again(c, at, &next[count], &stored[count]);
    return count;
}

bool writer_hastens(const struct moment *at)
{
    return at->at_work == PUTTING ? at->stores > at->length + 1 : at->at_work == DROPPING;
}

struct moment writer_at_rest(const struct configuration *c, const struct moment *at)
{
    struct moment rested = *at;

    while (rested.at_work != AT_REST)
        store_next(c, &rested);
    return rested;
}

/* ---- what is in the ring ---- */

uint32_t writer_published(const struct moment *at)
{
    if (at->again)
        return at->first_end;
    return at->number - (at->at_work == PUTTING && at->stores <= at->length + 1);
}

static uint32_t number_at(const struct configuration *c, const struct moment *at, uint32_t position)
{
    uint32_t number = 0, length;

    if (!writer_number(at->items[(position + 1) % c->size], &number, &length))
        abort();
    return number;
}

uint32_t writer_oldest(const struct configuration *c, const struct moment *at)
{
    return at->head == at->tail ? writer_published(at) : number_at(c, at, at->head);
}
