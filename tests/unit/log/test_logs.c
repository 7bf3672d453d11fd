/* SPDX-License-Identifier: MIT */
/* Logs of all kinds: their lines, the windows of time, and logs that end and return. The clock is a counter. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "error_line.h"
#include "log/logs.h"

static struct txtap_channels channels;
static struct sample_queue queue;
static struct logs logs;
static struct error error;
static char directory[64], path[128];
static uint64_t clock_us;

static uint64_t tick(void)
{
    return ++clock_us;
}

static void set_up(void)
{
    strcpy(directory, "/tmp/txtap-test-log-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/uart", directory);
}

static void tear_down(void)
{
    logs_close(&logs);
    sample_queue_clear(&queue);
    unlink(path);
    cr_assert_eq(rmdir(directory), 0);
}

TestSuite(logs, .init = set_up, .fini = tear_down);

static enum txtap_status open_logs(const char *name)
{
    return logs_open(&logs, &name, 1, tick, true, &channels, &error);
}

static void open_path(void)
{
    cr_assert_eq(open_logs(path), TXTAP_OK, "%s", error_line(&error));
}

static void put(int fd, const char *text)
{
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

static int make_file(const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    cr_assert_geq(fd, 0);
    put(fd, text);
    return fd;
}

/* Returns the texts of all lines in the queue, each followed by '|', and empties the queue. */
static const char *lines(void)
{
    static char text[8192];

    logs_read(&logs, &queue);
    text[0] = '\0';
    for (size_t i = 0; i < queue.count; i++) {
        cr_assert_eq(queue.waiting[i].channel, logs.at[0].channel);
        cr_assert_lt(queue.waiting[i].from_us, queue.waiting[i].to_us);
        strcat(strcat(text, queue.waiting[i].text), "|");
    }
    sample_queue_clear(&queue);
    return text;
}

/* Lets the time pass until a log that poll() does not watch is read again. */
static void pass(void)
{
    clock_us += 1000000;
}

/* Opens a pseudo terminal, and links its other end to `path`. */
static int make_terminal(void)
{
    int fd = posix_openpt(O_RDWR | O_NOCTTY);

    cr_assert_geq(fd, 0);
    cr_assert_eq(grantpt(fd), 0);
    cr_assert_eq(unlockpt(fd), 0);
    unlink(path);
    cr_assert_eq(symlink(ptsname(fd), path), 0);
    return fd;
}

Test(logs, of_a_file_begin_at_its_end)
{
    int fd = make_file("before\n");

    open_path();
    cr_assert_str_eq(channels.at[0].name, "uart");
    cr_assert_eq(channels.at[0].kind, TXTAP_CHANNEL_LOG);
    cr_assert_str_eq(lines(), "");
    put(fd, "one\ntwo\r\n\n\r\nthr");
    cr_assert_str_eq(lines(), "one|two|");
    put(fd, "ee\n");
    cr_assert_str_eq(lines(), "three|");
    close(fd);
}

/* A line was written after the last read without bytes, and before the read that got its end. */
Test(logs, have_windows_of_time)
{
    int fd = make_file("");
    uint64_t drained, before;

    open_path();
    cr_assert_str_eq(lines(), "");
    drained = clock_us;
    clock_us += 1000;
    before = clock_us;
    put(fd, "one\nhalf");
    logs_read(&logs, &queue);
    cr_assert_eq(queue.count, 1);
    cr_assert_eq(queue.waiting[0].from_us, drained);
    cr_assert_gt(queue.waiting[0].to_us, before);
    clock_us += 1000;
    put(fd, " two\nnext\n");
    before = clock_us;
    logs_read(&logs, &queue);
    cr_assert_eq(queue.count, 3);
    cr_assert_eq(queue.waiting[1].from_us, drained, "the first half was written in the first window");
    cr_assert_gt(queue.waiting[1].to_us, before);
    cr_assert_gt(queue.waiting[2].from_us, queue.waiting[0].to_us);
    close(fd);
}

Test(logs, cut_long_lines_and_keep_any_bytes)
{
    static char text[3000];
    int fd = make_file("");
    const char *got;

    open_path();
    memset(text, 'x', sizeof text - 1);
    put(fd, text);
    put(fd, text);
    put(fd, "\n\033[1;31mred\033[0m \xff\033[2J\n");
    cr_assert_eq(write(fd, "a\0b\n", 4), 4);
    got = lines();
    cr_assert_eq(strcspn(got, "|"), TXTAP_SAMPLE_TEXT_BYTES - 1);
    cr_assert_str_eq(got + TXTAP_SAMPLE_TEXT_BYTES - 4, "...|red \xff\033[2J|a\xef\xbf\xbd"
                                                        "b|");
    cr_assert_eq(logs.at[0].cut, 1);
    cr_assert_eq(logs.at[0].lines, 3);
    close(fd);
}

Test(logs, follow_files_that_are_replaced_or_emptied)
{
    int fd = make_file("before\n");

    open_path();
    cr_assert_str_eq(lines(), "");
    cr_assert_eq(ftruncate(fd, 0), 0);
    close(fd);
    pass();
    cr_assert_str_eq(lines(), "");
    fd = make_file("emptied\n");
    pass();
    cr_assert_str_eq(lines(), "emptied|");
    close(fd);
    unlink(path);
    fd = make_file("another file\n");
    pass();
    cr_assert_str_eq(lines(), "");
    cr_assert_str_eq(lines(), "another file|");
    close(fd);
}

Test(logs, of_a_pipe_wait_for_writers)
{
    int fd;

    cr_assert_eq(mkfifo(path, 0600), 0);
    open_path();
    cr_assert_str_eq(lines(), "");
    for (int i = 0; i < 2; i++) {
        fd = open(path, O_WRONLY | O_NONBLOCK);
        cr_assert_geq(fd, 0);
        put(fd, "hello\n");
        pass();
        cr_assert_str_eq(lines(), "hello|");
        close(fd);
        cr_assert_str_eq(lines(), "");
    }
}

/* The other end of a serial port must not get any byte, because it may be the target. */
Test(logs, of_a_serial_port_never_write)
{
    int fd = make_terminal(), other;
    struct termios modes;
    char byte;

    open_path();
    put(fd, "booted\r\n");
    cr_assert_str_eq(lines(), "booted|");
    cr_assert_eq(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
    cr_assert_lt(read(fd, &byte, 1), 0, "an echo");
    other = open(path, O_RDONLY | O_NOCTTY);
    cr_assert_eq(tcgetattr(other, &modes), 0);
    cr_assert_eq(modes.c_lflag & (tcflag_t)(ECHO | ICANON), 0);
    cr_assert_eq(modes.c_cflag & (tcflag_t)HUPCL, 0);
    close(other);
    close(fd);
}

Test(logs, of_a_serial_port_set_its_speed)
{
    char name[160];
    int fd = make_terminal(), other;
    struct termios modes;

    snprintf(name, sizeof name, "%s@921600", path);
    cr_assert_eq(open_logs(name), TXTAP_OK, "%s", error_line(&error));
    cr_assert_str_eq(channels.at[0].name, "uart");
    other = open(path, O_RDONLY | O_NOCTTY);
    cr_assert_eq(tcgetattr(other, &modes), 0);
    cr_assert_eq(cfgetispeed(&modes), B921600);
    close(other);
    close(fd);
}

Test(logs, of_a_serial_port_may_return)
{
    int fd = make_terminal();

    open_path();
    put(fd, "first\nhalf");
    cr_assert_str_eq(lines(), "first|");
    close(fd);
    cr_assert_str_eq(lines(), "half|");
    cr_assert_eq(logs.at[0].fd, -1);
    pass();
    cr_assert_str_eq(lines(), "");
    cr_assert_eq(logs.at[0].fd, -1);
    fd = make_terminal();
    pass();
    cr_assert_str_eq(lines(), "");
    cr_assert_geq(logs.at[0].fd, 0);
    put(fd, "second\n");
    cr_assert_str_eq(lines(), "second|");
    close(fd);
}

Test(logs, end_with_their_last_line)
{
    int fd = make_file("");

    open_path();
    put(fd, "no line feed");
    cr_assert_str_eq(lines(), "");
    logs_finish(&logs, &queue);
    cr_assert_str_eq(lines(), "no line feed|");
    close(fd);
}

/* The rest stays in the log until the queue has room, so no line is lost. */
Test(logs, are_read_only_while_the_queue_has_room)
{
    int fd = make_file("");
    uint64_t all = 0;

    open_path();
    for (unsigned i = 0; i < 2 * SAMPLE_QUEUE_MAX; i++)
        put(fd, "ab\n");
    for (unsigned i = 0; i < 10; i++) {
        logs_read(&logs, &queue);
        all += queue.count;
        sample_queue_clear(&queue);
    }
    cr_assert_eq(queue.dropped, 0);
    cr_assert_eq(all, 2 * SAMPLE_QUEUE_MAX);
    close(fd);
}

static void assert_refused(const char *name, const char *start)
{
    cr_assert_lt(open_logs(name), TXTAP_OK, "%s", name);
    cr_assert_eq(strncmp(error_line(&error), start, strlen(start)), 0, "%s", error_line(&error));
    cr_assert_eq(logs.count, 0);
}

Test(logs, that_cannot_be_opened_are_refused)
{
    char name[256], text[512];

    snprintf(text, sizeof text, "--log %s: cannot be opened: No such file", path);
    assert_refused(path, text);
    assert_refused("/dev/ttyS0@123", "--log /dev/ttyS0@123: a serial port cannot have this speed");
    assert_refused("@9600", "--log @9600: not a path");
    snprintf(text, sizeof text, "--log %s: a directory", directory);
    assert_refused(directory, text);
    close(make_file(""));
    snprintf(name, sizeof name, "%s@9600", path);
    snprintf(text, sizeof text, "--log %s@9600: not a serial port", path);
    assert_refused(name, text);
}

Test(logs, with_the_same_name_get_their_paths)
{
    const char *const names[] = {path, path, path};

    close(make_file(""));
    cr_assert_eq(logs_open(&logs, names, 2, tick, true, &channels, &error), TXTAP_OK);
    cr_assert_str_eq(channels.at[0].name, "uart");
    cr_assert_str_eq(channels.at[1].name, path);
    logs_close(&logs);
    cr_assert_lt(logs_open(&logs, names, 3, tick, true, &channels, &error), TXTAP_OK);
}
