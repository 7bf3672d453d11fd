/* SPDX-License-Identifier: MIT */
#include "oracle/truth.h"

#include <assert.h>
#include <string.h>

#include "txtap/inner/change.h"
#include "txtap/registry.h"

#define INITIALIZATION KERNEL_THREADS

/* ---- figures ---- */

static struct txtap_subject subject(enum txtap_subject_kind kind, uint32_t number)
{
    return (struct txtap_subject){.kind = kind, .number = number};
}

static struct txtap_subject nothing(void)
{
    return subject(TXTAP_SUBJECT_SYSTEM, 0);
}

static struct txtap_subject thread_of(const struct truth *truth, unsigned number)
{
    return subject(TXTAP_SUBJECT_THREAD, truth->kernel->threads[number].address);
}

static struct txtap_subject object_of(const struct truth *truth, unsigned number)
{
    return subject(TXTAP_SUBJECT_OBJECT, truth->kernel->objects[number].address);
}

static unsigned hash(const char *name, const struct txtap_subject *of, const struct txtap_subject *other,
                     const char *detail)
{
    uint32_t value = of->number * 31 + other->number * 17 + of->kind * 5 + other->kind;

    for (; *name != '\0'; name++)
        value = value * 33 + (uint8_t)*name;
    for (; *detail != '\0'; detail++)
        value = value * 33 + (uint8_t)*detail;
    return (value * 2654435761u >> 12) % (2 * TRUTH_FIGURES);
}

static bool same(const struct txtap_subject *a, const struct txtap_subject *b)
{
    return a->kind == b->kind && a->number == b->number;
}

static unsigned slot_of(const struct truth *truth, const char *name, const struct txtap_subject *of,
                        const struct txtap_subject *other, const char *detail)
{
    unsigned slot = hash(name, of, other, detail);

    for (; truth->slots[slot] != 0; slot = (slot + 1) % (2 * TRUTH_FIGURES)) {
        const struct truth_figure *figure = &truth->figures[truth->slots[slot] - 1];

        if (strcmp(figure->name, name) == 0 && same(&figure->subject, of) && same(&figure->other, other) &&
            strcmp(figure->detail, detail) == 0)
            break;
    }
    return slot;
}

struct truth_figure *truth_find(struct truth *truth, const char *name, const struct txtap_subject *of,
                                const struct txtap_subject *other, const char *detail)
{
    unsigned slot = slot_of(truth, name, of, other, detail);

    return truth->slots[slot] != 0 ? &truth->figures[truth->slots[slot] - 1] : NULL;
}

static struct truth_figure *figure(struct truth *truth, enum truth_kind kind, const char *name, struct txtap_subject of,
                                   struct txtap_subject other, const char *detail)
{
    unsigned slot = slot_of(truth, name, &of, &other, detail);

    if (truth->slots[slot] == 0) {
        assert(truth->count < TRUTH_FIGURES);
        truth->figures[truth->count] =
            (struct truth_figure){.name = name, .detail = detail, .subject = of, .other = other, .kind = kind};
        truth->slots[slot] = (uint16_t)++truth->count;
    }
    return &truth->figures[truth->slots[slot] - 1];
}

static void sample(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
                   const char *detail, uint64_t value)
{
    struct truth_figure *to = figure(truth, TRUTH_SPREAD, name, of, other, detail);

    if (to->n == 0 || value < to->min)
        to->min = value;
    if (value > to->max)
        to->max = value;
    to->n++;
    to->sum += value;
}

static void cut(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
                const char *detail, uint64_t value)
{
    struct truth_figure *to = figure(truth, TRUTH_SPREAD, name, of, other, detail);

    to->cut++;
    if (value > to->cut_longest)
        to->cut_longest = value;
}

static void piece(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
                  const char *detail, uint64_t value, bool complete)
{
    (complete ? sample : cut)(truth, name, of, other, detail, value);
}

static void add(struct truth *truth, const char *name, struct txtap_subject of, struct txtap_subject other,
                const char *detail, uint64_t value)
{
    figure(truth, TRUTH_VALUE, name, of, other, detail)->value += (double)value;
}

static void count(struct truth *truth, const char *name, struct txtap_subject of)
{
    add(truth, name, of, nothing(), "", 1);
}

static void share(struct truth *truth, const char *name, struct txtap_subject of, const char *detail, uint64_t ticks)
{
    figure(truth, TRUTH_SHARE, name, of, nothing(), detail)->value += (double)ticks;
}

static void raise(struct truth *truth, const char *name, struct txtap_subject of, uint64_t value)
{
    struct truth_figure *to = figure(truth, TRUTH_VALUE, name, of, nothing(), "");

    if ((double)value > to->value)
        to->value = (double)value;
}

static void lower(struct truth *truth, const char *name, struct txtap_subject of, uint64_t value)
{
    unsigned before = truth->count;
    struct truth_figure *to = figure(truth, TRUTH_VALUE, name, of, nothing(), "");

    if (truth->count > before || (double)value < to->value)
        to->value = (double)value;
}

/* ---- who has the core ---- */

static bool in_interrupt(const struct truth *truth, unsigned core)
{
    return truth->kernel->cores[core].depth > 0;
}

static unsigned occupant(const struct truth *truth, unsigned core)
{
    return truth->kernel->initializing && core == 0 ? INITIALIZATION : truth->kernel->cores[core].current;
}

/* The core that has the thread; KERNEL_CORES: none has. */
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
        if (!of->waiting) /* else it was suspended and resumed before it left the core */
            of->waiting_since = kernel->now;
        of->waiting = true;
        if (in_kernel->slice_displaced && (kernel->core_count > 1 || to == truth->slice_to)) {
            count(truth, "time_slice_switches", nothing());
        } else if (in_kernel->relinquished) {
            count(truth, "relinquish_switches", nothing());
        } else {
            count(truth, "preemptions", nothing());
            count(truth, "preempted", thread_of(truth, thread));
            if (to < KERNEL_THREADS)
                add(truth, "displaced", thread_of(truth, thread), thread_of(truth, to), "", 1);
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
    count(truth, "switches", nothing());
    count(truth, to == NOBODY ? "switches_to_idle" : "switches_to_thread", nothing());
}

/* The thread was chosen to run. */
static void dispatched(struct truth *truth, unsigned thread)
{
    struct truth_thread *of = &truth->threads[thread];
    uint64_t ticks = truth->kernel->now - of->waiting_since;

    sample(truth, "ready", thread_of(truth, thread), nothing(), "", ticks);
    of->job_turns++;
    if (of->waking) {
        sample(truth, of->in_init ? "first_run" : "wake", thread_of(truth, thread), nothing(), "", ticks);
        if (!of->in_init)
            sample(truth, "wake_by", thread_of(truth, thread), of->waker, of->waker_detail, ticks);
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
    if (truth->threads[thread].blocked) /* on several cores one may still have it, until it is told */
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
    share(truth, "time_ticks", thread_of(truth, thread), on, ticks);
    if (on[0] == 'r' && on[1] == 'u')
        of->job_run += ticks;
    else if (on[0] == 'i' && on[1] == 'n')
        of->job_interrupted += ticks;
    else if (on[0] == 'r')
        of->job_ready += ticks;
    else if (on[0] == 'm')
        of->job_mutex += ticks;
}

/* Whom a thread that waits for a mutex waits for; NOBODY. */
static unsigned owner_awaited(const struct truth *truth, unsigned thread)
{
    const struct truth_thread *of = &truth->threads[thread];

    return of->blocked && of->reason == KERNEL_MUTEX && of->object != NOBODY ? truth->objects[of->object].owner
                                                                             : NOBODY;
}

/* Does thread wait for other, over any number of owners? */
static bool depends_on(const struct truth *truth, unsigned thread, unsigned other)
{
    for (unsigned steps = 0; steps <= KERNEL_THREADS && thread != NOBODY; steps++) {
        thread = owner_awaited(truth, thread);
        if (thread == other)
            return true;
    }
    return false;
}

/* Does a thread run on another core, of those for which this one waits? Then nobody delays it. */
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
        add(truth, "unbounded_by", thread_of(truth, i), thread_of(truth, thread), "", ticks);
    }
}

/* The simulation adds objects after its second event; they were there before, and empty. */
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
        share(truth, "interrupts_ticks", nothing(), "", ticks);
    } else if (runs == INITIALIZATION) {
        share(truth, "init_ticks", nothing(), "", ticks);
    } else if (runs == NOBODY) {
        share(truth, "idle_ticks", nothing(), "", ticks);
        share(truth, "core_idle_ticks", subject(TXTAP_SUBJECT_CORE, core), "", ticks);
        return;
    } else {
        share(truth, "cpu_ticks", thread_of(truth, runs), "", ticks);
        run_on(truth, runs, ticks);
    }
    share(truth, "load_ticks", nothing(), "", ticks);
    share(truth, "core_busy_ticks", subject(TXTAP_SUBJECT_CORE, core), "", ticks);
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
    add(truth, "window", nothing(), nothing(), "", ticks);
    for (unsigned i = 0; i < KERNEL_THREADS; i++)
        spend(truth, i, ticks);
    hold_queues(truth, ticks);
    for (unsigned core = 0; core < truth->kernel->core_count; core++)
        spend_on_core(truth, core, ticks);
    share(truth, "cores_busy_ticks", subject(TXTAP_SUBJECT_CORE, busy_cores(truth)), "", ticks);
}

/* ---- events ---- */

static struct txtap_subject interrupt_number(const struct truth *truth)
{
    const struct kernel *kernel = truth->kernel;

    for (unsigned i = kernel->here->depth; i-- > 0;)
        if (kernel->here->interrupts[i].traced)
            return subject(TXTAP_SUBJECT_INTERRUPT, kernel->here->interrupts[i].number);
    return subject(TXTAP_SUBJECT_INTERRUPT, UINT32_MAX);
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
    const struct txtap_subject of = subject(TXTAP_SUBJECT_INTERRUPT, number);
    unsigned core = acting_core(truth), depth = traced_depth(truth->kernel->here);
    struct truth_figure *last = figure(truth, TRUTH_VALUE, "last entered", of, nothing(), "");

    if (last->n++ > 0)
        sample(truth, "isr_interval", of, nothing(), "", truth->kernel->now - last->sum);
    last->sum = truth->kernel->now;
    count(truth, "isr_entered", nothing());
    if (depth > 1)
        count(truth, "isr_nested", nothing());
    raise(truth, "isr_depth", nothing(), depth);
    truth->interrupts[core][depth - 1].start = truth->kernel->now;
    truth->interrupts[core][depth - 1].nested = 0;
    truth->interrupts[core][depth - 1].number = number;
}

static void exited(struct truth *truth, uint32_t number)
{
    const struct txtap_subject of = subject(TXTAP_SUBJECT_INTERRUPT, number);
    unsigned core = acting_core(truth), depth = traced_depth(truth->kernel->here);
    uint64_t ticks = truth->kernel->now - truth->interrupts[core][depth - 1].start;

    sample(truth, "isr", of, nothing(), "", ticks);
    sample(truth, "isr_self", of, nothing(), "", ticks - truth->interrupts[core][depth - 1].nested);
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
    if (kernel->here->depth > 0 || kernel->initializing)
        return;
    of = &truth->threads[kernel->here->current];
    of->asked = kernel->now;
    of->asked_object = object;
    of->asked_wait = wait_option(entry);
}

/* What a queue held before its first call is not known if that is a flush, a creation or a deletion. */
static void note_queue_call(struct truth *truth, const struct kernel_entry *entry)
{
    unsigned queue = find_object(truth->kernel, entry->info[0]);
    bool tells = entry->id == EV_QUEUE_SEND || entry->id == EV_QUEUE_FRONT_SEND || entry->id == EV_QUEUE_RECEIVE;

    if (!tells && !truth->objects[queue].called)
        truth->objects[queue].full = truth->objects[queue].empty = 0;
    truth->objects[queue].called = true;
}

static void end_life(struct truth *truth, unsigned thread)
{
    if (truth->threads[thread].alive)
        sample(truth, "life", thread_of(truth, thread), nothing(), "",
               truth->kernel->now - truth->threads[thread].born);
    truth->threads[thread].alive = false;
}

static void end_wait(struct truth *truth, unsigned thread, bool complete)
{
    const struct truth_thread *of = &truth->threads[thread];
    struct txtap_subject object = of->object != NOBODY ? object_of(truth, of->object) : nothing();
    const char *reason = txtap_wait_name((enum txtap_wait)of->reason);
    uint64_t ticks = truth->kernel->now - of->since;

    if (!of->blocked)
        return;
    piece(truth, "block", thread_of(truth, thread), object, reason, ticks, complete && of->since_known);
    piece(truth, "waits", object, nothing(), reason, ticks, complete && of->since_known);
}

/* That is no suspension: nothing made the thread wait. */
static void suspended_from_start(struct truth *truth, unsigned thread)
{
    truth->threads[thread].blocked = true;
    truth->threads[thread].since_known = false;
    truth->threads[thread].before = 0;
    truth->threads[thread].reason = KERNEL_SUSPENDED;
    truth->threads[thread].since = truth->kernel->now;
}

static void look_for_inversions(struct truth *truth);

static void note_thread_call(struct truth *truth, const struct kernel_entry *entry)
{
    unsigned thread = find_thread(truth->kernel, entry->info[0]);

    if ((entry->id == EV_THREAD_CREATE || entry->id == EV_THREAD_RESET) && truth->threads[thread].since_known)
        end_wait(truth, thread, true);
    if (entry->id == EV_THREAD_CREATE) {
        truth->threads[thread] = (struct truth_thread){
            .alive = true, .born = truth->kernel->now, .object = NOBODY, .own_priority = entry->info[1]};
        suspended_from_start(truth, thread);
    } else if (entry->id == EV_THREAD_TERMINATE) {
        end_life(truth, thread);
    } else if (entry->id == EV_THREAD_RESET) {
        suspended_from_start(truth, thread);
    } else if (entry->id == EV_PREEMPTION_CHANGE) {
        count(truth, "threshold_changes", thread_of(truth, thread));
    } else if (entry->id == EV_PRIORITY_CHANGE) {
        truth->threads[thread].own_priority = entry->info[1];
        look_for_inversions(truth);
    }
}

static void note_by_whom(struct truth *truth, const char *by_thread)
{
    const struct kernel *kernel = truth->kernel;

    if (kernel->initializing)
        add(truth, by_thread, nothing(), nothing(), "init", 1);
    else if (kernel->here->depth > 0)
        add(truth, by_thread, nothing(), nothing(), "isr", 1);
    else
        count(truth, by_thread, thread_of(truth, kernel->here->current));
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
    add(truth, "calls", subject(TXTAP_SUBJECT_EVENT, entry->id), nothing(), "", 1);
    if (kernel->here->depth == 0 && !kernel->initializing)
        count(truth, "events", thread_of(truth, kernel->here->current));
    if (entry->id == EV_ISR_ENTER) {
        entered(truth, entry->info[1]);
    } else if (entry->id == EV_ISR_EXIT) {
        exited(truth, entry->info[1]);
    } else if (entry->id == EV_TIME_SLICE) {
        count(truth, "time_slices", nothing());
        if (!kernel->here->slice_displaced) /* else the end of an earlier slice has displaced the thread */
            truth->slice_to = kernel->here->execute;
    } else if (entry->id == EV_RESUME) {
        note_by_whom(truth, "resumes_done");
        count(truth, "resumed", subject(TXTAP_SUBJECT_THREAD, entry->info[0]));
    } else if (entry->id == EV_SUSPEND) {
        if (kernel->here->depth == 0 && !kernel->initializing)
            count(truth, "suspends_done", thread_of(truth, kernel->here->current));
        count(truth, "suspended", subject(TXTAP_SUBJECT_THREAD, entry->info[0]));
    } else if (entry->id != EV_MUTEX_PRIORITIZE) {
        if (entry->id == EV_BYTE_RELEASE)
            lower(truth, "available", subject(TXTAP_SUBJECT_OBJECT, entry->info[0]), entry->info[3]);
        if (entry->id >= EV_THREAD_CREATE && entry->id <= EV_WAIT_ABORT &&
            find_thread(kernel, entry->info[0]) < KERNEL_THREADS)
            note_thread_call(truth, entry);
        if (entry->id >= EV_QUEUE_CREATE && entry->id <= EV_QUEUE_SEND)
            note_queue_call(truth, entry);
        note_call(truth, entry);
    }
}

/* ---- waits ---- */

/* The thread waits for another owner from now on, or for none. */
static void piece_ends(struct truth *truth, unsigned thread, bool complete)
{
    const struct truth_thread *of = &truth->threads[thread];

    piece(truth, "inversion", thread_of(truth, thread), thread_of(truth, of->inverted_by), "",
          truth->kernel->now - of->piece_since, complete);
}

static void inversion_ends(struct truth *truth, unsigned thread, bool complete)
{
    struct truth_thread *of = &truth->threads[thread];

    if (!of->inverted)
        return;
    of->inverted = false;
    piece(truth, "inversion", nothing(), nothing(), "", truth->kernel->now - of->inverted_since, complete);
    piece_ends(truth, thread, complete);
    count(truth, "inversions", nothing());
    if (of->unbounded > 0)
        count(truth, "unbounded", nothing());
    add(truth, "unbounded_ticks", nothing(), nothing(), "", of->unbounded);
}

/* Threads wait for owners: begins what is an inversion now, ends what is none any longer. */
static void look_for_inversions(struct truth *truth)
{
    for (unsigned i = 0; i < KERNEL_THREADS; i++) {
        struct truth_thread *of = &truth->threads[i];
        unsigned owner = owner_awaited(truth, i);
        bool inverted = owner != NOBODY && truth->threads[owner].own_priority > of->own_priority;

        if (of->inverted && !inverted)
            inversion_ends(truth, i, true);
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
        member = owner_awaited(truth, member);
    } while (member != NOBODY && member != thread && circle.members.count < KERNEL_LINE);
    if (member != thread)
        return;
    for (unsigned i = 0; i < circle.members.count; i++) {
        unsigned one = circle.members.at[i];

        figure(truth, TRUTH_VALUE, "deadlock_member", thread_of(truth, one),
               object_of(truth, truth->threads[one].object), "")
            ->value = 1;
    }
    if (for_ever)
        count(truth, "deadlock_for_ever", nothing());
    if (truth->circle_count < 8)
        truth->circles[truth->circle_count++] = circle;
}

static void break_circles(struct truth *truth, unsigned thread)
{
    for (unsigned i = truth->circle_count; i-- > 0;) {
        if (!line_has(&truth->circles[i].members, thread))
            continue;
        sample(truth, "deadlock", nothing(), nothing(), "", truth->kernel->now - truth->circles[i].since);
        truth->circles[i] = truth->circles[--truth->circle_count];
    }
}

static void end_job(struct truth *truth, unsigned thread, bool complete)
{
    struct truth_thread *of = &truth->threads[thread];
    const struct txtap_subject subject = thread_of(truth, thread);

    if (!of->job)
        return;
    of->job = false;
    piece(truth, "run", subject, nothing(), "", of->job_run, complete);
    piece(truth, "response", subject, nothing(), "", truth->kernel->now - of->job_start, complete);
    if (!complete)
        return;
    sample(truth, "response_ready", subject, nothing(), "", of->job_ready);
    sample(truth, "response_interrupted", subject, nothing(), "", of->job_interrupted);
    sample(truth, "response_mutex", subject, nothing(), "", of->job_mutex);
    sample(truth, "turns", subject, nothing(), "", of->job_turns);
}

/* It waits for the core, and no more. */
static void cut_wait_for_core(struct truth *truth, unsigned thread)
{
    const struct truth_thread *of = &truth->threads[thread];
    const struct txtap_subject subject = thread_of(truth, thread);
    uint64_t ticks = truth->kernel->now - of->waiting_since;

    if (!of->waiting)
        return;
    cut(truth, "ready", subject, nothing(), "", ticks);
    if (!of->waking || of->in_init)
        return;
    cut(truth, "wake", subject, nothing(), "", ticks);
    cut(truth, "wake_by", subject, of->waker, of->waker_detail, ticks);
}

void truth_blocked(struct truth *truth, unsigned thread)
{
    struct truth_thread *of = &truth->threads[thread];
    const struct kernel_thread *in_kernel = &truth->kernel->threads[thread];
    unsigned reason = in_kernel->state;
    bool for_object = reason >= KERNEL_QUEUE && reason <= KERNEL_MUTEX;

    cut_wait_for_core(truth, thread);
    of->blocked = of->since_known = true;
    of->waiting = of->waking = false;
    of->reason = reason;
    of->object = for_object ? in_kernel->object : NOBODY;
    of->since = truth->kernel->now;
    of->called = of->asked;
    of->wait_option = of->asked_wait;
    if (reason != KERNEL_MUTEX)
        end_job(truth, thread, true);
    if (reason == KERNEL_COMPLETED || reason == KERNEL_TERMINATED)
        end_life(truth, thread);
    if (reason == KERNEL_MUTEX && truth->kernel->objects[of->object].exists)
        look_for_circle(truth, thread);
    look_for_inversions(truth);
}

static void served(struct truth *truth, unsigned thread, enum kernel_ending ending)
{
    const struct truth_thread *of = &truth->threads[thread];
    struct txtap_subject object;
    uint64_t now = truth->kernel->now;

    if (!of->blocked || of->object == NOBODY)
        return;
    object = object_of(truth, of->object);
    if (of->reason == KERNEL_MUTEX && ending == ENDS_SERVED)
        sample(truth, "wait", object, nothing(), "", now - of->called);
    else if (of->reason == KERNEL_MUTEX && ending == ENDS_TIMEOUT)
        count(truth, "timeouts", object);
    else if (of->reason != KERNEL_SEMAPHORE && of->reason != KERNEL_FLAGS)
        return;
    else if (ending == ENDS_SERVED)
        sample(truth, "wait", object, nothing(), "", now - of->since);
    else if (ending == ENDS_TIMEOUT)
        sample(truth, "timeout_wait", object, nothing(), "", now - of->since);
}

static void note_waker(struct truth *truth, unsigned thread, enum kernel_ending ending)
{
    static const char *const details[] = {"", "timeout", "deleted", "aborted", ""};
    struct truth_thread *of = &truth->threads[thread];
    const struct kernel *kernel = truth->kernel;

    of->waker_detail = details[of->reason == KERNEL_SLEEP && ending == ENDS_TIMEOUT ? ENDS_SERVED : ending];
    if (kernel->initializing)
        of->waker = subject(TXTAP_SUBJECT_INIT, 0);
    else if (kernel->here->depth > 0)
        of->waker = interrupt_number(truth);
    else
        of->waker = thread_of(truth, kernel->here->current);
    add(truth, "woken_by", thread_of(truth, thread), of->waker, of->waker_detail, 1);
}

static void start_job(struct truth *truth, unsigned thread)
{
    struct truth_thread *of = &truth->threads[thread];

    of->job = true;
    of->job_start = truth->kernel->now;
    of->job_run = of->job_ready = of->job_interrupted = of->job_mutex = of->job_turns = 0;
}

/* Nothing records when its wait ends but the event of tx_thread_terminate. */
void truth_ended(struct truth *truth, unsigned thread)
{
    if (truth->threads[thread].blocked && !truth->threads[thread].since_known)
        share(truth, "time_ticks", thread_of(truth, thread), "suspended", truth->threads[thread].before);
    end_wait(truth, thread, true);
    break_circles(truth, thread);
    inversion_ends(truth, thread, true);
    end_job(truth, thread, true);
    truth->threads[thread].waiting = truth->threads[thread].waking = false;
    truth->threads[thread].blocked = truth->threads[thread].since_known = true;
    truth->threads[thread].reason = KERNEL_TERMINATED;
    truth->threads[thread].object = NOBODY;
    truth->threads[thread].since = truth->kernel->now;
}

/* The thread owns the mutex from now on. The one before gave it up with its last put. */
static void change_owner(struct truth *truth, unsigned mutex, unsigned owner)
{
    if (truth->objects[mutex].owner != NOBODY && !truth->objects[mutex].deleted)
        sample(truth, "hold", object_of(truth, mutex), nothing(), "",
               truth->objects[mutex].put - truth->objects[mutex].since);
    truth->objects[mutex].owner = owner;
    truth->objects[mutex].deleted = false;
    truth->objects[mutex].since = truth->kernel->now;
    look_for_inversions(truth);
}

/* Whoever is handed the mutex owns it once it is resumed. */
void truth_owner(struct truth *truth, unsigned mutex)
{
    unsigned owner = truth->kernel->objects[mutex].owner;

    if (!truth->kernel->objects[mutex].exists) { /* deleted: whoever waits does so until it is resumed */
        sample(truth, "hold", object_of(truth, mutex), nothing(), "",
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
    if (of->blocked && !of->since_known)
        share(truth, "time_ticks", thread_of(truth, thread), "suspended", of->before);
    end_wait(truth, thread, true);
    served(truth, thread, ending);
    break_circles(truth, thread);
    inversion_ends(truth, thread, true);
    of->blocked = false;
    if (was_mutex && ending == ENDS_SERVED)
        change_owner(truth, of->object, thread);
    if (truth->kernel->threads[thread].delayed_suspend)
        return; /* it is suspended at once */
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

    count(truth, "gets", object_of(truth, object));
    count(truth, names[outcome], object_of(truth, object));
}

static void done_put(struct truth *truth, const char *puts, const char *woke, unsigned object, unsigned woken)
{
    count(truth, puts, object_of(truth, object));
    if (woken > 0)
        count(truth, woke, object_of(truth, object));
    add(truth, "woken", object_of(truth, object), nothing(), "", woken);
}

static void done_send(struct truth *truth, unsigned object, enum kernel_outcome outcome, unsigned woken)
{
    static const char *const names[] = {NULL, "send_failed", "send_blocked"};

    count(truth, "sends", object_of(truth, object));
    if (names[outcome] != NULL)
        count(truth, names[outcome], object_of(truth, object));
    if (woken > 0)
        count(truth, "handed_over", object_of(truth, object));
    raise(truth, "depth", object_of(truth, object), truth->kernel->objects[object].count);
}

static void done_mutex_get(struct truth *truth, unsigned object, enum kernel_outcome outcome)
{
    const struct kernel_object *mutex = &truth->kernel->objects[object];

    count(truth, "gets", object_of(truth, object));
    if (outcome == OUTCOME_FAILED)
        count(truth, "failed_gets", object_of(truth, object));
    else if (outcome == OUTCOME_WAITS)
        count(truth, "contended", object_of(truth, object));
    else if (mutex->count > 1)
        count(truth, "recursive", object_of(truth, object));
}

static void done_allocate(struct truth *truth, unsigned object, enum kernel_outcome outcome)
{
    static const char *const names[] = {NULL, "alloc_failed", "alloc_blocked"};

    count(truth, "allocations", object_of(truth, object));
    if (names[outcome] != NULL)
        count(truth, names[outcome], object_of(truth, object));
}

void truth_done(struct truth *truth, enum kernel_event id, unsigned object, enum kernel_outcome outcome, unsigned woken)
{
    const struct kernel_object *of = &truth->kernel->objects[object];

    switch (id) {
    case EV_SEMAPHORE_GET:
        done_get(truth, object, outcome);
        raise(truth, "count", object_of(truth, object), of->count + (outcome == OUTCOME_DONE));
        break;
    case EV_SEMAPHORE_PUT:
    case EV_SEMAPHORE_CEILING_PUT:
        done_put(truth, "puts", "put_woke", object, woken);
        if (outcome == OUTCOME_FAILED)
            count(truth, "put_failed", object_of(truth, object));
        raise(truth, "count", object_of(truth, object), of->count);
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
        count(truth, "receives", object_of(truth, object));
        if (outcome != OUTCOME_DONE)
            count(truth, outcome == OUTCOME_FAILED ? "receive_failed" : "receive_blocked", object_of(truth, object));
        raise(truth, "depth", object_of(truth, object), of->count + (outcome == OUTCOME_DONE && woken == 0));
        break;
    case EV_MUTEX_GET:
        done_mutex_get(truth, object, outcome);
        break;
    case EV_MUTEX_PUT:
        count(truth, "puts", object_of(truth, object));
        break;
    case EV_BLOCK_ALLOCATE:
        lower(truth, "available", object_of(truth, object), of->count + (outcome == OUTCOME_DONE));
        done_allocate(truth, object, outcome);
        break;
    case EV_BYTE_ALLOCATE:
        done_allocate(truth, object, outcome);
        break;
    case EV_BLOCK_RELEASE:
    case EV_BYTE_RELEASE:
        count(truth, "releases", object_of(truth, object));
        break;
    default:
        break;
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
    const struct txtap_subject subject = thread_of(truth, thread);

    if (of->since_known)
        end_wait(truth, thread, false);
    if (of->blocked && of->reason == KERNEL_MUTEX)
        cut(truth, "wait", object_of(truth, of->object), nothing(), "", truth->kernel->now - of->called);
    inversion_ends(truth, thread, false);
    end_job(truth, thread, false);
    if (of->alive)
        cut(truth, "life", subject, nothing(), "", truth->kernel->now - of->born);
    cut_wait_for_core(truth, thread);
}

/* Queues that nobody sends to or receives from have no figures. */
static void finish_queue(struct truth *truth, unsigned queue)
{
    const struct txtap_subject of = object_of(truth, queue), other = nothing();

    if (truth_find(truth, "sends", &of, &other, "") == NULL && truth_find(truth, "receives", &of, &other, "") == NULL)
        return;
    add(truth, "full", of, other, "", truth->objects[queue].full);
    add(truth, "empty", of, other, "", truth->objects[queue].empty);
}

/* What lasts at the last event is cut there. */
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
            cut(truth, "isr", subject(TXTAP_SUBJECT_INTERRUPT, truth->interrupts[core][i].number), nothing(), "",
                truth->kernel->now - truth->interrupts[core][i].start);
    for (unsigned i = 0; i < truth->kernel->object_count; i++)
        if (truth->objects[i].owner != NOBODY && !truth->objects[i].deleted)
            cut(truth, "hold", object_of(truth, i), nothing(), "", truth->kernel->now - truth->objects[i].since);
    for (unsigned i = 0; i < truth->circle_count; i++)
        cut(truth, "deadlock", nothing(), nothing(), "", truth->kernel->now - truth->circles[i].since);
    for (unsigned i = 0; i < truth->count; i++)
        if (strcmp(truth->figures[i].name, "deadlock") == 0 || (strcmp(truth->figures[i].name, "inversion") == 0 &&
                                                                truth->figures[i].subject.kind == TXTAP_SUBJECT_SYSTEM))
            truth->figures[i].kind = TRUTH_OCCURRENCES;
}
