/* SPDX-License-Identifier: MIT */
/* The model's tables: threads, objects, and who takes which changes. */
#include "model/model_parts.h"

#include <assert.h>

void model_layout(struct model *model, struct arena *arena, uint32_t threads, uint32_t objects)
{
    table_layout(&model->thread_numbers, arena, threads);
    table_layout(&model->object_numbers, arena, objects);
    model->threads = arena_take(arena, threads, sizeof(*model->threads));
    model->lives = arena_take(arena, threads, sizeof(*model->lives));
    model->objects = arena_take(arena, objects, sizeof(*model->objects));
    model->recorded = arena_take(arena, threads + 1, sizeof(*model->recorded));
    model->cores = arena_reserve(arena, TXTAP_CORES_MAX, sizeof(*model->cores));
    model->buffer = arena_reserve(arena, MODEL_EVENTS, sizeof(*model->buffer));
}

void model_init(struct model *model)
{
    txtap_next_context_init(&model->next);
    model->lost_exact = model->gap_exact = true;
    model->wanted = 2;
    model->cores[0] = (struct core){0}; /* others are added when they record something */
    core_forget(&model->cores[0]);
}

static void add_sink(struct model *model, unsigned kind, struct change_sink sink)
{
    assert(model->sink_count[kind] < CHANGE_SINKS_MAX);
    model->sinks[kind][model->sink_count[kind]++] = sink;
}

void model_tell(struct model *model, enum change_kind kind, struct change_sink sink)
{
    unsigned types = kind == CHANGE_CALL || kind == CHANGE_SERVICE ? SERVICE_TYPES : 1;

    for (unsigned type = 0; type < types; type++)
        add_sink(model, kind + type, sink);
    for (unsigned id = 0; kind == CHANGE_EVENT && id <= EVENT_IDS; id++)
        model->event_takers[id] |= 1u << (model->sink_count[kind] - 1);
}

void model_tell_of(struct model *model, enum change_kind kind, uint8_t type, struct change_sink sink)
{
    add_sink(model, kind + type, sink);
}

void model_tell_event(struct model *model, uint32_t id, struct change_sink sink)
{
    unsigned count = model->sink_count[CHANGE_EVENT];

    if (count == 0 || model->sinks[CHANGE_EVENT][count - 1].take != sink.take ||
        model->sinks[CHANGE_EVENT][count - 1].self != sink.self)
        add_sink(model, CHANGE_EVENT, sink);
    model->event_takers[id] |= 1u << (model->sink_count[CHANGE_EVENT] - 1);
}

uint32_t model_object_added(struct model *model, uint32_t address, uint8_t type)
{
    bool added;
    uint32_t number;

    if (address == 0)
        return NONE;
    number = table_add(&model->object_numbers, address, &added);
    if (number != NONE && (added || model->objects[number].type == TXTAP_OBJECT_NONE)) {
        if (added)
            model->objects[number].owner = NONE;
        model->objects[number].address = address;
        model->objects[number].type = type;
    }
    if (number != NONE && model->objects[number].type != TXTAP_OBJECT_NONE)
        model->recent_objects[model_recent(address)] = (struct recent){address, number};
    return number;
}

/* ---- the registry ---- */

/* txtap's recorder marks the kernel's idle thread: its time is idle time, and it is no thread of the model. A thread of
 * a ThreadX application has no such mark, whatever its name. */
static bool is_idle_thread(const struct txtap_object *known)
{
    return (known->reserved[0] & 0xC0u) == 0xC0u;
}

/* Does an event from that seq on create it? Until then another thread may be at its address. */
static bool is_later(const struct model *model, const struct txtap_object *known, uint64_t seq)
{
    return model->names != NULL && known->type == TXTAP_OBJECT_THREAD && known->created && known->from_seq >= seq;
}

static void learn_thread(struct model *model, const struct txtap_object *known, uint64_t seq)
{
    uint32_t number = NONE;
    struct thread *thread;

    if (is_idle_thread(known))
        model->idle_thread = known->pointer;
    else if (known->pointer != RUNS_UNKNOWN)
        number = model_thread(model, known->pointer);
    if (number == NONE || is_later(model, known, seq))
        return;
    thread = &model->threads[number];
    if (!thread->stack_created) {
        thread->stack = known->parameter[0];
        thread->stack_bytes = known->parameter[1];
    }
    if ((known->reserved[0] & 0x80u) == 0 || thread->base_certain)
        return;
    thread->base = known->reserved[1];
    thread->base_certain = true;
    if (!thread->priority_known) {
        thread->priority = thread->base;
        thread_runs_at(thread, thread->base);
    }
    thread->priority_known = true;
}

void model_learn(struct model *model, const struct txtap_registry *registry)
{
    model_learn_before(model, registry, model->begun ? model->last.seq + 1 : 0);
}

void model_learn_before(struct model *model, const struct txtap_registry *registry, uint64_t seq)
{
    for (size_t i = 0; i < registry->count; i++) {
        const struct txtap_object *known = &registry->objects[i];
        uint32_t number;

        if (i > 0 && registry->objects[i - 1].pointer == known->pointer && !is_later(model, known - 1, seq))
            continue; /* an older object at the same address */
        if (known->type == TXTAP_OBJECT_THREAD) {
            learn_thread(model, known, seq);
            continue;
        }
        number = model_object(model, known->pointer, known->type);
        if (number == NONE)
            continue;
        count_learn(&model->objects[number], known->parameter[0], known->parameter[1]);
        if (known->type == TXTAP_OBJECT_MUTEX)
            model->objects[number].inherits = known->parameter[0] == 1;
    }
}
