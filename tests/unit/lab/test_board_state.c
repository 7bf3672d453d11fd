/* SPDX-License-Identifier: MIT */
/* A board's state from the lines of its recorder, and its forms. Time is virtual. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/board_state.h"

#define S UINT64_C(1000000)

static struct board_state state;
static uint64_t now;

static void begin(void)
{
    now = 1000 * S;
    state = (struct board_state){.name = "b1", .store = "/data/b1", .since_us = now, .lost_exact = true};
}

static bool report(unsigned events, double seconds, const char *does)
{
    char line[256];

    snprintf(line, sizeof line,
             "{\"tool\":\"txtap\",\"command\":\"record\",\"events\":%u,\"lost\":3,\"lost_exact\":true,\"lost_"
             "estimate\":9,\"resets\":1,"
             "\"seconds\":%.6f,\"state\":\"%s\",\"checks_violated\":2,\"faults\":4}",
             events, seconds, does);
    return board_take_line(&state, line, now);
}

static char *shown(void (*put)(FILE *out))
{
    static char text[8192];
    FILE *out = fmemopen(text, sizeof text, "w");

    put(out);
    fclose(out);
    return text;
}

static void put_table(FILE *out)
{
    boards_put_table(out, (const struct board_state *const[]){&state}, 1, now);
}

static void put_json(FILE *out)
{
    boards_put_json(out, "/data", (const struct board_state *const[]){&state}, 1);
}

static void put_metrics(FILE *out)
{
    boards_put_metrics(out, (const struct board_state *const[]){&state}, 1);
}

Test(board_state, follows_a_recorder_through_its_life)
{
    begin();
    cr_expect_eq(state.work, BOARD_STARTING);
    cr_expect(report(0, 0.001, "reading"));
    cr_expect_eq(state.work, BOARD_RECORDING);
    cr_expect_eq(state.event_us, 0, "no event has come");
    now += S;
    report(2000, 1.001, "reading");
    cr_expect_eq(state.event_us, now);
    cr_expect_float_eq(state.rate, 2000, 1e-6);
    now += BOARD_SILENT_US - 1;
    report(2000, 11, "reading");
    cr_expect_eq(state.work, BOARD_RECORDING);
    now += 1;
    report(2000, 11.1, "reading");
    cr_expect_eq(state.work, BOARD_SILENT);
    cr_expect_eq(state.since_us, now);
    cr_expect_eq(state.rate, 0);
    now += S;
    report(2000, 12, "detached");
    cr_expect_eq(state.work, BOARD_AWAY);
    report(2001, 13, "reading");
    cr_expect_eq(state.work, BOARD_RECORDING);
}

Test(board_state, a_clock_that_is_set_back_makes_no_board_silent)
{
    begin();
    report(2000, 1, "reading");
    now -= 500 * S;
    report(2000, 2, "reading");
    cr_expect_eq(state.work, BOARD_RECORDING);
    now += BOARD_SILENT_US;
    report(2000, 12, "reading");
    cr_expect_eq(state.work, BOARD_SILENT);
}

Test(board_state, counts_of_earlier_recorders_are_kept)
{
    struct board_counts sums;

    begin();
    report(100, 1, "ended");
    board_take_end(&state, 4 << 8, now);
    cr_expect_eq(state.work, BOARD_PAUSED);
    cr_expect(state.ended && state.exit_code == 4 && state.signal == 0);
    report(50, 1, "reading");
    sums = board_sums(&state);
    cr_expect(sums.events == 150 && sums.lost == 6 && sums.resets == 2 && sums.checks == 4 && sums.faults == 8);
    board_take_end(&state, SIGKILL, now);
    cr_expect_eq(state.signal, SIGKILL);
    cr_expect_not_null(strstr(shown(put_json), "\"exit_code\":null,\"signal\":9"));
    cr_expect_eq(board_sums(&state).events, 150);
}

Test(board_state, another_line_is_a_message_and_printable)
{
    begin();
    cr_expect_not(board_take_line(&state, "txtap: detached: \033[31mgone", now));
    cr_expect_str_eq(state.message, "txtap: detached: .[31mgone");
    cr_expect_not(board_take_line(&state, "", now));
    cr_expect_str_eq(state.message, "txtap: detached: .[31mgone");
    cr_expect_not(board_take_line(&state, "txtap: attached to access port 0", now));
    cr_expect_str_eq(state.message, "");
    cr_expect_not(board_take_line(&state, "{\"command\":\"tail\"}", now));
    cr_expect_eq(state.work, BOARD_STARTING);
}

Test(board_state, an_inexact_loss_stays_inexact)
{
    begin();
    board_take_line(&state,
                    "{\"command\":\"record\",\"events\":1,\"lost\":7,\"lost_exact\":false,\"state\":\"reading\"}", now);
    board_take_line(&state,
                    "{\"command\":\"record\",\"events\":1,\"lost\":7,\"lost_exact\":true,\"state\":\"reading\"}", now);
    cr_expect_not_null(strstr(shown(put_table), " >=7 "));
    cr_expect_not_null(strstr(shown(put_json), "\"lost\":7,\"lost_exact\":false"));
}

Test(board_state, a_row_has_at_most_80_columns)
{
    const char *text;

    begin();
    report(2000, 1, "reading");
    memset(state.message, 'x', sizeof state.message - 1);
    now += 86400 * S * 3 + 3600 * S;
    text = shown(put_table);
    cr_expect_not_null(strstr(text, "\nb1           recording    3d 1h"), "%s", text);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        cr_expect_leq(length, 80);
        text += length + (text[length] == '\n');
    }
    board_take_end(&state, 3 << 8, now);
    cr_expect_not_null(strstr(shown(put_table), "exit code 3: xxx"));
    board_take_end(&state, SIGKILL, now);
    cr_expect_not_null(strstr(shown(put_table), "signal 9: xxx"));
}

Test(board_state, metrics_end_and_have_a_row_for_each_board)
{
    const char *text;

    begin();
    report(2000, 1, "reading");
    text = shown(put_metrics);
    cr_expect_not_null(strstr(text, "# TYPE txtap_board_events counter\n"));
    cr_expect_not_null(strstr(text, "\ntxtap_board_events_total{board=\"b1\"} 2000\n"));
    cr_expect_not_null(strstr(text, "\ntxtap_board_recording{board=\"b1\"} 1\n"));
    cr_expect_str_eq(text + strlen(text) - 6, "# EOF\n");
}
