/* SPDX-License-Identifier: MIT */
/*
 * Publishes messages of bytes on a subject of a NATS server with JetStream, in order, each once. A message that no
 * server has acknowledged waits in memory, or with a spool in a file. After a lost connection the publisher asks the
 * server which message it stored last, and continues after it. It expects to be the only writer: if another session
 * writes to the subject, the publisher ends with an error.
 */
#ifndef TXTAP_CAPTURE_NATS_PUBLISHER_H
#define TXTAP_CAPTURE_NATS_PUBLISHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "nats/place.h"

#define PUBLISHER_SPOOL_BYTES (UINT64_C(4) << 30) /* usual limit of the file of waiting messages */

struct publisher_setup {
    const char *place;         /* the name of the place */
    struct nats_access access; /* strings are borrowed until publisher_close() */
    const char *spool;         /* a folder for the file of waiting messages; NULL: they wait in memory */
    uint64_t spool_bytes;      /* limit of that file */
    struct stream_limits limits;
    bool tells_limits;                          /* tells if a stream that exists has other limits */
    void (*tell)(void *self, const char *text); /* tells what happens to the connection; called by any thread */
    void *self;
};

struct publisher;

/*
 * Connects, makes a stream if no stream keeps the subject, and starts a thread. With a spool the server may be away.
 * TXTAP_ERROR_USAGE: the place is invalid. ERROR_UNREACHABLE: no server answers, or it refuses. TXTAP_ERROR_SYSTEM: no
 * memory, no thread, or the spool cannot be used. error has the cause, and nothing stays open.
 */
enum txtap_status publisher_open(struct publisher **out, const struct publisher_setup *setup, struct error *error);

/*
 * Takes a message of 1 to NATS_MESSAGE_BYTES bytes, and copies it. begins: readers may begin to read with it. Waits for
 * room. TXTAP_ERROR_SYSTEM: another writer, or the spool cannot be written. ERROR_UNREACHABLE: the user asked txtap to
 * end while there is no room and no server. The first failure is returned from then on.
 */
enum txtap_status publisher_put(struct publisher *publisher, const void *bytes, size_t length, bool begins,
                                struct error *error);

/*
 * Waits until the server has stored all messages, at most for limit_us while no message is stored. Returns the first
 * failure. ERROR_UNREACHABLE: messages were not stored. With a spool the messages wait there for the next publisher,
 * and the status is TXTAP_OK. Then only publisher_close() may follow.
 */
enum txtap_status publisher_finish(struct publisher *publisher, uint64_t limit_us, struct error *error);

/* Ends the thread, and frees the publisher. */
void publisher_close(struct publisher *publisher);

/* Returns the name of the place without a password. */
const char *publisher_name(const struct publisher *publisher);

#endif
