/* SPDX-License-Identifier: MIT */
/* Collects samples for a block, and the channels that the block needs. */
#include "record/sample_batch.h"

#include <string.h>

#include "txtap/inner/recording.h"

bool sample_batch_add(struct sample_batch *batch, const struct txtap_sample *sample, uint64_t now_us)
{
    if (batch->count == 0) {
        batch->length = txtap_recording_put_samples(batch->payload);
        batch->first_us = now_us;
    }
    if (!txtap_recording_add_sample(batch->payload, &batch->length, sample))
        return false;
    batch->count++;
    batch->channels[sample->channel->number] = sample->channel;
    return true;
}

/* Returns an upper bound for the size of a channel's block. */
static size_t channel_bytes(const struct txtap_channel *channel)
{
    return TXTAP_RECORDING_BLOCK_BYTES + 16 + sizeof channel->name + sizeof channel->unit +
           channel->word_count * sizeof *channel->words;
}

size_t sample_batch_growth(const struct sample_batch *batch, const struct txtap_sample *sample)
{
    size_t bytes = txtap_recording_sample_bytes(sample);

    if (batch->count == 0)
        bytes += TXTAP_RECORDING_BLOCK_BYTES + 4;
    if (batch->channels[sample->channel->number] == NULL)
        bytes += channel_bytes(sample->channel);
    return bytes;
}

size_t sample_batch_bytes(const struct sample_batch *batch)
{
    size_t bytes = batch->count > 0 ? TXTAP_RECORDING_BLOCK_BYTES + batch->length : 0;

    for (size_t i = 0; i < TXTAP_CHANNELS_MAX && batch->count > 0; i++)
        if (batch->channels[i] != NULL) /* also if it is written: the next file needs it again */
            bytes += channel_bytes(batch->channels[i]);
    return bytes;
}

enum txtap_status sample_batch_write(struct sample_batch *batch, uint8_t other[TXTAP_RECORDING_PAYLOAD_MAX],
                                     sample_batch_take *take, void *self)
{
    enum txtap_status status = TXTAP_OK;

    if (batch->count == 0)
        return TXTAP_OK;
    for (size_t i = 0; i < TXTAP_CHANNELS_MAX && status == TXTAP_OK; i++) {
        if (batch->channels[i] == NULL || batch->written[i])
            continue;
        status = take(self, TXTAP_RECORDING_CHANNEL, other, txtap_recording_put_channel(other, batch->channels[i]));
        batch->written[i] = true;
    }
    if (status == TXTAP_OK)
        status = take(self, TXTAP_RECORDING_SAMPLES, batch->payload, batch->length);
    memset(batch->channels, 0, sizeof batch->channels);
    batch->count = 0;
    return status;
}

void sample_batch_new_file(struct sample_batch *batch)
{
    memset(batch->written, 0, sizeof batch->written);
}
