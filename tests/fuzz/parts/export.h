/* SPDX-License-Identifier: MIT */
/* Sets up an exporter in one of the formats for a fuzzer, and checks that its output is valid. */
#ifndef TXTAP_TESTS_FUZZ_EXPORT_H
#define TXTAP_TESTS_FUZZ_EXPORT_H

#include "txtap/exporter.h"

/*
 * Sets the format, the memory and the writer of an exporter that is all zeros. choice: any number; it determines the
 * format. whole_buffer: the format may also be trx.
 */
void export_open(struct txtap_exporter *exporter, size_t choice, bool whole_buffer);

/* Closes the exporter. If ops->begin was called, call ops->end first. */
void export_close(const struct txtap_exporter *exporter);

#endif
