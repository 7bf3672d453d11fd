/* SPDX-License-Identifier: MIT */
/* Events, ready lists, suspension and resumption, and the choice of the running thread. */
#include "oracle/kernel.h"

#include <assert.h>
#include <string.h>

/* ---- lines ---- */

static unsigned place(const struct line *line, unsigned number)
{
    unsigned i = 0;

    while (i < line->count && line->at[i] != number)
        i++;
    return i;
}

bool line_has(const struct line *line, unsigned number)
{
    return place(line, number) < line->count;
}

void line_push(struct line *line, unsigned number)
{
    assert(line->count < KERNEL_LINE);
    line->at[line->count++] = (uint8_t)number;
}

void line_push_front(struct line *line, unsigned number)
{
    assert(line->count < KERNEL_LINE);
    memmove(line->at + 1, line->at, line->count++);
    line->at[0] = (uint8_t)number;
}

void line_remove(struct line *line, unsigned number)
{
    unsigned i = place(line, number);

    if (i < line->count)
        memmove(line->at + i, line->at + i + 1, --line->count - i);
}

void line_turn(struct line *line, unsigned number)
{
    while (line->count > 0 && line->at[0] != number) {
        uint8_t head = line->at[0];

        memmove(line->at, line->at + 1, line->count - 1u);
        line->at[line->count - 1] = head;
    }
}

/* ---- events ---- */

static bool is_quiet(const struct kernel *kernel)
{
    return kernel->here->depth > 0 && kernel->here->interrupts[kernel->here->depth - 1].quiet;
}

static uint32_t stack_pointer(const struct kernel *kernel)
{
    const struct kernel_thread *thread;

    if (kernel->initializing || kernel->here->depth > 0)
        return 0x2001FF00u - 64 * kernel->here->depth;
    thread = &kernel->threads[kernel->here->current];
    return thread->stack + (thread->stack_bytes - 16) - (uint32_t)(kernel->now * 2654435761u >> 7) % 900 / 4 * 4;
}

static uint32_t word(const struct kernel *kernel, uint32_t value)
{
    return value == STACK ? stack_pointer(kernel) : value;
}

void kernel_elapse(struct kernel *kernel, uint32_t ticks)
{
    if (kernel->core_count > 1)
        ticks = kernel_smp_elapse(kernel, ticks);
    kernel->now += ticks;
    kernel->world.time(kernel->world.self, ticks);
}

/* Imitates TX_TRACE_IN_LINE_INSERT. */
int kernel_record(struct kernel *kernel, enum kernel_event id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4)
{
    struct kernel_entry *entry = &kernel->events[kernel->count];
    uint32_t address = kernel->here->current != NOBODY ? kernel->threads[kernel->here->current].address : 0, ticks = 0;

    assert(kernel->count < KERNEL_EVENTS);
    kernel->world.before_event(kernel->world.self);
    if (!is_quiet(kernel)) /* an interrupt takes no time before it records its first event */
        ticks = kernel->world.elapse(kernel->world.self);
    kernel_elapse(kernel, ticks);
    *entry = (struct kernel_entry){.id = id, .core = (uint8_t)(kernel->here - kernel->cores), .ticks = kernel->now};
    if (kernel->initializing) {
        entry->thread = 0xF0F0F0F0u;
    } else if (kernel->here->depth > 0) {
        entry->thread = 0xFFFFFFFFu;
        entry->priority = address;
    } else {
        const struct kernel_thread *thread = &kernel->threads[kernel->here->current];

        entry->thread = address;
        entry->priority = thread->priority | 0x80000000u | (uint32_t)thread->threshold << 16;
    }
    entry->info[0] = word(kernel, i1);
    entry->info[1] = word(kernel, i2);
    entry->info[2] = word(kernel, i3);
    entry->info[3] = word(kernel, i4);
    if (kernel->here->depth > 0)
        kernel->here->interrupts[kernel->here->depth - 1].quiet = false;
    kernel->count++;
    kernel->world.event(kernel->world.self);
    return (int)kernel->count - 1;
}

void kernel_window(struct kernel *kernel)
{
    kernel->world.window(kernel->world.self);
}

static uint32_t address_of(const struct kernel *kernel, unsigned thread)
{
    return thread != NOBODY ? kernel->threads[thread].address : 0;
}

static void patch_next(struct kernel *kernel, int event)
{
    kernel->events[event].info[3] = address_of(kernel, kernel->here->execute);
}

/* ---- the running thread ---- */

unsigned kernel_highest(const struct kernel *kernel)
{
    unsigned priority = 0;

    while (priority < KERNEL_PRIORITIES && kernel->ready[priority].count == 0)
        priority++;
    return priority;
}

static void preempted_clear(struct kernel *kernel, unsigned priority)
{
    kernel->preempted &= ~(1u << priority);
}

/* The current thread leaves the core, and the thread to execute runs: _tx_thread_system_return, _tx_thread_schedule. */
static void system_return(struct kernel *kernel)
{
    if (kernel->core_count > 1) {
        kernel_smp_follow(kernel, kernel->here);
        return;
    }
    if (kernel->here->current != NOBODY && kernel->here->time_slice != 0)
        kernel->threads[kernel->here->current].slice = kernel->here->time_slice;
    kernel->here->time_slice = 0;
    kernel->here->current = kernel->here->execute;
    if (kernel->here->current != NOBODY)
        kernel->here->time_slice = kernel->threads[kernel->here->current].slice;
}

/* Imitates TX_THREAD_SYSTEM_RETURN_CHECK. */
static void return_check(struct kernel *kernel)
{
    if (!kernel->initializing && kernel->here->depth == 0 && kernel->preempt_disable == 0)
        system_return(kernel);
}

void kernel_preempt_check(struct kernel *kernel)
{
    if (kernel->here->current != kernel->here->execute)
        return_check(kernel);
}

void kernel_start(struct kernel *kernel)
{
    kernel->initializing = false;
    system_return(kernel);
}

/* ---- resumption ---- */

/* Puts the thread into its ready list. Returns true if it displaces the thread to execute. */
static bool make_ready(struct kernel *kernel, unsigned number)
{
    struct kernel_thread *thread = &kernel->threads[number];
    const struct kernel_thread *execute;
    bool first = kernel->ready[thread->priority].count == 0;
    unsigned highest = kernel_highest(kernel);

    thread->state = KERNEL_READY;
    line_push(&kernel->ready[thread->priority], number);
    if (kernel->core_count > 1) {
        kernel_smp_place(kernel, number);
        return false;
    }
    if (!first || thread->priority >= highest)
        return false;
    if (kernel->here->execute == NOBODY) {
        kernel->here->execute = (uint8_t)number;
        return false;
    }
    execute = &kernel->threads[kernel->here->execute];
    if (thread->priority >= execute->threshold)
        return false;
    if (execute->threshold != execute->priority)
        kernel->preempted |= 1u << execute->priority;
    kernel->here->execute = (uint8_t)number;
    return true;
}

static void end_wait(struct kernel *kernel, unsigned number, enum kernel_state state, enum kernel_ending ending)
{
    if (state != KERNEL_PRIORITY_CHANGE)
        kernel->world.ready(kernel->world.self, number, ending);
}

/*
 * If a suspension was requested while the thread waited, suspends the thread now that it is resumed. No event records
 * this suspension.
 */
static void suspend_after_all(struct kernel *kernel, unsigned number)
{
    kernel->threads[number].delayed_suspend = false;
    kernel->threads[number].state = KERNEL_SUSPENDED;
    if (!kernel->threads[number].suspending)
        kernel->world.blocked(kernel->world.self, number);
}

void kernel_resume(struct kernel *kernel, unsigned number, enum kernel_ending ending)
{
    struct kernel_thread *thread = &kernel->threads[number];
    enum kernel_state state = thread->state;
    bool displaces = false;
    int event;

    kernel_timer_deactivate(kernel, number);
    thread->remaining = 0;
    event = kernel_record(kernel, EV_RESUME, thread->address, state, STACK, address_of(kernel, kernel->here->execute));
    kernel->preempt_disable--;
    if (!thread->suspending && state != KERNEL_READY) {
        end_wait(kernel, number, state, ending);
        if (thread->delayed_suspend)
            suspend_after_all(kernel, number);
        else
            displaces = make_ready(kernel, number);
    } else if (thread->suspending && state != KERNEL_COMPLETED && state != KERNEL_TERMINATED) {
        end_wait(kernel, number, state, ending);
        if (thread->delayed_suspend) {
            suspend_after_all(kernel, number);
        } else {
            thread->suspending = false;
            thread->state = KERNEL_READY;
        }
    }
    patch_next(kernel, event);
    if (displaces || kernel->here->current != kernel->here->execute)
        return_check(kernel);
}

/* ---- suspension ---- */

/*
 * Chooses the next thread to execute. A thread with a preemption threshold that was displaced earlier takes precedence
 * over others if it is first in turn.
 */
static void execute_next(struct kernel *kernel)
{
    unsigned highest = kernel_highest(kernel), priority = 0;

    kernel->here->execute = kernel->ready[highest].at[0];
    if (kernel->preempted == 0)
        return;
    kernel->preempt_disable++;
    kernel_window(kernel);
    kernel->preempt_disable--;
    while (priority < KERNEL_PRIORITIES && (kernel->preempted >> priority & 1) == 0)
        priority++;
    if (priority == KERNEL_PRIORITIES)
        return; /* an interrupt suspended the thread; ThreadX would read bit 0 of an empty map here */
    if (kernel_highest(kernel) >= kernel->threads[kernel->ready[priority].at[0]].threshold) {
        kernel->here->execute = kernel->ready[priority].at[0];
        preempted_clear(kernel, priority);
    }
}

/* Takes the thread out of its ready list. Returns true if another thread is to execute now. */
static bool make_unready(struct kernel *kernel, unsigned number)
{
    struct kernel_thread *thread = &kernel->threads[number];
    struct line *list = &kernel->ready[thread->priority];
    bool head = list->at[0] == number;

    if (kernel->core_count > 1) {
        kernel_smp_remove(kernel, number);
        return false;
    }
    line_remove(list, number);
    if (head)
        preempted_clear(kernel, thread->priority);
    if (kernel_highest(kernel) == KERNEL_PRIORITIES) {
        kernel->here->execute = NOBODY;
        return true;
    }
    if (number != kernel->here->execute)
        return false;
    execute_next(kernel);
    return true;
}

void kernel_suspend(struct kernel *kernel, unsigned number)
{
    struct kernel_thread *thread = &kernel->threads[number];
    bool changed = false;

    if (number == kernel->here->current) {
        if (thread->remaining != WAIT_NOT && thread->remaining != WAIT_FOR_EVER) {
            kernel->timers[number].remaining = thread->remaining;
            kernel_timer_activate(kernel, number);
        }
        kernel->here->time_slice = thread->new_slice;
    }
    kernel->preempt_disable--;
    if (thread->suspending) {
        int event = kernel_record(kernel, EV_SUSPEND, thread->address, thread->state, STACK,
                                  address_of(kernel, kernel->here->execute));

        if (thread->state != KERNEL_PRIORITY_CHANGE)
            kernel->world.blocked(kernel->world.self, number);
        thread->suspending = false;
        changed = make_unready(kernel, number);
        patch_next(kernel, event);
    }
    if (kernel->here->depth == 0 && kernel->preempt_disable == 0 && changed)
        kernel_window(kernel); /* the thread is suspended, but still the current thread */
    if (changed || kernel->here->current != kernel->here->execute)
        return_check(kernel);
}

/* ---- inherited priorities ---- */

static void set_priority(struct kernel_thread *thread, unsigned priority)
{
    thread->priority = (uint8_t)priority;
    thread->threshold = thread->user_threshold < priority ? thread->user_threshold : (uint8_t)priority;
}

/*
 * Chooses the thread to execute after a change of priority. The same thread continues unless another thread has become
 * more urgent.
 */
static void execute_again(struct kernel *kernel, unsigned number, bool was_to_execute, bool lowered)
{
    const struct kernel_thread *thread = &kernel->threads[number], *next;

    if (kernel->core_count > 1) {
        kernel_smp_execute_again(kernel, number, was_to_execute, lowered);
        return;
    }
    if (kernel->here->execute == number || thread->state != KERNEL_READY)
        return;
    next = &kernel->threads[kernel->here->execute];
    if (thread->priority <= next->priority) {
        if (!was_to_execute)
            return;
    } else if (thread->threshold >= thread->priority) {
        return;
    } else if (thread->threshold > next->priority) {
        kernel->preempted |= 1u << thread->priority;
        return;
    }
    kernel->here->execute = (uint8_t)number;
    if (lowered)
        line_turn(&kernel->ready[thread->priority], number);
}

/* Imitates _tx_mutex_priority_change. */
void kernel_mutex_priority_change(struct kernel *kernel, unsigned number, unsigned priority)
{
    struct kernel_thread *thread = &kernel->threads[number];
    unsigned before = thread->priority;
    bool was_to_execute = kernel->cores[thread->mapped].execute == number;

    if (thread->state != KERNEL_READY) {
        set_priority(thread, priority);
        return;
    }
    if (kernel->core_count > 1 && kernel_smp_priority_change(kernel, number, priority))
        return;
    kernel->preempt_disable += 2;
    thread->state = KERNEL_PRIORITY_CHANGE;
    thread->suspending = true;
    thread->remaining = 0;
    kernel_suspend(kernel, number);
    set_priority(thread, priority);
    kernel_resume(kernel, number, ENDS_OTHERWISE);
    execute_again(kernel, number, was_to_execute, before < priority);
}

/* ---- start ---- */

void kernel_init(struct kernel *kernel, const struct kernel_world *world, unsigned cores)
{
    memset(kernel, 0, offsetof(struct kernel, events));
    kernel->count = 0;
    kernel->world = *world;
    kernel->initializing = true;
    kernel->here = kernel->cores;
    kernel->core_count = cores;
    for (unsigned i = 0; i < KERNEL_CORES; i++)
        kernel->cores[i].current = kernel->cores[i].execute = NOBODY;
    kernel->thread_count = 1;
    for (unsigned i = 0; i < KERNEL_THREADS; i++) {
        kernel->threads[i].address = 0x20001000u + 0x100 * i;
        kernel->threads[i].stack = 0x20010000u + 0x400 * i;
        kernel->threads[i].stack_bytes = 0x400;
        kernel->threads[i].object = kernel->threads[i].releasing = NOBODY;
        kernel->threads[i].patch = -1;
    }
    for (unsigned i = 0; i < KERNEL_THREADS + KERNEL_TIMERS; i++)
        kernel->timers[i].slot = -1;
    kernel->threads[0].exists = true;
    kernel->threads[0].state = KERNEL_SUSPENDED;
    kernel->threads[0].inherit_priority = KERNEL_PRIORITIES;
}
