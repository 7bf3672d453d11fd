/* SPDX-License-Identifier: MIT */
/*
 * A stream of events that survives resets, reflashes, and lost probes and servers. It is a state machine over a poller;
 * each event_stream_step() is one bounded action. The poller's sink gets a mark for each change of the stream, at its
 * place between the events.
 *
 *   reading    polls the ring; becomes locating if the trace restarts or its pointer is bad, and detached if the
 *              connection breaks
 *   locating   is connected, and looks for the trace buffer
 *   detached   is not connected, and tries to connect
 */
#ifndef TXTAP_CAPTURE_STREAM_EVENT_STREAM_H
#define TXTAP_CAPTURE_STREAM_EVENT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "stream/poller.h"
#include "stream/target_state.h"
#include "txtap/source.h"

enum event_stream_state { STREAM_READING, STREAM_LOCATING, STREAM_DETACHED };

/* Access to a target. On failure error is one line; drop() closes whatever is still open. */
struct event_stream_ports {
    enum txtap_status (*open)(void *self, struct error *error);
    enum txtap_status (*find)(void *self, struct poller_place *place, struct error *error);
    enum txtap_status (*check)(void *self, struct target_state *target, struct error *error);
    void (*drop)(void *self);
    void *self;
};

struct event_stream {
    struct poller poller;
    enum event_stream_state state;
    struct event_stream_ports ports;
    bool reconnects; /* false: the stream ends when it would have to find the target or connect to it again */

    bool restarted;    /* the trace that was being read has ended */
    bool left_whole;   /* the previous buffer was read completely */
    uint64_t gone_us;  /* since when nothing could be read */
    uint64_t retry_us; /* pause before the next try; it doubles up to RETRY_MAX_US */
    uint64_t next_try_us, next_check_us;
    uint64_t checked_head; /* the ring's head at the last check of the target's state */
    unsigned bad_pointers; /* bad pointers in a row */
    struct target_history history;
    /* core state at the first check; reported after the events that were already in the ring */
    enum core_state first_core;
    bool stopping; /* the firmware has stopped its trace; the mark is not sent yet */
    bool detached_marked, disabled, halted, unsure_marked; /* true: the sink got this mark, and not yet its opposite */
    char why[ERROR_WHAT_BYTES];                            /* why the stream is not reading */
};

/* Begins a stream. place: where the ring was just found, through the connection that the ports have open. settings:
 * now_us and unix_us must be set. Fails like poller_init(). After success, call event_stream_free(). */
enum txtap_status event_stream_init(struct event_stream *stream, const struct event_stream_ports *ports,
                                    bool reconnects, const struct poller_place *place,
                                    const struct poller_settings *settings, struct txtap_sink sink,
                                    struct error *error);
void event_stream_free(struct event_stream *stream);

/* Does one exchange, or one try to find or reach the target again. Returns a status of the sink unchanged, with error
 * cleared. If `reconnects` is false, returns the failure that ended the stream, and error is one line. */
enum txtap_status event_stream_step(struct event_stream *stream, struct error *error);

/* Returns how long to wait before the next step, in microseconds. */
uint64_t event_stream_delay_us(const struct event_stream *stream);

/* Reads everything that the target has written so far, for at most `limit_us`. Then does the same as
 * poller_finish(). */
enum txtap_status event_stream_finish(struct event_stream *stream, uint64_t limit_us, struct error *error);

#endif
