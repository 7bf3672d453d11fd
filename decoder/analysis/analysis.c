/* SPDX-License-Identifier: MIT */
/* The model and all analyses that take its changes, in one block of the caller's memory. */
#include "txtap/analysis.h"
#include "txtap/inner/change.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/analyses.h"
#include "analysis/values.h"
#include "figures/named.h"
#include "model/changes.h"
#include "txtap/check.h"

#define NUMBERS_MAX 65535u
#define STATE_BYTES 4096u /* no state is larger than this */

struct txtap_analysis {
    struct model model;
    struct histogram_pool pool;
    struct txtap_analysis_options options;
    double tick_hz;               /* of the options, or set later */
    void *states[TXTAP_SECTIONS]; /* NULL: this analysis is not selected */
    size_t ends[TXTAP_SECTIONS];  /* offset of the end of the state and its tables in the memory of the analysis */
    struct sample_sink samples;
    struct change_listener listeners[TXTAP_ANALYSIS_CHANGE_SINKS];
    unsigned listener_count;
};

/* ---- the section about the trace itself: its length, and missing events ---- */

struct trace {
    struct base base;
};

static void open_trace(void *state, struct model *model)
{
    (void)state;
    (void)model;
}

static void trace_figures(const void *state, struct list *list)
{
    const struct model *model = ((const struct trace *)state)->base.model;
    double lost = (double)model->lost;
    struct txtap_measure measure = {true, lost, lost, model->lost_exact && !model->unsure ? lost : (double)INFINITY};

    list_number_exact(list, (struct heading){.id = TXTAP_FIGURE_WINDOW}, TXTAP_UNIT_TICKS,
                      (double)(model->last.ticks - model->first.ticks));
    list_number_exact(list, (struct heading){.id = TXTAP_FIGURE_OBSERVED}, TXTAP_UNIT_TICKS,
                      (double)model_observed(model));
    list_number_exact(list, (struct heading){.id = TXTAP_FIGURE_GAPS}, TXTAP_UNIT_COUNT, (double)model->gaps);
    list_bounded_count(list, (struct heading){.id = TXTAP_FIGURE_LOST}, measure);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_TOTAL_EVENTS}, model->events);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_FAULTS}, model->faults);
}

static const struct check_name trace_names[] = {
    FIGURE(WINDOW, "window", CHECK_TIME, VALUE, SYSTEM),
    FIGURE(OBSERVED, "observed", CHECK_TIME, VALUE, SYSTEM),
    FIGURE(GAPS, "gaps", CHECK_COUNT, VALUE, SYSTEM),
    FIGURE(LOST, "lost", CHECK_COUNT, N, SYSTEM),
    FIGURE(TOTAL_EVENTS, "total_events", CHECK_COUNT, N, SYSTEM),
    FIGURE(FAULTS, "faults", CHECK_COUNT, N, SYSTEM),
    {0},
};

static const struct analysis_row trace_analysis = {
    .section = {"trace", "what was analysed"},
    .names = trace_names,
    .any_kernel = true,
    .state_bytes = sizeof(struct trace),
    .open = open_trace,
    .figures = trace_figures,
};

/* ---- the table ---- */

const struct analysis_row *const analysis_rows[] = {
    [TXTAP_SECTION_FINDINGS] = &findings_analysis,
    [TXTAP_SECTION_TRACE] = &trace_analysis,
    [TXTAP_SECTION_CPU] = &cpu_analysis,
    [TXTAP_SECTION_BUCKETS] = &buckets_analysis,
    [TXTAP_SECTION_WAKE] = &wake_analysis,
    [TXTAP_SECTION_JOBS] = &jobs_analysis,
    [TXTAP_SECTION_PERIOD] = &period_analysis,
    [TXTAP_SECTION_NOMINAL] = &nominal_analysis,
    [TXTAP_SECTION_BLOCKING] = &blocking_analysis,
    [TXTAP_SECTION_STACK] = &stack_analysis,
    [TXTAP_SECTION_QUEUE] = &queue_analysis,
    [TXTAP_SECTION_MUTEX] = &mutex_analysis,
    [TXTAP_SECTION_INVERSION] = &inversion_analysis,
    [TXTAP_SECTION_INTERRUPTS] = &interrupts_analysis,
    [TXTAP_SECTION_SEMAPHORE] = &semaphore_analysis,
    [TXTAP_SECTION_DEADLOCK] = &deadlock_analysis,
    [TXTAP_SECTION_POOL] = &pool_analysis,
    [TXTAP_SECTION_FLOW] = &flow_analysis,
    [TXTAP_SECTION_SWITCHES] = &switches_analysis,
    [TXTAP_SECTION_BETWEEN] = &between_analysis,
    [TXTAP_SECTION_NETWORK] = &network_analysis,
    [TXTAP_SECTION_CALLS] = &calls_analysis,
    [TXTAP_SECTION_CORES] = &cores_analysis,
    [TXTAP_SECTION_PRIORITY] = &priority_analysis,
    [TXTAP_SECTION_LIFETIME] = &lifetime_analysis,
    [TXTAP_SECTION_VALUES] = &values_analysis,
    [TXTAP_SECTIONS] = NULL,
};

const struct txtap_analysis_section *txtap_analysis_section(size_t index)
{
    for (size_t i = 0; analysis_rows[i] != NULL; i++)
        if (i == index)
            return &analysis_rows[i]->section;
    return NULL;
}

const struct check_name *check_name_find(const char *name, size_t length)
{
    for (size_t i = 0; analysis_rows[i] != NULL; i++)
        for (const struct check_name *row = analysis_rows[i]->names; row->id != TXTAP_FIGURE_NONE; row++)
            if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
                return row;
    return NULL;
}

static bool has_figure(const struct analysis_row *row, enum txtap_figure_id id)
{
    for (const struct check_name *at = row->names; at->id != TXTAP_FIGURE_NONE; at++)
        if (at->id == id)
            return true;
    return false;
}

/* Returns the sections that the check needs. For a check with a pattern, it adds the sections that list all possible
 * subjects. For threads this is the section CPU, because each thread has a share of the CPU. For other subjects these
 * are all sections. */
uint32_t txtap_check_sections(const struct txtap_check *check)
{
    uint32_t sections = check->has_pattern ? TXTAP_SECTION_BIT(TXTAP_SECTION_CPU) : 0;

    if (check->about == TXTAP_SUBJECT_VARIABLE)
        return TXTAP_SECTION_BIT(TXTAP_SECTION_VALUES);
    if (check->has_pattern && check->about != TXTAP_SUBJECT_THREAD)
        return TXTAP_SECTIONS_ALL;
    for (size_t i = 0; analysis_rows[i] != NULL; i++)
        if (has_figure(analysis_rows[i], check->id))
            sections |= TXTAP_SECTION_BIT(i);
    return sections;
}

/* Returns true if section `i` is in the set `sections`. */
static bool is_in(uint32_t sections, size_t i)
{
    return sections == 0 || (sections & TXTAP_SECTION_BIT(i)) != 0;
}

/* Adds the sections whose figures the sections in the set read. */
static uint32_t with_used(uint32_t sections)
{
    uint32_t all = sections;

    for (size_t i = 0; analysis_rows[i] != NULL; i++)
        if ((sections & TXTAP_SECTION_BIT(i)) != 0)
            all |= analysis_rows[i]->uses;
    return all;
}

struct txtap_analysis_limits txtap_analysis_limits_default(void)
{
    return (struct txtap_analysis_limits){.threads = 512, .objects = 2048, .pairs = 4096, .pages = 16384};
}

/* Allocates the model and all states from the arena. An arena without memory only measures the size. */
static void layout(struct txtap_analysis *analysis, struct arena *arena, const struct txtap_analysis_limits *limits,
                   uint32_t sections)
{
    _Alignas(ARENA_ALIGNMENT) uint8_t scratch[STATE_BYTES];
    struct histogram_page *pages;

    model_layout(&analysis->model, arena, limits->threads, limits->objects);
    pages = arena_reserve(arena, limits->pages, sizeof(*pages));
    histogram_pool_init(&analysis->pool, pages, limits->pages);
    for (size_t i = 0; analysis_rows[i] != NULL; i++) {
        const struct analysis_row *row = analysis_rows[i];
        void *state = is_in(sections, i) ? arena_take(arena, 1, row->state_bytes) : NULL;

        assert(row->state_bytes <= sizeof scratch);
        analysis->states[i] = state;
        if (row->layout != NULL && is_in(sections, i))
            row->layout(state != NULL ? state : scratch, arena, limits);
        analysis->ends[i] = arena->used;
    }
}

static bool in_range(const struct txtap_analysis_limits *limits)
{
    return limits->threads <= NUMBERS_MAX && limits->objects <= NUMBERS_MAX && limits->pairs <= NUMBERS_MAX &&
           limits->pages <= NUMBERS_MAX && limits->buckets <= NUMBERS_MAX;
}

size_t txtap_analysis_bytes(const struct txtap_analysis_limits *limits, uint32_t sections)
{
    struct txtap_analysis analysis;
    struct arena arena = {0};

    if (!in_range(limits))
        return 0;
    (void)arena_take(&arena, 1, sizeof(analysis));
    layout(&analysis, &arena, limits, with_used(sections));
    return arena.used;
}

/* Adds the locks that the user gave by address. Locks that the user gave by name are added with their objects. */
static void add_locks(struct txtap_analysis *analysis)
{
    uint32_t address;

    for (uint32_t i = 0; i < analysis->options.lock_count; i++) {
        const char *lock = analysis->options.locks[i];
        uint32_t number = digits_number(lock, strlen(lock), &address)
                              ? model_object(&analysis->model, address, TXTAP_OBJECT_SEMAPHORE)
                              : NONE;

        if (number != NONE)
            analysis->model.objects[number].lock = true;
    }
}

struct txtap_analysis *txtap_analysis_open(void *memory, const struct txtap_analysis_limits *limits,
                                           const struct txtap_analysis_options *options)
{
    struct arena arena = {.memory = memory};
    struct txtap_analysis *analysis = arena_take(&arena, 1, sizeof(*analysis));

    analysis->options = *options;
    analysis->tick_hz = options->tick_hz;
    layout(analysis, &arena, limits, with_used(options->sections));
    model_init(&analysis->model);
    analysis->model.any_wait_ends_job = options->any_wait_ends_job;
    add_locks(analysis);
    for (size_t i = 0; analysis_rows[i] != NULL; i++) {
        if (analysis->states[i] == NULL)
            continue;
        *(struct base *)analysis->states[i] =
            (struct base){&analysis->model, &analysis->pool, &analysis->options, &analysis->samples, 0};
        analysis_rows[i]->open(analysis->states[i], &analysis->model);
    }
    return analysis;
}

struct model *analysis_model(struct txtap_analysis *analysis)
{
    return &analysis->model;
}

void txtap_analysis_changes(struct txtap_analysis *analysis, struct txtap_change_sink sink)
{
    assert(analysis->listener_count < TXTAP_ANALYSIS_CHANGE_SINKS);
    change_listener_open(&analysis->listeners[analysis->listener_count++], &analysis->model, sink);
}

static void learn_locks(struct txtap_analysis *analysis, const struct txtap_registry *registry)
{
    for (size_t i = 0; i < registry->count && analysis->options.lock_count > 0; i++) {
        const struct txtap_object *object = &registry->objects[i];
        uint32_t number = table_find(&analysis->model.object_numbers, object->pointer);

        for (uint32_t j = 0; j < analysis->options.lock_count; j++)
            if (object->type == TXTAP_OBJECT_SEMAPHORE && number != NONE &&
                is_named(analysis->options.locks[j], object->pointer, object->name))
                analysis->model.objects[number].lock = true;
    }
}

/* Passes the name of the newest object at each address to the analysis. Older objects at an address do not count, as in
 * the model. */
static void learn_names(const struct analysis_row *row, void *state, const struct txtap_registry *registry)
{
    for (size_t i = 0; i < registry->count; i++)
        if (i == 0 || registry->objects[i - 1].pointer != registry->objects[i].pointer)
            row->learn(state, &registry->objects[i]);
}

void txtap_analysis_objects(struct txtap_analysis *analysis, const struct txtap_registry *registry)
{
    model_learn(&analysis->model, registry);
    learn_locks(analysis, registry);
    for (size_t i = 0; analysis_rows[i] != NULL; i++)
        if (analysis->states[i] != NULL && analysis_rows[i]->learn != NULL)
            learn_names(analysis_rows[i], analysis->states[i], registry);
}

void txtap_analysis_names(struct txtap_analysis *analysis, const struct txtap_registry *registry)
{
    analysis->model.names = registry;
}

void txtap_analysis_stacks(struct txtap_analysis *analysis, const struct txtap_stack_use *list, size_t count)
{
    analysis->model.stacks = list;
    analysis->model.stack_count = count;
}

enum txtap_status txtap_analysis_take(void *self, const struct txtap_item *item)
{
    struct txtap_analysis *analysis = self;

    if (item->kind == TXTAP_ITEM_SAMPLE && analysis->states[TXTAP_SECTION_VALUES] != NULL)
        values_take(analysis->states[TXTAP_SECTION_VALUES], &item->sample);
    model_take(&analysis->model, item);
    return TXTAP_OK;
}

void txtap_analysis_rate(struct txtap_analysis *analysis, double tick_hz)
{
    analysis->tick_hz = tick_hz;
}

void txtap_analysis_end(struct txtap_analysis *analysis)
{
    model_end(&analysis->model);
}

/* Returns true if the row may have figures: an event was taken, the kernel told the stacks, or samples need no
 * events. */
static bool has_figures(const struct txtap_analysis *analysis, const struct analysis_row *row)
{
    return analysis->model.begun || (row == &stack_analysis && analysis->model.stack_count > 0) ||
           row == &values_analysis;
}

static enum txtap_status list_all(const struct txtap_analysis *analysis, uint32_t sections, struct list *list)
{
    for (size_t i = 0; analysis_rows[i] != NULL && list->status == TXTAP_OK; i++) {
        const struct analysis_row *row = analysis_rows[i];

        list->section = row->section.name;
        list->names = row->names;
        if (has_figures(analysis, row) && (row->any_kernel || !analysis->model.other_kernel) && is_in(sections, i) &&
            analysis->states[i] != NULL)
            row->figures(analysis->states[i], list);
    }
    return list->status;
}

enum txtap_status txtap_analysis_figures(const struct txtap_analysis *analysis, uint32_t sections,
                                         struct txtap_figure_sink sink)
{
    struct list list = {.sink = sink, .model = &analysis->model, .pool = &analysis->pool, .tick_hz = analysis->tick_hz};

    return list_all(analysis, sections, &list);
}

/* ---- samples ---- */

void analysis_samples(struct txtap_analysis *analysis, struct sample_sink sink)
{
    analysis->samples = sink;
}

static enum txtap_status take_only(void *self, const struct txtap_figure *figure)
{
    *(struct txtap_figure *)self = *figure;
    return TXTAP_END;
}

bool analysis_figure_of(const struct txtap_analysis *analysis, const struct spread *samples,
                        struct txtap_figure *figure)
{
    struct list list = {
        .sink = {take_only, figure}, .model = &analysis->model, .pool = &analysis->pool, .only = samples};
    size_t offset = (size_t)((const uint8_t *)samples - (const uint8_t *)analysis), i = 0;

    while (analysis_rows[i] != NULL && offset >= analysis->ends[i])
        i++; /* the samples are in the memory of their analysis */
    return analysis_rows[i] != NULL && list_all(analysis, TXTAP_SECTION_BIT(i), &list) == TXTAP_END;
}

static uint64_t left_out(const struct txtap_analysis *analysis)
{
    uint64_t count = analysis->model.thread_numbers.left_out + analysis->model.object_numbers.left_out;

    for (size_t i = 0; analysis_rows[i] != NULL; i++)
        count += analysis->states[i] != NULL ? ((const struct base *)analysis->states[i])->left_out : 0;
    return count;
}

void txtap_analysis_summary(const struct txtap_analysis *analysis, struct txtap_analysis_summary *summary)
{
    const struct model *model = &analysis->model;
    struct doubt interrupts = core_doubt(model, RUNNING_ISR);

    *summary = (struct txtap_analysis_summary){
        .events = model->events,
        .gaps = model->gaps,
        .lost = model->lost,
        .lost_exact = model->lost_exact && !model->unsure,
        .window_ticks = model->last.ticks - model->first.ticks,
        .observed_ticks = model_observed(model),
        .uncertain_ticks = interrupts.less + interrupts.more,
        .cores = model->core_count,
        .left_out = left_out(analysis),
    };
}
