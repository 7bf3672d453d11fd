/* SPDX-License-Identifier: MIT */
/*
 * A file of the messages that no server has stored yet. It survives the end of the program. The file begins with a head
 * of SPOOL_HEAD_BYTES, and then has the messages in order. All numbers are little-endian.
 *
 *   head     0 "TXSPOOL1" | 8 session | 16 number before the session's first message | 24 is that number known: 1 or 0
 *            32 offset of the oldest message | 40 count of that message in its session | 48 CRC-32 of bytes 0 to 47
 *   message  0 count in the session | 8 length of the payload | 12 1: begins a file | 16 CRC-32 of bytes 0 to 15 and
 *            the payload | 20 payload
 *
 * Functions return false and leave errno if a call of the system fails.
 */
#ifndef TXTAP_CAPTURE_NATS_SPOOL_H
#define TXTAP_CAPTURE_NATS_SPOOL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"

#define SPOOL_HEAD_BYTES    52u
#define SPOOL_MESSAGE_BYTES 20u

/* {.fd = -1}: no file. */
struct spool {
    int fd;
    char path[PATH_MAX];
    uint64_t session;
    uint64_t base;         /* number on the subject before the session's first message, if based is true */
    bool based;            /* the head has the base */
    uint64_t first;        /* offset of the oldest message that is not stored */
    uint64_t end;          /* offset after the newest message */
    uint64_t freed;        /* the file takes no room before this offset */
    uint64_t oldest, next; /* counts, in the session, of the oldest message and of the next message */
    uint64_t most;         /* limit of the bytes that wait */
};

struct spool_message {
    uint64_t count, end; /* end: offset after the message */
    size_t length;
    bool begins;
};

/*
 * Opens or makes the file DIRECTORY/SUBJECT.spool, and makes the directory if it is missing. Cuts off a message that is
 * incomplete or damaged, and all messages after it. A file without messages gets `session`. TXTAP_ERROR_SYSTEM: error
 * has the cause; another recorder has the file, or it cannot be used. After success the caller closes the spool.
 */
enum txtap_status spool_open(struct spool *spool, const char *directory, const char *subject, uint64_t session,
                             uint64_t most, struct error *error);
void spool_close(struct spool *spool);

/* Returns true if a message of this length fits. */
bool spool_has_room(const struct spool *spool, size_t length);

/* Writes the base to the head. */
bool spool_set_base(struct spool *spool, uint64_t base);

/* Appends the message with the count spool->next. */
bool spool_append(struct spool *spool, const void *bytes, size_t length, bool begins);

/* Reads the message at `offset`. The caller frees *bytes. False: no memory, or the file cannot be read. */
bool spool_read(const struct spool *spool, uint64_t offset, struct spool_message *message, uint8_t **bytes);

/* Drops all messages before the offset `end`, where the message `count` begins. */
bool spool_drop(struct spool *spool, uint64_t end, uint64_t count);

#endif
