/* SPDX-License-Identifier: MIT */
/*
 * Samples that wait for their place between the events. An event and a sample have windows of the host's clock; the
 * queue puts a sample before the first event that was written after it, and computes the sample's window in ticks.
 */
#ifndef TXTAP_CAPTURE_STREAM_SAMPLE_QUEUE_H
#define TXTAP_CAPTURE_STREAM_SAMPLE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event_maker.h"
#include "txtap/item.h"
#include "txtap/sample.h"

#define SAMPLE_QUEUE_MAX        4096u
#define SAMPLE_QUEUE_TEXT_BYTES 65536u /* texts of log lines and marks that wait */
#define SAMPLE_ANCHORS          8u

/* A sample or a mark that was taken between from_us and to_us of the host's monotonic clock. */
struct taken_sample {
    const struct txtap_channel *channel; /* NULL: a mark TXTAP_MARK_FAULT with the text */
    enum txtap_sample_state state;
    uint64_t bits;
    uint32_t thread;
    uint64_t from_us, to_us;
    const char *text; /* copied by the queue; NULL: no text */
};

/* Host times and ticks of an event: the last event of a window. */
struct sample_anchor {
    uint64_t ticks, from_us, to_us;
};

struct sample_queue {
    struct txtap_sink sink; /* gets the samples; set by the poller */
    uint64_t dropped;       /* samples that were dropped because the queue was full */
    uint64_t delivered;

    /* private */
    size_t first, count; /* a ring of SAMPLE_QUEUE_MAX waiting samples, sorted by time */
    struct taken_sample *waiting;
    char *texts;
    size_t text_at, text_used;
    struct sample_anchor anchors[SAMPLE_ANCHORS];
    size_t anchor_count;
    uint64_t next_seq, last_ticks;
};

/* Adds a sample, sorted by the middle of its window. If the queue is full, the sample is dropped and counted. */
void sample_queue_add(struct sample_queue *queue, const struct taken_sample *sample);

/* Delivers the samples that were taken before the event, and notes the event. maker: has set the event's time. Call it
 * before the event is delivered. Returns the sink's status. */
enum txtap_status sample_queue_event(struct sample_queue *queue, const struct txtap_event_maker *maker,
                                     const struct txtap_item *event);

/* Delivers the samples that were taken before until_us: all events up to then were delivered. seq: of the next event.
 */
enum txtap_status sample_queue_until(struct sample_queue *queue, const struct txtap_event_maker *maker,
                                     uint64_t until_us, uint64_t seq);

/* The next events are of another trace, whose time source has restarted. */
void sample_queue_restart(struct sample_queue *queue);

bool sample_queue_init(struct sample_queue *queue);
void sample_queue_free(struct sample_queue *queue);

#endif
