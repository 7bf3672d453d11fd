/* SPDX-License-Identifier: MIT */
#include "record/recorder_fixture.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "txtb_bytes.h"
#include "error_line.h"
#include "txtap/inner/registry.h"

struct recording_fixture fixture;

static uint64_t fake_clock(void)
{
    return fixture.now_us;
}

static uint64_t fake_wall(void)
{
    return 1000000000 + fixture.now_us;
}

void recording_set_up(void)
{
    uint8_t bytes[TXTB_HEADER_BYTES];

    strcpy(fixture.directory, "/tmp/txtap-test-recording-XXXXXX");
    cr_assert_not_null(mkdtemp(fixture.directory));
    snprintf(fixture.path, sizeof fixture.path, "%s/r", fixture.directory);
    put_header(bytes, TXTAP_LITTLE, 0x20000000, 32, 4, 16);
    cr_assert_eq(txtap_header_parse(bytes, &fixture.header), TXTAP_OK);
    txtap_registry_init(&fixture.registry, fixture.objects, OBJECTS);
    fixture.now_us = 10000000;
    fixture.seq = SEQ;
    fixture.setup = (struct recording_setup){
        .config = {.path = fixture.path, .buffer_bytes = RECORDING_BUFFER_BYTES, .triggers = fixture.triggers},
        .clock = &fixture.maker.clock,
        .now_us = fake_clock,
        .wall_us = fake_wall};
}

void recording_tear_down(void)
{
    DIR *directory = opendir(fixture.directory);

    for (struct dirent *entry; directory && (entry = readdir(directory));)
        unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(fixture.directory);
}

void add_object(uint32_t pointer, const char *name)
{
    struct txtap_object object = {.pointer = pointer, .type = TXTAP_OBJECT_THREAD, .live = true};

    strcpy(object.name, name);
    txtap_registry_restore(&fixture.registry, &object, 1);
}

void wait_for(const char *event, uint64_t before_us, uint64_t after_us)
{
    struct record_trigger *trigger = &fixture.triggers[fixture.setup.config.trigger_count++];

    txtap_filter_init(&trigger->filter);
    cr_assert_eq(txtap_filter_add(&trigger->filter, TXTAP_FILTER_EVENT, event), TXTAP_OK);
    trigger->text = "an event";
    fixture.setup.config.before_us = before_us;
    fixture.setup.config.after_us = after_us;
}

void start(void)
{
    cr_assert_eq(recording_open(&fixture.recording, &fixture.setup, &fixture.header, &fixture.registry, &fixture.error),
                 TXTAP_OK, "%s", error_line(&fixture.error));
    txtap_event_maker_init(&fixture.maker, fixture.header.timer_mask, fixture.setup.config.tick_hz);
    fixture.room = block_file_room(&fixture.recording.file);
}

void await_written(void)
{
    for (int i = 0; i < 20000 && block_file_room(&fixture.recording.file) < fixture.room; i++)
        usleep(1000);
    cr_assert(!fixture.recording.file.queue || block_file_room(&fixture.recording.file) == fixture.room, "it stalls");
}

enum txtap_status step_to_the_end(void)
{
    enum txtap_status status = recording_step(&fixture.recording);

    for (int i = 0; i < 20000 && status == TXTAP_OK && fixture.recording.file.queue; i++) {
        usleep(1000);
        status = recording_step(&fixture.recording);
    }
    return status;
}

static enum txtap_status take(const struct txtap_item *item)
{
    return recording_take(&fixture.recording, item);
}

/* Returns word `i` of an event with `count` words. */
static uint32_t word(uint8_t count, uint32_t i)
{
    return i < count ? 1000u * count + i : 0;
}

static enum txtap_status event_with(uint32_t id, uint32_t stamp, const uint32_t *more, uint8_t count)
{
    const uint32_t words[8] = {0x20000100,     0x80000001,    id, stamp, word(count, 0), word(count, 1),
                               word(count, 2), word(count, 3)};
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT, .from_us = fixture.from_us, .to_us = fixture.to_us};
    uint8_t entry[TXTB_ENTRY_BYTES];

    put_entry(entry, fixture.header.endian, words);
    txtap_event_parse(entry, &fixture.header, &item.event);
    item.event.seq = fixture.seq++;
    item.event.words = more;
    item.event.word_count = count;
    txtap_event_maker_time(&fixture.maker, &item);
    return take(&item);
}

enum txtap_status event_at(uint32_t id, uint32_t stamp)
{
    return event_with(id, stamp, NULL, 0);
}

enum txtap_status event_of_words(uint32_t id, uint8_t count)
{
    uint32_t words[UINT8_MAX + 1];

    for (uint32_t i = 0; i < count; i++)
        words[i] = word(count, i);
    return event_with(id, (uint32_t)fixture.seq, words, count);
}

enum txtap_status gap(uint64_t seq, uint64_t lost, bool exact)
{
    return take(&(struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = {seq, lost, exact, 0}});
}

enum txtap_status mark(enum txtap_mark_kind kind, uint64_t seq)
{
    return take(&(struct txtap_item){.kind = TXTAP_ITEM_MARK, .mark = {kind, seq, 0, "why"}});
}

enum txtap_status sample_of(uint32_t channel, uint64_t bits, const char *text)
{
    static const struct txtap_channel channels[] = {{.number = 0, .name = "a"}, {.number = 1, .name = "b"}};
    struct txtap_item item = {.kind = TXTAP_ITEM_SAMPLE};

    item.sample = (struct txtap_sample){.channel = &channels[channel], .seq = fixture.seq, .bits = bits, .text = text};
    return take(&item);
}

enum txtap_status restart(void)
{
    txtap_event_maker_restart(&fixture.maker, fixture.header.timer_mask);
    return take(&(struct txtap_item){.kind = TXTAP_ITEM_RESTART, .header = fixture.header});
}

enum txtap_status event(uint32_t id)
{
    return event_at(id, (uint32_t)fixture.seq);
}

void events(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        cr_assert_eq(event(4096), TXTAP_OK);
}

void stop(void)
{
    cr_assert_eq(recording_close(&fixture.recording, TXTAP_OK, &fixture.error), TXTAP_OK, "%s",
                 error_line(&fixture.error));
}

static void append(const char *format, ...)
{
    size_t used = strlen(fixture.transcript);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(fixture.transcript + used, sizeof fixture.transcript - used, format, arguments);
    va_end(arguments);
}

static void append_words(const struct txtap_recording_item *item)
{
    uint32_t words[TXTAP_RECORDING_WORDS_MAX];
    bool right = true;
    size_t at = 0;

    for (uint32_t i = 0; i < item->count; i++) {
        uint8_t count = item->counts[i];
        const struct txtap_event entry = {.info = {word(count, 0), word(count, 1), word(count, 2), word(count, 3)}};

        right = right && txtap_recording_words(item, i, &at, &entry, words) == count;
        for (uint32_t k = 0; k < count; k++)
            right = right && words[k] == word(count, k);
    }
    append("%s%u ", right ? "W" : "wrong", item->count);
}

void append_item(const struct txtap_recording_item *item)
{
    switch (item->type) {
    case TXTAP_RECORDING_BUFFER:
        append("B ");
        break;
    case TXTAP_RECORDING_OBJECTS:
        txtap_recording_objects(item, &fixture.read_registry);
        append("O%s ", item->fresh ? "*" : "");
        break;
    case TXTAP_RECORDING_EVENTS:
        append("%d-%d", (int)item->seq, (int)(item->seq + item->count - 1));
        append(fixture.with_ticks ? "@%llu " : " ", (unsigned long long)item->ticks);
        break;
    case TXTAP_RECORDING_GAP:
        append("gap%d+%d ", (int)item->gap.seq, (int)item->gap.lost);
        break;
    case TXTAP_RECORDING_MARK:
        append("%s%d ", txtap_mark_name(item->mark.kind), (int)item->mark.seq);
        break;
    case TXTAP_RECORDING_END:
        append("E%d:%d ", (int)item->why, (int)item->events);
        break;
    case TXTAP_RECORDING_DEFINITIONS:
        append("D ");
        break;
    case TXTAP_RECORDING_WORDS:
        append_words(item);
        break;
    case TXTAP_RECORDING_RATE:
        append("rate%d=%g+-%g ", (int)item->rate.how, item->rate.hz, (item->rate.high - item->rate.low) / 2);
        break;
    case TXTAP_RECORDING_ABOUT:
        append("about:%.*s ", (int)strcspn(item->about, "\n"), item->about);
        break;
    case TXTAP_RECORDING_MEANING:
        append("%s%u+%u/%u ", item->of_user ? "user" : "firmware", (unsigned)item->at, (unsigned)item->length,
               (unsigned)item->total);
        break;
    case TXTAP_RECORDING_CHANNEL:
        append("C%d ", (int)item->channel.number);
        break;
    case TXTAP_RECORDING_SAMPLES:
        append("S%u ", (unsigned)item->count);
        break;
    case TXTAP_RECORDING_STACKS:
        append("stacks:%.*s ", (int)strcspn(item->stacks, "\n"), item->stacks);
        break;
    case TXTAP_RECORDING_FILE: /* the reader does not pass these on */
    case TXTAP_RECORDING_METADATA:
    case TXTAP_RECORDING_CTF: /* the recorder never writes CTF */
        append("ctf ");
        break;
    }
}

const char *transcript_of(const char *path)
{
    struct txtap_recording_item item;
    struct input input;

    await_written();
    fixture.transcript[0] = '\0';
    txtap_registry_init(&fixture.read_registry, fixture.read_objects, OBJECTS);
    cr_assert_eq(input_open(&input, &path, 1, &fixture.error), TXTAP_OK, "%s", error_line(&fixture.error));
    if (recording_reader_open(&fixture.reader, &input, &fixture.error) == TXTAP_OK) {
        while (recording_reader_next(&fixture.reader, &item, &fixture.error) == TXTAP_OK)
            append_item(&item);
        recording_reader_close(&fixture.reader);
        if (fixture.reader.cut)
            append("cut ");
    } else {
        append("no head ");
    }
    input_close(&input);
    return fixture.transcript;
}

const char *transcript(void)
{
    return transcript_of(fixture.path);
}

static const char *path_of_part(int part)
{
    static char path[140];

    snprintf(path, sizeof path, part ? "%s%d" : "%s", fixture.path, part);
    return path;
}

const char *transcript_of_part(int part)
{
    return transcript_of(path_of_part(part));
}

size_t part_bytes(int part)
{
    struct stat about;

    cr_assert_eq(stat(path_of_part(part), &about), 0);
    return (size_t)about.st_size;
}

size_t file_bytes(void)
{
    return part_bytes(0);
}
