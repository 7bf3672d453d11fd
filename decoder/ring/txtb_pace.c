/* SPDX-License-Identifier: MIT */
/*
 * What reading costs, and how fast the writer is. A probe takes a time for each piece that is read, and one for each
 * word; a line is fitted through the durations of recent exchanges. txtb_choice.c draws the conclusions.
 */
#include "ring/txtb_pace.h"

#define KEPT         0.9  /* weight of earlier exchanges, from one to the next */
#define KEPT_RATE    0.75 /* the same for the writer's rate, which changes more often than a probe's cost */
#define DOUBT        0.01 /* exchanges that differ less than this, relatively, hardly change the share of pieces and words */
#define OUTLIER      4.0  /* an exchange that takes longer than so many expected times counts as such a one */
#define PIECE_US_MIN 1.0  /* no source is faster than that, */
#define WORD_US_MIN  0.01 /* and a clock may be coarse */
#define OUTLIER_US   1000.0

static double max_double(double a, double b)
{
    return a > b ? a : b;
}

static double clip(double us, double expected_us)
{
    double most = OUTLIER * expected_us + OUTLIER_US;

    return expected_us > 0 && us > most ? most : us;
}

/* Least squares of us = pieces * piece_us + words * word_us, which keeps to the values before where it has a choice. */
static void fit_cost(struct txtap_ring_pace *pace, double pieces, double words, double us)
{
    double pp, ww, pt, wt, determinant;

    us = clip(us, pieces * pace->piece_us + words * pace->word_us);
    pace->sum_pp = KEPT * pace->sum_pp + pieces * pieces;
    pace->sum_pw = KEPT * pace->sum_pw + pieces * words;
    pace->sum_ww = KEPT * pace->sum_ww + words * words;
    pace->sum_pt = KEPT * pace->sum_pt + pieces * us;
    pace->sum_wt = KEPT * pace->sum_wt + words * us;
    pp = pace->sum_pp * (1 + DOUBT);
    ww = pace->sum_ww * (1 + DOUBT);
    pt = pace->sum_pt + DOUBT * pace->sum_pp * pace->piece_us;
    wt = pace->sum_wt + DOUBT * pace->sum_ww * pace->word_us;
    determinant = pp * ww - pace->sum_pw * pace->sum_pw;
    pace->piece_us = (pt * ww - wt * pace->sum_pw) / determinant;
    pace->word_us = (wt * pp - pt * pace->sum_pw) / determinant;
    if (pace->word_us < 0) {
        pace->word_us = 0;
        pace->piece_us = pace->sum_pt / pace->sum_pp;
    } else if (pace->piece_us < 0) {
        pace->piece_us = 0;
        pace->word_us = pace->sum_wt / pace->sum_ww;
    }
}

/* us: between two readings of the pointer. If whole laps may be missing, as many are added as the rate so far says. */
static void fit_rate(struct txtap_ring_pace *pace, const struct ring_pace_exchange *exchange, double us)
{
    double expected = pace->rate * us, moved = (double)exchange->moved, lap = (double)exchange->lap, error;

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

void ring_pace_note(struct txtap_ring_pace *pace, const struct ring_pace_exchange *exchange)
{
    const struct ring_pace_reads *reads = &exchange->reads;
    double pieces = reads->before_pieces + reads->after_pieces, words = reads->before_words + reads->after_words;
    double us =
        max_double((double)(exchange->end_us - exchange->begin_us), pieces * PIECE_US_MIN + words * WORD_US_MIN);
    double share, before_us, before, all;

    fit_cost(pace, pieces, words, us);
    before = reads->before_pieces * pace->piece_us + reads->before_words * pace->word_us;
    all = before + reads->after_pieces * pace->piece_us + reads->after_words * pace->word_us;
    share = all > 0 ? before / all : 1;
    before_us = share * us;
    if (pace->end_us != 0 && exchange->begin_us >= pace->end_us)
        fit_rate(pace, exchange, pace->after_us + (double)(exchange->begin_us - pace->end_us) + before_us + 1);
    pace->after_us = us - before_us;
    pace->end_us = exchange->end_us;
}

void ring_pace_restart(struct txtap_ring_pace *pace)
{
    pace->sum_moved = pace->last_moved;
    pace->sum_us = pace->last_us;
    pace->rate = pace->last_us > 0 ? pace->last_moved / pace->last_us : 0;
    pace->deviation = 0;
}
