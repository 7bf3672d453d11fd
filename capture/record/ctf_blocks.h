/* SPDX-License-Identifier: MIT */
/*
 * Cuts a CTF stream into blocks of a recording. Each has whole records, with the number and the time of the first one,
 * so a reader can begin at any block. A record that is larger than a block is cut.
 */
#ifndef TXTAP_CAPTURE_RECORD_CTF_BLOCKS_H
#define TXTAP_CAPTURE_RECORD_CTF_BLOCKS_H

#include "txtap/recording.h"
#include "txtap/inner/zephyr.h"

struct ctf_block {
    const uint8_t *payload;
    size_t bytes;
    uint64_t seq, records; /* of the first record; how many end in the block */
};

struct ctf_blocks_sink {
    enum txtap_status (*put)(void *self, const struct ctf_block *block);
    void *self;
};

struct ctf_blocks {
    struct ctf_blocks_sink sink;
    const struct txtap_ctf_layout *layout;
    struct txtap_ctf_counter counter; /* of the present stream */
    struct txtap_zephyr_ctf clock;    /* numbers and times of the records that were put */
    struct txtap_registry names;      /* none */
    bool another, within;             /* the next block begins another stream, or within a record */
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
    size_t used; /* bytes of the stream in payload */
};

/* Both are borrowed. */
void ctf_blocks_open(struct ctf_blocks *blocks, const struct txtap_ctf_layout *layout, struct ctf_blocks_sink sink);

/* Puts all records that are whole. Behind a record that the layout does not have nothing is taken. Returns what the
 * sink returns. */
enum txtap_status ctf_blocks_take(struct ctf_blocks *blocks, const uint8_t *bytes, size_t length);

/* Another stream begins: forgets what was not whole. */
void ctf_blocks_restart(struct ctf_blocks *blocks);

/* The number of the next record to be put. */
uint64_t ctf_blocks_seq(const struct ctf_blocks *blocks);

#endif
