/* SPDX-License-Identifier: MIT */
#include "ring/states/writer.h"

#include <stdlib.h>

#include "txtb_bytes.h"

/* places[order][n]: the index of the store that writes word n, among the stores of an entry. */
static const int places[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {6, 7, 0, 5, 1, 2, 3, 4}};

enum { STORE_HALF_LAPS = 8, STORE_POINTER, THREAD = 0, ID = 2, PLAIN_ID = 4096, ALLOCATE_ID = 10, ELSEWHERE = 2 };

static int slots_of(const struct configuration *c, struct moment at)
{
    return (int)c->slots - (at.again >= 0 && c->again == AGAIN_SMALLER);
}

static int published(int stores)
{
    return stores / STORES_AN_EVENT + (stores % STORES_AN_EVENT > STORE_POINTER);
}

int writer_published(struct moment at)
{
    return published(at.stores);
}

/* Returns the moment just after store `place` of event `number`. After an event's last store, that is the beginning of
 * the next event. */
static int after_store(const struct configuration *c, int number, int place, int slots)
{
    int last = STORE_POINTER + (c->counts_laps && number % slots == slots - 1);

    return place == last ? (number + 1) * STORES_AN_EVENT : number * STORES_AN_EVENT + place + 1;
}

/* ---- a trace that is set up again ---- */

static int last_step(const struct configuration *c)
{
    return ELSEWHERE + (int)c->slots + 5;
}

bool writer_sets_up(const struct configuration *c, struct moment at)
{
    return c->again == AGAIN_SET_UP && at.again >= 0 && at.set_up < last_step(c);
}

/* Returns the step of the set-up from which the word belongs to the new trace. */
static int step_of(const struct configuration *c, const struct word *word)
{
    switch (word->kind) {
    case WORD_HALF_LAPS:
    case WORD_LIFE:
        return 1;
    case WORD_ENTRY:
        return ELSEWHERE + 2 + (int)word->slot;
    case WORD_LAPS:
        return last_step(c) - 2;
    case WORD_POINTER:
    case WORD_RING_END:
        return last_step(c) - 1;
    case WORD_BESIDE:
        return last_step(c);
    }
    abort();
}

bool writer_is_elsewhere(const struct configuration *c, struct moment at)
{
    return writer_sets_up(c, at) && at.set_up <= ELSEWHERE;
}

static uint32_t beside(struct moment at)
{
    return at.set_up == ELSEWHERE ? TARGET_BASE + 0x1000 : 0;
}

static bool changes(const struct configuration *c, const struct word *word, int step)
{
    switch (word->kind) {
    case WORD_LIFE:
        return step == 1 || step == ELSEWHERE + 1;
    case WORD_BESIDE:
        return step <= ELSEWHERE + 1 || step == last_step(c);
    case WORD_ENTRY:
        return word->index == THREAD && step == step_of(c, word);
    case WORD_RING_END:
        return false;
    default:
        return step == step_of(c, word);
    }
}

/*
 * Returns the next step that changes the word; the last step if no step changes it. Stores of the new trace follow the
 * last step, and may still change the word.
 */
static int next_step(const struct configuration *c, const struct word *word, int step)
{
    do
        step++;
    while (step < last_step(c) && !changes(c, word, step));
    return step;
}

/* Returns true if the word belongs to the new trace. */
static bool is_new(const struct configuration *c, const struct word *word, struct moment at)
{
    return at.again >= 0 && (c->again != AGAIN_SET_UP || at.set_up >= step_of(c, word));
}

/* ---- half-laps ---- */

/* Returns the number of half-laps that `events` events have completed. */
static int half_laps(int events, int slots)
{
    return events / slots * 2 + (events % slots >= slots / 2);
}

static int half_laps_counted(int stores, int slots)
{
    return half_laps(stores / STORES_AN_EVENT + (stores % STORES_AN_EVENT > STORE_HALF_LAPS), slots);
}

/* Returns the event after which the next half-lap is counted. */
static int half_laps_next(int stores, int slots)
{
    int counted = half_laps_counted(stores, slots), event = stores / STORES_AN_EVENT;

    while (half_laps(event + 1, slots) == counted)
        event++;
    return event;
}

/* ---- entries ---- */

struct moment writer_at_rest(struct moment at)
{
    int32_t *stores = at.again >= 0 ? &at.again : &at.stores;

    *stores = (*stores + STORES_AN_EVENT - 1) / STORES_AN_EVENT * STORES_AN_EVENT;
    at.complete = at.stores / STORES_AN_EVENT;
    return at;
}

static bool has_late_word(const struct configuration *c, int number)
{
    return c->late_slots >> ((unsigned)number % c->slots) & 1;
}

bool writer_is_late(const struct configuration *c, int number, unsigned index)
{
    return has_late_word(c, number) && index == (c->late_id == ALLOCATE_ID ? 5 : 7);
}

uint32_t writer_entry_word(const struct configuration *c, int number, unsigned index, bool complete)
{
    static const uint32_t same[8] = {0x20001000, 0x80000005, PLAIN_ID, 7, 0x11, 0x22, 0x33, 0x44};

    if (index == ID)
        return has_late_word(c, number) ? c->late_id : PLAIN_ID;
    if (writer_is_late(c, number, index) && !complete)
        return 0;
    return c->own_words >> index & 1 ? FIRST_TRACE + 8 * (uint32_t)number + index : same[index];
}

/* Returns the event whose word is in the slot after `stores` stores. -1: nothing was stored there. */
static int event_in(const struct configuration *c, const struct word *word, int stores, int slots)
{
    int now = stores / STORES_AN_EVENT, slot = (int)word->slot;
    int event = now - (now % slots + slots - slot) % slots;

    if (event == now && stores % STORES_AN_EVENT <= places[c->recorder_order][word->index])
        event -= slots;
    return event < 0 ? -1 : event;
}

static uint32_t first_trace_word(const struct configuration *c, const struct word *word, struct moment at, int *event)
{
    *event = event_in(c, word, at.stores, (int)c->slots);
    if (*event < 0)
        return 0;
    return writer_entry_word(c, *event, word->index,
                             *event < at.complete || *event + TXTAP_RING_HOLD_ENTRIES < writer_published(at));
}

/* Returns a word of an entry. The new set-up clears only the thread words of the slots. */
static uint32_t entry_word(const struct configuration *c, const struct word *word, struct moment at, int *event)
{
    int slots = slots_of(c, at), second;
    uint32_t value = first_trace_word(c, word, at, event);

    if (!is_new(c, word, at) || (int)word->slot >= slots)
        return value;
    second = event_in(c, word, at.again, slots);
    if (second < 0)
        return word->index == THREAD ? 0 : value;
    *event = second;
    value = writer_entry_word(c, second, word->index, true);
    return value >= FIRST_TRACE && value < SECOND_TRACE ? value - FIRST_TRACE + SECOND_TRACE : value;
}

uint32_t writer_value(const struct configuration *c, const struct word *word, struct moment at, int *event)
{
    int slots = slots_of(c, at), stores = is_new(c, word, at) ? at.again : at.stores;

    switch (word->kind) {
    case WORD_LAPS:
        *event = c->counts_laps ? stores / STORES_AN_EVENT / slots : 0;
        return ((uint32_t)*event & 0xFFFF) | NAME_BYTES << 16;
    case WORD_RING_END:
        *event = slots;
        return RING_START + (uint32_t)slots * TXTB_ENTRY_BYTES;
    case WORD_BESIDE:
        if (writer_sets_up(c, at)) {
            *event = -1;
            return beside(at);
        }
        /* fall through */
    case WORD_POINTER:
        *event = published(stores);
        return RING_START + (uint32_t)(*event % slots) * TXTB_ENTRY_BYTES;
    case WORD_HALF_LAPS:
        *event = half_laps_counted(stores, slots);
        return (uint32_t)*event;
    case WORD_LIFE:
        *event = (int)FIRST_LIFE + (at.again >= 0) + (at.set_up > ELSEWHERE);
        return (uint32_t)*event;
    case WORD_ENTRY:
        return entry_word(c, word, at, event);
    }
    abort();
}

bool writer_next(const struct configuration *c, const struct word *word, struct moment *at)
{
    int slots = slots_of(c, *at), lap = slots * STORES_AN_EVENT, event;
    int32_t *stores = at->again >= 0 ? &at->again : &at->stores;

    if (writer_sets_up(c, *at)) {
        at->set_up = next_step(c, word, at->set_up);
        if (writer_sets_up(c, *at) || word->kind == WORD_BESIDE)
            return true;
    }
    switch (word->kind) {
    case WORD_LAPS:
        *stores = (*stores / lap + 1) * lap;
        return c->counts_laps;
    case WORD_RING_END:
    case WORD_LIFE:
        return false;
    case WORD_HALF_LAPS:
        *stores = after_store(c, half_laps_next(*stores, slots), STORE_HALF_LAPS, slots);
        return c->counts_half_laps;
    case WORD_POINTER:
    case WORD_BESIDE:
        *stores = after_store(c, published(*stores), STORE_POINTER, slots);
        return true;
    case WORD_ENTRY:
        if ((int)word->slot >= slots)
            return false;
        event = event_in(c, word, *stores, slots);
        /* If all entries have the same value in this word, a store changes the word only in an empty slot. */
        if (event >= 0 && !(c->own_words >> word->index & 1) && !writer_is_late(c, event, word->index))
            return false;
        event = event < 0 ? (int)word->slot : event + slots;
        *stores = after_store(c, event, places[c->recorder_order][word->index], slots);
        return true;
    }
    abort();
}

struct txtap_header writer_header(const struct configuration *c)
{
    uint8_t bytes[TXTB_HEADER_BYTES];
    struct txtap_header header;

    put_header(bytes, TXTAP_LITTLE, TARGET_BASE, NAME_BYTES, 0, c->slots);
    if (txtap_header_parse(bytes, &header) != TXTAP_OK)
        abort();
    return header;
}
