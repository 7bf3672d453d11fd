/* SPDX-License-Identifier: MIT */
/* Makes whole blocks, and gives them to a job queue's thread. Chooses the names of files. */
#include "record/block_file.h"

#include <stdio.h>
#include <string.h>

#include "txtap/inner/recording.h"

#define WRITEBACK_ROOM_BYTES 4096 /* with less room in the queue, the disk is already busy */

/* ---- jobs for the disk ---- */

static enum txtap_status give(struct block_file *file, const struct job *job, struct error *error)
{
    return file->queue ? job_queue_put(file->queue, job, error) : block_disk_work(&file->disk, job, TXTAP_OK, error);
}

void block_file_init(struct block_file *file)
{
    memset(file, 0, sizeof *file);
    block_disk_init(&file->disk);
}

enum txtap_status block_file_open(struct block_file *file, const char *path, bool overwrite, struct error *error)
{
    enum txtap_status status = give(file, &(struct job){BLOCK_DISK_OPEN, overwrite, path, strlen(path) + 1}, error);

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
    return job_queue_start(&file->queue, capacity, block_disk_work, &file->disk, &file->disk.regular, error);
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
    const struct job job = {BLOCK_DISK_WRITE, file->waiting_events, (const char *)file->out, file->waiting};
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
        (void)give(file, &(struct job){BLOCK_DISK_WRITEBACK, 0, NULL, 0}, NULL);
}

enum txtap_status block_file_close(struct block_file *file, bool settle, struct error *error)
{
    enum txtap_status status, closed;

    if (!file->open)
        return TXTAP_OK;
    file->open = false;
    status = block_file_flush(file, error);
    closed = give(file, &(struct job){BLOCK_DISK_CLOSE, settle, NULL, 0}, status == TXTAP_OK ? error : NULL);
    return status == TXTAP_OK ? closed : status;
}

enum txtap_status block_file_finish(struct block_file *file, struct error *error)
{
    enum txtap_status status = file->queue ? job_queue_finish(file->queue, error) : TXTAP_OK;

    file->queue = NULL;
    file->open = false;
    if (status != ERROR_INTERRUPTED) /* if interrupted, the thread still uses the file */
        block_disk_end(&file->disk);
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

    if (rotation->fixed)
        return snprintf(rotation->name, sizeof rotation->name, "%s", rotation->path) < (int)sizeof rotation->name
                   ? TXTAP_OK
                   : TXTAP_ERROR_USAGE;
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
