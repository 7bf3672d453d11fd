/* SPDX-License-Identifier: MIT */
/* Events per tick, to estimate a gap of unknown size: within a factor of two, or not at all. */
#include "stream/gap_estimate.h"

#include <math.h>
#include <stdlib.h>

#define STEPS_MIN 8.0 /* fewer are no guide */
#define RUNS_FEW  8u  /* fewer may not have been the densest by far: what could be read may be what was slow */
#define RUNS_MIN  8u  /* as many tell how even the load is */
#define GAPS_MIN  4u  /* as many tell how long a gap is when the load is what it was */
#define GAP_USUAL 1.5
#define DENSER    1.1  /* than the densest run so far may another be */
#define RUNS_NEAR 8u   /* of those before a gap, for the rate around it */
#define ERROR_MAX 0.15 /* of a lap, of a rate that foretells: by chance it would be 0.25 */
#define ERROR_ALL 0.12 /* on average, of the gaps before */
#define FACTOR    2.0
#define ROUNDING  0.25 /* of a lap */

static double step_of(uint32_t mask, uint32_t from, uint32_t to)
{
    uint32_t forward = (to - from) & mask;

    return forward <= mask / 2 ? forward : (double)forward - (double)mask - 1;
}

static double rate_of(const struct density_run *run)
{
    return run->ticks != 0 ? run->steps / fabs(run->ticks) : INFINITY;
}

static void end_run(struct density *density)
{
    double rate = rate_of(&density->run);

    if (rate > density->fastest)
        density->fastest = rate;
    density->runs[density->next_run] = density->run;
    density->next_run = (density->next_run + 1) % DENSITY_RUNS;
    density->run_count += density->run_count < DENSITY_RUNS;
    density->run = (struct density_run){0};
}

void density_note(struct density *density, uint32_t mask, uint32_t stamp)
{
    if (density->any) {
        density->run.ticks += step_of(mask, density->last, stamp);
        density->run.steps++;
    }
    if (density->run.steps >= DENSITY_STEPS)
        end_run(density);
    density->any = true;
    density->last = stamp;
}

void density_break(struct density *density)
{
    density->any = false;
}

/* ---- the guess ---- */

struct rates {
    double slowest, fastest, ticks, steps; /* ticks and steps: their sums */
};

static void add_run(struct rates *rates, const struct density_run *run)
{
    double rate = rate_of(run);

    if (run->steps < STEPS_MIN)
        return;
    rates->slowest = rate < rates->slowest ? rate : rates->slowest;
    rates->fastest = rate > rates->fastest ? rate : rates->fastest;
    rates->ticks += run->ticks;
    rates->steps += run->steps;
}

/* Of the last so many runs before, and of all after. */
static struct rates rates_of(const struct density *before, const struct density *after, unsigned runs)
{
    struct rates rates = {INFINITY, 0, 0, 0};

    for (unsigned i = 1; i <= before->run_count && i <= runs; i++)
        add_run(&rates, &before->runs[(before->next_run + DENSITY_RUNS - i) % DENSITY_RUNS]);
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

/* In a gap that is longer than those before there may be a silence, or a flood, of which nothing is known. */
static bool is_usual(const struct density *density, double ticks)
{
    double gaps[DENSITY_GAPS];

    if (density->gap_count < GAPS_MIN || density->run_count < RUNS_MIN)
        return false;
    for (unsigned i = 0; i < density->gap_count; i++)
        gaps[i] = density->gaps[i].ticks;
    qsort(gaps, density->gap_count, sizeof *gaps, compare);
    return ticks <= GAP_USUAL * gaps[density->gap_count / 2];
}

/* How far a size by the rate around the gap is from what it may be: 0 to half a lap. */
static double error_of(const struct density *density, const struct density *after, const struct density_gap *gap,
                       double ticks)
{
    struct rates near = rates_of(density, after, RUNS_NEAR);
    double laps = (ticks * near.steps / fabs(near.ticks) - 1 - (double)gap->lost) / gap->lap;

    return isfinite(laps) ? fabs(laps - round(laps)) : 0.5;
}

/* Has the rate foretold this gap's remainder, and those of the gaps before? Else they held more than the runs show. */
static bool is_foretold(const struct density *density, double error)
{
    double sum = 0;

    for (unsigned i = 0; i < density->gap_count; i++)
        sum += density->gaps[i].error;
    return error <= ERROR_MAX && sum <= ERROR_ALL * density->gap_count;
}

static void note_gap(struct density *density, double ticks, double error)
{
    density->gaps[density->next_gap] = (struct density_past){ticks, error};
    density->next_gap = (density->next_gap + 1) % DENSITY_GAPS;
    density->gap_count += density->gap_count < DENSITY_GAPS;
}

/* Of the sizes that are possible between the two, the one that is at most FACTOR from all of them. */
static uint64_t choose(const struct density_gap *gap, double least, double most)
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

struct density_guess density_guess(struct density *density, const struct density *after, uint32_t mask,
                                   const struct density_gap *gap)
{
    struct rates rates = rates_of(density, after, DENSITY_RUNS);
    struct density_guess guess = {0, 0};
    double ticks, least = (double)gap->lost, most, error;
    bool usual;

    if (!density->any || density->run_count + after->run_count < RUNS_FEW || rates.fastest == 0 ||
        isinf(rates.fastest) || rates.ticks == 0)
        return guess;
    ticks = rates.ticks > 0 ? (gap->stamp - density->last) & mask : (density->last - gap->stamp) & mask;
    error = error_of(density, after, gap, ticks);
    usual = is_usual(density, ticks) && is_foretold(density, error);
    note_gap(density, ticks, error);
    most = DENSER * ticks * (density->fastest > rates.fastest ? density->fastest : rates.fastest) - 1;
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
