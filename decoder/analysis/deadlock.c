/* SPDX-License-Identifier: MIT */
/* Deadlocks: circles of threads in which each thread waits for a mutex or a lock that the next thread owns. */
#include "analysis/analyses.h"

#define MEMBERS_MAX 16u
#define OPEN_MAX    16u

struct circle {
    uint32_t count;
    uint32_t threads[MEMBERS_MAX];
    struct moment start;
    bool for_ever; /* no wait in the circle has a timeout, so the deadlock cannot end by itself */
};

/* The mutex for which a thread of a circle waits, as it was when the circle was closed. */
struct member {
    struct moment closed_at; /* when the first circle of the thread and the mutex was closed */
    uint32_t owner;          /* the thread that owned the mutex */
    struct moment owned;     /* when the owner got the mutex */
    bool owned_known;        /* `owned` is the exact time */
};

struct deadlock {
    struct base base;
    struct circle open[OPEN_MAX]; /* the first open_count elements are the deadlocks that have not ended */
    uint32_t open_count;
    uint64_t for_ever;
    struct spread all;
    struct table members; /* keys: thread and mutex of each member of a circle */
    struct member *of;    /* index: as in members */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct deadlock *deadlock = state;

    table_layout(&deadlock->members, arena, limits->pairs);
    deadlock->of = arena_take(arena, limits->pairs, sizeof(*deadlock->of));
}

/* Returns the owner of the mutex or lock for which the thread waits. NONE: the owner is unknown, or the thread waits
 * for an object without an owner. */
static uint32_t waits_for(const struct model *model, uint32_t thread)
{
    const struct thread *of = &model->threads[thread];

    if (of->state != THREAD_BLOCKED || !model_waits_for_owner(model, of) || of->object == NONE)
        return NONE;
    return model->objects[of->object].owner;
}

static void note_member(struct deadlock *deadlock, uint32_t thread, uint32_t object, struct moment closed_at)
{
    const struct object *mutex = &deadlock->base.model->objects[object];
    bool added;
    uint32_t member = table_add(&deadlock->members, table_pair(thread, object), &added);

    if (member == NONE)
        deadlock->base.left_out++;
    else if (added)
        deadlock->of[member] = (struct member){closed_at, mutex->owner, mutex->held, mutex->held_known};
}

static void note_members(struct deadlock *deadlock, struct circle *circle)
{
    const struct model *model = deadlock->base.model;

    circle->for_ever = true;
    for (uint32_t i = 0; i < circle->count; i++) {
        const struct thread *thread = &model->threads[circle->threads[i]];

        circle->for_ever = circle->for_ever && thread->wait_option == WAIT_FOREVER;
        note_member(deadlock, circle->threads[i], thread->object, circle->start);
    }
    deadlock->for_ever += circle->for_ever;
}

/* Adds a circle if the new wait closes a circle. */
static void take_blocked(void *self, const struct change *change)
{
    struct deadlock *deadlock = self;
    uint32_t thread = change->thread;
    struct circle circle;

    if (waits_for(deadlock->base.model, thread) == NONE)
        return;
    circle = (struct circle){.start = change->now};
    do {
        if (circle.count == MEMBERS_MAX)
            return;
        circle.threads[circle.count++] = thread;
        thread = waits_for(deadlock->base.model, thread);
    } while (thread != NONE && thread != change->thread);
    if (thread == NONE)
        return;
    note_members(deadlock, &circle);
    if (deadlock->open_count == OPEN_MAX)
        deadlock->base.left_out++;
    else
        deadlock->open[deadlock->open_count++] = circle;
}

static bool is_member(const struct circle *circle, uint32_t thread)
{
    for (uint32_t i = 0; i < circle->count; i++)
        if (circle->threads[i] == thread)
            return true;
    return false;
}

static void take_ready(void *self, const struct change *change)
{
    struct deadlock *deadlock = self;

    for (uint32_t i = deadlock->open_count; i-- > 0;) {
        if (!is_member(&deadlock->open[i], change->thread))
            continue;
        spread_add(&deadlock->all, deadlock->base.pool, change->now.ticks - deadlock->open[i].start.ticks,
                   change->now.seq, change->now.ticks);
        deadlock->open[i] = deadlock->open[--deadlock->open_count];
    }
}

/* Adds the deadlocks that have not ended as cut samples. ticks: each deadlock lasts at least until this tick. */
static void cut_open(const struct deadlock *deadlock, struct spread *all, uint64_t ticks)
{
    for (uint32_t i = 0; i < deadlock->open_count; i++) {
        const struct moment *start = &deadlock->open[i].start;

        spread_cut(all, ticks - start->ticks, start->seq, start->ticks);
    }
}

static void take_gap(void *self, const struct change *change)
{
    struct deadlock *deadlock = self;

    cut_open(deadlock, &deadlock->all, change->now.ticks);
    deadlock->open_count = 0;
}

static void open(void *state, struct model *model)
{
    model_tell(model, CHANGE_BLOCKED, (struct change_sink){take_blocked, state});
    model_tell(model, CHANGE_READY, (struct change_sink){take_ready, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

static void list_member(const struct deadlock *deadlock, struct list *list, uint32_t number)
{
    const struct model *model = deadlock->base.model;
    const struct member *member = &deadlock->of[number];
    const struct txtap_subject mutex = list_object(model, (uint32_t)deadlock->members.keys[number]);
    const struct heading owner = {
        .id = TXTAP_FIGURE_DEADLOCK_OWNER, .subject = mutex, .other = list_thread(model, member->owner)};

    list_count_at(list,
                  (struct heading){.id = TXTAP_FIGURE_DEADLOCK_MEMBER,
                                   .subject = list_thread(model, (uint32_t)(deadlock->members.keys[number] >> 32)),
                                   .other = mutex},
                  1, member->closed_at);
    if (member->owned_known)
        list_count_at(list, owner, 1, member->owned);
    else
        list_count(list, owner, 1);
}

static void figures(const void *state, struct list *list)
{
    const struct deadlock *deadlock = state;
    const struct model *model = deadlock->base.model;
    struct spread all = deadlock->all;

    cut_open(deadlock, &all, model->last.ticks); /* a deadlock that has not ended counts, too */
    list_occurrences(list, (struct heading){.id = TXTAP_FIGURE_DEADLOCK}, TXTAP_UNIT_TICKS, &all, 0);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_DEADLOCK_FOR_EVER}, deadlock->for_ever);
    for (uint32_t i = 0; i < deadlock->members.count; i++)
        list_member(deadlock, list, i);
}

static const struct check_name names[] = {
    FIGURE(DEADLOCK, "deadlock", CHECK_TIME, N, SYSTEM),
    FIGURE(DEADLOCK_FOR_EVER, "deadlock_for_ever", CHECK_COUNT, N, SYSTEM),
    FIGURES(DEADLOCK_MEMBER, "deadlock_member", CHECK_COUNT, N, THREAD),
    FIGURES(DEADLOCK_OWNER, "deadlock_owner", CHECK_COUNT, N, OBJECT),
    {0},
};

const struct analysis_row deadlock_analysis = {
    .section = {"deadlock", "deadlocks over mutexes"},
    .names = names,
    .state_bytes = sizeof(struct deadlock),
    .layout = layout,
    .open = open,
    .figures = figures,
};
