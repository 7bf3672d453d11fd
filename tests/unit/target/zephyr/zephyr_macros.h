/* SPDX-License-Identifier: MIT */
/*
 * Zephyr's macros that call tracing hooks, for tests. They have nine forms. Each form composes the hook's name from an
 * object's type and a function. A switch for the type decides whether the hook is called: a mask for the OBJ forms,
 * "is disabled" for the FUNC forms. A mask takes the call as one argument, so a hook with a comma outside brackets does
 * not compile. As in Zephyr, the FUNC hooks of pm, net, gpio and rtio are always called.
 */
#ifndef TXTAP_TESTS_ZEPHYR_MACROS_H
#define TXTAP_TESTS_ZEPHYR_MACROS_H

/* ---- masks ---- */

#ifdef CONFIG_TRACING_THREAD
#define sys_port_trace_type_mask_k_thread(call) call
#else
#define sys_port_trace_type_mask_k_thread(call)
#define sys_port_trace_k_thread_is_disabled 1
#endif
#ifdef CONFIG_TRACING_WORK
#define sys_port_trace_type_mask_k_work(call)           call
#define sys_port_trace_type_mask_k_work_queue(call)     call
#define sys_port_trace_type_mask_k_work_delayable(call) call
#define sys_port_trace_type_mask_k_work_poll(call)      call
#else
#define sys_port_trace_type_mask_k_work(call)
#define sys_port_trace_type_mask_k_work_queue(call)
#define sys_port_trace_type_mask_k_work_delayable(call)
#define sys_port_trace_type_mask_k_work_poll(call)
#endif
#ifdef CONFIG_TRACING_SEMAPHORE
#define sys_port_trace_type_mask_k_sem(call) call
#else
#define sys_port_trace_type_mask_k_sem(call)
#endif
#ifdef CONFIG_TRACING_MUTEX
#define sys_port_trace_type_mask_k_mutex(call) call
#else
#define sys_port_trace_type_mask_k_mutex(call)
#endif
#ifdef CONFIG_TRACING_CONDVAR
#define sys_port_trace_type_mask_k_condvar(call) call
#else
#define sys_port_trace_type_mask_k_condvar(call)
#endif
#ifdef CONFIG_TRACING_QUEUE
#define sys_port_trace_type_mask_k_queue(call) call
#else
#define sys_port_trace_type_mask_k_queue(call)
#endif
#ifdef CONFIG_TRACING_FIFO
#define sys_port_trace_type_mask_k_fifo(call) call
#else
#define sys_port_trace_type_mask_k_fifo(call)
#endif
#ifdef CONFIG_TRACING_LIFO
#define sys_port_trace_type_mask_k_lifo(call) call
#else
#define sys_port_trace_type_mask_k_lifo(call)
#endif
#ifdef CONFIG_TRACING_STACK
#define sys_port_trace_type_mask_k_stack(call) call
#else
#define sys_port_trace_type_mask_k_stack(call)
#endif
#ifdef CONFIG_TRACING_MESSAGE_QUEUE
#define sys_port_trace_type_mask_k_msgq(call) call
#else
#define sys_port_trace_type_mask_k_msgq(call)
#endif
#ifdef CONFIG_TRACING_MAILBOX
#define sys_port_trace_type_mask_k_mbox(call) call
#else
#define sys_port_trace_type_mask_k_mbox(call)
#endif
#ifdef CONFIG_TRACING_PIPE
#define sys_port_trace_type_mask_k_pipe(call) call
#else
#define sys_port_trace_type_mask_k_pipe(call)
#endif
#ifdef CONFIG_TRACING_HEAP
#define sys_port_trace_type_mask_k_heap(call)     call
#define sys_port_trace_type_mask_k_heap_sys(call) call
#else
#define sys_port_trace_type_mask_k_heap(call)
#define sys_port_trace_type_mask_k_heap_sys(call)
#endif
#ifdef CONFIG_TRACING_MEMORY_SLAB
#define sys_port_trace_type_mask_k_mem_slab(call) call
#else
#define sys_port_trace_type_mask_k_mem_slab(call)
#endif
#ifdef CONFIG_TRACING_TIMER
#define sys_port_trace_type_mask_k_timer(call) call
#else
#define sys_port_trace_type_mask_k_timer(call)
#endif
#ifdef CONFIG_TRACING_EVENT
#define sys_port_trace_type_mask_k_event(call) call
#else
#define sys_port_trace_type_mask_k_event(call)
#endif
#ifdef CONFIG_TRACING_NET_SOCKETS
#define sys_port_trace_type_mask_socket(call) call
#else
#define sys_port_trace_type_mask_socket(call)
#endif
#ifndef CONFIG_TRACING_POLLING
#define sys_port_trace_k_poll_api_is_disabled  1
#define sys_port_trace_k_work_poll_is_disabled 1
#endif
#ifndef CONFIG_TRACING_PM
#define sys_port_trace_pm_is_disabled 1 /* otherwise pm_system and pm_device_runtime must be listed, too */
#endif

/* ---- the two ways to disable a hook ---- */

#define CALL_MASKED(type, call)         CALL_MASK_OF(type)(call)
#define CALL_MASK_OF(type)              sys_port_trace_type_mask_##type
#define CALL_ENABLED(type, hook, ...)   CALL_IF(sys_port_trace_##type##_is_disabled, hook, ##__VA_ARGS__)
#define CALL_IF(disabled, hook, ...)    CALL_IF_(disabled, hook, ##__VA_ARGS__)
#define CALL_IF_(disabled, hook, ...)   CALL_PICK(CALL_IS_##disabled, CALL_NOW, 0)(hook, ##__VA_ARGS__)
#define CALL_IS_1                       0, CALL_NOT
#define CALL_PICK(...)                  CALL_SECOND(__VA_ARGS__)
#define CALL_SECOND(first, second, ...) second
#define CALL_NOT(hook, ...)
#define CALL_NOW(hook, ...)                                                                                            \
    do {                                                                                                               \
        hook(__VA_ARGS__);                                                                                             \
    } while (0)

/* ---- the nine forms ---- */

#define SYS_PORT_TRACING_FUNC(type, func, ...) CALL_ENABLED(type, sys_port_trace_##type##_##func, ##__VA_ARGS__)
#define SYS_PORT_TRACING_FUNC_ENTER(type, func, ...)                                                                   \
    CALL_ENABLED(type, sys_port_trace_##type##_##func##_enter, ##__VA_ARGS__)
#define SYS_PORT_TRACING_FUNC_BLOCKING(type, func, ...)                                                                \
    CALL_ENABLED(type, sys_port_trace_##type##_##func##_blocking, ##__VA_ARGS__)
#define SYS_PORT_TRACING_FUNC_EXIT(type, func, ...)                                                                    \
    CALL_ENABLED(type, sys_port_trace_##type##_##func##_exit, ##__VA_ARGS__)
#define SYS_PORT_TRACING_OBJ_INIT(type, obj, ...)                                                                      \
    do {                                                                                                               \
        CALL_MASKED(type, sys_port_trace_##type##_init(obj, ##__VA_ARGS__));                                           \
        CALL_MASKED(type, sys_port_track_##type##_init(obj, ##__VA_ARGS__));                                           \
    } while (0)
#define SYS_PORT_TRACING_OBJ_FUNC(type, func, obj, ...)                                                                \
    do {                                                                                                               \
        CALL_MASKED(type, sys_port_trace_##type##_##func(obj, ##__VA_ARGS__));                                         \
        CALL_MASKED(type, sys_port_track_##type##_##func(obj, ##__VA_ARGS__));                                         \
    } while (0)
#define SYS_PORT_TRACING_OBJ_FUNC_ENTER(type, func, obj, ...)                                                          \
    do {                                                                                                               \
        CALL_MASKED(type, sys_port_trace_##type##_##func##_enter(obj, ##__VA_ARGS__));                                 \
    } while (0)
#define SYS_PORT_TRACING_OBJ_FUNC_BLOCKING(type, func, obj, timeout, ...)                                              \
    do {                                                                                                               \
        CALL_MASKED(type, sys_port_trace_##type##_##func##_blocking(obj, timeout, ##__VA_ARGS__));                     \
    } while (0)
#define SYS_PORT_TRACING_OBJ_FUNC_EXIT(type, func, obj, ...)                                                           \
    do {                                                                                                               \
        CALL_MASKED(type, sys_port_trace_##type##_##func##_exit(obj, ##__VA_ARGS__));                                  \
    } while (0)

#endif
