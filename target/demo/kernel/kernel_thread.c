/* SPDX-License-Identifier: MIT */
/*
 * Threads and scheduling. This file handles ready lists, waiting lists and priorities. Registers are in
 * kernel_switch.c; the objects that threads wait for are in other files.
 */
#include "demo.h"
#include "kernel_internal.h"

struct kernel_thread *volatile kernel_current;
struct kernel_thread *volatile kernel_execute;

static struct kernel_list ready[KERNEL_PRIORITIES];
static uint32_t ready_bits; /* bit n: ready[n] is not empty */

void list_append(struct kernel_list *list, struct kernel_thread *thread)
{
    thread->next = 0;
    if (list->tail) {
        list->tail->next = thread;
    } else {
        list->head = thread;
    }
    list->tail = thread;
    list->count++;
}

void list_prepend(struct kernel_list *list, struct kernel_thread *thread)
{
    thread->next = list->head;
    list->head = thread;
    if (!list->tail) {
        list->tail = thread;
    }
    list->count++;
}

void list_remove(struct kernel_list *list, struct kernel_thread *thread)
{
    struct kernel_thread *before = 0;
    for (struct kernel_thread *at = list->head; at != thread; at = at->next) {
        before = at;
    }
    if (before) {
        before->next = thread->next;
    } else {
        list->head = thread->next;
    }
    if (list->tail == thread) {
        list->tail = before;
    }
    thread->next = 0;
    list->count--;
}

static void switch_if_needed(void)
{
    if (kernel_execute != kernel_current) {
        port_request_switch();
    }
}

static struct kernel_thread *ready_highest(void)
{
    return ready_bits ? ready[__builtin_ctz(ready_bits)].head : 0;
}

static void ready_add(struct kernel_thread *thread)
{
    list_append(&ready[thread->priority], thread);
    ready_bits |= 1u << thread->priority;
}

static void ready_drop(struct kernel_thread *thread)
{
    list_remove(&ready[thread->priority], thread);
    if (!ready[thread->priority].head) {
        ready_bits &= ~(1u << thread->priority);
    }
}

void thread_suspend(struct kernel_thread *thread, uint32_t wait_ticks)
{
    if (thread == kernel_current && wait_ticks != KERNEL_NO_WAIT && wait_ticks != KERNEL_WAIT_FOREVER) {
        timer_arm(&thread->timer, wait_ticks);
    }
    struct trace_mark mark =
        trace_event_marked(TRACE_THREAD_SUSPEND, port_address(thread), thread->state, port_stack_pointer(),
                           port_address(kernel_execute), TXTAP_TRACE_CLASS_INTERNAL);
    ready_drop(thread);
    if (thread == kernel_execute) {
        kernel_execute = ready_highest();
    }
    trace_patch(mark, 4, port_address(kernel_execute));
    switch_if_needed();
}

void thread_resume(struct kernel_thread *thread)
{
    timer_disarm(&thread->timer);
    struct trace_mark mark =
        trace_event_marked(TRACE_THREAD_RESUME, port_address(thread), thread->state, port_stack_pointer(),
                           port_address(kernel_execute), TXTAP_TRACE_CLASS_INTERNAL);
    if (thread->state != KERNEL_READY) {
        thread->state = KERNEL_READY;
        ready_add(thread);
        if (!kernel_execute || thread->priority < kernel_execute->priority) {
            kernel_execute = thread;
        }
    }
    trace_patch(mark, 4, port_address(kernel_execute));
    switch_if_needed();
}

void thread_wait(struct kernel_list *waiters, enum kernel_thread_state state, enum kernel_status timeout_status,
                 uint32_t wait_ticks)
{
    struct kernel_thread *thread = kernel_current;
    thread->state = (uint32_t)state;
    thread->wait_status = timeout_status;
    thread->waits_in = waiters;
    thread_suspend(thread, wait_ticks);
    /* The thread enters the waiting list only now, because the ready list and the waiting list use the same link. */
    list_append(waiters, thread);
}

void thread_wake(struct kernel_thread *thread)
{
    if (thread->waits_in) {
        list_remove(thread->waits_in, thread);
        thread->waits_in = 0;
    }
    thread->wait_status = KERNEL_OK;
    thread_resume(thread);
}

void thread_timeout(void *argument)
{
    struct kernel_thread *thread = argument;
    uint32_t primask = port_lock();
    if (thread->waits_in) {
        list_remove(thread->waits_in, thread);
        thread->waits_in = 0;
    }
    thread_resume(thread);
    port_unlock(primask);
}

static void priority_store(struct kernel_thread *thread, uint32_t priority)
{
    thread->priority = priority;
    if (thread == kernel_current) {
        txtap_trace_thread_priority = priority << 16 | priority;
    }
}

void thread_priority_change(struct kernel_thread *thread, uint32_t priority)
{
    if (thread->state != KERNEL_READY) {
        priority_store(thread, priority);
        return;
    }
    bool was_next = thread == kernel_execute;
    uint32_t old_priority = thread->priority;
    thread->state = KERNEL_PRIORITY_CHANGE;
    thread_suspend(thread, KERNEL_NO_WAIT);
    priority_store(thread, priority);
    thread_resume(thread);
    /* A thread that loses an inherited priority keeps running: threads of equal priority must not overtake it. */
    if (was_next && thread != kernel_execute && thread->priority <= kernel_execute->priority) {
        kernel_execute = thread;
        if (old_priority < priority) {
            list_remove(&ready[priority], thread);
            list_prepend(&ready[priority], thread);
        }
    }
    switch_if_needed();
}

/* Calls a thread's function. The first context of a thread returns to this function. */
static void thread_shell(void)
{
    struct kernel_thread *thread = kernel_current;
    thread->entry(thread->argument);
    uint32_t primask = port_lock();
    thread->state = KERNEL_COMPLETED;
    thread_suspend(thread, KERNEL_NO_WAIT);
    port_unlock(primask);
    demo_fail(DEMO_FAULT_THREAD_RETURNED);
}

/* Builds the first context of a thread on its stack. PendSV pops r4-r11. The exception return pops r0-r3, r12, lr, pc
 * and xPSR (ARMv7-M B1.5.6). */
static void *stack_build(uint32_t *stack, uint32_t stack_bytes)
{
    for (uint32_t i = 0; i < stack_bytes / 4u; i++) {
        stack[i] = DEMO_STACK_FILL;
    }
    uint32_t *top = (uint32_t *)((uintptr_t)(stack + stack_bytes / 4u) & ~(uintptr_t)7u);
    for (unsigned i = 0; i < 16; i++) {
        *--top = 0;
    }
    top[14] = port_address((const void *)(uintptr_t)thread_shell) & ~1u;
    top[15] = 0x01000000u;
    return top;
}

void thread_prepare(struct kernel_thread *thread, const char *name, void (*entry)(void *argument), void *argument,
                    uint32_t *stack, uint32_t stack_bytes, uint32_t priority)
{
    *thread = (struct kernel_thread){.name = name,
                                     .stack_pointer = stack_build(stack, stack_bytes),
                                     .stack_start = stack,
                                     .stack_bytes = stack_bytes,
                                     .priority = priority,
                                     .own_priority = priority,
                                     .state = KERNEL_SUSPENDED,
                                     .entry = entry,
                                     .argument = argument};
    thread->timer.expired = thread_timeout;
    thread->timer.argument = thread;
}

void thread_register(const struct kernel_thread *thread)
{
    txtap_trace_thread_register(thread, thread->name, thread->priority, port_address(thread->stack_start),
                                thread->stack_bytes);
}

void kernel_thread_create(struct kernel_thread *thread, const char *name, void (*entry)(void *argument), void *argument,
                          uint32_t *stack, uint32_t stack_bytes, uint32_t priority)
{
    uint32_t primask = port_lock();
    thread_prepare(thread, name, entry, argument, stack, stack_bytes, priority);
    thread_register(thread);
    trace_event(TRACE_THREAD_CREATE, port_address(thread), priority, port_address(stack), stack_bytes,
                TXTAP_TRACE_CLASS_THREAD);
    thread_resume(thread);
    port_unlock(primask);
}

void kernel_thread_sleep(uint32_t ticks)
{
    if (ticks == 0) {
        return;
    }
    uint32_t primask = port_lock();
    struct kernel_thread *thread = kernel_current;
    trace_event(TRACE_THREAD_SLEEP, ticks, thread->state, port_stack_pointer(), 0, TXTAP_TRACE_CLASS_THREAD);
    thread->state = KERNEL_SLEEPING;
    thread_suspend(thread, ticks);
    port_unlock(primask);
}

void kernel_thread_suspend_self(void)
{
    uint32_t primask = port_lock();
    struct kernel_thread *thread = kernel_current;
    trace_event(TRACE_THREAD_SUSPEND_API, port_address(thread), thread->state, port_stack_pointer(), 0,
                TXTAP_TRACE_CLASS_THREAD);
    thread->state = KERNEL_SUSPENDED;
    thread_suspend(thread, KERNEL_NO_WAIT);
    port_unlock(primask);
}
