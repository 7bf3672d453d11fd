/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as an older report. If the report is accepted, it must be sorted, and a comparison with it must end.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "compare/comparison.h"

static void use(struct baseline *baseline)
{
    struct named_figure named = {.figure = {.section = "wake",
                                            .name = "wake",
                                            .subject = {.kind = TXTAP_SUBJECT_THREAD, .number = 0x20000100},
                                            .detail = "",
                                            .unit = TXTAP_UNIT_TICKS},
                                 .subject = "a"};
    struct figures figures = {.at = &named, .count = 1, .tick_hz = baseline->tick_hz > 0 ? 1e6 : 0};
    struct comparison comparison;
    struct error error;
    FILE *out = fopen("/dev/null", "w");

    for (enum txtap_stat stat = 0; stat < TXTAP_STATS; stat++)
        named.figure.stat[stat] = (struct txtap_measure){true, 100, 100, 100};
    REQUIRE(out != NULL && comparison_make(&comparison, &figures, baseline, &error) == TXTAP_OK);
    REQUIRE(comparison.count + comparison.same + comparison.unsure <= 4);
    comparison_show_text(&comparison, out);
    comparison_show_json(&comparison, out);
    comparison_free(&comparison);
    fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    struct baseline baseline;
    struct error error;

    if (baseline_parse(&baseline, (const char *)data, length, "fuzz", &error) == TXTAP_OK) {
        for (size_t i = 1; i < baseline.count; i++)
            REQUIRE(strcmp(baseline.figures[i - 1].key, baseline.figures[i].key) <= 0);
        use(&baseline);
    } else {
        REQUIRE(baseline.count == 0 && baseline.figures == NULL && error.what[0] != '\0');
    }
    baseline_free(&baseline);
    return 0;
}
