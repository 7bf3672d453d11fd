/* SPDX-License-Identifier: MIT */
/*
 * The recorder's object registry. Each rule of ThreadX for finding and reusing slots has a test. Other tests check what
 * a reader sees between two stores.
 */
#include "target/recorder_target.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

static void expect_slot(uint32_t slot, uint8_t available, unsigned i)
{
    uint32_t at = object_at(slot);
    cr_expect_eq(ram[at + TXTB_OBJECT_AVAILABLE], available, "available of slot %u", slot);
    cr_expect_eq(load32(at + TXTB_OBJECT_POINTER), thing(i), "pointer of slot %u", slot);
}

Test(recorder_registry, fills_the_registry_from_its_start)
{
    enable(3, 1);
    for (unsigned i = 0; i < 3; i++) {
        cr_expect_eq(add(i, "x"), TXTAP_TRACE_OK);
        expect_slot(i, 0, i);
        cr_expect_eq(_tx_trace_available_registry_entries, 2 - i);
        cr_expect_eq(_tx_trace_registry_search_start, (i + 1) % 3);
    }
}

Test(recorder_registry, refuses_an_object_when_all_slots_are_in_use)
{
    enable(2, 1);
    add(0, "a");
    add(1, "b");
    log_count = 0;
    cr_expect_eq(add(2, "c"), TXTAP_TRACE_NOT_DONE);
    cr_expect_eq(log_count, 0);
    expect_slot(0, 0, 0);
    expect_slot(1, 0, 1);
}

Test(recorder_registry, renames_a_live_object_in_place_even_when_the_registry_is_full)
{
    enable(2, 1);
    add(0, "a");
    add(1, "b");
    cr_expect_eq(add(0, "again"), TXTAP_TRACE_OK);
    cr_expect_str_eq((char *)ram + object_at(0) + TXTB_OBJECT_NAME, "again");
    expect_slot(1, 0, 1);
    cr_expect_eq(_tx_trace_available_registry_entries, 0, "no slot was used up");
    txtap_trace_object_unregister(&things[1]);
    cr_expect_eq(add(2, "c"), TXTAP_TRACE_OK);
    expect_slot(1, 0, 2);
}

Test(recorder_registry, keeps_a_deleted_object_readable)
{
    enable(2, 1);
    txtap_trace_thread_register(&things[0], "gone", 9, 1, 2);
    cr_expect_eq(txtap_trace_object_unregister(&things[0]), TXTAP_TRACE_OK);
    expect_slot(0, 1, 0);
    cr_expect_eq(ram[object_at(0) + TXTB_OBJECT_TYPE], 1);
    cr_expect_eq(ram[object_at(0) + TXTB_OBJECT_RESERVED2], 9);
    cr_expect_str_eq((char *)ram + object_at(0) + TXTB_OBJECT_NAME, "gone");
    cr_expect_eq(_tx_trace_available_registry_entries, 2);
    cr_expect_eq(_tx_trace_registry_search_start, 0);
}

Test(recorder_registry, counts_a_slot_as_free_once_however_often_it_is_deleted)
{
    enable(2, 1);
    add(0, "a");
    txtap_trace_object_unregister(&things[0]);
    cr_expect_eq(txtap_trace_object_unregister(&things[0]), TXTAP_TRACE_OK);
    cr_expect_eq(_tx_trace_available_registry_entries, 2);
}

Test(recorder_registry, reports_an_unknown_object_on_unregister)
{
    enable(2, 1);
    add(0, "a");
    cr_expect_eq(txtap_trace_object_unregister(&things[5]), TXTAP_TRACE_NOT_DONE);
    cr_expect_eq(txtap_trace_object_unregister(NULL), TXTAP_TRACE_NOT_DONE);
    expect_slot(0, 0, 0);
}

Test(recorder_registry, refuses_the_null_object)
{
    enable(2, 1);
    cr_expect_eq(txtap_trace_object_register(TXTAP_TRACE_OBJECT_QUEUE, NULL, "x", 0, 0), TXTAP_TRACE_NOT_DONE);
    cr_expect_eq(_tx_trace_available_registry_entries, 2);
}

Test(recorder_registry, prefers_an_unused_slot_over_an_earlier_deleted_one)
{
    enable(4, 1);
    add(0, "a");
    add(1, "b");
    txtap_trace_object_unregister(&things[0]); /* the next search starts at the deleted slot 0 */
    add(2, "c");
    expect_slot(0, 1, 0);
    expect_slot(2, 0, 2);
    cr_expect_eq(_tx_trace_registry_search_start, 3);
}

Test(recorder_registry, prefers_its_own_old_slot_over_other_deleted_ones)
{
    enable(3, 1);
    for (unsigned i = 0; i < 3; i++) {
        add(i, "x");
    }
    for (unsigned i = 3; i-- > 0;) {
        txtap_trace_object_unregister(&things[i]);
    }
    cr_expect_eq(add(1, "back"), TXTAP_TRACE_OK);
    expect_slot(0, 1, 0);
    expect_slot(1, 0, 1);
    expect_slot(2, 1, 2);
}

Test(recorder_registry, takes_the_last_deleted_slot_in_search_order)
{
    enable(4, 1);
    for (unsigned i = 0; i < 4; i++) {
        add(i, "x");
    }
    txtap_trace_object_unregister(&things[0]);
    txtap_trace_object_unregister(&things[1]);
    txtap_trace_object_unregister(&things[3]); /* the next search looks at the slots 3, 0, 1, 2 */
    add(4, "y");
    expect_slot(1, 0, 4);
    cr_expect_eq(_tx_trace_registry_search_start, 2);
    add(5, "z"); /* searches the slots 2, 3, 0, 1 */
    expect_slot(0, 0, 5);
    add(6, "w");
    expect_slot(3, 0, 6);
    cr_expect_eq(add(7, "v"), TXTAP_TRACE_NOT_DONE);
}

Test(recorder_registry, keeps_a_deleted_slot_of_type_0_once_found)
{
    enable(3, 1);
    for (unsigned i = 0; i < 3; i++) {
        txtap_trace_object_register(i == 0 ? 0 : TXTAP_TRACE_OBJECT_TIMER, &things[i], "x", 0, 0);
    }
    txtap_trace_object_unregister(&things[2]);
    txtap_trace_object_unregister(&things[1]);
    txtap_trace_object_unregister(&things[0]); /* the next search starts at slot 0, whose type is 0 */
    add(4, "y");
    expect_slot(0, 0, 4);
}

/* ThreadX would use a new slot and leave the old slot as it is, for old events. Then a reader could not know which name
 * is valid. */
Test(recorder_registry, registers_an_object_only_once)
{
    enable(4, 1);
    add(0, "a");
    txtap_trace_object_unregister(&things[0]);
    add(1, "b"); /* slot 1, because an unused slot is preferred to a deleted slot */
    add(0, "a"); /* the search starts at slot 2, which is unused */
    expect_slot(0, 0, 0);
    cr_expect_eq(load32(object_at(2) + TXTB_OBJECT_POINTER), 0);
    cr_expect_eq(_tx_trace_registry_search_start, 1);
    cr_expect_eq(_tx_trace_available_registry_entries, 2);
}

Test(recorder_registry, cuts_names_and_keeps_the_bytes_after_the_terminator)
{
    static const char unterminated[40] = "0123456789abcdefghijklmnopqrstuvwxyzABCD";
    enable(3, 1);
    char *name = (char *)ram + object_at(0) + TXTB_OBJECT_NAME;
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_TIMER, &things[0], unterminated, 0, 0);
    cr_expect_str_eq(name, "0123456789abcdefghijklmnopqrstu", "31 characters and NUL");
    cr_expect_eq(ram[object_at(1)], 1, "the next slot is untouched");
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_TIMER, &things[0], "new", 0, 0);
    cr_expect_str_eq(name, "new");
    cr_expect_eq(name[4], '4');
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_TIMER, &things[1], "new", 0, 0);
    name = (char *)ram + object_at(1) + TXTB_OBJECT_NAME;
    cr_expect_eq((uint8_t)name[4], GARBAGE);
    cr_expect_eq((uint8_t)name[31], GARBAGE);
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_TIMER, &things[2], NULL, 0, 0);
    name = (char *)ram + object_at(2) + TXTB_OBJECT_NAME;
    cr_expect_eq((uint8_t)name[0], 0);
    cr_expect_eq((uint8_t)name[1], GARBAGE);
}

Test(recorder_registry, reads_no_further_than_31_bytes_of_a_name)
{
    enable(1, 1);
    /* has no terminator: the sanitizer detects a read past its end */
    static char exact[31];
    memset(exact, 'n', sizeof exact);
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_TIMER, &things[0], exact, 0, 0);
    cr_expect_eq(ram[object_at(0) + TXTB_OBJECT_NAME + 30], 'n');
    cr_expect_eq(ram[object_at(0) + TXTB_OBJECT_NAME + 31], 0);
}

/* Checks that each slot with a type is complete: either it is unchanged, or it is in use. */
static void slot_is_whole_or_none(int what)
{
    const uint8_t *slot = ram + object_at(0);

    (void)what;
    if (slot[TXTB_OBJECT_TYPE] == 0) {
        return;
    }
    bool old = slot[TXTB_OBJECT_AVAILABLE] != 0;
    cr_expect_eq(load32(object_at(0) + TXTB_OBJECT_POINTER), old ? thing(0) : thing(1));
    cr_expect_eq(load32(object_at(0) + TXTB_OBJECT_PARAMETER2), old ? 2 : 22);
    cr_expect_str_eq((const char *)slot + TXTB_OBJECT_NAME, old ? "first" : "second");
}

Test(recorder_registry, shows_no_half_written_object)
{
    enable(1, 1);
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_TIMER, &things[0], "first", 1, 2);
    txtap_trace_object_unregister(&things[0]);
    log_count = 0;
    on_step = slot_is_whole_or_none;
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_QUEUE, &things[1], "second", 11, 22);
    cr_assert_gt(log_count, 10);
    expect_slot(0, 0, 1);
}
