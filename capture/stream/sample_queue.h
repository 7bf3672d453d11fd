/* SPDX-License-Identifier: MIT */
/*
 * Samples that wait for their place between the events. Events and samples have windows of the host's clock. The queue
 * puts a sample before the first event that was probably written after it, and computes the sample's window in ticks.
 */
#ifndef TXTAP_CAPTURE_STREAM_SAMPLE_QUEUE_H
#define TXTAP_CAPTURE_STREAM_SAMPLE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event_maker.h"
#include "txtap/item.h"
#include "txtap/sample.h"

#define SAMPLE_QUEUE_MAX 4096u

/* A sample or a mark that was taken between from_us and to_us of the host's monotonic clock. */
struct taken_sample {
    const struct txtap_channel *channel; /* NULL: a mark of the kind `mark` with the text */
    enum txtap_mark_kind mark;
    enum txtap_sample_state state;
    uint64_t bits;
    uint32_t thread;
    uint64_t from_us, to_us;
    const char *text; /* copied by the queue; NULL: no text */
};

struct sample_queue {
    uint64_t dropped; /* samples that were dropped because the queue was full, or there was no memory for their text */
    uint64_t delivered;

    /* private */
    size_t count;
    struct taken_sample waiting[SAMPLE_QUEUE_MAX]; /* sorted by the middle of the window */
    uint64_t ticks;                                /* ticks of the last event or sample */
    uint64_t last_ticks, to_us;                    /* of the last event; to_us 0: no event, or its time is not known */
    uint64_t sure, sure_us; /* ticks of the last event that was written before sure_us; sure_us 0: no such event */
};

/* Adds a sample. If the queue is full, the sample is dropped and counted. */
void sample_queue_add(struct sample_queue *queue, const struct taken_sample *sample);

/* Gives the samples that were taken before the event to the sink. event: the next event, with its time. maker: has set
 * the event's time. Returns the sink's status. */
enum txtap_status sample_queue_event(struct sample_queue *queue, const struct txtap_event_maker *maker,
                                     const struct txtap_item *event, struct txtap_sink sink);

/* Gives the samples that were taken before until_us to the sink. All events that were written before until_us must have
 * been delivered. seq: seq of the next event. Returns the sink's status. */
enum txtap_status sample_queue_until(struct sample_queue *queue, const struct txtap_event_maker *maker,
                                     uint64_t until_us, uint64_t seq, struct txtap_sink sink);

/* Drops all samples. */
void sample_queue_clear(struct sample_queue *queue);

#endif
