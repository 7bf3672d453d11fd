/* SPDX-License-Identifier: MIT */
/* An ST-Link as a memory source, without OpenOCD. It sends no command that writes to the target's memory space, which
 * includes the debug registers: stlink_permitted.def lists everything that is sent. */
#ifndef TXTAP_CAPTURE_PROBE_STLINK_STLINK_SOURCE_H
#define TXTAP_CAPTURE_PROBE_STLINK_STLINK_SOURCE_H

#include "base/failure.h"
#include "probe/core_state.h"
#include "probe/stlink/stlink_link.h"
#include "txtap/source.h"

#define STLINK_SOURCE_BYTES_MAX 32768u
#define STLINK_SOURCE_READS_MAX 32u
#define STLINK_KHZ              4000 /* the default */

struct stlink_settings {
    const char *name, *serial; /* name and serial number of the probe, for messages */
    const char *node;          /* file that disappears when the probe is unplugged; "": not known */
    const char *gone;          /* end of the message that the probe is lost; NULL: it was unplugged */
    const char *otherwise;     /* advice for a probe that txtap cannot drive */
    uint8_t port;              /* access port */
    unsigned khz;              /* 0: STLINK_KHZ */
};

struct stlink_source;

/*
 * Connects to the target. Takes ownership of the pipe, even on failure. On failure error is one line. ERROR_CLOSED: the
 * probe was unplugged, or the server closed the connection. ERROR_PROTOCOL: the device is not an ST-Link, answers
 * wrongly, or its firmware is too old. ERROR_TIMEOUT: the probe does not answer. ERROR_TARGET: no target answers, its
 * memory cannot be reached, or another program has the probe. ERROR_INTERRUPTED: the user ended txtap.
 * TXTAP_ERROR_SYSTEM: other failures. read() returns the same errors, and ERROR_FAULT. After ERROR_FAULT and
 * ERROR_TARGET the source remains usable.
 */
enum txtap_status stlink_source_open(struct stlink_source **out, struct stlink_pipe pipe,
                                     const struct stlink_settings *settings, unsigned timeout_ms, struct error *error);

struct txtap_source stlink_source_of(struct stlink_source *source);

/* Returns the state of the probe and the target. The source owns it. */
const struct stlink_link *stlink_source_link(const struct stlink_source *source);

/* Reads the core's state from DHCSR. CORE_UNKNOWN if another program uses the probe: a read of DHCSR clears bits that
 * a debugger needs. */
enum core_state stlink_source_core(struct stlink_source *source);

/* Returns true if DWT's cycle counter does not run: see core_has_no_cycles(). */
bool stlink_source_no_cycles(struct stlink_source *source);

#endif
