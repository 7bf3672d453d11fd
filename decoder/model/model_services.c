/* SPDX-License-Identifier: MIT */
/*
 * Services and their calls. This file finds the type of a service's object, the threads that the service makes wait or
 * resumes, and whether the service failed. The kernel writes the service's event first. Then it enables interrupts. The
 * suspension or the resumptions of the service follow, mixed with events of other contexts. So a service stays open
 * until its context records another service.
 */
#include "model/model_parts.h"

#include "txtap/registry.h"

/* ---- properties of services ---- */

static uint8_t object_type_of_reason(uint32_t reason)
{
    static const uint8_t types[REASONS] = {
        [REASON_QUEUE] = TXTAP_OBJECT_QUEUE,         [REASON_SEMAPHORE] = TXTAP_OBJECT_SEMAPHORE,
        [REASON_FLAGS] = TXTAP_OBJECT_EVENT_FLAGS,   [REASON_BLOCK_POOL] = TXTAP_OBJECT_BLOCK_POOL,
        [REASON_BYTE_POOL] = TXTAP_OBJECT_BYTE_POOL, [REASON_MUTEX] = TXTAP_OBJECT_MUTEX,
    };

    return reason < REASONS ? types[reason] : TXTAP_OBJECT_NONE;
}

/* ThreadX's services with an object, and services of threads. Index: id / 10. */
static const struct {
    uint8_t last, type;
} tens[] = {
    [1] = {17, TXTAP_OBJECT_BLOCK_POOL}, [2] = {27, TXTAP_OBJECT_BYTE_POOL}, [3] = {37, TXTAP_OBJECT_EVENT_FLAGS},
    [5] = {57, TXTAP_OBJECT_MUTEX},      [6] = {69, TXTAP_OBJECT_QUEUE},     [7] = {70, TXTAP_OBJECT_QUEUE},
    [8] = {89, TXTAP_OBJECT_SEMAPHORE},  [10] = {109, TXTAP_OBJECT_THREAD},  [11] = {119, TXTAP_OBJECT_THREAD},
};

#define TENS (sizeof(tens) / sizeof(*tens))

/*
 * Returns the type of the service's object. The event's first word contains this object. A service of threads has type
 * THREAD, but no object in the model. NONE: the event is not a service with an object.
 */
static uint8_t service_type(const struct txtap_event *event)
{
    uint32_t id = event->id;

    if (id == EVENT_CALL)
        return object_type_of_reason(event->info[1]);
    return id < 10 * TENS && id <= tens[id / 10].last ? tens[id / 10].type : TXTAP_OBJECT_NONE;
}

/* ---- calls ---- */

#define FLAGS_CLEAR 1u /* option of a get: clear the flags; option of a set with FLAGS_AND: clear the other flags */

/* Properties of a mutex put that depend on the mutex's owner: see struct service. */
struct put {
    bool gives_up, perhaps_gives_up, deletes, perhaps_deletes;
};

/* Finds out whether a put ends the ownership of a mutex. A thread that is not the owner puts a mutex only inside the
 * kernel: when the kernel deletes the mutex, or after it has terminated the owner. */
static void service_note_put(const struct model *model, const struct txtap_event *event, const struct service *before,
                             struct put *put)
{
    uint32_t owner = model_thread_find(model, event->info[1]);
    const struct thread *thread = owner != NONE ? &model->threads[owner] : NULL;
    bool terminated = thread != NULL && thread->state == THREAD_BLOCKED && thread->reason == REASON_TERMINATED;

    put->deletes = before->id == EVENT_MUTEX_DELETE && before->info[0] == event->info[0];
    put->perhaps_deletes = before->id == 0 && !model->other_kernel;
    put->gives_up =
        event->info[1] != 0 && event->info[2] == 1 &&
        (put->deletes || terminated || (event->context == TXTAP_CONTEXT_THREAD && event->thread == event->info[1]));
    put->perhaps_gives_up = !put->gives_up && event->info[1] != 0 && event->info[2] == 1 && !model->other_kernel &&
                            (thread == NULL || thread->state == THREAD_UNKNOWN);
}

/* Updates the known flags after a call. */
static void service_note_flags(struct object *flags, struct service *call)
{
    const uint32_t *info = call->info;

    if (call->id == EVENT_FLAGS_CREATE || call->id == EVENT_FLAGS_GET) {
        flags->flags_known = true;
        flags->flags = call->id == EVENT_FLAGS_GET ? info[2] : 0;
        if (call->id == EVENT_FLAGS_GET && (info[3] & FLAGS_CLEAR) != 0 && flags_are_there(info[2], info[1], info[3]))
            flags->flags &= ~info[1];
    } else if (call->id == EVENT_FLAGS_SET) {
        flags->flags = (info[2] & FLAGS_AND) != 0 ? flags->flags & info[1] : flags->flags | info[1];
    }
    call->flags_known = flags->flags_known;
    call->flags = flags->flags;
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

/*
 * Returns the reason of the waits that a service can end; REASON_READY: the service ends no waits. Sets *one to true if
 * the service resumes only one thread.
 */
static uint32_t service_resumes(const struct service *service, bool *one)
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
        *one = !service->deletes && !service->perhaps_deletes;
        return service->gives_up || service->perhaps_gives_up ? REASON_MUTEX : REASON_READY;
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

/* ---- which waits a service ends ---- */

enum answer { NO, YES, PERHAPS };

static enum answer answer(bool yes)
{
    return yes ? YES : NO;
}

/*
 * Answers whether the set gives the thread the flags for which it waits. These flags were not set before the wait, but
 * an interrupt may have set more flags since then.
 */
static enum answer set_serves(const struct model *model, const struct service *set, const struct thread *thread)
{
    const uint32_t *get = thread->last.info;
    uint32_t later = set->object != NONE ? model->objects[set->object].flags : 0;

    if (set->info[3] == 0 || (set->info[2] & FLAGS_AND) != 0)
        return NO;
    if (thread->service != EVENT_FLAGS_GET)
        return PERHAPS;
    if (set->flags_known)
        return answer(flags_are_there(set->flags | later, get[1], get[3]));
    if ((get[1] & set->info[1]) == 0)
        return NO;
    return flags_are_there(set->info[1], get[1], get[3]) ? YES : PERHAPS;
}

/*
 * Answers whether the service ends the thread's wait for a queue. A message goes directly to a waiting thread only if
 * the queue is empty. A receive makes space for a waiting sender only if the queue is full.
 */
static enum answer queue_serves(const struct model *model, const struct service *service, const struct thread *thread)
{
    bool receives = thread->service == EVENT_QUEUE_RECEIVE, sends = thread->service != 0 && !receives;
    uint32_t capacity = service->object != NONE ? model->objects[service->object].capacity : 0;

    if (service->id == EVENT_QUEUE_RECEIVE)
        return answer(!receives && service->info[3] > 0 && service->info[3] >= capacity);
    if (service->id == EVENT_QUEUE_FLUSH)
        return answer(!receives);
    return answer(!sends && service->info[3] == 0);
}

/*
 * Answers whether the service resumes this thread, provided that the thread waits for the service's object. Some events
 * record how many threads wait.
 */
static enum answer serves(const struct model *model, const struct service *service, const struct thread *thread)
{
    switch (service->id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
    case EVENT_QUEUE_RECEIVE:
    case EVENT_QUEUE_FLUSH:
        return queue_serves(model, service, thread);
    case EVENT_SEMAPHORE_PUT:
    case EVENT_SEMAPHORE_CEILING_PUT:
    case EVENT_BLOCK_RELEASE:
        return answer(service->info[2] > 0);
    case EVENT_BYTE_RELEASE: /* only if enough bytes are free in one block */
        return service->info[2] > 0 ? PERHAPS : NO;
    case EVENT_FLAGS_SET:
        return set_serves(model, service, thread);
    case EVENT_MUTEX_PUT:
        return service->gives_up ? YES : PERHAPS;
    default:
        return YES;
    }
}

/* Returns true if the first thread that a service with this id resumes has always waited for the service's object. */
static bool says_who_waits(uint32_t id)
{
    return id == EVENT_SEMAPHORE_PUT || id == EVENT_SEMAPHORE_CEILING_PUT || id == EVENT_BLOCK_RELEASE;
}

/*
 * Returns true if timeouts may expire in thread `by` (NONE: in an interrupt). The kernel handles timeouts in its timer
 * thread. Without a timer thread, the timer's interrupt handles timeouts.
 */
static bool has_timers(const struct model *model, uint32_t by)
{
    const struct thread *thread = by != NONE ? &model->threads[by] : NULL;

    if (model->other_kernel)
        return true;
    if (model->timer_thread.known && !model->timer_thread.several)
        return thread != NULL && thread->address == model->timer_thread.address;
    return thread == NULL || !thread->is_no_timer;
}

/* Returns true if the thread's wait may have a timeout. A get of event flags does not record the timeout. */
static bool may_time_out(const struct thread *thread)
{
    return thread->service == 0 || thread->service == EVENT_FLAGS_GET || thread->wait_option != WAIT_FOREVER;
}

bool service_aborts(const struct service *service, uint32_t thread)
{
    return service->open && service->id == EVENT_THREAD_WAIT_ABORT && service->info[0] == thread &&
           service->info[1] >= REASON_SLEEP && service->woken == 0;
}

enum ending service_ending(const struct model *model, const struct service *service, uint32_t by,
                           const struct thread *thread)
{
    bool times_out = may_time_out(thread) && has_timers(model, by);
    uint32_t reason = thread->reason;
    enum answer served = NO;
    bool one;

    if (service_aborts(service, thread->address))
        return ENDING_ABORTED;
    if (reason == REASON_SLEEP)
        return ENDING_SERVED; /* the thread slept for the requested time */
    if (reason < REASON_QUEUE || reason > REASON_MUTEX || service->id == 0)
        return ENDING_UNKNOWN;
    if (service->open && service_resumes(service, &one) == reason && !(one && service->woken > 0) &&
        (thread->object == NONE || thread->object == service->object))
        served = serves(model, service, thread);
    if (served == YES && ((thread->object == NONE && !says_who_waits(service->id)) || (one && service->perhaps_woken)))
        served = PERHAPS; /* the thread may wait for another object, or another thread may have been served */
    if (served == YES || (served == PERHAPS && !times_out))
        return deletes(service->id) || service->deletes ? ENDING_DELETED : ENDING_SERVED;
    if (served == PERHAPS || !times_out || reason == REASON_TCP_IP || reason == REASON_IO || reason == REASON_FILE)
        return ENDING_UNKNOWN;
    return ENDING_TIMEOUT;
}

/* ---- failures ---- */

static bool is_full(const struct model *model, const struct service *queue)
{
    uint32_t capacity = queue->object != NONE ? model->objects[queue->object].capacity : 0;

    return capacity > 0 && queue->info[3] >= capacity;
}

/* Returns true if the service got nothing. The service must have ended without a wait. */
static bool service_fails(const struct model *model, const struct service *service)
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
        return info[1] >= info[3] && info[2] == 0;
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

/* ---- calls ---- */

struct service *service_of_context(struct model *model, const struct change *event)
{
    struct core *core = &model->cores[event->core];

    if (event->thread != NONE)
        return &model->threads[event->thread].last;
    return event->event->context == TXTAP_CONTEXT_INIT ? &core->last_init : &core->last_isr;
}

/* Returns true if the service belongs to the services that can fail: see service_fails(). */
static bool service_may_fail(const struct service *service)
{
    uint8_t zero = service_rule(service->id)->zero;

    return zero != 0 && !service->blocked && (zero == SERVICE_ANY_WORD || service->info[zero - 1] == 0);
}

static void count_failed(struct model *model, const struct service *service)
{
    model->failed++;
    if (service->object != NONE)
        model->objects[service->object].failed++;
}

/* Reports a service. outcome: CALL (the service begins) or SERVICE (the service has ended). */
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

/* Resets the queue: a created queue is new, even if an older queue had the same address. */
static void create_queue(struct object *queue, const struct txtap_event *event)
{
    *queue = (struct object){.address = event->info[0],
                             .type = TXTAP_OBJECT_QUEUE,
                             .owner = NONE,
                             .waiting = queue->waiting,
                             .failed = queue->failed};
    count_learn(queue, event->info[3], event->info[1]);
}

/* Updates the service's object as the service begins. */
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
    struct put put = {0};
    uint32_t number;
    enum running caller = context_of_event(model, event, &number);

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
        .caller = (uint8_t)caller,
        .number = number,
        .gives_up = put.gives_up,
        .perhaps_gives_up = put.perhaps_gives_up,
        .deletes = put.deletes,
        .perhaps_deletes = put.perhaps_deletes,
    };
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
        service->woken = 1; /* the service resumes exactly one thread */
    if (!service->open || event->event->info[1] == REASON_SLEEP ||
        (!is_perhaps && ending != ENDING_SERVED && ending != ENDING_DELETED))
        return;
    service->woken += !is_perhaps;
    service->perhaps_woken = is_perhaps;
    count_outcome(model, event, service);
}

/* Notes the kernel's timer thread. This thread suspends itself without a call. An application's thread calls
 * tx_thread_suspend() to suspend itself. */
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

/* Closes the services of the core's interrupts: all of them have ended, because a thread or the initialization runs. */
static void leave_interrupts(struct model *model, const struct change *event)
{
    struct core *core = &model->cores[event->core];

    service_close(model, event, &core->last_isr);
    service_close(model, event, &core->outer_isr);
    core->last_isr.id = EVENT_ISR_EXIT;
}

/* Keeps the open service of the outer interrupt, which may continue. Call it when a nested interrupt begins. */
static void nest(struct model *model, const struct change *event, struct service *service)
{
    struct core *core = &model->cores[event->core];

    if (core->depth < 2 || service != &core->last_isr || !service->open)
        return;
    service_close(model, event, &core->outer_isr);
    core->outer_isr = *service;
    service->open = false;
}

/* Restores the service of the outer interrupt. Call it when a nested interrupt ends. */
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
            return; /* this event is part of a put, perhaps of a put hidden by a gap */
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
