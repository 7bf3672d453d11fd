/* SPDX-License-Identifier: MIT */
/*
 * The target: what each word of its memory is at a moment, and which stores can come next. It puts events, drops those
 * that do not fit, collects, and may restart the logger; each of these ends before another begins.
 */
#ifndef TXTAP_TESTS_LOGGER_STATES_WRITER_H
#define TXTAP_TESTS_LOGGER_STATES_WRITER_H

#include "ring/logger_states/configuration.h"

#define TARGET_RING   0x20000010u /* addresses */
#define TARGET_TOTALS 0x20000040u
#define TARGET_BUFFER 0x20000100u
#define EVENT_TYPE    7u
#define FIRST_LIFE    0x40000000u /* a data word: this, 256 times the event's number, 16 times its length, its index */
#define SECOND_LIFE   0x60000000u
#define STEPS_MAX     (RING_WORDS_MAX + 3) /* ways to continue from one moment */

enum at_work { AT_REST, PUTTING, DROPPING, STARTING };

/* Which word. */
enum place_kind { PLACE_ITEM, PLACE_HEAD, PLACE_TAIL, PLACE_DROPPED, PLACE_BUFFER, PLACE_TOTALS, PLACE_CONSTANT };
struct place {
    enum place_kind kind;
    uint32_t index; /* of an item's word in the ring, or of a total */
};

/* DROPPED_MAX comes from the build: the largest count of an item's header, for the reader as well.
 * Positions are words put before, plus a multiple of the ring's size. Compared byte by byte. */
struct moment {
    uint8_t at_work, stores; /* made by the current operation */
    uint8_t length;          /* data words of the event being put */
    uint8_t again;           /* the logger was started again */
    uint32_t head, tail;
    uint32_t totals[3]; /* words put, events dropped, events put */
    uint32_t dropped;   /* since the last event put */
    uint32_t number;    /* of the next event put or dropped */
    uint32_t first_end; /* after a restart: `number` at that time */
    uint32_t items[RING_WORDS_MAX];
};

struct moment writer_begin(void);

/* The word at an address. */
struct place writer_place(const struct configuration *c, uint32_t address);
uint32_t writer_value(const struct configuration *c, const struct moment *at, struct place place);

/* Lists all that can come next, each with the one word that it changes. Returns how many there are. */
unsigned writer_steps(const struct configuration *c, const struct moment *at, struct moment next[STEPS_MAX],
                      struct place stored[STEPS_MAX]);
/* Does the next store follow the last one immediately? */
bool writer_hastens(const struct moment *at);
/* Completes the current operation. */
struct moment writer_at_rest(const struct configuration *c, const struct moment *at);

/* Events before the restart that were put, with the tail moved, or dropped. */
uint32_t writer_published(const struct moment *at);
/* The number of the oldest event that was not collected, or of the next one. */
uint32_t writer_oldest(const struct configuration *c, const struct moment *at);

uint32_t writer_data_word(uint32_t number, uint32_t length, uint32_t index);
/* The number in a data word from before the restart, and its length. False: not such a word. */
bool writer_number(uint32_t word, uint32_t *number, uint32_t *length);

#endif
