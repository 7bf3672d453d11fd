/* SPDX-License-Identifier: MIT */
/*
 * One exchange, in every way that it can go. Before each word only two cases matter: the target does nothing, or it
 * goes on to a moment in which this very word has just changed. In any other case the same bytes are read and the
 * target is merely further on; as stores only go forward, everything that can follow is also reached from these two
 * cases. So no other cases need to be tried.
 */
#include "ring/logger_states/exploration.h"

#include <assert.h>
#include <string.h>

/*
 * Stores that follow each other immediately (those after the tail's, of a drop, of a start) are made while at most this
 * many words are read: they are a few instructions with interrupts locked.
 */
#define HASTY_READS 2

void fixture_copy(struct fixture *to, const struct fixture *from)
{
    *to = *from;
    to->ring.copy = to->copy;
}

/* ---- the words ---- */

static void put(uint8_t *to, uint32_t value)
{
    memcpy(to, &value, sizeof value);
}

void exchange_plan(struct exploration *x)
{
    txtap_logger_plan(&x->before.ring, &x->plan, x->plan_us);
    x->word_count = 0;
    for (size_t i = 0; i < x->plan.count; i++)
        for (uint32_t done = 0; done < x->plan.reads[i].length; done += 4) {
            assert(x->word_count < WORDS_MAX);
            x->words[x->word_count++] = (struct word){writer_place(x->configuration, x->plan.reads[i].address + done),
                                                      done == 0, x->plan.reads[i].buffer + done};
        }
}

static void read_word(struct exploration *x, size_t i, const struct moment *at)
{
    x->read_at[i] = *at;
    put(x->words[i].to, writer_value(x->configuration, at, x->words[i].place));
}

void exchange_read_at_once(struct exploration *x, const struct moment *at)
{
    for (size_t i = 0; i < x->word_count; i++)
        read_word(x, i, at);
}

/* ---- its end ---- */

static void note_said(struct exploration *x, const struct txtap_logger_item *item)
{
    struct said said = {item->seq, item->lost, item->exact, 0};
    uint32_t length;

    if (item->lost == 0 && !writer_number(item->words[0], &said.number, &length))
        said.number = UINT32_MAX;
    if (x->said_count < SAID_MAX)
        x->said[x->said_count++] = said;
}

const char *exchange_hear(struct exploration *x, struct fixture *fixture, struct hearing *hearing)
{
    struct txtap_logger_item item;

    hearing->configuration = fixture->configuration;
    hearing->at = fixture->at;
    hearing->counts_since_start = fixture->configuration->counts == COUNTS_EVENTS && fixture->ring.based &&
                                  (int32_t)fixture->ring.events_base == fixture->oracle.started;
    x->said_count = 0;
    while (!hearing->contradicts && txtap_logger_next(&fixture->ring, &item)) {
        note_said(x, &item);
        oracle_hear(&fixture->oracle, hearing, &item);
    }
    return hearing->contradicts;
}

static const struct moment *first_look(const struct exploration *x)
{
    size_t dropped = 0;

    while (x->words[dropped].place.kind != PLACE_DROPPED)
        dropped++;
    return &x->read_at[dropped];
}

/* The last moment in which the drops after the tail were read, if the tail had not moved. */
static const struct moment *attach_moment(const struct exploration *x)
{
    size_t tail = x->word_count, dropped = x->word_count;

    while (x->words[--dropped].place.kind != PLACE_DROPPED)
        ;
    while (x->words[--tail].place.kind != PLACE_TAIL)
        ;
    return &x->read_at[x->read_at[dropped].tail == x->read_at[tail].tail ? dropped : tail];
}

/*
 * If more was dropped at the attach than a header can hold, and the counts are not trusted, it cannot be known how many
 * of those drops the next header counts: see FORMAT.
 */
static bool is_hopeless(const struct exploration *x, const struct fixture *after)
{
    return !x->before.oracle.attached && after->oracle.attached && attach_moment(x)->dropped >= DROPPED_MAX;
}

/*
 * From here on the reader is responsible for events. Without counts any exchange may be the first one until there is a
 * guard: see FORMAT, "The event logger".
 */
static void note_attach(const struct exploration *x, struct fixture *after)
{
    const struct configuration *c = x->configuration;
    const struct moment *at = attach_moment(x);
    bool looked = x->plan.first_guard && !x->before.ring.missed && after->ring.head.begin_us == x->plan.begin_us;

    if (!after->ring.sampled || (after->oracle.attached && !looked))
        return;
    after->oracle.attached = 1;
    after->oracle.wanted = (int32_t)writer_published(at);
    after->oracle.oldest =
        (int32_t)(c->from == TXTAP_RING_FROM_NOW ? writer_published(first_look(x)) : writer_oldest(c, first_look(x)));
}

const char *exchange_take(struct exploration *x, struct fixture *after, const struct moment *at, bool *moved)
{
    struct hearing hearing = {.contradicts = NULL};
    enum txtap_status status;

    fixture_copy(after, &x->before);
    after->at = *at;
    status = txtap_logger_commit(&after->ring, &x->plan, x->commit_us);
    *moved = status == TXTAP_ERROR_MOVED && (at->again || at->at_work == STARTING);
    if (*moved)
        return NULL;
    if (status == TXTAP_ERROR_MOVED)
        return "a logger that goes on is reported as restarted";
    if (status != TXTAP_OK)
        return "a valid exchange is refused";
    if (!x->before.oracle.attached &&
        (at->again || at->at_work == STARTING)) { /* nobody has seen the logger before its restart */
        *moved = true;
        return NULL;
    }
    note_attach(x, after);
    *moved = is_hopeless(x, after);
    return exchange_hear(x, after, &hearing);
}

static bool is_too_far(const struct state *state)
{
    const struct oracle *oracle = &state->oracle;
    uint32_t least = oracle->attached ? (uint32_t)(oracle->anything ? oracle->last : oracle->oldest) : 0;

    return (state->at.again ? state->at.first_end : state->at.number) > least + EVENTS_AHEAD;
}

static void end_exchange(struct exploration *x, const struct moment *at)
{
    struct fixture after;
    struct state state;
    bool moved;
    const char *wrong = exchange_take(x, &after, at, &moved);

    x->interleavings++;
    if (wrong) {
        if (search_violated(&x->search, wrong))
            print_exchange(x, &after);
        return;
    }
    if (moved)
        return;
    state_pack(&state, &after, x->commit_us);
    if (is_too_far(&state)) {
        x->pruned++;
        return;
    }
    if (search_reached(&x->search, &state))
        print_exchange(x, &after);
}

/* ---- the times it may take ---- */

/* What a time that the reader has noted may become. */
static bool waits_for(const struct exploration *x, uint64_t long_us)
{
    const struct txtap_logger_ring *ring = &x->before.ring;

    if (long_us > 1000000)
        return x->before.at.dropped > 0 && x->configuration->reports;
    if (long_us > 50000)
        return ring->gone_us != 0;
    return ring->confirmed.position < ring->read.position;
}

static const uint64_t long_us[] = {TXTAP_LOGGER_HOLD_US + 500, 60000, 1100000};
#define LONG_COUNT (sizeof long_us / sizeof *long_us)

/* The answers have arrived: at once, or so late that the current operation is over. rest_us: how long the target had
 * rested before. */
static void end_exchange_any_time(struct exploration *x, const struct moment *at, uint64_t rest_us)
{
    x->commit_us = x->plan_us;
    end_exchange(x, at);
    for (size_t i = 0; rest_us == 0 && x->configuration->slow && i < LONG_COUNT; i++)
        if (waits_for(x, long_us[i]) && !search_is_over(&x->search)) {
            struct moment rested = writer_at_rest(x->configuration, at);

            x->commit_us = x->plan_us + long_us[i];
            end_exchange(x, &rested);
        }
}

/* ---- the target moves ---- */

struct cursor {
    size_t i;
    uint32_t moment, hasty_number; /* of the event whose stores follow each other immediately, */
    unsigned hasty_reads;          /* and the number of words read since */
    uint64_t rest_us;
};

static bool may_move(const struct exploration *x, const struct word *word)
{
    return x->configuration->every_word || word->begins_piece || word->place.kind != PLACE_ITEM;
}

static void explore_from(struct exploration *x, struct cursor cursor);

/* Reads a word at that moment, then goes on with the next word. */
static void explore_read(struct exploration *x, struct cursor cursor, uint32_t moment)
{
    const struct moment *at = paths_moment(&x->paths, moment);

    if (!writer_hastens(at))
        cursor.hasty_reads = 0;
    else if (moment != cursor.moment && cursor.hasty_number != at->number)
        cursor.hasty_reads = 1;
    else
        cursor.hasty_reads++;
    cursor.hasty_number = writer_hastens(at) ? at->number : UINT32_MAX;
    if (cursor.hasty_reads > HASTY_READS)
        return; /* by then it is finished, which is a case of its own */
    read_word(x, cursor.i, at);
    cursor.moment = moment;
    cursor.i++;
    explore_from(x, cursor);
}

static void explore_from(struct exploration *x, struct cursor cursor)
{
    const struct word *word = &x->words[cursor.i];
    const struct moment *at = paths_moment(&x->paths, cursor.moment);
    struct changes changes;

    if (search_is_over(&x->search))
        return;
    if (cursor.i == x->word_count) {
        end_exchange_any_time(x, at, cursor.rest_us);
        return;
    }
    if (writer_hastens(at) && cursor.hasty_reads >= HASTY_READS) {
        cursor.moment = paths_finished(&x->paths, cursor.moment);
        cursor.hasty_reads = 0;
        cursor.hasty_number = UINT32_MAX;
    }
    explore_read(x, cursor, cursor.moment);
    if (!may_move(x, word) || word->place.kind == PLACE_CONSTANT)
        return;
    changes = paths_changes(&x->paths, cursor.moment, word->place);
    for (uint32_t i = 0; i < changes.count; i++)
        explore_read(x, cursor, x->paths.found[changes.first + i]);
}

/* ---- all exchanges from a state ---- */

static void explore_after(struct exploration *x, uint64_t rest_us)
{
    struct moment at = x->before.at;

    if (rest_us > 0)
        at = writer_at_rest(x->configuration, &at);
    x->plan_us = NOW_US + NEVER_CLOSE_US + rest_us;
    exchange_plan(x);
    x->exchanges++;
    paths_from(&x->paths, x->configuration, &at);
    explore_from(x, (struct cursor){.rest_us = rest_us, .hasty_number = UINT32_MAX});
}

void explore(struct search *search, const void *packed)
{
    struct exploration *x = (struct exploration *)search;
    const struct state *state = packed;

    state_unpack(&x->before, state, &x->template);
    x->before.ring.copy = x->before.copy;
    explore_ends(x, state);
    state_unpack(&x->before, state, &x->template);
    x->before.ring.copy = x->before.copy;
    explore_after(x, 0);
    for (size_t i = 0; i < LONG_COUNT; i++)
        if (waits_for(x, long_us[i]) && !search_is_over(&x->search))
            explore_after(x, long_us[i]);
}
