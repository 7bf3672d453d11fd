/* SPDX-License-Identifier: MIT */
/* Waits, inversions, deadlocks, jobs, and the services that threads wait for. */
#include "oracle/truth_parts.h"

#include <assert.h>
#include <string.h>

#include "oracle/history.h"
#include "txtap/inner/change.h"
#include "txtap/registry.h"

/* ---- waits ---- */

void truth_end_life(struct truth *truth, unsigned thread)
{
    if (truth->threads[thread].alive)
        truth_sample(truth, "life", truth_thread_of(truth, thread), truth_nothing(), "",
                     truth->kernel->now - truth->threads[thread].born);
    truth->threads[thread].alive = false;
}

void truth_end_wait(struct truth *truth, unsigned thread, bool complete)
{
    const struct truth_thread *of = &truth->threads[thread];
    struct txtap_subject object = of->object != NOBODY ? truth_object_of(truth, of->object) : truth_nothing();
    const char *reason = txtap_wait_name((enum txtap_wait)of->reason);
    uint64_t ticks = truth->kernel->now - of->since;

    if (!of->blocked)
        return;
    truth_piece(truth, "block", truth_thread_of(truth, thread), object, reason, ticks, complete && of->since_known);
    truth_piece(truth, "waits", object, truth_nothing(), reason, ticks, complete && of->since_known);
}

/* Ends one part of an inversion: the thread now waits for another owner, or no longer for an owner. */
static void piece_ends(struct truth *truth, unsigned thread, bool complete)
{
    const struct truth_thread *of = &truth->threads[thread];

    truth_piece(truth, "inversion", truth_thread_of(truth, thread), truth_thread_of(truth, of->inverted_by), "",
                truth->kernel->now - of->piece_since, complete);
}

void truth_inversion_ends(struct truth *truth, unsigned thread, bool complete)
{
    struct truth_thread *of = &truth->threads[thread];

    if (!of->inverted)
        return;
    of->inverted = false;
    truth_piece(truth, "inversion", truth_nothing(), truth_nothing(), "", truth->kernel->now - of->inverted_since,
                complete);
    piece_ends(truth, thread, complete);
    truth_count(truth, "inversions", truth_nothing());
    if (of->unbounded > 0)
        truth_count(truth, "unbounded", truth_nothing());
    truth_add(truth, "unbounded_ticks", truth_nothing(), truth_nothing(), "", of->unbounded);
}

void truth_look_for_inversions(struct truth *truth)
{
    for (unsigned i = 0; i < KERNEL_THREADS; i++) {
        struct truth_thread *of = &truth->threads[i];
        unsigned owner = truth_owner_awaited(truth, i);
        bool inverted = owner != NOBODY && truth->threads[owner].own_priority > of->own_priority;

        if (of->inverted && !inverted)
            truth_inversion_ends(truth, i, true);
        else if (of->inverted && owner != of->inverted_by)
            piece_ends(truth, i, true);
        if (!inverted || (of->inverted && owner == of->inverted_by))
            continue;
        if (!of->inverted) {
            of->inverted_since = truth->kernel->now;
            of->unbounded = 0;
        }
        of->inverted = true;
        of->inverted_by = owner;
        of->piece_since = truth->kernel->now;
    }
}

static void look_for_circle(struct truth *truth, unsigned thread)
{
    struct truth_circle circle = {.since = truth->kernel->now};
    unsigned member = thread;
    bool for_ever = true;

    do {
        line_push(&circle.members, member);
        for_ever = for_ever && truth->threads[member].wait_option == WAIT_FOR_EVER;
        member = truth_owner_awaited(truth, member);
    } while (member != NOBODY && member != thread && circle.members.count < KERNEL_LINE);
    if (member != thread)
        return;
    for (unsigned i = 0; i < circle.members.count; i++) {
        unsigned one = circle.members.at[i];

        truth_figure_of(truth, TRUTH_VALUE, "deadlock_member", truth_thread_of(truth, one),
                        truth_object_of(truth, truth->threads[one].object), "")
            ->value = 1;
    }
    if (for_ever)
        truth_count(truth, "deadlock_for_ever", truth_nothing());
    if (truth->circle_count < 8)
        truth->circles[truth->circle_count++] = circle;
}

static void break_circles(struct truth *truth, unsigned thread)
{
    for (unsigned i = truth->circle_count; i-- > 0;) {
        if (!line_has(&truth->circles[i].members, thread))
            continue;
        truth_sample(truth, "deadlock", truth_nothing(), truth_nothing(), "",
                     truth->kernel->now - truth->circles[i].since);
        truth->circles[i] = truth->circles[--truth->circle_count];
    }
}

void truth_end_job(struct truth *truth, unsigned thread, bool complete)
{
    struct truth_thread *of = &truth->threads[thread];
    const struct txtap_subject subject = truth_thread_of(truth, thread);

    if (!of->job)
        return;
    of->job = false;
    truth_piece(truth, "run", subject, truth_nothing(), "", of->job_run, complete);
    truth_piece(truth, "response", subject, truth_nothing(), "", truth->kernel->now - of->job_start, complete);
    if (!complete)
        return;
    truth_sample(truth, "response_ready", subject, truth_nothing(), "", of->job_ready);
    truth_sample(truth, "response_interrupted", subject, truth_nothing(), "", of->job_interrupted);
    truth_sample(truth, "response_mutex", subject, truth_nothing(), "", of->job_mutex);
    truth_sample(truth, "turns", subject, truth_nothing(), "", of->job_turns);
}

void truth_cut_wait_for_core(struct truth *truth, unsigned thread)
{
    const struct truth_thread *of = &truth->threads[thread];
    const struct txtap_subject subject = truth_thread_of(truth, thread);
    uint64_t ticks = truth->kernel->now - of->waiting_since;

    if (!of->waiting)
        return;
    truth_cut(truth, "ready", subject, truth_nothing(), "", ticks);
    if (!of->waking || of->in_init)
        return;
    truth_cut(truth, "wake", subject, truth_nothing(), "", ticks);
    truth_cut(truth, "wake_by", subject, of->waker, of->waker_detail, ticks);
}

void truth_blocked(struct truth *truth, unsigned thread)
{
    struct truth_thread *of = &truth->threads[thread];
    const struct kernel_thread *in_kernel = &truth->kernel->threads[thread];
    unsigned reason = in_kernel->state;
    bool for_object = reason >= KERNEL_QUEUE && reason <= KERNEL_MUTEX;

    truth_cut_wait_for_core(truth, thread);
    of->blocked = of->since_known = true;
    of->waiting = of->waking = false;
    of->reason = reason;
    of->object = for_object ? in_kernel->object : NOBODY;
    of->since = truth->kernel->now;
    of->called = of->asked;
    of->wait_option = of->asked_wait;
    if (reason != KERNEL_MUTEX)
        truth_end_job(truth, thread, true);
    if (reason == KERNEL_COMPLETED || reason == KERNEL_TERMINATED)
        truth_end_life(truth, thread);
    if (reason == KERNEL_MUTEX && truth->kernel->objects[of->object].exists)
        look_for_circle(truth, thread);
    truth_look_for_inversions(truth);
}

static void served(struct truth *truth, unsigned thread, enum kernel_ending ending)
{
    const struct truth_thread *of = &truth->threads[thread];
    struct txtap_subject object;
    uint64_t now = truth->kernel->now;

    if (!of->blocked || of->object == NOBODY)
        return;
    object = truth_object_of(truth, of->object);
    if (of->reason == KERNEL_MUTEX && ending == ENDS_SERVED)
        truth_sample(truth, "wait", object, truth_nothing(), "", now - of->called);
    else if (of->reason == KERNEL_MUTEX && ending == ENDS_TIMEOUT)
        truth_count(truth, "timeouts", object);
    else if (of->reason != KERNEL_SEMAPHORE && of->reason != KERNEL_FLAGS)
        return;
    else if (ending == ENDS_SERVED)
        truth_sample(truth, "wait", object, truth_nothing(), "", now - of->since);
    else if (ending == ENDS_TIMEOUT)
        truth_sample(truth, "timeout_wait", object, truth_nothing(), "", now - of->since);
}

static void note_waker(struct truth *truth, unsigned thread, enum kernel_ending ending)
{
    static const char *const details[] = {"", "timeout", "deleted", "aborted", ""};
    struct truth_thread *of = &truth->threads[thread];
    const struct kernel *kernel = truth->kernel;

    of->waker_detail = details[of->reason == KERNEL_SLEEP && ending == ENDS_TIMEOUT ? ENDS_SERVED : ending];
    if (kernel->initializing)
        of->waker = truth_subject(TXTAP_SUBJECT_INIT, 0);
    else if (kernel->here->depth > 0)
        of->waker = truth_interrupt_number(truth);
    else
        of->waker = truth_thread_of(truth, kernel->here->current);
    truth_add(truth, "woken_by", truth_thread_of(truth, thread), of->waker, of->waker_detail, 1);
}

static void start_job(struct truth *truth, unsigned thread)
{
    struct truth_thread *of = &truth->threads[thread];

    of->job = true;
    of->job_start = truth->kernel->now;
    of->job_run = of->job_ready = of->job_interrupted = of->job_mutex = of->job_turns = 0;
}

/* Ends the wait of a terminated thread. Only the event of tx_thread_terminate shows this end. */
void truth_ended(struct truth *truth, unsigned thread)
{
    if (truth->threads[thread].blocked && !truth->threads[thread].since_known)
        truth_share(truth, "time_ticks", truth_thread_of(truth, thread), "suspended", truth->threads[thread].before);
    truth_end_wait(truth, thread, true);
    truth->threads[thread].waker = truth_nothing();
    history_wake(truth, thread, ENDS_OTHERWISE);
    break_circles(truth, thread);
    truth_inversion_ends(truth, thread, true);
    truth_end_job(truth, thread, true);
    truth->threads[thread].waiting = truth->threads[thread].waking = false;
    truth->threads[thread].blocked = truth->threads[thread].since_known = true;
    truth->threads[thread].reason = KERNEL_TERMINATED;
    truth->threads[thread].object = NOBODY;
    truth->threads[thread].since = truth->kernel->now;
}

/* Changes the owner of the mutex. The previous owner's last put gave it up. */
static void change_owner(struct truth *truth, unsigned mutex, unsigned owner)
{
    if (truth->objects[mutex].owner != NOBODY && !truth->objects[mutex].deleted)
        truth_sample(truth, "hold", truth_object_of(truth, mutex), truth_nothing(), "",
                     truth->objects[mutex].put - truth->objects[mutex].since);
    truth->objects[mutex].owner = owner;
    truth->objects[mutex].deleted = false;
    truth->objects[mutex].since = truth->kernel->now;
    truth_look_for_inversions(truth);
}

/* Notes the owner of the mutex. If the mutex is handed to a waiting thread, this thread becomes its owner when it is
 * resumed. */
void truth_owner(struct truth *truth, unsigned mutex)
{
    unsigned owner = truth->kernel->objects[mutex].owner;

    if (!truth->kernel->objects[mutex].exists) { /* deleted: a thread that waits for it waits until it is resumed */
        truth_sample(truth, "hold", truth_object_of(truth, mutex), truth_nothing(), "",
                     truth->objects[mutex].put - truth->objects[mutex].since);
        truth->objects[mutex].deleted = true;
    } else if (owner == NOBODY || !truth->threads[owner].blocked) {
        change_owner(truth, mutex, owner);
    }
}

void truth_ready(struct truth *truth, unsigned thread, enum kernel_ending ending)
{
    struct truth_thread *of = &truth->threads[thread];
    bool was_mutex = of->blocked && of->reason == KERNEL_MUTEX;

    note_waker(truth, thread, ending);
    history_wake(truth, thread, ending);
    if (of->blocked && !of->since_known)
        truth_share(truth, "time_ticks", truth_thread_of(truth, thread), "suspended", of->before);
    truth_end_wait(truth, thread, true);
    served(truth, thread, ending);
    if (of->blocked && ending == ENDS_TIMEOUT && of->object != NOBODY)
        truth_add(truth, "flow_timeouts", truth_object_of(truth, of->object), truth_thread_of(truth, thread),
                  of->asked_action, 1);
    break_circles(truth, thread);
    truth_inversion_ends(truth, thread, true);
    of->blocked = false;
    if (was_mutex && ending == ENDS_SERVED)
        change_owner(truth, of->object, thread);
    if (truth->kernel->threads[thread].delayed_suspend)
        return; /* the thread is suspended at once */
    of->in_init = truth->kernel->initializing;
    of->waking = of->waiting = true;
    of->waiting_since = truth->kernel->now;
    if (!was_mutex && !of->in_init)
        start_job(truth, thread);
}

/* ---- services ---- */

static void done_get(struct truth *truth, unsigned object, enum kernel_outcome outcome)
{
    static const char *const names[] = {"get_at_once", "get_failed", "get_blocked"};

    truth_count(truth, "gets", truth_object_of(truth, object));
    truth_count(truth, names[outcome], truth_object_of(truth, object));
}

static void done_put(struct truth *truth, const char *puts, const char *woke, unsigned object, unsigned woken)
{
    truth_count(truth, puts, truth_object_of(truth, object));
    if (woken > 0)
        truth_count(truth, woke, truth_object_of(truth, object));
    truth_add(truth, "woken", truth_object_of(truth, object), truth_nothing(), "", woken);
}

static void done_send(struct truth *truth, unsigned object, enum kernel_outcome outcome, unsigned woken)
{
    static const char *const names[] = {NULL, "send_failed", "send_blocked"};

    truth_count(truth, "sends", truth_object_of(truth, object));
    if (names[outcome] != NULL)
        truth_count(truth, names[outcome], truth_object_of(truth, object));
    if (woken > 0)
        truth_count(truth, "handed_over", truth_object_of(truth, object));
    truth_raise(truth, "depth", truth_object_of(truth, object), truth->kernel->objects[object].count);
}

static void done_mutex_get(struct truth *truth, unsigned object, enum kernel_outcome outcome)
{
    const struct kernel_object *mutex = &truth->kernel->objects[object];

    truth_count(truth, "gets", truth_object_of(truth, object));
    if (outcome == OUTCOME_FAILED)
        truth_count(truth, "failed_gets", truth_object_of(truth, object));
    else if (outcome == OUTCOME_WAITS)
        truth_count(truth, "contended", truth_object_of(truth, object));
    else if (mutex->count > 1)
        truth_count(truth, "recursive", truth_object_of(truth, object));
}

static void done_allocate(struct truth *truth, unsigned object, enum kernel_outcome outcome)
{
    static const char *const names[] = {NULL, "alloc_failed", "alloc_blocked"};

    truth_count(truth, "allocations", truth_object_of(truth, object));
    if (names[outcome] != NULL)
        truth_count(truth, names[outcome], truth_object_of(truth, object));
}

void truth_done(struct truth *truth, enum kernel_event id, unsigned object, enum kernel_outcome outcome, unsigned woken)
{
    const struct kernel_object *of = &truth->kernel->objects[object];

    if (outcome != OUTCOME_DONE && *truth_action(id) != '\0')
        truth_add(truth, outcome == OUTCOME_FAILED ? "flow_failed" : "flow_blocked", truth_object_of(truth, object),
                  truth_context(truth), truth_action(id), 1);
    switch (id) {
    case EV_SEMAPHORE_GET:
        done_get(truth, object, outcome);
        truth_raise(truth, "count", truth_object_of(truth, object), of->count + (outcome == OUTCOME_DONE));
        break;
    case EV_SEMAPHORE_PUT:
    case EV_SEMAPHORE_CEILING_PUT:
        done_put(truth, "puts", "put_woke", object, woken);
        if (outcome == OUTCOME_FAILED)
            truth_count(truth, "put_failed", truth_object_of(truth, object));
        truth_raise(truth, "count", truth_object_of(truth, object), of->count);
        break;
    case EV_FLAGS_GET:
        done_get(truth, object, outcome);
        break;
    case EV_FLAGS_SET:
        done_put(truth, "sets", "set_woke", object, woken);
        break;
    case EV_QUEUE_SEND:
    case EV_QUEUE_FRONT_SEND:
        done_send(truth, object, outcome, woken);
        break;
    case EV_QUEUE_RECEIVE:
        truth_count(truth, "receives", truth_object_of(truth, object));
        if (outcome != OUTCOME_DONE)
            truth_count(truth, outcome == OUTCOME_FAILED ? "receive_failed" : "receive_blocked",
                        truth_object_of(truth, object));
        truth_raise(truth, "depth", truth_object_of(truth, object),
                    of->count + (outcome == OUTCOME_DONE && woken == 0));
        break;
    case EV_MUTEX_GET:
        done_mutex_get(truth, object, outcome);
        break;
    case EV_MUTEX_PUT:
        truth_count(truth, "puts", truth_object_of(truth, object));
        break;
    case EV_BLOCK_ALLOCATE:
        truth_lower(truth, "available", truth_object_of(truth, object), of->count + (outcome == OUTCOME_DONE));
        done_allocate(truth, object, outcome);
        break;
    case EV_BYTE_ALLOCATE:
        done_allocate(truth, object, outcome);
        break;
    case EV_BLOCK_RELEASE:
    case EV_BYTE_RELEASE:
        truth_count(truth, "releases", truth_object_of(truth, object));
        break;
    default:
        break;
    }
}
