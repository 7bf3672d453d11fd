/* SPDX-License-Identifier: MIT */
/* What stands between the events of a stream: gaps, and what happened to the stream itself. */
#ifndef TXTAP_ITEM_H
#define TXTAP_ITEM_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/api.h"

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

TXTAP_API_END

#endif
