/* SPDX-License-Identifier: MIT */
/*
 * Reads the messages of all subjects of a pattern, without waiting: for each subject the newest file, then each new
 * message, also of subjects that begin later. Subjects whose last message no recorder of txtap has made are left out.
 */
#ifndef TXTAP_CAPTURE_NATS_WATCHER_H
#define TXTAP_CAPTURE_NATS_WATCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "nats/place.h"

struct watcher;

/* A message, or a note that messages are missing. {0}: no message. */
struct watcher_message {
    const char *subject;  /* without the pattern's fixed part: "b1" for "lab.b1" and "lab.>"; valid until the close */
    void **slot;          /* memory of the caller for this subject, at first NULL */
    const uint8_t *bytes; /* valid until the next call */
    size_t length;        /* 0: the message cannot be read without messages that are missing */
    bool begins;          /* the first bytes of a file */
    bool missing;         /* messages of the subject before this message are missing */
    uint64_t stored_us;   /* when the server stored it, in microseconds since 1970 */
};

/* Connects. name: a place whose subject may be a pattern. Statuses: see subscriber_open(). A subject begins to be
 * watched when the pattern has at least one message. */
enum txtap_status watcher_open(struct watcher **out, const char *name, const struct nats_access *access,
                               struct error *error);
void watcher_close(struct watcher *watcher);

/*
 * Returns the next message. TXTAP_AGAIN: no message yet. Before all messages have come that the server had at
 * watcher_open(), it waits for them. TXTAP_END: the user asks txtap to end. TXTAP_ERROR_SYSTEM: no memory.
 * ERROR_UNREACHABLE: the server refuses to send more messages. A lost connection is no failure.
 */
enum txtap_status watcher_next(struct watcher *watcher, struct watcher_message *message, struct error *error);

/* Returns true while a server answers. */
bool watcher_is_connected(const struct watcher *watcher);

#endif
