/* SPDX-License-Identifier: MIT */
/* Appends messages to a file, and frees its beginning by holes. */
#include "nats/spool.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "txtap/inner/crc32.h"
#include "nats/message.h"

#define FREE_BYTES (UINT64_C(1) << 20) /* stored messages are freed in amounts of this size */

static const char magic[] = "TXSPOOL1";

static void put_u32(uint8_t *at, uint32_t value)
{
    value = htole32(value);
    memcpy(at, &value, sizeof value);
}

static void put_u64(uint8_t *at, uint64_t value)
{
    value = htole64(value);
    memcpy(at, &value, sizeof value);
}

static uint32_t get_u32(const uint8_t *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof value);
    return le32toh(value);
}

static uint64_t get_u64(const uint8_t *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
    return le64toh(value);
}

static bool write_at(int fd, const void *bytes, size_t length, uint64_t offset)
{
    for (size_t done = 0; done < length;) {
        ssize_t got = pwrite(fd, (const char *)bytes + done, length - done, (off_t)(offset + done));

        if (got < 0 && errno != EINTR)
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool read_at(int fd, void *bytes, size_t length, uint64_t offset)
{
    for (size_t done = 0; done < length;) {
        ssize_t got = pread(fd, (char *)bytes + done, length - done, (off_t)(offset + done));

        if (got == 0)
            errno = EIO;
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* ---- head ---- */

static bool write_head(const struct spool *spool)
{
    uint8_t head[SPOOL_HEAD_BYTES];

    memcpy(head, magic, 8);
    put_u64(head + 8, spool->session);
    put_u64(head + 16, spool->base);
    put_u64(head + 24, spool->based);
    put_u64(head + 32, spool->first);
    put_u64(head + 40, spool->oldest);
    put_u32(head + 48, txtap_crc32(0, head, 48));
    return write_at(spool->fd, head, sizeof head, 0);
}

static bool read_head(struct spool *spool)
{
    uint8_t head[SPOOL_HEAD_BYTES];

    if (!read_at(spool->fd, head, sizeof head, 0) || memcmp(head, magic, 8) != 0 ||
        txtap_crc32(0, head, 48) != get_u32(head + 48))
        return false;
    spool->session = get_u64(head + 8);
    spool->base = get_u64(head + 16);
    spool->based = get_u64(head + 24) != 0;
    spool->first = get_u64(head + 32);
    spool->oldest = get_u64(head + 40);
    return spool->first >= SPOOL_HEAD_BYTES && spool->first <= INT64_MAX;
}

/* Makes the file empty. */
static bool empty(struct spool *spool)
{
    spool->first = spool->end = spool->freed = SPOOL_HEAD_BYTES;
    spool->oldest = spool->next;
    return write_head(spool) && ftruncate(spool->fd, SPOOL_HEAD_BYTES) == 0;
}

/* ---- messages ---- */

bool spool_read(const struct spool *spool, uint64_t offset, struct spool_message *message, uint8_t **bytes)
{
    uint8_t head[SPOOL_MESSAGE_BYTES];
    uint32_t length;

    *bytes = NULL;
    if (!read_at(spool->fd, head, sizeof head, offset))
        return false;
    length = get_u32(head + 8);
    errno = EBADMSG;
    if (length == 0 || length > NATS_MESSAGE_BYTES || (*bytes = malloc(length)) == NULL)
        return false;
    if (read_at(spool->fd, *bytes, length, offset + sizeof head) &&
        txtap_crc32(txtap_crc32(0, head, 16), *bytes, length) == get_u32(head + 16)) {
        *message =
            (struct spool_message){get_u64(head), offset + sizeof head + length, length, get_u32(head + 12) != 0};
        return true;
    }
    free(*bytes);
    *bytes = NULL;
    return false;
}

/* Finds the end of the whole messages, and cuts off the rest of the file. */
static bool find_end(struct spool *spool)
{
    struct spool_message message;
    uint8_t *bytes;

    spool->end = spool->freed = spool->first;
    spool->next = spool->oldest;
    while (spool_read(spool, spool->end, &message, &bytes)) {
        free(bytes);
        if (message.count != spool->next)
            break;
        spool->next++;
        spool->end = message.end;
    }
    return ftruncate(spool->fd, (off_t)spool->end) == 0;
}

bool spool_append(struct spool *spool, const void *bytes, size_t length, bool begins)
{
    uint8_t head[SPOOL_MESSAGE_BYTES];

    put_u64(head, spool->next);
    put_u32(head + 8, (uint32_t)length);
    put_u32(head + 12, begins);
    put_u32(head + 16, txtap_crc32(txtap_crc32(0, head, 16), bytes, length));
    if (!write_at(spool->fd, head, sizeof head, spool->end) ||
        !write_at(spool->fd, bytes, length, spool->end + sizeof head))
        return false;
    spool->end += sizeof head + length;
    spool->next++;
    return true;
}

bool spool_drop(struct spool *spool, uint64_t end, uint64_t count)
{
    spool->first = end;
    spool->oldest = count;
    if (end == spool->end)
        return empty(spool);
    if (end - spool->freed < FREE_BYTES)
        return true;
    /* Ignores a failure: some file systems cannot make holes. The file then takes more room. */
    (void)fallocate(spool->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, SPOOL_HEAD_BYTES,
                    (off_t)(end - SPOOL_HEAD_BYTES));
    spool->freed = end;
    return write_head(spool);
}

bool spool_has_room(const struct spool *spool, size_t length)
{
    return spool->end - spool->first + SPOOL_MESSAGE_BYTES + length <= spool->most;
}

bool spool_set_base(struct spool *spool, uint64_t base)
{
    spool->base = base;
    spool->based = true;
    return write_head(spool);
}

/* ---- open ---- */

static enum txtap_status cannot(struct spool *spool, struct error *error)
{
    enum txtap_status status =
        failure(error, TXTAP_ERROR_SYSTEM, "%.160s: %s\nchoose another folder with --spool", spool->path,
                errno == EWOULDBLOCK ? "another recorder uses this file" : strerror(errno));

    spool_close(spool);
    return status;
}

enum txtap_status spool_open(struct spool *spool, const char *directory, const char *subject, uint64_t session,
                             uint64_t most, struct error *error)
{
    struct stat about;

    *spool = (struct spool){.fd = -1, .most = most};
    snprintf(spool->path, sizeof spool->path, "%s/%s.spool", directory, subject);
    if (mkdir(directory, 0700) != 0 && errno != EEXIST)
        return cannot(spool, error);
    spool->fd = open(spool->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (spool->fd < 0 || flock(spool->fd, LOCK_EX | LOCK_NB) != 0 || fstat(spool->fd, &about) != 0)
        return cannot(spool, error);
    if (!S_ISREG(about.st_mode) || (about.st_size > 0 && !read_head(spool))) {
        failure(error, TXTAP_ERROR_SYSTEM,
                "%.160s: it is not a file of waiting messages, or its head is damaged\nremove it, or choose another "
                "folder with --spool",
                spool->path);
        spool_close(spool);
        return TXTAP_ERROR_SYSTEM;
    }
    if (about.st_size > 0 && !find_end(spool))
        return cannot(spool, error);
    if (about.st_size == 0 || spool->end == spool->first) {
        spool->session = session;
        spool->base = 0;
        spool->based = false;
        spool->next = 1;
        if (!empty(spool))
            return cannot(spool, error);
    }
    return TXTAP_OK;
}

void spool_close(struct spool *spool)
{
    if (spool->fd >= 0)
        close(spool->fd);
    spool->fd = -1;
}
