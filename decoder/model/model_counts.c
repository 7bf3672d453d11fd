/* SPDX-License-Identifier: MIT */
/*
 * How much objects hold. A service's event says how much there was before the call. What there is after it follows from
 * whether threads wait: what is put goes to one that waits, and what is taken is replaced by one that waits. As the
 * call begins that is what the model knows of them; once it has ended, what the call did.
 */
#include "model/model_parts.h"

#include "base/min_max.h"

void count_learn(struct object *object, uint32_t bytes, uint32_t words)
{
    object->registered = true;
    object->parameter[0] = bytes;
    object->parameter[1] = words;
    object->capacity = words > 0 && words < UINT32_MAX / 4 ? bytes / (4 * words) : bytes / 4;
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

/* What there is after the service. False: that is not known. */
static bool count_after(const struct model *model, const struct service *service, uint32_t *after)
{
    const struct object *object = &model->objects[service->object];
    const uint32_t *info = service->info, before = service->before;
    bool one_waits = service->one_waits;

    switch (service->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
        *after = more(before, !one_waits && (object->capacity == 0 || before < object->capacity));
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
    change_start(&change, at, CHANGE_COUNT);
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

void count_call(struct model *model, const struct change *event, struct service *service)
{
    struct object *object = &model->objects[service->object];

    if (service->deletes)
        return;
    if (service_rule(service->id)->ends_count) {
        object->count_known = false;
        emit_count(model, event, service->object);
        return;
    }
    /* puts of semaphores say whether a thread waits */
    service->one_waits = object->waiting > 0 && object->type == TXTAP_OBJECT_QUEUE;
    service->has_after = count_after(model, service, &service->after);
    if (!service->has_after)
        return;
    object->count_seq = service->seq;
    object->count_likely = false;
    set_count(model, event, service->object, service->after);
}

void count_again(struct model *model, const struct change *event, struct service *service)
{
    uint32_t before = service->after;

    if (!service->has_before || service->id == EVENT_MUTEX_PUT) /* it does not depend on who waits */
        return;
    service->one_waits = !service->one_waits;
    if (!count_after(model, service, &service->after) || service->after == before)
        return;
    model->objects[service->object].count_likely = service->perhaps_woken;
    if (model->objects[service->object].count_seq == service->seq)
        set_count(model, event, service->object, service->after);
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
        model->objects[i].count_known = model->objects[i].flags_known = false;
        model->objects[i].waiting = 0;
    }
}
