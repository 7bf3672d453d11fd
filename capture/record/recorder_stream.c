/* SPDX-License-Identifier: MIT */
/*
 * The middle of a recording: makes blocks of events, gaps and marks, in their order. What does not fit into the buffer
 * while the disk stalls becomes a gap in its place. Knows nothing of triggers.
 */
#include "record/recorder_parts.h"

#include <string.h>

/* Room in the buffer for what is written unasked: the block that is being filled, the next one, new names, gaps and
 * marks, the end of a file, and the path of the next one. */
#define RESERVE_BYTES ((size_t)2 * TXTAP_RECORDING_PAYLOAD_MAX + 32768)

bool recording_has_room(const void *self, bool after_loss)
{
    const struct recording *recording = self;
    size_t half = recording->setup.options->buffer_bytes / 2;
    size_t reserve = (recording->has_words ? 2 : 1) * RESERVE_BYTES + 2 * recording->head_bytes;

    return block_file_room(&recording->file) >= (after_loss || reserve > half ? half : reserve);
}

static bool fits_payload(const struct recording *recording, const struct txtap_event *event)
{
    size_t words = event_words_bytes(&recording->words, event);
    uint64_t bytes = (uint64_t)(recording->count + 1) * TXTB_ENTRY_BYTES + recording_words_bytes(words);

    return recording->count < TXTAP_RECORDING_EVENTS_MAX && words <= TXTAP_RECORDING_PAYLOAD_MAX &&
           bytes <= recording->bytes_max;
}

/* Within a block the stamps alone give the time: whole periods of the counter may only pass between two blocks. */
static bool fits_block(const struct recording *recording, const struct txtap_event *event, uint64_t now)
{
    return event->seq == recording->first_seq + recording->count && fits_payload(recording, event) &&
           now - recording->first_us < RECORDING_BLOCK_US &&
           event->ticks - recording->last_ticks < recording->setup.clock->period;
}

static enum txtap_status write_event(struct recording *recording, const struct txtap_event *event)
{
    uint64_t now = recording->taken_us;
    enum txtap_status status = recording_write_new_objects(recording);

    if (status == TXTAP_OK && recording->count > 0 && !fits_block(recording, event, now))
        status = recording_write_events(recording);
    if (status != TXTAP_OK)
        return status;
    if (recording->count == 0) {
        recording->bytes_max = recording_block_bytes_max(recording);
        recording->first_seq = event->seq;
        recording->first_ticks = event->ticks;
        recording->first_us = now;
    }
    recording->last_us = now;
    recording->last_ticks = event->ticks;
    memcpy(recording->payload + TXTAP_RECORDING_EVENTS_HEAD + (size_t)recording->count * TXTB_ENTRY_BYTES, event->entry,
           TXTB_ENTRY_BYTES);
    recording->count++;
    recording->has_words = recording->has_words || event->words != NULL;
    event_words_add(&recording->words, event);
    return TXTAP_OK;
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
        return recording_write_other(recording, TXTAP_RECORDING_GAP,
                                     txtap_recording_put_gap(recording->payload, &item->gap));
    return recording_write_other(recording, TXTAP_RECORDING_MARK,
                                 txtap_recording_put_mark(recording->payload, &item->mark));
}

/* What is not recorded between two triggers is not lost: a gap does not reach across it. */
void recording_init_stream(struct recording *recording)
{
    recording->limit = (struct limit){.next = {write_item, recording}, .most = recording->setup.options->limit};
    recording->overflow = (struct overflow){
        .next = {limit_take, &recording->limit}, .has_room = recording_has_room, .self = recording, .apart = true};
}

enum txtap_status recording_put(struct recording *recording, const struct txtap_item *item, uint64_t now)
{
    recording->taken_us = now;
    return overflow_take(&recording->overflow, item);
}
