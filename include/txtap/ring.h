/* SPDX-License-Identifier: MIT */
/*
 * Reads a TXTB ring while the target writes it. The reader needs no lock, and reports every loss.
 *
 * The caller alternates txtap_ring_plan(), which plans the reads, and txtap_ring_commit(), which decides which of the
 * entries are valid. One plan is one exchange with the memory source; the reads of a plan must be done in the order
 * given. Every event is either delivered once, in order and intact, or counted in a gap. docs/developer/reader-proof.md
 * proves this property.
 *
 * The position of an entry is the number of entries written before it, plus one lap; entry p is in slot p % entries.
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

/*
 * The number of newest entries that may be held back until the kernel has written all fields of them. Only tests change
 * this number.
 */
#ifndef TXTAP_RING_HOLD_ENTRIES
#define TXTAP_RING_HOLD_ENTRIES 16
#endif
#define TXTAP_RING_HOLD_US     2000   /* a late field is valid once it has not changed for this time */
#define TXTAP_RING_PATIENCE_US 100000 /* default of txtap_ring_config.patience_us */
#define TXTAP_RING_GUARD_BYTES 20     /* id, stamp and three information words: enough to recognise an entry */
#define TXTAP_RING_READS_MAX   8
#define TXTAP_RING_BUFFER_MIN  (4 * TXTAP_RING_HOLD_ENTRIES) /* entries */

/* The event with which reading begins. */
enum txtap_ring_from {
    TXTAP_RING_FROM_OLDEST, /* the oldest event in the ring */
    TXTAP_RING_FROM_NOW,    /* the next event that the target writes */
    TXTAP_RING_FROM_START,  /* the first event of this trace; events already overwritten count as lost */
    TXTAP_RING_AT_REST,     /* the oldest event; for a ring in a file: nothing writes to it, so every slot is valid */
};

/* Does the recorder count its laps in the header? ThreadX's recorder does not. */
enum txtap_ring_laps { TXTAP_LAPS_UNKNOWN, TXTAP_LAPS_COUNTED, TXTAP_LAPS_NONE };

/*
 * The half-lap words of a recorder that counts half-laps: their address and their values. Before txtap_ring_init() the
 * caller reads the words twice, before and after the header, and life must be equal in both reads. The addresses of the
 * words must be below the buffer. docs/reference/txtb.md describes them.
 */
struct txtap_ring_half_laps {
    uint32_t address; /* address of the three words; 0: the recorder has no half-lap words */
    uint32_t current; /* address of the next entry to write, in the ring */
    uint32_t half_laps, life;
};
#define TXTAP_RING_HALF_LAPS_BYTES 12

#define TXTAP_RING_STORAGE (768 + 80 * TXTAP_RING_HOLD_ENTRIES) /* bytes of a struct txtap_ring */

/* A reader of one ring. Its content is private: use txtap_ring_state(). */
struct txtap_ring {
    union {
        unsigned char bytes[TXTAP_RING_STORAGE];
        uint64_t aligned;
    } storage;
};

/* The progress of a reader, and its knowledge of the writer. */
struct txtap_ring_state {
    uint32_t entries;        /* slots of the ring */
    uint32_t buffer_entries; /* maximum number of entries in one exchange: see txtap_ring_limit() */
    uint64_t next;           /* position of the first entry not delivered */
    uint64_t head;           /* the writer has reached this position */
    uint64_t start;          /* entries before this position are not wanted */
    uint64_t head_at_attach; /* the writer's position when the ring was found */
    uint64_t seq_base;       /* position of event 0 */
    bool started;     /* missing entries count as lost; false: they are older than the attach, and do not count */
    bool inexact;     /* the gap before next is larger by an unknown number of laps */
    bool behind;      /* the last exchange did not reach head, so the writer may be further ahead */
    bool overtaken;   /* the writer is faster: the last exchange that read entries also lost entries */
    bool guard_known; /* a guard entry was read: if its slot changes, the writer has completed a lap */
    bool guard_gone;  /* the guard's slot changed: the next exchanges find the writer's position */
    enum txtap_ring_laps laps_state;
    uint64_t laps;         /* the last lap count read, unwrapped */
    uint32_t half_laps_at; /* address of the half-lap words; 0: the recorder has none, or uses them for another ring */
    uint32_t life;         /* life number of this trace, from the half-lap words */
    uint64_t half_laps;    /* the last half-lap count, unwrapped */
};

/* One exchange: the reads, and the memory for their answers. Must not be moved before it is committed. */
struct txtap_ring_plan {
    struct txtap_read reads[TXTAP_RING_READS_MAX];
    size_t count;        /* of reads */
    uint64_t first, end; /* positions of the entries to read into the buffer; first == end: no entries are read */

    /* private */
    uint64_t head;   /* the writer's position that was known when the plan was made */
    uint64_t now_us; /* when the plan was made */
    bool half_laps;  /* live contains the three half-lap words; no other evidence was read */
    bool whole_live; /* live contains bytes 16 to 35 of the header, not only its current pointer */
    bool again;      /* live_after was read, after live */
    bool at_start;   /* newest_after was read, because the current pointer is at the ring's start */
    bool recover;    /* both newest_* were read, because the writer may have overtaken the reader */
    bool presume;    /* guard_before was not read, and the guard counts as overwritten */
    bool guard;      /* guard_after was read */
    bool last_slot;  /* last_thread, the thread word of the ring's last slot, was read: the entries follow this slot */
    uint8_t live[20], live_after[20], last_thread[4];
    uint8_t newest_before[TXTB_ENTRY_BYTES], newest_after[TXTB_ENTRY_BYTES];
    uint8_t guard_before[TXTAP_RING_GUARD_BYTES], guard_after[TXTAP_RING_GUARD_BYTES];
    uint8_t left_words[TXTAP_RING_HALF_LAPS_BYTES]; /* the half-lap words if they describe another ring; this is the
                                                       last read */
};

/* The results of an exchange, in this order: held entries, a gap, entries. The ring owns the memory. */
struct txtap_ring_batch {
    const uint8_t *held; /* held_count entries that were held back and are now overwritten, as last read */
    size_t held_count;
    uint64_t held_seq;       /* seq of the first held entry */
    uint32_t held_unsettled; /* bit n: the kernel may not have finished entry held_count - 1 - n */
    uint64_t lost;           /* events in the gap; 0: no gap */
    bool exact;              /* false: lost is a lower bound */
    uint64_t lost_seq;       /* seq of the first lost event */
    uint32_t lap; /* an inexact gap may be larger than lost by a multiple of lap; lap 0: by a multiple of the number of
                     slots */
    const uint8_t *entries; /* count entries */
    size_t count;
    uint64_t seq;       /* seq of the first entry */
    uint32_t unsettled; /* bit n: the kernel may not have finished entry count - 1 - n */
};

/*
 * The configuration of a reader. A ring of one entry must be AT_REST: the writer may write the only slot at any moment,
 * so a reader can neither read an entry nor detect a loss. With FROM_START, the number of overwritten events is exact
 * in two cases: laps are counted, or the ring had not wrapped when the header was read. Otherwise this number is a
 * lower bound.
 */
struct txtap_ring_config {
    const struct txtap_header *header; /* parsed with TXTAP_OK; copied */
    uint32_t address;                  /* address at which the header was read */
    uint8_t *buffer;                   /* room for buffer_entries entries; borrowed while the reader is in use */
    uint32_t buffer_entries;           /* at least TXTAP_RING_BUFFER_MIN */
    enum txtap_ring_from from;
    struct txtap_ring_half_laps half_laps; /* .address 0: there are none; the reader then uses the header's lap count */
    uint64_t patience_us; /* the longest time for which an entry is held back; 0: TXTAP_RING_PATIENCE_US */
};

void txtap_ring_init(struct txtap_ring *ring, const struct txtap_ring_config *config);

/* Plans the next reads. now_us: microseconds of a monotonic clock, the same clock for all calls. */
void txtap_ring_plan(struct txtap_ring *ring, struct txtap_ring_plan *plan, uint64_t now_us);

/*
 * Takes the answers to a plan after all of its reads succeeded. TXTAP_OK: *batch has the entries and gaps to deliver;
 * *batch may be empty. TXTAP_ERROR_POINTER: the current pointer does not point to an entry. The reader is then
 * unchanged. TXTAP_ERROR_MOVED: the header describes another buffer, or tracing restarted in this buffer. The reader is
 * then unchanged, with one exception: if head may belong to the new trace, head is set to the end of the entries read.
 */
enum txtap_status txtap_ring_commit(struct txtap_ring *ring, const struct txtap_ring_plan *plan, uint64_t now_us,
                                    struct txtap_ring_batch *batch);

/*
 * Ends reading. Delivers the held entries as they were read. Reports the unread entries before the position `until` as
 * a gap. until: the present or an earlier head of the reader's state.
 */
void txtap_ring_finish(struct txtap_ring *ring, uint64_t until, struct txtap_ring_batch *batch);

/*
 * Returns the number of events known to be written since the trace began. This number is also the seq of the next
 * event.
 */
uint64_t txtap_ring_written(const struct txtap_ring *ring);

/* Returns the number of entries known to be written and not yet read. If there are many, poll again at once. */
uint64_t txtap_ring_unread(const struct txtap_ring *ring);

/* Returns the state of the reader after the last call. */
struct txtap_ring_state txtap_ring_state(const struct txtap_ring *ring);

/*
 * Limits the number of entries that one exchange reads, from the next plan on. entries: TXTAP_RING_BUFFER_MIN up to the
 * real size of the buffer, even if that is more than buffer_entries of the configuration.
 */
void txtap_ring_limit(struct txtap_ring *ring, uint32_t entries);

/* Makes the size of the next gap a lower bound, because the writer may have completed whole laps unnoticed. */
void txtap_ring_mark_inexact(struct txtap_ring *ring);

/* Returns the number of entries that were read and are held back. To deliver them, poll again soon. */
uint64_t txtap_ring_held(const struct txtap_ring *ring);

TXTAP_API_END

#endif
