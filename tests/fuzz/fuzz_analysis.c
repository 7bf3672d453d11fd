/* SPDX-License-Identifier: MIT */
/*
 * Any events to all analyses, whose tables are too small: 8 bytes are an event, a gap or a mark. Whatever comes, lower
 * bounds stay below upper ones, and threads, interrupts and idle together get no more time than there was.
 */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "items.h"
#include "txtap/analysis.h"

static double cpu, observed;

static enum txtap_status check(void *self, const struct txtap_figure *figure)
{
    (void)self;
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++) {
        const struct txtap_measure *measure = &figure->stat[stat];

        if (!measure->known)
            continue;
        REQUIRE(!isnan(measure->value) && measure->lower <= measure->upper);
        REQUIRE(measure->lower >= 0);
    }
    if (strcmp(figure->name, "observed") == 0)
        observed = figure->stat[TXTAP_STAT_VALUE].value;
    if (strcmp(figure->name, "cpu_ticks") == 0 || strcmp(figure->name, "idle_ticks") == 0 ||
        strcmp(figure->name, "interrupts_ticks") == 0 || strcmp(figure->name, "init_ticks") == 0)
        cpu += figure->stat[TXTAP_STAT_VALUE].value;
    return TXTAP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    const struct txtap_analysis_limits limits = {.threads = 4, .objects = 4, .pairs = 5, .pages = 6};
    unsigned cores = length > 0 ? data[0] & 3u : 0;
    static void *memory; /* what an earlier input left there must not matter */
    struct txtap_analysis *analysis;
    uint64_t ticks = 0;

    if (memory == NULL)
        memory = malloc(txtap_analysis_bytes(&limits));
    REQUIRE(memory != NULL);
    analysis = txtap_analysis_open(memory, &limits, &(struct txtap_analysis_options){.tick_hz = length & 1 ? 1e6 : 0});
    for (size_t i = 1; i + 8 <= length; i += 8) {
        struct txtap_item item = item_of(data + i, i / 8, &ticks, cores);

        REQUIRE(txtap_analysis_take(analysis, &item) == TXTAP_OK);
    }
    txtap_analysis_end(analysis);
    cpu = observed = 0;
    REQUIRE(txtap_analysis_figures(analysis, NULL, (struct txtap_figure_sink){check, NULL}) == TXTAP_OK);
    if (cores <= 1)
        REQUIRE(cpu <= observed);
    return 0;
}
