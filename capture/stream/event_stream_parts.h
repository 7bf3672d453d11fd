/* SPDX-License-Identifier: MIT */
/* The parts of the event stream, which share its struct. Each file says what its part knows. */
#ifndef TXTAP_CAPTURE_STREAM_EVENT_STREAM_PARTS_H
#define TXTAP_CAPTURE_STREAM_EVENT_STREAM_PARTS_H

#include "stream/event_stream.h"

/* ---- event_stream_marks.c ---- */

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

/* ---- event_stream_target.c ---- */

/* read: when the state was asked for. */
enum txtap_status target_check(struct event_stream *stream, struct target_state *target, struct uptime_window *read,
                               struct error *error);

/* At the end of what a check is used for: the next one compares its uptime with this one. */
void target_note_uptime(struct event_stream *stream, const struct target_state *target,
                        const struct uptime_window *read);

/* For a buffer that was not read for a time: was the target reset meanwhile? Sets stream->restarted, or says so. */
enum txtap_status target_check_uptime(struct event_stream *stream, struct error *error);

/* Why the trace buffer has to be located again; NULL: it has not. */
const char *target_reason_to_locate(const struct event_stream *stream, const struct target_state *target,
                                    const struct uptime_window *read);

/* Notes since when the firmware has recorded elsewhere. */
void target_note_place(struct event_stream *stream, const struct target_state *target,
                       const struct uptime_window *read);

/* Reads what the buffer still has that the firmware has left. */
enum txtap_status target_leave_buffer(struct event_stream *stream);

#endif
