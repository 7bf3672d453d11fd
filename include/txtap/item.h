/* SPDX-License-Identifier: MIT */
/*
 * An item is an event, or something between two events, such as a gap or a mark. Every origin (a live ring, a file, a
 * recording) gives items, and every sink (an exporter, an analysis, a recorder) takes them.
 */
#ifndef TXTAP_ITEM_H
#define TXTAP_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/event.h"
#include "txtap/header.h"
#include "txtap/sample.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

/* Events that were lost between two delivered events. lost 0 and not exact: an unknown number of events may be missing.
 */
struct txtap_gap {
    uint64_t seq;      /* seq of the first lost event */
    uint64_t lost;     /* number of lost events */
    bool exact;        /* false: lost is a lower bound */
    uint64_t estimate; /* an inexact gap's size, estimated from the event rate around it; 0: unknown */
};

/* Changes of the stream itself, between two events. */
enum txtap_mark_kind {
    TXTAP_MARK_DETACHED, /* the target cannot be read, but it may continue to write events */
    TXTAP_MARK_ATTACHED, /* the target can be read again */
    TXTAP_MARK_RESET,    /* the trace restarted: earlier events that were not read are gone */
    TXTAP_MARK_MOVED,    /* the trace buffer has another address or size */
    TXTAP_MARK_DISABLED, /* the firmware stopped recording events */
    TXTAP_MARK_ENABLED,  /* the firmware records events again */
    TXTAP_MARK_TRIGGER,  /* in a recording: the next event is a trigger, or a check failed; text contains the trigger or
                            the check */
    TXTAP_MARK_UNSURE,   /* events may be lost without a gap: the time stamps do not change, and laps are not counted */
    TXTAP_MARK_HALTED,   /* the core is halted: no events until it runs again */
    TXTAP_MARK_RUNNING,  /* the core runs again */
    TXTAP_MARK_CHECK,    /* a check is violated from now on; text contains the check and the measured value */
    TXTAP_MARK_FAULT,    /* the core is in a fault handler or locked up, or it was reset; text contains the cause */
    TXTAP_MARK_KINDS
};

struct txtap_mark {
    enum txtap_mark_kind kind;
    uint64_t seq;     /* seq of the next event */
    uint64_t unix_us; /* microseconds since 1970 by the host's clock; 0: not known */
    const char *text; /* the reason in a few words; any bytes; "": no reason */
};

/* Returns "reset", "detached", ...: the same in every format. NULL if there is no such kind. */
const char *txtap_mark_name(enum txtap_mark_kind kind);

/* A piece of a CTF stream, which is passed on as bytes and not as events. Borrowed. */
struct txtap_bytes {
    const uint8_t *at;
    size_t length;
};

enum txtap_item_kind {
    TXTAP_ITEM_EVENT,
    TXTAP_ITEM_GAP,
    TXTAP_ITEM_MARK,
    TXTAP_ITEM_RESTART, /* the header of another trace buffer, or of a new trace in the same buffer */
    TXTAP_ITEM_BYTES,
    TXTAP_ITEM_SAMPLE,
};

struct txtap_item {
    enum txtap_item_kind kind;
    /* The event was written between these two times of the host's monotonic clock, in microseconds. to_us 0: the time
     * is unknown. from_us 0: there is no lower bound. */
    uint64_t from_us, to_us;
    union {                       /* kind selects the valid member */
        struct txtap_event event; /* ticks is set; entry and words are borrowed */
        struct txtap_gap gap;
        struct txtap_mark mark;
        struct txtap_header header;
        struct txtap_bytes bytes;
        struct txtap_sample sample;
    };
};

struct txtap_sink {
    /*
     * Takes an item, which is valid until the function returns. Returns TXTAP_OK, even if the sink ignores items of
     * this kind. Any other status ends the stream; TXTAP_END: the sink needs no further items. NULL: the sink ignores
     * all items.
     */
    enum txtap_status (*take)(void *self, const struct txtap_item *item);
    void *self;
};

/* Passes the item to the sink and returns the sink's status; TXTAP_OK if take is NULL. */
enum txtap_status txtap_sink_take(struct txtap_sink sink, const struct txtap_item *item);

TXTAP_API_END

#endif
