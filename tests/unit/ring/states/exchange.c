/* SPDX-License-Identifier: MIT */
/*
 * One exchange, in all possible variants. Before each word only two cases are tried: the writer does nothing, or it
 * moves until just after its next store to this word. In any other case the reader reads the same bytes, and only the
 * writer is further ahead. The writer can still make those stores later, so the two cases reach every result.
 */
#include "ring/states/exploration.h"

#include <assert.h>
#include <string.h>

#include "ring/states/any_pace.h"

/* ---- the words ---- */

static void put(uint8_t *to, uint32_t value)
{
    memcpy(to, &value, sizeof value);
}

static bool may_move(const struct exploration *x, const struct word *word)
{
    return x->configuration->every_word || word->begins_piece || word->kind != WORD_ENTRY;
}

/* Adds a word to the list of words to read. A word that never changes is not listed, but stored at once. */
static void list_word(struct exploration *x, uint32_t address, uint8_t *to, bool begins_piece)
{
    struct word word = {.to = to, .begins_piece = begins_piece};

    switch (address - TARGET_BASE) {
    case HALF_LAPS_AT - TARGET_BASE:
        word.kind = WORD_BESIDE;
        break;
    case HALF_LAPS_AT + 4 - TARGET_BASE:
        word.kind = WORD_HALF_LAPS;
        break;
    case HALF_LAPS_AT + 8 - TARGET_BASE:
        word.kind = WORD_LIFE;
        break;
    case TXTB_HEADER_LAPS:
        word.kind = WORD_LAPS;
        break;
    case TXTB_HEADER_REGISTRY_END:
    case TXTB_HEADER_RING_START:
        put(to, RING_START);
        return;
    case TXTB_HEADER_RING_END:
        word.kind = WORD_RING_END;
        break;
    case TXTB_HEADER_CURRENT:
        word.kind = WORD_POINTER;
        break;
    default:
        assert(address >= RING_START && address < RING_START + x->configuration->slots * TXTB_ENTRY_BYTES);
        word.kind = WORD_ENTRY;
        word.slot = (address - RING_START) / TXTB_ENTRY_BYTES;
        word.index = (address - RING_START) % TXTB_ENTRY_BYTES / 4;
    }
    assert(x->word_count < WORDS_MAX);
    word.place = memory_place(&word);
    word.follows = !may_move(x, &word) && x->configuration->late_slots == 0;
    x->words[x->word_count++] = word;
}

void exchange_plan(struct exploration *x)
{
    txtap_ring_plan(&x->before.ring, &x->plan, x->plan_us);
    x->word_count = 0;
    for (size_t i = 0; i < x->plan.count; i++)
        for (uint32_t done = 0; done < x->plan.reads[i].length; done += 4)
            list_word(x, x->plan.reads[i].address + done, x->plan.reads[i].buffer + done, done == 0);
}

static void read_from(struct exploration *x, size_t i, const struct memory *memory)
{
    const struct word *word = &x->words[i];

    x->read_at[i] = memory->at;
    x->read[i] = memory->events[word->place];
    put(word->to, memory->values[word->place]);
}

static void read_word(struct exploration *x, size_t i, struct moment at)
{
    read_from(x, i, memory_at(&x->memories, x->configuration, at));
}

/* Reads word i, and the words that are read together with it. Returns the index of the next word to read. */
static size_t read_words(struct exploration *x, size_t i, struct moment at)
{
    const struct memory *memory = memory_at(&x->memories, x->configuration, at);

    do
        read_from(x, i++, memory);
    while (i < x->word_count && x->words[i].follows);
    return i;
}

void exchange_read_at_once(struct exploration *x, struct moment at)
{
    for (size_t i = 0; i < x->word_count; i++)
        read_word(x, i, at);
}

/* ---- the end of the exchange ---- */

/*
 * Returns true if the ring was not yet full when the exchange began, and the reader saw that. Then it missed no lap.
 */
static bool saw_young(const struct exploration *x)
{
    static const uint8_t never_written[4] = {0};
    const struct ring_inside *ring = &x->before.inside;

    return ring->not_wrapped_yet && !ring->guard_known &&
           memcmp(x->plan.guard_before, never_written, sizeof never_written) == 0;
}

const char *exchange_take(struct exploration *x, struct fixture *after, struct moment at,
                          struct txtap_ring_batch *batch, bool *moved)
{
    const struct ring_inside *before = &x->before.inside;
    struct hearing hearing = {.configuration = x->configuration, .at = at, .guarded = before->guard_known};
    enum txtap_status status;

    *after = x->before;
    after->at = at;
    status = txtap_ring_commit(&after->ring, &x->plan, x->commit_us, batch);
    *moved = status == TXTAP_ERROR_MOVED && at.again >= 0;
    if (*moved)
        return NULL;
    if (status == TXTAP_ERROR_MOVED)
        return "a trace that goes on is reported as a new one";
    if (status != TXTAP_OK)
        return "a valid exchange is refused";
    hearing.laps_known = x->configuration->counts_laps || saw_young(x);
    hearing.seq_base = after->inside.seq_base;
    oracle_hear(&after->oracle, &hearing, batch);
    return hearing.contradicts;
}

static bool is_too_far(const struct exploration *x, const struct state *state)
{
    int32_t slots = (int32_t)x->configuration->slots, events = state->at.stores / STORES_AN_EVENT;

    if (events / slots > UINT16_MAX / 2) /* until the count wraps, no laps are subtracted */
        events -= (int32_t)x->configuration->laps_before * slots;
    return events > LAPS_AHEAD * slots || state->at.again / STORES_AN_EVENT > LAPS_AHEAD * slots;
}

static void end_exchange(struct exploration *x, struct moment at)
{
    struct txtap_ring_batch batch;
    struct fixture after;
    struct state state;
    unsigned lowered;
    bool moved;
    const char *wrong = exchange_take(x, &after, at, &batch, &moved);

    x->interleavings++;
    if (wrong) {
        if (search_violated(&x->search, wrong))
            print_exchange(x, &after, &batch);
        return;
    }
    if (moved)
        return;
    lowered = state_pack(&state, &after, x->commit_us);
    if (is_too_far(x, &state)) {
        x->pruned++;
        return;
    }
    if (search_reached(&x->search, &state)) {
        print_exchange(x, &after, &batch);
        print_lowered(lowered);
    }
}

/* ---- refused answers ---- */

static void expect(struct exploration *x, enum txtap_status expected, const char *otherwise)
{
    struct fixture after = x->before;
    struct txtap_ring_batch batch;

    if (txtap_ring_commit(&after.ring, &x->plan, x->commit_us, &batch) != expected &&
        search_violated(&x->search, otherwise))
        print_exchange(x, &after, &batch);
}

/* Tries invalid answers: one word of the header is wrong, and all other words are as they are now. */
static void explore_bad_answers(struct exploration *x, struct moment at)
{
    /* offsets in `live` of the name size, registry end, ring start and ring end */
    static const unsigned geometry[] = {2, 4, 8, 12};
    const uint32_t ring_end = RING_START + x->configuration->slots * TXTB_ENTRY_BYTES;
    const uint32_t pointers[] = {RING_START - TXTB_ENTRY_BYTES, ring_end, RING_START + 4, 0xFFFFFFE0};

    exchange_read_at_once(x, at);
    for (size_t i = 0; i < x->word_count; i++) {
        if (x->words[i].kind != WORD_POINTER && x->words[i].kind != WORD_BESIDE)
            continue;
        for (unsigned k = 0; k < sizeof pointers / sizeof *pointers; k++) {
            put(x->words[i].to, pointers[k]);
            expect(x, TXTAP_ERROR_POINTER, "an invalid pointer was believed");
        }
        read_word(x, i, at);
    }
    for (unsigned k = 0; x->plan.whole_live && k < sizeof geometry / sizeof *geometry; k++) {
        x->plan.live[geometry[k]] ^= 32;
        expect(x, TXTAP_ERROR_MOVED, "another buffer's header was believed");
        x->plan.live[geometry[k]] ^= 32;
    }
}

/* ---- the writer moves ---- */

static bool is_late_word(const struct exploration *x, size_t i)
{
    return x->configuration->late_slots != 0 && x->words[i].kind == WORD_ENTRY && x->read[i] >= 0 &&
           writer_is_late(x->configuration, x->read[i], x->words[i].index);
}

/* Returns true if the reader has seen that laps are counted, in this exchange too if it read the count. */
static bool has_seen_laps(const struct exploration *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (x->words[i].kind == WORD_LAPS && x->read[i] % (UINT16_MAX + 1) == 0)
            return false;
    return x->before.inside.laps > 0;
}

/*
 * Returns true if the ring may become smaller before word i. The reader recognises the new trace by its header, with
 * two exceptions, which are not explored: the ring shrinks between the reads of ring end and pointer, or the new lap
 * count looks like the old count. See docs/developer/reader-proof-guard.md, "Remaining cases".
 */
static bool may_shrink(const struct exploration *x, size_t i, struct moment at)
{
    const struct configuration *c = x->configuration;

    return c->again == AGAIN_SMALLER && at.again < 0 && x->words[i].begins_piece &&
           (!c->counts_laps || c->counts_half_laps || has_seen_laps(x, i));
}

/*
 * Returns true if a new trace may empty the slots before word i. Without a lap count, empty slots show that the trace
 * is new. Exception: the reader had read up to the ring's start, and does not know whether the ring has wrapped. Then
 * the new trace looks like the continuation of the old trace.
 */
static bool may_be_emptied(const struct exploration *x, size_t i, struct moment at)
{
    const struct ring_inside *ring = &x->before.inside;

    if (x->configuration->again == AGAIN_SET_UP)
        return at.again < 0 && may_move(x, &x->words[i]);
    if (x->configuration->again == AGAIN_ANY)
        return at.again < 0 && x->words[i].begins_piece;
    return x->configuration->again == AGAIN_WITHIN && at.again < 0 && x->words[i].begins_piece && ring->guard_known &&
           (ring->read_end % ring->entries != 0 || ring->laps_state == TXTAP_LAPS_NONE);
}

/*
 * Returns how many stores the new trace may make before the reader notices it. With more stores the new trace could
 * look like the old trace. 0: no limit.
 */
static int32_t again_to(const struct configuration *c)
{
    if (c->counts_half_laps)
        return 0;
    if (c->again == AGAIN_WITHIN)
        return (int32_t)(c->slots - 2) * STORES_AN_EVENT;
    return c->counts_laps ? (int32_t)(c->slots - 1) * STORES_AN_EVENT - 1 : 0;
}

static bool is_within(const struct exploration *x, struct moment at)
{
    if (at.again < 0)
        return at.stores <= x->stores_limit;
    return at.again <= x->stores_limit && (at.again_to == 0 || at.again <= at.again_to);
}

static bool next_store(struct exploration *x, const struct word *word, struct moment *at)
{
    if (writer_sets_up(x->configuration, *at))
        return writer_next(x->configuration, word, at);
    return memory_next(memory_at(&x->memories, x->configuration, *at), word->place, at);
}

static void explore_from(struct exploration *x, size_t i, struct moment at);

/* Explores the next step of the set-up that changes word i, and then the words from i on. */
static void explore_first(struct exploration *x, size_t i, struct moment at)
{
    if (x->configuration->again != AGAIN_SET_UP || (next_store(x, &x->words[i], &at) && is_within(x, at)))
        explore_from(x, i, at);
}

/* Explores all cases in which the trace is set up again before word i. */
static void explore_again(struct exploration *x, size_t i, struct moment at)
{
    at.again_to = again_to(x->configuration);
    if (x->configuration->again == AGAIN_SET_UP) /* the kernel does not disable a trace in the middle of an event */
        at.stores = (at.stores + STORES_AN_EVENT - 1) / STORES_AN_EVENT * STORES_AN_EVENT;
    for (unsigned events = 0; events <= x->configuration->events; events++) {
        at.again = 0;
        x->stores_limit -= at.stores;
        explore_first(x, i, at);
        x->stores_limit += at.stores;
        at.stores = (at.stores / STORES_AN_EVENT + 1) * STORES_AN_EVENT;
    }
}

/* Explores all ways to read word i and the words after it. */
static void explore_from(struct exploration *x, size_t i, struct moment at)
{
    if (i == x->word_count) {
        end_exchange(x, at);
        return;
    }
    if (may_shrink(x, i, at) || may_be_emptied(x, i, at))
        explore_again(x, i, at);
    do {
        if (search_is_over(&x->search))
            return;
        explore_from(x, read_words(x, i, at), at);
        if (is_late_word(x, i) && x->read[i] >= at.complete && x->read[i] < writer_published(at)) {
            struct moment completed = at;

            completed.complete = x->read[i] + 1;
            read_word(x, i, completed);
            explore_from(x, i + 1, completed);
        }
    } while (may_move(x, &x->words[i]) && next_store(x, &x->words[i], &at) && is_within(x, at));
}

/* ---- all exchanges from a state ---- */

static void explore_plan(struct exploration *x, struct moment at)
{
    exchange_plan(x);
    x->exchanges++;
    x->stores_limit = at.again >= 0 ? at.again : at.stores;
    x->stores_limit += ((int32_t)x->configuration->events + 1) * STORES_AN_EVENT - 1;
    if (x->configuration->bad_answers)
        explore_bad_answers(x, at);
    explore_from(x, 0, at);
}

/* Returns the kinds of evidence that can change the plan for this ring. */
static unsigned evidence_of_interest(const struct ring_inside *ring)
{
    if (ring->half_laps_at != 0)
        return 0;
    if (ring->laps_state == TXTAP_LAPS_COUNTED)
        return 2;
    if (!ring->guard_known || ring->head == ring->read_end)
        return 1;
    return ring->laps_state == TXTAP_LAPS_NONE ? 5 : 1;
}

/* Explores any choice of entries to read, with any evidence. Each plan is explored only once. */
static void explore_plans(struct exploration *x, struct moment at)
{
    unsigned slots = x->configuration->slots, of_interest = evidence_of_interest(&x->before.inside);
    bool planned[2 * SLOTS_MAX][SLOTS_MAX + 1][ANY_EVIDENCE] = {{{false}}};

    for (unsigned room = x->configuration->any_buffer ? 1 : slots - 1; room < slots; room++)
        for (unsigned left_out = 0; left_out + 1 < slots; left_out++)
            for (unsigned evidence = 0; evidence < ANY_EVIDENCE; evidence++) {
                bool *known;

                if (evidence & ~of_interest)
                    continue;
                x->before.inside.buffer_entries = slots + TXTAP_RING_HOLD_ENTRIES;
                x->before.inside.pace = any_pace(left_out, room, evidence);
                txtap_ring_plan(&x->before.ring, &x->plan, x->plan_us);
                known = &planned[x->plan.first % (2 * slots)][x->plan.end - x->plan.first]
                                [x->plan.recover | x->plan.again << 1 | x->plan.presume << 2];
                if (!*known && !search_is_over(&x->search))
                    explore_plan(x, at);
                *known = true;
            }
}

/*
 * Explores an exchange. pause_us: time from the end of the last exchange to the beginning of this exchange. during_us:
 * time from its beginning to its first read.
 */
static void explore_after(struct exploration *x, uint64_t pause_us, uint64_t during_us)
{
    struct moment at = x->before.at;

    if (pause_us + during_us >= RESTED_HELD_US) /* by then the kernel has written its late words */
        at.complete = writer_published(at);
    if (pause_us + during_us >= RESTED_WRITER_US)
        at = writer_at_rest(at);
    x->plan_us = NOW_US + pause_us;
    x->commit_us = x->plan_us + during_us;
    if (!search_is_over(&x->search))
        explore_plans(x, at);
}

static void explore_times(struct exploration *x)
{
    const struct ring_inside *ring = &x->before.inside;
    bool holds = ring->read_end > ring->next;

    explore_after(x, NEVER_CLOSE_US, 0);
    if (holds)
        explore_after(x, RESTED_HELD_US, 0);
    if (holds || ring->newest_since_us || ring->guard_gone_us)
        explore_after(x, RESTED_WRITER_US, 0);
    if (x->configuration->slow)
        explore_after(x, NEVER_CLOSE_US, RESTED_WRITER_US);
}

/*
 * Returns true if the reader can tell the new trace from the old trace. A trace that counts laps and is set up again
 * in its place must meet two conditions: the reader had read everything that it knew of, and the new trace stays below
 * the last position or lap that the reader knew. Beyond that, only the target's uptime shows the restart.
 */
static bool can_be_distinguished(const struct exploration *x, struct moment *at)
{
    const struct ring_inside *ring = &x->before.inside;
    int32_t slots = (int32_t)x->configuration->slots, slot = (int32_t)(ring->head % ring->entries);
    int32_t laps = (int32_t)ring->laps, events = laps == 0 ? slot - 1 : laps * slots - 1;

    if (x->configuration->again != AGAIN_BETWEEN || at->again >= 0 || ring->head != ring->read_end || slot < 2)
        return false;
    at->again = 0;
    at->again_to = events * STORES_AN_EVENT;
    return true;
}

void explore(struct search *search, const void *packed)
{
    struct exploration *x = (struct exploration *)search;
    const struct state *state = packed;

    state_unpack(&x->before, state, &x->template);
    explore_ends(x, state);
    state_unpack(&x->before, state, &x->template);
    explore_times(x);
    if (can_be_distinguished(x, &x->before.at))
        explore_times(x);
}
