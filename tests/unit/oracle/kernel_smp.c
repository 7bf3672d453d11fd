/* SPDX-License-Identifier: MIT */
/*
 * Several cores: the assignment of threads to cores, as in common_smp/src and common_smp/inc/tx_thread.h of ThreadX
 * 6.4, and the times at which a core switches. No thread has a preemption threshold or an excluded core. A service
 * holds the kernel's protection until it returns, so no other core records an event meanwhile. But a core that must
 * switch may do this at any moment: it takes the inter-core interrupt, or polls while it is idle.
 */
#include "oracle/kernel.h"

static unsigned number_of(const struct kernel *kernel, const struct kernel_core *core)
{
    return (unsigned)(core - kernel->cores);
}

/* ---- the thread of a core ---- */

/* Returns true if another core still has the thread. Until then it cannot run here: see tx_thread_smp_core_control. */
static bool is_elsewhere(const struct kernel *kernel, const struct kernel_core *core, unsigned thread)
{
    for (unsigned i = 0; i < kernel->core_count; i++)
        if (&kernel->cores[i] != core && kernel->cores[i].current == thread)
            return true;
    return false;
}

bool kernel_smp_is_due(const struct kernel *kernel, const struct kernel_core *core)
{
    if (kernel->initializing || core->depth > 0 || core->current == core->execute)
        return false;
    return core->current != NOBODY || !is_elsewhere(kernel, core, core->execute);
}

/* Imitates _tx_thread_system_return, or the end of _tx_thread_context_restore, and _tx_thread_schedule. */
void kernel_smp_follow(struct kernel *kernel, struct kernel_core *core)
{
    if (core->current != NOBODY && core->time_slice != 0)
        kernel->threads[core->current].slice = core->time_slice;
    core->time_slice = 0;
    core->current = NOBODY;
    if (core->execute == NOBODY || is_elsewhere(kernel, core, core->execute))
        return;
    core->current = core->execute;
    core->time_slice = kernel->threads[core->current].slice;
}

uint32_t kernel_smp_elapse(struct kernel *kernel, uint32_t ticks)
{
    for (unsigned i = 0; i < kernel->core_count; i++) {
        struct kernel_core *core = &kernel->cores[i];
        uint32_t part;

        if (core == kernel->here || !kernel_smp_is_due(kernel, core))
            continue;
        part = kernel->world.delay(kernel->world.self, ticks);
        if (part > ticks)
            continue;
        ticks -= part;
        kernel->now += part;
        kernel->world.time(kernel->world.self, part);
        kernel_smp_follow(kernel, core);
        kernel->world.before_event(kernel->world.self);
    }
    return ticks;
}

/* ---- the execute list ---- */

static bool is_placed(const struct kernel *kernel, unsigned thread)
{
    return kernel->cores[kernel->threads[thread].mapped].execute == thread;
}

static void place_on(struct kernel *kernel, unsigned thread, unsigned core)
{
    kernel->threads[thread].mapped = (uint8_t)core;
    kernel->cores[core].execute = (uint8_t)thread;
}

/* Returns the first core without a thread; core_count if each core has a thread. */
static unsigned free_core(const struct kernel *kernel)
{
    unsigned core = 0;

    while (core < kernel->core_count && kernel->cores[core].execute != NOBODY)
        core++;
    return core;
}

/* Imitates _tx_thread_smp_lowest_priority_get. */
static unsigned lowest_placed(const struct kernel *kernel)
{
    unsigned lowest = 0;

    for (unsigned i = 0; i < kernel->core_count; i++) {
        unsigned thread = kernel->cores[i].execute;

        if (thread != NOBODY && kernel->threads[thread].priority > lowest)
            lowest = kernel->threads[thread].priority;
    }
    return lowest;
}

/* Of the threads in the ready list of a priority, returns the last thread that has a core. */
static unsigned last_placed(const struct kernel *kernel, unsigned priority)
{
    const struct line *list = &kernel->ready[priority];
    unsigned last = list->at[0];

    for (unsigned i = 1, found = 0; i < list->count && found < kernel->core_count; i++) {
        if (!is_placed(kernel, list->at[i]))
            continue;
        last = list->at[i];
        found++;
    }
    return last;
}

void kernel_smp_place(struct kernel *kernel, unsigned number)
{
    struct kernel_thread *thread = &kernel->threads[number];
    unsigned core = thread->mapped, lowest;

    if (kernel->cores[core].execute != NOBODY)
        core = free_core(kernel);
    if (core < kernel->core_count) {
        place_on(kernel, number, core);
        return;
    }
    lowest = lowest_placed(kernel);
    if (thread->priority < lowest)
        place_on(kernel, number, kernel->threads[last_placed(kernel, lowest)].mapped);
}

/* Gives core `core` to the next thread without a core. Only priorities from `priority` downwards are searched. */
static void fill(struct kernel *kernel, unsigned core, unsigned priority)
{
    for (; priority < KERNEL_PRIORITIES; priority++) {
        const struct line *list = &kernel->ready[priority];

        for (unsigned i = 0; i < list->count; i++) {
            if (is_placed(kernel, list->at[i]))
                continue;
            place_on(kernel, list->at[i], core);
            return;
        }
    }
}

void kernel_smp_remove(struct kernel *kernel, unsigned number)
{
    const struct kernel_thread *thread = &kernel->threads[number];
    bool placed = is_placed(kernel, number);

    line_remove(&kernel->ready[thread->priority], number);
    if (!placed)
        return;
    kernel->cores[thread->mapped].execute = NOBODY;
    fill(kernel, thread->mapped, thread->priority);
}

void kernel_smp_rebalance(struct kernel *kernel)
{
    unsigned placed = 0;

    for (unsigned i = 0; i < kernel->core_count; i++)
        kernel->cores[i].execute = NOBODY;
    for (unsigned priority = 0; priority < KERNEL_PRIORITIES; priority++) {
        const struct line *list = &kernel->ready[priority];

        for (unsigned i = 0; i < list->count && placed < kernel->core_count; i++, placed++) {
            unsigned core = kernel->threads[list->at[i]].mapped;

            place_on(kernel, list->at[i], kernel->cores[core].execute == NOBODY ? core : free_core(kernel));
        }
    }
}

/* ---- priorities ---- */

bool kernel_smp_priority_change(struct kernel *kernel, unsigned number, unsigned priority)
{
    struct kernel_thread *thread = &kernel->threads[number];

    if (is_placed(kernel, number) ? priority >= thread->priority : priority <= thread->priority)
        return false;
    line_remove(&kernel->ready[thread->priority], number);
    thread->priority = thread->threshold =
        priority < thread->inherit_priority ? (uint8_t)priority : thread->inherit_priority;
    line_push(&kernel->ready[priority], number);
    return true;
}

void kernel_smp_execute_again(struct kernel *kernel, unsigned number, bool was_to_execute, bool lowered)
{
    const struct kernel_thread *thread = &kernel->threads[number];

    if (!was_to_execute || thread->state != KERNEL_READY)
        return;
    line_turn(&kernel->ready[thread->priority], number);
    if (!is_placed(kernel, number) && lowered && thread->priority <= lowest_placed(kernel))
        kernel_smp_rebalance(kernel);
}

/* ---- turns ---- */

static void move_to_end(struct kernel *kernel, unsigned number)
{
    struct line *list = &kernel->ready[kernel->threads[number].priority];

    line_remove(list, number);
    line_push(list, number);
}

/*
 * Gives core `core` to another thread of the same priority that has no core. Returns false if there is no such thread.
 */
static bool give_turn(struct kernel *kernel, unsigned number, unsigned core)
{
    const struct line *list = &kernel->ready[kernel->threads[number].priority];

    for (unsigned i = 0; i < list->count; i++) {
        if (list->at[i] == number || is_placed(kernel, list->at[i]))
            continue;
        place_on(kernel, list->at[i], core);
        return true;
    }
    return false;
}

static unsigned next_in_line(const struct kernel *kernel, unsigned number)
{
    const struct line *list = &kernel->ready[kernel->threads[number].priority];
    unsigned i = 0;

    while (list->at[i] != number)
        i++;
    return list->at[(i + 1) % list->count];
}

void kernel_smp_relinquish(struct kernel *kernel)
{
    unsigned number = kernel->here->current;
    const struct kernel_thread *thread = &kernel->threads[number];
    const struct line *list = &kernel->ready[thread->priority];

    kernel->here->time_slice = thread->new_slice;
    kernel_record(kernel, EV_RELINQUISH, STACK, kernel->threads[next_in_line(kernel, number)].address, 0, 0);
    if (list->at[list->count - 1] != number) {
        move_to_end(kernel, number);
        if (is_placed(kernel, number))
            kernel->here->relinquished = give_turn(kernel, number, thread->mapped);
        else
            kernel_smp_rebalance(kernel);
    }
    if (kernel->here->execute != number)
        kernel_smp_follow(kernel, kernel->here);
}

static void end_slice(struct kernel *kernel, struct kernel_core *core, bool *rebalance)
{
    unsigned number = core->current;
    struct kernel_thread *thread = &kernel->threads[number];
    const struct line *list;

    if (number == NOBODY || thread->state != KERNEL_READY || thread->slice == 0)
        return;
    thread->slice = thread->new_slice;
    core->time_slice = thread->slice;
    list = &kernel->ready[thread->priority];
    if (list->at[list->count - 1] == number)
        return;
    move_to_end(kernel, number);
    if (core->execute != number)
        *rebalance = true;
    if (!*rebalance)
        core->slice_displaced = give_turn(kernel, number, number_of(kernel, core));
}

void kernel_smp_time_slice(struct kernel *kernel)
{
    bool any = false, rebalance = false;

    for (unsigned i = 0; i < kernel->core_count; i++)
        any = any || kernel->cores[i].time_slice != 0;
    if (!any)
        return;
    for (unsigned i = 0; i < kernel->core_count; i++)
        if (kernel->cores[i].time_slice != 0 && --kernel->cores[i].time_slice == 0)
            end_slice(kernel, &kernel->cores[i], &rebalance);
    if (rebalance)
        kernel_smp_rebalance(kernel);
    kernel_record(kernel, EV_TIME_SLICE,
                  kernel->cores[0].execute != NOBODY ? kernel->threads[kernel->cores[0].execute].address : 0,
                  kernel->here->depth, kernel->preempt_disable, STACK);
}
