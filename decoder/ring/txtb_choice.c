/* SPDX-License-Identifier: MIT */
/*
 * Chooses the entries and the evidence that an exchange reads.
 *
 * An entry is valid if the writer has not come back to the entry's slot when the writer's pointer is read. Between two
 * reads of the pointer, each piece takes a fixed time, and each entry takes a further time. So if the writer makes R
 * entries per microsecond, the second read shows
 *
 *   pointer = head + R * (time since the first read + pieces * piece_us + entries * entry_us)
 *
 * and all entries before pointer - readable are overwritten. The longer the read of the entries, the later the read of
 * the pointer, and the more entries are overwritten by then. So a long read loses its first entries. A short read
 * spends most of its time on the fixed cost. If a reader always begins at the oldest entry, or reads too much, all of
 * its entries may be invalid. Therefore:
 *
 *   - If all unread entries will be valid, read them all. Nothing is lost.
 *   - Otherwise, if the reader gains on the writer: begin at the oldest unread entry, and read as many entries as will
 *     be valid.
 *   - Otherwise entries will be lost in any case. Before the first loss, skip no entries: a burst may end soon. After
 *     the first loss, choose the range that delivers the most entries per microsecond. The newest entries are valid for
 *     the longest time. A range across the ring's end costs another piece. A range across the border of a memory block
 *     may cost another command. So the part of a range on one side of a border may be the better choice.
 *
 * The evidence also costs pieces. Half-laps cost one piece for any range. With laps, one read of count and pointer
 * proves the entries of the present lap. Entries of the preceding lap need a second read of count and pointer (one more
 * piece), and the count should be equal in both reads. If the count would probably change, the reader reads fewer
 * entries. Without laps, the guard (one piece) is enough while the writer is within a lap of the guard. Otherwise the
 * reader reads the newest entry before and after the entries (two pieces). It then also reads the guard (a third
 * piece), but only if the guard may still be intact and if this pays.
 */
#include "base/min_max.h"
#include "ring/txtb_pace.h"

#define SAFETY       2.0   /* the margin contains this number of deviations of the writer's rate */
#define SAFETY_LEAST 1.0   /* entries that are always added to the margin */
#define SAFETY_MOST  0.125 /* limit of the deviations in the margin, as a share of the ring */
#define TRIES        12    /* steps to find a length; each step halves the error */
#define LEAST_BLOCK  0.25  /* share of a piece's cost; if a block costs less, its cost may be an error of the fit */
#define WORTH        0.95  /* read all entries if the value of that is at least this share of the best other value */
#define LATE         1.15  /* the reads after the pointer may take this multiple of the expected time */
#define VERY_LATE    1.5   /* like LATE, if the writer makes few entries in the additional time: see LATE_SHARE */
#define LATE_SHARE   (1 / 64.0) /* limit of the entries in the additional time, as a share of the ring */
#define DOUBTED      0.25       /* factor for the value of a range if its evidence will probably prove nothing */
#define ENTRY_WORDS  (TXTB_ENTRY_BYTES / 4)
#define NEWEST_WORDS ENTRY_WORDS
#define GUARD_WORDS  (TXTAP_RING_GUARD_BYTES / 4)
#define LIVE_WORDS   5

/* A kind of evidence for entries, and the reads that this evidence needs besides the entries. */
struct evidence {
    struct ring_pace_reads reads;
    double last; /* a writer that passes this position overwrites the evidence; 0: nothing overwrites it */
    bool recover, presume, again;
};

struct candidate {
    struct ring_pace_choice choice;
    double overshoot; /* entries of the range that will be overwritten; <= 0: all entries will be valid */
    double beyond;    /* entries by which the writer will pass evidence.last; <= 0: the evidence will be intact */
    double doubt;     /* > 0: number of entries by which the pointer is too close to the ring's end */
    double us;        /* duration of the exchange */
    double value;     /* new entries that the exchange delivers per microsecond */
    bool any;
};

struct chooser {
    const struct ring_pace *pace;
    const struct ring_pace_question *q;
    struct evidence evidence;
    double rate;     /* expected rate of the writer, in entries per microsecond */
    double since;    /* expected entries of the writer since the pointer was last read */
    double margin;   /* further entries that the writer may make before the evidence is read again */
    double spare;    /* further entries that the writer may make before the first entry is read */
    uint64_t turn;   /* the last position, not above head, that is in the ring's first slot */
    bool is_sure;    /* ignore doubts */
    double block_us; /* block_us of struct ring_pace; 0: its value is too small to be reliable */
};

static double max_double(double a, double b)
{
    return a > b ? a : b;
}

static double min_double(double a, double b)
{
    return a < b ? a : b;
}

/* ---- addresses and blocks of entries ---- */

static uint32_t address_of(const struct ring_pace_question *q, uint64_t position)
{
    return q->ring_start + (uint32_t)(position % q->entries) * TXTB_ENTRY_BYTES;
}

static unsigned blocks_of(const struct chooser *c, uint64_t first, uint64_t end)
{
    uint64_t turn = c->turn > first && c->turn < end ? c->turn : end;

    return ring_pace_blocks(address_of(c->q, first), (uint32_t)(turn - first) * TXTB_ENTRY_BYTES) +
           ring_pace_blocks(c->q->ring_start, (uint32_t)(end - turn) * TXTB_ENTRY_BYTES);
}

/*
 * Returns the lowest position such that all entries from it to end - 1 begin in one block. *before: set to the position
 * after the last entry that is completely in the preceding block.
 */
static uint64_t block_before(const struct chooser *c, uint64_t end, uint64_t *before)
{
    uint32_t slot = (uint32_t)((end - 1) % c->q->entries), into = address_of(c->q, end - 1) % RING_PACE_BLOCK_BYTES;
    uint32_t entries = into / TXTB_ENTRY_BYTES;
    uint64_t first;

    if (entries > slot) /* the block begins before the ring */
        return *before = end - 1 - slot;
    first = end - 1 - entries;
    *before = first - (into % TXTB_ENTRY_BYTES != 0);
    return first;
}

static double cost_us(const struct ring_pace *pace, double pieces, double words)
{
    return pieces * pace->piece_us + words * pace->word_us;
}

/* Returns true if the exchange also reads the last slot, because the entries begin after this slot. */
static bool reads_last_slot(const struct chooser *c, uint64_t first)
{
    const struct ring_pace_question *q = c->q;

    return q->last_slot && (q->next <= c->turn || c->evidence.presume) && c->turn <= first;
}

/*
 * Weighs the evidence of the lap count. One read of the count is enough for entries of the lap in which the pointer
 * will be. Other entries need a second read of the count, and the count should be equal in both reads.
 */
static void weigh_turn(const struct chooser *c, double pointer, struct candidate *candidate)
{
    double entries = (double)c->q->entries, lap = entries * (double)(uint64_t)(pointer / entries);
    double again_us = cost_us(c->pace, 1, LIVE_WORDS);
    bool of_this_lap = candidate->choice.first > c->turn && pointer + c->margin < (double)c->turn + entries;

    candidate->choice.again = !of_this_lap;
    candidate->doubt = 0;
    if (of_this_lap)
        return;
    candidate->us += again_us;
    if ((double)candidate->choice.first <= lap && !c->is_sure)
        candidate->doubt = pointer + c->margin + c->rate * LATE * again_us - (lap + entries);
}

/* Returns the largest number of entries that the writer may make during the reads after the pointer. */
static double late(const struct chooser *c, double after_us)
{
    double moved = c->rate * after_us;

    return max_double(LATE * moved, min_double(VERY_LATE * moved, moved + LATE_SHARE * c->q->readable));
}

static struct candidate weigh(const struct chooser *c, uint64_t first, uint64_t end)
{
    const struct ring_pace_question *q = c->q;
    const struct ring_pace_reads *reads = &c->evidence.reads;
    bool turns = c->turn > first && c->turn < end;
    double pieces = reads->before_pieces + 1 + turns,
           words = reads->before_words + (double)((end - first) * ENTRY_WORDS);
    double more_pieces = c->evidence.again + reads_last_slot(c, first);
    double before_us = c->pace->exchange_us + cost_us(c->pace, pieces, words) + blocks_of(c, first, end) * c->block_us;
    double after_us = cost_us(c->pace, reads->after_pieces, reads->after_words);
    double pointer = (double)q->head + c->since + c->rate * before_us;
    struct candidate candidate = {
        .choice = {.first = first,
                   .end = end,
                   .recover = c->evidence.recover,
                   .presume = c->evidence.presume,
                   .again = c->evidence.again},
        .overshoot = pointer + c->spare - (double)q->readable - (double)first,
        .us = before_us + after_us + cost_us(c->pace, more_pieces, more_pieces * LIVE_WORDS) + 1,
        .any = true,
    };

    if (c->evidence.last > 0)
        candidate.beyond = pointer + c->margin + late(c, after_us) - c->evidence.last;
    if (q->counted)
        weigh_turn(c, pointer, &candidate);
    candidate.value = (double)(end - max_u64(first, min_u64(q->read_end, end))) / candidate.us;
    return candidate;
}

static bool will_be_valid(const struct candidate *candidate)
{
    return candidate->any && candidate->overshoot <= 0 && candidate->beyond <= 0;
}

/* Weighs a range of count entries that ends before edge (before), or begins at edge. */
static struct candidate weigh_at(const struct chooser *c, uint64_t edge, uint64_t count, bool before)
{
    return before ? weigh(c, edge - count, edge) : weigh(c, edge, edge + count);
}

/*
 * Returns the longest range that will be valid, with at most `count` entries. The range ends before `edge` (before), or
 * begins at `edge`. The cost of a read jumps where the range crosses a block border or the ring's end, so the length is
 * found by bisection.
 */
static struct candidate longest(const struct chooser *c, uint64_t edge, uint64_t count, bool before)
{
    struct candidate best = {.any = false};
    uint64_t least = 0, most = count + 1, middle = count;

    for (int i = 0; i < TRIES && most - least > 1; i++, middle = least + (most - least) / 2) {
        struct candidate candidate = weigh_at(c, edge, middle, before);

        if (will_be_valid(&candidate))
            best = candidate;
        *(will_be_valid(&candidate) ? &least : &most) = middle;
    }
    return best;
}

/*
 * Shortens a range until there is no doubt about the pointer. slope: number of entries that the writer makes while one
 * entry is read. So a range that is shorter by one entry reduces the doubt by slope. If no shorter range removes the
 * doubt, the function accepts the doubt, because the same entries can be read again.
 */
static struct candidate shorten_for_doubt(const struct chooser *c, struct candidate candidate, bool before)
{
    double slope = c->rate * c->pace->word_us * ENTRY_WORDS;
    uint64_t count = candidate.choice.end - candidate.choice.first;
    uint64_t edge = before ? candidate.choice.end : candidate.choice.first;

    if (!candidate.any || slope <= 0)
        return candidate;
    for (int i = 0; candidate.doubt > 0 && i < TRIES; i++) {
        if (candidate.doubt / slope + 1 >= (double)count)
            break;
        count -= (uint64_t)(candidate.doubt / slope) + 1;
        candidate = weigh_at(c, edge, count, before);
    }
    if (candidate.doubt > 0)
        candidate.value *= DOUBTED;
    return candidate;
}

/* Returns the longest valid range that begins at the oldest entry and does not pass end. */
static struct candidate from_oldest(const struct chooser *c, uint64_t end)
{
    uint64_t first = c->q->oldest;

    return shorten_for_doubt(c, longest(c, first, min_u64(end - first, c->q->room), false), false);
}

/*
 * Returns the longest valid range that ends before end, with at most count entries. If only the size of the buffer
 * limits the range, the whole range moves back to the oldest entries that will be valid.
 */
static struct candidate up_to(const struct chooser *c, uint64_t end, uint64_t count)
{
    uint64_t most = min_u64(count, c->q->room), first = end - most, back;
    struct candidate candidate = longest(c, end, most, true);

    if (!candidate.any || count < c->q->room || candidate.choice.first != first || candidate.doubt > 0)
        return shorten_for_doubt(c, candidate, true);
    back = min_u64((uint64_t)max_double(-candidate.overshoot, 0), first - c->q->oldest);
    return back > 0 ? weigh(c, first - back, end - back) : candidate;
}

static void prefer(struct candidate *best, struct candidate candidate)
{
    if (will_be_valid(&candidate) && (!best->any || candidate.value > best->value))
        *best = candidate;
}

/* Like prefer(), but keeps a range that reads up to head, because a remainder would need another exchange. */
static void prefer_all(struct candidate *best, struct candidate candidate, uint64_t head)
{
    if (!best->any || best->choice.end != head || candidate.choice.end == head)
        prefer(best, candidate);
}

/*
 * Prefers the best of three ranges: the unread entries, and the two parts of the unread entries before and after their
 * last block border.
 */
static void prefer_up_to_head(const struct chooser *c, struct candidate *best)
{
    uint64_t oldest = c->q->oldest, end = c->q->head, before, first;
    struct candidate candidate = up_to(c, end, end - oldest);

    prefer(best, candidate);
    if (candidate.any)
        end = candidate.choice.end;
    first = block_before(c, end, &before);
    if (c->block_us <= 0 || before <= oldest)
        return;
    if (first < end)
        prefer(best, up_to(c, end, end - first));
    prefer(best, up_to(c, before, before - oldest));
}

/* Sets the expected rate of the writer, and spare, the margin before the first entry. */
static void expect(struct chooser *c, double rate, double spare)
{
    double pause_us = c->q->now_us > c->pace->end_us ? (double)(c->q->now_us - c->pace->end_us) : 0;

    c->rate = rate;
    c->since = rate * (c->pace->after_us + pause_us);
    c->spare = spare;
}

/*
 * Finds the best ranges with this evidence. all: a range that skips no entry. some: a range that may skip entries. A
 * skipped entry is certainly lost, but an entry that is read too late costs only time. So for `some`, the writer's
 * expected rate is the lower of its usual rate and its rate in the last exchange.
 */
static void consider(struct chooser *c, struct evidence evidence, struct candidate *all, struct candidate *some)
{
    const struct ring_pace_question *q = c->q;

    c->evidence = evidence;
    expect(c, c->pace->rate, c->margin);
    if (!evidence.presume) {
        prefer_all(all, from_oldest(c, q->head), q->head);
        if (c->turn > c->q->oldest)
            prefer_all(all, from_oldest(c, c->turn), q->head);
    }
    expect(c, min_double(c->pace->rate, c->pace->last_moved / (c->pace->last_us + 1)), c->pace->gone);
    prefer_up_to_head(c, some);
    if (c->turn > c->q->oldest && c->turn < q->head) {
        prefer(some, up_to(c, q->head, q->head - c->turn - q->counted));
        prefer(some, up_to(c, c->turn, c->turn - c->q->oldest));
    }
}

static void add(struct ring_pace_reads *reads, bool after, unsigned words)
{
    *(after ? &reads->after_pieces : &reads->before_pieces) += 1;
    *(after ? &reads->after_words : &reads->before_words) += words;
}

static struct evidence by_laps(void)
{
    struct evidence evidence = {.last = 0};

    add(&evidence.reads, false, LIVE_WORDS);
    return evidence;
}

static struct evidence by_half_laps(void)
{
    struct evidence evidence = {.last = 0};

    add(&evidence.reads, false, TXTAP_RING_HALF_LAPS_BYTES / 4);
    return evidence;
}

static struct evidence by_guard(const struct ring_pace_question *q)
{
    struct evidence evidence = {.last = (double)(q->read_end - 1 + q->entries)};

    add(&evidence.reads, false, LIVE_WORDS);
    add(&evidence.reads, true, GUARD_WORDS);
    return evidence;
}

/*
 * Returns the number of new entries per microsecond if the writer laps the reader in each exchange. pieces: number of
 * pieces in an exchange. pieces_to_pointer: number of pieces between two reads of the pointer.
 */
static double lapped_value(const struct chooser *c, double pieces, double pieces_to_pointer)
{
    const struct ring_pace *pace = c->pace;
    double entry_us = pace->word_us * ENTRY_WORDS, fixed_us = pace->exchange_us + pieces_to_pointer * pace->piece_us;
    double valid = (c->q->readable - pace->rate * fixed_us) / (1 + pace->rate * entry_us);
    double newest = (c->q->readable - pace->rate * (fixed_us + pace->piece_us)) / (pace->rate * entry_us + 1e-9);

    valid = min_double(valid, newest);
    return valid / (pace->exchange_us + pieces * pace->piece_us + valid * entry_us + 1);
}

/*
 * Returns true if it pays to read the pointer again after the newest entry, which costs a piece. Only for rings without
 * laps, if the writer is much faster than the reader. The two reads of the pointer, in this and in the next exchange,
 * are then closer together, so more entries are valid.
 */
static bool pays_again(const struct chooser *c)
{
    return c->q->may_skip && c->q->laps_known && lapped_value(c, 5, 3) > lapped_value(c, 4, 4);
}

static struct evidence by_newest(const struct chooser *c, bool presume)
{
    const struct ring_pace_question *q = c->q;
    struct evidence evidence = {
        .last = (double)(q->head - 1 + q->entries), .recover = true, .presume = presume, .again = pays_again(c)};

    add(&evidence.reads, false, NEWEST_WORDS);
    if (!presume)
        add(&evidence.reads, false, GUARD_WORDS);
    add(&evidence.reads, false, LIVE_WORDS);
    add(&evidence.reads, true, NEWEST_WORDS);
    if (!q->laps_known)
        add(&evidence.reads, true, LIVE_WORDS);
    return evidence;
}

/*
 * Returns true if the guard will be overwritten before it is read. The exchange reads the newest entry first, and then
 * the guard.
 */
static bool guard_will_be_gone(const struct chooser *c)
{
    double us = c->pace->exchange_us + cost_us(c->pace, 2, NEWEST_WORDS + GUARD_WORDS);

    return (double)c->q->head + c->since + c->rate * us > (double)(c->q->read_end - 1 + c->q->entries);
}

/*
 * Returns true if it pays to read only one entry now. Only for rings with laps, if the writer laps the reader in each
 * exchange. Reading one entry pays if the best range is short only because of a doubt: in the next exchange the writer
 * will be at another place. It does not pay twice in a row, because the writer may come back to the same place each
 * time.
 */
static bool pays_to_wait(struct chooser *c, const struct candidate *some)
{
    const struct ring_pace_question *q = c->q;
    struct candidate all = {.any = false}, sure = {.any = false};
    double wait_us;

    if (!q->counted || q->half_laps || c->pace->last_words <= NEWEST_WORDS + LIVE_WORDS)
        return false;
    c->is_sure = true;
    consider(c, by_laps(), &all, &sure);
    wait_us = weigh(c, q->head - 1, q->head).us;
    c->is_sure = false;
    return sure.any && (!some->any || some->value * (sure.us + wait_us) < sure.value * sure.us);
}

/* Chooses only the newest entry. No range is expected to be valid, but the writer may become slower. */
static struct ring_pace_choice choose_least(const struct chooser *c)
{
    return (struct ring_pace_choice){
        .first = c->q->head - 1, .end = c->q->head, .recover = true, .again = c->q->counted || pays_again(c)};
}

/*
 * Chooses all entries. No entry was lost yet, and a writer that was fast for a moment may slow down. A guard that is
 * more than half a ring old will probably be overwritten.
 */
static struct ring_pace_choice choose_all(const struct chooser *c)
{
    const struct ring_pace_question *q = c->q;

    return (struct ring_pace_choice){.first = c->q->oldest,
                                     .end = min_u64(q->head, c->q->oldest + q->room),
                                     .recover = q->head - q->read_end > q->readable / 2,
                                     .again = q->counted};
}

struct ring_pace_choice ring_pace_choose(const struct ring_pace *pace, const struct ring_pace_question *q)
{
    struct candidate all = {.any = false}, some = {.any = false};
    struct chooser c = {.pace = pace, .q = q};

    c.turn = q->head - q->head % q->entries;
    if (pace->rate > 0)
        c.margin = min_double(SAFETY * pace->deviation, q->readable * SAFETY_MOST) + SAFETY_LEAST;
    c.block_us = pace->block_us > LEAST_BLOCK * pace->piece_us ? pace->block_us : 0;
    expect(&c, pace->rate, c.margin);
    if (q->half_laps) {
        consider(&c, by_half_laps(), &all, &some);
    } else if (q->counted) {
        consider(&c, by_laps(), &all, &some);
    } else {
        if (q->guard_known && !q->guard_gone)
            consider(&c, by_guard(q), &all, &some);
        consider(&c, by_newest(&c, q->may_presume && guard_will_be_gone(&c)), &all, &some);
        if (q->may_presume && q->may_skip && pace->last_moved > q->readable / 2) /* few guards survive */
            consider(&c, by_newest(&c, true), &all, &some);
    }
    if (!q->may_skip)
        return all.any ? all.choice : choose_all(&c);
    if (all.any &&
        (!some.any || all.choice.end == q->head || all.value >= pace->rate || all.value >= WORTH * some.value))
        return all.choice;
    if (pays_to_wait(&c, &some))
        return (struct ring_pace_choice){.first = q->head - 1, .end = q->head};
    return some.any ? some.choice : choose_least(&c);
}
