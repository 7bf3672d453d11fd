/* SPDX-License-Identifier: MIT */
#include "txtap/trace.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "txtb_bytes.h"

#define BASE    0x20001000u
#define OBJECTS 3u
#define ENTRIES 8u
#define NAME    32u
#define RING_AT (TXTB_HEADER_BYTES + OBJECTS * (16 + NAME))
#define IMAGE   (RING_AT + ENTRIES * TXTB_ENTRY_BYTES)

static const enum txtap_endian both[] = {TXTAP_LITTLE, TXTAP_BIG};

static void put_event(uint8_t *image, enum txtap_endian endian, unsigned slot, uint32_t number)
{
    const uint32_t words[8] = {0x20000100, 0x80050005, 83, 1000 + number, number, 0, 0, 0};

    put_entry(image + RING_AT + slot * TXTB_ENTRY_BYTES, endian, words);
}

/* Writes the events 0 to events - 1 as the kernel does. The ring then has the last ENTRIES of them. */
static void put_image(uint8_t image[IMAGE], enum txtap_endian endian, unsigned events)
{
    memset(image, 0, IMAGE);
    put_header(image, endian, BASE, NAME, OBJECTS, ENTRIES);
    put_u32(image + TXTB_HEADER_CURRENT, endian, BASE + RING_AT + events % ENTRIES * TXTB_ENTRY_BYTES);
    for (unsigned i = 0; i < OBJECTS; i++)
        put_object(image + TXTB_HEADER_BYTES + i * 48, endian, 0, TXTAP_OBJECT_THREAD, 0x20000100 + i, "worker");
    for (unsigned i = 0; i < events; i++)
        put_event(image, endian, i % ENTRIES, i);
}

/* Returns the items as text: '0' + info[0] for an event, one '-' per lost event. Also checks each seq. */
static const char *items_of(const uint8_t *image, size_t length, uint64_t first_seq)
{
    static char text[ENTRIES + 1];
    uint8_t *copy = malloc(length); /* exact size: the sanitizer detects a read past the end */
    struct txtap_object objects[OBJECTS];
    struct txtap_trace trace;
    struct txtap_item item;
    uint64_t seq = first_seq;
    size_t used = 0;

    memcpy(copy, image, length);
    cr_assert_eq(txtap_trace_open(&trace, copy, length, objects, OBJECTS), TXTAP_OK);
    while (txtap_trace_next(&trace, &item) == TXTAP_OK) {
        bool is_event = item.kind == TXTAP_ITEM_EVENT;
        uint64_t count = is_event ? 1 : item.gap.lost;

        cr_assert(is_event || (item.kind == TXTAP_ITEM_GAP && item.gap.exact && count > 0));
        cr_assert_eq(is_event ? item.event.seq : item.gap.seq, seq);
        cr_assert_lt(used + count, sizeof text);
        if (is_event)
            cr_assert_eq(item.event.stamp, 1000 + item.event.info[0]);
        for (uint64_t i = 0; i < count; i++)
            text[used++] = is_event ? (char)('0' + item.event.info[0]) : '-';
        seq += count;
    }
    text[used] = '\0';
    cr_assert_eq(txtap_trace_next(&trace, &item), TXTAP_END, "the end stays the end");
    free(copy);
    return text;
}

Test(trace, gives_a_wrapped_ring_oldest_first_in_both_byte_orders)
{
    for (size_t i = 0; i < 2; i++) {
        uint8_t image[IMAGE];

        put_image(image, both[i], 11);
        cr_assert_str_eq(items_of(image, IMAGE, 3), "3456789:");
    }
}

Test(trace, leaves_out_slots_that_were_never_written)
{
    uint8_t image[IMAGE];

    for (unsigned events = 0; events <= ENTRIES; events++) {
        put_image(image, TXTAP_LITTLE, events);
        cr_assert_eq(strlen(items_of(image, IMAGE, 0)), events);
        cr_assert_eq(strncmp(items_of(image, IMAGE, 0), "01234567", events), 0);
    }
}

Test(trace, accepts_a_pointer_at_either_end_of_the_ring)
{
    uint8_t image[IMAGE];

    put_image(image, TXTAP_LITTLE, 2 * ENTRIES); /* the ring has just wrapped: the pointer is at its start */
    cr_assert_str_eq(items_of(image, IMAGE, 0), "89:;<=>?");
    put_u32(image + TXTB_HEADER_CURRENT, TXTAP_LITTLE, BASE + IMAGE); /* as some writers do: at the ring's end */
    cr_assert_str_eq(items_of(image, IMAGE, 0), "89:;<=>?");
    put_image(image, TXTAP_LITTLE, 2 * ENTRIES - 1); /* the pointer is at the last slot */
    cr_assert_str_eq(items_of(image, IMAGE, 7), "789:;<=>");
}

Test(trace, numbers_events_from_the_first_one_if_laps_are_counted)
{
    uint8_t image[IMAGE];

    put_image(image, TXTAP_BIG, 43);
    put_u16(image + TXTB_HEADER_LAPS, TXTAP_BIG, 5);
    for (unsigned i = 0; i < ENTRIES; i++) /* one character per event */
        put_event(image, TXTAP_BIG, (43 + i) % ENTRIES, i);
    cr_assert_str_eq(items_of(image, IMAGE, 35), "01234567");
}

Test(trace, reports_missing_slots_of_a_wrapped_ring_at_their_place)
{
    uint8_t image[IMAGE];

    /* The slots 0 to 7 have the events 8, 9, 10, 3, 4, 5, 6, 7. The pointer is at slot 3. */
    put_image(image, TXTAP_LITTLE, 11);
    cr_assert_str_eq(items_of(image, RING_AT + 8 * 32, 3), "3456789:");
    cr_assert_str_eq(items_of(image, RING_AT + 8 * 32 - 1, 3), "3456-89:", "a slot counts only if it is complete");
    cr_assert_str_eq(items_of(image, RING_AT + 5 * 32, 3), "34---89:");
    cr_assert_str_eq(items_of(image, RING_AT + 4 * 32, 3), "3----89:");
}

Test(trace, does_not_invent_losses_if_the_ring_may_not_have_wrapped)
{
    uint8_t image[IMAGE];

    put_image(image, TXTAP_LITTLE, 3);
    cr_assert_str_eq(items_of(image, RING_AT + 4 * 32, 0), "012", "slot 3 is blank, so those after it are too");
    cr_assert_str_eq(items_of(image, RING_AT + 3 * 32, 0), "012");
    cr_assert_str_eq(items_of(image, RING_AT + 1 * 32, 0), "0--");
    cr_assert_str_eq(items_of(image, RING_AT, 0), "---");
    cr_assert_str_eq(items_of(image, TXTB_HEADER_BYTES, 0), "---", "a header alone");
}

Test(trace, knows_that_a_ring_has_wrapped_if_laps_are_counted)
{
    uint8_t image[IMAGE];

    put_image(image, TXTAP_LITTLE, 11);
    put_u16(image + TXTB_HEADER_LAPS, TXTAP_LITTLE, 1);
    cr_assert_str_eq(items_of(image, RING_AT + 3 * 32, 3), "-----89:");
    cr_assert_str_eq(items_of(image, RING_AT, 3), "--------");
}

Test(trace, reports_a_blank_slot_that_should_have_been_written)
{
    uint8_t image[IMAGE];

    put_image(image, TXTAP_LITTLE, 11);
    memset(image + RING_AT + 4 * 32, 0, 64);
    memset(image + RING_AT + 1 * 32, 0, 32);
    cr_assert_str_eq(items_of(image, IMAGE, 3), "3--678-:");
    memset(image + RING_AT + 3 * 32, 0, 32); /* until event 6 is read, the ring seems not to have wrapped */
    cr_assert_str_eq(items_of(image, IMAGE, 6), "678-:");
    put_image(image, TXTAP_LITTLE, 3);
    memset(image + RING_AT, 0, 32);
    cr_assert_str_eq(items_of(image, IMAGE, 0), "-12");
}

Test(trace, reports_exactly_the_missing_or_surplus_bytes)
{
    uint8_t image[IMAGE + 100];
    struct txtap_object objects[OBJECTS];
    struct txtap_trace trace;

    put_image(image, TXTAP_LITTLE, 11);
    cr_assert_eq(txtap_trace_open(&trace, image, sizeof image, objects, OBJECTS), TXTAP_OK);
    cr_assert_eq(trace.extra_bytes, 100);
    cr_assert_eq(trace.ring_entries, ENTRIES);
    cr_assert_eq(trace.missing_entries, 0);
    cr_assert_eq(trace.missing_objects, 0);
    cr_assert_eq(trace.registry.count, OBJECTS);

    cr_assert_eq(txtap_trace_open(&trace, image, RING_AT + 2 * 32 + 5, objects, OBJECTS), TXTAP_OK);
    cr_assert_eq(trace.extra_bytes, 0);
    cr_assert_eq(trace.missing_entries, 6);
    cr_assert_eq(trace.missing_objects, 0);

    cr_assert_eq(txtap_trace_open(&trace, image, RING_AT - 1, objects, OBJECTS), TXTAP_OK);
    cr_assert_eq(trace.missing_entries, 8);
    cr_assert_eq(trace.missing_objects, 1);
    cr_assert_eq(trace.registry.count, OBJECTS - 1);

    cr_assert_eq(txtap_trace_open(&trace, image, TXTB_HEADER_BYTES - 1, objects, OBJECTS), TXTAP_ERROR_TRUNCATED);
    cr_assert_eq(txtap_trace_open(&trace, image, 0, objects, OBJECTS), TXTAP_ERROR_TRUNCATED);
    cr_assert_eq(txtap_trace_open(&trace, image, IMAGE, objects, 1), TXTAP_OK);
    cr_assert_eq(trace.registry.dropped, OBJECTS - 1, "objects that do not fit are counted");
}

Test(trace, reads_any_name_size_and_a_registry_of_no_entries)
{
    static const uint16_t sizes[] = {0, 1, 2, 3, 4, 30, 33, 63, 64, 200, TXTAP_NAME_BYTES_MAX};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t count = 0; count <= 2; count++) {
            uint32_t object_bytes = 16 + (sizes[i] + 3u) / 4 * 4, at = TXTB_HEADER_BYTES + count * object_bytes;
            uint8_t *image = calloc(1, at + 32);
            const uint32_t words[8] = {0x20000100, 5, 83, 7, 0, 0, 0, 0};
            struct txtap_object objects[2];
            struct txtap_trace trace;
            struct txtap_item item;

            put_header(image, TXTAP_LITTLE, BASE, sizes[i], count, 1);
            for (uint32_t j = 0; j < count; j++) {
                uint8_t *object = image + TXTB_HEADER_BYTES + j * object_bytes;

                object[TXTB_OBJECT_TYPE] = TXTAP_OBJECT_THREAD;
                put_u32(object + TXTB_OBJECT_POINTER, TXTAP_LITTLE, 0x20000100 + j);
                memset(object + TXTB_OBJECT_NAME, 'n', sizes[i]);
            }
            put_entry(image + at, TXTAP_LITTLE, words);
            cr_assert_eq(txtap_trace_open(&trace, image, at + 32, objects, 2), TXTAP_OK, "name of %u", sizes[i]);
            cr_assert_eq(trace.registry.count, count);
            if (count > 0)
                cr_assert_eq(strlen(objects[0].name), sizes[i] < 63 ? sizes[i] : 63);
            cr_assert_eq(txtap_trace_next(&trace, &item), TXTAP_OK);
            cr_assert_eq(txtap_trace_next(&trace, &item), TXTAP_END);
            free(image);
        }
}

Test(trace, masks_stamps_with_any_timer_mask)
{
    static const uint32_t masks[] = {0xFFFFFFFF, 0xFFFF, 0xFFFFFF, 1, 0, 0xF0F0};

    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        uint8_t image[IMAGE];
        struct txtap_object objects[OBJECTS];
        struct txtap_trace trace;
        struct txtap_item item;

        put_image(image, TXTAP_BIG, 1);
        put_u32(image + TXTB_HEADER_TIMER_MASK, TXTAP_BIG, masks[i]);
        put_u32(image + RING_AT + TXTB_ENTRY_STAMP, TXTAP_BIG, 0xDEADBEEF);
        cr_assert_eq(txtap_trace_open(&trace, image, IMAGE, objects, OBJECTS), TXTAP_OK);
        cr_assert_eq(txtap_trace_next(&trace, &item), TXTAP_OK);
        cr_assert_eq(item.event.stamp, 0xDEADBEEF & masks[i]);
    }
}

Test(trace, accepts_a_buffer_at_an_odd_address)
{
    uint8_t image[IMAGE];

    put_image(image, TXTAP_LITTLE, 11);
    for (unsigned i = 0; i < 6; i++) {
        static const uint8_t addresses[] = {TXTB_HEADER_BASE,         TXTB_HEADER_REGISTRY_START,
                                            TXTB_HEADER_REGISTRY_END, TXTB_HEADER_RING_START,
                                            TXTB_HEADER_RING_END,     TXTB_HEADER_CURRENT};

        image[addresses[i]] |= 1; /* adds 1, because each address is a multiple of 4 */
    }
    cr_assert_str_eq(items_of(image, IMAGE, 3), "3456789:");
}

Test(trace, can_be_read_again_from_the_start)
{
    uint8_t image[IMAGE];
    struct txtap_object objects[OBJECTS];
    struct txtap_trace trace;
    struct txtap_item first, again;

    put_image(image, TXTAP_LITTLE, 3);
    cr_assert_eq(txtap_trace_open(&trace, image, IMAGE, objects, OBJECTS), TXTAP_OK);
    cr_assert_eq(txtap_trace_next(&trace, &first), TXTAP_OK);
    while (txtap_trace_next(&trace, &again) == TXTAP_OK)
        ;
    txtap_trace_rewind(&trace);
    cr_assert_eq(txtap_trace_next(&trace, &again), TXTAP_OK);
    cr_assert_eq(again.event.seq, first.event.seq);
    cr_assert(again.event.entry == first.event.entry);
}

Test(trace, knows_at_the_first_event_which_way_time_counts)
{
    uint8_t image[IMAGE];
    struct txtap_object objects[OBJECTS];
    struct txtap_trace trace;
    struct txtap_item item;

    put_image(image, TXTAP_LITTLE, 5);
    for (uint32_t i = 0; i < 5; i++)
        put_u32(image + RING_AT + i * TXTB_ENTRY_BYTES + TXTB_ENTRY_STAMP, TXTAP_LITTLE, 1000 - 10 * i);
    cr_assert_eq(txtap_trace_open(&trace, image, IMAGE, objects, OBJECTS), TXTAP_OK);
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t i = 0; i < 5; i++) {
            cr_assert_eq(txtap_trace_next(&trace, &item), TXTAP_OK);
            cr_assert_eq(item.event.ticks, 10 * i, "pass %d: %lu", pass, item.event.ticks);
        }
        cr_assert_eq(txtap_clock_notices(&trace.maker.clock), TXTAP_CLOCK_DOWN);
        txtap_trace_rewind(&trace);
    }
}

Test(trace, is_found_at_any_offset_of_a_dump)
{
    uint8_t dump[IMAGE + 70];

    for (size_t at = 0; at < 70; at++) {
        memset(dump, 'T', sizeof dump);
        put_image(dump + at, both[at % 2], 11);
        cr_assert_eq(txtap_trace_scan(dump, sizeof dump, 0), at);
        cr_assert_eq(txtap_trace_scan(dump, sizeof dump, at + 1), sizeof dump);
        cr_assert_eq(txtap_trace_scan(dump, at + TXTB_HEADER_BYTES - 1, 0), at + TXTB_HEADER_BYTES - 1,
                     "a truncated header is not a header");
    }
    cr_assert_eq(txtap_trace_scan(dump, 0, 0), 0);
    cr_assert_eq(txtap_trace_scan(dump, 10, 20), 10);
}
