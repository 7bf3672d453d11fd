/* SPDX-License-Identifier: MIT */
/* Marks of messages, and the order of a subject's messages. */
#include "nats/message.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct nats_mark sample = {0x0123456789abcdef, 42, 17, true};

Test(nats_message, reads_the_mark_that_it_writes)
{
    char text[NATS_MARK_BYTES];
    struct nats_mark mark;

    nats_mark_text(text, &sample);
    cr_assert_str_eq(text, "1 0123456789abcdef 42 17 h");
    cr_assert(nats_mark_parse(&mark, text));
    cr_assert(mark.session == sample.session && mark.number == 42 && mark.head == 17 && mark.begins);
    nats_mark_text(text, &(struct nats_mark){UINT64_MAX, UINT64_MAX, UINT64_MAX, false});
    cr_assert_lt(strlen(text), sizeof text);
}

Test(nats_message, refuses_each_shorter_and_each_changed_mark)
{
    char text[NATS_MARK_BYTES], changed[NATS_MARK_BYTES];
    struct nats_mark mark;

    nats_mark_text(text, &sample);
    for (size_t i = 0; i < strlen(text); i++) {
        memcpy(changed, text, sizeof text);
        changed[i] = '\0';
        cr_expect_not(nats_mark_parse(&mark, changed), "%s", changed);
        memcpy(changed, text, sizeof text);
        changed[i] = '-';
        cr_expect_not(nats_mark_parse(&mark, changed), "%s", changed);
    }
    cr_assert_not(nats_mark_parse(&mark, "2 0123456789abcdef 42 17 h"));
    cr_assert_not(nats_mark_parse(&mark, "1 0123456789abcdef 0 17 h"));
    cr_assert_not(nats_mark_parse(&mark, "1 0123456789abcdef 42 17 h "));
    cr_assert_not(nats_mark_parse(&mark, "1 0123456789abcdef 99999999999999999999 17 h"));
}

static enum nats_verdict give(struct nats_order *order, uint64_t session, uint64_t number, bool begins)
{
    char text[NATS_MARK_BYTES];

    nats_mark_text(text, &(struct nats_mark){session, number, 0, begins});
    return nats_order_take(order, text, 100);
}

Test(nats_message, takes_messages_in_order_and_drops_repetitions)
{
    struct nats_order order = {0};

    cr_assert_eq(give(&order, 1, 5, true), NATS_BEGINS);
    cr_assert_eq(give(&order, 1, 6, false), NATS_TAKE);
    cr_assert_eq(give(&order, 1, 6, false), NATS_SKIP);
    cr_assert_eq(give(&order, 1, 5, true), NATS_SKIP);
    cr_assert_eq(give(&order, 1, 7, false), NATS_TAKE);
    cr_assert_eq(give(&order, 1, 8, true), NATS_BEGINS);
    cr_assert_eq(order.missing + order.skipped + order.foreign, 0);
}

Test(nats_message, counts_missing_messages_and_continues_with_the_next_file)
{
    struct nats_order order = {0};

    give(&order, 1, 1, true);
    cr_assert_eq(give(&order, 1, 4, false), NATS_SKIP);
    cr_assert_eq(give(&order, 1, 5, false), NATS_SKIP);
    cr_assert_eq(give(&order, 1, 6, true), NATS_BEGINS);
    cr_assert_eq(give(&order, 1, 7, false), NATS_TAKE);
    cr_assert_eq(order.missing, 2);
    cr_assert_eq(order.skipped, 2);
}

Test(nats_message, begins_with_a_file)
{
    struct nats_order order = {0};

    cr_assert_eq(give(&order, 1, 7, false), NATS_SKIP);
    cr_assert_eq(give(&order, 1, 8, true), NATS_BEGINS);
    cr_assert_eq(order.missing, 0);
}

Test(nats_message, takes_another_recorder_only_from_its_first_file_on)
{
    struct nats_order order = {0};

    give(&order, 1, 1, true);
    cr_assert_eq(give(&order, 2, 2, true), NATS_BEGINS);
    cr_assert_eq(give(&order, 3, 3, false), NATS_SKIP);
    cr_assert_eq(give(&order, 3, 4, true), NATS_BEGINS);
    cr_assert_eq(give(&order, 4, 1, true), NATS_BEGINS); /* the subject was emptied */
    cr_assert_eq(order.missing, 0);
}

Test(nats_message, counts_messages_of_other_programs)
{
    struct nats_order order = {0};

    give(&order, 1, 1, true);
    cr_assert_eq(nats_order_take(&order, NULL, 10), NATS_SKIP);
    cr_assert_eq(nats_order_take(&order, "hello", 10), NATS_SKIP);
    cr_assert_eq(nats_order_take(&order, "1 0000000000000001 2 0 b", 0), NATS_SKIP);
    cr_assert_eq(nats_order_take(&order, "1 0000000000000001 2 0 b", NATS_MESSAGE_BYTES + 1), NATS_SKIP);
    cr_assert_eq(order.foreign, 4);
    cr_assert_eq(give(&order, 1, 2, false), NATS_TAKE);
}

Test(nats_message, counts_the_messages_before_the_first)
{
    struct nats_order order = {0};

    cr_assert_eq(give(&order, 7, 12, false), NATS_SKIP);
    cr_assert_eq(give(&order, 7, 13, false), NATS_SKIP);
    cr_assert_eq(give(&order, 7, 14, true), NATS_BEGINS);
    cr_assert_eq(give(&order, 7, 17, true), NATS_BEGINS);
    cr_assert_eq(order.before, 11);
    cr_assert_eq(order.skipped, 2);
    cr_assert_eq(order.missing, 2);
}
