/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "txtb_bytes.h"
/* memory_sink.h is included last, because it defines objects and a registry */
#include "format/memory_sink.h"
#include "txtap/inner/header.h"

#define BASE    0x20000000u
#define OBJECTS 2u
#define ENTRIES 8u
#define HEAD    (TXTB_HEADER_BYTES + OBJECTS * 48u)
#define BYTES   (HEAD + ENTRIES * TXTB_ENTRY_BYTES)
#define TAIL    5u /* number of bytes after the ring; some captures have such bytes */

static uint8_t image[BYTES + TAIL], kept[ENTRIES * TXTB_ENTRY_BYTES];
static enum txtap_endian endian;

static void put_stamped(uint32_t slot, uint32_t stamp)
{
    const uint32_t words[8] = {0x100, 0x80050005, 6, stamp, slot, 0, 0, 0};

    put_entry(image + HEAD + slot * TXTB_ENTRY_BYTES, endian, words);
}

/* Makes a full ring whose oldest entry is in slot 3. Stamps begin at 0. Some bytes belong to no field. */
static void make_image(enum txtap_endian order)
{
    endian = order;
    memset(image, 0xEE, sizeof(image));
    put_header(image, order, BASE, 32, OBJECTS, ENTRIES);
    put_u32(image + TXTB_HEADER_CURRENT, order, BASE + HEAD + 3 * TXTB_ENTRY_BYTES);
    put_u16(image + TXTB_HEADER_LAPS, order, 7);
    put_object(image + TXTB_HEADER_BYTES, order, 0, 1, 0x100, "producer");
    put_object(image + TXTB_HEADER_BYTES + 48, order, 1, 1, 0x100, "old");
    image[TXTB_HEADER_BYTES + 60] = 'x'; /* a byte after the name's NUL */
    for (uint32_t i = 0; i < ENTRIES; i++)
        put_stamped((3 + i) % ENTRIES, i);
}

static void open_image(size_t length)
{
    open_exporter("trx", 0);
    cr_assert_eq(txtap_header_parse(image, &header), TXTAP_OK);
    exporter.image = (struct txtap_exporter_image){image, length, kept};
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_OK);
}

static void set_up(void)
{
    make_image(TXTAP_LITTLE);
    open_image(sizeof(image));
}

TestSuite(trx, .init = set_up);

static enum txtap_status send_slot(uint32_t slot)
{
    struct txtap_event event;

    txtap_event_parse(image + HEAD + slot * TXTB_ENTRY_BYTES, &header, &event);
    return exporter.ops->event(&exporter, &event);
}

static void end(void)
{
    cr_assert_eq(captured.length, 0, "nothing is written before the end");
    cr_assert_eq(exporter.ops->end(&exporter), TXTAP_OK);
}

Test(trx, of_all_events_is_the_buffer_as_it_was_read)
{
    for (uint32_t i = 0; i < ENTRIES; i++)
        cr_assert_eq(send_slot((3 + i) % ENTRIES), TXTAP_OK);
    end();
    cr_assert_eq(captured.length, sizeof(image));
    cr_assert_eq(memcmp(captured.text, image, sizeof(image)), 0);
}

Test(trx, of_a_ring_that_was_never_full_keeps_the_content_of_unused_slots)
{
    put_u32(image + HEAD + 6 * TXTB_ENTRY_BYTES, endian, TXTB_THREAD_NONE);
    put_u32(image + HEAD + 7 * TXTB_ENTRY_BYTES, endian, TXTB_THREAD_NONE);
    for (uint32_t i = 0; i < 6; i++)
        cr_assert_eq(send_slot(i), TXTAP_OK);
    end();
    cr_assert_eq(captured.length, sizeof(image));
    cr_assert_eq(memcmp(captured.text, image, sizeof(image)), 0);
}

static void assert_chosen_buffer(enum txtap_endian order)
{
    const uint8_t *bytes = (const uint8_t *)captured.text;
    struct txtap_header copy;

    make_image(order);
    open_image(sizeof(image));
    cr_assert_eq(send_slot(4), TXTAP_OK);
    cr_assert_eq(send_slot(7), TXTAP_OK);
    cr_assert_eq(send_slot(1), TXTAP_OK);
    end();
    cr_assert_eq(captured.length, BYTES);
    cr_assert_eq(txtap_header_parse(bytes, &copy), TXTAP_OK);
    cr_assert(txtap_header_same_buffer(&copy, &header));
    cr_assert_eq(copy.current, copy.ring_start + 3 * TXTB_ENTRY_BYTES);
    cr_assert_eq(copy.laps, 0);
    cr_assert_eq(memcmp(bytes + TXTB_HEADER_BYTES, image + TXTB_HEADER_BYTES, HEAD - TXTB_HEADER_BYTES), 0);
    cr_assert_eq(memcmp(bytes + HEAD, image + HEAD + 4 * TXTB_ENTRY_BYTES, TXTB_ENTRY_BYTES), 0);
    cr_assert_eq(memcmp(bytes + HEAD + 32, image + HEAD + 7 * TXTB_ENTRY_BYTES, TXTB_ENTRY_BYTES), 0);
    cr_assert_eq(memcmp(bytes + HEAD + 64, image + HEAD + 1 * TXTB_ENTRY_BYTES, TXTB_ENTRY_BYTES), 0);
    for (size_t i = HEAD + 96; i < BYTES; i++)
        cr_assert_eq(bytes[i], 0, "unused slots are empty");
}

Test(trx, of_some_events_is_a_ring_with_only_those)
{
    assert_chosen_buffer(TXTAP_LITTLE);
    assert_chosen_buffer(TXTAP_BIG);
}

Test(trx, of_no_events_is_an_empty_ring)
{
    struct txtap_header copy;

    end();
    cr_assert_eq(captured.length, BYTES);
    cr_assert_eq(txtap_header_parse((const uint8_t *)captured.text, &copy), TXTAP_OK);
    cr_assert_eq(copy.current, copy.ring_start);
}

Test(trx, fills_missing_bytes_of_a_cut_capture_with_zeros)
{
    for (size_t length = TXTB_HEADER_BYTES; length <= BYTES; length++) {
        uint8_t *cut = malloc(length); /* exact size: the sanitizer detects a read past the end */

        cr_assert_not_null(cut);
        memcpy(cut, image, length);
        open_image(length);
        exporter.image.bytes = cut;
        cr_assert_eq(send_slot(3), TXTAP_OK);
        cr_assert_eq(exporter.ops->end(&exporter), TXTAP_OK);
        cr_assert(captured.length == BYTES || captured.length == length, "%zu of %zu", captured.length, length);
        for (size_t i = length; i < HEAD && i < captured.length; i++)
            cr_assert_eq(captured.text[i], 0, "%zu", length);
        free(cut);
    }
}

Test(trx, refuses_more_events_than_slots_and_invalid_images)
{
    struct txtap_event event = event_of(6, 0, 0, 0, 0);

    cr_assert_eq(exporter.ops->event(&exporter, &event), TXTAP_ERROR_SPACE);
    for (uint32_t i = 0; i < ENTRIES; i++)
        cr_assert_eq(send_slot(i), TXTAP_OK);
    cr_assert_eq(send_slot(0), TXTAP_ERROR_SPACE);
    exporter.image.bytes = NULL;
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_ERROR_USAGE);
    exporter.image = (struct txtap_exporter_image){image, TXTB_HEADER_BYTES - 1, kept};
    cr_assert_eq(exporter.ops->begin(&exporter), TXTAP_ERROR_USAGE);
}

Test(trx, passes_on_the_sinks_status)
{
    captured.answer = TXTAP_ERROR_SYSTEM;
    cr_assert_eq(exporter.ops->end(&exporter), TXTAP_ERROR_SYSTEM);
    cr_assert_eq(captured.writes, 1);
}
