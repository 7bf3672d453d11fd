/* SPDX-License-Identifier: MIT */
/*
 * What a poller delivers through each probe of stream/probe_models.c while the writer offers more or less than the
 * probe can carry: in virtual time, so that the same code prints the same figures on every machine.
 *   bench_speed [PROBE [ENTRIES]]     PROBE: the beginning of a name
 * A row is a probe, a ring and a writer with or without laps: the most it delivers at any rate (best), then for each
 * multiple of that rate what it delivers, in percent of best, and in brackets the share of the bytes read that are
 * delivered events; behind a slash what is possible at most, because the writer comes round while a piece is read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/probe_speed.h"

static const double multiples[] = {0.5, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10, 20};
#define MULTIPLES (sizeof multiples / sizeof *multiples)

static void print_heading(void)
{
    printf("%-30s %5s %-5s %7s ", "probe", "ring", "laps", "best");
    for (size_t i = 0; i < MULTIPLES; i++)
        printf("   x%-10.3g", multiples[i]);
    putchar('\n');
}

static uint64_t print_row(const struct speed_case *what)
{
    double best = speed_best(what);
    uint64_t wrong = 0;

    printf("%-30s %5" PRIu32 " %-5s %7.0f ", what->probe->name, what->entries, what->counts_laps ? "yes" : "no", best);
    for (size_t i = 0; i < MULTIPLES; i++) {
        struct speed speed = speed_measure(what, (uint64_t)(multiples[i] * best));
        double possible = 100 * speed_limit(what, speed.offered) / best;

        wrong += speed.wrong;
        printf(" %3.0f/%3.0f (%2.0f)%s", 100 * speed.delivered / best, possible, 100 * speed.useful,
               speed.lost > 0 ? "*" : " ");
    }
    printf("%s\n", wrong ? " WRONG EVENTS" : "");
    fflush(stdout);
    return wrong;
}

int main(int argc, char **argv)
{
    static const uint32_t rings[] = {100, 465, 4000};
    const char *name = argc > 1 ? argv[1] : "";
    uint32_t only = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    uint64_t wrong = 0;

    print_heading();
    for (const struct probe_model *probe = probe_models; probe->name != NULL; probe++)
        for (size_t i = 0; i < 2 * sizeof rings / sizeof *rings; i++) {
            const struct speed_case what = {probe, rings[i / 2], i % 2 == 0};

            if (strncmp(probe->name, name, strlen(name)) == 0 && (only == 0 || only == what.entries))
                wrong += print_row(&what);
        }
    printf("*: events were lost\n");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
