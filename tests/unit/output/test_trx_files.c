/* SPDX-License-Identifier: MIT */
/* Recordings as files for TraceX: their size, number and content. They are read back like any other trace buffer. */
#include "output/trx_files.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/input.h"
#include "txtb_bytes.h"
#include "txtap/trace.h"
#include "error_line.h"

enum { OBJECTS = 4 };

static struct txtap_header header;
static struct txtap_object objects[OBJECTS], read_objects[OBJECTS];
static struct txtap_registry registry;
static struct trx_files trx;
static uint8_t *image;
static size_t image_bytes;
static struct txtap_trace trace;
static char directory[64], path[128];
static struct error error;
static uint32_t stamp;

static void use_header(enum txtap_endian endian, uint32_t base)
{
    uint8_t bytes[TXTB_HEADER_BYTES];

    put_header(bytes, endian, base, 64, 4, 16);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_OK);
}

static void open_files(const char *name)
{
    cr_assert_eq(trx_files_open(&trx, name, false, &error), TXTAP_OK, "%s", error_line(&error));
    trx_files_begin(&trx, &header, &registry);
}

static void set_up(void)
{
    strcpy(directory, "/tmp/txtap-test-trx-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/t.x.trx", directory);
    use_header(TXTAP_BIG, 0x20000000);
    txtap_registry_init(&registry, objects, OBJECTS);
    open_files(path);
}

static void close_image(void)
{
    free(image);
    image = NULL;
}

static void tear_down(void)
{
    DIR *files = opendir(directory);

    for (struct dirent *entry; (entry = readdir(files));)
        unlinkat(dirfd(files), entry->d_name, 0);
    closedir(files);
    rmdir(directory);
    trx_files_free(&trx);
    close_image();
}

TestSuite(trx_files, .init = set_up, .fini = tear_down);

static enum txtap_status take(const uint8_t *entry, uint64_t seq)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};

    txtap_event_parse(entry, &header, &item.event);
    item.event.seq = seq;
    return trx_files_take(&trx, &item);
}

static enum txtap_status send(uint32_t count)
{
    enum txtap_status status = TXTAP_OK;

    for (uint32_t i = 0; i < count && status == TXTAP_OK; i++) {
        const uint32_t words[8] = {0x20000100, 0x80000001, 4096, stamp++};
        uint8_t entry[TXTB_ENTRY_BYTES];

        put_entry(entry, header.endian, words);
        status = take(entry, 0);
    }
    return status;
}

static enum txtap_status finish(void)
{
    error_clear(&error);
    return trx_files_close(&trx, TXTAP_OK, &error);
}

/* Opens the file and counts its events, whose stamps must be consecutive, starting with `first`. */
static uint32_t events_of(const char *name, uint32_t first)
{
    char file[160];
    struct txtap_item item;
    uint32_t count = 0;

    snprintf(file, sizeof file, "%s/%s", directory, name);
    close_image();
    cr_assert_eq(input_read_file(file, 64 << 20, "", &image, &image_bytes, &error), TXTAP_OK, "%s", error_line(&error));
    cr_assert_eq(txtap_trace_open(&trace, image, image_bytes, read_objects, OBJECTS), TXTAP_OK);
    cr_assert_eq(image_bytes, txtap_header_total_bytes(&trace.header));
    while (txtap_trace_next(&trace, &item) == TXTAP_OK) {
        cr_assert_eq(item.kind, TXTAP_ITEM_EVENT);
        cr_assert_eq(item.event.stamp, first + count, "%u", count);
        count++;
    }
    return count;
}

Test(trx_files, ring_is_as_large_as_needed)
{
    cr_assert_eq(send(1000), TXTAP_OK);
    cr_assert_eq(finish(), TXTAP_OK);
    cr_assert_eq(events_of("t.x.trx", 0), 1000);
    cr_assert_eq(trace.ring_entries, 1000);
    cr_assert_eq(trace.header.endian, TXTAP_BIG);
    cr_assert_eq(trace.header.current, trace.header.ring_start, "the oldest is the first");
    cr_assert_eq(trace.header.name_bytes, 32, "TraceX refuses 64");
    cr_assert_eq(txtap_header_registry_entries(&trace.header), 1, "and a registry without an entry");
}

Test(trx_files, more_events_than_tracex_accepts_give_several_files)
{
    cr_assert_eq(send(TRX_FILES_EVENTS + 2), TXTAP_OK);
    cr_assert_eq(finish(), TXTAP_OK);
    cr_assert_eq(events_of("t.x-0001.trx", 0), TRX_FILES_EVENTS);
    cr_assert_eq(events_of("t.x-0002.trx", TRX_FILES_EVENTS), 2);
}

Test(trx_files, as_many_events_as_it_accepts_give_one_file)
{
    cr_assert_eq(send(TRX_FILES_EVENTS), TXTAP_OK);
    cr_assert_eq(finish(), TXTAP_OK);
    cr_assert_eq(events_of("t.x.trx", 0), TRX_FILES_EVENTS);
}

Test(trx_files, another_byte_order_or_mask_begins_another_file)
{
    cr_assert_eq(send(3), TXTAP_OK);
    use_header(TXTAP_LITTLE, 0x20000000);
    cr_assert_eq(send(4), TXTAP_OK);
    header.timer_mask = 0xFFFF;
    cr_assert_eq(send(5), TXTAP_OK);
    cr_assert_eq(finish(), TXTAP_OK);
    cr_assert_eq(events_of("t.x-0001.trx", 0), 3);
    cr_assert_eq(events_of("t.x-0002.trx", 3), 4);
    cr_assert_eq(trace.header.endian, TXTAP_LITTLE);
    cr_assert_eq(events_of("t.x-0003.trx", 7), 5);
    cr_assert_eq(trace.header.timer_mask, 0xFFFF);
}

Test(trx_files, has_the_objects_of_its_last_event)
{
    const uint8_t *slot;

    objects[0] = (struct txtap_object){.pointer = 0x10, .type = 1, .live = true, .from_seq = 90, .name = "later"};
    objects[1] = (struct txtap_object){.pointer = 0x10, .type = 2, .until_seq = 90, .name = "deleted"};
    objects[2] = (struct txtap_object){.pointer = 0x20, .type = 1, .live = true, .unknown = true, .name = "unsure"};
    objects[3] = (struct txtap_object){.pointer = 0x11223344,
                                       .parameter = {5, 6},
                                       .type = 3,
                                       .reserved = {0x80, 9},
                                       .live = true,
                                       .name = "a name of more than 31 characters"};
    registry.count = 4;
    cr_assert_eq(send(1), TXTAP_OK);
    cr_assert_eq(finish(), TXTAP_OK);
    cr_assert_eq(events_of("t.x.trx", 0), 1);
    slot = image + TXTB_HEADER_BYTES;
    cr_assert_str_eq((const char *)slot + 16, "deleted");
    cr_assert_eq(slot[0], 1);
    slot += 48;
    cr_assert_str_eq((const char *)slot + 16, "a name of more than 31 characte");
    cr_assert_arr_eq(slot, "\0\3\x80\x09\x11\x22\x33\x44\0\0\0\5\0\0\0\6", 16);
    cr_assert_eq(txtap_header_registry_entries(&trace.header), 2);
}

static void send_use(uint64_t seq, uint32_t queue)
{
    const uint32_t words[8] = {0x20000100, 0x80000001, 68, stamp++, queue};
    uint8_t entry[TXTB_ENTRY_BYTES];

    put_entry(entry, header.endian, words);
    cr_assert_eq(take(entry, seq), TXTAP_OK);
}

/* Records events of two queues at each of two addresses, one queue after the other. Returns a name from the file. */
static const char *name_in_file(uint64_t first, uint64_t second)
{
    objects[0] = (struct txtap_object){.pointer = 0x10, .type = 3, .live = true, .from_seq = 50, .name = "second"};
    objects[1] = (struct txtap_object){.pointer = 0x10, .type = 3, .until_seq = 50, .name = "first"};
    objects[2] = (struct txtap_object){.pointer = 0x20, .type = 3, .live = true, .from_seq = 50, .name = "same"};
    objects[3] = (struct txtap_object){.pointer = 0x20, .type = 3, .until_seq = 50, .name = "same"};
    registry.count = 4;
    send_use(first, 0x10);
    send_use(first, 0x20);
    send_use(second, 0x20);
    send_use(second, 0x10);
    cr_assert_eq(finish(), TXTAP_OK);
    cr_assert_eq(events_of("t.x.trx", 0), 4);
    return (const char *)image + TXTB_HEADER_BYTES + TXTB_OBJECT_FIXED_BYTES;
}

Test(trx_files, leaves_out_a_name_that_is_wrong_for_some_events)
{
    cr_assert_str_eq(name_in_file(10, 60), "same");
    cr_assert_eq(txtap_header_registry_entries(&trace.header), 1);
    cr_assert_eq(trx.several, 1);
}

Test(trx_files, has_the_name_of_a_deleted_object_if_right_for_all_events)
{
    cr_assert_str_eq(name_in_file(10, 49), "first");
    cr_assert_eq(txtap_header_registry_entries(&trace.header), 2);
    cr_assert_eq(trx.several, 0);
}

Test(trx_files, a_base_near_the_end_of_memory_is_moved)
{
    header.base = 0xFFFFFC00; /* here the recorded ring fits, but the larger ring of the file does not */
    cr_assert_eq(send(1000), TXTAP_OK);
    cr_assert_eq(finish(), TXTAP_OK);
    cr_assert_eq(events_of("t.x.trx", 0), 1000);
    cr_assert_eq(trace.header.base % 4, 0);
}

Test(trx_files, reports_an_empty_selection_and_an_unwritable_file)
{
    cr_assert_eq(finish(), TXTAP_ERROR_FORMAT);
    cr_assert(strstr(error_line(&error), "no event was chosen"), "%s", error_line(&error));
    snprintf(path, sizeof path, "%s/none/t.trx", directory);
    open_files(path);
    cr_assert_eq(send(1), TXTAP_OK);
    cr_assert_eq(finish(), TXTAP_ERROR_SYSTEM);
    cr_assert(strstr(error_line(&error), "none/t.trx: cannot be written"), "%s", error_line(&error));
    open_files(NULL);
    cr_assert_eq(send(TRX_FILES_EVENTS), TXTAP_OK);
    cr_assert_eq(send(1), TXTAP_ERROR_SPACE);
    cr_assert(strstr(error_line(&trx.error), "give -o FILE"), "%s", error_line(&trx.error));
}
