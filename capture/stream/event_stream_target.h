/* SPDX-License-Identifier: MIT */
/*
 * Part of the event stream: asks what state the target is in, and judges whether it still records into the buffer that
 * is read. Knows the target's variables and their history; marks nothing, and changes no state of the stream but
 * theirs.
 */
#ifndef TXTAP_CAPTURE_STREAM_EVENT_STREAM_TARGET_H
#define TXTAP_CAPTURE_STREAM_EVENT_STREAM_TARGET_H

#include "stream/event_stream.h"

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
