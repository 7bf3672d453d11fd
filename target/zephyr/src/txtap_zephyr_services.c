/* SPDX-License-Identifier: MIT */
/*
 * Records Zephyr's services that ThreadX also has as ThreadX's events: number and four words. A word is 0 if Zephyr's
 * hook does not have its value, such as the address of sent or allocated memory.
 */
#define DISABLE_SYSCALL_TRACING

#include "txtap_zephyr_internal.h"

/* ThreadX's events, with the names from its header. */
enum {
    BLOCK_ALLOCATE = 10,
    BLOCK_POOL_CREATE = 11,
    BLOCK_RELEASE = 17,
    BYTE_ALLOCATE = 20,
    BYTE_POOL_CREATE = 21,
    BYTE_RELEASE = 27,
    EVENT_FLAGS_CREATE = 30,
    EVENT_FLAGS_GET = 32,
    EVENT_FLAGS_SET = 36,
    MUTEX_CREATE = 50,
    MUTEX_GET = 52,
    MUTEX_PUT = 57,
    QUEUE_CREATE = 60,
    QUEUE_DELETE = 61,
    QUEUE_FLUSH = 62,
    QUEUE_FRONT_SEND = 63,
    QUEUE_RECEIVE = 68,
    QUEUE_SEND = 69,
    SEMAPHORE_CREATE = 81,
    SEMAPHORE_GET = 83,
    SEMAPHORE_PUT = 88,
    THREAD_CREATE = 100,
    THREAD_PRIORITY_CHANGE = 108,
    THREAD_RELINQUISH = 109,
    THREAD_RESUME_API = 111,
    THREAD_SLEEP = 112,
    THREAD_SUSPEND_API = 114,
    THREAD_TERMINATE = 115,
    THREAD_WAIT_ABORT = 117,
    TIMER_ACTIVATE = 122,
    TIMER_CHANGE = 123,
    TIMER_CREATE = 124,
    TIMER_DEACTIVATE = 125,
    TIMER_DELETE = 126
};

/* ---------------------------------------------------------------------------------------------- threads */

static void thread_insert(uint32_t id, const void *thread, uint32_t word4)
{
    txtap_trace_event_insert(id, zephyr_word(thread), txtap_zephyr_port_thread_state(thread), zephyr_stack(), word4,
                             TXTAP_TRACE_CLASS_THREAD);
}

void txtap_zephyr_thread_create(const void *thread)
{
    txtap_zephyr_thread_add(thread);
    txtap_trace_event_insert(THREAD_CREATE, zephyr_word(thread),
                             zephyr_priority(txtap_zephyr_port_thread_priority(thread)),
                             txtap_zephyr_port_thread_stack_start(thread), txtap_zephyr_port_thread_stack_bytes(thread),
                             TXTAP_TRACE_CLASS_THREAD);
}

void txtap_zephyr_thread_start(const void *thread)
{
    thread_insert(THREAD_RESUME_API, thread, 0);
}

/* Records the end of a thread. A thread that ends itself also calls this function. */
void txtap_zephyr_thread_abort(const void *thread)
{
    thread_insert(THREAD_TERMINATE, thread, 0);
    zephyr_object_remove(thread);
}

void txtap_zephyr_thread_suspend(const void *thread)
{
    thread_insert(THREAD_SUSPEND_API, thread, 0);
}

void txtap_zephyr_thread_resume(const void *thread)
{
    thread_insert(THREAD_RESUME_API, thread, 0);
}

void txtap_zephyr_thread_wakeup(const void *thread)
{
    txtap_trace_event_insert(THREAD_WAIT_ABORT, zephyr_word(thread), txtap_zephyr_port_thread_state(thread), 0, 0,
                             TXTAP_TRACE_CLASS_THREAD);
}

void txtap_zephyr_thread_yield(void)
{
    txtap_trace_event_insert(THREAD_RELINQUISH, zephyr_stack(), 0, 0, 0, TXTAP_TRACE_CLASS_THREAD);
}

void txtap_zephyr_sleep_enter(uint32_t ticks)
{
    txtap_trace_event_insert(THREAD_SLEEP, ticks, TXTAP_ZEPHYR_STATE_READY, zephyr_stack(), 0,
                             TXTAP_TRACE_CLASS_THREAD);
    zephyr_will_wait(TXTAP_ZEPHYR_STATE_SLEEP);
}

/*
 * Records a change of priority. Some versions call the hook after the change. Then the event shows the new priority as
 * the old priority, too.
 */
void txtap_zephyr_priority_set(const void *thread, uint32_t priority)
{
    txtap_trace_event_insert(THREAD_PRIORITY_CHANGE, zephyr_word(thread), zephyr_priority((int)(int32_t)priority),
                             zephyr_priority(txtap_zephyr_port_thread_priority(thread)),
                             txtap_zephyr_port_thread_state(thread), TXTAP_TRACE_CLASS_THREAD);
}

/* ------------------------------------------------------------------------------------------- semaphores */

void txtap_zephyr_sem_init(const void *sem, uint32_t result)
{
    if (result == 0) {
        txtap_zephyr_object_add(TXTAP_ZEPHYR_KIND_SEM, sem);
    }
    txtap_trace_event_insert(SEMAPHORE_CREATE, zephyr_word(sem), result == 0 ? txtap_zephyr_port_sem_count(sem) : 0,
                             zephyr_stack(), 0, TXTAP_TRACE_CLASS_SEMAPHORE);
}

void txtap_zephyr_sem_give(const void *sem)
{
    txtap_trace_event_insert(SEMAPHORE_PUT, zephyr_word(sem), txtap_zephyr_port_sem_count(sem),
                             txtap_zephyr_port_sem_waited(sem), zephyr_stack(), TXTAP_TRACE_CLASS_SEMAPHORE);
}

void txtap_zephyr_sem_take(const void *sem, uint32_t ticks)
{
    txtap_trace_event_insert(SEMAPHORE_GET, zephyr_word(sem), ticks, txtap_zephyr_port_sem_count(sem), zephyr_stack(),
                             TXTAP_TRACE_CLASS_SEMAPHORE);
}

/* ---------------------------------------------------------------------------------------------- mutexes */

void txtap_zephyr_mutex_init(const void *mutex, uint32_t result)
{
    if (result == 0) {
        txtap_zephyr_object_add(TXTAP_ZEPHYR_KIND_MUTEX, mutex);
    }
    txtap_trace_event_insert(MUTEX_CREATE, zephyr_word(mutex), 1, zephyr_stack(), 0, TXTAP_TRACE_CLASS_MUTEX);
}

void txtap_zephyr_mutex_lock(const void *mutex, uint32_t ticks)
{
    txtap_trace_event_insert(MUTEX_GET, zephyr_word(mutex), ticks, zephyr_word(txtap_zephyr_port_mutex_owner(mutex)),
                             txtap_zephyr_port_mutex_depth(mutex), TXTAP_TRACE_CLASS_MUTEX);
}

void txtap_zephyr_mutex_unlock(const void *mutex)
{
    txtap_trace_event_insert(MUTEX_PUT, zephyr_word(mutex), zephyr_word(txtap_zephyr_port_mutex_owner(mutex)),
                             txtap_zephyr_port_mutex_depth(mutex), zephyr_stack(), TXTAP_TRACE_CLASS_MUTEX);
}

/* --------------------------------------------------------------------------------------- message queues */

void txtap_zephyr_msgq_init(const void *msgq)
{
    uint32_t bytes = txtap_zephyr_port_msgq_message_bytes(msgq);

    txtap_zephyr_object_add(TXTAP_ZEPHYR_KIND_MSGQ, msgq);
    txtap_trace_event_insert(QUEUE_CREATE, zephyr_word(msgq), (bytes + 3) / 4,
                             zephyr_word(txtap_zephyr_port_msgq_buffer(msgq)),
                             txtap_zephyr_port_msgq_messages_max(msgq), TXTAP_TRACE_CLASS_QUEUE);
}

void txtap_zephyr_msgq_cleanup(const void *msgq)
{
    txtap_trace_event_insert(QUEUE_DELETE, zephyr_word(msgq), zephyr_stack(), 0, 0, TXTAP_TRACE_CLASS_QUEUE);
    zephyr_object_remove(msgq);
}

static void msgq_insert(uint32_t id, const void *msgq, uint32_t ticks)
{
    txtap_trace_event_insert(id, zephyr_word(msgq), 0, ticks, txtap_zephyr_port_msgq_messages(msgq),
                             TXTAP_TRACE_CLASS_QUEUE);
}

void txtap_zephyr_msgq_put(const void *msgq, uint32_t ticks)
{
    msgq_insert(QUEUE_SEND, msgq, ticks);
}

void txtap_zephyr_msgq_put_front(const void *msgq, uint32_t ticks)
{
    msgq_insert(QUEUE_FRONT_SEND, msgq, ticks);
}

void txtap_zephyr_msgq_get(const void *msgq, uint32_t ticks)
{
    msgq_insert(QUEUE_RECEIVE, msgq, ticks);
}

void txtap_zephyr_msgq_purge(const void *msgq)
{
    txtap_trace_event_insert(QUEUE_FLUSH, zephyr_word(msgq), zephyr_stack(), 0, 0, TXTAP_TRACE_CLASS_QUEUE);
}

/* --------------------------------------------------------------------------------- memory slabs, heaps */

void txtap_zephyr_slab_init(const void *slab, uint32_t result)
{
    if (result == 0) {
        txtap_zephyr_object_add(TXTAP_ZEPHYR_KIND_MEM_SLAB, slab);
    }
    txtap_trace_event_insert(BLOCK_POOL_CREATE, zephyr_word(slab), zephyr_word(txtap_zephyr_port_slab_buffer(slab)),
                             txtap_zephyr_port_slab_blocks(slab), txtap_zephyr_port_slab_block_bytes(slab),
                             TXTAP_TRACE_CLASS_BLOCK);
}

void txtap_zephyr_slab_alloc(const void *slab, uint32_t ticks)
{
    txtap_trace_event_insert(BLOCK_ALLOCATE, zephyr_word(slab), 0, ticks,
                             txtap_zephyr_port_slab_blocks(slab) - txtap_zephyr_port_slab_used(slab),
                             TXTAP_TRACE_CLASS_BLOCK);
}

void txtap_zephyr_slab_free(const void *slab)
{
    txtap_trace_event_insert(BLOCK_RELEASE, zephyr_word(slab), 0, txtap_zephyr_port_slab_waited(slab), zephyr_stack(),
                             TXTAP_TRACE_CLASS_BLOCK);
}

void txtap_zephyr_heap_init(const void *heap)
{
    txtap_zephyr_object_add(TXTAP_ZEPHYR_KIND_HEAP, heap);
    txtap_trace_event_insert(BYTE_POOL_CREATE, zephyr_word(heap), zephyr_word(txtap_zephyr_port_heap_start(heap)),
                             txtap_zephyr_port_heap_bytes(heap), zephyr_stack(), TXTAP_TRACE_CLASS_BYTE);
}

/*
 * The last allocation that has begun. When this allocation ends, its event gets the address of the memory, unless
 * another thread has begun an allocation in the meantime.
 */
static struct {
    struct txtap_trace_entry *entry; /* NULL = no event to complete */
    uint32_t stamp;
    const void *heap, *thread;
} allocation;

void txtap_zephyr_heap_alloc(const void *heap, uint32_t ticks)
{
    struct txtap_trace_entry *entry =
        txtap_trace_event_insert(BYTE_ALLOCATE, zephyr_word(heap), 0, 0, ticks, TXTAP_TRACE_CLASS_BYTE);

    allocation.entry = entry;
    allocation.stamp = entry != NULL ? entry->stamp : 0;
    allocation.heap = heap;
    allocation.thread = txtap_zephyr_port_current();
}

void txtap_zephyr_heap_alloc_exit(uint32_t id, const void *heap, uint32_t ticks, uint32_t word3, uint32_t memory)
{
    if (allocation.entry != NULL && allocation.heap == heap && allocation.thread == txtap_zephyr_port_current()) {
        txtap_trace_event_patch(allocation.entry, allocation.stamp, 1, memory);
        allocation.entry = NULL;
    }
    txtap_zephyr_event4(id, zephyr_word(heap), ticks, word3, memory);
}

void txtap_zephyr_heap_free(const void *heap)
{
    txtap_trace_event_insert(BYTE_RELEASE, zephyr_word(heap), 0, txtap_zephyr_port_heap_waited(heap), 0,
                             TXTAP_TRACE_CLASS_BYTE);
}

/* ----------------------------------------------------------------------------------------------- timers */

void txtap_zephyr_timer_init(const void *timer)
{
    txtap_zephyr_object_add(TXTAP_ZEPHYR_KIND_TIMER, timer);
    txtap_trace_event_insert(TIMER_CREATE, zephyr_word(timer), 0, 0, 0, TXTAP_TRACE_CLASS_TIMER);
}

void txtap_zephyr_timer_start(const void *timer, uint32_t first_ticks, uint32_t period_ticks)
{
    txtap_trace_event_insert(TIMER_CHANGE, zephyr_word(timer), first_ticks, period_ticks, 0, TXTAP_TRACE_CLASS_TIMER);
}

void txtap_zephyr_timer_activate(const void *timer)
{
    txtap_trace_event_insert(TIMER_ACTIVATE, zephyr_word(timer), 0, 0, 0, TXTAP_TRACE_CLASS_TIMER);
}

void txtap_zephyr_timer_stop(const void *timer)
{
    txtap_trace_event_insert(TIMER_DEACTIVATE, zephyr_word(timer), zephyr_stack(), 0, 0, TXTAP_TRACE_CLASS_TIMER);
}

void txtap_zephyr_timer_cleanup(const void *timer)
{
    txtap_trace_event_insert(TIMER_DELETE, zephyr_word(timer), 0, 0, 0, TXTAP_TRACE_CLASS_TIMER);
    zephyr_object_remove(timer);
}

/* ---------------------------------------------------------------------------------------- event objects */

void txtap_zephyr_event_init(const void *event)
{
    txtap_zephyr_object_add(TXTAP_ZEPHYR_KIND_EVENT, event);
    txtap_trace_event_insert(EVENT_FLAGS_CREATE, zephyr_word(event), zephyr_stack(), 0, 0, TXTAP_TRACE_CLASS_FLAGS);
}

/*
 * Records a change of events. Zephyr sets the events in the mask to their values in `events`. If all of these values
 * are 1, the event shows ThreadX's OR (0). Otherwise, as for k_event_clear, it shows ThreadX's AND (2). k_event_set may
 * need both; its exit event has both words unchanged.
 */
void txtap_zephyr_event_post(const void *event, uint32_t events, uint32_t mask)
{
    uint32_t any = TXTAP_ZEPHYR_PORT_EVENT_ACCUMULATES ? mask != 0 : mask == events;
    uint32_t kept = TXTAP_ZEPHYR_PORT_EVENT_ACCUMULATES ? 0 : ~mask;

    txtap_trace_event_insert(EVENT_FLAGS_SET, zephyr_word(event), any ? events : events | kept, any ? 0 : 2,
                             txtap_zephyr_port_event_waited(event), TXTAP_TRACE_CLASS_FLAGS);
}

/* Records a wait. K_EVENT_WAIT_ALL is bit 0 of the options, ThreadX's AND is 2. The blocking event has the timeout. */
void txtap_zephyr_event_wait(const void *event, uint32_t events, uint32_t options, uint32_t ticks)
{
    (void)ticks;
    txtap_trace_event_insert(EVENT_FLAGS_GET, zephyr_word(event), events, txtap_zephyr_port_event_events(event),
                             (options & 1u) != 0 ? 2 : 0, TXTAP_TRACE_CLASS_FLAGS);
}
