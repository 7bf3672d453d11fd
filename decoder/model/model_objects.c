/* SPDX-License-Identifier: MIT */
/*
 * Objects: how much they contain, and which thread owns which mutex or lock (a semaphore used as a lock). A service's
 * event shows the content before the call. The content after the call depends on waiting threads: a waiting thread
 * takes the data that the service puts, or fills the space that the service frees. When the call begins, the model uses
 * the threads that it knows to wait. When the call has ended, the model uses the effects of the call.
 */
#include "model/model_parts.h"

#include "base/min_max.h"

/* ---- counts ---- */

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

/* Sets *after to the object's content after the service. Returns false if this content is unknown. */
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
    /* puts of semaphores record whether a thread waits */
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

    if (!service->has_before || service->id == EVENT_MUTEX_PUT) /* the result does not depend on waiting threads */
        return;
    service->one_waits = !service->one_waits;
    if (!count_after(model, service, &service->after) || service->after == before)
        return;
    model->objects[service->object].count_likely = service->perhaps_woken;
    if (model->objects[service->object].count_seq == service->seq)
        set_count(model, event, service->object, service->after);
}

/* Sets the mutex's count after a thread that waited for the mutex got it. */
static void count_handed_over(struct model *model, const struct change *event, uint32_t mutex)
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

/* ---- owners ---- */

static void set_owner(struct model *model, const struct change *at, uint32_t thread, uint32_t number)
{
    struct change change;

    change_start(&change, at, CHANGE_ACQUIRED);
    model->objects[number].owner = thread;
    change.thread = thread;
    change.object = number;
    model_emit(model, &change);
}

static void acquire(struct model *model, const struct change *at, uint32_t thread, uint32_t number)
{
    model->objects[number].held = at->now;
    model->objects[number].held_known = true;
    set_owner(model, at, thread, number);
}

/*
 * Returns the earliest known tick at which a thread owned a mutex. Call it if the trace does not show the get. If a put
 * hidden by a gap may have given the thread the mutex, this is the tick of the thread's resumption.
 */
static uint64_t held_since(const struct model *model, uint32_t owner)
{
    return max_u64(model->known_from, owner != NONE ? model->threads[owner].perhaps_given : 0);
}

/*
 * Ends the ownership of the mutex. owner: the thread that gives up the mutex, as the event names it; NONE: the event
 * does not name this thread.
 */
static void release(struct model *model, const struct change *event, uint32_t number, uint32_t owner)
{
    struct object *mutex = &model->objects[number];
    struct change change;

    change_start(&change, event, CHANGE_RELEASED);
    change.object = number;
    change.known = mutex->held_known && (owner == NONE || mutex->owner == owner);
    change.ticks = event->now.ticks - (mutex->owner != NONE ? mutex->held.ticks : held_since(model, owner));
    model_emit(model, &change);
    mutex->owner = NONE;
    mutex->held_known = false;
}

void mutex_locked(struct model *model, const struct change *event)
{
    uint32_t number = model_object(model, event->event->info[0], TXTAP_OBJECT_MUTEX);
    struct object *mutex = number != NONE ? &model->objects[number] : NULL;

    if (mutex == NULL || event->thread == NONE)
        return;
    if (mutex->owner == event->thread) {
        mutex->count++;
        return;
    }
    acquire(model, event, event->thread, number);
    mutex->count_known = true;
    mutex->count = 1;
}

/*
 * Unlocks the mutex if the caller owns it. If the mutex's count is unknown, assumes that the caller has owned the mutex
 * since an unknown time.
 */
static void unlock(struct model *model, const struct change *event, uint32_t number)
{
    struct object *mutex = &model->objects[number];

    if (mutex->owner == event->thread && mutex->count > 1) {
        mutex->count--;
        return;
    }
    if (mutex->owner != event->thread && mutex->count_known)
        return;
    if (!mutex->count_known) {
        mutex->owner = event->thread;
        mutex->held = event->now;
    }
    release(model, event, number, event->thread);
    mutex->count_known = true;
    mutex->count = 0;
}

/*
 * Notes the owner that a get of the mutex names. If the owner was unknown before, the start of the ownership is
 * unknown.
 */
static void note_owner(struct model *model, const struct change *event, uint32_t owner, uint32_t number)
{
    struct object *mutex = &model->objects[number];

    if (owner == mutex->owner)
        return;
    mutex->held_known = false;
    mutex->held = (struct moment){held_since(model, owner), 0};
    set_owner(model, event, owner, number);
}

/*
 * Marks the owner's current priority as unknown until the owner's next event. Call it when the kernel puts a mutex for
 * an owner that is not the running thread: the owner then no longer inherits a priority.
 */
static void lose_inheritance(struct model *model, const struct change *event, uint32_t owner)
{
    if (owner != NONE && owner != event->thread)
        model->threads[owner].runs_at_known = false;
}

void mutex_call(struct model *model, const struct change *event, const struct service *service)
{
    const uint32_t *info = service->info;
    struct object *mutex;

    if (service->object == NONE)
        return;
    mutex = &model->objects[service->object];
    if (service->id == EVENT_MUTEX_CREATE) {
        mutex->owner = NONE;
        mutex->held_known = false;
        mutex->inherits = info[1] == 1;
    } else if (service->id == EVENT_MUTEX_GET && info[2] == 0) {
        if (event->thread != NONE)
            acquire(model, event, event->thread, service->object);
    } else if (service->id == EVENT_MUTEX_GET) {
        note_owner(model, event, model_thread(model, info[2]), service->object);
    } else if (service->id == EVENT_MUTEX_PUT && service->gives_up) {
        release(model, event, service->object, model_thread(model, info[1]));
        if (mutex->inherits)
            lose_inheritance(model, event, model_thread_find(model, info[1]));
    } else if (service->id == EVENT_CALL && call_kind(info[2]) == CALL_UNLOCKS && event->thread != NONE) {
        unlock(model, event, service->object);
    }
}

/* Updates the owner of a semaphore used as a lock. A put by any thread ends the ownership that the last get began. */
void lock_call(struct model *model, const struct change *event, const struct service *service)
{
    struct object *lock;
    bool put = service->id == EVENT_SEMAPHORE_PUT || service->id == EVENT_SEMAPHORE_CEILING_PUT;
    uint32_t before;

    if (!model_is_lock(model, service->object))
        return;
    lock = &model->objects[service->object];
    before = put ? service->info[1] : service->info[2];
    if (service->id == EVENT_SEMAPHORE_CREATE || service->id == EVENT_SEMAPHORE_DELETE) {
        lock->owner = NONE;
        lock->held_known = false;
    } else if (put && before == 0) {
        release(model, event, service->object, NONE);
    } else if (service->id == EVENT_SEMAPHORE_GET && before == 1 && event->thread != NONE) {
        acquire(model, event, event->thread, service->object);
    } else if (put || (service->id == EVENT_SEMAPHORE_GET && before > 1)) {
        lock->crowded = true;
        lock->owner = NONE;
    }
}

/* Returns true if the thread may have stopped waiting because the mutex's owner gave the mutex up. */
static bool perhaps_handed_over(const struct model *model, const struct change *ready)
{
    const struct waker *waker = ready->waker;

    if (model->threads[ready->thread].reason != REASON_MUTEX || waker->service == NULL ||
        waker->service->id != EVENT_MUTEX_PUT || waker->service->object == NONE)
        return false;
    if (waker_perhaps_deletes(waker))
        return true;
    return waker->ending == ENDING_UNKNOWN && waker->service->woken == 0 &&
           (waker->service->gives_up || waker->service->perhaps_gives_up);
}

/*
 * Updates the mutex's owner. Call it when a thread stops waiting, perhaps because the mutex's owner gave the mutex up.
 * If the trace lacks the thread's get, the ownership time is inexact: the thread may have got the mutex more than once.
 */
void mutex_handed_over(struct model *model, const struct change *ready)
{
    const struct waker *waker = ready->waker;

    if (model->other_kernel) /* the return event of the thread's call shows that the thread owns the mutex */
        return;
    if (perhaps_handed_over(model, ready)) {
        model->threads[ready->thread].perhaps_given = ready->now.ticks;
        set_owner(model, ready, NONE, waker->service->object);
    } else if (model_waits_for_owner(model, &model->threads[ready->thread]) && waker->ending == ENDING_SERVED &&
               waker->service->object != NONE) {
        acquire(model, ready, ready->thread, waker->service->object);
        if (model->threads[ready->thread].reason == REASON_MUTEX)
            count_handed_over(model, ready, waker->service->object);
        model->objects[waker->service->object].held_known = model->threads[ready->thread].object != NONE;
    }
}

void mutex_forget(struct model *model)
{
    for (uint32_t i = 0; i < model->object_numbers.count; i++) {
        model->objects[i].owner = NONE;
        model->objects[i].held_known = false;
    }
}
