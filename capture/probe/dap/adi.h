/* SPDX-License-Identifier: MIT */
/*
 * The debug port and the access port of a target behind a CMSIS-DAP probe: reached without halting anything, and only
 * read through. Recovers from WAIT, FAULT and disturbed transfers. Source: ARM IHI 0031, ADIv5.2.
 */
#ifndef TXTAP_CAPTURE_PROBE_DAP_ADI_H
#define TXTAP_CAPTURE_PROBE_DAP_ADI_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/dap/dap_link.h"
#include "txtap/source.h"

/* What is to be reached. */
struct adi_target {
    bool has_access_port; /* false: the first AHB-AP is looked for */
    uint8_t access_port;
    uint32_t target_select; /* of one among several debug ports on the wire; 0: there is only one */
};

/* Why the memory of a target that answers cannot be read. */
enum adi_obstacle {
    ADI_NONE,
    ADI_NEWER_PORT,
    ADI_OTHER_PORT,
    ADI_NO_POWER,
    ADI_NO_ACCESS_PORT,
    ADI_CLOSED_ACCESS_PORT
};

/* VERSION of a debug port: 1 and 2 are ADIv5, and so are ports from before that field, 0; 3 is ADIv6. */
static inline unsigned adi_port_version(uint32_t dpidr)
{
    return dpidr >> 12 & 0xF;
}

struct adi {
    struct dap_link *link;
    struct adi_target target;
    bool reached; /* the debug port answers, and may be driven */
    bool awake;   /* it has power, too */
    bool ready;   /* SELECT and CSW are as reading needs them */
    bool found;   /* access_port is there, and one for memory */
    bool chosen;  /* access_port is the one: the user's, or the one that was found first */
    bool power_known;
    uint32_t power_before; /* the requests of CTRL/STAT that txtap found */
    uint8_t access_port;
    unsigned turn;    /* of plans: dap_plan.h */
    unsigned packets; /* so far, of those that read one register */
    uint32_t dpidr, idr;
    enum adi_obstacle obstacle; /* since the latest call began */
};

/* link stays the caller's. Sends nothing. */
void adi_init(struct adi *adi, struct dap_link *link, const struct adi_target *target);

/* Until memory can be read. DAP_FAULT with adi->obstacle: it cannot be. */
enum dap_result adi_connect(struct adi *adi);

/*
 * Reads pieces that are valid for a source, strictly in their order. Tries again from the first piece after what may
 * pass. *failed: the piece that was being read when it failed. After DAP_SILENT the next call connects again.
 */
enum dap_result adi_read(struct adi *adi, const struct txtap_read *reads, size_t count, size_t *failed);

/* Leaves the debug port's power requests as they were found, as far as it answers. */
void adi_disconnect(struct adi *adi);

#endif
