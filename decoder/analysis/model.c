/* SPDX-License-Identifier: MIT */
/* Takes items in order, holds events back until those that follow say what ran after them, and applies them one by one.
 */
#include "analysis/model.h"

#include <assert.h>

#include "base/min_max.h"
#include "txtap/txtb.h"

void model_layout(struct model *model, struct arena *arena, uint32_t threads, uint32_t objects)
{
    table_layout(&model->thread_numbers, arena, threads);
    table_layout(&model->object_numbers, arena, objects);
    model->threads = arena_take(arena, threads, sizeof(*model->threads));
    model->objects = arena_take(arena, objects, sizeof(*model->objects));
    model->cores = arena_reserve(arena, TXTAP_CORES_MAX, sizeof(*model->cores));
    model->buffer = arena_reserve(arena, MODEL_EVENTS, sizeof(*model->buffer));
}

void model_init(struct model *model)
{
    txtap_next_context_init(&model->next);
    model->lost_exact = model->gap_exact = true;
    model->wanted = 2;
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
}

void model_tell_of(struct model *model, enum change_kind kind, uint8_t type, struct change_sink sink)
{
    add_sink(model, kind + type, sink);
}

static uint32_t add_thread(struct model *model, uint32_t address)
{
    bool added;
    uint32_t number = table_add(&model->thread_numbers, address, &added);

    if (added)
        model->threads[number] = (struct thread){.address = address,
                                                 .core = -1,
                                                 .object = NONE,
                                                 .waits_for = NONE,
                                                 .account_since = model->first.ticks,
                                                 .last = {.thread = NONE}};
    return number;
}

uint32_t model_thread(struct model *model, uint32_t address)
{
    struct recent *recent = &model->recent[(address >> 3 ^ address >> 8) % MODEL_RECENT];

    if (address == 0)
        return NONE;
    if (address != recent->address)
        *recent = (struct recent){address, add_thread(model, address)};
    return recent->thread;
}

uint32_t model_object(struct model *model, uint32_t address, uint8_t type)
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
    return number;
}

/* ---- the registry ---- */

static void learn_thread(struct model *model, const struct txtap_object *known)
{
    uint32_t number = known->pointer != RUNS_UNKNOWN ? model_thread(model, known->pointer) : NONE;
    struct thread *thread;

    if (number == NONE)
        return;
    thread = &model->threads[number];
    thread->stack = known->parameter[0];
    thread->stack_bytes = known->parameter[1];
    if ((known->reserved[0] & 0x80u) == 0 || thread->base_certain)
        return;
    thread->base = known->reserved[1];
    thread->base_certain = true;
    if (!thread->priority_known)
        thread->priority = thread->base;
    thread->priority_known = true;
}

void model_learn(struct model *model, const struct txtap_registry *registry)
{
    for (size_t i = 0; i < registry->count; i++) {
        const struct txtap_object *known = &registry->objects[i];
        uint32_t number;

        if (i > 0 && registry->objects[i - 1].pointer == known->pointer)
            continue; /* an older object at the same address */
        if (known->type == TXTAP_OBJECT_THREAD) {
            learn_thread(model, known);
            continue;
        }
        number = model_object(model, known->pointer, known->type);
        if (number == NONE)
            continue;
        model->objects[number].parameter[0] = known->parameter[0];
        model->objects[number].parameter[1] = known->parameter[1];
        model->objects[number].registered = true;
    }
}

/* ---- one event ---- */

/* Behind a gap, which may have begun or ended in other interrupts, those of a core mean nothing until a thread runs. */
static bool is_hidden(const struct model *model, const struct txtap_event *event)
{
    return model->gaps > 0 && !(event->core < model->core_count && model->cores[event->core].seen) &&
           (event->context == TXTAP_CONTEXT_ISR || event->context == TXTAP_CONTEXT_IDLE);
}

/* The gap goes on, unless other cores are known by now. */
static void skip(struct model *model, const struct change *event)
{
    model_emit(model, event);
    model->events++;
    if (model->in_gap)
        model->skipped = event->now.ticks;
    else
        model->last = event->now;
}

/* Threads that the registry named before the first event begin with it, too. */
static void begin(struct model *model, struct moment first)
{
    model->first = first;
    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        model->threads[i].account_since = first.ticks;
}

/* The first event behind a gap, or the first of all. */
static void end_gap(struct model *model, struct moment now)
{
    struct change change = {.kind = CHANGE_GAP_END, .now = now, .thread = NONE};

    if (model->in_gap)
        change.ticks = now.ticks - model->last.ticks;
    model->unknown += change.ticks;
    if (model->in_gap || model->gap_lost > 0)
        model_emit(model, &change);
    model->known_from = now.ticks;
    model->in_gap = false;
}

/* next_known: what runs next shows in the events; behind the last one before a gap it may be anything. */
static void apply(struct model *model, const struct txtap_event *event, struct txtap_next next, bool next_known)
{
    struct change change = {.kind = CHANGE_RECORDED,
                            .now = {event->ticks, event->seq},
                            .core = event->core,
                            .event = event,
                            .thread = NONE};

    if (is_hidden(model, event)) {
        skip(model, &change);
        return;
    }
    if (!model->begun)
        begin(model, change.now);
    if (model->in_gap || !model->begun)
        end_gap(model, change.now);
    model->skipped = 0;
    model->begun = true;
    model->events++;
    if (event->context == TXTAP_CONTEXT_THREAD)
        change.thread = model_thread(model, event->thread);
    model_emit(model, &change);
    if (event->id == EVENT_THREAD_SUSPEND || event->id == EVENT_THREAD_RESUME)
        (void)model_thread(model, event->info[0]); /* so that it counts, even if this is the first event about it */
    core_begin(model, &change);
    thread_own_event(model, &change);
    change.kind = CHANGE_EVENT;
    model_emit(model, &change);
    interrupt_event(model, &change);
    service_event(model, &change);
    if (next_known)
        core_run(model, &change, next);
    model->last = change.now;
}

/* Index of the same core's next event in the buffer, counted from the first; count if there is none. */
static size_t following(const struct model *model)
{
    const struct txtap_event *events = &model->buffer[model->from];
    size_t i = 1;

    while (i < model->count && events[i].core != events[0].core)
        i++;
    return i;
}

/*
 * A thread that resumes another one of higher priority, and whose own event comes next all the same, was not displaced:
 * preemption was disabled, as inside tx_mutex_put.
 */
static bool goes_on_after_resume(const struct model *model)
{
    const struct txtap_event *event = &model->buffer[model->from], *then = event + following(model);

    return event->id == EVENT_THREAD_RESUME && event->context == TXTAP_CONTEXT_THREAD && then < event + model->count &&
           then->context == TXTAP_CONTEXT_THREAD && then->thread == event->thread;
}

/* An event of another kernel says itself what runs after it. False: it is ThreadX's. */
static bool says_next(struct model *model, struct txtap_event *event, struct txtap_next *next)
{
    uint32_t word = event->info[3];

    if ((event->id & OTHER_KERNEL) == 0)
        return false;
    model->other_kernel = true;
    event->id &= ~OTHER_KERNEL;
    *next = (struct txtap_next){word == 0                 ? TXTAP_RUNNER_IDLE
                                : word == TXTB_THREAD_ISR ? TXTAP_RUNNER_ISR
                                                          : TXTAP_RUNNER_THREAD,
                                word == RUNS_UNKNOWN ? 0 : word};
    return true;
}

/* What comes behind the events that wait. */
enum behind { BEHIND_MORE, BEHIND_GAP, BEHIND_NOTHING };

/* Applies the events for which those behind them are enough. */
static void drain(struct model *model, enum behind behind)
{
    bool more = behind == BEHIND_MORE;

    while (model->count > 0) {
        struct txtap_event *event = &model->buffer[model->from];
        bool wait = more && model->count < TXTAP_NEXT_CONTEXT_LOOK_AHEAD;
        struct txtap_next next;
        bool known = says_next(model, event, &next);

        if (!known && ((wait && following(model) == model->count) ||
                       txtap_next_context_step(&model->next, event, model->count, more, &next) == TXTAP_AGAIN)) {
            model->wanted = min_u64(2 * model->count, TXTAP_NEXT_CONTEXT_LOOK_AHEAD);
            return;
        }
        if (!known && goes_on_after_resume(model))
            next = (struct txtap_next){TXTAP_RUNNER_THREAD, event->thread};
        apply(model, event, next, known || behind != BEHIND_GAP || following(model) < model->count);
        model->from++;
        model->count--;
    }
    model->wanted = 2;
}

/* ---- items ---- */

/* Nothing is known from the last event to the next one. */
static void gap(struct model *model)
{
    struct change change = {.kind = CHANGE_GAP, .now = model->last, .thread = NONE};

    drain(model, BEHIND_GAP);
    change.now = model->last;
    txtap_next_context_init(&model->next);
    if (!model->begun || model->in_gap)
        return;
    core_settle(model, model->last.ticks);
    thread_left_end(model);
    model_emit(model, &change);
    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        thread_settle(&model->threads[i], model->last.ticks);
        thread_forget(&model->threads[i]);
    }
    for (uint32_t i = 0; i < model->core_count; i++)
        core_forget(&model->cores[i]);
    mutex_forget(model);
    count_forget(model);
    model->gap_lost = 0;
    model->gap_exact = true;
    model->gaps++;
    model->in_gap = true;
}

static void take_event(struct model *model, const struct txtap_event *event)
{
    struct txtap_event *last = model->count > 0 ? &model->buffer[model->from + model->count - 1] : NULL;
    uint64_t ticks = last ? last->ticks : model->last.ticks;
    struct txtap_event *copy;

    if (model->restarted && event->seq != (last ? last->seq : model->last.seq) + 1)
        gap(model);
    model->restarted = false;
    if (event->ticks_doubtful || event->ticks + model->ticks_base < ticks)
        gap(model);
    if (event->ticks + model->ticks_base < ticks)
        model->ticks_base = ticks - event->ticks;
    if (model->from >= MODEL_EVENTS_KEPT && model->from >= model->count) {
        memmove(model->buffer, model->buffer + model->from, model->count * sizeof(*model->buffer));
        model->from = 0;
    }
    copy = &model->buffer[model->from + model->count++];
    *copy = *event;
    copy->ticks += model->ticks_base;
    copy->entry = NULL;
    copy->words = NULL;
    if (model->count >= model->wanted)
        drain(model, BEHIND_MORE);
}

static void take_mark(struct model *model, const struct txtap_mark *mark)
{
    switch (mark->kind) {
    case TXTAP_MARK_RESET:
    case TXTAP_MARK_MOVED:
        model->lost_exact = false; /* what was written just before it may never have been read */
        gap(model);
        break;
    case TXTAP_MARK_ENABLED:
        gap(model);
        break;
    case TXTAP_MARK_UNSURE:
        model->unsure = true;
        break;
    default:
        break;
    }
}

void model_take(struct model *model, const struct txtap_item *item)
{
    switch (item->kind) {
    case TXTAP_ITEM_EVENT:
        take_event(model, &item->event);
        break;
    case TXTAP_ITEM_GAP:
        gap(model);
        model->lost += item->gap.lost;
        model->lost_exact = model->lost_exact && item->gap.exact;
        model->gap_lost += item->gap.lost;
        model->gap_exact = model->gap_exact && item->gap.exact;
        break;
    case TXTAP_ITEM_MARK:
        take_mark(model, &item->mark);
        break;
    case TXTAP_ITEM_RESTART:
        model->restarted = true; /* perhaps only another file of the same trace */
        break;
    case TXTAP_ITEM_BYTES:
        break;
    }
}

void model_end(struct model *model)
{
    struct change change = {.kind = CHANGE_END, .thread = NONE};

    drain(model, BEHIND_NOTHING);
    if (model->in_gap) {
        struct change gap_end = {.kind = CHANGE_GAP_END, .now = model->last, .thread = NONE};

        gap_end.now.ticks = max_u64(model->skipped, model->last.ticks);
        gap_end.ticks = gap_end.now.ticks - model->last.ticks;
        model->unknown += gap_end.ticks;
        model->last = gap_end.now;
        model_emit(model, &gap_end);
    }
    change.now = model->last;
    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        service_close(model, &change, &model->threads[i].last);
    for (uint32_t i = 0; i < model->core_count; i++) {
        service_close(model, &change, &model->cores[i].last_isr);
        service_close(model, &change, &model->cores[i].last_init);
    }
    core_settle(model, model->last.ticks);
    thread_left_end(model);
    model_emit(model, &change);
}
