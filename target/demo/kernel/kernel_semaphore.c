/* SPDX-License-Identifier: MIT */
/* Counting semaphores with direct hand-over: a put does not change the count if a thread is waiting. */
#include "kernel_internal.h"

struct TX_SEMAPHORE_STRUCT *_tx_semaphore_created_ptr;
uint32_t _tx_semaphore_created_count;

void kernel_semaphore_create(struct TX_SEMAPHORE_STRUCT *semaphore, const char *name, uint32_t initial_count)
{
    uint32_t primask = port_lock();
    *semaphore = (struct TX_SEMAPHORE_STRUCT){.tx_semaphore_name = name, .tx_semaphore_count = initial_count};
    OBJECT_CREATED(semaphore, semaphore, semaphore, 0x53454D41u); /* SEMA */
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_SEMAPHORE, semaphore, name, initial_count, 0);
    trace_event(TRACE_SEMAPHORE_CREATE, port_address(semaphore), initial_count, port_stack_pointer(), 0,
                TXTAP_TRACE_CLASS_SEMAPHORE);
    port_unlock(primask);
}

void kernel_semaphore_delete(struct TX_SEMAPHORE_STRUCT *semaphore)
{
    uint32_t primask = port_lock();
    trace_event(TRACE_SEMAPHORE_DELETE, port_address(semaphore), port_stack_pointer(), 0, 0,
                TXTAP_TRACE_CLASS_SEMAPHORE);
    txtap_trace_object_unregister(semaphore);
    OBJECT_DELETED(semaphore, semaphore, semaphore);
    port_unlock(primask);
}

enum kernel_status kernel_semaphore_get(struct TX_SEMAPHORE_STRUCT *semaphore, uint32_t wait_ticks)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    trace_event(TRACE_SEMAPHORE_GET, port_address(semaphore), wait_ticks, semaphore->tx_semaphore_count,
                port_stack_pointer(), TXTAP_TRACE_CLASS_SEMAPHORE);
    if (semaphore->tx_semaphore_count != 0) {
        semaphore->tx_semaphore_count--;
    } else if (wait_ticks != KERNEL_NO_WAIT) {
        struct TX_THREAD_STRUCT *self = _tx_thread_current_ptr;
        thread_wait(semaphore, &semaphore->waiters, KERNEL_WAITS_SEMAPHORE, KERNEL_NO_INSTANCE, wait_ticks);
        port_unlock(primask);
        return self->wait_status;
    } else {
        status = KERNEL_NO_INSTANCE;
    }
    port_unlock(primask);
    return status;
}

void kernel_semaphore_put(struct TX_SEMAPHORE_STRUCT *semaphore)
{
    uint32_t primask = port_lock();
    trace_event(TRACE_SEMAPHORE_PUT, port_address(semaphore), semaphore->tx_semaphore_count, semaphore->waiters.count,
                port_stack_pointer(), TXTAP_TRACE_CLASS_SEMAPHORE);
    if (semaphore->waiters.head) {
        thread_wake(semaphore->waiters.head);
    } else {
        semaphore->tx_semaphore_count++;
    }
    port_unlock(primask);
}
