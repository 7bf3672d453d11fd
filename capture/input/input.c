/* SPDX-License-Identifier: MIT */
/* Reads files and standard input as a stream of bytes, or whole. This module knows no format. */
#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/runtime.h"

static ssize_t read_some(int fd, void *buffer, size_t length)
{
    ssize_t got;

    do {
        if (stop_grace_left_us() == 0) {
            errno = EINTR;
            return -1;
        }
        got = read(fd, buffer, length);
    } while (got < 0 && errno == EINTR);
    return got;
}

/* Opens the next path. */
static bool open_next(struct input *input)
{
    const char *path = *input->paths++;
    bool is_stdin = strcmp(path, "-") == 0;

    input->count--;
    input->owned = !is_stdin;
    input->name = is_stdin ? "standard input" : path;
    input->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    return input->fd >= 0;
}

/* Reports the failure. If files named PATH plus digits exist, the user may have meant them: record -C and -G use such
 * names. */
static enum txtap_status say_not_opened(const struct input *input, struct error *error)
{
    int cause = errno;
    char pattern[PATH_MAX];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s[0-9]*", input->name);
    if (cause == ENOENT && glob(pattern, 0, NULL, &found) == 0) {
        failure(error, TXTAP_ERROR_SYSTEM, "%.80s: %s: give all files of the recording: %.80s ...", input->name,
                strerror(cause), found.gl_pathv[0]);
        globfree(&found);
        return TXTAP_ERROR_SYSTEM;
    }
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", input->name, strerror(cause));
}

/* Opens the next path, and reads its first bytes. */
static enum txtap_status begin(struct input *input, struct error *error)
{
    ssize_t got = 1;

    input->head_bytes = input->head_taken = 0;
    if (!open_next(input))
        return say_not_opened(input, error);
    while (got > 0 && input->head_bytes < INPUT_HEAD_BYTES) {
        got = read_some(input->fd, input->head + input->head_bytes, INPUT_HEAD_BYTES - input->head_bytes);
        if (got > 0)
            input->head_bytes += (size_t)got;
    }
    if (got >= 0)
        return TXTAP_OK;
    if (!input->owned && errno == EBADF)
        return failure(error, TXTAP_ERROR_SYSTEM, "standard input is closed\ngive FILE");
    failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", input->name, strerror(errno));
    input_close(input);
    return TXTAP_ERROR_SYSTEM;
}

enum txtap_status input_open(struct input *input, const char *const *paths, size_t count, struct error *error)
{
    *input = (struct input){.paths = paths, .count = count};
    return begin(input, error);
}

enum txtap_status input_next(struct input *input, struct error *error)
{
    if (input->count == 0)
        return TXTAP_END;
    input_close(input);
    return begin(input, error);
}

void input_close(struct input *input)
{
    if (input->owned && input->fd >= 0)
        close(input->fd);
    input->fd = -1;
}

ssize_t input_read(struct input *input, void *buffer, size_t length)
{
    size_t left = input->head_bytes - input->head_taken;

    if (left == 0)
        return read_some(input->fd, buffer, length);
    if (length > left)
        length = left;
    memcpy(buffer, input->head + input->head_taken, length);
    input->head_taken += length;
    return (ssize_t)length;
}

/* ---- whole files ---- */

#define FIRST_CAPACITY ((size_t)64 * 1024)
#define LARGE_BYTES    ((size_t)4 * 1024 * 1024)

/* Asks for pages of 2 MiB, because with small pages the page faults take noticeable time for a large file. Asks for the
 * whole mapping, because realloc() cannot move a mapping that has large pages only in a part. */
static void ask_for_large_pages(uint8_t *bytes, size_t capacity)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)bytes % page;

    if (capacity >= LARGE_BYTES)
        (void)madvise(bytes - before, (before + capacity + page - 1) / page * page, MADV_HUGEPAGE);
}

/* Makes the memory larger. `expected` is the file's probable size in bytes. */
static bool grow(uint8_t **bytes, size_t *capacity, size_t expected, size_t most)
{
    size_t wanted = *capacity > 0 ? *capacity * 2 : expected < FIRST_CAPACITY ? FIRST_CAPACITY : expected + 1;
    uint8_t *larger;

    if (wanted > most + 1) /* one more than allowed, to notice that the file is too large */
        wanted = most + 1;
    larger = realloc(*bytes, wanted);
    if (larger == NULL)
        return false;
    ask_for_large_pages(larger, wanted);
    *bytes = larger;
    *capacity = wanted;
    return true;
}

/* Reads to the end instead of to the size from fstat(), because a pipe has no size, and a file may grow. */
static enum txtap_status read_to_end(struct input *input, size_t most, const char *hint, uint8_t **bytes,
                                     size_t *length, struct error *error)
{
    const char *name = input->name;
    size_t capacity = 0, expected = 0;
    ssize_t got;
    struct stat about;

    if (fstat(input->fd, &about) == 0 && S_ISREG(about.st_mode))
        expected = (size_t)about.st_size;
    if (expected > most)
        *length = most + 1; /* fails without reading the file first */
    while (*length <= most) {
        if (*length == capacity && !grow(bytes, &capacity, expected, most))
            return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", name);
        got = input_read(input, *bytes + *length, capacity - *length);
        if (got < 0)
            return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", name, strerror(errno));
        if (got == 0)
            return TXTAP_OK;
        *length += (size_t)got;
    }
    return failure(error, TXTAP_ERROR_SPACE, "%.160s: larger than %zu MiB\n%s", name, most >> 20, hint);
}

enum txtap_status input_read_all(struct input *input, size_t most, const char *hint, uint8_t **bytes, size_t *length,
                                 struct error *error)
{
    enum txtap_status status;

    *bytes = NULL;
    *length = 0;
    status = read_to_end(input, most, hint, bytes, length, error);
    if (status != TXTAP_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

enum txtap_status input_read_file(const char *path, size_t most, const char *hint, uint8_t **bytes, size_t *length,
                                  struct error *error)
{
    struct input input = {.fd = open(path, O_RDONLY | O_CLOEXEC), .owned = true, .name = path};
    enum txtap_status status;

    *bytes = NULL;
    if (input.fd < 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", path, strerror(errno));
    status = input_read_all(&input, most, hint, bytes, length, error);
    input_close(&input);
    return status;
}
