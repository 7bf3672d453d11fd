/* SPDX-License-Identifier: MIT */
/* Recordings in memory. Written data must be read back, and damaged blocks must not. */
#include "txtap/inner/recording.h"
#include "txtap/inner/header.h"
#include "txtap/inner/registry.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "txtap/inner/crc32.h"
#include "file/recording_maker.h"
#include "txtb_bytes.h"

TestSuite(recording, .init = make_recording);

static struct txtap_recording_item item_of(uint32_t number)
{
    struct txtap_recording recording;
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t at = TXTAP_RECORDING_HEAD_BYTES, needed;

    cr_assert_eq(txtap_recording_open(&recording, made.file), TXTAP_OK);
    for (uint32_t i = 0; i <= number; i++, at += needed)
        cr_assert_eq(txtap_recording_block(&recording, made.file + at, made.length - at, &block, &needed), TXTAP_OK);
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

/* Two files in a row. The second file's buffer is a restart, and its events have ticks of their own. */
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
    cr_assert_eq(player.header.base, made.header.base);
}

/* No buffer was read before, so this buffer is not a restart. */
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

    cr_assert_eq(txtap_crc32(0, (const uint8_t *)"123456789", 9), 0xCBF43926);
    cr_assert_eq(txtap_crc32(txtap_crc32(0, (const uint8_t *)"1234", 4), (const uint8_t *)"56789", 5), 0xCBF43926);
    for (uint32_t count = 0; count < sizeof many; count++) {
        uint32_t crc = 0;

        for (uint32_t i = 0; i < count; i++) {
            many[i] = (uint8_t)(i * 167 + count);
            crc = txtap_crc32(crc, &many[i], 1);
        }
        cr_assert_eq(txtap_crc32(0, many, count), crc, "%u bytes one by one, and at once", count);
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        uint8_t text = (uint8_t)byte;
        uint32_t crc = 0xFFFFFFFF ^ byte; /* one bit at a time, without a table */

        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
        cr_assert_eq(txtap_crc32(0, &text, 1), ~crc, "%u", byte);
    }
}

Test(recording, is_laid_out_as_documented)
{
    static const uint8_t start[] = {'t', 'x', 't', 'a', 'p', 'r', 'e', 'c', 1, 0, 0, 0};
    static const uint8_t gap[] = {4, 0, 0, 0, 28, 0, 0, 0, 28, 0, 0, 0, 3, 0, 0, 0};
    static const uint8_t gap_payload[] = {0xEB, 3, 0, 0, 0, 0, 0,  0, 17, 0, 0, 0, 0, 0,
                                          0,    0, 0, 0, 0, 0, 81, 0, 0,  0, 0, 0, 0, 0};

    cr_assert_arr_eq(made.file, start, sizeof(start));
    cr_assert_arr_eq(made.file + made.block_ends[2], gap, sizeof(gap));
    cr_assert_arr_eq(made.file + made.block_ends[2] + TXTAP_RECORDING_BLOCK_BYTES, gap_payload, sizeof(gap_payload));
}

Test(recording, returns_all_written_items)
{
    struct txtap_recording_item item = item_of(0);
    enum txtap_status end;

    cr_assert_eq(count_blocks(made.file, made.length, &end), made.blocks);
    cr_assert_eq(end, TXTAP_END);
    cr_assert(txtap_header_same_buffer(&item.header, &made.header));
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
        .type = TXTAP_RECORDING_WORDS, .stored = made.payload, .bytes = TXTAP_RECORDING_WORDS_HEAD + sizeof counts};
    struct txtap_recording_item item;

    (void)txtap_recording_put_words(made.payload, counts, sizeof counts - 1, NULL, 0);
    made.payload[sizeof counts + TXTAP_RECORDING_WORDS_HEAD - 1] = 0;
    made.payload[0] = sizeof counts & 0xFF;
    made.payload[1] = sizeof counts >> 8;
    cr_assert_eq(txtap_recording_item(&block, made.payload, block.bytes, &item), TXTAP_ERROR_FORMAT);
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

/* The create event comes before the object's recorded name. */
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

/* A recording may name an object before the events that created earlier objects at its address. The names of those
 * earlier objects are unknown. */
Test(recording, notes_objects_that_are_older_than_reported_objects)
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

/* ---- several files ---- */

/* Returns the beginning of a file. id 0: written by a version without file numbers. */
static struct txtap_recording_start start_of(uint64_t id, uint32_t number, uint64_t seq, uint64_t ticks)
{
    struct txtap_recording_start start = {.index = number};
    uint8_t entry[TXTB_ENTRY_BYTES] = {(uint8_t)id};

    cr_assert_not(txtap_recording_start_take(&start, &(struct txtap_recording_item){.type = TXTAP_RECORDING_BUFFER,
                                                                                    .header = made.header,
                                                                                    .name = "demo.elf",
                                                                                    .unix_us = 1000 + number}));
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
        {start_of(7, 1, 0, 0), start_of(8, 2, 0, 0)},       /* a file of another recording */
        {start_of(7, 1, 0, 0), start_of(0, 2, 5, 5)},       /* the second file has no file number */
        {start_of(0, 1, 800, 80), start_of(0, 2, 900, 79)}, /* the time in the file decreases */
        {start_of(0, 2, 800, 80), start_of(0, 1, 900, 90)}, /* the host's time decreases */
        {start_of(0, 1, 800, 80), start_of(0, 2, 800, 80)}, /* the second file has other events with the same numbers */
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

/* A recording with triggers has jumps. Without file numbers, the events between two files may or may not be lost. */
Test(recording, jumps_of_a_recording_with_triggers_are_no_known_loss)
{
    struct txtap_recording_item mark = {.type = TXTAP_RECORDING_MARK, .mark = {.kind = TXTAP_MARK_TRIGGER}};
    struct txtap_recording_item buffer = {.type = TXTAP_RECORDING_BUFFER, .header = made.header, .name = ""};
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

Test(recording, cuts_texts_and_says_when_a_block_is_full)
{
    static char text[5000];
    const struct txtap_object object = {.pointer = 4, .type = 1, .name = "x"};
    struct txtap_mark mark = {TXTAP_MARK_RESET, 1, 2, text};
    size_t bytes = txtap_recording_put_objects(made.payload, false), before;

    memset(text, 'x', sizeof(text) - 1);
    cr_assert_eq(txtap_recording_put_mark(made.payload, &mark), 20 + TXTAP_RECORDING_TEXT_MAX);
    do
        before = bytes;
    while (txtap_recording_add_object(made.payload, &bytes, &object));
    cr_assert_eq(bytes, before);
    cr_assert_gt(bytes + 30, TXTAP_RECORDING_PAYLOAD_MAX);
    cr_assert_leq(bytes, TXTAP_RECORDING_PAYLOAD_MAX);
}

/* ---- CTF ---- */

static const char metadata[] = "/* CTF 1.8 */ trace { };";

static void make_ctf(void)
{
    size_t head, at = 0;

    txtap_recording_put_head(made.file, TXTAP_RECORDING_VERSION_CTF);
    made.length = TXTAP_RECORDING_HEAD_BYTES;
    made.blocks = 0;
    made_add(TXTAP_RECORDING_METADATA, txtap_recording_put_metadata(made.payload, metadata, strlen(metadata), &at));
    for (uint8_t i = 0; i < 2; i++) {
        head = txtap_recording_put_ctf(made.payload, i == 1, 1000 + i, UINT64_C(5000000000) + i);
        memset(made.payload + head, 'a' + i, 3);
        made_add(TXTAP_RECORDING_CTF, head + 3);
    }
    made_add(TXTAP_RECORDING_END, txtap_recording_put_end(made.payload, TXTAP_RECORDING_DONE, 0, 1));
}

static enum txtap_status tell_bytes(void *self, const struct txtap_item *item)
{
    (void)self;
    cr_assert_eq(item->kind, TXTAP_ITEM_BYTES);
    strncat(transcript, (const char *)item->bytes.at, item->bytes.length);
    strcat(transcript, " ");
    return TXTAP_OK;
}

Test(recording, of_ctf_returns_all_written_records, .init = make_ctf)
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
    for (uint32_t i = 0; i < made.blocks; i++) {
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
        size_t from = at, bytes = txtap_recording_put_metadata(made.payload, text, sizeof text, &at);
        const struct txtap_recording_block block = {.type = TXTAP_RECORDING_METADATA, .bytes = bytes};

        cr_assert_leq(bytes, TXTAP_RECORDING_PAYLOAD_MAX);
        cr_assert_eq(txtap_recording_item(&block, made.payload, bytes, &item), TXTAP_OK);
        cr_assert(item.at == from && item.total == sizeof text && from + item.length == at);
        memcpy(again + from, item.bytes, item.length);
    }
    cr_expect_eq(pieces, 3);
    cr_expect_arr_eq(again, text, sizeof text);
}

Test(recording, does_not_mix_blocks_of_ctf_and_of_events)
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

            txtap_recording_put_head(made.file, versions[of_ctf]);
            made.length = TXTAP_RECORDING_HEAD_BYTES;
            made.blocks = 0;
            made_add(of_ctf ? TXTAP_RECORDING_METADATA : TXTAP_RECORDING_BUFFER, 8);
            first = made.length - TXTAP_RECORDING_HEAD_BYTES;
            made_add(type, 8);
            cr_assert_eq(txtap_recording_open(&recording, made.file), TXTAP_OK);
            cr_assert_eq(
                txtap_recording_block(&recording, made.file + TXTAP_RECORDING_HEAD_BYTES, first, &block, &needed),
                TXTAP_OK);
            cr_expect_eq(txtap_recording_block(&recording, made.file + TXTAP_RECORDING_HEAD_BYTES + first, first,
                                               &block, &needed),
                         is_any || is_other == of_ctf ? TXTAP_OK : TXTAP_ERROR_FORMAT, "type %u", type);
            made.blocks = 0;
            made.length = TXTAP_RECORDING_HEAD_BYTES;
            made_add(type, 8);
            cr_assert_eq(txtap_recording_open(&recording, made.file), TXTAP_OK);
            cr_expect_eq(
                txtap_recording_block(&recording, made.file + TXTAP_RECORDING_HEAD_BYTES, first, &block, &needed),
                is_first ? TXTAP_OK : TXTAP_ERROR_FORMAT, "type %u", type);
        }
}
