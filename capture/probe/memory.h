/* SPDX-License-Identifier: MIT */
/* One range of target memory, and one word of it as a number. */
#ifndef TXTAP_CAPTURE_PROBE_MEMORY_H
#define TXTAP_CAPTURE_PROBE_MEMORY_H

#include "base/failure.h"
#include "txtap/header.h"
#include "txtap/source.h"

/* address and length: multiples of 4. Failures as the source's read(). */
enum txtap_status memory_read(struct txtap_source source, uint32_t address, uint8_t *bytes, uint32_t length);

/* Says in error what the source said of its last failure; returns status. what: in front of that, or NULL. */
enum txtap_status memory_failure(struct txtap_source source, enum txtap_status status, const char *what,
                                 struct error *error);

uint32_t memory_word(const uint8_t bytes[4], enum txtap_endian endian);

#endif
