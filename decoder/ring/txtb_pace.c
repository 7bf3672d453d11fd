/* SPDX-License-Identifier: MIT */
/* Predicts how far a writer that is faster than the reader moves during an exchange. Proves nothing about entries. */
#include "ring/txtb_pace.h"

#define KEPT 0.8 /* weight of earlier exchanges, from one to the next */
#define SPREAD_TRUST                                                                                                   \
    0.01           /* if entries_read spread less than this, relative to their mean, per_entry hardly changes          \
                    */
#define SAFETY 2.0 /* deviations */

/* Fits a line through the exchanges, recent ones weighing more. If they are alike, it keeps the old slope. */
static void fit_line(struct txtap_ring_pace *pace)
{
    double n = pace->sum_n / pace->weight, moved = pace->sum_moved / pace->weight;
    double variance = pace->sum_nn / pace->weight - n * n;
    double covariance = pace->sum_n_moved / pace->weight - n * moved;
    double doubt = SPREAD_TRUST * n * n + 1.0;
    double slope = (covariance + doubt * pace->per_entry) / (variance + doubt);

    pace->per_entry = slope < 0 ? 0 : slope > moved / n ? moved / n : slope;
    pace->fixed = moved - pace->per_entry * n;
}

void ring_pace_note(struct txtap_ring_pace *pace, uint64_t entries_read, uint64_t moved)
{
    double n = (double)entries_read, m = (double)moved;
    double error = m - pace->fixed - pace->per_entry * n;

    if (pace->weight > 0)
        pace->deviation = KEPT * pace->deviation + (1.0 - KEPT) * (error < 0 ? -error : error);
    else if (pace->per_entry <= 0)
        pace->per_entry = 0.5 * m / n; /* a first guess: half of it is fixed */
    pace->weight = KEPT * pace->weight + 1.0;
    pace->sum_n = KEPT * pace->sum_n + n;
    pace->sum_moved = KEPT * pace->sum_moved + m;
    pace->sum_nn = KEPT * pace->sum_nn + n * n;
    pace->sum_n_moved = KEPT * pace->sum_n_moved + n * m;
    fit_line(pace);
}

void ring_pace_restart(struct txtap_ring_pace *pace)
{
    *pace = (struct txtap_ring_pace){.per_entry = pace->per_entry};
}

static double reserve(const struct txtap_ring_pace *pace)
{
    return pace->fixed + SAFETY * pace->deviation;
}

uint64_t ring_pace_predict(const struct txtap_ring_pace *pace, uint64_t entries_read)
{
    return (uint64_t)(reserve(pace) + pace->per_entry * (double)entries_read);
}

uint64_t ring_pace_fit(const struct txtap_ring_pace *pace, uint64_t readable)
{
    double left = (double)readable - reserve(pace);

    return left > 0 ? (uint64_t)(left / (1.0 + pace->per_entry)) : 0;
}
