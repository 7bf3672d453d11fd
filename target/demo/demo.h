/* SPDX-License-Identifier: MIT */
/*
 * The symbols of this firmware that a host looks up, and the way in which the firmware reports that it failed.
 */
#ifndef DEMO_DEMO_H
#define DEMO_DEMO_H

#include <stdbool.h>
#include <stdint.h>

/* Trace: TXTB with VARIANT_TRACE_BYTES, and this many registry entries. */
#define DEMO_TRACE_OBJECTS 30u

/*
 * Requested events per second in total; the firmware reads it often, so it may be changed while the firmware runs. 0 =
 * the sensor is silent.
 */
extern volatile uint32_t demo_event_rate;
/* While this is not 0, the load does not begin: all objects are there, and nothing runs. A debugger writes 0. */
extern volatile uint32_t demo_hold;
/* Once demo_events_written has reached this, the load ends for good. 0 = never. */
extern volatile uint32_t demo_stop_after;
/* 1 when the system is at rest after the end of the load: the ring no longer changes. */
extern volatile uint32_t demo_stopped;
/* The next ledger number. It equals the number of recorded ledger entries. */
extern volatile uint32_t demo_ledger_next;
/* Number of all entries recorded since the trace was enabled, modulo 2^32. */
extern volatile uint32_t demo_events_written;
/* Rate of the time stamps in Hz, as far as the firmware can know. */
extern volatile uint32_t demo_tick_hz;
/* 0, or the reason why the firmware has stopped: enum demo_fault, or DEMO_FAULT_EXCEPTION | exception number. */
extern volatile uint32_t demo_fault;
/* For an exception: the address at which it occurred, and the Configurable Fault Status Register. */
extern volatile uint32_t demo_fault_address;
extern volatile uint32_t demo_fault_status;

enum demo_fault {
    DEMO_FAULT_TRACE = 1,           /* the trace could not be enabled */
    DEMO_FAULT_STACK = 2,           /* a thread's stack has overflowed */
    DEMO_FAULT_SERVICE = 3,         /* a kernel service failed that should not */
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
