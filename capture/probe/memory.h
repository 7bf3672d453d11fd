/* SPDX-License-Identifier: MIT */
/* Reads one range of target memory, and makes a number of a word. */
#ifndef TXTAP_CAPTURE_PROBE_MEMORY_H
#define TXTAP_CAPTURE_PROBE_MEMORY_H

#include "base/failure.h"
#include "txtap/header.h"
#include "txtap/source.h"

/* address and length: multiples of 4. Fails as the source's read(). */
enum txtap_status memory_read(struct txtap_source source, uint32_t address, uint8_t *bytes, uint32_t length);

/* Sets error to the text of the source's last failure, with what, or NULL, in front of it. Returns status. */
enum txtap_status memory_failure(struct txtap_source source, enum txtap_status status, const char *what,
                                 struct error *error);

uint32_t memory_word(const uint8_t bytes[4], enum txtap_endian endian);

#endif
