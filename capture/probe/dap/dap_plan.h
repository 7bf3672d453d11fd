/* SPDX-License-Identifier: MIT */
/*
 * From pieces of memory to commands for a CMSIS-DAP probe, and from its answers to the pieces' bytes. Pure.
 *
 * TAR is written where the address does not just count up, and at each KiB, where it may start over. It is read before
 * that, at the end, and before the last word of a KiB: the answers are those to this plan, and no word was left out or
 * read twice. An answer that comes again, or is missing, is noticed: full answers that follow each other differ in
 * length, and only the last one of a plan ends with TAR and DPIDR, which is odd, as no address is. Every other plan
 * reads DPIDR twice: its last answer is not that of the next plan.
 */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_PLAN_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_PLAN_H

#include "probe/dap/dap_command.h"
#include "txtap/source.h"

/* A place in the pieces: that of the next word. */
struct dap_cursor {
    size_t read;
    uint32_t offset;
    uint32_t tar;   /* where TAR stands */
    bool tar_known; /* it does not, at a KiB: it may have started over */
    bool unchecked; /* words were read since TAR was */
    unsigned last;  /* reads of registers behind the last word that are still to come */
};

struct dap_plan {
    const struct txtap_read *reads;
    size_t count;
    size_t packet_bytes;
    struct dap_cursor asked, taken;
    unsigned turn; /* odd or even: which plan this is */
    uint32_t dpidr;
    unsigned packets; /* so far */
};

/* packet_bytes: 64 to DAP_PACKET_BYTES_MAX. turn: one more for each plan. dpidr: that of the debug port. The pieces are
 * valid for a source, and stay the caller's. */
void dap_plan_init(struct dap_plan *plan, const struct txtap_read *reads, size_t count, size_t packet_bytes,
                   unsigned turn, uint32_t dpidr);

/* False: all is asked. */
bool dap_plan_next(struct dap_plan *plan, struct dap_packet *packet);

/* Takes the answer to the oldest packet that was not answered. DAP_CONFUSED also if TAR is not where it must be. */
enum dap_result dap_plan_take(struct dap_plan *plan, const struct dap_packet *packet, const uint8_t *bytes,
                              size_t length);

#endif
