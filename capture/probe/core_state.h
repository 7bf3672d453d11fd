/* SPDX-License-Identifier: MIT */
/* The state of the target's core, as far as a probe can read it. It shows whether the core can write events at all. */
#ifndef TXTAP_CAPTURE_PROBE_CORE_STATE_H
#define TXTAP_CAPTURE_PROBE_CORE_STATE_H

enum core_state { CORE_UNKNOWN, CORE_RUNS, CORE_HALTED, CORE_IN_RESET };

#endif
