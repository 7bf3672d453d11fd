/* SPDX-License-Identifier: MIT */
/* Keeps samples sorted by time, and gives each sample its place and its window in ticks. */
#include "stream/sample_queue.h"

#include <stdlib.h>
#include <string.h>

#include "txtap/inner/host_time.h"

static uint64_t middle_of(const struct taken_sample *sample)
{
    return sample->from_us + (sample->to_us - sample->from_us) / 2;
}

/* ---- adding ---- */

void sample_queue_add(struct sample_queue *queue, const struct taken_sample *sample)
{
    struct taken_sample kept = *sample;
    size_t at = queue->count;

    if (sample->text != NULL)
        kept.text = strndup(sample->text, TXTAP_SAMPLE_TEXT_BYTES - 1);
    if (queue->count == SAMPLE_QUEUE_MAX || (sample->text != NULL && kept.text == NULL)) {
        free((char *)kept.text);
        queue->dropped++;
        return;
    }
    while (at > 0 && middle_of(&queue->waiting[at - 1]) > middle_of(sample))
        at--;
    memmove(queue->waiting + at + 1, queue->waiting + at, (queue->count - at) * sizeof *queue->waiting);
    queue->waiting[at] = kept;
    queue->count++;
}

/* Removes the first `count` samples. */
static void remove_first(struct sample_queue *queue, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free((char *)queue->waiting[i].text);
    queue->count -= count;
    memmove(queue->waiting, queue->waiting + count, queue->count * sizeof *queue->waiting);
}

void sample_queue_clear(struct sample_queue *queue)
{
    remove_first(queue, queue->count);
}

/* ---- giving ---- */

/* The event after a sample: its ticks and the earliest time at which it was written. {0}: no such event is known. */
struct follower {
    uint64_t ticks, from_us;
    bool any;
};

/* Returns the sample's window in ticks. It never contradicts the order of the events: the likely ticks are between
 * those of the event before the sample and those of the event after it. */
static struct txtap_ticks_window window_of(const struct sample_queue *queue, const struct txtap_event_maker *maker,
                                           const struct taken_sample *sample, const struct follower *after)
{
    struct txtap_ticks_window window =
        txtap_host_time_ticks(&maker->host_time, &maker->clock, sample->from_us, sample->to_us);

    if (queue->sure_us != 0 && queue->sure_us <= sample->from_us && queue->sure > window.from)
        window.from = queue->sure;
    if (after->any && after->from_us >= sample->to_us && after->ticks < window.to)
        window.to = after->ticks;
    if (window.likely < queue->ticks)
        window.likely = queue->ticks;
    if (after->any && window.likely > after->ticks)
        window.likely = after->ticks;
    if (window.from > window.likely)
        window.from = window.likely;
    if (window.to < window.likely)
        window.to = window.likely;
    return window;
}

static enum txtap_status give(struct sample_queue *queue, const struct txtap_event_maker *maker,
                              const struct taken_sample *sample, const struct follower *after, uint64_t seq,
                              struct txtap_sink sink)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_SAMPLE, .from_us = sample->from_us, .to_us = sample->to_us};
    const char *text = sample->text != NULL ? sample->text : "";
    uint64_t unix_us = maker->unix_offset_us != 0 ? middle_of(sample) + maker->unix_offset_us : 0;
    struct txtap_ticks_window window;

    if (sample->channel == NULL) {
        item.kind = TXTAP_ITEM_MARK;
        item.mark = (struct txtap_mark){sample->mark, seq, unix_us, text};
        return txtap_sink_take(sink, &item);
    }
    window = window_of(queue, maker, sample, after);
    item.sample = (struct txtap_sample){.channel = sample->channel,
                                        .state = sample->state,
                                        .seq = seq,
                                        .ticks = window.likely,
                                        .from_ticks = window.from,
                                        .to_ticks = window.to,
                                        .unix_us = unix_us,
                                        .bits = sample->bits,
                                        .thread = sample->thread,
                                        .text = text};
    queue->ticks = window.likely;
    queue->delivered++;
    return txtap_sink_take(sink, &item);
}

/* Gives the samples whose middle is before until_us. */
static enum txtap_status give_until(struct sample_queue *queue, const struct txtap_event_maker *maker,
                                    uint64_t until_us, const struct follower *after, uint64_t seq,
                                    struct txtap_sink sink)
{
    enum txtap_status status = TXTAP_OK;
    size_t given = 0;

    while (given < queue->count && middle_of(&queue->waiting[given]) < until_us && status == TXTAP_OK)
        status = give(queue, maker, &queue->waiting[given++], after, seq, sink);
    if (given > 0)
        remove_first(queue, given);
    return status;
}

/* Returns the likely time at which the event was written. 0: it may have any age. */
static uint64_t time_of(const struct txtap_event_maker *maker, const struct txtap_item *event)
{
    uint64_t at_us;

    if (event->from_us == 0)
        return 0;
    return txtap_host_time_last_us(&maker->host_time, &at_us) ? at_us : event->to_us;
}

enum txtap_status sample_queue_event(struct sample_queue *queue, const struct txtap_event_maker *maker,
                                     const struct txtap_item *event, struct txtap_sink sink)
{
    const struct follower after = {event->event.ticks, event->from_us, true};
    enum txtap_status status =
        queue->count > 0 ? give_until(queue, maker, time_of(maker, event), &after, event->event.seq, sink) : TXTAP_OK;

    if (queue->to_us != 0 && event->to_us != queue->to_us) { /* the event before was written before its window ended */
        queue->sure = queue->last_ticks;
        queue->sure_us = queue->to_us;
    }
    queue->to_us = event->to_us;
    queue->last_ticks = event->event.ticks;
    if (event->event.ticks > queue->ticks)
        queue->ticks = event->event.ticks;
    return status;
}

enum txtap_status sample_queue_until(struct sample_queue *queue, const struct txtap_event_maker *maker,
                                     uint64_t until_us, uint64_t seq, struct txtap_sink sink)
{
    const struct follower none = {0};

    return give_until(queue, maker, until_us, &none, seq, sink);
}
