/* SPDX-License-Identifier: MIT */
/* Entries become events with times: ticks come from the stamps and, if it is known, from the host's clock. */
#include "txtap/event_maker.h"

#include <criterion/criterion.h>

#include "txtb_bytes.h"

static const struct txtap_header header = {.timer_mask = 0xFFFF};
static struct txtap_event_maker maker;
static uint8_t entry[TXTB_ENTRY_BYTES];

/* Makes an event. The stamps count microseconds. */
static struct txtap_item made(uint32_t stamp, uint64_t from_us, uint64_t to_us)
{
    const uint32_t words[8] = {0x20000100, 5, 83, stamp, 1, 2, 3, 4};
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT, .from_us = from_us, .to_us = to_us};

    put_entry(entry, TXTAP_LITTLE, words);
    txtap_event_parse(entry, &header, &item.event);
    txtap_event_maker_time(&maker, &item);
    return item;
}

Test(event_maker, parses_an_entry_and_counts_its_ticks)
{
    const uint32_t words[8] = {0x20000100, 5, 83, 0x12340, 1, 2, 3, 4};
    struct txtap_item item;

    txtap_event_maker_init(&maker, header.timer_mask, 0);
    put_entry(entry, TXTAP_LITTLE, words);
    txtap_event_maker_event(&maker, &header, entry, 7, &item);
    cr_assert_eq(item.kind, TXTAP_ITEM_EVENT);
    cr_assert_eq(item.to_us, 0, "nobody knows when it was written");
    cr_assert_eq(item.event.seq, 7);
    cr_assert_eq(item.event.ticks, 0);
    cr_assert_eq(item.event.entry, entry);
    cr_assert_eq(item.event.info[3], 4);
    put_u32(entry + TXTB_ENTRY_STAMP, TXTAP_LITTLE, 0x12350);
    txtap_event_maker_event(&maker, &header, entry, 8, &item);
    cr_assert_eq(item.event.ticks, 0x10);
    cr_assert_eq(item.event.unix_us, 0);
}

Test(event_maker, counts_periods_during_a_silence_and_knows_the_time_of_day)
{
    struct txtap_item item;

    txtap_event_maker_init(&maker, header.timer_mask, 1e6);
    maker.unix_offset_us = 5000000000;
    item = made(1000, 0, 1000000);
    cr_assert_eq(item.event.unix_us, 0, "it may be of any age");
    item = made(2000, 1000000, 1000100);
    item = made((2000 + 300000) & 0xFFFF, 1300000, 1300100);
    cr_assert_eq(item.event.ticks, 301000, "%lu", item.event.ticks);
    cr_assert_not(item.event.ticks_doubtful);
    cr_assert(item.event.unix_us >= 5001299000 && item.event.unix_us <= 5001300100, "%lu", item.event.unix_us);
    txtap_event_maker_restart(&maker, header.timer_mask);
    item = made(7, 1400000, 1400100);
    cr_assert(item.event.ticks > 400000 && item.event.ticks < 402000, "by the host's clock: %lu", item.event.ticks);
}

Test(event_maker, a_null_sink_accepts_anything)
{
    cr_assert_eq(txtap_sink_take((struct txtap_sink){.take = NULL}, &(struct txtap_item){.kind = TXTAP_ITEM_MARK}),
                 TXTAP_OK);
}
