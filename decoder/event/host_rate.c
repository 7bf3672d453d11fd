/* SPDX-License-Identifier: MIT */
/*
 * Measures a counter's rate from sights. A sight is an event that was stamped between two known host times. This file
 * does not use the windows and the ticks of struct txtap_host_time. It counts the periods between two sights itself,
 * but only if exactly one count is possible. So the measured bounds contain the true rate under two conditions: the
 * rate is constant, and each event was stamped between its two host times.
 */
#include "event/host_rate.h"

#include <string.h>

#define DRIFT_US          64e6
#define LEARN_MIN         4u   /* number of sights that are needed to learn a rate */
#define OTHERS_PASSES_MAX 200u /* this number of passes is enough to find other rates of a 32-bit counter */
#define WAIT_MAX          64u
#define MULTIPLES         8
#define EVEN              0.03 /* share of a distance; distances with a smaller difference count as equal */

double host_rate_whole_above(double value)
{
    double whole;

    if (value <= 0)
        return 0;
    whole = (double)(uint64_t)value;
    return whole < value ? whole + 1 : whole;
}

struct interval host_rate_elapsed(const struct txtap_host_sight *a, const struct txtap_host_sight *b)
{
    return (struct interval){max_of(b->low - a->high, 0), max_of(b->high - a->low, 1)};
}

double host_rate_step(const struct txtap_clock *clock, const struct txtap_host_sight *a,
                      const struct txtap_host_sight *b)
{
    uint64_t from = clock->down ? b->stamp : a->stamp, to = clock->down ? a->stamp : b->stamp;

    return (double)((to + clock->period - from) % clock->period);
}

void host_rate_narrow(struct interval *rate, double ticks, struct interval elapsed, double drift)
{
    rate->low = max_of(rate->low, (ticks - 1) / elapsed.high * (1 - drift));
    if (elapsed.low > 0)
        rate->high = min_of(rate->high, (ticks + 1) / elapsed.low * (1 + drift));
}

static double fabs_of(double value)
{
    return value < 0 ? -value : value;
}

/* ---- a rate that fits ---- */

/*
 * Makes one pass over all pairs of sights. For each pair, raises rate->low to the lowest value that the pair allows.
 * Returns true if rate->low did not change.
 */
static bool fits_all_pairs(const struct txtap_host_sight *sights, size_t count, const struct txtap_clock *clock,
                           struct interval *rate)
{
    double period = (double)clock->period, before = rate->low;

    rate->high = HOST_RATE_MAX;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            struct interval elapsed = host_rate_elapsed(&sights[i], &sights[j]);
            double step = host_rate_step(clock, &sights[i], &sights[j]);

            step += period * host_rate_whole_above((rate->low * elapsed.low - step - 1) / period);
            rate->low = max_of(rate->low, (step - 1) / elapsed.high);
            if (elapsed.low > 0)
                rate->high = min_of(rate->high, (step + 1) / elapsed.low);
        }
    }
    return rate->low == before;
}

bool host_rate_fit(const struct txtap_host_sight *sights, size_t count, const struct txtap_clock *clock,
                   unsigned passes_max, struct interval *rate)
{
    bool stayed = false;

    for (unsigned i = 0; i < passes_max && !stayed && rate->low < HOST_RATE_MAX; i++)
        stayed = fits_all_pairs(sights, count, clock, rate);
    return stayed && rate->low > 0;
}

/*
 * Returns the probability that a wrong rate fits the stamps. If the distance of a pair is known to a tenth of a period,
 * one in ten wrong rates fits the pair. The more periods there are between the first and the last sight, the more rates
 * are possible.
 */
double host_rate_chance(const struct txtap_host_sight *sights, size_t count, const struct txtap_clock *clock,
                        double rate)
{
    const struct txtap_host_sight *first = &sights[0], *last = &sights[count - 1];
    double period = (double)clock->period, chance = 1 + rate * (last->high - first->low) / period;

    for (size_t i = 1; i < count; i++) {
        struct interval elapsed = host_rate_elapsed(&sights[i - 1], &sights[i]);

        chance *= min_of(((elapsed.high - elapsed.low) * rate + 2) / period, 1);
    }
    return chance;
}

void host_rate_make_room(struct txtap_host_sight *sights, size_t *count, double *spacing)
{
    if (*count < TXTAP_HOST_TIME_SIGHTS)
        return;
    if (*spacing >= HOST_RATE_SPACING_US) {
        --*count;
        memmove(sights, sights + 1, *count * sizeof *sights);
        return;
    }
    *count = TXTAP_HOST_TIME_SIGHTS / 2;
    for (size_t i = 0; i < *count; i++)
        sights[i] = sights[2 * i];
    *spacing = 2 * (sights[1].high - sights[0].high);
    *spacing = min_of(max_of(*spacing, 1000), HOST_RATE_SPACING_US);
}

/* ---- the measured rate ---- */

void host_rate_forget(struct txtap_host_rate *rate)
{
    rate->count = 0;
    rate->low = rate->high = 0;
    rate->spacing = 1;
    rate->wait = rate->failures = 0;
}

/*
 * Returns the relative drift of the rate within us microseconds: HOST_RATE_DRIFT for each 64 s, but at least
 * HOST_RATE_DRIFT.
 */
static double drift_in(double us)
{
    return HOST_RATE_DRIFT * max_of(us / DRIFT_US, 1);
}

/*
 * Narrows the bounds of the rate by all pairs that consist of the sight at index last and an earlier sight. Returns
 * false if a pair contradicts the bounds.
 */
static bool narrow_by(const struct txtap_host_rate *rate, size_t last, struct interval *bounds)
{
    double now_us = rate->sights[rate->count - 1].high;

    for (size_t i = last; i > 0; i--) {
        const struct txtap_host_sight *a = &rate->sights[i - 1], *b = &rate->sights[last];
        struct interval tried = *bounds;

        host_rate_narrow(&tried, (double)(b->ticks - a->ticks), host_rate_elapsed(a, b), drift_in(now_us - a->low));
        if (tried.low > tried.high)
            return false;
        *bounds = tried;
    }
    return true;
}

/*
 * Measures the rate from all pairs of sights. If two pairs contradict each other, the rate was not constant: the
 * function forgets the rate.
 */
static void measure(struct txtap_host_rate *rate)
{
    struct interval bounds = {0, HOST_RATE_MAX};

    for (size_t i = 1; i < rate->count; i++) {
        if (!narrow_by(rate, i, &bounds)) {
            host_rate_forget(rate);
            return;
        }
    }
    rate->low = bounds.low;
    rate->high = bounds.high;
}

/* Returns true if step is nearly a small multiple of base, modulo the period. */
static bool is_multiple(double step, double base, double period)
{
    double multiple = 0, off = period;

    for (int k = 1; k <= MULTIPLES; k++) {
        multiple += multiple + base < period ? base : base - period;
        off = min_of(off, min_of(fabs_of(step - multiple), period - fabs_of(step - multiple)));
    }
    return off <= EVEN * min_of(base, period - base) + 2;
}

/*
 * Returns true if many events seem to be at multiples of one distance. Several rates then fit: from one rate to the
 * next, this distance is longer by one period.
 */
static bool is_even(const struct txtap_host_rate *rate, const struct txtap_clock *clock)
{
    double steps[TXTAP_HOST_TIME_SIGHTS];
    size_t count = rate->count - 1;

    for (size_t i = 0; i < count; i++)
        steps[i] = host_rate_step(clock, &rate->sights[i], &rate->sights[i + 1]);
    for (size_t i = 0; i < count; i++) {
        size_t even = 0;

        for (size_t k = 0; k < count; k++)
            even += is_multiple(steps[k], steps[i], (double)clock->period);
        if (2 * even >= count)
            return true;
    }
    return false;
}

/*
 * Finds the lowest rate that fits. This rate is certain if no other rate up to HOST_RATE_MAX fits. The stamps of a
 * narrow counter cannot exclude other rates: they fit any rate at which the counter wraps within the bounds of an
 * event. In this case the probability decides, unless the events are at equal distances, because the probability is
 * then wrong.
 */
static bool find(const struct txtap_host_rate *rate, const struct txtap_clock *clock, struct interval *found)
{
    struct interval next;

    *found = (struct interval){0, HOST_RATE_MAX};
    if (!host_rate_fit(rate->sights, rate->count, clock, HOST_RATE_PASSES_MAX, found) ||
        found->high - found->low > HOST_RATE_WIDTH * found->low)
        return false;
    next.low = found->high * (1 + 1e-9);
    if (!host_rate_fit(rate->sights, rate->count, clock, OTHERS_PASSES_MAX, &next) && next.low >= HOST_RATE_MAX)
        return true;
    return host_rate_chance(rate->sights, rate->count, clock, found->high) < HOST_RATE_CHANCE && !is_even(rate, clock);
}

enum fit { FIT_ONE, FIT_SEVERAL, FIT_NONE };

/* Sets now->ticks, by counting the whole periods from the sight last to the sight now. */
static enum fit count_ticks(const struct interval *rate, const struct txtap_clock *clock,
                            const struct txtap_host_sight *last, struct txtap_host_sight *now)
{
    struct interval elapsed = host_rate_elapsed(last, now);
    double period = (double)clock->period, step = host_rate_step(clock, last, now);
    double least = rate->low * (1 - drift_in(elapsed.high)) * elapsed.low - 1;
    double most = rate->high * (1 + drift_in(elapsed.high)) * elapsed.high + 1;

    step += period * host_rate_whole_above((least - step) / period);
    now->ticks = last->ticks + (uint64_t)step;
    return step > most ? FIT_NONE : step + period <= most ? FIT_SEVERAL : FIT_ONE;
}

/*
 * Sets the ticks of all sights. If the number of periods between two sights is uncertain, drops all sights before the
 * second of the two.
 */
static void count_all(struct txtap_host_rate *rate, const struct txtap_clock *clock, const struct interval *found)
{
    size_t first = 0;

    for (size_t i = 1; i < rate->count; i++)
        if (count_ticks(found, clock, &rate->sights[i - 1], &rate->sights[i]) != FIT_ONE)
            first = i;
    rate->count -= first;
    memmove(rate->sights, rate->sights + first, rate->count * sizeof rate->sights[0]);
}

/* Tries to find the rate. After each failure, more new sights are needed before the next attempt. */
static void learn(struct txtap_host_rate *rate, const struct txtap_clock *clock)
{
    struct interval found;

    if (rate->count < LEARN_MIN || rate->wait-- > 0)
        return;
    if (rate->failures < WAIT_MAX)
        rate->failures++;
    rate->wait = rate->failures;
    if (!find(rate, clock, &found))
        return;
    count_all(rate, clock, &found);
    if (rate->count >= LEARN_MIN)
        measure(rate);
}

/*
 * Returns true if the last sight is too old: the rate is not exact enough to give the number of periods since this
 * sight.
 */
static bool is_lost(const struct txtap_host_rate *rate, const struct txtap_clock *clock,
                    const struct txtap_host_sight *now)
{
    struct interval elapsed = host_rate_elapsed(&rate->sights[rate->count - 1], now);

    return (rate->high - rate->low) * elapsed.low >= (double)clock->period;
}

/* Keeps the event as a sight if its time is more exact than the times of the other events within the spacing. */
static void keep(struct txtap_host_rate *rate, const struct txtap_clock *clock, const struct txtap_host_sight *now)
{
    bool is_next = rate->count == 0 || now->high - rate->begun >= rate->spacing;

    if (!is_next) {
        struct txtap_host_sight *last = &rate->sights[rate->count - 1];

        if (now->high - now->low >= last->high - last->low)
            return;
        *last = *now;
    } else {
        host_rate_make_room(rate->sights, &rate->count, &rate->spacing);
        rate->sights[rate->count++] = *now;
        rate->begun = now->high;
    }
    if (rate->high > 0)
        measure(rate);
    else if (is_next)
        learn(rate, clock);
}

void host_rate_note(struct txtap_host_rate *rate, const struct txtap_clock *clock, double low, double high)
{
    struct txtap_host_sight now = {clock->last, 0, low, high};
    enum fit fit = FIT_ONE;

    if (low == rate->noted_low && high == rate->noted_high) /* only the first event with these bounds is needed */
        return;
    rate->noted_low = low;
    rate->noted_high = high;
    if (rate->high > 0) {
        fit = count_ticks(&(struct interval){rate->low, rate->high}, clock, &rate->sights[rate->count - 1], &now);
        if (fit == FIT_NONE || (fit == FIT_SEVERAL && is_lost(rate, clock, &now)))
            host_rate_forget(rate);
        else if (fit == FIT_SEVERAL)
            return;
    }
    keep(rate, clock, &now);
}
