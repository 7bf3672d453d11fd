/* SPDX-License-Identifier: MIT */
/*
 * The tables of the model, and the functions that take items. The model keeps each event until later events show what
 * ran after it. Then the model applies the event. It applies events in order.
 */
#include "model/model_parts.h"

#include <assert.h>

#include "base/min_max.h"

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
    model->cores[0] = (struct core){0}; /* the other cores are added with their first events */
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

/*
 * Returns true for the kernel's idle thread, which txtap's recorder marks. The model counts this thread's time as idle
 * time and does not list the thread. A ThreadX application cannot mark its threads so, whatever their names are.
 */
static bool is_idle_thread(const struct txtap_object *known)
{
    return (known->reserved[0] & 0xC0u) == 0xC0u;
}

/*
 * Returns true if event seq or a later event creates the thread. Until that event, another thread may be at its
 * address.
 */
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

/* ---- applying an event ---- */

/*
 * Returns true for an interrupt's event after a gap, until a thread has run on the interrupt's core. The gap may have
 * begun or ended in another interrupt, so the event does not show what the core runs.
 */
static bool is_hidden(const struct model *model, const struct txtap_event *event)
{
    return model->gaps > 0 && !model->cores[event->core].seen &&
           (event->context == TXTAP_CONTEXT_ISR || event->context == TXTAP_CONTEXT_IDLE);
}

static void emit_parallel(const struct model *model, const struct change *event)
{
    struct change change;

    change_start(&change, event, CHANGE_PARALLEL);
    model_emit(model, &change);
}

/* Applies the event to threads and objects, while it is unknown what the event's core runs. */
static void apply_hidden(struct model *model, const struct change *event)
{
    static const struct run run = {0};
    const struct isr_frame frame = {event->event->info[1], event->now, 0};
    struct change change;

    if (event->event->id == EVENT_ISR_ENTER) {
        change_start(&change, event, CHANGE_ISR_ENTER);
        change.isr = &frame;
        model_emit(model, &change);
    }
    change_start(&change, event, CHANGE_EVENT);
    model_emit_event(model, &change);
    emit_parallel(model, &change);
    service_event(model, &change);
    cores_note(model, &change, &run);
}

/* Skips the event. The model counts its time as part of the gap, unless another core has already ended the gap. */
static void skip(struct model *model, const struct change *event)
{
    model_emit(model, event);
    model->events++;
    model->hidden = event->now.ticks;
    if (model->in_gap) {
        model->skipped = event->now.ticks;
        return;
    }
    apply_hidden(model, event);
    model->last = event->now;
}

/* Ends the gap. Call it for the first event after a gap, and for the first event of the trace. */
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

/*
 * Begins the trace, or the part of the trace after a gap. Call it for the first event of the trace, and for the first
 * event after a gap. For the first event of the trace, it also starts the time of the threads from the registry.
 */
static void begin(struct model *model, const struct txtap_event *event, struct moment now)
{
    if (!model->begun) {
        model->first = now;
        model->from_init = event->context == TXTAP_CONTEXT_INIT;
        for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
            model->threads[i].account_since = now.ticks;
            model->threads[i].suspension_unknown = !model->from_init;
        }
        if (model->names != NULL)
            model_learn_before(model, model->names, now.seq);
    }
    end_gap(model, now);
    model->begun = true;
}

/* Notes that a thread recorded an event. Usually the event contains no other news about the thread. */
static void note_thread(struct model *model, const struct change *event)
{
    struct thread *thread = &model->threads[event->thread];

    thread->events++;
    thread->seq = event->now.seq;
    if (thread->state == THREAD_UNKNOWN || !thread->priority_known || thread->base_doubtful ||
        thread->priority != event->event->priority)
        thread_own_event(model, event);
}

/*
 * Applies an event to the model. run_known: events show what the core runs after this event. It is false for the last
 * event before a gap.
 */
static void model_apply(struct model *model, const struct txtap_event *event, const struct run *run, bool run_known)
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
    if (model->in_gap || !model->begun) {
        begin(model, event, change.now);
        threads_after_gap(model, &change);
    }
    model->skipped = 0;
    model->events++;
    if (event->context == TXTAP_CONTEXT_THREAD)
        change.thread = model_thread(model, event->thread);
    model_emit(model, &change);
    if (event->id == EVENT_THREAD_SUSPEND || event->id == EVENT_THREAD_RESUME)
        (void)model_thread(model, event->info[0]); /* adds the thread if this is the first event about it */
    if (event->id == EVENT_THREAD_CREATE)
        thread_created(model, &change);
    if (model->core_count > 1)
        emit_parallel(model, &change);
    if (!model->cores[event->core].seen)
        core_begin(model, &change);
    else if (model_is_vague(model))
        cores_meet(model, &change);
    if (change.thread != NONE)
        note_thread(model, &change);
    if (event->id < COUNTED_IDS)
        model->recorded[change.thread + 1][event->id]++; /* NONE + 1 is 0 */
    change.kind = CHANGE_EVENT;
    model_emit_event(model, &change);
    if (change.thread != NONE)
        thread_runs_at(&model->threads[change.thread], event->priority);
    interrupt_event(model, &change);
    service_event(model, &change);
    if (model_is_vague(model)) {
        cores_note(model, &change, run);
        if (!run_known) /* other cores continue to run until the gap */
            core_stop(model, &change);
    }
    if (run_known)
        core_run(model, &change, run);
    model->last = change.now;
}

/* ---- items ---- */

#define CORES_MAX 32u /* limit of ThreadX SMP, which stores a set of cores in a word */

/* The input after the last waiting event: more events, a gap, or the end of the trace. */
enum behind { BEHIND_MORE, BEHIND_GAP, BEHIND_NOTHING };

/* Applies the waiting events for which enough later events have arrived. The last event always waits for more. */
static void drain(struct model *model, enum behind behind)
{
    size_t kept = behind == BEHIND_MORE ? 1 : 0;
    struct run run;

    while (model->count > kept) {
        if (!next_find(model, behind == BEHIND_MORE, &run)) {
            model->wanted = min_u64(2 * model->count, TXTAP_NEXT_CONTEXT_LOOK_AHEAD);
            return;
        }
        model_apply(model, &model->buffer[model->from], &run, behind != BEHIND_GAP || !run.last);
        model->from++;
        model->count--;
    }
    model->wanted = 2;
}

/* ---- items ---- */

/* Begins a gap: nothing is known between the last event and the next event. */
static void gap(struct model *model)
{
    struct change change = {.kind = CHANGE_GAP, .now = model->last, .thread = NONE};

    drain(model, BEHIND_GAP);
    change.now = model->last;
    txtap_next_context_init(&model->next);
    if (!model->begun || model->in_gap)
        return;
    cores_part(model, &change);
    core_settle(model, model->last.ticks);
    thread_left_end(model);
    model_emit(model, &change);
    cores_end(model, &change);
    threads_before_gap(model);
    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        thread_settle(&model->threads[i], model->last.ticks);
        thread_lose(&model->threads[i]);
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

static void hide(uint32_t *word, uint32_t idle)
{
    if (*word == idle)
        *word = 0;
}

/* Replaces the idle thread's address by 0 (no thread), wherever an event names a running thread. */
static void hide_idle_thread(struct txtap_event *event, uint32_t idle)
{
    if (event->thread == idle) {
        event->thread = 0;
        if (event->context == TXTAP_CONTEXT_ISR)
            event->context = TXTAP_CONTEXT_IDLE;
    }
    if (event->id == EVENT_THREAD_RESUME || event->id == EVENT_THREAD_SUSPEND)
        hide(&event->info[3], idle);
    if (event->id == EVENT_TIME_SLICE)
        hide(&event->info[0], idle);
    if (event->id == EVENT_THREAD_RELINQUISH)
        hide(&event->info[1], idle);
}

/*
 * Returns the core of an event. On SMP the top byte of an id is the core, but an application may use any 32-bit id for
 * its own events. So only an event of the kernel itself proves that a core exists. If the core of an application's
 * event is not proven yet, returns the core that has the event's thread, or else core 0.
 */
static uint8_t proven_core(struct model *model, const struct txtap_event *event)
{
    uint32_t thread = NONE;
    bool proven;

    if (event->core < CORES_MAX && event->id < THREADX_IDS)
        model->proven_cores |= 1u << event->core;
    proven = event->core == 0 || (event->core < CORES_MAX && (model->proven_cores >> event->core & 1) != 0);
    if (model->proven_cores > 1 && event->context == TXTAP_CONTEXT_THREAD)
        thread = model_thread(model, event->thread);
    if (proven && thread != NONE)
        model->threads[thread].recorded_on = event->core;
    return proven ? event->core : thread != NONE ? model->threads[thread].recorded_on : 0;
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
    copy->core = proven_core(model, event);
    if (copy->core > 0 && copy->core >= model->core_count)
        cores_add(model, copy->core);
    if (model->idle_thread != 0 && (event->id & OTHER_KERNEL) == 0)
        hide_idle_thread(copy, model->idle_thread);
    if (model->count >= model->wanted)
        drain(model, BEHIND_MORE);
}

static void take_mark(struct model *model, const struct txtap_mark *mark)
{
    switch (mark->kind) {
    case TXTAP_MARK_RESET:
    case TXTAP_MARK_MOVED:
        model->lost_exact = false; /* events written just before the restart may not have been read */
        gap(model);
        break;
    case TXTAP_MARK_ENABLED:
        gap(model);
        break;
    case TXTAP_MARK_FAULT:
        model->faults++;
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
        model->restarted = true; /* also set if only another file of the same trace begins */
        break;
    case TXTAP_ITEM_BYTES:
    case TXTAP_ITEM_SAMPLE:
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
        service_close(model, &change, &model->cores[i].outer_isr);
        service_close(model, &change, &model->cores[i].last_init);
    }
    cores_part(model, &change);
    core_settle(model, model->last.ticks);
    thread_left_end(model);
    model_emit(model, &change);
    cores_end(model, &change);
}
