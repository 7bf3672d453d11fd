/* SPDX-License-Identifier: MIT */
/* Rows that get limited memory from malloc(), and the changes of a trace to feed them. */
#ifndef TXTAP_TESTS_ROWS_FIXTURE_H
#define TXTAP_TESTS_ROWS_FIXTURE_H

#include "txtap/inner/change.h"
#include "txtap/inner/rows.h"

/* Opens rows with at most pages_most pages. Each page is filled with garbage before the rows get it. */
struct txtap_rows *fixture_open(const struct txtap_rows_options *options, uint32_t pages_most);
struct txtap_rows *fixture_rows(uint32_t keep, uint32_t pages_most);

/* Closes the rows. Fails the test if they did not give all pages back. */
void fixture_close(struct txtap_rows *rows);

/* Gives the changes of a .trx file, or of a made trace, to `count` sinks. */
void fixture_feed_file(const char *path, const struct txtap_change_sink *sinks, size_t count);

/* Gives the changes of a made trace to `count` sinks. The seed determines the trace: threads, semaphores, mutexes and
 * interrupts. gap_every: number of events between two gaps; 0: no gaps. */
void fixture_feed_made(uint64_t seed, unsigned gap_every, const struct txtap_change_sink *sinks, size_t count);

/* Returns the row of a thread or an object. Fails the test if it has no row. */
uint32_t fixture_row(const struct txtap_rows *rows, enum txtap_row_kind kind, uint32_t address_or_number);

#endif
