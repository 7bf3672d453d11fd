/* SPDX-License-Identifier: MIT */
/* A steady writer, slower and faster than the probe, in virtual time: what is delivered, and that it is what was
 * written. tests/bench/speed.c prints all figures. */
#include <criterion/criterion.h>

#include "stream/probe_speed.h"

static void for_each_case(void (*check)(const struct speed_case *what))
{
    static const uint32_t rings[] = {100, 465, 4000};

    for (const struct probe_model *probe = probe_models; probe->name != NULL; probe++)
        for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
            check(&(struct speed_case){probe, rings[i], true});
            check(&(struct speed_case){probe, rings[i], false});
        }
}

static void all_is_right(const struct speed_case *what)
{
    static const uint64_t rates[] = {500, 2000, 9000, 14000, 40000, 200000};

    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct speed speed = speed_measure(what, rates[i]);

        cr_expect_eq(speed.wrong, 0, "%s, %u entries, laps %d, %lu events/s: %lu are wrong", what->probe->name,
                     what->entries, what->counts_laps, rates[i], speed.wrong);
        cr_expect(speed.exact || !what->counts_laps,
                  "%s, %u entries, %lu events/s: laps are counted, but not all gaps "
                  "are exact",
                  what->probe->name, what->entries, rates[i]);
    }
}

Test(poller_speed, what_is_delivered_is_what_was_written_at_any_rate)
{
    for_each_case(all_is_right);
}

Test(poller_speed, the_virtual_boards_v3_carries_ten_thousand)
{
    const struct speed_case what = {&stlink_v3, 465, true};

    cr_expect_geq(speed_best(&what), 10000.0);
}
