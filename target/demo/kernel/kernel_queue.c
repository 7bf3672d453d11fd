/* SPDX-License-Identifier: MIT */
/* Queues of one-word messages. A message goes to a waiting receiver directly and is not stored. */
#include "kernel_internal.h"

void kernel_queue_create(struct kernel_queue *queue, const char *name, uint32_t *start, uint32_t queue_bytes)
{
    const uint32_t message_words = 1;
    uint32_t primask = port_lock();
    *queue = (struct kernel_queue){.start = start, .capacity = queue_bytes / 4u};
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_QUEUE, queue, name, queue_bytes, message_words);
    trace_event(TRACE_QUEUE_CREATE, port_address(queue), message_words, port_address(start), queue_bytes,
                TXTAP_TRACE_CLASS_QUEUE);
    port_unlock(primask);
}

static void queue_store(struct kernel_queue *queue, uint32_t message)
{
    queue->start[(queue->read_index + queue->enqueued) % queue->capacity] = message;
    queue->enqueued++;
}

static uint32_t queue_take(struct kernel_queue *queue)
{
    uint32_t message = queue->start[queue->read_index];
    queue->read_index = (queue->read_index + 1u) % queue->capacity;
    queue->enqueued--;
    return message;
}

enum kernel_status kernel_queue_send(struct kernel_queue *queue, const uint32_t *source, uint32_t wait_ticks)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    trace_event(TRACE_QUEUE_SEND, port_address(queue), port_address(source), wait_ticks, queue->enqueued,
                TXTAP_TRACE_CLASS_QUEUE);
    if (queue->receivers.head) {
        *(uint32_t *)queue->receivers.head->wait_data = *source;
        thread_wake(queue->receivers.head);
    } else if (queue->enqueued < queue->capacity) {
        queue_store(queue, *source);
    } else if (wait_ticks != KERNEL_NO_WAIT) {
        struct kernel_thread *self = kernel_current;
        self->wait_option = *source;
        thread_wait(&queue->senders, KERNEL_WAITS_QUEUE, KERNEL_QUEUE_FULL, wait_ticks);
        port_unlock(primask);
        return self->wait_status;
    } else {
        status = KERNEL_QUEUE_FULL;
    }
    port_unlock(primask);
    return status;
}

enum kernel_status kernel_queue_receive(struct kernel_queue *queue, uint32_t *destination, uint32_t wait_ticks)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    trace_event(TRACE_QUEUE_RECEIVE, port_address(queue), port_address(destination), wait_ticks, queue->enqueued,
                TXTAP_TRACE_CLASS_QUEUE);
    if (queue->enqueued != 0) {
        *destination = queue_take(queue);
        if (queue->senders.head) {
            queue_store(queue, queue->senders.head->wait_option);
            thread_wake(queue->senders.head);
        }
    } else if (wait_ticks != KERNEL_NO_WAIT) {
        struct kernel_thread *self = kernel_current;
        self->wait_data = destination;
        thread_wait(&queue->receivers, KERNEL_WAITS_QUEUE, KERNEL_QUEUE_EMPTY, wait_ticks);
        port_unlock(primask);
        return self->wait_status;
    } else {
        status = KERNEL_QUEUE_EMPTY;
    }
    port_unlock(primask);
    return status;
}
