/* SPDX-License-Identifier: MIT */
/*
 * A writer with a steady pace. If it is faster than the reader, most of the entries that are read must be delivered.
 * If it is slower, most of the entries that were in the ring must be delivered after an attach. The target is
 * simulated, so the figures depend only on the reader's rules, not on a machine or a probe.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "ring/txtb_target.h"
#include "sanitized.h"

#define EVENT_US 1000 /* the time in which the writer writes one event, in us */

struct pace {
    uint32_t entries;
    unsigned per_word_1000; /* events written in the time of one word read, in thousandths */
    unsigned per_read;      /* events written in the fixed time of one read command */
    uint64_t owed_1000;
    uint32_t expected; /* address after the last word read: a read that continues there needs no new command */
};

static struct ring_target target;
static struct txtap_ring ring;
static uint8_t buffer[TARGET_ENTRIES_MAX * TXTB_ENTRY_BYTES];

static void let_writer_run(struct ring_target *self, uint32_t address)
{
    struct pace *pace = self->scripted;

    if (address != pace->expected) {
        target_write(self, pace->per_read);
        self->now_us += (uint64_t)pace->per_read * EVENT_US;
    }
    pace->expected = address + 4;
    pace->owed_1000 += pace->per_word_1000;
    self->now_us += (uint64_t)pace->per_word_1000 * EVENT_US / 1000;
    target_write(self, pace->owed_1000 / 1000);
    pace->owed_1000 %= 1000;
}

/* Returns the percentage of the bytes read that become delivered events, in the long run. */
static double efficiency(struct pace pace, bool counts_laps)
{
    uint64_t bytes = 0, delivered = 0, lost = 0;

    target_init(&target, pace.entries, counts_laps, 1);
    target_write(&target, 3 * pace.entries);
    target_attach(&target, &ring, buffer, TARGET_ENTRIES_MAX, TXTAP_RING_FROM_OLDEST);
    target.scripted = &pace;
    target.before_word = let_writer_run;
    for (int i = 0; i < 2000; i++) {
        struct txtap_ring_batch batch;

        cr_assert_eq(target_exchange(&target, &ring, &batch), TXTAP_OK);
        if (i < 100)
            continue;
        bytes += target.bytes_in_last_exchange;
        delivered += batch.held_count + batch.count;
        lost += batch.lost;
    }
    cr_assert_gt(lost, 0, "this writer was not fast enough");
    printf("%u thousandths a word, %u a read: %" PRIu64 " delivered, %" PRIu64 " lost, %.1f %%\n", pace.per_word_1000,
           pace.per_read, delivered, lost, 100.0 * (double)delivered * TXTB_ENTRY_BYTES / (double)bytes);
    return 100.0 * (double)delivered * TXTB_ENTRY_BYTES / (double)bytes;
}

Test(ring_saturation, most_read_entries_are_delivered)
{
    /* The slowest writer is hardly faster than the reader, the fastest is four times as fast. */
    for (unsigned per_word_1000 = 130; per_word_1000 <= 500; per_word_1000 += 37 * RUNS_DIVISOR)
        cr_expect_geq(efficiency((struct pace){.entries = 256, .per_word_1000 = per_word_1000, .per_read = 1}, true),
                      90.0);
}

Test(ring_saturation, most_are_delivered_if_each_command_is_expensive)
{
    for (unsigned per_read = 2; per_read <= 8; per_read++)
        cr_expect_geq(efficiency((struct pace){.entries = 256, .per_word_1000 = 150, .per_read = per_read}, true),
                      90.0);
}

Test(ring_saturation, most_are_delivered_without_a_lap_counter)
{
    for (unsigned per_word_1000 = 130; per_word_1000 <= 500; per_word_1000 += 37 * RUNS_DIVISOR)
        cr_expect_geq(efficiency((struct pace){.entries = 256, .per_word_1000 = per_word_1000, .per_read = 1}, false),
                      90.0);
}

/* ---- attaching ---- */

/*
 * Attaches to a ring of 250 slots, and lets the writer write 150 more events. Returns delivered events / deliverable
 * events, in percent. The number of deliverable events is the smaller of two numbers: events in the ring at the attach
 * plus events written later, and entries that the reader has read.
 */
static double share_of_attach(struct pace pace, bool counts_laps, uint64_t before)
{
    uint64_t bytes = 0, delivered = 0, there, read;

    target_init(&target, pace.entries, counts_laps, 1);
    target_write(&target, before);
    target_attach(&target, &ring, buffer, TARGET_ENTRIES_MAX, TXTAP_RING_FROM_OLDEST);
    target.scripted = &pace;
    target.before_word = let_writer_run;
    while (target.written - before < 150) {
        struct txtap_ring_batch batch;

        cr_assert_eq(target_exchange(&target, &ring, &batch), TXTAP_OK);
        bytes += target.bytes_in_last_exchange;
        delivered += batch.held_count + batch.count;
    }
    there = target.written - before + (before < pace.entries ? before : pace.entries - 1);
    read = bytes / TXTB_ENTRY_BYTES;
    return 100.0 * (double)delivered / (double)(there < read ? there : read);
}

/* The slowest writer has an eighth of the reader's pace, the fastest nearly the reader's full pace. Each writer begins
 * at any slot. */
Test(ring_saturation, attaching_without_a_lap_counter_delivers_as_much)
{
    double worst = 100;

    for (unsigned per_word_1000 = 16; per_word_1000 <= 112; per_word_1000 += 16)
        for (uint64_t before = 260; before < 520; before += 3 * RUNS_DIVISOR) {
            struct pace pace = {.entries = 250, .per_word_1000 = per_word_1000};
            double with = share_of_attach(pace, true, before), without = share_of_attach(pace, false, before);

            worst = 100 * without / with < worst ? 100 * without / with : worst;
        }
    printf("without laps %.1f %% of what is delivered with laps, in the worst case\n", worst);
    cr_expect_geq(worst, 80.0);
}
