/* SPDX-License-Identifier: MIT */
/* Writes container files for tests, without the decoder's code. Reads them back, and checks the results. */
#ifndef TXTAP_TESTS_CONTAINER_MAKER_H
#define TXTAP_TESTS_CONTAINER_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/container.h"
#include "txtap/header.h"

#define MADE_BYTES_MAX    65536
#define MADE_SEGMENTS_MAX 64

struct made {
    size_t length;
    uint8_t bytes[MADE_BYTES_MAX];
};

/* Appends a record with a correct checksum. */
void make_ihex(struct made *file, unsigned type, unsigned address, const uint8_t *bytes, size_t count);
void make_srec(struct made *file, char type, uint32_t address, const uint8_t *bytes, size_t count);
void make_text(struct made *file, const char *text);

/* Appends the data records for a piece of memory, at most 16 bytes each, and the address records that they require. */
void make_ihex_memory(struct made *file, uint32_t address, const uint8_t *bytes, size_t length);
void make_srec_memory(struct made *file, uint32_t address, const uint8_t *bytes, size_t length);

struct made_load {
    uint64_t address;
    const uint8_t *bytes;
    size_t length;
};

/* Makes an ELF core file with one PT_NOTE and these PT_LOAD segments. */
void make_elf(struct made *file, bool wide, enum txtap_endian endian, const struct made_load *loads, size_t count);

/* The memory that was read from a file. The allocated memory has exactly the size that the container requires. */
struct read_back {
    enum txtap_status status;
    struct txtap_container container;
    struct txtap_segment segments[MADE_SEGMENTS_MAX];
    size_t count;
    uint64_t overlapping;
    uint8_t *copy, *memory;
};

/* Reads any bytes as a container. Fails the test if a rule for all containers is broken. The caller frees the result.
 */
struct read_back read_back(const uint8_t *bytes, size_t length);
void read_back_free(struct read_back *got);

#endif
