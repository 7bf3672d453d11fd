/* SPDX-License-Identifier: MIT */
/* What rows should answer, computed in a slow and simple way: one list has all spans of all rows, and each question
 * walks over the whole list. */
#ifndef TXTAP_TESTS_ROWS_WALK_H
#define TXTAP_TESTS_ROWS_WALK_H

#include "txtap/inner/change.h"
#include "txtap/inner/rows.h"

/* A span of a row. Kind and number identify the row. */
struct walk_span {
    enum txtap_row_kind kind;
    uint32_t number;
    uint64_t from, to;
    enum txtap_row_state state;
    uint32_t value; /* counter: its value or UINT32_MAX; else the awaited object, the thread, or the owner */
    uint8_t reason;
    bool open;
};

#define WALK_NESTED 16

struct walk {
    struct walk_span *spans;
    size_t count, room;
    uint64_t first, last; /* in ticks */
    bool begun;
    enum txtap_running what[8];
    uint32_t isr[8][WALK_NESTED], depth[8];
    uint64_t events;
};

/* Takes a change. self: the walk, which is all zeros at first. */
enum txtap_status walk_take(void *self, const struct txtap_change *change);

/* Frees the walk's memory. */
void walk_end(struct walk *walk);

/* Returns the time that the row spent in state `state` between two times. */
uint64_t walk_sum(const struct walk *walk, const struct txtap_row *row, enum txtap_row_state state, uint64_t from,
                  uint64_t to);

/*
 * Returns the row's span at the time `ticks`; it has a duration above 0. NULL: there is no such span, so the row's
 * state is unknown.
 */
const struct walk_span *walk_at(const struct walk *walk, const struct txtap_row *row, uint64_t ticks);

#endif
