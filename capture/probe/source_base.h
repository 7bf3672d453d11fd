/* SPDX-License-Identifier: MIT */
/* Common functions of memory sources: their last error, the limits of a read, failures of a connection, and words. */
#ifndef TXTAP_CAPTURE_PROBE_SOURCE_BASE_H
#define TXTAP_CAPTURE_PROBE_SOURCE_BASE_H

#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/header.h"
#include "txtap/source.h"

/* Returns the text of the error. This function and the next are error_text() and hint_text() of a source whose first
 * member is a struct error with the failure of its last read. */
const char *source_error_text(void *self);
const char *source_hint_text(void *self);

/* Checks the pieces of a read against the limits of ops. *bytes: sum of their lengths. Returns TXTAP_ERROR_USAGE, with
 * error set, if there are too many pieces, or if a piece is too long, is not word-aligned, or extends past the last
 * address. */
enum txtap_status source_check_reads(const struct txtap_source_ops *ops, const struct txtap_read *reads, size_t count,
                                     uint32_t *bytes, struct error *error);

/* Sets error for a failed exchange with a server, from status and errno. waited_ms and doubt, used for a timeout: the
 * duration of the wait, and a possible cause. note: the end of every hint, or "". */
enum txtap_status source_connection_failure(enum txtap_status status, const char *server, unsigned waited_ms,
                                            const char *doubt, const char *note, struct error *error);

/* Reads memory. `address` and `length` are multiples of 4. Fails like the source's read(). */
enum txtap_status memory_read(struct txtap_source source, uint32_t address, uint8_t *bytes, uint32_t length);

/* Sets error to the source's last failure. `what` is a text to put before the failure's text, or NULL. Returns
 * `status`. */
enum txtap_status memory_failure(struct txtap_source source, enum txtap_status status, const char *what,
                                 struct error *error);

uint32_t memory_word(const uint8_t bytes[4], enum txtap_endian endian);

#endif
