/* SPDX-License-Identifier: MIT */
#include "target/event_logger_port.h"

#include <criterion/criterion.h>
#include <string.h>

#include "kernel_event_logger.h"

uint32_t port_stamp;
uint32_t port_stamp_step;
uint32_t port_ticks;
void *port_thread;
uint32_t port_interrupt;
uint32_t port_words = CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE;

unsigned port_locks;
unsigned port_signals;
unsigned port_signals_switch;
unsigned port_signals_in_lock;
unsigned port_stores_unlocked;
unsigned port_waits;
uint32_t port_waited[8];

void (*port_on_step)(enum port_step step, const volatile void *place);
void (*port_on_wait)(uint32_t ticks);
void (*port_on_lock)(void);

/* A recursive spin lock. It nests as PRIMASK does: the value to restore is the depth before the lock. */
static volatile char lock_word;
static _Thread_local unsigned depth;

uint32_t port_lock(void)
{
    if (depth == 0) {
        if (port_on_lock != NULL) {
            port_on_lock();
        }
        while (__atomic_test_and_set(&lock_word, __ATOMIC_ACQUIRE)) {
        }
        port_locks++;
    }
    return depth++;
}

void port_unlock(uint32_t state)
{
    depth = state;
    if (state == 0) {
        __atomic_clear(&lock_word, __ATOMIC_RELEASE);
        if (port_on_step != NULL) {
            port_on_step(PORT_UNLOCKED, NULL);
        }
    }
}

void port_barrier(void)
{
    if (port_on_step != NULL) {
        port_on_step(PORT_BARRIER, NULL);
    }
}

void port_stored(const volatile void *place)
{
    if (depth == 0) {
        port_stores_unlocked++;
    }
    if (port_on_step != NULL) {
        port_on_step(PORT_STORED, place);
    }
}

uint32_t port_stamp_read(void)
{
    uint32_t now = port_stamp;
    port_stamp += port_stamp_step;
    return now;
}

static void signal_note(unsigned *count)
{
    if (depth != 0) {
        port_signals_in_lock++;
    }
    __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
}

void port_signal(void)
{
    signal_note(&port_signals);
}

void port_signal_in_switch(void)
{
    signal_note(&port_signals_switch);
}

void port_wait(uint32_t ticks)
{
    cr_assert_eq(depth, 0, "a wait with the lock held");
    if (port_waits < 8) {
        port_waited[port_waits] = ticks;
    }
    port_waits++;
    cr_assert(port_on_wait != NULL, "a wait that nothing ends");
    port_on_wait(ticks);
}

struct port_event got;

int get_event(uint8_t room)
{
    memset(&got, 0xEE, sizeof got);
    got.size = room;
    return sys_k_event_logger_get(&got.id, &got.dropped, got.data, &got.size);
}
