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
extern struct kernel_thread *volatile kernel_current;
extern struct kernel_thread *volatile kernel_execute;

void list_append(struct kernel_list *list, struct kernel_thread *thread);
void list_prepend(struct kernel_list *list, struct kernel_thread *thread);
void list_remove(struct kernel_list *list, struct kernel_thread *thread);

/* Prepares a control block and its stack. Afterwards the thread is suspended, and is not registered in the trace. */
void thread_prepare(struct kernel_thread *thread, const char *name, void (*entry)(void *argument), void *argument,
                    uint32_t *stack, uint32_t stack_bytes, uint32_t priority);
void thread_register(const struct kernel_thread *thread);

/*
 * Removes a thread from the ready list. The caller has already set the thread's new state. If a thread suspends itself,
 * its timer is started with wait_ticks.
 */
void thread_suspend(struct kernel_thread *thread, uint32_t wait_ticks);
/* Makes a thread ready. If the thread is ready already, only records the event, as ThreadX does. */
void thread_resume(struct kernel_thread *thread);
/* Suspends the caller in `waiters`. The result is in the caller's wait_status once the lock has been released. */
void thread_wait(struct kernel_list *waiters, enum kernel_thread_state state, enum kernel_status timeout_status,
                 uint32_t wait_ticks);
/* Ends the wait of a thread with the status success. */
void thread_wake(struct kernel_thread *thread);
/* Changes the effective priority, which a mutex may raise and lower again. */
void thread_priority_change(struct kernel_thread *thread, uint32_t priority);
/* Ends the wait or sleep of a thread whose time limit has expired. A timer's callback. */
void thread_timeout(void *thread);

void timer_init(void);
void timer_trace_objects(void);
void timer_arm(struct kernel_timer *timer, uint32_t ticks);
void timer_disarm(struct kernel_timer *timer);
bool timer_none_active(void);

/* Stores the old context's stack pointer and returns the new context's. Called by PendSV. */
void *kernel_switch(void *stack_pointer);

#endif
