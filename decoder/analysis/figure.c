/* SPDX-License-Identifier: MIT */
/* Names of the statistics that a figure can have. */
#include "txtap/figure.h"

const char *txtap_stat_name(enum txtap_stat stat)
{
    static const char *const names[TXTAP_STATS] = {
        [TXTAP_STAT_VALUE] = "value", [TXTAP_STAT_N] = "n",       [TXTAP_STAT_MIN] = "min", [TXTAP_STAT_MEAN] = "mean",
        [TXTAP_STAT_P50] = "p50",     [TXTAP_STAT_P95] = "p95",   [TXTAP_STAT_P99] = "p99", [TXTAP_STAT_MAX] = "max",
        [TXTAP_STAT_SUM] = "sum",     [TXTAP_STAT_RATE] = "rate",
    };

    return (size_t)stat < TXTAP_STATS ? names[stat] : NULL;
}
