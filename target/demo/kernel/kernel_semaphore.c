/* SPDX-License-Identifier: MIT */
/* Counting semaphores with direct hand-over: a put does not change the count if a thread is waiting. */
#include "kernel_internal.h"

void kernel_semaphore_create(struct kernel_semaphore *semaphore, const char *name, uint32_t initial_count)
{
    uint32_t primask = port_lock();
    *semaphore = (struct kernel_semaphore){.count = initial_count};
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_SEMAPHORE, semaphore, name, initial_count, 0);
    trace_event(TRACE_SEMAPHORE_CREATE, port_address(semaphore), initial_count, port_stack_pointer(), 0,
                TXTAP_TRACE_CLASS_SEMAPHORE);
    port_unlock(primask);
}

void kernel_semaphore_delete(struct kernel_semaphore *semaphore)
{
    uint32_t primask = port_lock();
    trace_event(TRACE_SEMAPHORE_DELETE, port_address(semaphore), port_stack_pointer(), 0, 0,
                TXTAP_TRACE_CLASS_SEMAPHORE);
    txtap_trace_object_unregister(semaphore);
    port_unlock(primask);
}

enum kernel_status kernel_semaphore_get(struct kernel_semaphore *semaphore, uint32_t wait_ticks)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    trace_event(TRACE_SEMAPHORE_GET, port_address(semaphore), wait_ticks, semaphore->count, port_stack_pointer(),
                TXTAP_TRACE_CLASS_SEMAPHORE);
    if (semaphore->count != 0) {
        semaphore->count--;
    } else if (wait_ticks != KERNEL_NO_WAIT) {
        struct kernel_thread *self = kernel_current;
        thread_wait(&semaphore->waiters, KERNEL_WAITS_SEMAPHORE, KERNEL_NO_INSTANCE, wait_ticks);
        port_unlock(primask);
        return self->wait_status;
    } else {
        status = KERNEL_NO_INSTANCE;
    }
    port_unlock(primask);
    return status;
}

void kernel_semaphore_put(struct kernel_semaphore *semaphore)
{
    uint32_t primask = port_lock();
    trace_event(TRACE_SEMAPHORE_PUT, port_address(semaphore), semaphore->count, semaphore->waiters.count,
                port_stack_pointer(), TXTAP_TRACE_CLASS_SEMAPHORE);
    if (semaphore->waiters.head) {
        thread_wake(semaphore->waiters.head);
    } else {
        semaphore->count++;
    }
    port_unlock(primask);
}
