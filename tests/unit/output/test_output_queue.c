/* SPDX-License-Identifier: MIT */
/* The queue of bytes for a reader that may stall, with real pipes and files. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "output/output.h"

#define CAPACITY 100000

static struct output output;
static struct error error;
static int ends[2];

static void open_for(int fd)
{
    output = (struct output){.fd = fd, .file = {.fd = fd, .owned = true}, .name = "pipe"};
    cr_assert_eq(output_start_queue(&output, CAPACITY, &error), TXTAP_OK);
}

static enum txtap_status give(const char *bytes, size_t length)
{
    struct txtap_writer writer = output_writer(&output);
    enum txtap_status status = writer.write(writer.self, bytes, length);

    return status == TXTAP_OK ? output_flush(&output) : status;
}

static void set_up(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(pipe(ends), 0);
    open_for(ends[1]);
}

TestSuite(output_queue, .init = set_up);

/* Returns byte n of a stream that has a very long period. */
static char byte_of(size_t n)
{
    return (char)(n * 2654435761u >> 13);
}

static void put(size_t from, size_t length)
{
    static char bytes[CAPACITY];

    for (size_t i = 0; i < length; i++)
        bytes[i] = byte_of(from + i);
    cr_assert_eq(give(bytes, length), TXTAP_OK);
}

static void get(size_t from, size_t length)
{
    static char bytes[CAPACITY];

    while (length > 0) {
        ssize_t got = read(ends[0], bytes, length < sizeof bytes ? length : sizeof bytes);

        cr_assert_gt(got, 0);
        for (ssize_t i = 0; i < got; i++)
            cr_assert_eq(bytes[i], byte_of(from + (size_t)i), "byte %zu", from + (size_t)i);
        from += (size_t)got;
        length -= (size_t)got;
    }
}

static void await_room(size_t room)
{
    for (int i = 0; i < 20000 && output_room(&output) < room; i++)
        usleep(1000);
    cr_assert_geq(output_room(&output), room);
}

Test(output_queue, a_stalled_reader_blocks_no_caller_and_gets_everything_in_order)
{
    put(0, 90000); /* more than fits into a pipe, so most of it waits */
    cr_assert_lt(output_room(&output), CAPACITY);
    get(0, 90000);
    await_room(CAPACITY);
    cr_assert_eq(output_close(&output), TXTAP_OK);
}

Test(output_queue, the_ring_wraps_at_every_offset)
{
    size_t put_bytes = 0, got_bytes = 0;

    for (size_t i = 0; i < 3000; i++) {
        size_t length = 1 + i * 7919 % 997;

        put(put_bytes, length);
        put_bytes += length;
        if (put_bytes - got_bytes > 60000) {
            get(got_bytes, 50000);
            got_bytes += 50000;
        }
    }
    cr_assert_gt(put_bytes, 10 * CAPACITY);
    get(got_bytes, put_bytes - got_bytes);
    cr_assert_eq(output_close(&output), TXTAP_OK);
}

Test(output_queue, the_end_waits_until_everything_is_written)
{
    put(0, 60000); /* fits into the pipe */
    cr_assert_eq(output_close(&output), TXTAP_OK);
    get(0, 60000);
    cr_assert_eq(read(ends[0], &error, 1), 0, "and closes what it owns");
}

Test(output_queue, a_reader_that_is_gone_is_the_end)
{
    enum txtap_status status = TXTAP_OK;

    close(ends[0]);
    for (int i = 0; i < 10000 && status == TXTAP_OK; i++) {
        status = give("line\n", 5);
        usleep(1000);
    }
    cr_assert_eq(status, TXTAP_END);
    cr_assert_eq(output_close(&output), TXTAP_END);
}

static size_t read_file(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    size_t length;

    cr_assert_not_null(file);
    length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    return length;
}

Test(output_queue, a_full_disk_is_reported_and_leaves_whole_lines)
{
    static const char line[] = "a line of about a hundred bytes, of which the last one ends it and all others have to "
                               "be there\n";
    static char text[20000];
    char path[] = "/tmp/txtap-test-queue-XXXXXX";
    struct rlimit limit = {10000, 10000};
    int fd = mkstemp(path);
    size_t length;

    cr_assert_eq(output_close(&output), TXTAP_OK);
    cr_assert_geq(fd, 0);
    open_for(fd);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (int i = 0; i < 150; i++)
        (void)give(line, strlen(line));
    errno = 0;
    cr_assert_eq(output_close(&output), TXTAP_ERROR_SYSTEM);
    cr_assert_eq(errno, EFBIG);
    length = read_file(path, text, sizeof text);
    unlink(path);
    cr_assert_gt(length, 9000);
    cr_assert_eq(text[length - 1], '\n', "it ends with '%s'", text + length - 20);
}

Test(output_queue, after_a_change_only_later_data_goes_to_the_new_file)
{
    char path[] = "/tmp/txtap-test-queue-XXXXXX", text[20];
    int fd = mkstemp(path);

    cr_assert_geq(fd, 0);
    close(fd);
    put(0, 80000);
    output.name = path;
    cr_assert_eq(output_reopen(&output, &error), TXTAP_OK);
    cr_assert_eq(give("behind\n", 7), TXTAP_OK);
    get(0, 80000);
    cr_assert_eq(output_close(&output), TXTAP_OK);
    cr_assert_eq(read(ends[0], text, 1), 0, "the first file is closed");
    cr_assert_eq(read_file(path, text, sizeof text), 7);
    unlink(path);
    cr_assert_str_eq(text, "behind\n");
}
