/* SPDX-License-Identifier: MIT */
/* The sink that keeps the first items of tail. */
#include "command/hold.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct hold hold;
static uint64_t clock_us;
static unsigned begun;
static enum txtap_status begin_status;
static char transcript[512];
static uint64_t delivered;

static uint64_t now(void)
{
    return clock_us;
}

static enum txtap_status deliver(void *self, const struct txtap_item *item)
{
    size_t used = strlen(transcript);

    (void)self;
    delivered++;
    if (used + 40 > sizeof transcript)
        return TXTAP_OK;
    if (item->kind == TXTAP_ITEM_EVENT)
        snprintf(transcript + used, sizeof transcript - used, "%u:%02x:%u ", (unsigned)item->event.seq,
                 item->event.entry[31], item->event.words != NULL ? (unsigned)item->event.words[5] : 0);
    else if (item->kind == TXTAP_ITEM_MARK)
        snprintf(transcript + used, sizeof transcript - used, "%s ", item->mark.text);
    else if (item->kind == TXTAP_ITEM_BYTES)
        snprintf(transcript + used, sizeof transcript - used, "%.*s ", (int)item->bytes.length, item->bytes.at);
    return TXTAP_OK;
}

static enum txtap_status begin(void *self)
{
    (void)self;
    begun++;
    hold.next = (struct txtap_sink){deliver, NULL};
    return begin_status;
}

static void set_up(void)
{
    clock_us = 1000;
    hold = (struct hold){.holds = true, .begin = begin, .now_us = now};
}

TestSuite(hold, .init = set_up);

/* Gives an event whose bytes are overwritten afterwards. */
static enum txtap_status give(uint64_t seq, bool has_words)
{
    uint32_t words[6] = {[5] = (uint32_t)seq + 7};
    uint8_t entry[TXTB_ENTRY_BYTES] = {[31] = (uint8_t)seq};
    const struct txtap_item item = {
        .kind = TXTAP_ITEM_EVENT,
        .event = {.seq = seq, .entry = entry, .words = has_words ? words : NULL, .word_count = 6}};
    enum txtap_status status = hold_take(&hold, &item);

    memset(words, 0xFF, sizeof words);
    memset(entry, 0xFF, sizeof entry);
    return status;
}

Test(hold, items_are_kept_with_all_their_bytes_and_passed_on_in_order)
{
    char text[] = "reset", bytes[] = "ctf";
    const struct txtap_item mark = {.kind = TXTAP_ITEM_MARK, .mark = {.text = text}};
    const struct txtap_item piece = {.kind = TXTAP_ITEM_BYTES, .bytes = {(const uint8_t *)bytes, 3}};

    cr_assert_eq(give(1, false), TXTAP_OK);
    cr_assert_eq(give(2, true), TXTAP_OK);
    cr_assert_eq(hold_take(&hold, &mark), TXTAP_OK);
    cr_assert_eq(hold_take(&hold, &piece), TXTAP_OK);
    memset(text, 'x', 5);
    memset(bytes, 'x', 3);
    cr_assert_eq(begun, 0);
    cr_assert_eq(hold_end(&hold), TXTAP_OK);
    cr_assert_eq(give(3, true), TXTAP_OK);
    cr_assert_str_eq(transcript, "1:01:0 2:02:9 reset ctf 3:03:10 ");
    cr_assert_eq(hold_end(&hold), TXTAP_OK);
    cr_assert_eq(begun, 1, "only once");
}

Test(hold, the_time_counts_from_the_first_item)
{
    clock_us += 10 * HOLD_US;
    cr_assert_not(hold_is_over(&hold), "nothing waits");
    give(1, false);
    clock_us += HOLD_US - 1;
    give(2, false);
    cr_assert_not(hold_is_over(&hold));
    clock_us++;
    cr_assert(hold_is_over(&hold));
}

Test(hold, many_items_end_the_hold)
{
    for (uint64_t seq = 0; seq < HOLD_ITEMS_MAX; seq++)
        cr_assert_eq(give(seq, seq % 2 == 0), TXTAP_OK);
    cr_assert_eq(delivered, 0);
    cr_assert_eq(give(HOLD_ITEMS_MAX, false), TXTAP_OK);
    cr_assert_eq(delivered, HOLD_ITEMS_MAX + 1);
    cr_assert_eq(strncmp(transcript, "0:00:7 1:01:0 2:02:9 ", 21), 0, "%s", transcript);
}

Test(hold, a_failure_to_begin_is_returned)
{
    begin_status = TXTAP_ERROR_SYSTEM;
    give(1, true);
    cr_assert_eq(hold_end(&hold), TXTAP_ERROR_SYSTEM);
    cr_assert_eq(delivered, 0);
}
