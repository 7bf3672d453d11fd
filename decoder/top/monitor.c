/* SPDX-License-Identifier: MIT */
/* A monitor's life: its memory, the rate of time, resets. */
#include "top/monitor.h"

#include <string.h>

#include "analysis/analyses.h"

/* The monitor itself comes first. */
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
    top->load_max = TXTAP_TOP_UNKNOWN;
    monitor_listen(top, analysis_model(analysis));
    return top;
}

/* Slices of another length: the old ones say nothing about the new ones. */
static void clear_slices(struct txtap_top *top)
{
    for (size_t i = 0; i < top->model->thread_numbers.capacity; i++)
        memset(&top->threads[i].slices, 0, sizeof top->threads[i].slices);
    for (size_t i = 0; i < MONITOR_INTERRUPTS; i++)
        memset(&top->interrupts[i].slices, 0, sizeof top->interrupts[i].slices);
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
    top->newest = top->model->last.ticks / top->slice_ticks;
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
    memset(top->objects, 0, top->model->object_numbers.capacity * sizeof *top->objects);
    top->pool.used = 0;
    top->load_max = TXTAP_TOP_UNKNOWN;
    top->nesting = 0;
    top->gap = false;
}

double monitor_load(const struct txtap_top *top, uint64_t first, uint64_t last)
{
    uint64_t ticks = slices_sum(&top->system, first, last, SLICE_TICKS);

    if (ticks == 0)
        return TXTAP_TOP_UNKNOWN;
    return 100 - 100 * (double)slices_sum(&top->system, first, last, SLICE_IDLE) / (double)ticks;
}
