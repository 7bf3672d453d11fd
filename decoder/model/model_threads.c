/* SPDX-License-Identifier: MIT */
/*
 * The state of each thread: whether the thread is ready or waits, its jobs, its priority, and the time that it spends
 * in each state.
 */
#include "model/model_parts.h"

#include "base/min_max.h"

/* ---- use of time ---- */

void thread_settle(struct thread *thread, uint64_t ticks)
{
    thread->spent[thread->account] += ticks - thread->account_since;
    if (thread->lingers)
        thread->lingered += ticks - thread->account_since;
    thread->account_since = ticks;
}

static enum account account_of(const struct model *model, const struct thread *thread)
{
    if (thread->core >= 0 && (model->core_count < 2 || thread->state != THREAD_BLOCKED)) {
        enum running running = model->cores[thread->core].running;

        return running == RUNNING_THREAD    ? ACCOUNT_RUNNING
               : running == RUNNING_ISR     ? ACCOUNT_INTERRUPTED
               : running == RUNNING_UNKNOWN ? ACCOUNT_UNKNOWN
                                            : ACCOUNT_READY;
    }
    if (thread->state == THREAD_BLOCKED)
        return (enum account)(ACCOUNT_BLOCKED + thread->reason);
    return thread->state == THREAD_READY && !thread->perhaps_suspended ? ACCOUNT_READY : ACCOUNT_UNKNOWN;
}

static void emit_account(const struct model *model, uint32_t number, const struct change *at, enum change_kind kind)
{
    struct change change;

    if (!model_is_heard(model, kind))
        return;
    change_start(&change, at, kind);
    change.thread = number;
    model_emit(model, &change);
}

void thread_account(struct model *model, uint32_t number, const struct change *at)
{
    struct thread *thread = &model->threads[number];
    enum account before = thread->account;
    bool waits;

    thread_settle(thread, at->now.ticks);
    thread->account = account_of(model, thread);
    /* Report the account again if a wait begins now: the thread may wait for another object. */
    waits = thread->account >= ACCOUNT_BLOCKED && thread->since.seq == at->now.seq;
    if (thread->account != before || waits)
        emit_account(model, number, at, CHANGE_ACCOUNT);
}

void threads_on_several_cores(struct model *model)
{
    struct change now = {.now = model->last, .thread = NONE};

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        struct thread *thread = &model->threads[i];
        uint64_t waited = now.now.ticks - thread->since.ticks;

        if (thread->state != THREAD_BLOCKED || thread->account != ACCOUNT_INTERRUPTED)
            continue;
        thread_account(model, i, &now);
        thread->spent[ACCOUNT_INTERRUPTED] -= waited;
        thread->spent[thread->account] += waited;
    }
}

/* Sets the thread's account for the time since the first event or the last gap. Until now this account was unknown. */
void thread_learn_past(struct model *model, uint32_t number, enum account account, const struct change *at)
{
    struct thread *thread = &model->threads[number];
    struct change change;

    if (thread->account != ACCOUNT_UNKNOWN)
        return;
    thread_settle(thread, max_u64(thread->account_since, model->known_from));
    change_start(&change, at, CHANGE_PAST);
    change.thread = number;
    change.ticks = at->now.ticks - thread->account_since;
    change.count = account;
    thread->account = account;
    thread_settle(thread, at->now.ticks);
    thread->account = ACCOUNT_UNKNOWN;
    if (change.ticks > 0)
        model_emit(model, &change);
}

void thread_found_ready(struct model *model, uint32_t number, const struct change *at)
{
    struct thread *thread = &model->threads[number];

    if (thread->state != THREAD_UNKNOWN)
        return;
    if (!model->other_kernel) /* other kernels may not record the reason for the resumption */
        thread_learn_past(model, number, ACCOUNT_READY, at);
    thread->left = false;
    thread->state = THREAD_READY;
    thread->since = (struct moment){model->known_from, 0};
    thread->since_known = false;
}

void thread_prove_ready(struct model *model, uint32_t number, const struct change *at)
{
    struct thread *thread = &model->threads[number];

    if (thread->perhaps_suspended)
        thread_learn_past(model, number, ACCOUNT_READY, at);
    thread->perhaps_suspended = thread->suspension_unknown = false;
}

/* Marks the thread as suspended since its resumption: later events prove this. */
static void prove_suspended(struct model *model, uint32_t number, const struct change *at)
{
    struct thread *thread = &model->threads[number];

    if (!thread->perhaps_suspended)
        return;
    thread_learn_past(model, number, (enum account)(ACCOUNT_BLOCKED + REASON_SUSPENDED), at);
    thread->perhaps_suspended = thread->suspension_unknown = false;
    thread->waking = thread->waiting = thread->job.open = false;
    thread->state = THREAD_BLOCKED;
    thread->reason = REASON_SUSPENDED;
    thread->object = NONE;
}

static void thread_forget(struct thread *thread)
{
    thread->state = THREAD_UNKNOWN;
    thread->object = thread->waits_for = NONE;
    thread->since_known = false;
    thread->core = -1;
    thread->waking = thread->waiting = thread->left = thread->suspend_later = thread->changes_priority = false;
    thread->perhaps_suspended = thread->lingers = false;
    thread->perhaps_given = 0;
    thread->stack_created = false;
    thread->job.open = false;
    thread->last = (struct service){.thread = NONE};
    thread->account = ACCOUNT_UNKNOWN;
}

void thread_lose(struct thread *thread)
{
    thread_forget(thread);
    thread->runs_at_known = false;
    thread->suspension_unknown = true;
    thread->base_doubtful = thread->priority_known;
    thread->base_least = 0;
}

/* ---- jobs ---- */

static bool bounds_job(const struct model *model, uint32_t reason)
{
    return reason != REASON_MUTEX || model->any_wait_ends_job;
}

static void start_job(struct thread *thread, struct moment now, uint64_t doubted)
{
    thread->job.open = true;
    thread->job.start = now;
    thread->job.turns = 0;
    thread->job.less = thread->doubt.less;
    thread->job.doubted = doubted;
    memcpy(thread->job.spent, thread->spent, sizeof(thread->spent));
}

void thread_end_job(struct model *model, uint32_t number, const struct change *event)
{
    struct thread *thread = &model->threads[number];
    struct change change = {.kind = CHANGE_JOB,
                            .now = event->now,
                            .core = event->core,
                            .event = event->event,
                            .thread = number,
                            .job = &thread->job};

    if (!thread->job.open)
        return;
    for (unsigned i = 0; i < ACCOUNTS; i++)
        thread->job.spent[i] = thread->spent[i] - thread->job.spent[i];
    change.ticks = event->now.ticks - thread->job.start.ticks;
    thread->job.less = thread->doubt.less - thread->job.less;
    change.vague = cores_are_vague(model, number, thread->job.doubted, thread->job.start.ticks);
    thread->job.open = false;
    model_emit(model, &change);
}

/* ---- events ---- */

/* Checks whether a gap has hidden a change of the thread's own priority. An event with the old priority proves that
 * there was no change, because an inherited priority can only be a smaller number. */
static void confirm_base(struct model *model, uint32_t number, const struct change *event)
{
    struct thread *thread = &model->threads[number];
    uint32_t priority = event->event->priority;
    struct change change;

    thread->base_doubtful = priority != thread->base;
    thread->base = max_u64(thread->base, priority) & UINT32_MAX;
    thread->base_least = max_u64(thread->base_least, priority) & UINT32_MAX;
    if (thread->base_doubtful)
        return;
    change_start(&change, event, CHANGE_SAME);
    change.thread = number;
    model_emit(model, &change);
}

static void note_priority(struct model *model, uint32_t number, uint32_t priority, const struct change *event)
{
    struct thread *thread = &model->threads[number];
    bool first = !thread->priority_known, changed = !first && thread->priority != priority;
    struct change change;

    change_start(&change, event, first ? CHANGE_BASE : CHANGE_PRIORITY);
    thread->priority = priority;
    if (first)
        thread_runs_at(thread, priority);
    thread->priority_known = true;
    if (!thread->base_certain)
        thread->base = max_u64(thread->base, priority) & UINT32_MAX;
    change.thread = number;
    if (first || changed)
        model_emit(model, &change);
}

void thread_own_event(struct model *model, const struct change *event)
{
    uint32_t number = event->thread;
    const struct thread *thread = &model->threads[number];

    if (thread->base_doubtful)
        confirm_base(model, number, event);
    if (!model->other_kernel && (!thread->priority_known || thread->priority != event->event->priority))
        note_priority(model, number, event->event->priority, event);
    thread_found_ready(model, number, event);
}

/* Ends the wait of a thread that is terminated or created again. Such a wait ends without a resumption. */
static void end_wait(struct model *model, uint32_t number, const struct change *event)
{
    const struct waker waker = {.kind = RUNNING_UNKNOWN, .number = NONE, .ending = ENDING_ABORTED};
    struct thread *thread = &model->threads[number];
    struct change change;

    change_start(&change, event, CHANGE_READY);
    change.thread = number;
    change.waker = &waker;
    change.ticks = event->now.ticks - thread->since.ticks;
    change.known = thread->since_known;
    count_waiting(model, thread, NONE);
    model_emit(model, &change);
    thread->last.open = false;
}

void thread_start_life(struct model *model, uint32_t number, const struct change *event)
{
    struct thread *thread = &model->threads[number];
    bool was_known = thread->account != ACCOUNT_UNKNOWN;

    service_close(model, event, &thread->last);
    if (thread->state == THREAD_BLOCKED) /* the old thread at the address had ended */
        end_wait(model, number, event);
    count_waiting(model, thread, NONE);
    thread_settle(thread, event->now.ticks);
    thread_forget(thread);
    thread->created = event->now.ticks;
    thread->last.id = EVENT_THREAD_CREATE; /* the thread has not called a service yet */
    if (was_known)
        emit_account(model, number, event, CHANGE_ACCOUNT);
}

void thread_reset(struct model *model, const struct change *event)
{
    uint32_t number = model_thread(model, event->event->info[0]);
    bool suspend_later;

    if (number == NONE)
        return;
    suspend_later = model->threads[number].suspend_later; /* tx_thread_reset() does not cancel a delayed suspension */
    thread_start_life(model, number, event);
    model->threads[number].suspend_later = suspend_later;
}

void thread_priority_event(struct model *model, const struct change *event)
{
    const uint32_t *info = event->event->info;
    uint32_t number = model_thread(model, info[0]);
    struct thread *thread;

    if (number == NONE)
        return;
    thread = &model->threads[number];
    if (event->event->id == EVENT_THREAD_CREATE) {
        thread->joined = thread->joined || thread_is_used(thread);
        thread_start_life(model, number, event);
        thread->is_no_timer = true;
        thread->suspension_unknown = false;
        thread->stack = info[2];
        thread->stack_bytes = info[3];
        thread->stack_created = true;
        thread->seq = event->now.seq;
        thread->priority_known = false;
    }
    thread->base = info[1];
    thread->base_certain = true;
    thread->base_doubtful = false;
    note_priority(model, number, info[1], event);
    thread_runs_at(thread, info[1]);
    if (event->event->id == EVENT_THREAD_PRIORITY_CHANGE) /* until the end of inheritance, the thread keeps its old
                                                             priority */
        thread->runs_at_known = false;
}

static uint32_t reason_of(const struct txtap_event *event)
{
    return event->info[1] < REASON_OTHER ? event->info[1] : REASON_OTHER;
}

/*
 * Sets the object for which the thread waits. This is the object of the thread's last service, if that service can wait
 * for this reason.
 */
static void note_wait(struct thread *thread, uint32_t reason, bool own)
{
    const struct service *service = &thread->last;
    bool fits = own && service->open && service_fits_wait(service, reason);

    thread->object = fits ? service->object : NONE;
    thread->service = fits ? service->id : 0;
    thread->called = fits ? service->ticks : 0;
    thread->wait_option = !fits                                ? 0
                          : service->id == EVENT_MUTEX_GET     ? service->info[1]
                          : service->id == EVENT_SEMAPHORE_GET ? service->info[1]
                          : service->id == EVENT_BYTE_ALLOCATE ? service->info[3]
                          : service->id == EVENT_FLAGS_GET     ? 0
                                                               : service->info[2];
}

/*
 * Raises the current priority of a mutex's owner. Call it when a thread begins to wait for the mutex. The owner
 * inherits the thread's priority at once, but shows it only in its next event.
 */
static void inherit(struct model *model, const struct thread *waits)
{
    const struct object *mutex = waits->object != NONE ? &model->objects[waits->object] : NULL;
    struct thread *owner = mutex != NULL && mutex->owner != NONE ? &model->threads[mutex->owner] : NULL;

    if (owner != NULL && mutex->inherits && owner->runs_at_known && waits->runs_at < owner->runs_at)
        owner->runs_at = waits->runs_at;
}

/* Notes that the mutex uses priority inheritance, if a thread changes the owner's priority inside its get of the
 * mutex. */
static void learn_inheritance(struct model *model, const struct change *event)
{
    const struct service *service = service_of_context(model, event);

    if (service->open && service->id == EVENT_MUTEX_GET && service->object != NONE)
        model->objects[service->object].inherits = true;
}

void thread_suspend(struct model *model, uint32_t number, const struct change *event, uint32_t reason)
{
    struct thread *thread = &model->threads[number];
    struct change change;

    change_start(&change, event, CHANGE_BLOCKED);
    if (thread->core >= 0 && (uint32_t)thread->core != event->core)
        core_lose(model, (uint32_t)thread->core, event);
    thread_found_ready(model, number, event);
    thread_prove_ready(model, number, event);
    thread_settle(thread, event->now.ticks);
    if (bounds_job(model, reason))
        thread_end_job(model, number, event);
    note_wait(thread, reason, number == event->thread);
    thread->lingers = thread->state != THREAD_BLOCKED && event->event->thread != thread->address;
    count_waiting(model, thread, thread->object);
    thread->state = THREAD_BLOCKED;
    thread->reason = reason;
    thread->since = event->now;
    thread->since_known = true;
    thread->is_no_timer = thread->is_no_timer || reason != REASON_SUSPENDED;
    thread_account(model, number, event);
    change.thread = number;
    if (reason == REASON_MUTEX)
        inherit(model, thread);
    model_emit(model, &change);
    thread->waking = thread->waiting = false;
}

void thread_suspended(struct model *model, const struct change *event)
{
    uint32_t number = model_thread(model, event->event->info[0]), reason = reason_of(event->event);

    if (number == NONE)
        return;
    model->threads[number].changes_priority = reason == REASON_PRIORITY;
    if (reason == REASON_PRIORITY)
        return;
    if (model->other_kernel)
        reason = other_kernel_reason(event->event, &model->threads[number], reason);
    thread_suspend(model, number, event, reason);
}

enum running context_of_event(const struct model *model, const struct change *event, uint32_t *number)
{
    const struct core *core = &model->cores[event->core];

    *number = event->thread;
    if (event->event->context == TXTAP_CONTEXT_THREAD)
        return RUNNING_THREAD;
    *number = NONE;
    if (event->event->context == TXTAP_CONTEXT_INIT)
        return RUNNING_INIT;
    if (core->depth > 0 && core->depth <= ISR_DEPTH_MAX)
        *number = core->isr[core->depth - 1].number;
    return RUNNING_ISR;
}

static struct waker waker_of(struct model *model, const struct change *event)
{
    const struct service *service = service_of_context(model, event);
    struct waker waker = {.service = service->open ? service : NULL};

    waker.kind = context_of_event(model, event, &waker.number);
    return waker;
}

/*
 * Returns the reason for a wait that tx_thread_wait_abort() ends. This call records the resumption of a suspended
 * thread, and only the call's own event contains the true reason. If a gap hides that event, the reason comes from the
 * thread's suspension, if the suspension is known.
 */
static uint32_t reason_aborted(struct model *model, const struct change *event, const struct thread *thread,
                               uint32_t reason, struct waker *waker)
{
    const struct service *service = service_of_context(model, event);

    if (service_aborts(service, thread->address))
        return service->info[1] < REASON_OTHER ? service->info[1] : reason;
    if (reason != REASON_SUSPENDED || service->id != 0 || waker->kind == RUNNING_INIT || model->other_kernel)
        return reason;
    waker->unsure = thread->state != THREAD_BLOCKED;
    if (waker->unsure || thread->reason <= REASON_SUSPENDED)
        return reason;
    waker->ending = ENDING_ABORTED;
    return thread->reason;
}

/* Notes a call of tx_thread_suspend() for a waiting thread: the suspension takes effect when the wait ends.
 * tx_thread_resume() cancels it. */
void thread_suspend_later(struct model *model, const struct change *event)
{
    const uint32_t *info = event->event->info;
    uint32_t number = model_thread(model, info[0]);

    if (number == NONE)
        return;
    if (event->event->id == EVENT_THREAD_SUSPEND_API && info[1] > REASON_SUSPENDED)
        model->threads[number].suspend_later = true;
    else if (event->event->id == EVENT_THREAD_RESUME_API && info[1] != REASON_SUSPENDED)
        model->threads[number].suspend_later = false;
}

/* Ends the last call of a thread that is resumed. If the call did not make the thread wait, another thread or an
 * interrupt suspended the thread, or ended the wait before it began. */
static void end_call(struct model *model, struct thread *thread, const struct change *event, uint32_t reason)
{
    if (thread->last.open) {
        thread->last.blocked = service_fits_wait(&thread->last, reason);
        service_close(model, event, &thread->last);
    }
    thread->last.id = EVENT_THREAD_RESUME;
}

/* Notes the reason for the thread's wait. If the reason is new, resets all other data of the wait. */
static void note_reason(const struct model *model, struct thread *thread, uint32_t reason, struct moment now)
{
    if (thread->state != THREAD_BLOCKED || thread->reason != reason) {
        thread->since = now; /* assume that the wait begins now, the latest possible moment, if the thread's state
                                was known */
        if (thread->state == THREAD_UNKNOWN)
            thread->since.ticks = max_u64(model->known_from, thread->created);
        thread->since_known = false;
        thread->object = NONE;
        thread->service = 0;
    }
    thread->reason = reason;
}

/*
 * Returns true if the thread may have been suspended during its wait. The end of the wait and a reset do not cancel
 * such a suspension, so the suspension takes effect now.
 */
static bool may_be_suspended(const struct model *model, const struct thread *thread, const struct waker *waker)
{
    return thread->suspension_unknown && !model->other_kernel && waker->kind != RUNNING_INIT;
}

static void wait_for_core(struct model *model, uint32_t number, const struct change *event, bool in_init)
{
    struct thread *thread = &model->threads[number];

    thread->state = THREAD_READY;
    thread->since = thread->woken = event->now;
    thread->since_known = thread->waking = thread->waiting = true;
    thread->waiting_since = thread->waiting_earliest = event->now.ticks;
    thread->waiting_doubted = model->doubted;
    thread->resumed = true;
    thread->woken_in_init = in_init;
    thread_account(model, number, event);
    thread->lingers = false;
}

enum ending thread_resumed(struct model *model, const struct change *event)
{
    uint32_t number = model_thread(model, event->event->info[0]), reason = reason_of(event->event);
    struct change change;
    struct thread *thread;
    struct waker waker;
    bool perhaps_suspended;

    if (reason == REASON_PRIORITY)
        learn_inheritance(model, event);
    if (number == NONE)
        return ENDING_UNKNOWN;
    model->threads[number].changes_priority = false;
    if (reason == REASON_PRIORITY)
        return ENDING_UNKNOWN;
    thread = &model->threads[number];
    model->resumptions = true;
    if (model->other_kernel && thread->state == THREAD_READY)
        return ENDING_UNKNOWN;
    if (!model->other_kernel &&
        reason == REASON_READY) { /* each tick resumes the timer thread, even if it is ready already */
        thread_found_ready(model, number, event);
        return ENDING_UNKNOWN;
    }
    if (model->other_kernel)
        reason = other_kernel_wait_ends(model, number, event);
    prove_suspended(model, number, event);
    waker = waker_of(model, event);
    reason = reason_aborted(model, event, thread, reason, &waker);
    if (thread->state == THREAD_UNKNOWN && !waker.unsure)
        thread_learn_past(model, number, (enum account)(ACCOUNT_BLOCKED + reason), event);
    note_reason(model, thread, reason, event->now);
    if (waker.ending == ENDING_UNKNOWN)
        waker.ending = service_ending(model, service_of_context(model, event), event->thread, thread);
    change_start(&change, event, CHANGE_READY);
    change.thread = number;
    change.waker = &waker;
    change.ticks = event->now.ticks - thread->since.ticks;
    change.known = thread->since_known;
    perhaps_suspended = may_be_suspended(model, thread, &waker);
    count_waiting(model, thread, NONE);
    model_emit(model, &change);
    mutex_handed_over(model, &change);
    end_call(model, thread, event, reason);
    thread->is_no_timer = thread->is_no_timer || reason > REASON_SUSPENDED;
    if (thread->suspend_later || (perhaps_suspended && next_is_nobody(model, event->event))) {
        thread->suspend_later = false;
        thread->state = THREAD_BLOCKED;
        thread_suspend(model, number, event, REASON_SUSPENDED);
        return waker.ending;
    }
    thread->perhaps_suspended = perhaps_suspended && event->event->info[3] != thread->address;
    if (reason == REASON_MUTEX && waker.ending == ENDING_UNKNOWN)
        thread->perhaps_given = event->now.ticks;
    wait_for_core(model, number, event, waker.kind == RUNNING_INIT);
    if (thread->perhaps_suspended) /* the account of the thread since its resumption is no longer valid */
        emit_account(model, number, event, CHANGE_ACCOUNT);
    if (bounds_job(model, reason) && !thread->woken_in_init && !waker.unsure)
        start_job(thread, event->now, model->doubted);
    return waker.ending;
}

void thread_terminated(struct model *model, const struct change *event)
{
    uint32_t number = model_thread(model, event->event->info[0]), was = reason_of(event->event);
    struct thread *thread;

    if (number == NONE || was == REASON_READY || was == REASON_COMPLETED || was == REASON_TERMINATED)
        return; /* a ready thread is suspended by the next event */
    thread = &model->threads[number];
    prove_suspended(model, number, event);
    if (thread->state == THREAD_UNKNOWN)
        thread_learn_past(model, number, (enum account)(ACCOUNT_BLOCKED + was), event);
    note_reason(model, thread, was, event->now);
    thread->state = THREAD_BLOCKED;
    service_close(model, event, &thread->last); /* the last call is open if another thread had suspended the thread */
    end_wait(model, number, event);
    thread_suspend(model, number, event, REASON_TERMINATED);
}
