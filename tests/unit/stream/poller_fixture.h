/* SPDX-License-Identifier: MIT */
/*
 * The poller with a target in memory, written by the recorder, and a simulated clock. Each event and each gap is
 * checked when it is delivered: numbers are consecutive, and the window in which it was written is true.
 */
#ifndef TXTAP_TESTS_POLLER_FIXTURE_H
#define TXTAP_TESTS_POLLER_FIXTURE_H

#include "stream/poller.h"
#include "target/recorder_target.h"

enum { OBJECTS = 4, ENTRIES = 100, EVENT_QUEUE_CREATE = 60, EVENT_QUEUE_DELETE = 61, EVENT_QUEUE_SEND = 68 };

struct poller_fixture {
    struct poller poller;
    struct error error;
    uint64_t now_us, read_us; /* read_us: duration of one exchange */
    uint64_t paused_us;       /* by the poller itself */
    bool stops;               /* the target stands still in an exchange: */
    uint64_t stopped_us;      /* for so long up to now */

    /* the source */
    unsigned reads, fail_at; /* the read of that number, from 1, fails */
    enum txtap_status failure;
    const char *failure_text;
    unsigned registry_reads, write_during_reads;
    uint32_t tear_registry; /* how often the registry changes between two reads of it */

    /* the sink */
    uint64_t last_seq;
    unsigned taken_count, gaps, exact_gaps;
    bool begun;
    uint64_t lost;
    struct txtap_gap last_gap;
    unsigned enough_after; /* 0: never */
    enum txtap_status enough;
    bool waits_for_names;
    uint64_t past_events;  /* as in poller_settings */
    uint32_t search_start; /* as in poller_place */
    char name_at_create[TXTAP_OBJECT_NAME_BYTES];
    uint64_t from_us, to_us, widest_us; /* the window of the last event, and the widest of all */
    bool timed; /* stamps are the times of writing, and time passes between the reads of an exchange */
    bool still; /* the stamps of write_events() are all the same */
    bool plain; /* like ThreadX itself, the writer counts no laps */
};

extern struct poller_fixture fixture;

/* A target with an enabled trace, without a poller. */
void set_up(void);

/* The target writes that many events; the second function leaves that time between them, with the time as their stamp.
 */
void write_events(unsigned count);
void write_timed(unsigned count, uint64_t each_us);

/* The trace buffer that the target now records into. */
struct poller_place place_of_trace(void);

/* Opens a poller on that trace; sets up a target, with a poller that starts at its oldest event. */
enum txtap_status try_open(enum txtap_ring_from from);
void open_poller(void);
void close_poller(void);

/* One step, and the wait after it; that many steps, all of which must succeed; steps until one fails, at most 100. */
enum txtap_status step(void);
void steps(unsigned count);
enum txtap_status steps_until_end(void);

#endif
