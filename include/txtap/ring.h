/* SPDX-License-Identifier: MIT */
/*
 * Reads a ring that is being written, without a lock and without missing anything silently.
 *
 * The caller alternates txtap_ring_plan(), which says what to read, and txtap_ring_commit(), which says what of it
 * stands. One plan is one exchange with the memory source; its reads must be done in the order given. Every event is
 * delivered once, in order, intact, or counted in a gap. docs/FORMAT.md has the argument why.
 *
 * A position is the number of entries written before an entry, plus one lap; entry p lies in slot p % entries.
 */
#ifndef TXTAP_RING_H
#define TXTAP_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/header.h"
#include "txtap/source.h"

TXTAP_API_BEGIN

/* The newest entries whose late-written fields are not trusted at once. Not for callers to change, but for tests. */
#ifndef TXTAP_RING_HOLD_ENTRIES
#define TXTAP_RING_HOLD_ENTRIES 16
#endif
#define TXTAP_RING_HOLD_US     2000   /* how long a late-written field must stay the same to be trusted */
#define TXTAP_RING_PATIENCE_US 100000 /* how long one may keep the entry waiting */
#define TXTAP_RING_GUARD_BYTES 20     /* id, stamp and three information words: enough to know an entry again */
#define TXTAP_RING_READS_MAX   7
#define TXTAP_RING_BUFFER_MIN  (4 * TXTAP_RING_HOLD_ENTRIES) /* entries */

enum txtap_ring_from {
    TXTAP_RING_FROM_OLDEST, /* what the ring holds, then what comes */
    TXTAP_RING_FROM_NOW,    /* only what comes */
    TXTAP_RING_FROM_START, /* all that this trace has in it from its first event on; what is overwritten already is lost
                            */
    TXTAP_RING_AT_REST,    /* all slots of a ring that nobody writes: a file */
};

/* Does the recorder count its laps in the header? ThreadX's does not. */
enum txtap_ring_laps { TXTAP_LAPS_UNKNOWN, TXTAP_LAPS_COUNTED, TXTAP_LAPS_NONE };

/* How far the writer moves during an exchange, by those that were seen. Nothing in it is for the caller. */
struct txtap_ring_pace {
    double fixed, per_entry;                              /* moved = fixed + entries read * per_entry, */
    double deviation;                                     /* give or take */
    double weight, sum_n, sum_moved, sum_nn, sum_n_moved; /* of the exchanges of late */
};

struct txtap_ring {
    struct txtap_header header;
    uint32_t address;  /* where the header was found */
    uint32_t entries;  /* slots of the ring */
    uint32_t readable; /* of them; the one that the writer may be in the middle of is not */
    uint8_t *buffer;   /* the caller's, for the entries of one exchange */
    uint32_t buffer_entries;

    enum txtap_ring_laps laps_state;
    uint64_t laps;           /* last count read, unwrapped */
    uint64_t next;           /* position of the first entry not delivered */
    uint64_t read_end;       /* position behind the newest entry read; next..read_end are held back */
    uint64_t head;           /* the writer is at this position or further */
    uint64_t start;          /* nothing before it is wanted */
    uint64_t head_at_attach; /* the writer was here when the ring was found */
    uint64_t seq_base;       /* position of event 0 */
    bool started;            /* from now on what is missing was lost, not older than the attach */
    bool inexact;            /* the gap before next is larger by an unknown number of laps */
    bool behind;             /* the last exchange told less of the writer than head: it may be further by now */

    bool not_wrapped_yet; /* when it was found; until the first guard is known, its empty last slot serves as one */
    bool guard_known;
    uint8_t guard[TXTAP_RING_GUARD_BYTES]; /* of entry read_end - 1 */
    bool guard_gone;                       /* it was seen overwritten: find out how far the writer is ahead */
    uint64_t guard_gone_us;           /* since when that may only be the writer at work in its slot; 0: it is not */
    uint8_t newest[TXTB_ENTRY_BYTES]; /* the newest entry, while the pointer rests at the ring's start */
    uint64_t newest_since_us;         /* since when it is the same; 0: not read */

    bool overtaken; /* exchanges lose entries while reading them: those that will be gone are not read at all */
    struct txtap_ring_pace pace;

    uint8_t held[TXTAP_RING_HOLD_ENTRIES][TXTB_ENTRY_BYTES];
    uint64_t held_us[TXTAP_RING_HOLD_ENTRIES]; /* since when each looks like this */
    uint64_t seen_us[TXTAP_RING_HOLD_ENTRIES]; /* when each was read first */
    uint32_t rested;                           /* bit n: held[n] has looked like this for HOLD_US */
    uint64_t patience_us;                      /* PATIENCE_US, unless the caller changes it after init */
    uint8_t flushed[TXTAP_RING_HOLD_ENTRIES][TXTB_ENTRY_BYTES];
};

/* One exchange: what to read, and where the answers go. To be kept unmoved until committed. */
struct txtap_ring_plan {
    struct txtap_read reads[TXTAP_RING_READS_MAX];
    size_t count;
    uint64_t first, end; /* positions of the entries that are read, into ring->buffer; first == end: an idle poll */
    uint64_t head;       /* ring->head when planned */
    uint64_t now_us;     /* when planned */
    bool whole_live;     /* live holds the header's words 16..35, not only its current pointer */
    bool laps_again;     /* laps_after was read */
    bool at_start;       /* newest_after was read, for a pointer that stands at the ring's start */
    bool recover;        /* newest_* and guard_before were read, for a writer that may have overtaken the reader */
    bool guard;          /* guard_after was read */
    bool last_slot;      /* last_thread was read: of the ring's last slot, which lies before the entries */
    uint8_t live[20], laps_after[4], last_thread[4];
    uint8_t newest_before[TXTB_ENTRY_BYTES], newest_after[TXTB_ENTRY_BYTES];
    uint8_t guard_before[TXTAP_RING_GUARD_BYTES], guard_after[TXTAP_RING_GUARD_BYTES];
};

/* What stands after an exchange, in this order: held entries, a gap, entries. All memory is the ring's. */
struct txtap_ring_batch {
    const uint8_t *held; /* held_count entries that can no longer be read again: delivered as they were read */
    size_t held_count;
    uint64_t held_seq;
    uint32_t held_unsettled; /* bit n: a late word of the entry n before the last one may not be what it will be */
    uint64_t lost;           /* 0: no gap */
    bool exact;
    uint64_t lost_seq;
    uint32_t lap; /* of a gap that is not exact: it may be larger by this, or by several times this; 0: the ring's */
    const uint8_t *entries;
    size_t count;
    uint64_t seq;
    uint32_t unsettled; /* the same */
};

/*
 * What a reader begins with. A ring of one entry must be AT_REST: its only slot is the one that may be written at any
 * moment, so nothing can be read and no loss be noticed. FROM_START knows exactly what was overwritten already if laps
 * are counted, or if the ring had not wrapped when the header was read; otherwise its gap says "at least".
 */
struct txtap_ring_config {
    const struct txtap_header *header; /* parsed with TXTAP_OK; copied */
    uint32_t address;                  /* where it was read, in a target that may be running */
    uint8_t *buffer;                   /* the caller's for as long as the ring is used: room for */
    uint32_t buffer_entries;           /* so many entries, at least TXTAP_RING_BUFFER_MIN */
    enum txtap_ring_from from;
};

void txtap_ring_init(struct txtap_ring *ring, const struct txtap_ring_config *config);

/* Says what to read next. now_us: any monotonic clock in microseconds, the same for all calls. */
void txtap_ring_plan(struct txtap_ring *ring, struct txtap_ring_plan *plan, uint64_t now_us);

/*
 * Takes the answers to a plan, all of whose reads succeeded. TXTAP_OK: *batch holds what stands, maybe nothing.
 * TXTAP_ERROR_POINTER: the pointer read is none; nothing changed. TXTAP_ERROR_MOVED: the header describes another
 * buffer, or this one restarted; nothing changed, except that ring->head goes back to what has been read if the
 * position it had may be the new trace's.
 */
enum txtap_status txtap_ring_commit(struct txtap_ring *ring, const struct txtap_ring_plan *plan, uint64_t now_us,
                                    struct txtap_ring_batch *batch);

/*
 * After the last exchange: the held entries as they were read, and as a gap what was written before position until (a
 * value that ring->head had) and not read any more.
 */
void txtap_ring_finish(struct txtap_ring *ring, uint64_t until, struct txtap_ring_batch *batch);

/* Entries known to be written and not yet read: poll again at once when there are many. */
uint64_t txtap_ring_unread(const struct txtap_ring *ring);

/* Entries read and held back: they want another poll soon. */
uint64_t txtap_ring_held(const struct txtap_ring *ring);

TXTAP_API_END

#endif
