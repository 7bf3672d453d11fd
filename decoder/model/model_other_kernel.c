/* SPDX-License-Identifier: MIT */
/*
 * Threads of kernels whose events contain less than ThreadX's events. The model learns later, or never, why such a
 * thread left its core.
 */
#include "model/model_parts.h"

#include "base/min_max.h"

/* Returns the reason of the wait that the call begins or ends. */
static uint32_t reason_of_call(const struct service *call)
{
    return (uint32_t)min_u64(call->info[1], REASON_OTHER);
}

static bool is_call(const struct service *service)
{
    return service->open && service->id == EVENT_CALL;
}

uint32_t other_kernel_reason(const struct txtap_event *event, const struct thread *thread, uint32_t recorded)
{
    if (event->info[1] != REASON_READY)
        return recorded;
    return is_call(&thread->last) ? reason_of_call(&thread->last) : REASON_OTHER;
}

static bool waits_in_call(const struct service *service)
{
    return is_call(service) && call_kind(service->info[2]) == CALL_WAITS;
}

void thread_left(struct model *model, const struct change *event)
{
    struct thread *thread;

    if (event->event->info[1] == 1)
        model->switches_open = true;
    if (event->thread == NONE || model->threads[event->thread].state != THREAD_READY)
        return;
    thread = &model->threads[event->thread];
    if (waits_in_call(&thread->last)) {
        thread_suspend(model, event->thread, event, reason_of_call(&thread->last));
        return;
    }
    thread->state = THREAD_UNKNOWN;
    thread->left = true;
    thread->since = event->now;
    thread->since_known = thread->waking = thread->waiting = false;
}

void thread_was_ready(struct model *model, uint32_t number, const struct change *at)
{
    struct thread *thread = &model->threads[number];

    thread_learn_past(model, number, ACCOUNT_READY, at);
    thread->state = THREAD_READY;
    thread->left = false;
}

/* Marks the thread as asleep since it left its core: later events prove this. */
static void was_asleep(struct model *model, uint32_t number, const struct change *event, uint32_t reason)
{
    struct thread *thread = &model->threads[number];
    struct change then = *event;

    then.now = thread->since;
    thread_end_job(model, number, &then);
    thread_learn_past(model, number, (enum account)(ACCOUNT_BLOCKED + reason), event);
    thread->state = THREAD_BLOCKED;
    thread->reason = reason;
    thread->object = NONE;
    thread->service = 0;
    thread->since_known = true;
    thread->left = false;
}

uint32_t other_kernel_wait_ends(struct model *model, uint32_t number, const struct change *event)
{
    const struct thread *thread = &model->threads[number];

    if (thread->left)
        was_asleep(model, number, event, REASON_SLEEP);
    return thread->state == THREAD_BLOCKED ? thread->reason : REASON_SUSPENDED;
}

void thread_runs_again(struct model *model, uint32_t number, const struct change *event)
{
    struct thread *thread = &model->threads[number];
    const struct waker waker = {.kind = RUNNING_UNKNOWN, .number = NONE};
    struct change change;

    change_start(&change, event, CHANGE_READY);
    change.thread = number;
    change.waker = &waker;
    change.ticks = event->now.ticks - (thread->since_known ? thread->since.ticks : model->known_from);
    change.known = thread->since_known;
    count_waiting(model, thread, NONE);
    model_emit(model, &change);
    thread->last.open = false; /* the thread does not wait in this call again */
    thread->state = THREAD_READY;
    thread->since_known = false;
}

void thread_left_end(struct model *model)
{
    for (uint32_t i = 0; model->other_kernel && i < model->thread_numbers.count; i++)
        if (model->threads[i].left)
            model->threads[i].job.open = false;
}
