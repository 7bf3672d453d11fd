/* SPDX-License-Identifier: MIT */
/*
 * The writer: what each word of the target's memory is at a moment. Memory is a function of the number of stores made,
 * so a moment is all there is to know. An event has ten of them at most: eight words, the pointer, the laps.
 */
#ifndef TXTAP_TESTS_RING_STATES_WRITER_H
#define TXTAP_TESTS_RING_STATES_WRITER_H

#include "ring/states/configuration.h"

#define TARGET_BASE      0x20000100u
#define RING_START       (TARGET_BASE + TXTB_HEADER_BYTES) /* no objects */
#define NAME_BYTES       32u
#define STORES_AN_EVENT  10
#define FIRST_TRACE      0x40000000u /* a word with a number: this, 8 times the number, and which word it is */
#define SECOND_TRACE     0x60000000u
#define NUMBERS_END      0x80000000u
#define OLDER_THAN_KNOWN 0x3FFFFF00u /* a word with a number that does not matter any more */

struct moment {
    int32_t stores;   /* whole events and stores of the next one: events * STORES_AN_EVENT + stores */
    int32_t complete; /* late words are written in events below this */
    int32_t again;    /* the trace was set up again, and these are the new one's; -1: it was not */
    int32_t again_to; /* as far as that one comes before the reader has noticed; 0: any */
};

enum word_kind { WORD_LAPS, WORD_RING_END, WORD_POINTER, WORD_ENTRY };

/* A word that is read. */
struct word {
    enum word_kind kind;
    unsigned slot, index; /* of an entry */
    bool begins_piece;
    uint8_t *to;
};

/* *event: whose word it is in an entry, -1: nobody's; else the number that the value stands for. */
uint32_t writer_value(const struct configuration *c, const struct word *word, struct moment at, int *event);
/* On to just after the next store that changes the word. False: there is none. */
bool writer_next(const struct configuration *c, const struct word *word, struct moment *at);

/* What word of event number is when it is complete, or complete but for its late word. */
uint32_t writer_entry_word(const struct configuration *c, int number, unsigned index, bool complete);
bool writer_is_late(const struct configuration *c, int number, unsigned index);

/* Events that the pointer has passed, of the first trace. */
int writer_published(struct moment at);
/* The event that is being written is finished. */
struct moment writer_at_rest(struct moment at);

/* A header as the target's is, at a ring that was never written. */
struct txtap_header writer_header(const struct configuration *c);

#endif
