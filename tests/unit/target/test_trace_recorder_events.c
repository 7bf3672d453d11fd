/* SPDX-License-Identifier: MIT */
/*
 * The recorder's events: contexts, filters, words that are patched later, and laps. The order of the stores is checked
 * at every single store, as a live reader sees it.
 */
#include "target/recorder_target.h"

#include <criterion/criterion.h>
#include <stdbool.h>

Test(recorder_events, records_only_the_classes_that_are_not_filtered_out)
{
    enable(0, 8);
    cr_expect_eq(txtap_trace_event_filter(TXTAP_TRACE_CLASS_QUEUE | TXTAP_TRACE_CLASS_USER), TXTAP_TRACE_OK);
    cr_expect(txtap_trace_event_insert(69, 0, 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE) == NULL);
    cr_expect_eq(user_event(4096), TXTAP_TRACE_OK, "filtered out is not an error");
    cr_expect_eq(log_count, 0);
    cr_expect(txtap_trace_event_insert(83, 0, 0, 0, 0, TXTAP_TRACE_CLASS_SEMAPHORE) != NULL);
    cr_expect_eq(txtap_trace_event_unfilter(TXTAP_TRACE_CLASS_QUEUE), TXTAP_TRACE_OK);
    cr_expect(txtap_trace_event_insert(69, 0, 0, 0, 0, TXTAP_TRACE_CLASS_QUEUE) != NULL);
    cr_expect_eq(_tx_trace_event_enable_bits, 0x7FFFFFFFu);
    txtap_trace_event_filter(TXTAP_TRACE_CLASS_INTERNAL);
    txtap_trace_isr_enter_insert(1);
    txtap_trace_isr_exit_insert(1);
    cr_expect_eq(load32(TXTB_HEADER_CURRENT), RAM_BASE + entry_at(0, 2));
}

Test(recorder_events, marks_events_before_the_kernel_starts_as_initialization)
{
    enable(0, 4);
    cr_assert_eq(txtap_trace_system_state, 0xF0F0F0F0u);
    txtap_trace_thread = &things[3];
    user_event(4096);
    cr_expect_eq(load32(entry_at(0, 0) + TXTB_ENTRY_THREAD), TXTB_THREAD_INIT);
    cr_expect_eq(load32(entry_at(0, 0) + TXTB_ENTRY_PRIORITY), 0);
    txtap_trace_system_state = 0xF0F0F0F1u;
    user_event(4096);
    cr_expect_eq(load32(entry_at(0, 1) + TXTB_ENTRY_THREAD), TXTB_THREAD_INIT);
}

Test(recorder_events, names_the_interrupted_thread_in_an_interrupt)
{
    enable(0, 4);
    run_thread(3, 9);
    txtap_trace_system_state = 1;
    user_event(4096);
    txtap_trace_thread = NULL;
    txtap_trace_system_state = 0xF0F0F0EFu;
    user_event(4096);
    cr_expect_eq(load32(entry_at(0, 0) + TXTB_ENTRY_THREAD), TXTB_THREAD_ISR);
    cr_expect_eq(load32(entry_at(0, 0) + TXTB_ENTRY_PRIORITY), thing(3));
    cr_expect_eq(load32(entry_at(0, 1) + TXTB_ENTRY_THREAD), TXTB_THREAD_ISR);
    cr_expect_eq(load32(entry_at(0, 1) + TXTB_ENTRY_PRIORITY), 0, "it interrupted the idle loop");
}

Test(recorder_events, never_writes_the_thread_word_of_an_empty_slot)
{
    enable(0, 4);
    txtap_trace_system_state = 0;
    txtap_trace_thread = NULL;
    user_event(4096);
    cr_expect_eq(load32(entry_at(0, 0) + TXTB_ENTRY_THREAD), TXTB_THREAD_INIT);
    cr_expect_eq(load32(entry_at(0, 0) + TXTB_ENTRY_PRIORITY), 0);
}

Test(recorder_events, writes_interrupt_enter_and_exit_with_their_state)
{
    enable(0, 4);
    run_thread(3, 9);
    txtap_trace_system_state = 2;
    txtap_trace_preempt_disable = 6;
    txtap_trace_isr_enter_insert(44);
    txtap_trace_isr_exit_insert(45);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t at = entry_at(0, i);
        cr_expect_eq(load32(at + TXTB_ENTRY_THREAD), TXTB_THREAD_ISR);
        cr_expect_eq(load32(at + TXTB_ENTRY_ID), 3 + i);
        cr_expect_neq(load32(at + TXTB_ENTRY_INFO), 0, "a stack pointer");
        cr_expect_eq(load32(at + TXTB_ENTRY_INFO + 4), 44 + i);
        cr_expect_eq(load32(at + TXTB_ENTRY_INFO + 8), 2);
        cr_expect_eq(load32(at + TXTB_ENTRY_INFO + 12), 6);
    }
}

Test(recorder_events, patches_an_entry_only_while_it_has_the_stamp)
{
    enable(0, 2);
    tick = 7;
    struct txtap_trace_entry *entry = txtap_trace_event_insert(1, 0, 0, 0, 0, TXTAP_TRACE_CLASS_INTERNAL);
    uint32_t info = entry_at(0, 0) + TXTB_ENTRY_INFO;
    txtap_trace_event_patch(entry, 8, 3, 55);
    cr_expect_eq(load32(info + 12), 0, "another stamp");
    txtap_trace_event_patch(entry, 7, 4, 55);
    cr_expect_eq(load32(entry_at(0, 1) + TXTB_ENTRY_THREAD), 0, "no fifth information word");
    txtap_trace_event_patch(NULL, 0, 3, 55);
    for (unsigned i = 0; i < 4; i++) {
        txtap_trace_event_patch(entry, 7, i, 55 + i);
        cr_expect_eq(load32(info + 4 * i), 55 + i);
    }
    tick = 9;
    user_event(4096);
    user_event(4096); /* this event overwrites the entry */
    txtap_trace_event_patch(entry, 7, 3, 99);
    cr_expect_eq(load32(info + 12), 0, "lapped");
}

Test(recorder_events, patches_nothing_outside_the_ring)
{
    enable(1, 2);
    static struct txtap_trace_entry stray;
    txtap_trace_event_patch(&stray, 0, 0, 55);
    cr_expect_eq(stray.info[0], 0);
    struct txtap_trace_entry *behind = _tx_trace_buffer_end_ptr;
    txtap_trace_event_patch(behind, behind->stamp, 0, 55);
    cr_expect_eq(log_count, 0);
}

/* --------------------------------------------------------------------------------------- laps and wrap */

static unsigned callback_count;
static uint16_t callback_laps;

static void full(void *header)
{
    cr_expect(header == (void *)ram);
    cr_expect_eq(load32(TXTB_HEADER_CURRENT), load32(TXTB_HEADER_RING_START));
    callback_laps = load16(TXTB_HEADER_LAPS);
    callback_count++;
}

Test(recorder_events, calls_back_on_each_wrap)
{
    enable(0, 3);
    cr_expect_eq(txtap_trace_buffer_full_notify(full), TXTAP_TRACE_OK);
    for (unsigned i = 1; i <= 9; i++) {
        user_event(4096);
        cr_expect_eq(callback_count, i / 3);
        cr_expect_eq(callback_laps, i / 3, "the lap is counted before the callback");
    }
    txtap_trace_buffer_full_notify(NULL);
    for (unsigned i = 0; i < 3; i++) {
        user_event(4096);
    }
    cr_expect_eq(callback_count, 3);
}

static void stop_when_full(void *header)
{
    (void)header;
    cr_expect_eq(txtap_trace_disable(), TXTAP_TRACE_OK);
}

Test(recorder_events, can_be_disabled_by_the_callback)
{
    enable(0, 3);
    txtap_trace_buffer_full_notify(stop_when_full);
    for (unsigned i = 0; i < 3; i++) {
        cr_expect_eq(user_event(4096 + i), TXTAP_TRACE_OK);
    }
    cr_expect_eq(user_event(5000), TXTAP_TRACE_NOT_DONE);
    cr_expect_eq(load32(entry_at(0, 0) + TXTB_ENTRY_ID), 4096, "the full buffer is kept");
    cr_expect_eq(txtap_trace_enable(ram, RAM_BYTES, 0), TXTAP_TRACE_OK, "the lock was released");
}

Test(recorder_events, counts_laps_modulo_65536)
{
    enable(0, 2);
    for (uint32_t i = 1; i <= 2 * 65536 + 3; i++) {
        user_event(4096);
        cr_assert_eq(load16(TXTB_HEADER_LAPS), (i / 2) & 0xFFFFu, "after event %u", i);
        cr_assert_eq(load32(TXTB_HEADER_CURRENT), RAM_BASE + entry_at(0, i % 2));
        cr_assert_eq(load16(TXTB_HEADER_NAME_BYTES), 32, "the neighbour of laps");
    }
}

Test(recorder_events, counts_a_lap_per_event_in_a_ring_of_one)
{
    enable(0, 1);
    for (uint32_t i = 1; i <= 5; i++) {
        user_event(4096 + i);
        cr_expect_eq(load16(TXTB_HEADER_LAPS), i);
        cr_expect_eq(load32(TXTB_HEADER_CURRENT), RAM_BASE + 48);
        cr_expect_eq(load32(entry_at(0, 0) + TXTB_ENTRY_ID), 4096 + i);
    }
}

/* --------------------------------------------------------------------------------------- store order */

/* Checks that the log begins with the eight words of the entry at `at`, in any order, and then a barrier. */
static void expect_entry_then_barrier(uint32_t at)
{
    unsigned seen = 0;
    for (int i = 0; i < 8; i++) {
        int word = (log_steps[i] - (int)at) / 4;
        cr_assert_geq(word, 0);
        cr_assert_lt(word, 8);
        seen |= 1u << word;
    }
    cr_expect_eq(seen, 0xFFu);
    cr_expect_eq(log_steps[8], LOG_BARRIER);
}

static void current_moves_after_the_barrier(int what)
{
    void *at = (void *)_tx_trace_buffer_current_ptr;
    if (what == (int)TXTB_HEADER_CURRENT) {
        cr_expect(at == (void *)(ram + entry_at(0, 1)), "the symbol moves before the header");
    } else {
        cr_expect(at == (void *)(ram + entry_at(0, 0)), "the symbol moves after the barrier");
    }
}

Test(recorder_events, stores_the_entry_then_a_barrier_then_the_pointers)
{
    enable(0, 4);
    on_step = current_moves_after_the_barrier;
    user_event(4096);
    cr_assert_eq(log_count, 11);
    expect_entry_then_barrier(entry_at(0, 0));
    cr_expect_eq(log_steps[9], LOG_WRITER);
    cr_expect_eq(log_steps[10], TXTB_HEADER_CURRENT);
}

static void expect_half_lap_then_barrier_then_pointers(void)
{
    cr_expect_eq(log_steps[9], LOG_HALF_LAPS);
    cr_expect_eq(log_steps[10], LOG_BARRIER);
    cr_expect_eq(log_steps[11], LOG_WRITER);
    cr_expect_eq(log_steps[12], TXTB_HEADER_CURRENT);
}

Test(recorder_events, counts_the_half_lap_in_the_middle_then_a_barrier_then_moves_the_pointers)
{
    enable(0, 2);
    user_event(4096);
    cr_assert_eq(log_count, 13);
    expect_entry_then_barrier(entry_at(0, 0));
    expect_half_lap_then_barrier_then_pointers();
}

Test(recorder_events, wraps_the_pointer_then_a_barrier_then_counts_the_lap)
{
    enable(0, 2);
    user_event(4096);
    log_count = 0;
    user_event(4096);
    cr_assert_eq(log_count, 15);
    expect_entry_then_barrier(entry_at(0, 1));
    expect_half_lap_then_barrier_then_pointers();
    cr_expect_eq(log_steps[13], LOG_BARRIER);
    cr_expect_eq(log_steps[14], TXTB_HEADER_LAPS);
}

static uint32_t truth;     /* number of complete events, without the event that is being written */
static uint32_t uncertain; /* number of steps at which a reader sees a position that is too low */
static const uint32_t ring_entries = 3;

static void position_is_never_ahead(int what)
{
    (void)what;
    uint32_t index = (load32(TXTB_HEADER_CURRENT) - load32(TXTB_HEADER_RING_START)) / TXTB_ENTRY_BYTES;
    uint32_t position = load16(TXTB_HEADER_LAPS) * ring_entries + index;
    cr_expect_leq(position, truth + 1);
    if (position != truth && position != truth + 1) {
        cr_expect_eq(index, 0, "only the start of the ring is ambiguous");
        uncertain++;
    }
}

Test(recorder_events, never_shows_a_position_ahead_of_the_truth)
{
    enable(0, ring_entries);
    on_step = position_is_never_ahead;
    for (truth = 0; truth < 3 * ring_entries; truth++) {
        user_event(4096);
    }
    cr_expect_eq(uncertain, 2 * 3, "two steps per wrap: the pointer's store and the barrier");
}

static unsigned early; /* number of steps at which the half-lap is already counted, but the pointer has not moved */

/* Returns the number of half-laps from the start of the trace to a slot in a lap. */
static uint32_t half_laps_to(uint32_t lap, uint32_t index, uint32_t entries)
{
    return 2 * lap + (index >= entries / 2 && entries > 1);
}

static void half_laps_suit_the_pointer(int what)
{
    uint32_t entries = (load32(TXTB_HEADER_RING_END) - load32(TXTB_HEADER_RING_START)) / TXTB_ENTRY_BYTES;
    uint32_t index = (txtap_trace_writer.current - load32(TXTB_HEADER_RING_START)) / TXTB_ENTRY_BYTES;
    bool passed = index == (truth + 1) % entries; /* the pointer has already passed the current event */
    uint32_t right = half_laps_to((truth + passed) / entries, index, entries);
    uint32_t next = half_laps_to((truth + 1) / entries, (truth + 1) % entries, entries);

    (void)what;
    if (entries == 1) { /* the pointer stays at the only slot */
        cr_expect(txtap_trace_writer.half_laps == 2 * truth || txtap_trace_writer.half_laps == 2 * truth + 2);
        return;
    }
    cr_expect(txtap_trace_writer.half_laps == right || txtap_trace_writer.half_laps == next);
    cr_expect_geq(txtap_trace_writer.half_laps, right);
    early += txtap_trace_writer.half_laps != right;
}

Test(recorder_events, counts_half_laps_never_later_than_the_pointer_and_by_one_earlier_at_most)
{
    for (uint32_t entries = 1; entries <= 5; entries++) {
        txtap_trace_disable();
        on_step = NULL;
        early = 0;
        enable(0, entries);
        on_step = half_laps_suit_the_pointer;
        for (truth = 0; truth < 4 * entries; truth++) {
            user_event(4096);
        }
        cr_expect_eq(early, entries == 1 ? 0 : 2 * 8, "two steps per turn: the count's store and the barrier");
    }
}

static uint32_t life_before;
static bool touched; /* a store other than the store of the life was made */

static void life_changes_first(int what)
{
    if (what != LOG_LIFE && what != LOG_BARRIER) {
        touched = true;
    }
    cr_expect(!touched || txtap_trace_writer.life != life_before, "store at %d in the old life", what);
    if (what == LOG_WRITER && txtap_trace_writer.current != 0) {
        cr_expect_eq(txtap_trace_writer.half_laps, 0);
        cr_expect_eq(load32(TXTB_HEADER_ID), TXTB_ID, "the pointer comes when all is ready");
    }
}

Test(recorder_events, ends_a_life_before_it_touches_the_buffer)
{
    uint32_t lives[20] = {0};

    for (unsigned i = 0; i < 20; i++) {
        on_step = NULL;
        txtap_trace_disable();
        life_before = txtap_trace_writer.life;
        touched = false;
        log_count = 0;
        on_step = life_changes_first;
        cr_assert_eq(txtap_trace_enable(ram, buffer_bytes(1, 3), 1), TXTAP_TRACE_OK);
        cr_expect_eq(log_steps[0], LOG_LIFE);
        cr_expect_eq(log_steps[1], LOG_BARRIER);
        lives[i] = txtap_trace_writer.life;
        cr_expect_neq(lives[i], 0);
        for (unsigned k = 0; k < i; k++) {
            cr_expect_neq(lives[k], lives[i]);
        }
        on_step = NULL;
        user_event(4096);
    }
}

static bool header_stands(void)
{
    return load32(TXTB_HEADER_ID) == TXTB_ID && load32(TXTB_HEADER_RESERVED2) == TXTB_RESERVED2 &&
           load32(TXTB_HEADER_RESERVED3) == TXTB_RESERVED3 && load32(TXTB_HEADER_RESERVED4) == TXTB_RESERVED4;
}

static uint32_t steps_standing;
static bool invalidated; /* the old header is no longer valid */

static void header_stands_only_when_all_is_new(int what)
{
    invalidated = invalidated || !header_stands();
    if (!invalidated || !header_stands()) {
        return;
    }
    steps_standing++;
    cr_expect(what == (int)TXTB_HEADER_ID || what == LOG_BARRIER || what == LOG_WRITER, "store at %d", what);
    cr_expect_eq(load16(TXTB_HEADER_LAPS), 0);
    cr_expect_eq(load32(TXTB_HEADER_REGISTRY_END), RAM_BASE + object_at(2));
    cr_expect_eq(load32(TXTB_HEADER_CURRENT), load32(TXTB_HEADER_RING_START));
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(load32(entry_at(2, i) + TXTB_ENTRY_THREAD), 0);
    }
}

Test(recorder_events, never_shows_an_incomplete_header_as_complete)
{
    enable(1, 2);
    for (unsigned i = 0; i < 5; i++) {
        user_event(4096);
    }
    txtap_trace_disable();
    log_count = 0;
    on_step = header_stands_only_when_all_is_new;
    cr_assert_eq(txtap_trace_enable(ram, buffer_bytes(2, 3), 2), TXTAP_TRACE_OK);
    cr_expect_eq(log_steps[5], TXTB_HEADER_ID, "the old header goes first, behind the writer's words");
    cr_expect_eq(log_steps[6], LOG_BARRIER);
    cr_expect_gt(steps_standing, 0);
}

static void header_symbol_is_unset_until_complete(int what)
{
    (void)what;
    cr_expect(_tx_trace_header_ptr == NULL || header_stands());
    cr_expect(_tx_trace_buffer_current_ptr == NULL);
}

Test(recorder_events, publishes_the_header_symbol_only_when_the_header_is_complete)
{
    on_step = header_symbol_is_unset_until_complete;
    cr_expect_eq(txtap_trace_enable(ram, RAM_BYTES, 4), TXTAP_TRACE_OK);
    cr_expect((void *)_tx_trace_header_ptr == (void *)ram);
    cr_expect_eq(log_steps[log_count - 1], LOG_WRITER);
}
