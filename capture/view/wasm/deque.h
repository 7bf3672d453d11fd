/* SPDX-License-Identifier: MIT */
/* A list that grows at its end and is forgotten from its start, in pages: nothing is ever copied to make room. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_DEQUE_H
#define TXTAP_CAPTURE_VIEW_WASM_DEQUE_H

#include <stddef.h>
#include <stdint.h>

#include "view/wasm/pool.h"

/* Items keep their index: first is that of the oldest one held, end is behind the newest. The caller reads these two.
 */
struct deque {
    uint32_t first, end;

    /* private */
    struct pool *pool;
    size_t item_bytes;
    unsigned shift; /* 2^shift items in a page */
    void **pages;   /* of items from base on; those that were forgotten are NULL */
    size_t capacity;
    uint32_t base; /* index of the first item of pages[0], forgotten or not */
};

/* pool: borrowed; a block holds at least one item. As many are used as are a power of two. */
void deque_init(struct deque *deque, struct pool *pool, size_t item_bytes);
void deque_free(struct deque *deque);

/* Room for one more item; NULL: there is no memory for it. */
void *deque_push(struct deque *deque);

/* index: first to end - 1. Valid until it is forgotten. */
void *deque_at(const struct deque *deque, uint32_t index);

/* Forgets the items before that index; their memory comes back page by page. */
void deque_drop(struct deque *deque, uint32_t index);

/*
 * The first item whose leading uint32_t is above key, in a list that is sorted by it; end: there is none. What a list
 * says of an index is thus in the item before.
 */
uint32_t deque_above(const struct deque *deque, uint32_t key);

#endif
