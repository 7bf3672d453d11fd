/* SPDX-License-Identifier: MIT */
/*
 * Shared by the kernel's files. Every function here is called under port_lock().
 */
#ifndef DEMO_KERNEL_INTERNAL_H
#define DEMO_KERNEL_INTERNAL_H

#include "kernel.h"
#include "port.h"
#include "trace.h"

/* The running thread (NULL: no thread runs), and the thread that should run. They differ until PendSV has switched. */
extern struct TX_THREAD_STRUCT *volatile _tx_thread_current_ptr;
extern struct TX_THREAD_STRUCT *volatile _tx_thread_execute_ptr;

/*
 * Puts an object on the list of created objects of its class, or takes it off, as ThreadX does. `kind` is a part of the
 * names of the list's variables, `prefix` of the names of the object's members.
 */
#define OBJECT_CREATED(kind, prefix, object, identifier)                                                               \
    do {                                                                                                               \
        (object)->tx_##prefix##_id = (identifier);                                                                     \
        if (_tx_##kind##_created_count++ == 0) {                                                                       \
            _tx_##kind##_created_ptr = (object);                                                                       \
            (object)->tx_##prefix##_created_previous = (object);                                                       \
        }                                                                                                              \
        (object)->tx_##prefix##_created_next = _tx_##kind##_created_ptr;                                               \
        (object)->tx_##prefix##_created_previous = _tx_##kind##_created_ptr->tx_##prefix##_created_previous;           \
        (object)->tx_##prefix##_created_previous->tx_##prefix##_created_next = (object);                               \
        _tx_##kind##_created_ptr->tx_##prefix##_created_previous = (object);                                           \
    } while (0)
#define OBJECT_DELETED(kind, prefix, object)                                                                           \
    do {                                                                                                               \
        (object)->tx_##prefix##_id = 0;                                                                                \
        (object)->tx_##prefix##_created_next->tx_##prefix##_created_previous =                                         \
            (object)->tx_##prefix##_created_previous;                                                                  \
        (object)->tx_##prefix##_created_previous->tx_##prefix##_created_next = (object)->tx_##prefix##_created_next;   \
        if (_tx_##kind##_created_ptr == (object)) {                                                                    \
            _tx_##kind##_created_ptr = (object)->tx_##prefix##_created_next;                                           \
        }                                                                                                              \
        if (--_tx_##kind##_created_count == 0) {                                                                       \
            _tx_##kind##_created_ptr = 0;                                                                              \
        }                                                                                                              \
    } while (0)

void list_append(struct kernel_list *list, struct TX_THREAD_STRUCT *thread);
void list_prepend(struct kernel_list *list, struct TX_THREAD_STRUCT *thread);
void list_remove(struct kernel_list *list, struct TX_THREAD_STRUCT *thread);

/* Prepares a control block and its stack. Afterwards the thread is suspended, and is not registered in the trace. */
void thread_prepare(struct TX_THREAD_STRUCT *thread, const char *name, void (*entry)(void *argument), void *argument,
                    uint32_t *stack, uint32_t stack_bytes, uint32_t priority);
void thread_register(const struct TX_THREAD_STRUCT *thread);

/*
 * Removes a thread from the ready list. The caller has already set the thread's new state. If a thread suspends itself,
 * its timer is started with wait_ticks.
 */
void thread_suspend(struct TX_THREAD_STRUCT *thread, uint32_t wait_ticks);
/* Makes a thread ready. If the thread is ready already, only records the event, as ThreadX does. */
void thread_resume(struct TX_THREAD_STRUCT *thread);
/* Suspends the caller in `waiters`, a list of `object`. The result is in the caller's wait_status once the lock has
 * been released. */
void thread_wait(void *object, struct kernel_list *waiters, enum kernel_thread_state state,
                 enum kernel_status timeout_status, uint32_t wait_ticks);
/* Ends the wait of a thread with the status success. */
void thread_wake(struct TX_THREAD_STRUCT *thread);
/* Changes the effective priority, which a mutex may raise and lower again. */
void thread_priority_change(struct TX_THREAD_STRUCT *thread, uint32_t priority);
/* Ends the wait or sleep of a thread whose time limit has expired. A timer's callback. */
void thread_timeout(void *thread);

void timer_init(void);
void timer_trace_objects(void);
void timer_arm(struct TX_TIMER_INTERNAL_STRUCT *timer, uint32_t ticks);
void timer_disarm(struct TX_TIMER_INTERNAL_STRUCT *timer);
bool timer_none_active(void);

/* Stores the old context's stack pointer and returns the new context's. Called by PendSV. */
void *kernel_switch(void *stack_pointer);

#endif
