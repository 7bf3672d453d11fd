/* SPDX-License-Identifier: MIT */
/* Fills a state from the monitor and the model. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/min_max.h"
#include "top/monitor.h"
#include "top/screen.h"

#define USUAL_WAITS 20u /* a wait is called late only if there were at least this many waits */

/* Data that all parts of look() need. */
struct look {
    const struct txtap_top *top;
    const struct txtap_registry *names;
    struct txtap_top_state *state;
    uint64_t first, last; /* first and last slice of the window */
    double ticks;         /* observed ticks of one core in the window */
    double seconds;       /* observed seconds of one core in the window; 0: unknown */
};

static double sum(const struct look *look, const struct slices *slices, enum slice_sum of)
{
    return (double)slices_sum(slices, look->first, look->last, of);
}

static double percent(const struct look *look, const struct slices *slices, enum slice_sum of)
{
    return look->ticks > 0 ? 100 * sum(look, slices, of) / look->ticks : TXTAP_TOP_UNKNOWN;
}

static double rate(const struct look *look, const struct slices *slices, enum slice_sum of)
{
    return look->seconds > 0 ? sum(look, slices, of) / look->seconds : TXTAP_TOP_UNKNOWN;
}

static double rank(const struct histogram *histogram, const struct histogram_pool *pool, unsigned percent)
{
    struct histogram_bucket bucket;

    return histogram_percentile(histogram, pool, percent, &bucket) ? (double)bucket.high : TXTAP_TOP_UNKNOWN;
}

/*
 * Returns statistics of durations. now: how long the current wait or run has lasted; unknown: there is no current wait
 * or run.
 */
static struct txtap_top_durations durations(const struct look *look, const struct spread *spread, double now)
{
    const struct histogram *histogram = &spread->samples;
    const struct histogram_pool *pool = &look->top->pool;
    double cut = spread->cut > 0 ? (double)spread->cut_longest : TXTAP_TOP_UNKNOWN, longest = now > cut ? now : cut;

    if (histogram->n == 0)
        return (struct txtap_top_durations){
            0, TXTAP_TOP_UNKNOWN, TXTAP_TOP_UNKNOWN, TXTAP_TOP_UNKNOWN, TXTAP_TOP_UNKNOWN, longest};
    return (struct txtap_top_durations){
        .n = histogram->n,
        .mean = (double)histogram->sum / (double)histogram->n,
        .p50 = rank(histogram, pool, 50),
        .p99 = rank(histogram, pool, 99),
        .max = (double)histogram->max,
        .at_least = longest,
    };
}

/* ---- histories: the complete slices, without the newest ---- */

/* Returns the number of the first slice with an event. */
static uint64_t first_slice(const struct txtap_top *top)
{
    return min_u64(max_u64(top->windows_begin, top->model->first.ticks) / top->slice_ticks, top->newest);
}

static uint64_t number_of(const struct txtap_top *top, size_t element)
{
    return top->newest - TXTAP_TOP_HISTORY + element;
}

/* Returns the percentage of the ticks of `whole` in a slice; unknown if no time of the slice was observed. */
static float percent_of_slice(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (float)(100.0 * (double)part / (double)whole) : (float)TXTAP_TOP_UNKNOWN;
}

static void set_load_history(const struct look *look)
{
    const struct txtap_top *top = look->top;

    for (size_t i = TXTAP_TOP_HISTORY - look->state->history_count; i < TXTAP_TOP_HISTORY; i++)
        look->state->load_history[i] = (float)monitor_load(top, number_of(top, i), number_of(top, i));
}

static void set_history(const struct look *look, const struct slices *slices, float history[TXTAP_TOP_HISTORY])
{
    const struct txtap_top *top = look->top;

    for (size_t i = TXTAP_TOP_HISTORY - look->state->history_count; i < TXTAP_TOP_HISTORY; i++) {
        uint64_t number = number_of(top, i);

        history[i] = percent_of_slice(slices_at(slices, number, SLICE_RUN) * look->state->cores,
                                      slices_at(&top->system, number, SLICE_TICKS));
    }
}

static void set_depths(const struct look *look, const struct depths *depths, uint32_t capacity,
                       float history[TXTAP_TOP_HISTORY])
{
    for (size_t i = TXTAP_TOP_HISTORY - look->state->history_count; i < TXTAP_TOP_HISTORY; i++) {
        uint32_t most = depths_most(depths, number_of(look->top, i));

        history[i] = most > 0 ? percent_of_slice(most - 1, capacity) : (float)TXTAP_TOP_UNKNOWN;
    }
}

/* ---- names ---- */

static void name_of(const struct look *look, uint32_t address, uint8_t type, char out[static TXTAP_TOP_NAME_BYTES])
{
    const struct txtap_object *object = look->names ? txtap_registry_find(look->names, address) : NULL;

    if (object != NULL && object->type == type && !object->unknown && *object->name)
        screen_name(out, TXTAP_TOP_NAME_BYTES, object->name);
    else
        snprintf(out, TXTAP_TOP_NAME_BYTES, "0x%08" PRIx32, address);
}

static void thread_name(const struct look *look, uint32_t number, char out[static TXTAP_TOP_NAME_BYTES])
{
    const struct model *model = look->top->model;
    const char *name = model_thread_name(model, number);

    if (name == NULL)
        name_of(look, model->threads[number].address, TXTAP_OBJECT_THREAD, out);
    else if (*name != '\0')
        screen_name(out, TXTAP_TOP_NAME_BYTES, name);
    else
        snprintf(out, TXTAP_TOP_NAME_BYTES, "0x%08" PRIx32, model->threads[number].address);
}

/* ---- threads ---- */

static void waits_for(const struct look *look, const struct thread *thread, char *out, size_t size)
{
    static const char *const reasons[REASONS] = {
        "?",          "completed", "terminated", "suspended", "sleep",  "queue", "semaphore", "flags",
        "block pool", "byte pool", "I/O",        "file",      "TCP/IP", "mutex", "?",         "?",
    };
    char name[TXTAP_TOP_NAME_BYTES] = "";
    const struct model *model = look->top->model;

    if (thread->object != NONE)
        name_of(look, model->objects[thread->object].address, model->objects[thread->object].type, name);
    snprintf(out, size, "%s%s%s", reasons[thread->reason], *name ? " " : "", name);
}

static bool is_late(const struct look *look, const struct thread *thread, double waiting)
{
    const struct histogram *usual;

    if (thread->object == NONE || waiting < 0)
        return false;
    usual = &look->top->objects[thread->object].wait.samples;
    return usual->n >= USUAL_WAITS && waiting > rank(usual, &look->top->pool, 99);
}

static void set_state(const struct look *look, const struct thread *thread, struct txtap_top_thread *out)
{
    uint64_t now = look->top->model->last.ticks;

    out->waiting = TXTAP_TOP_UNKNOWN;
    if (thread->core >= 0) {
        out->state = TXTAP_TOP_RUNNING;
    } else if (thread->state == THREAD_READY) {
        out->state = TXTAP_TOP_READY;
        if (thread->waiting)
            out->waiting = (double)(now - thread->waiting_since);
    } else if (thread->state == THREAD_BLOCKED) {
        out->state = TXTAP_TOP_WAITING;
        if (thread->since_known)
            out->waiting = (double)(now - thread->since.ticks);
        waits_for(look, thread, out->waits, sizeof out->waits);
        out->late = is_late(look, thread, out->waiting);
    }
}

static void set_stack(const struct thread *thread, const struct thread_figures *figures, struct txtap_top_thread *out)
{
    out->stack = TXTAP_TOP_UNKNOWN;
    out->stack_bytes = thread->stack_bytes;
    if (!figures->has_stack || thread->stack_bytes == 0 || figures->stack_lowest < thread->stack)
        return;
    out->stack_free = figures->stack_lowest - thread->stack;
    if (out->stack_free <= thread->stack_bytes)
        out->stack = 100.0 * (thread->stack_bytes - out->stack_free) / thread->stack_bytes;
}

static void set_waits(const struct look *look, const struct thread *thread, struct txtap_top_thread *out)
{
    uint64_t spent[ACCOUNTS], total = 0;

    for (unsigned i = 0; i < ACCOUNTS; i++) {
        spent[i] = thread->spent[i];
        if (i == thread->account)
            spent[i] += look->top->model->last.ticks - thread->account_since;
        total += spent[i];
    }
    for (unsigned i = 0; i < TXTAP_TOP_REASONS; i++)
        out->waits_for[i] = total > 0 ? 100 * (double)spent[ACCOUNT_BLOCKED + i] / (double)total : TXTAP_TOP_UNKNOWN;
}

static void look_at_thread(const struct look *look, uint32_t number, struct txtap_top_thread *out)
{
    const struct thread *thread = &look->top->model->threads[number];
    const struct thread_figures *figures = &look->top->threads[number];
    uint64_t now = look->top->model->last.ticks;
    bool job = thread->job.open;

    _Static_assert(TXTAP_TOP_REASONS == REASONS, "one for each reason");
    *out = (struct txtap_top_thread){
        .id = number + 1,
        .address = thread->address,
        .priority = thread->priority_known ? (double)thread->priority : TXTAP_TOP_UNKNOWN,
        .base = thread->priority_known ? (double)thread->base : TXTAP_TOP_UNKNOWN,
        .cpu = percent(look, &figures->slices, SLICE_RUN),
        .ready = percent(look, &figures->slices, SLICE_READY),
        .activations = rate(look, &figures->slices, SLICE_COUNT),
        .preemptions = rate(look, &figures->slices, SLICE_SWITCHES),
        .runs = TXTAP_TOP_UNKNOWN,
        .run = durations(look, &figures->run, job ? (double)thread_ran_in_job(thread, now) : TXTAP_TOP_UNKNOWN),
        .wake = durations(look, &figures->wake,
                          thread_is_woken(thread) ? (double)(now - thread->waiting_since) : TXTAP_TOP_UNKNOWN),
        .response =
            durations(look, &figures->response, job ? (double)(now - thread->job.start.ticks) : TXTAP_TOP_UNKNOWN),
    };
    if (look->top->model->other_kernel) /* other kernels do not record why a thread leaves its core */
        out->preemptions = TXTAP_TOP_UNKNOWN;
    if (look->top->model->other_kernel && !look->top->model->resumptions)
        out->activations = out->ready = TXTAP_TOP_UNKNOWN;
    thread_name(look, number, out->name);
    set_history(look, &figures->slices, out->history);
    set_state(look, thread, out);
    set_stack(thread, figures, out);
    set_waits(look, thread, out);
}

static void look_at_threads(const struct look *look)
{
    uint32_t count = look->top->model->thread_numbers.count, shown = (uint32_t)min_u64(count, TXTAP_TOP_THREADS);

    for (uint32_t i = 0; i < shown; i++)
        look_at_thread(look, i, &look->state->threads[i]);
    look->state->thread_count = shown;
    look->state->threads_more = count - shown;
}

/* ---- interrupts ---- */

static void look_at_interrupts(const struct look *look)
{
    const struct table *numbers = &look->top->interrupt_numbers;
    uint32_t shown = (uint32_t)min_u64(numbers->count, TXTAP_TOP_INTERRUPTS);

    for (uint32_t i = 0; i < shown; i++) {
        const struct interrupt_figures *figures = &look->top->interrupts[i];

        look->state->interrupts[i] = (struct txtap_top_interrupt){
            .number = (uint32_t)numbers->keys[i],
            .rate = rate(look, &figures->slices, SLICE_COUNT),
            .cpu = look->top->model->interrupts_open ? TXTAP_TOP_UNKNOWN : percent(look, &figures->slices, SLICE_RUN),
            .run_max = figures->has_run ? (double)figures->run_max : TXTAP_TOP_UNKNOWN,
            .gap_min = figures->has_gap ? (double)figures->gap_min : TXTAP_TOP_UNKNOWN,
        };
    }
    look->state->interrupt_count = shown;
    look->state->interrupts_more = numbers->count - shown;
}

/* ---- objects ---- */

/* Sets the number of threads that wait for the object, the name of the waiting thread with the highest priority, and
 * the longest wait. */
static void set_waiter(const struct look *look, uint32_t object, struct txtap_top_object *out)
{
    const struct model *model = look->top->model;
    double longest = TXTAP_TOP_UNKNOWN;
    uint32_t first = NONE;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct thread *thread = &model->threads[i];

        if (thread->state != THREAD_BLOCKED || thread->object != object)
            continue;
        out->waiters++;
        if ((double)(model->last.ticks - thread->since.ticks) > longest)
            longest = (double)(model->last.ticks - thread->since.ticks);
        if (first == NONE || thread->priority < model->threads[first].priority)
            first = i;
    }
    out->wait = durations(look, &look->top->objects[object].wait, longest);
    if (first != NONE)
        thread_name(look, first, out->waiter);
}

static void set_owner(const struct look *look, const struct object *mutex, struct txtap_top_object *out)
{
    if (mutex->count == 0)
        snprintf(out->now, sizeof out->now, "-");
    else if (mutex->owner != NONE)
        thread_name(look, mutex->owner, out->now);
}

static void set_value(const struct look *look, const struct object *object, const struct object_figures *figures,
                      struct txtap_top_object *out)
{
    uint32_t capacity = object->type == TXTAP_OBJECT_QUEUE ? object->capacity : 0;
    char of[16] = "";

    if (capacity > 0)
        snprintf(of, sizeof of, "/%" PRIu32, capacity);
    if (object->type == TXTAP_OBJECT_BLOCK_POOL || object->type == TXTAP_OBJECT_BYTE_POOL)
        snprintf(of, sizeof of, " free");
    if (object->count_known && object->type == TXTAP_OBJECT_MUTEX)
        set_owner(look, object, out);
    else if (object->count_known && object->type != TXTAP_OBJECT_BYTE_POOL) /* byte pools: outdated after a release */
        snprintf(out->now, sizeof out->now, "%" PRIu32 "%s", object->count, of);
    if (figures->has_extreme)
        snprintf(out->extreme, sizeof out->extreme, "%" PRIu32 "%.6s", figures->extreme, of);
    out->extreme_is_low = object->type != TXTAP_OBJECT_QUEUE;
}

static bool is_shown(const struct object *object, const struct object_figures *figures)
{
    return object->type >= TXTAP_OBJECT_QUEUE && object->type <= TXTAP_OBJECT_BYTE_POOL &&
           (figures->uses > 0 || object->waiting > 0);
}

static void look_at_objects(const struct look *look)
{
    const struct model *model = look->top->model;
    struct txtap_top_state *state = look->state;

    for (uint32_t i = 0; i < model->object_numbers.count; i++) {
        const struct object *object = &model->objects[i];
        const struct object_figures *figures = &look->top->objects[i];
        struct txtap_top_object *out = &state->objects[state->object_count];

        if (!is_shown(object, figures))
            continue;
        if (state->object_count == TXTAP_TOP_OBJECTS) {
            state->objects_more++;
            continue;
        }
        *out = (struct txtap_top_object){
            .address = object->address,
            .type = object->type,
            .uses = figures->uses,
            .failed = figures->failed,
        };
        name_of(look, object->address, object->type, out->name);
        set_value(look, object, figures, out);
        set_depths(look, &figures->depths, object->type == TXTAP_OBJECT_QUEUE ? object->capacity : 0, out->history);
        set_waiter(look, i, out);
        state->object_count++;
    }
}

/* ---- all parts ---- */

static uint64_t slices_of_window(unsigned window)
{
    static const unsigned seconds[TXTAP_TOP_WINDOWS] = {1, 2, 10};

    return (uint64_t)seconds[window] * SLICES_PER_SECOND;
}

/*
 * Returns the length of the window in seconds, including the slice that has just begun. The window grows at first, and
 * then stays constant.
 */
static double window_seconds(const struct txtap_top *top, uint64_t slices)
{
    uint64_t begun = top->newest - first_slice(top) + 1;

    return (double)min_u64(begun, slices) / SLICES_PER_SECOND;
}

static void look_at_system(const struct look *look)
{
    const struct txtap_top *top = look->top;
    struct txtap_top_state *state = look->state;
    double cores = state->cores > 0 ? state->cores : 1;
    bool no_isr = top->model->other_kernel ? top->interrupt_numbers.count == 0 : !top->model->interrupts_recorded;
    double isr = top->model->interrupts_open || no_isr ? TXTAP_TOP_UNKNOWN : percent(look, &top->system, SLICE_RUN);
    bool unsure = top->model->unsure || top->model->switches_open;

    state->load = monitor_load(top, look->first, look->last);
    state->idle = state->load >= 0 ? 100 - state->load : TXTAP_TOP_UNKNOWN;
    state->idle_least = state->idle - percent(look, &top->system, SLICE_LESS) / cores;
    state->idle_most = state->idle + percent(look, &top->system, SLICE_MORE) / cores;
    state->uncertain = percent(look, &top->system, SLICE_DOUBT) / cores;
    state->load_max = top->load_max;
    state->interrupt_cpu = isr >= 0 ? isr / cores : TXTAP_TOP_UNKNOWN;
    state->interrupt_rate = no_isr ? TXTAP_TOP_UNKNOWN : rate(look, &top->system, SLICE_COUNT);
    state->event_rate = rate(look, &top->system, SLICE_EVENTS);
    state->switch_rate = rate(look, &top->system, SLICE_SWITCHES);
    state->nesting = top->nesting;
    state->window_gap = unsure || top->behind_gap || sum(look, &top->losses, SLICE_SWITCHES) > 0;
    state->window_lost =
        (top->behind_gap ? top->model->gap_lost : 0) + slices_sum(&top->losses, look->first, look->last, SLICE_COUNT);
    state->gap = top->gap || unsure;
    state->gap_at = top->gap ? (double)(max_u64(top->gap_ticks, top->model->first.ticks) - top->model->first.ticks)
                             : TXTAP_TOP_UNKNOWN;
    state->incomplete = top->model->thread_numbers.left_out > 0 || top->model->object_numbers.left_out > 0 ||
                        top->interrupt_numbers.left_out > 0;
}

void txtap_top_look(struct txtap_top *top, const struct txtap_registry *names, unsigned window,
                    struct txtap_top_state *state)
{
    bool timed = top->slice_ticks != UINT64_MAX;
    uint64_t slices = timed ? slices_of_window(window) : 1;
    struct look look = {.top = top, .names = names, .state = state, .last = top->newest};
    unsigned cores = top->model->core_count > 0 ? top->model->core_count : 1;

    monitor_count_running(top, top->model->last.ticks);
    look.first = top->newest >= slices ? top->newest - slices + 1 : 0;
    look.ticks = sum(&look, &top->system, SLICE_TICKS) / cores;
    look.seconds = timed ? look.ticks / top->tick_hz : 0;
    state->tick_hz = timed ? top->tick_hz : 0;
    state->window = timed ? window_seconds(top, slices) : 0;
    state->window_full = timed ? (double)slices / SLICES_PER_SECOND : 0;
    state->seconds =
        timed ? (double)(top->model->last.ticks - top->model->first.ticks) / top->tick_hz : TXTAP_TOP_UNKNOWN;
    state->cores = cores;
    state->history_count = timed ? (size_t)min_u64(top->newest - first_slice(top), TXTAP_TOP_HISTORY) : 0;
    state->threads_more = state->interrupts_more = state->objects_more = 0;
    state->object_count = 0;
    look_at_system(&look);
    set_load_history(&look);
    look_at_threads(&look);
    look_at_interrupts(&look);
    look_at_objects(&look);
}
