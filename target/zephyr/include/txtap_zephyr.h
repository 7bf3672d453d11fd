/* SPDX-License-Identifier: MIT */
/*
 * The functions that Zephyr's tracing hooks call, and the functions that start the recorder. This header uses no types
 * of Zephyr, so that any header of Zephyr can include it. hooks.def and HOOKS.md describe the hooks.
 */
#ifndef TXTAP_ZEPHYR_H
#define TXTAP_ZEPHYR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C++" { /* Zephyr also includes headers inside extern "C" */
template <typename any> static inline uint32_t txtap_zephyr_bytes(any value)
{
    uint32_t word = 0;
    __builtin_memcpy(&word, &value, sizeof(value) < 4 ? sizeof(value) : 4);
    return word;
}
}

extern "C" {
#endif

/* Converts a pointer, a number or an enumerator to a word of an event. */
#define TXTAP_ZEPHYR_WORD(value) ((uint32_t)(uintptr_t)(value))

/* Converts a k_timeout_t to ticks. Before Zephyr 2.4, and with CONFIG_LEGACY_TIMEOUT_API, a k_timeout_t is a number. */
#ifdef CONFIG_LEGACY_TIMEOUT_API
#define TXTAP_ZEPHYR_TICKS(timeout) txtap_zephyr_ticks((long long)(timeout))
#else
#define TXTAP_ZEPHYR_TICKS(timeout) txtap_zephyr_ticks((long long)(timeout).ticks)
#endif

/*
 * The first four bytes of a system call's result. The exit hook gets the call's name, then at most 12 arguments. If the
 * call has a result, the last argument is the variable that contains the result. If the last argument is another
 * expression, the macro does not read it, because the expression must not be evaluated twice. Then the result is 0.
 */
#define TXTAP_ZEPHYR_RESULT(name, ...)                                                                                 \
    TXTAP_ZEPHYR_FOURTEENTH(name, ##__VA_ARGS__, TXTAP_ZEPHYR_LAST13, TXTAP_ZEPHYR_LAST12, TXTAP_ZEPHYR_LAST11,        \
                            TXTAP_ZEPHYR_LAST10, TXTAP_ZEPHYR_LAST9, TXTAP_ZEPHYR_LAST8, TXTAP_ZEPHYR_LAST7,           \
                            TXTAP_ZEPHYR_LAST6, TXTAP_ZEPHYR_LAST5, TXTAP_ZEPHYR_LAST4, TXTAP_ZEPHYR_LAST3,            \
                            TXTAP_ZEPHYR_LAST2, TXTAP_ZEPHYR_LAST1, 0)                                                 \
    (name, ##__VA_ARGS__)
#define TXTAP_ZEPHYR_FOURTEENTH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, ...) n
#define TXTAP_ZEPHYR_LAST1(a)                                                  0u
#define TXTAP_ZEPHYR_LAST2(a, b)                                               TXTAP_ZEPHYR_IF_RESULT(b)
#define TXTAP_ZEPHYR_LAST3(a, b, ...)                                          TXTAP_ZEPHYR_LAST2(b, __VA_ARGS__)
#define TXTAP_ZEPHYR_LAST4(a, b, ...)                                          TXTAP_ZEPHYR_LAST3(b, __VA_ARGS__)
#define TXTAP_ZEPHYR_LAST5(a, b, ...)                                          TXTAP_ZEPHYR_LAST4(b, __VA_ARGS__)
#define TXTAP_ZEPHYR_LAST6(a, b, ...)                                          TXTAP_ZEPHYR_LAST5(b, __VA_ARGS__)
#define TXTAP_ZEPHYR_LAST7(a, b, ...)                                          TXTAP_ZEPHYR_LAST6(b, __VA_ARGS__)
#define TXTAP_ZEPHYR_LAST8(a, b, ...)                                          TXTAP_ZEPHYR_LAST7(b, __VA_ARGS__)
#define TXTAP_ZEPHYR_LAST9(a, b, ...)                                          TXTAP_ZEPHYR_LAST8(b, __VA_ARGS__)
#define TXTAP_ZEPHYR_LAST10(a, b, ...)                                         TXTAP_ZEPHYR_LAST9(b, __VA_ARGS__)
#define TXTAP_ZEPHYR_LAST11(a, b, ...)                                         TXTAP_ZEPHYR_LAST10(b, __VA_ARGS__)
#define TXTAP_ZEPHYR_LAST12(a, b, ...)                                         TXTAP_ZEPHYR_LAST11(b, __VA_ARGS__)
#define TXTAP_ZEPHYR_LAST13(a, b, ...)                                         TXTAP_ZEPHYR_LAST12(b, __VA_ARGS__)

#define TXTAP_ZEPHYR_IF_RESULT(value) (TXTAP_ZEPHYR_IS_RESULT(#value) ? TXTAP_ZEPHYR_BYTES(value) : 0u)
/* True if the text is the name of the variable with the result, in new or old versions of Zephyr. */
#define TXTAP_ZEPHYR_IS_RESULT(text)                                                                                   \
    (__builtin_strcmp(text, "syscall__retval") == 0 || __builtin_strcmp(text, "retval") == 0)
/* This compiles with any argument, even with arrays and bit-fields, although it reads only results. */
#ifdef __cplusplus
#define TXTAP_ZEPHYR_BYTES(value) txtap_zephyr_bytes(value)
#else
#define TXTAP_ZEPHYR_BYTES(value)                                                                                      \
    __extension__({                                                                                                    \
        __auto_type txtap_value = ((void)0, (value));                                                                  \
        uint32_t txtap_word = 0;                                                                                       \
        __builtin_memcpy(&txtap_word, &txtap_value, sizeof(txtap_value) < 4 ? sizeof(txtap_value) : 4);                \
        txtap_word;                                                                                                    \
    })
#endif

/* Gives the fourth argument. Hooks with one, two or three arguments select their function with it. */
#define TXTAP_ZEPHYR_FOURTH(a, b, c, d, ...) d

/* Ticks as a word: TXTAP_ZEPHYR_TICKS_FOREVER for K_FOREVER, TXTAP_ZEPHYR_TICKS_MORE for numbers that do not fit into
 * the word and for points in time. */
#define TXTAP_ZEPHYR_TICKS_FOREVER 0xFFFFFFFFu
#define TXTAP_ZEPHYR_TICKS_MORE    0xFFFFFFFEu
uint32_t txtap_zephyr_ticks(long long ticks);

/* ------------------------------------------------------------------------------------------------
 * Classes for txtap_trace_event_filter in addition to ThreadX's classes. ThreadX's classes MUTEX, SEMAPHORE, THREAD,
 * TIMER and INTERRUPT have the same meaning in Zephyr. INTERNAL is for the scheduler, BLOCK for memory slabs, BYTE for
 * heaps, FLAGS for event objects, QUEUE for message queues, and USER for named events.
 */
#define TXTAP_ZEPHYR_CLASS_WORK     (1u << 11)
#define TXTAP_ZEPHYR_CLASS_CONDVAR  (1u << 12)
#define TXTAP_ZEPHYR_CLASS_K_QUEUE  (1u << 13)
#define TXTAP_ZEPHYR_CLASS_FIFO     (1u << 14)
#define TXTAP_ZEPHYR_CLASS_LIFO     (1u << 15)
#define TXTAP_ZEPHYR_CLASS_STACK    (1u << 16)
#define TXTAP_ZEPHYR_CLASS_MAILBOX  (1u << 17)
#define TXTAP_ZEPHYR_CLASS_PIPE     (1u << 18)
#define TXTAP_ZEPHYR_CLASS_POLLING  (1u << 19)
#define TXTAP_ZEPHYR_CLASS_PM       (1u << 20)
#define TXTAP_ZEPHYR_CLASS_NET_CORE (1u << 21)
#define TXTAP_ZEPHYR_CLASS_SOCKETS  (1u << 22)
#define TXTAP_ZEPHYR_CLASS_GPIO     (1u << 23)
#define TXTAP_ZEPHYR_CLASS_RTIO     (1u << 24)
#define TXTAP_ZEPHYR_CLASS_SYSCALL  (1u << 25)
#define TXTAP_ZEPHYR_CLASS_IDLE     (1u << 26)
#define TXTAP_ZEPHYR_CLASS_INIT     (1u << 27)

/* ------------------------------------------------------------------------------------------------
 * Starting the recorder. Its other functions (stop, filter, user events) are in txtap_trace.h.
 */

/* Kinds of objects. The number of a kind is the upper byte of the numbers of its events. In the registry an object has
 * ThreadX's type if ThreadX has such objects, or else TXTAP_ZEPHYR_TYPE(kind). */
enum txtap_zephyr_kind {
    TXTAP_ZEPHYR_KIND_WORK = 0x82,
    TXTAP_ZEPHYR_KIND_WORK_QUEUE = 0x83,
    TXTAP_ZEPHYR_KIND_WORK_DELAYABLE = 0x84,
    TXTAP_ZEPHYR_KIND_SEM = 0x87,
    TXTAP_ZEPHYR_KIND_MUTEX = 0x88,
    TXTAP_ZEPHYR_KIND_CONDVAR = 0x89,
    TXTAP_ZEPHYR_KIND_QUEUE = 0x8a,
    TXTAP_ZEPHYR_KIND_FIFO = 0x8b,
    TXTAP_ZEPHYR_KIND_LIFO = 0x8c,
    TXTAP_ZEPHYR_KIND_STACK = 0x8d,
    TXTAP_ZEPHYR_KIND_MSGQ = 0x8e,
    TXTAP_ZEPHYR_KIND_MBOX = 0x8f,
    TXTAP_ZEPHYR_KIND_PIPE = 0x90,
    TXTAP_ZEPHYR_KIND_HEAP = 0x91,
    TXTAP_ZEPHYR_KIND_MEM_SLAB = 0x93,
    TXTAP_ZEPHYR_KIND_TIMER = 0x94,
    TXTAP_ZEPHYR_KIND_EVENT = 0x95,
    TXTAP_ZEPHYR_KIND_NAMED_EVENT = 0xa2
};
#define TXTAP_ZEPHYR_TYPE(kind) ((uint8_t)((kind)-0x80 + 0x40))

#ifndef TXTAP_TRACE_OFF

/* Calls txtap_trace_enable, and forgets all data about an earlier trace. The new registry does not contain existing
 * objects until they are added. Returns the result of txtap_trace_enable. */
uint32_t txtap_zephyr_start(void *buffer, uint32_t buffer_bytes, uint32_t registry_entries);

/* Begins thread context: from now on, events outside interrupts belong to threads. Call it when threads run, e.g. at
 * the initialization level POST_KERNEL. Without this call, thread context begins with the first thread switch that a
 * hook reports. */
void txtap_zephyr_kernel_started(void);

/* Register a thread or another object under its own name. An object without a name gets a name made from kind and
 * address. */
void txtap_zephyr_thread_add(const void *thread);
void txtap_zephyr_object_add(enum txtap_zephyr_kind kind, const void *object);

/* Registers an object under the given name. The name is copied. */
void txtap_zephyr_object_name(enum txtap_zephyr_kind kind, const void *object, const char *name);

#else /* for a build without the recorder: CONFIG_TXTAP is off. txtap_zephyr_start() returns 0xFF: not enabled. */

static inline uint32_t txtap_zephyr_start(void *buffer, uint32_t buffer_bytes, uint32_t registry_entries)
{
    (void)buffer, (void)buffer_bytes, (void)registry_entries;
    return 0xFF;
}

static inline void txtap_zephyr_kernel_started(void)
{
}

static inline void txtap_zephyr_thread_add(const void *thread)
{
    (void)thread;
}

static inline void txtap_zephyr_object_add(enum txtap_zephyr_kind kind, const void *object)
{
    (void)kind, (void)object;
}

static inline void txtap_zephyr_object_name(enum txtap_zephyr_kind kind, const void *object, const char *name)
{
    (void)kind, (void)object, (void)name;
}

#endif

/* ------------------------------------------------------------------------------------------------
 * Functions that the hooks call. The enum has ThreadX's numbers for the states of a thread.
 */
enum txtap_zephyr_state {
    TXTAP_ZEPHYR_STATE_READY = 0,
    TXTAP_ZEPHYR_STATE_COMPLETED = 1,
    TXTAP_ZEPHYR_STATE_TERMINATED = 2,
    TXTAP_ZEPHYR_STATE_SUSPENDED = 3,
    TXTAP_ZEPHYR_STATE_SLEEP = 4,
    TXTAP_ZEPHYR_STATE_QUEUE = 5,
    TXTAP_ZEPHYR_STATE_SEMAPHORE = 6,
    TXTAP_ZEPHYR_STATE_FLAGS = 7,
    TXTAP_ZEPHYR_STATE_BLOCK = 8,
    TXTAP_ZEPHYR_STATE_BYTE = 9,
    TXTAP_ZEPHYR_STATE_IO = 10,
    TXTAP_ZEPHYR_STATE_NET = 12,
    TXTAP_ZEPHYR_STATE_MUTEX = 13
};

/* Record Zephyr's own events. The number in the function's name is the number of words. `result`: the last argument is
 * in word 4. */
void txtap_zephyr_event0(uint32_t id);
void txtap_zephyr_event1(uint32_t id, uint32_t word1);
void txtap_zephyr_event2(uint32_t id, uint32_t word1, uint32_t word2);
void txtap_zephyr_event3(uint32_t id, uint32_t word1, uint32_t word2, uint32_t word3);
void txtap_zephyr_event4(uint32_t id, uint32_t word1, uint32_t word2, uint32_t word3, uint32_t word4);
void txtap_zephyr_result0(uint32_t id, uint32_t result);
void txtap_zephyr_result1(uint32_t id, uint32_t word1, uint32_t result);
void txtap_zephyr_result2(uint32_t id, uint32_t word1, uint32_t word2, uint32_t result);

/* Records an event after which the thread will wait. The next SUSPEND event of the thread shows the reason. */
void txtap_zephyr_blocking(uint32_t id, uint32_t word1, uint32_t word2, uint32_t word3, uint32_t word4);

/* Record Zephyr's own events that also change the registry. */
void txtap_zephyr_object_init(uint32_t id, const void *object, uint32_t word2, uint32_t word3, uint32_t result);
void txtap_zephyr_object_cleanup(uint32_t id, const void *object, uint32_t word2, uint32_t word3, uint32_t result);
void txtap_zephyr_thread_name_set(uint32_t id, const void *thread, uint32_t word2, uint32_t word3, uint32_t result);
void txtap_zephyr_thread_info(uint32_t id, const void *thread, uint32_t word2, uint32_t word3, uint32_t result);
void txtap_zephyr_named_event(uint32_t id, const char *name, uint32_t arg0, uint32_t arg1, uint32_t word4);

/* Record thread switches. Call them with interrupts locked. In switched_in, the current thread is the thread that
 * begins to run. */
void txtap_zephyr_switched_out(void);
void txtap_zephyr_switched_in(void);
void txtap_zephyr_sched_ready(const void *thread);
void txtap_zephyr_sched_pend(const void *thread);
void txtap_zephyr_sched_suspend(const void *thread);

/* Record interrupts and idle times. */
void txtap_zephyr_isr_enter(void);
void txtap_zephyr_isr_exit(void);
void txtap_zephyr_isr_exit_to_scheduler(void);
void txtap_zephyr_idle(void);
void txtap_zephyr_idle_exit(void);

/* Record services that ThreadX also has. Times are in ticks, in the form that TXTAP_ZEPHYR_TICKS gives. */
void txtap_zephyr_thread_create(const void *thread);
void txtap_zephyr_thread_start(const void *thread);
void txtap_zephyr_thread_abort(const void *thread);
void txtap_zephyr_thread_suspend(const void *thread);
void txtap_zephyr_thread_resume(const void *thread);
void txtap_zephyr_thread_wakeup(const void *thread);
void txtap_zephyr_thread_yield(void);
void txtap_zephyr_sleep_enter(uint32_t ticks);
void txtap_zephyr_priority_set(const void *thread, uint32_t priority);
void txtap_zephyr_sem_init(const void *sem, uint32_t result);
void txtap_zephyr_sem_give(const void *sem);
void txtap_zephyr_sem_take(const void *sem, uint32_t ticks);
void txtap_zephyr_mutex_init(const void *mutex, uint32_t result);
void txtap_zephyr_mutex_lock(const void *mutex, uint32_t ticks);
void txtap_zephyr_mutex_unlock(const void *mutex);
void txtap_zephyr_msgq_init(const void *msgq);
void txtap_zephyr_msgq_cleanup(const void *msgq);
void txtap_zephyr_msgq_put(const void *msgq, uint32_t ticks);
void txtap_zephyr_msgq_put_front(const void *msgq, uint32_t ticks);
void txtap_zephyr_msgq_get(const void *msgq, uint32_t ticks);
void txtap_zephyr_msgq_purge(const void *msgq);
void txtap_zephyr_slab_init(const void *slab, uint32_t result);
void txtap_zephyr_slab_alloc(const void *slab, uint32_t ticks);
void txtap_zephyr_slab_free(const void *slab);
void txtap_zephyr_heap_init(const void *heap);
void txtap_zephyr_heap_alloc(const void *heap, uint32_t ticks);
/* Records Zephyr's own event, and completes the event that heap_alloc has recorded. */
void txtap_zephyr_heap_alloc_exit(uint32_t id, const void *heap, uint32_t ticks, uint32_t word3, uint32_t memory);
void txtap_zephyr_heap_free(const void *heap);
void txtap_zephyr_timer_init(const void *timer);
void txtap_zephyr_timer_start(const void *timer, uint32_t first_ticks, uint32_t period_ticks);
void txtap_zephyr_timer_activate(const void *timer);
void txtap_zephyr_timer_stop(const void *timer);
void txtap_zephyr_timer_cleanup(const void *timer);
void txtap_zephyr_event_init(const void *event);
void txtap_zephyr_event_post(const void *event, uint32_t events, uint32_t mask);
void txtap_zephyr_event_wait(const void *event, uint32_t events, uint32_t options, uint32_t ticks);

#ifdef __cplusplus
}
#endif

#endif
