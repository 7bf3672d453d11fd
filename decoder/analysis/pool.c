/* SPDX-License-Identifier: MIT */
/* Block and byte pools: the least memory that was available, blocks that are not released, and signs of a leak. */
#include "analysis/analyses.h"

#include <math.h>

#include "txtap/registry.h"

/* ---- the memory that each thread holds ---- */

struct holding {
    uint64_t count, bytes;
};

struct pool_holders {
    struct table pairs; /* keys: pool and thread; the thread may be NONE */
    struct holding *of;
    uint64_t left_out;
};

static void pool_holders_layout(struct pool_holders *holders, struct arena *arena, uint32_t pairs)
{
    table_layout(&holders->pairs, arena, pairs);
    holders->of = arena_take(arena, pairs, sizeof(*holders->of));
}

/*
 * Counts an allocation (step 1) or a release (step -1) by a thread. bytes: size of the allocation; 0 if the pool is a
 * block pool.
 */
static void pool_holders_count(struct pool_holders *holders, uint32_t pool, uint32_t thread, int step, uint32_t bytes)
{
    bool added;
    uint32_t pair = table_add(&holders->pairs, table_pair(pool, thread), &added);

    if (pair == NONE) {
        holders->left_out++;
    } else if (step > 0) {
        holders->of[pair].count++;
        holders->of[pair].bytes += bytes;
    } else {
        holders->of[pair].count--;
        holders->of[pair].bytes -= bytes;
    }
}

/*
 * Returns a measure with this value. After a gap, its bounds are 0 and infinity, because gaps may hide allocations and
 * releases.
 */
static struct txtap_measure held(const struct list *list, uint64_t value)
{
    bool gaps = model_has_gaps(list->model);

    return (struct txtap_measure){true, (double)value, gaps ? 0 : (double)value,
                                  gaps ? (double)INFINITY : (double)value};
}

static void pool_holders_list(const struct pool_holders *holders, struct list *list)
{
    for (uint32_t i = 0; i < holders->pairs.count; i++) {
        const struct holding *of = &holders->of[i];
        struct heading heading = {.id = TXTAP_FIGURE_HELD,
                                  .subject = list_object(list->model, (uint32_t)(holders->pairs.keys[i] >> 32)),
                                  .other = list_thread(list->model, (uint32_t)holders->pairs.keys[i])};

        list_between(list, heading, TXTAP_UNIT_COUNT, held(list, of->count), (struct txtap_place){0});
        heading.id = TXTAP_FIGURE_HELD_BYTES;
        if (of->bytes > 0)
            list_between(list, heading, TXTAP_UNIT_BYTES, held(list, of->bytes), (struct txtap_place){0});
    }
}

#define LEVELS 48u /* number of samples over the whole trace; a sample is the number of allocated blocks */

struct pool {
    uint64_t allocations, releases, failed, blocked;
    bool seen;
    uint32_t least; /* the smallest number of available blocks or bytes */
    struct moment least_at;
    uint64_t given_out;
    struct spread lifetime;
    uint32_t levels[LEVELS]; /* number of allocated blocks at the ends of equal time spans */
};

struct block {
    bool given_out, known; /* given_out: the block is allocated; known: since is valid */
    uint32_t pool, thread, bytes;
    uint64_t since; /* tick at which the block was allocated */
};

struct pools {
    struct base base;
    struct pool *of;     /* index: object */
    struct table blocks; /* keys: addresses of blocks */
    struct block *block; /* index: the number of the block's address in `blocks` */
    struct pool_holders holders;
    /* span: ticks between two elements of `levels`; doubled when all elements are in use. spans: number of elements in
     * use */
    uint64_t span, spans;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct pools *pools = state;

    pools->of = arena_take(arena, limits->objects, sizeof(*pools->of));
    table_layout(&pools->blocks, arena, limits->pairs);
    pools->block = arena_take(arena, limits->pairs, sizeof(*pools->block));
    pool_holders_layout(&pools->holders, arena, limits->pairs);
}

/* ---- levels over time ---- */

static void halve(struct pools *pools)
{
    for (uint32_t i = 0; i < pools->base.model->object_numbers.count; i++)
        for (uint32_t level = 0; level < LEVELS / 2; level++)
            pools->of[i].levels[level] = pools->of[i].levels[2 * level + 1];
    pools->spans = LEVELS / 2;
    pools->span *= 2;
}

static void note_levels(struct pools *pools, uint64_t now)
{
    uint64_t passed = now - pools->base.model->first.ticks;

    if (pools->span == 0)
        pools->span = 1;
    while (passed / pools->span > pools->spans) {
        if (pools->spans == LEVELS) {
            halve(pools);
            continue;
        }
        for (uint32_t i = 0; i < pools->base.model->object_numbers.count; i++)
            pools->of[i].levels[pools->spans] = (uint32_t)pools->of[i].given_out;
        pools->spans++;
    }
}

/* ---- changes ---- */

static void available(struct pool *pool, uint32_t count, struct moment at)
{
    if (pool->seen && count >= pool->least)
        return;
    pool->seen = true;
    pool->least = count;
    pool->least_at = at;
}

/* Notes that no thread holds the block from now on. */
static void take_back(struct pools *pools, struct block *block)
{
    if (!block->given_out)
        return;
    block->given_out = false;
    pools->of[block->pool].given_out--;
    pool_holders_count(&pools->holders, block->pool, block->thread, -1, block->bytes);
}

static void give_out(struct pools *pools, const struct change *change)
{
    const struct service *service = change->service;
    struct pool *pool = &pools->of[change->object];
    bool added;
    uint32_t number;
    struct block *block;

    pool->allocations++;
    if (service->id == EVENT_BLOCK_ALLOCATE)
        available(pool, service->before, (struct moment){service->ticks, service->seq});
    if (service->info[1] == 0)
        return; /* the thread waited: the event does not record the block that the thread got */
    number = table_add(&pools->blocks, service->info[1], &added);
    if (number == NONE) {
        pools->base.left_out++;
        return;
    }
    block = &pools->block[number];
    take_back(pools, block); /* the trace does not show the release of the block's earlier allocation */
    *block = (struct block){
        true,          true, change->object, change->thread, service->id == EVENT_BYTE_ALLOCATE ? service->info[2] : 0,
        service->ticks};
    pool->given_out++;
    pool_holders_count(&pools->holders, block->pool, block->thread, 1, block->bytes);
}

static void give_back(struct pools *pools, const struct change *change)
{
    const struct service *service = change->service;
    struct pool *pool = &pools->of[change->object];
    uint32_t number = table_find(&pools->blocks, service->info[1]);
    struct block *block = number != NONE ? &pools->block[number] : NULL;

    pool->releases++;
    if (service->id == EVENT_BYTE_RELEASE)
        available(pool, service->before, (struct moment){service->ticks, service->seq});
    if (block == NULL || !block->given_out)
        return;
    take_back(pools, block);
    if (block->known)
        add_sample_at(&pools->base, &pool->lifetime, service->ticks - block->since,
                      (struct moment){service->ticks, service->seq});
}

static void take_call(void *self, const struct change *change)
{
    struct pools *pools = self;
    uint32_t id = change->service->id;

    if (change->object == NONE)
        return;
    if (id == EVENT_BLOCK_ALLOCATE || id == EVENT_BYTE_ALLOCATE) {
        note_levels(pools, change->now.ticks);
        give_out(pools, change);
    } else if (id == EVENT_BLOCK_RELEASE || id == EVENT_BYTE_RELEASE) {
        note_levels(pools, change->now.ticks);
        give_back(pools, change);
    }
}

static void take_service(void *self, const struct change *change)
{
    struct pools *pools = self;
    uint32_t id = change->service->id;

    if (change->object == NONE || (id != EVENT_BLOCK_ALLOCATE && id != EVENT_BYTE_ALLOCATE))
        return;
    pools->of[change->object].failed += change->service->failed;
    pools->of[change->object].blocked += change->service->blocked;
}

/* Cuts the lifetimes of allocated blocks, because a gap may hide the release of any block. */
static void take_gap(void *self, const struct change *change)
{
    struct pools *pools = self;

    for (uint32_t i = 0; i < pools->blocks.count; i++) {
        struct block *block = &pools->block[i];

        if (block->given_out && block->known)
            cut_sample(&pools->base, &pools->of[block->pool].lifetime, change->now.ticks - block->since, change);
        block->known = false;
    }
}

static void take_end(void *self, const struct change *change)
{
    note_levels(self, change->now.ticks);
}

static void open(void *state, struct model *model)
{
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_BLOCK_POOL, (struct change_sink){take_call, state});
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_BYTE_POOL, (struct change_sink){take_call, state});
    model_tell_of(model, CHANGE_SERVICE, TXTAP_OBJECT_BLOCK_POOL, (struct change_sink){take_service, state});
    model_tell_of(model, CHANGE_SERVICE, TXTAP_OBJECT_BYTE_POOL, (struct change_sink){take_service, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_end, state});
}

/* ---- leaks ---- */

/* Returns the age of the oldest allocated block. */
static uint64_t oldest(const struct pools *pools, uint32_t pool)
{
    uint64_t now = pools->base.model->last.ticks, age = 0;

    for (uint32_t i = 0; i < pools->blocks.count; i++) {
        const struct block *block = &pools->block[i];

        if (block->given_out && block->pool == pool && now - block->since > age)
            age = now - block->since;
    }
    return age;
}

/* Returns the smallest number of allocated blocks in a third of the trace. third: 0, 1 or 2. */
static uint32_t least_in_third(const struct pools *pools, const struct pool *pool, uint64_t third)
{
    uint32_t least = UINT32_MAX;

    for (uint64_t level = third * pools->spans / 3; level < (third + 1) * pools->spans / 3; level++)
        if (pool->levels[level] < least)
            least = pool->levels[level];
    return least;
}

/*
 * Returns true if each third of the trace has more allocated blocks than the third before, and the oldest block is far
 * older than usual.
 */
static bool looks_like_leak(const struct pools *pools, uint32_t number)
{
    const struct pool *pool = &pools->of[number];
    struct histogram_bucket usual = {0};

    if (pools->spans < 6 || least_in_third(pools, pool, 0) >= least_in_third(pools, pool, 1) ||
        least_in_third(pools, pool, 1) >= least_in_third(pools, pool, 2))
        return false;
    (void)histogram_percentile(&pool->lifetime.samples, pools->base.pool, 99, &usual);
    return oldest(pools, number) > 10 * usual.high;
}

/* ---- figures ---- */

#define LINK_BYTES 4u /* the kernel puts a pointer before each block */

/* Returns the number of blocks of a block pool, or the bytes of a byte pool; 0: unknown. */
static uint32_t size_of(const struct object *pool)
{
    uint32_t bytes = pool->registered ? pool->parameter[0] : 0, block = pool->parameter[1];

    if (pool->type == TXTAP_OBJECT_BYTE_POOL)
        return bytes;
    return block > 0 && block < UINT32_MAX - LINK_BYTES ? bytes / (block + LINK_BYTES) : 0;
}

static void list_pool(struct list *list, const struct pools *pools, uint32_t number)
{
    const struct model *model = pools->base.model;
    const struct pool *pool = &pools->of[number];
    const struct txtap_subject subject = list_object(model, number);
    bool bytes = subject.type == TXTAP_OBJECT_BYTE_POOL;
    double given_out = (double)pool->given_out;
    struct txtap_measure outstanding = {true, given_out, model_has_gaps(model) ? 0 : given_out,
                                        model_has_gaps(model) ? (double)INFINITY : given_out};

    if (size_of(&model->objects[number]) > 0)
        list_number_exact(list, (struct heading){.id = TXTAP_FIGURE_POOL_SIZE, .subject = subject},
                          bytes ? TXTAP_UNIT_BYTES : TXTAP_UNIT_COUNT, size_of(&model->objects[number]));
    if (pool->seen)
        list_at_most_at(list, (struct heading){.id = TXTAP_FIGURE_AVAILABLE, .subject = subject},
                        bytes ? TXTAP_UNIT_BYTES : TXTAP_UNIT_COUNT, pool->least, pool->least_at);
    list_between(list, (struct heading){.id = TXTAP_FIGURE_OUTSTANDING, .subject = subject}, TXTAP_UNIT_COUNT,
                 outstanding, (struct txtap_place){0});
    list_count(list, (struct heading){.id = TXTAP_FIGURE_ALLOCATIONS, .subject = subject}, pool->allocations);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_RELEASES, .subject = subject}, pool->releases);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_ALLOC_FAILED, .subject = subject}, pool->failed);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_ALLOC_BLOCKED, .subject = subject}, pool->blocked);
    list_spread(list, (struct heading){.id = TXTAP_FIGURE_LIFETIME, .subject = subject}, TXTAP_UNIT_TICKS,
                &pool->lifetime);
}

static void figures(const void *state, struct list *list)
{
    const struct pools *pools = state;
    const struct model *model = pools->base.model;
    uint64_t leaks = 0;

    for (uint32_t i = 0; i < model->object_numbers.count; i++) {
        uint8_t type = model->objects[i].type;

        if ((type != TXTAP_OBJECT_BLOCK_POOL && type != TXTAP_OBJECT_BYTE_POOL) ||
            pools->of[i].allocations + pools->of[i].releases == 0)
            continue;
        list_pool(list, pools, i);
        if (!looks_like_leak(pools, i))
            continue;
        leaks++;
        list_count(list, (struct heading){.id = TXTAP_FIGURE_LEAK, .subject = list_object(model, i)},
                   pools->of[i].given_out);
    }
    list_count(list, (struct heading){.id = TXTAP_FIGURE_LEAK}, leaks);
    pool_holders_list(&pools->holders, list);
}

static const struct check_name names[] = {
    FIGURE(AVAILABLE, "available", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(POOL_SIZE, "pool_size", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(OUTSTANDING, "outstanding", CHECK_COUNT, VALUE, OBJECT),
    FIGURES(HELD, "held", CHECK_COUNT, VALUE, OBJECT),
    FIGURES(HELD_BYTES, "held_bytes", CHECK_BYTES, VALUE, OBJECT),
    FIGURE(ALLOCATIONS, "allocations", CHECK_COUNT, N, OBJECT),
    FIGURE(RELEASES, "releases", CHECK_COUNT, N, OBJECT),
    FIGURE(ALLOC_FAILED, "alloc_failed", CHECK_COUNT, N, OBJECT),
    FIGURE(ALLOC_BLOCKED, "alloc_blocked", CHECK_COUNT, N, OBJECT),
    FIGURE(LEAK, "leak", CHECK_COUNT, N, OBJECT),
    FIGURE(LIFETIME, "lifetime", CHECK_TIME, VALUE, OBJECT),
    {0},
};

const struct analysis_row pool_analysis = {
    .section = {"pools", "memory pools"},
    .names = names,
    .state_bytes = sizeof(struct pools),
    .layout = layout,
    .open = open,
    .figures = figures,
};
