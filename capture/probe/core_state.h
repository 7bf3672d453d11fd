/* SPDX-License-Identifier: MIT */
/* Whether the target's core can write events at all, as far as a probe can tell. */
#ifndef TXTAP_CAPTURE_PROBE_CORE_STATE_H
#define TXTAP_CAPTURE_PROBE_CORE_STATE_H

enum core_state { CORE_UNKNOWN, CORE_RUNS, CORE_HALTED, CORE_IN_RESET };

#endif
