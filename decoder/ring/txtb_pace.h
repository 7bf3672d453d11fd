/* SPDX-License-Identifier: MIT */
/*
 * Which entries the next exchange should read, by what reading costs and by how fast the writer moves, both measured
 * from exchange to exchange. Knows numbers and times, neither I/O nor evidence: whatever it proposes, the reader
 * delivers only what stands.
 */
#ifndef TXTAP_DECODER_RING_TXTB_PACE_H
#define TXTAP_DECODER_RING_TXTB_PACE_H

#include "txtap/ring.h"

/*
 * A debug port counts addresses up by itself only within a block, so many probes read each block's part of a piece by a
 * command of its own. On most Cortex-M a block has this size.
 */
#define RING_PACE_BLOCK_BYTES 4096u

/* Commands that a piece needs beyond its first, if each reads up to a block, and within a block. */
static inline unsigned ring_pace_blocks(uint32_t address, uint32_t bytes)
{
    uint32_t first = address % RING_PACE_BLOCK_BYTES;

    return bytes == 0 ? 0 : (first + bytes - 1) / RING_PACE_BLOCK_BYTES + (bytes - 1) / RING_PACE_BLOCK_BYTES;
}

/* What reading costs, and how fast the writer is, learned from recent exchanges. */
struct ring_pace {
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

/* What was read in one exchange: up to and including the writer's pointer, and behind it. */
struct ring_pace_reads {
    unsigned before_pieces, before_words, after_pieces, after_words;
    unsigned blocks; /* ring_pace_blocks() of all pieces; only long ones have any, and they are read before */
};

/* An exchange that was committed. */
struct ring_pace_exchange {
    struct ring_pace_reads reads;
    uint64_t begin_us, end_us;
    uint64_t moved; /* how far the writer was seen to move since the exchange before, */
    uint64_t lap;   /* or this more, or a multiple of it; 0: exactly so far */
    uint64_t gone;  /* by its end it had moved at least so far; 0: that is not known */
};

/* What the proposal depends on. Positions as in struct ring_inside. */
struct ring_pace_question {
    uint64_t now_us;
    uint64_t next, read_end, head;
    uint64_t oldest; /* the first entry that may be read: not before next */
    uint32_t entries, readable, room;
    uint32_t ring_start; /* address */
    bool may_skip;       /* entries have been lost, so more may be left out to lose fewer */
    bool half_laps;      /* the words beside the buffer are all the evidence, */
    bool counted;        /* or else laps are counted */
    bool laps_known;     /* whether they are; else they are read after the pointer */
    bool guard_known;    /* the guard may show that the writer is within a lap, */
    bool guard_gone;     /* unless it is gone */
    bool may_presume;    /* a guard that will be gone may be left out if entries are skipped */
    bool last_slot;      /* the last slot is read if the entries begin behind it */
};

struct ring_pace_choice {
    uint64_t first, end; /* within next..head; end - first is not more than room */
    bool recover;        /* without laps: the newest entry known is read before and after; else the guard, after */
    bool again;          /* laps and pointer are read once more, at the end */
    bool presume;        /* without laps: the guard is taken for gone and not read */
};

void ring_pace_note(struct ring_pace *pace, const struct ring_pace_exchange *exchange);

/* So many entries of the last exchange did not stand, although it was known how many could. */
void ring_pace_gone(struct ring_pace *pace, uint64_t entries);

/* Was the writer much slower in the last exchange than before? */
bool ring_pace_slowed(const struct ring_pace *pace);

/* Forgets how fast the writer was before the last exchange. */
void ring_pace_restart(struct ring_pace *pace);

/* head > read_end, or an entry held back is to be read again. */
struct ring_pace_choice ring_pace_choose(const struct ring_pace *pace, const struct ring_pace_question *question);

#endif
