/* SPDX-License-Identifier: MIT */
/*
 * The variables of this firmware that a host finds by symbol, and the function that reports a failure of the firmware.
 */
#ifndef DEMO_DEMO_H
#define DEMO_DEMO_H

#include <stdbool.h>
#include <stdint.h>

/* Number of entries in the trace buffer's object registry. */
#define DEMO_TRACE_OBJECTS 30u

/*
 * Requested events per second in total; 0: the sensor is silent. A host may change this variable while the firmware
 * runs.
 */
extern volatile uint32_t demo_event_rate;
/* While this is not 0, all objects exist, but the load does not begin. A debugger writes 0 to start the load. */
extern volatile uint32_t demo_hold;
/* Additional work of the thread `filter` for each sample: loops without an effect. 0: no additional work. */
extern volatile uint32_t demo_filter_work;
/* The load ends for good when demo_events_written reaches this number. 0: it never ends. */
extern volatile uint32_t demo_stop_after;
/* 1 when the system is at rest after the end of the load: the ring no longer changes. */
extern volatile uint32_t demo_stopped;
/* The next ledger number. It equals the number of recorded ledger entries. */
extern volatile uint32_t demo_ledger_next;
/* Number of all entries recorded since the trace was enabled, modulo 2^32. */
extern volatile uint32_t demo_events_written;
/* Rate of the time stamps in Hz, from board_init(). */
extern volatile uint32_t demo_tick_hz;
/* 0, or the reason why the firmware has stopped: enum demo_fault, or DEMO_FAULT_EXCEPTION | exception number. */
extern volatile uint32_t demo_fault;
/* For an exception: the address at which it occurred, and the Configurable Fault Status Register. */
extern volatile uint32_t demo_fault_address;
extern volatile uint32_t demo_fault_status;

enum demo_fault {
    DEMO_FAULT_TRACE = 1,           /* the trace could not be enabled */
    DEMO_FAULT_STACK = 2,           /* a thread's stack has overflowed */
    DEMO_FAULT_SERVICE = 3,         /* a kernel service that must succeed failed */
    DEMO_FAULT_MESSAGE = 4,         /* a message arrived altered or out of order */
    DEMO_FAULT_THREAD_RETURNED = 5, /* a finished thread ran again */
    DEMO_FAULT_LOGGER = 6,          /* the event logger delivered wrong data */
    DEMO_FAULT_EXCEPTION = 0x100
};

/* The content of an unused stack word. */
#define DEMO_STACK_FILL 0xEFEFEFEFu

/* Records the reason and stops, with interrupts locked. */
void demo_fail(uint32_t fault) __attribute__((noreturn));

#endif
