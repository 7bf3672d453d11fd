/* SPDX-License-Identifier: MIT */
/*
 * Reads the messages of a subject from a NATS server with JetStream, in order, each once. A message that is missing is
 * counted, and reading goes on with the next message that begins a file. Messages that no recorder of txtap has made
 * are counted, too.
 */
#ifndef TXTAP_CAPTURE_NATS_SUBSCRIBER_H
#define TXTAP_CAPTURE_NATS_SUBSCRIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "nats/message.h"
#include "nats/place.h"

struct subscriber_setup {
    const char *place;         /* the name of the place */
    struct nats_access access; /* strings are borrowed until subscriber_close() */
    bool live;         /* begins with the newest file, and waits for new messages; false: ends with the newest message
                          that the server has at the start */
    uint64_t since_us; /* not live: begins with the file of this time, in microseconds since 1970; 0: with the oldest */
};

struct subscriber;

/* A message. {0}: no message. */
struct subscriber_message {
    const uint8_t *bytes; /* valid until the next call */
    size_t length;
    bool begins; /* the first bytes of a file */
    bool old;    /* the server had it when the subscriber was opened */
};

/* Connects. TXTAP_ERROR_USAGE: the place is invalid. ERROR_UNREACHABLE: no server answers, or it refuses, or it has no
 * message of this subject and time. error has the cause, and nothing stays open. */
enum txtap_status subscriber_open(struct subscriber **out, const struct subscriber_setup *setup, struct error *error);
void subscriber_close(struct subscriber *subscriber);

/* Waits for the next message, at most for wait_ms. TXTAP_AGAIN: no message yet. TXTAP_END: no more messages.
 * ERROR_UNREACHABLE: the server does not answer any more. */
enum txtap_status subscriber_next(struct subscriber *subscriber, int64_t wait_ms, struct subscriber_message *message,
                                  struct error *error);

/* Returns why a live subscriber has nothing to read yet; status TXTAP_OK: its subject had messages at the start. */
const struct error *subscriber_waits(const struct subscriber *subscriber);

/* Returns the name of the place without a password, and the numbers of messages so far. */
const char *subscriber_name(const struct subscriber *subscriber);
const struct nats_order *subscriber_order(const struct subscriber *subscriber);

#endif
