/* SPDX-License-Identifier: MIT */
/*
 * Pools of equal blocks. As in ThreadX, the word before a free block points to the next free block, and the word before
 * a used block points to its pool. When ALLOCATE is recorded, the address of the block is not known yet. The address is
 * patched into field 2 of the entry later: at once, or long after if the caller had to wait.
 */
#include "kernel_internal.h"

struct TX_BLOCK_POOL_STRUCT *_tx_block_pool_created_ptr;
uint32_t _tx_block_pool_created_count;

void kernel_block_pool_create(struct TX_BLOCK_POOL_STRUCT *pool, const char *name, uint32_t block_bytes,
                              uint32_t *start, uint32_t pool_bytes)
{
    uint32_t primask = port_lock();
    uint32_t stride_words = block_bytes / 4u + 1u;
    uint32_t blocks = pool_bytes / 4u / stride_words;
    *pool = (struct TX_BLOCK_POOL_STRUCT){.tx_block_pool_name = name,
                                          .tx_block_pool_available = blocks,
                                          .tx_block_pool_total = blocks,
                                          .tx_block_pool_block_size = block_bytes};
    OBJECT_CREATED(block_pool, block_pool, pool, 0x424C4F43u); /* BLOC */
    for (uint32_t i = blocks; i-- > 0;) {
        uint32_t *link = start + i * stride_words;
        *link = port_address(pool->tx_block_pool_available_list);
        pool->tx_block_pool_available_list = link;
    }
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_BLOCK_POOL, pool, name, pool_bytes, block_bytes);
    trace_event(TRACE_BLOCK_POOL_CREATE, port_address(pool), port_address(start), blocks, block_bytes,
                TXTAP_TRACE_CLASS_BLOCK);
    port_unlock(primask);
}

static uint32_t *block_take(struct TX_BLOCK_POOL_STRUCT *pool)
{
    uint32_t *link = pool->tx_block_pool_available_list;
    pool->tx_block_pool_available_list = (uint32_t *)(uintptr_t)*link;
    pool->tx_block_pool_available--;
    *link = port_address(pool);
    return link + 1;
}

enum kernel_status kernel_block_allocate(struct TX_BLOCK_POOL_STRUCT *pool, uint32_t **block, uint32_t wait_ticks)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    struct trace_mark mark = trace_event_marked(TRACE_BLOCK_ALLOCATE, port_address(pool), 0, wait_ticks,
                                                pool->tx_block_pool_available, TXTAP_TRACE_CLASS_BLOCK);
    *block = 0;
    if (pool->tx_block_pool_available != 0) {
        *block = block_take(pool);
        trace_patch(mark, 2, port_address(*block));
    } else if (wait_ticks != KERNEL_NO_WAIT) {
        struct TX_THREAD_STRUCT *self = _tx_thread_current_ptr;
        self->wait_data = block;
        thread_wait(pool, &pool->waiters, KERNEL_WAITS_BLOCK, KERNEL_NO_MEMORY, wait_ticks);
        port_unlock(primask);
        primask = port_lock();
        trace_patch(mark, 2, port_address(*block));
        status = self->wait_status;
    } else {
        status = KERNEL_NO_MEMORY;
    }
    port_unlock(primask);
    return status;
}

void kernel_block_release(uint32_t *block)
{
    uint32_t primask = port_lock();
    uint32_t *link = block - 1;
    struct TX_BLOCK_POOL_STRUCT *pool = (struct TX_BLOCK_POOL_STRUCT *)(uintptr_t)*link;
    trace_event(TRACE_BLOCK_RELEASE, port_address(pool), port_address(block), pool->waiters.count, port_stack_pointer(),
                TXTAP_TRACE_CLASS_BLOCK);
    if (pool->waiters.head) {
        *(uint32_t **)pool->waiters.head->wait_data = block;
        thread_wake(pool->waiters.head);
    } else {
        *link = port_address(pool->tx_block_pool_available_list);
        pool->tx_block_pool_available_list = link;
        pool->tx_block_pool_available++;
    }
    port_unlock(primask);
}
