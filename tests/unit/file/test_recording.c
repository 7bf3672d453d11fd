/* SPDX-License-Identifier: MIT */
/* Recordings in memory: what was written is read back, damaged blocks are not. */
#include "txtap/inner/recording.h"
#include "txtap/inner/header.h"
#include "txtap/inner/registry.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/crc32.h"
#include "txtb_bytes.h"

enum { BLOCKS = 10, LAST = 8, ENTRIES = 3, OBJECTS = 8 };

static struct txtap_header header;
static uint8_t file[8192], payload[TXTAP_RECORDING_PAYLOAD_MAX];
static size_t length, block_ends[BLOCKS];
static uint32_t blocks;

/* As the writer does. */
static void add(unsigned type, size_t bytes)
{
    const struct txtap_recording_block block = {.type = type, .stored = payload, .stored_bytes = bytes, .bytes = bytes};

    cr_assert_lt(length + TXTAP_RECORDING_BLOCK_BYTES + bytes, sizeof(file));
    txtap_recording_seal(file + length, &block, blocks);
    memcpy(file + length + TXTAP_RECORDING_BLOCK_BYTES, payload, bytes);
    length += TXTAP_RECORDING_BLOCK_BYTES + bytes;
    block_ends[blocks++] = length;
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
    size_t bytes = txtap_recording_put_objects(payload, true);

    cr_assert(txtap_recording_add_object(payload, &bytes, &before));
    cr_assert(txtap_recording_add_object(payload, &bytes, &thread));
    add(TXTAP_RECORDING_OBJECTS, bytes);
}

static void add_events(void)
{
    size_t bytes = txtap_recording_put_events(payload, 1000, 77, 1700000000000001, 20, ENTRIES);

    for (uint32_t i = 0; i < ENTRIES; i++) {
        const uint32_t words[8] = {0x20000100, 0x80000007, 4096 + i, 50 + i, i, 2, 3, 4};

        put_entry(payload + TXTAP_RECORDING_EVENTS_HEAD + (size_t)i * TXTB_ENTRY_BYTES, TXTAP_BIG, words);
    }
    add(TXTAP_RECORDING_EVENTS, bytes);
}

static void make_file(void)
{
    static const uint8_t counts[ENTRIES] = {6, 0, 5};
    static const uint32_t more[] = {0x11111111, 0x22222222, 0x33333333};
    const struct txtap_gap gap = {1003, 17, false, 81};
    const struct txtap_mark mark = {TXTAP_MARK_TRIGGER, 1020, 1700000000000002, "event=68"};
    uint8_t bytes[TXTB_HEADER_BYTES];

    put_header(bytes, TXTAP_BIG, 0x20000000, 32, 4, 16);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_OK);
    txtap_recording_put_head(file, TXTAP_RECORDING_VERSION);
    length = TXTAP_RECORDING_HEAD_BYTES;
    blocks = 0;
    add(TXTAP_RECORDING_BUFFER, txtap_recording_put_buffer(payload, &header, 1700000000000000, "demo.elf"));
    add_objects();
    add_events();
    add(TXTAP_RECORDING_GAP, txtap_recording_put_gap(payload, &gap));
    add(TXTAP_RECORDING_MARK, txtap_recording_put_mark(payload, &mark));
    memset(payload, 0xAA, 5);
    add(99, 5); /* of a later version */
    add(TXTAP_RECORDING_DEFINITIONS, txtap_recording_put_definitions(payload, "event 4096 \"tick\"\n"));
    add(TXTAP_RECORDING_WORDS, txtap_recording_put_words(payload, counts, ENTRIES, more, 3));
    add(TXTAP_RECORDING_END, txtap_recording_put_end(payload, TXTAP_RECORDING_ROTATED, ENTRIES, 1700000000000003));
}

TestSuite(recording, .init = make_file);

/* The number of whole blocks that a reader finds if it gets only as many bytes at a time as it asks for; *end: its last
 * status. */
static uint32_t count_blocks(const uint8_t *bytes, size_t count, enum txtap_status *end)
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

static struct txtap_recording_item item_of(uint32_t number)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t at = TXTAP_RECORDING_HEAD_BYTES, needed;

    cr_assert_eq(txtap_recording_open(&recording, file), TXTAP_OK);
    for (uint32_t i = 0; i <= number; i++, at += needed)
        cr_assert_eq(txtap_recording_block(&recording, file + at, length - at, &block, &needed), TXTAP_OK);
    cr_assert_eq(txtap_recording_item(&block, block.stored, block.stored_bytes, &item), TXTAP_OK);
    return item;
}

static char transcript[256];

static enum txtap_status tell(void *self, const struct txtap_item *item)
{
    const struct txtap_recording_player *player = self;
    size_t used = strlen(transcript);
    char *at = transcript + used;

    if (item->kind == TXTAP_ITEM_EVENT)
        snprintf(at, sizeof transcript - used, "%d@%d ", (int)item->event.seq, (int)item->event.ticks);
    if (item->kind == TXTAP_ITEM_EVENT)
        cr_assert_eq(player->registry->count, 2, "objects come before the events");
    if (item->kind == TXTAP_ITEM_GAP)
        snprintf(at, sizeof transcript - used, "gap%d+%d ", (int)item->gap.seq, (int)item->gap.lost);
    if (item->kind == TXTAP_ITEM_MARK)
        snprintf(at, sizeof transcript - used, "%s%d ", txtap_mark_name(item->mark.kind), (int)item->mark.seq);
    if (item->kind == TXTAP_ITEM_RESTART)
        snprintf(at, sizeof transcript - used, "restart ");
    return item->kind == TXTAP_ITEM_MARK ? TXTAP_END : TXTAP_OK;
}

/* Two files in a row: the second one's buffer is a restart, and its events have their own ticks. */
Test(recording, gives_items_to_a_sink)
{
    static const uint32_t order[] = {0, 1, 2, 3, 4, 6, 0, 1, 2};
    struct txtap_object objects[OBJECTS];
    struct txtap_registry registry;
    struct txtap_recording_player player;

    txtap_registry_init(&registry, objects, OBJECTS);
    txtap_recording_player_init(&player, &registry);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const struct txtap_recording_item block = item_of(order[i]);

        cr_assert_eq(txtap_recording_play(&player, &block, (struct txtap_sink){tell, &player}),
                     block.type == TXTAP_RECORDING_MARK ? TXTAP_END : TXTAP_OK, "the sink's status is passed on");
    }
    cr_assert_str_eq(transcript, "1000@77 1001@78 1002@79 gap1003+17 trigger1020 restart 1000@77 1001@78 1002@79 ");
    cr_assert_eq(player.header.base, header.base);
}

/* Nobody has seen the buffer before, so that another one is no restart: what takes items need not expect one first. */
Test(recording, a_buffer_before_all_events_is_no_restart)
{
    static const uint32_t order[] = {0, 0, 1, 2, 0, 2};
    struct txtap_object objects[OBJECTS];
    struct txtap_registry registry;
    struct txtap_recording_player player;

    txtap_registry_init(&registry, objects, OBJECTS);
    txtap_recording_player_init(&player, &registry);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const struct txtap_recording_item block = item_of(order[i]);

        cr_assert_eq(txtap_recording_play(&player, &block, (struct txtap_sink){tell, &player}), TXTAP_OK);
    }
    cr_assert_str_eq(transcript, "1000@77 1001@78 1002@79 restart 1000@77 1001@78 1002@79 ");
}

Test(recording, checksum_is_the_same_as_in_gzip)
{
    uint8_t many[300];

    cr_assert_eq(crc32_add(0, (const uint8_t *)"123456789", 9), 0xCBF43926);
    cr_assert_eq(crc32_add(crc32_add(0, (const uint8_t *)"1234", 4), (const uint8_t *)"56789", 5), 0xCBF43926);
    for (uint32_t count = 0; count < sizeof many; count++) {
        uint32_t crc = 0;

        for (uint32_t i = 0; i < count; i++) {
            many[i] = (uint8_t)(i * 167 + count);
            crc = crc32_add(crc, &many[i], 1);
        }
        cr_assert_eq(crc32_add(0, many, count), crc, "%u bytes one by one, and at once", count);
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        uint8_t text = (uint8_t)byte;
        uint32_t crc = 0xFFFFFFFF ^ byte; /* bit by bit, without a table */

        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
        cr_assert_eq(crc32_add(0, &text, 1), ~crc, "%u", byte);
    }
}

Test(recording, is_laid_out_as_documented)
{
    static const uint8_t start[] = {'t', 'x', 't', 'a', 'p', 'r', 'e', 'c', 1, 0, 0, 0};
    static const uint8_t gap[] = {4, 0, 0, 0, 28, 0, 0, 0, 28, 0, 0, 0, 3, 0, 0, 0};
    static const uint8_t gap_payload[] = {0xEB, 3, 0, 0, 0, 0, 0,  0, 17, 0, 0, 0, 0, 0,
                                          0,    0, 0, 0, 0, 0, 81, 0, 0,  0, 0, 0, 0, 0};

    cr_assert_arr_eq(file, start, sizeof(start));
    cr_assert_arr_eq(file + block_ends[2], gap, sizeof(gap));
    cr_assert_arr_eq(file + block_ends[2] + TXTAP_RECORDING_BLOCK_BYTES, gap_payload, sizeof(gap_payload));
}

Test(recording, returns_what_was_written)
{
    struct txtap_recording_item item = item_of(0);
    enum txtap_status end;

    cr_assert_eq(count_blocks(file, length, &end), blocks);
    cr_assert_eq(end, TXTAP_END);
    cr_assert(txtap_header_same_buffer(&item.header, &header));
    cr_assert_str_eq(item.name, "demo.elf");
    item = item_of(2);
    cr_assert_eq(item.seq, 1000);
    cr_assert_eq(item.ticks, 77);
    cr_assert_eq(item.unix_us, 1700000000000001);
    cr_assert_eq(item.span_us, 20);
    cr_assert_eq(item.count, ENTRIES);
    cr_assert_eq(item.entries[2 * TXTB_ENTRY_BYTES + 11], 2, "big-endian, as recorded");
    item = item_of(3);
    cr_assert_eq(item.gap.seq, 1003);
    cr_assert_eq(item.gap.lost, 17);
    cr_assert_not(item.gap.exact);
    cr_assert_eq(item.gap.estimate, 81);
    item = item_of(4);
    cr_assert_eq(item.mark.kind, TXTAP_MARK_TRIGGER);
    cr_assert_eq(item.mark.seq, 1020);
    cr_assert_str_eq(item.mark.text, "event=68");
    item = item_of(LAST);
    cr_assert_eq(item.why, TXTAP_RECORDING_ROTATED);
    cr_assert_eq(item.events, ENTRIES);
}

Test(recording, restores_events_of_more_and_fewer_than_four_words)
{
    const struct txtap_event event = {.info = {7, 8, 9, 10}};
    const struct txtap_recording_item item = item_of(LAST - 1);
    static const uint32_t six[] = {7, 8, 9, 10, 0x11111111, 0x22222222};
    uint32_t words[TXTAP_RECORDING_WORDS_MAX];
    size_t at = 0;

    cr_assert_str_eq(item_of(LAST - 2).definitions, "event 4096 \"tick\"\n");
    cr_assert_eq(item.count, ENTRIES);
    cr_assert_eq(txtap_recording_words(&item, 0, &at, &event, words), 6);
    cr_assert_arr_eq(words, six, sizeof six);
    cr_assert_eq(txtap_recording_words(&item, 1, &at, &event, words), 0);
    cr_assert_eq(txtap_recording_words(&item, 2, &at, &event, words), 5);
    cr_assert_eq(words[4], 0x33333333);
}

Test(recording, refuses_words_of_more_events_than_a_block_has)
{
    static const uint8_t counts[TXTAP_RECORDING_EVENTS_MAX + 1] = {0};
    const struct txtap_recording_block block = {
        .type = TXTAP_RECORDING_WORDS, .stored = payload, .bytes = TXTAP_RECORDING_WORDS_HEAD + sizeof counts};
    struct txtap_recording_item item;

    (void)txtap_recording_put_words(payload, counts, sizeof counts - 1, NULL, 0);
    payload[sizeof counts + TXTAP_RECORDING_WORDS_HEAD - 1] = 0;
    payload[0] = sizeof counts & 0xFF;
    payload[1] = sizeof counts >> 8;
    cr_assert_eq(txtap_recording_item(&block, payload, block.bytes, &item), TXTAP_ERROR_FORMAT);
}

Test(recording, restores_objects)
{
    struct txtap_recording_item item = item_of(1);
    struct txtap_object objects[OBJECTS];
    struct txtap_registry registry;
    const struct txtap_object *object;

    txtap_registry_init(&registry, objects, OBJECTS);
    objects[0] = (struct txtap_object){.pointer = 4, .type = 1};
    registry.count = 1;
    cr_assert(item.fresh);
    txtap_recording_objects(&item, &registry);
    cr_assert_eq(registry.count, 2, "what was known before is forgotten");
    object = txtap_registry_find(&registry, 0x20000100);
    cr_assert_str_eq(object->name, "sampler");
    cr_assert(object->live);
    cr_assert_eq(object->type, TXTAP_OBJECT_THREAD);
    cr_assert_eq(object->parameter[1], 0xFFFFFFFF);
    cr_assert_eq(object->reserved[1], 7);
    cr_assert_eq(object->from_seq, UINT64_C(1) << 40);
    cr_assert_eq(object->until_seq, 0);
    cr_assert(object->created);
    cr_assert_not(object->unknown);
    cr_assert_str_eq(object[1].name, "an older one");
    cr_assert_not(object[1].live);
    cr_assert_eq(object[1].from_seq, 7);
    cr_assert_eq(object[1].until_seq, 9);
    item.fresh = false;
    txtap_recording_objects(&item, &registry);
    cr_assert_eq(registry.count, 2, "the same again is nothing new");
}

/* An event created it before its name was recorded. */
Test(recording, restores_the_name_of_an_object_that_an_event_created)
{
    const struct txtap_event event = {.id = 60, .seq = 70, .info = {0x100, 0, 0, 0}};
    const struct txtap_object named = {
        .pointer = 0x100, .type = TXTAP_OBJECT_QUEUE, .created = true, .from_seq = 70, .name = "letters"};
    struct txtap_object objects[OBJECTS];
    struct txtap_registry registry;

    txtap_registry_init(&registry, objects, OBJECTS);
    txtap_registry_note(&registry, &event);
    txtap_registry_restore(&registry, &named, 1);
    cr_assert_eq(registry.count, 1);
    cr_assert_str_eq(txtap_registry_name(&registry, 0x100), "letters");
}

/* A recording may tell of an object before the events that created others there: their names are not known. */
Test(recording, notes_objects_that_are_older_than_those_it_told_of)
{
    const struct txtap_event event = {.id = 60, .seq = 30, .info = {0x100, 0, 0, 0}};
    const struct txtap_object named = {
        .pointer = 0x100, .type = TXTAP_OBJECT_QUEUE, .created = true, .from_seq = 70, .name = "letters"};
    struct txtap_object objects[OBJECTS];
    struct txtap_registry registry;

    txtap_registry_init(&registry, objects, OBJECTS);
    txtap_registry_restore(&registry, &named, 1);
    txtap_registry_note(&registry, &event);
    txtap_registry_note(&registry, &event);
    cr_assert_eq(registry.count, 2);
    cr_assert_str_eq(txtap_registry_name(&registry, 0x100), "");
    cr_assert_null(txtap_registry_find_at(&registry, 0x100, TXTAP_OBJECT_QUEUE, 69));
    cr_assert_not_null(txtap_registry_find_at(&registry, 0x100, TXTAP_OBJECT_QUEUE, 70));
}

Test(recording, survives_more_objects_than_fit)
{
    struct txtap_object objects[OBJECTS], many[3 * OBJECTS];
    struct txtap_registry registry;

    memset(many, 0, sizeof(many));
    for (uint32_t i = 0; i < 3 * OBJECTS; i++)
        many[i] = (struct txtap_object){.pointer = 400 - 4 * i, .type = 1, .live = true, .until_seq = i % 2};
    txtap_registry_init(&registry, objects, OBJECTS);
    txtap_registry_restore(&registry, many, 3 * OBJECTS);
    cr_assert_eq(registry.count, OBJECTS);
    cr_assert_eq(registry.dropped, 2 * OBJECTS);
    cr_assert_not_null(txtap_registry_find(&registry, 400));
    many[1].name[0] = 'x';
    many[1].until_seq = 0;
    txtap_registry_restore(&registry, many, 2);
    cr_assert_eq(registry.count, OBJECTS);
    cr_assert_str_eq(txtap_registry_find(&registry, 396)->name, "x", "the new one is there, a deleted one made room");
}

Test(recording, every_prefix_is_read_up_to_its_last_whole_block)
{
    for (size_t cut = 0; cut < length; cut++) {
        enum txtap_status end;
        uint32_t whole = 0;

        while (block_ends[whole] <= cut)
            whole++;
        cr_assert_eq(count_blocks(file, cut, &end), whole, "%zu bytes", cut);
        cr_assert_eq(end, TXTAP_AGAIN, "%zu bytes", cut);
    }
}

Test(recording, a_gap_of_unknown_size_is_a_gap_and_an_exact_one_of_0_is_not)
{
    for (int exact = 0; exact < 2; exact++) {
        const struct txtap_gap gap = {1003, 0, exact, 0};
        struct txtap_recording_block block = {.type = TXTAP_RECORDING_GAP, .stored = payload};
        struct txtap_recording_item item;

        block.bytes = block.stored_bytes = txtap_recording_put_gap(payload, &gap);
        cr_assert_eq(txtap_recording_item(&block, payload, block.bytes, &item), exact ? TXTAP_ERROR_FORMAT : TXTAP_OK);
    }
}

Test(recording, every_flipped_bit_is_noticed)
{
    for (size_t bit = 0; bit < 8 * length; bit++) {
        enum txtap_status end;
        uint32_t whole = 0;

        while (block_ends[whole] <= bit / 8)
            whole++;
        if (bit / 8 < TXTAP_RECORDING_HEAD_BYTES)
            whole = 0;
        file[bit / 8] ^= (uint8_t)(1u << bit % 8);
        cr_assert_eq(count_blocks(file, length, &end), whole, "bit %zu of byte %zu", bit % 8, bit / 8);
        cr_assert(end < TXTAP_OK || end == TXTAP_AGAIN, "bit %zu of byte %zu: %d", bit % 8, bit / 8, end);
        file[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

Test(recording, distinguishes_a_later_version_from_damage)
{
    struct txtap_recording recording;

    cr_assert(txtap_recording_signature(file, length));
    cr_assert_not(txtap_recording_signature(file, 7));
    file[8] = 3;
    cr_assert_eq(txtap_recording_open(&recording, file), TXTAP_ERROR_FORMAT);
    put_u32(file + 12, TXTAP_LITTLE, crc32_add(0, file, 12));
    cr_assert_eq(txtap_recording_open(&recording, file), TXTAP_ERROR_USAGE);
    file[0] = 'T';
    cr_assert_eq(txtap_recording_open(&recording, file), TXTAP_ERROR_SIGNATURE);
}

Test(recording, is_known_although_its_head_is_damaged)
{
    struct txtap_recording recording;

    for (size_t bit = 0; bit < (size_t)TXTAP_RECORDING_HEAD_BYTES * 8; bit++) {
        file[bit / 8] ^= (uint8_t)(1u << bit % 8);
        cr_assert(txtap_recording_signature(file, TXTAP_RECORDING_KNOWN_BYTES), "bit %zu", bit);
        cr_assert_eq(txtap_recording_open(&recording, file), TXTAP_ERROR_FORMAT, "bit %zu", bit);
        file[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    memset(file, 0, TXTAP_RECORDING_HEAD_BYTES);
    cr_assert(txtap_recording_signature(file, TXTAP_RECORDING_KNOWN_BYTES), "by its first block");
    cr_assert_not(txtap_recording_signature(file, TXTAP_RECORDING_KNOWN_BYTES - 1));
    cr_assert_not(txtap_recording_signature(file + 1, TXTAP_RECORDING_KNOWN_BYTES));
    file[TXTAP_RECORDING_HEAD_BYTES + TXTAP_RECORDING_BLOCK_BYTES] ^= 1;
    cr_assert_not(txtap_recording_signature(file, TXTAP_RECORDING_KNOWN_BYTES));
}

/* ---- several files ---- */

/* What a file begins with. id 0: of a version without numbers of files. */
static struct txtap_recording_start start_of(uint64_t id, uint32_t number, uint64_t seq, uint64_t ticks)
{
    struct txtap_recording_start start = {.index = number};
    uint8_t entry[TXTB_ENTRY_BYTES] = {(uint8_t)id};

    cr_assert_not(txtap_recording_start_take(
        &start, &(struct txtap_recording_item){
                    .type = TXTAP_RECORDING_BUFFER, .header = header, .name = "demo.elf", .unix_us = 1000 + number}));
    if (id != 0)
        cr_assert(
            txtap_recording_start_take(&start, &(struct txtap_recording_item){.type = TXTAP_RECORDING_FILE,
                                                                              .file = {.id = id, .number = number}}));
    else
        cr_assert(txtap_recording_start_take(
            &start, &(struct txtap_recording_item){
                        .type = TXTAP_RECORDING_EVENTS, .seq = seq, .ticks = ticks, .count = 1, .entries = entry}));
    return start;
}

Test(recording, files_are_of_one_recording_or_are_refused)
{
    struct txtap_recording_start numbered[] = {start_of(7, 2, 0, 0), start_of(7, 0, 0, 0), start_of(7, 2, 0, 0)};
    struct txtap_recording_start older[] = {start_of(0, 2, 900, 90), start_of(0, 1, 800, 80), start_of(0, 1, 800, 80)};
    struct txtap_recording_start wrong[][2] = {
        {start_of(7, 1, 0, 0), start_of(8, 2, 0, 0)},       /* another number of the recording */
        {start_of(7, 1, 0, 0), start_of(0, 2, 5, 5)},       /* of a version without */
        {start_of(0, 1, 800, 80), start_of(0, 2, 900, 79)}, /* its time goes back */
        {start_of(0, 2, 800, 80), start_of(0, 1, 900, 90)}, /* the host's time goes back */
        {start_of(0, 1, 800, 80), start_of(0, 2, 800, 80)}, /* other events of the same numbers */
    };
    size_t a = 9, b = 9;

    cr_assert_str_eq(numbered[0].name, "demo.elf");
    cr_assert_eq(txtap_recording_sort(numbered, 3, &a, &b), TXTAP_OK);
    cr_assert(numbered[0].file.number == 0 && !numbered[1].again && numbered[2].again);
    cr_assert_eq(txtap_recording_sort(older, 3, &a, &b), TXTAP_OK);
    cr_assert(older[0].seq == 800 && older[1].again && older[2].seq == 900 && !older[2].again);
    wrong[4][1].crc ^= 1;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(txtap_recording_sort(wrong[i], 2, &a, &b), TXTAP_ERROR_FORMAT, "%zu", i);
        cr_expect(a != b && a <= 2 && b <= 2);
    }
}

/* A recording with triggers has jumps: nobody knows what is missing between two files without numbers. */
Test(recording, jumps_of_a_recording_with_triggers_are_no_known_loss)
{
    struct txtap_recording_item mark = {.type = TXTAP_RECORDING_MARK, .mark = {.kind = TXTAP_MARK_TRIGGER}};
    struct txtap_recording_item buffer = {.type = TXTAP_RECORDING_BUFFER, .header = header, .name = ""};
    struct txtap_recording_item events = {.type = TXTAP_RECORDING_EVENTS, .seq = 10, .count = 5};
    struct txtap_gap gap;

    for (int triggered = 0; triggered < 2; triggered++) {
        struct txtap_recording_joint joint = {0};

        events.seq = 10;
        txtap_recording_joint_file(&joint);
        cr_assert_eq(txtap_recording_join(&joint, &buffer, &gap), TXTAP_RECORDING_FOLLOWS);
        if (triggered)
            cr_assert_eq(txtap_recording_join(&joint, &mark, &gap), TXTAP_RECORDING_FOLLOWS);
        cr_assert_eq(txtap_recording_join(&joint, &events, &gap), TXTAP_RECORDING_FOLLOWS);
        txtap_recording_joint_file(&joint);
        cr_assert_eq(txtap_recording_join(&joint, &buffer, &gap), TXTAP_RECORDING_FOLLOWS);
        events.seq = 100;
        cr_assert_eq(txtap_recording_join(&joint, &events, &gap), TXTAP_RECORDING_MISSES);
        cr_assert(gap.seq == 15 && gap.exact == !triggered && gap.lost == (triggered ? 0 : 85));
        txtap_recording_joint_file(&joint);
        buffer.name = "other.elf";
        cr_assert_eq(txtap_recording_join(&joint, &buffer, &gap), TXTAP_RECORDING_FOLLOWS);
        events.seq = 200;
        cr_assert_eq(txtap_recording_join(&joint, &events, &gap), TXTAP_RECORDING_FOREIGN, "other firmware");
        buffer.name = "";
    }
}

/* A correct checksum proves nothing about a block's content. */
Test(recording, refuses_payloads_that_are_not_as_described)
{
    static const struct {
        unsigned type;
        size_t at; /* where in the payload a byte gets that value */
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
        size_t from = number == 0 ? TXTAP_RECORDING_HEAD_BYTES : block_ends[number - 1];
        uint8_t *at = file + from + TXTAP_RECORDING_BLOCK_BYTES;
        size_t bytes = block_ends[number] - from - TXTAP_RECORDING_BLOCK_BYTES;
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

Test(recording, refuses_a_name_that_is_too_long)
{
    const struct txtap_object object = {.pointer = 4, .type = 1, .name = "x"};
    size_t bytes = txtap_recording_put_objects(payload, true);
    struct txtap_recording_block block = {.type = TXTAP_RECORDING_OBJECTS, .stored = payload};
    struct txtap_recording_item item;

    cr_assert(txtap_recording_add_object(payload, &bytes, &object));
    for (uint8_t name = 63; name <= 64; name++) {
        payload[bytes - 2] = name;
        memset(payload + bytes - 1, 'x', name);
        block.bytes = bytes - 1 + name;
        cr_assert_eq(txtap_recording_item(&block, payload, block.bytes, &item),
                     name == 63 ? TXTAP_OK : TXTAP_ERROR_FORMAT, "%u", name);
    }
}

Test(recording, refuses_blocks_before_it_knows_the_buffer)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    const struct txtap_gap gap = {1, 1, true, 0};
    size_t needed;

    length = TXTAP_RECORDING_HEAD_BYTES;
    blocks = 0;
    add(TXTAP_RECORDING_GAP, txtap_recording_put_gap(payload, &gap));
    cr_assert_eq(txtap_recording_open(&recording, file), TXTAP_OK);
    cr_assert_eq(txtap_recording_block(&recording, file + TXTAP_RECORDING_HEAD_BYTES, 40, &block, &needed),
                 TXTAP_ERROR_FORMAT);
}

Test(recording, checks_a_length_before_waiting_for_that_many_bytes)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    size_t needed;

    cr_assert_eq(txtap_recording_open(&recording, file), TXTAP_OK);
    put_u32(file + TXTAP_RECORDING_HEAD_BYTES + 4, TXTAP_LITTLE, TXTAP_RECORDING_PAYLOAD_MAX + 1);
    put_u32(file + TXTAP_RECORDING_HEAD_BYTES + 8, TXTAP_LITTLE, TXTAP_RECORDING_PAYLOAD_MAX + 1);
    cr_assert_eq(txtap_recording_block(&recording, file + TXTAP_RECORDING_HEAD_BYTES, 20, &block, &needed),
                 TXTAP_ERROR_FORMAT);
}

Test(recording, limits_the_size_of_a_decompressed_block)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    size_t needed;

    cr_assert_eq(txtap_recording_open(&recording, file), TXTAP_OK);
    put_u16(file + TXTAP_RECORDING_HEAD_BYTES + 2, TXTAP_LITTLE, 1);
    put_u32(file + TXTAP_RECORDING_HEAD_BYTES + 8, TXTAP_LITTLE, TXTAP_RECORDING_PAYLOAD_MAX);
    cr_assert_eq(txtap_recording_block(&recording, file + TXTAP_RECORDING_HEAD_BYTES, 20, &block, &needed),
                 TXTAP_AGAIN);
    put_u32(file + TXTAP_RECORDING_HEAD_BYTES + 8, TXTAP_LITTLE, TXTAP_RECORDING_PAYLOAD_MAX + 1);
    cr_assert_eq(txtap_recording_block(&recording, file + TXTAP_RECORDING_HEAD_BYTES, 20, &block, &needed),
                 TXTAP_ERROR_FORMAT);
}

Test(recording, a_block_that_comes_twice_or_too_early_ends_it)
{
    size_t bytes = block_ends[2] - block_ends[1];
    enum txtap_status end;

    memmove(file + block_ends[1] + bytes, file + block_ends[1], length - block_ends[1]);
    cr_assert_eq(count_blocks(file, length + bytes, &end), 3, "the copy is not read");
    cr_assert_eq(end, TXTAP_ERROR_FORMAT);
    make_file();
    memmove(file + block_ends[1], file + block_ends[2], length - block_ends[2]);
    cr_assert_eq(count_blocks(file, length - bytes, &end), 2, "nothing after a missing block is read");
    cr_assert_eq(end, TXTAP_ERROR_FORMAT);
}

Test(recording, cuts_texts_and_says_when_a_block_is_full)
{
    static char text[5000];
    const struct txtap_object object = {.pointer = 4, .type = 1, .name = "x"};
    struct txtap_mark mark = {TXTAP_MARK_RESET, 1, 2, text};
    size_t bytes = txtap_recording_put_objects(payload, false), before;

    memset(text, 'x', sizeof(text) - 1);
    cr_assert_eq(txtap_recording_put_mark(payload, &mark), 20 + TXTAP_RECORDING_TEXT_MAX);
    do
        before = bytes;
    while (txtap_recording_add_object(payload, &bytes, &object));
    cr_assert_eq(bytes, before);
    cr_assert_gt(bytes + 30, TXTAP_RECORDING_PAYLOAD_MAX);
    cr_assert_leq(bytes, TXTAP_RECORDING_PAYLOAD_MAX);
}

/* ---- CTF ---- */

static const char metadata[] = "/* CTF 1.8 */ trace { };";

static void make_ctf(void)
{
    size_t head, at = 0;

    txtap_recording_put_head(file, TXTAP_RECORDING_VERSION_CTF);
    length = TXTAP_RECORDING_HEAD_BYTES;
    blocks = 0;
    add(TXTAP_RECORDING_METADATA, txtap_recording_put_metadata(payload, metadata, strlen(metadata), &at));
    for (uint8_t i = 0; i < 2; i++) {
        head = txtap_recording_put_ctf(payload, i == 1, 1000 + i, UINT64_C(5000000000) + i);
        memset(payload + head, 'a' + i, 3);
        add(TXTAP_RECORDING_CTF, head + 3);
    }
    add(TXTAP_RECORDING_END, txtap_recording_put_end(payload, TXTAP_RECORDING_DONE, 0, 1));
}

static enum txtap_status tell_bytes(void *self, const struct txtap_item *item)
{
    (void)self;
    cr_assert_eq(item->kind, TXTAP_ITEM_BYTES);
    strncat(transcript, (const char *)item->bytes.at, item->bytes.length);
    strcat(transcript, " ");
    return TXTAP_OK;
}

Test(recording, of_ctf_returns_what_was_written, .init = make_ctf)
{
    struct txtap_recording_item item = item_of(0);
    static struct txtap_recording_player player;
    struct txtap_registry registry;

    cr_expect(item.type == TXTAP_RECORDING_METADATA && item.at == 0 && item.total == strlen(metadata));
    cr_expect_arr_eq(item.bytes, metadata, strlen(metadata));
    cr_expect_eq(item.length, strlen(metadata));
    item = item_of(1);
    cr_expect(item.seq == 1000 && item.ticks == UINT64_C(5000000000) && !item.another && item.length == 3);
    cr_expect(item_of(2).another && item_of(2).seq == 1001);
    txtap_registry_init(&registry, NULL, 0);
    txtap_recording_player_init(&player, &registry);
    for (uint32_t i = 0; i < blocks; i++) {
        item = item_of(i);
        cr_assert_eq(txtap_recording_play(&player, &item, (struct txtap_sink){tell_bytes, NULL}), TXTAP_OK);
    }
    cr_assert_str_eq(transcript, "aaa bbb ");
}

Test(recording, metadata_that_does_not_fit_comes_in_pieces)
{
    static char text[2 * TXTAP_RECORDING_PAYLOAD_MAX + 5], again[sizeof text];
    struct txtap_recording_item item;
    size_t at = 0, pieces = 0;

    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 26);
    for (; at < sizeof text; pieces++) {
        size_t from = at, bytes = txtap_recording_put_metadata(payload, text, sizeof text, &at);
        const struct txtap_recording_block block = {.type = TXTAP_RECORDING_METADATA, .bytes = bytes};

        cr_assert_leq(bytes, TXTAP_RECORDING_PAYLOAD_MAX);
        cr_assert_eq(txtap_recording_item(&block, payload, bytes, &item), TXTAP_OK);
        cr_assert(item.at == from && item.total == sizeof text && from + item.length == at);
        memcpy(again + from, item.bytes, item.length);
    }
    cr_expect_eq(pieces, 3);
    cr_expect_arr_eq(again, text, sizeof text);
}

Test(recording, blocks_of_ctf_and_of_events_do_not_stand_together)
{
    static const uint32_t versions[] = {TXTAP_RECORDING_VERSION, TXTAP_RECORDING_VERSION_CTF};
    struct txtap_recording recording;
    struct txtap_recording_block block;
    size_t needed, first = 0;

    for (unsigned of_ctf = 0; of_ctf < 2; of_ctf++)
        for (unsigned type = TXTAP_RECORDING_BUFFER; type <= TXTAP_RECORDING_FILE + 1; type++) {
            bool is_first = type == (of_ctf ? TXTAP_RECORDING_METADATA : TXTAP_RECORDING_BUFFER);
            unsigned is_other = type == TXTAP_RECORDING_METADATA || type == TXTAP_RECORDING_CTF;
            bool is_any = type == TXTAP_RECORDING_GAP || type == TXTAP_RECORDING_MARK || type == TXTAP_RECORDING_END ||
                          type > TXTAP_RECORDING_FILE;

            txtap_recording_put_head(file, versions[of_ctf]);
            length = TXTAP_RECORDING_HEAD_BYTES;
            blocks = 0;
            add(of_ctf ? TXTAP_RECORDING_METADATA : TXTAP_RECORDING_BUFFER, 8);
            first = length - TXTAP_RECORDING_HEAD_BYTES;
            add(type, 8);
            cr_assert_eq(txtap_recording_open(&recording, file), TXTAP_OK);
            cr_assert_eq(txtap_recording_block(&recording, file + TXTAP_RECORDING_HEAD_BYTES, first, &block, &needed),
                         TXTAP_OK);
            cr_expect_eq(
                txtap_recording_block(&recording, file + TXTAP_RECORDING_HEAD_BYTES + first, first, &block, &needed),
                is_any || is_other == of_ctf ? TXTAP_OK : TXTAP_ERROR_FORMAT, "type %u", type);
            blocks = 0;
            length = TXTAP_RECORDING_HEAD_BYTES;
            add(type, 8);
            cr_assert_eq(txtap_recording_open(&recording, file), TXTAP_OK);
            cr_expect_eq(txtap_recording_block(&recording, file + TXTAP_RECORDING_HEAD_BYTES, first, &block, &needed),
                         is_first ? TXTAP_OK : TXTAP_ERROR_FORMAT, "type %u", type);
        }
}
