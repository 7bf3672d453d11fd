/* SPDX-License-Identifier: MIT */
/* Names of the statistics that a figure can have, and its samples as bars. */
#include "txtap/figure.h"

#include "figures/histogram.h"

const char *txtap_stat_name(enum txtap_stat stat)
{
    static const char *const names[TXTAP_STATS] = {
        [TXTAP_STAT_VALUE] = "value", [TXTAP_STAT_N] = "n",       [TXTAP_STAT_MIN] = "min", [TXTAP_STAT_MEAN] = "mean",
        [TXTAP_STAT_P50] = "p50",     [TXTAP_STAT_P95] = "p95",   [TXTAP_STAT_P99] = "p99", [TXTAP_STAT_MAX] = "max",
        [TXTAP_STAT_SUM] = "sum",     [TXTAP_STAT_RATE] = "rate",
    };

    return (size_t)stat < TXTAP_STATS ? names[stat] : NULL;
}

size_t txtap_figure_bars(const struct txtap_figure *figure, struct txtap_bar *bars, size_t bars_max)
{
    const struct histogram *samples = figure->samples;
    struct histogram_bucket bucket;
    uint32_t first, last, width = 1;
    size_t position = 0, count;

    if (samples == NULL || samples->n == 0 || samples->missed > 0)
        return 0;
    first = histogram_step(samples->min);
    last = histogram_step(samples->max);
    while ((last - first / width * width) / width >= bars_max)
        width *= 2;
    first = first / width * width;
    count = (last - first) / width + 1;
    for (uint32_t i = 0; i < count; i++)
        bars[i] = (struct txtap_bar){histogram_step_low(first + i * width),
                                     histogram_step_low(first + (i + 1) * width) - 1, 0};
    bars[0].from = samples->min;
    bars[count - 1].to = samples->max;
    while (histogram_next(samples, figure->pool, &position, &bucket))
        bars[(histogram_step(bucket.low) - first) / width].count += bucket.count;
    return count;
}
