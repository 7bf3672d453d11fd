/* SPDX-License-Identifier: MIT */
/* A state like that of the demo firmware. It has one item of each kind. */
#include "top/top_sample.h"

#include <stdio.h>
#include <string.h>

static struct txtap_top_thread *thread(struct txtap_top_state *state, const char *name, double priority, double base)
{
    size_t i = state->thread_count++;
    struct txtap_top_thread *thread = &state->threads[i];

    snprintf(thread->name, sizeof thread->name, "%s", name);
    thread->id = (uint32_t)i + 1;
    thread->address = (uint32_t)(0x20000000 + 256 * i);
    thread->priority = priority;
    thread->base = base;
    thread->state = TXTAP_TOP_READY;
    thread->cpu = 0.5 + (double)i;
    thread->ready = 1.25;
    thread->activations = 10.0 * (double)i;
    thread->preemptions = (double)i;
    thread->runs = TXTAP_TOP_UNKNOWN;
    thread->waiting = 168000;
    thread->run = (struct txtap_top_durations){100 * i, 1680, 1680, 16800, 33600 + (double)i * 16800, -1};
    thread->wake = (struct txtap_top_durations){100 * i, 1680, 1680, 8568 - (double)i * 1680, 10000, -1};
    thread->response = (struct txtap_top_durations){100 * i, 1680, 1680, 8568, 1680000, -1};
    thread->stack = 9 + 17 * (double)i;
    thread->stack_bytes = 1024;
    thread->stack_free = 500;
    return thread;
}

static void waits(struct txtap_top_thread *thread, const char *what)
{
    thread->state = TXTAP_TOP_WAITING;
    snprintf(thread->waits, sizeof thread->waits, "%s", what);
}

static void threads(struct txtap_top_state *state)
{
    struct txtap_top_thread *control, *unknown;

    waits(thread(state, "System Timer Thr", 0, 0), "suspended");
    waits(thread(state, "sampler", 4, 4), "semaphore sample ready");
    control = thread(state, "control", 6, 6);
    waits(control, "mutex model");
    control->late = true;
    control->waits_for[13] = 12.5;
    thread(state, "logger", 12, 12)->state = TXTAP_TOP_RUNNING;
    thread(state, "reporter", 6, 16);
    waits(thread(state, "housekeeper", 20, 20), "sleep");
    unknown = thread(state, "0x20000600", TXTAP_TOP_UNKNOWN, TXTAP_TOP_UNKNOWN);
    unknown->state = TXTAP_TOP_STATE_UNKNOWN;
    unknown->cpu = unknown->stack = unknown->run.max = unknown->waiting = TXTAP_TOP_UNKNOWN;
    unknown->wake.p99 = unknown->wake.max = TXTAP_TOP_UNKNOWN;
}

static void others(struct txtap_top_state *state)
{
    static const struct txtap_top_object objects[] = {
        {.type = TXTAP_OBJECT_QUEUE, .name = "samples", .now = "1/8", .extreme = "3/8", .uses = 1234, .failed = 2},
        {.type = TXTAP_OBJECT_MUTEX,
         .name = "model",
         .now = "reporter",
         .waiter = "control",
         .waiters = 2,
         .wait = {7, 37000, 20000, 37464, 40000, 50000}}, /* the current wait is longer than all others */
        {.type = TXTAP_OBJECT_BLOCK_POOL,
         .name = "sample pool",
         .now = "2 free",
         .extreme = "0 free",
         .extreme_is_low = true,
         .wait = {0, -1, -1, -1, -1, -1}},
    };

    memcpy(state->objects, objects, sizeof objects);
    state->object_count = 3;
    state->interrupts[0] = (struct txtap_top_interrupt){22, "EXTI0_IRQHandler", 1072, 1.6, 11088, 70560};
    state->interrupts[1] = (struct txtap_top_interrupt){15, "", 132, 0.3, TXTAP_TOP_UNKNOWN, 1276800};
    state->interrupt_count = 2;
}

/* The histories have any values from 0 to 100, and an unknown value. */
static void histories(struct txtap_top_state *state)
{
    for (size_t i = 0; i < TXTAP_TOP_HISTORY; i++) {
        state->load_history[i] = (float)(i % 7) * 3;
        for (size_t thread = 0; thread < state->thread_count; thread++)
            state->threads[thread].history[i] = (float)(i * i * thread) / 100;
        state->objects[0].history[i] = (float)(i % 9) * 12.5f;
    }
    state->load_history[30] = state->threads[1].history[30] = state->objects[0].history[30] = TXTAP_TOP_UNKNOWN;
}

void top_sample(struct txtap_top_state *state)
{
    *state = (struct txtap_top_state){
        .source = "demo.elf via :6666",
        .condition = "LIVE",
        .tick_hz = 168e6,
        .seconds = 751,
        .window = 2,
        .window_full = 2,
        .gap_at = TXTAP_TOP_UNKNOWN,
        .history_count = TXTAP_TOP_HISTORY - 3,
        .lost_exact = true,
        .event_rate = 20310,
        .switch_rate = 3120,
        .load = 43.6,
        .load_max = 51.2,
        .idle = 56.4,
        .interrupt_cpu = 11.9,
        .interrupt_rate = 1204,
        .nesting = 2,
        .cores = 1,
        .ring_used = 12,
    };
    threads(state);
    others(state);
    histories(state);
}
