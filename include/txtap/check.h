/* SPDX-License-Identifier: MIT */
/*
 * Conditions on the figures of a trace, for automatic tests: "wake(control).p99 <= 200us". If events were lost, or if
 * the rate of the time stamps was measured, a figure is known only within bounds. A condition is then true only if it
 * is true for every value within the bounds.
 *
 *   NAME [ '(' PATTERN ')' ] [ '.' STATISTIC ] OPERATOR NUMBER [ UNIT ]
 *
 * NAME: cpu load idle run response wake ready period jitter block hold wait depth stack isr inversion unbounded
 * deadlock leak failed lost switches value state; or the name of any other figure (figure.h): isr_load, alloc_failed,
 * ...
 *
 * PATTERN: which threads, objects or interrupts, by name, address or number (filter.h); write \) for a ) in the
 * pattern. The condition must be true for every match of the pattern. Without PATTERN, the condition applies to the
 * figure of the whole trace; if there is no such figure, to every figure of that name.
 *
 * For values of variables, without STATISTIC: max for an upper limit, min for a lower limit. The limit may be negative.
 * A state of a variable is a subject of its own: state(mode:RUNNING) <= 10%. Figures of variables describe the samples.
 *
 * STATISTIC: n min mean p50 p95 p99 max sum rate value; for a stack also free, which is its value, and used,
 * which is the value of stack_used. Without STATISTIC: n for counts (such as inversion, deadlock, failed, lost and
 * switches), max for times, value for all others.
 *
 * OPERATOR: < <= > >= == !=
 *
 * UNIT: % for shares, such as cpu, load, idle and stack; ns us ms s or ticks for times other than 0; bytes; /s for
 * rate; no unit for counts.
 */
#ifndef TXTAP_CHECK_H
#define TXTAP_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/figure.h"
#include "txtap/rate.h"

TXTAP_API_BEGIN

#define TXTAP_CHECK_PATTERN_BYTES 128 /* NUL included */
#define TXTAP_CHECK_SUBJECT_BYTES 64  /* NUL included: a longer name in a result is cut */

enum txtap_check_operator {
    TXTAP_CHECK_LESS,
    TXTAP_CHECK_LESS_EQUAL,
    TXTAP_CHECK_GREATER,
    TXTAP_CHECK_GREATER_EQUAL,
    TXTAP_CHECK_EQUAL,
    TXTAP_CHECK_NOT_EQUAL
};

enum txtap_check_unit {
    TXTAP_CHECK_COUNT,
    TXTAP_CHECK_PERCENT,
    TXTAP_CHECK_TICKS,
    TXTAP_CHECK_SECONDS,
    TXTAP_CHECK_PER_SECOND,
    TXTAP_CHECK_BYTES
};

/* A check, parsed from the user's text. */
struct txtap_check {
    const char *text;              /* borrowed */
    enum txtap_figure_id id;       /* identifies the name */
    const char *name;              /* static: as in struct txtap_figure */
    enum txtap_subject_kind about; /* kind of the subjects of the figures, besides the whole trace */
    bool counts;                   /* the figures count occurrences; if nothing occurred, there may be no figure */
    bool several;                  /* one subject may have several figures of that name */
    bool has_pattern;
    char pattern[TXTAP_CHECK_PATTERN_BYTES];
    enum txtap_stat stat;
    enum txtap_check_operator op;
    enum txtap_check_unit unit;
    uint64_t digits;   /* limit = digits / 10^decimals, in unit; digits is below 10^15 */
    bool negative;     /* the limit is the negative of this number; only for values of variables */
    unsigned decimals; /* at most 18 */
};

/* The reason why a text is not a valid check. */
struct txtap_check_error {
    size_t column;        /* in characters, from 1 */
    const char *expected; /* the text expected at this column: "a time with a unit: ns us ms s ticks"; static */
};

/* Parses a check. text: NUL-terminated, borrowed. False: *error is set, and *check is undefined. */
bool txtap_check_parse(struct txtap_check *check, const char *text, struct txtap_check_error *error);

/*
 * Returns the set of sections (analysis.h) that the check needs: sections with figures of its name, and sections that
 * list the threads or objects.
 */
uint32_t txtap_check_sections(const struct txtap_check *check);

/* Returns true if the limit is in seconds. Such a check is undecided if the tick rate is unknown. */
bool txtap_check_needs_rate(const struct txtap_check *check);

/*
 * Returns true if later events cannot undo a violation: for example, for an upper limit of a maximum, but not of a
 * mean.
 */
bool txtap_check_is_lasting(const struct txtap_check *check);

/*
 * Returns the limit in the unit of the figures: count, percent, ticks or 1/s. tick_hz: above 0 if the check needs it.
 */
double txtap_check_limit(const struct txtap_check *check, double tick_hz);

/* The result of a check. */
enum txtap_verdict {
    TXTAP_VERDICT_OK,
    TXTAP_VERDICT_FAILED,   /* the condition is violated for every value within the bounds */
    TXTAP_VERDICT_UNDECIDED /* true for some values within the bounds and false for others, or nothing was measured */
};

/* Judges a condition on a number that may be known only within bounds. */
enum txtap_verdict txtap_check_judge(enum txtap_check_operator op, const struct txtap_measure *measure, double limit);

/*
 * A check's result so far. The deciding figure has the worst verdict; failed is worse than undecided, and undecided is
 * worse than ok. If several figures have the worst verdict, the figure that violates the limit by most decides; if no
 * figure violates the limit, the figure closest to it decides.
 */
struct txtap_check_result {
    enum txtap_verdict verdict;          /* the worst verdict of all matching figures */
    uint64_t matched, failed, undecided; /* numbers of figures; matched 0: the check is a mistake */
    bool of_system;                      /* the figure of the whole trace matched, so no other figure counts */
    bool exists;                /* a figure of another name has a matching subject; subject is the first such subject */
    struct txtap_measure total; /* n of the whole trace's figure */
    double perhaps;             /* upper bound of the sum over threads without a name; such a thread may match */
    bool doubtful;              /* a thread without a name may violate the condition */
    struct txtap_subject subject;         /* subject of the deciding figure */
    char name[TXTAP_CHECK_SUBJECT_BYTES]; /* the subject's name; "" if it has no name */
    struct txtap_measure measure;         /* if the verdict is undecided, the bounds include the error of the rate */
    struct txtap_place place;             /* place of the deciding minimum or maximum */
};

/* Properties of the whole trace that a check needs. */
struct txtap_check_trace {
    struct txtap_rate rate;
    bool gaps;             /* events were lost */
    double unseen_percent; /* share of the trace's time that is in gaps */
};

/*
 * Completes the result. Call it after the last figure. A thread or object that has only figures of other names also
 * counts as a match: nothing happened to it, or nothing was measured. If events were lost, all events of a subject may
 * be in gaps. A check with a pattern is not ok if it would fail for such a subject.
 */
void txtap_check_end(const struct txtap_check *check, struct txtap_check_result *result,
                     const struct txtap_check_trace *trace);

/* Sets all fields to 0. */
void txtap_check_result_init(struct txtap_check_result *result);

/*
 * Takes a figure into account if it matches the check. subject_name: the name of the figure's subject, "" if the
 * subject has no name. rate: if it is unknown, a check that needs it is undecided. If it was measured, such a check
 * must have the same result for all rates within its bounds.
 */
void txtap_check_figure(const struct txtap_check *check, struct txtap_check_result *result,
                        const struct txtap_figure *figure, const char *subject_name, const struct txtap_rate *rate);

TXTAP_API_END

#endif
