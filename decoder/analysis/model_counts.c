/* SPDX-License-Identifier: MIT */
/*
 * How much objects hold. A service's event says how much there was before the call. What there is after it follows from
 * whether threads wait: what is put goes to one that waits, and what is taken is replaced by one that waits. As the
 * call begins that is what the model knows of them; once it has ended, what the call did.
 */
#include "analysis/model_parts.h"

#include "base/min_max.h"

uint32_t model_queue_capacity(const struct object *object)
{
    uint32_t words = object->parameter[1];

    if (!object->registered)
        return 0;
    return words > 0 && words < UINT32_MAX / 4 ? object->parameter[0] / (4 * words) : object->parameter[0] / 4;
}

void count_before(struct service *service)
{
    const uint32_t *info = service->info;

    service->has_before = service->object != NONE;
    switch (service->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
    case EVENT_QUEUE_RECEIVE:
    case EVENT_BLOCK_ALLOCATE:
    case EVENT_BYTE_RELEASE:
    case EVENT_MUTEX_GET:
        service->before = info[3];
        break;
    case EVENT_SEMAPHORE_GET:
    case EVENT_MUTEX_PUT:
        service->before = info[2];
        break;
    case EVENT_SEMAPHORE_PUT:
    case EVENT_SEMAPHORE_CEILING_PUT:
        service->before = info[1];
        break;
    default:
        service->has_before = false;
        break;
    }
}

static uint32_t less(uint32_t count, bool by_one)
{
    return by_one && count > 0 ? count - 1 : count;
}

static uint32_t more(uint32_t count, bool by_one)
{
    return by_one && count < UINT32_MAX ? count + 1 : count;
}

static uint32_t mutex_after(const struct model *model, const struct service *service)
{
    uint32_t caller = service->thread != NONE ? model->threads[service->thread].address : 0;
    bool owns = caller != 0 && caller == (service->id == EVENT_MUTEX_GET ? service->info[2] : service->info[1]);

    if (service->id == EVENT_MUTEX_PUT)
        return less(service->before, owns);
    return more(service->before, caller != 0 && (owns || service->info[2] == 0));
}

/* What there is after the service. one_waits: a thread waits for what it gives, or to give what it takes. False: that
 * is not known. */
static bool count_after(const struct model *model, const struct service *service, bool one_waits, uint32_t *after)
{
    const struct object *object = &model->objects[service->object];
    const uint32_t *info = service->info, before = service->before;
    uint32_t capacity;

    switch (service->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
        capacity = model_queue_capacity(object);
        *after = more(before, !one_waits && (capacity == 0 || before < capacity));
        return true;
    case EVENT_QUEUE_RECEIVE:
        *after = less(before, !one_waits);
        return true;
    case EVENT_BLOCK_ALLOCATE:
    case EVENT_SEMAPHORE_GET:
        *after = less(before, true);
        return true;
    case EVENT_SEMAPHORE_PUT:
        *after = more(before, !one_waits && info[2] == 0);
        return true;
    case EVENT_SEMAPHORE_CEILING_PUT:
        *after = more(before, !one_waits && info[2] == 0 && before < info[3]);
        return true;
    case EVENT_BYTE_RELEASE:
        *after = before;
        return true;
    case EVENT_MUTEX_GET:
    case EVENT_MUTEX_PUT:
        *after = mutex_after(model, service);
        return true;
    case EVENT_BLOCK_RELEASE:
        *after = more(object->count, info[2] == 0);
        return object->count_known;
    case EVENT_QUEUE_FLUSH:
    case EVENT_QUEUE_CREATE:
    case EVENT_MUTEX_CREATE:
        *after = 0;
        return true;
    case EVENT_SEMAPHORE_CREATE:
        *after = info[1];
        return true;
    case EVENT_BLOCK_POOL_CREATE:
        *after = info[2];
        return true;
    default:
        return false;
    }
}

static void emit_count(struct model *model, const struct change *at, uint32_t number)
{
    struct change change;

    if (!model_is_heard(model, CHANGE_COUNT))
        return;
    change = *at;
    change.kind = CHANGE_COUNT;
    change.object = number;
    model_emit(model, &change);
}

static void set_count(struct model *model, const struct change *at, uint32_t number, uint32_t count)
{
    struct object *object = &model->objects[number];

    if (object->count_known && object->count == count)
        return;
    object->count_known = true;
    object->count = count;
    emit_count(model, at, number);
}

static bool ends_count(uint32_t id)
{
    switch (id) {
    case EVENT_QUEUE_DELETE:
    case EVENT_SEMAPHORE_DELETE:
    case EVENT_MUTEX_DELETE:
    case EVENT_BLOCK_POOL_DELETE:
    case EVENT_BYTE_POOL_DELETE:
        return true;
    default:
        return false;
    }
}

void count_call(struct model *model, const struct change *event, struct service *service)
{
    bool waits; /* puts of semaphores say whether a thread does */
    struct object *object;

    if (service->object == NONE)
        return;
    object = &model->objects[service->object];
    waits = object->waiting > 0 && object->type == TXTAP_OBJECT_QUEUE;
    if (ends_count(service->id)) {
        object->count_known = false;
        emit_count(model, event, service->object);
        return;
    }
    service->has_after = count_after(model, service, waits, &service->after);
    if (!service->has_after)
        return;
    object->count_seq = service->seq;
    set_count(model, event, service->object, service->after);
}

/* Does the count of this service depend on who waits? */
static bool depends(const struct service *service)
{
    return service->has_after && service->has_before && service->id != EVENT_MUTEX_PUT;
}

void count_outcome(struct model *model, const struct change *event, struct service *service, bool ended)
{
    struct object *object;
    uint32_t after;

    if (!depends(service) || (!ended && service->woken == 0))
        return;
    object = &model->objects[service->object];
    if (!count_after(model, service, service->blocked || service->woken > 0, &after) || after == service->after)
        return;
    service->after = after;
    if (object->count_seq == service->seq)
        set_count(model, event, service->object, after);
}

void count_handed_over(struct model *model, const struct change *event, uint32_t mutex)
{
    set_count(model, event, mutex, 1);
}

void count_waiting(struct model *model, struct thread *thread, uint32_t object)
{
    if (thread->waits_for != NONE)
        model->objects[thread->waits_for].waiting--;
    thread->waits_for = object;
    if (object != NONE)
        model->objects[object].waiting++;
}

void count_forget(struct model *model)
{
    for (uint32_t i = 0; i < model->object_numbers.count; i++) {
        model->objects[i].count_known = false;
        model->objects[i].waiting = 0;
    }
}
