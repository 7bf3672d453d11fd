/* SPDX-License-Identifier: MIT */
/*
 * A simulation of ThreadX, function by function as in common/src of ThreadX 6.4. It has ready lists, preemption
 * thresholds, time slices, mutexes that inherit priorities, the timer wheel, and windows in which a service enables
 * interrupts. Events and their words are in the order of the real kernel. With several cores it simulates ThreadX SMP,
 * as in common_smp/src (kernel_smp.c), without thresholds, excluded cores and windows. It knows nothing of txtap.
 * Threads and objects are numbers.
 *
 * A thread has no code: a schedule calls services for the running thread. A service returns at once. If it suspended
 * or displaced its caller, another thread runs next.
 */
#ifndef TXTAP_TESTS_ORACLE_KERNEL_H
#define TXTAP_TESTS_ORACLE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_THREADS    8  /* thread 0 is the system timer thread */
#define KERNEL_OBJECTS    12 /* queues, semaphores, mutexes, ... */
#define KERNEL_TIMERS     2  /* timers of the application */
#define KERNEL_PRIORITIES 32
#define KERNEL_SLOTS      32 /* TX_TIMER_ENTRIES */
#define KERNEL_EVENTS     1024
#define KERNEL_BLOCKS     4 /* blocks of each block pool */
#define KERNEL_PIECES     16
#define KERNEL_LINE       16
#define KERNEL_CORES      4

#define NOBODY        255u
#define WAIT_NOT      0u
#define WAIT_FOR_EVER 0xFFFFFFFFu

#ifndef KERNEL_POINTER_BYTES
#define KERNEL_POINTER_BYTES 4u
#endif

enum kernel_state { /* as in tx_api.h */
                    KERNEL_READY,
                    KERNEL_COMPLETED,
                    KERNEL_TERMINATED,
                    KERNEL_SUSPENDED,
                    KERNEL_SLEEP,
                    KERNEL_QUEUE,
                    KERNEL_SEMAPHORE,
                    KERNEL_FLAGS,
                    KERNEL_BLOCK_POOL,
                    KERNEL_BYTE_POOL,
                    KERNEL_MUTEX = 13,
                    KERNEL_PRIORITY_CHANGE
};

enum kernel_event { /* as in tx_trace.h */
                    EV_RESUME = 1,
                    EV_SUSPEND,
                    EV_ISR_ENTER,
                    EV_ISR_EXIT,
                    EV_TIME_SLICE,
                    EV_RUNNING,
                    EV_BLOCK_ALLOCATE = 10,
                    EV_BLOCK_RELEASE = 17,
                    EV_BYTE_ALLOCATE = 20,
                    EV_BYTE_RELEASE = 27,
                    EV_FLAGS_CREATE = 30,
                    EV_FLAGS_DELETE,
                    EV_FLAGS_GET,
                    EV_FLAGS_SET = 36,
                    EV_MUTEX_CREATE = 50,
                    EV_MUTEX_DELETE,
                    EV_MUTEX_GET,
                    EV_MUTEX_PRIORITIZE = 56,
                    EV_MUTEX_PUT,
                    EV_QUEUE_CREATE = 60,
                    EV_QUEUE_DELETE,
                    EV_QUEUE_FLUSH,
                    EV_QUEUE_FRONT_SEND,
                    EV_QUEUE_RECEIVE = 68,
                    EV_QUEUE_SEND,
                    EV_SEMAPHORE_CEILING_PUT = 80,
                    EV_SEMAPHORE_CREATE,
                    EV_SEMAPHORE_DELETE,
                    EV_SEMAPHORE_GET,
                    EV_SEMAPHORE_PUT = 88,
                    EV_THREAD_CREATE = 100,
                    EV_THREAD_DELETE,
                    EV_PREEMPTION_CHANGE = 107,
                    EV_PRIORITY_CHANGE,
                    EV_RELINQUISH,
                    EV_THREAD_RESET,
                    EV_THREAD_RESUME_API,
                    EV_THREAD_SLEEP,
                    EV_THREAD_SUSPEND_API = 114,
                    EV_THREAD_TERMINATE,
                    EV_TIME_SLICE_CHANGE,
                    EV_WAIT_ABORT,
                    EV_TIME_GET = 120
};

/*
 * A list of numbers, such as a queue of waiting threads. It represents a circular list of ThreadX; the first number
 * is the head of that list.
 */
struct line {
    uint8_t count, at[KERNEL_LINE];
};

struct kernel_thread {
    uint32_t address, stack, stack_bytes;
    bool exists; /* created and not deleted */
    uint8_t created_priority;
    enum kernel_state state;
    bool suspending, delayed_suspend;
    bool cleanup; /* the thread waits, in the line of an object */
    bool aborted; /* suspend status: TX_WAIT_ABORTED */
    uint8_t priority, user_priority, inherit_priority, threshold, user_threshold;
    uint8_t object;     /* suspend control block */
    uint8_t option;     /* for event flags: AND, CLEAR; for a queue: 1 if the message goes to the front */
    uint32_t wanted;    /* number of bytes, or the event flags, that the thread waits for */
    uint32_t remaining; /* ticks until its timer expires */
    uint32_t slice, new_slice;
    struct line owned; /* owned mutexes, in order of acquisition */
    int patch;         /* index of the ..._GET event to patch when the thread runs again; -1: none */
    uint32_t granted;
    uint8_t releasing; /* pool to which the thread is still releasing bytes; NOBODY: no pool */
    uint8_t mapped;    /* tx_thread_smp_core_mapped */
};

struct kernel_piece { /* A piece of a byte pool. The last entry of the list is only the pool's end. */
    uint32_t offset;
    bool free;
};

struct kernel_object {
    uint32_t address;
    uint8_t type; /* type as in the registry */
    bool exists;
    struct line waiting;
    uint32_t count;    /* messages, semaphore count, flags, free blocks or bytes, ownership count */
    uint32_t capacity; /* capacity of a queue, or blocks or bytes of a pool */
    uint8_t owner;     /* owner of a mutex */
    bool inherit;
    uint8_t highest_waiting;
    uint8_t message_words; /* for a queue: words in each message */
    struct line free_blocks;
    struct kernel_piece pieces[KERNEL_PIECES];
    uint8_t piece_count, search; /* search: tx_byte_pool_search, as an index */
};

struct kernel_timer {
    uint32_t remaining, reinitialize;
    int slot; /* slot in the wheel; -1: not in the wheel; KERNEL_SLOTS: expired and not yet processed */
};

struct kernel_entry {
    uint32_t thread, priority, id;
    uint8_t core;
    uint64_t ticks;
    uint32_t info[4];
};

enum kernel_outcome { OUTCOME_DONE, OUTCOME_FAILED, OUTCOME_WAITS };
enum kernel_ending { ENDS_SERVED, ENDS_TIMEOUT, ENDS_DELETED, ENDS_ABORTED, ENDS_OTHERWISE };

struct kernel;

/* Decisions that the kernel does not make, and functions that observe it. */
struct kernel_world {
    void *self;
    uint32_t (*elapse)(void *self);             /* ticks until the next event */
    void (*window)(void *self);                 /* interrupts are enabled for a moment inside a service */
    void (*timer)(void *self, unsigned number); /* an application's timer expired: the code of its function */
    /* Another core has to switch. Returns the number of ticks until it does. A result above `ticks` means that it does
     * not switch yet. */
    uint32_t (*delay)(void *self, uint32_t ticks);
    void (*before_event)(void *self);             /* all changes since the last event are done; no time has passed */
    void (*time)(void *self, uint64_t ticks);     /* time passes */
    void (*event)(void *self);                    /* the last event in `events` was recorded */
    void (*blocked)(void *self, unsigned thread); /* the thread was suspended, with or without an event */
    void (*ready)(void *self, unsigned thread, enum kernel_ending ending);
    void (*ended)(void *self, unsigned thread); /* terminated while it waited: no event shows the end of the wait */
    void (*owner)(void *self, unsigned mutex);  /* the owner of the mutex has changed */
    /*
     * A service has ended, although its caller may still wait. woken: number of threads that the service resumed.
     */
    void (*done)(void *self, enum kernel_event id, unsigned object, enum kernel_outcome outcome, unsigned woken);
};

#define KERNEL_DEPTH 8

struct kernel_core {
    uint8_t current, execute;
    unsigned depth; /* number of nested interrupts */
    struct {
        uint32_t number;
        bool traced, quiet; /* quiet: the interrupt has recorded no event yet */
    } interrupts[KERNEL_DEPTH];
    uint32_t time_slice;  /* _tx_timer_time_slice */
    bool slice_displaced; /* the last tick ended the current thread's time slice, and another thread displaced it */
    bool relinquished;
};

struct kernel {
    struct kernel_world world;
    struct kernel_thread threads[KERNEL_THREADS];
    struct kernel_object objects[KERNEL_OBJECTS];
    struct kernel_timer timers[KERNEL_THREADS + KERNEL_TIMERS]; /* one per thread, then the application's timers */
    unsigned thread_count, object_count;

    struct line ready[KERNEL_PRIORITIES];          /* _tx_thread_priority_list */
    uint32_t preempted;                            /* _tx_thread_preempted_maps */
    struct kernel_core cores[KERNEL_CORES], *here; /* here: the core that acts now */
    unsigned core_count;
    unsigned preempt_disable;
    bool initializing;

    bool timer_in_isr; /* TX_TIMER_PROCESS_IN_ISR */
    bool timer_active; /* the timer thread, or the timer interrupt, is processing expired timers */
    struct line slots[KERNEL_SLOTS], expired;
    unsigned slot;
    bool timer_expired;

    uint64_t now;
    struct kernel_entry events[KERNEL_EVENTS];
    unsigned count;
};

/* ---- lines ---- */

bool line_has(const struct line *line, unsigned number);
void line_push(struct line *line, unsigned number);
void line_push_front(struct line *line, unsigned number);
void line_remove(struct line *line, unsigned number);
/* Rotates the circular list until `number` is its head. */
void line_turn(struct line *line, unsigned number);

/* ---- core: kernel.c ---- */

/* Begins in the initialization. Only the timer thread exists, on the first core. */
void kernel_init(struct kernel *kernel, const struct kernel_world *world, unsigned cores);
void kernel_start(struct kernel *kernel); /* ends the initialization */

/* Records an event and returns its index. A word with the value STACK means the caller's stack pointer. */
#define STACK 0xFEEDFACEu
int kernel_record(struct kernel *kernel, enum kernel_event id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4);
/* Lets time pass until the acting core has something to do. */
void kernel_elapse(struct kernel *kernel, uint32_t ticks);
void kernel_window(struct kernel *kernel);
unsigned kernel_highest(const struct kernel *kernel);        /* KERNEL_PRIORITIES: no thread is ready */
void kernel_suspend(struct kernel *kernel, unsigned thread); /* _tx_thread_system_suspend */
void kernel_resume(struct kernel *kernel, unsigned thread, enum kernel_ending ending); /* _tx_thread_system_resume */
void kernel_preempt_check(struct kernel *kernel);
void kernel_mutex_priority_change(struct kernel *kernel, unsigned thread, unsigned priority);

/* ---- several cores: kernel_smp.c ---- */

/* Returns true if the core must switch to another thread. */
bool kernel_smp_is_due(const struct kernel *kernel, const struct kernel_core *core);
/* Makes the core leave its thread if that thread is no longer to run there. Then the core takes its next thread,
 * unless another core still has that thread. */
void kernel_smp_follow(struct kernel *kernel, struct kernel_core *core);
/* Lets the other cores switch if they are due within `ticks`. Returns the remaining ticks. */
uint32_t kernel_smp_elapse(struct kernel *kernel, uint32_t ticks);
void kernel_smp_place(struct kernel *kernel, unsigned thread);  /* the end of _tx_thread_system_resume */
void kernel_smp_remove(struct kernel *kernel, unsigned thread); /* a part of _tx_thread_system_suspend */
void kernel_smp_rebalance(struct kernel *kernel);               /* _tx_thread_smp_rebalance_execute_list */
/*
 * Changes a priority as _tx_thread_smp_simple_priority_change does. Returns false if more must be done than change the
 * priority.
 */
bool kernel_smp_priority_change(struct kernel *kernel, unsigned thread, unsigned priority);
/* Ends a change of priority. was_to_execute: the thread was to execute before the change. */
void kernel_smp_execute_again(struct kernel *kernel, unsigned thread, bool was_to_execute, bool lowered);
void kernel_smp_relinquish(struct kernel *kernel);
void kernel_smp_time_slice(struct kernel *kernel); /* _tx_thread_time_slice */

/* ---- interrupts and timers: kernel_time.c ---- */

void kernel_interrupt_enter(struct kernel *kernel, uint32_t number, bool traced);
void kernel_interrupt_leave(struct kernel *kernel);
void kernel_tick(struct kernel *kernel);         /* in an interrupt: _tx_timer_interrupt */
void kernel_timer_thread(struct kernel *kernel); /* makes the next step of the timer thread */
void kernel_timer_activate(struct kernel *kernel, unsigned timer);
void kernel_timer_deactivate(struct kernel *kernel, unsigned timer);

/* ---- services ---- */

/* services_objects.c */
unsigned kernel_object_add(struct kernel *kernel, unsigned type, uint32_t count, uint32_t capacity, bool inherit);
void kernel_object_create_again(struct kernel *kernel, unsigned object, uint32_t count);
void kernel_object_delete(struct kernel *kernel, unsigned object);
enum kernel_outcome kernel_semaphore_get(struct kernel *kernel, unsigned object, uint32_t wait);
enum kernel_outcome kernel_semaphore_put(struct kernel *kernel, unsigned object);
enum kernel_outcome kernel_semaphore_ceiling_put(struct kernel *kernel, unsigned object, uint32_t ceiling);
enum kernel_outcome kernel_queue_send(struct kernel *kernel, unsigned object, uint32_t wait, bool front);
enum kernel_outcome kernel_queue_receive(struct kernel *kernel, unsigned object, uint32_t wait);
void kernel_queue_flush(struct kernel *kernel, unsigned object);
enum kernel_outcome kernel_flags_get(struct kernel *kernel, unsigned object, uint32_t flags, unsigned option,
                                     uint32_t wait);
void kernel_flags_set(struct kernel *kernel, unsigned object, uint32_t flags, unsigned option);
enum kernel_outcome kernel_block_allocate(struct kernel *kernel, unsigned object, uint32_t wait);
void kernel_block_release(struct kernel *kernel, unsigned object, uint32_t address);
enum kernel_outcome kernel_byte_allocate(struct kernel *kernel, unsigned object, uint32_t bytes, uint32_t wait);
void kernel_byte_release(struct kernel *kernel, unsigned object, uint32_t address);
void kernel_byte_release_goes_on(struct kernel *kernel, unsigned object);
enum kernel_outcome kernel_mutex_get(struct kernel *kernel, unsigned object, uint32_t wait);
enum kernel_outcome kernel_mutex_put(struct kernel *kernel, unsigned object);
void kernel_mutex_prioritize(struct kernel *kernel, unsigned object);

/* services_threads.c */
struct kernel_thread_setup {
    unsigned priority, threshold;
    uint32_t slice;
    bool start;
};
void kernel_thread_create(struct kernel *kernel, unsigned thread, const struct kernel_thread_setup *setup);
void kernel_thread_delete(struct kernel *kernel, unsigned thread);
void kernel_thread_reset(struct kernel *kernel, unsigned thread);
void kernel_thread_complete(struct kernel *kernel); /* the current thread's entry function returns */
void kernel_thread_terminate(struct kernel *kernel, unsigned thread);
void kernel_thread_suspend(struct kernel *kernel, unsigned thread);
void kernel_thread_resume(struct kernel *kernel, unsigned thread);
void kernel_thread_sleep(struct kernel *kernel, uint32_t ticks);
void kernel_thread_relinquish(struct kernel *kernel);
void kernel_thread_wait_abort(struct kernel *kernel, unsigned thread);
void kernel_thread_priority_change(struct kernel *kernel, unsigned thread, unsigned priority);
void kernel_thread_preemption_change(struct kernel *kernel, unsigned thread, unsigned threshold);
void kernel_thread_cleanup(struct kernel *kernel, unsigned thread, enum kernel_ending ending); /* suspend_cleanup */
void kernel_thread_timeout(struct kernel *kernel, unsigned thread);                            /* _tx_thread_timeout */

#endif
