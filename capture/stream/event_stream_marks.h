/* SPDX-License-Identifier: MIT */
/*
 * Part of the event stream: the marks between the events. Knows which mark the sink has got already; knows nothing of
 * connections and of where the trace buffer is.
 */
#ifndef TXTAP_CAPTURE_STREAM_EVENT_STREAM_MARKS_H
#define TXTAP_CAPTURE_STREAM_EVENT_STREAM_MARKS_H

#include "stream/event_stream.h"

/* Delivers the events that wait, then the mark. */
enum txtap_status mark_put(struct event_stream *stream, enum txtap_mark_kind kind, const char *text);

/* Marks once that nothing is read. Events that were held back are delivered: nothing will make them more complete. */
enum txtap_status mark_detached(struct event_stream *stream);
enum txtap_status mark_attached(struct event_stream *stream);

/*
 * The firmware records events, or does not, as a check found it. That it stopped is marked at the next check, or by
 * mark_disabled(): behind all events that were written before.
 */
enum txtap_status mark_enabled(struct event_stream *stream, bool enabled);
enum txtap_status mark_disabled(struct event_stream *stream);

/* The core as a check found it; as the first check did; and when it was halted, but has written something since. */
enum txtap_status mark_core(struct event_stream *stream, enum core_state core);
enum txtap_status mark_first_core(struct event_stream *stream);
enum txtap_status mark_running(struct event_stream *stream);

/* Marks once that losses may go unseen: they are in no gap. */
enum txtap_status mark_unsure(struct event_stream *stream);

#endif
