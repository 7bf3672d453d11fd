/* SPDX-License-Identifier: MIT */
/* Each format in turn, with the memory that it needs; and whether what it writes is valid. */
#ifndef TXTAP_TESTS_FUZZ_EXPORT_H
#define TXTAP_TESTS_FUZZ_EXPORT_H

#include "txtap/exporter.h"

/* Sets format, memory and writer of an exporter that is zero. choice: any number; whole_buffer: trx, too. */
void export_open(struct txtap_exporter *exporter, size_t choice, bool whole_buffer);

/* After ops->end; or begin was not called. */
void export_close(const struct txtap_exporter *exporter);

#endif
