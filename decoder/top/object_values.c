/* SPDX-License-Identifier: MIT */
/*
 * Most services record what the object had before the call. What it has after it follows, if it is known whether
 * threads wait: what is put goes to one that waits, and what is taken is replaced by one that waits.
 */
#include "top/object_values.h"

uint32_t object_capacity(const struct object *object)
{
    uint32_t bytes = object->parameter[0], words = object->parameter[1];

    if (!object->registered || object->type != TXTAP_OBJECT_QUEUE)
        return 0;
    return words > 0 ? bytes / 4 / words : bytes / 4; /* words is 0 of a queue that was registered late */
}

static void set(struct object_value *value, uint32_t now)
{
    value->known = true;
    value->now = now;
}

static void note_most(struct object_value *value, uint32_t count)
{
    if (!value->has_extreme || count > value->extreme)
        value->extreme = count;
    value->has_extreme = true;
}

static void note_least(struct object_value *value, uint32_t count)
{
    if (!value->has_extreme || count < value->extreme)
        value->extreme = count;
    value->has_extreme = true;
}

static void queue_send(struct object_value *value, uint32_t capacity, uint32_t before)
{
    bool stays = value->waiting > 0 || (capacity > 0 && before >= capacity);

    set(value, stays ? before : before + 1);
    note_most(value, before);
}

void object_sent(struct object_value *value, const struct object *object, const struct service *service)
{
    uint32_t capacity = object_capacity(object), before = service->info[3];

    if (!service->blocked && service->woken == 0 && (capacity == 0 || before < capacity))
        note_most(value, before + 1);
}

void object_handed_over(struct object_value *value, const struct service *service)
{
    if (value->known)
        set(value, service->info[3]);
}

static void queue_receive(struct object_value *value, uint32_t before)
{
    note_most(value, before);
    set(value, before == 0 || value->waiting > 0 ? before : before - 1);
}

void object_owned(struct object_value *value, uint32_t owner)
{
    value->owner_known = true;
    value->owner = owner;
}

static void mutex_event(struct object_value *value, const struct txtap_event *event, uint32_t thread)
{
    const uint32_t *info = event->info;

    if (event->id == EVENT_MUTEX_GET && info[2] == 0 && thread != NONE)
        object_owned(value, thread);
    if (event->id == EVENT_MUTEX_PUT && info[2] == 1 && info[1] == event->thread)
        object_owned(value, NONE); /* a thread that waits for it becomes its owner when it is resumed */
}

static void pool_event(struct object_value *value, const struct txtap_event *event)
{
    const uint32_t *info = event->info;

    if (event->id == EVENT_BLOCK_ALLOCATE) {
        set(value, info[3] > 0 ? info[3] - 1 : 0);
        note_least(value, value->now);
    } else if (event->id == EVENT_BLOCK_RELEASE && value->known && info[2] == 0) {
        set(value, value->now + 1);
    } else if (event->id == EVENT_BYTE_RELEASE) {
        note_least(value, info[3]); /* before the release; how much is released is not recorded */
    }
}

void object_used(struct object_value *value, const struct object *object, const struct txtap_event *event,
                 uint32_t thread)
{
    const uint32_t *info = event->info;

    value->uses++;
    switch (event->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
        queue_send(value, object_capacity(object), info[3]);
        break;
    case EVENT_QUEUE_RECEIVE:
        queue_receive(value, info[3]);
        break;
    case EVENT_QUEUE_FLUSH:
        set(value, 0);
        break;
    case EVENT_SEMAPHORE_GET:
        set(value, info[2] > 0 ? info[2] - 1 : 0);
        break;
    case EVENT_SEMAPHORE_PUT:
        set(value, info[2] > 0 ? info[1] : info[1] + 1);
        break;
    case EVENT_SEMAPHORE_CEILING_PUT:
        set(value, info[2] > 0 || info[1] >= info[3] ? info[1] : info[1] + 1);
        break;
    default:
        mutex_event(value, event, thread);
        pool_event(value, event);
        break;
    }
}

/* Did the group have the flags that the service asked for? */
static bool has_flags(const uint32_t *info)
{
    bool all = info[3] == 2 || info[3] == 3; /* TX_AND, TX_AND_CLEAR */

    return all ? (info[2] & info[1]) == info[1] : (info[2] & info[1]) != 0;
}

bool object_refused(const struct model *model, const struct service *service)
{
    const uint32_t *info = service->info;
    uint32_t own = service->thread != NONE ? model->threads[service->thread].address : 0, capacity;

    switch (service->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
        capacity = service->object != NONE ? object_capacity(&model->objects[service->object]) : 0;
        return capacity > 0 && info[3] >= capacity && info[2] == 0;
    case EVENT_QUEUE_RECEIVE:
        return info[3] == 0 && info[2] == 0;
    case EVENT_SEMAPHORE_GET:
        return info[2] == 0 && info[1] == 0;
    case EVENT_SEMAPHORE_CEILING_PUT:
        return info[1] >= info[3];
    case EVENT_MUTEX_GET:
        return info[2] != 0 && info[2] != own && info[1] == 0;
    case EVENT_BLOCK_ALLOCATE:
        return info[3] == 0 && info[2] == 0;
    case EVENT_FLAGS_GET:
        return !has_flags(info);
    default:
        return false; /* the result of allocating bytes is recorded later, and may be missing */
    }
}
