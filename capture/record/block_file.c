/* SPDX-License-Identifier: MIT */
/* Writes files of whole blocks in a job queue's thread. Cuts off an incomplete block after a failed write. */
#include "record/block_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/runtime.h"
#include "output/output.h"
#include "txtap/inner/recording.h"

#define WRITEBACK_ROOM_BYTES 4096 /* with less room in the queue, the disk is already busy */

enum kind {
    KIND_OPEN,  /* bytes: the path and its NUL; number: overwrite */
    KIND_WRITE, /* bytes: whole blocks; number: events in them */
    KIND_WRITEBACK,
    KIND_CLOSE, /* number: settle */
};

/* ---- writing to the disk ---- */

static enum txtap_status cannot(const struct block_disk *disk, const char *path, struct error *error)
{
    const char *whole = disk->bytes > 0 ? "what was written before is whole" : "choose another file with -o";

    return failure(error, TXTAP_ERROR_SYSTEM, "%.140s: cannot be written: %s: %s", path, strerror(errno), whole);
}

static enum txtap_status disk_open(struct block_disk *disk, const char *path, bool overwrite, struct error *error)
{
    disk->bytes = disk->bytes_sent = 0;
    disk->owned = !output_is_standard(path);
    disk->regular = disk->owned ? !output_is_special(path) : output_is_regular(STDOUT_FILENO); /* open() may wait too */
    disk->fd = disk->owned ? output_create(path, overwrite) : STDOUT_FILENO;
    snprintf(disk->name, sizeof disk->name, "%s", disk->owned ? path : "standard output");
    if (disk->fd < 0 && errno == EEXIST)
        return output_exists(path, error);
    if (disk->fd < 0)
        return cannot(disk, path, error);
    disk->files++;
    return TXTAP_OK;
}

static enum txtap_status disk_write(struct block_disk *disk, const struct job *job, struct error *error)
{
    if (write_bytes(disk->fd, job->bytes, job->length) < job->length) {
        enum txtap_status status = errno == EPIPE ? TXTAP_END : cannot(disk, disk->name, error);

        /* If ftruncate() fails, too, the incomplete block stays, but readers stop before it. */
        if (disk->owned && disk->regular && ftruncate(disk->fd, (off_t)disk->bytes) != 0)
            errno = 0;
        return status;
    }
    disk->bytes += job->length;
    disk->total_bytes += job->length;
    disk->events += job->number;
    return TXTAP_OK;
}

/* Asks Linux to begin writing to the disk. fdatasync() would wait for the disk. Without a queue, nobody would read the
 * target's ring during this wait. */
static void disk_start_writeback(struct block_disk *disk)
{
    if (disk->regular && disk->bytes > disk->bytes_sent)
        (void)sync_file_range(disk->fd, (off_t)disk->bytes_sent, 0, SYNC_FILE_RANGE_WRITE);
    disk->bytes_sent = disk->bytes;
}

/* Closes the file. After Ctrl-C, does not wait for a busy disk, because Linux has the data and will write it. */
static enum txtap_status disk_close(struct block_disk *disk, bool settle, struct error *error)
{
    enum txtap_status status = TXTAP_OK;
    bool waits = settle && !stop_requested();
    int fd = disk->fd;

    if (!waits)
        disk_start_writeback(disk);
    disk->fd = -1;
    if (waits && disk->regular && fdatasync(fd) != 0)
        status = cannot(disk, disk->name, error);
    if (disk->owned && close(fd) != 0 && status == TXTAP_OK)
        status = cannot(disk, disk->name, error);
    return status;
}

static enum txtap_status work(void *self, const struct job *job, enum txtap_status earlier, struct error *error)
{
    struct block_disk *disk = self;

    if (earlier != TXTAP_OK) /* block_file_finish() closes the open file */
        return earlier;
    switch ((enum kind)job->kind) {
    case KIND_OPEN:
        return disk_open(disk, job->bytes, job->number != 0, error);
    case KIND_WRITE:
        return disk_write(disk, job, error);
    case KIND_WRITEBACK:
        disk_start_writeback(disk);
        break;
    case KIND_CLOSE:
        return disk_close(disk, job->number != 0, error);
    }
    return TXTAP_OK;
}

/* ---- jobs for the disk ---- */

static enum txtap_status give(struct block_file *file, const struct job *job, struct error *error)
{
    return file->queue ? job_queue_put(file->queue, job, error) : work(&file->disk, job, TXTAP_OK, error);
}

void block_file_init(struct block_file *file)
{
    memset(file, 0, sizeof *file);
    file->disk.fd = -1;
}

enum txtap_status block_file_open(struct block_file *file, const char *path, bool overwrite, struct error *error)
{
    enum txtap_status status = give(file, &(struct job){KIND_OPEN, overwrite, path, strlen(path) + 1}, error);

    file->bytes = 0;
    file->blocks = 0;
    file->open = status == TXTAP_OK;
    if (status != TXTAP_OK)
        return status;
    txtap_recording_put_head(file->out, TXTAP_RECORDING_VERSION);
    file->waiting = TXTAP_RECORDING_HEAD_BYTES;
    return TXTAP_OK;
}

enum txtap_status block_file_start_queue(struct block_file *file, size_t capacity, struct error *error)
{
    return job_queue_start(&file->queue, capacity, work, &file->disk, &file->disk.regular, error);
}

size_t block_file_room(const struct block_file *file)
{
    return file->queue ? job_queue_room(file->queue) : SIZE_MAX;
}

enum txtap_status block_file_status(const struct block_file *file, struct error *error)
{
    return file->queue ? job_queue_status(file->queue, error) : TXTAP_OK;
}

enum txtap_status block_file_flush(struct block_file *file, struct error *error)
{
    const struct job job = {KIND_WRITE, file->waiting_events, (const char *)file->out, file->waiting};
    enum txtap_status status = file->waiting > 0 ? give(file, &job, error) : TXTAP_OK;

    if (status == TXTAP_OK)
        file->bytes += file->waiting;
    file->waiting = 0;
    file->waiting_events = 0;
    return status;
}

enum txtap_status block_file_add(struct block_file *file, const struct txtap_recording_block *block, uint32_t events,
                                 bool hold, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    if (file->waiting + TXTAP_RECORDING_BLOCK_BYTES + block->stored_bytes > sizeof file->out)
        status = block_file_flush(file, error);
    if (status != TXTAP_OK)
        return status;
    txtap_recording_seal(file->out + file->waiting, block, file->blocks++);
    memcpy(file->out + file->waiting + TXTAP_RECORDING_BLOCK_BYTES, block->stored, block->stored_bytes);
    file->waiting += TXTAP_RECORDING_BLOCK_BYTES + block->stored_bytes;
    file->waiting_events += events;
    return hold ? TXTAP_OK : block_file_flush(file, error);
}

void block_file_start_writeback(struct block_file *file)
{
    /* Ignores the status: this job cannot fail, and the next call reports any earlier failure. */
    if (file->open && block_file_room(file) >= WRITEBACK_ROOM_BYTES)
        (void)give(file, &(struct job){KIND_WRITEBACK, 0, NULL, 0}, NULL);
}

enum txtap_status block_file_close(struct block_file *file, bool settle, struct error *error)
{
    enum txtap_status status, closed;

    if (!file->open)
        return TXTAP_OK;
    file->open = false;
    status = block_file_flush(file, error);
    closed = give(file, &(struct job){KIND_CLOSE, settle, NULL, 0}, status == TXTAP_OK ? error : NULL);
    return status == TXTAP_OK ? closed : status;
}

enum txtap_status block_file_finish(struct block_file *file, struct error *error)
{
    enum txtap_status status = file->queue ? job_queue_finish(file->queue, error) : TXTAP_OK;

    file->queue = NULL;
    file->open = false;
    if (status != ERROR_INTERRUPTED && file->disk.fd >= 0) /* if interrupted, the thread still uses the file */
        (void)disk_close(&file->disk, false, NULL);
    return status;
}

/* ---- rotation ---- */

/* Returns the number of digits of the largest file number. With this width, the names sort in numerical order, as with
 * tcpdump. Returns 0 if there is one file, or no limit (count 0). */
static int digits(uint32_t count)
{
    int digits = 0;

    for (uint32_t last = count > 0 ? count - 1 : 0; last > 0; last /= 10)
        digits++;
    return digits;
}

static enum txtap_status make_name(struct rotation *rotation)
{
    char path[PATH_MAX];
    struct tm when;
    int length, width = rotation->file_bytes > 0 ? digits(rotation->file_count) : 0;

    if (rotation->file_us > 0) {
        if (!localtime_r(&rotation->begun_unix, &when) || strftime(path, sizeof path, rotation->path, &when) == 0)
            return TXTAP_ERROR_USAGE;
    } else if (snprintf(path, sizeof path, "%s", rotation->path) >= (int)sizeof path) {
        return TXTAP_ERROR_USAGE;
    }
    if (rotation->part == 0 && width == 0)
        length = snprintf(rotation->name, sizeof rotation->name, "%s", path);
    else
        length = snprintf(rotation->name, sizeof rotation->name, "%s%0*u", path, width, rotation->part);
    return length < (int)sizeof rotation->name ? TXTAP_OK : TXTAP_ERROR_USAGE;
}

enum txtap_status rotation_begin(struct rotation *rotation, uint64_t now_us, uint64_t unix_us)
{
    rotation->begun_us = now_us;
    rotation->begun_unix = (time_t)(unix_us / 1000000);
    rotation->part = rotation->times = 0;
    return make_name(rotation);
}

bool rotation_is_full(const struct rotation *rotation, uint64_t bytes)
{
    return rotation->file_bytes > 0 && bytes > rotation->file_bytes;
}

enum txtap_status rotation_next_part(struct rotation *rotation)
{
    rotation->part++;
    /* Part numbers wrap only without -G. With -G, the number of files only sets the number of digits in the names. */
    if (rotation->file_count > 0 && rotation->file_us == 0 && rotation->part >= rotation->file_count)
        rotation->part = 0;
    return make_name(rotation);
}

bool rotation_is_due(const struct rotation *rotation, uint64_t now_us)
{
    return rotation->file_us > 0 && now_us - rotation->begun_us >= rotation->file_us;
}

enum txtap_status rotation_next_time(struct rotation *rotation, uint64_t now_us, uint64_t unix_us)
{
    rotation->times++;
    if (rotation->file_bytes == 0 && rotation->file_count > 0 && rotation->times >= rotation->file_count)
        return TXTAP_END;
    rotation->begun_us += rotation->file_us; /* not now_us, because delays of these calls would add up */
    if (rotation_is_due(rotation, now_us))
        rotation->begun_us = now_us;
    /* The name contains the start of the period. The time of this call might give the preceding file's name again. */
    rotation->begun_unix = (time_t)((unix_us - (now_us - rotation->begun_us)) / 1000000);
    rotation->part = 0;
    return make_name(rotation);
}
