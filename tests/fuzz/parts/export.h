/* SPDX-License-Identifier: MIT */
/* Gives a fuzzer one of the formats, with the memory that it needs, and checks that its output is valid. */
#ifndef TXTAP_TESTS_FUZZ_EXPORT_H
#define TXTAP_TESTS_FUZZ_EXPORT_H

#include "txtap/exporter.h"

/*
 * Sets format, memory and writer of a zeroed exporter. choice: any number, selects the format. whole_buffer: trx may be
 * selected, too.
 */
void export_open(struct txtap_exporter *exporter, size_t choice, bool whole_buffer);

/* Closes the exporter. Call it after ops->end, or if begin was not called. */
void export_close(const struct txtap_exporter *exporter);

#endif
