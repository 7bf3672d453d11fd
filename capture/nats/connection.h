/* SPDX-License-Identifier: MIT */
/* Connects to the servers of a place, and finds the stream of its subject. Only this module, the publisher, the
 * subscriber, the watcher and the subjects use libnats. */
#ifndef TXTAP_CAPTURE_NATS_CONNECTION_H
#define TXTAP_CAPTURE_NATS_CONNECTION_H

#include <nats/nats.h>

#include "base/failure.h"
#include "nats/place.h"

#define NATS_STREAM_BYTES 256

struct nats_connection {
    natsConnection *link; /* NULL: not connected */
    jsCtx *jetstream;
};

struct nats_connection_setup {
    const struct nats_place *place;
    const struct nats_access *access;
    const char *name;             /* name of the client, as the server shows it */
    bool reconnects;              /* libnats connects again after a loss; false: the connection is then closed */
    natsConnectionHandler closed; /* called by a thread of libnats; NULL: not called */
    natsErrHandler failed;        /* the same, for errors that the server reports at any time */
    jsPubAckHandler acknowledged; /* the same, for each published message */
    void *self;
};

/* Connects. ERROR_UNREACHABLE, TXTAP_ERROR_SYSTEM: error has the cause, and nothing stays open. All signals are blocked
 * in the threads of libnats. */
enum txtap_status nats_connect(struct nats_connection *connection, const struct nats_connection_setup *setup,
                               struct error *error);
void nats_disconnect(struct nats_connection *connection);

/* Returns the options of a request to JetStream. subjects: the pattern of a request about streams; borrowed; NULL: no
 * pattern. */
jsOptions nats_request(const char *subjects);

/* Finds the stream that keeps the subject. TXTAP_END: no stream keeps it. Other statuses: see nats_failure(). */
enum txtap_status nats_find_stream(const struct nats_connection *connection, const struct nats_place *place,
                                   char name[NATS_STREAM_BYTES], struct error *error);

/* Gets the last message of a subject, which the caller destroys. NATS_NOT_FOUND, or any status with *code
 * JSNoMessageFoundErr: there is no message. */
natsStatus nats_last_message(natsMsg **message, const struct nats_connection *connection, const char *stream,
                             const char *subject, jsErrCode *code);

#define NATS_STREAMS_MAX 16

/* Finds all streams that may keep a subject of the pattern. names: `*count` names. Statuses: see nats_find_stream(). */
enum txtap_status nats_find_streams(const struct nats_connection *connection, const struct nats_place *place,
                                    char names[][NATS_STREAM_BYTES], size_t *count, struct error *error);

/* Subscribes to the messages of a stream, in order. subject: may be a pattern. sequence, time_ns: where to begin, for
 * the policies that need them. After NATS_OK, call nats_unsubscribe(). */
natsStatus nats_subscribe(natsSubscription **out, const struct nats_connection *connection, const char *stream,
                          const char *subject, jsDeliverPolicy policy, uint64_t sequence, int64_t time_ns,
                          jsErrCode *code);

/* Ends *subscription, which may be NULL, and sets it to NULL. */
void nats_unsubscribe(natsSubscription **subscription);

/* Returns the text of the message's mark; NULL: it has no mark. */
const char *nats_mark_of(natsMsg *message);

/* Sets the error for a failed request to JetStream, from the status and the code of libnats. */
enum txtap_status nats_failure(const struct nats_place *place, natsStatus status, jsErrCode code, struct error *error);

#endif
