/* SPDX-License-Identifier: MIT */
/*
 * Measures the delivery of a poller through each probe of stream/fixtures/probe_models.c while the writer offers more
 * or less than the probe can carry. Virtual time makes the figures of the same code equal on every machine.
 *
 *     bench_speed [PROBE [ENTRIES]]     PROBE: the beginning of a name
 *     bench_speed --table               a table in Markdown: the source of the figures in docs/user/performance.md
 *     bench_speed --stlink              the same for the ways to an ST-Link, at several clocks
 *
 * A row is for a probe, a ring, and a writer that counts half-laps, laps or nothing. The first column (best) has the
 * highest rate of delivery. Each further column is for a writer at a multiple of that rate. It has the delivery in
 * percent of best, after a slash the highest possible delivery, and in brackets the share of the read bytes that are
 * delivered events. The highest possible delivery is limited because the writer laps the reader while a piece is
 * read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/fixtures/probe_speed.h"

static const double multiples[] = {0.5, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10, 20};
#define MULTIPLES (sizeof multiples / sizeof *multiples)
#define OBJECTS   30u /* slots of the registry: txtap searches it for names, and finds none */

static const char *const laps_names[] = {[PROBE_NO_LAPS] = "no", [PROBE_LAPS] = "yes", [PROBE_HALF_LAPS] = "half"};

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

    printf("%-30s %5" PRIu32 " %-5s %7.0f ", what->probe->name, what->entries, laps_names[what->laps], best);
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

/* ---- --table: all probes in Markdown ---- */

static const struct {
    const char *probe, *openocd, *quiet, *direct; /* names of models; direct may be NULL */
    unsigned khz;
} table[] = {
    {"ST-Link V2, 600 kHz", "ST-Link V2", "ST-Link V2, quiet", NULL, 600},
    {"ST-Link V2-1, 4 MHz", "ST-Link V2-1 at 4 MHz", "ST-Link V2-1 at 4 MHz, quiet", "ST-Link V2-1 at 4 MHz, direct",
     4000},
    {"STLINK-V3, 24 MHz", "ST-Link V3", "ST-Link V3, quiet", "ST-Link V3, direct", 24000},
    {"CMSIS-DAP v2, full speed, 10 MHz", "CMSIS-DAP full speed", "CMSIS-DAP full speed, quiet",
     "CMSIS-DAP full speed, direct", 10000},
    {"CMSIS-DAP v1, full speed, 10 MHz", "CMSIS-DAP v1", "CMSIS-DAP v1, quiet", "CMSIS-DAP v1, direct", 10000},
    {"CMSIS-DAP v2, high speed, 24 MHz", "CMSIS-DAP high speed", "CMSIS-DAP high speed, quiet",
     "CMSIS-DAP high speed, direct", 24000},
};

static void print_way(const char *probe, const char *way, const char *name, unsigned khz)
{
    static const uint32_t rings[] = {465, 4000};
    static const double overloads[] = {2, 5, 20};
    const struct probe_model *model = probe_models_find(name);

    for (size_t i = 0; i < 2; i++) {
        const struct speed_case what = {.probe = model, .entries = rings[i], .objects = OBJECTS, .laps = PROBE_LAPS};
        double best = speed_best(&what);

        if (i == 0)
            printf("| %s | %s | %.0f ", probe, way, speed_polls(model));
        else
            printf("|  |  |  ");
        printf("| %" PRIu32 " | %.0f | %.0f %% ", rings[i], best, 100 * best / speed_of_wire(khz));
        for (size_t j = 0; j < 3; j++)
            printf("| %.0f %% ", 100 * speed_measure(&what, (uint64_t)(overloads[j] * best)).delivered / best);
        puts("|");
        fflush(stdout);
    }
}

static void print_table(void)
{
    puts("| probe | way | polls/s | ring | events/s | of the wire | x 2 | x 5 | x 20 "
         "|\n|---|---|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        print_way(table[i].probe, "an OpenOCD of yours", table[i].openocd, table[i].khz);
        print_way("", "OpenOCD as txtap starts it", table[i].quiet, table[i].khz);
        if (table[i].direct != NULL)
            print_way("", "directly", table[i].direct, table[i].khz);
        printf("|  | *the wire* |  |  | %.0f | 100 %% |  |  |  |\n", speed_of_wire(table[i].khz));
    }
}

/* ---- --stlink: the ways to an ST-Link ---- */

/* Prints events and bytes of the ring per second: short polls (20, 4 and 1500 bytes), and a writer that is five times
 * too fast for this way. */
static void print_stlink_way(const char *name, const char *way, unsigned khz)
{
    const struct probe_model *model = probe_models_find(name);
    const struct speed_case what = {.probe = model, .entries = 465, .objects = OBJECTS, .laps = PROBE_LAPS},
                            large = {.probe = model, .entries = 4000, .objects = OBJECTS, .laps = PROBE_LAPS};
    double best = speed_best(&what), best_large = speed_best(&large);

    printf("| %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f %% |\n", way, speed_polls(model), best,
           best * TXTB_ENTRY_BYTES, best_large, best_large * TXTB_ENTRY_BYTES, 100 * best_large / speed_of_wire(khz));
    fflush(stdout);
}

static void print_stlink(void)
{
    static const struct {
        const char *probe, *openocd, *quiet, *direct;
        unsigned khz;
    } ways[] = {
        {"V2-1, 2 MHz", "ST-Link V2-1 at 2 MHz", "ST-Link V2-1 at 2 MHz, quiet", "ST-Link V2-1 at 2 MHz, direct", 2000},
        {"V2-1, 4 MHz", "ST-Link V2-1 at 4 MHz", "ST-Link V2-1 at 4 MHz, quiet", "ST-Link V2-1 at 4 MHz, direct", 4000},
        {"V3, 2 MHz", "ST-Link V3 at 2 MHz", "ST-Link V3 at 2 MHz, quiet", "ST-Link V3 at 2 MHz, direct", 2000},
        {"V3, 10 MHz", "ST-Link V3 at 10 MHz", "ST-Link V3 at 10 MHz, quiet", "ST-Link V3 at 10 MHz, direct", 10000},
        {"V3, 24 MHz", "ST-Link V3", "ST-Link V3, quiet", "ST-Link V3, direct", 24000},
    };

    puts("| way | polls/s | events/s, ring of 465 | bytes/s | events/s, ring of 4000 | bytes/s | of the wire "
         "|\n|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        printf("| **%s** |  |  |  |  |  |  |\n", ways[i].probe);
        print_stlink_way(ways[i].openocd, "an OpenOCD of yours", ways[i].khz);
        print_stlink_way(ways[i].quiet, "OpenOCD as txtap starts it", ways[i].khz);
        print_stlink_way(ways[i].direct, "directly", ways[i].khz);
    }
}

int main(int argc, char **argv)
{
    static const uint32_t rings[] = {100, 465, 4000};
    const char *name = argc > 1 ? argv[1] : "";
    uint32_t only = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    uint64_t wrong = 0;

    if (strcmp(name, "--table") == 0) {
        print_table();
        return EXIT_SUCCESS;
    }
    if (strcmp(name, "--stlink") == 0) {
        print_stlink();
        return EXIT_SUCCESS;
    }
    print_heading();
    for (const struct probe_model *probe = probe_models; probe->name != NULL; probe++)
        for (size_t i = 0; i < 3 * sizeof rings / sizeof *rings; i++) {
            const struct speed_case what = {
                .probe = probe, .entries = rings[i / 3], .objects = OBJECTS, .laps = PROBE_HALF_LAPS - i % 3};

            if (strncmp(probe->name, name, strlen(name)) == 0 && (only == 0 || only == what.entries))
                wrong += print_row(&what);
        }
    printf("*: events were lost\n");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
