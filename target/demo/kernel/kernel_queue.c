/* SPDX-License-Identifier: MIT */
/* Queues of one-word messages. A message goes to a waiting receiver directly and is not stored. */
#include "kernel_internal.h"

struct TX_QUEUE_STRUCT *_tx_queue_created_ptr;
uint32_t _tx_queue_created_count;

void kernel_queue_create(struct TX_QUEUE_STRUCT *queue, const char *name, uint32_t *start, uint32_t queue_bytes)
{
    const uint32_t message_words = 1;
    uint32_t primask = port_lock();
    *queue = (struct TX_QUEUE_STRUCT){.tx_queue_name = name,
                                      .tx_queue_message_size = message_words,
                                      .tx_queue_start = start,
                                      .tx_queue_end = start + queue_bytes / 4u,
                                      .tx_queue_capacity = queue_bytes / 4u};
    OBJECT_CREATED(queue, queue, queue, 0x51554555u); /* QUEU */
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_QUEUE, queue, name, queue_bytes, message_words);
    trace_event(TRACE_QUEUE_CREATE, port_address(queue), message_words, port_address(start), queue_bytes,
                TXTAP_TRACE_CLASS_QUEUE);
    port_unlock(primask);
}

static void queue_store(struct TX_QUEUE_STRUCT *queue, uint32_t message)
{
    queue->tx_queue_start[(queue->read_index + queue->tx_queue_enqueued) % queue->tx_queue_capacity] = message;
    queue->tx_queue_enqueued++;
}

static uint32_t queue_take(struct TX_QUEUE_STRUCT *queue)
{
    uint32_t message = queue->tx_queue_start[queue->read_index];
    queue->read_index = (queue->read_index + 1u) % queue->tx_queue_capacity;
    queue->tx_queue_enqueued--;
    return message;
}

enum kernel_status kernel_queue_send(struct TX_QUEUE_STRUCT *queue, const uint32_t *source, uint32_t wait_ticks)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    trace_event(TRACE_QUEUE_SEND, port_address(queue), port_address(source), wait_ticks, queue->tx_queue_enqueued,
                TXTAP_TRACE_CLASS_QUEUE);
    if (queue->tx_queue_enqueued == 0 && queue->waiters.head) {
        *(uint32_t *)queue->waiters.head->wait_data = *source;
        thread_wake(queue->waiters.head);
    } else if (queue->tx_queue_enqueued < queue->tx_queue_capacity) {
        queue_store(queue, *source);
    } else if (wait_ticks != KERNEL_NO_WAIT) {
        struct TX_THREAD_STRUCT *self = _tx_thread_current_ptr;
        self->wait_option = *source;
        thread_wait(queue, &queue->waiters, KERNEL_WAITS_QUEUE, KERNEL_QUEUE_FULL, wait_ticks);
        port_unlock(primask);
        return self->wait_status;
    } else {
        status = KERNEL_QUEUE_FULL;
    }
    port_unlock(primask);
    return status;
}

enum kernel_status kernel_queue_receive(struct TX_QUEUE_STRUCT *queue, uint32_t *destination, uint32_t wait_ticks)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    trace_event(TRACE_QUEUE_RECEIVE, port_address(queue), port_address(destination), wait_ticks,
                queue->tx_queue_enqueued, TXTAP_TRACE_CLASS_QUEUE);
    if (queue->tx_queue_enqueued != 0) {
        *destination = queue_take(queue);
        if (queue->waiters.head) {
            queue_store(queue, queue->waiters.head->wait_option);
            thread_wake(queue->waiters.head);
        }
    } else if (wait_ticks != KERNEL_NO_WAIT) {
        struct TX_THREAD_STRUCT *self = _tx_thread_current_ptr;
        self->wait_data = destination;
        thread_wait(queue, &queue->waiters, KERNEL_WAITS_QUEUE, KERNEL_QUEUE_EMPTY, wait_ticks);
        port_unlock(primask);
        return self->wait_status;
    } else {
        status = KERNEL_QUEUE_EMPTY;
    }
    port_unlock(primask);
    return status;
}
