/* SPDX-License-Identifier: MIT */
/* The expected answers of rows, computed the slow way: all spans of all rows are in one list, and every question
 * walks over it. */
#ifndef TXTAP_TESTS_ROWS_WALK_H
#define TXTAP_TESTS_ROWS_WALK_H

#include "txtap/inner/change.h"
#include "txtap/inner/rows.h"

/* The identity of a row: its kind and its number. */
struct walk_span {
    enum txtap_row_kind kind;
    uint32_t number;
    uint64_t from, to;
    enum txtap_row_state state;
    uint32_t value; /* counter: its value, or UINT32_MAX; else the object waited for, the thread, or the owner */
    uint8_t reason;
    bool open;
};

#define WALK_NESTED 16

struct walk {
    struct walk_span *spans;
    size_t count, room;
    uint64_t first, last; /* ticks */
    bool begun;
    enum txtap_running what[8];
    uint32_t isr[8][WALK_NESTED], depth[8];
    uint64_t events;
};

/* Takes a change; self: the walk, zeroed at first. */
enum txtap_status walk_take(void *self, const struct txtap_change *change);

/* Forgets everything. */
void walk_end(struct walk *walk);

/* Returns the total time of the row in state `state` between two times. */
uint64_t walk_sum(const struct walk *walk, const struct txtap_row *row, enum txtap_row_state state, uint64_t from,
                  uint64_t to);

/*
 * Returns the span of the row at the time `ticks`, if the span has a duration; NULL: no span, the row's state is
 * unknown.
 */
const struct walk_span *walk_at(const struct walk *walk, const struct txtap_row *row, uint64_t ticks);

#endif
