/* SPDX-License-Identifier: MIT */
/*
 * Checks that Perfetto's importer would read a trace without an error. Packets and the messages in them must be
 * complete, texts must be UTF-8, a thread must not have two states at one time, and a slice must begin before it ends.
 */
#ifndef TXTAP_TESTS_FUZZ_PERFETTO_CHECK_H
#define TXTAP_TESTS_FUZZ_PERFETTO_CHECK_H

#include <stddef.h>
#include <stdint.h>

void perfetto_check_start(void);

/* Checks complete packets, in the order in which they were written. */
void perfetto_check(const uint8_t *bytes, size_t length);

/* Checks the end of the file: no slice may be open. */
void perfetto_check_end(void);

#endif
