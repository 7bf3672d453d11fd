/* SPDX-License-Identifier: MIT */
/*
 * Reads a TXTB ring while the target writes it: without a lock, and without losing anything silently.
 *
 * The caller alternates txtap_ring_plan(), which says what to read, and txtap_ring_commit(), which says which of the
 * entries are valid. One plan is one exchange with the memory source; its reads must be done in the order given. Every
 * event is delivered once, in order and intact, or counted in a gap. docs/FORMAT.md proves it.
 *
 * The position of an entry is the number of entries written before it, plus one lap; entry p lies in slot p % entries.
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

/* How many of the newest entries may be held back until the kernel has written all of their fields. Only tests change
 * it. */
#ifndef TXTAP_RING_HOLD_ENTRIES
#define TXTAP_RING_HOLD_ENTRIES 16
#endif
#define TXTAP_RING_HOLD_US     2000   /* a field that the kernel writes late is trusted once unchanged for so long */
#define TXTAP_RING_PATIENCE_US 100000 /* an entry is held back no longer than this */
#define TXTAP_RING_GUARD_BYTES 20     /* id, stamp and three information words: enough to recognise an entry */
#define TXTAP_RING_READS_MAX   8
#define TXTAP_RING_BUFFER_MIN  (4 * TXTAP_RING_HOLD_ENTRIES) /* entries */

/* Where reading begins. */
enum txtap_ring_from {
    TXTAP_RING_FROM_OLDEST, /* with the oldest event that the ring holds */
    TXTAP_RING_FROM_NOW,    /* with the next event that the target writes */
    TXTAP_RING_FROM_START,  /* with the first event of this trace; those already overwritten are lost */
    TXTAP_RING_AT_REST,     /* with the oldest; nobody writes the ring, all slots can be read: a file */
};

/* Does the recorder count its laps in the header? ThreadX's does not. */
enum txtap_ring_laps { TXTAP_LAPS_UNKNOWN, TXTAP_LAPS_COUNTED, TXTAP_LAPS_NONE };

/*
 * Where a recorder that counts half-laps keeps the words beside its buffer, and what they were: docs/FORMAT.md, "The
 * half-laps". Read behind the header, of the same life as in front of it. They must lie below the buffer.
 */
struct txtap_ring_half_laps {
    uint32_t address; /* of the three words; 0: the recorder has none */
    uint32_t current; /* address of the next entry to write, in the ring */
    uint32_t half_laps, life;
};
#define TXTAP_RING_HALF_LAPS_BYTES 12

/* Private: what reading costs, and how fast the writer is, learned from recent exchanges. */
struct txtap_ring_pace {
    double exchange_us, piece_us, word_us; /* an exchange takes so long, and for each piece and each word more, */
    double block_us;                       /* and each time that a piece passes from one block of memory to the next */
    double sums[2][4][5]; /* of recent short and long exchanges: 1, pieces, words and blocks, times these and time */
    double rate;          /* entries that the writer makes in a microsecond, */
    double deviation;     /* and by how many an exchange usually misses that */
    double gone;          /* entries that an exchange reads and that do not stand, usually */
    double sum_moved, sum_us, last_moved, last_us; /* between two readings of the pointer */
    double last_words;                             /* that the last exchange read */
    double after_us; /* from the reading of the pointer to the end of the last exchange, */
    uint64_t end_us; /* which was then; 0: there was none */
};

struct txtap_ring {
    struct txtap_header header;
    uint32_t address;  /* where the header was found */
    uint32_t entries;  /* slots of the ring */
    uint32_t readable; /* slots that can be read: the writer may be in the middle of one of them */
    uint8_t *buffer;   /* the caller's, for the entries of one exchange */
    uint32_t buffer_entries;
    uint64_t patience_us; /* TXTAP_RING_PATIENCE_US; the caller may change it after init */

    enum txtap_ring_laps laps_state;
    uint64_t laps;           /* the last count read, unwrapped */
    uint32_t half_laps_at;   /* address of the words beside the buffer; 0: there are none, or */
    uint32_t left_words_at;  /* they are no longer about this ring; 0: they are, or there are none */
    uint32_t life;           /* of this trace, or the one that they are about then */
    uint64_t half_laps;      /* the last count of them, unwrapped */
    uint64_t next;           /* position of the first entry not delivered */
    uint64_t read_end;       /* position behind the newest entry read; next..read_end are held back */
    uint64_t head;           /* the writer has reached this position */
    uint64_t start;          /* entries before this position are not wanted */
    uint64_t head_at_attach; /* the writer's position when the ring was found */
    uint64_t seq_base;       /* position of event 0 */
    bool started;            /* entries missing from here on were lost; before, they were older than the attach */
    bool inexact;            /* the gap before next is larger by an unknown number of laps */
    bool behind;             /* the last exchange showed less than head, or nothing: the writer may be further by now */

    /* private: evidence that the writer has not lapped the reader */
    bool not_wrapped_yet; /* the ring had not wrapped when it was found: until the first guard is known, its empty last
                             slot serves as the guard */
    bool guard_known;
    uint8_t guard[TXTAP_RING_GUARD_BYTES]; /* of entry read_end - 1 */
    bool guard_gone;                       /* the guard was seen overwritten: find out how far the writer is ahead */
    uint64_t guard_gone_us;           /* since then the writer may only be at work in the guard's slot; 0: it is not */
    uint8_t newest[TXTB_ENTRY_BYTES]; /* the newest entry, while the pointer rests at the ring's start */
    uint64_t newest_since_us;         /* since then it is unchanged; 0: not read */

    /* private: a writer faster than the reader */
    bool overtaken; /* entries were lost in the last exchange that read any */
    bool losing;    /* the last exchange that read any lost entries, perhaps because it began late */
    struct txtap_ring_pace pace;

    /* private: entries held back */
    uint8_t held[TXTAP_RING_HOLD_ENTRIES][TXTB_ENTRY_BYTES];
    uint64_t held_us[TXTAP_RING_HOLD_ENTRIES]; /* since when each is unchanged */
    uint64_t seen_us[TXTAP_RING_HOLD_ENTRIES]; /* when each was first read */
    uint32_t rested;                           /* bit n: held[n] has been unchanged for HOLD_US */
    uint8_t flushed[TXTAP_RING_HOLD_ENTRIES][TXTB_ENTRY_BYTES];
};

/* One exchange: what to read, and where the answers go. Must not be moved before it is committed. */
struct txtap_ring_plan {
    struct txtap_read reads[TXTAP_RING_READS_MAX];
    size_t count;        /* of reads */
    uint64_t first, end; /* positions of the entries to read into ring->buffer; first == end: an idle poll */

    /* private */
    uint64_t head;   /* ring->head when planned */
    uint64_t now_us; /* when planned */
    bool half_laps;  /* live holds the three words beside the buffer, and no other evidence was read */
    bool whole_live; /* live holds the header's words 16..35, not only its current pointer */
    bool again;      /* live_after was read, behind live */
    bool at_start;   /* newest_after was read: the pointer stands at the ring's start */
    bool recover;    /* newest_* were read: the writer may have overtaken the reader; */
    bool presume;    /* guard_before was not, it is taken for gone */
    bool guard;      /* guard_after was read */
    bool last_slot;  /* last_thread was read, of the ring's last slot, which lies before the entries */
    uint8_t live[20], live_after[20], last_thread[4];
    uint8_t newest_before[TXTB_ENTRY_BYTES], newest_after[TXTB_ENTRY_BYTES];
    uint8_t guard_before[TXTAP_RING_GUARD_BYTES], guard_after[TXTAP_RING_GUARD_BYTES];
    uint8_t left_words[TXTAP_RING_HALF_LAPS_BYTES]; /* behind all others, once they have left the ring */
};

/* What an exchange delivers, in this order: held entries, a gap, entries. The ring owns the memory. */
struct txtap_ring_batch {
    const uint8_t *held; /* held_count entries held back before and now overwritten: delivered as they were read */
    size_t held_count;
    uint64_t held_seq;       /* of the first of them */
    uint32_t held_unsettled; /* bit n: the kernel may not have finished the entry n before the last one */
    uint64_t lost;           /* events in the gap; 0: no gap */
    bool exact;              /* false: lost is the least that the gap may have */
    uint64_t lost_seq;       /* of the first event lost */
    uint32_t lap;            /* a gap that is not exact may be larger by a multiple of this; 0: of the ring's entries */
    const uint8_t *entries;  /* count entries */
    size_t count;
    uint64_t seq;       /* of the first of them */
    uint32_t unsettled; /* as held_unsettled */
};

/*
 * What a reader begins with. A ring of one entry must be AT_REST: the writer may be at work in its only slot at any
 * moment, so no entry can be read and no loss noticed. FROM_START knows exactly how many events were overwritten if
 * laps are counted, or if the ring had not wrapped when the header was read; otherwise its gap is "at least".
 */
struct txtap_ring_config {
    const struct txtap_header *header; /* parsed with TXTAP_OK; copied */
    uint32_t address;                  /* where it was read */
    uint8_t *buffer;                   /* room for buffer_entries entries; borrowed as long as the ring is in use */
    uint32_t buffer_entries;           /* at least TXTAP_RING_BUFFER_MIN */
    enum txtap_ring_from from;
    struct txtap_ring_half_laps half_laps; /* .address 0: none; then laps are learned from the header */
};

void txtap_ring_init(struct txtap_ring *ring, const struct txtap_ring_config *config);

/* Says what to read next. now_us: any monotonic clock in microseconds, the same for all calls. */
void txtap_ring_plan(struct txtap_ring *ring, struct txtap_ring_plan *plan, uint64_t now_us);

/*
 * Takes the answers to a plan after all of its reads succeeded. TXTAP_OK: *batch has what is delivered, which may be
 * nothing. TXTAP_ERROR_POINTER: the current pointer is not at an entry; the ring is unchanged. TXTAP_ERROR_MOVED: the
 * header describes another buffer, or tracing restarted in this one; the ring is unchanged, except that ring->head goes
 * back to what has been read if its position may belong to the new trace.
 */
enum txtap_status txtap_ring_commit(struct txtap_ring *ring, const struct txtap_ring_plan *plan, uint64_t now_us,
                                    struct txtap_ring_batch *batch);

/*
 * After the last exchange: delivers the held entries as they were read, and as a gap the entries before position until
 * (an earlier value of ring->head) that were written but not read.
 */
void txtap_ring_finish(struct txtap_ring *ring, uint64_t until, struct txtap_ring_batch *batch);

/* The number of events that are known to be written since the trace began: the seq of the next one. */
uint64_t txtap_ring_written(const struct txtap_ring *ring);

/* Entries known to be written and not yet read. If there are many, poll again at once. */
uint64_t txtap_ring_unread(const struct txtap_ring *ring);

/* Entries read and held back: poll again soon to deliver them. */
uint64_t txtap_ring_held(const struct txtap_ring *ring);

TXTAP_API_END

#endif
