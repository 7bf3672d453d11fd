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
#include <stddef.h>
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

struct TX_THREAD_STRUCT;

/* First in, first out. */
struct kernel_list {
    struct TX_THREAD_STRUCT *head;
    uint32_t count;
};

/*
 * The control blocks have ThreadX's names, and its places in a release without options (tx_api.h), so that debuggers
 * can show the threads and other objects.
 */
#define KERNEL_WAITERS(count_name)                                                                                     \
    union {                                                                                                            \
        struct kernel_list waiters;                                                                                    \
        struct {                                                                                                       \
            struct TX_THREAD_STRUCT *waiting_head;                                                                     \
            uint32_t count_name;                                                                                       \
        };                                                                                                             \
    }

/* `expiry` is a tick number; active timers are in one list, ordered by expiry. */
struct TX_TIMER_INTERNAL_STRUCT {
    uint32_t expiry;
    uint32_t tx_timer_internal_re_initialize_ticks;
    void (*tx_timer_internal_timeout_function)(void *argument);
    void *tx_timer_internal_timeout_param;
    struct TX_TIMER_INTERNAL_STRUCT *tx_timer_internal_active_next;
    uint32_t active;
    uint32_t unused;
};

struct TX_TIMER_STRUCT {
    uint32_t tx_timer_id;
    const char *tx_timer_name;
    struct TX_TIMER_INTERNAL_STRUCT tx_timer_internal;
    struct TX_TIMER_STRUCT *tx_timer_created_next, *tx_timer_created_previous;
};

struct TX_THREAD_STRUCT {
    uint32_t tx_thread_id;
    uint32_t tx_thread_run_count;
    void *tx_thread_stack_ptr; /* holds the stack pointer while the thread does not run */
    uint32_t *tx_thread_stack_start;
    void *tx_thread_stack_end;
    uint32_t tx_thread_stack_size;
    uint32_t tx_thread_time_slice;
    uint32_t tx_thread_new_time_slice;
    struct TX_THREAD_STRUCT *tx_thread_ready_next; /* in the ready list or in a waiting list */
    struct kernel_list *waits_in;                  /* NULL: not in a waiting list */
    const char *tx_thread_name;
    uint32_t tx_thread_priority;
    uint32_t tx_thread_state;
    uint32_t unused[2];
    uint32_t tx_thread_preempt_threshold;
    uint32_t unused_hook;
    void (*tx_thread_entry)(void *argument);
    void *tx_thread_entry_parameter;
    struct TX_TIMER_INTERNAL_STRUCT tx_thread_timer;
    void *wait_data; /* where the service that ends the wait stores or finds its data */
    void *tx_thread_suspend_control_block;
    uint32_t wait_flags;
    uint32_t wait_option;
    enum kernel_status wait_status;
    struct TX_MUTEX_STRUCT *owned;
    uint32_t unused_suspension[2];
    struct TX_THREAD_STRUCT *tx_thread_created_next, *tx_thread_created_previous;
    uint32_t unused_component;
    uint32_t tx_thread_user_priority; /* the priority without inheritance */
};
_Static_assert(offsetof(struct TX_THREAD_STRUCT, tx_thread_timer) == 76 &&
                   offsetof(struct TX_THREAD_STRUCT, tx_thread_created_next) == 136 &&
                   offsetof(struct TX_THREAD_STRUCT, tx_thread_user_priority) == 148,
               "the places are ThreadX's");

struct TX_SEMAPHORE_STRUCT {
    uint32_t tx_semaphore_id;
    const char *tx_semaphore_name;
    uint32_t tx_semaphore_count;
    KERNEL_WAITERS(tx_semaphore_suspended_count);
    struct TX_SEMAPHORE_STRUCT *tx_semaphore_created_next, *tx_semaphore_created_previous;
};

struct TX_MUTEX_STRUCT {
    uint32_t tx_mutex_id;
    const char *tx_mutex_name;
    uint32_t tx_mutex_ownership_count;
    struct TX_THREAD_STRUCT *tx_mutex_owner;
    uint32_t tx_mutex_inherit; /* 1: the owner runs at least at the priority of the highest thread that waits for it */
    uint32_t highest_waiting;  /* priority; KERNEL_PRIORITIES: no thread waits */
    KERNEL_WAITERS(tx_mutex_suspended_count);
    struct TX_MUTEX_STRUCT *tx_mutex_created_next, *tx_mutex_created_previous;
    struct TX_MUTEX_STRUCT *owned_next;
};

/* Messages are one word. Waiting threads are receivers if the queue is empty, and senders if it is full. */
struct TX_QUEUE_STRUCT {
    uint32_t tx_queue_id;
    const char *tx_queue_name;
    uint32_t tx_queue_message_size;
    uint32_t tx_queue_capacity;
    uint32_t tx_queue_enqueued;
    uint32_t unused;
    uint32_t *tx_queue_start;
    uint32_t *tx_queue_end;
    uint32_t read_index;
    uint32_t unused_write;
    KERNEL_WAITERS(tx_queue_suspended_count);
    struct TX_QUEUE_STRUCT *tx_queue_created_next, *tx_queue_created_previous;
};

struct TX_EVENT_FLAGS_GROUP_STRUCT {
    uint32_t tx_event_flags_group_id;
    const char *tx_event_flags_group_name;
    uint32_t tx_event_flags_group_current;
    uint32_t unused;
    KERNEL_WAITERS(tx_event_flags_group_suspended_count);
    struct TX_EVENT_FLAGS_GROUP_STRUCT *tx_event_flags_group_created_next, *tx_event_flags_group_created_previous;
};

struct TX_BLOCK_POOL_STRUCT {
    uint32_t tx_block_pool_id;
    const char *tx_block_pool_name;
    uint32_t tx_block_pool_available;
    uint32_t tx_block_pool_total;
    uint32_t *tx_block_pool_available_list;
    uint32_t unused[2];
    uint32_t tx_block_pool_block_size;
    KERNEL_WAITERS(tx_block_pool_suspended_count);
    struct TX_BLOCK_POOL_STRUCT *tx_block_pool_created_next, *tx_block_pool_created_previous;
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

void kernel_thread_create(struct TX_THREAD_STRUCT *thread, const char *name, void (*entry)(void *argument),
                          void *argument, uint32_t *stack, uint32_t stack_bytes, uint32_t priority);
void kernel_thread_sleep(uint32_t ticks);
void kernel_thread_suspend_self(void);

uint32_t kernel_time_get(void);
uint32_t kernel_ticks(void); /* returns the tick count; records no trace event */
void kernel_timer_create(struct TX_TIMER_STRUCT *timer, const char *name, void (*expired)(void *argument),
                         void *argument, uint32_t initial_ticks, uint32_t reschedule_ticks);
void kernel_timer_deactivate(struct TX_TIMER_STRUCT *timer);

void kernel_semaphore_create(struct TX_SEMAPHORE_STRUCT *semaphore, const char *name, uint32_t initial_count);
void kernel_semaphore_delete(struct TX_SEMAPHORE_STRUCT *semaphore); /* no thread may be waiting */
enum kernel_status kernel_semaphore_get(struct TX_SEMAPHORE_STRUCT *semaphore, uint32_t wait_ticks);
void kernel_semaphore_put(struct TX_SEMAPHORE_STRUCT *semaphore);

void kernel_mutex_create(struct TX_MUTEX_STRUCT *mutex, const char *name, bool inherits);
enum kernel_status kernel_mutex_get(struct TX_MUTEX_STRUCT *mutex, uint32_t wait_ticks);
enum kernel_status kernel_mutex_put(struct TX_MUTEX_STRUCT *mutex);

void kernel_queue_create(struct TX_QUEUE_STRUCT *queue, const char *name, uint32_t *start, uint32_t queue_bytes);
enum kernel_status kernel_queue_send(struct TX_QUEUE_STRUCT *queue, const uint32_t *source, uint32_t wait_ticks);
enum kernel_status kernel_queue_receive(struct TX_QUEUE_STRUCT *queue, uint32_t *destination, uint32_t wait_ticks);

void kernel_flags_create(struct TX_EVENT_FLAGS_GROUP_STRUCT *group, const char *name);
enum kernel_status kernel_flags_get(struct TX_EVENT_FLAGS_GROUP_STRUCT *group, uint32_t requested,
                                    enum kernel_flags_option option, uint32_t *actual, uint32_t wait_ticks);
void kernel_flags_set(struct TX_EVENT_FLAGS_GROUP_STRUCT *group, uint32_t flags);

/* Creates a pool. Each block takes one more word, for the pool's bookkeeping. */
void kernel_block_pool_create(struct TX_BLOCK_POOL_STRUCT *pool, const char *name, uint32_t block_bytes,
                              uint32_t *start, uint32_t pool_bytes);
enum kernel_status kernel_block_allocate(struct TX_BLOCK_POOL_STRUCT *pool, uint32_t **block, uint32_t wait_ticks);
void kernel_block_release(uint32_t *block);

#endif
