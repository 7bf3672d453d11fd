/* SPDX-License-Identifier: MIT */
/*
 * Turns the output of a reader into a line of text, so that tests are easy to read: "3..7, lost 12, 20". Commas
 * separate the pieces. Consecutive events become one piece.
 */
#ifndef TXTAP_TESTS_RING_DELIVERED_TEXT_H
#define TXTAP_TESTS_RING_DELIVERED_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct delivered_text {
    char text[512];
    unsigned pieces; /* number of all pieces added so far; clearing the text does not reset it */
    const char *run; /* text of the last piece after this word, if it is a run of events; else NULL */
    size_t run_at;
    uint64_t run_first, run_end;
};

void delivered_clear(struct delivered_text *delivered);
void delivered_add(struct delivered_text *delivered, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the events first to end - 1. If they continue the last run, they extend it, even in another exchange. */
void delivered_add_run(struct delivered_text *delivered, const char *word, uint64_t first, uint64_t end);

#endif
