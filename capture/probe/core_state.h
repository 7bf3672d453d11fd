/* SPDX-License-Identifier: MIT */
/* The state of the target's core, as read by a probe. A core that does not run cannot write events. */
#ifndef TXTAP_CAPTURE_PROBE_CORE_STATE_H
#define TXTAP_CAPTURE_PROBE_CORE_STATE_H

enum core_state { CORE_UNKNOWN, CORE_RUNS, CORE_HALTED, CORE_IN_RESET };

#endif
