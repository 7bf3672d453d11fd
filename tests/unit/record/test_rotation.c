/* SPDX-License-Identifier: MIT */
/* The names of files, which follow tcpdump's manual for -C, -G and -W. */
#include "record/block_file.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct rotation rotation;

static void begin(const char *path, uint64_t bytes, uint64_t seconds, uint32_t count)
{
    setenv("TZ", "UTC", 1);
    tzset();
    rotation = (struct rotation){.path = path, .file_bytes = bytes, .file_us = seconds * 1000000, .file_count = count};
    cr_assert_eq(rotation_begin(&rotation, 5000000, 0), TXTAP_OK);
}

static const char *next_part(void)
{
    cr_assert_eq(rotation_next_part(&rotation), TXTAP_OK);
    return rotation.name;
}

Test(rotation, of_one_file_keeps_its_name)
{
    begin("a%Y", 0, 0, 0);
    cr_assert_str_eq(rotation.name, "a%Y", "without -G the name has no time in it");
    cr_assert_not(rotation_is_full(&rotation, UINT64_MAX));
    cr_assert_not(rotation_is_due(&rotation, UINT64_MAX));
}

Test(rotation, by_size_numbers_files_from_the_second_on)
{
    begin("a", 1000, 0, 0);
    cr_assert_str_eq(rotation.name, "a");
    cr_assert_not(rotation_is_full(&rotation, 1000));
    cr_assert(rotation_is_full(&rotation, 1001));
    cr_assert_str_eq(next_part(), "a1");
    for (int i = 0; i < 9; i++)
        next_part();
    cr_assert_str_eq(rotation.name, "a10");
}

Test(rotation, with_a_count_starts_again_and_has_names_that_sort)
{
    begin("a", 1000, 0, 12);
    cr_assert_str_eq(rotation.name, "a00");
    cr_assert_str_eq(next_part(), "a01");
    for (int i = 0; i < 10; i++)
        next_part();
    cr_assert_str_eq(rotation.name, "a11");
    cr_assert_str_eq(next_part(), "a00");
    begin("a", 1000, 0, 10);
    cr_assert_str_eq(rotation.name, "a0");
    begin("a", 1000, 0, 1);
    cr_assert_str_eq(rotation.name, "a");
    cr_assert_str_eq(next_part(), "a");
}

Test(rotation, by_time_has_the_time_in_the_name_and_ends_after_the_count)
{
    begin("a-%H%M%S", 0, 10, 2);
    cr_assert_str_eq(rotation.name, "a-000000");
    cr_assert_not(rotation_is_due(&rotation, 14999999));
    cr_assert(rotation_is_due(&rotation, 15000000));
    cr_assert_eq(rotation_next_time(&rotation, 15010000, 10010000), TXTAP_OK);
    cr_assert_str_eq(rotation.name, "a-000010");
    cr_assert(rotation_is_due(&rotation, 25000000), "delays do not add up");
    cr_assert_eq(rotation_next_time(&rotation, 25000000, 20000000), TXTAP_END);
    cr_assert_str_eq(rotation.name, "a-000010");
}

/* The first check is late, the next is in time. Both come within one second of the host's clock. */
Test(rotation, each_file_has_the_name_of_its_time_however_late_the_check)
{
    begin("a-%S", 0, 1, 0);
    cr_assert_eq(rotation_begin(&rotation, 5000000, 950000), TXTAP_OK);
    cr_assert_str_eq(rotation.name, "a-00");
    cr_assert_eq(rotation_next_time(&rotation, 6700000, 2650000), TXTAP_OK);
    cr_assert_str_eq(rotation.name, "a-01");
    cr_assert_eq(rotation_next_time(&rotation, 7000000, 2950000), TXTAP_OK);
    cr_assert_str_eq(rotation.name, "a-02");
    cr_assert_eq(rotation_next_time(&rotation, 9500000, 5450000), TXTAP_OK);
    cr_assert_str_eq(rotation.name, "a-05", "late by more than a file, it begins at the check");
}

Test(rotation, a_long_delay_does_not_make_empty_files)
{
    begin("a", 0, 10, 0);
    cr_assert_eq(rotation_next_time(&rotation, 100000000, 0), TXTAP_OK);
    cr_assert_not(rotation_is_due(&rotation, 100000001));
    cr_assert_str_eq(rotation.name, "a", "without a time in it the name stays");
}

Test(rotation, by_size_and_time_numbers_start_again_each_time_without_limit)
{
    begin("a-%S-", 1000, 10, 3);
    cr_assert_str_eq(rotation.name, "a-00-0");
    for (int i = 0; i < 4; i++)
        next_part();
    cr_assert_str_eq(rotation.name, "a-00-4", "the count only sets the digits");
    for (int i = 1; i < 6; i++)
        cr_assert_eq(rotation_next_time(&rotation, 5000000 + 10000000 * (uint64_t)i, 10000000 * (uint64_t)i), TXTAP_OK);
    cr_assert_str_eq(rotation.name, "a-50-0");
}

Test(rotation, refuses_invalid_names)
{
    static char path[2 * PATH_MAX];

    memset(path, 'a', sizeof(path) - 1);
    rotation = (struct rotation){.path = path};
    cr_assert_eq(rotation_begin(&rotation, 0, 0), TXTAP_ERROR_USAGE);
    rotation = (struct rotation){.path = path, .file_us = 1};
    cr_assert_eq(rotation_begin(&rotation, 0, 0), TXTAP_ERROR_USAGE);
}
