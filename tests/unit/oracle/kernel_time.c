/* SPDX-License-Identifier: MIT */
/* Interrupts, time slices, and the timer wheel. The timer thread or the timer interrupt advances the wheel. */
#include "oracle/kernel.h"

#include <assert.h>

/* ---- interrupts ---- */

void kernel_interrupt_enter(struct kernel *kernel, uint32_t number, bool traced)
{
    uint32_t ticks;

    assert(kernel->here->depth < KERNEL_DEPTH);
    kernel->world.before_event(kernel->world.self);
    ticks = kernel->here->depth > 0 && kernel->here->interrupts[kernel->here->depth - 1].quiet
                ? 0
                : kernel->world.elapse(kernel->world.self);
    kernel_elapse(kernel, ticks);
    kernel->here->interrupts[kernel->here->depth].number = number;
    kernel->here->interrupts[kernel->here->depth].traced = traced;
    kernel->here->interrupts[kernel->here->depth++].quiet = true;
    if (traced)
        kernel_record(kernel, EV_ISR_ENTER, STACK, number, kernel->here->depth, kernel->preempt_disable);
}

/* Imitates _tx_thread_context_restore. */
void kernel_interrupt_leave(struct kernel *kernel)
{
    if (kernel->here->interrupts[kernel->here->depth - 1].traced)
        kernel_record(kernel, EV_ISR_EXIT, STACK, kernel->here->interrupts[kernel->here->depth - 1].number,
                      kernel->here->depth, kernel->preempt_disable);
    kernel->here->depth--;
    kernel_preempt_check(kernel);
}

/* ---- time slices ---- */

/* Imitates _tx_thread_time_slice. */
static void end_slice(struct kernel *kernel)
{
    bool was_to_execute = kernel->here->execute == kernel->here->current;
    uint32_t next;

    if (kernel->here->current != NOBODY && kernel->threads[kernel->here->current].state == KERNEL_READY) {
        struct kernel_thread *thread = &kernel->threads[kernel->here->current];
        struct line *list = &kernel->ready[thread->priority];

        thread->slice = thread->new_slice;
        kernel->here->time_slice = thread->slice;
        if (list->count > 1 && thread->priority == thread->threshold) {
            line_turn(list, kernel->here->current);
            line_turn(list, list->at[1]);
            kernel->here->execute = kernel->ready[kernel_highest(kernel)].at[0];
        }
    }
    next = kernel->here->execute != NOBODY ? kernel->threads[kernel->here->execute].address : 0;
    kernel_record(kernel, EV_TIME_SLICE, next, kernel->here->depth, kernel->preempt_disable, STACK);
    if (was_to_execute)
        kernel->here->slice_displaced = kernel->here->execute != kernel->here->current;
}

/* ---- the timer wheel ---- */

void kernel_timer_activate(struct kernel *kernel, unsigned number)
{
    struct kernel_timer *timer = &kernel->timers[number];

    if (timer->remaining == 0 || timer->remaining == WAIT_FOR_EVER || timer->slot >= 0)
        return;
    timer->slot =
        (int)((kernel->slot + (timer->remaining > KERNEL_SLOTS ? KERNEL_SLOTS : timer->remaining) - 1) % KERNEL_SLOTS);
    line_push(&kernel->slots[timer->slot], number);
}

void kernel_timer_deactivate(struct kernel *kernel, unsigned number)
{
    struct kernel_timer *timer = &kernel->timers[number];

    if (timer->slot >= 0)
        line_remove(timer->slot == KERNEL_SLOTS ? &kernel->expired : &kernel->slots[timer->slot], number);
    timer->slot = -1;
}

/* Takes the expired timers from the current slot, and advances the wheel by one slot. */
static void take_expired(struct kernel *kernel)
{
    kernel->expired = kernel->slots[kernel->slot];
    kernel->slots[kernel->slot].count = 0;
    for (unsigned i = 0; i < kernel->expired.count; i++)
        kernel->timers[kernel->expired.at[i]].slot = KERNEL_SLOTS;
    kernel->slot = (kernel->slot + 1) % KERNEL_SLOTS;
    kernel->timer_expired = false;
    kernel_window(kernel);
}

static void expire_next(struct kernel *kernel)
{
    unsigned number = kernel->expired.at[0];
    struct kernel_timer *timer = &kernel->timers[number];
    bool expires = timer->remaining <= KERNEL_SLOTS;

    line_remove(&kernel->expired, number);
    timer->slot = -1;
    timer->remaining = expires ? timer->reinitialize : timer->remaining - KERNEL_SLOTS;
    if (expires && number < KERNEL_THREADS)
        kernel_thread_timeout(kernel, number);
    else if (expires)
        kernel->world.timer(kernel->world.self, number - KERNEL_THREADS);
    if (number >= KERNEL_THREADS || !expires)
        kernel_timer_activate(kernel, number);
    kernel_window(kernel);
}

/* Imitates _tx_timer_thread_entry. */
void kernel_timer_thread(struct kernel *kernel)
{
    struct kernel_thread *thread = &kernel->threads[0];

    if (!kernel->timer_active) {
        kernel->timer_active = true;
        take_expired(kernel);
        return;
    }
    if (kernel->expired.count > 0) {
        expire_next(kernel);
        return;
    }
    kernel->timer_active = false;
    if (kernel->timer_expired)
        return;
    thread->state = KERNEL_SUSPENDED;
    thread->suspending = true;
    kernel->preempt_disable++;
    kernel_window(kernel);
    kernel_suspend(kernel, 0);
}

/* Imitates _tx_timer_expiration_process. */
static void expire_in_interrupt(struct kernel *kernel)
{
    if (kernel->timer_active)
        return;
    kernel->timer_active = true;
    while (kernel->timer_expired) {
        take_expired(kernel);
        while (kernel->expired.count > 0)
            expire_next(kernel);
    }
    kernel->timer_active = false;
}

static void expire(struct kernel *kernel)
{
    if (kernel->timer_in_isr) {
        expire_in_interrupt(kernel);
        return;
    }
    kernel->preempt_disable++;
    kernel_resume(kernel, 0, ENDS_OTHERWISE);
}

/* Imitates _tx_timer_interrupt. */
void kernel_tick(struct kernel *kernel)
{
    bool slice_ends = kernel->core_count == 1 && kernel->here->time_slice == 1;

    if (kernel->core_count == 1 && kernel->here->time_slice > 0)
        kernel->here->time_slice--;
    if (kernel->slots[kernel->slot].count > 0)
        kernel->timer_expired = true;
    else
        kernel->slot = (kernel->slot + 1) % KERNEL_SLOTS;
    if (kernel->timer_expired)
        expire(kernel);
    if (slice_ends)
        end_slice(kernel);
    if (kernel->core_count > 1)
        kernel_smp_time_slice(kernel);
}
