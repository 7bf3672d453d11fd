/* SPDX-License-Identifier: MIT */
/*
 * The output of a reader as a line of text, so that tests are easy to read: "3..7, lost 12, 20". Pieces are
 * separated by commas; consecutive events become one piece.
 */
#ifndef TXTAP_TESTS_RING_DELIVERED_TEXT_H
#define TXTAP_TESTS_RING_DELIVERED_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct delivered_text {
    char text[512];
    unsigned pieces; /* pieces added so far, also before the text was cleared */
    const char *run; /* text of the last piece after this word, if it is a run of events; else NULL */
    size_t run_at;
    uint64_t run_first, run_end;
};

void delivered_clear(struct delivered_text *delivered);
void delivered_add(struct delivered_text *delivered, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the events first to end - 1. Events that continue the last run extend it, even in another exchange. */
void delivered_add_run(struct delivered_text *delivered, const char *word, uint64_t first, uint64_t end);

#endif
