/* SPDX-License-Identifier: MIT */
/*
 * The writer: the value of each word of the target's memory at a moment. Memory is a function of the number of
 * stores made, so a moment describes everything. An event takes at most eleven stores: eight words, the half-laps,
 * the pointer (that of the header and the one beside it at once), the laps.
 */
#ifndef TXTAP_TESTS_RING_STATES_WRITER_H
#define TXTAP_TESTS_RING_STATES_WRITER_H

#include "ring/states/configuration.h"

#define TARGET_BASE      0x20000100u
#define RING_START       (TARGET_BASE + TXTB_HEADER_BYTES) /* no objects */
#define HALF_LAPS_AT     (TARGET_BASE - TXTAP_RING_HALF_LAPS_BYTES)
#define NAME_BYTES       32u
#define STORES_AN_EVENT  11
#define FIRST_TRACE      0x40000000u /* a word with an event's number is this + 8 * number + the word's index */
#define SECOND_TRACE     0x60000000u
#define NUMBERS_END      0x80000000u
#define FIRST_LIFE       1u
#define OLDER_THAN_KNOWN 0x3FFFFF00u /* value of a word whose event's number no longer matters */

struct moment {
    int32_t stores;   /* whole events and stores of the next event: events * STORES_AN_EVENT + stores */
    int32_t complete; /* events with numbers below this have their late words */
    int32_t again;    /* number of stores of the new trace after it was set up again; -1: it was not set up again */
    int32_t set_up;   /* for AGAIN_SET_UP: steps of the new trace's set-up; see writer_sets_up() */
    int32_t again_to; /* limit of the new trace until the reader has noticed it; 0: no limit */
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
    unsigned slot, index; /* for a word of an entry */
    bool begins_piece;
    bool follows;   /* the word is read together with the previous word: the writer does not move between the two */
    unsigned place; /* memory_place() */
    uint8_t *to;
};

/*
 * Returns the value of a word. *event: for a word in an entry, the event that it belongs to, -1: no event; for another
 * word, its number.
 */
uint32_t writer_value(const struct configuration *c, const struct word *word, struct moment at, int *event);
/* Advances to just after the next store that changes the word. False: no store changes it. */
bool writer_next(const struct configuration *c, const struct word *word, struct moment *at);

/* Returns a word of event `number`. complete: true if the event's late word has been stored, too. */
uint32_t writer_entry_word(const struct configuration *c, int number, unsigned index, bool complete);
bool writer_is_late(const struct configuration *c, int number, unsigned index);

/*
 * Returns true while a trace is being set up. That takes two steps in another buffer: the pointer beside the buffer is
 * 0, then elsewhere. The trace may stay there. The next trace returns in steps: the pointer is 0; then the new trace
 * gets the slots one by one, the header's laps, its pointer, and last the pointer beside the buffer.
 */
bool writer_sets_up(const struct configuration *c, struct moment at);
bool writer_is_elsewhere(const struct configuration *c, struct moment at);

/* Returns the number of events that the pointer has passed, in the first trace. */
int writer_published(struct moment at);
/* Finishes the event that is being written. */
struct moment writer_at_rest(struct moment at);

/* Returns the target's header before the first write to the ring. */
struct txtap_header writer_header(const struct configuration *c);

#endif
