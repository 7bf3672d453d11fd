/* SPDX-License-Identifier: MIT */
/*
 * The event logger's port for its tests: a machine whose clock, threads, interrupts and waits the test controls, and
 * that sees each store when it happens. The lock is real, for tests with real threads.
 */
#ifndef TXTAP_TESTS_EVENT_LOGGER_PORT_H
#define TXTAP_TESTS_EVENT_LOGGER_PORT_H

#include <stdint.h>

extern uint32_t port_stamp;      /* value of the clock */
extern uint32_t port_stamp_step; /* increment of the clock per read */
extern uint32_t port_ticks;
extern void *port_thread;
extern uint32_t port_interrupt;
extern uint32_t port_words; /* number of words of the ring; to be set before init */

extern unsigned port_locks;           /* number of locks so far, without nested locks */
extern unsigned port_signals;         /* number of signals since the last wait began */
extern unsigned port_signals_switch;  /* the same, for signals from a context switch */
extern unsigned port_signals_in_lock; /* signals while the lock was held: a defect */
extern unsigned port_stores_unlocked; /* stores made without the lock: a defect */
extern unsigned port_waits;
extern uint32_t port_waited[8]; /* the ticks of the first waits */

/* Called at each store, barrier, unlock and wait; NULL: no hook. */
enum port_step { PORT_STORED, PORT_BARRIER, PORT_UNLOCKED };
extern void (*port_on_step)(enum port_step step, const volatile void *place);
/* Called while a thread waits. Without it, a wait fails the test: it would never end. */
extern void (*port_on_wait)(uint32_t ticks);
/* Called after the lock was requested and before it is taken: the last moment for an interrupt. */
extern void (*port_on_lock)(void);

/* The event that was returned last. */
extern struct port_event {
    uint16_t id;
    uint8_t dropped;
    uint8_t size; /* in: room; out: number of words */
    uint32_t data[255];
} got;

/* Gets an event, with room for `room` words. All bytes that the logger does not write are 0xEE. */
int get_event(uint8_t room);

uint32_t port_lock(void);
void port_unlock(uint32_t state);
void port_barrier(void);
void port_stored(const volatile void *place);
uint32_t port_stamp_read(void);
void port_wait(uint32_t ticks);
void port_signal(void);
void port_signal_in_switch(void);

#define TXTAP_LOGGER_LOCK(state)         ((state) = port_lock())
#define TXTAP_LOGGER_UNLOCK(state)       port_unlock(state)
#define TXTAP_LOGGER_BARRIER()           port_barrier()
#define TXTAP_LOGGER_STAMP()             port_stamp_read()
#define TXTAP_LOGGER_WAIT(ticks)         port_wait(ticks)
#define TXTAP_LOGGER_SIGNAL()            port_signal()
#define TXTAP_LOGGER_SIGNAL_IN_SWITCH()  port_signal_in_switch()
#define TXTAP_LOGGER_TICKS()             port_ticks
#define TXTAP_LOGGER_THREAD()            port_thread
#define TXTAP_LOGGER_INTERRUPT_ID()      port_interrupt
#define TXTAP_LOGGER_WORDS()             port_words
#define TXTAP_LOGGER_STORE(place, value) ((place) = (value), port_stored(&(place)))

#endif
