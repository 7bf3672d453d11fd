/* SPDX-License-Identifier: MIT */
/* Keeps runs in the order in which they were added. */
#include "compare/runs.h"

#include <stdlib.h>

enum txtap_status side_add(struct side *side, struct figures *figures, struct error *error)
{
    struct run *runs = realloc(side->runs, (side->count + 1) * sizeof *runs);
    enum txtap_status status;

    if (runs == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to compare %zu runs", side->count + 1);
    side->runs = runs;
    status = baseline_take(&runs[side->count].index, figures, error);
    if (status != TXTAP_OK)
        return status;
    runs[side->count++].figures = *figures;
    *figures = (struct figures){0};
    return TXTAP_OK;
}

void side_free(struct side *side)
{
    for (size_t i = 0; i < side->count; i++) {
        baseline_free(&side->runs[i].index);
        figures_free(&side->runs[i].figures);
    }
    free(side->runs);
    *side = (struct side){0};
}

double run_observed(const struct run *run)
{
    double ticks = (double)run->figures.summary.observed_ticks;

    return run->figures.tick_hz > 0 ? ticks / run->figures.tick_hz : ticks;
}

const struct named_figure *run_figure(const struct run *run, const struct named_figure *named)
{
    char key[BASELINE_KEY_BYTES];
    const struct baseline_figure *found = baseline_only(&run->index, baseline_figure_key(key, named));

    return found != NULL ? &run->figures.at[found->position] : NULL;
}
