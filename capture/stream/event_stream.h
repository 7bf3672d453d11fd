/* SPDX-License-Identifier: MIT */
/*
 * A trace that outlives its connection: a poller that goes on after resets, reflashes, lost probes and servers. One
 * state machine; one event_stream_step() is one bounded action. What happens to the stream is told to the poller's sink
 * as marks, in its place between the events.
 *
 *   streaming  reads; a trace that restarted or a pointer that is none: locating; a connection that broke: detached
 *   locating   connected, looking for the trace buffer
 *   detached   not connected, trying to
 */
#ifndef TXTAP_CAPTURE_STREAM_EVENT_STREAM_H
#define TXTAP_CAPTURE_STREAM_EVENT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "probe/core_state.h"
#include "stream/poller.h"
#include "txtap/source.h"

enum event_stream_state { STREAM_READING, STREAM_LOCATING, STREAM_DETACHED };

/* What the firmware's variables say beside the buffer, and the server of the core. */
struct target_state {
    bool silent;     /* asked with: nothing was written since the last look */
    bool wants_core; /* asked with: else core is left out */
    enum core_state core;
    bool enabled; /* it records */
    bool moved;   /* its trace buffer is another one now */
    bool flashed; /* only if silent: its file is another one now, and such a firmware's trace buffer is elsewhere */
    bool flashed_surely; /* and the target has its code */
    bool has_uptime;
    uint32_t uptime; /* a count that only grows between two resets, evenly but for sleep: the kernel's ticks */
};

/* The way to a target. On failure error is one line; what is opened stays open until drop(). */
struct event_stream_ports {
    enum txtap_status (*open)(void *self, struct error *error);
    enum txtap_status (*find)(void *self, struct poller_place *place, struct error *error);
    enum txtap_status (*check)(void *self, struct target_state *target, struct error *error);
    void (*drop)(void *self);
    void *self;
};

/* When something was read: at some moment from from_us to to_us. The host may have been busy in between. */
struct uptime_window {
    uint64_t from_us, to_us;
};

/* The target's uptime, to tell a trace that was away for a while from another one after a reset. */
struct event_stream_uptime {
    bool known;
    uint32_t first, last;
    struct uptime_window first_read, last_read;
};

struct event_stream {
    struct poller poller;
    enum event_stream_state state;
    struct event_stream_ports ports;
    bool reconnects; /* false: what would need it ends the stream instead */

    bool restarted;             /* the trace that was read is over */
    uint64_t moving_us;         /* since when the firmware's trace has been elsewhere; 0: it has not */
    bool left_whole;            /* all is known of the buffer that was read before this one */
    bool detached_marked;       /* the sink knows that nothing is read */
    bool disabled, halted;      /* the sink knows that */
    bool stopping;              /* disabled, and the sink does not know it yet */
    bool unsure_marked;         /* the sink knows that losses may go unseen */
    enum core_state first_core; /* at the first look, until it is told behind what was there before */
    unsigned bad_pointers;      /* in a row */
    struct event_stream_uptime uptime;
    uint64_t gone_us;  /* since when nothing could be read */
    uint64_t retry_us; /* the pause before the next try grows up to RETRY_MAX_US */
    uint64_t next_try_us, next_check_us;
    uint64_t checked_head;      /* the ring's at the last look */
    char why[ERROR_WHAT_BYTES]; /* that it does not stream */
};

/* What a core that does not run means for the events; NULL for one that runs, or of which nothing is known. */
const char *core_state_text(enum core_state core);

/*
 * place: as found just now; the ports' connection is open. settings: with both clocks. Otherwise as poller_init().
 * After success event_stream_free() is due.
 */
enum txtap_status event_stream_init(struct event_stream *stream, const struct event_stream_ports *ports,
                                    bool reconnects, const struct poller_place *place,
                                    const struct poller_settings *settings, struct txtap_sink sink,
                                    struct error *error);
void event_stream_free(struct event_stream *stream);

/*
 * One exchange, or one try to get to one. What the sink returned is passed on, error then being "". Without
 * reconnection also what ended the stream, with error saying it in one line.
 */
enum txtap_status event_stream_step(struct event_stream *stream, struct error *error);

/* How long to wait before the next step, in microseconds. */
uint64_t event_stream_delay_us(const struct event_stream *stream);

/* Reads what was written up to now, for at most limit_us, then as poller_finish(). */
enum txtap_status event_stream_finish(struct event_stream *stream, uint64_t limit_us, struct error *error);

#endif
