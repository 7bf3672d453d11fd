/* SPDX-License-Identifier: MIT */
/*
 * A port of the recorder to another kernel. The kernel's state has the running thread, exceptions switch threads, and a
 * function returns the time.
 */
#ifndef TXTAP_TESTS_RECORDER_PORTED_H
#define TXTAP_TESTS_RECORDER_PORTED_H

#include <stdint.h>

enum { PORTED_SWITCH = 14, PORTED_INTERRUPT = 17 };

extern uint32_t ported_exception; /* number of the running exception; 0: no exception */
extern uint32_t ported_time;
extern void *ported_thread;

#define TXTAP_TRACE_STAMP()                (txtap_trace_port_stamp())
#define TXTAP_TRACE_STAMP_UNCLOCKED()      (ported_time)
#define TXTAP_TRACE_CONTEXT_STATE()        (txtap_trace_system_state | ported_exception)
#define TXTAP_TRACE_CONTEXT_THREAD()       (ported_thread)
#define TXTAP_TRACE_CONTEXT_PRIORITY()     (7u << 16 | 7u)
#define TXTAP_TRACE_STATE_IS_THREAD(state) ((state) == PORTED_SWITCH)

#endif
