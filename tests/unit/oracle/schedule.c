/* SPDX-License-Identifier: MIT */
#include "oracle/schedule.h"

#include <string.h>

#include "txtap/registry.h"

const char *const schedule_features[FEATURES] = {
    "interrupts",       "silent",          "nesting",          "windows",       "semaphores",
    "queues",           "flags",           "mutexes",          "plain mutexes", "pools",
    "timeouts",         "timer interrupt", "timers",           "slices",        "thresholds",
    "priorities",       "suspensions",     "late suspensions", "aborts",        "termination",
    "terminated waits", "resets",          "creation",         "deletion",      "last puts",
};

static unsigned below(struct schedule *schedule, unsigned limit)
{
    uint64_t x = schedule->random += 0x9E3779B97F4A7C15u;

    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (unsigned)((x ^ x >> 31) % limit);
}

static bool with(const struct schedule *schedule, enum schedule_feature feature)
{
    return (schedule->features >> feature & 1) != 0;
}

static bool may(struct schedule *schedule, enum schedule_feature feature, unsigned one_in)
{
    return with(schedule, feature) && below(schedule, one_in) == 0;
}

static bool is_full(const struct schedule *schedule)
{
    return schedule->kernel.count >= schedule->events;
}

/* ---- choices ---- */

/* Returns an object of type `type`; NOBODY: no such object. */
static unsigned any_object(struct schedule *schedule, unsigned type)
{
    unsigned found[KERNEL_OBJECTS], count = 0;

    for (unsigned i = 0; i < schedule->kernel.object_count; i++)
        if (schedule->kernel.objects[i].type == type && schedule->kernel.objects[i].exists)
            found[count++] = i;
    return count > 0 ? found[below(schedule, count)] : NOBODY;
}

static uint32_t any_wait(struct schedule *schedule, bool may_wait)
{
    unsigned choice = below(schedule, 4);

    if (!may_wait || choice == 0)
        return WAIT_NOT;
    if (choice == 1 || !with(schedule, WITH_TIMEOUTS))
        return WAIT_FOR_EVER;
    return 1 + below(schedule, below(schedule, 8) == 0 ? 70 : 4);
}

/* Returns an existing thread of the application. It may be the current thread. */
static unsigned any_thread(struct schedule *schedule)
{
    unsigned thread = 1 + below(schedule, schedule->kernel.thread_count - 1);

    return schedule->kernel.threads[thread].exists ? thread : NOBODY;
}

static void remember(struct schedule *schedule, unsigned object, uint32_t address)
{
    if (address == 0 || schedule->memory_count == sizeof(schedule->memory) / sizeof(*schedule->memory))
        return;
    schedule->memory[schedule->memory_count].object = (uint8_t)object;
    schedule->memory[schedule->memory_count++].address = address;
}

/* ---- calls ---- */

static void call_semaphore(struct schedule *schedule, unsigned object, bool may_wait)
{
    switch (below(schedule, 8)) {
    case 0:
    case 1:
    case 2:
        (void)kernel_semaphore_put(&schedule->kernel, object);
        break;
    case 3:
        (void)kernel_semaphore_ceiling_put(&schedule->kernel, object, 1 + below(schedule, 2));
        break;
    default:
        (void)kernel_semaphore_get(&schedule->kernel, object, any_wait(schedule, may_wait));
        break;
    }
}

static void call_queue(struct schedule *schedule, unsigned object, bool may_wait)
{
    if (below(schedule, 30) == 0)
        kernel_queue_flush(&schedule->kernel, object);
    else if (below(schedule, 2) == 0)
        (void)kernel_queue_send(&schedule->kernel, object, any_wait(schedule, may_wait), below(schedule, 3) == 0);
    else
        (void)kernel_queue_receive(&schedule->kernel, object, any_wait(schedule, may_wait));
}

static void call_flags(struct schedule *schedule, unsigned object, bool may_wait)
{
    uint32_t flags = 1 + below(schedule, 7);

    if (below(schedule, 2) == 0)
        kernel_flags_set(&schedule->kernel, object, flags, below(schedule, 6) == 0 ? 2 : 0);
    else
        (void)kernel_flags_get(&schedule->kernel, object, flags, below(schedule, 4), any_wait(schedule, may_wait));
}

static void release_memory(struct schedule *schedule)
{
    unsigned i = below(schedule, schedule->memory_count), object = schedule->memory[i].object;
    uint32_t address = schedule->memory[i].address;

    schedule->memory[i] = schedule->memory[--schedule->memory_count];
    if (schedule->kernel.objects[object].type == TXTAP_OBJECT_BLOCK_POOL)
        kernel_block_release(&schedule->kernel, object, address);
    else
        kernel_byte_release(&schedule->kernel, object, address);
}

static void call_pool(struct schedule *schedule, bool may_wait)
{
    bool blocks = below(schedule, 2) == 0;
    unsigned object = any_object(schedule, blocks ? TXTAP_OBJECT_BLOCK_POOL : TXTAP_OBJECT_BYTE_POOL);
    unsigned event = schedule->kernel.count;
    uint32_t wait = any_wait(schedule, may_wait);
    enum kernel_outcome outcome;

    if (!may_wait || object == NOBODY)
        return;
    if (schedule->memory_count > 0 && below(schedule, 2) == 0) {
        release_memory(schedule);
        return;
    }
    outcome = blocks ? kernel_block_allocate(&schedule->kernel, object, wait)
                     : kernel_byte_allocate(&schedule->kernel, object, 8 * (1 + below(schedule, 6)), wait);
    if (outcome == OUTCOME_DONE)
        remember(schedule, object, schedule->kernel.events[event].info[1]);
}

static void call_mutex(struct schedule *schedule, unsigned object)
{
    const struct kernel_object *mutex = &schedule->kernel.objects[object];
    bool own = mutex->owner == schedule->kernel.here->current && mutex->count > 0;

    if (below(schedule, 25) == 0)
        kernel_mutex_prioritize(&schedule->kernel, object);
    else if (own ? below(schedule, 4) > 0 : below(schedule, 20) == 0)
        (void)kernel_mutex_put(&schedule->kernel, object);
    else
        (void)kernel_mutex_get(&schedule->kernel, object, any_wait(schedule, true));
}

/* Calls a service of an object, such as a put, a send or a set. Interrupts and timers may make these calls, too. */
static void call_object(struct schedule *schedule, bool may_wait)
{
    static const struct {
        enum schedule_feature feature;
        unsigned type;
    } kinds[] = {{WITH_SEMAPHORES, TXTAP_OBJECT_SEMAPHORE},
                 {WITH_QUEUES, TXTAP_OBJECT_QUEUE},
                 {WITH_FLAGS, TXTAP_OBJECT_EVENT_FLAGS},
                 {WITH_POOLS, TXTAP_OBJECT_BLOCK_POOL}};
    unsigned kind = below(schedule, 4), object;

    if (!with(schedule, kinds[kind].feature))
        return;
    object = any_object(schedule, kinds[kind].type);
    if (object == NOBODY)
        return;
    if (kind == 0)
        call_semaphore(schedule, object, may_wait);
    else if (kind == 1)
        call_queue(schedule, object, may_wait);
    else if (kind == 2)
        call_flags(schedule, object, may_wait);
    else
        call_pool(schedule, may_wait);
}

static bool waits(const struct kernel_thread *thread)
{
    return thread->state > KERNEL_SUSPENDED;
}

static bool has_ended(const struct kernel_thread *thread)
{
    return thread->state == KERNEL_COMPLETED || thread->state == KERNEL_TERMINATED;
}

static void call_suspend(struct schedule *schedule, unsigned number)
{
    struct kernel *kernel = &schedule->kernel;
    const struct kernel_thread *thread = &kernel->threads[number];

    if (thread->state == KERNEL_SUSPENDED || thread->delayed_suspend)
        kernel_thread_resume(kernel, number);
    else if (!waits(thread) || with(schedule, WITH_LATE_SUSPENSIONS))
        kernel_thread_suspend(kernel, number);
}

static void create_thread(struct schedule *schedule, unsigned number)
{
    static const uint8_t priorities[] = {3, 5, 5, 8, 10, 15, 20};
    struct kernel_thread_setup setup = {.priority = priorities[below(schedule, sizeof(priorities))],
                                        .start = below(schedule, 6) > 0};

    setup.threshold = may(schedule, WITH_THRESHOLDS, 3) ? below(schedule, setup.priority + 1) : setup.priority;
    setup.slice = may(schedule, WITH_SLICES, 2) ? 1 + below(schedule, 3) : 0;
    kernel_thread_create(&schedule->kernel, number, &setup);
}

/* Returns true if no core has the thread any longer. */
static bool has_left(const struct kernel *kernel, unsigned number)
{
    for (unsigned i = 0; i < kernel->core_count; i++)
        if (kernel->cores[i].current == number)
            return false;
    return true;
}

/* Creates, suspends, terminates or otherwise changes the life of a thread, which may be the current thread. */
static void call_life(struct schedule *schedule, unsigned number)
{
    struct kernel *kernel = &schedule->kernel;
    const struct kernel_thread *thread = &kernel->threads[number];

    if (!thread->exists) {
        create_thread(schedule, number);
    } else if (has_ended(thread) && has_left(kernel, number)) {
        if (may(schedule, WITH_RESETS, 2))
            kernel_thread_reset(kernel, number);
        else if (with(schedule, WITH_CREATION))
            kernel_thread_delete(kernel, number);
    } else if (has_ended(thread)) {
        return;
    } else if (number == kernel->here->current &&
               (below(schedule, 2) == 0 || (thread->owned.count > 0 && !with(schedule, WITH_LAST_PUTS)))) {
        kernel_thread_complete(kernel);
    } else if (!waits(thread) || with(schedule, WITH_TERMINATED_WAITS)) {
        kernel_thread_terminate(kernel, number);
    }
}

static void call_priority(struct schedule *schedule, unsigned number)
{
    struct kernel *kernel = &schedule->kernel;
    const struct kernel_thread *thread = &kernel->threads[number];

    if (may(schedule, WITH_THRESHOLDS, 2))
        kernel_thread_preemption_change(kernel, number, below(schedule, thread->user_priority + 1u));
    else if (with(schedule, WITH_PRIORITY_CHANGES))
        kernel_thread_priority_change(kernel, number, 3 + below(schedule, 18));
}

static void call_deletion(struct schedule *schedule)
{
    struct kernel *kernel = &schedule->kernel;
    unsigned number = kernel->object_count > 0 ? below(schedule, kernel->object_count) : NOBODY;
    const struct kernel_object *object;

    if (number == NOBODY)
        return;
    object = &kernel->objects[number];
    if (object->type == TXTAP_OBJECT_BLOCK_POOL || object->type == TXTAP_OBJECT_BYTE_POOL)
        return;
    if (object->exists)
        kernel_object_delete(kernel, number);
    else
        kernel_object_create_again(kernel, number, 0);
}

/* Calls a service of a thread. Threads, interrupts and timers may make these calls. */
static void call_thread(struct schedule *schedule)
{
    unsigned thread = any_thread(schedule);

    if (thread == NOBODY)
        return;
    if (may(schedule, WITH_SUSPENSIONS, 2))
        call_suspend(schedule, thread);
    else if (with(schedule, WITH_ABORTS))
        kernel_thread_wait_abort(&schedule->kernel, thread);
}

/* ---- interrupts ---- */

static void call_in_interrupt(struct schedule *schedule)
{
    if (below(schedule, 6) == 0)
        call_thread(schedule);
    else if (below(schedule, 12) == 0)
        kernel_record(&schedule->kernel, EV_TIME_GET, (uint32_t)schedule->kernel.now, STACK, 0, 0);
    else
        call_object(schedule, false);
}

static void interrupt(struct schedule *schedule)
{
    struct kernel *kernel = &schedule->kernel;
    bool tick = below(schedule, 2) == 0, traced = with(schedule, WITH_INTERRUPTS);

    if (kernel->here->depth >= 3 || is_full(schedule))
        return;
    if (with(schedule, WITH_SILENT))
        traced = traced && (tick ? below(schedule, 4) == 0 : below(schedule, 2) == 0);
    kernel_interrupt_enter(kernel, tick ? 15 : 30 + below(schedule, 3), traced);
    if (tick)
        kernel_tick(kernel);
    for (unsigned calls = below(schedule, 3); calls > 0 && !tick; calls--) {
        if (may(schedule, WITH_NESTING, 4))
            interrupt(schedule);
        call_in_interrupt(schedule);
    }
    kernel_interrupt_leave(kernel);
}

static void window(void *self)
{
    struct schedule *schedule = self;

    if (!schedule->kernel.initializing && may(schedule, WITH_WINDOWS, 12) &&
        (schedule->kernel.here->depth == 0 || with(schedule, WITH_NESTING)))
        interrupt(schedule);
}

static void timer(void *self, unsigned number)
{
    struct schedule *schedule = self;

    (void)number;
    for (unsigned calls = 1 + below(schedule, 2); calls > 0 && !is_full(schedule); calls--)
        call_in_interrupt(schedule);
}

static uint32_t elapse(void *self)
{
    struct schedule *schedule = self;

    return below(schedule, 4) == 0 ? below(schedule, 200) : below(schedule, 6);
}

/* ---- threads ---- */

/* Does the remaining part of the thread's last service. Returns false if nothing remains. */
static bool go_on(struct schedule *schedule)
{
    struct kernel_thread *thread = &schedule->kernel.threads[schedule->kernel.here->current];
    unsigned object = thread->releasing;

    if (thread->patch >= 0) {
        schedule->kernel.events[thread->patch].info[1] = thread->granted;
        remember(schedule, thread->object, thread->granted);
        thread->patch = -1;
    }
    if (object == NOBODY)
        return false;
    thread->releasing = NOBODY;
    kernel_byte_release_goes_on(&schedule->kernel, object);
    return true;
}

static void call_as_thread(struct schedule *schedule)
{
    struct kernel *kernel = &schedule->kernel;
    unsigned mutex = any_object(schedule, TXTAP_OBJECT_MUTEX), thread = 1 + below(schedule, kernel->thread_count - 1);

    switch (below(schedule, 16)) {
    case 0:
        kernel_record(kernel, EV_TIME_GET, (uint32_t)kernel->now, STACK, 0, 0);
        break;
    case 1:
        kernel_thread_sleep(kernel, 1 + below(schedule, 4));
        break;
    case 2:
        kernel_thread_relinquish(kernel);
        break;
    case 3:
        call_thread(schedule);
        break;
    case 4:
        if (may(schedule, WITH_TERMINATION, 2))
            call_life(schedule, thread);
        break;
    case 5:
        if (kernel->threads[thread].exists)
            call_priority(schedule, thread);
        break;
    case 6:
        if (may(schedule, WITH_DELETION, 2))
            call_deletion(schedule);
        break;
    case 7:
    case 8:
    case 9:
    case 10:
    case 11:
        if (mutex != NOBODY)
            call_mutex(schedule, mutex);
        break;
    default:
        call_object(schedule, true);
        break;
    }
}

static void step(struct schedule *schedule)
{
    struct kernel *kernel = &schedule->kernel;

    if (kernel->here->current == NOBODY || below(schedule, 6) == 0)
        interrupt(schedule);
    else if (kernel->here->current == 0)
        kernel_timer_thread(kernel);
    else if (!go_on(schedule))
        call_as_thread(schedule);
}

/* ---- several cores ---- */

static uint32_t delay(void *self, uint32_t ticks)
{
    struct schedule *schedule = self;

    return below(schedule, 3) > 0 ? below(schedule, ticks + 1) : ticks + 1;
}

static void enter_interrupt(struct schedule *schedule)
{
    struct kernel *kernel = &schedule->kernel;
    bool tick = kernel->here == kernel->cores && below(schedule, 2) == 0, traced = with(schedule, WITH_INTERRUPTS);

    if (with(schedule, WITH_SILENT))
        traced = traced && below(schedule, 2) == 0;
    kernel_interrupt_enter(kernel, tick ? 15 : 30 + below(schedule, 3), traced);
    if (tick)
        kernel_tick(kernel);
    for (unsigned calls = 0; kernel->here->interrupts[kernel->here->depth - 1].quiet && calls < 2; calls++)
        call_in_interrupt(schedule);
    if (kernel->here->interrupts[kernel->here->depth - 1].quiet) /* an interrupt without events ends at once */
        kernel_interrupt_leave(kernel);
}

/* Makes a step in an interrupt. Other cores run during the interrupt. */
static void step_in_interrupt(struct schedule *schedule)
{
    if (below(schedule, 3) == 0)
        call_in_interrupt(schedule);
    else if (may(schedule, WITH_NESTING, 4) && schedule->kernel.here->depth < 3)
        enter_interrupt(schedule);
    else
        kernel_interrupt_leave(&schedule->kernel);
}

/*
 * Returns true if the current thread may act. If it is suspended, its core first takes the inter-core interrupt.
 */
static bool may_act(const struct kernel *kernel)
{
    const struct kernel_core *core = kernel->here;

    return core->current != NOBODY && kernel->threads[core->current].state == KERNEL_READY;
}

static void step_of_core(struct schedule *schedule)
{
    struct kernel *kernel = &schedule->kernel;

    kernel->here = &kernel->cores[below(schedule, kernel->core_count)];
    if (kernel_smp_is_due(kernel, kernel->here) && (!may_act(kernel) || below(schedule, 4) > 0)) {
        truth_before_event(&schedule->truth);
        kernel_elapse(kernel, below(schedule, 4));
        if (kernel_smp_is_due(kernel, kernel->here))
            kernel_smp_follow(kernel, kernel->here);
        truth_before_event(&schedule->truth);
        return;
    }
    if (kernel->here->depth > 0)
        step_in_interrupt(schedule);
    else if (!may_act(kernel) || below(schedule, 6) == 0)
        enter_interrupt(schedule);
    else if (kernel->here->current == 0)
        kernel_timer_thread(kernel);
    else if (!go_on(schedule))
        call_as_thread(schedule);
}

/* ---- the firmware's start ---- */

static void add_objects(struct schedule *schedule)
{
    struct kernel *kernel = &schedule->kernel;

    for (unsigned i = 0; i < 2; i++) {
        if (with(schedule, WITH_SEMAPHORES))
            kernel_object_add(kernel, TXTAP_OBJECT_SEMAPHORE, below(schedule, 3), 0, false);
        if (with(schedule, WITH_QUEUES))
            kernel_object_add(kernel, TXTAP_OBJECT_QUEUE, 0, 1 + below(schedule, 3), false);
        if (with(schedule, WITH_MUTEXES))
            kernel_object_add(kernel, TXTAP_OBJECT_MUTEX, 0, 0, true);
        if (with(schedule, WITH_PLAIN_MUTEXES))
            kernel_object_add(kernel, TXTAP_OBJECT_MUTEX, 0, 0, false);
    }
    if (with(schedule, WITH_FLAGS))
        kernel_object_add(kernel, TXTAP_OBJECT_EVENT_FLAGS, 0, 0, false);
    if (!with(schedule, WITH_POOLS))
        return;
    kernel_object_add(kernel, TXTAP_OBJECT_BLOCK_POOL, 2, 2, false);
    kernel_object_add(kernel, TXTAP_OBJECT_BYTE_POOL, 0, 160, false);
}

static void start_timers(struct schedule *schedule)
{
    struct kernel *kernel = &schedule->kernel;

    for (unsigned i = 0; i < KERNEL_TIMERS && with(schedule, WITH_TIMERS); i++) {
        struct kernel_timer *timer = &kernel->timers[KERNEL_THREADS + i];

        timer->remaining = timer->reinitialize = 1 + below(schedule, 40) / (1 + below(schedule, 8));
        kernel_timer_activate(kernel, KERNEL_THREADS + i);
    }
}

/* ---- reports to the truth ---- */

static void tell_before_event(void *self)
{
    truth_before_event(&((struct schedule *)self)->truth);
}

static void tell_time(void *self, uint64_t ticks)
{
    truth_time(&((struct schedule *)self)->truth, ticks);
}

static void tell_event(void *self)
{
    truth_event(&((struct schedule *)self)->truth);
}

static void tell_blocked(void *self, unsigned thread)
{
    truth_blocked(&((struct schedule *)self)->truth, thread);
}

static void tell_ready(void *self, unsigned thread, enum kernel_ending ending)
{
    truth_ready(&((struct schedule *)self)->truth, thread, ending);
}

static void tell_ended(void *self, unsigned thread)
{
    truth_ended(&((struct schedule *)self)->truth, thread);
}

static void tell_owner(void *self, unsigned mutex)
{
    truth_owner(&((struct schedule *)self)->truth, mutex);
}

static void tell_done(void *self, enum kernel_event id, unsigned object, enum kernel_outcome outcome, unsigned woken)
{
    truth_done(&((struct schedule *)self)->truth, id, object, outcome, woken);
}

static void begin(struct schedule *schedule)
{
    const struct kernel_world world = {schedule,          elapse,     window,     timer,        delay,
                                       tell_before_event, tell_time,  tell_event, tell_blocked, tell_ready,
                                       tell_ended,        tell_owner, tell_done};
    struct kernel *kernel = &schedule->kernel;

    kernel_init(kernel, &world, schedule->cores);
    kernel->timer_in_isr = with(schedule, WITH_TIMER_INTERRUPT);
    kernel->threads[0].exists = !kernel->timer_in_isr;
    truth_init(&schedule->truth, kernel);
}

static void record_last(struct schedule *schedule)
{
    struct kernel *kernel = &schedule->kernel;

    if (kernel->here->depth > 0 || may_act(kernel))
        kernel_record(kernel, EV_TIME_GET, 0, 0, 0, 0);
    else
        kernel_interrupt_enter(kernel, 15, true);
}

/* Chooses the features, and runs the initialization. */
static void start(struct schedule *schedule, uint64_t seed, uint32_t features, unsigned events)
{
    struct kernel *kernel = &schedule->kernel;

    schedule->random = seed * 0xD1342543DE82EF95u + 1;
    schedule->features = 0;
    schedule->events = events;
    schedule->memory_count = 0;
    for (unsigned i = 0; i < FEATURES; i++)
        if ((features >> i & 1) != 0 && below(schedule, 3) > 0)
            schedule->features |= 1u << i;
    begin(schedule);
    kernel_record(kernel, EV_RUNNING, 0, 0, 0, 0);
    kernel_record(kernel, EV_RUNNING, 0, 0, 0, 0);
    add_objects(schedule);
    kernel->thread_count = 3 + below(schedule, KERNEL_THREADS - 2);
    for (unsigned i = 1; i < kernel->thread_count; i++)
        create_thread(schedule, i);
    start_timers(schedule);
    kernel_start(kernel);
}

void schedule_run(struct schedule *schedule, uint64_t seed, uint32_t features, unsigned events)
{
    schedule->cores = 1;
    start(schedule, seed, features, events);
    for (unsigned steps = 0; steps < 20 * events && !is_full(schedule); steps++)
        step(schedule);
    record_last(schedule);
    truth_end(&schedule->truth);
}

bool schedule_run_smp(struct schedule *schedule, uint64_t seed, uint32_t features, unsigned events)
{
    const uint32_t without = 1u << WITH_WINDOWS | 1u << WITH_THRESHOLDS | 1u << WITH_LAST_PUTS;
    struct kernel *kernel = &schedule->kernel;
    uint32_t recorded = 0;

    schedule->cores = 2 + (unsigned)(seed % 3);
    start(schedule, seed, features & ~without, events);
    for (unsigned steps = 0; steps < 20 * events && !is_full(schedule); steps++)
        step_of_core(schedule);
    record_last(schedule);
    truth_end(&schedule->truth);
    for (unsigned i = 0; i < kernel->count; i++)
        recorded |= 1u << kernel->events[i].core;
    return recorded == (1u << kernel->core_count) - 1;
}
