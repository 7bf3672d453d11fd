/* SPDX-License-Identifier: MIT */
/* Takes memory in slabs. The first slabs are smaller, so that a small trace needs little memory. */
#include "view/wasm/pool.h"

#include <stdlib.h>

#ifndef SLAB_FIRST
#define SLAB_FIRST ((size_t)256 * 1024)
#endif
#define SLAB_MAX ((size_t)16 * 1024 * 1024)

struct pool_slab {
    struct pool_slab *older;
    size_t bytes; /* size of its blocks */
};

#define SLAB_HEAD ((sizeof(struct pool_slab) + 15) & ~(size_t)15)

void pool_init(struct pool *pool, size_t block_bytes)
{
    *pool = (struct pool){.block_bytes = block_bytes};
}

void pool_free(struct pool *pool)
{
    while (pool->slabs != NULL) {
        struct pool_slab *slab = pool->slabs;

        pool->slabs = slab->older;
        free(slab);
    }
    pool_init(pool, pool->block_bytes);
}

static void *add_slab(struct pool *pool)
{
    size_t bytes = pool->slabs == NULL ? SLAB_FIRST : 2 * pool->slabs->bytes, blocks;
    struct pool_slab *slab;

    if (bytes > SLAB_MAX)
        bytes = SLAB_MAX;
    blocks = bytes / pool->block_bytes;
    if (blocks == 0)
        blocks = 1;
    slab = malloc(SLAB_HEAD + blocks * pool->block_bytes);
    if (slab == NULL)
        return NULL;
    slab->older = pool->slabs;
    slab->bytes = bytes;
    pool->slabs = slab;
    pool->slab_bytes += SLAB_HEAD + blocks * pool->block_bytes;
    pool->left = blocks;
    return slab;
}

void *pool_take(struct pool *pool)
{
    void *block = pool->free;

    if (block != NULL) {
        pool->free = *(void **)block;
    } else {
        if (pool->left == 0 && add_slab(pool) == NULL)
            return NULL;
        pool->left--;
        block = (char *)pool->slabs + SLAB_HEAD + pool->left * pool->block_bytes;
    }
    pool->used++;
    return block;
}

void pool_give(struct pool *pool, void *block)
{
    *(void **)block = pool->free;
    pool->free = block;
    pool->used--;
}
