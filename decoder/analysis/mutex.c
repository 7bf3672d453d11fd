/* SPDX-License-Identifier: MIT */
/*
 * Mutexes, and semaphores used as locks. The figures show how long threads hold them and wait for them, how often two
 * threads want the same mutex, and which thread waits for which owner.
 */
#include "analysis/analyses.h"

#include "txtap/registry.h"

struct mutex {
    uint64_t crowded; /* number of calls that found a lock's count above 1 or raised the count above 1 */
    uint64_t gets, puts, contended, recursive, failed, timeouts;
    struct spread hold, wait;
};

/* A part of a wait for a mutex during which the owner does not change. */
struct piece {
    uint32_t owner;     /* 1 + the owner's number; 0: unknown */
    uint64_t since;     /* tick at which the thread in owner became the owner */
    bool began_earlier; /* the owner may have owned the mutex even before the tick in since */
};

struct mutexes {
    struct base base;
    struct mutex *of;     /* index: object */
    struct piece *pieces; /* index: thread; the current piece of the thread's wait */
    struct table pairs;   /* keys: waiting thread and owner */
    struct spread *waits; /* index: pair */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct mutexes *mutexes = state;

    mutexes->of = arena_take(arena, limits->objects, sizeof(*mutexes->of));
    mutexes->pieces = arena_take(arena, limits->threads, sizeof(*mutexes->pieces));
    table_layout(&mutexes->pairs, arena, limits->pairs);
    mutexes->waits = arena_take(arena, limits->pairs, sizeof(*mutexes->waits));
}

static void take_lock_call(struct mutex *mutex, const struct service *service)
{
    if (service->id == EVENT_SEMAPHORE_PUT || service->id == EVENT_SEMAPHORE_CEILING_PUT) {
        mutex->puts++;
        mutex->crowded += service->info[1] > 0;
    } else if (service->id == EVENT_SEMAPHORE_GET) {
        mutex->gets++;
        mutex->crowded += service->info[2] > 1;
        mutex->contended += service->info[2] == 0 && service->info[1] != 0;
    }
}

static void take_call(void *self, const struct change *change)
{
    struct mutexes *mutexes = self;
    const struct service *service = change->service;
    struct mutex *mutex = change->object != NONE ? &mutexes->of[change->object] : NULL;
    uint32_t own = change->thread != NONE ? mutexes->base.model->threads[change->thread].address : 0;

    if (mutex == NULL)
        return;
    if (mutexes->base.model->objects[change->object].lock)
        take_lock_call(mutex, service);
    if (service->id == EVENT_MUTEX_PUT) {
        mutex->puts++;
    } else if (service->id == EVENT_MUTEX_GET) {
        mutex->gets++;
        if (service->info[2] != 0 && service->info[2] == own)
            mutex->recursive++;
        else if (service->info[2] != 0 && service->info[1] == 0)
            mutex->failed++;
        else if (service->info[2] != 0)
            mutex->contended++;
    }
}

static bool waits(const struct model *model, const struct thread *thread)
{
    return thread->state == THREAD_BLOCKED && model_waits_for_owner(model, thread) && thread->object != NONE;
}

static void take_blocked(void *self, const struct change *change)
{
    struct mutexes *mutexes = self;
    const struct model *model = mutexes->base.model;
    const struct thread *thread = &model->threads[change->thread];
    uint32_t owner = waits(model, thread) ? model->objects[thread->object].owner : NONE;

    mutexes->pieces[change->thread] = (struct piece){owner + 1, change->now.ticks, false}; /* NONE + 1 is 0 */
}

/* Ends a piece of a wait. complete: false if the thread may still wait for the same owner. */
static void end_piece(struct mutexes *mutexes, uint32_t thread, const struct change *change, bool complete)
{
    const struct piece *piece = &mutexes->pieces[thread];
    bool added;
    uint32_t pair;

    if (piece->owner == 0)
        return;
    pair = table_add(&mutexes->pairs, table_pair(thread, piece->owner - 1), &added);
    if (pair == NONE)
        mutexes->base.left_out++;
    else if (!complete || piece->began_earlier)
        cut_sample(&mutexes->base, &mutexes->waits[pair], change->now.ticks - piece->since, change);
    else
        add_sample(&mutexes->base, &mutexes->waits[pair], change->now.ticks - piece->since, change);
}

/* Ends the pieces of the threads that wait for the mutex: from now on they wait for the mutex's new owner. */
static void take_acquired(void *self, const struct change *change)
{
    struct mutexes *mutexes = self;
    const struct model *model = mutexes->base.model;

    for (uint32_t i = 0; model->objects[change->object].waiting > 0 && i < model->thread_numbers.count; i++) {
        if (i == change->thread || model->threads[i].object != change->object || !waits(model, &model->threads[i]))
            continue;
        end_piece(mutexes, i, change, change->thread != NONE);
        mutexes->pieces[i] = (struct piece){change->thread + 1, change->now.ticks, mutexes->pieces[i].owner == 0};
    }
}

static void take_ready(void *self, const struct change *change)
{
    struct mutexes *mutexes = self;
    const struct thread *thread = &mutexes->base.model->threads[change->thread];
    bool is_mutex; /* the semaphore analysis lists the waits for a lock */
    struct mutex *mutex;

    if (!model_waits_for_owner(mutexes->base.model, thread) || thread->object == NONE || !change->known)
        return;
    mutex = &mutexes->of[thread->object];
    is_mutex = mutexes->base.model->objects[thread->object].type == TXTAP_OBJECT_MUTEX;
    if (change->waker->ending == ENDING_SERVED && !waker_perhaps_deletes(change->waker) && is_mutex)
        add_sample(&mutexes->base, &mutex->wait, change->now.ticks - thread->called, change);
    else if (change->waker->ending == ENDING_TIMEOUT)
        mutex->timeouts++;
    end_piece(mutexes, change->thread, change, true);
}

static void take_released(void *self, const struct change *change)
{
    struct mutexes *mutexes = self;
    struct spread *hold = &mutexes->of[change->object].hold;

    if (change->known)
        add_sample(&mutexes->base, hold, change->ticks, change);
    else
        cut_sample(&mutexes->base, hold, change->ticks, change);
}

/* Forgets the open waits. Only waits that got the mutex count, and a wait that a gap hides may end without success. */
static void take_gap(void *self, const struct change *change)
{
    struct mutexes *mutexes = self;
    const struct model *model = mutexes->base.model;

    for (uint32_t i = 0; i < model->object_numbers.count; i++)
        if (model->objects[i].owner != NONE)
            cut_sample(&mutexes->base, &mutexes->of[i].hold, change->now.ticks - model->objects[i].held.ticks, change);
    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct thread *thread = &model->threads[i];

        if (thread->state == THREAD_BLOCKED && thread->reason == REASON_MUTEX && thread->object != NONE)
            cut_sample(&mutexes->base, &mutexes->of[thread->object].wait,
                       change->kind == CHANGE_END ? change->now.ticks - thread->called : 0, change);
    }
}

static void open(void *state, struct model *model)
{
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_MUTEX, (struct change_sink){take_call, state});
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_SEMAPHORE, (struct change_sink){take_call, state});
    model_tell(model, CHANGE_BLOCKED, (struct change_sink){take_blocked, state});
    model_tell(model, CHANGE_READY, (struct change_sink){take_ready, state});
    model_tell(model, CHANGE_ACQUIRED, (struct change_sink){take_acquired, state});
    model_tell(model, CHANGE_RELEASED, (struct change_sink){take_released, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

static void list_mutex(struct list *list, struct txtap_subject subject, const struct mutex *mutex)
{
    list_spread(list, (struct heading){.id = TXTAP_FIGURE_HOLD, .subject = subject}, TXTAP_UNIT_TICKS, &mutex->hold);
    list_spread(list, (struct heading){.id = TXTAP_FIGURE_WAIT, .subject = subject}, TXTAP_UNIT_TICKS, &mutex->wait);
    if (list->model->other_kernel) /* some calls may not be recorded */
        return;
    list_count(list, (struct heading){.id = TXTAP_FIGURE_GETS, .subject = subject}, mutex->gets);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_PUTS, .subject = subject}, mutex->puts);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_CONTENDED, .subject = subject}, mutex->contended);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_RECURSIVE, .subject = subject}, mutex->recursive);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_FAILED_GETS, .subject = subject}, mutex->failed);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_TIMEOUTS, .subject = subject}, mutex->timeouts);
}

/* Lists the mutex figures of a lock. The semaphore analysis lists the other figures of this lock. */
static void list_lock(struct list *list, struct txtap_subject subject, const struct mutex *lock)
{
    if (lock->crowded > 0) {
        list_count(list, (struct heading){.id = TXTAP_FIGURE_ABOVE_ONE, .subject = subject}, lock->crowded);
        return;
    }
    list_spread(list, (struct heading){.id = TXTAP_FIGURE_HOLD, .subject = subject}, TXTAP_UNIT_TICKS, &lock->hold);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_CONTENDED, .subject = subject}, lock->contended);
}

static void figures(const void *state, struct list *list)
{
    const struct mutexes *mutexes = state;
    const struct model *model = mutexes->base.model;

    for (uint32_t i = 0; i < model->object_numbers.count; i++)
        if (model->objects[i].type == TXTAP_OBJECT_MUTEX &&
            (model->other_kernel || mutexes->of[i].gets + mutexes->of[i].puts > 0))
            list_mutex(list, list_object(model, i), &mutexes->of[i]);
    for (uint32_t i = 0; i < model->object_numbers.count; i++)
        if (model->objects[i].lock && mutexes->of[i].gets + mutexes->of[i].puts > 0)
            list_lock(list, list_object(model, i), &mutexes->of[i]);
    for (uint32_t i = 0; i < mutexes->pairs.count; i++)
        list_spread(list,
                    (struct heading){.id = TXTAP_FIGURE_WAITS_FOR,
                                     .subject = list_thread(model, (uint32_t)(mutexes->pairs.keys[i] >> 32)),
                                     .other = list_thread(model, (uint32_t)mutexes->pairs.keys[i])},
                    TXTAP_UNIT_TICKS, &mutexes->waits[i]);
}

static const struct check_name names[] = {
    FIGURE(HOLD, "hold", CHECK_TIME, VALUE, OBJECT),
    FIGURE(WAIT, "wait", CHECK_TIME, VALUE, OBJECT),
    FIGURE(GETS, "gets", CHECK_COUNT, N, OBJECT),
    FIGURE(PUTS, "puts", CHECK_COUNT, N, OBJECT),
    FIGURE(CONTENDED, "contended", CHECK_COUNT, N, OBJECT),
    FIGURE(RECURSIVE, "recursive", CHECK_COUNT, N, OBJECT),
    FIGURE(FAILED_GETS, "failed_gets", CHECK_COUNT, N, OBJECT),
    FIGURE(TIMEOUTS, "timeouts", CHECK_COUNT, N, OBJECT),
    FIGURE(ABOVE_ONE, "above_one", CHECK_COUNT, N, OBJECT),
    FIGURES(WAITS_FOR, "waits_for", CHECK_TIME, VALUE, THREAD),
    {0},
};

const struct analysis_row mutex_analysis = {
    .section = {"mutexes", "held, waited for, contended"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct mutexes),
    .layout = layout,
    .open = open,
    .figures = figures,
};
