/* SPDX-License-Identifier: MIT */
/*
 * Queues: how many messages they contain over time. The event of each send and receive contains the number of messages
 * before the call. This number does not change between two calls.
 */
#include "analysis/analyses.h"

#include "base/min_max.h"
#include "txtap/registry.h"

struct queue {
    uint64_t sends, receives, send_blocked, receive_blocked, handed_over, send_failed, receive_failed;
    bool has_high;
    uint32_t high;
    struct moment high_at;
    bool seen;      /* a call was seen since the last gap */
    uint64_t since; /* tick of the last send or receive */
    double product; /* sum of (number of messages * ticks) */
    uint64_t ticks, full_ticks, empty_ticks;
};

struct queues {
    struct base base;
    struct queue *of; /* index: object */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct queues *queues = state;

    queues->of = arena_take(arena, limits->objects, sizeof(*queues->of));
}

static bool is_send(uint32_t id)
{
    return id == EVENT_QUEUE_SEND || id == EVENT_QUEUE_FRONT_SEND;
}

static void raise(struct queue *queue, uint32_t messages, struct moment at)
{
    if (queue->has_high && messages <= queue->high)
        return;
    queue->has_high = true;
    queue->high = messages;
    queue->high_at = at;
}

/*
 * Adds the time since the last call. During this time, the queue contained `messages` messages. The first call adds the
 * time since the trace began or the last gap ended.
 */
static void weigh(const struct model *model, struct queue *queue, uint32_t number, uint32_t messages, uint64_t now)
{
    uint32_t capacity = model->objects[number].capacity;
    uint64_t ticks = now - max_u64(queue->seen ? queue->since : model->known_from, model->hidden);

    queue->product += (double)messages * (double)ticks;
    queue->ticks += ticks;
    queue->full_ticks += capacity > 0 && messages >= capacity ? ticks : 0;
    queue->empty_ticks += messages == 0 ? ticks : 0;
    queue->seen = true;
    queue->since = now;
}

/*
 * Like weigh(), for the time from the last call to the end of the trace or to a gap: the queue still contains the
 * messages that the last call left in it.
 */
static void weigh_rest(const struct model *model, struct queue *queue, uint32_t number, uint64_t now)
{
    const struct object *object = &model->objects[number];

    if (queue->seen && object->count_known && !object->count_likely &&
        (model->hidden == 0 || queue->since > model->hidden))
        weigh(model, queue, number, object->count, now);
}

static void take_call(void *self, const struct change *change)
{
    struct queues *queues = self;
    const struct service *service = change->service;
    bool send = is_send(service->id);
    struct queue *queue;

    if (change->object == NONE)
        return;
    queue = &queues->of[change->object];
    if (send || service->id == EVENT_QUEUE_RECEIVE) {
        queue->sends += send;
        queue->receives += !send;
        weigh(queues->base.model, queue, change->object, service->before, change->now.ticks);
        raise(queue, service->before, change->now);
    } else if (service->id == EVENT_QUEUE_FLUSH || service->id == EVENT_QUEUE_CREATE ||
               service->id == EVENT_QUEUE_DELETE) {
        weigh_rest(queues->base.model, queue, change->object, change->now.ticks);
        queue->seen = true;
        queue->since = change->now.ticks;
    }
}

static void take_service(void *self, const struct change *change)
{
    struct queues *queues = self;
    const struct service *service = change->service;
    const struct moment at = {service->ticks, service->seq};
    struct queue *queue;

    if (change->object == NONE)
        return;
    queue = &queues->of[change->object];
    if (service->id == EVENT_QUEUE_RECEIVE) {
        queue->receive_blocked += service->blocked;
        queue->receive_failed += service->failed;
    } else if (is_send(service->id)) {
        queue->send_blocked += service->blocked;
        queue->send_failed += service->failed;
        queue->handed_over += service->woken > 0;
        raise(queue, service->after, at);
    }
}

static void take_gap(void *self, const struct change *change)
{
    struct queues *queues = self;

    for (uint32_t i = 0; i < queues->base.model->object_numbers.count; i++) {
        weigh_rest(queues->base.model, &queues->of[i], i, change->now.ticks);
        queues->of[i].seen = false;
    }
}

static void open(void *state, struct model *model)
{
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_QUEUE, (struct change_sink){take_call, state});
    model_tell_of(model, CHANGE_SERVICE, TXTAP_OBJECT_QUEUE, (struct change_sink){take_service, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
}

static void list_queue(struct list *list, const struct model *model, uint32_t number, const struct queue *queue)
{
    const struct txtap_subject subject = list_object(model, number);
    uint32_t capacity = model->objects[number].capacity;

    list_at_least_at(list, (struct heading){.id = TXTAP_FIGURE_DEPTH, .subject = subject}, TXTAP_UNIT_COUNT,
                     queue->high, queue->high_at);
    if (queue->ticks > 0)
        list_mean(list, (struct heading){.id = TXTAP_FIGURE_DEPTH_MEAN, .subject = subject}, TXTAP_UNIT_COUNT,
                  queue->product / (double)queue->ticks);
    if (capacity > 0) {
        list_number_exact(list, (struct heading){.id = TXTAP_FIGURE_CAPACITY, .subject = subject}, TXTAP_UNIT_COUNT,
                          capacity);
        list_at_least(list, (struct heading){.id = TXTAP_FIGURE_FULL, .subject = subject}, TXTAP_UNIT_TICKS,
                      (double)queue->full_ticks);
    }
    list_at_least(list, (struct heading){.id = TXTAP_FIGURE_EMPTY, .subject = subject}, TXTAP_UNIT_TICKS,
                  (double)queue->empty_ticks);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_SENDS, .subject = subject}, queue->sends);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_RECEIVES, .subject = subject}, queue->receives);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_SEND_BLOCKED, .subject = subject}, queue->send_blocked);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_RECEIVE_BLOCKED, .subject = subject}, queue->receive_blocked);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_HANDED_OVER, .subject = subject}, queue->handed_over);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_SEND_FAILED, .subject = subject}, queue->send_failed);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_RECEIVE_FAILED, .subject = subject}, queue->receive_failed);
}

static void figures(const void *state, struct list *list)
{
    const struct queues *queues = state;
    const struct model *model = queues->base.model;

    for (uint32_t i = 0; i < model->object_numbers.count; i++) {
        struct queue queue = queues->of[i];

        if (model->objects[i].type != TXTAP_OBJECT_QUEUE || queue.sends + queue.receives == 0)
            continue;
        weigh_rest(model, &queue, i, model->last.ticks);
        list_queue(list, model, i, &queue);
    }
}

static const struct check_name names[] = {
    FIGURE(DEPTH, "depth", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(DEPTH_MEAN, "depth_mean", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(CAPACITY, "capacity", CHECK_COUNT, VALUE, OBJECT),
    FIGURE(FULL, "full", CHECK_TIME, VALUE, OBJECT),
    FIGURE(EMPTY, "empty", CHECK_TIME, VALUE, OBJECT),
    FIGURE(SENDS, "sends", CHECK_COUNT, N, OBJECT),
    FIGURE(RECEIVES, "receives", CHECK_COUNT, N, OBJECT),
    FIGURE(SEND_BLOCKED, "send_blocked", CHECK_COUNT, N, OBJECT),
    FIGURE(RECEIVE_BLOCKED, "receive_blocked", CHECK_COUNT, N, OBJECT),
    FIGURE(HANDED_OVER, "handed_over", CHECK_COUNT, N, OBJECT),
    FIGURE(SEND_FAILED, "send_failed", CHECK_COUNT, N, OBJECT),
    FIGURE(RECEIVE_FAILED, "receive_failed", CHECK_COUNT, N, OBJECT),
    {0},
};

const struct analysis_row queue_analysis = {
    .section = {"queues", "messages in them"},
    .names = names,
    .state_bytes = sizeof(struct queues),
    .layout = layout,
    .open = open,
    .figures = figures,
};
