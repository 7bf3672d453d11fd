/* SPDX-License-Identifier: MIT */
/*
 * Turns pieces of memory into the fewest commands for an ST-Link, in the order of the pieces. Pure. A long piece is
 * read in blocks. Several short pieces in a row are read with one list of words, if the probe can run lists: two
 * commands replace two commands for each piece.
 */
#ifndef TXTAP_CAPTURE_PROBE_STLINK_STLINK_PLAN_H
#define TXTAP_CAPTURE_PROBE_STLINK_STLINK_PLAN_H

#include "probe/stlink/stlink_command.h"
#include "txtap/source.h"

#define STLINK_LIST_WORDS (STLINK_STEPS_MAX - 1u) /* most words of a list */

struct stlink_plan {
    const struct txtap_read *reads;
    size_t count;
    uint32_t short_bytes; /* longest piece that goes into a list; 0: the probe runs no lists */
    size_t read;          /* the piece to read next */
    uint32_t offset;      /* bytes of this piece that are read already */
};

/* The next part of the plan: a block of one piece, or whole pieces that one list reads. */
struct stlink_part {
    size_t first, pieces; /* pieces of a list; 0 pieces: a block of piece `first` */
    uint32_t offset, length;
    size_t words; /* of a list */
};

/* Returns short_bytes for a clock; khz 0: not known. A word of a list takes three transfers on the wire, and a word of
 * a block takes one transfer. In return a list saves commands, of which each takes about half a millisecond. */
uint32_t stlink_plan_short_bytes(unsigned khz);

/* Begins a plan. The pieces must be valid for a source, and are borrowed. */
void stlink_plan_init(struct stlink_plan *plan, const struct txtap_read *reads, size_t count, uint32_t short_bytes);

/* Returns false if there is nothing more to read. The length of a block is never STLINK_STATUS_BYTES. */
bool stlink_plan_next(struct stlink_plan *plan, struct stlink_part *part);

/* Makes the command for a part that is a list. */
void stlink_plan_list(const struct stlink_plan *plan, const struct stlink_part *part, uint8_t port,
                      struct stlink_command *command);

/* Copies the words of a list to its pieces. */
void stlink_plan_take(const struct stlink_plan *plan, const struct stlink_part *part, const uint8_t *words);

/* Returns the address of word `index` of a list. */
uint32_t stlink_plan_address(const struct stlink_plan *plan, const struct stlink_part *part, size_t index);

#endif
