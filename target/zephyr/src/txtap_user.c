/* SPDX-License-Identifier: MIT */
/*
 * The callbacks of CONFIG_TRACING_USER: five functions up to Zephyr 3.1, fourteen functions from 3.2 on. They record
 * the same events as the hooks with these names. Some arguments differ between versions. So this file defines all
 * callbacks without arguments, under C names of its own. For the linker they have Zephyr's names.
 */
#define DISABLE_SYSCALL_TRACING

#include "txtap_zephyr_port.h" /* also includes Zephyr's own hooks, and after them txtap's hooks */

#include "txtap_zephyr_hooks.h"

#define CALLED_BY_ZEPHYR(name) __asm__("sys_trace_" #name "_user")

/* The hooks are macros. A hook is empty if its kind is switched off. */
#define CALLBACK(name, hook)                                                                                           \
    void txtap_user_##name(void) CALLED_BY_ZEPHYR(name);                                                               \
    void txtap_user_##name(void)                                                                                       \
    {                                                                                                                  \
        hook();                                                                                                        \
    }

#define ISR_ENTER() (TXTAP_ZEPHYR_ISR ? txtap_zephyr_isr_enter() : (void)0)
#define ISR_EXIT()  (TXTAP_ZEPHYR_ISR ? txtap_zephyr_isr_exit() : (void)0)
#define IDLE()      (TXTAP_ZEPHYR_IDLE ? txtap_zephyr_idle() : (void)0)

#define THREAD_CALLBACK(name, hook)                                                                                    \
    void txtap_user_##name(struct k_thread *thread) CALLED_BY_ZEPHYR(name);                                            \
    void txtap_user_##name(struct k_thread *thread)                                                                    \
    {                                                                                                                  \
        ARG_UNUSED(thread);                                                                                            \
        hook(thread);                                                                                                  \
    }

#ifdef TXTAP_USER_CREATE_UNTOLD
/* Registers a thread when it first runs, because there is no callback for new threads. */
static void thread_know(void)
{
    const void *thread = txtap_zephyr_port_current();
    for (const struct txtap_trace_object *object = _tx_trace_registry_start_ptr;
         object != NULL && object != _tx_trace_registry_end_ptr; object++) {
        if (object->pointer == TXTAP_TRACE_ADDRESS(thread) && object->available == 0) {
            return;
        }
    }
    txtap_zephyr_thread_add(thread);
}
#else
static void thread_know(void)
{
}
#endif

static void switched_in(void)
{
    thread_know();
    sys_port_trace_k_thread_switched_in();
}

CALLBACK(thread_switched_in, switched_in)
CALLBACK(thread_switched_out, sys_port_trace_k_thread_switched_out)
CALLBACK(isr_enter, ISR_ENTER)
CALLBACK(isr_exit, ISR_EXIT)
CALLBACK(idle, IDLE)

THREAD_CALLBACK(thread_create, sys_port_trace_k_thread_create)
THREAD_CALLBACK(thread_abort, sys_port_trace_k_thread_abort_enter)
THREAD_CALLBACK(thread_suspend, sys_port_trace_k_thread_suspend_enter)
THREAD_CALLBACK(thread_resume, sys_port_trace_k_thread_resume_enter)
THREAD_CALLBACK(thread_info, sys_port_trace_k_thread_info)
THREAD_CALLBACK(thread_sched_ready, sys_port_trace_k_thread_sched_ready)
THREAD_CALLBACK(thread_pend, sys_port_trace_k_thread_sched_pend)

void txtap_user_name_set(struct k_thread *thread) CALLED_BY_ZEPHYR(thread_name_set);
void txtap_user_priority_set(struct k_thread *thread, int prio) CALLED_BY_ZEPHYR(thread_priority_set);

void txtap_user_name_set(struct k_thread *thread)
{
    ARG_UNUSED(thread);
    sys_port_trace_k_thread_name_set(thread, 0);
}

void txtap_user_priority_set(struct k_thread *thread, int prio)
{
    ARG_UNUSED(thread);
    ARG_UNUSED(prio);
    sys_port_trace_k_thread_sched_priority_set(thread, prio);
}
