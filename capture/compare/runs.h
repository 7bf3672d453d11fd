/* SPDX-License-Identifier: MIT */
/* The two sides of a comparison: each side has the figures of one or more runs of the same firmware. */
#ifndef TXTAP_CAPTURE_COMPARE_RUNS_H
#define TXTAP_CAPTURE_COMPARE_RUNS_H

#include "compare/baseline.h"
#include "figures/figures.h"

struct run {
    struct figures figures; /* owned and detached */
    struct baseline index;  /* the same figures by key; `position` is the index in `figures` */
};

struct side {
    const char *label; /* "A" or "B"; static */
    struct run *runs;  /* `count` runs; owned */
    size_t count;
};

/* Adds a run, and takes the figures over. TXTAP_ERROR_SYSTEM: no memory; *figures is unchanged, and error has the
 * cause. */
enum txtap_status side_add(struct side *side, struct figures *figures, struct error *error);
void side_free(struct side *side);

/* Returns the observed time of a run: in seconds, or in ticks if the rate is unknown. */
double run_observed(const struct run *run);

/* Returns the figure of a run that has the key of the figure `named`, which may belong to another run. NULL: no figure,
 * or several figures, have this key. */
const struct named_figure *run_figure(const struct run *run, const struct named_figure *named);

#endif
