/* SPDX-License-Identifier: MIT */
/*
 * The analysis "flow": which thread or interrupt sends to which object and receives from it, and how often. It counts
 * the calls of services by caller, object and action. The queue, semaphore and pool analyses count the same calls by
 * object alone.
 */
#include "analysis/analyses.h"

#include "txtap/inner/flow.h"
#include "txtap/registry.h"

/* The calls of one caller for one object. */
struct edge {
    uint64_t calls, blocked, failed, timeouts; /* failed: calls that did not wait, and got nothing */
    uint64_t unsure;                           /* calls that may have failed */
};

struct flow {
    struct base base;
    struct table keys;  /* see key_of() */
    struct edge *edges; /* index: number of the key */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct flow *flow = state;

    table_layout(&flow->keys, arena, limits->pairs);
    flow->edges = arena_take(arena, limits->pairs, sizeof(*flow->edges));
}

/* ---- actions ---- */

/* Returns the action of a service; TXTAP_FLOW_NONE: the service moves nothing. */
static enum txtap_flow_action action_of(uint32_t id)
{
    switch (id) {
    case EVENT_QUEUE_SEND:
    case EVENT_QUEUE_FRONT_SEND:
        return TXTAP_FLOW_SEND;
    case EVENT_QUEUE_RECEIVE:
        return TXTAP_FLOW_RECEIVE;
    case EVENT_QUEUE_FLUSH:
        return TXTAP_FLOW_FLUSH;
    case EVENT_SEMAPHORE_PUT:
    case EVENT_SEMAPHORE_CEILING_PUT:
        return TXTAP_FLOW_PUT;
    case EVENT_SEMAPHORE_GET:
    case EVENT_FLAGS_GET:
        return TXTAP_FLOW_GET;
    case EVENT_FLAGS_SET:
        return TXTAP_FLOW_SET;
    case EVENT_BLOCK_ALLOCATE:
    case EVENT_BYTE_ALLOCATE:
        return TXTAP_FLOW_ALLOCATE;
    case EVENT_BLOCK_RELEASE:
    case EVENT_BYTE_RELEASE:
        return TXTAP_FLOW_RELEASE;
    case EVENT_MUTEX_GET:
        return TXTAP_FLOW_OWN;
    default:
        return TXTAP_FLOW_NONE;
    }
}

/* Returns the action of a call. A call of another kernel contains its action. */
static enum txtap_flow_action action_of_call(const struct service *service)
{
    if (service->id != EVENT_CALL)
        return action_of(service->id);
    return call_action(service->info[2]) < TXTAP_FLOW_ACTIONS ? (enum txtap_flow_action)call_action(service->info[2])
                                                              : TXTAP_FLOW_NONE;
}

/* ---- keys ---- */

#define NUMBER_BITS 32 /* bits for the number of the caller in a key */
#define OBJECT_BITS 16
#define ACTION_BITS 8

static uint64_t key_of(enum running caller, uint32_t number, uint32_t object, enum txtap_flow_action action)
{
    return (uint64_t)caller << (NUMBER_BITS + OBJECT_BITS + ACTION_BITS) |
           (uint64_t)action << (NUMBER_BITS + OBJECT_BITS) | (uint64_t)object << NUMBER_BITS | number;
}

static struct txtap_subject caller_of(const struct model *model, uint64_t key)
{
    enum running caller = (enum running)(key >> (NUMBER_BITS + OBJECT_BITS + ACTION_BITS));

    if (caller == RUNNING_THREAD)
        return list_thread(model, (uint32_t)key);
    return caller == RUNNING_INIT ? list_number(TXTAP_SUBJECT_INIT, 0)
                                  : list_number(TXTAP_SUBJECT_INTERRUPT, (uint32_t)key);
}

static uint32_t object_of(uint64_t key)
{
    return (uint32_t)(key >> NUMBER_BITS) & ((1u << OBJECT_BITS) - 1);
}

static enum txtap_flow_action action_of_key(uint64_t key)
{
    return (enum txtap_flow_action)(key >> (NUMBER_BITS + OBJECT_BITS) & ((1u << ACTION_BITS) - 1));
}

/* ---- changes ---- */

/* Returns the edge; NULL: it moves nothing, the object is unknown, or there is no room. */
static struct edge *edge_of(struct flow *flow, enum running caller, uint32_t number, uint32_t object,
                            enum txtap_flow_action action)
{
    uint32_t edge;
    bool added;

    if (action == TXTAP_FLOW_NONE || object == NONE)
        return NULL;
    edge = table_add(&flow->keys, key_of(caller, number, object, action), &added);
    flow->base.left_out += edge == NONE;
    return edge != NONE ? &flow->edges[edge] : NULL;
}

static struct edge *edge_of_service(struct flow *flow, const struct change *change)
{
    const struct service *service = change->service;

    return edge_of(flow, (enum running)service->caller, service->number, change->object, action_of_call(service));
}

static void take_call(void *self, const struct change *change)
{
    const struct service *service = change->service;
    struct edge *edge = edge_of_service(self, change);

    if (edge == NULL)
        return;
    if (service->id == EVENT_CALL && call_kind(service->info[2]) == CALL_WAITS)
        edge->blocked++; /* an event of the same call: the call now waits */
    else
        edge->calls++;
}

static void take_service(void *self, const struct change *change)
{
    const struct service *service = change->service;
    struct edge *edge = service->id != EVENT_CALL ? edge_of_service(self, change) : NULL;

    if (edge == NULL)
        return;
    edge->blocked += service->blocked;
    edge->failed += service->failed;
    edge->unsure += service->id == EVENT_FLAGS_GET && !service->blocked &&
                    !flags_are_there(service->info[2], service->info[1], service->info[3]);
}

static void take_ready(void *self, const struct change *change)
{
    struct flow *flow = self;
    const struct thread *thread = &flow->base.model->threads[change->thread];
    struct edge *edge;

    if (change->waker->ending != ENDING_TIMEOUT || flow->base.model->other_kernel)
        return;
    edge = edge_of(flow, RUNNING_THREAD, change->thread, thread->object, action_of(thread->service));
    if (edge != NULL)
        edge->timeouts++;
}

static void open(void *state, struct model *model)
{
    for (uint8_t type = TXTAP_OBJECT_QUEUE; type < SERVICE_TYPES; type++) {
        model_tell_of(model, CHANGE_CALL, type, (struct change_sink){take_call, state});
        model_tell_of(model, CHANGE_SERVICE, type, (struct change_sink){take_service, state});
    }
    model_tell(model, CHANGE_READY, (struct change_sink){take_ready, state});
}

/* ---- figures ---- */

/* Returns true if calls with this action can wait. */
static bool may_wait(enum txtap_flow_action action)
{
    return action == TXTAP_FLOW_SEND || action == TXTAP_FLOW_RECEIVE || action == TXTAP_FLOW_GET ||
           action == TXTAP_FLOW_ALLOCATE || action == TXTAP_FLOW_OWN;
}

/* Lists failures and timeouts. always: also if there were none, so that a check can limit them. */
static void list_failures(struct list *list, struct heading heading, const struct edge *edge, bool always)
{
    heading.id = TXTAP_FIGURE_FLOW_FAILED;
    if (always || edge->failed + edge->unsure > 0)
        list_count_doubtful(list, heading, edge->failed, edge->unsure);
    heading.id = TXTAP_FIGURE_FLOW_TIMEOUTS;
    if (always || edge->timeouts > 0)
        list_count(list, heading, edge->timeouts);
}

/* Lists failures as unknown: the events of other kernels do not show them. */
static void list_not_told(struct list *list, struct heading heading)
{
    heading.id = TXTAP_FIGURE_FLOW_FAILED;
    list_bounded_count(list, heading, (struct txtap_measure){0});
    heading.id = TXTAP_FIGURE_FLOW_TIMEOUTS;
    list_bounded_count(list, heading, (struct txtap_measure){0});
}

static void figures(const void *state, struct list *list)
{
    const struct flow *flow = state;

    for (uint32_t i = 0; i < flow->keys.count; i++) {
        const struct edge *edge = &flow->edges[i];
        enum txtap_flow_action action = action_of_key(flow->keys.keys[i]);
        struct heading heading = {.id = TXTAP_FIGURE_FLOW,
                                  .subject = list_object(list->model, object_of(flow->keys.keys[i])),
                                  .other = caller_of(list->model, flow->keys.keys[i]),
                                  .detail = txtap_flow_action_name(action)};

        list_count(list, heading, edge->calls);
        heading.id = TXTAP_FIGURE_FLOW_BLOCKED;
        if (may_wait(action) || edge->blocked > 0)
            list_count(list, heading, edge->blocked);
        if (list->model->other_kernel)
            list_not_told(list, heading);
        else
            list_failures(list, heading, edge, may_wait(action));
    }
}

static const struct check_name names[] = {
    FIGURES(FLOW, "flow", CHECK_COUNT, N, OBJECT),
    FIGURES(FLOW_BLOCKED, "flow_blocked", CHECK_COUNT, N, OBJECT),
    FIGURES(FLOW_FAILED, "flow_failed", CHECK_COUNT, N, OBJECT),
    FIGURES(FLOW_TIMEOUTS, "flow_timeouts", CHECK_COUNT, N, OBJECT),
    {0},
};

const struct analysis_row flow_analysis = {
    .section = {"flow", "who calls which object"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct flow),
    .layout = layout,
    .open = open,
    .figures = figures,
};
