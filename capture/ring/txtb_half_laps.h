/* SPDX-License-Identifier: MIT */
/* Finds the words that txtap's recorder keeps beside its buffer: where its writer is, in half-laps, and its life. */
#ifndef TXTAP_CAPTURE_RING_TXTB_HALF_LAPS_H
#define TXTAP_CAPTURE_RING_TXTB_HALF_LAPS_H

#include "locate/elf_file.h"
#include "stream/poller.h"

#define HALF_LAPS_SYMBOL "txtap_trace_writer" /* target/recorder/txtap_trace.h */

/* The address of the words in a firmware whose ELF file, which may be NULL, has their symbol. 0: there is none. */
uint32_t half_laps_address(const struct elf_file *elf);

/*
 * The words at that address, if they lie below the buffer of that place at source, and are about it; then place->header
 * is read once more, of the same trace. Otherwise .address is 0, and the place is unchanged: plain ThreadX, an older
 * recorder, a trace that is not enabled or is just being set up, another firmware, memory that cannot be read.
 */
struct txtap_ring_half_laps half_laps_find(struct txtap_source source, uint32_t address, struct poller_place *place);

#endif
