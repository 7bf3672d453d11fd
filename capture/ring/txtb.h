/* SPDX-License-Identifier: MIT */
/* The parts of the row of ThreadX's trace buffer. */
#ifndef TXTAP_CAPTURE_RING_TXTB_H
#define TXTAP_CAPTURE_RING_TXTB_H

#include "locate/elf_file.h"
#include "locate/txtb.h"
#include "ring/ring_kind.h"
#include "stream/poller.h"
#include "txtap/ring.h"

/* What reader.own of its place holds. */
struct txtb_place {
    enum locate_how how;
    bool half_laps_behind;                 /* they lie behind the buffer, and are not used */
    struct txtap_ring_half_laps half_laps; /* as found at the same time as the header */
};

/* As struct ring_kind says. */
enum txtap_status txtb_measure(struct poller *poller, double *bytes_per_second, struct error *error);
enum txtap_status txtb_copy(const struct poller_place *place, struct ring_copy *copy, struct error *error);

/* ---- its reader ---- */

#define TXTB_READER_FIRST_ENTRIES 128 /* of the first exchange: the probe's speed is not known yet */

struct txtb_reader {
    struct txtap_ring ring;
    struct txtap_ring_plan plan;
    struct txtap_ring_batch batch;
    bool batch_waits;
    uint32_t address; /* of the control header */
    uint8_t *entries; /* the ring's buffer */
    uint32_t entries_capacity;
};

extern const struct reader_ops txtb_reader_ops;

/* For a poller that reads such a ring, while the ring is not over. */
struct txtb_reader *txtb_reader_of(const struct poller *poller);
struct txtap_ring_state txtb_ring_of(const struct poller *poller);

/* ---- half laps ---- */

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
