/* SPDX-License-Identifier: MIT */
/* Rows of real and made traces must agree with the simple walk over all changes, and with the analyses. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure_list.h"
#include "rows/rows_check.h"
#include "rows/rows_fixture.h"
#include "sanitized.h"

#define RANGES (RUNS_DIVISOR > 1 ? 3u : 12u)

static struct walk walk;
static struct txtap_rows *rows;

static double figure_of(const struct figure_list *list, const char *name, uint32_t thread, const char *detail)
{
    double value = 0;

    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->figures[i].name, name) == 0 && list->figures[i].subject.number == thread &&
            (detail == NULL || strncmp(list->figures[i].detail, detail, strlen(detail)) == 0))
            value += list->figures[i].stat[TXTAP_STAT_VALUE].value;
    return value;
}

/* Checks that the sums of whole rows equal the figures of the analyses. */
static void check_figures(const char *path)
{
    static struct figure_list list;
    struct txtap_row row;
    double idle = 0, isr = 0;

    figure_list_of_file(&list, path);
    for (uint32_t i = 0; txtap_rows_row(rows, i, &row); i++) {
        uint64_t sums[TXTAP_ROW_STATES];

        txtap_rows_sums(rows, i, 0, UINT64_MAX, sums);
        if (row.kind == TXTAP_ROW_CORE)
            isr += (double)sums[TXTAP_ROW_IN_ISR];
        if (row.kind == TXTAP_ROW_IDLE)
            idle += (double)sums[TXTAP_ROW_IS_IDLE];
        if (row.kind != TXTAP_ROW_THREAD)
            continue;
        cr_assert_eq(figure_of(&list, "cpu_ticks", row.address, NULL), sums[TXTAP_ROW_RUNNING], "%s", path);
        cr_assert_eq(figure_of(&list, "time_ticks", row.address, "running"), sums[TXTAP_ROW_RUNNING], "%s", path);
        cr_assert_eq(figure_of(&list, "time_ticks", row.address, "ready"), sums[TXTAP_ROW_READY], "%s", path);
        cr_assert_eq(figure_of(&list, "time_ticks", row.address, "interrupted"), sums[TXTAP_ROW_INTERRUPTED], "%s",
                     path);
        cr_assert_eq(
            figure_of(&list, "time_ticks", row.address, NULL) - figure_of(&list, "time_ticks", row.address, "unknown"),
            sums[TXTAP_ROW_RUNNING] + sums[TXTAP_ROW_READY] + sums[TXTAP_ROW_INTERRUPTED] + sums[TXTAP_ROW_BLOCKED],
            "%s", path);
    }
    cr_assert_eq(figure_of(&list, "idle_ticks", 0, NULL), idle, "%s", path);
    cr_assert_eq(figure_of(&list, "interrupts_ticks", 0, NULL), isr, "%s", path);
}

static void check_file(const char *path, unsigned ranges)
{
    const struct txtap_change_sink sinks[] = {{walk_take, &walk}, {txtap_rows_take, NULL}};
    struct txtap_change_sink both[2];

    memcpy(both, sinks, sizeof both);
    rows = fixture_rows(0, UINT32_MAX);
    both[1].self = rows;
    fixture_feed_file(path, both, 2);
    rows_check(rows, &walk, path, ranges);
    check_figures(path);
    fixture_close(rows);
    walk_end(&walk);
}

static unsigned check_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    unsigned traces = 0;
    char path[4096];

    cr_assert_not_null(directory, "%s", folder);
    while ((entry = readdir(directory)) != NULL) {
        size_t length = strlen(entry->d_name);

        if (length < 4 || strcmp(entry->d_name + length - 4, ".trx") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        check_file(path, RANGES);
        traces++;
    }
    closedir(directory);
    return traces;
}

Test(rows_traces, equal_a_walk_over_all_changes_and_the_figures)
{
    cr_assert_geq(check_folder(TXTAP_TEST_DATA "/analysis"), 13);
    cr_assert_geq(check_folder(TXTAP_TEST_DATA), 4);
    check_file(TXTAP_TEST_UNPACKED "/demo_rec.trx", 2);
}

Test(rows_traces, equal_a_walk_over_random_changes)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct txtap_change_sink both[2] = {{walk_take, &walk}, {txtap_rows_take, NULL}};
        char name[32];

        snprintf(name, sizeof name, "seed %" PRIu64, seed);
        rows = both[1].self = fixture_rows(0, UINT32_MAX);
        fixture_feed_made(seed, seed % 3 == 0 ? 61 : 0, both, 2);
        rows_check(rows, &walk, name, RANGES);
        fixture_close(rows);
        walk_end(&walk);
    }
}
