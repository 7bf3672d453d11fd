/* SPDX-License-Identifier: MIT */
/* Recordings that are truncated, damaged, or contradict the description. Invalid data must not be believed, and all
 * other data must be read. */
#include "txtap/inner/recording.h"

#include <criterion/criterion.h>
#include <string.h>

#include "txtap/inner/crc32.h"
#include "file/recording_maker.h"
#include "txtb_bytes.h"

TestSuite(recording_damage, .init = make_recording);

Test(recording_damage, every_prefix_is_read_up_to_its_last_whole_block)
{
    for (size_t cut = 0; cut < made.length; cut++) {
        enum txtap_status end;
        uint32_t whole = 0;

        while (made.block_ends[whole] <= cut)
            whole++;
        cr_assert_eq(count_blocks(made.file, cut, &end), whole, "%zu bytes", cut);
        cr_assert_eq(end, TXTAP_AGAIN, "%zu bytes", cut);
    }
}

Test(recording_damage, a_gap_of_unknown_size_is_a_gap_and_an_exact_one_of_0_is_not)
{
    for (int exact = 0; exact < 2; exact++) {
        const struct txtap_gap gap = {1003, 0, exact, 0};
        struct txtap_recording_block block = {.type = TXTAP_RECORDING_GAP, .stored = made.payload};
        struct txtap_recording_item item;

        block.bytes = block.stored_bytes = txtap_recording_put_gap(made.payload, &gap);
        cr_assert_eq(txtap_recording_item(&block, made.payload, block.bytes, &item),
                     exact ? TXTAP_ERROR_FORMAT : TXTAP_OK);
    }
}

Test(recording_damage, every_flipped_bit_is_noticed)
{
    for (size_t bit = 0; bit < 8 * made.length; bit++) {
        enum txtap_status end;
        uint32_t whole = 0;

        while (made.block_ends[whole] <= bit / 8)
            whole++;
        if (bit / 8 < TXTAP_RECORDING_HEAD_BYTES)
            whole = 0;
        made.file[bit / 8] ^= (uint8_t)(1u << bit % 8);
        cr_assert_eq(count_blocks(made.file, made.length, &end), whole, "bit %zu of byte %zu", bit % 8, bit / 8);
        cr_assert(end < TXTAP_OK || end == TXTAP_AGAIN, "bit %zu of byte %zu: %d", bit % 8, bit / 8, end);
        made.file[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

Test(recording_damage, distinguishes_a_later_version_from_damage)
{
    struct txtap_recording recording;

    cr_assert(txtap_recording_signature(made.file, made.length));
    cr_assert_not(txtap_recording_signature(made.file, 7));
    made.file[8] = 3;
    cr_assert_eq(txtap_recording_open(&recording, made.file), TXTAP_ERROR_FORMAT);
    put_u32(made.file + 12, TXTAP_LITTLE, txtap_crc32(0, made.file, 12));
    cr_assert_eq(txtap_recording_open(&recording, made.file), TXTAP_ERROR_USAGE);
    made.file[0] = 'T';
    cr_assert_eq(txtap_recording_open(&recording, made.file), TXTAP_ERROR_SIGNATURE);
}

Test(recording_damage, is_recognised_despite_a_damaged_head)
{
    struct txtap_recording recording;

    for (size_t bit = 0; bit < (size_t)TXTAP_RECORDING_HEAD_BYTES * 8; bit++) {
        made.file[bit / 8] ^= (uint8_t)(1u << bit % 8);
        cr_assert(txtap_recording_signature(made.file, TXTAP_RECORDING_KNOWN_BYTES), "bit %zu", bit);
        cr_assert_eq(txtap_recording_open(&recording, made.file), TXTAP_ERROR_FORMAT, "bit %zu", bit);
        made.file[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    memset(made.file, 0, TXTAP_RECORDING_HEAD_BYTES);
    cr_assert(txtap_recording_signature(made.file, TXTAP_RECORDING_KNOWN_BYTES), "by its first block");
    cr_assert_not(txtap_recording_signature(made.file, TXTAP_RECORDING_KNOWN_BYTES - 1));
    cr_assert_not(txtap_recording_signature(made.file + 1, TXTAP_RECORDING_KNOWN_BYTES));
    made.file[TXTAP_RECORDING_HEAD_BYTES + TXTAP_RECORDING_BLOCK_BYTES] ^= 1;
    cr_assert_not(txtap_recording_signature(made.file, TXTAP_RECORDING_KNOWN_BYTES));
}

/* A correct checksum does not prove that a block's content is valid. */
Test(recording_damage, refuses_payloads_that_do_not_match_the_description)
{
    static const struct {
        unsigned type;
        size_t at; /* offset in the payload of the byte that becomes `value` */
        uint8_t value;
    } wrong[] = {
        {TXTAP_RECORDING_BUFFER, 0, 0},   {TXTAP_RECORDING_BUFFER, 56, 0},
        {TXTAP_RECORDING_OBJECTS, 0, 2},  {TXTAP_RECORDING_OBJECTS, 32, 64},
        {TXTAP_RECORDING_OBJECTS, 33, 0}, {TXTAP_RECORDING_EVENTS, 28, 0},
        {TXTAP_RECORDING_EVENTS, 28, 4},  {TXTAP_RECORDING_EVENTS, 28, 2},
        {TXTAP_RECORDING_GAP, 16, 2},     {TXTAP_RECORDING_MARK, 0, TXTAP_MARK_KINDS},
        {TXTAP_RECORDING_MARK, 20, 0},    {TXTAP_RECORDING_MARK, 28, 'x'},
        {TXTAP_RECORDING_END, 0, 2},      {TXTAP_RECORDING_DEFINITIONS, 3, 0},
        {TXTAP_RECORDING_WORDS, 0, 0},    {TXTAP_RECORDING_WORDS, 0, 2},
        {TXTAP_RECORDING_WORDS, 1, 8},    {TXTAP_RECORDING_WORDS, 5, 5},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        uint32_t number = wrong[i].type == TXTAP_RECORDING_END ? LAST : wrong[i].type - 1;
        size_t from = number == 0 ? TXTAP_RECORDING_HEAD_BYTES : made.block_ends[number - 1];
        uint8_t *at = made.file + from + TXTAP_RECORDING_BLOCK_BYTES;
        size_t bytes = made.block_ends[number] - from - TXTAP_RECORDING_BLOCK_BYTES;
        const struct txtap_recording_block block = {
            .type = wrong[i].type, .stored = at, .stored_bytes = bytes, .bytes = bytes};
        struct txtap_recording_item item;
        uint8_t kept = at[wrong[i].at];

        cr_assert_eq(txtap_recording_item(&block, at, bytes, &item), TXTAP_OK);
        at[wrong[i].at] = wrong[i].value;
        cr_assert_eq(txtap_recording_item(&block, at, bytes, &item), TXTAP_ERROR_FORMAT, "case %zu", i);
        at[wrong[i].at] = kept;
        cr_assert_eq(txtap_recording_item(&block, at, bytes - 1, &item), TXTAP_ERROR_FORMAT, "case %zu", i);
    }
}

Test(recording_damage, refuses_a_name_that_is_too_long)
{
    const struct txtap_object object = {.pointer = 4, .type = 1, .name = "x"};
    size_t bytes = txtap_recording_put_objects(made.payload, true);
    struct txtap_recording_block block = {.type = TXTAP_RECORDING_OBJECTS, .stored = made.payload};
    struct txtap_recording_item item;

    cr_assert(txtap_recording_add_object(made.payload, &bytes, &object));
    for (uint8_t name = 63; name <= 64; name++) {
        made.payload[bytes - 2] = name;
        memset(made.payload + bytes - 1, 'x', name);
        block.bytes = bytes - 1 + name;
        cr_assert_eq(txtap_recording_item(&block, made.payload, block.bytes, &item),
                     name == 63 ? TXTAP_OK : TXTAP_ERROR_FORMAT, "%u", name);
    }
}

Test(recording_damage, refuses_blocks_before_it_knows_the_buffer)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    const struct txtap_gap gap = {1, 1, true, 0};
    size_t needed;

    made.length = TXTAP_RECORDING_HEAD_BYTES;
    made.blocks = 0;
    made_add(TXTAP_RECORDING_GAP, txtap_recording_put_gap(made.payload, &gap));
    cr_assert_eq(txtap_recording_open(&recording, made.file), TXTAP_OK);
    cr_assert_eq(txtap_recording_block(&recording, made.file + TXTAP_RECORDING_HEAD_BYTES, 40, &block, &needed),
                 TXTAP_ERROR_FORMAT);
}

Test(recording_damage, checks_a_length_before_waiting_for_that_many_bytes)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    size_t needed;

    cr_assert_eq(txtap_recording_open(&recording, made.file), TXTAP_OK);
    put_u32(made.file + TXTAP_RECORDING_HEAD_BYTES + 4, TXTAP_LITTLE, TXTAP_RECORDING_PAYLOAD_MAX + 1);
    put_u32(made.file + TXTAP_RECORDING_HEAD_BYTES + 8, TXTAP_LITTLE, TXTAP_RECORDING_PAYLOAD_MAX + 1);
    cr_assert_eq(txtap_recording_block(&recording, made.file + TXTAP_RECORDING_HEAD_BYTES, 20, &block, &needed),
                 TXTAP_ERROR_FORMAT);
}

Test(recording_damage, limits_the_size_of_a_decompressed_block)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    size_t needed;

    cr_assert_eq(txtap_recording_open(&recording, made.file), TXTAP_OK);
    put_u16(made.file + TXTAP_RECORDING_HEAD_BYTES + 2, TXTAP_LITTLE, 1);
    put_u32(made.file + TXTAP_RECORDING_HEAD_BYTES + 8, TXTAP_LITTLE, TXTAP_RECORDING_PAYLOAD_MAX);
    cr_assert_eq(txtap_recording_block(&recording, made.file + TXTAP_RECORDING_HEAD_BYTES, 20, &block, &needed),
                 TXTAP_AGAIN);
    put_u32(made.file + TXTAP_RECORDING_HEAD_BYTES + 8, TXTAP_LITTLE, TXTAP_RECORDING_PAYLOAD_MAX + 1);
    cr_assert_eq(txtap_recording_block(&recording, made.file + TXTAP_RECORDING_HEAD_BYTES, 20, &block, &needed),
                 TXTAP_ERROR_FORMAT);
}

Test(recording_damage, a_block_that_comes_twice_or_too_early_ends_it)
{
    size_t bytes = made.block_ends[2] - made.block_ends[1];
    enum txtap_status end;

    memmove(made.file + made.block_ends[1] + bytes, made.file + made.block_ends[1], made.length - made.block_ends[1]);
    cr_assert_eq(count_blocks(made.file, made.length + bytes, &end), 3, "the copy is not read");
    cr_assert_eq(end, TXTAP_ERROR_FORMAT);
    make_recording();
    memmove(made.file + made.block_ends[1], made.file + made.block_ends[2], made.length - made.block_ends[2]);
    cr_assert_eq(count_blocks(made.file, made.length - bytes, &end), 2, "nothing after a missing block is read");
    cr_assert_eq(end, TXTAP_ERROR_FORMAT);
}
