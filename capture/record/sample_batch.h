/* SPDX-License-Identifier: MIT */
/* Samples that wait to be written as one block of a recording. */
#ifndef TXTAP_CAPTURE_RECORD_SAMPLE_BATCH_H
#define TXTAP_CAPTURE_RECORD_SAMPLE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/recording.h"
#include "txtap/sample.h"

/* {0}: no samples. */
struct sample_batch {
    uint32_t count;                                           /* number of waiting samples */
    uint64_t first_us;                                        /* when the first sample was added */
    const struct txtap_channel *channels[TXTAP_CHANNELS_MAX]; /* channels of waiting samples; NULL: no sample */
    bool written[TXTAP_CHANNELS_MAX];                         /* the channel's block is in the present file */
    size_t length;                                            /* bytes of the payload */
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
};

/* Adds a sample. Returns false if the block is full: the caller then writes it first. */
bool sample_batch_add(struct sample_batch *batch, const struct txtap_sample *sample, uint64_t now_us);

/* Returns an upper bound of the bytes that the sample adds to the file. */
size_t sample_batch_growth(const struct sample_batch *batch, const struct txtap_sample *sample);

/* Takes the payload of a block, which is valid until the function returns. */
typedef enum txtap_status sample_batch_take(void *self, enum txtap_recording_type type, const uint8_t *payload,
                                            size_t length);

/* Returns the size in a file of the block of samples and of all their channels' blocks; 0: no samples wait. */
size_t sample_batch_bytes(const struct sample_batch *batch);

/* Passes the blocks of channels that the present file does not have, and then the block of samples, to `take`. Empties
 * the batch. other: memory for a payload. Returns the first status of `take` other than TXTAP_OK. */
enum txtap_status sample_batch_write(struct sample_batch *batch, uint8_t other[TXTAP_RECORDING_PAYLOAD_MAX],
                                     sample_batch_take *take, void *self);

/* Another file begins: it has no channels yet. */
void sample_batch_new_file(struct sample_batch *batch);

#endif
