/* SPDX-License-Identifier: MIT */
/*
 * Part of the event stream: what the target's variables, and the uptime among them, mean for the buffer that is read.
 * Knows their history; marks nothing, and changes no state of the stream but theirs.
 */
#include "stream/event_stream_parts.h"

#include <stdio.h>

#define IN_USE_US 100000  /* no firmware moves its trace twice within this time */
#define SET_UP_US 50000   /* a trace is set up in less */
#define MOVE_US   1000000 /* to read what is left in the buffer that the firmware has left */

void target_note_uptime(struct event_stream *stream, const struct target_state *target,
                        const struct uptime_window *read)
{
    if (target->has_uptime)
        uptime_note(&stream->uptime, target->uptime, read);
}

enum txtap_status target_check(struct event_stream *stream, struct target_state *target, struct uptime_window *read,
                               struct error *error)
{
    enum txtap_status status;

    read->from_us = stream->poller.now_us();
    status = stream->ports.check(stream->ports.self, target, error);
    read->to_us = stream->poller.now_us();
    return status;
}

/*
 * The same buffer again, after a time in which nothing was read. Unless the uptime proves that the target was not reset
 * meanwhile, the ring's lap count may have restarted, and the loss that it gives is not exact.
 */
enum txtap_status target_check_uptime(struct event_stream *stream, struct error *error)
{
    struct target_state target = {.enabled = true};
    struct uptime_window read;
    enum txtap_status status = target_check(stream, &target, &read, error);
    enum uptime_verdict verdict = UPTIME_UNKNOWN;

    if (status != TXTAP_OK)
        return status;
    if (target.has_uptime)
        verdict = uptime_judge(&stream->uptime, target.uptime, &read);
    if (verdict == UPTIME_UNKNOWN)
        poller_mark_inexact(&stream->poller);
    if (verdict == UPTIME_RESET) {
        stream->restarted = true;
        snprintf(stream->why, sizeof stream->why, "the target was reset");
    }
    target_note_uptime(stream, &target, &read);
    return TXTAP_OK;
}

/* While the firmware sets up the other buffer, the trace is disabled and the header there may be an older trace's. */
static bool has_settled(const struct event_stream *stream, const struct target_state *target)
{
    return target->enabled || (stream->moving_us != 0 && stream->poller.now_us() - stream->moving_us >= SET_UP_US);
}

const char *target_reason_to_locate(const struct event_stream *stream, const struct target_state *target,
                                    const struct uptime_window *read)
{
    if (!stream->reconnects)
        return NULL;
    if (target->moved && has_settled(stream, target))
        return "the firmware records into another buffer";
    if (target->has_uptime && stream->uptime.known && target->uptime < stream->uptime.last)
        return "the target was reset";
    if (target->flashed &&
        (target->flashed_surely || !target->has_uptime || uptime_is_foreign(&stream->uptime, target->uptime, read)))
        return "other firmware was flashed";
    return NULL;
}

void target_note_place(struct event_stream *stream, const struct target_state *target, const struct uptime_window *read)
{
    if (stream->poller.elsewhere && !target->moved)
        stream->poller.pointer = 0; /* the word is no longer that pointer: other firmware may run */
    stream->poller.elsewhere = false;
    if (!target->moved) {
        stream->poller.in_use_us = read->from_us;
        stream->moving_us = 0;
    } else if (stream->moving_us == 0) {
        stream->moving_us = read->to_us;
    }
}

/*
 * The firmware records into another buffer now. Nobody writes the old one any more, so all that it has is read. A gap
 * will say so if that fails, or if the last check is so long ago that there may have been a third buffer in between.
 */
enum txtap_status target_leave_buffer(struct event_stream *stream)
{
    struct poller *poller = &stream->poller;
    bool long_ago = stream->poller.now_us() - poller->in_use_us > IN_USE_US;
    struct error unused = {0};
    enum txtap_status status = poller_drain(poller, MOVE_US, &unused);

    stream->left_whole = status == TXTAP_OK && !long_ago;
    return status < TXTAP_OK && error_is_set(&unused) ? TXTAP_OK : status;
}
