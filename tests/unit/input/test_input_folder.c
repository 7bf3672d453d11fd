/* SPDX-License-Identifier: MIT */
/* Follows a folder whose files begin while it is read, also after the clock of the host was set back. */
#include "input/input.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/runtime.h"
#include "txtap/inner/recording.h"
#include "txtb_bytes.h"

#define MINUTE_US INT64_C(60000000)

/* A file to write while the reader waits. */
struct file {
    const char *name;
    uint64_t id;
    uint32_t number;
    int64_t begun_us; /* after the present time */
};

static char folder[] = "/tmp/txtap-folder-XXXXXX", path[64];
static const struct file *next; /* the files that are written next, until a file without a name */
static unsigned waits;          /* after the last file */

static size_t put_block(uint8_t *out, const uint8_t *payload, size_t length, enum txtap_recording_type type,
                        uint32_t number)
{
    const struct txtap_recording_block block = {
        .type = type, .stored = payload, .stored_bytes = length, .bytes = length};

    txtap_recording_seal(out, &block, number);
    memcpy(out + TXTAP_RECORDING_BLOCK_BYTES, payload, length);
    return TXTAP_RECORDING_BLOCK_BYTES + length;
}

/* Writes the first two blocks of a file. */
static void write_file(const struct file *file)
{
    const struct txtap_recording_file part = {.id = file->id, .number = file->number};
    uint8_t bytes[TXTB_HEADER_BYTES], payload[4096], out[8192];
    struct txtap_header header;
    size_t length = TXTAP_RECORDING_HEAD_BYTES;
    FILE *stream;

    put_header(bytes, TXTAP_LITTLE, 0x20000000, 32, 4, 16);
    cr_assert_eq(txtap_header_parse(bytes, &header), TXTAP_OK);
    txtap_recording_put_head(out, TXTAP_RECORDING_VERSION);
    length += put_block(
        out + length, payload,
        txtap_recording_put_buffer(payload, &header, (uint64_t)((int64_t)wall_us() + file->begun_us), "demo.elf"),
        TXTAP_RECORDING_BUFFER, 0);
    length += put_block(out + length, payload, txtap_recording_put_file(payload, &part), TXTAP_RECORDING_FILE, 1);
    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    stream = fopen(path, "wb");
    cr_assert_not_null(stream);
    cr_assert_eq(fwrite(out, 1, length, stream), length);
    cr_assert_eq(fclose(stream), 0);
}

/* Writes the next file. After the last file, waits for a few looks into the folder, and ends. */
static bool idle(void *self)
{
    (void)self;
    if (next->name == NULL)
        return ++waits < 10;
    write_file(next++);
    return true;
}

/* Follows the folder, and writes the names of the files that were read to `order`. */
static void follow(char *order, size_t size)
{
    const char *place = folder;
    const struct input_wait wait = {idle, NULL};
    struct error error = {0};
    struct input input;
    enum txtap_status status = input_open_live(&input, &place, &wait, &error);

    *order = '\0';
    for (unsigned files = 0; status == TXTAP_OK && files < 10; files++) {
        uint8_t bytes[4096];

        snprintf(order + strlen(order), size - strlen(order), "%s ", strrchr(input.name, '/') + 1);
        while (input_read(&input, bytes, sizeof bytes, &error) > 0) {
        }
        status = input_next(&input, &error);
    }
    cr_expect_eq(status, TXTAP_END, "%s", error.what);
    input_close(&input);
}

static void set_up(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static void tear_down(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(input_folder, .init = set_up, .fini = tear_down);

/* The clock was wrong by an hour when the first files began. */
Test(input_folder, reads_each_file_once_after_the_clock_was_set_back)
{
    static const struct file files[] = {
        {"same.rec", 1, 1, 0}, {"later.rec", 3, 0, 0}, {"last.rec", 4, 0, 1000000}, {NULL, 0, 0, 0}};
    char order[200];

    write_file(&(struct file){"earlier.rec", 2, 0, 30 * MINUTE_US});
    write_file(&(struct file){"newest.rec", 1, 0, 60 * MINUTE_US});
    next = files;
    follow(order, sizeof order);
    cr_expect_str_eq(order, "newest.rec same.rec later.rec last.rec ");
}

Test(input_folder, takes_no_copy_and_no_file_of_an_earlier_time)
{
    static const struct file files[] = {
        {"old.rec", 7, 0, -60 * MINUTE_US}, {"copy.rec", 1, 0, -MINUTE_US}, {"next.rec", 1, 1, 0}, {NULL, 0, 0, 0}};
    char order[200];

    write_file(&(struct file){"before.rec", 5, 0, -1000000 - MINUTE_US});
    write_file(&(struct file){"first.rec", 1, 0, -MINUTE_US});
    next = files;
    follow(order, sizeof order);
    cr_expect_str_eq(order, "first.rec next.rec ");
}
