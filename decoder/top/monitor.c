/* SPDX-License-Identifier: MIT */
/*
 * A monitor: its memory, the tick rate, resets, and the effect of each change of the model on windows, maxima and
 * objects. The time for a change does not depend on the number of threads. Only a gap visits all threads and objects.
 */
#include "top/monitor.h"

#include <string.h>

#include "base/min_max.h"

/* ---- rings of slices: old slices are overwritten ---- */

/* Adds `amount` to a sum of slice `number`. */
static void slices_add(struct slices *slices, uint64_t number, enum slice_sum sum, uint64_t amount)
{
    struct slice *slice = &slices->slice[number % SLICES];

    if (slice->next_number > number + 1)
        return; /* the slice was overwritten */
    if (slice->next_number != number + 1)
        *slice = (struct slice){.next_number = number + 1};
    slice->sum[sum] += amount;
}

/* Distributes the ticks from..to - 1 over the slices in which they are. */
static void slices_add_span(struct slices *slices, uint64_t from, uint64_t to, uint64_t slice_ticks, enum slice_sum sum)
{
    uint64_t last = to / slice_ticks;

    if (last >= SLICES)
        from = max_u64(from, (last - SLICES + 1) * slice_ticks);
    while (from < to) {
        uint64_t number = from / slice_ticks, end = number == last ? to : (number + 1) * slice_ticks;

        slices_add(slices, number, sum, end - from);
        from = end;
    }
}

uint64_t slices_at(const struct slices *slices, uint64_t number, enum slice_sum sum)
{
    const struct slice *slice = &slices->slice[number % SLICES];

    return slice->next_number == number + 1 ? slice->sum[sum] : 0;
}

uint64_t slices_sum(const struct slices *slices, uint64_t first, uint64_t last, enum slice_sum sum)
{
    uint64_t total = 0;

    if (last - first >= SLICES)
        first = last - SLICES + 1;
    for (uint64_t i = 0; i <= last - first; i++)
        total += slices_at(slices, first + i, sum);
    return total;
}

/* Stores the count of the slices before slice `number`, which becomes the present slice. */
static void depths_advance(struct depths *depths, uint64_t number)
{
    uint64_t skipped = min_u64(number - depths->number - 1, SLICES);

    depths->past[depths->number % SLICES] = depths->most;
    for (uint64_t i = 1; i <= skipped; i++)
        depths->past[(number - i) % SLICES] = depths->latest;
    depths->number = number;
    depths->most = depths->latest;
}

/* count: the number of messages plus one, or 0. */
static void note_depth(const struct txtap_top *top, struct depths *depths, uint32_t count)
{
    if (depths->number < top->newest)
        depths_advance(depths, top->newest);
    if (count > depths->most)
        depths->most = count;
    depths->latest = count;
}

uint32_t depths_most(const struct depths *depths, uint64_t number)
{
    if (number > depths->number)
        return depths->latest;
    if (number == depths->number)
        return depths->most;
    return depths->number - number <= SLICES ? depths->past[number % SLICES] : 0;
}

double monitor_load(const struct txtap_top *top, uint64_t first, uint64_t last)
{
    uint64_t ticks = slices_sum(&top->system, first, last, SLICE_TICKS);

    if (ticks == 0)
        return TXTAP_TOP_UNKNOWN;
    return 100 - 100 * (double)slices_sum(&top->system, first, last, SLICE_IDLE) / (double)ticks;
}

static uint64_t slice_of(const struct txtap_top *top, uint64_t ticks)
{
    return ticks / top->slice_ticks;
}

static void span(const struct txtap_top *top, struct slices *slices, const struct change *change, uint64_t ticks,
                 enum slice_sum sum)
{
    uint64_t to = change->now.ticks, from = max_u64(to - ticks, top->windows_begin);

    if (from < to)
        slices_add_span(slices, from, to, top->slice_ticks, sum);
}

/* ---- time ---- */

static void take_running(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    uint64_t counted = top->counted[change->core], now = change->now.ticks;
    uint64_t ticks = min_u64(change->ticks, now - min_u64(counted, now));

    top->counted[change->core] = now;
    span(top, &top->system, change, ticks, SLICE_TICKS);
    if (change->before == RUNNING_IDLE && change->maybe != 0)
        span(top, &top->system, change, ticks, SLICE_LESS);
    if (change->maybe != 0)
        span(top, &top->system, change, ticks, SLICE_DOUBT);
    if (change->before == RUNNING_IDLE)
        span(top, &top->system, change, ticks, SLICE_IDLE);
    else if (change->before == RUNNING_ISR)
        span(top, &top->system, change, ticks, SLICE_RUN);
    else if (change->before == RUNNING_THREAD && change->thread != NONE)
        span(top, &top->threads[change->thread].slices, change, ticks, SLICE_RUN);
}

void monitor_count_running(struct txtap_top *top, uint64_t ticks)
{
    for (uint32_t i = 0; i < top->model->core_count; i++) {
        const struct change change = core_running(top->model, i, ticks);

        if (top->model->cores[i].seen && change.before != RUNNING_UNKNOWN)
            take_running(top, &change);
    }
}

static void set_newest(struct txtap_top *top, uint64_t number)
{
    top->newest = number;
    top->system_now = &top->system.slice[number % SLICES];
}

/* Begins a slice. Call it for the first event of the new slice, when the preceding slice is complete. */
static void begin_slice(struct txtap_top *top, uint64_t number, uint64_t ticks)
{
    uint64_t first, second = SLICES_PER_SECOND * top->slice_ticks * top->model->core_count;
    double load;

    monitor_count_running(top, ticks);
    set_newest(top, number);
    if (number < SLICES_PER_SECOND)
        return;
    first = number - SLICES_PER_SECOND;
    if (slices_sum(&top->system, first, number - 1, SLICE_TICKS) < second)
        return; /* part of the second was not observed */
    load = monitor_load(top, first, number - 1);
    if (load > top->load_max)
        top->load_max = load;
}

/* Counts the lost events in the present slice. Call it when a gap ends. */
static void end_gap(struct txtap_top *top, uint64_t number)
{
    slices_add(&top->losses, number, SLICE_SWITCHES, 1);
    slices_add(&top->losses, number, SLICE_COUNT, top->model->gap_lost);
    top->behind_gap = false;
}

static void take_event(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    uint64_t number = slice_of(top, change->now.ticks);

    if (number > top->newest)
        begin_slice(top, number, change->now.ticks);
    if (top->behind_gap)
        end_gap(top, number);
    if (top->system_now->next_number == number + 1)
        top->system_now->sum[SLICE_EVENTS]++;
    else
        slices_add(&top->system, number, SLICE_EVENTS, 1);
}

/* Takes an event that contains a stack pointer. */
static void take_stack(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    const struct thread *thread;
    struct thread_figures *figures;
    uint32_t at;

    if (change->thread == NONE)
        return;
    thread = &top->model->threads[change->thread];
    figures = &top->threads[change->thread];
    at = change->event->info[top->stack_word[change->event->id] - 1];
    if (thread->stack_bytes == 0 || at < thread->stack || at - thread->stack > thread->stack_bytes)
        return;
    if (!figures->has_stack || at < figures->stack_lowest)
        figures->stack_lowest = at;
    figures->has_stack = true;
}

static void take_doubt(void *self, const struct change *change)
{
    struct txtap_top *top = self;

    span(top, &top->system, change, change->ticks, SLICE_DOUBT);
    if (change->before == RUNNING_IDLE)
        span(top, &top->system, change, change->ticks, SLICE_LESS);
    if (change->maybe != MAYBE(RUNNING_THREAD))
        span(top, &top->system, change, change->ticks, SLICE_MORE);
}

static void add(struct txtap_top *top, struct spread *spread, uint64_t ticks, const struct change *change)
{
    spread_add(spread, &top->pool, ticks, change->now.seq, change->now.ticks);
}

static void cut(struct spread *spread, uint64_t ticks, const struct change *change)
{
    spread_cut(spread, ticks, change->now.seq, change->now.ticks);
}

/* Cuts the thread's open durations. Each of them lasts at least until the gap. */
static void cut_thread(struct txtap_top *top, uint32_t number, const struct change *change)
{
    const struct thread *thread = &top->model->threads[number];
    struct thread_figures *figures = &top->threads[number];
    uint64_t now = change->now.ticks;

    if (thread_is_woken(thread))
        cut(&figures->wake, now - thread->waiting_since, change);
    if (thread->job.open) {
        cut(&figures->run, thread_ran_in_job(thread, now), change);
        cut(&figures->response, now - thread->job.start.ticks, change);
    }
    if (thread->state == THREAD_BLOCKED && thread->object != NONE)
        cut(&top->objects[thread->object].wait, now - thread->since.ticks, change);
}

static void take_gap(void *self, const struct change *change)
{
    struct txtap_top *top = self;

    slices_add(&top->losses, slice_of(top, change->now.ticks), SLICE_SWITCHES, 1);
    if (!top->gap)
        top->gap_ticks = change->now.ticks;
    top->behind_gap = top->gap = true;
    for (uint32_t i = 0; i < top->model->thread_numbers.count; i++)
        cut_thread(top, i, change);
    for (uint32_t i = 0; i < top->interrupt_numbers.count; i++)
        top->interrupts[i].entered = false;
    for (uint32_t i = 0; i < top->model->object_numbers.count; i++)
        note_depth(top, &top->objects[i].depths, 0);
}

/* ---- threads ---- */

static void end_wait(struct txtap_top *top, const struct change *change, const struct thread *thread)
{
    struct object_figures *figures = &top->objects[thread->object];

    if (change->known)
        add(top, &figures->wait, change->ticks, change);
    else
        cut(&figures->wait, change->ticks, change);
    if (change->waker->ending == ENDING_TIMEOUT || change->waker->ending == ENDING_ABORTED)
        figures->failed++;
}

static bool is_terminated(const struct change *change)
{
    return change->waker->kind == RUNNING_UNKNOWN && change->waker->ending == ENDING_ABORTED;
}

static void take_ready(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    const struct thread *thread = &top->model->threads[change->thread];

    if (thread->object != NONE)
        end_wait(top, change, thread);
    if (thread->reason != REASON_MUTEX && change->waker->kind != RUNNING_INIT && !is_terminated(change))
        slices_add(&top->threads[change->thread].slices, slice_of(top, change->now.ticks), SLICE_COUNT, 1);
}

static void take_dispatch(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    struct thread_figures *figures = &top->threads[change->thread];

    if (!change->known)
        return;
    span(top, &figures->slices, change, change->ticks, SLICE_READY);
    if (change->woken && !top->model->threads[change->thread].woken_in_init)
        add(top, &figures->wake, change->ticks, change);
}

static void take_job(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    struct thread_figures *figures = &top->threads[change->thread];

    add(top, &figures->run, change->job->spent[ACCOUNT_RUNNING], change);
    add(top, &figures->response, change->ticks, change);
}

static void take_switch(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    uint64_t number = slice_of(top, change->now.ticks);

    if (!change_is_context_switch(change))
        return;
    slices_add(&top->system, number, SLICE_SWITCHES, 1);
    if (change->left != NONE && change->way == WAY_PREEMPTED)
        slices_add(&top->threads[change->left].slices, number, SLICE_SWITCHES, 1);
}

/* ---- objects ---- */

static void note_most(struct object_figures *figures, uint32_t count)
{
    if (!figures->has_extreme || count > figures->extreme)
        figures->extreme = count;
    figures->has_extreme = true;
}

static void note_least(struct object_figures *figures, uint32_t count)
{
    if (!figures->has_extreme || count < figures->extreme)
        figures->extreme = count;
    figures->has_extreme = true;
}

static void take_call(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    const struct service *service = change->service;

    if (change->object == NONE)
        return;
    top->objects[change->object].uses++;
    if (service->type == TXTAP_OBJECT_QUEUE && service->has_before)
        note_most(&top->objects[change->object], service->before);
}

static void take_service(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    const struct service *service = change->service;
    struct object_figures *figures;

    if (change->object == NONE)
        return;
    figures = &top->objects[change->object];
    figures->failed += service->failed;
    if (!service->has_before || !service->has_after)
        return;
    if (service->type == TXTAP_OBJECT_QUEUE)
        note_most(figures, service->after);
    else if (service->type == TXTAP_OBJECT_BLOCK_POOL || service->type == TXTAP_OBJECT_BYTE_POOL)
        note_least(figures, service->after);
}

static void take_count(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    const struct object *object = &top->model->objects[change->object];

    if (object->type == TXTAP_OBJECT_QUEUE)
        note_depth(top, &top->objects[change->object].depths, object->count_known ? object->count + 1 : 0);
}

/* ---- interrupts ---- */

static struct interrupt_figures *interrupt(struct txtap_top *top, uint32_t isr)
{
    bool added;
    uint32_t number = table_add(&top->interrupt_numbers, isr, &added);

    return number != NONE ? &top->interrupts[number] : NULL;
}

static void take_enter(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    struct interrupt_figures *figures = interrupt(top, change->isr->number);
    uint64_t number = slice_of(top, change->now.ticks), since;

    slices_add(&top->system, number, SLICE_COUNT, 1);
    top->nesting = (uint32_t)max_u64(top->nesting, change->count);
    if (figures == NULL)
        return;
    slices_add(&figures->slices, number, SLICE_COUNT, 1);
    since = change->now.ticks - figures->last_enter;
    if (figures->entered && (!figures->has_gap || since < figures->gap_min)) {
        figures->gap_min = since;
        figures->has_gap = true;
    }
    figures->entered = true;
    figures->last_enter = change->now.ticks;
}

static void take_exit(void *self, const struct change *change)
{
    struct txtap_top *top = self;
    struct interrupt_figures *figures = interrupt(top, change->isr->number);
    uint64_t own = change->ticks - min_u64(change->isr->nested, change->ticks);

    if (figures == NULL)
        return;
    span(top, &figures->slices, change, own, SLICE_RUN);
    if (!figures->has_run || own > figures->run_max)
        figures->run_max = own;
    figures->has_run = true;
}

static void take_burst(void *self, const struct change *change)
{
    struct txtap_top *top = self;

    slices_add(&top->system, slice_of(top, change->now.ticks), SLICE_COUNT, 1);
}

static void listen(struct txtap_top *top, struct model *model)
{
    static const struct {
        enum change_kind kind;
        void (*take)(void *self, const struct change *change);
    } takers[] = {
        {CHANGE_EVENT, take_event},   {CHANGE_RUNNING, take_running}, {CHANGE_GAP, take_gap},
        {CHANGE_DOUBT, take_doubt},   {CHANGE_READY, take_ready},     {CHANGE_DISPATCH, take_dispatch},
        {CHANGE_JOB, take_job},       {CHANGE_SWITCH, take_switch},   {CHANGE_ISR_ENTER, take_enter},
        {CHANGE_ISR_EXIT, take_exit}, {CHANGE_ISR_BURST, take_burst}, {CHANGE_COUNT, take_count},
    };

    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
        model_tell(model, takers[i].kind, (struct change_sink){takers[i].take, top});
    for (uint32_t id = 1; id < STACK_IDS; id++)
        if ((top->stack_word[id] = (uint8_t)stack_word(id)) != 0)
            model_tell_event(model, id, (struct change_sink){take_stack, top});
    for (uint8_t type = TXTAP_OBJECT_QUEUE; type <= TXTAP_OBJECT_BYTE_POOL; type++) {
        model_tell_of(model, CHANGE_CALL, type, (struct change_sink){take_call, top});
        model_tell_of(model, CHANGE_SERVICE, type, (struct change_sink){take_service, top});
    }
}

/* ---- opening and closing ---- */

/* Places the monitor and its tables in the arena. The monitor itself is first in the memory. */
static struct txtap_top *layout(struct arena *arena, struct txtap_top *top, const struct model *model)
{
    struct txtap_top *at = arena_take(arena, 1, sizeof *top);
    struct histogram_page *pages;

    top = at != NULL ? at : top;
    top->model = model;
    pages = arena_reserve(arena, MONITOR_PAGES, sizeof *pages);
    histogram_pool_init(&top->pool, pages, MONITOR_PAGES);
    table_layout(&top->interrupt_numbers, arena, MONITOR_INTERRUPTS);
    top->threads = arena_take(arena, model->thread_numbers.capacity, sizeof *top->threads);
    top->interrupts = arena_take(arena, MONITOR_INTERRUPTS, sizeof *top->interrupts);
    top->objects = arena_take(arena, model->object_numbers.capacity, sizeof *top->objects);
    return top;
}

size_t txtap_top_bytes(struct txtap_analysis *analysis)
{
    struct txtap_top measured;
    struct arena arena = {0};

    (void)layout(&arena, &measured, analysis_model(analysis));
    return arena.used;
}

struct txtap_top *txtap_top_open(void *memory, struct txtap_analysis *analysis)
{
    struct arena arena = {.memory = memory};
    struct txtap_top *top = layout(&arena, NULL, analysis_model(analysis));

    top->slice_ticks = UINT64_MAX;
    set_newest(top, 0);
    top->load_max = TXTAP_TOP_UNKNOWN;
    listen(top, analysis_model(analysis));
    return top;
}

/* Clears all slices, because slices get another length and the old slices are invalid. */
static void clear_slices(struct txtap_top *top)
{
    for (size_t i = 0; i < top->model->thread_numbers.capacity; i++)
        memset(&top->threads[i].slices, 0, sizeof top->threads[i].slices);
    for (size_t i = 0; i < MONITOR_INTERRUPTS; i++)
        memset(&top->interrupts[i].slices, 0, sizeof top->interrupts[i].slices);
    for (size_t i = 0; i < top->model->object_numbers.capacity; i++)
        top->objects[i].depths = (struct depths){0};
    memset(&top->system, 0, sizeof top->system);
    memset(&top->losses, 0, sizeof top->losses);
}

void txtap_top_rate(struct txtap_top *top, double tick_hz)
{
    double slice = tick_hz / SLICES_PER_SECOND;

    top->tick_hz = tick_hz;
    if (top->slice_ticks != UINT64_MAX || !(slice < 1e18))
        return;
    clear_slices(top);
    top->slice_ticks = slice < 1 ? 1 : (uint64_t)slice;
    set_newest(top, top->model->last.ticks / top->slice_ticks);
    top->windows_begin = top->model->last.ticks;
}

void txtap_top_reset(struct txtap_top *top)
{
    for (size_t i = 0; i < top->model->thread_numbers.capacity; i++) {
        struct thread_figures *thread = &top->threads[i];

        thread->run = thread->wake = thread->response = (struct spread){0};
        thread->has_stack = false;
    }
    for (size_t i = 0; i < MONITOR_INTERRUPTS; i++)
        top->interrupts[i].has_run = top->interrupts[i].has_gap = false;
    for (size_t i = 0; i < top->model->object_numbers.capacity; i++)
        top->objects[i] = (struct object_figures){.depths = top->objects[i].depths};
    top->pool.used = 0;
    top->load_max = TXTAP_TOP_UNKNOWN;
    top->nesting = 0;
    top->gap = false;
}
