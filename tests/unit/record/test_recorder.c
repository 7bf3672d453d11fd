/* SPDX-License-Identifier: MIT */
/* The files of txtap record, read back: blocks, names, times, a new buffer, and truncated or damaged files. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/recorder_fixture.h"
#include "txtb_bytes.h"

TestSuite(recording_sink, .init = recording_set_up, .fini = recording_tear_down);

Test(recording_sink, writes_blocks_and_an_end)
{
    start();
    cr_assert_str_eq(transcript(), "B O* cut ", "an unfinished file can be read");
    events(20);
    fixture.seq += 5;
    cr_assert_eq(gap(SEQ + 20, 5, true), TXTAP_OK);
    events(3);
    stop();
    cr_assert_str_eq(transcript(), "B O* 100-119 gap120+5 125-127 E0:23 ");
}

Test(recording_sink, closes_a_block_after_some_time)
{
    start();
    events(2);
    cr_assert_eq(recording_step(&fixture.recording), TXTAP_OK);
    cr_assert_str_eq(transcript(), "B O* cut ");
    fixture.now_us += RECORDING_BLOCK_US;
    cr_assert_eq(recording_step(&fixture.recording), TXTAP_OK);
    cr_assert_str_eq(transcript(), "B O* 100-101 cut ");
    events(TXTAP_RECORDING_EVENTS_MAX + 1);
    stop();
    cr_assert_str_eq(transcript(), "B O* 100-101 102-2148 2149-2149 E0:2050 ");
}

Test(recording_sink, knows_when_events_were_read)
{
    struct txtap_recording_item item;
    struct input input;

    start();
    events(1);
    fixture.now_us += 1000;
    events(1);
    fixture.now_us += 500;
    stop();
    cr_assert_eq(input_open(&input, (const char *const[]){fixture.path}, 1, &fixture.error), TXTAP_OK);
    cr_assert_eq(recording_reader_open(&fixture.reader, &input, &fixture.error), TXTAP_OK);
    do
        cr_assert_eq(recording_reader_next(&fixture.reader, &item, &fixture.error), TXTAP_OK);
    while (item.type != TXTAP_RECORDING_EVENTS);
    cr_assert_eq(item.unix_us, 1010000000);
    cr_assert_eq(item.span_us, 1000);
    cr_assert_eq(item.ticks, 0);
    input_close(&input);
}

/* Writes an event `us` after the previous event. Its stamp is a 16-bit counter of microseconds, and it is read within a
 * millisecond. */
static void event_after(uint64_t us)
{
    fixture.now_us += us;
    fixture.from_us = fixture.now_us - 1000;
    fixture.to_us = fixture.now_us;
    cr_assert_eq(event_at(4096, (fixture.now_us - 500) & 0xffff), TXTAP_OK);
}

Test(recording_sink, counts_the_periods_of_a_silence_and_allows_none_within_a_block)
{
    const uint64_t silence = 600000000;

    fixture.header.timer_mask = 0xffff;
    fixture.setup.config.tick_hz = 1e6;
    fixture.with_ticks = true;
    start();
    event_after(0);
    event_after(1000);
    event_after(80000); /* a block may last longer than this, but the counter wraps */
    event_after(1000);
    event_after(silence);
    stop();
    cr_assert_str_eq(transcript(), "B rate1=1e+06+-0 O* 100-101@0 102-103@81000 104-104@600082000 E0:5 ");
}

Test(recording_sink, writes_new_names_before_the_events_that_use_them)
{
    add_object(0x100, "first");
    start();
    events(1);
    add_object(0x200, "second");
    events(1);
    fixture.registry.generation++; /* the registry was read again, but is the same */
    events(1);
    stop();
    cr_assert_str_eq(transcript(), "B O* 100-100 O 101-102 E0:3 ");
    cr_assert_eq(fixture.read_registry.count, 2);
    cr_assert_str_eq(txtap_registry_find(&fixture.read_registry, 0x200)->name, "second");
}

Test(recording_sink, has_any_number_of_objects)
{
    for (uint32_t i = 0; i < OBJECTS; i++)
        fixture.objects[i] = (struct txtap_object){.pointer = 4 * i + 4, .type = 1, .live = true, .name = "12345"};
    fixture.registry.count = OBJECTS;
    start();
    stop();
    cr_assert_str_eq(transcript(), "B O* O E0:0 ");
    cr_assert_eq(fixture.read_registry.count, OBJECTS);
}

Test(recording_sink, ends_at_the_limit)
{
    fixture.setup.config.limit = 3;
    start();
    events(2);
    cr_assert_eq(event(4096), TXTAP_END);
    stop();
    cr_assert_str_eq(transcript(), "B O* 100-102 E0:3 ");
}

Test(recording_sink, compresses_only_blocks_that_get_smaller)
{
    size_t plain;

    start();
    events(1000);
    stop();
    plain = file_bytes();
    fixture.setup.config.force = true;
    fixture.setup.config.compress = COMPRESS_LEVEL_DEFAULT;
    fixture.seq = SEQ;
    start();
    events(1000);
    stop();
    cr_assert_lt(file_bytes(), plain / 2);
    cr_assert_str_eq(transcript(), "B O* 100-1099 E0:1000 ");
}

/* The reader reports where each item ends. A file that is cut must give all items that end before the cut. */
Test(recording_sink, every_cut_of_a_file_is_read_to_its_last_whole_block)
{
    static char stories[16][256], want[272];
    static size_t ends[16];
    struct txtap_recording_item item;
    struct input input;
    size_t count = 0, total;

    add_object(0x100, "first");
    fixture.setup.config.compress = 1;
    start();
    for (int i = 0; i < 3; i++) {
        events(20);
        fixture.now_us += RECORDING_BLOCK_US;
    }
    stop();
    total = file_bytes();
    cr_assert_eq(input_open(&input, (const char *const[]){fixture.path}, 1, &fixture.error), TXTAP_OK);
    cr_assert_eq(recording_reader_open(&fixture.reader, &input, &fixture.error), TXTAP_OK);
    txtap_registry_init(&fixture.read_registry, fixture.read_objects, OBJECTS);
    fixture.transcript[0] = '\0';
    ends[0] = TXTAP_RECORDING_HEAD_BYTES;
    while (recording_reader_next(&fixture.reader, &item, &fixture.error) == TXTAP_OK) {
        append_item(&item);
        strcpy(stories[++count], fixture.transcript);
        ends[count] = (size_t)fixture.reader.stream.offset;
    }
    recording_reader_close(&fixture.reader);
    input_close(&input);
    cr_assert_eq(count, 6);
    for (size_t cut = total - 1; cut > 0; cut--) {
        cr_assert_eq(truncate(fixture.path, (off_t)cut), 0);
        while (count > 0 && ends[count] > cut)
            count--;
        if (cut >= ends[0])
            strcat(strcpy(want, stories[count]), "cut ");
        else
            strcpy(want, "no head ");
        cr_assert_str_eq(transcript(), want, "%zu bytes", cut);
    }
}

Test(recording_sink, a_damaged_byte_ends_it_there)
{
    static uint8_t bytes[8192];
    FILE *file;
    size_t total;

    fixture.setup.config.compress = 1;
    start();
    events(20);
    stop();
    total = file_bytes();
    cr_assert_lt(total, sizeof bytes);
    file = fopen(fixture.path, "r+");
    cr_assert_eq(fread(bytes, 1, total, file), total);
    for (size_t at = 0; at < total; at++) {
        const char *text;

        fseek(file, (long)at, SEEK_SET);
        fputc(bytes[at] ^ 0x10, file);
        fflush(file);
        text = transcript();
        cr_assert(strstr(text, "cut ") || strstr(text, "no head "), "byte %zu: %s", at, text);
        cr_assert_not(strstr(text, "E0"), "byte %zu: %s", at, text);
        fseek(file, (long)at, SEEK_SET);
        fputc(bytes[at], file);
        fflush(file);
    }
    fclose(file);
    cr_assert_str_eq(transcript(), "B O* 100-119 E0:20 ");
}

/* The checksum is correct, but the data are not from zstd, or decompress to more bytes than allowed. */
Test(recording_sink, invalid_compressed_data_ends_it)
{
    static uint8_t packed[TXTAP_RECORDING_PAYLOAD_MAX], plain[TXTAP_RECORDING_PAYLOAD_MAX];
    struct compressor *compressor = compressor_new(1);
    size_t length = compressor_pack(compressor, packed, sizeof packed, plain, 1000);

    cr_assert_gt(length, 0);
    for (size_t claimed = 999; claimed <= 1001; claimed++) {
        struct txtap_recording_block block = {.type = TXTAP_RECORDING_SAMPLES + 1,
                                              .compressed = true,
                                              .stored = packed,
                                              .stored_bytes = length,
                                              .bytes = claimed};

        fixture.setup.config.force = true;
        start();
        cr_assert_eq(block_file_add(&fixture.recording.file, &block, 0, false, &fixture.error), TXTAP_OK);
        stop();
        cr_assert_str_eq(transcript(), claimed == 1000 ? "B O* E0:0 " : "B O* cut ");
    }
    compressor_free(compressor);
}

Test(recording_sink, continues_with_a_buffer_of_another_byte_order)
{
    uint8_t bytes[TXTB_HEADER_BYTES];

    start();
    events(2);
    put_header(bytes, TXTAP_BIG, 0x30000000, 32, 4, 16);
    cr_assert_eq(txtap_header_parse(bytes, &fixture.header), TXTAP_OK);
    fixture.header.timer_mask = 0xFFFF;
    cr_assert_eq(restart(), TXTAP_OK);
    events(2);
    stop();
    cr_assert_str_eq(transcript(), "B O* 100-101 B O* 102-103 E0:4 ");
}

Test(recording_sink, definitions_come_first_and_words_before_their_events)
{
    fixture.setup.config.definitions = "event 4096 \"tick\"\n";
    start();
    cr_assert_eq(event_of_words(4096, 6), TXTAP_OK);
    cr_assert_eq(event_of_words(4096, 0), TXTAP_OK);
    cr_assert_eq(event_of_words(4096, 255), TXTAP_OK);
    stop();
    cr_assert_str_eq(transcript(), "B D O* W3 100-102 E0:3 ");
}

Test(recording_sink, a_block_ends_when_its_words_fill_theirs)
{
    start();
    for (int i = 0; i < 70; i++)
        cr_assert_eq(event_of_words(4096, 255), TXTAP_OK);
    stop();
    cr_assert_str_eq(transcript(), "B O* W65 100-164 W5 165-169 E0:70 ");
}

Test(recording_sink, compresses_words_as_well)
{
    fixture.setup.config.compress = 3;
    start();
    for (int i = 0; i < 100; i++)
        cr_assert_eq(event_of_words(4096, 40), TXTAP_OK);
    stop();
    cr_assert_str_eq(transcript(), "B O* W100 100-199 E0:100 ");
    cr_assert_lt(file_bytes(), 4000, "%zu bytes", file_bytes());
}
