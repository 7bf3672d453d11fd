/* SPDX-License-Identifier: MIT */
/*
 * A target for the recorder's tests. It has 4 KiB of RAM, which a probe would see at RAM_BASE, and objects after the
 * RAM. Every store and barrier is logged, and a hook can check the RAM after each of them.
 */
#ifndef TXTAP_TESTS_RECORDER_TARGET_H
#define TXTAP_TESTS_RECORDER_TARGET_H

#include "txtap_trace.h"

#include "txtap/txtb.h"

enum { RAM_BYTES = 4096, OBJECT_BYTES = TXTB_OBJECT_FIXED_BYTES + 32, GARBAGE = 0xEE, THINGS = 16 };
#define RAM_BASE    0x20000000u
#define THINGS_BASE 0x20008000u

extern uint8_t ram[RAM_BYTES + 4]; /* 4 more bytes, so that no other object begins at its end */
extern uint8_t things[THINGS];     /* the address of each byte is the address of one kernel object */
extern volatile uint32_t tick;     /* the clock that enable() chooses */

/* The recorder's steps, in order. */
enum {
    LOG_BARRIER = -1,
    LOG_MAX = 4096,
    LOG_WRITER = RAM_BYTES,
    LOG_HALF_LAPS = LOG_WRITER + 4,
    LOG_LIFE = LOG_WRITER + 8
};
extern int log_steps[LOG_MAX]; /* offset in ram; LOG_WRITER + offset in txtap_trace_writer; or LOG_BARRIER */
extern int log_count;
extern void (*on_step)(int step); /* called after each store and at each barrier */

/* Return the address of a thing, or the offset in ram of a slot or entry, for a buffer with `objects` objects. */
uint32_t thing(unsigned i);
uint32_t object_at(uint32_t slot);
uint32_t entry_at(uint32_t objects, uint32_t index);
uint32_t buffer_bytes(uint32_t objects, uint32_t entries);

uint16_t load16(uint32_t offset);
uint32_t load32(uint32_t offset);

/* Fills the RAM with garbage, enables a trace in it, and clears the log. */
void enable(uint32_t objects, uint32_t entries);

void run_thread(unsigned i, uint32_t priority);
uint32_t user_event(uint32_t id);
uint32_t add(unsigned i, const char *name); /* registers a thing as a queue */

#endif
