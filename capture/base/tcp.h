/* SPDX-License-Identifier: MIT */
/* A TCP connection on which nothing waits for ever: each call has a deadline. Knows nothing of what is spoken on it. */
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

/* The moment timeout_ms from now, on the monotonic clock, in ms. */
uint64_t stream_deadline(unsigned timeout_ms);

/*
 * Connects; host is a name or address, port a number. Tries each address the name has. The name look-up itself is the
 * C library's and can outlast the deadline; an address cannot.
 * On failure the stream is closed and error holds the cause alone ("Connection refused"): ERROR_UNREACHABLE,
 * _INTERRUPTED or _SYSTEM.
 */
enum txtap_status stream_connect(struct stream *stream, const char *host, const char *port, uint64_t deadline_ms,
                                 struct error *error);

#define STREAM_HOST_BYTES 64

/* The other side's address as a number, "127.0.0.1"; false if there is none that has a number. */
bool stream_peer(const struct stream *stream, char host[static STREAM_HOST_BYTES]);

/* Sends all bytes. ERROR_TIMEOUT, _INTERRUPTED, _CLOSED or _SYSTEM (errno) on failure; some may have been sent.
 */
enum txtap_status stream_send(struct stream *stream, const char *bytes, size_t length, uint64_t deadline_ms);

/* Waits for at least one byte and takes up to size (> 0) of them: *length. Failures as above, *length then 0. */
enum txtap_status stream_receive(struct stream *stream, char *bytes, size_t size, size_t *length, uint64_t deadline_ms);

/* May be called again on a closed stream. */
void stream_close(struct stream *stream);

#endif
