/* SPDX-License-Identifier: MIT */
/*
 * Conditions on the figures of a trace, for automatic tests: "wake(control).p99 <= 200us". If events were lost, a
 * figure is known only within bounds. A condition is then true only if it is true for every value within the bounds.
 *
 *   NAME [ '(' PATTERN ')' ] [ '.' STATISTIC ] OPERATOR NUMBER [ UNIT ]
 *
 * NAME: cpu load idle run response wake ready period jitter block hold wait depth stack isr inversion unbounded
 * deadlock leak failed lost switches; or the name of any other figure (figure.h): isr_load, alloc_failed, ...
 *
 * PATTERN: which threads, objects or interrupts, by name, address or number (filter.h); write \) for a ) in the
 * pattern. The condition must be true for every match. Without PATTERN: the figure of the whole trace; if there is no
 * such figure, every figure of that name.
 *
 * STATISTIC: n min mean p50 p95 p99 max sum rate value; for a stack also free, which is its value. Without STATISTIC: n
 * for counts (such as inversion, deadlock, failed, lost and switches), max for times, value for all others.
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

/* A check as it was written. */
struct txtap_check {
    const char *text;              /* borrowed */
    enum txtap_figure_id id;       /* identifies the name */
    const char *name;              /* static: as in struct txtap_figure */
    enum txtap_subject_kind about; /* subjects of its figures, besides the whole trace */
    bool counts;  /* the figures of this name count occurrences; without an occurrence there may be no figure */
    bool several; /* one subject may have several figures of that name */
    bool has_pattern;
    char pattern[TXTAP_CHECK_PATTERN_BYTES];
    enum txtap_stat stat;
    enum txtap_check_operator op;
    enum txtap_check_unit unit;
    uint64_t digits;   /* the limit is digits / 10^decimals of its unit; below 10^15 */
    unsigned decimals; /* at most 18 */
};

/* Why a text is not a check. */
struct txtap_check_error {
    size_t column;        /* in characters, from 1 */
    const char *expected; /* the text expected there: "a time with a unit: ns us ms s ticks"; static */
};

/* Parses a check. text: NUL-terminated, borrowed. False: *error is set, and *check is undefined. */
bool txtap_check_parse(struct txtap_check *check, const char *text, struct txtap_check_error *error);

/*
 * Returns the set of sections (analysis.h) that the check needs: sections with figures of its name, and sections that
 * list the threads or objects.
 */
uint32_t txtap_check_sections(const struct txtap_check *check);

/* Returns true if the limit is in seconds: without the rate of the ticks the check is undecided. */
bool txtap_check_needs_rate(const struct txtap_check *check);

/* Returns true if later events cannot undo a violation: an upper limit of a maximum, for example, but not of a mean. */
bool txtap_check_is_lasting(const struct txtap_check *check);

/*
 * Returns the limit in the unit of the figures: count, percent, ticks or 1/s. tick_hz: above 0 if the check needs it.
 */
double txtap_check_limit(const struct txtap_check *check, double tick_hz);

/* The result of a check. */
enum txtap_verdict {
    TXTAP_VERDICT_OK,
    TXTAP_VERDICT_FAILED,   /* the condition is violated, whatever the true values are */
    TXTAP_VERDICT_UNDECIDED /* the bounds allow both, or nothing was measured */
};

/* Judges a condition on a number that may be known only within bounds. */
enum txtap_verdict txtap_check_judge(enum txtap_check_operator op, const struct txtap_measure *measure, double limit);

/*
 * A check's result so far. The deciding figure has the worst verdict (failed, undecided, ok). If several figures have
 * it, the deciding figure is the farthest on the wrong side of the limit, or else the closest to the limit.
 */
struct txtap_check_result {
    enum txtap_verdict verdict;           /* the worst verdict of all matching figures */
    uint64_t matched, failed, undecided;  /* numbers of figures; matched 0: the check is a mistake */
    bool of_system;                       /* the figure of the whole trace matched: other figures do not count */
    bool exists;                          /* a figure of another name has a matching subject; the first such subject
                                             is in subject */
    struct txtap_measure total;           /* n of the whole trace */
    double perhaps;                       /* upper bound of the sum over threads without a name, which may match */
    bool doubtful;                        /* a thread without a name may violate the condition */
    struct txtap_subject subject;         /* subject of the deciding figure */
    char name[TXTAP_CHECK_SUBJECT_BYTES]; /* the subject's name; "" if it has no name */
    struct txtap_measure measure;
    struct txtap_place place; /* place of the deciding minimum or maximum */
};

/* Properties of the whole trace that a check needs. */
struct txtap_check_trace {
    double tick_hz;        /* 0: unknown */
    bool gaps;             /* events were lost */
    double unseen_percent; /* share of the trace's time that is in gaps */
};

/*
 * Completes the result. Call it after the last figure. A thread or object that has other figures, but not this one,
 * counts as a match: nothing happened to it, or nothing was measured. If events were lost, a check with a pattern is
 * not ok if it would fail for a subject whose events may all be in gaps.
 */
void txtap_check_end(const struct txtap_check *check, struct txtap_check_result *result,
                     const struct txtap_check_trace *trace);

/* Sets all fields to 0. */
void txtap_check_result_init(struct txtap_check_result *result);

/*
 * Takes a figure into account if it matches the check. subject_name: the name of the figure's subject, "" if the
 * subject has no name. tick_hz: 0 if unknown; a check that needs the rate is then undecided.
 */
void txtap_check_figure(const struct txtap_check *check, struct txtap_check_result *result,
                        const struct txtap_figure *figure, const char *subject_name, double tick_hz);

TXTAP_API_END

#endif
