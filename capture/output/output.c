/* SPDX-License-Identifier: MIT */
/* Writes to standard output or a file. A file that must be whole is written under another name, then renamed. Knows no
 * format. */
#include "output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"

#define OUTPUT_DIRECT_BYTES 8192 /* more bytes than this are not buffered */
#define LINKS_MAX           40   /* the limit of Linux for symbolic links */

/* Returns the descriptor of a standard file, by its usual names; -1: another file. */
static int standard_number(const char *path)
{
    if (!path || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    return strcmp(path, "/dev/stderr") == 0 ? STDERR_FILENO : -1;
}

bool output_is_standard(const char *path)
{
    return standard_number(path) == STDOUT_FILENO;
}

bool output_is_regular(int fd)
{
    struct stat about;

    return fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
}

bool output_is_special(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

int output_create(const char *path, bool overwrite)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    struct stat about;

    if (fd >= 0 || errno != EEXIST)
        return fd;
    if (!overwrite && stat(path, &about) == 0 && S_ISREG(about.st_mode)) {
        errno = EEXIST;
        return -1;
    }
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

enum txtap_status output_exists(const char *path, struct error *error)
{
    return failure(error, ERROR_EXISTS, "%.160s: file exists\nchoose another name or use --force", path);
}

static enum txtap_status cannot(struct error *error, const char *path)
{
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: cannot be written: %s\nchoose another file", path,
                   strerror(errno));
}

enum txtap_status output_open(struct output *output, const char *path, bool overwrite, struct error *error)
{
    bool owned = standard_number(path) < 0;

    output->used = 0;
    output->replaces_end = false;
    output->queue = NULL;
    output->fd = owned ? output_create(path, overwrite) : standard_number(path);
    output->name = output_is_standard(path) ? "standard output" : path;
    output->file = (struct output_file){.fd = output->fd, .owned = owned};
    if (output->fd < 0)
        return errno == EEXIST ? output_exists(path, error) : cannot(error, path);
    output->file.regular = output_is_regular(output->fd);
    return TXTAP_OK;
}

/* ---- writing ---- */

static void cut_off(int fd, size_t length)
{
    off_t end = lseek(fd, 0, SEEK_CUR);
    int error_number = errno;

    if (output_is_regular(fd) && end >= (off_t)length)
        (void)!ftruncate(fd, end - (off_t)length);
    errno = error_number;
}

/* Writes the bytes. After a failure, a regular file ends with its last whole line, or (binary) with the last piece that
 * was written at once. ending: number of bytes at the end that the next write replaces. */
static enum txtap_status write_lines(struct output_file *file, const char *bytes, size_t length, size_t ending)
{
    size_t done;
    const char *line_end;

    errno = file->error_number;
    if (file->error_number != 0)
        return file->error_number == EPIPE ? TXTAP_END : TXTAP_ERROR_SYSTEM;
    done = write_bytes(file->fd, bytes, length);
    line_end = memrchr(bytes, '\n', done);
    file->since_line = line_end != NULL ? (size_t)(bytes + done - line_end - 1) : file->since_line + done;
    if (done == length)
        return ending == 0 || lseek(file->fd, -(off_t)ending, SEEK_CUR) >= 0 ? TXTAP_OK : TXTAP_ERROR_SYSTEM;
    file->error_number = errno;
    if (errno == EPIPE)
        return TXTAP_END;
    cut_off(file->fd, file->binary ? done : file->since_line);
    return TXTAP_ERROR_SYSTEM;
}

static enum txtap_status write_all(int fd, const char *bytes, size_t length)
{
    return write_lines(&(struct output_file){.fd = fd}, bytes, length, 0);
}

/* ---- the queue ---- */

/* number: for WRITE, the number of bytes at the end that the next write replaces; for CHANGE the new file descriptor */
enum job_kind { JOB_WRITE, JOB_CHANGE };

static void change_file(struct output_file *file, int fd)
{
    if (file->owned)
        (void)close(file->fd);
    file->fd = fd;
    file->owned = true;
    file->since_line = 0;
    file->error_number = 0;
    file->regular = output_is_regular(fd);
}

static enum txtap_status work(void *self, const struct job *job, enum txtap_status earlier, struct error *error)
{
    struct output_file *file = self;
    enum txtap_status status = TXTAP_OK;

    (void)error; /* the caller reports the file's name */
    if (job->kind == JOB_CHANGE)
        change_file(file, (int)job->number);
    else if (earlier == TXTAP_OK)
        status = write_lines(file, job->bytes, job->length, (size_t)job->number);
    if (status != TXTAP_OK)
        file->error_number = errno;
    return status;
}

enum txtap_status output_start_queue(struct output *output, size_t capacity, struct error *error)
{
    enum txtap_status status =
        job_queue_start(&output->queue, capacity, work, &output->file, &output->file.regular, error);

    output->all_room = status == TXTAP_OK ? job_queue_room(output->queue) : 0;
    return status;
}

/* Puts a job into the queue. On failure errno has the cause. Once the queue reports a failure, the thread no longer
 * writes error_number. */
static enum txtap_status put(struct output *output, const struct job *job)
{
    enum txtap_status status = job_queue_put(output->queue, job, NULL);

    if (status != TXTAP_OK)
        errno = output->file.error_number;
    return status;
}

static enum txtap_status pass_on(struct output *output, const char *bytes, size_t length, size_t ending)
{
    enum txtap_status status;

    if (output->queue == NULL)
        return write_lines(&output->file, bytes, length, ending);
    status = job_queue_status(output->queue, NULL); /* reports an earlier failure even if there is nothing to write */
    if (status != TXTAP_OK)
        errno = output->file.error_number;
    for (size_t part; length > 0 && status == TXTAP_OK; bytes += part, length -= part) {
        part = length < OUTPUT_BUFFER_BYTES ? length : OUTPUT_BUFFER_BYTES; /* puts pieces of this size */
        status = put(output, &(struct job){JOB_WRITE, part == length ? ending : 0, bytes, part});
    }
    return status;
}

bool output_is_written(const struct output *output)
{
    return output->used == 0 && (output->queue == NULL || job_queue_room(output->queue) == output->all_room);
}

size_t output_room(const struct output *output)
{
    size_t room;

    if (output->queue == NULL)
        return SIZE_MAX;
    room = job_queue_room(output->queue);
    return room > output->used ? room - output->used : 0;
}

enum txtap_status output_reopen(struct output *output, struct error *error)
{
    enum txtap_status status = output_flush(output);
    int fd = open(output->name, O_WRONLY | O_CREAT | (output->replaces_end ? 0 : O_APPEND) | O_CLOEXEC, 0666);

    if (fd >= 0 && output->replaces_end)
        (void)lseek(fd, 0, SEEK_END);
    if (fd < 0)
        return failure(error, TXTAP_ERROR_SYSTEM, "%s: cannot be opened again: %s", output->name, strerror(errno));
    if (status == TXTAP_OK)
        status = put(output, &(struct job){JOB_CHANGE, (uint64_t)fd, NULL, 0});
    if (status != TXTAP_OK)
        (void)close(fd);
    return status;
}

enum txtap_status output_flush(struct output *output)
{
    enum txtap_status status = pass_on(output, output->buffer, output->used, 0);

    output->used = 0;
    return status;
}

enum txtap_status output_flush_before(struct output *output, const char *ending, size_t length)
{
    enum txtap_status status = TXTAP_OK;

    if (length > sizeof output->buffer - output->used)
        status = output_flush(output);
    if (status != TXTAP_OK || !output->file.regular)
        return status == TXTAP_OK ? output_flush(output) : status;
    memcpy(output->buffer + output->used, ending, length);
    status = pass_on(output, output->buffer, output->used + length, length);
    output->used = 0;
    return status;
}

static enum txtap_status write_text(void *self, const char *bytes, size_t length)
{
    struct output *output = self;
    enum txtap_status status = TXTAP_OK;

    if (length >= OUTPUT_DIRECT_BYTES) {
        status = output_flush(output);
        return status == TXTAP_OK ? pass_on(output, bytes, length, 0) : status;
    }
    if (length > sizeof output->buffer - output->used) /* never splits a packet or a line */
        status = output_flush(output);
    memcpy(output->buffer + output->used, bytes, length);
    output->used += length;
    return status;
}

struct txtap_writer output_writer(struct output *output)
{
    return (struct txtap_writer){write_text, output};
}

enum txtap_status output_close(struct output *output)
{
    enum txtap_status status = output_flush(output);
    struct output_file *file = &output->file;

    if (output->queue != NULL) {
        status = job_queue_finish(output->queue, NULL); /* returns the first failure */
        output->queue = NULL;
        if (status == ERROR_INTERRUPTED) /* the queue's thread still uses the file */
            return status;
        errno = file->error_number;
    }
    if (file->owned && close(file->fd) != 0 && status == TXTAP_OK)
        status = TXTAP_ERROR_SYSTEM;
    return status;
}

void output_discard(const struct output *output)
{
    struct stat about;

    if (output->file.owned && stat(output->name, &about) == 0 && S_ISREG(about.st_mode))
        unlink(output->name);
}

bool output_is_terminal(const struct output *output)
{
    return isatty(output->fd);
}

static unsigned columns_of(int fd)
{
    struct winsize size;
    int error_number = errno; /* keeps the cause of an earlier failed write */
    unsigned columns = ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;

    errno = error_number;
    return columns;
}

unsigned output_columns(const struct output *output)
{
    return columns_of(output->fd);
}

unsigned output_path_columns(const char *path)
{
    int fd = standard_number(path);

    return fd >= 0 ? columns_of(fd) : 0;
}

enum txtap_status output_check_new(const char *path, bool overwrite, struct error *error)
{
    struct stat about;
    bool taken = standard_number(path) < 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode);

    return taken && !overwrite ? output_exists(path, error) : TXTAP_OK;
}

static enum txtap_status write_special(const char *path, const void *bytes, size_t length, struct error *error)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    enum txtap_status status;

    if (fd < 0)
        return cannot(error, path);
    status = write_all(fd, bytes, length);
    if (status == TXTAP_ERROR_SYSTEM)
        cannot(error, path);
    close(fd);
    return status == TXTAP_END ? TXTAP_OK : status;
}

/* Finds the file at the end of the symbolic links of `path`, as open() would follow them. The file need not exist.
 * False: errno has the cause. */
static bool follow_links(const char *path, char file[static PATH_MAX])
{
    char target[PATH_MAX];
    size_t kept = 0; /* length of the folder's path in `file`, to which a relative link is appended */
    struct stat about;
    const char *next = path;

    /* stat() finds loops, and links that Linux does not follow. */
    if (stat(path, &about) != 0 && errno != ENOENT)
        return false;
    for (unsigned links = 0; links <= LINKS_MAX; links++) {
        ssize_t length;

        if ((size_t)snprintf(file + kept, PATH_MAX - kept, "%s", next) >= PATH_MAX - kept) {
            errno = ENAMETOOLONG;
            return false;
        }
        length = readlink(file, target, sizeof target - 1);
        if (length < 0)
            return errno == EINVAL || errno == ENOENT;
        target[length] = '\0';
        next = target;
        kept = *target == '/' || strrchr(file, '/') == NULL ? 0 : (size_t)(strrchr(file, '/') + 1 - file);
    }
    errno = ELOOP;
    return false;
}

/* Creates a file in the folder of the final file. -1: errno has the cause. */
static int open_temporary(const char *path, char temporary[static PATH_MAX])
{
    if (snprintf(temporary, PATH_MAX, "%s.XXXXXX", path) < PATH_MAX)
        return mkostemp(temporary, O_CLOEXEC);
    errno = ENAMETOOLONG;
    return -1;
}

bool output_can_be_whole_file(const char *path)
{
    char file[PATH_MAX], temporary[PATH_MAX];
    struct stat about;
    int fd;

    if (standard_number(path) >= 0)
        return true;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
        errno = EISDIR;
        return !S_ISDIR(about.st_mode);
    }
    fd = follow_links(path, file) ? open_temporary(file, temporary) : -1;
    if (fd < 0)
        return false;
    close(fd);
    unlink(temporary);
    return true;
}

/* Gives the file its final name. If another file has the name now, link() fails, while rename() would silently replace
 * that file. */
static enum txtap_status put_in_place(const char *temporary, const char *path, bool overwrite, struct error *error)
{
    if (overwrite)
        return rename(temporary, path) == 0 ? TXTAP_OK : cannot(error, path);
    if (link(temporary, path) == 0) {
        unlink(temporary);
        return TXTAP_OK;
    }
    if (errno == EEXIST)
        return output_exists(path, error);
    /* Some file systems have no hard links. */
    if ((errno == EPERM || errno == ENOTSUP) && access(path, F_OK) != 0 && rename(temporary, path) == 0)
        return TXTAP_OK;
    return cannot(error, path);
}

enum txtap_status output_whole_file(const char *path, const void *bytes, size_t length, bool overwrite,
                                    struct error *error)
{
    char file[PATH_MAX], temporary[PATH_MAX];
    enum txtap_status status;
    mode_t mask;
    int fd = standard_number(path);

    if (fd >= 0)
        return write_all(fd, bytes, length) == TXTAP_ERROR_SYSTEM
                   ? cannot(error, fd == STDOUT_FILENO ? "standard output" : "standard error")
                   : TXTAP_OK;
    if (output_is_special(path)) /* a device or a pipe is not replaced by a file, even if root runs txtap */
        return write_special(path, bytes, length, error);
    status = output_check_new(path, overwrite, error);
    if (status != TXTAP_OK)
        return status;
    fd = follow_links(path, file) ? open_temporary(file, temporary) : -1;
    if (fd < 0)
        return cannot(error, path);
    mask = umask(0);
    umask(mask);
    status = write_all(fd, bytes, length);
    if (status != TXTAP_OK || fchmod(fd, 0666 & ~mask) != 0 || fsync(fd) != 0) {
        status = cannot(error, path);
        close(fd);
    } else {
        status = close(fd) == 0 ? put_in_place(temporary, file, overwrite, error) : cannot(error, path);
    }
    if (status != TXTAP_OK)
        unlink(temporary);
    return status;
}
