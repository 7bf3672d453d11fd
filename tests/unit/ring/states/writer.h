/* SPDX-License-Identifier: MIT */
/*
 * The writer: the value of each word of the target's memory at a moment. The memory depends only on the number of
 * stores made, so a moment describes it completely. An event takes at most eleven stores: eight words of the entry, the
 * half-laps, the pointer, the laps. One store writes the header's pointer and the pointer beside the header.
 */
#ifndef TXTAP_TESTS_RING_STATES_WRITER_H
#define TXTAP_TESTS_RING_STATES_WRITER_H

#include "ring/states/configuration.h"

#define TARGET_BASE      0x20000100u
#define RING_START       (TARGET_BASE + TXTB_HEADER_BYTES) /* the registry has no objects */
#define HALF_LAPS_AT     (TARGET_BASE - TXTAP_RING_HALF_LAPS_BYTES)
#define NAME_BYTES       32u
#define STORES_AN_EVENT  11
#define FIRST_TRACE      0x40000000u /* the event with number n has this + 8 * n + i in its word i */
#define SECOND_TRACE     0x60000000u
#define NUMBERS_END      0x80000000u
#define FIRST_LIFE       1u
#define OLDER_THAN_KNOWN 0x3FFFFF00u /* replaces the words of events that no longer matter */

struct moment {
    int32_t stores;   /* events * STORES_AN_EVENT + stores of the next event */
    int32_t complete; /* the late words of all events with lower numbers are written */
    int32_t again;    /* number of stores of the new trace; -1: the trace was not set up again */
    int32_t set_up;   /* for AGAIN_SET_UP: number of completed steps of the set-up; see writer_sets_up() */
    int32_t again_to; /* maximum of `again` until the reader notices the new trace; 0: no limit */
};

enum word_kind {
    WORD_LAPS,
    WORD_RING_END,
    WORD_POINTER, /* the header's pointer */
    WORD_BESIDE,  /* the pointer beside the header */
    WORD_HALF_LAPS,
    WORD_LIFE,
    WORD_ENTRY,
};

/* A word to read. */
struct word {
    enum word_kind kind;
    unsigned slot, index; /* for WORD_ENTRY */
    bool begins_piece;
    bool follows;   /* the word is read together with the previous word: the writer does not move between the two */
    unsigned place; /* memory_place() */
    uint8_t *to;
};

/*
 * Returns the value of a word. *event: for a word of an entry, the event that wrote it, or -1 if no event wrote it; for
 * any other word, the number in it.
 */
uint32_t writer_value(const struct configuration *c, const struct word *word, struct moment at, int *event);
/* Advances *at to just after the next store that changes the word. Returns false if no store will change it. */
bool writer_next(const struct configuration *c, const struct word *word, struct moment *at);

/* Returns a word of event `number`. complete: true if the event's late word is already written. */
uint32_t writer_entry_word(const struct configuration *c, int number, unsigned index, bool complete);
bool writer_is_late(const struct configuration *c, int number, unsigned index);

/*
 * Returns true while a trace is being set up. The first set-up is in another buffer, in two steps: the pointer beside
 * the buffer becomes 0, then it points elsewhere. There the trace may stay. The next set-up is in the old buffer: the
 * pointer beside it becomes 0; the slots are cleared one by one; then the header's laps, the header's pointer and the
 * pointer beside the buffer are set.
 */
bool writer_sets_up(const struct configuration *c, struct moment at);
bool writer_is_elsewhere(const struct configuration *c, struct moment at);

/* Returns the number of events of the first trace that the pointer has passed. */
int writer_published(struct moment at);
/* Returns the moment at which the current event is finished. */
struct moment writer_at_rest(struct moment at);

/* Returns the target's header when no event is written yet. */
struct txtap_header writer_header(const struct configuration *c);

#endif
