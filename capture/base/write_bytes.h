/* SPDX-License-Identifier: MIT */
/* Writing to a descriptor, whatever interrupts it. Knows nothing of what is written. */
#ifndef TXTAP_CAPTURE_BASE_WRITE_BYTES_H
#define TXTAP_CAPTURE_BASE_WRITE_BYTES_H

#include <stddef.h>

/*
 * Writes bytes to fd, and returns how many: fewer than length after a failure, and errno says why. EINTR: the user
 * wants the end, and the time for that is over.
 */
size_t write_bytes(int fd, const void *bytes, size_t length);

#endif
