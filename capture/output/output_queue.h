/* SPDX-License-Identifier: MIT */
/*
 * Bytes on their way to a file or pipe that may stall: the thread of a job queue writes them, so that whoever puts them
 * in never waits while there is room. The order is kept; nothing is dropped here.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_OUTPUT_QUEUE_H
#define TXTAP_CAPTURE_OUTPUT_OUTPUT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "txtap/status.h"

struct output_queue;

/*
 * Writes bytes to fd, and returns how many: fewer than length after a failure, errno says why. EINTR: the end was asked
 * for, and the time that is left then is over.
 */
size_t output_write_bytes(int fd, const void *bytes, size_t length);

/*
 * Writes lines to fd. After a failure a regular file ends with its last whole line. since_line: bytes written behind
 * the last line's end, kept by the caller between calls, 0 at first. TXTAP_END: nobody reads any more.
 * TXTAP_ERROR_SYSTEM with errno otherwise.
 */
enum txtap_status output_write(int fd, size_t *since_line, const char *bytes, size_t length);

/* owned: the queue closes fd in the end. capacity: bytes that may wait. On failure error is one line, *out is NULL. */
enum txtap_status output_queue_start(struct output_queue **out, int fd, bool owned, size_t capacity,
                                     struct error *error);

/* How many bytes fit now without waiting; each put takes a little of it besides. */
size_t output_queue_room(const struct output_queue *queue);

/* Waits where there is no room. The first failure of the thread so far, as output_write(), errno set. */
enum txtap_status output_queue_put(struct output_queue *queue, const char *bytes, size_t length);

/* What is put from now on goes to fd, the queue's to close from here on; so is the file before, once it is written. */
enum txtap_status output_queue_change(struct output_queue *queue, int fd);

/* Waits until all is written, and frees the queue. errno as above. */
enum txtap_status output_queue_finish(struct output_queue *queue);

#endif
