/* SPDX-License-Identifier: MIT */
/*
 * Checks that Perfetto's importer would read a trace without an error. Packets and the messages in them must be
 * complete, and texts must be UTF-8. A thread must not have two states at one time. A slice must begin before it ends.
 */
#ifndef TXTAP_TESTS_FUZZ_PERFETTO_CHECK_H
#define TXTAP_TESTS_FUZZ_PERFETTO_CHECK_H

#include <stddef.h>
#include <stdint.h>

void perfetto_check_start(void);

/* Checks complete packets. They must come in the order in which they were written. */
void perfetto_check(const uint8_t *bytes, size_t length);

/* Checks at the end of the file that no slice is open. */
void perfetto_check_end(void);

#endif
