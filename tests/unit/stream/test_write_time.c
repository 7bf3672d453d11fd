/* SPDX-License-Identifier: MIT */
/* The times at which entries were written, computed from reads of the pointer and compared with the true times. */
#include "stream/batch_items.h"

#include <criterion/criterion.h>

enum { ENTRIES = 20000 };

static uint64_t written_us[ENTRIES];

static void assert_window_holds(const struct write_times *write_times, uint64_t position)
{
    uint64_t from_us, to_us, until;

    write_times_find(write_times, position, &from_us, &to_us, &until);
    cr_assert_gt(until, position);
    for (; position < until && position < ENTRIES; position++)
        cr_assert(from_us <= written_us[position] && written_us[position] <= to_us, "entry %lu: %lu not in %lu..%lu",
                  (unsigned long)position, (unsigned long)written_us[position], (unsigned long)from_us,
                  (unsigned long)to_us);
}

/* Checks a run. backlog: number of entries that are delivered late; it may exceed the room in write_times. */
static void watch(uint64_t backlog)
{
    struct write_times write_times;
    uint64_t now_us = 1000, head = 5, next = 0, seed = backlog;
    unsigned tight = 0;

    for (uint64_t i = 0; i < head; i++)
        written_us[i] = 999;
    write_times_start(&write_times, head, false, 0, now_us);
    while (head < ENTRIES - 8) {
        uint64_t begin_us = now_us += 100, random = (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 40;

        for (uint64_t n = random % 4; n > 0; n--)
            written_us[head++] = now_us += 3;
        write_times_note(&write_times, head, random % 16 != 0, begin_us, now_us += 2, next);
        if (head < backlog)
            continue;
        for (; next + backlog < head; next++) {
            uint64_t from_us, to_us, until;

            assert_window_holds(&write_times, next);
            write_times_find(&write_times, next, &from_us, &to_us, &until);
            tight += to_us - from_us < 500;
        }
        cr_assert_leq(write_times.count, WRITE_TIMES_MAX);
    }
    cr_assert_gt(tight, backlog < WRITE_TIMES_MAX ? next * 9 / 10 : 0);
}

Test(write_time, every_entry_was_written_in_its_window)
{
    watch(0);
    watch(10);
    watch(50);
}

Test(write_time, every_entry_of_a_late_reader_was_written_in_its_window)
{
    watch(1000);
    watch(10000);
}

Test(write_time, the_age_of_the_first_entries_is_unknown)
{
    struct write_times write_times;
    uint64_t from_us, to_us, until;

    write_times_start(&write_times, 100, true, 5, 7);
    write_times_find(&write_times, 42, &from_us, &to_us, &until);
    cr_assert(from_us == 0 && to_us == 7 && until == 100);
}

Test(write_time, entries_after_the_first_read_are_not_older_than_it)
{
    struct write_times write_times;
    uint64_t from_us, to_us, until;

    write_times_start(&write_times, 100, true, 5, 7);
    write_times_note(&write_times, 103, true, 20, 21, 0);
    write_times_find(&write_times, 100, &from_us, &to_us, &until);
    cr_assert(from_us == 5 && to_us == 21 && until == 103);
}

Test(write_time, entries_may_be_older_than_a_first_read_that_may_have_missed_some)
{
    struct write_times write_times;
    uint64_t from_us, to_us, until;

    write_times_start(&write_times, 100, false, 5, 7);
    write_times_note(&write_times, 103, true, 20, 21, 0);
    write_times_find(&write_times, 100, &from_us, &to_us, &until);
    cr_assert(from_us == 0 && to_us == 21 && until == 103);
}
