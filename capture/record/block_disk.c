/* SPDX-License-Identifier: MIT */
/* Writes files. Cuts off an incomplete block after a failed write. */
#include "record/block_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/runtime.h"
#include "output/output.h"
#include "record/block_disk_nats.h"

/* ---- files, pipes and devices ---- */

static enum txtap_status cannot(const struct block_disk *disk, const char *path, struct error *error)
{
    const char *whole = disk->bytes > 0 ? "what was written before is whole" : "choose another file with -o";

    return failure(error, TXTAP_ERROR_SYSTEM, "%.140s: cannot be written: %s: %s", path, strerror(errno), whole);
}

#define NUMBERS_MAX 10000

/* Creates a new file, and writes its path to disk->name. Adds a number to the path if it exists. -1: errno has the
 * cause. */
static int create_numbered(struct block_disk *disk, const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash != NULL ? slash : path, '.');
    int stem = (int)(dot != NULL ? (size_t)(dot - path) : strlen(path)), fd = -1;

    for (unsigned number = 1; fd < 0 && number < NUMBERS_MAX; number++) {
        int length = number == 1
                         ? snprintf(disk->name, sizeof disk->name, "%s", path)
                         : snprintf(disk->name, sizeof disk->name, "%.*s-%u%s", stem, path, number, path + stem);

        errno = ENAMETOOLONG;
        if (length >= (int)sizeof disk->name)
            return -1;
        fd = output_create(disk->name, false);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    return fd;
}

static bool is_named(int fd)
{
    struct stat about;

    return fstat(fd, &about) == 0 && about.st_nlink > 0;
}

/* "-" is standard output. A device or a pipe is opened without creating it. */
static enum txtap_status file_open(struct block_disk *disk, const char *path, bool overwrite, struct error *error)
{
    disk->owned = !output_is_standard(path);
    disk->regular = disk->owned ? !output_is_special(path) : output_is_regular(STDOUT_FILENO); /* open() may wait too */
    snprintf(disk->name, sizeof disk->name, "%s", disk->owned ? path : "standard output");
    disk->fd = !disk->owned          ? STDOUT_FILENO
               : disk->numbers_names ? create_numbered(disk, path)
                                     : output_create(path, overwrite);
    if (disk->fd < 0 && errno == EEXIST)
        return output_exists(path, error);
    if (disk->fd < 0)
        return cannot(disk, path, error);
    disk->named = disk->owned && disk->regular && is_named(disk->fd);
    pthread_mutex_lock(&disk->lock);
    snprintf(disk->asked, sizeof disk->asked, "%s", disk->numbers_names ? path : "");
    memcpy(disk->given, disk->name, sizeof disk->given);
    pthread_mutex_unlock(&disk->lock);
    return TXTAP_OK;
}

static enum txtap_status file_write(struct block_disk *disk, const char *bytes, size_t length, struct error *error)
{
    enum txtap_status status;

    if (disk->named && !is_named(disk->fd))
        return failure(error, TXTAP_ERROR_SYSTEM, "%.140s: it was removed while it was written\nrecord again",
                       disk->name);
    if (write_bytes(disk->fd, bytes, length) == length)
        return TXTAP_OK;
    status = errno == EPIPE ? TXTAP_END : cannot(disk, disk->name, error);
    /* If ftruncate() fails, too, the incomplete block stays, but readers stop before it. */
    if (disk->owned && disk->regular && ftruncate(disk->fd, (off_t)disk->bytes) != 0)
        errno = 0;
    return status;
}

/* Asks Linux to begin writing to the disk. fdatasync() would wait for the disk. Without a queue, nobody would read the
 * target's ring during this wait. */
static void file_start_writeback(struct block_disk *disk)
{
    if (disk->regular && disk->bytes > disk->bytes_sent)
        (void)sync_file_range(disk->fd, (off_t)disk->bytes_sent, 0, SYNC_FILE_RANGE_WRITE);
    disk->bytes_sent = disk->bytes;
}

/* After Ctrl-C, does not wait for a busy disk, because Linux has the data and will write it. */
static enum txtap_status file_close(struct block_disk *disk, bool settle, struct error *error)
{
    enum txtap_status status = TXTAP_OK;
    bool waits = settle && !stop_requested();
    int fd = disk->fd;

    if (!waits)
        file_start_writeback(disk);
    disk->fd = -1;
    if (waits && disk->regular && fdatasync(fd) != 0)
        status = cannot(disk, disk->name, error);
    if (disk->owned && close(fd) != 0 && status == TXTAP_OK)
        status = cannot(disk, disk->name, error);
    return status;
}

static const struct block_disk_kind file_kind = {.prefix = NULL,
                                                 .open = file_open,
                                                 .write = file_write,
                                                 .start_writeback = file_start_writeback,
                                                 .close = file_close};

/* ---- kinds of places ---- */

/* The last row takes all paths that no other row takes. */
static const struct block_disk_kind *const kinds[] = {&nats_disk_kind, &nats_disk_tls_kind, &file_kind};

static const struct block_disk_kind *kind_of(const char *path)
{
    size_t i = 0;

    while (kinds[i]->prefix != NULL && strncmp(path, kinds[i]->prefix, strlen(kinds[i]->prefix)) != 0)
        i++;
    return kinds[i];
}

bool block_disk_has_prefix(const char *path)
{
    return kind_of(path)->prefix != NULL;
}

/* ---- jobs ---- */

void block_disk_init(struct block_disk *disk)
{
    memset(disk, 0, sizeof *disk);
    pthread_mutex_init(&disk->lock, NULL);
    disk->fd = -1;
}

void block_disk_learn_name(struct block_disk *disk, char path[static PATH_MAX])
{
    pthread_mutex_lock(&disk->lock);
    if (strcmp(path, disk->asked) == 0)
        memcpy(path, disk->given, sizeof disk->given);
    pthread_mutex_unlock(&disk->lock);
}

static enum txtap_status open_next(struct block_disk *disk, const char *path, bool overwrite, struct error *error)
{
    const struct block_disk_kind *kind = kind_of(path);
    enum txtap_status status;

    disk->bytes = disk->bytes_sent = 0;
    disk->kind = kind;
    status = kind->open(disk, path, overwrite, error);
    if (status != TXTAP_OK)
        return status;
    disk->is_open = true;
    disk->files++;
    return TXTAP_OK;
}

static enum txtap_status write_blocks(struct block_disk *disk, const struct job *job, struct error *error)
{
    enum txtap_status status = disk->kind->write(disk, job->bytes, job->length, error);

    if (status != TXTAP_OK)
        return status;
    disk->bytes += job->length;
    disk->total_bytes += job->length;
    disk->events += job->number;
    return TXTAP_OK;
}

static enum txtap_status close_file(struct block_disk *disk, bool settle, struct error *error)
{
    disk->is_open = false;
    return disk->kind->close(disk, settle, error);
}

enum txtap_status block_disk_work(void *self, const struct job *job, enum txtap_status earlier, struct error *error)
{
    struct block_disk *disk = self;

    if (earlier != TXTAP_OK) /* block_disk_end() closes the open file */
        return earlier;
    switch ((enum block_disk_job)job->kind) {
    case BLOCK_DISK_OPEN:
        return open_next(disk, job->bytes, job->number != 0, error);
    case BLOCK_DISK_WRITE:
        return write_blocks(disk, job, error);
    case BLOCK_DISK_WRITEBACK:
        disk->kind->start_writeback(disk);
        break;
    case BLOCK_DISK_CLOSE:
        return close_file(disk, job->number != 0, error);
    }
    return TXTAP_OK;
}

void block_disk_end(struct block_disk *disk)
{
    if (disk->is_open)
        (void)close_file(disk, false, NULL);
    if (disk->kind != NULL && disk->kind->end != NULL)
        disk->kind->end(disk);
    disk->kind = NULL;
}
