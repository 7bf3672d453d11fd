/* SPDX-License-Identifier: MIT */
/*
 * What flows from where events come from to who wants them: an item is an event, or what stands between two events, and
 * a sink takes items. Whatever gives items goes into any sink.
 */
#ifndef TXTAP_ITEM_H
#define TXTAP_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/event.h"
#include "txtap/header.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

/* Events between two delivered ones that were not delivered. lost 0, not exact: there may be some, nobody knows. */
struct txtap_gap {
    uint64_t seq;      /* of the first event lost */
    uint64_t lost;     /* how many */
    bool exact;        /* false: at least that many */
    uint64_t estimate; /* of a gap that is not exact: how many, by the rate of events around it; 0: no idea */
};

/* What happened to the stream itself, between two events. */
enum txtap_mark_kind {
    TXTAP_MARK_DETACHED, /* the target cannot be read any more; events may be written meanwhile */
    TXTAP_MARK_ATTACHED, /* it is read again */
    TXTAP_MARK_RESET,    /* the trace restarted: what the target wrote before and was not read is gone */
    TXTAP_MARK_MOVED,    /* the trace buffer lies elsewhere, or has another size */
    TXTAP_MARK_DISABLED, /* the firmware stopped recording */
    TXTAP_MARK_ENABLED,  /* it goes on */
    TXTAP_MARK_TRIGGER,  /* of a recording: the next event is one that was waited for; text says which */
    TXTAP_MARK_UNSURE,   /* events may be lost without a gap: the stamps stand still, and no laps are counted */
    TXTAP_MARK_HALTED,   /* the core stands still: no events until it runs again */
    TXTAP_MARK_RUNNING,  /* it runs again */
    TXTAP_MARK_KINDS
};

struct txtap_mark {
    enum txtap_mark_kind kind;
    uint64_t seq;     /* of the event that comes next */
    uint64_t unix_us; /* the host's clock, microseconds since 1970; 0: not known */
    const char *text; /* why, in a few words; any bytes, "": nothing more to say */
};

/* "reset", "detached", ...: the same in every format. NULL if kind is none. */
const char *txtap_mark_name(enum txtap_mark_kind kind);

/* Of a stream that has no events: pieces of CTF. Borrowed. */
struct txtap_bytes {
    const uint8_t *at;
    size_t length;
};

enum txtap_item_kind {
    TXTAP_ITEM_EVENT,
    TXTAP_ITEM_GAP,
    TXTAP_ITEM_MARK,
    TXTAP_ITEM_RESTART, /* what comes is of another trace buffer, or of one that was set up again, and has this header
                         */
    TXTAP_ITEM_BYTES,
};

struct txtap_item {
    enum txtap_item_kind kind;
    /* An event was written between these times of the host's monotonic clock, in microseconds. to_us 0: nobody knows
     * when; from_us 0: nobody knows since when it may have been there. */
    uint64_t from_us, to_us;
    union {                       /* what its kind says */
        struct txtap_event event; /* with its ticks; its entry and words are borrowed */
        struct txtap_gap gap;
        struct txtap_mark mark;
        struct txtap_header header;
        struct txtap_bytes bytes;
    };
};

struct txtap_sink {
    /*
     * Takes an item, which is only there until it returns. TXTAP_OK, also for kinds that it has no use for; anything
     * else ends the stream: TXTAP_END says "enough". NULL: nobody takes anything.
     */
    enum txtap_status (*take)(void *self, const struct txtap_item *item);
    void *self;
};

/* What sink.take() returns; TXTAP_OK without one. */
enum txtap_status txtap_sink_take(struct txtap_sink sink, const struct txtap_item *item);

TXTAP_API_END

#endif
