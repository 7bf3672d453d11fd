/* SPDX-License-Identifier: MIT */
/*
 * The event logger's port for its tests. The test controls the clock, the threads, the interrupts and the waits, and
 * sees each store when it is made. The lock is real, for tests with real threads.
 */
#ifndef TXTAP_TESTS_EVENT_LOGGER_PORT_H
#define TXTAP_TESTS_EVENT_LOGGER_PORT_H

#include <stdint.h>

extern uint32_t port_stamp;      /* value of the clock */
extern uint32_t port_stamp_step; /* increment of the clock per read */
extern uint32_t port_ticks;
extern void *port_thread;
extern uint32_t port_interrupt;
extern uint32_t port_words; /* number of words of the ring; set it before init */

extern unsigned port_locks;           /* number of locks so far; nested locks do not count */
extern unsigned port_signals;         /* number of signals since the last wait began */
extern unsigned port_signals_switch;  /* the part of these signals that context switches made */
extern unsigned port_signals_in_lock; /* signals while the lock was held: each is a defect */
extern unsigned port_stores_unlocked; /* stores without the lock: each is a defect */
extern unsigned port_waits;
extern uint32_t port_waited[8]; /* lengths of the first waits, in ticks */

/* Called at each store, barrier and unlock; NULL: not called. */
enum port_step { PORT_STORED, PORT_BARRIER, PORT_UNLOCKED };
extern void (*port_on_step)(enum port_step step, const volatile void *place);
/* Called while a thread waits. If it is NULL, a wait fails the test, because it would never end. */
extern void (*port_on_wait)(uint32_t ticks);
/* Called just before a requested lock is taken: this is the last moment at which an interrupt can come. */
extern void (*port_on_lock)(void);

/* The event that was returned last. */
extern struct port_event {
    uint16_t id;
    uint8_t dropped;
    uint8_t size; /* in: room in words; out: number of words */
    uint32_t data[255];
} got;

/* Gets an event that has at most `room` words. Bytes that the logger does not write stay 0xEE. */
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
