/* SPDX-License-Identifier: MIT */
/* Gives the model's changes to public sinks. Each public change is a copy of only those data of the model that sinks
 * need. */
#include "model/changes.h"

#include <string.h>

#include "base/min_max.h"
#include "txtap/inner/change.h"

const char *txtap_wait_name(enum txtap_wait wait)
{
    static const char *const names[REASONS] = {
        "ready",      "completed", "terminated", "suspended", "sleep",  "queue", "semaphore",       "event_flags",
        "block_pool", "byte_pool", "io",         "file",      "tcp_ip", "mutex", "priority_change", "other",
    };

    return (unsigned)wait < REASONS ? names[wait] : "other";
}

/* ---- parts of a change ---- */

static struct txtap_change_party thread_of(const struct model *model, uint32_t number)
{
    if (number == NONE)
        return (struct txtap_change_party){.number = TXTAP_CHANGE_NONE};
    return (struct txtap_change_party){number, model->threads[number].address, TXTAP_OBJECT_THREAD};
}

static struct txtap_change_party object_of(const struct model *model, uint32_t number)
{
    if (number == NONE)
        return (struct txtap_change_party){.number = TXTAP_CHANGE_NONE};
    return (struct txtap_change_party){number, model->objects[number].address, model->objects[number].type};
}

static struct txtap_change start(const struct change *from, enum txtap_change_kind kind)
{
    return (struct txtap_change){
        .kind = kind, .core = from->core, .ticks = from->now.ticks, .seq = from->now.seq, .event = from->event};
}

static void give(struct change_listener *listener, const struct txtap_change *change)
{
    if (listener->status == TXTAP_OK)
        listener->status = listener->sink.take(listener->sink.self, change);
}

/* Returns true if a translator made the event to show which thread runs. No ring contains such an event. */
static bool is_made(const struct model *model, uint32_t id)
{
    return model->other_kernel &&
           (id <= EVENT_ISR_EXIT || (id >= (uint32_t)EVENT_SWITCH && id <= (uint32_t)EVENT_LOCKED));
}

/* ---- cores ---- */

static void give_switch(struct change_listener *listener, const struct change *from,
                        const struct txtap_change_switch *switched)
{
    struct txtap_change change = start(from, TXTAP_CHANGE_SWITCH);

    change.switched = *switched;
    give(listener, &change);
}

/*
 * Reports to the listener that the core's occupant is unknown. The model keeps a core's occupant even while it is
 * unknown what the core runs.
 */
static void tell_unknown(struct change_listener *listener, const struct change *from)
{
    const struct core *core = &listener->model->cores[from->core];
    const enum txtap_running what = (enum txtap_running)core->occupant;
    const struct txtap_change_party nobody = thread_of(listener->model, NONE),
                                    occupant =
                                        thread_of(listener->model, what == TXTAP_RUNNING_THREAD ? core->thread : NONE);
    bool *told = &listener->unknown[from->core], unknown = from->to == RUNNING_UNKNOWN;

    if (from->to == RUNNING_ISR || what == TXTAP_RUNNING_UNKNOWN || unknown == *told)
        return;
    *told = unknown;
    give_switch(listener, from,
                unknown
                    ? &(struct txtap_change_switch){what, TXTAP_RUNNING_UNKNOWN, occupant, TXTAP_WAY_UNKNOWN, nobody}
                    : &(struct txtap_change_switch){TXTAP_RUNNING_UNKNOWN, what, nobody, TXTAP_WAY_UNKNOWN, occupant});
}

static void take_runs(void *self, const struct change *from)
{
    struct change_listener *listener = self;
    struct txtap_change change = start(from, TXTAP_CHANGE_RUN);

    tell_unknown(listener, from);
    change.run.what = (enum txtap_running)from->to;
    change.run.thread = thread_of(listener->model, from->thread);
    give(listener, &change);
}

static void take_switch(void *self, const struct change *from)
{
    struct change_listener *listener = self;
    bool known = from->kind == CHANGE_SWITCH && !listener->unknown[from->core];
    bool left = known && from->from == RUNNING_THREAD;

    listener->unknown[from->core] = false;
    give_switch(listener, from,
                &(struct txtap_change_switch){
                    .from = (enum txtap_running)(known ? from->from : RUNNING_UNKNOWN),
                    .to = (enum txtap_running)from->to,
                    .left = thread_of(listener->model, left ? from->left : NONE),
                    .way = (enum txtap_way)from->way,
                    .thread = thread_of(listener->model, from->to == RUNNING_THREAD ? from->thread : NONE),
                });
}

/* ---- threads ---- */

static struct txtap_change_state state_of(const struct model *model, uint32_t number, unsigned account)
{
    bool blocked = account >= ACCOUNT_BLOCKED;
    const struct thread *thread = &model->threads[number];

    return (struct txtap_change_state){
        .thread = thread_of(model, number),
        .state = blocked ? TXTAP_THREAD_BLOCKED : (enum txtap_thread_state)account,
        .reason = blocked ? (enum txtap_wait)(account - ACCOUNT_BLOCKED) : TXTAP_WAIT_NONE,
        .object = object_of(model, blocked && thread->state == THREAD_BLOCKED ? thread->object : NONE),
        .core = !blocked && account != ACCOUNT_UNKNOWN && account != ACCOUNT_READY && thread->core >= 0
                    ? (uint32_t)thread->core
                    : TXTAP_CHANGE_NONE,
    };
}

static void take_account(void *self, const struct change *from)
{
    struct change_listener *listener = self;
    struct txtap_change change = start(from, TXTAP_CHANGE_STATE);

    change.state = state_of(listener->model, from->thread, listener->model->threads[from->thread].account);
    change.state.since = change.ticks;
    give(listener, &change);
}

static void take_past(void *self, const struct change *from)
{
    struct change_listener *listener = self;
    struct txtap_change change = start(from, TXTAP_CHANGE_PAST);

    change.state = state_of(listener->model, from->thread, from->count);
    change.state.since = change.ticks - from->ticks;
    give(listener, &change);
}

static void take_ready(void *self, const struct change *from)
{
    struct change_listener *listener = self;
    const struct thread *thread = &listener->model->threads[from->thread];
    const struct waker *waker = from->waker;
    struct txtap_change change = start(from, TXTAP_CHANGE_WAKE);

    if (thread->reason == REASON_COMPLETED || thread->reason == REASON_TERMINATED)
        return; /* the thread is created again */
    change.wake = (struct txtap_change_wake){
        .thread = thread_of(listener->model, from->thread),
        .reason = (enum txtap_wait)thread->reason,
        .object = object_of(listener->model, thread->object),
        .since = change.ticks - from->ticks,
        .since_known = from->known,
        .ending = (enum txtap_ending)waker->ending,
        .waker = (enum txtap_running)waker->kind,
        .waker_thread = thread_of(listener->model, waker->kind == RUNNING_THREAD ? waker->number : NONE),
        .interrupt = waker->kind == RUNNING_ISR ? waker->number : TXTAP_CHANGE_NONE,
        .service = waker->service != NULL && !is_made(listener->model, waker->service->id) ? waker->service->id : 0,
    };
    give(listener, &change);
}

static void take_priority(void *self, const struct change *from)
{
    struct change_listener *listener = self;
    struct txtap_change change = start(from, TXTAP_CHANGE_PRIORITY);

    change.priority.thread = thread_of(listener->model, from->thread);
    change.priority.priority = listener->model->threads[from->thread].priority;
    give(listener, &change);
}

/* ---- interrupts ---- */

static void give_isr(struct change_listener *listener, const struct change *from, enum txtap_change_kind kind,
                     const struct isr_frame *frame, uint32_t depth, bool seen)
{
    struct txtap_change change = start(from, kind);

    change.isr = (struct txtap_change_isr){frame->number, depth, frame->start.ticks, seen};
    give(listener, &change);
}

static void take_enter(void *self, const struct change *from)
{
    if (from->count <= ISR_DEPTH_MAX)
        give_isr(self, from, TXTAP_CHANGE_ISR_ENTER, from->isr, from->count, true);
}

static void take_exit(void *self, const struct change *from)
{
    struct change_listener *listener = self;

    give_isr(listener, from, TXTAP_CHANGE_ISR_EXIT, from->isr, listener->model->cores[from->core].depth + 1, true);
}

static void take_lost(void *self, const struct change *from)
{
    struct change_listener *listener = self;
    const struct core *core = &listener->model->cores[from->core];
    uint32_t depth = core->depth;

    for (uint32_t i = 0; i < from->count; i++, depth--)
        if (depth <= ISR_DEPTH_MAX) /* the listener was not told about deeper interrupts */
            give_isr(listener, from, TXTAP_CHANGE_ISR_EXIT, &core->isr[depth - 1], depth, false);
}

/* ---- other changes ---- */

static void take_event(void *self, const struct change *from)
{
    struct change_listener *listener = self;
    struct txtap_change change = start(from, TXTAP_CHANGE_EVENT);

    if (!listener->tells_made && is_made(listener->model, from->event->id))
        return;
    change.recorded.thread = thread_of(listener->model, from->thread);
    give(listener, &change);
}

static void take_count(void *self, const struct change *from)
{
    struct change_listener *listener = self;
    const struct object *object = &listener->model->objects[from->object];
    struct txtap_change change = start(from, TXTAP_CHANGE_COUNTER);
    bool owned = object->type == TXTAP_OBJECT_MUTEX && object->count_known && object->count > 0;

    change.counter = (struct txtap_change_counter){
        .object = object_of(listener->model, from->object),
        .known = object->count_known,
        .value = object->count_known ? object->count : 0,
        .owner = thread_of(listener->model, owned ? object->owner : NONE),
    };
    give(listener, &change);
}

static void take_gap(void *self, const struct change *from)
{
    struct change_listener *listener = self;
    struct txtap_change change = start(from, TXTAP_CHANGE_GAP);

    memset(listener->unknown, 0, sizeof listener->unknown); /* after a gap every core starts again */
    give(listener, &change);
}

static void take_gap_end(void *self, const struct change *from)
{
    struct change_listener *listener = self;
    struct txtap_change change = start(from, TXTAP_CHANGE_GAP_END);

    change.gap =
        (struct txtap_change_gap){change.ticks - from->ticks, listener->model->gap_lost, listener->model->gap_exact};
    give(listener, &change);
}

static void take_end(void *self, const struct change *from)
{
    struct txtap_change change = start(from, TXTAP_CHANGE_END);

    give(self, &change);
}

void change_listener_open(struct change_listener *listener, struct model *model, struct txtap_change_sink sink)
{
    static const struct {
        enum change_kind kind;
        void (*take)(void *self, const struct change *change);
    } takers[] = {
        {CHANGE_RECORDED, take_event},  {CHANGE_RUNS, take_runs},         {CHANGE_SWITCH, take_switch},
        {CHANGE_OCCUPIED, take_switch}, {CHANGE_ACCOUNT, take_account},   {CHANGE_PAST, take_past},
        {CHANGE_READY, take_ready},     {CHANGE_PRIORITY, take_priority}, {CHANGE_BASE, take_priority},
        {CHANGE_ISR_ENTER, take_enter}, {CHANGE_ISR_EXIT, take_exit},     {CHANGE_ISR_LOST, take_lost},
        {CHANGE_COUNT, take_count},     {CHANGE_GAP, take_gap},           {CHANGE_GAP_END, take_gap_end},
        {CHANGE_END, take_end},
    };

    *listener = (struct change_listener){.model = model, .sink = sink};
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
        model_tell(model, takers[i].kind, (struct change_sink){takers[i].take, listener});
}

/* ---- a model that only reports changes ---- */

struct txtap_changes {
    struct model model;
    struct change_listener listener;
};

static bool in_range(const struct txtap_change_limits *limits)
{
    return limits->threads <= UINT16_MAX && limits->objects <= UINT16_MAX;
}

size_t txtap_changes_bytes(const struct txtap_change_limits *limits)
{
    struct txtap_changes changes;
    struct arena arena = {0};

    if (!in_range(limits))
        return 0;
    (void)arena_take(&arena, 1, sizeof(changes));
    model_layout(&changes.model, &arena, limits->threads, limits->objects);
    return arena.used;
}

struct txtap_changes *txtap_changes_open(void *memory, const struct txtap_change_limits *limits,
                                         struct txtap_change_sink sink)
{
    struct arena arena = {.memory = memory};
    struct txtap_changes *changes = arena_take(&arena, 1, sizeof(*changes));

    model_layout(&changes->model, &arena, limits->threads, limits->objects);
    model_init(&changes->model);
    change_listener_open(&changes->listener, &changes->model, sink);
    return changes;
}

void txtap_changes_tell_all(struct txtap_changes *changes)
{
    changes->listener.tells_made = true;
}

void txtap_changes_objects(struct txtap_changes *changes, const struct txtap_registry *registry)
{
    model_learn(&changes->model, registry);
}

enum txtap_status txtap_changes_take(void *self, const struct txtap_item *item)
{
    struct txtap_changes *changes = self;

    model_take(&changes->model, item);
    return changes->listener.status;
}

uint64_t txtap_changes_base(const struct txtap_changes *changes)
{
    return changes->model.ticks_base;
}

enum txtap_status txtap_changes_end(struct txtap_changes *changes)
{
    model_end(&changes->model);
    return changes->listener.status;
}
