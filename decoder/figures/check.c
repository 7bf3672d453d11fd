/* SPDX-License-Identifier: MIT */
/* Compares figures with the limits of checks. If a gap or a missing fact leaves a check open, its result is undecided,
 * never ok. */
#include "txtap/check.h"

#include <math.h>
#include <string.h>

#include "figures/named.h"
#include "model/model.h"
#include "txtap/inner/quantity.h"
#include "txtap/inner/rate.h"

static double power_of_ten(unsigned exponent)
{
    double power = 1;

    while (exponent-- > 0)
        power *= 10; /* exact up to 10^22 */
    return power;
}

bool txtap_check_needs_rate(const struct txtap_check *check)
{
    return check->unit == TXTAP_CHECK_SECONDS || check->unit == TXTAP_CHECK_PER_SECOND;
}

/*
 * Returns true if a violation is final. A figure that only grows cannot go below an upper limit again. A figure that
 * only shrinks cannot go above a lower limit again.
 */
bool txtap_check_is_lasting(const struct txtap_check *check)
{
    bool is_upper = check->op == TXTAP_CHECK_LESS || check->op == TXTAP_CHECK_LESS_EQUAL ||
                    (check->op == TXTAP_CHECK_EQUAL && check->digits == 0);
    bool is_lower = check->op == TXTAP_CHECK_GREATER || check->op == TXTAP_CHECK_GREATER_EQUAL;

    switch (check->stat) {
    case TXTAP_STAT_N:
    case TXTAP_STAT_MAX:
    case TXTAP_STAT_SUM:
        return is_upper;
    case TXTAP_STAT_MIN:
        return is_lower;
    case TXTAP_STAT_VALUE:
        if (check->id == TXTAP_FIGURE_LAST_VALUE)
            return false;
        if (check->unit == TXTAP_CHECK_PERCENT) /* other shares can also fall, because their time base grows */
            return is_lower && check->id == TXTAP_FIGURE_STACK;
        return is_upper;
    default:
        return false;
    }
}

/*
 * Computes the limit with one multiplication and one division. The limit is exact if both results are integers below
 * 2^53. For times this is the usual case.
 */
double txtap_check_limit(const struct txtap_check *check, double tick_hz)
{
    double digits = (double)check->digits;

    if (check->unit == TXTAP_CHECK_SECONDS)
        digits *= tick_hz;
    digits /= power_of_ten(check->decimals);
    return check->negative ? -digits : digits;
}

enum txtap_verdict txtap_check_judge(enum txtap_check_operator op, const struct txtap_measure *measure, double limit)
{
    double lower = measure->lower, upper = measure->upper;
    bool holds = false, violated = false; /* whether all possible values fulfil, or violate, the condition */

    if (!measure->known || !(lower <= upper))
        return TXTAP_VERDICT_UNDECIDED;
    switch (op) {
    case TXTAP_CHECK_LESS:
        holds = upper < limit;
        violated = lower >= limit;
        break;
    case TXTAP_CHECK_LESS_EQUAL:
        holds = upper <= limit;
        violated = lower > limit;
        break;
    case TXTAP_CHECK_GREATER:
        holds = lower > limit;
        violated = upper <= limit;
        break;
    case TXTAP_CHECK_GREATER_EQUAL:
        holds = lower >= limit;
        violated = upper < limit;
        break;
    case TXTAP_CHECK_EQUAL:
        holds = lower == limit && upper == limit;
        violated = upper < limit || lower > limit;
        break;
    case TXTAP_CHECK_NOT_EQUAL:
        holds = upper < limit || lower > limit;
        violated = lower == limit && upper == limit;
        break;
    }
    return holds ? TXTAP_VERDICT_OK : violated ? TXTAP_VERDICT_FAILED : TXTAP_VERDICT_UNDECIDED;
}

void txtap_check_result_init(struct txtap_check_result *result)
{
    memset(result, 0, sizeof(*result));
}

/*
 * Returns true if the subject is a thread without a known name, and the pattern matches the name of some thread at the
 * same address.
 */
static bool subject_may_match(const char *pattern, const struct txtap_subject *subject, const char *subject_name)
{
    return subject->lives != NULL && *subject_name == '\0' &&
           model_may_be_named(subject->lives, subject->number, pattern);
}

static bool subject_matches(const char *pattern, const struct txtap_subject *subject, const char *subject_name)
{
    return subject->kind != TXTAP_SUBJECT_SYSTEM && is_named(pattern, subject->number, subject_name);
}

/* Returns true if the figure is about the whole trace. A figure with a detail is about a part of the trace. */
static bool is_of_trace(const struct txtap_figure *figure)
{
    return figure->subject.kind == TXTAP_SUBJECT_SYSTEM && *figure->detail == '\0';
}

/*
 * Returns true if the check is about the figure. A check without a pattern is about the figure of the whole trace. If
 * the whole trace has no such figure, the check is about all figures with its name.
 */
static bool is_about(const struct txtap_check *check, struct txtap_check_result *result,
                     const struct txtap_figure *figure, const char *subject_name)
{
    if (check->id != figure->id || figure->subject.kind == TXTAP_SUBJECT_UNKNOWN ||
        strcmp(figure->detail, "unknown") == 0)
        return false; /* a figure of an unknown subject proves nothing: gaps add to it */
    if (check->has_pattern)
        return subject_matches(check->pattern, &figure->subject, subject_name);
    if (is_of_trace(figure) && !result->of_system) {
        txtap_check_result_init(result);
        result->of_system = true;
    }
    return is_of_trace(figure) || !result->of_system;
}

/* Returns the rank of a verdict. A worse verdict has a larger rank. */
static unsigned severity(enum txtap_verdict verdict)
{
    return verdict == TXTAP_VERDICT_FAILED ? 2 : verdict == TXTAP_VERDICT_UNDECIDED ? 1 : 0;
}

static bool is_farther(enum txtap_check_operator op, const struct txtap_measure *a, const struct txtap_measure *b)
{
    if (!a->known || !b->known)
        return !a->known && b->known;
    if (op == TXTAP_CHECK_LESS || op == TXTAP_CHECK_LESS_EQUAL)
        return txtap_measure_seen(a) > txtap_measure_seen(b);
    if (op == TXTAP_CHECK_GREATER || op == TXTAP_CHECK_GREATER_EQUAL)
        return txtap_measure_seen(a) < txtap_measure_seen(b);
    return false;
}

static void keep_subject(struct txtap_check_result *result, const struct txtap_subject *subject,
                         const char *subject_name)
{
    size_t length = strlen(subject_name);

    if (length >= sizeof(result->name))
        length = sizeof(result->name) - 1;
    memcpy(result->name, subject_name, length);
    result->name[length] = '\0';
    result->subject = *subject;
    result->subject.name = NULL; /* the pointers may be invalid when the result is read */
    result->subject.lives = NULL;
}

static struct txtap_place place_of(const struct txtap_figure *figure, enum txtap_stat stat)
{
    if (stat == TXTAP_STAT_MIN)
        return figure->min_at;
    if (stat == TXTAP_STAT_MAX || stat == TXTAP_STAT_VALUE)
        return figure->max_at;
    return (struct txtap_place){0};
}

/*
 * Returns the number of a figure, with wider bounds if it depends on an inexact rate. The bounds contain the true
 * number if the limit is computed with rate->hz. If the true rate is higher, the same ticks are less time, and the same
 * events are more per second.
 */
static struct txtap_measure at_rate(const struct txtap_check *check, const struct txtap_measure *measure,
                                    const struct txtap_rate *rate)
{
    struct txtap_measure number = *measure;
    double longest, shortest; /* the true time of a measured time of 1 */

    if (!txtap_check_needs_rate(check) || !txtap_rate_is_inexact(rate))
        return number;
    longest = rate->hz / rate->low;
    shortest = rate->hz / rate->high;
    if (check->unit == TXTAP_CHECK_SECONDS) {
        number.lower *= shortest;
        number.upper *= longest;
    } else {
        number.lower /= longest;
        number.upper /= shortest;
    }
    return number;
}

/* Judges the check's condition on a number of a figure. */
static enum txtap_verdict judge(const struct txtap_check *check, const struct txtap_measure *measure,
                                const struct txtap_rate *rate)
{
    struct txtap_measure number = at_rate(check, measure, rate);

    if (txtap_check_needs_rate(check) && rate->how == TXTAP_RATE_UNKNOWN)
        return TXTAP_VERDICT_UNDECIDED;
    return txtap_check_judge(check->op, &number, txtap_check_limit(check, rate->hz));
}

static void take(const struct txtap_check *check, struct txtap_check_result *result, const struct txtap_figure *figure,
                 const char *subject_name, const struct txtap_rate *rate)
{
    const struct txtap_measure *measure = &figure->stat[check->stat];
    enum txtap_verdict verdict = judge(check, measure, rate);

    if (result->matched == 0 || severity(verdict) > severity(result->verdict) ||
        (verdict == result->verdict && is_farther(check->op, measure, &result->measure))) {
        result->verdict = verdict;
        result->measure = verdict == TXTAP_VERDICT_UNDECIDED ? at_rate(check, measure, rate) : *measure;
        result->measure.value = txtap_measure_seen(&result->measure);
        result->place = place_of(figure, check->stat);
        keep_subject(result, &figure->subject, subject_name);
    }
    result->matched++;
    result->failed += verdict == TXTAP_VERDICT_FAILED;
    result->undecided += verdict == TXTAP_VERDICT_UNDECIDED;
}

/* Notes that the trace has a subject of the check. The subject may have no figure with the check's name. */
static void note_other(const struct txtap_check *check, struct txtap_check_result *result,
                       const struct txtap_figure *figure, const char *subject_name)
{
    if (check->id == figure->id && is_of_trace(figure))
        result->total = figure->stat[TXTAP_STAT_N];
    if (result->matched > 0 || result->exists || figure->subject.kind != check->about || !check->has_pattern ||
        !subject_matches(check->pattern, &figure->subject, subject_name))
        return;
    result->exists = true;
    keep_subject(result, &figure->subject, subject_name);
}

static void note_perhaps(const struct txtap_check *check, struct txtap_check_result *result,
                         const struct txtap_figure *figure, const char *subject_name, const struct txtap_rate *rate)
{
    const struct txtap_measure *measure = &figure->stat[check->stat];

    if (!check->has_pattern || check->id != figure->id ||
        !subject_may_match(check->pattern, &figure->subject, subject_name))
        return;
    result->perhaps += measure->known ? measure->upper : 0;
    if (judge(check, measure, rate) != TXTAP_VERDICT_OK)
        result->doubtful = true;
}

void txtap_check_figure(const struct txtap_check *check, struct txtap_check_result *result,
                        const struct txtap_figure *figure, const char *subject_name, const struct txtap_rate *rate)
{
    if (is_about(check, result, figure, subject_name)) {
        take(check, result, figure, subject_name, rate);
        return;
    }
    note_other(check, result, figure, subject_name);
    note_perhaps(check, result, figure, subject_name, rate);
}

/* Returns true if the result may change, because threads without a known name may match the pattern. */
static bool is_doubtful(const struct txtap_check *check, const struct txtap_check_result *result,
                        const struct txtap_rate *rate)
{
    struct txtap_measure all = result->measure;

    all.upper += result->perhaps;
    return result->doubtful || (result->perhaps > 0 && judge(check, &all, rate) != TXTAP_VERDICT_OK);
}

/*
 * Judges the value 0 for the check's subject. Call it if the trace has this subject, but the subject has no figure with
 * the check's name.
 */
static void take_none(const struct txtap_check *check, struct txtap_check_result *result, const struct txtap_rate *rate)
{
    struct txtap_figure none = {.id = check->id, .subject = result->subject};
    double upper = result->total.upper - result->total.value; /* maximum number of events that gaps hide */
    char name[sizeof(result->name)];

    if (check->counts && result->total.known) {
        none.stat[TXTAP_STAT_N] = (struct txtap_measure){true, 0, 0, upper};
        none.stat[TXTAP_STAT_RATE] = (struct txtap_measure){upper == 0, 0, 0, 0};
    }
    memcpy(name, result->name, sizeof(name));
    take(check, result, &none, name, rate);
}

/* Returns true if the check can match only one figure. */
static bool is_of_one(const struct txtap_check *check, const struct txtap_check_result *result)
{
    if (!check->has_pattern)
        return result->of_system;
    return check->pattern[strcspn(check->pattern, "*?[")] == '\0' && !check->several;
}

void txtap_check_end(const struct txtap_check *check, struct txtap_check_result *result,
                     const struct txtap_check_trace *trace)
{
    struct txtap_measure hidden = {true, 0, 0, check->unit == TXTAP_CHECK_PERCENT ? 100 : (double)INFINITY};

    if (result->matched == 0 && result->exists)
        take_none(check, result, &trace->rate);
    if (result->matched > 0 && result->verdict == TXTAP_VERDICT_OK && is_doubtful(check, result, &trace->rate))
        result->verdict = TXTAP_VERDICT_UNDECIDED;
    if (check->about == TXTAP_SUBJECT_VARIABLE) /* gaps hide no samples */
        return;
    if (!trace->gaps || result->matched == 0 || result->verdict != TXTAP_VERDICT_OK || is_of_one(check, result))
        return;
    if (check->id == TXTAP_FIGURE_CPU)
        hidden.upper = trace->unseen_percent;
    if (judge(check, &hidden, &trace->rate) != TXTAP_VERDICT_OK)
        result->verdict = TXTAP_VERDICT_UNDECIDED;
}
