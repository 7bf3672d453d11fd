/* SPDX-License-Identifier: MIT */
/*
 * Is it a trace for Perfetto that its importer takes without an error? Packets and the messages in them are whole,
 * texts are UTF-8, no thread has two states at the same time, and slices are begun before they end.
 */
#ifndef TXTAP_TESTS_FUZZ_PERFETTO_CHECK_H
#define TXTAP_TESTS_FUZZ_PERFETTO_CHECK_H

#include <stddef.h>
#include <stdint.h>

void perfetto_check_start(void);

/* Whole packets, in the order in which they are written. */
void perfetto_check(const uint8_t *bytes, size_t length);

/* At the end of the file: no slice goes on. */
void perfetto_check_end(void);

#endif
