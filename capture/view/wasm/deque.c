/* SPDX-License-Identifier: MIT */
/* Pages of items, and the table of pages, which is all that is ever moved. */
#include "view/wasm/deque.h"

#include <stdlib.h>
#include <string.h>

void deque_init(struct deque *deque, struct pool *pool, size_t item_bytes)
{
    *deque = (struct deque){.pool = pool, .item_bytes = item_bytes};
    while (pool->block_bytes / item_bytes >> (deque->shift + 1) > 0)
        deque->shift++;
}

void deque_free(struct deque *deque)
{
    deque_drop(deque, deque->end);
    if (deque->end > deque->base && deque->pages[(deque->end - 1 - deque->base) >> deque->shift] != NULL)
        pool_give(deque->pool, deque->pages[(deque->end - 1 - deque->base) >> deque->shift]);
    free(deque->pages);
    deque->pages = NULL;
    deque->capacity = 0;
    deque->base = deque->first = deque->end = 0;
}

/* Makes room for the page of the next item: at the start of the table, or in a larger one. */
static int make_room(struct deque *deque)
{
    size_t forgotten = (deque->first - deque->base) >> deque->shift;
    size_t used = (deque->end - deque->base) >> deque->shift;
    size_t capacity;
    void **pages;

    if (used < deque->capacity)
        return 1;
    if (forgotten > 0 && forgotten >= used / 2) {
        memmove(deque->pages, deque->pages + forgotten, (used - forgotten) * sizeof *deque->pages);
        deque->base += (uint32_t)(forgotten << deque->shift);
        return 1;
    }
    capacity = deque->capacity > 0 ? 2 * deque->capacity : 64;
    pages = realloc(deque->pages, capacity * sizeof *pages);
    if (pages == NULL)
        return 0;
    deque->pages = pages;
    deque->capacity = capacity;
    return 1;
}

void *deque_push(struct deque *deque)
{
    uint32_t at = deque->end - deque->base;

    if (deque->end == UINT32_MAX)
        return NULL;
    if ((at & ((1u << deque->shift) - 1)) == 0) {
        void *page;

        if (!make_room(deque) || (page = pool_take(deque->pool)) == NULL)
            return NULL;
        at = deque->end - deque->base;
        deque->pages[at >> deque->shift] = page;
    }
    deque->end++;
    return (char *)deque->pages[at >> deque->shift] + ((at & ((1u << deque->shift) - 1))) * deque->item_bytes;
}

void *deque_at(const struct deque *deque, uint32_t index)
{
    uint32_t at = index - deque->base;

    return (char *)deque->pages[at >> deque->shift] + ((at & ((1u << deque->shift) - 1))) * deque->item_bytes;
}

void deque_drop(struct deque *deque, uint32_t index)
{
    uint32_t page = (deque->first - deque->base) >> deque->shift, until;

    if (index > deque->end)
        index = deque->end;
    if (index <= deque->first)
        return;
    until = (index - deque->base) >> deque->shift;
    for (; page < until; page++) {
        pool_give(deque->pool, deque->pages[page]);
        deque->pages[page] = NULL;
    }
    deque->first = index;
}

uint32_t deque_above(const struct deque *deque, uint32_t key)
{
    uint32_t low = deque->first, high = deque->end;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2, value;

        memcpy(&value, deque_at(deque, middle), sizeof value);
        if (value > key)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
