/* SPDX-License-Identifier: MIT */
#include "rows/rows_walk.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ---- spans ---- */

static struct walk_span *open_span(struct walk *walk, enum txtap_row_kind kind, uint32_t number)
{
    for (size_t i = walk->count; i-- > 0;)
        if (walk->spans[i].open && walk->spans[i].kind == kind && walk->spans[i].number == number)
            return &walk->spans[i];
    return NULL;
}

static void add(struct walk *walk, struct walk_span span)
{
    if (walk->count == walk->room) {
        walk->room = walk->room * 2 + 64;
        walk->spans = realloc(walk->spans, walk->room * sizeof *walk->spans);
        cr_assert_not_null(walk->spans);
    }
    walk->spans[walk->count++] = span;
}

/* Ends the row's current span with the beginning of the next span. */
static void begin(struct walk *walk, struct walk_span span)
{
    struct walk_span *before = open_span(walk, span.kind, span.number);

    if (before != NULL) {
        before->to = span.from;
        before->open = false;
    }
    span.open = true;
    span.to = UINT64_MAX;
    add(walk, span);
}

static void close_all(struct walk *walk, uint64_t ticks)
{
    for (size_t i = 0; i < walk->count; i++) {
        if (walk->spans[i].open)
            walk->spans[i].to = ticks;
        walk->spans[i].open = false;
    }
}

/* ---- changes ---- */

static void take_state(struct walk *walk, const struct txtap_change *change)
{
    const struct txtap_change_state *state = &change->state;
    struct walk_span span = {.kind = TXTAP_ROW_THREAD,
                             .number = state->thread.number,
                             .from = change->ticks,
                             .state = (enum txtap_row_state)state->state,
                             .reason = (uint8_t)state->reason,
                             .value = state->object.number};
    struct walk_span *before = open_span(walk, span.kind, span.number);

    if (change->kind == TXTAP_CHANGE_STATE) {
        begin(walk, span);
        return;
    }
    cr_assert(before == NULL || before->state == TXTAP_ROW_UNKNOWN);
    span.from = state->since;
    begin(walk, span);
}

static void show_core(struct walk *walk, const struct txtap_change *change, uint32_t number)
{
    static const enum txtap_row_state shown[] = {TXTAP_ROW_UNKNOWN, TXTAP_ROW_IS_IDLE, TXTAP_ROW_IN_INIT,
                                                 TXTAP_ROW_IN_ISR, TXTAP_ROW_RUNNING};
    enum txtap_row_state state = shown[walk->what[change->core]];
    struct walk_span span = {.kind = TXTAP_ROW_CORE, .number = change->core, .from = change->ticks, .state = state};

    span.value = number;
    begin(walk, span);
    span.kind = TXTAP_ROW_IDLE;
    span.value = TXTAP_CHANGE_NONE;
    span.state = state == TXTAP_ROW_UNKNOWN || state == TXTAP_ROW_IS_IDLE ? state : TXTAP_ROW_OFF;
    begin(walk, span);
}

static void take_run(struct walk *walk, const struct txtap_change *change)
{
    uint32_t depth = walk->depth[change->core];

    walk->what[change->core] = change->run.what;
    show_core(walk, change,
              change->run.what == TXTAP_RUNNING_THREAD             ? change->run.thread.number
              : change->run.what == TXTAP_RUNNING_ISR && depth > 0 ? walk->isr[change->core][depth - 1]
                                                                   : TXTAP_CHANGE_NONE);
}

static bool is_entered(const struct walk *walk, uint32_t number, bool *on_top)
{
    bool any = false;

    *on_top = false;
    for (size_t core = 0; core < 8; core++)
        for (uint32_t i = 0; i < walk->depth[core]; i++) {
            any = any || walk->isr[core][i] == number;
            *on_top = *on_top || (walk->isr[core][i] == number && i + 1 == walk->depth[core]);
        }
    return any;
}

/* For each interrupt seen so far, begins a span with the interrupt's current state. */
static void show_interrupts(struct walk *walk, uint64_t ticks)
{
    size_t count = walk->count;

    for (size_t i = 0; i < count; i++) {
        struct walk_span span = walk->spans[i];
        bool on_top, entered = is_entered(walk, span.number, &on_top);

        if (span.kind != TXTAP_ROW_INTERRUPT || (!span.open && open_span(walk, span.kind, span.number) != NULL))
            continue;
        span.from = ticks;
        span.state = on_top ? TXTAP_ROW_IN_ISR : entered ? TXTAP_ROW_INTERRUPTED : TXTAP_ROW_OFF;
        if (walk->spans[i].state != span.state || !walk->spans[i].open)
            begin(walk, span);
    }
}

static void take_isr(struct walk *walk, const struct txtap_change *change)
{
    uint32_t *depth = &walk->depth[change->core];
    struct walk_span span = {.kind = TXTAP_ROW_INTERRUPT, .number = change->isr.number, .value = TXTAP_CHANGE_NONE};

    if (change->kind == TXTAP_CHANGE_ISR_EXIT) {
        *depth = change->isr.depth - 1;
    } else {
        walk->isr[change->core][change->isr.depth - 1] = change->isr.number;
        *depth = change->isr.depth;
        if (open_span(walk, span.kind, span.number) == NULL) {
            span.from = walk->first;
            span.state = TXTAP_ROW_OFF;
            begin(walk, span);
        }
    }
    show_interrupts(walk, change->ticks);
    if (walk->what[change->core] == TXTAP_RUNNING_ISR)
        show_core(walk, change, *depth > 0 ? walk->isr[change->core][*depth - 1] : TXTAP_CHANGE_NONE);
}

static void take_counter(struct walk *walk, const struct txtap_change *change)
{
    const struct txtap_change_counter *counter = &change->counter;
    bool held = counter->known && counter->value > 0;
    struct walk_span span = {
        .number = counter->object.number, .from = change->ticks, .value = counter->known ? counter->value : UINT32_MAX};

    span.kind = counter->object.type == TXTAP_OBJECT_QUEUE        ? TXTAP_ROW_QUEUE
                : counter->object.type == TXTAP_OBJECT_SEMAPHORE  ? TXTAP_ROW_SEMAPHORE
                : counter->object.type == TXTAP_OBJECT_BLOCK_POOL ? TXTAP_ROW_BLOCK_POOL
                : counter->object.type == TXTAP_OBJECT_BYTE_POOL  ? TXTAP_ROW_BYTE_POOL
                                                                  : TXTAP_ROW_MUTEX;
    if (span.kind == TXTAP_ROW_MUTEX) {
        span.state = !counter->known ? TXTAP_ROW_UNKNOWN : held ? TXTAP_ROW_HELD : TXTAP_ROW_OFF;
        span.reason = held ? (uint8_t)counter->value : 0;
        span.value = held ? counter->owner.number : TXTAP_CHANGE_NONE;
    }
    begin(walk, span);
}

static void take_gap(struct walk *walk, uint64_t ticks)
{
    close_all(walk, ticks);
    memset(walk->depth, 0, sizeof walk->depth);
    memset(walk->what, 0, sizeof walk->what);
    walk->first = UINT64_MAX; /* until the first change is known */
}

enum txtap_status walk_take(void *self, const struct txtap_change *change)
{
    struct walk *walk = self;

    if (change->kind == TXTAP_CHANGE_EVENT && walk->first == UINT64_MAX)
        walk->events++; /* an event in a gap */
    else if (change->kind == TXTAP_CHANGE_EVENT)
        walk->events++;
    if (!walk->begun)
        walk->first = change->ticks;
    walk->begun = true;
    walk->last = change->ticks > walk->last ? change->ticks : walk->last;
    switch (change->kind) {
    case TXTAP_CHANGE_RUN:
        take_run(walk, change);
        break;
    case TXTAP_CHANGE_STATE:
    case TXTAP_CHANGE_PAST:
        take_state(walk, change);
        break;
    case TXTAP_CHANGE_ISR_ENTER:
    case TXTAP_CHANGE_ISR_EXIT:
        take_isr(walk, change);
        break;
    case TXTAP_CHANGE_COUNTER:
        take_counter(walk, change);
        break;
    case TXTAP_CHANGE_GAP:
        take_gap(walk, change->ticks);
        break;
    case TXTAP_CHANGE_GAP_END:
        walk->first = change->ticks;
        show_interrupts(walk, change->ticks);
        break;
    case TXTAP_CHANGE_END:
        close_all(walk, change->ticks);
        break;
    default:
        break;
    }
    return TXTAP_OK;
}

void walk_end(struct walk *walk)
{
    free(walk->spans);
    *walk = (struct walk){0};
}

/* ---- questions ---- */

static uint64_t overlap(const struct walk_span *span, uint64_t from, uint64_t to)
{
    uint64_t begin = span->from > from ? span->from : from, end = span->to < to ? span->to : to;

    return begin < end ? end - begin : 0;
}

uint64_t walk_sum(const struct walk *walk, const struct txtap_row *row, enum txtap_row_state state, uint64_t from,
                  uint64_t to)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < walk->count; i++)
        if (walk->spans[i].kind == row->kind && walk->spans[i].number == row->number && walk->spans[i].state == state)
            sum += overlap(&walk->spans[i], from, to);
    return sum;
}

const struct walk_span *walk_at(const struct walk *walk, const struct txtap_row *row, uint64_t ticks)
{
    for (size_t i = walk->count; i-- > 0;) {
        const struct walk_span *span = &walk->spans[i];

        if (span->kind == row->kind && span->number == row->number && span->from <= ticks && ticks < span->to)
            return span;
    }
    return NULL;
}
