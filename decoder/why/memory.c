/* SPDX-License-Identifier: MIT */
/* Notes the deepest uses of each stack, and the blocks of each pool that are not released. */
#include <string.h>

#include "analysis/analyses.h"
#include "figures/list.h"
#include "txtap/inner/stacks.h"
#include "txtap/inner/why_memory.h"

struct stack_step {
    struct moment at, before;
    uint32_t event, used, used_before;
    bool before_known;
};

struct stack_use {
    uint32_t size;  /* of the stack for which the other members are valid */
    uint64_t steps; /* number of all steps; the newest are in `step` */
    struct stack_step step[TXTAP_STACK_STEPS];
    struct stack_step growth; /* the step with the largest growth since the event before it */
    struct moment last;       /* the newest event with a stack pointer in the stack */
    uint32_t last_used;
    bool seen; /* last is valid */
    uint64_t outside;
    struct moment outside_at;
    uint32_t outside_event;
};

/* A block at an address. */
struct block {
    struct moment since;
    uint32_t pool, thread, bytes;
    bool held;
};

struct holder {
    uint64_t allocated;
};

struct txtap_memory {
    const struct model *model;
    struct stack_use *stacks; /* index: number of the thread */
    struct table blocks;      /* keys: addresses */
    struct block *block;
    struct table pairs; /* keys: pool and thread */
    struct holder *holders;
    uint64_t left_out; /* allocations of blocks that had no room in the tables */
};

static struct txtap_memory *layout(struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct table blocks = {0}, pairs = {0};
    struct txtap_memory *memory = arena_take(arena, 1, sizeof(*memory));
    struct stack_use *stacks = arena_take(arena, limits->threads, sizeof(*stacks));
    struct block *block = arena_take(arena, limits->pairs, sizeof(*block));
    struct holder *holders = arena_take(arena, limits->pairs, sizeof(*holders));

    table_layout(&blocks, arena, limits->pairs);
    table_layout(&pairs, arena, limits->pairs);
    if (memory != NULL)
        *memory = (struct txtap_memory){NULL, stacks, blocks, block, pairs, holders, 0};
    return memory;
}

size_t txtap_memory_bytes(const struct txtap_analysis_limits *limits)
{
    struct arena arena = {0};

    (void)layout(&arena, limits);
    return arena.used;
}

bool txtap_memory_is_stack(enum txtap_figure_id figure)
{
    return figure == TXTAP_FIGURE_STACK || figure == TXTAP_FIGURE_STACK_BYTES || figure == TXTAP_FIGURE_STACK_USED ||
           figure == TXTAP_FIGURE_STACK_USED_BYTES || figure == TXTAP_FIGURE_STACK_SEEN_BYTES ||
           figure == TXTAP_FIGURE_STACK_OUTSIDE;
}

bool txtap_memory_is_pool(enum txtap_figure_id figure)
{
    return figure == TXTAP_FIGURE_LEAK || figure == TXTAP_FIGURE_OUTSTANDING || figure == TXTAP_FIGURE_HELD ||
           figure == TXTAP_FIGURE_HELD_BYTES || figure == TXTAP_FIGURE_AVAILABLE;
}

/* ---- changes ---- */

static void add_step(struct stack_use *of, const struct change *change, uint32_t used)
{
    struct stack_step *step = &of->step[of->steps % TXTAP_STACK_STEPS];

    *step = (struct stack_step){.at = change->now,
                                .before = of->last,
                                .event = change->event->id,
                                .used = used,
                                .used_before = of->last_used,
                                .before_known = of->seen};
    of->steps++;
    if (of->seen && used - of->last_used > of->growth.used - of->growth.used_before)
        of->growth = *step;
}

static void take_event(void *self, const struct change *change)
{
    struct txtap_memory *memory = self;
    const struct thread *thread;
    struct stack_use *of;
    uint32_t pointer, left;

    if (change->thread == NONE)
        return;
    thread = &memory->model->threads[change->thread];
    of = &memory->stacks[change->thread];
    pointer = change->event->info[stack_word(change->event->id) - 1];
    if (thread->stack_bytes == 0 || pointer == 0)
        return; /* the event was recorded without this word */
    if (of->size != thread->stack_bytes)
        *of = (struct stack_use){.size = thread->stack_bytes};
    left = pointer - thread->stack; /* wraps to a large number if the pointer is below the stack */
    if (left > of->size) {
        if (of->outside++ == 0) {
            of->outside_at = change->now;
            of->outside_event = change->event->id;
        }
        return;
    }
    if (of->steps == 0 || of->size - left > of->step[(of->steps - 1) % TXTAP_STACK_STEPS].used)
        add_step(of, change, of->size - left);
    of->last = change->now;
    of->last_used = of->size - left;
    of->seen = true;
}

static void allocate(struct txtap_memory *memory, const struct change *change)
{
    const struct service *service = change->service;
    uint32_t number, pair;
    bool added;

    if (service->info[1] == 0)
        return; /* the thread waited: the event does not record the block that the thread got */
    number = table_add(&memory->blocks, service->info[1], &added);
    pair = table_add(&memory->pairs, table_pair(change->object, change->thread), &added);
    if (number == NONE || pair == NONE) {
        memory->left_out++;
        return;
    }
    memory->block[number] = (struct block){{service->ticks, service->seq},
                                           change->object,
                                           change->thread,
                                           service->id == EVENT_BYTE_ALLOCATE ? service->info[2] : 0,
                                           true};
    memory->holders[pair].allocated++;
}

static void take_call(void *self, const struct change *change)
{
    struct txtap_memory *memory = self;
    const struct service *service = change->service;
    uint32_t number;

    if (change->object == NONE)
        return;
    if (service->id == EVENT_BLOCK_ALLOCATE || service->id == EVENT_BYTE_ALLOCATE) {
        allocate(memory, change);
    } else if (service->id == EVENT_BLOCK_RELEASE || service->id == EVENT_BYTE_RELEASE) {
        number = table_find(&memory->blocks, service->info[1]);
        if (number != NONE)
            memory->block[number].held = false;
    }
}

struct txtap_memory *txtap_memory_open(void *memory, const struct txtap_analysis_limits *limits,
                                       struct txtap_analysis *analysis)
{
    struct arena arena = {.memory = memory};
    struct txtap_memory *made = layout(&arena, limits);
    struct model *model = analysis_model(analysis);

    made->model = model;
    for (uint32_t id = 1; id < STACK_IDS; id++)
        if (stack_word(id) != 0)
            model_tell_event(model, id, (struct change_sink){take_event, made});
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_BLOCK_POOL, (struct change_sink){take_call, made});
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_BYTE_POOL, (struct change_sink){take_call, made});
    return made;
}

/* ---- results ---- */

static struct txtap_place place_of(bool known, struct moment at)
{
    return (struct txtap_place){known, at.seq, at.ticks};
}

static struct txtap_stack_step tell_step(const struct stack_step *step)
{
    return (struct txtap_stack_step){.at = place_of(true, step->at),
                                     .event = step->event,
                                     .used = step->used,
                                     .before = place_of(step->before_known, step->before),
                                     .used_before = step->used_before};
}

static void tell_steps(const struct stack_use *of, struct txtap_stack_cause *cause)
{
    uint64_t first = of->steps > TXTAP_STACK_STEPS ? of->steps - TXTAP_STACK_STEPS : 0;

    for (uint64_t i = first; i < of->steps; i++)
        cause->steps[cause->step_count++] = tell_step(&of->step[i % TXTAP_STACK_STEPS]);
    cause->growth = tell_step(&of->growth);
}

bool txtap_memory_stack(const struct txtap_memory *memory, const struct txtap_subject *thread,
                        struct txtap_stack_cause *cause)
{
    const struct model *model = memory->model;

    *cause = (struct txtap_stack_cause){.thread = *thread};
    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct txtap_subject subject = list_thread(model, i);
        const struct stack_use *of = &memory->stacks[i];

        if (!txtap_subject_is_same(&subject, thread))
            continue;
        cause->size = of->size;
        cause->outside = of->outside;
        cause->outside_at = place_of(of->outside > 0, of->outside_at);
        cause->outside_event = of->outside_event;
        tell_steps(of, cause);
    }
    for (size_t i = 0; i < model->stack_count; i++) {
        const struct txtap_stack_use *use = &model->stacks[i];

        if (use->thread != thread->number || (cause->size != 0 && use->bytes != cause->size))
            continue;
        cause->size = use->bytes;
        cause->kernel = true;
        cause->kernel_used = use->used;
        cause->kernel_exact = use->exact;
    }
    return cause->size > 0 && (cause->step_count > 0 || cause->outside > 0 || cause->kernel);
}

/* Adds the blocks that the thread holds. */
static void tell_held(const struct txtap_memory *memory, uint32_t pool, uint32_t thread,
                      struct txtap_pool_holder *holder)
{
    for (uint32_t i = 0; i < memory->blocks.count; i++) {
        const struct block *block = &memory->block[i];

        if (!block->held || block->pool != pool || block->thread != thread)
            continue;
        holder->held++;
        holder->bytes += block->bytes;
        if (!holder->first.known || block->since.seq < holder->first.seq)
            holder->first = place_of(true, block->since);
        if (!holder->last.known || block->since.seq > holder->last.seq)
            holder->last = place_of(true, block->since);
    }
}

/* Inserts a holder in its order. If there is no room, leaves out the holder with the fewest blocks. */
static void add_holder(struct txtap_pool_cause *cause, const struct txtap_pool_holder *holder)
{
    unsigned at = cause->holder_count;

    while (at > 0 && cause->holders[at - 1].held < holder->held)
        at--;
    cause->holders_left_out += cause->holder_count == TXTAP_POOL_HOLDERS;
    if (at == TXTAP_POOL_HOLDERS)
        return;
    cause->holder_count += cause->holder_count < TXTAP_POOL_HOLDERS;
    memmove(&cause->holders[at + 1], &cause->holders[at], (cause->holder_count - 1 - at) * sizeof(*holder));
    cause->holders[at] = *holder;
}

bool txtap_memory_pool(const struct txtap_memory *memory, const struct txtap_subject *pool,
                       struct txtap_pool_cause *cause)
{
    const struct model *model = memory->model;

    *cause =
        (struct txtap_pool_cause){.pool = *pool, .gaps = model_has_gaps(model), .blocks_left_out = memory->left_out};
    for (uint32_t i = 0; i < memory->pairs.count; i++) {
        uint32_t object = (uint32_t)(memory->pairs.keys[i] >> 32), thread = (uint32_t)memory->pairs.keys[i];
        struct txtap_pool_holder holder = {.allocated = memory->holders[i].allocated};

        if (model->objects[object].address != pool->number)
            continue;
        holder.thread = thread != NONE ? list_thread(model, thread) : list_system();
        tell_held(memory, object, thread, &holder);
        cause->allocated += holder.allocated;
        cause->held += holder.held;
        add_holder(cause, &holder);
    }
    return cause->holder_count > 0;
}
