/* SPDX-License-Identifier: MIT */
/*
 * Blocks of a CTF stream, read back as a line of text. "0@0:10 " is a block of 10 bytes, whose first record is record 0
 * at time 0. "+" begins another stream. A record has 5 bytes, a LONG record 65,541.
 */
#include "record/blocks.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define METADATA                                                                                                       \
    "typealias integer { size = 8; align = 8; } := u8;\n"                                                              \
    "typealias integer { size = 32; align = 8; } := u32;\n"                                                            \
    "struct head { u32 timestamp; u8 id; };\nstream { event.header := struct head; };\n"                               \
    "event { name = plain; id = 1; };\nevent { name = long; id = 2; fields := struct { u8 a[4096][15]; u8 b[4096]; "   \
    "}; };\n"

enum { PLAIN = 1, LONG = 2, LONG_BYTES = 65536 };

static struct txtap_ctf_layout layout;
static struct ctf_blocks blocks;
static char text[1024];
static uint64_t records;

static enum txtap_status put(void *self, const struct ctf_block *block)
{
    const struct txtap_recording_block whole = {.type = TXTAP_RECORDING_CTF, .bytes = block->bytes};
    struct txtap_recording_item item;
    size_t length = strlen(text);

    (void)self;
    cr_assert_leq(block->bytes, TXTAP_RECORDING_PAYLOAD_MAX);
    cr_assert_eq(txtap_recording_item(&whole, block->payload, block->bytes, &item), TXTAP_OK);
    cr_assert_eq(item.seq, block->seq);
    snprintf(text + length, sizeof text - length, "%s%" PRIu64 "@%" PRIu64 ":%zu ", item.another ? "+" : "", item.seq,
             item.ticks, item.length);
    records += block->records;
    return TXTAP_OK;
}

static void begin(void)
{
    cr_assert_eq(txtap_ctf_layout_parse(&layout, METADATA, strlen(METADATA)), TXTAP_OK, "%s", layout.complaint);
    ctf_blocks_open(&blocks, &layout, (struct ctf_blocks_sink){put, NULL});
    text[0] = '\0';
    records = 0;
}

TestSuite(ctf_blocks, .init = begin);

static size_t add(uint8_t *to, uint32_t stamp, uint8_t id)
{
    size_t length = id == LONG ? 5 + LONG_BYTES : 5;

    memset(to, 0, length);
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(stamp >> 8 * i);
    to[4] = id;
    return length;
}

Test(ctf_blocks, contain_whole_records_with_number_and_time_of_the_first)
{
    uint8_t stream[64];
    size_t length = 0;

    for (uint32_t i = 0; i < 4; i++)
        length += add(stream + length, 100 + 10 * i, PLAIN);
    cr_assert_eq(ctf_blocks_take(&blocks, stream, 12), TXTAP_OK);
    cr_assert_eq(ctf_blocks_take(&blocks, stream + 12, 1), TXTAP_OK);
    cr_assert_eq(ctf_blocks_take(&blocks, stream + 13, length - 13), TXTAP_OK);
    cr_expect_str_eq(text, "0@0:10 2@20:10 ");
    cr_expect(ctf_blocks_seq(&blocks) == 4 && records == 4);
}

Test(ctf_blocks, split_a_record_that_does_not_fit)
{
    static uint8_t stream[2 * LONG_BYTES];
    size_t length = add(stream, 7, PLAIN);

    length += add(stream + length, 9, LONG);
    length += add(stream + length, 12, PLAIN);
    cr_assert_eq(ctf_blocks_take(&blocks, stream, length), TXTAP_OK);
    cr_expect_str_eq(text, "0@0:5 1@2:65516 1@0:30 ");
    cr_expect_eq(records, 3);
}

Test(ctf_blocks, a_restart_forgets_half_a_record)
{
    uint8_t stream[64];
    size_t length = add(stream, 50, PLAIN);

    length += add(stream + length, 90, PLAIN);
    cr_assert_eq(ctf_blocks_take(&blocks, stream, length - 1), TXTAP_OK);
    ctf_blocks_restart(&blocks);
    (void)add(stream, 1000, PLAIN);
    cr_assert_eq(ctf_blocks_take(&blocks, stream, length), TXTAP_OK);
    cr_expect_str_eq(text, "0@0:5 +1@0:10 ");
}

Test(ctf_blocks, nothing_is_taken_after_an_unknown_record)
{
    uint8_t stream[64];
    size_t length = add(stream, 50, PLAIN);

    length += add(stream + length, 60, 99);
    cr_assert_eq(ctf_blocks_take(&blocks, stream, length), TXTAP_OK);
    cr_assert_eq(ctf_blocks_take(&blocks, stream, length), TXTAP_OK);
    cr_expect_str_eq(text, "0@0:10 ");
    cr_expect_eq(records, 1);
    ctf_blocks_restart(&blocks);
    cr_assert_eq(ctf_blocks_take(&blocks, stream, 5), TXTAP_OK);
    cr_expect_str_eq(text, "0@0:10 +1@0:5 ");
}
