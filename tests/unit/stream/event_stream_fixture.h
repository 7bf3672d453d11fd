/* SPDX-License-Identifier: MIT */
/*
 * A trace that is followed through resets and failures: the real recorder in a target's memory, and access functions of
 * which every call can fail. Each event contains its number, so that nothing can come twice, or be missing without a
 * gap.
 */
#ifndef TXTAP_TESTS_EVENT_STREAM_FIXTURE_H
#define TXTAP_TESTS_EVENT_STREAM_FIXTURE_H

#include <stdbool.h>

#include "stream/event_stream.h"
#include "target/recorder_target.h"

enum { OBJECTS = 4, ENTRIES = 64, ELSEWHERE = 3072, POINTER = RAM_BYTES - 4, LOG_BYTES = 4096, NUMBERED_EVENT = 4096 };

extern struct event_stream_fixture {
    struct event_stream stream;
    struct error error;
    uint64_t now_us;
    bool connected, recording, stopped, flashed, counts_time;
    enum core_state core;
    unsigned core_asked;
    uint32_t at;       /* offset in ram of the buffer that the firmware enabled last */
    uint64_t start_us; /* when the target was started last */
    bool plain;        /* like ThreadX itself, the recorder counts no laps */
    uint32_t stale;    /* the uptime variable keeps this value; 0: it counts */
    uint64_t stall_us; /* the host stops once for this time, after its next read of the variables */

    unsigned calls, fail_at, fail_for; /* this many calls fail, from call fail_at on; the first is 1 */
    enum txtap_status failure;

    uint32_t written;                 /* the next event's number */
    uint64_t next_seq, next_number;   /* expected next */
    uint64_t lost_here, events, lost; /* lost_here: since the last number */
    unsigned gaps;
    uint64_t disabled_at; /* the number of the next event at that time */
    bool begun, unknown;  /* unknown: a reset lost some */
    char marks[LOG_BYTES];
    uint64_t mark_seq;          /* of the last one */
    char why[ERROR_WHAT_BYTES]; /* reason of the last `detached` */
} fixture;

void enable_trace(uint32_t entries);
/* Like a reset: memory is unchanged until the firmware clears it, and for a while there is no trace. */
void reset_target(uint32_t entries);
/* The firmware's pointer to its trace buffer. */
void point_at_trace(uint32_t at);
void enable_trace_elsewhere(uint32_t entries);
/* Switches to the other buffer; each is as large as possible. */
void move_trace(void);
void write_events(unsigned count);
/* Enables the trace, writes ten events and begins to follow it. */
void begin(bool reconnects);
/* Follows the stream for this virtual time; run_well() fails the test if that fails. */
enum txtap_status run_for(uint64_t us);
void run_well(uint64_t us);
void end(void);

#endif
