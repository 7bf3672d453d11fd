/* SPDX-License-Identifier: MIT */
/* The summary at the end of a run shows only numbers that are known. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "output/report.h"

static const char *lost(struct stream_stats stats)
{
    static char text[REPORT_LOST_BYTES];

    report_lost(text, &stats);
    return text;
}

static const char *doubts(struct stream_stats stats)
{
    static char text[REPORT_DOUBTS_BYTES];

    report_doubts(text, &stats, 0);
    return text;
}

Test(report, counts_known_losses)
{
    cr_expect_str_eq(lost((struct stream_stats){.lost_exact = true}), "0 lost");
    cr_expect_str_eq(lost((struct stream_stats){.lost_exact = true, .lost = 7, .gaps = 1}), "7 lost");
    cr_expect_str_eq(lost((struct stream_stats){.lost = 7, .lost_estimate = 9, .gaps = 2}), "at least 7 lost");
}

Test(report, has_no_number_for_an_unknown_loss)
{
    cr_expect_str_eq(lost((struct stream_stats){.gaps = 1}), "an unknown number lost");
    cr_expect_str_eq(lost((struct stream_stats){.resets = 1}), "none known to be lost");
}

Test(report, names_each_doubt)
{
    cr_expect_str_eq(doubts((struct stream_stats){.lost_exact = true, .lost = 7, .lost_estimate = 7, .gaps = 1}), "");
    cr_expect_str_eq(doubts((struct stream_stats){.lost = 7, .lost_estimate = 9, .gaps = 2}),
                     "about 9 events lost by their rate");
    cr_expect_str_eq(doubts((struct stream_stats){.resets = 2, .lost = 3, .lost_estimate = 3, .gaps = 1}),
                     "events written around 2 resets are unknown");
    cr_expect_str_eq(
        doubts((struct stream_stats){.unseen = true, .resets = 1}),
        "time stamps stand still: events may be lost undetected; events written around 1 reset are unknown");
}

Test(report, the_longest_doubts_are_whole)
{
    const struct stream_stats most = {
        .lost = UINT64_MAX - 1, .lost_estimate = UINT64_MAX, .gaps = UINT64_MAX, .resets = UINT64_MAX};

    cr_expect_str_eq(doubts(most), "about 18446744073709551615 events lost by their rate; events written around "
                                   "18446744073709551615 resets are unknown");
}

/* Runs report_summary() with standard error in a pipe. Returns its output. */
static const char *summary(const struct stream_stats *stats, double seconds, bool details)
{
    static char text[1024];
    int ends[2], error = dup(STDERR_FILENO);
    ssize_t length;

    cr_assert_eq(pipe(ends), 0);
    fflush(stderr);
    dup2(ends[1], STDERR_FILENO);
    report_summary(stats, seconds, details);
    fflush(stderr);
    dup2(error, STDERR_FILENO);
    close(error);
    close(ends[1]);
    length = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

Test(report, summarises_a_run_in_one_line)
{
    struct stream_stats stats = {.events = 16431,
                                 .written = 15960,
                                 .lost_exact = true,
                                 .polls = 552,
                                 .bytes_read = 696674,
                                 .tick_hz_low = 999650,
                                 .tick_hz_high = 1000350};

    cr_expect_str_eq(summary(&stats, 8, false), "txtap: 16431 events in 8.0 s (1995/s), 0 lost\n");
    cr_expect_str_eq(summary(&stats, 8, true),
                     "txtap: 16431 events in 8.0 s (1995/s), 0 lost\n"
                     "txtap: 42.4 bytes read per event, 552 polls, 0 gaps, ticks at 1.000 MHz +- 0.035 % (measured)\n");
    cr_expect_str_eq(summary(&stats, 0.1, false), "txtap: 16431 events in 0.1 s, 0 lost\n", "too short for a rate");
    stats = (struct stream_stats){.events = 123456789, .lost = 12345678, .gaps = 9, .written = 123456789};
    cr_expect_str_eq(summary(&stats, 36000, false),
                     "txtap: 123456789 events in 36000.0 s (at least 3429/s), at least 12345678 lost\n");
    cr_expect_leq(strlen(summary(&stats, 36000, false)), 80);
}
