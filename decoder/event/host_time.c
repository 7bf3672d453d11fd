/* SPDX-License-Identifier: MIT */
/*
 * Compares intervals of host time with steps of a counter. This file reads no clock: the caller passes stamps and host
 * times. All results are bounds. New bounds are always intersected with the old bounds. If the intersection is empty, a
 * bound was wrong, and measuring restarts. Rates are in ticks per microsecond. Two rates are measured. The likely rate
 * is used to place events in time; it assumes that an event was stamped when it was stored. The reported rate
 * (host_rate.c) uses only times that are certain.
 */
#include "txtap/inner/host_time.h"

#include <string.h>

#include "event/host_rate.h"

#define GIVEN_ERROR 100e-6
/* microseconds from taking a stamp to the store that publishes the event, unless the target is stopped in between */
#define WRITE_US            20.0
#define GIVEN_MAX           1e4 /* limit of a rate that the user gives; it prevents overflows */
#define LEARNED_SLACK       0.01
#define CONTRADICTIONS_MAX  8
#define CONTRADICTION_WIDTH 0.5e-3
#define SIGHTS_TRUSTED      16  /* if this number of sights agree, earlier contradictions do not count */
#define SHOWN_US            1e6 /* microseconds; a time is not shown if its bounds are further apart */
#define DOUBT               0.1 /* if the distance from a whole number of periods is larger, this number is doubtful */

static double nearest(double value)
{
    return value <= 0 ? 0 : (double)(uint64_t)(value + 0.5);
}

void txtap_host_time_init(struct txtap_host_time *time, double tick_hz)
{
    memset(time, 0, sizeof(*time));
    time->spacing = 1;
    host_rate_forget(&time->rate);
    if (tick_hz <= 0)
        return;
    time->given = true;
    time->low = time->base_low = min_of(tick_hz / 1e6, GIVEN_MAX) * (1 - GIVEN_ERROR);
    time->high = time->base_high = min_of(tick_hz / 1e6, GIVEN_MAX) * (1 + GIVEN_ERROR);
}

void txtap_host_time_stops(struct txtap_host_time *time)
{
    time->stops = true;
    if (!time->given)
        time->low = time->high = time->base_low = time->base_high = 0;
    time->count = 0;
    host_rate_forget(&time->rate);
}

void txtap_host_time_window(struct txtap_host_time *time, uint64_t from_us, uint64_t to_us)
{
    time->has_from = from_us > 0;
    time->from = max_of((double)from_us - WRITE_US, 0);
    time->to = (double)to_us;
    time->fresh = true;
}

/* ---- the rate ---- */

static void forget_sights(struct txtap_host_time *time)
{
    time->count = 0;
    time->spacing = 1;
}

/*
 * Handles a wrong bound. After each contradiction, widens the bounds of the rate. After CONTRADICTIONS_MAX
 * contradictions, forgets the rate.
 */
static void contradict(struct txtap_host_time *time)
{
    double width;

    forget_sights(time);
    if (!time->given && time->base_low > 0) {
        time->contradictions++;
        width = CONTRADICTION_WIDTH * (double)(1u << time->contradictions);
        time->base_low = time->low * (1 - width);
        time->base_high = time->high * (1 + width);
    }
    if (time->contradictions >= CONTRADICTIONS_MAX) {
        time->base_low = time->base_high = 0;
        time->contradictions = 0;
    }
    time->low = time->base_low;
    time->high = time->base_high;
}

/*
 * Computes the bounds of the rate from its base bounds, all earlier sights, and the sight now. Drops sights that
 * contradict newer sights.
 */
static void measure(struct txtap_host_time *time, const struct txtap_host_sight *now)
{
    struct interval rate = {time->base_low, time->base_high};
    size_t first = time->count;

    while (first > 0) {
        const struct txtap_host_sight *then = &time->sights[first - 1];
        struct interval tried = rate;

        host_rate_narrow(&tried, (double)(now->ticks - then->ticks), host_rate_elapsed(then, now), HOST_RATE_DRIFT);
        if (tried.low > tried.high)
            break;
        rate = tried;
        first--;
    }
    if (first > 0 && first == time->count) {
        contradict(time);
        return;
    }
    memmove(time->sights, time->sights + first, (time->count - first) * sizeof(time->sights[0]));
    time->count -= first;
    if (time->count >= SIGHTS_TRUSTED)
        time->contradictions = 0;
    time->low = rate.low;
    time->high = rate.high;
}

/*
 * Finds the lowest rate that fits the stamps, with any number of periods between two stamps. Returns false if the rate
 * is unknown or not exact enough.
 */
static bool find_rate(const struct txtap_host_time *time, const struct txtap_clock *clock, struct interval *rate)
{
    *rate = (struct interval){0, HOST_RATE_MAX};
    return host_rate_fit(time->sights, time->count, clock, HOST_RATE_PASSES_MAX, rate) &&
           rate->high - rate->low <= HOST_RATE_WIDTH * rate->low &&
           host_rate_chance(time->sights, time->count, clock, rate->high) < HOST_RATE_CHANCE;
}

/*
 * Corrects the ticks of the sights, from the last sight back to the first. Returns the number of ticks that the clock
 * missed since the first sight.
 */
static uint64_t correct_sights(struct txtap_host_time *time, const struct txtap_clock *clock, double rate)
{
    struct txtap_host_sight *sights = time->sights;
    size_t last = time->count - 1;
    uint64_t counted = sights[last].ticks - sights[0].ticks, right;

    for (size_t i = last; i > 0; i--) {
        struct interval elapsed = host_rate_elapsed(&sights[i - 1], &sights[i]);
        double step = host_rate_step(clock, &sights[i - 1], &sights[i]), period = (double)clock->period;
        double periods = nearest((rate * (elapsed.low + elapsed.high) / 2 - step) / period);

        sights[i - 1].ticks = sights[i].ticks - (uint64_t)(step + periods * period);
    }
    right = sights[last].ticks - sights[0].ticks;
    return right > counted ? right - counted : 0;
}

static bool is_time_to_learn(size_t count)
{
    return count >= 4 && (count < 16 || count % 8 == 0);
}

static void learn(struct txtap_host_time *time, struct txtap_clock *clock)
{
    struct interval rate;
    uint64_t missed;

    if (!is_time_to_learn(time->count) || !find_rate(time, clock, &rate))
        return;
    missed = correct_sights(time, clock, (rate.low + rate.high) / 2);
    for (size_t i = 0; i < time->count; i++)
        time->sights[i].ticks += missed;
    clock->ticks += missed;
    time->doubtful += missed > 0;
    time->low = time->base_low = rate.low * (1 - LEARNED_SLACK);
    time->high = time->base_high = rate.high * (1 + LEARNED_SLACK);
    time->unknown_silence = 0;
}

/* ---- sights ---- */

/* Makes the first event of a window a sight. The other events of the window would hardly narrow the rate. */
static void note_sight(struct txtap_host_time *time, struct txtap_clock *clock)
{
    struct txtap_host_sight now = {clock->last, clock->ticks, time->at_low, time->at_high};

    if (!time->fresh || time->stops)
        return;
    time->fresh = false;
    if (time->base_low > 0)
        measure(time, &now);
    if (time->count > 0 && now.high - time->sights[time->count - 1].high < time->spacing)
        return;
    host_rate_make_room(time->sights, &time->count, &time->spacing);
    time->sights[time->count++] = now;
    if (time->base_low == 0)
        learn(time, clock);
}

/*
 * Uses two facts: an event is stamped after the preceding event was written, and before the event itself is written. If
 * the rate from these facts contradicts the likely rate, the likely rate is wrong.
 */
static void note_certain(struct txtap_host_time *time, const struct txtap_clock *clock)
{
    const struct txtap_host_rate *rate = &time->rate;

    if (time->before > 0 && !time->stops)
        host_rate_note(&time->rate, clock, time->before, time->to);
    time->before = time->has_from ? time->from : 0;
    if (time->given || time->low == 0 || rate->low == 0 || (time->low <= rate->high && rate->low <= time->high))
        return;
    forget_sights(time);
    time->contradictions = 0;
    time->low = time->base_low = rate->low;
    time->high = time->base_high = rate->high;
}

/* ---- one event ---- */

/*
 * Returns bounds of the host time between the last event and this event. If there is no upper bound, high is equal to
 * low.
 */
static struct interval elapsed_since_last(const struct txtap_host_time *time)
{
    struct interval elapsed = {0, 0};

    if (time->seen && time->has_from)
        elapsed.low = max_of(time->from - time->at_high, 0);
    elapsed.high = time->placed ? max_of(time->to - time->at_low, elapsed.low) : elapsed.low;
    return elapsed;
}

/*
 * Returns the number of whole periods to add to a step. If several numbers fit because the window is wide, returns the
 * smallest number: events come in batches, and a later window can add missing periods but cannot remove periods. If
 * several numbers fit because the rate is not exact enough for a long silence, returns the nearest number.
 */
static double choose_periods(struct txtap_host_time *time, double step, double period)
{
    struct interval elapsed = elapsed_since_last(time);
    double least = (time->low * elapsed.low - step - 1) / period, fewest = host_rate_whole_above(least);
    double most = (time->high * elapsed.high + 1 - step) / period;
    double likely = ((time->low + time->high) / 2 * (elapsed.low + elapsed.high) / 2 - step) / period;
    double chosen = nearest(likely);
    bool rate_decides = (time->high - time->low) * elapsed.low >= period / 2;

    /* The age of the last event is unknown, so least is a lower bound. The result is least, rounded to the nearest
     * number, because the rate may be slightly wrong. */
    if (!time->placed) {
        fewest = nearest(least);
        time->doubtful += least - fewest > DOUBT || fewest - max_of(least, 0) > DOUBT;
        return fewest;
    }
    if (most >= fewest && most < fewest + 1)
        return fewest;
    if (most >= fewest) {
        time->doubtful++;
        if (rate_decides)
            return min_of(max_of(chosen, fewest), (double)(uint64_t)most);
        time->fresh = false; /* do not make this event a sight: the ticks since the last sight are uncertain */
        time->open = true;
        return fewest;
    }
    if (likely - chosen > DOUBT || chosen - likely > DOUBT)
        time->doubtful++;
    contradict(time);
    time->placed = time->seen = false; /* do not use the bounds of the last event for this event */
    return chosen;
}

/*
 * Adds the ticks to the bounds of the event's time, although whole periods may be missing in the ticks. The window
 * contains the true time, so the window must not narrow these bounds. Later, a window that fits only one number of
 * periods shows the right number.
 */
static void move_on(struct txtap_host_time *time, double ticks)
{
    time->at_low += ticks / time->high;
    time->at_high += ticks / time->low;
    time->shown = max_of(time->shown, min_of(max_of((time->at_low + time->at_high) / 2, time->from), time->to));
    time->open = false;
}

/*
 * Sets the bounds of an event's time, from the event's window and from the bounds of the last event. ticks: ticks since
 * the last event.
 */
static void place(struct txtap_host_time *time, double ticks)
{
    double low = time->from, high = time->to;

    if (!time->has_from && !time->placed) {
        time->at_high = high;
        time->seen = true;
        return;
    }
    if (time->open) {
        move_on(time, ticks);
        return;
    }
    if (time->placed && (!time->has_from || low < time->at_low))
        low = time->at_low;
    if (time->placed && time->low > 0 && !time->restarted) {
        double moved_low = max_of(low, time->at_low + (ticks - 1) / time->high);
        double moved_high = min_of(high, time->at_high + (ticks + 1) / time->low);

        if (moved_low <= moved_high) {
            low = moved_low;
            high = moved_high;
        } else {
            contradict(time);
        }
    }
    time->at_low = low;
    time->at_high = max_of(high, low);
    time->shown = max_of(time->shown, (time->at_low + time->at_high) / 2);
    time->placed = time->seen = true;
}

/* Returns the ticks from the last event before a restart to the present event, estimated by the host's clock. */
static uint64_t ticks_by_host(const struct txtap_host_time *time)
{
    double low, elapsed;

    if (!time->placed || time->low == 0)
        return 0;
    low = time->has_from ? max_of(time->from, time->at_low) : time->at_low;
    elapsed = (low + time->to) / 2 - (time->at_low + time->at_high) / 2;
    return elapsed <= 0 ? 0 : (uint64_t)((time->low + time->high) / 2 * elapsed);
}

uint64_t txtap_host_time_unwrap(struct txtap_host_time *time, struct txtap_clock *clock, uint32_t stamp)
{
    uint64_t before = clock->ticks, ticks = txtap_clock_unwrap(clock, stamp), doubtful = time->doubtful;
    double period = (double)clock->period;

    time->last_doubtful = false;
    if (time->to == 0)
        return ticks;
    if (time->restarted) {
        clock->ticks += ticks_by_host(time);
    } else if (time->low > 0) {
        clock->ticks += (uint64_t)(choose_periods(time, (double)(ticks - before), period) * period);
    } else if (time->placed) {
        time->unknown_silence = max_of(time->unknown_silence, elapsed_since_last(time).low);
    }
    place(time, (double)(clock->ticks - before));
    time->restarted = false;
    if (time->placed)
        note_sight(time, clock);
    note_certain(time, clock);
    time->last_doubtful = time->doubtful > doubtful;
    return clock->ticks;
}

void txtap_host_time_restart(struct txtap_host_time *time, struct txtap_clock *clock, uint32_t mask)
{
    txtap_clock_restart(clock, mask, 0);
    forget_sights(time);
    host_rate_forget(&time->rate);
    time->before = 0;
    time->restarted = true;
}

/* ---- results ---- */

bool txtap_host_time_last_us(const struct txtap_host_time *time, uint64_t *host_us)
{
    if (time->shown == 0 || time->at_high - time->at_low > SHOWN_US)
        return false;
    *host_us = (uint64_t)time->shown;
    return true;
}

/* Returns ticks + change, at least 0. change: below 2^62. */
static uint64_t ticks_after(uint64_t ticks, double change)
{
    if (change < 0)
        return -change >= (double)ticks ? 0 : ticks - (uint64_t)-change;
    return change >= 0x1p62 ? UINT64_MAX : ticks + (uint64_t)change;
}

struct txtap_ticks_window txtap_host_time_ticks(const struct txtap_host_time *time, const struct txtap_clock *clock,
                                                uint64_t from_us, uint64_t to_us)
{
    struct txtap_ticks_window window = {0, UINT64_MAX, clock->ticks};
    double from = (double)from_us, to = (double)to_us, middle, at;

    if (time->low == 0 || !time->seen || time->restarted)
        return window;
    from -= time->at_high;
    window.from = ticks_after(clock->ticks, from * (from < 0 ? time->high : time->low) - 1);
    if (!time->placed)
        return window;
    to -= time->at_low;
    window.to = ticks_after(clock->ticks, to * (to < 0 ? time->low : time->high) + 1);
    middle = (double)from_us / 2 + (double)to_us / 2;
    at = (time->at_low + time->at_high) / 2;
    window.likely = ticks_after(clock->ticks, (middle - at) * (time->low + time->high) / 2);
    if (window.likely < window.from)
        window.likely = window.from;
    if (window.likely > window.to)
        window.likely = window.to;
    return window;
}

bool txtap_host_time_last_doubtful(const struct txtap_host_time *time)
{
    return time->last_doubtful;
}

bool txtap_host_time_rate(const struct txtap_host_time *time, double *low, double *high)
{
    bool known = time->rate.low > 0 && time->rate.high - time->rate.low <= HOST_RATE_WIDTH * time->rate.low;

    *low = known ? time->rate.low * 1e6 : 0;
    *high = known ? time->rate.high * 1e6 : 0;
    return known;
}

double txtap_host_time_rate_seconds(const struct txtap_host_time *time)
{
    const struct txtap_host_rate *rate = &time->rate;
    double low, high;

    return txtap_host_time_rate(time, &low, &high) ? (rate->sights[rate->count - 1].high - rate->sights[0].low) / 1e6
                                                   : 0;
}

bool txtap_host_time_doubtful(const struct txtap_host_time *time, const struct txtap_clock *clock)
{
    return time->doubtful > 0 || time->unknown_silence * HOST_RATE_MAX >= (double)clock->period;
}
