/* SPDX-License-Identifier: MIT */
/*
 * A port of the recorder to a kernel: the kernel's own state has the running thread, an exception switches threads,
 * and a function returns the time.
 */
#ifndef TXTAP_TESTS_RECORDER_PORTED_H
#define TXTAP_TESTS_RECORDER_PORTED_H

#include <stdint.h>

enum { PORTED_SWITCH = 14, PORTED_INTERRUPT = 17 };

extern uint32_t ported_exception; /* 0: none */
extern uint32_t ported_time;
extern void *ported_thread;

#define TXTAP_TRACE_STAMP()                (txtap_trace_port_stamp())
#define TXTAP_TRACE_STAMP_UNCLOCKED()      (ported_time)
#define TXTAP_TRACE_CONTEXT_STATE()        (txtap_trace_system_state | ported_exception)
#define TXTAP_TRACE_CONTEXT_THREAD()       (ported_thread)
#define TXTAP_TRACE_CONTEXT_PRIORITY()     (7u << 16 | 7u)
#define TXTAP_TRACE_STATE_IS_THREAD(state) ((state) == PORTED_SWITCH)

#endif
