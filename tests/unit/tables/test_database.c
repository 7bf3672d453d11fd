/* SPDX-License-Identifier: MIT */
/* The transaction of a database of figures: its commit, its rollback, and its refusals. */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables/database.h"

static char path[] = "/tmp/txtap-database-XXXXXX";
static struct error error;
static struct named_figure figure;
static struct figures figures = {.at = &figure, .count = 1, .tick_hz = 1000};
static struct checks checks;
static struct table_run run = {
    .board = "b1", .name = "one.rec", .key = "key 1", .figures = &figures, .checks = &checks, .begun_us = 1000000};

static void begin(void)
{
    int fd = mkstemp(path); /* an empty file is an empty database */

    cr_assert_geq(fd, 0);
    close(fd);
    figure.figure = (struct txtap_figure){.section = "wake",
                                          .name = "wake",
                                          .subject = {.kind = TXTAP_SUBJECT_SYSTEM},
                                          .detail = "",
                                          .unit = TXTAP_UNIT_TICKS};
    figure.figure.stat[TXTAP_STAT_VALUE] = (struct txtap_measure){true, 7, 7, 7};
    figure.figure.stat[TXTAP_STAT_N] = (struct txtap_measure){true, 3, 3, 3};
    figure.figure.stat[TXTAP_STAT_P99] = (struct txtap_measure){true, 6, 5, 7};
}

static void end(void)
{
    cr_assert_eq(unlink(path), 0);
}

/* Returns the number that a query gives. */
static double ask(const char *sql)
{
    sqlite3_stmt *statement = NULL;
    sqlite3 *file = NULL;
    double number;

    cr_assert_eq(sqlite3_open(path, &file), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(file, sql, -1, &statement, NULL), SQLITE_OK, "%s", sqlite3_errmsg(file));
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    number = sqlite3_column_double(statement, 0);
    cr_assert_eq(sqlite3_finalize(statement), SQLITE_OK);
    cr_assert_eq(sqlite3_close(file), SQLITE_OK);
    return number;
}

static void add(bool commits)
{
    struct database *database;

    cr_assert_eq(database_open(&database, path, &error), TXTAP_OK, "%s", error.what);
    cr_assert_eq(database_add(database, &run, &error), TXTAP_OK, "%s", error.what);
    if (commits)
        cr_assert_eq(database_commit(database, &error), TXTAP_OK);
    database_close(database);
}

Test(database, times_are_in_seconds, .init = begin, .fini = end)
{
    add(true);
    cr_expect_eq(ask("SELECT value FROM figures WHERE unit = 'seconds'"), 0.007);
    cr_expect_eq(ask("SELECT value FROM percentiles WHERE stat = 'p99'"), 0.006);
    cr_expect_eq(ask("SELECT n FROM figures"), 3);
    cr_expect_eq(ask("SELECT begun = '1970-01-01T00:00:01Z' FROM run"), 1);
}

Test(database, an_update_without_commit_changes_nothing, .init = begin, .fini = end)
{
    add(true);
    run.name = "other.rec";
    add(false);
    cr_expect_eq(ask("SELECT count(*) FROM runs"), 1);
}

Test(database, a_run_replaces_the_rows_of_the_same_run, .init = begin, .fini = end)
{
    struct database *database;
    bool has = false;

    add(true);
    figure.figure.stat[TXTAP_STAT_VALUE].value = 9;
    run.key = "key 2";
    add(true);
    cr_expect_eq(ask("SELECT count(*) FROM runs"), 1);
    cr_expect_eq(ask("SELECT count(*) FROM figures"), 1);
    cr_expect_eq(ask("SELECT count(*) FROM percentiles"), 1);
    cr_expect_eq(ask("SELECT value FROM figures"), 0.009);
    cr_assert_eq(database_open(&database, path, &error), TXTAP_OK);
    cr_expect(database_has(database, "b1", "one.rec", "key 2", &has, &error) == TXTAP_OK && has);
    cr_expect(database_has(database, "b1", "one.rec", "key 1", &has, &error) == TXTAP_OK && !has);
    cr_expect(database_has(database, "b2", "one.rec", "key 2", &has, &error) == TXTAP_OK && !has);
    database_close(database);
}

Test(database, names_from_a_target_are_printable, .init = begin, .fini = end)
{
    figure.figure.subject.kind = TXTAP_SUBJECT_THREAD;
    snprintf(figure.subject, sizeof figure.subject, "a\033\xff'; DROP TABLE runs");
    add(true);
    cr_expect_eq(ask("SELECT instr(subject, char(27)) = 0 AND instr(subject, 'DROP TABLE') > 0 FROM figures"), 1);
}

Test(database, a_second_writer_waits_and_is_told, .init = begin, .fini = end)
{
    struct database *first, *second;

    cr_assert_eq(database_open(&first, path, &error), TXTAP_OK);
    cr_expect_eq(database_open(&second, path, &error), TXTAP_ERROR_SYSTEM);
    cr_expect_not_null(strstr(error.what, "another program uses it"));
    database_close(second);
    database_close(first);
}
