/* SPDX-License-Identifier: MIT */
/*
 * Memory in blocks of one size, taken from the heap in slabs of up to 16 MB: WebAssembly's memory grows slowly in small
 * steps, and each growth costs the page its views of it.
 */
#ifndef TXTAP_CAPTURE_VIEW_WASM_POOL_H
#define TXTAP_CAPTURE_VIEW_WASM_POOL_H

#include <stddef.h>

struct pool_slab;

/* The caller only reads block_bytes, used and slab_bytes. */
struct pool {
    size_t block_bytes;
    size_t used;             /* blocks that were taken and not given back */
    size_t slab_bytes;       /* of all slabs */
    struct pool_slab *slabs; /* the newest first */
    size_t left;             /* blocks of the newest slab that were never taken */
    void *free;              /* blocks that were given back: each begins with a pointer to the next one */
};

/* block_bytes: a multiple of 16. */
void pool_init(struct pool *pool, size_t block_bytes);
void pool_free(struct pool *pool);

/* A block, aligned to 16 bytes, with any content; NULL: there is no more memory. */
void *pool_take(struct pool *pool);
void pool_give(struct pool *pool, void *block);

#endif
