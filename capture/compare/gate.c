/* SPDX-License-Identifier: MIT */
/* The table of figures that can be worse. */
#include "compare/gate.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct gate_rule rules[] = {
    {"cpu", GATE_SHARE, true},         {"run", GATE_SAMPLES, true},      {"isr", GATE_SAMPLES, true},
    {"isr_load", GATE_SHARE, true},    {"stack", GATE_STACK, true},      {"deadlock", GATE_FIRST, true},
    {"leak", GATE_FIRST, true},        {"load", GATE_SHARE, false},      {"wake", GATE_SAMPLES, false},
    {"response", GATE_SAMPLES, false}, {"hold", GATE_SAMPLES, false},    {"failed", GATE_COUNT, false},
    {"lost", GATE_COUNT, false},       {"unbounded", GATE_COUNT, false},
};

const struct gate_rule *gate_rule_of(const char *name, const char *detail)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, name) == 0 && (*detail == '\0' || rules[i].kind == GATE_STACK))
            return &rules[i];
    return NULL;
}

enum txtap_stat gate_percentile(double fewest)
{
    static const struct {
        enum txtap_stat stat;
        double above; /* share of the samples above the percentile */
    } percentiles[] = {{TXTAP_STAT_P99, 0.01}, {TXTAP_STAT_P95, 0.05}, {TXTAP_STAT_P50, 0.5}};

    for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++)
        if (fewest * percentiles[i].above >= GATE_BEYOND)
            return percentiles[i].stat;
    return TXTAP_STATS;
}

double gate_floor(enum gate_kind kind, double before, double tick_hz)
{
    switch (kind) {
    case GATE_SAMPLES:
        return fmax(GATE_FLOOR_SECONDS * tick_hz, GATE_FLOOR_TICKS);
    case GATE_COUNT:
        return GATE_FLOOR_COUNT + 3 * sqrt(before);
    case GATE_FIRST:
        return before == 0 ? 0 : GATE_FLOOR_COUNT + 3 * sqrt(before);
    default:
        return GATE_FLOOR_PERCENT;
    }
}
