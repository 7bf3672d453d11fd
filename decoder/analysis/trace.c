/* SPDX-License-Identifier: MIT */
/* The trace itself: how long it is, and what is missing. */
#include "analysis/analyses.h"

#include <math.h>

struct trace {
    struct base base;
};

static void open(void *state, struct model *model)
{
    (void)state;
    (void)model;
}

static void figures(const void *state, struct list *list)
{
    const struct model *model = ((const struct trace *)state)->base.model;
    double lost = (double)model->lost;
    struct txtap_measure measure = {true, lost, lost, model->lost_exact && !model->unsure ? lost : (double)INFINITY};

    list_number_exact(list, (struct heading){.name = "window"}, TXTAP_UNIT_TICKS,
                      (double)(model->last.ticks - model->first.ticks));
    list_number_exact(list, (struct heading){.name = "observed"}, TXTAP_UNIT_TICKS, (double)model_observed(model));
    list_number_exact(list, (struct heading){.name = "gaps"}, TXTAP_UNIT_COUNT, (double)model->gaps);
    list_bounded_count(list, (struct heading){.name = "lost"}, measure);
}

static const struct check_name names[] = {
    FIGURE("window", CHECK_TIME, VALUE, SYSTEM),
    FIGURE("observed", CHECK_TIME, VALUE, SYSTEM),
    FIGURE("gaps", CHECK_COUNT, VALUE, SYSTEM),
    FIGURE("lost", CHECK_COUNT, N, SYSTEM),
    {0},
};

const struct analysis_row trace_analysis = {
    .section = {"trace", "what was analysed"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct trace),
    .open = open,
    .figures = figures,
};
