/* SPDX-License-Identifier: MIT */
/* What the taker of txtap record writes, read back from its files: blocks, rotation, triggers by a clock that is a
 * number, files that cannot be written. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording.h"
#include "recording_reader.h"
#include "txtb_bytes.h"

enum { OBJECTS = 3000, SEQ = 100 };

static struct {
    uint64_t now_us;
    char directory[64], path[128], error[ERROR_TEXT_BYTES];
    struct record_options options;
    struct recording_setup setup;
    struct txtap_header header;
    struct txtap_object objects[OBJECTS];
    struct txtap_registry registry;
    struct recording recording;
    struct session_taker taker;
    uint64_t seq;
    char story[65536]; /* of what was read back */
    bool tell_ticks;   /* of each block of events, in the story */
    struct recording_reader reader;
    struct txtap_object read_objects[OBJECTS];
    struct txtap_registry read_registry;
} world;

static uint64_t fake_clock(void)
{
    return world.now_us;
}

static uint64_t fake_wall(void)
{
    return 1000000000 + world.now_us;
}

static void set_up(void)
{
    uint8_t bytes[TXTB_HEADER_BYTES];

    strcpy(world.directory, "/tmp/txtap-test-recording-XXXXXX");
    cr_assert_not_null(mkdtemp(world.directory));
    snprintf(world.path, sizeof world.path, "%s/r", world.directory);
    put_header(bytes, TXTAP_LITTLE, 0x20000000, 32, 4, 16);
    cr_assert_eq(txtap_header_parse(bytes, &world.header), TXTAP_OK);
    txtap_registry_init(&world.registry, world.objects, OBJECTS);
    world.now_us = 10000000;
    world.seq = SEQ;
    world.setup = (struct recording_setup){
        .options = &world.options, .path = world.path, .now_us = fake_clock, .wall_us = fake_wall};
}

static void tear_down(void)
{
    DIR *directory = opendir(world.directory);

    for (struct dirent *entry; directory && (entry = readdir(directory));)
        unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(world.directory);
}

TestSuite(recording_taker, .init = set_up, .fini = tear_down);

static void add_object(uint32_t pointer, const char *name)
{
    struct txtap_object object = {.pointer = pointer, .type = TXTAP_OBJECT_THREAD, .live = true};

    strcpy(object.name, name);
    txtap_registry_restore(&world.registry, &object, 1);
}

static void start(void)
{
    cr_assert_eq(recording_open(&world.recording, &world.setup, &world.header, &world.registry, world.error), TXTAP_OK,
                 "%s", world.error);
    world.taker = recording_taker(&world.recording);
}

static enum txtap_status event_at(uint32_t id, uint32_t stamp)
{
    const uint32_t words[8] = {0x20000100, 0x80000001, id, stamp};
    uint8_t entry[TXTB_ENTRY_BYTES];

    put_entry(entry, world.header.endian, words);
    return world.taker.entry(world.taker.self, entry, world.seq++, false);
}

/* An event with that id; its stamp is its number in the stream. */
static enum txtap_status event(uint32_t id)
{
    return event_at(id, (uint32_t)world.seq);
}

static void events(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        cr_assert_eq(event(4096), TXTAP_OK);
}

static void stop(void)
{
    cr_assert_eq(recording_close(&world.recording, TXTAP_OK, world.error), TXTAP_OK, "%s", world.error);
}

static void tell(const char *format, ...)
{
    size_t used = strlen(world.story);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(world.story + used, sizeof world.story - used, format, arguments);
    va_end(arguments);
}

static void tell_item(const struct txtap_recording_item *item)
{
    switch (item->type) {
    case TXTAP_RECORDING_BUFFER:
        tell("B ");
        break;
    case TXTAP_RECORDING_OBJECTS:
        txtap_recording_objects(item, &world.read_registry);
        tell("O%s ", item->fresh ? "*" : "");
        break;
    case TXTAP_RECORDING_EVENTS:
        tell("%d-%d", (int)item->seq, (int)(item->seq + item->count - 1));
        tell(world.tell_ticks ? "@%llu " : " ", (unsigned long long)item->ticks);
        break;
    case TXTAP_RECORDING_GAP:
        tell("gap%d+%d ", (int)item->gap.seq, (int)item->gap.lost);
        break;
    case TXTAP_RECORDING_MARK:
        tell("%s%d ", txtap_mark_name(item->mark.kind), (int)item->mark.seq);
        break;
    case TXTAP_RECORDING_END:
        tell("E%d:%d ", (int)item->why, (int)item->events);
        break;
    }
}

/* A file in short: "B O* 100-120 gap121+5 126-130 E0:26 "; "cut " at the end of one that is not whole. */
static const char *story_of(const char *path)
{
    struct txtap_recording_item item;
    struct input input;

    world.story[0] = '\0';
    txtap_registry_init(&world.read_registry, world.read_objects, OBJECTS);
    cr_assert_eq(input_open(&input, path, world.error), TXTAP_OK, "%s", world.error);
    if (recording_reader_open(&world.reader, &input, world.error) == TXTAP_OK) {
        while (recording_reader_next(&world.reader, &item, world.error) == TXTAP_OK)
            tell_item(&item);
        recording_reader_close(&world.reader);
        if (world.reader.cut)
            tell("cut ");
    } else {
        tell("no head ");
    }
    input_close(&input);
    return world.story;
}

static const char *story(void)
{
    return story_of(world.path);
}

static const char *story_of_part(int part)
{
    char path[140];

    snprintf(path, sizeof path, part ? "%s%d" : "%s", world.path, part);
    return story_of(path);
}

static size_t file_bytes(void)
{
    struct stat about;

    cr_assert_eq(stat(world.path, &about), 0);
    return (size_t)about.st_size;
}

Test(recording_taker, writes_blocks_and_an_end)
{
    const struct txtap_gap gap = {SEQ + 20, 5, true, 0};

    start();
    cr_assert_str_eq(story(), "B O* cut ", "what was begun can be read");
    events(20);
    world.seq += 5;
    cr_assert_eq(world.taker.gap(world.taker.self, &gap), TXTAP_OK);
    events(3);
    stop();
    cr_assert_str_eq(story(), "B O* 100-119 gap120+5 125-127 E0:23 ");
}

Test(recording_taker, closes_a_block_in_time)
{
    start();
    events(2);
    cr_assert_eq(recording_step(&world.recording), TXTAP_OK);
    cr_assert_str_eq(story(), "B O* cut ");
    world.now_us += RECORDING_BLOCK_US;
    cr_assert_eq(recording_step(&world.recording), TXTAP_OK);
    cr_assert_str_eq(story(), "B O* 100-101 cut ");
    events(TXTAP_RECORDING_EVENTS_MAX + 1);
    stop();
    cr_assert_str_eq(story(), "B O* 100-101 102-2148 2149-2149 E0:2050 ");
}

Test(recording_taker, knows_when_events_were_read)
{
    struct txtap_recording_item item;
    struct input input;

    start();
    events(1);
    world.now_us += 1000;
    events(1);
    world.now_us += 500;
    stop();
    cr_assert_eq(input_open(&input, world.path, world.error), TXTAP_OK);
    cr_assert_eq(recording_reader_open(&world.reader, &input, world.error), TXTAP_OK);
    do
        cr_assert_eq(recording_reader_next(&world.reader, &item, world.error), TXTAP_OK);
    while (item.type != TXTAP_RECORDING_EVENTS);
    cr_assert_eq(item.unix_us, 1010000000);
    cr_assert_eq(item.span_us, 1000);
    cr_assert_eq(item.ticks, 0);
    input_close(&input);
}

/* An event of a 16-bit counter of microseconds, read within a millisecond, so long after the one before. */
static void event_after(uint64_t us)
{
    world.now_us += us;
    world.taker.window(world.taker.self, world.now_us - 1000, world.now_us);
    cr_assert_eq(event_at(4096, (world.now_us - 500) & 0xffff), TXTAP_OK);
}

Test(recording_taker, counts_the_periods_of_a_silence_and_lets_none_pass_within_a_block)
{
    const uint64_t silence = 600000000;

    world.header.timer_mask = 0xffff;
    world.setup.tick_hz = 1e6;
    world.tell_ticks = true;
    start();
    event_after(0);
    event_after(1000);
    event_after(80000); /* shorter than a block may last, longer than the counter's period */
    event_after(1000);
    event_after(silence);
    stop();
    cr_assert_str_eq(story(), "B O* 100-101@0 102-103@81000 104-104@600082000 E0:5 ");
}

Test(recording_taker, writes_new_names_before_the_events_that_use_them)
{
    add_object(0x100, "first");
    start();
    events(1);
    add_object(0x200, "second");
    events(1);
    world.registry.generation++; /* read again, and nothing new in it */
    events(1);
    stop();
    cr_assert_str_eq(story(), "B O* 100-100 O 101-102 E0:3 ");
    cr_assert_eq(world.read_registry.count, 2);
    cr_assert_str_eq(txtap_registry_find(&world.read_registry, 0x200)->name, "second");
}

Test(recording_taker, has_any_number_of_objects)
{
    for (uint32_t i = 0; i < OBJECTS; i++)
        world.objects[i] = (struct txtap_object){.pointer = 4 * i + 4, .type = 1, .live = true, .name = "12345"};
    world.registry.count = OBJECTS;
    start();
    stop();
    cr_assert_str_eq(story(), "B O* O E0:0 ");
    cr_assert_eq(world.read_registry.count, OBJECTS);
}

Test(recording_taker, ends_at_the_limit)
{
    world.setup.limit = 3;
    start();
    events(2);
    cr_assert_eq(event(4096), TXTAP_END);
    stop();
    cr_assert_str_eq(story(), "B O* 100-102 E0:3 ");
}

Test(recording_taker, compresses_what_gets_smaller_by_it)
{
    size_t plain;

    start();
    events(1000);
    stop();
    plain = file_bytes();
    world.setup.overwrite = true;
    world.options.compress = COMPRESS_LEVEL_DEFAULT;
    world.seq = SEQ;
    start();
    events(1000);
    stop();
    cr_assert_lt(file_bytes(), plain / 2);
    cr_assert_str_eq(story(), "B O* 100-1099 E0:1000 ");
}

/* Where each item of the file ends, told by the reader itself; every shorter file has the items that fit. */
Test(recording_taker, every_cut_of_a_file_is_read_to_its_last_whole_block)
{
    static char stories[16][256];
    static size_t ends[16];
    struct txtap_recording_item item;
    struct input input;
    size_t count = 0, total;

    add_object(0x100, "first");
    world.options.compress = 1;
    start();
    for (int i = 0; i < 3; i++) {
        events(20);
        world.now_us += RECORDING_BLOCK_US;
    }
    stop();
    total = file_bytes();
    cr_assert_eq(input_open(&input, world.path, world.error), TXTAP_OK);
    cr_assert_eq(recording_reader_open(&world.reader, &input, world.error), TXTAP_OK);
    txtap_registry_init(&world.read_registry, world.read_objects, OBJECTS);
    world.story[0] = '\0';
    ends[0] = TXTAP_RECORDING_HEAD_BYTES;
    while (recording_reader_next(&world.reader, &item, world.error) == TXTAP_OK) {
        tell_item(&item);
        strcpy(stories[++count], world.story);
        ends[count] = (size_t)world.reader.offset;
    }
    recording_reader_close(&world.reader);
    input_close(&input);
    cr_assert_eq(count, 6);
    for (size_t cut = total - 1; cut > 0; cut--) {
        cr_assert_eq(truncate(world.path, (off_t)cut), 0);
        while (count > 0 && ends[count] > cut)
            count--;
        if (cut >= ends[0])
            strcat(strcpy(world.error, stories[count]), "cut ");
        else
            strcpy(world.error, "no head ");
        char want[ERROR_TEXT_BYTES];

        strcpy(want, world.error);
        cr_assert_str_eq(story(), want, "%zu bytes", cut);
    }
}

Test(recording_taker, every_damaged_byte_ends_it_there)
{
    static uint8_t bytes[8192];
    FILE *file;
    size_t total;

    world.options.compress = 1;
    start();
    events(20);
    stop();
    total = file_bytes();
    cr_assert_lt(total, sizeof bytes);
    file = fopen(world.path, "r+");
    cr_assert_eq(fread(bytes, 1, total, file), total);
    for (size_t at = 0; at < total; at++) {
        const char *told;

        fseek(file, (long)at, SEEK_SET);
        fputc(bytes[at] ^ 0x10, file);
        fflush(file);
        told = story();
        cr_assert(strstr(told, "cut ") || strstr(told, "no head "), "byte %zu: %s", at, told);
        cr_assert_not(strstr(told, "E0"), "byte %zu: %s", at, told);
        fseek(file, (long)at, SEEK_SET);
        fputc(bytes[at], file);
        fflush(file);
    }
    fclose(file);
    cr_assert_str_eq(story(), "B O* 100-119 E0:20 ");
}

/* A sound checksum over something that zstd never wrote, or that becomes more than it should. */
Test(recording_taker, what_does_not_decompress_as_it_should_ends_it)
{
    static uint8_t packed[TXTAP_RECORDING_PAYLOAD_MAX], plain[TXTAP_RECORDING_PAYLOAD_MAX];
    struct compressor *compressor = compressor_new(1);
    size_t length = compressor_pack(compressor, packed, sizeof packed, plain, 1000);

    cr_assert_gt(length, 0);
    for (size_t claimed = 999; claimed <= 1001; claimed++) {
        struct txtap_recording_block block = {.type = TXTAP_RECORDING_END + 1,
                                              .compressed = true,
                                              .stored = packed,
                                              .stored_bytes = length,
                                              .bytes = claimed};

        world.setup.overwrite = true;
        start();
        cr_assert_eq(record_file_add(&world.recording.file, &block, false, world.error), TXTAP_OK);
        stop();
        cr_assert_str_eq(story(), claimed == 1000 ? "B O* E0:0 " : "B O* cut ");
    }
    compressor_free(compressor);
}

/* ---- rotation ---- */

Test(recording_taker, no_file_is_larger_than_asked_for)
{
    world.options.file_bytes = 2000;
    add_object(0x100, "first");
    start();
    for (int i = 0; i < 6; i++) {
        events(20);
        world.now_us += RECORDING_BLOCK_US;
    }
    stop();
    cr_assert_leq(file_bytes(), 2000);
    cr_assert_str_eq(story_of_part(0), "B O* 100-119 120-139 E1:40 ");
    cr_assert_str_eq(story_of_part(1), "B O* 140-159 160-179 E1:40 ");
    cr_assert_str_eq(txtap_registry_find(&world.read_registry, 0x100)->name, "first", "each has the names");
    cr_assert_str_eq(story_of_part(2), "B O* 180-199 200-219 E0:40 ");
    cr_assert_eq(world.recording.file.files, 3);
}

static void record_two_blocks(uint64_t file_bytes_max)
{
    world.options.file_bytes = file_bytes_max;
    world.setup.overwrite = true;
    start();
    events(20);
    world.now_us += RECORDING_BLOCK_US;
    events(20);
    stop();
}

Test(recording_taker, a_file_may_be_exactly_as_large_as_asked_for)
{
    size_t whole;

    record_two_blocks(1000000);
    whole = file_bytes();
    record_two_blocks(whole);
    cr_assert_eq(world.recording.file.files, 1);
    cr_assert_eq(file_bytes(), whole);
    record_two_blocks(whole - 1);
    cr_assert_eq(world.recording.file.files, 2);
    cr_assert_lt(file_bytes(), whole);
}

Test(recording_taker, a_limit_below_one_block_still_goes_on)
{
    world.options.file_bytes = 1;
    start();
    events(1);
    world.now_us += RECORDING_BLOCK_US;
    events(1);
    stop();
    cr_assert_str_eq(story_of_part(0), "B O* 100-100 E1:1 ");
    cr_assert_str_eq(story_of_part(1), "B O* 101-101 E0:1 ");
}

Test(recording_taker, takes_the_next_file_in_time_even_if_nothing_comes)
{
    char pattern[128];

    setenv("TZ", "UTC", 1);
    tzset();
    snprintf(pattern, sizeof pattern, "%s/%%S", world.directory);
    world.setup.path = pattern;
    world.options.file_seconds = 2;
    world.options.file_count = 2;
    start();
    events(1);
    world.now_us += 2000000;
    cr_assert_eq(recording_step(&world.recording), TXTAP_OK);
    world.now_us += 2000000;
    cr_assert_eq(recording_step(&world.recording), TXTAP_END);
    stop();
    snprintf(world.path, sizeof world.path, "%s/50", world.directory); /* 1010 s after 1970 began */
    cr_assert_str_eq(story(), "B O* 100-100 E1:1 ");
    snprintf(world.path, sizeof world.path, "%s/52", world.directory);
    cr_assert_str_eq(story(), "B O* E0:0 ");
}

Test(recording_taker, files_one_behind_the_other_are_read_as_one)
{
    char command[400];

    world.options.file_bytes = 1;
    start();
    events(1);
    world.now_us += RECORDING_BLOCK_US;
    events(1);
    stop();
    snprintf(command, sizeof command, "cat %s1 >>%s", world.path, world.path);
    cr_assert_eq(system(command), 0);
    cr_assert_str_eq(story(), "B O* 100-100 E1:1 B O* 101-101 E0:1 ");
    snprintf(command, sizeof command, "echo >>%s", world.path);
    cr_assert_eq(system(command), 0);
    cr_assert_str_eq(story(), "B O* 100-100 E1:1 B O* 101-101 E0:1 cut ");
}

/* ---- triggers ---- */

static void wait_for(uint32_t id, uint64_t before_us, uint64_t after_us)
{
    static char number[12];
    struct record_trigger *trigger = &world.options.triggers[world.options.trigger_count++];

    snprintf(number, sizeof number, "%u", (unsigned)id);
    txtap_filter_init(&trigger->filter);
    cr_assert_eq(txtap_filter_add(&trigger->filter, TXTAP_FILTER_EVENT, number), TXTAP_OK);
    trigger->text = "an event";
    world.options.before_us = before_us;
    world.options.after_us = after_us;
}

/* One event each millisecond. */
static void milliseconds(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        world.now_us += 1000;
        events(1);
    }
}

Test(recording_taker, writes_what_is_around_a_trigger_alone)
{
    wait_for(5000, 3000, 2000);
    start();
    milliseconds(20); /* 100 to 119 */
    world.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK); /* 120 */
    milliseconds(20);
    stop();
    cr_assert_str_eq(story(), "B O* 117-119 trigger120 120-122 E0:6 ");
    cr_assert_eq(world.recording.triggers, 1);
}

Test(recording_taker, another_trigger_extends_it_and_nothing_stands_twice)
{
    wait_for(5000, 3000, 2000);
    start();
    milliseconds(5);              /* 100 to 104 */
    for (int i = 0; i < 3; i++) { /* 105, 107, 109: within the time after */
        world.now_us += 1000;
        cr_assert_eq(event(5000), TXTAP_OK);
        milliseconds(1);
    }
    milliseconds(3); /* 111 is the last one, 112 and 113 are history */
    world.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK); /* 114 */
    stop();
    cr_assert_str_eq(story(), "B O* 102-104 trigger105 105-106 trigger107 107-108 trigger109 109-113 trigger114 "
                              "114-114 E0:13 ");
}

Test(recording_taker, what_is_left_out_between_two_triggers_leaves_a_hole)
{
    wait_for(5000, 1000, 0);
    start();
    cr_assert_eq(event(5000), TXTAP_OK); /* 100 */
    milliseconds(10);                    /* 101 to 110 */
    world.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK); /* 111 */
    stop();
    cr_assert_str_eq(story(), "B O* trigger100 100-100 110-110 trigger111 111-111 E0:3 ");
}

Test(recording_taker, a_trigger_goes_by_the_targets_clock_if_it_is_known)
{
    wait_for(5000, 3000, 2000);
    world.setup.tick_hz = 1000; /* the stamps of events() count milliseconds; the host reads them all at once */
    start();
    events(20);
    cr_assert_eq(event(5000), TXTAP_OK);
    events(20);
    stop();
    cr_assert_str_eq(story(), "B O* 117-119 trigger120 120-122 E0:6 ");
}

Test(recording_taker, gaps_and_marks_keep_their_place_around_triggers)
{
    const struct txtap_gap gap = {110, 7, false, 0};
    const struct txtap_mark mark = {TXTAP_MARK_RESET, 120, 0, "why"};

    wait_for(5000, 3000, 0);
    start();
    milliseconds(10); /* 100 to 109 */
    cr_assert_eq(world.taker.gap(world.taker.self, &gap), TXTAP_OK);
    world.seq += 7;
    milliseconds(1); /* 117 */
    world.now_us += 1000;
    cr_assert_eq(event(5000), TXTAP_OK); /* 118 */
    milliseconds(1);                     /* 119 */
    cr_assert_eq(world.taker.mark(world.taker.self, &mark), TXTAP_OK);
    stop();
    cr_assert_str_eq(story(), "B O* 108-109 gap110+7 117-117 trigger118 118-119 reset120 E0:5 ");
}

Test(recording_taker, says_when_history_was_too_short)
{
    wait_for(5000, 60000000, 0);
    start();
    events(HISTORY_ITEMS + 10);
    cr_assert_eq(event(5000), TXTAP_OK);
    cr_assert_eq(world.recording.short_histories, 1);
    cr_assert_eq(world.recording.events, HISTORY_ITEMS + 1);
    cr_assert_eq(event(5000), TXTAP_OK);
    cr_assert_eq(world.recording.short_histories, 1, "nothing was before the second one but the first");
    world.now_us += 70000000;
    events(10);
    cr_assert_eq(event(5000), TXTAP_OK);
    cr_assert_eq(world.recording.short_histories, 1, "what is older than asked for is not missed");
    stop();
}

Test(recording_taker, without_a_trigger_there_is_an_empty_file)
{
    wait_for(5000, 1000, 1000);
    start();
    events(50);
    stop();
    cr_assert_str_eq(story(), "B O* E0:0 ");
}

/* ---- another buffer ---- */

Test(recording_taker, goes_on_with_another_buffer_of_another_byte_order)
{
    uint8_t bytes[TXTB_HEADER_BYTES];

    start();
    events(2);
    put_header(bytes, TXTAP_BIG, 0x30000000, 32, 4, 16);
    cr_assert_eq(txtap_header_parse(bytes, &world.header), TXTAP_OK);
    world.header.timer_mask = 0xFFFF;
    cr_assert_eq(recording_set_buffer(&world.recording, &world.header, &world.registry), TXTAP_OK);
    events(2);
    stop();
    cr_assert_str_eq(story(), "B O* 100-101 B O* 102-103 E0:4 ");
}

/* ---- files that cannot be written ---- */

static void fails(const char *words, enum txtap_status want)
{
    enum txtap_status status =
        recording_open(&world.recording, &world.setup, &world.header, &world.registry, world.error);

    cr_assert_eq(status, want, "%d", status);
    cr_assert(strstr(world.error, words), "%s", world.error);
}

Test(recording_taker, leaves_a_file_that_is_there_alone)
{
    FILE *file = fopen(world.path, "w");

    fputs("mine", file);
    fclose(file);
    fails("is there already", TXTAP_ERROR_EXISTS);
    cr_assert_eq(file_bytes(), 4);
}

Test(recording_taker, says_that_a_device_is_full)
{
    world.setup.path = "/dev/full";
    fails("/dev/full: cannot be written: No space left", TXTAP_ERROR_SYSTEM);
    world.setup.path = "/dev/null";
    start();
    events(10);
    stop();
}

Test(recording_taker, what_does_not_fit_any_more_is_cut_off_at_a_block)
{
    const struct rlimit limit = {4096, RLIM_INFINITY};
    enum txtap_status status;

    signal(SIGXFSZ, SIG_IGN); /* as world_init() does */
    start();
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    events(100);
    world.now_us += RECORDING_BLOCK_US;
    status = recording_step(&world.recording);
    cr_assert_eq(status, TXTAP_OK);
    events(100);
    world.now_us += RECORDING_BLOCK_US;
    status = recording_step(&world.recording);
    cr_assert_eq(status, TXTAP_ERROR_SYSTEM);
    cr_assert_eq(recording_close(&world.recording, status, world.error), TXTAP_ERROR_SYSTEM);
    cr_assert(strstr(world.error, "File too large: what was written before is whole"), "%s", world.error);
    cr_assert_str_eq(story(), "B O* 100-199 cut ");
    cr_assert_eq(world.reader.offset, file_bytes(), "nothing is behind the last whole block");
}

Test(recording_taker, a_reader_that_goes_away_is_a_normal_end)
{
    int ends[2];
    char name[32];

    signal(SIGPIPE, SIG_IGN);
    cr_assert_eq(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    world.setup.path = name;
    start();
    close(ends[0]);
    events(1);
    world.now_us += RECORDING_BLOCK_US;
    cr_assert_eq(recording_step(&world.recording), TXTAP_END);
    cr_assert_eq(recording_close(&world.recording, TXTAP_END, world.error), TXTAP_END);
}
