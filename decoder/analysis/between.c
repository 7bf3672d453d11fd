/* SPDX-License-Identifier: MIT */
/* Intervals from an event to the next occurrence of another event, in the same thread or with the same data word. */
#include "analysis/analyses.h"

struct interval {
    struct spread durations;
    uint64_t unfinished; /* intervals whose start event occurred again before their end event */
};

struct start {
    bool open;
    uint64_t ticks;
};

struct between {
    struct base base;
    struct interval intervals[TXTAP_ANALYSIS_BETWEEN_MAX];
    struct table keys; /* keys: number of the interval, and the thread or the data word */
    struct start *starts;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct between *between = state;

    table_layout(&between->keys, arena, limits->pairs);
    between->starts = arena_take(arena, limits->pairs, sizeof(*between->starts));
}

static uint32_t key_of(const struct txtap_between *of, const struct change *change)
{
    return of->word < 4 ? change->event->info[of->word] : change->thread;
}

static void begin(struct between *between, uint32_t number, const struct change *change)
{
    uint32_t key = key_of(&between->base.options->between[number], change), at;
    bool added;

    at = table_add(&between->keys, table_pair(number, key), &added);
    if (at == NONE) {
        between->base.left_out++;
        return;
    }
    between->intervals[number].unfinished += between->starts[at].open;
    between->starts[at] = (struct start){true, change->now.ticks};
}

static void end(struct between *between, uint32_t number, const struct change *change)
{
    uint32_t key = key_of(&between->base.options->between[number], change);
    uint32_t at = table_find(&between->keys, table_pair(number, key));

    if (at == NONE || !between->starts[at].open)
        return;
    between->starts[at].open = false;
    add_sample(&between->base, &between->intervals[number].durations, change->now.ticks - between->starts[at].ticks,
               change);
}

static void take_event(void *self, const struct change *change)
{
    struct between *between = self;
    const struct txtap_analysis_options *options = between->base.options;

    for (uint32_t i = 0; i < options->between_count; i++) {
        if (change->event->id == options->between[i].to)
            end(between, i, change);
        if (change->event->id == options->between[i].from)
            begin(between, i, change);
    }
}

/* Cuts the open intervals at the gap. Each interval lasts at least until now. */
static void take_gap(void *self, const struct change *change)
{
    struct between *between = self;

    for (uint32_t i = 0; i < between->keys.count; i++) {
        struct start *start = &between->starts[i];

        if (start->open)
            cut_sample(&between->base, &between->intervals[between->keys.keys[i] >> 32].durations,
                       change->now.ticks - start->ticks, change);
        start->open = false;
    }
}

static void open(void *state, struct model *model)
{
    const struct between *between = state;

    if (between->base.options->between_count == 0)
        return;
    model_tell(model, CHANGE_EVENT, (struct change_sink){take_event, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

static void figures(const void *state, struct list *list)
{
    const struct between *between = state;
    const struct txtap_analysis_options *options = between->base.options;

    for (uint32_t i = 0; i < options->between_count; i++) {
        struct heading heading = {.id = TXTAP_FIGURE_BETWEEN,
                                  .subject = list_number(TXTAP_SUBJECT_EVENT, options->between[i].from),
                                  .other = list_number(TXTAP_SUBJECT_EVENT, options->between[i].to)};

        list_spread(list, heading, TXTAP_UNIT_TICKS, &between->intervals[i].durations);
        heading.id = TXTAP_FIGURE_BETWEEN_UNFINISHED;
        if (between->intervals[i].unfinished > 0)
            list_count(list, heading, between->intervals[i].unfinished);
    }
}

static const struct check_name names[] = {
    FIGURE(BETWEEN, "between", CHECK_TIME, VALUE, EVENT),
    FIGURE(BETWEEN_UNFINISHED, "between_unfinished", CHECK_COUNT, N, EVENT),
    {0},
};

const struct analysis_row between_analysis = {
    .section = {"between", "intervals between events"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct between),
    .layout = layout,
    .open = open,
    .figures = figures,
};
