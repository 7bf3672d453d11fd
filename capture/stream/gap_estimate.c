/* SPDX-License-Identifier: MIT */
/* Estimates a gap of unknown size from events per tick: within a factor of two, or not at all. */
#include "stream/gap_estimate.h"

#include <math.h>
#include <stdlib.h>

#define STEPS_MIN 8.0 /* shorter runs are ignored */
#define RUNS_FEW  8u  /* with fewer runs, the densest run may be missing: perhaps only slow events were read */
#define RUNS_MIN  8u  /* with fewer runs, it is unknown how even the load is */
#define GAPS_MIN  4u  /* with fewer gaps, it is unknown how long a gap usually is */
#define GAP_USUAL 1.5
#define DENSER    1.1 /* an unknown run may be denser than the densest run so far by this factor */
#define RUNS_NEAR 8u  /* the newest runs before a gap, which give the rate around it */
/* in laps: if the error is larger, the rate does not predict the size. A random rate has an error of 0.25 on average */
#define ERROR_MAX 0.15
#define ERROR_ALL 0.12 /* in laps: limit of the average error over the earlier gaps */
#define FACTOR    2.0
#define ROUNDING  0.25 /* laps */

#define AVERAGE_RUNS  16u
#define AVERAGE_ERROR 0.25 /* limit of twice the standard error, relative to the average of all runs */

static double step_of(uint32_t mask, uint32_t from, uint32_t to)
{
    uint32_t forward = (to - from) & mask;

    return forward <= mask / 2 ? forward : (double)forward - (double)mask - 1;
}

static double rate_of(const struct gap_estimator_run *run)
{
    return run->ticks != 0 ? run->steps / fabs(run->ticks) : INFINITY;
}

static void end_run(struct gap_estimator *estimator)
{
    double rate = rate_of(&estimator->run);

    if (rate > estimator->fastest)
        estimator->fastest = rate;
    estimator->run_total++;
    estimator->ticks += fabs(estimator->run.ticks);
    estimator->squares += estimator->run.ticks * estimator->run.ticks;
    estimator->runs[estimator->next_run] = estimator->run;
    estimator->next_run = (estimator->next_run + 1) % GAP_ESTIMATOR_RUNS;
    estimator->run_count += estimator->run_count < GAP_ESTIMATOR_RUNS;
    estimator->run = (struct gap_estimator_run){0};
}

void gap_estimator_note(struct gap_estimator *estimator, uint32_t mask, uint32_t stamp)
{
    if (estimator->any) {
        estimator->run.ticks += step_of(mask, estimator->last, stamp);
        estimator->run.steps++;
    }
    if (estimator->run.steps >= GAP_ESTIMATOR_STEPS)
        end_run(estimator);
    estimator->any = true;
    estimator->last = stamp;
}

void gap_estimator_break(struct gap_estimator *estimator)
{
    estimator->any = false;
}

double gap_estimator_rate(const struct gap_estimator *estimator)
{
    double count = estimator->run_total, mean = estimator->ticks / count, variance;

    if (count < AVERAGE_RUNS || estimator->ticks == 0)
        return 0;
    variance = fmax(estimator->squares / count - mean * mean, 0);
    return 2 * sqrt(variance / count) <= AVERAGE_ERROR * mean ? GAP_ESTIMATOR_STEPS / mean : 0;
}

/* ---- the guess ---- */

struct rates {
    double slowest, fastest, ticks, steps; /* ticks and steps: sums over all runs */
};

static void add_run(struct rates *rates, const struct gap_estimator_run *run)
{
    double rate = rate_of(run);

    if (run->steps < STEPS_MIN)
        return;
    rates->slowest = rate < rates->slowest ? rate : rates->slowest;
    rates->fastest = rate > rates->fastest ? rate : rates->fastest;
    rates->ticks += run->ticks;
    rates->steps += run->steps;
}

/* Uses all runs after the gap, and the newest `runs` runs before it. */
static struct rates rates_of(const struct gap_estimator *before, const struct gap_estimator *after, unsigned runs)
{
    struct rates rates = {INFINITY, 0, 0, 0};

    for (unsigned i = 1; i <= before->run_count && i <= runs; i++)
        add_run(&rates, &before->runs[(before->next_run + GAP_ESTIMATOR_RUNS - i) % GAP_ESTIMATOR_RUNS]);
    for (unsigned i = 0; i < after->run_count; i++)
        add_run(&rates, &after->runs[i]);
    add_run(&rates, &before->run);
    add_run(&rates, &after->run);
    return rates;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Reports whether the gap is no longer than earlier gaps. A longer gap may contain a silence or a burst, about which
 * nothing is known. */
static bool is_usual(const struct gap_estimator *estimator, double ticks)
{
    double gaps[GAP_ESTIMATOR_GAPS];

    if (estimator->gap_count < GAPS_MIN || estimator->run_count < RUNS_MIN)
        return false;
    for (unsigned i = 0; i < estimator->gap_count; i++)
        gaps[i] = estimator->gaps[i].ticks;
    qsort(gaps, estimator->gap_count, sizeof *gaps, compare);
    return ticks <= GAP_USUAL * gaps[estimator->gap_count / 2];
}

/* Returns the distance, in laps, between the size that the rate predicts and the nearest possible size: 0 to 0.5. */
static double error_of(const struct gap_estimator *estimator, const struct gap_estimator *after,
                       const struct gap_estimator_gap *gap, double ticks)
{
    struct rates near = rates_of(estimator, after, RUNS_NEAR);
    double laps = (ticks * near.steps / fabs(near.ticks) - 1 - (double)gap->lost) / gap->lap;

    return isfinite(laps) ? fabs(laps - round(laps)) : 0.5;
}

/* Reports whether the rate predicted the remainder of this gap and of the earlier gaps. If not, the gaps contain more
 * events than the runs show. */
static bool is_predicted(const struct gap_estimator *estimator, double error)
{
    double sum = 0;

    for (unsigned i = 0; i < estimator->gap_count; i++)
        sum += estimator->gaps[i].error;
    return error <= ERROR_MAX && sum <= ERROR_ALL * estimator->gap_count;
}

static void note_gap(struct gap_estimator *estimator, double ticks, double error)
{
    estimator->gaps[estimator->next_gap] = (struct gap_estimator_past){ticks, error};
    estimator->next_gap = (estimator->next_gap + 1) % GAP_ESTIMATOR_GAPS;
    estimator->gap_count += estimator->gap_count < GAP_ESTIMATOR_GAPS;
}

/* Chooses a possible size between `least` and `most` that differs from all other possible sizes by at most FACTOR; 0:
 * there is no such size. */
static uint64_t choose(const struct gap_estimator_gap *gap, double least, double most)
{
    double lost = (double)gap->lost, lap = gap->lap;
    double low = ceil((least - lost) / lap - ROUNDING), high = floor((most - lost) / lap + ROUNDING), laps, size;

    low = low > 0 ? low : 0;
    high = high > low ? high : low;
    laps = round((sqrt((lost + low * lap) * (lost + high * lap)) - lost) / lap);
    size = lost + laps * lap;
    if (laps > 1e9 || size > FACTOR * (lost + low * lap) || lost + high * lap > FACTOR * size)
        return 0;
    return gap->lost + (uint64_t)laps * gap->lap;
}

struct gap_estimate gap_estimate_find(struct gap_estimator *estimator, const struct gap_estimator *after, uint32_t mask,
                                      const struct gap_estimator_gap *gap)
{
    struct rates rates = rates_of(estimator, after, GAP_ESTIMATOR_RUNS);
    struct gap_estimate guess = {0, 0};
    double ticks, least = (double)gap->lost, most, error;
    bool usual;

    if (gap->lap == 0 || !estimator->any || estimator->run_count + after->run_count < RUNS_FEW || rates.fastest == 0 ||
        isinf(rates.fastest) || rates.ticks == 0)
        return guess;
    ticks = rates.ticks > 0 ? (gap->stamp - estimator->last) & mask : (estimator->last - gap->stamp) & mask;
    error = error_of(estimator, after, gap, ticks);
    usual = is_usual(estimator, ticks) && is_predicted(estimator, error);
    note_gap(estimator, ticks, error);
    most = DENSER * ticks * (estimator->fastest > rates.fastest ? estimator->fastest : rates.fastest) - 1;
    if (most + ROUNDING * gap->lap < least || most > 1e15)
        return guess;
    guess.most = most > least ? (uint64_t)most : gap->lost;
    if (usual) {
        least = fmax(least, ticks * rates.slowest - 1);
        most = fmin(most, ticks * rates.fastest - 1);
    }
    guess.estimate = choose(gap, least, most);
    return guess;
}
