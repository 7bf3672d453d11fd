/* SPDX-License-Identifier: MIT */
/* A TCP connection on which no call waits forever: each call has a deadline. This module knows no protocol. */
#ifndef TXTAP_CAPTURE_BASE_TCP_H
#define TXTAP_CAPTURE_BASE_TCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/status.h"

struct stream {
    int fd; /* -1: closed */
};

/* Returns the moment timeout_ms from now, on the monotonic clock, in ms. */
uint64_t stream_deadline(unsigned timeout_ms);

/*
 * Connects to `host` (a name or an address) at `port` (a number). Tries each address of a name. The C library resolves
 * a name, which may take longer than the deadline; an address takes no time. On failure the stream is closed, and error
 * is only the cause ("Connection refused"): ERROR_UNREACHABLE, _INTERRUPTED or _SYSTEM.
 */
enum txtap_status stream_connect(struct stream *stream, const char *host, const char *port, uint64_t deadline_ms,
                                 struct error *error);

#define STREAM_HOST_BYTES 64

/* Gets the numeric address of the other side, "127.0.0.1". False: it has no such address. */
bool stream_peer(const struct stream *stream, char host[static STREAM_HOST_BYTES]);

/* Sends all bytes. On failure it returns ERROR_TIMEOUT, _INTERRUPTED, _CLOSED or _SYSTEM (errno), and some bytes may
 * have been sent. */
enum txtap_status stream_send(struct stream *stream, const char *bytes, size_t length, uint64_t deadline_ms);

/* Waits for at least one byte, receives at most `size` bytes (`size` > 0), and sets *length to their number. Fails like
 * stream_send(); *length is then 0. */
enum txtap_status stream_receive(struct stream *stream, char *bytes, size_t size, size_t *length, uint64_t deadline_ms);

/* Checks the deadline. Call it in a loop that receives, because each wait succeeds as long as bytes arrive. Returns
 * TXTAP_OK before the deadline, then ERROR_TIMEOUT; ERROR_INTERRUPTED after the grace time of a stop request. */
enum txtap_status stream_time(uint64_t deadline_ms);

/* Closes the stream, if it is open. */
void stream_close(struct stream *stream);

#endif
