/* SPDX-License-Identifier: MIT */
/* Parts of the row of ThreadX's trace buffer. */
#ifndef TXTAP_CAPTURE_RING_TXTB_H
#define TXTAP_CAPTURE_RING_TXTB_H

#include "locate/elf_file.h"
#include "locate/txtb.h"
#include "ring/ring_kind.h"
#include "stream/poller.h"
#include "txtap/ring.h"

/* The content of reader.own in the place of such a ring. */
struct txtb_place {
    enum locate_how how;
    bool half_laps_behind; /* the half-lap words are at a higher address than the buffer, so they are not used */
    struct txtap_ring_half_laps half_laps; /* the half laps that were found together with the header */
};

/* See struct ring_kind. */
enum txtap_status txtb_measure(struct poller *poller, double *bytes_per_second, struct error *error);
enum txtap_status txtb_copy(const struct poller_place *place, struct ring_copy *copy, struct error *error);

/* ---- its reader ---- */

#define TXTB_READER_FIRST_ENTRIES 128 /* entries in the first exchange, when the probe's speed is not known yet */

struct txtb_reader {
    struct txtap_ring ring;
    struct txtap_ring_plan plan;
    struct txtap_ring_batch batch;
    bool batch_waits;
    uint32_t address; /* address of the control header */
    uint8_t *entries; /* the ring's buffer */
    uint32_t entries_capacity;
};

extern const struct reader_ops txtb_reader_ops;

/* Returns the state of the reader. Call this function only for a poller that reads a ring of this kind, and only while
 * the ring is open. */
struct txtb_reader *txtb_reader_of(const struct poller *poller);
struct txtap_ring_state txtb_ring_of(const struct poller *poller);

/* ---- half laps ---- */

#define HALF_LAPS_SYMBOL "txtap_trace_writer" /* target/recorder/txtap_trace.h */

/* Returns the address of the half-lap words, from their symbol in the ELF file. `elf` may be NULL. 0: there is no such
 * symbol. */
uint32_t half_laps_address(const struct elf_file *elf);

/*
 * Reads the half-lap words at the given address. The words are valid if their address is lower than the address of
 * the place's buffer, and if they belong to the buffer's trace. If they are valid, the function also reads
 * place->header again, from the same trace. Otherwise the result's address is 0, and the place does not change.
 * Possible reasons: plain ThreadX, an older recorder, a trace that is not enabled or not set up yet, other firmware,
 * unreadable memory.
 */
struct txtap_ring_half_laps half_laps_find(struct txtap_source source, uint32_t address, struct poller_place *place);

#endif
