/* SPDX-License-Identifier: MIT */
/* The lines of alarms, their limit, and the command in a line. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/alarms.h"

static char folder[64], path[128];
static uint64_t now;
static struct alarms alarms;
static struct txtap_sink sink;
static char text[65536];

static uint64_t fake_now(void)
{
    return now;
}

static uint64_t fake_wall(void)
{
    return 1700000000000000 + now;
}

static void begin(const char *recording)
{
    struct error error = {0};

    strcpy(folder, "/tmp/txtap-test-alarms-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/b1", folder);
    cr_assert_eq(mkdir(path, 0700), 0);
    strcat(path, "/alarms.jsonl");
    now = 5000000;
    cr_assert_eq(alarms_open(&alarms, path, NULL, fake_now, fake_wall, &error), TXTAP_OK);
    sink = alarms_sink(&alarms, (struct txtap_sink){NULL, NULL}, recording);
}

static void event(uint64_t seq, uint64_t ticks)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_EVENT, .event = {.seq = seq, .ticks = ticks}};

    cr_assert_eq(txtap_sink_take(sink, &item), TXTAP_OK);
}

static void mark(enum txtap_mark_kind kind, const char *what)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_MARK, .mark = {kind, 0, fake_wall(), what}};

    cr_assert_eq(txtap_sink_take(sink, &item), TXTAP_OK);
}

static void end(void)
{
    FILE *file;
    struct error error = {0};

    cr_assert_eq(alarms_close(&alarms, &error), TXTAP_OK, "%s", error.what);
    file = fopen(path, "r");
    cr_assert_not_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(folder);
}

static unsigned lines(void)
{
    unsigned count = 0;

    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        count++;
    return count;
}

Test(alarms, a_violation_is_a_line_with_the_command_that_opens_it)
{
    begin("lab/it's here.rec");
    event(811, 1234);
    mark(TXTAP_MARK_CHECK, "wake(control) <= 200us: 215 us");
    end();
    cr_assert_str_eq(text, "{\"time\":\"2023-11-14T22:13:25.000Z\",\"board\":\"b1\",\"kind\":\"check\",\"text\":\"wake("
                           "control) <= 200us: 215 us\",\"file\":\"lab/it's here.rec\",\"seq\":811,\"ticks\":1234,"
                           "\"open\":\"txtap view --at 811 -- 'lab/it'\\\\''s here.rec'\",\"left_out\":0}\n");
}

Test(alarms, an_alarm_before_the_first_event_has_no_place)
{
    begin("x.rec");
    mark(TXTAP_MARK_RESET, "");
    end();
    cr_expect_not_null(
        strstr(text, "\"kind\":\"reset\",\"text\":\"\",\"file\":\"x.rec\",\"seq\":null,\"ticks\":null,\"open\":null"));
}

Test(alarms, other_marks_are_no_alarms)
{
    begin("x.rec");
    for (unsigned kind = 0; kind < TXTAP_MARK_KINDS; kind++)
        mark((enum txtap_mark_kind)kind, "");
    end();
    cr_expect_eq(lines(), 3);
}

Test(alarms, a_flood_is_counted_and_not_written)
{
    begin("x.rec");
    for (unsigned i = 0; i < 1000; i++)
        mark(TXTAP_MARK_FAULT, "hard fault");
    now += ALARMS_EVERY_US;
    mark(TXTAP_MARK_FAULT, "the next");
    mark(TXTAP_MARK_FAULT, "too early");
    end();
    cr_expect_eq(lines(), ALARMS_AT_ONCE + 2);
    cr_expect_not_null(strstr(text, "\"text\":\"the next\""));
    cr_expect_not_null(strstr(text, "\"left_out\":990}"));
    cr_expect_null(strstr(text, "too early"));
    cr_expect_not_null(strstr(text, "\"kind\":\"left out\""));
    cr_expect_not_null(strstr(text, "\"left_out\":1}"));
}

Test(alarms, a_quiet_hour_allows_no_more_than_the_limit)
{
    begin("x.rec");
    now += UINT64_C(3600000000);
    for (unsigned i = 0; i < 3 * ALARMS_AT_ONCE; i++)
        mark(TXTAP_MARK_FAULT, "hard fault");
    end();
    cr_expect_eq(lines(), ALARMS_AT_ONCE + 1);
}

Test(alarms, bytes_from_the_target_stay_in_their_line)
{
    char what[3001];

    memset(what, '\n', 3000);
    what[3000] = '\0';
    begin("x.rec");
    mark(TXTAP_MARK_FAULT, "\"a\n\033[31m\xff");
    mark(TXTAP_MARK_FAULT, what);
    end();
    cr_expect_eq(lines(), 2);
    cr_expect_not_null(strstr(text, "\\\"a\\u000a\\u001b[31m\\ufffd\""), "%s", text);
}

Test(alarms, a_file_that_cannot_be_written_is_refused_at_the_start)
{
    struct error error = {0};

    cr_assert_eq(alarms_open(&alarms, "/nonexistent/alarms.jsonl", NULL, fake_now, fake_wall, &error),
                 TXTAP_ERROR_SYSTEM);
    cr_expect_not_null(strstr(error.what, "/nonexistent/alarms.jsonl"));
    cr_expect_eq(alarms_open(&alarms, "/dev/null", NULL, fake_now, fake_wall, &error), TXTAP_ERROR_SYSTEM);
    cr_expect_not_null(strstr(error.what, "not a regular file"));
    cr_expect_eq(alarms_close(&alarms, &error), TXTAP_OK);
}
