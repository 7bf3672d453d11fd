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

struct recording_world world;

static uint64_t fake_clock(void)
{
    return world.now_us;
}

static uint64_t fake_wall(void)
{
    return 1000000000 + world.now_us;
}

void recording_set_up(void)
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
    world.setup = (struct recording_setup){.options = &world.options,
                                           .path = world.path,
                                           .buffer_bytes = RECORDING_BUFFER_BYTES,
                                           .now_us = fake_clock,
                                           .wall_us = fake_wall};
}

void recording_tear_down(void)
{
    DIR *directory = opendir(world.directory);

    for (struct dirent *entry; directory && (entry = readdir(directory));)
        unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(world.directory);
}

void add_object(uint32_t pointer, const char *name)
{
    struct txtap_object object = {.pointer = pointer, .type = TXTAP_OBJECT_THREAD, .live = true};

    strcpy(object.name, name);
    txtap_registry_restore(&world.registry, &object, 1);
}

void wait_for(const char *event, uint64_t before_us, uint64_t after_us)
{
    struct record_trigger *trigger = &world.options.triggers[world.options.trigger_count++];

    txtap_filter_init(&trigger->filter);
    cr_assert_eq(txtap_filter_add(&trigger->filter, TXTAP_FILTER_EVENT, event), TXTAP_OK);
    trigger->text = "an event";
    world.options.before_us = before_us;
    world.options.after_us = after_us;
}

void start(void)
{
    cr_assert_eq(recording_open(&world.recording, &world.setup, &world.header, &world.registry, world.error), TXTAP_OK,
                 "%s", world.error);
    world.taker = recording_taker(&world.recording);
    world.room = record_file_room(&world.recording.file);
}

void await_written(void)
{
    for (int i = 0; i < 20000 && record_file_room(&world.recording.file) < world.room; i++)
        usleep(1000);
    cr_assert(!world.recording.file.queue || record_file_room(&world.recording.file) == world.room, "it stalls");
}

enum txtap_status step_to_the_end(void)
{
    enum txtap_status status = recording_step(&world.recording);

    for (int i = 0; i < 20000 && status == TXTAP_OK && world.recording.file.queue; i++) {
        usleep(1000);
        status = recording_step(&world.recording);
    }
    return status;
}

enum txtap_status event_at(uint32_t id, uint32_t stamp)
{
    const uint32_t words[8] = {0x20000100, 0x80000001, id, stamp};
    uint8_t entry[TXTB_ENTRY_BYTES];

    put_entry(entry, world.header.endian, words);
    return world.taker.entry(world.taker.self, entry, world.seq++, false);
}

enum txtap_status event(uint32_t id)
{
    return event_at(id, (uint32_t)world.seq);
}

void events(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        cr_assert_eq(event(4096), TXTAP_OK);
}

void stop(void)
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

void tell_item(const struct txtap_recording_item *item)
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

const char *story_of(const char *path)
{
    struct txtap_recording_item item;
    struct input input;

    await_written();
    world.story[0] = '\0';
    txtap_registry_init(&world.read_registry, world.read_objects, OBJECTS);
    cr_assert_eq(input_open(&input, &path, 1, world.error), TXTAP_OK, "%s", world.error);
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

const char *story(void)
{
    return story_of(world.path);
}

const char *story_of_part(int part)
{
    char path[140];

    snprintf(path, sizeof path, part ? "%s%d" : "%s", world.path, part);
    return story_of(path);
}

size_t file_bytes(void)
{
    struct stat about;

    cr_assert_eq(stat(world.path, &about), 0);
    return (size_t)about.st_size;
}
