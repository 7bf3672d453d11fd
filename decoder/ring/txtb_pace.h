/* SPDX-License-Identifier: MIT */
/*
 * Chooses the entries that the next exchange should read. The choice depends on the cost of reading and on the speed of
 * the writer, which are measured in each exchange. These functions know numbers and times, but no I/O and no evidence.
 * The reader delivers only valid entries, whatever range is chosen.
 */
#ifndef TXTAP_DECODER_RING_TXTB_PACE_H
#define TXTAP_DECODER_RING_TXTB_PACE_H

#include "txtap/ring.h"

/*
 * A debug port increments addresses automatically, but only within a block of memory. So if a piece crosses blocks,
 * many probes need a separate command for each block. On most Cortex-M a block has this size.
 */
#define RING_PACE_BLOCK_BYTES 4096u

/*
 * Returns the number of further commands that a piece needs after the first command: one command for each block border
 * inside the piece, and one command for each further block of the piece's length.
 */
static inline unsigned ring_pace_blocks(uint32_t address, uint32_t bytes)
{
    uint32_t first = address % RING_PACE_BLOCK_BYTES;

    return bytes == 0 ? 0 : (first + bytes - 1) / RING_PACE_BLOCK_BYTES + (bytes - 1) / RING_PACE_BLOCK_BYTES;
}

/* The cost of reading and the speed of the writer, measured in recent exchanges. */
struct ring_pace {
    double exchange_us, piece_us, word_us; /* costs in microseconds of an exchange, of each piece, and of each word */
    double block_us;                       /* additional cost when a piece crosses into another block of memory */
    double sums[2][4][5]; /* for recent short and long exchanges: products of 1, pieces, words and blocks with each
                             other, and with the duration */
    double rate;          /* entries that the writer makes in a microsecond */
    double deviation;     /* usual difference between predicted and real entries in an exchange */
    double gone;          /* usual number of an exchange's entries that are overwritten before they are read */
    double sum_moved, sum_us, last_moved, last_us; /* distances and times between two reads of the pointer */
    double last_words;                             /* words that the last exchange read */
    double after_us; /* time from the last read of the pointer to the end of its exchange */
    uint64_t end_us; /* end of the last exchange; 0: no exchange yet */
};

/*
 * The reads of one exchange. before_*: up to and including the read of the pointer. after_*: after the read of the
 * pointer.
 */
struct ring_pace_reads {
    unsigned before_pieces, before_words, after_pieces, after_words;
    unsigned blocks; /* sum of ring_pace_blocks() of all pieces; only pieces before the pointer are long enough to cross
                        blocks */
};

/* An exchange that was committed. */
struct ring_pace_exchange {
    struct ring_pace_reads reads;
    uint64_t begin_us, end_us;
    uint64_t moved; /* number of entries that the writer was seen to write since the preceding exchange */
    uint64_t lap;   /* moved may be too small by a multiple of lap; 0: moved is exact */
    uint64_t gone;  /* lower bound of the entries that the writer wrote up to the end of the exchange; 0: unknown */
};

/* The facts on which the choice depends. Positions count like those in struct ring_inside. */
struct ring_pace_question {
    uint64_t now_us;
    uint64_t next, read_end, head;
    uint64_t oldest; /* first position that may be read; at least next */
    uint32_t entries, readable, room;
    uint32_t ring_start; /* address */
    bool may_skip;       /* entries were lost before, so the choice may skip entries to lose fewer */
    bool half_laps;      /* the half-lap words are the only evidence */
    bool counted;        /* laps are counted, and there are no half-lap words */
    bool laps_known;     /* it is known whether laps are counted; false: the exchange reads laps after the pointer */
    bool guard_known;    /* the guard may prove that the writer is within a lap */
    bool guard_gone;     /* the guard was overwritten, so it proves nothing */
    bool may_presume;    /* if entries are skipped, the exchange need not read a guard that will be overwritten */
    bool last_slot;      /* the exchange reads the last slot if the entries begin after it */
};

struct ring_pace_choice {
    uint64_t first, end; /* within next..head; end - first is not more than room */
    bool recover; /* only without laps: read the newest known entry first, and again after the pointer; false: read the
                     guard after the pointer */
    bool again;   /* read laps and pointer a second time */
    bool presume; /* only without laps: do not read the guard; it counts as overwritten */
};

void ring_pace_note(struct ring_pace *pace, const struct ring_pace_exchange *exchange);

/*
 * Notes the number of entries in the last exchange that were expected to be valid, but that the writer had overwritten.
 */
void ring_pace_gone(struct ring_pace *pace, uint64_t entries);

/* Returns true if the writer was much slower in the last exchange than before. */
bool ring_pace_slowed(const struct ring_pace *pace);

/* Forgets the writer's speed before the last exchange. */
void ring_pace_restart(struct ring_pace *pace);

/* Chooses the next reads. Call it only if head > read_end, or if held entries must be read again. */
struct ring_pace_choice ring_pace_choose(const struct ring_pace *pace, const struct ring_pace_question *question);

#endif
