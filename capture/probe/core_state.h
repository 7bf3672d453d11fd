/* SPDX-License-Identifier: MIT */
/* The state of a Cortex-M core, from its debug registers. */
#ifndef TXTAP_CAPTURE_PROBE_CORE_STATE_H
#define TXTAP_CAPTURE_PROBE_CORE_STATE_H

#include <stdbool.h>

#include "txtap/source.h"

enum core_state { CORE_UNKNOWN, CORE_RUNS, CORE_HALTED, CORE_IN_RESET, CORE_LOCKED_UP };

/* Reads the core's state from DHCSR. A read clears S_RESET_ST and S_RETIRE_ST, so do not call this function if a
 * debugger uses the same probe. */
enum core_state core_state_read(struct txtap_source source);

/* Returns true if DWT's cycle counter does not run because DEMCR.TRCENA is not set. False if TRCENA is set, if the core
 * has no such counter, or if this cannot be read. */
bool core_has_no_cycles(struct txtap_source source);

#endif
