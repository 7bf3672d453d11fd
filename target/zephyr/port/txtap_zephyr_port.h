/* SPDX-License-Identifier: MIT */
/*
 * The parts of Zephyr that the hooks need: the running thread, and fields of the kernel's objects. Only this file knows
 * which version of Zephyr has which fields.
 */
#ifndef TXTAP_ZEPHYR_PORT_H
#define TXTAP_ZEPHYR_PORT_H

#include "txtap_trace.h" /* this includes the port for Zephyr, txtap_trace_zephyr.h */
#include "txtap_zephyr.h"

#ifdef CONFIG_CPU_LOAD_BACKEND_IDLE_HOOK
#include <zephyr/sys/cpu_load.h>
#endif

/* Zephyr's priorities begin below 0, ThreadX's priorities at 0. In both kernels the lowest number is the most urgent
 * priority. */
#define TXTAP_ZEPHYR_PORT_PRIORITY_BIAS TXTAP_TRACE_ZEPHYR_BIAS

static inline const void *txtap_zephyr_port_current(void)
{
    return TXTAP_TRACE_CONTEXT_THREAD();
}

/*
 * Returns the exception number on Cortex-M. This is the interrupt's number plus 16. Zephyr has no function for this on
 * other processors.
 */
static inline uint32_t txtap_zephyr_port_exception(void)
{
#ifdef CONFIG_CPU_CORTEX_M
    return txtap_trace_port_exception();
#else
    return 0;
#endif
}

static inline bool txtap_zephyr_port_user_mode(void)
{
#ifdef CONFIG_USERSPACE
    return k_is_user_context();
#else
    return false;
#endif
}

/* Idles in the same way as the function in tracing_none.c, which txtap replaces. */
static inline void txtap_zephyr_port_idle(void)
{
#ifdef CONFIG_CPU_LOAD_BACKEND_IDLE_HOOK
    cpu_load_on_enter_idle();
#endif
}

static inline void txtap_zephyr_port_idle_exit(void)
{
#ifdef CONFIG_CPU_LOAD_BACKEND_IDLE_HOOK
    cpu_load_on_exit_idle();
#endif
}

/* ------------------------------------------------------------------------------------------------ threads */

static inline const char *txtap_zephyr_port_thread_name(const void *thread)
{
    return k_thread_name_get((k_tid_t)(uintptr_t)thread);
}

static inline int txtap_zephyr_port_thread_priority(const void *thread)
{
    return ((const struct k_thread *)thread)->base.prio;
}

#ifdef CONFIG_MULTITHREADING
extern struct k_thread z_idle_threads[]; /* declared in kernel_internal.h, which modules do not see */
#endif

static inline bool txtap_zephyr_port_thread_is_idle(const void *thread)
{
#ifdef CONFIG_MULTITHREADING
    return thread == &z_idle_threads[0];
#else
    (void)thread;
    return false;
#endif
}

static inline uint32_t txtap_zephyr_port_thread_stack_start(const void *thread)
{
#ifdef CONFIG_THREAD_STACK_INFO
    return (uint32_t)((const struct k_thread *)thread)->stack_info.start;
#else
    (void)thread;
    return 0;
#endif
}

static inline uint32_t txtap_zephyr_port_thread_stack_bytes(const void *thread)
{
#ifdef CONFIG_THREAD_STACK_INFO
    return (uint32_t)((const struct k_thread *)thread)->stack_info.size;
#else
    (void)thread;
    return 0;
#endif
}

/* Returns the state of a thread. The state does not show the object of a wait, because the kernel only stores "pending"
 * for every object. */
static inline uint32_t txtap_zephyr_port_thread_state(const void *thread)
{
    uint32_t bits = ((const struct k_thread *)thread)->base.thread_state;
    if (bits & _THREAD_DEAD)
        return TXTAP_ZEPHYR_STATE_TERMINATED;
#ifdef _THREAD_SLEEPING /* Zephyr since 3.7 */
    if (bits & _THREAD_SLEEPING)
        return TXTAP_ZEPHYR_STATE_SLEEP;
#endif
    return bits & (_THREAD_SUSPENDED | _THREAD_PENDING | _THREAD_PRESTART) ? TXTAP_ZEPHYR_STATE_SUSPENDED
                                                                           : TXTAP_ZEPHYR_STATE_READY;
}

/* ------------------------------------------------------------------------------------------------ objects */

static inline uint32_t txtap_zephyr_port_waited(const _wait_q_t *queue)
{
#ifdef CONFIG_WAITQ_SCALABLE
    return queue->waitq.tree.root != NULL;
#else
    return queue->waitq.head != &queue->waitq;
#endif
}

static inline uint32_t txtap_zephyr_port_sem_count(const void *sem)
{
    return ((const struct k_sem *)sem)->count;
}

static inline uint32_t txtap_zephyr_port_sem_waited(const void *sem)
{
    return txtap_zephyr_port_waited(&((const struct k_sem *)sem)->wait_q);
}

static inline const void *txtap_zephyr_port_mutex_owner(const void *mutex)
{
    return ((const struct k_mutex *)mutex)->owner;
}

static inline uint32_t txtap_zephyr_port_mutex_depth(const void *mutex)
{
    return ((const struct k_mutex *)mutex)->lock_count;
}

static inline const void *txtap_zephyr_port_msgq_buffer(const void *msgq)
{
    return ((const struct k_msgq *)msgq)->buffer_start;
}

static inline uint32_t txtap_zephyr_port_msgq_messages(const void *msgq)
{
    return ((const struct k_msgq *)msgq)->used_msgs;
}

static inline uint32_t txtap_zephyr_port_msgq_messages_max(const void *msgq)
{
    return ((const struct k_msgq *)msgq)->max_msgs;
}

static inline uint32_t txtap_zephyr_port_msgq_message_bytes(const void *msgq)
{
    return (uint32_t)((const struct k_msgq *)msgq)->msg_size;
}

static inline const void *txtap_zephyr_port_heap_start(const void *heap)
{
    return ((const struct k_heap *)heap)->heap.init_mem;
}

static inline uint32_t txtap_zephyr_port_heap_bytes(const void *heap)
{
    return (uint32_t)((const struct k_heap *)heap)->heap.init_bytes;
}

static inline uint32_t txtap_zephyr_port_heap_waited(const void *heap)
{
    return txtap_zephyr_port_waited(&((const struct k_heap *)heap)->wait_q);
}

/* Later versions of Zephyr keep these fields in a struct. The build finds the version in Zephyr's kernel.h. */
#ifdef TXTAP_ZEPHYR_SLAB_INFO
#define TXTAP_ZEPHYR_SLAB(slab, field) (((const struct k_mem_slab *)(slab))->info.field)
#else
#define TXTAP_ZEPHYR_SLAB(slab, field) (((const struct k_mem_slab *)(slab))->field)
#endif

static inline const void *txtap_zephyr_port_slab_buffer(const void *slab)
{
    return ((const struct k_mem_slab *)slab)->buffer;
}

static inline uint32_t txtap_zephyr_port_slab_blocks(const void *slab)
{
    return TXTAP_ZEPHYR_SLAB(slab, num_blocks);
}

static inline uint32_t txtap_zephyr_port_slab_used(const void *slab)
{
    return TXTAP_ZEPHYR_SLAB(slab, num_used);
}

static inline uint32_t txtap_zephyr_port_slab_block_bytes(const void *slab)
{
    return (uint32_t)TXTAP_ZEPHYR_SLAB(slab, block_size);
}

static inline uint32_t txtap_zephyr_port_slab_waited(const void *slab)
{
    return txtap_zephyr_port_waited(&((const struct k_mem_slab *)slab)->wait_q);
}

static inline uint32_t txtap_zephyr_port_event_events(const void *event)
{
#ifdef CONFIG_EVENTS
    return ((const struct k_event *)event)->events;
#else
    (void)event;
    return 0;
#endif
}

static inline uint32_t txtap_zephyr_port_event_waited(const void *event)
{
#ifdef CONFIG_EVENTS
    return txtap_zephyr_port_waited(&((const struct k_event *)event)->wait_q);
#else
    (void)event;
    return 0;
#endif
}

#endif
