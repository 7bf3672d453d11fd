/* SPDX-License-Identifier: MIT */
/*
 * Calls of services. A service's event is written first; then interrupts are enabled again, and the suspension or the
 * resumptions that belong to it follow, with anything of other contexts between them. So a service stays open until
 * its context records another one.
 */
#include "analysis/model.h"

#include "txtap/registry.h"

struct service *service_of_context(struct model *model, const struct change *event)
{
    struct core *core = &model->cores[event->core];

    if (event->thread != NONE)
        return &model->threads[event->thread].last;
    return event->event->context == TXTAP_CONTEXT_INIT ? &core->last_init : &core->last_isr;
}

static uint8_t object_type_of_reason(uint32_t reason)
{
    static const uint8_t types[REASONS] = {
        [REASON_QUEUE] = TXTAP_OBJECT_QUEUE,         [REASON_SEMAPHORE] = TXTAP_OBJECT_SEMAPHORE,
        [REASON_FLAGS] = TXTAP_OBJECT_EVENT_FLAGS,   [REASON_BLOCK_POOL] = TXTAP_OBJECT_BLOCK_POOL,
        [REASON_BYTE_POOL] = TXTAP_OBJECT_BYTE_POOL, [REASON_MUTEX] = TXTAP_OBJECT_MUTEX,
    };

    return reason < REASONS ? types[reason] : TXTAP_OBJECT_NONE;
}

/* The type of the object that is a service's first word. */
static uint8_t object_type(const struct txtap_event *event)
{
    uint32_t id = event->id;

    if (id == EVENT_CALL)
        return object_type_of_reason(event->info[1]);
    if (id >= 10 && id <= 17)
        return TXTAP_OBJECT_BLOCK_POOL;
    if (id >= 20 && id <= 27)
        return TXTAP_OBJECT_BYTE_POOL;
    if (id >= 30 && id <= 37)
        return TXTAP_OBJECT_EVENT_FLAGS;
    if (id >= 50 && id <= 57)
        return TXTAP_OBJECT_MUTEX;
    if (id >= 60 && id <= 70)
        return TXTAP_OBJECT_QUEUE;
    return id >= 80 && id <= 89 ? TXTAP_OBJECT_SEMAPHORE : TXTAP_OBJECT_NONE;
}

bool service_fits_wait(const struct service *service, uint32_t reason)
{
    switch (service->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
    case EVENT_QUEUE_RECEIVE:
        return reason == REASON_QUEUE;
    case EVENT_SEMAPHORE_GET:
        return reason == REASON_SEMAPHORE;
    case EVENT_FLAGS_GET:
        return reason == REASON_FLAGS;
    case EVENT_BLOCK_ALLOCATE:
        return reason == REASON_BLOCK_POOL;
    case EVENT_BYTE_ALLOCATE:
        return reason == REASON_BYTE_POOL;
    case EVENT_MUTEX_GET:
        return reason == REASON_MUTEX;
    case EVENT_THREAD_SLEEP:
        return reason == REASON_SLEEP;
    case EVENT_THREAD_SUSPEND_API:
        return reason == REASON_SUSPENDED;
    case EVENT_CALL:
        return reason == service->info[1];
    default:
        return false;
    }
}

/* The reason out of which a service resumes threads; REASON_READY: none. one: it resumes only one. */
static uint32_t resumes_from(const struct service *service, bool *one)
{
    *one = true;
    switch (service->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
    case EVENT_QUEUE_RECEIVE:
        return REASON_QUEUE;
    case EVENT_SEMAPHORE_PUT:
    case EVENT_SEMAPHORE_CEILING_PUT:
        return REASON_SEMAPHORE;
    case EVENT_BLOCK_RELEASE:
        return REASON_BLOCK_POOL;
    case EVENT_MUTEX_PUT:
        return service->info[2] == 1 && service->info[1] != 0 ? REASON_MUTEX : REASON_READY;
    default:
        break;
    }
    *one = false;
    switch (service->id) {
    case EVENT_QUEUE_FLUSH:
    case EVENT_QUEUE_DELETE:
        return REASON_QUEUE;
    case EVENT_SEMAPHORE_DELETE:
        return REASON_SEMAPHORE;
    case EVENT_FLAGS_SET:
    case EVENT_FLAGS_DELETE:
        return REASON_FLAGS;
    case EVENT_BLOCK_POOL_DELETE:
        return REASON_BLOCK_POOL;
    case EVENT_BYTE_RELEASE:
    case EVENT_BYTE_POOL_DELETE:
        return REASON_BYTE_POOL;
    case EVENT_MUTEX_DELETE:
        return REASON_MUTEX;
    case EVENT_CALL:
        return service->info[1];
    default:
        return REASON_READY;
    }
}

static bool deletes(uint32_t id)
{
    return id == EVENT_QUEUE_DELETE || id == EVENT_SEMAPHORE_DELETE || id == EVENT_FLAGS_DELETE ||
           id == EVENT_BLOCK_POOL_DELETE || id == EVENT_BYTE_POOL_DELETE || id == EVENT_MUTEX_DELETE;
}

enum ending service_ending(const struct service *service, uint32_t reason, uint32_t object)
{
    bool one;

    if (service->open && (service->id == EVENT_THREAD_WAIT_ABORT || service->id == EVENT_THREAD_TERMINATE))
        return ENDING_ABORTED;
    if (reason == REASON_SLEEP)
        return ENDING_TIMEOUT;
    if (reason < REASON_QUEUE || reason > REASON_MUTEX || service->id == 0)
        return ENDING_UNKNOWN;
    if (service->open && resumes_from(service, &one) == reason && !(one && service->woken > 0) &&
        (object == NONE || object == service->object))
        return deletes(service->id) ? ENDING_DELETED : ENDING_SERVED;
    return reason == REASON_TCP_IP || reason == REASON_IO || reason == REASON_FILE ? ENDING_UNKNOWN : ENDING_TIMEOUT;
}

static bool is_full(const struct model *model, const struct service *queue)
{
    uint32_t capacity = queue->object != NONE ? model_queue_capacity(&model->objects[queue->object]) : 0;

    return capacity > 0 && queue->info[3] >= capacity;
}

/* Did a service that did not wait get nothing? */
static bool fails(const struct model *model, const struct service *service)
{
    const uint32_t *info = service->info;
    switch (service->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
        return info[2] == 0 && is_full(model, service);
    case EVENT_QUEUE_RECEIVE:
        return info[2] == 0 && info[3] == 0;
    case EVENT_SEMAPHORE_GET:
        return info[1] == 0 && info[2] == 0;
    case EVENT_SEMAPHORE_CEILING_PUT:
        return info[1] >= info[3];
    case EVENT_MUTEX_GET:
        return info[1] == 0 && info[2] != 0 &&
               (service->thread == NONE || info[2] != model->threads[service->thread].address);
    case EVENT_BLOCK_ALLOCATE:
    case EVENT_BYTE_ALLOCATE:
        return info[1] == 0;
    default:
        return false;
    }
}

static void count_failed(struct model *model, const struct service *service)
{
    model->failed++;
    if (service->object != NONE)
        model->objects[service->object].failed++;
}

static void close_open(struct model *model, const struct change *event, struct service *service)
{
    struct change change = {.kind = CHANGE_SERVICE,
                            .now = event->now,
                            .core = event->core,
                            .event = event->event,
                            .thread = service->thread,
                            .object = service->object,
                            .service = service};

    service->open = false;
    service->failed = !service->blocked && fails(model, service);
    if (service->failed)
        count_failed(model, service);
    count_outcome(model, event, service, true);
    model_emit_of(model, &change, service->type);
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
                             .parameter = {event->info[3], event->info[1]},
                             .registered = true,
                             .owner = NONE,
                             .waiting = queue->waiting,
                             .failed = queue->failed};
}

static void open_service(struct model *model, const struct change *event, struct service *service)
{
    const struct txtap_event *from = event->event;
    uint8_t type = object_type(from);
    struct change change = *event;

    *service = (struct service){
        .id = from->id,
        .thread = event->thread,
        .type = type,
        .object = type != TXTAP_OBJECT_NONE ? model_object(model, from->info[0], type) : NONE,
        .info = {from->info[0], from->info[1], from->info[2], from->info[3]},
        .ticks = from->ticks,
        .seq = from->seq,
        .open = true,
    };
    if (service->object != NONE)
        count_before(service);
    change.kind = CHANGE_CALL;
    change.object = service->object;
    change.service = service;
    model_emit_of(model, &change, type);
    if (type == TXTAP_OBJECT_MUTEX)
        mutex_call(model, event, service);
    else if (type == TXTAP_OBJECT_SEMAPHORE)
        lock_call(model, event, service);
    else if (from->id == EVENT_QUEUE_CREATE && service->object != NONE)
        create_queue(&model->objects[service->object], from);
    count_call(model, event, service);
}

static void resumed(struct model *model, const struct change *event, struct service *service)
{
    bool one, fits = service->open && resumes_from(service, &one) == event->event->info[1];

    thread_resumed(model, event);
    if (!fits)
        return;
    service->woken++;
    count_outcome(model, event, service, false);
}

static void suspended(struct model *model, const struct change *event, struct service *service)
{
    const uint32_t *info = event->event->info;
    bool own = event->thread != NONE && info[0] == model->threads[event->thread].address;

    thread_suspended(model, event);
    if (!own || info[1] == REASON_PRIORITY)
        return;
    service->blocked = service_fits_wait(service, info[1]);
    service_close(model, event, service);
}

void service_event(struct model *model, const struct change *event)
{
    struct service *service = service_of_context(model, event);

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
        if (service->open && service->id == EVENT_MUTEX_PUT)
            return;
        break;
    case EVENT_THREAD_CREATE:
    case EVENT_THREAD_PRIORITY_CHANGE:
        thread_priority_event(model, event);
        break;
    case EVENT_ISR_ENTER:
    case EVENT_ISR_EXIT:
    case EVENT_RETURN:
        service_close(model, event, service);
        service->id = event->event->id;
        return;
    default:
        break;
    }
    service_close(model, event, service);
    open_service(model, event, service);
}
