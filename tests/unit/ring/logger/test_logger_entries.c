/* SPDX-License-Identifier: MIT */
/* The location of the event logger's ring, and its events as entries of a TXTB buffer. */
#include <criterion/criterion.h>
#include <string.h>

#include "txtap/event.h"
#include "txtap/event_logger.h"

Test(logger_entries, is_found_at_any_offset_in_the_structure)
{
    for (uint32_t at = 0; at <= 40; at += 4)
        for (int big = 0; big < 2; big++) {
            uint32_t words[16] = {0}, size = 0, offset = 99, ring[] = {3, 100, 0, 128, 0x20000100, 127};
            uint8_t bytes[64];

            memcpy(words + at / 4, ring, sizeof ring);
            for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] = (uint8_t)(words[i / 4] >> 8 * (big ? 3 - i % 4 : i % 4));
            cr_assert(
                txtap_logger_find(bytes, sizeof bytes, big ? TXTAP_BIG : TXTAP_LITTLE, 0x20000100, &size, &offset));
            cr_assert_eq(offset, at);
            cr_assert_eq(size, 128);
            size = 64;
            cr_assert_not(txtap_logger_find(bytes, sizeof bytes, TXTAP_LITTLE, 0x20000100, &size, &offset));
            size = 0;
            cr_assert_not(txtap_logger_find(bytes, at + 20, TXTAP_LITTLE, 0x20000100, &size, &offset));
        }
}

static bool found_with(uint32_t word, uint32_t value)
{
    uint32_t ring[] = {3, 99, 0, 100, 0x20000100, 0}, size = 0, offset;
    uint8_t bytes[24];

    ring[word] = value;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(ring[i / 4] >> 8 * (i % 4));
    return txtap_logger_find(bytes, sizeof bytes, TXTAP_LITTLE, 0x20000100, &size, &offset);
}

Test(logger_entries, is_not_found_if_a_number_is_inconsistent)
{
    cr_assert(found_with(2, 7));
    cr_assert_not(found_with(0, 100));
    cr_assert_not(found_with(1, 100));
    cr_assert_not(found_with(3, 2));
    cr_assert_not(found_with(3, TXTAP_LOGGER_SIZE_MAX + 1));
    cr_assert_not(found_with(4, 0));
    cr_assert_not(found_with(5, 99));
}

static struct txtap_logger_clock stamps;
static uint32_t shown[TXTAP_LOGGER_WORDS_MAX], count; /* words of the last entry */

static struct txtap_event event_of(uint32_t type, const uint32_t *words, uint32_t word_count, bool zephyr)
{
    static uint8_t entry[TXTB_ENTRY_BYTES];
    struct txtap_header header = {.timer_mask = UINT32_MAX};
    struct txtap_logger_item item = {.type = type, .count = word_count};
    struct txtap_event event;

    memcpy(item.words, words, word_count * sizeof *words);
    txtap_logger_entry(&stamps, &item, zephyr, entry, shown, &count);
    txtap_event_parse(entry, &header, &event);
    return event;
}

Test(logger_entries, makes_entries_of_the_kernels_events)
{
    struct txtap_event event = event_of(1, (const uint32_t[]){1000, 0x20000400}, 2, false);

    cr_expect_eq(event.id, 4097);
    cr_expect_eq(event.stamp, 1000);
    cr_expect_eq(event.thread, 0x20000400);
    cr_expect(count == 1 && shown[0] == 0x20000400 && event.info[0] == shown[0] && event.info[1] == 0);
    event = event_of(2, (const uint32_t[]){1100, 22}, 2, false);
    cr_expect(event.id == 4098 && event.stamp == 1100 && event.context == TXTAP_CONTEXT_IDLE);
    cr_expect(count == 1 && shown[0] == 22);
    event = event_of(3, (const uint32_t[]){1050, 1200, 15}, 3, false);
    cr_expect(event.id == 4099 && event.stamp == 1200 && count == 3);
    cr_expect(shown[0] == 150 && shown[1] == 0 && shown[2] == 15, "how long, in cycles, until which interrupt");
    event = event_of(3, (const uint32_t[]){1300, 7, 15}, 3, true);
    cr_expect(event.stamp == 1300 && shown[0] == 7 && shown[1] == 1 && shown[2] == 15, "in ticks");
    event = event_of(1, (const uint32_t[]){1400, 0}, 2, false);
    cr_expect(event.thread == TXTAP_LOGGER_THREAD_UNKNOWN && shown[0] == 0);
}

Test(logger_entries, makes_entries_of_the_applications_events)
{
    uint32_t data[255];
    uint8_t more[TXTB_ENTRY_BYTES];
    struct txtap_header header = {.timer_mask = UINT32_MAX};
    struct txtap_event event;

    for (uint32_t i = 0; i < 255; i++)
        data[i] = 7 * i;
    (void)event_of(2, (const uint32_t[]){5000, 1}, 2, false);
    event = event_of(8, data, 255, false);
    cr_expect_eq(event.id, 4104);
    cr_expect_eq(event.stamp, 5000, "it has no time of its own: not before the last one");
    cr_expect_eq(count, 255);
    cr_expect_arr_eq(shown, data, sizeof data);
    cr_expect_arr_eq(event.info, data, sizeof event.info);
    txtap_logger_more(event.entry, shown + 252, 3, more);
    txtap_event_parse(more, &header, &event);
    cr_expect(event.id == TXTAP_LOGGER_MORE_ID && event.stamp == 5000);
    cr_expect(event.info[0] == 7 * 252 && event.info[2] == 7 * 254 && event.info[3] == 0);
    event = event_of(65535, data, 0, true);
    cr_expect(event.id == 4096 + 65535 && count == 0 && event.info[0] == 0);
    event = event_of(2, (const uint32_t[]){1}, 1, false);
    cr_expect(event.stamp == 5000 && count == 1 && shown[0] == 1,
              "a kernel event of another length is shown unchanged");
}

Test(logger_entries, ignores_small_steps_back_of_zephyrs_stamps)
{
    (void)event_of(2, (const uint32_t[]){5000, 1}, 2, true);
    cr_expect_eq(event_of(1, (const uint32_t[]){4990, 1}, 2, true).stamp, 5000);
    cr_expect_eq(event_of(1, (const uint32_t[]){5010, 1}, 2, true).stamp, 5010);
    cr_expect_eq(event_of(1, (const uint32_t[]){5000, 1}, 2, false).stamp, 5000,
                 "txtap's logger takes stamps in the lock: they have wrapped");
}
