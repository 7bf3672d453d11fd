/* SPDX-License-Identifier: MIT */
/* Collects events for a block. */
#include "record/event_batch.h"
#include "txtap/inner/recording.h"

#include <string.h>

/* ---- the words of the events ---- */

static size_t more_of(const struct txtap_event *event)
{
    return event->word_count > 4 ? event->word_count - 4 : 0;
}

size_t event_words_bytes(const struct event_words *words, const struct txtap_event *event)
{
    size_t count = words->count, more = words->more_count;

    if (event != NULL && event->words != NULL) {
        count++;
        more += more_of(event);
    }
    return count > 0 ? TXTAP_RECORDING_WORDS_HEAD + count + 4 * more : 0;
}

void event_words_add(struct event_words *words, const struct txtap_event *event)
{
    size_t more = more_of(event);

    if (event->words == NULL)
        return;
    words->counts[words->count++] = (uint8_t)event->word_count;
    if (more > 0)
        memcpy(words->more + words->more_count, event->words + 4, more * sizeof *event->words);
    words->more_count += more;
}

size_t event_words_take(struct event_words *words, uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX])
{
    size_t length = txtap_recording_put_words(payload, words->counts, words->count, words->more, words->more_count);

    words->count = 0;
    words->more_count = 0;
    return length;
}

/* ---- the events ---- */

size_t event_batch_words_bytes(size_t payload)
{
    return payload > 0 ? TXTAP_RECORDING_BLOCK_BYTES + payload : 0;
}

static bool fits_payload(const struct event_batch *batch, const struct txtap_event *event, uint64_t bytes_max)
{
    size_t words = event_words_bytes(&batch->words, event);
    uint64_t bytes = (uint64_t)(batch->count + 1) * TXTB_ENTRY_BYTES + event_batch_words_bytes(words);

    return batch->count < TXTAP_RECORDING_EVENTS_MAX && words <= TXTAP_RECORDING_PAYLOAD_MAX && bytes <= bytes_max;
}

bool event_batch_fits(const struct event_batch *batch, const struct txtap_event *event, uint64_t now_us,
                      const struct event_batch_limits *limits)
{
    return event->seq == batch->first_seq + batch->count && fits_payload(batch, event, limits->bytes) &&
           now_us - batch->first_us < limits->age_us && event->ticks - batch->last_ticks < limits->period;
}

void event_batch_add(struct event_batch *batch, const struct txtap_event *event, uint64_t now_us)
{
    if (batch->count == 0) {
        batch->first_seq = event->seq;
        batch->first_ticks = event->ticks;
        batch->first_us = now_us;
    }
    batch->last_us = now_us;
    batch->last_ticks = event->ticks;
    memcpy(batch->payload + TXTAP_RECORDING_EVENTS_HEAD + (size_t)batch->count * TXTB_ENTRY_BYTES, event->entry,
           TXTB_ENTRY_BYTES);
    batch->count++;
    batch->has_words = batch->has_words || event->words != NULL;
    event_words_add(&batch->words, event);
}

size_t event_batch_payload(struct event_batch *batch, uint64_t wall_offset_us)
{
    uint64_t span_us = batch->last_us - batch->first_us;

    return txtap_recording_put_events(batch->payload, batch->first_seq, batch->first_ticks,
                                      batch->first_us + wall_offset_us,
                                      span_us < UINT32_MAX ? (uint32_t)span_us : UINT32_MAX, batch->count);
}
