/* SPDX-License-Identifier: MIT */
/*
 * Calls of services. A service's event is written first; then interrupts are enabled again, and the suspension or the
 * resumptions that belong to it follow, with anything of other contexts between them. So a service stays open until
 * its context records another one.
 */
#include "model/model_parts.h"

#include "txtap/registry.h"

struct service *service_of_context(struct model *model, const struct change *event)
{
    struct core *core = &model->cores[event->core];

    if (event->thread != NONE)
        return &model->threads[event->thread].last;
    return event->event->context == TXTAP_CONTEXT_INIT ? &core->last_init : &core->last_isr;
}

static void count_failed(struct model *model, const struct service *service)
{
    model->failed++;
    if (service->object != NONE)
        model->objects[service->object].failed++;
}

/* outcome: CALL, it begins, or SERVICE, it has ended. */
static void emit_service(const struct model *model, const struct change *event, const struct service *service,
                         enum change_kind outcome)
{
    struct change change;

    if (!model_is_heard(model, outcome + service->type))
        return;
    change = (struct change){.kind = outcome,
                             .now = event->now,
                             .core = event->core,
                             .event = event->event,
                             .thread = service->thread,
                             .object = service->object,
                             .service = service};
    model_emit_of(model, &change, service->type);
}

static void close_open(struct model *model, const struct change *event, struct service *service)
{
    if (service_may_fail(service))
        service->failed = service_fails(model, service);
    if (service->failed)
        count_failed(model, service);
    count_outcome(model, event, service);
    service->open = false;
    emit_service(model, event, service, CHANGE_SERVICE);
}

void service_close(struct model *model, const struct change *event, struct service *service)
{
    if (service->open)
        close_open(model, event, service);
}

/* A queue that is created is a new one, even at the address of another. */
static void create_queue(struct object *queue, const struct txtap_event *event)
{
    *queue = (struct object){.address = event->info[0],
                             .type = TXTAP_OBJECT_QUEUE,
                             .owner = NONE,
                             .waiting = queue->waiting,
                             .failed = queue->failed};
    count_learn(queue, event->info[3], event->info[1]);
}

/* What a service does to its object as it begins. */
static void call_object(struct model *model, const struct change *event, struct service *service)
{
    if (service->type == TXTAP_OBJECT_MUTEX)
        mutex_call(model, event, service);
    else if (service->type == TXTAP_OBJECT_EVENT_FLAGS)
        service_note_flags(&model->objects[service->object], service);
    else if (service->type == TXTAP_OBJECT_SEMAPHORE)
        lock_call(model, event, service);
    else if (service->id == EVENT_QUEUE_CREATE)
        create_queue(&model->objects[service->object], event->event);
    count_call(model, event, service);
}

static void open_service(struct model *model, const struct change *event, struct service *service)
{
    const struct txtap_event *from = event->event;
    uint8_t type = service_type(from), before = service_rule(from->id)->before;
    struct service put;

    if (from->id == EVENT_MUTEX_PUT)
        service_note_put(model, from, service, &put);

    *service = (struct service){
        .id = from->id,
        .thread = event->thread,
        .type = type,
        .object = type >= TXTAP_OBJECT_QUEUE ? model_object(model, from->info[0], type) : NONE,
        .info = {from->info[0], from->info[1], from->info[2], from->info[3]},
        .ticks = from->ticks,
        .seq = from->seq,
        .open = true,
    };
    if (from->id == EVENT_MUTEX_PUT) {
        service->gives_up = put.gives_up;
        service->perhaps_gives_up = put.perhaps_gives_up;
        service->deletes = put.deletes;
        service->perhaps_deletes = put.perhaps_deletes;
    }
    if (before != 0 && service->object != NONE) {
        service->has_before = true;
        service->before = service->info[before - 1];
    }
    emit_service(model, event, service, CHANGE_CALL);
    if (service->object != NONE)
        call_object(model, event, service);
}

static void resumed(struct model *model, const struct change *event, struct service *service)
{
    enum ending ending = thread_resumed(model, event);

    bool one, is_perhaps = ending == ENDING_UNKNOWN && service->open && service->woken == 0 &&
                           service_resumes(service, &one) == event->event->info[1];

    if (service->open && ending == ENDING_ABORTED)
        service->woken = 1; /* it resumes one thread, once */
    if (!service->open || event->event->info[1] == REASON_SLEEP ||
        (!is_perhaps && ending != ENDING_SERVED && ending != ENDING_DELETED))
        return;
    service->woken += !is_perhaps;
    service->perhaps_woken = is_perhaps;
    count_outcome(model, event, service);
}

/* An application's thread calls tx_thread_suspend() to suspend itself. The kernel's timer thread does it without. */
static void note_timer_thread(struct model *model, uint32_t address)
{
    if (model->timer_thread.known && model->timer_thread.address != address)
        model->timer_thread.several = true;
    model->timer_thread.known = true;
    model->timer_thread.address = address;
}

static void suspended(struct model *model, const struct change *event, struct service *service)
{
    const uint32_t *info = event->event->info;
    bool own = event->thread != NONE && info[0] == model->threads[event->thread].address;

    thread_suspended(model, event);
    if (!own || info[1] == REASON_PRIORITY)
        return;
    if (info[1] == REASON_SUSPENDED && service->id != EVENT_THREAD_SUSPEND_API && service->id != 0)
        note_timer_thread(model, info[0]);
    service->blocked = service_fits_wait(service, info[1]);
    service_close(model, event, service);
}

/* A thread runs, or the initialization: all interrupts of its core were left, and what they called is over. */
static void leave_interrupts(struct model *model, const struct change *event)
{
    struct core *core = &model->cores[event->core];

    service_close(model, event, &core->last_isr);
    service_close(model, event, &core->outer_isr);
    core->last_isr.id = EVENT_ISR_EXIT;
}

/* An interrupt begins inside another one, which may go on with what it called. */
static void nest(struct model *model, const struct change *event, struct service *service)
{
    struct core *core = &model->cores[event->core];

    if (core->depth < 2 || service != &core->last_isr || !service->open)
        return;
    service_close(model, event, &core->outer_isr);
    core->outer_isr = *service;
    service->open = false;
}

/* It ends. */
static void unnest(struct model *model, const struct change *event)
{
    struct core *core = &model->cores[event->core];

    if (core->depth == 0 || !core->outer_isr.open)
        return;
    core->last_isr = core->outer_isr;
    core->outer_isr.open = false;
}

void service_event(struct model *model, const struct change *event)
{
    struct service *service = service_of_context(model, event);

    if ((event->event->context == TXTAP_CONTEXT_THREAD || event->event->context == TXTAP_CONTEXT_INIT) &&
        model->cores[event->core].last_isr.id != EVENT_ISR_EXIT)
        leave_interrupts(model, event);
    switch (event->event->id) {
    case EVENT_THREAD_RESUME:
        resumed(model, event, service);
        return;
    case EVENT_THREAD_SUSPEND:
        suspended(model, event, service);
        return;
    case EVENT_TIME_SLICE:
    case EVENT_RUNNING:
    case EVENT_INTERRUPT:
    case EVENT_PLAIN:
        return;
    case EVENT_SWITCH:
        thread_left(model, event);
        return;
    case EVENT_MUTEX_PRIORITIZE:
        if ((service->open && service->id == EVENT_MUTEX_PUT) || service->id == 0)
            return; /* part of a put, or perhaps of a put that a gap hides */
        break;
    case EVENT_THREAD_CREATE:
    case EVENT_THREAD_PRIORITY_CHANGE:
        thread_priority_event(model, event);
        break;
    case EVENT_LOCKED:
        mutex_locked(model, event);
        /* fall through */
    case EVENT_ISR_ENTER:
    case EVENT_ISR_EXIT:
    case EVENT_RETURN:
        nest(model, event, service);
        service_close(model, event, service);
        service->id = event->event->id;
        if (event->event->id == EVENT_ISR_EXIT)
            unnest(model, event);
        return;
    case EVENT_THREAD_RESET:
        thread_reset(model, event);
        break;
    case EVENT_THREAD_SUSPEND_API:
    case EVENT_THREAD_RESUME_API:
        thread_suspend_later(model, event);
        break;
    default:
        break;
    }
    service_close(model, event, service);
    open_service(model, event, service);
    if (event->event->id == EVENT_THREAD_TERMINATE)
        thread_terminated(model, event);
}
