/* SPDX-License-Identifier: MIT */
/* Made by hooks.sh from hooks.def: change that, not this. */
#ifndef TXTAP_ZEPHYR_HOOKS_H
#define TXTAP_ZEPHYR_HOOKS_H

/* clang-format off */

#include "txtap_zephyr.h"

/*
 * What is recorded: as Zephyr is configured. A build can say it itself, with -DTXTAP_ZEPHYR_GPIO=1 or =0, where a
 * version of Zephyr has the hooks and not the switch.
 */
#ifndef TXTAP_ZEPHYR_THREAD
#ifdef CONFIG_TRACING_THREAD
#define TXTAP_ZEPHYR_THREAD 1
#else
#define TXTAP_ZEPHYR_THREAD 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_WORK
#ifdef CONFIG_TRACING_WORK
#define TXTAP_ZEPHYR_WORK 1
#else
#define TXTAP_ZEPHYR_WORK 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_POLLING
#ifdef CONFIG_TRACING_POLLING
#define TXTAP_ZEPHYR_POLLING 1
#else
#define TXTAP_ZEPHYR_POLLING 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_SEMAPHORE
#ifdef CONFIG_TRACING_SEMAPHORE
#define TXTAP_ZEPHYR_SEMAPHORE 1
#else
#define TXTAP_ZEPHYR_SEMAPHORE 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_MUTEX
#ifdef CONFIG_TRACING_MUTEX
#define TXTAP_ZEPHYR_MUTEX 1
#else
#define TXTAP_ZEPHYR_MUTEX 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_CONDVAR
#ifdef CONFIG_TRACING_CONDVAR
#define TXTAP_ZEPHYR_CONDVAR 1
#else
#define TXTAP_ZEPHYR_CONDVAR 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_QUEUE
#ifdef CONFIG_TRACING_QUEUE
#define TXTAP_ZEPHYR_QUEUE 1
#else
#define TXTAP_ZEPHYR_QUEUE 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_FIFO
#ifdef CONFIG_TRACING_FIFO
#define TXTAP_ZEPHYR_FIFO 1
#else
#define TXTAP_ZEPHYR_FIFO 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_LIFO
#ifdef CONFIG_TRACING_LIFO
#define TXTAP_ZEPHYR_LIFO 1
#else
#define TXTAP_ZEPHYR_LIFO 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_STACK
#ifdef CONFIG_TRACING_STACK
#define TXTAP_ZEPHYR_STACK 1
#else
#define TXTAP_ZEPHYR_STACK 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_MESSAGE_QUEUE
#ifdef CONFIG_TRACING_MESSAGE_QUEUE
#define TXTAP_ZEPHYR_MESSAGE_QUEUE 1
#else
#define TXTAP_ZEPHYR_MESSAGE_QUEUE 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_MAILBOX
#ifdef CONFIG_TRACING_MAILBOX
#define TXTAP_ZEPHYR_MAILBOX 1
#else
#define TXTAP_ZEPHYR_MAILBOX 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_PIPE
#ifdef CONFIG_TRACING_PIPE
#define TXTAP_ZEPHYR_PIPE 1
#else
#define TXTAP_ZEPHYR_PIPE 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_HEAP
#ifdef CONFIG_TRACING_HEAP
#define TXTAP_ZEPHYR_HEAP 1
#else
#define TXTAP_ZEPHYR_HEAP 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_MEMORY_SLAB
#ifdef CONFIG_TRACING_MEMORY_SLAB
#define TXTAP_ZEPHYR_MEMORY_SLAB 1
#else
#define TXTAP_ZEPHYR_MEMORY_SLAB 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_TIMER
#ifdef CONFIG_TRACING_TIMER
#define TXTAP_ZEPHYR_TIMER 1
#else
#define TXTAP_ZEPHYR_TIMER 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_EVENT
#ifdef CONFIG_TRACING_EVENT
#define TXTAP_ZEPHYR_EVENT 1
#else
#define TXTAP_ZEPHYR_EVENT 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_PM
#ifdef CONFIG_TRACING_PM
#define TXTAP_ZEPHYR_PM 1
#else
#define TXTAP_ZEPHYR_PM 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_NET_CORE
#ifdef CONFIG_TRACING_NET_CORE
#define TXTAP_ZEPHYR_NET_CORE 1
#else
#define TXTAP_ZEPHYR_NET_CORE 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_NET_SOCKETS
#ifdef CONFIG_TRACING_NET_SOCKETS
#define TXTAP_ZEPHYR_NET_SOCKETS 1
#else
#define TXTAP_ZEPHYR_NET_SOCKETS 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_GPIO
#ifdef CONFIG_TRACING_GPIO
#define TXTAP_ZEPHYR_GPIO 1
#else
#define TXTAP_ZEPHYR_GPIO 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_RTIO
#ifdef CONFIG_TRACING
#define TXTAP_ZEPHYR_RTIO 1
#else
#define TXTAP_ZEPHYR_RTIO 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_SYSCALL
#ifdef CONFIG_TRACING_SYSCALL
#define TXTAP_ZEPHYR_SYSCALL 1
#else
#define TXTAP_ZEPHYR_SYSCALL 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_ISR
#ifdef CONFIG_TRACING_ISR
#define TXTAP_ZEPHYR_ISR 1
#else
#define TXTAP_ZEPHYR_ISR 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_IDLE
#ifdef CONFIG_TRACING_IDLE
#define TXTAP_ZEPHYR_IDLE 1
#else
#define TXTAP_ZEPHYR_IDLE 0
#endif
#endif
#ifndef TXTAP_ZEPHYR_ALWAYS
#ifdef CONFIG_TRACING
#define TXTAP_ZEPHYR_ALWAYS 1
#else
#define TXTAP_ZEPHYR_ALWAYS 0
#endif
#endif

/* Numbers of own events that txtap_zephyr.c records without being told the number. */
#define TXTAP_ZEPHYR_ID_k_thread_switched_out 0x8100u
#define TXTAP_ZEPHYR_ID_idle 0xa001u
#define TXTAP_ZEPHYR_ID_idle_exit 0xa003u

/* threads */
#undef sys_port_trace_k_thread_foreach_enter
#undef sys_port_trace_k_thread_foreach_exit
#undef sys_port_trace_k_thread_foreach_unlocked_enter
#undef sys_port_trace_k_thread_foreach_unlocked_exit
#undef sys_port_trace_k_thread_create
#undef sys_port_trace_k_thread_user_mode_enter
#undef sys_port_trace_k_thread_join_enter
#undef sys_port_trace_k_thread_join_blocking
#undef sys_port_trace_k_thread_join_exit
#undef sys_port_trace_k_thread_sleep_ticks_enter
#undef sys_port_trace_k_thread_sleep_ticks_exit
#undef sys_port_trace_k_thread_busy_wait_enter
#undef sys_port_trace_k_thread_busy_wait_exit
#undef sys_port_trace_k_thread_yield
#undef sys_port_trace_k_thread_wakeup
#undef sys_port_trace_k_thread_start
#undef sys_port_trace_k_thread_abort
#undef sys_port_trace_k_thread_abort_enter
#undef sys_port_trace_k_thread_abort_exit
#undef sys_port_trace_k_thread_priority_set
#undef sys_port_trace_k_thread_suspend_enter
#undef sys_port_trace_k_thread_suspend_exit
#undef sys_port_trace_k_thread_resume_enter
#undef sys_port_trace_k_thread_resume_exit
#undef sys_port_trace_k_thread_sched_lock
#undef sys_port_trace_k_thread_sched_unlock
#undef sys_port_trace_k_thread_name_set
#undef sys_port_trace_k_thread_heap_assign
#undef sys_port_trace_k_thread_sleep_enter
#undef sys_port_trace_k_thread_sleep_exit
#undef sys_port_trace_k_thread_msleep_enter
#undef sys_port_trace_k_thread_msleep_exit
#undef sys_port_trace_k_thread_usleep_enter
#undef sys_port_trace_k_thread_usleep_exit
#if TXTAP_ZEPHYR_THREAD
#define sys_port_trace_k_thread_foreach_enter() txtap_zephyr_event0(0x8001u)
#define sys_port_trace_k_thread_foreach_exit() txtap_zephyr_event0(0x8003u)
#define sys_port_trace_k_thread_foreach_unlocked_enter() txtap_zephyr_event0(0x8009u)
#define sys_port_trace_k_thread_foreach_unlocked_exit() txtap_zephyr_event0(0x800bu)
#define sys_port_trace_k_thread_create(new_thread) txtap_zephyr_thread_create((new_thread))
#define sys_port_trace_k_thread_user_mode_enter() txtap_zephyr_event0(0x8018u)
#define sys_port_trace_k_thread_join_enter(thread, timeout) txtap_zephyr_event2(0x8021u, TXTAP_ZEPHYR_WORD(thread), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_thread_join_blocking(thread, timeout) txtap_zephyr_blocking(0x8022u, TXTAP_ZEPHYR_WORD(thread), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_thread_join_exit(thread, timeout, ret) txtap_zephyr_result2(0x8023u, TXTAP_ZEPHYR_WORD(thread), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_thread_sleep_ticks_enter(timeout) txtap_zephyr_sleep_enter(TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_thread_sleep_ticks_exit(timeout, ret) txtap_zephyr_result1(0x802bu, TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_thread_busy_wait_enter(usec_to_wait) txtap_zephyr_event1(0x8031u, TXTAP_ZEPHYR_WORD(usec_to_wait))
#define sys_port_trace_k_thread_busy_wait_exit(usec_to_wait) txtap_zephyr_event1(0x8033u, TXTAP_ZEPHYR_WORD(usec_to_wait))
#define sys_port_trace_k_thread_yield() txtap_zephyr_thread_yield()
#define sys_port_trace_k_thread_wakeup(thread) txtap_zephyr_thread_wakeup((thread))
#define sys_port_trace_k_thread_start(thread) txtap_zephyr_thread_start((thread))
#define sys_port_trace_k_thread_abort(thread) txtap_zephyr_event1(0x8050u, TXTAP_ZEPHYR_WORD(thread))
#define sys_port_trace_k_thread_abort_enter(thread) txtap_zephyr_thread_abort((thread))
#define sys_port_trace_k_thread_abort_exit(thread) txtap_zephyr_event1(0x8053u, TXTAP_ZEPHYR_WORD(thread))
#define sys_port_trace_k_thread_priority_set(thread) txtap_zephyr_event1(0x8058u, TXTAP_ZEPHYR_WORD(thread))
#define sys_port_trace_k_thread_suspend_enter(thread) txtap_zephyr_thread_suspend((thread))
#define sys_port_trace_k_thread_suspend_exit(thread) txtap_zephyr_event1(0x8063u, TXTAP_ZEPHYR_WORD(thread))
#define sys_port_trace_k_thread_resume_enter(thread) txtap_zephyr_thread_resume((thread))
#define sys_port_trace_k_thread_resume_exit(thread) txtap_zephyr_event1(0x806bu, TXTAP_ZEPHYR_WORD(thread))
#define sys_port_trace_k_thread_sched_lock() txtap_zephyr_event0(0x8070u)
#define sys_port_trace_k_thread_sched_unlock() txtap_zephyr_event0(0x8078u)
#define sys_port_trace_k_thread_name_set(thread, ret) txtap_zephyr_thread_name_set(0x8080u, (thread), 0u, 0u, TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_thread_heap_assign(thread, heap) txtap_zephyr_event2(0x8088u, TXTAP_ZEPHYR_WORD(thread), TXTAP_ZEPHYR_WORD(heap))
#define sys_port_trace_k_thread_sleep_enter(timeout) txtap_zephyr_sleep_enter(TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_thread_sleep_exit(timeout, ret) txtap_zephyr_result1(0x8093u, TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_thread_msleep_enter(ms) txtap_zephyr_event1(0x8099u, TXTAP_ZEPHYR_WORD(ms))
#define sys_port_trace_k_thread_msleep_exit(ms, ret) txtap_zephyr_result1(0x809bu, TXTAP_ZEPHYR_WORD(ms), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_thread_usleep_enter(us) txtap_zephyr_event1(0x80a1u, TXTAP_ZEPHYR_WORD(us))
#define sys_port_trace_k_thread_usleep_exit(us, ret) txtap_zephyr_result1(0x80a3u, TXTAP_ZEPHYR_WORD(us), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_thread_foreach_enter(...)
#define sys_port_trace_k_thread_foreach_exit(...)
#define sys_port_trace_k_thread_foreach_unlocked_enter(...)
#define sys_port_trace_k_thread_foreach_unlocked_exit(...)
#define sys_port_trace_k_thread_create(...)
#define sys_port_trace_k_thread_user_mode_enter(...)
#define sys_port_trace_k_thread_join_enter(...)
#define sys_port_trace_k_thread_join_blocking(...)
#define sys_port_trace_k_thread_join_exit(...)
#define sys_port_trace_k_thread_sleep_ticks_enter(...)
#define sys_port_trace_k_thread_sleep_ticks_exit(...)
#define sys_port_trace_k_thread_busy_wait_enter(...)
#define sys_port_trace_k_thread_busy_wait_exit(...)
#define sys_port_trace_k_thread_yield(...)
#define sys_port_trace_k_thread_wakeup(...)
#define sys_port_trace_k_thread_start(...)
#define sys_port_trace_k_thread_abort(...)
#define sys_port_trace_k_thread_abort_enter(...)
#define sys_port_trace_k_thread_abort_exit(...)
#define sys_port_trace_k_thread_priority_set(...)
#define sys_port_trace_k_thread_suspend_enter(...)
#define sys_port_trace_k_thread_suspend_exit(...)
#define sys_port_trace_k_thread_resume_enter(...)
#define sys_port_trace_k_thread_resume_exit(...)
#define sys_port_trace_k_thread_sched_lock(...)
#define sys_port_trace_k_thread_sched_unlock(...)
#define sys_port_trace_k_thread_name_set(...)
#define sys_port_trace_k_thread_heap_assign(...)
#define sys_port_trace_k_thread_sleep_enter(...)
#define sys_port_trace_k_thread_sleep_exit(...)
#define sys_port_trace_k_thread_msleep_enter(...)
#define sys_port_trace_k_thread_msleep_exit(...)
#define sys_port_trace_k_thread_usleep_enter(...)
#define sys_port_trace_k_thread_usleep_exit(...)
#endif

/* the scheduler */
#undef sys_port_trace_k_thread_switched_out
#undef sys_port_trace_k_thread_switched_in
#undef sys_port_trace_k_thread_ready
#undef sys_port_trace_k_thread_pend
#undef sys_port_trace_k_thread_info
#undef sys_port_trace_k_thread_sched_wakeup
#undef sys_port_trace_k_thread_sched_abort
#undef sys_port_trace_k_thread_sched_priority_set
#undef sys_port_trace_k_thread_sched_ready
#undef sys_port_trace_k_thread_sched_pend
#undef sys_port_trace_k_thread_sched_resume
#undef sys_port_trace_k_thread_sched_suspend
#if TXTAP_ZEPHYR_THREAD
#define sys_port_trace_k_thread_switched_out() txtap_zephyr_switched_out()
#define sys_port_trace_k_thread_switched_in() txtap_zephyr_switched_in()
#define sys_port_trace_k_thread_ready(thread) txtap_zephyr_event1(0x8110u, TXTAP_ZEPHYR_WORD(thread))
#define sys_port_trace_k_thread_pend(thread) txtap_zephyr_event1(0x8118u, TXTAP_ZEPHYR_WORD(thread))
#define sys_port_trace_k_thread_info(thread) txtap_zephyr_thread_info(0x8120u, (thread), 0u, 0u, 0u)
#define sys_port_trace_k_thread_sched_wakeup(thread) txtap_zephyr_event1(0x8128u, TXTAP_ZEPHYR_WORD(thread))
#define sys_port_trace_k_thread_sched_abort(thread) txtap_zephyr_event1(0x8130u, TXTAP_ZEPHYR_WORD(thread))
#define sys_port_trace_k_thread_sched_priority_set(thread, prio) txtap_zephyr_priority_set((thread), TXTAP_ZEPHYR_WORD(prio))
#define sys_port_trace_k_thread_sched_ready(thread) txtap_zephyr_sched_ready((thread))
#define sys_port_trace_k_thread_sched_pend(thread) txtap_zephyr_sched_pend((thread))
#define sys_port_trace_k_thread_sched_resume(thread) txtap_zephyr_event1(0x8150u, TXTAP_ZEPHYR_WORD(thread))
#define sys_port_trace_k_thread_sched_suspend(thread) txtap_zephyr_sched_suspend((thread))
#else
#define sys_port_trace_k_thread_switched_out(...)
#define sys_port_trace_k_thread_switched_in(...)
#define sys_port_trace_k_thread_ready(...)
#define sys_port_trace_k_thread_pend(...)
#define sys_port_trace_k_thread_info(...)
#define sys_port_trace_k_thread_sched_wakeup(...)
#define sys_port_trace_k_thread_sched_abort(...)
#define sys_port_trace_k_thread_sched_priority_set(...)
#define sys_port_trace_k_thread_sched_ready(...)
#define sys_port_trace_k_thread_sched_pend(...)
#define sys_port_trace_k_thread_sched_resume(...)
#define sys_port_trace_k_thread_sched_suspend(...)
#endif

/* work */
#undef sys_port_trace_k_work_init
#undef sys_port_trace_k_work_submit_to_queue_enter
#undef sys_port_trace_k_work_submit_to_queue_exit
#undef sys_port_trace_k_work_submit_enter
#undef sys_port_trace_k_work_submit_exit
#undef sys_port_trace_k_work_flush_enter
#undef sys_port_trace_k_work_flush_blocking
#undef sys_port_trace_k_work_flush_exit
#undef sys_port_trace_k_work_cancel_enter
#undef sys_port_trace_k_work_cancel_exit
#undef sys_port_trace_k_work_cancel_sync_enter
#undef sys_port_trace_k_work_cancel_sync_blocking
#undef sys_port_trace_k_work_cancel_sync_exit
#undef sys_port_trace_k_work_schedule_for_queue_enter
#undef sys_port_trace_k_work_schedule_for_queue_exit
#undef sys_port_trace_k_work_schedule_enter
#undef sys_port_trace_k_work_schedule_exit
#undef sys_port_trace_k_work_reschedule_for_queue_enter
#undef sys_port_trace_k_work_reschedule_for_queue_exit
#undef sys_port_trace_k_work_reschedule_enter
#undef sys_port_trace_k_work_reschedule_exit
#undef sys_port_trace_k_work_flush_delayable_enter
#undef sys_port_trace_k_work_flush_delayable_exit
#undef sys_port_trace_k_work_cancel_delayable_enter
#undef sys_port_trace_k_work_cancel_delayable_exit
#undef sys_port_trace_k_work_cancel_delayable_sync_enter
#undef sys_port_trace_k_work_cancel_delayable_sync_exit
#if TXTAP_ZEPHYR_WORK
#define sys_port_trace_k_work_init(work) txtap_zephyr_object_init(0x8204u, (work), 0u, 0u, 0u)
#define sys_port_trace_k_work_submit_to_queue_enter(queue, work) txtap_zephyr_event2(0x8209u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(work))
#define sys_port_trace_k_work_submit_to_queue_exit(queue, work, ret) txtap_zephyr_result2(0x820bu, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_submit_enter(work) txtap_zephyr_event1(0x8211u, TXTAP_ZEPHYR_WORD(work))
#define sys_port_trace_k_work_submit_exit(work, ret) txtap_zephyr_result1(0x8213u, TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_flush_enter(work) txtap_zephyr_event1(0x8219u, TXTAP_ZEPHYR_WORD(work))
#define sys_port_trace_k_work_flush_blocking(work, timeout) txtap_zephyr_blocking(0x821au, TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_work_flush_exit(work, ret) txtap_zephyr_result1(0x821bu, TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_cancel_enter(work) txtap_zephyr_event1(0x8221u, TXTAP_ZEPHYR_WORD(work))
#define sys_port_trace_k_work_cancel_exit(work, ret) txtap_zephyr_result1(0x8223u, TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_cancel_sync_enter(work, sync) txtap_zephyr_event2(0x8229u, TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_WORD(sync))
#define sys_port_trace_k_work_cancel_sync_blocking(work, sync) txtap_zephyr_blocking(0x822au, TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_WORD(sync), 0u, 0u)
#define sys_port_trace_k_work_cancel_sync_exit(work, sync, ret) txtap_zephyr_result2(0x822bu, TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_WORD(sync), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_schedule_for_queue_enter(queue, dwork, delay) txtap_zephyr_event3(0x8231u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_TICKS(delay))
#define sys_port_trace_k_work_schedule_for_queue_exit(queue, dwork, delay, ret) txtap_zephyr_event4(0x8233u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_TICKS(delay), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_schedule_enter(dwork, delay) txtap_zephyr_event2(0x8239u, TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_TICKS(delay))
#define sys_port_trace_k_work_schedule_exit(dwork, delay, ret) txtap_zephyr_result2(0x823bu, TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_TICKS(delay), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_reschedule_for_queue_enter(queue, dwork, delay) txtap_zephyr_event3(0x8241u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_TICKS(delay))
#define sys_port_trace_k_work_reschedule_for_queue_exit(queue, dwork, delay, ret) txtap_zephyr_event4(0x8243u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_TICKS(delay), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_reschedule_enter(dwork, delay) txtap_zephyr_event2(0x8249u, TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_TICKS(delay))
#define sys_port_trace_k_work_reschedule_exit(dwork, delay, ret) txtap_zephyr_result2(0x824bu, TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_TICKS(delay), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_flush_delayable_enter(dwork, sync) txtap_zephyr_event2(0x8251u, TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_WORD(sync))
#define sys_port_trace_k_work_flush_delayable_exit(dwork, sync, ret) txtap_zephyr_result2(0x8253u, TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_WORD(sync), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_cancel_delayable_enter(dwork) txtap_zephyr_event1(0x8259u, TXTAP_ZEPHYR_WORD(dwork))
#define sys_port_trace_k_work_cancel_delayable_exit(dwork, ret) txtap_zephyr_result1(0x825bu, TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_cancel_delayable_sync_enter(dwork, sync) txtap_zephyr_event2(0x8261u, TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_WORD(sync))
#define sys_port_trace_k_work_cancel_delayable_sync_exit(dwork, sync, ret) txtap_zephyr_result2(0x8263u, TXTAP_ZEPHYR_WORD(dwork), TXTAP_ZEPHYR_WORD(sync), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_work_init(...)
#define sys_port_trace_k_work_submit_to_queue_enter(...)
#define sys_port_trace_k_work_submit_to_queue_exit(...)
#define sys_port_trace_k_work_submit_enter(...)
#define sys_port_trace_k_work_submit_exit(...)
#define sys_port_trace_k_work_flush_enter(...)
#define sys_port_trace_k_work_flush_blocking(...)
#define sys_port_trace_k_work_flush_exit(...)
#define sys_port_trace_k_work_cancel_enter(...)
#define sys_port_trace_k_work_cancel_exit(...)
#define sys_port_trace_k_work_cancel_sync_enter(...)
#define sys_port_trace_k_work_cancel_sync_blocking(...)
#define sys_port_trace_k_work_cancel_sync_exit(...)
#define sys_port_trace_k_work_schedule_for_queue_enter(...)
#define sys_port_trace_k_work_schedule_for_queue_exit(...)
#define sys_port_trace_k_work_schedule_enter(...)
#define sys_port_trace_k_work_schedule_exit(...)
#define sys_port_trace_k_work_reschedule_for_queue_enter(...)
#define sys_port_trace_k_work_reschedule_for_queue_exit(...)
#define sys_port_trace_k_work_reschedule_enter(...)
#define sys_port_trace_k_work_reschedule_exit(...)
#define sys_port_trace_k_work_flush_delayable_enter(...)
#define sys_port_trace_k_work_flush_delayable_exit(...)
#define sys_port_trace_k_work_cancel_delayable_enter(...)
#define sys_port_trace_k_work_cancel_delayable_exit(...)
#define sys_port_trace_k_work_cancel_delayable_sync_enter(...)
#define sys_port_trace_k_work_cancel_delayable_sync_exit(...)
#endif

/* work queues */
#undef sys_port_trace_k_work_queue_init
#undef sys_port_trace_k_work_queue_start_enter
#undef sys_port_trace_k_work_queue_start_exit
#undef sys_port_trace_k_work_queue_stop_enter
#undef sys_port_trace_k_work_queue_stop_blocking
#undef sys_port_trace_k_work_queue_stop_exit
#undef sys_port_trace_k_work_queue_drain_enter
#undef sys_port_trace_k_work_queue_drain_exit
#undef sys_port_trace_k_work_queue_unplug_enter
#undef sys_port_trace_k_work_queue_unplug_exit
#if TXTAP_ZEPHYR_WORK
#define sys_port_trace_k_work_queue_init(queue) txtap_zephyr_object_init(0x8304u, (queue), 0u, 0u, 0u)
#define sys_port_trace_k_work_queue_start_enter(queue) txtap_zephyr_event1(0x8309u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_work_queue_start_exit(queue) txtap_zephyr_event1(0x830bu, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_work_queue_stop_enter(queue, timeout) txtap_zephyr_event2(0x8311u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_work_queue_stop_blocking(queue, timeout) txtap_zephyr_blocking(0x8312u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_work_queue_stop_exit(queue, timeout, ret) txtap_zephyr_result2(0x8313u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_queue_drain_enter(queue) txtap_zephyr_event1(0x8319u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_work_queue_drain_exit(queue, ret) txtap_zephyr_result1(0x831bu, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_queue_unplug_enter(queue) txtap_zephyr_event1(0x8321u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_work_queue_unplug_exit(queue, ret) txtap_zephyr_result1(0x8323u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_work_queue_init(...)
#define sys_port_trace_k_work_queue_start_enter(...)
#define sys_port_trace_k_work_queue_start_exit(...)
#define sys_port_trace_k_work_queue_stop_enter(...)
#define sys_port_trace_k_work_queue_stop_blocking(...)
#define sys_port_trace_k_work_queue_stop_exit(...)
#define sys_port_trace_k_work_queue_drain_enter(...)
#define sys_port_trace_k_work_queue_drain_exit(...)
#define sys_port_trace_k_work_queue_unplug_enter(...)
#define sys_port_trace_k_work_queue_unplug_exit(...)
#endif

/* delayable work */
#undef sys_port_trace_k_work_delayable_init
#if TXTAP_ZEPHYR_WORK
#define sys_port_trace_k_work_delayable_init(dwork) txtap_zephyr_object_init(0x8404u, (dwork), 0u, 0u, 0u)
#else
#define sys_port_trace_k_work_delayable_init(...)
#endif

/* triggered work */
#undef sys_port_trace_k_work_poll_init_enter
#undef sys_port_trace_k_work_poll_init_exit
#if TXTAP_ZEPHYR_WORK
#define sys_port_trace_k_work_poll_init_enter(work) txtap_zephyr_event1(0x8501u, TXTAP_ZEPHYR_WORD(work))
#define sys_port_trace_k_work_poll_init_exit(work) txtap_zephyr_event1(0x8503u, TXTAP_ZEPHYR_WORD(work))
#else
#define sys_port_trace_k_work_poll_init_enter(...)
#define sys_port_trace_k_work_poll_init_exit(...)
#endif

/* triggered work */
#undef sys_port_trace_k_work_poll_submit_to_queue_enter
#undef sys_port_trace_k_work_poll_submit_to_queue_blocking
#undef sys_port_trace_k_work_poll_submit_to_queue_exit
#undef sys_port_trace_k_work_poll_submit_enter
#undef sys_port_trace_k_work_poll_submit_exit
#undef sys_port_trace_k_work_poll_cancel_enter
#undef sys_port_trace_k_work_poll_cancel_exit
#if TXTAP_ZEPHYR_POLLING
#define sys_port_trace_k_work_poll_submit_to_queue_enter(work_q, work, timeout) txtap_zephyr_event3(0x8509u, TXTAP_ZEPHYR_WORD(work_q), TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_work_poll_submit_to_queue_blocking(work_q, work, timeout) txtap_zephyr_blocking(0x850au, TXTAP_ZEPHYR_WORD(work_q), TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_TICKS(timeout), 0u)
#define sys_port_trace_k_work_poll_submit_to_queue_exit(work_q, work, timeout, ret) txtap_zephyr_event4(0x850bu, TXTAP_ZEPHYR_WORD(work_q), TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_poll_submit_enter(work, timeout) txtap_zephyr_event2(0x8511u, TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_work_poll_submit_exit(work, timeout, ret) txtap_zephyr_result2(0x8513u, TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_work_poll_cancel_enter(work) txtap_zephyr_event1(0x8519u, TXTAP_ZEPHYR_WORD(work))
#define sys_port_trace_k_work_poll_cancel_exit(work, ret) txtap_zephyr_result1(0x851bu, TXTAP_ZEPHYR_WORD(work), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_work_poll_submit_to_queue_enter(...)
#define sys_port_trace_k_work_poll_submit_to_queue_blocking(...)
#define sys_port_trace_k_work_poll_submit_to_queue_exit(...)
#define sys_port_trace_k_work_poll_submit_enter(...)
#define sys_port_trace_k_work_poll_submit_exit(...)
#define sys_port_trace_k_work_poll_cancel_enter(...)
#define sys_port_trace_k_work_poll_cancel_exit(...)
#endif

/* polling */
#undef sys_port_trace_k_poll_api_event_init
#undef sys_port_trace_k_poll_api_poll_enter
#undef sys_port_trace_k_poll_api_poll_exit
#undef sys_port_trace_k_poll_api_signal_init
#undef sys_port_trace_k_poll_api_signal_reset
#undef sys_port_trace_k_poll_api_signal_check
#undef sys_port_trace_k_poll_api_signal_raise
#if TXTAP_ZEPHYR_POLLING
#define sys_port_trace_k_poll_api_event_init(event) txtap_zephyr_event1(0x8600u, TXTAP_ZEPHYR_WORD(event))
#define sys_port_trace_k_poll_api_poll_enter(events) txtap_zephyr_event1(0x8609u, TXTAP_ZEPHYR_WORD(events))
#define sys_port_trace_k_poll_api_poll_exit(events, ret) txtap_zephyr_result1(0x860bu, TXTAP_ZEPHYR_WORD(events), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_poll_api_signal_init(signal) txtap_zephyr_event1(0x8610u, TXTAP_ZEPHYR_WORD(signal))
#define sys_port_trace_k_poll_api_signal_reset(signal) txtap_zephyr_event1(0x8618u, TXTAP_ZEPHYR_WORD(signal))
#define sys_port_trace_k_poll_api_signal_check(signal) txtap_zephyr_event1(0x8620u, TXTAP_ZEPHYR_WORD(signal))
#define sys_port_trace_k_poll_api_signal_raise(signal, ret) txtap_zephyr_result1(0x8628u, TXTAP_ZEPHYR_WORD(signal), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_poll_api_event_init(...)
#define sys_port_trace_k_poll_api_poll_enter(...)
#define sys_port_trace_k_poll_api_poll_exit(...)
#define sys_port_trace_k_poll_api_signal_init(...)
#define sys_port_trace_k_poll_api_signal_reset(...)
#define sys_port_trace_k_poll_api_signal_check(...)
#define sys_port_trace_k_poll_api_signal_raise(...)
#endif

/* semaphores */
#undef sys_port_trace_k_sem_init
#undef sys_port_trace_k_sem_give_enter
#undef sys_port_trace_k_sem_give_exit
#undef sys_port_trace_k_sem_take_enter
#undef sys_port_trace_k_sem_take_blocking
#undef sys_port_trace_k_sem_take_exit
#undef sys_port_trace_k_sem_reset
#if TXTAP_ZEPHYR_SEMAPHORE
#define sys_port_trace_k_sem_init(sem, ret) txtap_zephyr_sem_init((sem), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_sem_give_enter(sem) txtap_zephyr_sem_give((sem))
#define sys_port_trace_k_sem_give_exit(sem) txtap_zephyr_event1(0x870bu, TXTAP_ZEPHYR_WORD(sem))
#define sys_port_trace_k_sem_take_enter(sem, timeout) txtap_zephyr_sem_take((sem), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_sem_take_blocking(sem, timeout) txtap_zephyr_blocking(0x8712u, TXTAP_ZEPHYR_WORD(sem), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_sem_take_exit(sem, timeout, ret) txtap_zephyr_result2(0x8713u, TXTAP_ZEPHYR_WORD(sem), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_sem_reset(sem) txtap_zephyr_event1(0x8718u, TXTAP_ZEPHYR_WORD(sem))
#else
#define sys_port_trace_k_sem_init(...)
#define sys_port_trace_k_sem_give_enter(...)
#define sys_port_trace_k_sem_give_exit(...)
#define sys_port_trace_k_sem_take_enter(...)
#define sys_port_trace_k_sem_take_blocking(...)
#define sys_port_trace_k_sem_take_exit(...)
#define sys_port_trace_k_sem_reset(...)
#endif

/* mutexes */
#undef sys_port_trace_k_mutex_init
#undef sys_port_trace_k_mutex_lock_enter
#undef sys_port_trace_k_mutex_lock_blocking
#undef sys_port_trace_k_mutex_lock_exit
#undef sys_port_trace_k_mutex_unlock_enter
#undef sys_port_trace_k_mutex_unlock_exit
#if TXTAP_ZEPHYR_MUTEX
#define sys_port_trace_k_mutex_init(mutex, ret) txtap_zephyr_mutex_init((mutex), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_mutex_lock_enter(mutex, timeout) txtap_zephyr_mutex_lock((mutex), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_mutex_lock_blocking(mutex, timeout) txtap_zephyr_blocking(0x880au, TXTAP_ZEPHYR_WORD(mutex), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_mutex_lock_exit(mutex, timeout, ret) txtap_zephyr_result2(0x880bu, TXTAP_ZEPHYR_WORD(mutex), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_mutex_unlock_enter(mutex) txtap_zephyr_mutex_unlock((mutex))
#define sys_port_trace_k_mutex_unlock_exit(mutex, ret) txtap_zephyr_result1(0x8813u, TXTAP_ZEPHYR_WORD(mutex), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_mutex_init(...)
#define sys_port_trace_k_mutex_lock_enter(...)
#define sys_port_trace_k_mutex_lock_blocking(...)
#define sys_port_trace_k_mutex_lock_exit(...)
#define sys_port_trace_k_mutex_unlock_enter(...)
#define sys_port_trace_k_mutex_unlock_exit(...)
#endif

/* condition variables */
#undef sys_port_trace_k_condvar_init
#undef sys_port_trace_k_condvar_signal_enter
#undef sys_port_trace_k_condvar_signal_blocking
#undef sys_port_trace_k_condvar_signal_exit
#undef sys_port_trace_k_condvar_broadcast_enter
#undef sys_port_trace_k_condvar_broadcast_exit
#undef sys_port_trace_k_condvar_wait_enter
#undef sys_port_trace_k_condvar_wait_exit
#if TXTAP_ZEPHYR_CONDVAR
#define sys_port_trace_k_condvar_init(condvar, ret) txtap_zephyr_object_init(0x8904u, (condvar), 0u, 0u, TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_condvar_signal_enter(condvar) txtap_zephyr_event1(0x8909u, TXTAP_ZEPHYR_WORD(condvar))
#define sys_port_trace_k_condvar_signal_blocking(condvar, timeout) txtap_zephyr_blocking(0x890au, TXTAP_ZEPHYR_WORD(condvar), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_condvar_signal_exit(condvar, ret) txtap_zephyr_result1(0x890bu, TXTAP_ZEPHYR_WORD(condvar), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_condvar_broadcast_enter(condvar) txtap_zephyr_event1(0x8911u, TXTAP_ZEPHYR_WORD(condvar))
#define sys_port_trace_k_condvar_broadcast_exit(condvar, ret) txtap_zephyr_result1(0x8913u, TXTAP_ZEPHYR_WORD(condvar), TXTAP_ZEPHYR_WORD(ret))
#define txtap_zephyr_form_k_condvar_wait_enter_2(condvar, timeout) txtap_zephyr_event2(0x8919u, TXTAP_ZEPHYR_WORD(condvar), TXTAP_ZEPHYR_TICKS(timeout))
#define txtap_zephyr_form_k_condvar_wait_exit_3(condvar, timeout, ret) txtap_zephyr_result2(0x891bu, TXTAP_ZEPHYR_WORD(condvar), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define txtap_zephyr_form_k_condvar_wait_enter_1(condvar) txtap_zephyr_event1(0x8921u, TXTAP_ZEPHYR_WORD(condvar))
#define sys_port_trace_k_condvar_wait_enter(...) TXTAP_ZEPHYR_FOURTH(__VA_ARGS__, txtap_zephyr_no_such_form, txtap_zephyr_form_k_condvar_wait_enter_2, txtap_zephyr_form_k_condvar_wait_enter_1, 0)(__VA_ARGS__)
#define txtap_zephyr_form_k_condvar_wait_exit_2(condvar, ret) txtap_zephyr_result1(0x8923u, TXTAP_ZEPHYR_WORD(condvar), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_condvar_wait_exit(...) TXTAP_ZEPHYR_FOURTH(__VA_ARGS__, txtap_zephyr_form_k_condvar_wait_exit_3, txtap_zephyr_form_k_condvar_wait_exit_2, txtap_zephyr_no_such_form, 0)(__VA_ARGS__)
#else
#define sys_port_trace_k_condvar_init(...)
#define sys_port_trace_k_condvar_signal_enter(...)
#define sys_port_trace_k_condvar_signal_blocking(...)
#define sys_port_trace_k_condvar_signal_exit(...)
#define sys_port_trace_k_condvar_broadcast_enter(...)
#define sys_port_trace_k_condvar_broadcast_exit(...)
#define sys_port_trace_k_condvar_wait_enter(...)
#define sys_port_trace_k_condvar_wait_exit(...)
#endif

/* queues */
#undef sys_port_trace_k_queue_init
#undef sys_port_trace_k_queue_cancel_wait
#undef sys_port_trace_k_queue_queue_insert_enter
#undef sys_port_trace_k_queue_queue_insert_blocking
#undef sys_port_trace_k_queue_queue_insert_exit
#undef sys_port_trace_k_queue_append_enter
#undef sys_port_trace_k_queue_append_exit
#undef sys_port_trace_k_queue_alloc_append_enter
#undef sys_port_trace_k_queue_alloc_append_exit
#undef sys_port_trace_k_queue_prepend_enter
#undef sys_port_trace_k_queue_prepend_exit
#undef sys_port_trace_k_queue_alloc_prepend_enter
#undef sys_port_trace_k_queue_alloc_prepend_exit
#undef sys_port_trace_k_queue_insert_enter
#undef sys_port_trace_k_queue_insert_blocking
#undef sys_port_trace_k_queue_insert_exit
#undef sys_port_trace_k_queue_append_list_enter
#undef sys_port_trace_k_queue_append_list_exit
#undef sys_port_trace_k_queue_merge_slist_enter
#undef sys_port_trace_k_queue_merge_slist_exit
#undef sys_port_trace_k_queue_get_enter
#undef sys_port_trace_k_queue_get_blocking
#undef sys_port_trace_k_queue_get_exit
#undef sys_port_trace_k_queue_remove_enter
#undef sys_port_trace_k_queue_remove_exit
#undef sys_port_trace_k_queue_unique_append_enter
#undef sys_port_trace_k_queue_unique_append_exit
#undef sys_port_trace_k_queue_peek_head
#undef sys_port_trace_k_queue_peek_tail
#if TXTAP_ZEPHYR_QUEUE
#define sys_port_trace_k_queue_init(queue) txtap_zephyr_object_init(0x8a04u, (queue), 0u, 0u, 0u)
#define sys_port_trace_k_queue_cancel_wait(queue) txtap_zephyr_event1(0x8a08u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_queue_insert_enter(queue, alloc) txtap_zephyr_event2(0x8a11u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(alloc))
#define sys_port_trace_k_queue_queue_insert_blocking(queue, alloc, timeout) txtap_zephyr_blocking(0x8a12u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(alloc), TXTAP_ZEPHYR_TICKS(timeout), 0u)
#define sys_port_trace_k_queue_queue_insert_exit(queue, alloc, ret) txtap_zephyr_result2(0x8a13u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(alloc), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_queue_append_enter(queue) txtap_zephyr_event1(0x8a19u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_append_exit(queue) txtap_zephyr_event1(0x8a1bu, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_alloc_append_enter(queue) txtap_zephyr_event1(0x8a21u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_alloc_append_exit(queue, ret) txtap_zephyr_result1(0x8a23u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_queue_prepend_enter(queue) txtap_zephyr_event1(0x8a29u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_prepend_exit(queue) txtap_zephyr_event1(0x8a2bu, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_alloc_prepend_enter(queue) txtap_zephyr_event1(0x8a31u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_alloc_prepend_exit(queue, ret) txtap_zephyr_result1(0x8a33u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_queue_insert_enter(queue) txtap_zephyr_event1(0x8a39u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_insert_blocking(queue, timeout) txtap_zephyr_blocking(0x8a3au, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_queue_insert_exit(queue) txtap_zephyr_event1(0x8a3bu, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_append_list_enter(queue) txtap_zephyr_event1(0x8a41u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_append_list_exit(queue, ret) txtap_zephyr_result1(0x8a43u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_queue_merge_slist_enter(queue) txtap_zephyr_event1(0x8a49u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_merge_slist_exit(queue, ret) txtap_zephyr_result1(0x8a4bu, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_queue_get_enter(queue, timeout) txtap_zephyr_event2(0x8a51u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_queue_get_blocking(queue, timeout) txtap_zephyr_blocking(0x8a52u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_queue_get_exit(queue, timeout, ret) txtap_zephyr_result2(0x8a53u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_queue_remove_enter(queue) txtap_zephyr_event1(0x8a59u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_remove_exit(queue, ret) txtap_zephyr_result1(0x8a5bu, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_queue_unique_append_enter(queue) txtap_zephyr_event1(0x8a61u, TXTAP_ZEPHYR_WORD(queue))
#define sys_port_trace_k_queue_unique_append_exit(queue, ret) txtap_zephyr_result1(0x8a63u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_queue_peek_head(queue, ret) txtap_zephyr_result1(0x8a68u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_queue_peek_tail(queue, ret) txtap_zephyr_result1(0x8a70u, TXTAP_ZEPHYR_WORD(queue), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_queue_init(...)
#define sys_port_trace_k_queue_cancel_wait(...)
#define sys_port_trace_k_queue_queue_insert_enter(...)
#define sys_port_trace_k_queue_queue_insert_blocking(...)
#define sys_port_trace_k_queue_queue_insert_exit(...)
#define sys_port_trace_k_queue_append_enter(...)
#define sys_port_trace_k_queue_append_exit(...)
#define sys_port_trace_k_queue_alloc_append_enter(...)
#define sys_port_trace_k_queue_alloc_append_exit(...)
#define sys_port_trace_k_queue_prepend_enter(...)
#define sys_port_trace_k_queue_prepend_exit(...)
#define sys_port_trace_k_queue_alloc_prepend_enter(...)
#define sys_port_trace_k_queue_alloc_prepend_exit(...)
#define sys_port_trace_k_queue_insert_enter(...)
#define sys_port_trace_k_queue_insert_blocking(...)
#define sys_port_trace_k_queue_insert_exit(...)
#define sys_port_trace_k_queue_append_list_enter(...)
#define sys_port_trace_k_queue_append_list_exit(...)
#define sys_port_trace_k_queue_merge_slist_enter(...)
#define sys_port_trace_k_queue_merge_slist_exit(...)
#define sys_port_trace_k_queue_get_enter(...)
#define sys_port_trace_k_queue_get_blocking(...)
#define sys_port_trace_k_queue_get_exit(...)
#define sys_port_trace_k_queue_remove_enter(...)
#define sys_port_trace_k_queue_remove_exit(...)
#define sys_port_trace_k_queue_unique_append_enter(...)
#define sys_port_trace_k_queue_unique_append_exit(...)
#define sys_port_trace_k_queue_peek_head(...)
#define sys_port_trace_k_queue_peek_tail(...)
#endif

/* FIFOs */
#undef sys_port_trace_k_fifo_init_enter
#undef sys_port_trace_k_fifo_init_exit
#undef sys_port_trace_k_fifo_cancel_wait_enter
#undef sys_port_trace_k_fifo_cancel_wait_exit
#undef sys_port_trace_k_fifo_put_enter
#undef sys_port_trace_k_fifo_put_exit
#undef sys_port_trace_k_fifo_alloc_put_enter
#undef sys_port_trace_k_fifo_alloc_put_exit
#undef sys_port_trace_k_fifo_put_list_enter
#undef sys_port_trace_k_fifo_put_list_exit
#undef sys_port_trace_k_fifo_put_slist_enter
#undef sys_port_trace_k_fifo_put_slist_exit
#undef sys_port_trace_k_fifo_get_enter
#undef sys_port_trace_k_fifo_get_exit
#undef sys_port_trace_k_fifo_peek_head_enter
#undef sys_port_trace_k_fifo_peek_head_exit
#undef sys_port_trace_k_fifo_peek_tail_enter
#undef sys_port_trace_k_fifo_peek_tail_exit
#undef sys_port_trace_k_fifo_alloc_put_slist_enter
#undef sys_port_trace_k_fifo_alloc_put_slist_exit
#undef sys_port_trace_k_fifo_peek_head_entry
#undef sys_port_trace_k_fifo_peek_tail_entry
#if TXTAP_ZEPHYR_FIFO
#define sys_port_trace_k_fifo_init_enter(fifo) txtap_zephyr_event1(0x8b01u, TXTAP_ZEPHYR_WORD(fifo))
#define sys_port_trace_k_fifo_init_exit(fifo) txtap_zephyr_object_init(0x8b03u, (fifo), 0u, 0u, 0u)
#define sys_port_trace_k_fifo_cancel_wait_enter(fifo) txtap_zephyr_event1(0x8b09u, TXTAP_ZEPHYR_WORD(fifo))
#define sys_port_trace_k_fifo_cancel_wait_exit(fifo) txtap_zephyr_event1(0x8b0bu, TXTAP_ZEPHYR_WORD(fifo))
#define sys_port_trace_k_fifo_put_enter(fifo, data) txtap_zephyr_event2(0x8b11u, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(data))
#define sys_port_trace_k_fifo_put_exit(fifo, data) txtap_zephyr_event2(0x8b13u, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(data))
#define sys_port_trace_k_fifo_alloc_put_enter(fifo, data) txtap_zephyr_event2(0x8b19u, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(data))
#define sys_port_trace_k_fifo_alloc_put_exit(fifo, data, ret) txtap_zephyr_result2(0x8b1bu, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(data), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_fifo_put_list_enter(fifo, head, tail) txtap_zephyr_event3(0x8b21u, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(head), TXTAP_ZEPHYR_WORD(tail))
#define sys_port_trace_k_fifo_put_list_exit(fifo, head, tail) txtap_zephyr_event3(0x8b23u, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(head), TXTAP_ZEPHYR_WORD(tail))
#define sys_port_trace_k_fifo_put_slist_enter(fifo, list) txtap_zephyr_event2(0x8b29u, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(list))
#define sys_port_trace_k_fifo_put_slist_exit(fifo, list) txtap_zephyr_event2(0x8b2bu, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(list))
#define sys_port_trace_k_fifo_get_enter(fifo, timeout) txtap_zephyr_event2(0x8b31u, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_fifo_get_exit(fifo, timeout, ret) txtap_zephyr_result2(0x8b33u, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_fifo_peek_head_enter(fifo) txtap_zephyr_event1(0x8b39u, TXTAP_ZEPHYR_WORD(fifo))
#define sys_port_trace_k_fifo_peek_head_exit(fifo, ret) txtap_zephyr_result1(0x8b3bu, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_fifo_peek_tail_enter(fifo) txtap_zephyr_event1(0x8b41u, TXTAP_ZEPHYR_WORD(fifo))
#define sys_port_trace_k_fifo_peek_tail_exit(fifo, ret) txtap_zephyr_result1(0x8b43u, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_fifo_alloc_put_slist_enter(fifo, list) txtap_zephyr_event2(0x8b49u, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(list))
#define sys_port_trace_k_fifo_alloc_put_slist_exit(fifo, list) txtap_zephyr_event2(0x8b4bu, TXTAP_ZEPHYR_WORD(fifo), TXTAP_ZEPHYR_WORD(list))
#define sys_port_trace_k_fifo_peek_head_entry(fifo) txtap_zephyr_event1(0x8b50u, TXTAP_ZEPHYR_WORD(fifo))
#define sys_port_trace_k_fifo_peek_tail_entry(fifo) txtap_zephyr_event1(0x8b58u, TXTAP_ZEPHYR_WORD(fifo))
#else
#define sys_port_trace_k_fifo_init_enter(...)
#define sys_port_trace_k_fifo_init_exit(...)
#define sys_port_trace_k_fifo_cancel_wait_enter(...)
#define sys_port_trace_k_fifo_cancel_wait_exit(...)
#define sys_port_trace_k_fifo_put_enter(...)
#define sys_port_trace_k_fifo_put_exit(...)
#define sys_port_trace_k_fifo_alloc_put_enter(...)
#define sys_port_trace_k_fifo_alloc_put_exit(...)
#define sys_port_trace_k_fifo_put_list_enter(...)
#define sys_port_trace_k_fifo_put_list_exit(...)
#define sys_port_trace_k_fifo_put_slist_enter(...)
#define sys_port_trace_k_fifo_put_slist_exit(...)
#define sys_port_trace_k_fifo_get_enter(...)
#define sys_port_trace_k_fifo_get_exit(...)
#define sys_port_trace_k_fifo_peek_head_enter(...)
#define sys_port_trace_k_fifo_peek_head_exit(...)
#define sys_port_trace_k_fifo_peek_tail_enter(...)
#define sys_port_trace_k_fifo_peek_tail_exit(...)
#define sys_port_trace_k_fifo_alloc_put_slist_enter(...)
#define sys_port_trace_k_fifo_alloc_put_slist_exit(...)
#define sys_port_trace_k_fifo_peek_head_entry(...)
#define sys_port_trace_k_fifo_peek_tail_entry(...)
#endif

/* LIFOs */
#undef sys_port_trace_k_lifo_init_enter
#undef sys_port_trace_k_lifo_init_exit
#undef sys_port_trace_k_lifo_put_enter
#undef sys_port_trace_k_lifo_put_exit
#undef sys_port_trace_k_lifo_alloc_put_enter
#undef sys_port_trace_k_lifo_alloc_put_exit
#undef sys_port_trace_k_lifo_get_enter
#undef sys_port_trace_k_lifo_get_exit
#if TXTAP_ZEPHYR_LIFO
#define sys_port_trace_k_lifo_init_enter(lifo) txtap_zephyr_event1(0x8c01u, TXTAP_ZEPHYR_WORD(lifo))
#define sys_port_trace_k_lifo_init_exit(lifo) txtap_zephyr_object_init(0x8c03u, (lifo), 0u, 0u, 0u)
#define sys_port_trace_k_lifo_put_enter(lifo, data) txtap_zephyr_event2(0x8c09u, TXTAP_ZEPHYR_WORD(lifo), TXTAP_ZEPHYR_WORD(data))
#define sys_port_trace_k_lifo_put_exit(lifo, data) txtap_zephyr_event2(0x8c0bu, TXTAP_ZEPHYR_WORD(lifo), TXTAP_ZEPHYR_WORD(data))
#define sys_port_trace_k_lifo_alloc_put_enter(lifo, data) txtap_zephyr_event2(0x8c11u, TXTAP_ZEPHYR_WORD(lifo), TXTAP_ZEPHYR_WORD(data))
#define sys_port_trace_k_lifo_alloc_put_exit(lifo, data, ret) txtap_zephyr_result2(0x8c13u, TXTAP_ZEPHYR_WORD(lifo), TXTAP_ZEPHYR_WORD(data), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_lifo_get_enter(lifo, timeout) txtap_zephyr_event2(0x8c19u, TXTAP_ZEPHYR_WORD(lifo), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_lifo_get_exit(lifo, timeout, ret) txtap_zephyr_result2(0x8c1bu, TXTAP_ZEPHYR_WORD(lifo), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_lifo_init_enter(...)
#define sys_port_trace_k_lifo_init_exit(...)
#define sys_port_trace_k_lifo_put_enter(...)
#define sys_port_trace_k_lifo_put_exit(...)
#define sys_port_trace_k_lifo_alloc_put_enter(...)
#define sys_port_trace_k_lifo_alloc_put_exit(...)
#define sys_port_trace_k_lifo_get_enter(...)
#define sys_port_trace_k_lifo_get_exit(...)
#endif

/* stacks */
#undef sys_port_trace_k_stack_init
#undef sys_port_trace_k_stack_alloc_init_enter
#undef sys_port_trace_k_stack_alloc_init_exit
#undef sys_port_trace_k_stack_cleanup_enter
#undef sys_port_trace_k_stack_cleanup_exit
#undef sys_port_trace_k_stack_push_enter
#undef sys_port_trace_k_stack_push_exit
#undef sys_port_trace_k_stack_pop_enter
#undef sys_port_trace_k_stack_pop_blocking
#undef sys_port_trace_k_stack_pop_exit
#if TXTAP_ZEPHYR_STACK
#define sys_port_trace_k_stack_init(stack) txtap_zephyr_object_init(0x8d04u, (stack), 0u, 0u, 0u)
#define sys_port_trace_k_stack_alloc_init_enter(stack) txtap_zephyr_event1(0x8d09u, TXTAP_ZEPHYR_WORD(stack))
#define sys_port_trace_k_stack_alloc_init_exit(stack, ret) txtap_zephyr_result1(0x8d0bu, TXTAP_ZEPHYR_WORD(stack), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_stack_cleanup_enter(stack) txtap_zephyr_object_cleanup(0x8d11u, (stack), 0u, 0u, 0u)
#define sys_port_trace_k_stack_cleanup_exit(stack, ret) txtap_zephyr_result1(0x8d13u, TXTAP_ZEPHYR_WORD(stack), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_stack_push_enter(stack) txtap_zephyr_event1(0x8d19u, TXTAP_ZEPHYR_WORD(stack))
#define sys_port_trace_k_stack_push_exit(stack, ret) txtap_zephyr_result1(0x8d1bu, TXTAP_ZEPHYR_WORD(stack), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_stack_pop_enter(stack, timeout) txtap_zephyr_event2(0x8d21u, TXTAP_ZEPHYR_WORD(stack), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_stack_pop_blocking(stack, timeout) txtap_zephyr_blocking(0x8d22u, TXTAP_ZEPHYR_WORD(stack), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_stack_pop_exit(stack, timeout, ret) txtap_zephyr_result2(0x8d23u, TXTAP_ZEPHYR_WORD(stack), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_stack_init(...)
#define sys_port_trace_k_stack_alloc_init_enter(...)
#define sys_port_trace_k_stack_alloc_init_exit(...)
#define sys_port_trace_k_stack_cleanup_enter(...)
#define sys_port_trace_k_stack_cleanup_exit(...)
#define sys_port_trace_k_stack_push_enter(...)
#define sys_port_trace_k_stack_push_exit(...)
#define sys_port_trace_k_stack_pop_enter(...)
#define sys_port_trace_k_stack_pop_blocking(...)
#define sys_port_trace_k_stack_pop_exit(...)
#endif

/* message queues */
#undef sys_port_trace_k_msgq_init
#undef sys_port_trace_k_msgq_alloc_init_enter
#undef sys_port_trace_k_msgq_alloc_init_exit
#undef sys_port_trace_k_msgq_cleanup_enter
#undef sys_port_trace_k_msgq_cleanup_exit
#undef sys_port_trace_k_msgq_put_enter
#undef sys_port_trace_k_msgq_put_blocking
#undef sys_port_trace_k_msgq_put_exit
#undef sys_port_trace_k_msgq_put_front_enter
#undef sys_port_trace_k_msgq_put_front_blocking
#undef sys_port_trace_k_msgq_put_front_exit
#undef sys_port_trace_k_msgq_get_enter
#undef sys_port_trace_k_msgq_get_blocking
#undef sys_port_trace_k_msgq_get_exit
#undef sys_port_trace_k_msgq_peek
#undef sys_port_trace_k_msgq_purge
#if TXTAP_ZEPHYR_MESSAGE_QUEUE
#define sys_port_trace_k_msgq_init(msgq) txtap_zephyr_msgq_init((msgq))
#define sys_port_trace_k_msgq_alloc_init_enter(msgq) txtap_zephyr_event1(0x8e09u, TXTAP_ZEPHYR_WORD(msgq))
#define sys_port_trace_k_msgq_alloc_init_exit(msgq, ret) txtap_zephyr_result1(0x8e0bu, TXTAP_ZEPHYR_WORD(msgq), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_msgq_cleanup_enter(msgq) txtap_zephyr_msgq_cleanup((msgq))
#define sys_port_trace_k_msgq_cleanup_exit(msgq, ret) txtap_zephyr_result1(0x8e13u, TXTAP_ZEPHYR_WORD(msgq), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_msgq_put_enter(msgq, timeout) txtap_zephyr_msgq_put((msgq), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_msgq_put_blocking(msgq, timeout) txtap_zephyr_blocking(0x8e1au, TXTAP_ZEPHYR_WORD(msgq), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_msgq_put_exit(msgq, timeout, ret) txtap_zephyr_result2(0x8e1bu, TXTAP_ZEPHYR_WORD(msgq), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_msgq_put_front_enter(msgq, timeout) txtap_zephyr_msgq_put_front((msgq), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_msgq_put_front_blocking(msgq, timeout) txtap_zephyr_blocking(0x8e22u, TXTAP_ZEPHYR_WORD(msgq), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_msgq_put_front_exit(msgq, timeout, ret) txtap_zephyr_result2(0x8e23u, TXTAP_ZEPHYR_WORD(msgq), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_msgq_get_enter(msgq, timeout) txtap_zephyr_msgq_get((msgq), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_msgq_get_blocking(msgq, timeout) txtap_zephyr_blocking(0x8e2au, TXTAP_ZEPHYR_WORD(msgq), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_msgq_get_exit(msgq, timeout, ret) txtap_zephyr_result2(0x8e2bu, TXTAP_ZEPHYR_WORD(msgq), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_msgq_peek(msgq, ret) txtap_zephyr_result1(0x8e30u, TXTAP_ZEPHYR_WORD(msgq), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_msgq_purge(msgq) txtap_zephyr_msgq_purge((msgq))
#else
#define sys_port_trace_k_msgq_init(...)
#define sys_port_trace_k_msgq_alloc_init_enter(...)
#define sys_port_trace_k_msgq_alloc_init_exit(...)
#define sys_port_trace_k_msgq_cleanup_enter(...)
#define sys_port_trace_k_msgq_cleanup_exit(...)
#define sys_port_trace_k_msgq_put_enter(...)
#define sys_port_trace_k_msgq_put_blocking(...)
#define sys_port_trace_k_msgq_put_exit(...)
#define sys_port_trace_k_msgq_put_front_enter(...)
#define sys_port_trace_k_msgq_put_front_blocking(...)
#define sys_port_trace_k_msgq_put_front_exit(...)
#define sys_port_trace_k_msgq_get_enter(...)
#define sys_port_trace_k_msgq_get_blocking(...)
#define sys_port_trace_k_msgq_get_exit(...)
#define sys_port_trace_k_msgq_peek(...)
#define sys_port_trace_k_msgq_purge(...)
#endif

/* mailboxes */
#undef sys_port_trace_k_mbox_init
#undef sys_port_trace_k_mbox_message_put_enter
#undef sys_port_trace_k_mbox_message_put_blocking
#undef sys_port_trace_k_mbox_message_put_exit
#undef sys_port_trace_k_mbox_put_enter
#undef sys_port_trace_k_mbox_put_exit
#undef sys_port_trace_k_mbox_async_put_enter
#undef sys_port_trace_k_mbox_async_put_exit
#undef sys_port_trace_k_mbox_get_enter
#undef sys_port_trace_k_mbox_get_blocking
#undef sys_port_trace_k_mbox_get_exit
#undef sys_port_trace_k_mbox_data_get
#if TXTAP_ZEPHYR_MAILBOX
#define sys_port_trace_k_mbox_init(mbox) txtap_zephyr_object_init(0x8f04u, (mbox), 0u, 0u, 0u)
#define sys_port_trace_k_mbox_message_put_enter(mbox, timeout) txtap_zephyr_event2(0x8f09u, TXTAP_ZEPHYR_WORD(mbox), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_mbox_message_put_blocking(mbox, timeout) txtap_zephyr_blocking(0x8f0au, TXTAP_ZEPHYR_WORD(mbox), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_mbox_message_put_exit(mbox, timeout, ret) txtap_zephyr_result2(0x8f0bu, TXTAP_ZEPHYR_WORD(mbox), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_mbox_put_enter(mbox, timeout) txtap_zephyr_event2(0x8f11u, TXTAP_ZEPHYR_WORD(mbox), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_mbox_put_exit(mbox, timeout, ret) txtap_zephyr_result2(0x8f13u, TXTAP_ZEPHYR_WORD(mbox), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_mbox_async_put_enter(mbox, sem) txtap_zephyr_event2(0x8f19u, TXTAP_ZEPHYR_WORD(mbox), TXTAP_ZEPHYR_WORD(sem))
#define sys_port_trace_k_mbox_async_put_exit(mbox, sem) txtap_zephyr_event2(0x8f1bu, TXTAP_ZEPHYR_WORD(mbox), TXTAP_ZEPHYR_WORD(sem))
#define sys_port_trace_k_mbox_get_enter(mbox, timeout) txtap_zephyr_event2(0x8f21u, TXTAP_ZEPHYR_WORD(mbox), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_mbox_get_blocking(mbox, timeout) txtap_zephyr_blocking(0x8f22u, TXTAP_ZEPHYR_WORD(mbox), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_mbox_get_exit(mbox, timeout, ret) txtap_zephyr_result2(0x8f23u, TXTAP_ZEPHYR_WORD(mbox), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_mbox_data_get(rx_msg) txtap_zephyr_event1(0x8f28u, TXTAP_ZEPHYR_WORD(rx_msg))
#else
#define sys_port_trace_k_mbox_init(...)
#define sys_port_trace_k_mbox_message_put_enter(...)
#define sys_port_trace_k_mbox_message_put_blocking(...)
#define sys_port_trace_k_mbox_message_put_exit(...)
#define sys_port_trace_k_mbox_put_enter(...)
#define sys_port_trace_k_mbox_put_exit(...)
#define sys_port_trace_k_mbox_async_put_enter(...)
#define sys_port_trace_k_mbox_async_put_exit(...)
#define sys_port_trace_k_mbox_get_enter(...)
#define sys_port_trace_k_mbox_get_blocking(...)
#define sys_port_trace_k_mbox_get_exit(...)
#define sys_port_trace_k_mbox_data_get(...)
#endif

/* pipes */
#undef sys_port_trace_k_pipe_init
#undef sys_port_trace_k_pipe_reset_enter
#undef sys_port_trace_k_pipe_reset_exit
#undef sys_port_trace_k_pipe_close_enter
#undef sys_port_trace_k_pipe_close_exit
#undef sys_port_trace_k_pipe_write_enter
#undef sys_port_trace_k_pipe_write_blocking
#undef sys_port_trace_k_pipe_write_exit
#undef sys_port_trace_k_pipe_read_enter
#undef sys_port_trace_k_pipe_read_blocking
#undef sys_port_trace_k_pipe_read_exit
#undef sys_port_trace_k_pipe_alloc_init_enter
#undef sys_port_trace_k_pipe_alloc_init_exit
#undef sys_port_trace_k_pipe_buffer_flush_enter
#undef sys_port_trace_k_pipe_buffer_flush_exit
#undef sys_port_trace_k_pipe_cleanup_enter
#undef sys_port_trace_k_pipe_cleanup_exit
#undef sys_port_trace_k_pipe_flush_enter
#undef sys_port_trace_k_pipe_flush_exit
#undef sys_port_trace_k_pipe_get_enter
#undef sys_port_trace_k_pipe_get_blocking
#undef sys_port_trace_k_pipe_get_exit
#undef sys_port_trace_k_pipe_put_enter
#undef sys_port_trace_k_pipe_put_blocking
#undef sys_port_trace_k_pipe_put_exit
#undef sys_port_trace_k_pipe_block_put_enter
#undef sys_port_trace_k_pipe_block_put_exit
#if TXTAP_ZEPHYR_PIPE
#define txtap_zephyr_form_k_pipe_init_3(pipe, buffer, size) txtap_zephyr_object_init(0x9004u, (pipe), TXTAP_ZEPHYR_WORD(buffer), TXTAP_ZEPHYR_WORD(size), 0u)
#define txtap_zephyr_form_k_pipe_init_1(pipe) txtap_zephyr_object_init(0x9064u, (pipe), 0u, 0u, 0u)
#define sys_port_trace_k_pipe_init(...) TXTAP_ZEPHYR_FOURTH(__VA_ARGS__, txtap_zephyr_form_k_pipe_init_3, txtap_zephyr_no_such_form, txtap_zephyr_form_k_pipe_init_1, 0)(__VA_ARGS__)
#define sys_port_trace_k_pipe_reset_enter(pipe) txtap_zephyr_event1(0x9009u, TXTAP_ZEPHYR_WORD(pipe))
#define sys_port_trace_k_pipe_reset_exit(pipe) txtap_zephyr_event1(0x900bu, TXTAP_ZEPHYR_WORD(pipe))
#define sys_port_trace_k_pipe_close_enter(pipe) txtap_zephyr_event1(0x9011u, TXTAP_ZEPHYR_WORD(pipe))
#define sys_port_trace_k_pipe_close_exit(pipe) txtap_zephyr_event1(0x9013u, TXTAP_ZEPHYR_WORD(pipe))
#define sys_port_trace_k_pipe_write_enter(pipe, data, len, timeout) txtap_zephyr_event4(0x9019u, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_WORD(data), TXTAP_ZEPHYR_WORD(len), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_pipe_write_blocking(pipe, timeout) txtap_zephyr_blocking(0x901au, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_pipe_write_exit(pipe, ret) txtap_zephyr_result1(0x901bu, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_pipe_read_enter(pipe, data, len, timeout) txtap_zephyr_event4(0x9021u, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_WORD(data), TXTAP_ZEPHYR_WORD(len), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_pipe_read_blocking(pipe, timeout) txtap_zephyr_blocking(0x9022u, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_pipe_read_exit(pipe, ret) txtap_zephyr_result1(0x9023u, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_pipe_alloc_init_enter(pipe) txtap_zephyr_event1(0x9029u, TXTAP_ZEPHYR_WORD(pipe))
#define sys_port_trace_k_pipe_alloc_init_exit(pipe, ret) txtap_zephyr_result1(0x902bu, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_pipe_buffer_flush_enter(pipe) txtap_zephyr_event1(0x9031u, TXTAP_ZEPHYR_WORD(pipe))
#define sys_port_trace_k_pipe_buffer_flush_exit(pipe) txtap_zephyr_event1(0x9033u, TXTAP_ZEPHYR_WORD(pipe))
#define sys_port_trace_k_pipe_cleanup_enter(pipe) txtap_zephyr_object_cleanup(0x9039u, (pipe), 0u, 0u, 0u)
#define sys_port_trace_k_pipe_cleanup_exit(pipe, ret) txtap_zephyr_result1(0x903bu, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_pipe_flush_enter(pipe) txtap_zephyr_event1(0x9041u, TXTAP_ZEPHYR_WORD(pipe))
#define sys_port_trace_k_pipe_flush_exit(pipe) txtap_zephyr_event1(0x9043u, TXTAP_ZEPHYR_WORD(pipe))
#define sys_port_trace_k_pipe_get_enter(pipe, timeout) txtap_zephyr_event2(0x9049u, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_pipe_get_blocking(pipe, timeout) txtap_zephyr_blocking(0x904au, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_pipe_get_exit(pipe, timeout, ret) txtap_zephyr_result2(0x904bu, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_pipe_put_enter(pipe, timeout) txtap_zephyr_event2(0x9051u, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_pipe_put_blocking(pipe, timeout) txtap_zephyr_blocking(0x9052u, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_pipe_put_exit(pipe, timeout, ret) txtap_zephyr_result2(0x9053u, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_pipe_block_put_enter(pipe, sem) txtap_zephyr_event2(0x9059u, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_WORD(sem))
#define sys_port_trace_k_pipe_block_put_exit(pipe, sem) txtap_zephyr_event2(0x905bu, TXTAP_ZEPHYR_WORD(pipe), TXTAP_ZEPHYR_WORD(sem))
#else
#define sys_port_trace_k_pipe_init(...)
#define sys_port_trace_k_pipe_reset_enter(...)
#define sys_port_trace_k_pipe_reset_exit(...)
#define sys_port_trace_k_pipe_close_enter(...)
#define sys_port_trace_k_pipe_close_exit(...)
#define sys_port_trace_k_pipe_write_enter(...)
#define sys_port_trace_k_pipe_write_blocking(...)
#define sys_port_trace_k_pipe_write_exit(...)
#define sys_port_trace_k_pipe_read_enter(...)
#define sys_port_trace_k_pipe_read_blocking(...)
#define sys_port_trace_k_pipe_read_exit(...)
#define sys_port_trace_k_pipe_alloc_init_enter(...)
#define sys_port_trace_k_pipe_alloc_init_exit(...)
#define sys_port_trace_k_pipe_buffer_flush_enter(...)
#define sys_port_trace_k_pipe_buffer_flush_exit(...)
#define sys_port_trace_k_pipe_cleanup_enter(...)
#define sys_port_trace_k_pipe_cleanup_exit(...)
#define sys_port_trace_k_pipe_flush_enter(...)
#define sys_port_trace_k_pipe_flush_exit(...)
#define sys_port_trace_k_pipe_get_enter(...)
#define sys_port_trace_k_pipe_get_blocking(...)
#define sys_port_trace_k_pipe_get_exit(...)
#define sys_port_trace_k_pipe_put_enter(...)
#define sys_port_trace_k_pipe_put_blocking(...)
#define sys_port_trace_k_pipe_put_exit(...)
#define sys_port_trace_k_pipe_block_put_enter(...)
#define sys_port_trace_k_pipe_block_put_exit(...)
#endif

/* heaps */
#undef sys_port_trace_k_heap_init
#undef sys_port_trace_k_heap_aligned_alloc_enter
#undef sys_port_trace_k_heap_aligned_alloc_blocking
#undef sys_port_trace_k_heap_aligned_alloc_exit
#undef sys_port_trace_k_heap_alloc_helper_blocking
#undef sys_port_trace_k_heap_alloc_enter
#undef sys_port_trace_k_heap_alloc_exit
#undef sys_port_trace_k_heap_calloc_enter
#undef sys_port_trace_k_heap_calloc_exit
#undef sys_port_trace_k_heap_free
#undef sys_port_trace_k_heap_realloc_enter
#undef sys_port_trace_k_heap_realloc_exit
#if TXTAP_ZEPHYR_HEAP
#define sys_port_trace_k_heap_init(h) txtap_zephyr_heap_init((h))
#define sys_port_trace_k_heap_aligned_alloc_enter(h, timeout) txtap_zephyr_event2(0x9109u, TXTAP_ZEPHYR_WORD(h), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_heap_aligned_alloc_blocking(h, timeout) txtap_zephyr_blocking(0x910au, TXTAP_ZEPHYR_WORD(h), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_heap_aligned_alloc_exit(h, timeout, ret) txtap_zephyr_result2(0x910bu, TXTAP_ZEPHYR_WORD(h), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_heap_alloc_helper_blocking(h, timeout) txtap_zephyr_blocking(0x9112u, TXTAP_ZEPHYR_WORD(h), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_heap_alloc_enter(h, timeout) txtap_zephyr_heap_alloc((h), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_heap_alloc_exit(h, timeout, ret) txtap_zephyr_heap_alloc_exit(0x911bu, (h), TXTAP_ZEPHYR_TICKS(timeout), 0u, TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_heap_calloc_enter(h, timeout) txtap_zephyr_event2(0x9121u, TXTAP_ZEPHYR_WORD(h), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_heap_calloc_exit(h, timeout, ret) txtap_zephyr_result2(0x9123u, TXTAP_ZEPHYR_WORD(h), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_heap_free(h) txtap_zephyr_heap_free((h))
#define sys_port_trace_k_heap_realloc_enter(h, ptr, bytes, timeout) txtap_zephyr_event4(0x9131u, TXTAP_ZEPHYR_WORD(h), TXTAP_ZEPHYR_WORD(ptr), TXTAP_ZEPHYR_WORD(bytes), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_heap_realloc_exit(h, ptr, bytes, timeout, ret) txtap_zephyr_event4(0x9133u, TXTAP_ZEPHYR_WORD(h), TXTAP_ZEPHYR_WORD(ptr), TXTAP_ZEPHYR_WORD(bytes), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_heap_init(...)
#define sys_port_trace_k_heap_aligned_alloc_enter(...)
#define sys_port_trace_k_heap_aligned_alloc_blocking(...)
#define sys_port_trace_k_heap_aligned_alloc_exit(...)
#define sys_port_trace_k_heap_alloc_helper_blocking(...)
#define sys_port_trace_k_heap_alloc_enter(...)
#define sys_port_trace_k_heap_alloc_exit(...)
#define sys_port_trace_k_heap_calloc_enter(...)
#define sys_port_trace_k_heap_calloc_exit(...)
#define sys_port_trace_k_heap_free(...)
#define sys_port_trace_k_heap_realloc_enter(...)
#define sys_port_trace_k_heap_realloc_exit(...)
#endif

/* the system heap */
#undef sys_port_trace_k_heap_sys_k_aligned_alloc_enter
#undef sys_port_trace_k_heap_sys_k_aligned_alloc_exit
#undef sys_port_trace_k_heap_sys_k_malloc_enter
#undef sys_port_trace_k_heap_sys_k_malloc_exit
#undef sys_port_trace_k_heap_sys_k_free_enter
#undef sys_port_trace_k_heap_sys_k_free_exit
#undef sys_port_trace_k_heap_sys_k_calloc_enter
#undef sys_port_trace_k_heap_sys_k_calloc_exit
#undef sys_port_trace_k_heap_sys_k_realloc_enter
#undef sys_port_trace_k_heap_sys_k_realloc_exit
#if TXTAP_ZEPHYR_HEAP
#define sys_port_trace_k_heap_sys_k_aligned_alloc_enter(heap) txtap_zephyr_event1(0x9201u, TXTAP_ZEPHYR_WORD(heap))
#define sys_port_trace_k_heap_sys_k_aligned_alloc_exit(heap, ret) txtap_zephyr_result1(0x9203u, TXTAP_ZEPHYR_WORD(heap), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_heap_sys_k_malloc_enter(heap) txtap_zephyr_event1(0x9209u, TXTAP_ZEPHYR_WORD(heap))
#define sys_port_trace_k_heap_sys_k_malloc_exit(heap, ret) txtap_zephyr_result1(0x920bu, TXTAP_ZEPHYR_WORD(heap), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_heap_sys_k_free_enter(heap, heap_ref) txtap_zephyr_event2(0x9211u, TXTAP_ZEPHYR_WORD(heap), TXTAP_ZEPHYR_WORD(heap_ref))
#define sys_port_trace_k_heap_sys_k_free_exit(heap, heap_ref) txtap_zephyr_event2(0x9213u, TXTAP_ZEPHYR_WORD(heap), TXTAP_ZEPHYR_WORD(heap_ref))
#define sys_port_trace_k_heap_sys_k_calloc_enter(heap) txtap_zephyr_event1(0x9219u, TXTAP_ZEPHYR_WORD(heap))
#define sys_port_trace_k_heap_sys_k_calloc_exit(heap, ret) txtap_zephyr_result1(0x921bu, TXTAP_ZEPHYR_WORD(heap), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_heap_sys_k_realloc_enter(heap, ptr) txtap_zephyr_event2(0x9221u, TXTAP_ZEPHYR_WORD(heap), TXTAP_ZEPHYR_WORD(ptr))
#define sys_port_trace_k_heap_sys_k_realloc_exit(heap, ptr, ret) txtap_zephyr_result2(0x9223u, TXTAP_ZEPHYR_WORD(heap), TXTAP_ZEPHYR_WORD(ptr), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_heap_sys_k_aligned_alloc_enter(...)
#define sys_port_trace_k_heap_sys_k_aligned_alloc_exit(...)
#define sys_port_trace_k_heap_sys_k_malloc_enter(...)
#define sys_port_trace_k_heap_sys_k_malloc_exit(...)
#define sys_port_trace_k_heap_sys_k_free_enter(...)
#define sys_port_trace_k_heap_sys_k_free_exit(...)
#define sys_port_trace_k_heap_sys_k_calloc_enter(...)
#define sys_port_trace_k_heap_sys_k_calloc_exit(...)
#define sys_port_trace_k_heap_sys_k_realloc_enter(...)
#define sys_port_trace_k_heap_sys_k_realloc_exit(...)
#endif

/* memory slabs */
#undef sys_port_trace_k_mem_slab_init
#undef sys_port_trace_k_mem_slab_alloc_enter
#undef sys_port_trace_k_mem_slab_alloc_blocking
#undef sys_port_trace_k_mem_slab_alloc_exit
#undef sys_port_trace_k_mem_slab_free_enter
#undef sys_port_trace_k_mem_slab_free_exit
#if TXTAP_ZEPHYR_MEMORY_SLAB
#define sys_port_trace_k_mem_slab_init(slab, rc) txtap_zephyr_slab_init((slab), TXTAP_ZEPHYR_WORD(rc))
#define sys_port_trace_k_mem_slab_alloc_enter(slab, timeout) txtap_zephyr_slab_alloc((slab), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_mem_slab_alloc_blocking(slab, timeout) txtap_zephyr_blocking(0x930au, TXTAP_ZEPHYR_WORD(slab), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_mem_slab_alloc_exit(slab, timeout, ret) txtap_zephyr_result2(0x930bu, TXTAP_ZEPHYR_WORD(slab), TXTAP_ZEPHYR_TICKS(timeout), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_k_mem_slab_free_enter(slab) txtap_zephyr_slab_free((slab))
#define sys_port_trace_k_mem_slab_free_exit(slab) txtap_zephyr_event1(0x9313u, TXTAP_ZEPHYR_WORD(slab))
#else
#define sys_port_trace_k_mem_slab_init(...)
#define sys_port_trace_k_mem_slab_alloc_enter(...)
#define sys_port_trace_k_mem_slab_alloc_blocking(...)
#define sys_port_trace_k_mem_slab_alloc_exit(...)
#define sys_port_trace_k_mem_slab_free_enter(...)
#define sys_port_trace_k_mem_slab_free_exit(...)
#endif

/* timers */
#undef sys_port_trace_k_timer_init
#undef sys_port_trace_k_timer_start
#undef sys_port_trace_k_timer_stop
#undef sys_port_trace_k_timer_status_sync_enter
#undef sys_port_trace_k_timer_status_sync_blocking
#undef sys_port_trace_k_timer_status_sync_exit
#undef sys_port_trace_k_timer_expiry_enter
#undef sys_port_trace_k_timer_expiry_exit
#undef sys_port_trace_k_timer_stop_fn_expiry_enter
#undef sys_port_trace_k_timer_stop_fn_expiry_exit
#undef sys_port_trace_k_timer_cleanup_enter
#undef sys_port_trace_k_timer_cleanup_exit
#if TXTAP_ZEPHYR_TIMER
#define sys_port_trace_k_timer_init(timer) txtap_zephyr_timer_init((timer))
#define txtap_zephyr_form_k_timer_start_3(timer, duration, period) txtap_zephyr_timer_start((timer), TXTAP_ZEPHYR_TICKS(duration), TXTAP_ZEPHYR_TICKS(period))
#define txtap_zephyr_form_k_timer_start_1(timer) txtap_zephyr_timer_activate((timer))
#define sys_port_trace_k_timer_start(...) TXTAP_ZEPHYR_FOURTH(__VA_ARGS__, txtap_zephyr_form_k_timer_start_3, txtap_zephyr_no_such_form, txtap_zephyr_form_k_timer_start_1, 0)(__VA_ARGS__)
#define sys_port_trace_k_timer_stop(timer) txtap_zephyr_timer_stop((timer))
#define sys_port_trace_k_timer_status_sync_enter(timer) txtap_zephyr_event1(0x9419u, TXTAP_ZEPHYR_WORD(timer))
#define sys_port_trace_k_timer_status_sync_blocking(timer, timeout) txtap_zephyr_blocking(0x941au, TXTAP_ZEPHYR_WORD(timer), TXTAP_ZEPHYR_TICKS(timeout), 0u, 0u)
#define sys_port_trace_k_timer_status_sync_exit(timer, result) txtap_zephyr_event2(0x941bu, TXTAP_ZEPHYR_WORD(timer), TXTAP_ZEPHYR_WORD(result))
#define sys_port_trace_k_timer_expiry_enter(timer) txtap_zephyr_event1(0x9421u, TXTAP_ZEPHYR_WORD(timer))
#define sys_port_trace_k_timer_expiry_exit(timer) txtap_zephyr_event1(0x9423u, TXTAP_ZEPHYR_WORD(timer))
#define sys_port_trace_k_timer_stop_fn_expiry_enter(timer) txtap_zephyr_event1(0x9429u, TXTAP_ZEPHYR_WORD(timer))
#define sys_port_trace_k_timer_stop_fn_expiry_exit(timer) txtap_zephyr_event1(0x942bu, TXTAP_ZEPHYR_WORD(timer))
#define sys_port_trace_k_timer_cleanup_enter(timer) txtap_zephyr_timer_cleanup((timer))
#define sys_port_trace_k_timer_cleanup_exit(timer, ret) txtap_zephyr_result1(0x9433u, TXTAP_ZEPHYR_WORD(timer), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_timer_init(...)
#define sys_port_trace_k_timer_start(...)
#define sys_port_trace_k_timer_stop(...)
#define sys_port_trace_k_timer_status_sync_enter(...)
#define sys_port_trace_k_timer_status_sync_blocking(...)
#define sys_port_trace_k_timer_status_sync_exit(...)
#define sys_port_trace_k_timer_expiry_enter(...)
#define sys_port_trace_k_timer_expiry_exit(...)
#define sys_port_trace_k_timer_stop_fn_expiry_enter(...)
#define sys_port_trace_k_timer_stop_fn_expiry_exit(...)
#define sys_port_trace_k_timer_cleanup_enter(...)
#define sys_port_trace_k_timer_cleanup_exit(...)
#endif

/* event objects */
#undef sys_port_trace_k_event_init
#undef sys_port_trace_k_event_post_enter
#undef sys_port_trace_k_event_post_exit
#undef sys_port_trace_k_event_wait_enter
#undef sys_port_trace_k_event_wait_blocking
#undef sys_port_trace_k_event_wait_exit
#if TXTAP_ZEPHYR_EVENT
#define sys_port_trace_k_event_init(event) txtap_zephyr_event_init((event))
#define sys_port_trace_k_event_post_enter(event, events, events_mask) txtap_zephyr_event_post((event), TXTAP_ZEPHYR_WORD(events), TXTAP_ZEPHYR_WORD(events_mask))
#define sys_port_trace_k_event_post_exit(event, events, events_mask) txtap_zephyr_event3(0x950bu, TXTAP_ZEPHYR_WORD(event), TXTAP_ZEPHYR_WORD(events), TXTAP_ZEPHYR_WORD(events_mask))
#define sys_port_trace_k_event_wait_enter(event, events, options, timeout) txtap_zephyr_event_wait((event), TXTAP_ZEPHYR_WORD(events), TXTAP_ZEPHYR_WORD(options), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_event_wait_blocking(event, events, options, timeout) txtap_zephyr_blocking(0x9512u, TXTAP_ZEPHYR_WORD(event), TXTAP_ZEPHYR_WORD(events), TXTAP_ZEPHYR_WORD(options), TXTAP_ZEPHYR_TICKS(timeout))
#define sys_port_trace_k_event_wait_exit(event, events, ret) txtap_zephyr_result2(0x9513u, TXTAP_ZEPHYR_WORD(event), TXTAP_ZEPHYR_WORD(events), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_k_event_init(...)
#define sys_port_trace_k_event_post_enter(...)
#define sys_port_trace_k_event_post_exit(...)
#define sys_port_trace_k_event_wait_enter(...)
#define sys_port_trace_k_event_wait_blocking(...)
#define sys_port_trace_k_event_wait_exit(...)
#endif

/* power management of the system */
#undef sys_port_trace_pm_system_suspend_enter
#undef sys_port_trace_pm_system_suspend_exit
#if TXTAP_ZEPHYR_PM
#define sys_port_trace_pm_system_suspend_enter(ticks) txtap_zephyr_event1(0x9601u, TXTAP_ZEPHYR_WORD(ticks))
#define sys_port_trace_pm_system_suspend_exit(ticks, state) txtap_zephyr_event2(0x9603u, TXTAP_ZEPHYR_WORD(ticks), TXTAP_ZEPHYR_WORD(state))
#else
#define sys_port_trace_pm_system_suspend_enter(...)
#define sys_port_trace_pm_system_suspend_exit(...)
#endif

/* power management of devices */
#undef sys_port_trace_pm_device_runtime_get_enter
#undef sys_port_trace_pm_device_runtime_get_exit
#undef sys_port_trace_pm_device_runtime_put_enter
#undef sys_port_trace_pm_device_runtime_put_exit
#undef sys_port_trace_pm_device_runtime_put_async_enter
#undef sys_port_trace_pm_device_runtime_put_async_exit
#undef sys_port_trace_pm_device_runtime_enable_enter
#undef sys_port_trace_pm_device_runtime_enable_exit
#undef sys_port_trace_pm_device_runtime_disable_enter
#undef sys_port_trace_pm_device_runtime_disable_exit
#if TXTAP_ZEPHYR_PM
#define sys_port_trace_pm_device_runtime_get_enter(dev) txtap_zephyr_event1(0x9701u, TXTAP_ZEPHYR_WORD(dev))
#define sys_port_trace_pm_device_runtime_get_exit(dev, ret) txtap_zephyr_result1(0x9703u, TXTAP_ZEPHYR_WORD(dev), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_pm_device_runtime_put_enter(dev) txtap_zephyr_event1(0x9709u, TXTAP_ZEPHYR_WORD(dev))
#define sys_port_trace_pm_device_runtime_put_exit(dev, ret) txtap_zephyr_result1(0x970bu, TXTAP_ZEPHYR_WORD(dev), TXTAP_ZEPHYR_WORD(ret))
#define txtap_zephyr_form_pm_device_runtime_put_async_enter_2(dev, delay) txtap_zephyr_event2(0x9711u, TXTAP_ZEPHYR_WORD(dev), TXTAP_ZEPHYR_TICKS(delay))
#define txtap_zephyr_form_pm_device_runtime_put_async_exit_3(dev, delay, ret) txtap_zephyr_result2(0x9713u, TXTAP_ZEPHYR_WORD(dev), TXTAP_ZEPHYR_TICKS(delay), TXTAP_ZEPHYR_WORD(ret))
#define txtap_zephyr_form_pm_device_runtime_put_async_enter_1(dev) txtap_zephyr_event1(0x9729u, TXTAP_ZEPHYR_WORD(dev))
#define sys_port_trace_pm_device_runtime_put_async_enter(...) TXTAP_ZEPHYR_FOURTH(__VA_ARGS__, txtap_zephyr_no_such_form, txtap_zephyr_form_pm_device_runtime_put_async_enter_2, txtap_zephyr_form_pm_device_runtime_put_async_enter_1, 0)(__VA_ARGS__)
#define txtap_zephyr_form_pm_device_runtime_put_async_exit_2(dev, ret) txtap_zephyr_result1(0x972bu, TXTAP_ZEPHYR_WORD(dev), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_pm_device_runtime_put_async_exit(...) TXTAP_ZEPHYR_FOURTH(__VA_ARGS__, txtap_zephyr_form_pm_device_runtime_put_async_exit_3, txtap_zephyr_form_pm_device_runtime_put_async_exit_2, txtap_zephyr_no_such_form, 0)(__VA_ARGS__)
#define sys_port_trace_pm_device_runtime_enable_enter(dev) txtap_zephyr_event1(0x9719u, TXTAP_ZEPHYR_WORD(dev))
#define sys_port_trace_pm_device_runtime_enable_exit(dev, ret) txtap_zephyr_result1(0x971bu, TXTAP_ZEPHYR_WORD(dev), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_pm_device_runtime_disable_enter(dev) txtap_zephyr_event1(0x9721u, TXTAP_ZEPHYR_WORD(dev))
#define sys_port_trace_pm_device_runtime_disable_exit(dev, ret) txtap_zephyr_result1(0x9723u, TXTAP_ZEPHYR_WORD(dev), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_pm_device_runtime_get_enter(...)
#define sys_port_trace_pm_device_runtime_get_exit(...)
#define sys_port_trace_pm_device_runtime_put_enter(...)
#define sys_port_trace_pm_device_runtime_put_exit(...)
#define sys_port_trace_pm_device_runtime_put_async_enter(...)
#define sys_port_trace_pm_device_runtime_put_async_exit(...)
#define sys_port_trace_pm_device_runtime_enable_enter(...)
#define sys_port_trace_pm_device_runtime_enable_exit(...)
#define sys_port_trace_pm_device_runtime_disable_enter(...)
#define sys_port_trace_pm_device_runtime_disable_exit(...)
#endif

/* networking */
#undef sys_port_trace_net_recv_data_enter
#undef sys_port_trace_net_recv_data_exit
#undef sys_port_trace_net_send_data_enter
#undef sys_port_trace_net_send_data_exit
#undef sys_port_trace_net_rx_time
#undef sys_port_trace_net_tx_time
#if TXTAP_ZEPHYR_NET_CORE
#define sys_port_trace_net_recv_data_enter(iface, pkt) txtap_zephyr_event2(0x9801u, TXTAP_ZEPHYR_WORD(iface), TXTAP_ZEPHYR_WORD(pkt))
#define sys_port_trace_net_recv_data_exit(iface, pkt, ret) txtap_zephyr_result2(0x9803u, TXTAP_ZEPHYR_WORD(iface), TXTAP_ZEPHYR_WORD(pkt), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_net_send_data_enter(pkt) txtap_zephyr_event1(0x9809u, TXTAP_ZEPHYR_WORD(pkt))
#define sys_port_trace_net_send_data_exit(pkt, ret) txtap_zephyr_result1(0x980bu, TXTAP_ZEPHYR_WORD(pkt), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_net_rx_time(pkt, end_time) txtap_zephyr_event2(0x9810u, TXTAP_ZEPHYR_WORD(pkt), TXTAP_ZEPHYR_WORD(end_time))
#define sys_port_trace_net_tx_time(pkt, end_time) txtap_zephyr_event2(0x9818u, TXTAP_ZEPHYR_WORD(pkt), TXTAP_ZEPHYR_WORD(end_time))
#else
#define sys_port_trace_net_recv_data_enter(...)
#define sys_port_trace_net_recv_data_exit(...)
#define sys_port_trace_net_send_data_enter(...)
#define sys_port_trace_net_send_data_exit(...)
#define sys_port_trace_net_rx_time(...)
#define sys_port_trace_net_tx_time(...)
#endif

/* sockets */
#undef sys_port_trace_socket_init
#undef sys_port_trace_socket_close_enter
#undef sys_port_trace_socket_close_exit
#undef sys_port_trace_socket_shutdown_enter
#undef sys_port_trace_socket_shutdown_exit
#undef sys_port_trace_socket_bind_enter
#undef sys_port_trace_socket_bind_exit
#undef sys_port_trace_socket_connect_enter
#undef sys_port_trace_socket_connect_exit
#undef sys_port_trace_socket_listen_enter
#undef sys_port_trace_socket_listen_exit
#undef sys_port_trace_socket_accept_enter
#undef sys_port_trace_socket_accept_exit
#undef sys_port_trace_socket_sendto_enter
#undef sys_port_trace_socket_sendto_exit
#undef sys_port_trace_socket_sendmsg_enter
#undef sys_port_trace_socket_sendmsg_exit
#undef sys_port_trace_socket_recvfrom_enter
#undef sys_port_trace_socket_recvfrom_exit
#undef sys_port_trace_socket_recvmsg_enter
#undef sys_port_trace_socket_recvmsg_exit
#undef sys_port_trace_socket_fcntl_enter
#undef sys_port_trace_socket_fcntl_exit
#undef sys_port_trace_socket_ioctl_enter
#undef sys_port_trace_socket_ioctl_exit
#undef sys_port_trace_socket_poll_enter
#undef sys_port_trace_socket_poll_exit
#undef sys_port_trace_socket_getsockopt_enter
#undef sys_port_trace_socket_getsockopt_exit
#undef sys_port_trace_socket_setsockopt_enter
#undef sys_port_trace_socket_setsockopt_exit
#undef sys_port_trace_socket_getpeername_enter
#undef sys_port_trace_socket_getpeername_exit
#undef sys_port_trace_socket_getsockname_enter
#undef sys_port_trace_socket_getsockname_exit
#undef sys_port_trace_socket_socketpair_enter
#undef sys_port_trace_socket_socketpair_exit
#if TXTAP_ZEPHYR_NET_SOCKETS
#define sys_port_trace_socket_init(socket, family, type, proto) txtap_zephyr_event4(0x9904u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(family), TXTAP_ZEPHYR_WORD(type), TXTAP_ZEPHYR_WORD(proto))
#define sys_port_trace_socket_close_enter(socket) txtap_zephyr_event1(0x9909u, TXTAP_ZEPHYR_WORD(socket))
#define sys_port_trace_socket_close_exit(socket, ret) txtap_zephyr_result1(0x990bu, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_shutdown_enter(socket, how) txtap_zephyr_event2(0x9911u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(how))
#define sys_port_trace_socket_shutdown_exit(socket, ret) txtap_zephyr_result1(0x9913u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_bind_enter(socket, addr, addrlen) txtap_zephyr_event3(0x9919u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(addr), TXTAP_ZEPHYR_WORD(addrlen))
#define sys_port_trace_socket_bind_exit(socket, ret) txtap_zephyr_result1(0x991bu, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_connect_enter(socket, addr, addrlen) txtap_zephyr_event3(0x9921u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(addr), TXTAP_ZEPHYR_WORD(addrlen))
#define sys_port_trace_socket_connect_exit(socket, ret) txtap_zephyr_result1(0x9923u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_listen_enter(socket, backlog) txtap_zephyr_event2(0x9929u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(backlog))
#define sys_port_trace_socket_listen_exit(socket, ret) txtap_zephyr_result1(0x992bu, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_accept_enter(socket) txtap_zephyr_event1(0x9931u, TXTAP_ZEPHYR_WORD(socket))
#define sys_port_trace_socket_accept_exit(socket, addr, addrlen, ret) txtap_zephyr_event4(0x9933u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(addr), TXTAP_ZEPHYR_WORD(addrlen), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_sendto_enter(socket, len, flags, dest_addr, addrlen) txtap_zephyr_event4(0x9939u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(len), TXTAP_ZEPHYR_WORD(flags), TXTAP_ZEPHYR_WORD(dest_addr))
#define sys_port_trace_socket_sendto_exit(socket, ret) txtap_zephyr_result1(0x993bu, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_sendmsg_enter(socket, msg, flags) txtap_zephyr_event3(0x9941u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(msg), TXTAP_ZEPHYR_WORD(flags))
#define sys_port_trace_socket_sendmsg_exit(socket, ret) txtap_zephyr_result1(0x9943u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_recvfrom_enter(socket, max_len, flags, addr, addrlen) txtap_zephyr_event4(0x9949u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(max_len), TXTAP_ZEPHYR_WORD(flags), TXTAP_ZEPHYR_WORD(addr))
#define sys_port_trace_socket_recvfrom_exit(socket, src_addr, addrlen, ret) txtap_zephyr_event4(0x994bu, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(src_addr), TXTAP_ZEPHYR_WORD(addrlen), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_recvmsg_enter(socket, msg, flags) txtap_zephyr_event3(0x9951u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(msg), TXTAP_ZEPHYR_WORD(flags))
#define sys_port_trace_socket_recvmsg_exit(socket, msg, ret) txtap_zephyr_result2(0x9953u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(msg), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_fcntl_enter(socket, cmd, flags) txtap_zephyr_event3(0x9959u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(cmd), TXTAP_ZEPHYR_WORD(flags))
#define sys_port_trace_socket_fcntl_exit(socket, ret) txtap_zephyr_result1(0x995bu, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_ioctl_enter(socket, req) txtap_zephyr_event2(0x9961u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(req))
#define sys_port_trace_socket_ioctl_exit(socket, ret) txtap_zephyr_result1(0x9963u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_poll_enter(fds, nfds, timeout) txtap_zephyr_event3(0x9969u, TXTAP_ZEPHYR_WORD(fds), TXTAP_ZEPHYR_WORD(nfds), TXTAP_ZEPHYR_WORD(timeout))
#define sys_port_trace_socket_poll_exit(fds, nfds, ret) txtap_zephyr_result2(0x996bu, TXTAP_ZEPHYR_WORD(fds), TXTAP_ZEPHYR_WORD(nfds), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_getsockopt_enter(socket, level, optname) txtap_zephyr_event3(0x9971u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(level), TXTAP_ZEPHYR_WORD(optname))
#define sys_port_trace_socket_getsockopt_exit(socket, level, optname, optval, optlen, ret) txtap_zephyr_event4(0x9973u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(level), TXTAP_ZEPHYR_WORD(optname), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_setsockopt_enter(socket, level, optname, optval, optlen) txtap_zephyr_event4(0x9979u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(level), TXTAP_ZEPHYR_WORD(optname), TXTAP_ZEPHYR_WORD(optval))
#define sys_port_trace_socket_setsockopt_exit(socket, ret) txtap_zephyr_result1(0x997bu, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_getpeername_enter(socket) txtap_zephyr_event1(0x9981u, TXTAP_ZEPHYR_WORD(socket))
#define sys_port_trace_socket_getpeername_exit(socket, addr, addrlen, ret) txtap_zephyr_event4(0x9983u, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(addr), TXTAP_ZEPHYR_WORD(addrlen), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_getsockname_enter(socket) txtap_zephyr_event1(0x9989u, TXTAP_ZEPHYR_WORD(socket))
#define sys_port_trace_socket_getsockname_exit(socket, addr, addrlen, ret) txtap_zephyr_event4(0x998bu, TXTAP_ZEPHYR_WORD(socket), TXTAP_ZEPHYR_WORD(addr), TXTAP_ZEPHYR_WORD(addrlen), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_socket_socketpair_enter(family, type, proto, sv) txtap_zephyr_event4(0x9991u, TXTAP_ZEPHYR_WORD(family), TXTAP_ZEPHYR_WORD(type), TXTAP_ZEPHYR_WORD(proto), TXTAP_ZEPHYR_WORD(sv))
#define sys_port_trace_socket_socketpair_exit(socket_A, socket_B, ret) txtap_zephyr_result2(0x9993u, TXTAP_ZEPHYR_WORD(socket_A), TXTAP_ZEPHYR_WORD(socket_B), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_socket_init(...)
#define sys_port_trace_socket_close_enter(...)
#define sys_port_trace_socket_close_exit(...)
#define sys_port_trace_socket_shutdown_enter(...)
#define sys_port_trace_socket_shutdown_exit(...)
#define sys_port_trace_socket_bind_enter(...)
#define sys_port_trace_socket_bind_exit(...)
#define sys_port_trace_socket_connect_enter(...)
#define sys_port_trace_socket_connect_exit(...)
#define sys_port_trace_socket_listen_enter(...)
#define sys_port_trace_socket_listen_exit(...)
#define sys_port_trace_socket_accept_enter(...)
#define sys_port_trace_socket_accept_exit(...)
#define sys_port_trace_socket_sendto_enter(...)
#define sys_port_trace_socket_sendto_exit(...)
#define sys_port_trace_socket_sendmsg_enter(...)
#define sys_port_trace_socket_sendmsg_exit(...)
#define sys_port_trace_socket_recvfrom_enter(...)
#define sys_port_trace_socket_recvfrom_exit(...)
#define sys_port_trace_socket_recvmsg_enter(...)
#define sys_port_trace_socket_recvmsg_exit(...)
#define sys_port_trace_socket_fcntl_enter(...)
#define sys_port_trace_socket_fcntl_exit(...)
#define sys_port_trace_socket_ioctl_enter(...)
#define sys_port_trace_socket_ioctl_exit(...)
#define sys_port_trace_socket_poll_enter(...)
#define sys_port_trace_socket_poll_exit(...)
#define sys_port_trace_socket_getsockopt_enter(...)
#define sys_port_trace_socket_getsockopt_exit(...)
#define sys_port_trace_socket_setsockopt_enter(...)
#define sys_port_trace_socket_setsockopt_exit(...)
#define sys_port_trace_socket_getpeername_enter(...)
#define sys_port_trace_socket_getpeername_exit(...)
#define sys_port_trace_socket_getsockname_enter(...)
#define sys_port_trace_socket_getsockname_exit(...)
#define sys_port_trace_socket_socketpair_enter(...)
#define sys_port_trace_socket_socketpair_exit(...)
#endif

/* GPIO pins */
#undef sys_port_trace_gpio_pin_interrupt_configure_enter
#undef sys_port_trace_gpio_pin_interrupt_configure_exit
#undef sys_port_trace_gpio_pin_configure_enter
#undef sys_port_trace_gpio_pin_configure_exit
#undef sys_port_trace_gpio_pin_get_config_enter
#undef sys_port_trace_gpio_pin_get_config_exit
#if TXTAP_ZEPHYR_GPIO
#define sys_port_trace_gpio_pin_interrupt_configure_enter(port, pin, flags) txtap_zephyr_event3(0x9a01u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(pin), TXTAP_ZEPHYR_WORD(flags))
#define sys_port_trace_gpio_pin_interrupt_configure_exit(port, pin, ret) txtap_zephyr_result2(0x9a03u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(pin), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_gpio_pin_configure_enter(port, pin, flags) txtap_zephyr_event3(0x9a09u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(pin), TXTAP_ZEPHYR_WORD(flags))
#define sys_port_trace_gpio_pin_configure_exit(port, pin, ret) txtap_zephyr_result2(0x9a0bu, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(pin), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_gpio_pin_get_config_enter(port, pin, flags) txtap_zephyr_event3(0x9a11u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(pin), TXTAP_ZEPHYR_WORD(flags))
#define sys_port_trace_gpio_pin_get_config_exit(port, pin, ret) txtap_zephyr_result2(0x9a13u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(pin), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_gpio_pin_interrupt_configure_enter(...)
#define sys_port_trace_gpio_pin_interrupt_configure_exit(...)
#define sys_port_trace_gpio_pin_configure_enter(...)
#define sys_port_trace_gpio_pin_configure_exit(...)
#define sys_port_trace_gpio_pin_get_config_enter(...)
#define sys_port_trace_gpio_pin_get_config_exit(...)
#endif

/* GPIO ports */
#undef sys_port_trace_gpio_port_get_direction_enter
#undef sys_port_trace_gpio_port_get_direction_exit
#undef sys_port_trace_gpio_port_get_raw_enter
#undef sys_port_trace_gpio_port_get_raw_exit
#undef sys_port_trace_gpio_port_set_masked_raw_enter
#undef sys_port_trace_gpio_port_set_masked_raw_exit
#undef sys_port_trace_gpio_port_set_bits_raw_enter
#undef sys_port_trace_gpio_port_set_bits_raw_exit
#undef sys_port_trace_gpio_port_clear_bits_raw_enter
#undef sys_port_trace_gpio_port_clear_bits_raw_exit
#undef sys_port_trace_gpio_port_toggle_bits_enter
#undef sys_port_trace_gpio_port_toggle_bits_exit
#if TXTAP_ZEPHYR_GPIO
#define sys_port_trace_gpio_port_get_direction_enter(port, map, inputs, outputs) txtap_zephyr_event4(0x9b01u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(map), TXTAP_ZEPHYR_WORD(inputs), TXTAP_ZEPHYR_WORD(outputs))
#define sys_port_trace_gpio_port_get_direction_exit(port, ret) txtap_zephyr_result1(0x9b03u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_gpio_port_get_raw_enter(port, value) txtap_zephyr_event2(0x9b09u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(value))
#define sys_port_trace_gpio_port_get_raw_exit(port, ret) txtap_zephyr_result1(0x9b0bu, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_gpio_port_set_masked_raw_enter(port, mask, value) txtap_zephyr_event3(0x9b11u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(mask), TXTAP_ZEPHYR_WORD(value))
#define sys_port_trace_gpio_port_set_masked_raw_exit(port, ret) txtap_zephyr_result1(0x9b13u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_gpio_port_set_bits_raw_enter(port, pins) txtap_zephyr_event2(0x9b19u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(pins))
#define sys_port_trace_gpio_port_set_bits_raw_exit(port, ret) txtap_zephyr_result1(0x9b1bu, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_gpio_port_clear_bits_raw_enter(port, pins) txtap_zephyr_event2(0x9b21u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(pins))
#define sys_port_trace_gpio_port_clear_bits_raw_exit(port, ret) txtap_zephyr_result1(0x9b23u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_gpio_port_toggle_bits_enter(port, pins) txtap_zephyr_event2(0x9b29u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(pins))
#define sys_port_trace_gpio_port_toggle_bits_exit(port, ret) txtap_zephyr_result1(0x9b2bu, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(ret))
#else
#define sys_port_trace_gpio_port_get_direction_enter(...)
#define sys_port_trace_gpio_port_get_direction_exit(...)
#define sys_port_trace_gpio_port_get_raw_enter(...)
#define sys_port_trace_gpio_port_get_raw_exit(...)
#define sys_port_trace_gpio_port_set_masked_raw_enter(...)
#define sys_port_trace_gpio_port_set_masked_raw_exit(...)
#define sys_port_trace_gpio_port_set_bits_raw_enter(...)
#define sys_port_trace_gpio_port_set_bits_raw_exit(...)
#define sys_port_trace_gpio_port_clear_bits_raw_enter(...)
#define sys_port_trace_gpio_port_clear_bits_raw_exit(...)
#define sys_port_trace_gpio_port_toggle_bits_enter(...)
#define sys_port_trace_gpio_port_toggle_bits_exit(...)
#endif

/* GPIO callbacks */
#undef sys_port_trace_gpio_init_callback_enter
#undef sys_port_trace_gpio_init_callback_exit
#undef sys_port_trace_gpio_add_callback_enter
#undef sys_port_trace_gpio_add_callback_exit
#undef sys_port_trace_gpio_remove_callback_enter
#undef sys_port_trace_gpio_remove_callback_exit
#undef sys_port_trace_gpio_get_pending_int_enter
#undef sys_port_trace_gpio_get_pending_int_exit
#undef sys_port_trace_gpio_fire_callbacks_enter
#undef sys_port_trace_gpio_fire_callback
#if TXTAP_ZEPHYR_GPIO
#define sys_port_trace_gpio_init_callback_enter(callback, handler, pin_mask) txtap_zephyr_event3(0x9c01u, TXTAP_ZEPHYR_WORD(callback), TXTAP_ZEPHYR_WORD(handler), TXTAP_ZEPHYR_WORD(pin_mask))
#define sys_port_trace_gpio_init_callback_exit(callback) txtap_zephyr_event1(0x9c03u, TXTAP_ZEPHYR_WORD(callback))
#define sys_port_trace_gpio_add_callback_enter(port, callback) txtap_zephyr_event2(0x9c09u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(callback))
#define sys_port_trace_gpio_add_callback_exit(port, ret) txtap_zephyr_result1(0x9c0bu, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_gpio_remove_callback_enter(port, callback) txtap_zephyr_event2(0x9c11u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(callback))
#define sys_port_trace_gpio_remove_callback_exit(port, ret) txtap_zephyr_result1(0x9c13u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_gpio_get_pending_int_enter(dev) txtap_zephyr_event1(0x9c19u, TXTAP_ZEPHYR_WORD(dev))
#define sys_port_trace_gpio_get_pending_int_exit(dev, ret) txtap_zephyr_result1(0x9c1bu, TXTAP_ZEPHYR_WORD(dev), TXTAP_ZEPHYR_WORD(ret))
#define sys_port_trace_gpio_fire_callbacks_enter(list, port, pins) txtap_zephyr_event3(0x9c21u, TXTAP_ZEPHYR_WORD(list), TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(pins))
#define sys_port_trace_gpio_fire_callback(port, callback) txtap_zephyr_event2(0x9c28u, TXTAP_ZEPHYR_WORD(port), TXTAP_ZEPHYR_WORD(callback))
#else
#define sys_port_trace_gpio_init_callback_enter(...)
#define sys_port_trace_gpio_init_callback_exit(...)
#define sys_port_trace_gpio_add_callback_enter(...)
#define sys_port_trace_gpio_add_callback_exit(...)
#define sys_port_trace_gpio_remove_callback_enter(...)
#define sys_port_trace_gpio_remove_callback_exit(...)
#define sys_port_trace_gpio_get_pending_int_enter(...)
#define sys_port_trace_gpio_get_pending_int_exit(...)
#define sys_port_trace_gpio_fire_callbacks_enter(...)
#define sys_port_trace_gpio_fire_callback(...)
#endif

/* RTIO */
#undef sys_port_trace_rtio_submit_enter
#undef sys_port_trace_rtio_submit_exit
#undef sys_port_trace_rtio_sqe_acquire_enter
#undef sys_port_trace_rtio_sqe_acquire_exit
#undef sys_port_trace_rtio_sqe_cancel
#undef sys_port_trace_rtio_cqe_submit_enter
#undef sys_port_trace_rtio_cqe_submit_exit
#undef sys_port_trace_rtio_cqe_acquire_enter
#undef sys_port_trace_rtio_cqe_acquire_exit
#undef sys_port_trace_rtio_cqe_release
#undef sys_port_trace_rtio_cqe_consume_enter
#undef sys_port_trace_rtio_cqe_consume_exit
#undef sys_port_trace_rtio_txn_next_enter
#undef sys_port_trace_rtio_txn_next_exit
#undef sys_port_trace_rtio_chain_next_enter
#undef sys_port_trace_rtio_chain_next_exit
#if TXTAP_ZEPHYR_RTIO
#define sys_port_trace_rtio_submit_enter(rtio, wait_count) txtap_zephyr_event2(0x9d01u, TXTAP_ZEPHYR_WORD(rtio), TXTAP_ZEPHYR_WORD(wait_count))
#define sys_port_trace_rtio_submit_exit(rtio) txtap_zephyr_event1(0x9d03u, TXTAP_ZEPHYR_WORD(rtio))
#define sys_port_trace_rtio_sqe_acquire_enter(rtio) txtap_zephyr_event1(0x9d09u, TXTAP_ZEPHYR_WORD(rtio))
#define sys_port_trace_rtio_sqe_acquire_exit(rtio, sqe) txtap_zephyr_event2(0x9d0bu, TXTAP_ZEPHYR_WORD(rtio), TXTAP_ZEPHYR_WORD(sqe))
#define sys_port_trace_rtio_sqe_cancel(handle) txtap_zephyr_event1(0x9d10u, TXTAP_ZEPHYR_WORD(handle))
#define sys_port_trace_rtio_cqe_submit_enter(rtio, result, flags) txtap_zephyr_event3(0x9d19u, TXTAP_ZEPHYR_WORD(rtio), TXTAP_ZEPHYR_WORD(result), TXTAP_ZEPHYR_WORD(flags))
#define sys_port_trace_rtio_cqe_submit_exit(rtio) txtap_zephyr_event1(0x9d1bu, TXTAP_ZEPHYR_WORD(rtio))
#define sys_port_trace_rtio_cqe_acquire_enter(rtio) txtap_zephyr_event1(0x9d21u, TXTAP_ZEPHYR_WORD(rtio))
#define sys_port_trace_rtio_cqe_acquire_exit(rtio, cqe) txtap_zephyr_event2(0x9d23u, TXTAP_ZEPHYR_WORD(rtio), TXTAP_ZEPHYR_WORD(cqe))
#define sys_port_trace_rtio_cqe_release(rtio, cqe) txtap_zephyr_event2(0x9d28u, TXTAP_ZEPHYR_WORD(rtio), TXTAP_ZEPHYR_WORD(cqe))
#define sys_port_trace_rtio_cqe_consume_enter(rtio) txtap_zephyr_event1(0x9d31u, TXTAP_ZEPHYR_WORD(rtio))
#define sys_port_trace_rtio_cqe_consume_exit(rtio, cqe) txtap_zephyr_event2(0x9d33u, TXTAP_ZEPHYR_WORD(rtio), TXTAP_ZEPHYR_WORD(cqe))
#define sys_port_trace_rtio_txn_next_enter(rtio, iodev_sqe) txtap_zephyr_event2(0x9d39u, TXTAP_ZEPHYR_WORD(rtio), TXTAP_ZEPHYR_WORD(iodev_sqe))
#define sys_port_trace_rtio_txn_next_exit(rtio, iodev_sqe) txtap_zephyr_event2(0x9d3bu, TXTAP_ZEPHYR_WORD(rtio), TXTAP_ZEPHYR_WORD(iodev_sqe))
#define sys_port_trace_rtio_chain_next_enter(rtio, iodev_sqe) txtap_zephyr_event2(0x9d41u, TXTAP_ZEPHYR_WORD(rtio), TXTAP_ZEPHYR_WORD(iodev_sqe))
#define sys_port_trace_rtio_chain_next_exit(rtio, iodev_sqe) txtap_zephyr_event2(0x9d43u, TXTAP_ZEPHYR_WORD(rtio), TXTAP_ZEPHYR_WORD(iodev_sqe))
#else
#define sys_port_trace_rtio_submit_enter(...)
#define sys_port_trace_rtio_submit_exit(...)
#define sys_port_trace_rtio_sqe_acquire_enter(...)
#define sys_port_trace_rtio_sqe_acquire_exit(...)
#define sys_port_trace_rtio_sqe_cancel(...)
#define sys_port_trace_rtio_cqe_submit_enter(...)
#define sys_port_trace_rtio_cqe_submit_exit(...)
#define sys_port_trace_rtio_cqe_acquire_enter(...)
#define sys_port_trace_rtio_cqe_acquire_exit(...)
#define sys_port_trace_rtio_cqe_release(...)
#define sys_port_trace_rtio_cqe_consume_enter(...)
#define sys_port_trace_rtio_cqe_consume_exit(...)
#define sys_port_trace_rtio_txn_next_enter(...)
#define sys_port_trace_rtio_txn_next_exit(...)
#define sys_port_trace_rtio_chain_next_enter(...)
#define sys_port_trace_rtio_chain_next_exit(...)
#endif

/* system calls */
#undef sys_port_trace_syscall_enter
#undef sys_port_trace_syscall_exit
#if TXTAP_ZEPHYR_SYSCALL
#define sys_port_trace_syscall_enter(id, name, ...) txtap_zephyr_event1(0x9e01u, TXTAP_ZEPHYR_WORD(id))
#define sys_port_trace_syscall_exit(id, name, ...) txtap_zephyr_result1(0x9e03u, TXTAP_ZEPHYR_WORD(id), TXTAP_ZEPHYR_RESULT(name, ##__VA_ARGS__))
#else
#define sys_port_trace_syscall_enter(...)
#define sys_port_trace_syscall_exit(...)
#endif

/* initialization */
#undef sys_trace_sys_init_enter
#undef sys_trace_sys_init_exit
#if TXTAP_ZEPHYR_ALWAYS
#define sys_trace_sys_init_enter(entry, level) txtap_zephyr_event2(0xa101u, TXTAP_ZEPHYR_WORD(entry), TXTAP_ZEPHYR_WORD(level))
#define sys_trace_sys_init_exit(entry, level, result) txtap_zephyr_event3(0xa103u, TXTAP_ZEPHYR_WORD(entry), TXTAP_ZEPHYR_WORD(level), TXTAP_ZEPHYR_WORD(result))
#else
#define sys_trace_sys_init_enter(...)
#define sys_trace_sys_init_exit(...)
#endif

/* named events */
#undef sys_trace_named_event
#if TXTAP_ZEPHYR_ALWAYS
#define sys_trace_named_event(name, arg0, arg1) txtap_zephyr_named_event(0xa200u, (name), TXTAP_ZEPHYR_WORD(arg0), TXTAP_ZEPHYR_WORD(arg1), 0u)
#else
#define sys_trace_named_event(...)
#endif

/* clang-format on */

#endif
