/* SPDX-License-Identifier: MIT */
/* How often each event was recorded, and by which thread. Also counts services that did not wait and got nothing. */
#include "analysis/analyses.h"

#include "txtap/registry.h"

struct calls {
    struct base base;
    /* Events that the model does not count. A key of `ids` is an event id; a key of `pairs` is a thread and an event
     * id. The counts have the same indexes. */
    struct table ids, pairs;
    uint64_t *of_id, *of_pair;
    struct table failing; /* failed services; a key is the object, the event id and the thread of such a service */
    struct failing {
        uint64_t count;
        struct moment first;
    } * failed; /* index: the number of the key in `failing` */
};

#define KEY_BITS 24 /* bits for the thread, and for the object, in a key of `failing`; all other bits are the id */

_Static_assert(COUNTED_IDS <= 1u << (64 - 2 * KEY_BITS), "an id fits into a key");

static uint64_t failing_key(uint32_t thread, uint32_t object, uint32_t id)
{
    const uint64_t most = ((uint64_t)1 << KEY_BITS) - 1; /* means NONE */

    return (uint64_t)id << (2 * KEY_BITS) | (thread & most) << KEY_BITS | (object & most);
}

static uint32_t key_number(uint64_t key, unsigned shift)
{
    const uint32_t most = ((uint32_t)1 << KEY_BITS) - 1, number = (uint32_t)(key >> shift) & most;

    return number == most ? NONE : number;
}

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct calls *calls = state;

    table_layout(&calls->ids, arena, limits->objects);
    table_layout(&calls->pairs, arena, limits->pairs);
    calls->of_id = arena_take(arena, limits->objects, sizeof(*calls->of_id));
    calls->of_pair = arena_take(arena, limits->pairs, sizeof(*calls->of_pair));
    table_layout(&calls->failing, arena, limits->pairs);
    calls->failed = arena_take(arena, limits->pairs, sizeof(*calls->failed));
}

static void count(struct calls *calls, struct table *table, uint64_t *counts, uint64_t key)
{
    bool added;
    uint32_t number = table_add(table, key, &added);

    if (number != NONE)
        counts[number]++;
    else
        calls->base.left_out++;
}

static void take_event(void *self, const struct change *change)
{
    struct calls *calls = self;

    count(calls, &calls->ids, calls->of_id, change->event->id);
    if (change->thread != NONE)
        count(calls, &calls->pairs, calls->of_pair, table_pair(change->thread, change->event->id));
}

static void take_service(void *self, const struct change *change)
{
    struct calls *calls = self;
    const struct service *service = change->service;
    uint32_t number;
    bool added;

    if (!service->failed)
        return;
    number = table_add(&calls->failing, failing_key(change->thread, change->object, service->id), &added);
    if (number == NONE) {
        calls->base.left_out++;
        return;
    }
    if (added)
        calls->failed[number].first = (struct moment){service->ticks, service->seq};
    calls->failed[number].count++;
}

static void open(void *state, struct model *model)
{
    static const uint8_t may_fail[] = {TXTAP_OBJECT_QUEUE, TXTAP_OBJECT_SEMAPHORE, TXTAP_OBJECT_MUTEX,
                                       TXTAP_OBJECT_BLOCK_POOL, TXTAP_OBJECT_BYTE_POOL};

    for (size_t i = 0; i < sizeof(may_fail) / sizeof(*may_fail); i++)
        model_tell_of(model, CHANGE_SERVICE, may_fail[i], (struct change_sink){take_service, state});
    for (uint32_t id = COUNTED_IDS; id <= EVENT_IDS; id++)
        model_tell_event(model, id, (struct change_sink){take_event, state});
}

static void list_calls(struct list *list, uint32_t id, uint64_t number)
{
    if (number > 0)
        list_count(list, (struct heading){.id = TXTAP_FIGURE_CALLS, .subject = list_number(TXTAP_SUBJECT_EVENT, id)},
                   number);
}

static void list_thread_calls(struct list *list, uint32_t thread, uint32_t id, uint64_t number)
{
    if (number > 0)
        list_count(list,
                   (struct heading){.id = TXTAP_FIGURE_THREAD_CALLS,
                                    .subject = list_thread(list->model, thread),
                                    .other = list_number(TXTAP_SUBJECT_EVENT, id)},
                   number);
}

/* Lists the failed services of each thread, each with the event of its first failure. */
static void list_failed(struct list *list, const struct calls *calls)
{
    for (uint32_t i = 0; i < calls->failing.count; i++) {
        uint64_t key = calls->failing.keys[i];
        uint32_t thread = key_number(key, KEY_BITS);

        list_count_at(list,
                      (struct heading){.id = TXTAP_FIGURE_FAILED_BY,
                                       .subject = thread != NONE ? list_thread(list->model, thread)
                                                                 : list_number(TXTAP_SUBJECT_INTERRUPT, UINT32_MAX),
                                       .other = list_object(list->model, key_number(key, 0)),
                                       .detail = txtap_event_find((uint32_t)(key >> (2 * KEY_BITS)), 0)->name},
                      calls->failed[i].count, calls->failed[i].first);
    }
}

static uint64_t of_all_threads(const struct model *model, uint32_t id)
{
    uint64_t sum = 0;

    for (uint32_t row = 0; row <= model->thread_numbers.count; row++)
        sum += model->recorded[row][id];
    return sum;
}

static void figures(const void *state, struct list *list)
{
    const struct calls *calls = state;
    const struct model *model = calls->base.model;

    list_count(list, (struct heading){.id = TXTAP_FIGURE_FAILED}, model->failed);
    for (uint32_t i = 0; i < model->object_numbers.count; i++)
        if (model->objects[i].failed > 0)
            list_count(list, (struct heading){.id = TXTAP_FIGURE_FAILED, .subject = list_object(model, i)},
                       model->objects[i].failed);
    list_failed(list, calls);
    for (uint32_t id = 0; id < COUNTED_IDS; id++)
        list_calls(list, id, of_all_threads(model, id));
    for (uint32_t i = 0; i < calls->ids.count; i++)
        list_calls(list, (uint32_t)calls->ids.keys[i], calls->of_id[i]);
    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        for (uint32_t id = 0; id < COUNTED_IDS; id++)
            list_thread_calls(list, i, id, model->recorded[i + 1][id]);
    for (uint32_t i = 0; i < calls->pairs.count; i++)
        list_thread_calls(list, (uint32_t)(calls->pairs.keys[i] >> 32), (uint32_t)calls->pairs.keys[i],
                          calls->of_pair[i]);
}

static const struct check_name names[] = {
    FIGURE(FAILED, "failed", CHECK_COUNT, N, OBJECT),
    FIGURES(FAILED_BY, "failed_by", CHECK_COUNT, N, THREAD),
    FIGURE(CALLS, "calls", CHECK_COUNT, N, EVENT),
    FIGURES(THREAD_CALLS, "thread_calls", CHECK_COUNT, N, THREAD),
    {0},
};

const struct analysis_row calls_analysis = {
    .section = {"calls", "services and events"},
    .names = names,
    .state_bytes = sizeof(struct calls),
    .layout = layout,
    .open = open,
    .figures = figures,
};
