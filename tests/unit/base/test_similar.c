/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "base/similar.h"

static struct similar similar;
static char text[SIMILAR_TEXT_BYTES];

static const char *among(const char *wanted, const char *const *names)
{
    similar_init(&similar, wanted);
    for (; *names; names++)
        similar_offer(&similar, *names);
    return similar_text(&similar, text);
}

#define AMONG(wanted, ...) among(wanted, (const char *const[]){__VA_ARGS__, NULL})

Test(similar, two_letters_swapped_are_one_edit)
{
    cr_assert_str_eq(AMONG("tx_queue_sned", "tx_sleep", "tx_queue_send"), ": did you mean 'tx_queue_send'?");
    cr_assert_eq(similar.best[0].edits, 1);
}

Test(similar, letters_may_be_missing_added_or_wrong)
{
    cr_assert_str_eq(AMONG("smples", "samples"), ": did you mean 'samples'?");
    cr_assert_str_eq(AMONG("sammples", "samples"), ": did you mean 'samples'?");
    cr_assert_str_eq(AMONG("samplez", "samples"), ": did you mean 'samples'?");
    cr_assert_str_eq(AMONG("SAMPLEZ", "samples"), ": did you mean 'samples'?");
}

Test(similar, nothing_similar_gives_no_suggestion)
{
    cr_assert_str_eq(AMONG("producer", "ledger", "isr", ""), "");
    cr_assert_str_eq(AMONG("x", "abcdef", "yz"), "");
}

Test(similar, the_most_similar_come_first_and_at_most_three)
{
    cr_assert_str_eq(AMONG("thread 0", "thread 12", "thread 1", "threat 0", "thread", "thread 0x"),
                     ": did you mean 'thread 1', 'threat 0' or 'thread 0x'?");
}

Test(similar, a_part_of_a_name_comes_after_a_misspelling)
{
    cr_assert_str_eq(AMONG("queue", "tx_queue_send", "quue"), ": did you mean 'quue' or 'tx_queue_send'?");
}

Test(similar, a_name_is_suggested_once)
{
    cr_assert_str_eq(AMONG("samplez", "samples", "samples"), ": did you mean 'samples'?");
}

Test(similar, names_from_a_target_are_made_printable)
{
    cr_assert_str_eq(AMONG("abcdefgh", "abcd\033fgh"), ": did you mean 'abcd.fgh'?");
}

Test(similar, long_names_are_compared_by_their_beginning)
{
    char wanted[300], name[300];

    memset(wanted, 'a', sizeof wanted - 1);
    memset(name, 'a', sizeof name - 1);
    wanted[299] = name[299] = '\0';
    name[5] = 'b';
    AMONG(wanted, name);
    cr_assert_eq(similar.count, 1);
    cr_assert_eq(strlen(similar.best[0].name), SIMILAR_NAME_BYTES - 1);
}
