/* SPDX-License-Identifier: MIT */
#include "analysis/scheduler.h"

#include <string.h>

#define NOBODY SCHEDULER_THREADS
#define ROOM   12 /* maximum number of events in a step */

enum id {
    RESUME = 1,
    SUSPEND,
    ENTER,
    EXIT,
    MUTEX_GET = 52,
    MUTEX_PUT = 57,
    GET = 83,
    PUT = 88,
    SLEEP = 112,
    TIME_GET = 120
};
enum reason { READY = 0, SLEEPS = 4, ON_SEMAPHORE = 6, ON_MUTEX = 13 };

struct run {
    struct scheduler *to;
    uint64_t random, now, last;
    enum reason state[SCHEDULER_THREADS];
    unsigned object[SCHEDULER_THREADS];
    uint64_t since[SCHEDULER_THREADS], woken[SCHEDULER_THREADS];
    bool waking[SCHEDULER_THREADS], since_known[SCHEDULER_THREADS];
    unsigned running; /* number of the running thread; NOBODY: the core is idle */
    unsigned interrupts;
    bool silent; /* some interrupts do not record their start or their end */
    unsigned count[SCHEDULER_SEMAPHORES];
    unsigned owner[SCHEDULER_MUTEXES];
};

static unsigned pick(struct run *run, unsigned below)
{
    run->random ^= run->random << 13;
    run->random ^= run->random >> 7;
    run->random ^= run->random << 17;
    return (unsigned)(run->random >> 20) % below;
}

uint32_t scheduler_thread(unsigned number)
{
    return number < NOBODY ? 0x1000 + 0x100 * number : 0;
}

static uint32_t semaphore(unsigned number)
{
    return 0x5000 + 0x10 * number;
}

static uint32_t mutex(unsigned number)
{
    return 0x6000 + 0x10 * number;
}

static unsigned highest(const struct run *run)
{
    unsigned number = 0;

    while (number < NOBODY && run->state[number] != READY)
        number++;
    return number;
}

/* ---- events, and the true figures ---- */

/* Adds the time since the last change of context to the old context. Call it before another context runs. */
static void pass(struct run *run)
{
    struct scheduler_truth *truth = &run->to->truth;
    uint64_t ticks = run->now - run->last;

    if (run->interrupts > 0)
        truth->interrupts += ticks;
    else if (run->running < NOBODY)
        truth->ran[run->running] += ticks;
    else
        truth->idle += ticks;
    run->last = run->now;
}

static void dispatch(struct run *run)
{
    struct scheduler_truth *truth = &run->to->truth;
    unsigned thread = run->running;
    uint64_t ticks;

    if (run->interrupts > 0 || thread == NOBODY || !run->waking[thread])
        return;
    run->waking[thread] = false;
    ticks = run->now - run->woken[thread];
    truth->wakes[thread]++;
    truth->wake_ticks[thread] += ticks;
    if (ticks > truth->wake_longest[thread])
        truth->wake_longest[thread] = ticks;
}

static void advance(struct run *run)
{
    run->now += pick(run, 4) == 0 ? pick(run, 200) : pick(run, 6);
    if (run->to->count == 0)
        run->last = run->now;
    pass(run);
}

static void record(struct run *run, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4)
{
    struct txtap_event *event = &run->to->events[run->to->count];

    advance(run);
    *event = (struct txtap_event){.seq = run->to->count++, .ticks = run->now, .id = id, .info = {i1, i2, i3, i4}};
    event->thread = scheduler_thread(run->running);
    if (run->interrupts > 0 || id == EXIT)
        event->context = run->running < NOBODY ? TXTAP_CONTEXT_ISR : TXTAP_CONTEXT_IDLE;
    else
        event->priority = event->threshold = (uint16_t)(10 + run->running);
}

static void schedule(struct run *run)
{
    if (run->interrupts == 0)
        run->running = highest(run);
    dispatch(run);
}

static void resume(struct run *run, unsigned thread)
{
    enum reason reason = run->state[thread];

    run->state[thread] = READY;
    record(run, RESUME, scheduler_thread(thread), reason, 0, scheduler_thread(highest(run)));
    if (run->since_known[thread]) {
        run->to->truth.blocks[thread]++;
        run->to->truth.block_ticks[thread] += run->now - run->since[thread];
    }
    run->waking[thread] = true;
    run->woken[thread] = run->now;
    schedule(run);
}

static void suspend(struct run *run, enum reason reason, unsigned object)
{
    unsigned thread = run->running;

    run->state[thread] = reason;
    run->object[thread] = object;
    record(run, SUSPEND, scheduler_thread(thread), reason, 0, scheduler_thread(highest(run)));
    run->since[thread] = run->now;
    run->since_known[thread] = true;
    schedule(run);
}

static unsigned waiter(const struct run *run, enum reason reason, unsigned object)
{
    for (unsigned i = 0; i < NOBODY; i++)
        if (run->state[i] == reason && run->object[i] == object)
            return i;
    return NOBODY;
}

/* ---- services ---- */

static void put(struct run *run, unsigned number)
{
    unsigned thread = waiter(run, ON_SEMAPHORE, number);

    record(run, PUT, semaphore(number), run->count[number], thread < NOBODY, 0);
    if (thread < NOBODY)
        resume(run, thread);
    else
        run->count[number]++;
}

static void get(struct run *run, unsigned number)
{
    record(run, GET, semaphore(number), UINT32_MAX, run->count[number], 0);
    if (run->count[number] > 0)
        run->count[number]--;
    else
        suspend(run, ON_SEMAPHORE, number);
}

static void mutex_step(struct run *run, unsigned number)
{
    unsigned own = run->running, owner = run->owner[number], thread;

    if (owner == own) {
        record(run, MUTEX_PUT, mutex(number), scheduler_thread(own), 1, 0);
        thread = waiter(run, ON_MUTEX, number);
        run->owner[number] = thread;
        if (thread < NOBODY)
            resume(run, thread);
    } else {
        record(run, MUTEX_GET, mutex(number), UINT32_MAX, scheduler_thread(owner), owner < NOBODY);
        if (owner == NOBODY)
            run->owner[number] = own;
        run->to->truth.contended += owner < NOBODY;
        if (owner < NOBODY)
            suspend(run, ON_MUTEX, number);
    }
}

/* Begins an interrupt. The time until now belongs to the context that it interrupts. */
static void enter(struct run *run, unsigned depth, bool records)
{
    if (records) {
        run->to->truth.entered++;
        record(run, ENTER, 0, 20 + depth, 0, 0);
        run->to->events[run->to->count - 1].context = run->running < NOBODY ? TXTAP_CONTEXT_ISR : TXTAP_CONTEXT_IDLE;
    } else {
        advance(run);
    }
    run->interrupts++;
}

static void leave(struct run *run, unsigned depth, bool records)
{
    if (records)
        record(run, EXIT, 0, 20 + depth, 0, 0);
    else
        advance(run);
    run->interrupts--;
    schedule(run);
}

/* Runs an interrupt, which may put a semaphore or end a sleep. Another interrupt may interrupt it. */
static void interrupt(struct run *run, unsigned depth)
{
    unsigned sleeper = waiter(run, SLEEPS, 0);
    bool start = !run->silent || pick(run, 3) > 0, end = start && !(run->silent && pick(run, 6) == 0);

    enter(run, depth, start);
    if (depth == 0 && start && pick(run, 6) == 0) /* a nested interrupt must record its start: nothing else shows it */
        interrupt(run, 1);
    else if (sleeper < NOBODY && pick(run, 3) > 0)
        resume(run, sleeper);
    else
        put(run, pick(run, SCHEDULER_SEMAPHORES));
    leave(run, depth, end);
}

static void thread_step(struct run *run)
{
    switch (pick(run, 6)) {
    case 0:
        get(run, pick(run, SCHEDULER_SEMAPHORES));
        break;
    case 1:
        put(run, pick(run, SCHEDULER_SEMAPHORES));
        break;
    case 2:
        record(run, SLEEP, 5, 0, 0, 0);
        suspend(run, SLEEPS, 0);
        break;
    case 3:
        record(run, TIME_GET, 0, 0, 0, 0);
        break;
    default:
        mutex_step(run, pick(run, SCHEDULER_MUTEXES));
        break;
    }
}

static void run_all(struct scheduler *scheduler, uint64_t seed, bool silent)
{
    struct run run = {
        .to = scheduler, .random = seed * 0x9E3779B97F4A7C15u + 1, .owner = {NOBODY, NOBODY}, .silent = silent};

    scheduler->count = 0;
    memset(&scheduler->truth, 0, sizeof(scheduler->truth));
    for (unsigned i = 0; i < NOBODY; i++)
        run.state[i] = pick(&run, 3) == 0 ? SLEEPS : READY;
    run.state[0] = READY;
    run.running = highest(&run);
    record(&run, TIME_GET, 0, 0, 0, 0);
    while (scheduler->count + ROOM < SCHEDULER_EVENTS) {
        if (run.running == NOBODY || pick(&run, 5) == 0)
            interrupt(&run, 0);
        else
            thread_step(&run);
    }
    scheduler->truth.window = scheduler->events[scheduler->count - 1].ticks - scheduler->events[0].ticks;
}

void scheduler_run(struct scheduler *scheduler, uint64_t seed)
{
    run_all(scheduler, seed, false);
}

void scheduler_run_silent(struct scheduler *scheduler, uint64_t seed)
{
    run_all(scheduler, seed, true);
}
