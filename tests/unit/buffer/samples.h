/* SPDX-License-Identifier: MIT */
/* The sample captures in tests/data. They can be rewritten in the other byte order and with 64-bit words. */
#ifndef TXTAP_TESTS_SAMPLES_H
#define TXTAP_TESTS_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "txtap/header.h"

#define SAMPLES          4
#define SAMPLE_BYTES_MAX 40000

struct sample {
    const char *name;
    size_t length;
    uint8_t bytes[SAMPLE_BYTES_MAX];
};

extern const char *const sample_names[SAMPLES];

/* Loads sample `index`, 0 to SAMPLES - 1. Fails the test if the file is missing. */
void sample_load(struct sample *sample, size_t index);

/* Rewrites a whole buffer in the other byte order. */
void sample_swap(struct sample *sample);

/*
 * Writes the buffer with 64-bit words, as ThreadX does if ULONG has 64 bits. upper: the upper 32 bits of each address.
 * wide: has room for 2 * SAMPLE_BYTES_MAX bytes. Returns the number of bytes written. */
size_t sample_widen(const struct sample *sample, uint32_t upper, uint8_t *wide);

#endif
