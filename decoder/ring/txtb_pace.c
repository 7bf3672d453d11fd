/* SPDX-License-Identifier: MIT */
/*
 * Measures the cost of reading and the speed of the writer. A probe needs a fixed time for an exchange, for each piece,
 * for each word, and for each block of memory that a piece enters. This file fits these costs to the durations of
 * recent exchanges. txtb_choice.c uses the costs.
 */
#include "ring/txtb_pace.h"

#define KEPT         0.9  /* factor for the weights of all earlier exchanges, applied at each new exchange */
#define KEPT_RATE    0.75 /* like KEPT, for the writer's rate: this rate changes more often than the cost of a probe */
#define SLOWED       0.5  /* if the writer moved less than this share of the expected distance, it has become slower */
#define NEARLY       0.9 /* this share of the expected distance is enough, because the writer may be faster for a moment */
#define KEPT_GONE    0.97  /* like KEPT, for the number of entries that were read too late */
#define DOUBT        0.01  /* weight of the costs found before, relative to the weight of the sums */
#define OUTLIER      4.0   /* the duration of an exchange is limited to this multiple of the expected duration */
#define PIECE_US_MIN 1.0   /* least cost of a piece, because no source is faster, and the clock may be coarse */
#define WORD_US_MIN  0.01  /* least cost of a word */
#define FORGOTTEN    1e-30 /* if a sum is below this value, its cost is unknown and stays the same */
#define SHORT_WORDS  64
#define OUTLIER_US   1000.0
#define COSTS        4 /* costs of an exchange, a piece, a word, a block */

static double max_double(double a, double b)
{
    return a > b ? a : b;
}

static double clip(double us, double expected_us)
{
    double most = OUTLIER * expected_us + OUTLIER_US;

    return expected_us > 0 && us > most ? most : us;
}

/*
 * Solves the linear equations in rows for the wanted unknowns x, and sets all other unknowns to 0. The last column of
 * rows is the right-hand side. Destroys rows. A matrix of sums of squares needs no pivoting.
 */
static void solve(double rows[COSTS][COSTS + 1], const bool wanted[COSTS], double x[COSTS])
{
    for (int i = 0; i < COSTS; i++)
        for (int k = 0; k < COSTS; k++) {
            double factor;

            if (k == i || !wanted[i] || !wanted[k])
                continue;
            factor = rows[k][i] / rows[i][i];
            for (int j = 0; j <= COSTS; j++)
                rows[k][j] -= factor * rows[i][j];
        }
    for (int i = 0; i < COSTS; i++)
        x[i] = wanted[i] ? rows[i][COSTS] / rows[i][i] : 0;
}

/*
 * Fits the wanted costs by least squares. If the sums do not determine a cost, this cost stays near its value in
 * before. If a cost is negative, returns false and excludes the most negative cost from wanted.
 */
static bool fit_wanted(const struct ring_pace *pace, const double before[COSTS], bool wanted[COSTS],
                       double costs[COSTS])
{
    double rows[COSTS][COSTS + 1], doubt;
    int least = 0;

    for (int i = 0; i < COSTS; i++) {
        for (int j = 0; j <= COSTS; j++)
            rows[i][j] = pace->sums[0][i][j] + pace->sums[1][i][j];
        doubt = DOUBT * rows[i][i];
        rows[i][i] += doubt;
        rows[i][COSTS] += doubt * before[i];
        wanted[i] = wanted[i] && rows[i][i] > FORGOTTEN;
    }
    solve(rows, wanted, costs);
    for (int i = 1; i < COSTS; i++)
        if (costs[i] < costs[least])
            least = i;
    if (costs[least] >= 0)
        return true;
    wanted[least] = false;
    return false;
}

/*
 * Fits us = exchange_us + pieces * piece_us + words * word_us + blocks * block_us, by least squares of the relative
 * errors. No cost is negative. Short exchanges show the cost of a piece. They have separate sums, so that long
 * exchanges do not displace them.
 */
static void fit_cost(struct ring_pace *pace, double pieces, double words, double blocks, double us)
{
    const double before[COSTS] = {pace->exchange_us, pace->piece_us, pace->word_us, pace->block_us};
    const double values[COSTS] = {1, pieces, words, blocks};
    double(*sums)[COSTS + 1] = pace->sums[words > SHORT_WORDS], costs[COSTS];
    bool wanted[COSTS] = {true, true, true, true};

    us = clip(us, before[0] + pieces * before[1] + words * before[2] + blocks * before[3]);
    for (int i = 0; i < COSTS; i++) {
        for (int j = 0; j < COSTS; j++)
            sums[i][j] = KEPT * sums[i][j] + values[i] * values[j] / (us * us);
        sums[i][COSTS] = KEPT * sums[i][COSTS] + values[i] / us;
    }
    while (!fit_wanted(pace, before, wanted, costs))
        ;
    pace->exchange_us = costs[0];
    pace->piece_us = costs[1];
    pace->word_us = costs[2];
    if (sums[3][3] > FORGOTTEN)
        pace->block_us = costs[3];
}

/*
 * Updates the writer's rate. us: time between two reads of the pointer. after_us: time from the second read to the end
 * of the exchange. If the writer may have completed further laps unseen, adds the number of laps that the rate
 * predicts. Adds at least one lap if the overwritten evidence shows that the writer moved further than the pointer
 * shows.
 */
static void fit_rate(struct ring_pace *pace, const struct ring_pace_exchange *exchange, double us, double after_us)
{
    double expected = pace->rate * us, moved = (double)exchange->moved, lap = (double)exchange->lap, error;

    if (moved * (1 + after_us / us) < NEARLY * (double)exchange->gone)
        moved += lap;
    if (lap > 0 && expected > moved + lap / 2)
        moved += lap * (double)(uint64_t)((expected - moved) / lap + 0.5);
    error = moved - expected;
    if (pace->sum_us > 0)
        pace->deviation = KEPT_RATE * pace->deviation + (1 - KEPT_RATE) * (error < 0 ? -error : error);
    pace->sum_moved = KEPT_RATE * pace->sum_moved + moved;
    pace->sum_us = KEPT_RATE * pace->sum_us + us;
    pace->rate = pace->sum_moved / pace->sum_us;
    pace->last_moved = moved;
    pace->last_us = us;
}

void ring_pace_note(struct ring_pace *pace, const struct ring_pace_exchange *exchange)
{
    const struct ring_pace_reads *reads = &exchange->reads;
    double pieces = reads->before_pieces + reads->after_pieces, words = reads->before_words + reads->after_words;
    double us =
        max_double((double)(exchange->end_us - exchange->begin_us), pieces * PIECE_US_MIN + words * WORD_US_MIN);
    double share, before_us, before, all;

    fit_cost(pace, pieces, words, (double)reads->blocks, us);
    before = pace->exchange_us + reads->before_pieces * pace->piece_us + reads->before_words * pace->word_us +
             reads->blocks * pace->block_us;
    all = before + reads->after_pieces * pace->piece_us + reads->after_words * pace->word_us;
    share = all > 0 ? before / all : 1;
    before_us = share * us;
    if (pace->end_us != 0 && exchange->begin_us >= pace->end_us)
        fit_rate(pace, exchange, pace->after_us + (double)(exchange->begin_us - pace->end_us) + before_us + 1,
                 us - before_us);
    pace->after_us = us - before_us;
    pace->last_words = words;
    pace->end_us = exchange->end_us;
}

void ring_pace_gone(struct ring_pace *pace, uint64_t entries)
{
    pace->gone = KEPT_GONE * max_double(pace->gone, (double)entries / 2);
}

bool ring_pace_slowed(const struct ring_pace *pace)
{
    return pace->last_moved < SLOWED * pace->rate * pace->last_us;
}

void ring_pace_restart(struct ring_pace *pace)
{
    pace->sum_moved = pace->last_moved;
    pace->sum_us = pace->last_us;
    pace->rate = pace->last_us > 0 ? pace->last_moved / pace->last_us : 0;
    pace->deviation = pace->gone = 0;
}
