/* SPDX-License-Identifier: MIT */
/* A steady writer, slower or faster than the probe, in virtual time: the delivered events are compared with the
 * written events. tests/bench/speed.c prints all figures. */
#include <criterion/criterion.h>
#include <string.h>

#include "stream/fixtures/probe_speed.h"

static void for_each_case(void (*check)(const struct speed_case *what))
{
    static const uint32_t rings[] = {100, 465, 4000};

    /* Every second probe is tested with half-laps, the others with laps, because all combinations would take too long.
     */
    for (const struct probe_model *probe = probe_models; probe->name != NULL; probe++)
        for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
            check(&(struct speed_case){.probe = probe,
                                       .entries = rings[i],
                                       .laps = (probe - probe_models) % 2 ? PROBE_HALF_LAPS : PROBE_LAPS});
            check(&(struct speed_case){.probe = probe, .entries = rings[i], .laps = PROBE_NO_LAPS});
        }
}

static void all_is_right(const struct speed_case *what)
{
    static const uint64_t rates[] = {500, 9000, 40000, 200000};

    /* direct probes run the real source, which takes longer than adding up times */
    if ((what->probe->direct != NULL || what->probe->stlink != NULL) && what->entries != 465)
        return;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct speed speed = speed_measure(what, rates[i]);

        cr_expect_eq(speed.wrong, 0, "%s, %u entries, laps %d, %lu events/s: %lu are wrong", what->probe->name,
                     what->entries, what->laps, rates[i], speed.wrong);
        cr_expect(speed.exact || what->laps == PROBE_NO_LAPS,
                  "%s, %u entries, %lu events/s: laps are counted, but not all gaps "
                  "are exact",
                  what->probe->name, what->entries, rates[i]);
    }
}

Test(poller_speed, delivered_events_equal_written_events_at_any_rate)
{
    for_each_case(all_is_right);
}

/* ---- more than the probe can carry ---- */

static void stays_at(const struct speed_case *what, double best, double multiple, double least)
{
    struct speed speed = speed_measure(what, (uint64_t)(multiple * best));

    cr_expect_geq(speed.delivered, least * best,
                  "%s, %u entries, laps %d, %.2f times as much as it carries: %.0f of %.0f", what->probe->name,
                  what->entries, what->laps, multiple, speed.delivered, best);
    cr_expect_geq(speed.useful, 0.88, "%s, %u entries, laps %d, %.2f times as much as it carries: %.2f of what is read",
                  what->probe->name, what->entries, what->laps, multiple, speed.useful);
}

/* Checks that overload does not make delivery collapse. The ring must last for a few exchanges. Through an ST-Link V3 a
 * ring of 465 does not last so long at five times the rate. */
static void does_not_collapse(const struct speed_case *what)
{
    static const double multiples[] = {1.25, 2, 5};
    bool slow_commands = strstr(what->probe->name, "V3") != NULL || strstr(what->probe->name, "v3") != NULL;
    bool is_short = what->entries == 465 && slow_commands;
    double best;

    if (what->entries == 100 || what->laps == PROBE_NO_LAPS)
        return;
    best = speed_best(what);
    for (size_t i = 0; i < sizeof multiples / sizeof *multiples - is_short; i++)
        stays_at(what, best, multiples[i], is_short ? 0.7 : 0.85);
}

Test(poller_speed, a_target_that_is_too_fast_gets_the_probes_maximum)
{
    for_each_case(does_not_collapse);
}

/* The newest entry is read twice, and must not be overwritten between the reads: some time is reserved for that. */
Test(poller_speed, without_laps_a_slight_overload_costs_little)
{
    const struct speed_case what = {.probe = probe_models_find("ST-Link V3"), .entries = 4000, .laps = PROBE_NO_LAPS};

    cr_expect_geq(speed_measure(&what, 26000).delivered, 25900);
    cr_expect_geq(speed_measure(&what, 28000).delivered, 21500);
    cr_expect_geq(speed_measure(&what, 33000).delivered, 22500);
}

/* ---- ways to one probe ---- */

static double delivered(const char *name, uint64_t rate_per_s)
{
    const struct speed_case what = {.probe = probe_models_find(name), .entries = 4000, .laps = PROBE_LAPS};

    return speed_measure(&what, rate_per_s).delivered;
}

static double polls(const char *name)
{
    return speed_polls(probe_models_find(name));
}

Test(poller_speed, directly_a_probe_with_reports_is_twice_as_fast)
{
    cr_expect_geq(delivered("CMSIS-DAP v1, direct", 2000), 2 * delivered("CMSIS-DAP v1", 2000));
    cr_expect_geq(polls("CMSIS-DAP v1, direct"), 2 * polls("CMSIS-DAP v1"));
}

Test(poller_speed, directly_a_full_speed_probe_is_twice_as_fast)
{
    cr_expect_geq(delivered("CMSIS-DAP full speed, direct", 20000), 2 * delivered("CMSIS-DAP full speed", 20000));
    cr_expect_geq(polls("CMSIS-DAP full speed, direct"), 2 * polls("CMSIS-DAP full speed"));
}

Test(poller_speed, directly_a_high_speed_probe_uses_three_quarters_of_the_wire)
{
    cr_expect_geq(delivered("CMSIS-DAP high speed, direct", 60000), 0.75 * speed_of_wire(24000));
    cr_expect_geq(polls("CMSIS-DAP high speed, direct"), 4 * polls("CMSIS-DAP high speed"));
}

/* A V2-1 is slow on the wire, so at a high rate the wire limits every way. */
Test(poller_speed, directly_an_st_link_polls_more_often)
{
    cr_expect_geq(polls("ST-Link V2-1 at 4 MHz, direct"), 1.3 * polls("ST-Link V2-1 at 4 MHz"));
    cr_expect_geq(polls("ST-Link V3, direct"), 1.9 * polls("ST-Link V3"));
    cr_expect_geq(polls("ST-Link V3, direct"), 1.35 * polls("ST-Link V3, quiet"));
}

Test(poller_speed, directly_an_st_link_carries_more)
{
    cr_expect_geq(delivered("ST-Link V2-1 at 4 MHz, direct", 7500), 1.1 * delivered("ST-Link V2-1 at 4 MHz", 7500));
    cr_expect_geq(delivered("ST-Link V3, direct", 60000), 1.5 * delivered("ST-Link V3", 60000));
    cr_expect_geq(delivered("ST-Link V3 at 10 MHz, direct", 30000), 0.75 * speed_of_wire(10000));
}

/*
 * OpenOCD's own polling adds a fixed time to each of txtap's polls. So without it short polls gain most, and long polls
 * gain little.
 */
Test(poller_speed, without_its_polling_openocd_reads_more_often)
{
    cr_expect_geq(polls("ST-Link V3, quiet"), 1.3 * polls("ST-Link V3"));
    cr_expect_geq(delivered("ST-Link V3, quiet", 60000), 1.02 * delivered("ST-Link V3", 60000));
}

/* ---- a short ring ---- */

/*
 * Checks that events of a fast writer are delivered. At 40,000 events per second the ring is overwritten every 12 ms.
 * Two pieces take 7 ms, and 2 ms more if the range of entries crosses a multiple of 4 KiB. A reader that ignored these
 * 2 ms would find few valid entries.
 */
static void lasts(enum probe_laps laps, struct disturbance disturbance, uint64_t rate, double least)
{
    const struct speed_case what = {.probe = &stlink_v3, .entries = 465, .laps = laps, .disturbance = disturbance};
    struct speed speed = speed_measure(&what, rate);

    cr_expect_geq(speed.delivered, least, "laps %d, %lu a second: %.0f", laps, rate, speed.delivered);
    cr_expect_eq(speed.wrong, 0);
    cr_expect(speed.exact);
}

Test(poller_speed, a_short_ring_through_a_slow_command_delivers_as_long_as_it_lasts)
{
    static const struct {
        uint64_t rate;
        double by_laps, by_half_laps;
    } rows[] = {{6500, 6490, 6490},  {8000, 7800, 7990},  {12000, 7600, 9200},
                {16000, 8000, 8400}, {20000, 7000, 8800}, {40000, 2900, 5700}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lasts(PROBE_LAPS, (struct disturbance){0}, rows[i].rate, rows[i].by_laps);
        lasts(PROBE_HALF_LAPS, (struct disturbance){0}, rows[i].rate, rows[i].by_half_laps);
    }
}

/* As on a real board, events come in bursts, and some commands take longer. */
Test(poller_speed, bursts_and_late_commands_cost_a_quarter)
{
    const struct disturbance disturbance = {.tick_us = 1000, .late_us = 300, .stall_us = 4000};

    lasts(PROBE_HALF_LAPS, disturbance, 12000, 8600);
    lasts(PROBE_HALF_LAPS, disturbance, 20000, 8200);
    lasts(PROBE_HALF_LAPS, disturbance, 40000, 3600);
    lasts(PROBE_LAPS, disturbance, 12000, 6900);
    lasts(PROBE_LAPS, disturbance, 40000, 1900);
}

/*
 * Checks that delivery falls steadily as the writer becomes faster. The number of entries that can be read and proved
 * valid falls steadily, so the number of entries that are read must fall, too. A reader could also fall into a rhythm
 * in which it proves nothing; then it would deliver almost nothing at some rate, and much at rates around it.
 */
static void falls_steadily(const char *probe, uint32_t entries, enum probe_laps laps, uint64_t most)
{
    const struct speed_case what = {.probe = probe_models_find(probe), .entries = entries, .objects = 30, .laps = laps};
    double best = speed_best(&what);

    for (double rate = best; rate < (double)most; rate *= 1.1) {
        double possible = speed_limit(&what, rate), delivered = speed_measure(&what, (uint64_t)rate).delivered;

        cr_expect_geq(delivered, 0.55 * (possible < best ? possible : best),
                      "%s, %u entries, laps %d, %.0f a second: %.0f of %.0f", probe, entries, laps, rate, delivered,
                      possible < best ? possible : best);
    }
}

Test(poller_speed, at_no_rate_it_delivers_much_less_than_possible)
{
    falls_steadily("ST-Link V3", 4000, PROBE_HALF_LAPS, 250000);
    falls_steadily("ST-Link V3, quiet", 4000, PROBE_HALF_LAPS, 250000);
    falls_steadily("ST-Link V3, quiet", 4000, PROBE_NO_LAPS, 250000);
    falls_steadily("ST-Link V3", 465, PROBE_NO_LAPS, 50000);
    falls_steadily("virtual board's stlink-v3", 465, PROBE_NO_LAPS, 24000);
    falls_steadily("virtual board's stlink-v3", 465, PROBE_HALF_LAPS, 50000);
}

/* Each gap requests a copy of the registry. Even with few objects the ring is overwritten during the copy. */
Test(poller_speed, looking_for_names_costs_a_third_of_an_overload_at_most)
{
    static const uint64_t rates[] = {12000, 20000, 40000};

    for (size_t i = 0; i < 2 * sizeof rates / sizeof *rates; i++) {
        struct speed_case what = {.probe = &stlink_v3, .entries = 465, .laps = i % 2 ? PROBE_LAPS : PROBE_HALF_LAPS};
        double without = speed_measure(&what, rates[i / 2]).delivered;

        what.objects = 30;
        cr_expect_geq(speed_measure(&what, rates[i / 2]).delivered, 0.66 * without,
                      "%lu a second, laps %d: %.0f of %.0f", rates[i / 2], what.laps,
                      speed_measure(&what, rates[i / 2]).delivered, without);
    }
}
