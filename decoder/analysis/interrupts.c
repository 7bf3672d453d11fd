/* SPDX-License-Identifier: MIT */
/* Interrupts that record enter and exit events: how long they take, and how often they occur. */
#include "analysis/analyses.h"

#include "base/min_max.h"

struct interrupt {
    struct spread total, own, interval; /* own: total without the time of nested interrupts */
    uint64_t entered;                   /* tick of the last enter event */
    bool has_entered;
};

struct interrupts {
    struct base base;
    struct table numbers;
    struct interrupt *of; /* index: the interrupt's number in numbers */
    uint64_t entered, nested, depth, bursts, lost;
    struct moment deepest;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct interrupts *interrupts = state;

    table_layout(&interrupts->numbers, arena, limits->threads);
    interrupts->of = arena_take(arena, limits->threads, sizeof(*interrupts->of));
}

static struct interrupt *interrupt_of(struct interrupts *interrupts, const struct change *change)
{
    bool added;
    uint32_t number = table_add(&interrupts->numbers, change->isr->number, &added);

    if (number == NONE)
        interrupts->base.left_out++;
    return number != NONE ? &interrupts->of[number] : NULL;
}

static void take_enter(void *self, const struct change *change)
{
    struct interrupts *interrupts = self;
    struct interrupt *interrupt = interrupt_of(interrupts, change);

    interrupts->entered++;
    interrupts->nested += change->count > 1;
    if (change->count > interrupts->depth) {
        interrupts->depth = change->count;
        interrupts->deepest = change->now;
    }
    if (interrupt == NULL)
        return;
    if (interrupt->has_entered)
        add_sample(&interrupts->base, &interrupt->interval, change->now.ticks - interrupt->entered, change);
    interrupt->has_entered = true;
    interrupt->entered = change->now.ticks;
}

static void take_exit(void *self, const struct change *change)
{
    struct interrupts *interrupts = self;
    struct interrupt *interrupt = interrupt_of(interrupts, change);

    if (interrupt == NULL)
        return;
    add_sample(&interrupts->base, &interrupt->total, change->ticks, change);
    add_sample(&interrupts->base, &interrupt->own, change->ticks - change->isr->nested, change);
}

static void take_burst(void *self, const struct change *change)
{
    struct interrupts *interrupts = self;

    (void)change;
    interrupts->bursts++;
}

static void take_lost(void *self, const struct change *change)
{
    struct interrupts *interrupts = self;

    interrupts->lost += change->count;
}

/* Cuts the interrupts that have not ended. Each interrupt lasts at least until now. */
static void take_gap(void *self, const struct change *change)
{
    struct interrupts *interrupts = self;
    const struct model *model = interrupts->base.model;

    for (uint32_t i = 0; i < model->core_count; i++) {
        for (uint32_t d = 0; d < min_u64(model->cores[i].depth, ISR_DEPTH_MAX); d++) {
            const struct isr_frame *frame = &model->cores[i].isr[d];
            uint32_t number = table_find(&interrupts->numbers, frame->number);

            if (number != NONE)
                cut_sample(&interrupts->base, &interrupts->of[number].total, change->now.ticks - frame->start.ticks,
                           change);
        }
    }
    for (uint32_t i = 0; i < interrupts->numbers.count; i++)
        interrupts->of[i].has_entered = false;
}

static void open(void *state, struct model *model)
{
    model_tell(model, CHANGE_ISR_ENTER, (struct change_sink){take_enter, state});
    model_tell(model, CHANGE_ISR_EXIT, (struct change_sink){take_exit, state});
    model_tell(model, CHANGE_ISR_BURST, (struct change_sink){take_burst, state});
    model_tell(model, CHANGE_ISR_LOST, (struct change_sink){take_lost, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

/* Returns the ticks of interrupts without a known number. The trace lacks the enter event or the exit event of these
 * interrupts. */
static uint64_t unattributed_ticks(const struct interrupts *interrupts)
{
    const struct model *model = interrupts->base.model;
    uint64_t all = core_ran(model, RUNNING_ISR), known = 0;

    for (uint32_t i = 0; i < interrupts->numbers.count; i++)
        known += interrupts->of[i].own.samples.sum;
    if (interrupts->lost > 0 || interrupts->bursts > 0)
        all += core_doubt(model, RUNNING_ISR).more;
    return all > known ? all - known : 0;
}

static void figures(const void *state, struct list *list)
{
    const struct interrupts *interrupts = state;
    const struct model *model = interrupts->base.model;
    uint64_t depth = interrupts->depth, unattributed = unattributed_ticks(interrupts);

    if (interrupts->entered + interrupts->bursts == 0)
        return;
    for (uint32_t i = 0; i < interrupts->numbers.count; i++) {
        const struct interrupt *interrupt = &interrupts->of[i];
        struct heading heading = {.id = TXTAP_FIGURE_ISR,
                                  .subject = list_interrupt((uint32_t)interrupts->numbers.keys[i])};

        list_spread(list, heading, TXTAP_UNIT_TICKS, &interrupt->total);
        heading.id = TXTAP_FIGURE_ISR_SELF;
        list_spread(list, heading, TXTAP_UNIT_TICKS, &interrupt->own);
        heading.id = TXTAP_FIGURE_ISR_INTERVAL;
        list_spread(list, heading, TXTAP_UNIT_TICKS, &interrupt->interval);
        heading.id = TXTAP_FIGURE_ISR_LOAD;
        if (!model->interrupts_open)
            list_share(list, heading, TXTAP_FIGURE_ISR_LOAD_TICKS, interrupt->own.samples.sum,
                       (struct doubt){0, unattributed + model_hidden_cores(model)});
    }
    list_count(list, (struct heading){.id = TXTAP_FIGURE_ISR_ENTERED}, interrupts->entered);
    if (model->interrupts_open)
        return;
    list_count(list, (struct heading){.id = TXTAP_FIGURE_ISR_NESTED}, interrupts->nested);
    list_at_least_at(list, (struct heading){.id = TXTAP_FIGURE_ISR_DEPTH}, TXTAP_UNIT_COUNT, (double)depth,
                     interrupts->deepest);
    /* These interrupts record neither an enter event nor an exit event. */
    list_count(list, (struct heading){.id = TXTAP_FIGURE_ISR_BURSTS}, interrupts->bursts);
    if (interrupts->lost > 0)
        list_count(list, (struct heading){.id = TXTAP_FIGURE_ISR_WITHOUT_EXIT}, interrupts->lost);
}

static const struct check_name names[] = {
    FIGURE(ISR, "isr", CHECK_TIME, VALUE, INTERRUPT),
    FIGURE(ISR_SELF, "isr_self", CHECK_TIME, VALUE, INTERRUPT),
    FIGURE(ISR_INTERVAL, "isr_interval", CHECK_TIME, VALUE, INTERRUPT),
    FIGURE(ISR_LOAD, "isr_load", CHECK_SHARE, VALUE, INTERRUPT),
    FIGURE(ISR_LOAD_TICKS, "isr_load_ticks", CHECK_TIME, VALUE, INTERRUPT),
    FIGURE(ISR_ENTERED, "isr_entered", CHECK_COUNT, N, SYSTEM),
    FIGURE(ISR_NESTED, "isr_nested", CHECK_COUNT, N, SYSTEM),
    FIGURE(ISR_BURSTS, "isr_bursts", CHECK_COUNT, N, SYSTEM),
    FIGURE(ISR_WITHOUT_EXIT, "isr_without_exit", CHECK_COUNT, N, SYSTEM),
    FIGURE(ISR_DEPTH, "isr_depth", CHECK_COUNT, VALUE, SYSTEM),
    {0},
};

const struct analysis_row interrupts_analysis = {
    .section = {"interrupts", "how often, and how long"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct interrupts),
    .layout = layout,
    .open = open,
    .figures = figures,
};
