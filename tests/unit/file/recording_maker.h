/* SPDX-License-Identifier: MIT */
/* A recording in memory that has a block of each kind. */
#ifndef TXTAP_TESTS_FILE_RECORDING_MAKER_H
#define TXTAP_TESTS_FILE_RECORDING_MAKER_H

#include "txtap/inner/recording.h"

enum { BLOCKS = 10, LAST = 8, ENTRIES = 3, OBJECTS = 8 };

struct recording_made {
    struct txtap_header header;
    uint8_t file[8192], payload[TXTAP_RECORDING_PAYLOAD_MAX];
    size_t length, block_ends[BLOCKS];
    uint32_t blocks;
};

extern struct recording_made made;

/* Adds a block with the current payload, in the recorder's form. */
void made_add(unsigned type, size_t bytes);

void make_recording(void);

/* Returns the number of whole blocks that a reader finds. The reader gets only as many bytes at a time as it requests.
 * *end: the reader's last status. */
uint32_t count_blocks(const uint8_t *bytes, size_t count, enum txtap_status *end);

#endif
