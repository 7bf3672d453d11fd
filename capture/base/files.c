/* SPDX-License-Identifier: MIT */
/* Standard input, output and error. The caller of txtap may have closed any of them. */
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.h"
#include "base/runtime.h"
#include "txtap/inner/escape.h"

size_t write_bytes(int fd, const void *bytes, size_t length)
{
    size_t done = 0;

    while (done < length) {
        ssize_t written = write(fd, (const char *)bytes + done, length - done);

        if (written >= 0)
            done += (size_t)written;
        else if (errno != EINTR || stop_grace_left_us() == 0)
            break;
    }
    return done;
}

/* Opens a device for each closed standard file, so that no socket or file of txtap gets the number of a standard file.
 * Reading from a closed input and writing to a closed output still fail. Messages to a closed standard error are
 * lost. */
static bool fill(void)
{
    /* Opens input for writing and output for reading, so that using them fails. Opening /dev/stdout fails because of
     * /dev/full. */
    static const struct {
        const char *path;
        int mode;
    } devices[] = {
        [STDIN_FILENO] = {"/dev/null", O_WRONLY},
        [STDOUT_FILENO] = {"/dev/full", O_RDONLY},
        [STDERR_FILENO] = {"/dev/null", O_WRONLY},
    };

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        /* open() uses the lowest free number */
        if (fcntl(fd, F_GETFD) < 0 && open(devices[fd].path, devices[fd].mode) != fd)
            return false;
    return true;
}

/* ---- standard error ---- */

#define RUN_BYTES 128 /* unprintable bytes that are escaped at once */

static bool is_plain(char c)
{
    return (c >= ' ' && c <= '~') || c == '\n';
}

static bool write_error(const char *bytes, size_t length)
{
    return write_bytes(STDERR_FILENO, bytes, length) == length;
}

/* Copies printable text, and escapes all other bytes. A stream's write function. */
static ssize_t write_escaped(void *self, const char *bytes, size_t length)
{
    size_t at = 0;

    (void)self;
    while (at < length) {
        char run[RUN_BYTES + 1], escaped[TXTAP_ESCAPED_BYTES(RUN_BYTES)];
        size_t plain = 0, other = 0;

        while (at + plain < length && is_plain(bytes[at + plain]))
            plain++;
        if (!write_error(bytes + at, plain))
            return -1;
        for (at += plain; at < length && other < RUN_BYTES && !is_plain(bytes[at]); at++)
            run[other++] = bytes[at];
        run[other] = '\0';
        txtap_escape_terminal(escaped, sizeof escaped, run);
        if (!write_error(escaped, strlen(escaped)))
            return -1;
    }
    return (ssize_t)length;
}

/* Ensures that no control byte reaches standard error after this call: bytes that are not printable UTF-8 are shown as
 * \xNN. */
static void escape_error(void)
{
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_escaped});

    if (stream == NULL)
        return;
    setvbuf(stream, NULL, _IOLBF, BUFSIZ);
    stderr = stream;
}

/* ---- standard output ---- */

static enum txtap_status cannot(int cause, struct error *error)
{
    if (cause == EBADF)
        return failure(error, TXTAP_ERROR_SYSTEM, "standard output is closed: send it to a file, a pipe or /dev/null");
    return failure(error, TXTAP_ERROR_SYSTEM, "standard output: cannot be written: %s",
                   cause != 0 ? strerror(cause) : "some of it is missing");
}

enum txtap_status standard_output_check(struct error *error)
{
    int flags = fcntl(STDOUT_FILENO, F_GETFL);

    return flags < 0 || (flags & O_ACCMODE) == O_RDONLY ? cannot(EBADF, error) : TXTAP_OK;
}

enum txtap_status standard_output_flush(struct error *error)
{
    bool failed = ferror(stdout);
    int cause = 0;

    if (fflush(stdout) != 0) {
        failed = true;
        cause = errno;
    }
    clearerr(stdout);
    if (!failed)
        return TXTAP_OK;
    return cause == EPIPE ? TXTAP_END : cannot(cause, error);
}

static void flush_at_exit(void)
{
    struct error error;

    if (standard_output_flush(&error) >= TXTAP_OK)
        return;
    report_error(&error);
    fflush(stderr);
    _exit(EXIT_FAILED);
}

/* ---- the start ---- */

bool standard_files_begin(void)
{
    if (!fill())
        return false;
    escape_error();
    atexit(flush_at_exit);
    return true;
}

int make_directories(const char *path)
{
    char part[PATH_MAX];
    size_t length = strlen(path);
    struct stat about;

    errno = ENAMETOOLONG;
    if (length >= sizeof part)
        return -1;
    for (size_t at = 1; at <= length; at++) {
        if (path[at] != '/' && path[at] != '\0')
            continue;
        memcpy(part, path, at);
        part[at] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return -1;
    }
    errno = ENOTDIR;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode) ? 0 : -1;
}
