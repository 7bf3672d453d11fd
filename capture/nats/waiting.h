/* SPDX-License-Identifier: MIT */
/*
 * The messages that no server has stored yet: a ring in memory, and with a spool a file, from which the ring is filled.
 * A message is identified by its count in the session. This module does not lock.
 */
#ifndef TXTAP_CAPTURE_NATS_WAITING_H
#define TXTAP_CAPTURE_NATS_WAITING_H

#include "nats/spool.h"

#define WAITING_SLOTS 256u                      /* messages in memory */
#define WAITING_BYTES ((size_t)8 * 1024 * 1024) /* bytes in memory, but at least one message */

struct waiting_slot {
    uint8_t *bytes; /* owned; NULL: the server has stored the message */
    size_t length;
    bool begins;
    uint64_t spool_end; /* with a spool: offset after the message */
    uint64_t sent_us;   /* set by the caller */
};

/* The ring has the messages from `first` to `next` - 1. Of these, the messages before `sent` were sent. */
struct waiting {
    struct spool spool;         /* .fd -1: no spool */
    uint64_t first, sent, next; /* counts of messages */
    size_t bytes;               /* bytes of all messages in the ring */
    uint64_t spool_read;        /* offset in the spool of the message `next` */
    struct waiting_slot slots[WAITING_SLOTS];
};

void waiting_init(struct waiting *waiting);
void waiting_free(struct waiting *waiting);

/* Opens a spool: see spool_open(). Call it before the first message. */
enum txtap_status waiting_open_spool(struct waiting *waiting, const char *directory, const char *subject,
                                     uint64_t session, uint64_t most, struct error *error);
bool waiting_has_spool(const struct waiting *waiting);

/* Returns true if a message of this length fits. */
bool waiting_has_room(const struct waiting *waiting, size_t length);

/* The functions below return false and leave errno if there is no memory, or if the spool fails. */

/* Adds a copy of the message, which must fit. */
bool waiting_add(struct waiting *waiting, const void *bytes, size_t length, bool begins);

/* Fills the ring from the spool. */
bool waiting_load(struct waiting *waiting);

/* Notes that the server has stored a message that was sent. */
bool waiting_stored(struct waiting *waiting, uint64_t count);

/* Notes that the server has stored all messages up to and including `count`, and no later message. No message counts as
 * sent after it. */
bool waiting_stored_until(struct waiting *waiting, uint64_t count);

/* Returns the slot of a message in the ring. */
struct waiting_slot *waiting_slot(struct waiting *waiting, uint64_t count);

/* Returns the number of messages that are not stored. */
uint64_t waiting_count(const struct waiting *waiting);

#endif
