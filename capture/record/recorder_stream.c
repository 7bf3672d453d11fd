/* SPDX-License-Identifier: MIT */
/* Entries, gaps and marks become blocks; what did not fit becomes a gap. */
#include "record/recorder_stream.h"

#include <string.h>

#include "record/recorder_blocks.h"

/* Of the buffer, for what is written without a question: the block that is being filled, the one that is begun next,
 * new names, gaps and marks, the end of a file and the path of the next one. */
#define RESERVE_BYTES ((size_t)2 * TXTAP_RECORDING_PAYLOAD_MAX + 32768)

bool recording_has_room(const struct recording *recording)
{
    size_t room = record_file_room(&recording->file), half = recording->setup.buffer_bytes / 2;
    size_t reserve = RESERVE_BYTES + 2 * recording->head_bytes;

    /* Once something was lost there is no hurry: fewer and larger gaps. */
    return room >= (recording->overflow.lost > 0 || reserve > half ? half : reserve);
}

static enum txtap_status write_gap(struct recording *recording, const struct txtap_gap *gap)
{
    enum txtap_status status = recording_write_events(recording);

    if (status != TXTAP_OK)
        return status;
    return recording_write_other(recording, TXTAP_RECORDING_GAP, txtap_recording_put_gap(recording->other, gap));
}

enum txtap_status recording_put_overflow(struct recording *recording)
{
    struct txtap_gap gap;

    return overflow_take(&recording->overflow, &gap) ? write_gap(recording, &gap) : TXTAP_OK;
}

/* Between two triggers' times there may be a hole, in which nothing was lost: a gap does not reach over it. */
static enum txtap_status make_way(struct recording *recording, uint64_t seq)
{
    const struct overflow *overflow = &recording->overflow;

    return overflow->lost > 0 && seq != overflow->seq + overflow->lost ? recording_put_overflow(recording) : TXTAP_OK;
}

/* Within a block the stamps alone must tell the time: whole periods of the counter can pass only between two. */
static bool fits_block(const struct recording *recording, uint64_t seq, uint64_t ticks, uint64_t now)
{
    return seq == recording->first_seq + recording->count && recording->count < recording->count_max &&
           now - recording->first_us < RECORDING_BLOCK_US && ticks - recording->last_ticks < recording->clock.period;
}

enum txtap_status recording_put_entry(struct recording *recording, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq,
                                      uint64_t ticks, uint64_t now)
{
    enum txtap_status status;

    if (!recording_has_room(recording)) {
        status = make_way(recording, seq);
        overflow_add_event(&recording->overflow, seq);
        return status;
    }
    status = recording_put_overflow(recording);
    if (status == TXTAP_OK)
        status = recording_write_new_objects(recording);
    if (status == TXTAP_OK && recording->count > 0 && !fits_block(recording, seq, ticks, now))
        status = recording_write_events(recording);
    if (status != TXTAP_OK)
        return status;
    if (recording->count == 0) {
        recording->count_max = recording_block_events_max(recording);
        recording->first_seq = seq;
        recording->first_ticks = ticks;
        recording->first_us = now;
    }
    recording->last_us = now;
    recording->last_ticks = ticks;
    memcpy(recording->payload + TXTAP_RECORDING_EVENTS_HEAD + (size_t)recording->count * TXTB_ENTRY_BYTES, entry,
           TXTB_ENTRY_BYTES);
    recording->count++;
    recording->events++;
    return recording->events == recording->setup.limit ? TXTAP_END : TXTAP_OK;
}

enum txtap_status recording_put_gap(struct recording *recording, const struct txtap_gap *gap)
{
    enum txtap_status status;

    if (!recording_has_room(recording)) {
        status = make_way(recording, gap->seq);
        overflow_add_gap(&recording->overflow, gap);
        return status;
    }
    status = recording_put_overflow(recording);
    return status == TXTAP_OK ? write_gap(recording, gap) : status;
}

enum txtap_status recording_put_mark(struct recording *recording, const struct txtap_mark *mark)
{
    enum txtap_status status = recording_put_overflow(recording);

    if (status == TXTAP_OK)
        status = recording_write_events(recording);
    if (status != TXTAP_OK)
        return status;
    return recording_write_other(recording, TXTAP_RECORDING_MARK, txtap_recording_put_mark(recording->other, mark));
}
