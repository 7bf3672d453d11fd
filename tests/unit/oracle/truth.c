/* SPDX-License-Identifier: MIT */
#include "oracle/truth_parts.h"

#include <assert.h>
#include <string.h>

#include "oracle/history.h"
#include "txtap/inner/change.h"
#include "txtap/registry.h"

#define INITIALIZATION KERNEL_THREADS

/* ---- the context of a core ---- */

static bool in_interrupt(const struct truth *truth, unsigned core)
{
    return truth->kernel->cores[core].depth > 0;
}

static unsigned occupant(const struct truth *truth, unsigned core)
{
    return truth->kernel->initializing && core == 0 ? INITIALIZATION : truth->kernel->cores[core].current;
}

/* Returns the core that has the thread; KERNEL_CORES if no core has it. */
static unsigned core_of(const struct truth *truth, unsigned thread)
{
    unsigned core = 0;

    while (core < truth->kernel->core_count && truth->occupant[core] != thread)
        core++;
    return core < truth->kernel->core_count ? core : KERNEL_CORES;
}

static void left(struct truth *truth, unsigned core, unsigned thread, unsigned to)
{
    struct truth_thread *of = &truth->threads[thread];
    struct kernel *kernel = (struct kernel *)truth->kernel;
    struct kernel_core *in_kernel = &kernel->cores[core];

    if (kernel->threads[thread].state == KERNEL_READY || kernel->threads[thread].state == KERNEL_PRIORITY_CHANGE) {
        if (!of->waiting) /* otherwise the thread was suspended and resumed before it left the core */
            of->waiting_since = kernel->now;
        of->waiting = true;
        if (in_kernel->slice_displaced && (kernel->core_count > 1 || to == truth->slice_to)) {
            truth_count(truth, "time_slice_switches", truth_nothing());
        } else if (in_kernel->relinquished) {
            truth_count(truth, "relinquish_switches", truth_nothing());
        } else {
            truth_count(truth, "preemptions", truth_nothing());
            truth_count(truth, "preempted", truth_thread_of(truth, thread));
            if (to < KERNEL_THREADS)
                truth_add(truth, "displaced", truth_thread_of(truth, thread), truth_thread_of(truth, to), "", 1);
        }
    }
    in_kernel->slice_displaced = in_kernel->relinquished = false;
}

static void switched(struct truth *truth, unsigned core, unsigned to)
{
    unsigned from = truth->occupant[core];

    truth->occupant[core] = to;
    if (!truth->begun || from == to)
        return;
    if (from < KERNEL_THREADS)
        left(truth, core, from, to);
    if (from == INITIALIZATION)
        return;
    truth_count(truth, "switches", truth_nothing());
    truth_count(truth, to == NOBODY ? "switches_to_idle" : "switches_to_thread", truth_nothing());
}

/* Notes that the scheduler chose the thread to run. */
static void dispatched(struct truth *truth, unsigned thread)
{
    struct truth_thread *of = &truth->threads[thread];
    uint64_t ticks = truth->kernel->now - of->waiting_since;

    truth_sample(truth, "ready", truth_thread_of(truth, thread), truth_nothing(), "", ticks);
    of->job_turns++;
    if (of->waking) {
        truth_sample(truth, of->in_init ? "first_run" : "wake", truth_thread_of(truth, thread), truth_nothing(), "",
                     ticks);
        if (!of->in_init)
            truth_sample(truth, "wake_by", truth_thread_of(truth, thread), of->waker, of->waker_detail, ticks);
    }
    of->waiting = of->waking = false;
}

void truth_before_event(struct truth *truth)
{
    for (unsigned core = 0; core < truth->kernel->core_count; core++)
        switched(truth, core, occupant(truth, core));
    for (unsigned core = 0; core < truth->kernel->core_count; core++) {
        unsigned now = truth->occupant[core];

        if (now < KERNEL_THREADS && !in_interrupt(truth, core) && truth->threads[now].waiting)
            dispatched(truth, now);
    }
}

/* ---- time passes ---- */

static const char *account(const struct truth *truth, unsigned thread)
{
    const struct kernel_thread *of = &truth->kernel->threads[thread];
    unsigned core = core_of(truth, thread);

    if (core < KERNEL_CORES && (truth->kernel->core_count == 1 || !truth->threads[thread].blocked))
        return in_interrupt(truth, core) ? "interrupted" : "running";
    /* with several cores, a suspended thread stays on its core until that core switches */
    if (truth->threads[thread].blocked)
        return txtap_wait_name((enum txtap_wait)truth->threads[thread].reason);
    return of->exists && (line_has(&truth->kernel->ready[of->priority], thread) || of->state == KERNEL_PRIORITY_CHANGE)
               ? "ready"
               : NULL;
}

static void spend(struct truth *truth, unsigned thread, uint64_t ticks)
{
    struct truth_thread *of = &truth->threads[thread];
    const char *on = account(truth, thread);

    if (on == NULL)
        return;
    if (of->blocked && !of->since_known) {
        of->before += ticks;
        return;
    }
    truth_share(truth, "time_ticks", truth_thread_of(truth, thread), on, ticks);
    if (on[0] == 'r' && on[1] == 'u')
        of->job_run += ticks;
    else if (on[0] == 'i' && on[1] == 'n')
        of->job_interrupted += ticks;
    else if (on[0] == 'r')
        of->job_ready += ticks;
    else if (on[0] == 'm')
        of->job_mutex += ticks;
}

unsigned truth_owner_awaited(const struct truth *truth, unsigned thread)
{
    const struct truth_thread *of = &truth->threads[thread];

    return of->blocked && of->reason == KERNEL_MUTEX && of->object != NOBODY ? truth->objects[of->object].owner
                                                                             : NOBODY;
}

/* Returns true if `thread` waits for `other`, directly or through a chain of owners. */
static bool depends_on(const struct truth *truth, unsigned thread, unsigned other)
{
    for (unsigned steps = 0; steps <= KERNEL_THREADS && thread != NOBODY; steps++) {
        thread = truth_owner_awaited(truth, thread);
        if (thread == other)
            return true;
    }
    return false;
}

/* Returns true if another core runs a thread on which `thread` depends: then nothing delays `thread`. */
static bool goes_on(const struct truth *truth, unsigned thread)
{
    for (unsigned core = 0; core < truth->kernel->core_count; core++)
        if (truth->occupant[core] < KERNEL_THREADS && depends_on(truth, thread, truth->occupant[core]))
            return true;
    return false;
}

static void run_on(struct truth *truth, unsigned thread, uint64_t ticks)
{
    const struct kernel_thread *threads = truth->kernel->threads;

    for (unsigned i = 0; i < KERNEL_THREADS && ticks > 0; i++) {
        struct truth_thread *of = &truth->threads[i];

        if (!of->inverted || i == thread || threads[thread].priority <= of->own_priority || goes_on(truth, i))
            continue;
        of->unbounded += ticks;
        truth_add(truth, "unbounded_by", truth_thread_of(truth, i), truth_thread_of(truth, thread), "", ticks);
    }
}

/*
 * Adds time to the queues that are full or empty. The simulation adds objects only after its second event, but they
 * count as existing and empty before.
 */
static void hold_queues(struct truth *truth, uint64_t ticks)
{
    for (unsigned i = 0; i < KERNEL_OBJECTS; i++) {
        const struct kernel_object *object = &truth->kernel->objects[i];

        if (i < truth->kernel->object_count && (object->type != TXTAP_OBJECT_QUEUE || !object->exists))
            continue;
        truth->objects[i].full += object->count == object->capacity && object->count > 0 ? ticks : 0;
        truth->objects[i].empty += object->count == 0 ? ticks : 0;
    }
}

static void spend_on_core(struct truth *truth, unsigned core, uint64_t ticks)
{
    unsigned runs = truth->occupant[core];

    if (in_interrupt(truth, core)) {
        truth_share(truth, "interrupts_ticks", truth_nothing(), "", ticks);
    } else if (runs == INITIALIZATION) {
        truth_share(truth, "init_ticks", truth_nothing(), "", ticks);
    } else if (runs == NOBODY) {
        truth_share(truth, "idle_ticks", truth_nothing(), "", ticks);
        truth_share(truth, "core_idle_ticks", truth_subject(TXTAP_SUBJECT_CORE, core), "", ticks);
        return;
    } else {
        truth_share(truth, "cpu_ticks", truth_thread_of(truth, runs), "", ticks);
        run_on(truth, runs, ticks);
    }
    truth_share(truth, "load_ticks", truth_nothing(), "", ticks);
    truth_share(truth, "core_busy_ticks", truth_subject(TXTAP_SUBJECT_CORE, core), "", ticks);
}

static unsigned busy_cores(const struct truth *truth)
{
    unsigned busy = 0;

    for (unsigned core = 0; core < truth->kernel->core_count; core++)
        busy += truth->occupant[core] != NOBODY || in_interrupt(truth, core);
    return busy;
}

void truth_time(struct truth *truth, uint64_t ticks)
{
    if (!truth->begun || ticks == 0)
        return;
    truth_add(truth, "window", truth_nothing(), truth_nothing(), "", ticks);
    history_time(truth, ticks, account);
    for (unsigned i = 0; i < KERNEL_THREADS; i++)
        spend(truth, i, ticks);
    hold_queues(truth, ticks);
    for (unsigned core = 0; core < truth->kernel->core_count; core++)
        spend_on_core(truth, core, ticks);
    truth_share(truth, "cores_busy_ticks", truth_subject(TXTAP_SUBJECT_CORE, busy_cores(truth)), "", ticks);
}

/* ---- events ---- */

struct txtap_subject truth_interrupt_number(const struct truth *truth)
{
    const struct kernel *kernel = truth->kernel;

    for (unsigned i = kernel->here->depth; i-- > 0;)
        if (kernel->here->interrupts[i].traced)
            return truth_subject(TXTAP_SUBJECT_INTERRUPT, kernel->here->interrupts[i].number);
    return truth_subject(TXTAP_SUBJECT_INTERRUPT, UINT32_MAX);
}

struct txtap_subject truth_context(const struct truth *truth)
{
    if (truth->kernel->initializing)
        return truth_subject(TXTAP_SUBJECT_INIT, 0);
    return truth->kernel->here->depth > 0 ? truth_interrupt_number(truth)
                                          : truth_thread_of(truth, truth->kernel->here->current);
}

const char *truth_action(enum kernel_event id)
{
    static const char *const actions[EV_THREAD_CREATE] = {
        [EV_QUEUE_SEND] = "send",         [EV_QUEUE_FRONT_SEND] = "send",  [EV_QUEUE_RECEIVE] = "receive",
        [EV_QUEUE_FLUSH] = "flush",       [EV_SEMAPHORE_PUT] = "put",      [EV_SEMAPHORE_CEILING_PUT] = "put",
        [EV_SEMAPHORE_GET] = "get",       [EV_FLAGS_SET] = "set",          [EV_FLAGS_GET] = "get",
        [EV_BLOCK_ALLOCATE] = "allocate", [EV_BYTE_ALLOCATE] = "allocate", [EV_BLOCK_RELEASE] = "release",
        [EV_BYTE_RELEASE] = "release",    [EV_MUTEX_GET] = "own",
    };

    return id < EV_THREAD_CREATE && actions[id] != NULL ? actions[id] : "";
}

static unsigned traced_depth(const struct kernel_core *core)
{
    unsigned depth = 0;

    for (unsigned i = 0; i < core->depth; i++)
        depth += core->interrupts[i].traced;
    return depth;
}

static unsigned acting_core(const struct truth *truth)
{
    return (unsigned)(truth->kernel->here - truth->kernel->cores);
}

static void entered(struct truth *truth, uint32_t number)
{
    const struct txtap_subject of = truth_subject(TXTAP_SUBJECT_INTERRUPT, number);
    unsigned core = acting_core(truth), depth = traced_depth(truth->kernel->here);
    struct truth_figure *last = truth_figure_of(truth, TRUTH_VALUE, "last entered", of, truth_nothing(), "");

    if (last->n++ > 0)
        truth_sample(truth, "isr_interval", of, truth_nothing(), "", truth->kernel->now - last->sum);
    last->sum = truth->kernel->now;
    truth_count(truth, "isr_entered", truth_nothing());
    if (depth > 1)
        truth_count(truth, "isr_nested", truth_nothing());
    truth_raise(truth, "isr_depth", truth_nothing(), depth);
    truth->interrupts[core][depth - 1].start = truth->kernel->now;
    truth->interrupts[core][depth - 1].nested = 0;
    truth->interrupts[core][depth - 1].number = number;
}

static void exited(struct truth *truth, uint32_t number)
{
    const struct txtap_subject of = truth_subject(TXTAP_SUBJECT_INTERRUPT, number);
    unsigned core = acting_core(truth), depth = traced_depth(truth->kernel->here);
    uint64_t ticks = truth->kernel->now - truth->interrupts[core][depth - 1].start;

    truth_sample(truth, "isr", of, truth_nothing(), "", ticks);
    truth_sample(truth, "isr_self", of, truth_nothing(), "", ticks - truth->interrupts[core][depth - 1].nested);
    if (depth > 1)
        truth->interrupts[core][depth - 2].nested += ticks;
}

static unsigned find_object(const struct kernel *kernel, uint32_t address)
{
    for (unsigned i = 0; i < kernel->object_count; i++)
        if (kernel->objects[i].address == address)
            return i;
    return NOBODY;
}

static unsigned find_thread(const struct kernel *kernel, uint32_t address)
{
    unsigned i = 0;

    while (i < KERNEL_THREADS && kernel->threads[i].address != address)
        i++;
    return i;
}

static uint32_t wait_option(const struct kernel_entry *entry)
{
    switch (entry->id) {
    case EV_QUEUE_SEND:
    case EV_QUEUE_FRONT_SEND:
    case EV_QUEUE_RECEIVE:
    case EV_BLOCK_ALLOCATE:
        return entry->info[2];
    case EV_BYTE_ALLOCATE:
        return entry->info[3];
    default:
        return entry->info[1];
    }
}

static void note_call(struct truth *truth, const struct kernel_entry *entry)
{
    const struct kernel *kernel = truth->kernel;
    unsigned object = find_object(kernel, entry->info[0]);
    struct truth_thread *of;

    if (object != NOBODY && entry->id == EV_MUTEX_PUT)
        truth->objects[object].put = kernel->now;
    if (*truth_action(entry->id) != '\0')
        truth_add(truth, "flow", truth_object_of(truth, object), truth_context(truth), truth_action(entry->id), 1);
    if (kernel->here->depth > 0 || kernel->initializing)
        return;
    of = &truth->threads[kernel->here->current];
    of->asked = kernel->now;
    of->asked_object = object;
    of->asked_action = truth_action(entry->id);
    of->asked_wait = wait_option(entry);
}

/*
 * Notes a call of a queue service. If the first call for a queue is a flush, a creation or a deletion, the earlier
 * contents of the queue are unknown.
 */
static void note_queue_call(struct truth *truth, const struct kernel_entry *entry)
{
    unsigned queue = find_object(truth->kernel, entry->info[0]);
    bool tells = entry->id == EV_QUEUE_SEND || entry->id == EV_QUEUE_FRONT_SEND || entry->id == EV_QUEUE_RECEIVE;

    if (!tells && !truth->objects[queue].called)
        truth->objects[queue].full = truth->objects[queue].empty = 0;
    truth->objects[queue].called = true;
}

/* Notes a thread that was created in the suspended state. This does not count as a suspension. */
static void suspended_from_start(struct truth *truth, unsigned thread)
{
    truth->threads[thread].blocked = true;
    truth->threads[thread].since_known = false;
    truth->threads[thread].before = 0;
    truth->threads[thread].reason = KERNEL_SUSPENDED;
    truth->threads[thread].since = truth->kernel->now;
}

static void note_thread_call(struct truth *truth, const struct kernel_entry *entry)
{
    unsigned thread = find_thread(truth->kernel, entry->info[0]);

    if ((entry->id == EV_THREAD_CREATE || entry->id == EV_THREAD_RESET) && truth->threads[thread].since_known)
        truth_end_wait(truth, thread, true);
    if (entry->id == EV_THREAD_CREATE) {
        truth->threads[thread] = (struct truth_thread){
            .alive = true, .born = truth->kernel->now, .object = NOBODY, .own_priority = entry->info[1]};
        suspended_from_start(truth, thread);
    } else if (entry->id == EV_THREAD_TERMINATE) {
        truth_end_life(truth, thread);
    } else if (entry->id == EV_THREAD_RESET) {
        suspended_from_start(truth, thread);
    } else if (entry->id == EV_PREEMPTION_CHANGE) {
        truth_count(truth, "threshold_changes", truth_thread_of(truth, thread));
    } else if (entry->id == EV_PRIORITY_CHANGE) {
        truth->threads[thread].own_priority = entry->info[1];
        truth_look_for_inversions(truth);
    }
}

static void note_by_whom(struct truth *truth, const char *by_thread)
{
    const struct kernel *kernel = truth->kernel;

    if (kernel->initializing)
        truth_add(truth, by_thread, truth_nothing(), truth_nothing(), "init", 1);
    else if (kernel->here->depth > 0)
        truth_add(truth, by_thread, truth_nothing(), truth_nothing(), "isr", 1);
    else
        truth_count(truth, by_thread, truth_thread_of(truth, kernel->here->current));
}

void truth_event(struct truth *truth)
{
    const struct kernel *kernel = truth->kernel;
    const struct kernel_entry *entry = &kernel->events[kernel->count - 1];

    if (!truth->begun) {
        truth->first = kernel->now;
        suspended_from_start(truth, 0);
    }
    truth->begun = true;
    if (kernel->initializing)
        truth->last_init = kernel->now;
    else if (truth->init_doubt == 0)
        truth->init_doubt = kernel->now - truth->last_init;
    truth_add(truth, "calls", truth_subject(TXTAP_SUBJECT_EVENT, entry->id), truth_nothing(), "", 1);
    if (kernel->here->depth == 0 && !kernel->initializing)
        truth_count(truth, "events", truth_thread_of(truth, kernel->here->current));
    if (entry->id == EV_ISR_ENTER) {
        entered(truth, entry->info[1]);
    } else if (entry->id == EV_ISR_EXIT) {
        exited(truth, entry->info[1]);
    } else if (entry->id == EV_TIME_SLICE) {
        truth_count(truth, "time_slices", truth_nothing());
        if (!kernel->here->slice_displaced) /* otherwise the end of an earlier slice has displaced the thread */
            truth->slice_to = kernel->here->execute;
    } else if (entry->id == EV_RESUME) {
        note_by_whom(truth, "resumes_done");
        truth_count(truth, "resumed", truth_subject(TXTAP_SUBJECT_THREAD, entry->info[0]));
    } else if (entry->id == EV_SUSPEND) {
        if (kernel->here->depth == 0 && !kernel->initializing)
            truth_count(truth, "suspends_done", truth_thread_of(truth, kernel->here->current));
        truth_count(truth, "suspended", truth_subject(TXTAP_SUBJECT_THREAD, entry->info[0]));
    } else if (entry->id != EV_MUTEX_PRIORITIZE) {
        if (entry->id == EV_BYTE_RELEASE)
            truth_lower(truth, "available", truth_subject(TXTAP_SUBJECT_OBJECT, entry->info[0]), entry->info[3]);
        if (entry->id >= EV_THREAD_CREATE && entry->id <= EV_WAIT_ABORT &&
            find_thread(kernel, entry->info[0]) < KERNEL_THREADS)
            note_thread_call(truth, entry);
        if (entry->id >= EV_QUEUE_CREATE && entry->id <= EV_QUEUE_SEND)
            note_queue_call(truth, entry);
        note_call(truth, entry);
    }
}

/* ---- begin and end ---- */

void truth_init(struct truth *truth, const struct kernel *kernel)
{
    memset(truth, 0, offsetof(struct truth, figures));
    memset(truth->slots, 0, sizeof(truth->slots));
    truth->kernel = kernel;
    truth->occupant[0] = INITIALIZATION;
    for (unsigned core = 1; core < KERNEL_CORES; core++)
        truth->occupant[core] = NOBODY;
    for (unsigned i = 0; i < KERNEL_THREADS; i++)
        truth->threads[i].object = NOBODY;
    for (unsigned i = 0; i < KERNEL_OBJECTS; i++)
        truth->objects[i].owner = NOBODY;
}

static void cut_thread(struct truth *truth, unsigned thread)
{
    struct truth_thread *of = &truth->threads[thread];
    const struct txtap_subject subject = truth_thread_of(truth, thread);

    if (of->since_known)
        truth_end_wait(truth, thread, false);
    if (of->blocked && of->reason == KERNEL_MUTEX)
        truth_cut(truth, "wait", truth_object_of(truth, of->object), truth_nothing(), "",
                  truth->kernel->now - of->called);
    truth_inversion_ends(truth, thread, false);
    truth_end_job(truth, thread, false);
    if (of->alive)
        truth_cut(truth, "life", subject, truth_nothing(), "", truth->kernel->now - of->born);
    truth_cut_wait_for_core(truth, thread);
}

/* Ends a queue's figures. A queue that saw no send and no receive has none. */
static void finish_queue(struct truth *truth, unsigned queue)
{
    const struct txtap_subject of = truth_object_of(truth, queue), other = truth_nothing();

    if (truth_find(truth, "sends", &of, &other, "") == NULL && truth_find(truth, "receives", &of, &other, "") == NULL)
        return;
    truth_add(truth, "full", of, other, "", truth->objects[queue].full);
    truth_add(truth, "empty", of, other, "", truth->objects[queue].empty);
}

/* Ends the truth. States that last until the last event are cut off there. */
void truth_end(struct truth *truth)
{
    truth_before_event(truth);
    for (unsigned i = 0; i < truth->kernel->object_count; i++)
        if (truth->kernel->objects[i].type == TXTAP_OBJECT_QUEUE)
            finish_queue(truth, i);
    for (unsigned i = 0; i < KERNEL_THREADS; i++)
        cut_thread(truth, i);
    for (unsigned core = 0; core < truth->kernel->core_count; core++)
        for (unsigned i = traced_depth(&truth->kernel->cores[core]); i-- > 0;)
            truth_cut(truth, "isr", truth_subject(TXTAP_SUBJECT_INTERRUPT, truth->interrupts[core][i].number),
                      truth_nothing(), "", truth->kernel->now - truth->interrupts[core][i].start);
    for (unsigned i = 0; i < truth->kernel->object_count; i++)
        if (truth->objects[i].owner != NOBODY && !truth->objects[i].deleted)
            truth_cut(truth, "hold", truth_object_of(truth, i), truth_nothing(), "",
                      truth->kernel->now - truth->objects[i].since);
    for (unsigned i = 0; i < truth->circle_count; i++)
        truth_cut(truth, "deadlock", truth_nothing(), truth_nothing(), "",
                  truth->kernel->now - truth->circles[i].since);
    for (unsigned i = 0; i < truth->count; i++)
        if (strcmp(truth->figures[i].name, "deadlock") == 0 || (strcmp(truth->figures[i].name, "inversion") == 0 &&
                                                                truth->figures[i].subject.kind == TXTAP_SUBJECT_SYSTEM))
            truth->figures[i].kind = TRUTH_OCCURRENCES;
}
