/* SPDX-License-Identifier: MIT */
/*
 * The kernel event logger; kernel_event_logger.h is its contract. This file knows the ring, and the order in which a
 * debug probe may see the ring change. It knows no kernel and no processor: a port (see the header) provides the lock,
 * the waits and the clock.
 */
#include "kernel_event_logger.h"

#ifndef CONFIG_KERNEL_EVENT_LOGGER
#error "kernel_event_logger: define CONFIG_KERNEL_EVENT_LOGGER (for all files), or do not compile this one"
#endif

#ifdef TXTAP_LOGGER_PORT_HEADER
#include TXTAP_LOGGER_PORT_HEADER
#elif defined(__ZEPHYR__)
#include "kernel_event_logger_zephyr.h"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "kernel_event_logger_bare.h"
#else
#error "kernel_event_logger: no port for this processor: name one with TXTAP_LOGGER_PORT_HEADER"
#endif

#include <stdbool.h>

#ifndef TXTAP_LOGGER_SIGNAL_IN_SWITCH
#define TXTAP_LOGGER_SIGNAL_IN_SWITCH() TXTAP_LOGGER_SIGNAL()
#endif
#ifndef TXTAP_LOGGER_ADDRESS
#define TXTAP_LOGGER_ADDRESS(pointer) ((uint32_t)(uintptr_t)(pointer))
#endif
#ifndef TXTAP_LOGGER_WORDS
#define TXTAP_LOGGER_WORDS() CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE
#endif
#ifndef TXTAP_LOGGER_STORE
#define TXTAP_LOGGER_STORE(place, value) ((place) = (value))
#endif

#define RING_WORDS ((uint32_t)TXTAP_LOGGER_WORDS())
#define RING_MASK  ((RING_WORDS & (RING_WORDS - 1u)) == 0 ? RING_WORDS - 1u : 0u)

_Static_assert(CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE >= 3, "no room for the smallest event");
_Static_assert(sizeof(void *) != 4 || offsetof(struct event_logger, ring_buf) == 16, "ring_buf");
_Static_assert(sizeof(void *) != 4 || offsetof(struct event_logger_ring, buf) == 16, "buf");
_Static_assert(sizeof(void *) != 4 || offsetof(struct event_logger_ring, mask) == 20, "mask");
_Static_assert(sizeof(void *) != 4 || sizeof(struct event_logger) == 40, "event_logger");

struct event_logger sys_k_event_logger;
uint32_t _sys_k_event_logger_buffer[CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE];
struct txtap_event_logger_totals txtap_event_logger_totals;

/* All accesses are volatile, because a debug probe sees each store, and the order of stores is part of the format. */
static volatile struct event_logger_ring *const ring = &sys_k_event_logger.ring_buf;
static volatile struct event_logger_sync *const sync = &sys_k_event_logger.sync_sema;
static volatile struct txtap_event_logger_totals *const totals = &txtap_event_logger_totals;

/* ----------------------------------------------------------------------------------- clock and mask */

#ifdef CONFIG_KERNEL_EVENT_LOGGER_CUSTOM_TIMESTAMP
static uint32_t stamp_default(void)
{
    return TXTAP_LOGGER_STAMP();
}

volatile sys_k_timer_func_t _sys_k_get_time = stamp_default;

void sys_k_event_logger_set_timer(sys_k_timer_func_t func)
{
    _sys_k_get_time = func != NULL ? func : stamp_default;
}

static uint32_t stamp_now(void)
{
    return _sys_k_get_time();
}
#else
static uint32_t stamp_now(void)
{
    return TXTAP_LOGGER_STAMP();
}
#endif

#ifdef CONFIG_KERNEL_EVENT_LOGGER_DYNAMIC
volatile int _sys_k_event_logger_mask;

void sys_k_event_logger_set_mask(int value)
{
    _sys_k_event_logger_mask = value;
}

int sys_k_event_logger_get_mask(void)
{
    return _sys_k_event_logger_mask;
}

int sys_k_must_log_event(int event_type)
{
    return event_type >= 1 && event_type <= 32 && ((uint32_t)_sys_k_event_logger_mask >> (event_type - 1) & 1u) != 0;
}
#else
int sys_k_must_log_event(int event_type)
{
    (void)event_type;
    return 1;
}
#endif

/* --------------------------------------------------------------------------------------------- ring */

static uint32_t index_after(uint32_t index)
{
    return index + 1u < RING_WORDS ? index + 1u : 0;
}

/* Returns the number of words between head and tail: 0 to RING_WORDS - 1. */
static uint32_t ring_used(uint32_t head, uint32_t tail)
{
    return tail >= head ? tail - head : tail + RING_WORDS - head;
}

static void count_drop(void)
{
    if (ring->dropped_put_count != 0xFFFFFFFFu) {
        TXTAP_LOGGER_STORE(ring->dropped_put_count, ring->dropped_put_count + 1u);
    }
    TXTAP_LOGGER_STORE(totals->events_dropped, totals->events_dropped + 1u);
}

/*
 * Stores an event; the caller holds the lock. Returns true if the event is in the ring. Readers stop at the tail, so
 * the words after the tail may be stored in any order. The tail moves only after all these words are stored.
 */
static bool ring_put(uint32_t id, const uint32_t *data, uint32_t length)
{
    uint32_t *words = ring->buf;
    if (words == NULL) {
        return false;
    }
    uint32_t at = ring->tail;
    if (length == 0 || length + 1u >= RING_WORDS - ring_used(ring->head, at)) {
        count_drop();
        return false;
    }
    uint32_t dropped = ring->dropped_put_count;
    if (dropped > KERNEL_EVENT_LOGGER_DROPPED_MAX) {
        dropped = KERNEL_EVENT_LOGGER_DROPPED_MAX;
    }
    TXTAP_LOGGER_STORE(words[at], id | length << KERNEL_EVENT_LOGGER_HEADER_LENGTH_SHIFT |
                                      dropped << KERNEL_EVENT_LOGGER_HEADER_DROPPED_SHIFT);
    for (uint32_t i = 0; i < length; i++) {
        at = index_after(at);
        TXTAP_LOGGER_STORE(words[at], data[i]);
    }
    TXTAP_LOGGER_BARRIER();
    TXTAP_LOGGER_STORE(ring->tail, index_after(at));
    TXTAP_LOGGER_BARRIER();
    TXTAP_LOGGER_STORE(totals->words_put, totals->words_put + length + 1u);
    TXTAP_LOGGER_STORE(totals->events_put, totals->events_put + 1u);
    TXTAP_LOGGER_STORE(ring->dropped_put_count, 0u);
    TXTAP_LOGGER_STORE(sync->count, sync->count + 1u);
    return true;
}

/*
 * Removes the oldest event; called in the lock. The head moves after all words have been copied. Then a put may
 * overwrite the words.
 */
static int ring_get(uint16_t *event_id, uint8_t *dropped, uint32_t *event_data, uint8_t *data_size)
{
    const uint32_t *words = ring->buf;
    uint32_t at = ring->head;
    if (at == ring->tail) { /* this is also true before init */
        return 0;
    }
    uint32_t header = words[at];
    uint8_t length = (uint8_t)(header >> KERNEL_EVENT_LOGGER_HEADER_LENGTH_SHIFT);
    if (length > *data_size) {
        *data_size = length;
        return -EMSGSIZE;
    }
    *event_id = (uint16_t)header;
    *dropped = (uint8_t)(header >> KERNEL_EVENT_LOGGER_HEADER_DROPPED_SHIFT);
    *data_size = length;
    for (uint32_t i = 0; i < length; i++) {
        at = index_after(at);
        event_data[i] = words[at];
    }
    TXTAP_LOGGER_BARRIER();
    TXTAP_LOGGER_STORE(ring->head, index_after(at));
    TXTAP_LOGGER_STORE(sync->count, sync->count - 1u);
    return length;
}

void sys_k_event_logger_init(void)
{
    uint32_t lock;
    TXTAP_LOGGER_LOCK(lock);
    /* A probe that sees the buffer's address must see a complete ring. So the address is cleared first and stored
     * last. */
    TXTAP_LOGGER_STORE(ring->buf, NULL);
    TXTAP_LOGGER_BARRIER();
    TXTAP_LOGGER_STORE(sync->wait_queue[0], NULL);
    TXTAP_LOGGER_STORE(sync->wait_queue[1], NULL);
    TXTAP_LOGGER_STORE(sync->count, 0u);
    TXTAP_LOGGER_STORE(sync->limit, 0xFFFFFFFFu);
    TXTAP_LOGGER_STORE(ring->head, 0u);
    TXTAP_LOGGER_STORE(ring->tail, 0u);
    TXTAP_LOGGER_STORE(ring->dropped_put_count, 0u);
    TXTAP_LOGGER_STORE(ring->size, RING_WORDS);
    TXTAP_LOGGER_STORE(ring->mask, RING_MASK);
    TXTAP_LOGGER_STORE(totals->words_put, 0u);
    TXTAP_LOGGER_STORE(totals->events_dropped, 0u);
    TXTAP_LOGGER_STORE(totals->events_put, 0u);
    TXTAP_LOGGER_BARRIER();
    TXTAP_LOGGER_STORE(ring->buf, _sys_k_event_logger_buffer);
    TXTAP_LOGGER_UNLOCK(lock);
}

/* ------------------------------------------------------------------------------------------- writing */

void sys_k_event_logger_put(uint16_t event_id, const uint32_t *event_data, uint8_t data_size)
{
    uint32_t lock;
    TXTAP_LOGGER_LOCK(lock);
    bool stored = ring_put(event_id, event_data, data_size);
    TXTAP_LOGGER_UNLOCK(lock);
    if (stored) {
        TXTAP_LOGGER_SIGNAL();
    }
}

/* Records an event whose time is in word `stamp_index`. The stamp is read in the lock, so that the events in the ring
 * are in order of time. A reader treats a decreasing time as a wrap of the clock. */
static bool put_stamped(uint16_t event_id, uint32_t *data, uint32_t length, uint32_t stamp_index)
{
    uint32_t lock;
    TXTAP_LOGGER_LOCK(lock);
    data[stamp_index] = stamp_now();
    bool stored = ring_put(event_id, data, length);
    TXTAP_LOGGER_UNLOCK(lock);
    return stored;
}

void sys_k_event_logger_put_timed(uint16_t event_id)
{
    uint32_t data[1];
    if (put_stamped(event_id, data, 1, 0)) {
        TXTAP_LOGGER_SIGNAL();
    }
}

/* ---------------------------------------------------------------------------------------- collecting */

int sys_k_event_logger_get(uint16_t *event_id, uint8_t *dropped, uint32_t *event_data, uint8_t *data_size)
{
    uint32_t lock;
    TXTAP_LOGGER_LOCK(lock);
    int result = ring_get(event_id, dropped, event_data, data_size);
    TXTAP_LOGGER_UNLOCK(lock);
    if (result == -EMSGSIZE) {
        TXTAP_LOGGER_SIGNAL(); /* the signal for the event that stays in the ring may have ended this caller's wait */
    }
    return result;
}

/* Waits for an event. A signal only ends a wait and does not prove that there is an event. So this function then looks
 * into the ring. */
int sys_k_event_logger_get_wait(uint16_t *event_id, uint8_t *dropped, uint32_t *event_data, uint8_t *data_size)
{
    int result = sys_k_event_logger_get(event_id, dropped, event_data, data_size);
    while (result == 0) {
        TXTAP_LOGGER_WAIT(TXTAP_LOGGER_FOREVER);
        result = sys_k_event_logger_get(event_id, dropped, event_data, data_size);
    }
    return result;
}

int sys_k_event_logger_get_wait_timeout(uint16_t *event_id, uint8_t *dropped, uint32_t *event_data, uint8_t *data_size,
                                        uint32_t timeout)
{
    uint32_t start = TXTAP_LOGGER_TICKS();
    for (;;) {
        /* Read the clock before the ring, so that an event that arrives just before the timeout is still returned. */
        uint32_t passed = TXTAP_LOGGER_TICKS() - start;
        int result = sys_k_event_logger_get(event_id, dropped, event_data, data_size);
        if (result != 0 || passed >= timeout) {
            return result;
        }
        TXTAP_LOGGER_WAIT(timeout - passed);
    }
}

/* ------------------------------------------------------------------------------- the kernel's events */

#ifdef CONFIG_KERNEL_EVENT_LOGGER_CONTEXT_SWITCH
void *volatile _collector_coop_thread;

void sys_k_event_logger_register_as_collector(void)
{
    _collector_coop_thread = TXTAP_LOGGER_THREAD();
}

void _sys_k_event_logger_context_switch(void)
{
    void *thread = TXTAP_LOGGER_THREAD();
    bool collects = thread != NULL && thread == _collector_coop_thread;
    if (collects || !sys_k_must_log_event(KERNEL_EVENT_LOGGER_CONTEXT_SWITCH_EVENT_ID)) {
        return;
    }
    uint32_t data[2];
    data[1] = TXTAP_LOGGER_ADDRESS(thread);
    if (put_stamped(KERNEL_EVENT_LOGGER_CONTEXT_SWITCH_EVENT_ID, data, 2, 0)) {
        TXTAP_LOGGER_SIGNAL_IN_SWITCH();
    }
}
#endif

#ifdef CONFIG_KERNEL_EVENT_LOGGER_INTERRUPT
void _sys_k_event_logger_interrupt(void)
{
    if (!sys_k_must_log_event(KERNEL_EVENT_LOGGER_INTERRUPT_EVENT_ID)) {
        return;
    }
    uint32_t data[2];
    data[1] = TXTAP_LOGGER_INTERRUPT_ID();
    if (put_stamped(KERNEL_EVENT_LOGGER_INTERRUPT_EVENT_ID, data, 2, 0)) {
        TXTAP_LOGGER_SIGNAL();
    }
}
#endif

#ifdef CONFIG_KERNEL_EVENT_LOGGER_SLEEP
volatile uint32_t _sys_k_event_logger_sleep_start_time;
static volatile bool asleep; /* Zephyr used a start time of 0 for "not asleep", but 0 is a valid time */

void _sys_k_event_logger_enter_sleep(void)
{
    if (sys_k_must_log_event(KERNEL_EVENT_LOGGER_SLEEP_EVENT_ID)) {
        _sys_k_event_logger_sleep_start_time = stamp_now();
        asleep = true;
    }
}

void _sys_k_event_logger_exit_sleep(void)
{
    uint32_t lock;
    TXTAP_LOGGER_LOCK(lock); /* without this lock, a nested interrupt would record the same sleep again */
    bool woke = asleep;
    asleep = false;
    TXTAP_LOGGER_UNLOCK(lock);
    if (!woke || !sys_k_must_log_event(KERNEL_EVENT_LOGGER_SLEEP_EVENT_ID)) {
        return;
    }
    uint32_t data[3];
    data[0] = _sys_k_event_logger_sleep_start_time;
    data[2] = TXTAP_LOGGER_INTERRUPT_ID();
    if (put_stamped(KERNEL_EVENT_LOGGER_SLEEP_EVENT_ID, data, 3, 1)) {
        TXTAP_LOGGER_SIGNAL();
    }
}
#endif
