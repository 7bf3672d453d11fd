/* SPDX-License-Identifier: MIT */
/*
 * The recorder for targets, compiled for the host. Every byte that it writes is compared with the layout in
 * txtap/txtb.h. Every store is checked when it is made, because a live reader could see it then.
 */
#include "target/recorder_target.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

/* The layout is defined twice, for the target and for the host; here the two are compared. */
_Static_assert(sizeof(struct txtap_trace_header) == TXTB_HEADER_BYTES, "header");
_Static_assert(offsetof(struct txtap_trace_header, id) == TXTB_HEADER_ID, "id");
_Static_assert(offsetof(struct txtap_trace_header, timer_mask) == TXTB_HEADER_TIMER_MASK, "timer_mask");
_Static_assert(offsetof(struct txtap_trace_header, base) == TXTB_HEADER_BASE, "base");
_Static_assert(offsetof(struct txtap_trace_header, registry_start) == TXTB_HEADER_REGISTRY_START, "registry_start");
_Static_assert(offsetof(struct txtap_trace_header, laps) == TXTB_HEADER_LAPS, "laps");
_Static_assert(offsetof(struct txtap_trace_header, name_bytes) == TXTB_HEADER_NAME_BYTES, "name_bytes");
_Static_assert(offsetof(struct txtap_trace_header, registry_end) == TXTB_HEADER_REGISTRY_END, "registry_end");
_Static_assert(offsetof(struct txtap_trace_header, ring_start) == TXTB_HEADER_RING_START, "ring_start");
_Static_assert(offsetof(struct txtap_trace_header, ring_end) == TXTB_HEADER_RING_END, "ring_end");
_Static_assert(offsetof(struct txtap_trace_header, current) == TXTB_HEADER_CURRENT, "current");
_Static_assert(offsetof(struct txtap_trace_header, reserved2) == TXTB_HEADER_RESERVED2, "reserved2");
_Static_assert(offsetof(struct txtap_trace_header, reserved3) == TXTB_HEADER_RESERVED3, "reserved3");
_Static_assert(offsetof(struct txtap_trace_header, reserved4) == TXTB_HEADER_RESERVED4, "reserved4");
_Static_assert(offsetof(struct txtap_trace_object, available) == TXTB_OBJECT_AVAILABLE, "available");
_Static_assert(offsetof(struct txtap_trace_object, type) == TXTB_OBJECT_TYPE, "type");
_Static_assert(offsetof(struct txtap_trace_object, reserved1) == TXTB_OBJECT_RESERVED1, "reserved1");
_Static_assert(offsetof(struct txtap_trace_object, reserved2) == TXTB_OBJECT_RESERVED2, "reserved2");
_Static_assert(offsetof(struct txtap_trace_object, pointer) == TXTB_OBJECT_POINTER, "pointer");
_Static_assert(offsetof(struct txtap_trace_object, parameter1) == TXTB_OBJECT_PARAMETER1, "parameter1");
_Static_assert(offsetof(struct txtap_trace_object, parameter2) == TXTB_OBJECT_PARAMETER2, "parameter2");
_Static_assert(offsetof(struct txtap_trace_object, name) == TXTB_OBJECT_NAME, "name");
_Static_assert(TXTB_OBJECT_NAME == TXTB_OBJECT_FIXED_BYTES, "name follows the fixed part");
_Static_assert(sizeof(struct txtap_trace_entry) == TXTB_ENTRY_BYTES, "entry");
_Static_assert(offsetof(struct txtap_trace_entry, thread) == TXTB_ENTRY_THREAD, "thread");
_Static_assert(offsetof(struct txtap_trace_entry, priority) == TXTB_ENTRY_PRIORITY, "priority");
_Static_assert(offsetof(struct txtap_trace_entry, id) == TXTB_ENTRY_ID, "id");
_Static_assert(offsetof(struct txtap_trace_entry, stamp) == TXTB_ENTRY_STAMP, "stamp");
_Static_assert(offsetof(struct txtap_trace_entry, info) == TXTB_ENTRY_INFO, "info");
_Static_assert(TXTAP_TRACE_ID == TXTB_ID, "id value");
_Static_assert(TXTAP_TRACE_RESERVED2 == TXTB_RESERVED2, "reserved2 value");
_Static_assert(TXTAP_TRACE_RESERVED3 == TXTB_RESERVED3, "reserved3 value");
_Static_assert(TXTAP_TRACE_RESERVED4 == TXTB_RESERVED4, "reserved4 value");
_Static_assert(TXTAP_TRACE_THREAD_INIT == TXTB_THREAD_INIT, "initialization");
_Static_assert(TXTAP_TRACE_THREAD_ISR == TXTB_THREAD_ISR, "interrupt");
_Static_assert(TXTAP_TRACE_EVENT_USER_FIRST == TXTB_USER_EVENT_FIRST, "first user event");

/* ---------------------------------------------------------------------------------------------- bytes */

static void put32(uint8_t *image, uint32_t offset, uint32_t value)
{
    memcpy(image + offset, &value, sizeof value);
}

static void put16(uint8_t *image, uint32_t offset, uint16_t value)
{
    memcpy(image + offset, &value, sizeof value);
}

static void expected_header(uint8_t *image, uint32_t objects, uint32_t entries, uint32_t current, uint16_t laps)
{
    put32(image, TXTB_HEADER_ID, TXTB_ID);
    put32(image, TXTB_HEADER_TIMER_MASK, 0xFFFFFFFFu);
    put32(image, TXTB_HEADER_BASE, RAM_BASE);
    put32(image, TXTB_HEADER_REGISTRY_START, RAM_BASE + 48);
    put16(image, TXTB_HEADER_LAPS, laps);
    put16(image, TXTB_HEADER_NAME_BYTES, 32);
    put32(image, TXTB_HEADER_REGISTRY_END, RAM_BASE + object_at(objects));
    put32(image, TXTB_HEADER_RING_START, RAM_BASE + entry_at(objects, 0));
    put32(image, TXTB_HEADER_RING_END, RAM_BASE + entry_at(objects, entries));
    put32(image, TXTB_HEADER_CURRENT, RAM_BASE + entry_at(objects, current));
    put32(image, TXTB_HEADER_RESERVED2, TXTB_RESERVED2);
    put32(image, TXTB_HEADER_RESERVED3, TXTB_RESERVED3);
    put32(image, TXTB_HEADER_RESERVED4, TXTB_RESERVED4);
}

static void expected_entry(uint8_t *image, uint32_t at, const uint32_t words[8])
{
    for (uint32_t i = 0; i < 8; i++) {
        put32(image, at + 4 * i, words[i]);
    }
}

static void expect_image(const uint8_t *image)
{
    for (uint32_t i = 0; i < RAM_BYTES; i++) {
        cr_assert_eq(ram[i], image[i], "byte %u", i);
    }
}

Test(recorder, writes_an_empty_buffer_byte_for_byte_as_threadx_does)
{
    static uint8_t image[RAM_BYTES];
    memset(image, GARBAGE, sizeof image);
    expected_header(image, 2, 3, 0, 0);
    for (uint32_t slot = 0; slot < 2; slot++) {
        memset(image + object_at(slot), 0, 8); /* parameters and name are not cleared */
        image[object_at(slot) + TXTB_OBJECT_AVAILABLE] = 1;
    }
    for (uint32_t index = 0; index < 3; index++) {
        put32(image, entry_at(2, index) + TXTB_ENTRY_THREAD, TXTB_THREAD_NONE);
    }

    memset(ram, GARBAGE, sizeof ram);
    /* Three entries and 31 bytes: one byte too few for a fourth entry. */
    cr_assert_eq(txtap_trace_enable(ram, buffer_bytes(2, 3) + 31, 2), TXTAP_TRACE_OK);
    expect_image(image);
}

Test(recorder, writes_a_known_sequence_byte_for_byte)
{
    static uint8_t image[RAM_BYTES];
    enable(2, 3);
    memcpy(image, ram, sizeof image);

    cr_assert_eq(txtap_trace_thread_register(&things[1], "pump", 0x105, 0x20001000u, 512), TXTAP_TRACE_OK);
    cr_assert_eq(txtap_trace_object_register(TXTAP_TRACE_OBJECT_QUEUE, &things[2], "jobs", 64, 4), TXTAP_TRACE_OK);
    tick = 100;
    user_event(4096);
    run_thread(1, 5);
    tick = 200;
    txtap_trace_event_insert(69, thing(2), 0x1234, 0xFFFFFFFFu, 3, TXTAP_TRACE_CLASS_QUEUE);
    tick = 300;
    txtap_trace_user_event_insert(5000, 1, 2, 3, 4);
    txtap_trace_thread_priority = 3u << 16 | 7u;
    tick = 400;
    txtap_trace_user_event_insert(0xFFFFFFFFu, 5, 6, 7, 8);

    expected_header(image, 2, 3, 1, 1);
    uint8_t *object = image + object_at(0);
    memcpy(object, (const uint8_t[]){0, 1, 0x81, 0x05}, 4);
    put32(object, TXTB_OBJECT_POINTER, thing(1));
    put32(object, TXTB_OBJECT_PARAMETER1, 0x20001000u);
    put32(object, TXTB_OBJECT_PARAMETER2, 512);
    memcpy(object + TXTB_OBJECT_NAME, "pump", 5);
    object = image + object_at(1);
    memcpy(object, (const uint8_t[]){0, 3, 0, 0}, 4);
    put32(object, TXTB_OBJECT_POINTER, thing(2));
    put32(object, TXTB_OBJECT_PARAMETER1, 64);
    put32(object, TXTB_OBJECT_PARAMETER2, 4);
    memcpy(object + TXTB_OBJECT_NAME, "jobs", 5);
    expected_entry(image, entry_at(2, 0), (const uint32_t[]){thing(1), 0x80030007u, 0xFFFFFFFFu, 400, 5, 6, 7, 8});
    expected_entry(image, entry_at(2, 1),
                   (const uint32_t[]){thing(1), 0x80050005u, 69, 200, thing(2), 0x1234, 0xFFFFFFFFu, 3});
    expected_entry(image, entry_at(2, 2), (const uint32_t[]){thing(1), 0x80050005u, 5000, 300, 1, 2, 3, 4});
    expect_image(image);
}

Test(recorder, keeps_threadx_symbols_for_host_tools)
{
    cr_assert(_tx_trace_header_ptr == NULL);
    cr_assert(_tx_trace_buffer_current_ptr == NULL);
    enable(2, 4);
    user_event(4096);
    cr_expect((void *)_tx_trace_header_ptr == (void *)ram);
    cr_expect((void *)_tx_trace_buffer_start_ptr == (void *)(ram + entry_at(2, 0)));
    cr_expect((void *)_tx_trace_buffer_end_ptr == (void *)(ram + entry_at(2, 4)));
    cr_expect((void *)_tx_trace_buffer_current_ptr == (void *)(ram + entry_at(2, 1)));
    cr_expect((void *)_tx_trace_registry_start_ptr == (void *)(ram + object_at(0)));
    cr_expect((void *)_tx_trace_registry_end_ptr == (void *)(ram + object_at(2)));
    cr_expect_eq(_tx_trace_event_enable_bits, 0xFFFFFFFFu);
    cr_expect_eq(_tx_trace_total_registry_entries, 2);
    cr_expect_eq(_tx_trace_available_registry_entries, 2);
}

/* ------------------------------------------------------------------------------------ enable, disable */

Test(recorder, refuses_a_buffer_too_small_by_one_byte)
{
    memset(ram, GARBAGE, sizeof ram);
    cr_expect_eq(txtap_trace_enable(ram, buffer_bytes(3, 1) - 1, 3), TXTAP_TRACE_SIZE_ERROR);
    cr_expect_eq(txtap_trace_enable(ram, 0, 0), TXTAP_TRACE_SIZE_ERROR);
    cr_expect_eq(txtap_trace_enable(ram, 79, 0), TXTAP_TRACE_SIZE_ERROR);
    cr_expect_eq(log_count, 0, "nothing is written on failure");
    cr_expect_eq(txtap_trace_enable(ram, buffer_bytes(3, 1), 3), TXTAP_TRACE_OK);
}

Test(recorder, refuses_a_registry_whose_size_overflows_32_bits)
{
    cr_expect_eq(txtap_trace_enable(ram, RAM_BYTES, 0xFFFFFFFFu), TXTAP_TRACE_SIZE_ERROR);
    cr_expect_eq(txtap_trace_enable(ram, RAM_BYTES, 0x10000000u / 3 * 16 + 1), TXTAP_TRACE_SIZE_ERROR);
    cr_expect_eq(txtap_trace_enable(ram, RAM_BYTES, 0x05555556u), TXTAP_TRACE_SIZE_ERROR); /* 48 n = 2^32 + 32 */
}

Test(recorder, accepts_a_buffer_without_registry)
{
    enable(0, 1);
    cr_expect_eq(add(1, "x"), TXTAP_TRACE_NOT_DONE);
    cr_expect_eq(user_event(4096), TXTAP_TRACE_OK);
    cr_expect_eq(load32(TXTB_HEADER_RING_START), RAM_BASE + 48);
}

Test(recorder, refuses_null_and_unaligned_buffers)
{
    cr_expect_eq(txtap_trace_enable(NULL, RAM_BYTES, 1), TXTAP_TRACE_POINTER_ERROR);
    for (uint32_t shift = 1; shift < 4; shift++) {
        cr_expect_eq(txtap_trace_enable(ram + shift, 2048, 1), TXTAP_TRACE_POINTER_ERROR);
    }
    cr_expect_eq(log_count, 0);
}

Test(recorder, refuses_a_second_enable_and_leaves_the_first_alone)
{
    enable(1, 4);
    user_event(4096);
    log_count = 0;
    cr_expect_eq(txtap_trace_enable(ram + 2048, 1024, 1), TXTAP_TRACE_NOT_DONE);
    cr_expect_eq(txtap_trace_enable(ram + 2048, 1, 1), TXTAP_TRACE_SIZE_ERROR, "ThreadX looks at the size first");
    cr_expect_eq(log_count, 0);
    cr_expect((void *)_tx_trace_header_ptr == (void *)ram);
}

static uint32_t nested_enable_status;

static void enable_again(int what)
{
    (void)what;
    nested_enable_status = txtap_trace_enable(ram + 2048, 1024, 1);
    on_step = NULL;
}

Test(recorder, refuses_an_enable_from_an_interrupt_during_enable)
{
    on_step = enable_again;
    cr_expect_eq(txtap_trace_enable(ram, 1024, 1), TXTAP_TRACE_OK);
    cr_expect_eq(nested_enable_status, TXTAP_TRACE_NOT_DONE);
    cr_expect((void *)_tx_trace_header_ptr == (void *)ram);
}

Test(recorder, does_nothing_while_disabled)
{
    cr_expect_eq(txtap_trace_disable(), TXTAP_TRACE_NOT_DONE);
    cr_expect_eq(user_event(4096), TXTAP_TRACE_NOT_DONE);
    cr_expect(txtap_trace_event_insert(1, 0, 0, 0, 0, TXTAP_TRACE_CLASS_INTERNAL) == NULL);
    txtap_trace_isr_enter_insert(1);
    txtap_trace_isr_exit_insert(1);
    cr_expect_eq(add(1, "x"), TXTAP_TRACE_NOT_DONE);
    cr_expect_eq(txtap_trace_object_unregister(&things[1]), TXTAP_TRACE_NOT_DONE);
    cr_expect_eq(txtap_trace_event_unfilter(0xFFFFFFFFu), TXTAP_TRACE_OK);
    cr_expect_eq(user_event(4096), TXTAP_TRACE_NOT_DONE, "enable bits alone enable nothing");
    cr_expect_eq(log_count, 0);
}

Test(recorder, leaves_the_buffer_as_it_is_when_disabled)
{
    static uint8_t image[RAM_BYTES];
    enable(1, 4);
    add(1, "x");
    struct txtap_trace_entry *entry = txtap_trace_event_insert(1, 0, 0, 0, 0, TXTAP_TRACE_CLASS_INTERNAL);
    memcpy(image, ram, sizeof image);
    cr_expect_eq(txtap_trace_disable(), TXTAP_TRACE_OK);
    cr_expect_eq(txtap_trace_disable(), TXTAP_TRACE_NOT_DONE);
    cr_expect(_tx_trace_buffer_current_ptr == NULL);
    cr_expect(_tx_trace_registry_start_ptr == NULL);
    cr_expect_eq(user_event(4096), TXTAP_TRACE_NOT_DONE);
    txtap_trace_event_patch(entry, entry->stamp, 0, 77);
    expect_image(image);
}

Test(recorder, starts_again_after_disable)
{
    enable(1, 2);
    add(1, "x");
    txtap_trace_event_filter(TXTAP_TRACE_CLASS_USER);
    for (int i = 0; i < 5; i++) {
        txtap_trace_event_insert(1, 0, 0, 0, 0, TXTAP_TRACE_CLASS_INTERNAL);
    }
    cr_assert_eq(load16(TXTB_HEADER_LAPS), 2);
    txtap_trace_disable();
    enable(2, 3);
    cr_expect_eq(load16(TXTB_HEADER_LAPS), 0);
    cr_expect_eq(load32(TXTB_HEADER_CURRENT), RAM_BASE + entry_at(2, 0));
    cr_expect_eq(_tx_trace_event_enable_bits, 0xFFFFFFFFu, "enable undoes filters");
    cr_expect_eq(load32(object_at(0) + TXTB_OBJECT_POINTER), 0);
    cr_expect_eq(user_event(4096), TXTAP_TRACE_OK);
    cr_expect_eq(load32(TXTB_HEADER_CURRENT), RAM_BASE + entry_at(2, 1));
}

/* ------------------------------------------------------------------------------------- clock and lock */

Test(recorder, counts_stamps_until_a_clock_is_chosen)
{
    cr_assert_eq(txtap_trace_enable(ram, RAM_BYTES, 0), TXTAP_TRACE_OK);
    user_event(4096);
    user_event(4096);
    cr_expect_eq(load32(entry_at(0, 0) + TXTB_ENTRY_STAMP), 1);
    cr_expect_eq(load32(entry_at(0, 1) + TXTB_ENTRY_STAMP), 2);
    cr_expect(txtap_trace_clock_select(&tick) == &tick);
    tick = 0xFFFFFFFFu;
    user_event(4096);
    cr_expect_eq(load32(entry_at(0, 2) + TXTB_ENTRY_STAMP), 0xFFFFFFFFu);
    cr_expect(txtap_trace_clock_select(NULL) == &_tx_trace_simulated_time, "the simulated clock is named");
    user_event(4096);
    cr_expect_eq(load32(entry_at(0, 3) + TXTB_ENTRY_STAMP), 3);
}

enum { WRITERS = 4, EVENTS_EACH = 20000 };

static void *write_many(void *argument)
{
    for (uint32_t i = 0; i < EVENTS_EACH; i++) {
        txtap_trace_user_event_insert(4096, i, ~i, i, ~i);
    }
    return argument;
}

Test(recorder, keeps_concurrent_writers_apart)
{
    const uint32_t entries = 7;
    enable(0, entries);
    log_count = LOG_MAX; /* stops logging, which does not support several threads */
    pthread_t writers[WRITERS];
    for (unsigned i = 0; i < WRITERS; i++) {
        cr_assert_eq(pthread_create(&writers[i], NULL, write_many, NULL), 0);
    }
    for (unsigned i = 0; i < WRITERS; i++) {
        pthread_join(writers[i], NULL);
    }
    uint32_t index = (load32(TXTB_HEADER_CURRENT) - load32(TXTB_HEADER_RING_START)) / TXTB_ENTRY_BYTES;
    cr_expect_eq(load16(TXTB_HEADER_LAPS) * entries + index, WRITERS * EVENTS_EACH);
    for (uint32_t i = 0; i < entries; i++) {
        uint32_t info = entry_at(0, i) + TXTB_ENTRY_INFO;
        cr_expect_eq(load32(info), load32(info + 8));
        cr_expect_eq(load32(info), ~load32(info + 4));
        cr_expect_eq(load32(info), ~load32(info + 12));
    }
}
