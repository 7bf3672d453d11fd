/* SPDX-License-Identifier: MIT */
/* Compares figures with the limits of checks. What is not certain is undecided, never ok. */
#include "txtap/check.h"

#include <math.h>
#include <string.h>

#include "figures/named.h"
#include "model/model.h"

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

/* What only grows, or only shrinks, as events come. */
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
        if (check->unit == TXTAP_CHECK_PERCENT) /* the others are parts of a time that grows */
            return is_lower && strcmp(check->name, "stack") == 0;
        return is_upper;
    default:
        return false;
    }
}

/* One multiplication and one division: exact wherever both results are integers below 2^53, as times usually are. */
double txtap_check_limit(const struct txtap_check *check, double tick_hz)
{
    double digits = (double)check->digits;

    if (check->unit == TXTAP_CHECK_SECONDS)
        digits *= tick_hz;
    return digits / power_of_ten(check->decimals);
}

enum txtap_verdict txtap_check_judge(enum txtap_check_operator op, const struct txtap_measure *measure, double limit)
{
    double lower = measure->lower, upper = measure->upper;
    bool holds = false, violated = false; /* for all values within the bounds */

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

/* Is it a thread without a name that may be one of those at its address that match? */
static bool subject_may_match(const char *pattern, const struct txtap_subject *subject, const char *subject_name)
{
    return subject->lives != NULL && *subject_name == '\0' &&
           model_may_be_named(subject->lives, subject->number, pattern);
}

static bool subject_matches(const char *pattern, const struct txtap_subject *subject, const char *subject_name)
{
    return subject->kind != TXTAP_SUBJECT_SYSTEM && is_named(pattern, subject->number, subject_name);
}

/* Is it of the whole trace, and not of a part of it that has no name? */
static bool is_of_trace(const struct txtap_figure *figure)
{
    return figure->subject.kind == TXTAP_SUBJECT_SYSTEM && *figure->detail == '\0';
}

/* Without a pattern: the whole trace's figure alone, if there is one. */
static bool is_about(const struct txtap_check *check, struct txtap_check_result *result,
                     const struct txtap_figure *figure, const char *subject_name)
{
    if (strcmp(check->name, figure->name) != 0 || figure->subject.kind == TXTAP_SUBJECT_UNKNOWN ||
        strcmp(figure->detail, "unknown") == 0)
        return false; /* what is not known says nothing, and there is more of it with gaps */
    if (check->has_pattern)
        return subject_matches(check->pattern, &figure->subject, subject_name);
    if (is_of_trace(figure) && !result->of_system) {
        txtap_check_result_init(result);
        result->of_system = true;
    }
    return is_of_trace(figure) || !result->of_system;
}

/* Greater is worse. */
static unsigned severity(enum txtap_verdict verdict)
{
    return verdict == TXTAP_VERDICT_FAILED ? 2 : verdict == TXTAP_VERDICT_UNDECIDED ? 1 : 0;
}

static bool is_farther(enum txtap_check_operator op, const struct txtap_measure *a, const struct txtap_measure *b)
{
    if (!a->known || !b->known)
        return !a->known && b->known;
    if (op == TXTAP_CHECK_LESS || op == TXTAP_CHECK_LESS_EQUAL)
        return a->value > b->value;
    if (op == TXTAP_CHECK_GREATER || op == TXTAP_CHECK_GREATER_EQUAL)
        return a->value < b->value;
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
    result->subject.name = NULL; /* they may be gone when the result is read */
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

static void take(const struct txtap_check *check, struct txtap_check_result *result, const struct txtap_figure *figure,
                 const char *subject_name, double tick_hz)
{
    const struct txtap_measure *measure = &figure->stat[check->stat];
    enum txtap_verdict verdict = TXTAP_VERDICT_UNDECIDED;

    if (!txtap_check_needs_rate(check) || tick_hz > 0)
        verdict = txtap_check_judge(check->op, measure, txtap_check_limit(check, tick_hz));
    if (result->matched == 0 || severity(verdict) > severity(result->verdict) ||
        (verdict == result->verdict && is_farther(check->op, measure, &result->measure))) {
        result->verdict = verdict;
        result->measure = *measure;
        result->place = place_of(figure, check->stat);
        keep_subject(result, &figure->subject, subject_name);
    }
    result->matched++;
    result->failed += verdict == TXTAP_VERDICT_FAILED;
    result->undecided += verdict == TXTAP_VERDICT_UNDECIDED;
}

/* Is there what the check is about, though no figure of its name says so? */
static void note_other(const struct txtap_check *check, struct txtap_check_result *result,
                       const struct txtap_figure *figure, const char *subject_name)
{
    if (strcmp(check->name, figure->name) == 0 && is_of_trace(figure))
        result->total = figure->stat[TXTAP_STAT_N];
    if (result->matched > 0 || result->exists || figure->subject.kind != check->about || !check->has_pattern ||
        !subject_matches(check->pattern, &figure->subject, subject_name))
        return;
    result->exists = true;
    keep_subject(result, &figure->subject, subject_name);
}

static void note_perhaps(const struct txtap_check *check, struct txtap_check_result *result,
                         const struct txtap_figure *figure, const char *subject_name, double tick_hz)
{
    const struct txtap_measure *measure = &figure->stat[check->stat];

    if (!check->has_pattern || strcmp(check->name, figure->name) != 0 ||
        !subject_may_match(check->pattern, &figure->subject, subject_name))
        return;
    result->perhaps += measure->known ? measure->upper : 0;
    if (txtap_check_judge(check->op, measure, txtap_check_limit(check, tick_hz)) != TXTAP_VERDICT_OK)
        result->doubtful = true;
}

void txtap_check_figure(const struct txtap_check *check, struct txtap_check_result *result,
                        const struct txtap_figure *figure, const char *subject_name, double tick_hz)
{
    if (is_about(check, result, figure, subject_name)) {
        take(check, result, figure, subject_name, tick_hz);
        return;
    }
    note_other(check, result, figure, subject_name);
    note_perhaps(check, result, figure, subject_name, tick_hz);
}

/* Does it not hold if the threads without a name are those that match? */
static bool is_doubtful(const struct txtap_check *check, const struct txtap_check_result *result, double tick_hz)
{
    struct txtap_measure all = result->measure;

    all.upper += result->perhaps;
    return result->doubtful ||
           (result->perhaps > 0 &&
            txtap_check_judge(check->op, &all, txtap_check_limit(check, tick_hz)) != TXTAP_VERDICT_OK);
}

/* The trace knows what the check is about, but has no figure of it. */
static void take_none(const struct txtap_check *check, struct txtap_check_result *result, double tick_hz)
{
    struct txtap_figure none = {.name = check->name, .subject = result->subject};
    double upper = result->total.upper - result->total.value; /* what gaps hide of the whole trace */
    char name[sizeof(result->name)];

    if (check->counts && result->total.known) {
        none.stat[TXTAP_STAT_N] = (struct txtap_measure){true, 0, 0, upper};
        none.stat[TXTAP_STAT_RATE] = (struct txtap_measure){upper == 0, 0, 0, 0};
    }
    memcpy(name, result->name, sizeof(name));
    take(check, result, &none, name, tick_hz);
}

/* Is it of one figure only, whatever the trace has? */
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
        take_none(check, result, trace->tick_hz);
    if (result->matched > 0 && result->verdict == TXTAP_VERDICT_OK && is_doubtful(check, result, trace->tick_hz))
        result->verdict = TXTAP_VERDICT_UNDECIDED;
    if (!trace->gaps || result->matched == 0 || result->verdict != TXTAP_VERDICT_OK || is_of_one(check, result))
        return;
    if (strcmp(check->name, "cpu") == 0)
        hidden.upper = trace->unseen_percent;
    if (txtap_check_judge(check->op, &hidden, txtap_check_limit(check, trace->tick_hz)) != TXTAP_VERDICT_OK)
        result->verdict = TXTAP_VERDICT_UNDECIDED;
}
