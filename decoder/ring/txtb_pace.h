/* SPDX-License-Identifier: MIT */
/*
 * Chooses the entries that the next exchange should read, by the cost of reading and the speed of the writer. Both are
 * measured in each exchange. This file knows numbers and times, but no I/O and no evidence. Whatever range it chooses,
 * the reader delivers only valid entries.
 */
#ifndef TXTAP_DECODER_RING_TXTB_PACE_H
#define TXTAP_DECODER_RING_TXTB_PACE_H

#include "txtap/ring.h"

/*
 * A debug port increments addresses by itself only within a block. So many probes read the part of a piece in each
 * block by a separate command. On most Cortex-M a block has this size.
 */
#define RING_PACE_BLOCK_BYTES 4096u

/*
 * Returns the number of further commands that a piece needs after its first: one for each block border in it, and one
 * for each further block of its length.
 */
static inline unsigned ring_pace_blocks(uint32_t address, uint32_t bytes)
{
    uint32_t first = address % RING_PACE_BLOCK_BYTES;

    return bytes == 0 ? 0 : (first + bytes - 1) / RING_PACE_BLOCK_BYTES + (bytes - 1) / RING_PACE_BLOCK_BYTES;
}

/* The cost of reading and the speed of the writer, measured in recent exchanges. */
struct ring_pace {
    double exchange_us, piece_us, word_us; /* fixed cost of an exchange, of each piece in it, and of each word */
    double block_us;                       /* additional cost when a piece crosses into another block of memory */
    double sums[2][4][5]; /* of recent short and long exchanges: products of 1, pieces, words, blocks with each other
                             and with the duration */
    double rate;          /* entries that the writer makes in a microsecond */
    double deviation;     /* entries by which an exchange usually differs from rate */
    double gone;          /* entries of an exchange that were usually overwritten before they could be read */
    double sum_moved, sum_us, last_moved, last_us; /* between two reads of the pointer */
    double last_words;                             /* words that the last exchange read */
    double after_us;                               /* from the read of the pointer to the end of the last exchange */
    uint64_t end_us;                               /* end of the last exchange; 0: no exchange yet */
};

/* The reads of one exchange: before_* up to and including the writer's pointer, after_* after it. */
struct ring_pace_reads {
    unsigned before_pieces, before_words, after_pieces, after_words;
    unsigned blocks; /* ring_pace_blocks() of all pieces; only long pieces cross blocks, and they are read before the
                        pointer */
};

/* An exchange that was committed. */
struct ring_pace_exchange {
    struct ring_pace_reads reads;
    uint64_t begin_us, end_us;
    uint64_t moved; /* entries that the writer was seen to make since the exchange before */
    uint64_t lap;   /* moved may be too small by a multiple of this; 0: moved is exact */
    uint64_t gone;  /* the writer made at least this many entries by the end of the exchange; 0: unknown */
};

/* The facts on which the choice depends. Positions count like those in struct ring_inside. */
struct ring_pace_question {
    uint64_t now_us;
    uint64_t next, read_end, head;
    uint64_t oldest; /* the first entry that may be read; not before next */
    uint32_t entries, readable, room;
    uint32_t ring_start; /* address */
    bool may_skip;       /* entries have been lost, so some may be skipped to lose fewer */
    bool half_laps;      /* the half-lap words are the only evidence */
    bool counted;        /* laps are counted, and half_laps is false */
    bool laps_known;     /* it is known whether laps are counted; false: laps are read after the pointer */
    bool guard_known;    /* the guard may prove that the writer is within a lap */
    bool guard_gone;     /* the guard was overwritten, so it proves nothing */
    bool may_presume;    /* if entries are skipped, a guard that will be overwritten need not be read */
    bool last_slot;      /* the last slot is read if the entries begin after it */
};

struct ring_pace_choice {
    uint64_t first, end; /* within next..head; end - first is not more than room */
    bool recover; /* without laps: reads the newest known entry before and after the others; false: reads the guard
                     after the pointer */
    bool again;   /* reads laps and pointer a second time */
    bool presume; /* without laps: does not read the guard, which counts as overwritten */
};

void ring_pace_note(struct ring_pace *pace, const struct ring_pace_exchange *exchange);

/*
 * Notes the number of entries of the last exchange that the writer overwrote, although they had been expected to be
 * valid.
 */
void ring_pace_gone(struct ring_pace *pace, uint64_t entries);

/* Returns true if the writer was much slower in the last exchange than before. */
bool ring_pace_slowed(const struct ring_pace *pace);

/* Forgets how fast the writer was before the last exchange. */
void ring_pace_restart(struct ring_pace *pace);

/* Chooses the next reads. Requires head > read_end, or an entry held back that is to be read again. */
struct ring_pace_choice ring_pace_choose(const struct ring_pace *pace, const struct ring_pace_question *question);

#endif
