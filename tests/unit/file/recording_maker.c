/* SPDX-License-Identifier: MIT */
#include "file/recording_maker.h"

#include <criterion/criterion.h>
#include <string.h>

#include "txtap/inner/header.h"
#include "txtb_bytes.h"

struct recording_made made;

void made_add(unsigned type, size_t bytes)
{
    const struct txtap_recording_block block = {
        .type = type, .stored = made.payload, .stored_bytes = bytes, .bytes = bytes};

    cr_assert_lt(made.length + TXTAP_RECORDING_BLOCK_BYTES + bytes, sizeof(made.file));
    txtap_recording_seal(made.file + made.length, &block, made.blocks);
    memcpy(made.file + made.length + TXTAP_RECORDING_BLOCK_BYTES, made.payload, bytes);
    made.length += TXTAP_RECORDING_BLOCK_BYTES + bytes;
    made.block_ends[made.blocks++] = made.length;
}

static void add_objects(void)
{
    const struct txtap_object thread = {.pointer = 0x20000100,
                                        .parameter = {1, 0xFFFFFFFF},
                                        .type = TXTAP_OBJECT_THREAD,
                                        .reserved = {0x80, 7},
                                        .live = true,
                                        .created = true,
                                        .from_seq = UINT64_C(1) << 40,
                                        .name = "sampler"};
    const struct txtap_object before = {
        .pointer = 0x20000100, .type = TXTAP_OBJECT_TIMER, .from_seq = 7, .until_seq = 9, .name = "an older one"};
    size_t bytes = txtap_recording_put_objects(made.payload, true);

    cr_assert(txtap_recording_add_object(made.payload, &bytes, &before));
    cr_assert(txtap_recording_add_object(made.payload, &bytes, &thread));
    made_add(TXTAP_RECORDING_OBJECTS, bytes);
}

static void add_events(void)
{
    size_t bytes = txtap_recording_put_events(made.payload, 1000, 77, 1700000000000001, 20, ENTRIES);

    for (uint32_t i = 0; i < ENTRIES; i++) {
        const uint32_t words[8] = {0x20000100, 0x80000007, 4096 + i, 50 + i, i, 2, 3, 4};

        put_entry(made.payload + TXTAP_RECORDING_EVENTS_HEAD + (size_t)i * TXTB_ENTRY_BYTES, TXTAP_BIG, words);
    }
    made_add(TXTAP_RECORDING_EVENTS, bytes);
}

void make_recording(void)
{
    static const uint8_t counts[ENTRIES] = {6, 0, 5};
    static const uint32_t more[] = {0x11111111, 0x22222222, 0x33333333};
    const struct txtap_gap gap = {1003, 17, false, 81};
    const struct txtap_mark mark = {TXTAP_MARK_TRIGGER, 1020, 1700000000000002, "event=68"};
    uint8_t bytes[TXTB_HEADER_BYTES];

    put_header(bytes, TXTAP_BIG, 0x20000000, 32, 4, 16);
    cr_assert_eq(txtap_header_parse(bytes, &made.header), TXTAP_OK);
    txtap_recording_put_head(made.file, TXTAP_RECORDING_VERSION);
    made.length = TXTAP_RECORDING_HEAD_BYTES;
    made.blocks = 0;
    made_add(TXTAP_RECORDING_BUFFER,
             txtap_recording_put_buffer(made.payload, &made.header, 1700000000000000, "demo.elf"));
    add_objects();
    add_events();
    made_add(TXTAP_RECORDING_GAP, txtap_recording_put_gap(made.payload, &gap));
    made_add(TXTAP_RECORDING_MARK, txtap_recording_put_mark(made.payload, &mark));
    memset(made.payload, 0xAA, 5);
    made_add(99, 5); /* a type of block that only later versions know */
    made_add(TXTAP_RECORDING_DEFINITIONS, txtap_recording_put_definitions(made.payload, "event 4096 \"tick\"\n"));
    made_add(TXTAP_RECORDING_WORDS, txtap_recording_put_words(made.payload, counts, ENTRIES, more, 3));
    made_add(TXTAP_RECORDING_END,
             txtap_recording_put_end(made.payload, TXTAP_RECORDING_ROTATED, ENTRIES, 1700000000000003));
}

uint32_t count_blocks(const uint8_t *bytes, size_t count, enum txtap_status *end)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t at = TXTAP_RECORDING_HEAD_BYTES, needed = 0, given = 0;
    uint32_t whole = 0;

    *end = count < at ? TXTAP_AGAIN : txtap_recording_open(&recording, bytes);
    while (*end == TXTAP_OK) {
        *end = txtap_recording_block(&recording, bytes + at, given, &block, &needed);
        if (*end == TXTAP_AGAIN && at + needed <= count) {
            cr_assert_gt(needed, given);
            given = needed;
            *end = TXTAP_OK;
        } else if (*end == TXTAP_OK) {
            cr_assert_geq(txtap_recording_item(&block, block.stored, block.stored_bytes, &item), TXTAP_OK);
            at += needed;
            given = 0;
            whole++;
        }
    }
    return whole;
}
