/* SPDX-License-Identifier: MIT */
/*
 * How far a writer that is faster than the reader moves while entries are read. A forecast: nothing is believed for
 * it.
 */
#include "ring/txtb_pace.h"

#define KEPT         0.8  /* of what was learnt, from one exchange to the next */
#define SPREAD_TRUST 0.01 /* a spread of entries_read, relative to their mean, that says little about per_entry */
#define SAFETY       2.0  /* deviations */

/* A line through the exchanges, each with less weight than the one after it; towards the old slope if they are alike.
 */
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
        pace->per_entry = 0.5 * m / n; /* nobody knows yet: half and half */
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
