/* SPDX-License-Identifier: MIT */
/* Reads places as a stream of bytes, or whole. This module knows no format. */
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

#include "base/files.h"
#include "base/runtime.h"
#include "input/input_folder.h"
#include "input/input_nats.h"

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

/* ---- files, and standard input ---- */

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

static enum txtap_status file_open(struct input *input, const char *name, struct error *error)
{
    bool is_stdin = strcmp(name, "-") == 0;

    input->owned = !is_stdin;
    input->name = is_stdin ? "standard input" : name;
    input->fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    return input->fd >= 0 ? TXTAP_OK : say_not_opened(input, error);
}

static ssize_t file_read(struct input *input, void *buffer, size_t length, struct error *error)
{
    ssize_t got = read_some(input->fd, buffer, length);

    if (got < 0 && !input->owned && errno == EBADF)
        failure(error, TXTAP_ERROR_SYSTEM, "standard input is closed\ngive FILE");
    else if (got < 0)
        failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", input->name, strerror(errno));
    return got;
}

static void file_close(struct input *input)
{
    if (input->owned && input->fd >= 0)
        close(input->fd);
    input->fd = -1;
}

static const struct input_kind file_kind = {
    .prefix = NULL, .open = file_open, .read = file_read, .next = NULL, .close = file_close};

/* ---- kinds of places ---- */

/* The last row takes all names that no other row takes. */
static const struct input_kind *const kinds[] = {&nats_input_kind, &nats_input_tls_kind, &file_kind};

static const struct input_kind *kind_of(const char *name, bool live)
{
    struct stat about;
    size_t i = 0;

    if (live && stat(name, &about) == 0 && S_ISDIR(about.st_mode))
        return &input_folder;

    while (kinds[i]->prefix != NULL && strncmp(name, kinds[i]->prefix, strlen(kinds[i]->prefix)) != 0)
        i++;
    return kinds[i];
}

/* Reads the first bytes of the file. */
static enum txtap_status read_head(struct input *input, struct error *error)
{
    ssize_t got = 1;

    input->head_bytes = input->head_taken = 0;
    while (got > 0 && input->head_bytes < INPUT_HEAD_BYTES) {
        got = input->kind->read(input, input->head + input->head_bytes, INPUT_HEAD_BYTES - input->head_bytes, error);
        if (got > 0)
            input->head_bytes += (size_t)got;
    }
    if (got >= 0)
        return TXTAP_OK;
    input_close(input);
    return error->status;
}

/* Opens the next place, and reads the first bytes of its first file. */
static enum txtap_status begin(struct input *input, bool live, struct error *error)
{
    const char *name = *input->paths++;
    enum txtap_status status;

    input->count--;
    input->name = name;
    input->place = NULL;
    input->fd = -1;
    input->kind = kind_of(name, live);
    status = input->kind->open(input, name, error);
    if (status == TXTAP_OK)
        return read_head(input, error);
    input->kind = NULL;
    return status;
}

enum txtap_status input_open(struct input *input, const char *const *paths, size_t count, struct error *error)
{
    *input = (struct input){.paths = paths, .count = count};
    return begin(input, false, error);
}

enum txtap_status input_open_live(struct input *input, const char *const *path, const struct input_wait *wait,
                                  struct error *error)
{
    *input = (struct input){.paths = path, .count = 1, .wait = *wait};
    return begin(input, true, error);
}

bool input_idle(const struct input *input)
{
    return !stop_requested() && (input->wait.idle == NULL || input->wait.idle(input->wait.self));
}

enum txtap_status input_next(struct input *input, struct error *error)
{
    enum txtap_status status = input->kind->next != NULL ? input->kind->next(input, error) : TXTAP_END;

    if (status == TXTAP_OK)
        return read_head(input, error);
    if (status != TXTAP_END || input->count == 0)
        return status;
    input_close(input);
    return begin(input, false, error);
}

void input_close(struct input *input)
{
    if (input->kind != NULL)
        input->kind->close(input);
    input->kind = NULL;
    free(input->ahead.bytes);
    input->ahead.bytes = NULL;
    input->ahead.at = input->ahead.used = input->ahead.capacity = 0;
}

static size_t take(uint8_t *buffer, size_t length, const uint8_t *bytes, size_t *at, size_t end)
{
    if (length > end - *at)
        length = end - *at;
    memcpy(buffer, bytes + *at, length);
    *at += length;
    return length;
}

/* Keeps bytes that were read from the place. Returns false if there is no memory. */
static bool keep_ahead(struct input *input, const uint8_t *bytes, size_t length)
{
    size_t capacity = 2 * (input->ahead.used + length);

    if (input->ahead.capacity - input->ahead.used < length) {
        uint8_t *larger = realloc(input->ahead.bytes, capacity);

        if (larger == NULL)
            return false;
        input->ahead.bytes = larger;
        input->ahead.capacity = capacity;
    }
    memcpy(input->ahead.bytes + input->ahead.used, bytes, length);
    input->ahead.at = input->ahead.used += length;
    return true;
}

ssize_t input_read(struct input *input, void *buffer, size_t length, struct error *error)
{
    ssize_t got;

    if (input->head_taken < input->head_bytes)
        return (ssize_t)take(buffer, length, input->head, &input->head_taken, input->head_bytes);
    if (input->ahead.at < input->ahead.used)
        return (ssize_t)take(buffer, length, input->ahead.bytes, &input->ahead.at, input->ahead.used);
    got = input->kind->read(input, buffer, length, error);
    if (got > 0 && input->ahead.keeps && !keep_ahead(input, buffer, (size_t)got)) {
        failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", input->name);
        return -1;
    }
    return got;
}

void input_keep_ahead(struct input *input)
{
    input->ahead.used -= input->ahead.at;
    if (input->ahead.used > 0)
        memmove(input->ahead.bytes, input->ahead.bytes + input->ahead.at, input->ahead.used);
    input->ahead.at = 0;
    input->ahead.head_taken = input->head_taken;
    input->ahead.keeps = true;
}

void input_rewind(struct input *input)
{
    input->ahead.at = 0;
    input->head_taken = input->ahead.head_taken;
    input->ahead.keeps = false;
}

/* ---- standard input, twice ---- */

#define COPY_BYTES 65536u

/* Copies standard input to the file. Reading ends at the end of the input, or when the user asks txtap to end. */
static enum txtap_status copy_stdin(int fd, struct error *error)
{
    char bytes[COPY_BYTES];
    ssize_t got;

    while ((got = read_some(STDIN_FILENO, bytes, sizeof bytes)) > 0)
        if (write_bytes(fd, bytes, (size_t)got) < (size_t)got)
            return failure(error, TXTAP_ERROR_SYSTEM, "no room for a copy of standard input: %s\nsave it in a file",
                           strerror(errno));
    return got == 0 ? TXTAP_OK : failure(error, TXTAP_ERROR_SYSTEM, "standard input: %s", strerror(errno));
}

enum txtap_status input_keep(off_t *place, struct error *error)
{
    enum txtap_status status;
    struct stat about;
    FILE *file;

    *place = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (*place >= 0 && fstat(STDIN_FILENO, &about) == 0 && S_ISREG(about.st_mode))
        return TXTAP_OK;
    *place = 0;
    file = tmpfile();
    if (file == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no file for a copy of standard input: %s\nsave it in a file",
                       strerror(errno));
    status = copy_stdin(fileno(file), error);
    if (status == TXTAP_OK && dup2(fileno(file), STDIN_FILENO) < 0)
        status = failure(error, TXTAP_ERROR_SYSTEM, "standard input: %s", strerror(errno));
    fclose(file);
    return status == TXTAP_OK ? input_restart(0, error) : status;
}

enum txtap_status input_restart(off_t place, struct error *error)
{
    if (lseek(STDIN_FILENO, place, SEEK_SET) == place)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_SYSTEM, "standard input cannot be read again: %s", strerror(errno));
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
        got = input_read(input, *bytes + *length, capacity - *length, error);
        if (got < 0)
            return error->status;
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
    struct input input = {.kind = &file_kind, .fd = open(path, O_RDONLY | O_CLOEXEC), .owned = true, .name = path};
    enum txtap_status status;

    *bytes = NULL;
    if (input.fd < 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s", path, strerror(errno));
    status = input_read_all(&input, most, hint, bytes, length, error);
    input_close(&input);
    return status;
}
