/* SPDX-License-Identifier: MIT */
/* Tests of the destinations of data, and of write errors. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/output.h"
#include "error_line.h"

static struct output output;
static struct error error;
static char directory[] = "/tmp/txtap-test-output-XXXXXX";
static char path[64];

static void make_directory(void)
{
    signal(SIGPIPE, SIG_IGN); /* as runtime_init() does */
    cr_assert_not_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/file", directory);
}

/* Returns the number of files in the directory. and_delete: also deletes them. */
static unsigned count_files(bool and_delete)
{
    DIR *dir = opendir(directory);
    unsigned count = 0;

    cr_assert_not_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        count++;
        if (and_delete)
            cr_assert_eq(unlinkat(dirfd(dir), entry->d_name, 0), 0);
    }
    closedir(dir);
    return count;
}

static void remove_directory(void)
{
    count_files(true);
    rmdir(directory);
}

TestSuite(output, .init = make_directory, .fini = remove_directory);

static const char *content(void)
{
    static char text[256];
    FILE *file = fopen(path, "r");
    size_t length;

    cr_assert_not_null(file);
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static enum txtap_status put(const char *text)
{
    struct txtap_writer writer = output_writer(&output);

    return writer.write(writer.self, text, strlen(text));
}

static enum txtap_status fill(size_t bytes)
{
    static char block[1000];
    struct txtap_writer writer = output_writer(&output);
    enum txtap_status status = TXTAP_OK;

    memset(block, 'x', sizeof block);
    for (size_t done = 0; done < bytes && status == TXTAP_OK; done += sizeof block)
        status = writer.write(writer.self, block, sizeof block);
    return status;
}

/* ---- as a stream ---- */

Test(output, writes_to_a_file_through_one_buffer)
{
    cr_assert_eq(output_open(&output, path, true, &error), TXTAP_OK);
    cr_assert_eq(put("one "), TXTAP_OK);
    cr_assert_str_eq(content(), "");
    cr_assert_eq(output_flush(&output), TXTAP_OK);
    cr_assert_str_eq(content(), "one ");
    cr_assert_eq(put("two"), TXTAP_OK);
    cr_assert_eq(output_close(&output), TXTAP_OK);
    cr_assert_str_eq(content(), "one two");
    cr_assert_not(output_is_terminal(&output));
}

Test(output, keeps_every_byte_of_more_than_its_buffer)
{
    struct stat found;

    cr_assert_eq(output_open(&output, path, true, &error), TXTAP_OK);
    cr_assert_eq(fill(3 * OUTPUT_BUFFER_BYTES), TXTAP_OK);
    cr_assert_eq(output_close(&output), TXTAP_OK);
    cr_assert_eq(stat(path, &found), 0);
    cr_assert_eq((size_t)found.st_size, (3 * OUTPUT_BUFFER_BYTES + 999) / 1000 * 1000);
}

Test(output, empties_an_existing_file)
{
    cr_assert_eq(output_open(&output, path, true, &error), TXTAP_OK);
    put("long ago");
    cr_assert_eq(output_close(&output), TXTAP_OK);
    cr_assert_eq(output_open(&output, path, true, &error), TXTAP_OK);
    put("now");
    cr_assert_eq(output_close(&output), TXTAP_OK);
    cr_assert_str_eq(content(), "now");
}

Test(output, takes_no_name_and_a_dash_for_standard_output)
{
    cr_assert_eq(output_open(&output, NULL, false, &error), TXTAP_OK);
    cr_assert_eq(output.fd, STDOUT_FILENO);
    cr_assert_eq(output_open(&output, "-", false, &error), TXTAP_OK);
    cr_assert_eq(output.fd, STDOUT_FILENO);
    cr_assert_eq(output_close(&output), TXTAP_OK);
    cr_assert_neq(fcntl(STDOUT_FILENO, F_GETFD), -1, "standard output was closed");
}

Test(output, says_why_a_file_cannot_be_opened)
{
    snprintf(path, sizeof path, "%s/none/file", directory);
    cr_assert_eq(output_open(&output, path, true, &error), TXTAP_ERROR_SYSTEM);
    cr_assert_not_null(strstr(error_line(&error), path));
    cr_assert_not_null(strstr(error_line(&error), strerror(ENOENT)));
    cr_assert_not_null(strstr(error_line(&error), "-o"));
}

/* Opens an output to a pipe whose reading end is closed. */
static void open_broken_pipe(void)
{
    int ends[2];

    cr_assert_eq(pipe(ends), 0);
    close(ends[0]);
    output = (struct output){.fd = ends[1], .file = {.fd = ends[1], .owned = true}, .name = "pipe"};
}

Test(output, ends_normally_when_the_reader_of_a_pipe_is_gone)
{
    open_broken_pipe();
    cr_assert_eq(put("x"), TXTAP_OK); /* still in the buffer */
    cr_assert_eq(output_flush(&output), TXTAP_END);
    cr_assert_eq(put("y"), TXTAP_OK);
    cr_assert_eq(output_close(&output), TXTAP_END);
    open_broken_pipe();
    cr_assert_eq(fill(2 * OUTPUT_BUFFER_BYTES), TXTAP_END);
    output_close(&output);
}

Test(output, fails_when_the_device_is_full)
{
    cr_assert_eq(output_open(&output, "/dev/full", false, &error), TXTAP_OK);
    cr_assert_eq(fill(2 * OUTPUT_BUFFER_BYTES), TXTAP_ERROR_SYSTEM);
    cr_assert_eq(errno, ENOSPC);
    output_close(&output);
    cr_assert_eq(output_open(&output, "/dev/full", false, &error), TXTAP_OK);
    put("x");
    cr_assert_eq(output_close(&output), TXTAP_ERROR_SYSTEM);
    cr_assert_eq(errno, ENOSPC);
    cr_assert_eq(fcntl(output.fd, F_GETFD), -1, "the file was not closed");
}

static void on_alarm(int number)
{
    (void)number;
}

Test(output, counting_columns_keeps_the_cause_of_a_failed_write)
{
    cr_assert_eq(output_open(&output, "/dev/full", false, &error), TXTAP_OK);
    errno = ENOSPC;
    cr_expect_eq(output_columns(&output), 0);
    cr_expect_eq(errno, ENOSPC);
    (void)output_close(&output);
}

/* The write waits because the pipe is full, and a signal interrupts it. Later a child reads the pipe. */
Test(output, continues_after_a_signal)
{
    struct sigaction action = {.sa_handler = on_alarm};
    int ends[2];
    pid_t child;

    cr_assert_eq(pipe(ends), 0);
    sigaction(SIGUSR1, &action, NULL);
    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        char byte[4096];

        close(ends[1]);
        while (read(ends[0], byte, sizeof byte) > 0)
            kill(getppid(), SIGUSR1);
        _exit(0);
    }
    close(ends[0]);
    output = (struct output){.fd = ends[1], .file = {.fd = ends[1], .owned = true}, .name = "pipe"};
    cr_assert_eq(fill(20 * OUTPUT_BUFFER_BYTES), TXTAP_OK);
    cr_assert_eq(output_close(&output), TXTAP_OK);
}

/* ---- as a whole file ---- */

static enum txtap_status write_whole(const char *text, bool overwrite)
{
    error_clear(&error);
    return output_whole_file(path, text, strlen(text), overwrite, &error);
}

Test(output, writes_a_whole_file)
{
    cr_assert_eq(write_whole("all of it", false), TXTAP_OK);
    cr_assert_str_eq(content(), "all of it");
    cr_assert_eq(count_files(false), 1, "a temporary file was left");
}

Test(output, gives_a_whole_file_the_usual_permissions)
{
    struct stat found;

    umask(027);
    cr_assert_eq(write_whole("all of it", false), TXTAP_OK);
    cr_assert_eq(stat(path, &found), 0);
    cr_assert_eq(found.st_mode & 0777, 0640);
}

Test(output, never_overwrites_a_file_silently)
{
    cr_assert_eq(write_whole("first", false), TXTAP_OK);
    cr_assert_eq(output_check_new(path, false, &error), ERROR_EXISTS);
    cr_assert_eq(write_whole("second", false), ERROR_EXISTS);
    cr_assert_not_null(strstr(error_line(&error), path));
    cr_assert_not_null(strstr(error_line(&error), "--force"));
    cr_assert_str_eq(content(), "first");
    cr_assert_eq(count_files(false), 1, "a temporary file was left");
}

Test(output, overwrites_a_file_with_force)
{
    cr_assert_eq(write_whole("first", false), TXTAP_OK);
    cr_assert_eq(output_check_new(path, true, &error), TXTAP_OK);
    cr_assert_eq(write_whole("second", true), TXTAP_OK);
    cr_assert_str_eq(content(), "second");
    cr_assert_eq(count_files(false), 1, "a temporary file was left");
}

Test(output, takes_a_new_standard_output)
{
    cr_assert_eq(output_check_new("-", false, &error), TXTAP_OK);
    cr_assert_eq(output_check_new(NULL, false, &error), TXTAP_OK);
    cr_assert_eq(output_check_new(path, false, &error), TXTAP_OK);
}

Test(output, says_why_a_whole_file_cannot_be_written)
{
    static const char *const wrong[] = {"/proc/txtap-test", "/dev/null/txtap-test"}; /* impossible even for root */

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        error_clear(&error);
        cr_assert_eq(output_whole_file(wrong[i], "x", 1, false, &error), TXTAP_ERROR_SYSTEM);
        cr_assert_not_null(strstr(error_line(&error), wrong[i]));
        cr_assert_not_null(strstr(error_line(&error), "another file"));
    }
}

Test(output, refuses_a_name_that_is_too_long)
{
    static char name[5000];

    memset(name, 'n', sizeof name - 1);
    cr_assert_eq(output_whole_file(name, "x", 1, false, &error), TXTAP_ERROR_SYSTEM);
    cr_assert_neq(strlen(error_line(&error)), 0);
}

/* The output's name belongs to a directory. So the file cannot be moved there, and no temporary file may remain. */
Test(output, leaves_no_temporary_file_when_it_fails_late)
{
    cr_assert_eq(mkdir(path, 0777), 0);
    cr_assert_eq(write_whole("x", true), TXTAP_ERROR_SYSTEM);
    cr_assert_eq(count_files(false), 1, "a temporary file was left");
    rmdir(path);
}
