/* SPDX-License-Identifier: MIT */
#include "record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum txtap_status cannot(const struct record_file *file, const char *path, char error[static ERROR_TEXT_BYTES])
{
    const char *whole = file->bytes > 0 ? "what was written before is whole" : "choose another file with -o";

    return failure(error, TXTAP_ERROR_SYSTEM, "%.140s: cannot be written: %s: %s", path, strerror(errno), whole);
}

/* Never a file in place of a device or a pipe; never a file that was there before, unless it may be. */
static int open_path(const char *path, bool overwrite)
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

enum txtap_status record_file_open(struct record_file *file, const char *path, bool overwrite,
                                   char error[static ERROR_TEXT_BYTES])
{
    struct stat about;

    file->bytes = file->bytes_asked = 0;
    file->blocks = 0;
    file->owned = strcmp(path, "-") != 0;
    file->fd = file->owned ? open_path(path, overwrite) : STDOUT_FILENO;
    snprintf(file->name, sizeof file->name, "%s", file->owned ? path : "standard output");
    if (file->fd < 0 && errno == EEXIST)
        return failure(error, TXTAP_ERROR_EXISTS,
                       "%.140s: is there already and was not touched: give another name or --force", path);
    if (file->fd < 0)
        return cannot(file, path, error);
    file->regular = file->owned && fstat(file->fd, &about) == 0 && S_ISREG(about.st_mode);
    file->files++;
    txtap_recording_put_head(file->out);
    file->waiting = TXTAP_RECORDING_HEAD_BYTES;
    return TXTAP_OK;
}

enum txtap_status record_file_flush(struct record_file *file, char error[static ERROR_TEXT_BYTES])
{
    size_t done = 0;

    while (done < file->waiting) {
        ssize_t written = write(file->fd, file->out + done, file->waiting - done);

        if (written >= 0) {
            done += (size_t)written;
        } else if (errno != EINTR) {
            enum txtap_status status = errno == EPIPE ? TXTAP_END : cannot(file, file->name, error);

            /* If this fails too, a reader still stops at the last whole block. */
            if (file->regular && ftruncate(file->fd, (off_t)file->bytes) != 0)
                errno = 0;
            file->waiting = 0;
            return status;
        }
    }
    file->bytes += done;
    file->total_bytes += done;
    file->waiting = 0;
    return TXTAP_OK;
}

enum txtap_status record_file_add(struct record_file *file, const struct txtap_recording_block *block, bool hold,
                                  char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = TXTAP_OK;

    if (file->waiting + TXTAP_RECORDING_BLOCK_BYTES + block->stored_bytes > sizeof file->out)
        status = record_file_flush(file, error);
    if (status != TXTAP_OK)
        return status;
    txtap_recording_seal(file->out + file->waiting, block, file->blocks++);
    memcpy(file->out + file->waiting + TXTAP_RECORDING_BLOCK_BYTES, block->stored, block->stored_bytes);
    file->waiting += TXTAP_RECORDING_BLOCK_BYTES + block->stored_bytes;
    return hold ? TXTAP_OK : record_file_flush(file, error);
}

/* fdatasync() would wait for the disk while the target's ring fills. */
void record_file_ask(struct record_file *file)
{
    if (file->regular && file->bytes > file->bytes_asked)
        (void)sync_file_range(file->fd, (off_t)file->bytes_asked, 0, SYNC_FILE_RANGE_WRITE);
    file->bytes_asked = file->bytes;
}

enum txtap_status record_file_close(struct record_file *file, bool settle, char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = TXTAP_OK;
    int fd = file->fd;

    if (fd < 0)
        return TXTAP_OK;
    if (file->waiting > 0)
        status = record_file_flush(file, error);
    if (!settle)
        record_file_ask(file);
    file->fd = -1;
    if (settle && file->regular && fdatasync(fd) != 0 && status == TXTAP_OK)
        status = cannot(file, file->name, error);
    if (file->owned && close(fd) != 0 && status == TXTAP_OK)
        status = cannot(file, file->name, error);
    return status;
}
