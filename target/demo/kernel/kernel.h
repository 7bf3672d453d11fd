/* SPDX-License-Identifier: MIT */
/*
 * A small preemptive kernel with fixed priorities. Its services record the same events as ThreadX's services, in the
 * same order. Ids, fields, thread states and status codes are ThreadX's. Interrupts are locked during a whole service,
 * as in a ThreadX that was built with TX_NOT_INTERRUPTABLE.
 *
 * Lower number = higher priority. Waits are in ticks of 1 / KERNEL_TICK_HZ s; KERNEL_NO_WAIT and
 * KERNEL_WAIT_FOREVER are special. All control blocks belong to the caller and must stay where they
 * are while in use. Services that may wait are for threads only.
 */
#ifndef DEMO_KERNEL_H
#define DEMO_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#define KERNEL_TICK_HZ        1000u
#define KERNEL_TICK_EXCEPTION 15u /* SysTick */
#define KERNEL_PRIORITIES     32u
#define KERNEL_NO_WAIT        0u
#define KERNEL_WAIT_FOREVER   0xFFFFFFFFu

enum kernel_status {
    KERNEL_OK = 0x00,
    KERNEL_NO_EVENTS = 0x07,
    KERNEL_QUEUE_EMPTY = 0x0A,
    KERNEL_QUEUE_FULL = 0x0B,
    KERNEL_NO_INSTANCE = 0x0D,
    KERNEL_NO_MEMORY = 0x10,
    KERNEL_NOT_AVAILABLE = 0x1D,
    KERNEL_NOT_OWNED = 0x1E
};

enum kernel_thread_state {
    KERNEL_READY = 0,
    KERNEL_COMPLETED = 1,
    KERNEL_SUSPENDED = 3,
    KERNEL_SLEEPING = 4,
    KERNEL_WAITS_QUEUE = 5,
    KERNEL_WAITS_SEMAPHORE = 6,
    KERNEL_WAITS_EVENT_FLAGS = 7,
    KERNEL_WAITS_BLOCK = 8,
    KERNEL_WAITS_MUTEX = 13,
    KERNEL_PRIORITY_CHANGE = 14
};

enum kernel_flags_option {
    KERNEL_FLAGS_OR = 0,
    KERNEL_FLAGS_OR_CLEAR = 1,
    KERNEL_FLAGS_AND = 2,
    KERNEL_FLAGS_AND_CLEAR = 3
};

struct kernel_thread;

/* First in, first out. */
struct kernel_list {
    struct kernel_thread *head;
    struct kernel_thread *tail;
    uint32_t count;
};

/* `expiry` is a tick number; active timers are in one list, ordered by expiry. */
struct kernel_timer {
    struct kernel_timer *next;
    uint32_t expiry;
    uint32_t reschedule_ticks;
    bool active;
    void (*expired)(void *argument);
    void *argument;
};

struct kernel_thread {
    void *stack_pointer; /* the first member: holds the stack pointer while the thread does not run */
    struct kernel_thread *next;
    const char *name;
    uint32_t *stack_start;
    uint32_t stack_bytes;
    uint32_t priority;
    uint32_t own_priority; /* the priority without inheritance */
    uint32_t state;
    struct kernel_timer timer;
    struct kernel_list *waits_in; /* NULL: not in a waiting list */
    void *wait_data;              /* where the service that ends the wait stores or finds its data */
    uint32_t wait_flags;
    uint32_t wait_option;
    enum kernel_status wait_status;
    struct kernel_mutex *owned;
    void (*entry)(void *argument);
    void *argument;
};

struct kernel_semaphore {
    uint32_t count;
    struct kernel_list waiters;
};

struct kernel_mutex {
    bool inherits; /* the owner runs at least at the priority of the highest thread that waits for this mutex */
    struct kernel_thread *owner;
    uint32_t ownership_count;
    uint32_t highest_waiting; /* priority; KERNEL_PRIORITIES: no thread waits */
    struct kernel_mutex *owned_next;
    struct kernel_list waiters;
};

/* Messages are one word. */
struct kernel_queue {
    uint32_t *start;
    uint32_t capacity;
    uint32_t enqueued;
    uint32_t read_index;
    struct kernel_list receivers;
    struct kernel_list senders;
};

struct kernel_flags {
    uint32_t current;
    struct kernel_list waiters;
};

struct kernel_block_pool {
    uint32_t *available_list;
    uint32_t available;
    struct kernel_list waiters;
};

/* Initializes the kernel; call it before anything else. Leaves interrupts locked; kernel_start() unlocks them. */
void kernel_init(void);
/*
 * Registers the objects that already exist (here only the system timer thread), and records two RUNNING events, like
 * the end of ThreadX's tx_trace_enable. Call it right after the trace has been enabled.
 */
void kernel_trace_objects(void);
/* Runs the threads; never returns. While no thread is ready, it calls `idle` again and again, under the lock. */
void kernel_start(void (*idle)(void)) __attribute__((noreturn));
/* Counts a tick; called by the tick's interrupt. Returns true if a timer is due; then call kernel_timers_expire(). */
bool kernel_tick(void);
void kernel_timers_expire(void);
/* Returns true if only an interrupt other than the tick can cause further activity. */
bool kernel_at_rest(void);

void kernel_thread_create(struct kernel_thread *thread, const char *name, void (*entry)(void *argument), void *argument,
                          uint32_t *stack, uint32_t stack_bytes, uint32_t priority);
void kernel_thread_sleep(uint32_t ticks);
void kernel_thread_suspend_self(void);

uint32_t kernel_time_get(void);
uint32_t kernel_ticks(void); /* returns the tick count; records no trace event */
void kernel_timer_create(struct kernel_timer *timer, const char *name, void (*expired)(void *argument), void *argument,
                         uint32_t initial_ticks, uint32_t reschedule_ticks);
void kernel_timer_deactivate(struct kernel_timer *timer);

void kernel_semaphore_create(struct kernel_semaphore *semaphore, const char *name, uint32_t initial_count);
void kernel_semaphore_delete(struct kernel_semaphore *semaphore); /* no thread may be waiting */
enum kernel_status kernel_semaphore_get(struct kernel_semaphore *semaphore, uint32_t wait_ticks);
void kernel_semaphore_put(struct kernel_semaphore *semaphore);

void kernel_mutex_create(struct kernel_mutex *mutex, const char *name, bool inherits);
enum kernel_status kernel_mutex_get(struct kernel_mutex *mutex, uint32_t wait_ticks);
enum kernel_status kernel_mutex_put(struct kernel_mutex *mutex);

void kernel_queue_create(struct kernel_queue *queue, const char *name, uint32_t *start, uint32_t queue_bytes);
enum kernel_status kernel_queue_send(struct kernel_queue *queue, const uint32_t *source, uint32_t wait_ticks);
enum kernel_status kernel_queue_receive(struct kernel_queue *queue, uint32_t *destination, uint32_t wait_ticks);

void kernel_flags_create(struct kernel_flags *group, const char *name);
enum kernel_status kernel_flags_get(struct kernel_flags *group, uint32_t requested, enum kernel_flags_option option,
                                    uint32_t *actual, uint32_t wait_ticks);
void kernel_flags_set(struct kernel_flags *group, uint32_t flags);

/* Creates a pool. Each block takes one more word, for the pool's bookkeeping. */
void kernel_block_pool_create(struct kernel_block_pool *pool, const char *name, uint32_t block_bytes, uint32_t *start,
                              uint32_t pool_bytes);
enum kernel_status kernel_block_allocate(struct kernel_block_pool *pool, uint32_t **block, uint32_t wait_ticks);
void kernel_block_release(uint32_t *block);

#endif
