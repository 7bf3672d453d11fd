/* SPDX-License-Identifier: MIT */
/* The trace buffer that ThreadX would leave in memory: header, registry, ring. */
#ifndef TXTAP_TESTS_ORACLE_IMAGE_H
#define TXTAP_TESTS_ORACLE_IMAGE_H

#include "oracle/kernel.h"

#define IMAGE_BYTES (48 + 48 * (KERNEL_THREADS + KERNEL_OBJECTS) + 32 * KERNEL_EVENTS)

/* Writes the buffer to `bytes`. Returns its length in bytes. */
size_t image_of(const struct kernel *kernel, uint8_t *bytes);

#endif
