/* SPDX-License-Identifier: MIT */
/* The summary of losses shows only numbers that are known. */
#include <criterion/criterion.h>

#include "output/report.h"

static const char *loss(struct stream_stats stats)
{
    static char text[REPORT_LOSS_BYTES];

    report_loss(text, &stats);
    return text;
}

Test(report, counts_known_losses)
{
    cr_expect_str_eq(loss((struct stream_stats){.lost_exact = true}), "0 lost in 0 gaps");
    cr_expect_str_eq(loss((struct stream_stats){.lost_exact = true, .lost = 7, .gaps = 1}), "7 lost in 1 gap");
    cr_expect_str_eq(loss((struct stream_stats){.lost = 7, .lost_estimate = 9, .gaps = 2}),
                     "at least 7 lost (by their rate 9) in 2 gaps");
}

Test(report, has_no_number_for_an_unknown_loss)
{
    cr_expect_str_eq(loss((struct stream_stats){.gaps = 1}), "an unknown number lost in 1 gap");
    cr_expect_str_eq(loss((struct stream_stats){.resets = 1}),
                     "none known to be lost (events written around 1 reset are unknown)");
    cr_expect_str_eq(loss((struct stream_stats){.resets = 2, .lost = 3, .lost_estimate = 3, .gaps = 1}),
                     "at least 3 lost in 1 gap (events written around 2 resets are unknown)");
    cr_expect_str_eq(loss((struct stream_stats){.unseen = true}),
                     "none known to be lost (time stamps stand still: events may be lost undetected)");
}

Test(report, the_longest_text_is_whole)
{
    const struct stream_stats most = {
        .lost = UINT64_MAX - 1, .lost_estimate = UINT64_MAX, .gaps = UINT64_MAX, .resets = UINT64_MAX, .unseen = true};

    cr_expect_str_eq(loss(most), "at least 18446744073709551614 lost in 18446744073709551615 gaps (time stamps stand "
                                 "still: events may be lost undetected) (events written around 18446744073709551615 "
                                 "resets are unknown)");
}
