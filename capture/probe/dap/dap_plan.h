/* SPDX-License-Identifier: MIT */
/*
 * Turns pieces of memory into commands for a CMSIS-DAP probe, and the answers into the pieces' bytes. Pure.
 *
 * The plan writes TAR if the next address does not follow the last address, and at each KiB, where TAR may wrap. It
 * reads TAR before each such write, at the end, and before the last word of a KiB. This proves that the answers belong
 * to this plan, and that no word was skipped or read twice.
 *
 * A repeated or missing answer is noticed for two reasons. Consecutive full answers differ in length. Only the last
 * answer of a plan ends with TAR and DPIDR (DPIDR is odd, and no address is odd). Every other plan reads DPIDR twice,
 * so its last answer does not fit the next plan.
 */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_PLAN_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_PLAN_H

#include "probe/dap/dap_command.h"
#include "txtap/source.h"

/* The place of the next word in the pieces. */
struct dap_cursor {
    size_t read;
    uint32_t offset;
    uint32_t tar;   /* value of TAR */
    bool tar_known; /* false at a KiB, where TAR may have wrapped */
    bool unchecked; /* words were read since TAR was last read */
    unsigned last;  /* number of registers still to be read after the last word */
};

struct dap_plan {
    const struct txtap_read *reads;
    size_t count;
    size_t packet_bytes;
    struct dap_cursor asked, taken;
    unsigned turn; /* number of this plan; only odd or even matters */
    uint32_t dpidr;
    unsigned packets; /* packets made so far */
};

/* Begins a plan. packet_bytes: 64 to DAP_PACKET_BYTES_MAX. turn: increases by one with each plan. dpidr: the debug
 * port's DPIDR. The pieces must be valid for a source, and are borrowed. */
void dap_plan_init(struct dap_plan *plan, const struct txtap_read *reads, size_t count, size_t packet_bytes,
                   unsigned turn, uint32_t dpidr);

/* Returns false if there is nothing more to request. */
bool dap_plan_next(struct dap_plan *plan, struct dap_packet *packet);

/* Takes the answer to the oldest packet without an answer. DAP_CONFUSED: the bytes are not the answer to this packet,
 * or TAR has a wrong value. */
enum dap_result dap_plan_take(struct dap_plan *plan, const struct dap_packet *packet, const uint8_t *bytes,
                              size_t length);

#endif
