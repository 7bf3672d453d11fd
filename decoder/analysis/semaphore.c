/* SPDX-License-Identifier: MIT */
/* Semaphores and event flags: which threads wait, which gets succeed at once, and which threads a put or a set
 * wakes. */
#include "analysis/analyses.h"

#include "base/min_max.h"
#include "txtap/registry.h"

struct semaphore {
    uint64_t gets, puts; /* puts: includes the sets of event flags */
    uint64_t get_blocked, get_failed, get_at_once, get_unsure;
    uint64_t put_woke, put_failed, put_unheard; /* put_woke: puts that woke a thread; put_failed: puts at the
                                                   ceiling; put_unheard: puts while no thread waited */
    uint64_t woken;                             /* number of threads that puts woke */
    uint32_t high;
    struct moment high_at;
    bool has_high;
    struct spread wait, timeout_wait; /* wait: waits that succeeded; timeout_wait: waits that ended by a timeout */
};

struct semaphores {
    struct base base;
    struct semaphore *of; /* index: object */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct semaphores *semaphores = state;

    semaphores->of = arena_take(arena, limits->objects, sizeof(*semaphores->of));
}

static void raise(struct semaphore *semaphore, uint32_t count, struct moment at)
{
    if (semaphore->has_high && count <= semaphore->high)
        return;
    semaphore->has_high = true;
    semaphore->high = count;
    semaphore->high_at = at;
}

static void end_get(struct semaphore *semaphore, const struct service *service)
{
    semaphore->get_blocked += service->blocked;
    semaphore->get_failed += service->failed;
    semaphore->get_at_once += !service->blocked && !service->failed;
    raise(semaphore, service->before, (struct moment){service->ticks, service->seq});
}

static void end_put(struct semaphore *semaphore, const struct service *service)
{
    semaphore->put_woke += service->woken > 0;
    semaphore->put_failed += service->failed;
    semaphore->woken += service->woken;
    raise(semaphore, service->after, (struct moment){service->ticks, service->seq});
}

static bool is_there(const struct service *get)
{
    return flags_are_there(get->info[2], get->info[1], get->info[3]);
}

static void end_flags_get(struct semaphore *flags, const struct service *service)
{
    flags->get_blocked += service->blocked;
    flags->get_at_once += !service->blocked && is_there(service);
    /* It is unknown whether the get would have waited: the event does not record this. */
    flags->get_unsure += !service->blocked && !is_there(service);
}

static void end_flags_set(struct semaphore *flags, const struct service *service)
{
    flags->put_woke += service->woken > 0;
    flags->put_unheard += service->info[3] == 0;
    flags->woken += service->woken;
}

static void take_call(void *self, const struct change *change)
{
    struct semaphores *semaphores = self;
    uint32_t id = change->service->id;

    if (change->object == NONE)
        return;
    semaphores->of[change->object].gets += id == EVENT_SEMAPHORE_GET || id == EVENT_FLAGS_GET;
    semaphores->of[change->object].puts +=
        id == EVENT_SEMAPHORE_PUT || id == EVENT_SEMAPHORE_CEILING_PUT || id == EVENT_FLAGS_SET;
}

static void take_service(void *self, const struct change *change)
{
    struct semaphores *semaphores = self;
    const struct service *service = change->service;
    struct semaphore *of = change->object != NONE ? &semaphores->of[change->object] : NULL;

    if (of == NULL)
        return;
    switch (service->id) {
    case EVENT_SEMAPHORE_GET:
        end_get(of, service);
        break;
    case EVENT_SEMAPHORE_PUT:
    case EVENT_SEMAPHORE_CEILING_PUT:
        end_put(of, service);
        break;
    case EVENT_FLAGS_GET:
        end_flags_get(of, service);
        break;
    case EVENT_FLAGS_SET:
        end_flags_set(of, service);
        break;
    default:
        break;
    }
}

static void take_ready(void *self, const struct change *change)
{
    struct semaphores *semaphores = self;
    const struct thread *thread = &semaphores->base.model->threads[change->thread];
    struct semaphore *of;

    if (thread->object == NONE || (thread->reason != REASON_SEMAPHORE && thread->reason != REASON_FLAGS))
        return;
    of = &semaphores->of[thread->object];
    if (change->waker->ending == ENDING_SERVED)
        add_sample(&semaphores->base, &of->wait, change->ticks, change);
    else if (change->waker->ending == ENDING_TIMEOUT)
        add_sample(&semaphores->base, &of->timeout_wait, change->ticks, change);
}

static void open(void *state, struct model *model)
{
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_SEMAPHORE, (struct change_sink){take_call, state});
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_EVENT_FLAGS, (struct change_sink){take_call, state});
    model_tell_of(model, CHANGE_SERVICE, TXTAP_OBJECT_SEMAPHORE, (struct change_sink){take_service, state});
    model_tell_of(model, CHANGE_SERVICE, TXTAP_OBJECT_EVENT_FLAGS, (struct change_sink){take_service, state});
    model_tell(model, CHANGE_READY, (struct change_sink){take_ready, state});
}

static void list_semaphore(struct list *list, struct txtap_subject subject, const struct semaphore *of)
{
    bool flags = subject.type == TXTAP_OBJECT_EVENT_FLAGS;

    if (!flags && of->has_high)
        list_at_least_at(list, (struct heading){.id = TXTAP_FIGURE_COUNT, .subject = subject}, TXTAP_UNIT_COUNT,
                         of->high, of->high_at);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_GETS, .subject = subject}, of->gets);
    list_count(list, (struct heading){.id = flags ? TXTAP_FIGURE_SETS : TXTAP_FIGURE_PUTS, .subject = subject},
               of->puts);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_GET_BLOCKED, .subject = subject}, of->get_blocked);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_GET_AT_ONCE, .subject = subject}, of->get_at_once);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_GET_FAILED, .subject = subject}, of->get_failed);
    list_count(list, (struct heading){.id = flags ? TXTAP_FIGURE_SET_WOKE : TXTAP_FIGURE_PUT_WOKE, .subject = subject},
               of->put_woke);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_WOKEN, .subject = subject}, of->woken);
    list_spread(list, (struct heading){.id = TXTAP_FIGURE_WAIT, .subject = subject}, TXTAP_UNIT_TICKS, &of->wait);
    list_spread(list, (struct heading){.id = TXTAP_FIGURE_TIMEOUT_WAIT, .subject = subject}, TXTAP_UNIT_TICKS,
                &of->timeout_wait);
    if (of->put_failed > 0)
        list_count(list, (struct heading){.id = TXTAP_FIGURE_PUT_FAILED, .subject = subject}, of->put_failed);
    if (flags)
        list_count(list, (struct heading){.id = TXTAP_FIGURE_SET_UNHEARD, .subject = subject}, of->put_unheard);
    if (of->get_unsure > 0)
        list_count(list, (struct heading){.id = TXTAP_FIGURE_GET_FAILED_OR_POLLED, .subject = subject}, of->get_unsure);
}

static void figures(const void *state, struct list *list)
{
    const struct semaphores *semaphores = state;
    const struct model *model = semaphores->base.model;

    for (uint32_t i = 0; i < model->object_numbers.count; i++) {
        uint8_t type = model->objects[i].type;

        if ((type == TXTAP_OBJECT_SEMAPHORE || type == TXTAP_OBJECT_EVENT_FLAGS) &&
            semaphores->of[i].gets + semaphores->of[i].puts > 0)
            list_semaphore(list, list_object(model, i), &semaphores->of[i]);
    }
}

static const struct check_name names[] = {
    FIGURE(COUNT, "count", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(GETS, "gets", CHECK_COUNT, N, OBJECT),
    FIGURE(PUTS, "puts", CHECK_COUNT, N, OBJECT),
    FIGURE(SETS, "sets", CHECK_COUNT, N, OBJECT),
    FIGURE(GET_BLOCKED, "get_blocked", CHECK_COUNT, N, OBJECT),
    FIGURE(GET_AT_ONCE, "get_at_once", CHECK_COUNT, N, OBJECT),
    FIGURE(GET_FAILED, "get_failed", CHECK_COUNT, N, OBJECT),
    FIGURE(GET_FAILED_OR_POLLED, "get_failed_or_polled", CHECK_COUNT, N, OBJECT),
    FIGURE(PUT_WOKE, "put_woke", CHECK_COUNT, N, OBJECT),
    FIGURE(SET_WOKE, "set_woke", CHECK_COUNT, N, OBJECT),
    FIGURE(PUT_FAILED, "put_failed", CHECK_COUNT, N, OBJECT),
    FIGURE(SET_UNHEARD, "set_unheard", CHECK_COUNT, N, OBJECT),
    FIGURE(WOKEN, "woken", CHECK_COUNT, N, OBJECT),
    FIGURE(WAIT, "wait", CHECK_TIME, VALUE, OBJECT),
    FIGURE(TIMEOUT_WAIT, "timeout_wait", CHECK_TIME, VALUE, OBJECT),
    {0},
};

const struct analysis_row semaphore_analysis = {
    .section = {"semaphores", "semaphores and event flags"},
    .names = names,
    .state_bytes = sizeof(struct semaphores),
    .layout = layout,
    .open = open,
    .figures = figures,
};
