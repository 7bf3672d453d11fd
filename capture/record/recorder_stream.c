/* SPDX-License-Identifier: MIT */
/*
 * The middle of a recording: makes blocks of events, gaps and marks, in their order. What does not fit into the buffer
 * while the disk stalls becomes a gap in its place. Knows nothing of triggers.
 */
#include "record/recorder_parts.h"

/* Room in the buffer for what is written unasked: the block that is being filled, the next one, new names, gaps and
 * marks, the end of a file, and the path of the next one. */
#define RESERVE_BYTES ((size_t)2 * TXTAP_RECORDING_PAYLOAD_MAX + 32768)

bool recording_has_room(const void *self, bool after_loss)
{
    const struct recording *recording = self;
    size_t half = recording->setup.config.buffer_bytes / 2;
    size_t reserve = (recording->batch.has_words ? 2 : 1) * RESERVE_BYTES + 2 * recording->head_bytes;

    return block_file_room(&recording->file) >= (after_loss || reserve > half ? half : reserve);
}

static bool fits_batch(const struct recording *recording, const struct txtap_event *event)
{
    const struct event_batch_limits limits = {
        .age_us = RECORDING_BLOCK_US, .bytes = recording->bytes_max, .period = recording->setup.clock->period};

    return event_batch_fits(&recording->batch, event, recording->taken_us, &limits);
}

static enum txtap_status write_event(struct recording *recording, const struct txtap_event *event)
{
    enum txtap_status status = recording_write_new_objects(recording);

    if (status == TXTAP_OK && recording->batch.count > 0 && !fits_batch(recording, event))
        status = recording_write_events(recording);
    if (status != TXTAP_OK)
        return status;
    if (recording->batch.count == 0)
        recording->bytes_max = recording_block_bytes_max(recording);
    event_batch_add(&recording->batch, event, recording->taken_us);
    return TXTAP_OK;
}

static enum txtap_status write_gap(struct recording *recording, const struct txtap_gap *gap)
{
    enum txtap_status status =
        recording_write_other(recording, TXTAP_RECORDING_GAP, txtap_recording_put_gap(recording->batch.payload, gap));

    recording->part.events += gap->lost;
    recording->part.doubts += !gap->exact;
    recording->part.seq = gap->seq + gap->lost;
    return status;
}

static enum txtap_status write_item(void *self, const struct txtap_item *item)
{
    struct recording *recording = self;
    enum txtap_status status;

    if (item->kind == TXTAP_ITEM_EVENT)
        return write_event(recording, &item->event);
    status = recording_write_events(recording);
    if (status != TXTAP_OK)
        return status;
    if (item->kind == TXTAP_ITEM_GAP)
        return write_gap(recording, &item->gap);
    status = recording_write_other(recording, TXTAP_RECORDING_MARK,
                                   txtap_recording_put_mark(recording->batch.payload, &item->mark));
    recording->part.doubts++;
    return status;
}

/* What is not recorded between two triggers is not lost: a gap does not reach across it. */
void recording_init_stream(struct recording *recording)
{
    recording->limit = (struct limit){.next = {write_item, recording}, .most = recording->setup.config.limit};
    recording->overflow = (struct overflow){
        .next = {limit_take, &recording->limit}, .has_room = recording_has_room, .self = recording, .apart = true};
}

enum txtap_status recording_put(struct recording *recording, const struct txtap_item *item, uint64_t now)
{
    recording->taken_us = now;
    return overflow_take(&recording->overflow, item);
}
