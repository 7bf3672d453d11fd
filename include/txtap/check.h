/* SPDX-License-Identifier: MIT */
/*
 * Conditions on the figures of a trace, for automatic tests: "wake(control).p99 <= 200us". A condition on figures that
 * are known only within bounds, because events were lost, holds if it holds for every value within the bounds.
 *
 *   NAME [ '(' PATTERN ')' ] [ '.' STATISTIC ] OPERATOR NUMBER [ UNIT ]
 *
 * NAME: cpu load idle run response wake ready period jitter block hold wait depth stack isr inversion unbounded
 * deadlock leak failed lost switches; or the name of any other figure (figure.h): isr_load, alloc_failed, ...
 *
 * PATTERN: which threads, objects or interrupts, by name, address or number (filter.h); a \ stands before a ) that is
 * part of it. All that match must hold. Without it: the figure of the whole trace, or else all there are.
 *
 * STATISTIC: n min mean p50 p95 p99 max sum rate value, or free of a stack, which is its value. Without it: n of
 * what is counted, such as inversion, deadlock, failed, lost and switches, the maximum of times, and the one number of
 * all others.
 *
 * OPERATOR: < <= > >= == !=
 *
 * UNIT: % of shares, such as cpu, load, idle and stack; ns us ms s or ticks of times, unless they are 0; bytes; /s of
 * rate; none of counts.
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
#define TXTAP_CHECK_SUBJECT_BYTES 64  /* the same, of a name in a result; a longer one is cut */

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
    const char *name;              /* static: as in struct txtap_figure */
    enum txtap_subject_kind about; /* what its figures are of, besides the whole trace */
    bool counts;                   /* it counts what happened: where nothing happened there may be no figure */
    bool several;                  /* one subject may have several figures of that name */
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
    const char *expected; /* what should be there: "a time with a unit: ns us ms s ticks"; static */
};

/* text: NUL-terminated, borrowed. False: *error is set, and *check is undefined. */
bool txtap_check_parse(struct txtap_check *check, const char *text, struct txtap_check_error *error);

/* The sections (analysis.h) whose figures it looks at: those of its name, and those that tell which threads or objects
 * there are. */
uint32_t txtap_check_sections(const struct txtap_check *check);

/* Does it compare with seconds, so that it cannot be decided without the rate of the ticks? */
bool txtap_check_needs_rate(const struct txtap_check *check);

/* Does a violation last, whatever comes later? That of a maximum's upper limit does, that of a mean's does not. */
bool txtap_check_is_lasting(const struct txtap_check *check);

/* The limit in the unit of the figures: count, percent, ticks or 1/s. tick_hz: above 0 if the check needs it. */
double txtap_check_limit(const struct txtap_check *check, double tick_hz);

/* What a check says of a trace. */
enum txtap_verdict {
    TXTAP_VERDICT_OK,
    TXTAP_VERDICT_FAILED,   /* it is violated, whatever the true values are */
    TXTAP_VERDICT_UNDECIDED /* the bounds allow both, or nothing was measured */
};

/* A condition on a number of which only bounds may be known. */
enum txtap_verdict txtap_check_judge(enum txtap_check_operator op, const struct txtap_measure *measure, double limit);

/*
 * A check's result so far. Its figure is the one that decides: of the figures with the worst verdict (failed,
 * undecided, ok) the one farthest on the wrong side of the limit, or closest to it.
 */
struct txtap_check_result {
    enum txtap_verdict verdict;           /* of all that match */
    uint64_t matched, failed, undecided;  /* how many figures; if none matched, the check is a mistake */
    bool of_system;                       /* the figure of the whole trace has matched: others do not count */
    bool exists;                          /* figures of another name are about what it is about: this is the first */
    struct txtap_measure total;           /* n of the whole trace */
    double perhaps;                       /* threads without a name may match: the sum of their figures, at most */
    bool doubtful;                        /* for one of them it may not hold */
    struct txtap_subject subject;         /* of the figure that decides */
    char name[TXTAP_CHECK_SUBJECT_BYTES]; /* its subject's name, "" if it has none */
    struct txtap_measure measure;
    struct txtap_place place; /* of a minimum or maximum that decides */
};

/* What matters of a trace as a whole. */
struct txtap_check_trace {
    double tick_hz;        /* 0: unknown */
    bool gaps;             /* events were lost */
    double unseen_percent; /* how much of its time gaps hide */
};

/*
 * Once all figures are taken. A thread or object of which the trace has other figures, but not this one, counts as a
 * match: nothing happened to it, or nothing was measured. If events were lost, a check of all that match a pattern is
 * not ok if it would fail for one that gaps may hide.
 */
void txtap_check_end(const struct txtap_check *check, struct txtap_check_result *result,
                     const struct txtap_check_trace *trace);

/* All of it 0 is a result to start with. */
void txtap_check_result_init(struct txtap_check_result *result);

/*
 * Takes a figure into account if the check is about it. subject_name: the name of its subject, "" if it has none.
 * tick_hz: 0 is unknown; a check that needs it is undecided then.
 */
void txtap_check_figure(const struct txtap_check *check, struct txtap_check_result *result,
                        const struct txtap_figure *figure, const char *subject_name, double tick_hz);

TXTAP_API_END

#endif
