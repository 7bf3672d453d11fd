/* SPDX-License-Identifier: MIT */
/* Services of threads: tx_thread_*.c. */
#include "oracle/kernel.h"

#include <string.h>

static enum kernel_state waiting_state(const struct kernel_object *object)
{
    static const enum kernel_state states[] = {
        [3] = KERNEL_QUEUE, [4] = KERNEL_SEMAPHORE,  [5] = KERNEL_MUTEX,
        [6] = KERNEL_FLAGS, [7] = KERNEL_BLOCK_POOL, [8] = KERNEL_BYTE_POOL,
    };

    return states[object->type];
}

void kernel_thread_cleanup(struct kernel *kernel, unsigned number, enum kernel_ending ending)
{
    struct kernel_thread *thread = &kernel->threads[number];
    struct kernel_object *object;

    if (!thread->cleanup)
        return;
    object = &kernel->objects[thread->object];
    if (!object->exists || object->waiting.count == 0)
        return;
    thread->cleanup = false;
    line_remove(&object->waiting, number);
    if (thread->state != waiting_state(object))
        return;
    kernel->preempt_disable++;
    kernel_window(kernel);
    kernel_resume(kernel, number, ending);
}

void kernel_thread_timeout(struct kernel *kernel, unsigned number)
{
    if (kernel->threads[number].state != KERNEL_SLEEP) {
        kernel_thread_cleanup(kernel, number, ENDS_TIMEOUT);
        return;
    }
    kernel->preempt_disable++;
    kernel_window(kernel);
    kernel_resume(kernel, number, ENDS_TIMEOUT);
}

/* ---- lives ---- */

void kernel_thread_create(struct kernel *kernel, unsigned number, const struct kernel_thread_setup *setup)
{
    struct kernel_thread *thread = &kernel->threads[number];
    uint32_t address = thread->address, stack = thread->stack, bytes = thread->stack_bytes;
    unsigned saved = kernel->core_count == 1 ? kernel->here->execute : NOBODY;
    uint8_t threshold = 0;

    memset(thread, 0, sizeof(*thread));
    thread->address = address;
    thread->stack = stack;
    thread->stack_bytes = bytes;
    thread->exists = true;
    thread->state = KERNEL_SUSPENDED;
    thread->object = thread->releasing = NOBODY;
    thread->patch = -1;
    thread->priority = thread->user_priority = thread->created_priority = (uint8_t)setup->priority;
    thread->threshold = thread->user_threshold = (uint8_t)setup->threshold;
    thread->inherit_priority = KERNEL_PRIORITIES;
    thread->slice = thread->new_slice = setup->slice;
    kernel_record(kernel, EV_THREAD_CREATE, address, setup->priority, stack, bytes);
    kernel->preempt_disable++;
    if (!setup->start) {
        kernel_window(kernel);
        kernel->preempt_disable--;
        kernel_preempt_check(kernel);
        return;
    }
    if (!kernel->initializing)
        saved = NOBODY;
    if (saved != NOBODY) {
        threshold = kernel->threads[saved].threshold;
        kernel->threads[saved].threshold = kernel->threads[saved].priority;
    }
    kernel_window(kernel);
    kernel_resume(kernel, number, ENDS_OTHERWISE);
    if (saved != NOBODY)
        kernel->threads[saved].threshold = threshold;
    if (kernel->initializing && kernel->core_count > 1)
        kernel_smp_rebalance(kernel);
}

void kernel_thread_delete(struct kernel *kernel, unsigned number)
{
    kernel_record(kernel, EV_THREAD_DELETE, kernel->threads[number].address, STACK, 0, 0);
    kernel->threads[number].exists = false;
}

void kernel_thread_reset(struct kernel *kernel, unsigned number)
{
    kernel->threads[number].state = KERNEL_SUSPENDED;
    kernel_record(kernel, EV_THREAD_RESET, kernel->threads[number].address, KERNEL_SUSPENDED, 0, 0);
}

/* Imitates _tx_mutex_thread_release. */
static void release_mutexes(struct kernel *kernel, unsigned number)
{
    kernel->preempt_disable++;
    while (kernel->threads[number].owned.count > 0) {
        unsigned mutex = kernel->threads[number].owned.at[0];

        kernel->objects[mutex].count = 1;
        (void)kernel_mutex_put(kernel, mutex);
    }
    kernel->preempt_disable--;
}

static void suspend_as(struct kernel *kernel, unsigned number, enum kernel_state state)
{
    kernel->threads[number].state = state;
    kernel->threads[number].suspending = true;
    kernel->threads[number].remaining = 0;
    kernel->preempt_disable++;
    kernel_window(kernel);
    kernel_suspend(kernel, number);
}

/* Imitates the end of _tx_thread_shell_entry. */
void kernel_thread_complete(struct kernel *kernel)
{
    unsigned number = kernel->here->current;

    release_mutexes(kernel, number);
    suspend_as(kernel, number, KERNEL_COMPLETED);
}

void kernel_thread_terminate(struct kernel *kernel, unsigned number)
{
    struct kernel_thread *thread = &kernel->threads[number];

    kernel_timer_deactivate(kernel, number);
    kernel_record(kernel, EV_THREAD_TERMINATE, thread->address, thread->state, STACK, 0);
    if (thread->state != KERNEL_TERMINATED && thread->state != KERNEL_COMPLETED) {
        kernel->preempt_disable++;
        if (thread->state == KERNEL_READY) {
            suspend_as(kernel, number, KERNEL_TERMINATED);
        } else {
            kernel->world.ended(kernel->world.self, number);
            thread->state = KERNEL_TERMINATED;
            thread->suspending = true;
            kernel_thread_cleanup(kernel, number, ENDS_ABORTED);
            thread->suspending = false;
        }
        release_mutexes(kernel, number);
        kernel->preempt_disable--;
    }
    kernel_preempt_check(kernel);
}

/* ---- suspension ---- */

void kernel_thread_suspend(struct kernel *kernel, unsigned number)
{
    struct kernel_thread *thread = &kernel->threads[number];

    kernel_record(kernel, EV_THREAD_SUSPEND_API, thread->address, thread->state, STACK, 0);
    if (thread->state == KERNEL_READY) {
        if (kernel->here->depth == 0 && kernel->here->current == number && kernel->preempt_disable != 0)
            return;
        suspend_as(kernel, number, KERNEL_SUSPENDED);
    } else if (thread->state > KERNEL_SUSPENDED) {
        thread->delayed_suspend = true;
    }
}

void kernel_thread_resume(struct kernel *kernel, unsigned number)
{
    struct kernel_thread *thread = &kernel->threads[number];

    kernel_record(kernel, EV_THREAD_RESUME_API, thread->address, thread->state, STACK, 0);
    if (thread->state == KERNEL_SUSPENDED) {
        kernel->preempt_disable++;
        kernel_window(kernel);
        kernel_resume(kernel, number, ENDS_OTHERWISE);
    } else {
        thread->delayed_suspend = false;
    }
}

void kernel_thread_sleep(struct kernel *kernel, uint32_t ticks)
{
    struct kernel_thread *thread = &kernel->threads[kernel->here->current];

    kernel_record(kernel, EV_THREAD_SLEEP, ticks, thread->state, STACK, 0);
    thread->state = KERNEL_SLEEP;
    thread->suspending = true;
    thread->remaining = ticks;
    kernel->preempt_disable++;
    kernel_window(kernel);
    kernel_suspend(kernel, kernel->here->current);
}

void kernel_thread_relinquish(struct kernel *kernel)
{
    unsigned number = kernel->here->current;
    const struct kernel_thread *thread = &kernel->threads[number];
    struct line *list = &kernel->ready[thread->priority];

    if (kernel->core_count > 1) {
        kernel_smp_relinquish(kernel);
        return;
    }
    kernel->here->time_slice = thread->new_slice;
    if (list->count > 1) {
        line_turn(list, number);
        line_turn(list, list->at[1]);
        kernel->here->execute = list->at[0];
    }
    if (kernel_highest(kernel) < thread->priority)
        kernel->here->execute = kernel->ready[kernel_highest(kernel)].at[0];
    kernel_record(kernel, EV_RELINQUISH, STACK, kernel->threads[kernel->here->execute].address, 0, 0);
    kernel->here->relinquished = kernel->here->execute != number;
    kernel_preempt_check(kernel);
}

void kernel_thread_wait_abort(struct kernel *kernel, unsigned number)
{
    struct kernel_thread *thread = &kernel->threads[number];

    kernel_record(kernel, EV_WAIT_ABORT, thread->address, thread->state, 0, 0);
    if (thread->state < KERNEL_SLEEP)
        return;
    if (thread->state != KERNEL_SLEEP && !thread->cleanup)
        return; /* the thread already got what it waited for, and is about to be resumed */
    thread->state = KERNEL_SUSPENDED;
    kernel->preempt_disable++;
    kernel_window(kernel);
    kernel_thread_cleanup(kernel, number, ENDS_ABORTED);
    kernel_resume(kernel, number, ENDS_ABORTED);
}

/* ---- priorities ---- */

static void set_own_priority(struct kernel_thread *thread, unsigned priority)
{
    thread->user_priority = thread->user_threshold = (uint8_t)priority;
    thread->priority = thread->threshold =
        priority < thread->inherit_priority ? (uint8_t)priority : thread->inherit_priority;
}

/*
 * Changes the priority at once if nothing else must be done; otherwise returns false. The priority of a ready thread
 * can be changed at once only with several cores.
 */
static bool change_simply(struct kernel *kernel, unsigned number, unsigned priority)
{
    struct kernel_thread *thread = &kernel->threads[number];

    if (kernel->core_count == 1 || (thread->user_priority != priority && thread->inherit_priority >= priority &&
                                    !kernel_smp_priority_change(kernel, number, priority)))
        return false;
    thread->user_priority = thread->user_threshold = (uint8_t)priority;
    return true;
}

void kernel_thread_priority_change(struct kernel *kernel, unsigned number, unsigned priority)
{
    struct kernel_thread *thread = &kernel->threads[number];
    unsigned before = thread->priority;
    bool was_to_execute = kernel->cores[thread->mapped].execute == number;

    kernel_record(kernel, EV_PRIORITY_CHANGE, thread->address, priority, thread->priority, thread->state);
    if (thread->state != KERNEL_READY) {
        set_own_priority(thread, priority);
        return;
    }
    if (change_simply(kernel, number, priority))
        return;
    kernel->preempt_disable += 3;
    thread->state = KERNEL_PRIORITY_CHANGE;
    thread->suspending = true;
    thread->remaining = 0;
    kernel_window(kernel);
    kernel_suspend(kernel, number);
    set_own_priority(thread, priority);
    kernel_resume(kernel, number, ENDS_OTHERWISE);
    kernel->preempt_disable--;
    if (kernel->core_count > 1)
        kernel_smp_execute_again(kernel, number, was_to_execute, before < priority);
    else if (was_to_execute && kernel->here->execute != number && thread->state == KERNEL_READY &&
             thread->priority <= kernel->threads[kernel->here->execute].priority) {
        kernel->here->execute = (uint8_t)number;
        if (before < priority)
            line_turn(&kernel->ready[thread->priority], number);
    }
    kernel_preempt_check(kernel);
}

void kernel_thread_preemption_change(struct kernel *kernel, unsigned number, unsigned threshold)
{
    struct kernel_thread *thread = &kernel->threads[number];
    unsigned highest = kernel_highest(kernel);

    kernel_record(kernel, EV_PREEMPTION_CHANGE, thread->address, threshold, thread->threshold, thread->state);
    if (threshold > thread->user_priority)
        return;
    if (thread->user_priority == threshold && kernel->ready[thread->priority].count > 0 &&
        kernel->ready[thread->priority].at[0] == number)
        kernel->preempted &= ~(1u << thread->priority);
    thread->user_threshold = (uint8_t)threshold;
    thread->threshold = threshold < thread->inherit_priority ? (uint8_t)threshold : thread->inherit_priority;
    if (highest >= thread->priority || highest >= threshold || kernel->here->execute != number)
        return;
    if (thread->threshold != thread->priority)
        kernel->preempted |= 1u << thread->priority;
    kernel->here->execute = kernel->ready[highest].at[0];
    kernel_preempt_check(kernel);
}
