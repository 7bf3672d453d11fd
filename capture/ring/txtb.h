/* SPDX-License-Identifier: MIT */
/* The parts of the row of ThreadX's trace buffer. */
#ifndef TXTAP_CAPTURE_RING_TXTB_H
#define TXTAP_CAPTURE_RING_TXTB_H

#include "locate/txtb.h"
#include "ring/ring_kind.h"
#include "txtap/txtb.h"

/* What the row keeps in its place. */
struct txtb_place {
    enum locate_how how;
    uint8_t header[TXTB_HEADER_BYTES]; /* as it was when it was found */
};

/* As struct ring_kind says. */
enum txtap_status txtb_measure(struct session *session, const struct session_place *place, double *bytes_per_second,
                               struct error *error);
enum txtap_status txtb_copy(const struct session_place *place, struct ring_copy *copy, struct error *error);
enum txtap_status txtb_describe(struct session *session, const struct session_place *place, const struct elf_file *elf,
                                bool live, struct error *error);

#endif
