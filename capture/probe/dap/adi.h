/* SPDX-License-Identifier: MIT */
/* The debug port and the access port of a target behind a CMSIS-DAP probe. Connecting halts nothing, and the ports are
 * used only to read. Recovers from WAIT, FAULT and disturbed transfers. Source: ARM IHI 0031, ADIv5.2. */
#ifndef TXTAP_CAPTURE_PROBE_DAP_ADI_H
#define TXTAP_CAPTURE_PROBE_DAP_ADI_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/dap/dap_link.h"
#include "txtap/source.h"

/* The debug port and the access port to use. */
struct adi_target {
    bool has_access_port; /* false: search for the first AHB-AP */
    uint8_t access_port;
    uint32_t target_select; /* TARGETSEL of one of several debug ports on the wire; 0: there is only one */
};

/* Why memory cannot be read although the target answers. */
enum adi_obstacle {
    ADI_NONE,
    ADI_NEWER_PORT,
    ADI_OTHER_PORT,
    ADI_NO_POWER,
    ADI_NO_ACCESS_PORT,
    ADI_CLOSED_ACCESS_PORT
};

/* Returns the field VERSION of a debug port. 1 and 2: ADIv5. 0: ADIv5 from before this field existed. 3: ADIv6. */
static inline unsigned adi_port_version(uint32_t dpidr)
{
    return dpidr >> 12 & 0xF;
}

struct adi {
    struct dap_link *link;
    struct adi_target target;
    bool reached; /* the debug port answers, and txtap may use it */
    bool awake;   /* the debug port is reached and has power */
    bool ready;   /* SELECT and CSW are set for reading */
    bool found;   /* access_port exists and is for memory */
    bool chosen;  /* access_port is the user's choice, or the first port that was found */
    bool power_known;
    uint32_t power_before; /* the power requests that were set in CTRL/STAT before txtap connected */
    uint8_t access_port;
    unsigned turn;    /* number of plans so far: see dap_plan_init() */
    unsigned packets; /* number of packets so far that read one register */
    uint32_t dpidr, idr;
    enum adi_obstacle obstacle; /* set by the latest call */
};

/* Prepares the struct. The caller owns `link`. Sends nothing. */
void adi_init(struct adi *adi, struct dap_link *link, const struct adi_target *target);

/* Connects until memory can be read. DAP_FAULT: memory cannot be read; adi->obstacle is the reason. */
enum dap_result adi_connect(struct adi *adi);

/* Reads pieces that are valid for a source, strictly in order. After a failure that may pass, it tries again from the
 * first piece. *failed: the piece that was being read at the failure. After DAP_SILENT the next call connects again. */
enum dap_result adi_read(struct adi *adi, const struct txtap_read *reads, size_t count, size_t *failed);

/* Restores the debug port's original power requests, if the port answers. */
void adi_disconnect(struct adi *adi);

#endif
