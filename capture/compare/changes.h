/* SPDX-License-Identifier: MIT */
/* The numbers of two sides next to each other, and which of them have changed. */
#ifndef TXTAP_CAPTURE_COMPARE_CHANGES_H
#define TXTAP_CAPTURE_COMPARE_CHANGES_H

#include "compare/gate.h"
#include "compare/runs.h"

/* Smaller differences are never a change. Share of the larger number. */
#define CHANGES_TOLERANCE_UNKNOWN 0.2  /* if the noise is unknown */
#define CHANGES_TOLERANCE_KNOWN   0.02 /* if the noise is known */

enum change_kind {
    CHANGE_WORSE,   /* a figure of gate.h became worse */
    CHANGE_BETTER,  /* a figure of gate.h became better */
    CHANGE_OTHER,   /* another figure changed */
    CHANGE_UNSURE,  /* it may have changed: events were lost, and the bounds of both sides overlap */
    CHANGE_NOISE,   /* no change beyond the noise or the threshold */
    CHANGE_UNKNOWN, /* not judged: the noise of an extreme value is unknown */
    CHANGE_KINDS
};

struct change_side {
    size_t runs;         /* runs with this number that were compared */
    double middle;       /* median of the runs */
    double low, high;    /* smallest and largest number of the runs */
    double lower, upper; /* bounds of the true numbers; infinite: no limit */
};

/* A number of both sides. Times are in seconds if all runs have a rate, otherwise in ticks. */
struct change {
    const struct named_figure *figure; /* of the first run that has it; borrowed */
    size_t group;                      /* numbers of the same figure have the same group */
    size_t order;                      /* position among the numbers of the figure */
    enum txtap_stat stat;
    bool per_time;    /* the number is a count per second, or per tick if the rate is unknown */
    bool has_rate;    /* as in struct changes */
    bool noise_known; /* both sides have NOISE_RUNS_MIN runs */
    bool principal;   /* the first number of its figure in the list */
    enum change_kind kind;
    struct change_side side[2];
    double factor; /* middle of the second side divided by that of the first; infinite if only the first is 0 */
    double lead;   /* how far the factor of the first number of this figure and kind is from 1 */
    double chance; /* the chance of this distance if nothing has changed; 1 if the noise is unknown */
};

struct changes {
    const struct side *sides; /* 2 sides; borrowed */
    bool has_rate;            /* all runs have a rate */
    double tolerance[2];      /* if the noise is unknown, and if it is known */
    /* `count` numbers: by kind, causes (gate.h) before effects, and the largest factor first. */
    struct change *at;
    size_t count;
    size_t figures;                      /* figures that both sides have */
    size_t judged;                       /* numbers that were judged */
    size_t by_kind[CHANGE_KINDS];        /* figures, by the kind of their first number */
    bool unsure_worse;                   /* a number of gate.h is CHANGE_UNSURE, and may be worse */
    const struct named_figure **only[2]; /* only_count[i] figures that only side i has: in all of its runs */
    size_t only_count[2];
};

/*
 * Compares two sides with at least one run each. sides: borrowed. tolerance: 0.2 for 20 %; below 0: the defaults.
 * TXTAP_ERROR_USAGE: some runs have seconds and others only ticks. TXTAP_ERROR_SYSTEM: no memory. error has the cause.
 * On success the caller frees *changes with changes_free().
 */
enum txtap_status changes_make(struct changes *changes, const struct side sides[2], double tolerance,
                               struct error *error);
void changes_free(struct changes *changes);

/* Returns the number of figures that have changed. */
static inline size_t changes_total(const struct changes *changes)
{
    return changes->by_kind[CHANGE_WORSE] + changes->by_kind[CHANGE_BETTER] + changes->by_kind[CHANGE_OTHER];
}

/* Returns EXIT_CHECK_FAILED if a figure is worse, EXIT_CHECK_UNDECIDED if a figure may be worse or if no number was
 * judged, and otherwise EXIT_DONE. */
enum exit_code changes_exit_code(const struct changes *changes);

#endif
