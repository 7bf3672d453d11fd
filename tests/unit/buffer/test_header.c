/* SPDX-License-Identifier: MIT */
#include "txtap/inner/header.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "txtb_bytes.h"

#define BASE    0x20001000u
#define OBJECTS 4u
#define ENTRIES 8u
#define RING    (BASE + TXTB_HEADER_BYTES + OBJECTS * 48u)

static const enum txtap_endian both[] = {TXTAP_LITTLE, TXTAP_BIG};

static void good_header(uint8_t bytes[TXTB_HEADER_BYTES], enum txtap_endian endian)
{
    put_header(bytes, endian, BASE, 32, OBJECTS, ENTRIES);
    put_u32(bytes + TXTB_HEADER_CURRENT, endian, RING + 5 * TXTB_ENTRY_BYTES);
    put_u16(bytes + TXTB_HEADER_LAPS, endian, 0x0102);
}

/* Checks everything that code relies on after a header was accepted. */
static void assert_in_bounds(const struct txtap_header *header)
{
    uint64_t registry = (uint64_t)txtap_header_registry_entries(header) * txtap_header_object_bytes(header);
    uint64_t ring = (uint64_t)txtap_header_ring_entries(header) * TXTB_ENTRY_BYTES;

    cr_assert_eq(header->base % 4, 0);
    cr_assert_leq(registry, TXTAP_REGISTRY_BYTES_MAX);
    cr_assert_leq(ring, TXTAP_RING_BYTES_MAX);
    cr_assert_gt(ring, 0);
    cr_assert_eq(txtap_header_total_bytes(header), TXTB_HEADER_BYTES + registry + ring);
    cr_assert_eq(header->registry_start, header->base + TXTB_HEADER_BYTES);
    cr_assert_eq(header->registry_end, header->registry_start + registry);
    cr_assert_eq(header->ring_start, header->registry_end);
    cr_assert_eq(header->ring_end, header->ring_start + ring);
    cr_assert(header->current >= header->ring_start && header->current < header->ring_end);
    cr_assert_eq((header->current - header->ring_start) % TXTB_ENTRY_BYTES, 0);
}

Test(header, parses_every_field_in_both_byte_orders)
{
    for (size_t i = 0; i < 2; i++) {
        uint8_t bytes[TXTB_HEADER_BYTES];
        struct txtap_header header;

        good_header(bytes, both[i]);
        cr_assert(txtap_header_signature(bytes));
        cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_OK);
        cr_assert_eq(header.endian, both[i]);
        cr_assert_eq(header.timer_mask, 0xFFFFFFFFu);
        cr_assert_eq(header.base, BASE);
        cr_assert_eq(header.registry_start, BASE + 48);
        cr_assert_eq(header.registry_end, RING);
        cr_assert_eq(header.ring_start, RING);
        cr_assert_eq(header.ring_end, RING + ENTRIES * 32);
        cr_assert_eq(header.current, RING + 5 * 32);
        cr_assert_eq(header.laps, 0x0102);
        cr_assert_eq(header.name_bytes, 32);
        cr_assert_eq(txtap_header_ring_entries(&header), ENTRIES);
        cr_assert_eq(txtap_header_registry_entries(&header), OBJECTS);
        cr_assert_eq(txtap_header_object_bytes(&header), 48);
        cr_assert_eq(txtap_header_total_bytes(&header), 48 + OBJECTS * 48 + ENTRIES * 32);
    }
}

Test(header, is_not_accepted_while_only_a_prefix_is_written)
{
    for (size_t i = 0; i < 2; i++) {
        uint8_t whole[TXTB_HEADER_BYTES], prefix[TXTB_HEADER_BYTES];
        struct txtap_header header, zero = {0};

        good_header(whole, both[i]);
        for (size_t length = 0; length < sizeof(whole); length++) {
            memset(prefix, 0, sizeof(prefix));
            memcpy(prefix, whole, length);
            cr_assert_not(txtap_header_signature(prefix), "%zu bytes", length);
            cr_assert_eq(txtap_header_parse(prefix, &header), TXTAP_ERROR_SIGNATURE, "%zu bytes", length);
            cr_assert_eq(memcmp(&header, &zero, sizeof(header)), 0);
        }
    }
}

/* Returns true for a field in which a changed bit may go unnoticed, because no other field contradicts it. */
static bool may_differ(size_t offset)
{
    return (offset >= TXTB_HEADER_TIMER_MASK && offset < TXTB_HEADER_BASE) ||
           (offset >= TXTB_HEADER_LAPS && offset < TXTB_HEADER_REGISTRY_END) ||
           (offset >= TXTB_HEADER_RING_END && offset < TXTB_HEADER_RESERVED2);
}

Test(header, with_any_one_bit_flipped_fails_cleanly_or_stays_in_bounds)
{
    for (size_t i = 0; i < 2; i++) {
        size_t believed = 0;

        for (size_t bit = 0; bit < TXTB_HEADER_BYTES * 8; bit++) {
            uint8_t bytes[TXTB_HEADER_BYTES];
            struct txtap_header header;

            good_header(bytes, both[i]);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            if (txtap_header_parse(bytes, &header) != TXTAP_OK)
                continue;
            cr_assert(may_differ(bit / 8), "bit %zu of byte %zu", bit % 8, bit / 8);
            assert_in_bounds(&header);
            believed++;
        }
        cr_assert_geq(believed, 32 + 16, "the timer mask and the laps may have any value");
    }
}

Test(header, with_random_words_stays_in_bounds)
{
    unsigned seed = 20240229;

    srand(seed);
    for (size_t round = 0; round < 200000; round++) {
        uint8_t bytes[TXTB_HEADER_BYTES];
        struct txtap_header header;
        size_t word = 1 + (size_t)rand() % 8;

        good_header(bytes, TXTAP_LITTLE);
        for (size_t k = 0; k < 4; k++)
            bytes[word * 4 + k] = (uint8_t)rand();
        if (txtap_header_parse(bytes, &header) == TXTAP_OK)
            assert_in_bounds(&header);
    }
}

struct wrong {
    const char *name;
    size_t offset;
    uint32_t value;
    enum txtap_status expected;
};

Test(header, names_the_error_in_its_geometry)
{
    static const struct wrong cases[] = {
        {"registry_before_its_start", TXTB_HEADER_REGISTRY_END, BASE + 44, TXTAP_ERROR_REGISTRY},
        {"registry_of_a_part_of_an_entry", TXTB_HEADER_REGISTRY_END, RING - 4, TXTAP_ERROR_REGISTRY},
        {"registry_larger_than_any", TXTB_HEADER_REGISTRY_END, BASE + 48 + 48 * 1398102u, TXTAP_ERROR_REGISTRY},
        {"ring_before_its_start", TXTB_HEADER_RING_END, RING - 32, TXTAP_ERROR_RING},
        {"ring_of_no_entries", TXTB_HEADER_RING_END, RING, TXTAP_ERROR_RING},
        {"ring_of_a_part_of_an_entry", TXTB_HEADER_RING_END, RING + 33, TXTAP_ERROR_RING},
        {"ring_larger_than_any", TXTB_HEADER_RING_END, RING + TXTAP_RING_BYTES_MAX + 32, TXTAP_ERROR_RING},
        {"pointer_before_the_ring", TXTB_HEADER_CURRENT, RING - 32, TXTAP_ERROR_POINTER},
        {"pointer_at_the_end_of_the_ring", TXTB_HEADER_CURRENT, RING + ENTRIES * 32, TXTAP_ERROR_POINTER},
        {"pointer_inside_an_entry", TXTB_HEADER_CURRENT, RING + 16, TXTAP_ERROR_POINTER},
        {"registry_inside_the_header", TXTB_HEADER_REGISTRY_START, BASE, TXTAP_ERROR_OVERLAP},
        {"base_of_another_buffer", TXTB_HEADER_BASE, BASE - 0x100, TXTAP_ERROR_OVERLAP},
        {"ring_behind_a_hole", TXTB_HEADER_RING_START, RING + 32, TXTAP_ERROR_OVERLAP},
        {"base_at_an_odd_address", TXTB_HEADER_BASE, BASE + 1, TXTAP_ERROR_ALIGNMENT},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t bytes[TXTB_HEADER_BYTES];
        struct txtap_header header;

        good_header(bytes, TXTAP_BIG);
        put_u32(bytes + cases[i].offset, TXTAP_BIG, cases[i].value);
        cr_assert_eq(txtap_header_parse(bytes, &header), cases[i].expected, "%s: %s", cases[i].name,
                     txtap_status_text(txtap_header_parse(bytes, &header)));
    }
}

Test(header, keeps_parsed_fields_for_the_message_when_it_is_refused)
{
    uint8_t pointer_past_end[TXTB_HEADER_BYTES];
    struct txtap_header header;

    good_header(pointer_past_end, TXTAP_LITTLE);
    put_u32(pointer_past_end + TXTB_HEADER_CURRENT, TXTAP_LITTLE, 0xDEADBEE0u);
    cr_assert_eq(txtap_header_parse(pointer_past_end, &header), TXTAP_ERROR_POINTER);
    cr_assert_eq(header.current, 0xDEADBEE0u);
    cr_assert_eq(header.base, BASE);
}

Test(header, at_the_end_of_memory_does_not_wrap_around)
{
    uint8_t bytes[TXTB_HEADER_BYTES];
    struct txtap_header header;

    put_header(bytes, TXTAP_LITTLE, 0xFFFFFFE0u, 32, 0, 4);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_ERROR_OVERLAP);
}

Test(header, may_have_no_registry_and_names_of_any_size)
{
    uint8_t bytes[TXTB_HEADER_BYTES];
    struct txtap_header header;

    put_header(bytes, TXTAP_LITTLE, BASE, 32, 0, ENTRIES);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_OK);
    cr_assert_eq(txtap_header_registry_entries(&header), 0);
    put_header(bytes, TXTAP_LITTLE, BASE, 0, 3, ENTRIES);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_OK);
    cr_assert_eq(txtap_header_object_bytes(&header), 16);
    cr_assert_eq(txtap_header_registry_entries(&header), 3);
    put_header(bytes, TXTAP_LITTLE, BASE, 30, 3, ENTRIES);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_OK);
    cr_assert_eq(txtap_header_object_bytes(&header), 48, "the compiler pads a 46-byte structure of words to 48");
    put_header(bytes, TXTAP_LITTLE, BASE, 4097, 0, ENTRIES);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_ERROR_REGISTRY);
}

Test(header, recognises_a_buffer_that_was_enabled_again)
{
    uint8_t bytes[TXTB_HEADER_BYTES];
    struct txtap_header before, after;

    good_header(bytes, TXTAP_LITTLE);
    cr_assert_eq(txtap_header_parse(bytes, &before), TXTAP_OK);
    put_u32(bytes + TXTB_HEADER_CURRENT, TXTAP_LITTLE, RING);
    put_u16(bytes + TXTB_HEADER_LAPS, TXTAP_LITTLE, 0x0103);
    cr_assert_eq(txtap_header_parse(bytes, &after), TXTAP_OK);
    cr_assert(txtap_header_same_buffer(&before, &after));
    put_header(bytes, TXTAP_LITTLE, BASE, 32, OBJECTS, ENTRIES + 1);
    cr_assert_eq(txtap_header_parse(bytes, &after), TXTAP_OK);
    cr_assert_not(txtap_header_same_buffer(&before, &after));
    put_u32(bytes + TXTB_HEADER_TIMER_MASK, TXTAP_LITTLE, 0xFFFF);
    put_u32(bytes + TXTB_HEADER_RING_END, TXTAP_LITTLE, RING + ENTRIES * 32);
    cr_assert_eq(txtap_header_parse(bytes, &after), TXTAP_OK);
    cr_assert_not(txtap_header_same_buffer(&before, &after));
}
