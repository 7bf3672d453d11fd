/* SPDX-License-Identifier: MIT */
/*
 * Watches the fault registers of a Cortex-M core, and the register with the cause of its last reset, as a guest of a
 * poller. Adds a mark TXTAP_MARK_FAULT when a fault handler runs, when a status bit of a fault is set, and when a
 * watchdog has reset the chip.
 */
#ifndef TXTAP_CAPTURE_CRASH_FAULT_WATCH_H
#define TXTAP_CAPTURE_CRASH_FAULT_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "crash/reset_cause.h"
#include "stream/guest.h"
#include "txtap/inner/crash.h"

#define FAULT_WATCH_US 100000 /* time from one read to the next */

struct fault_watch {
    uint64_t faults;                   /* number of marks */
    char text[TXTAP_FAULT_TEXT_BYTES]; /* text of the last mark */
    const struct reset_cause *cause;   /* NULL: the chip is unknown */

    /* private */
    uint8_t bytes[TXTAP_FAULT_REGISTERS_BYTES], cause_bytes[4];
    bool off;                /* the core is no Cortex-M, or its registers cannot be read */
    bool known, cause_known; /* `before` and `cause_before` are valid */
    unsigned handler;        /* number of the fault exception whose handler runs; 0: no handler */
    bool bits_alone;         /* the last look reported status bits, but saw no handler */
    struct txtap_fault_registers before;
    uint32_t cause_before;
    unsigned failures; /* exchanges that failed since the last success */
    uint64_t next_us;
};

/* Starts a watch. chip: OpenOCD's name of the chip or its target, or NULL. The watch must not move. */
struct guest fault_watch_begin(struct fault_watch *watch, const char *chip);

#endif
