/* SPDX-License-Identifier: MIT */
/*
 * Contexts and registers: the switch in PendSV, the idle context and the start of multitasking. The running thread
 * changes only in this file, so this file tells the recorder which thread runs.
 */
#include "demo.h"
#include "kernel_event_logger.h"
#include "kernel_internal.h"

#define IDLE_STACK_WORDS 128u

static uint32_t idle_stack[IDLE_STACK_WORDS] __attribute__((aligned(8), used));
static void *idle_stack_pointer;
static void (*idle_hook)(void);

void *kernel_switch(void *stack_pointer)
{
    if (_tx_thread_current_ptr != _tx_thread_execute_ptr) {
        _sys_k_event_logger_context_switch(); /* this call may make a collector the next thread to run */
    }
    struct TX_THREAD_STRUCT *old = _tx_thread_current_ptr;
    struct TX_THREAD_STRUCT *next = _tx_thread_execute_ptr;
    if (old) {
        old->tx_thread_stack_ptr = stack_pointer;
        if (old->tx_thread_stack_start[0] != DEMO_STACK_FILL) {
            demo_fail(DEMO_FAULT_STACK);
        }
    } else {
        idle_stack_pointer = stack_pointer;
    }
    _tx_thread_current_ptr = next;
    if (next && next != old) {
        next->tx_thread_run_count++;
    }
    txtap_trace_thread = next;
    txtap_trace_thread_priority = next ? next->tx_thread_priority << 16 | next->tx_thread_priority : 0;
    return next ? next->tx_thread_stack_ptr : idle_stack_pointer;
}

/* Saves only r4 to r11, because the firmware is built without FPU instructions. */
__attribute__((naked)) void pendsv_handler(void)
{
    __asm volatile("cpsid i\n\t"
                   "mrs r0, psp\n\t" SAVE_CONTEXT "push {r3, lr}\n\t"
                   "bl kernel_switch\n\t" POP_RETURN RESTORE_CONTEXT "cpsie i\n\t"
                   "bx lr");
}

/*
 * Runs while no thread is ready. The idle context is not a thread, so the recorder sees no running thread. The loop
 * sleeps with interrupts locked, so that no interrupt can occur between the last check and the sleep. A pending
 * interrupt ends the sleep, and is handled when the loop unlocks interrupts.
 */
static __attribute__((noreturn, used)) void idle_loop(void)
{
    for (;;) {
        uint32_t primask = port_lock();
        if (idle_hook) {
            idle_hook();
        }
        _sys_k_event_logger_enter_sleep();
        port_sleep();
        port_unlock(primask);
    }
}

bool kernel_at_rest(void)
{
    return _tx_thread_execute_ptr == 0 && timer_none_active();
}

void kernel_init(void)
{
    (void)port_lock();
    timer_init();
}

void kernel_trace_objects(void)
{
    timer_trace_objects();
    trace_event(TRACE_RUNNING, 0, 0, 0, 0, TXTAP_TRACE_CLASS_INTERNAL);
    trace_event(TRACE_RUNNING, 0, 0, 0, 0, TXTAP_TRACE_CLASS_INTERNAL);
}

static __attribute__((naked, noreturn)) void enter_idle(uint32_t *stack_top)
{
    (void)stack_top;
    __asm volatile("msr psp, r0\n\t"
                   "movs r0, #2\n\t"
                   "msr control, r0\n\t"
                   "isb\n\t"
                   "cpsie i\n\t"
                   "b idle_loop");
}

void kernel_start(void (*idle)(void))
{
    idle_hook = idle;
    txtap_trace_system_state = 0;
    enter_idle(idle_stack + IDLE_STACK_WORDS);
}
