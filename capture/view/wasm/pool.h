/* SPDX-License-Identifier: MIT */
/* Memory in blocks of one size, taken from the heap in slabs of up to 16 MB. Reason: growing WebAssembly's memory in
 * small steps is slow, and each growth invalidates the page's views of it. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_POOL_H
#define TXTAP_CAPTURE_VIEW_WASM_POOL_H

#include <stddef.h>

struct pool_slab;

/* The caller only reads block_bytes, used and slab_bytes. */
struct pool {
    size_t block_bytes;
    size_t used;             /* number of blocks in use */
    size_t slab_bytes;       /* size of all slabs */
    struct pool_slab *slabs; /* the newest first */
    size_t left;             /* number of blocks in the newest slab that were never used */
    void *free;              /* list of returned blocks: each begins with a pointer to the next */
};

/* Prepares the pool. block_bytes: a multiple of 16. */
void pool_init(struct pool *pool, size_t block_bytes);
void pool_free(struct pool *pool);

/* Takes a block, aligned to 16 bytes, with undefined content; NULL: no memory. */
void *pool_take(struct pool *pool);
void pool_give(struct pool *pool, void *block);

#endif
