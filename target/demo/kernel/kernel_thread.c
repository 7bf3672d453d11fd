/* SPDX-License-Identifier: MIT */
/*
 * Threads and scheduling. This file handles ready lists, waiting lists and priorities. Registers are in
 * kernel_switch.c; the objects that threads wait for are in other files.
 */
#include "demo.h"
#include "kernel_internal.h"

struct TX_THREAD_STRUCT *volatile _tx_thread_current_ptr;
struct TX_THREAD_STRUCT *volatile _tx_thread_execute_ptr;

struct TX_THREAD_STRUCT *_tx_thread_created_ptr;
uint32_t _tx_thread_created_count;

static struct kernel_list ready[KERNEL_PRIORITIES];
static uint32_t ready_bits; /* bit n: ready[n] is not empty */

void list_append(struct kernel_list *list, struct TX_THREAD_STRUCT *thread)
{
    struct TX_THREAD_STRUCT **at = &list->head;
    while (*at) {
        at = &(*at)->tx_thread_ready_next;
    }
    *at = thread;
    thread->tx_thread_ready_next = 0;
    list->count++;
}

void list_prepend(struct kernel_list *list, struct TX_THREAD_STRUCT *thread)
{
    thread->tx_thread_ready_next = list->head;
    list->head = thread;
    list->count++;
}

void list_remove(struct kernel_list *list, struct TX_THREAD_STRUCT *thread)
{
    struct TX_THREAD_STRUCT **at = &list->head;
    while (*at != thread) {
        at = &(*at)->tx_thread_ready_next;
    }
    *at = thread->tx_thread_ready_next;
    thread->tx_thread_ready_next = 0;
    list->count--;
}

static void switch_if_needed(void)
{
    if (_tx_thread_execute_ptr != _tx_thread_current_ptr) {
        port_request_switch();
    }
}

static struct TX_THREAD_STRUCT *ready_highest(void)
{
    return ready_bits ? ready[__builtin_ctz(ready_bits)].head : 0;
}

static void ready_add(struct TX_THREAD_STRUCT *thread)
{
    list_append(&ready[thread->tx_thread_priority], thread);
    ready_bits |= 1u << thread->tx_thread_priority;
}

static void ready_drop(struct TX_THREAD_STRUCT *thread)
{
    list_remove(&ready[thread->tx_thread_priority], thread);
    if (!ready[thread->tx_thread_priority].head) {
        ready_bits &= ~(1u << thread->tx_thread_priority);
    }
}

void thread_suspend(struct TX_THREAD_STRUCT *thread, uint32_t wait_ticks)
{
    if (thread == _tx_thread_current_ptr && wait_ticks != KERNEL_NO_WAIT && wait_ticks != KERNEL_WAIT_FOREVER) {
        timer_arm(&thread->tx_thread_timer, wait_ticks);
    }
    struct trace_mark mark =
        trace_event_marked(TRACE_THREAD_SUSPEND, port_address(thread), thread->tx_thread_state, port_stack_pointer(),
                           port_address(_tx_thread_execute_ptr), TXTAP_TRACE_CLASS_INTERNAL);
    ready_drop(thread);
    if (thread == _tx_thread_execute_ptr) {
        _tx_thread_execute_ptr = ready_highest();
    }
    trace_patch(mark, 4, port_address(_tx_thread_execute_ptr));
    switch_if_needed();
}

void thread_resume(struct TX_THREAD_STRUCT *thread)
{
    timer_disarm(&thread->tx_thread_timer);
    struct trace_mark mark =
        trace_event_marked(TRACE_THREAD_RESUME, port_address(thread), thread->tx_thread_state, port_stack_pointer(),
                           port_address(_tx_thread_execute_ptr), TXTAP_TRACE_CLASS_INTERNAL);
    if (thread->tx_thread_state != KERNEL_READY) {
        thread->tx_thread_state = KERNEL_READY;
        ready_add(thread);
        if (!_tx_thread_execute_ptr || thread->tx_thread_priority < _tx_thread_execute_ptr->tx_thread_priority) {
            _tx_thread_execute_ptr = thread;
        }
    }
    trace_patch(mark, 4, port_address(_tx_thread_execute_ptr));
    switch_if_needed();
}

void thread_wait(void *object, struct kernel_list *waiters, enum kernel_thread_state state,
                 enum kernel_status timeout_status, uint32_t wait_ticks)
{
    struct TX_THREAD_STRUCT *thread = _tx_thread_current_ptr;
    thread->tx_thread_state = (uint32_t)state;
    thread->wait_status = timeout_status;
    thread->waits_in = waiters;
    thread->tx_thread_suspend_control_block = object;
    thread_suspend(thread, wait_ticks);
    /* The thread enters the waiting list only now, because the ready list and the waiting list use the same link. */
    list_append(waiters, thread);
}

void thread_wake(struct TX_THREAD_STRUCT *thread)
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
    struct TX_THREAD_STRUCT *thread = argument;
    uint32_t primask = port_lock();
    if (thread->waits_in) {
        list_remove(thread->waits_in, thread);
        thread->waits_in = 0;
    }
    thread_resume(thread);
    port_unlock(primask);
}

static void priority_store(struct TX_THREAD_STRUCT *thread, uint32_t priority)
{
    thread->tx_thread_priority = priority;
    if (thread == _tx_thread_current_ptr) {
        txtap_trace_thread_priority = priority << 16 | priority;
    }
}

void thread_priority_change(struct TX_THREAD_STRUCT *thread, uint32_t priority)
{
    if (thread->tx_thread_state != KERNEL_READY) {
        priority_store(thread, priority);
        return;
    }
    bool was_next = thread == _tx_thread_execute_ptr;
    uint32_t old_priority = thread->tx_thread_priority;
    thread->tx_thread_state = KERNEL_PRIORITY_CHANGE;
    thread_suspend(thread, KERNEL_NO_WAIT);
    priority_store(thread, priority);
    thread_resume(thread);
    /* A thread that loses an inherited priority keeps running: threads of equal priority must not overtake it. */
    if (was_next && thread != _tx_thread_execute_ptr &&
        thread->tx_thread_priority <= _tx_thread_execute_ptr->tx_thread_priority) {
        _tx_thread_execute_ptr = thread;
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
    struct TX_THREAD_STRUCT *thread = _tx_thread_current_ptr;
    thread->tx_thread_entry(thread->tx_thread_entry_parameter);
    uint32_t primask = port_lock();
    thread->tx_thread_state = KERNEL_COMPLETED;
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

void thread_prepare(struct TX_THREAD_STRUCT *thread, const char *name, void (*entry)(void *argument), void *argument,
                    uint32_t *stack, uint32_t stack_bytes, uint32_t priority)
{
    *thread = (struct TX_THREAD_STRUCT){.tx_thread_name = name,
                                        .tx_thread_stack_ptr = stack_build(stack, stack_bytes),
                                        .tx_thread_stack_start = stack,
                                        .tx_thread_stack_end = (uint8_t *)stack + stack_bytes - 1,
                                        .tx_thread_stack_size = stack_bytes,
                                        .tx_thread_priority = priority,
                                        .tx_thread_user_priority = priority,
                                        .tx_thread_preempt_threshold = priority,
                                        .tx_thread_state = KERNEL_SUSPENDED,
                                        .tx_thread_entry = entry,
                                        .tx_thread_entry_parameter = argument};
    thread->tx_thread_timer.tx_timer_internal_timeout_function = thread_timeout;
    thread->tx_thread_timer.tx_timer_internal_timeout_param = thread;
    OBJECT_CREATED(thread, thread, thread, 0x54485244u); /* THRD */
}

void thread_register(const struct TX_THREAD_STRUCT *thread)
{
    txtap_trace_thread_register(thread, thread->tx_thread_name, thread->tx_thread_priority,
                                port_address(thread->tx_thread_stack_start), thread->tx_thread_stack_size);
}

void kernel_thread_create(struct TX_THREAD_STRUCT *thread, const char *name, void (*entry)(void *argument),
                          void *argument, uint32_t *stack, uint32_t stack_bytes, uint32_t priority)
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
    struct TX_THREAD_STRUCT *thread = _tx_thread_current_ptr;
    trace_event(TRACE_THREAD_SLEEP, ticks, thread->tx_thread_state, port_stack_pointer(), 0, TXTAP_TRACE_CLASS_THREAD);
    thread->tx_thread_state = KERNEL_SLEEPING;
    thread_suspend(thread, ticks);
    port_unlock(primask);
}

void kernel_thread_suspend_self(void)
{
    uint32_t primask = port_lock();
    struct TX_THREAD_STRUCT *thread = _tx_thread_current_ptr;
    trace_event(TRACE_THREAD_SUSPEND_API, port_address(thread), thread->tx_thread_state, port_stack_pointer(), 0,
                TXTAP_TRACE_CLASS_THREAD);
    thread->tx_thread_state = KERNEL_SUSPENDED;
    thread_suspend(thread, KERNEL_NO_WAIT);
    port_unlock(primask);
}
