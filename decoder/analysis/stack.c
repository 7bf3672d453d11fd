/* SPDX-License-Identifier: MIT */
/* Stack headroom: the least free space at the moments when the thread recorded events. Between events it may be less.
 * If the kernel tells the true least free space, its value replaces the value of the events. */
#include "analysis/analyses.h"
#include "txtap/inner/stacks.h"

struct stack_thread {
    bool seen;
    uint32_t least; /* smallest number of free bytes that an event showed */
    uint32_t bytes; /* size of the stack in bytes */
    struct moment at;
    uint64_t outside;         /* number of stack pointers outside the stack */
    struct moment outside_at; /* the first of them */
};

struct stack {
    struct base base;
    struct stack_thread *threads;
    uint8_t word[STACK_IDS]; /* index: id; value: stack_word() */
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct stack *stack = state;

    stack->threads = arena_take(arena, limits->threads, sizeof(*stack->threads));
}

static void take_event(void *self, const struct change *change)
{
    struct stack *stack = self;
    const struct txtap_event *event = change->event;
    const struct thread *thread;
    struct stack_thread *of;
    uint32_t pointer, free_bytes;

    if (change->thread == NONE)
        return;
    thread = &stack->base.model->threads[change->thread];
    of = &stack->threads[change->thread];
    if (thread->stack_bytes == 0)
        return;
    pointer = event->info[stack->word[event->id] - 1];
    if (pointer == 0)
        return;                           /* the event was recorded without this word */
    free_bytes = pointer - thread->stack; /* wraps to a large number if the pointer is below the stack */
    if (free_bytes > thread->stack_bytes) {
        if (of->outside++ == 0)
            of->outside_at = change->now;
    } else if (!of->seen || of->bytes != thread->stack_bytes || free_bytes < of->least) {
        of->seen = true;
        of->least = free_bytes;
        of->bytes = thread->stack_bytes;
        of->at = change->now;
    }
}

/* Ignores events that store another value in the word that the event table labels "stack". */
unsigned stack_word(uint32_t id)
{
    const struct txtap_event_info *row = txtap_event_find(id, 0);

    if (row == NULL || id == EVENT_THREAD_CREATE || id == EVENT_THREAD_ENTRY_EXIT_NOTIFY ||
        id == EVENT_THREAD_WAIT_ABORT)
        return 0;
    for (unsigned i = 0; i < 4; i++)
        if (row->field[i].kind == TXTAP_FIELD_ADDRESS && strcmp(row->field[i].label, "stack") == 0)
            return i + 1;
    return 0;
}

static void open(void *state, struct model *model)
{
    struct stack *stack = state;

    for (uint32_t id = 1; id < STACK_IDS; id++)
        if ((stack->word[id] = (uint8_t)stack_word(id)) != 0)
            model_tell_event(model, id, (struct change_sink){take_event, state});
}

static bool is_of(const struct thread *thread, const struct txtap_stack_use *use)
{
    return use->thread == thread->address &&
           (thread->stack_bytes == 0 || (use->start == thread->stack && use->bytes == thread->stack_bytes));
}

/* Returns the stack of the thread according to the kernel; NULL: the kernel does not tell it. */
static const struct txtap_stack_use *use_of(const struct model *model, const struct thread *thread)
{
    for (size_t i = 0; i < model->stack_count; i++)
        if (is_of(thread, &model->stacks[i]))
            return &model->stacks[i];
    return NULL;
}

/* Lists what the events showed. */
static void list_events(struct list *list, struct heading heading, const struct stack_thread *of)
{
    double bytes = of->bytes, least = of->least;

    heading.id = TXTAP_FIGURE_STACK;
    list_at_most_at(list, heading, TXTAP_UNIT_PERCENT, 100 * least / bytes, of->at);
    heading.id = TXTAP_FIGURE_STACK_BYTES;
    list_at_most_at(list, heading, TXTAP_UNIT_BYTES, least, of->at);
    heading.id = TXTAP_FIGURE_STACK_SIZE;
    list_number_exact(list, heading, TXTAP_UNIT_BYTES, bytes);
    heading.id = TXTAP_FIGURE_STACK_USED;
    list_at_least_at(list, heading, TXTAP_UNIT_PERCENT, 100 * (bytes - least) / bytes, of->at);
    heading.id = TXTAP_FIGURE_STACK_USED_BYTES;
    list_at_least_at(list, heading, TXTAP_UNIT_BYTES, bytes - least, of->at);
}

/* Lists a figure of the kernel, as a number of bytes or in percent of the size. */
static void list_kernel_value(struct list *list, struct heading heading, enum txtap_unit unit, double value,
                              double lower, double upper, double size)
{
    double factor = unit == TXTAP_UNIT_PERCENT ? 100 / size : 1;
    const struct txtap_measure measure = {true, value * factor, lower * factor, upper * factor};

    heading.detail = TXTAP_STACKS_ORIGIN;
    list_between(list, heading, unit, measure, (struct txtap_place){.known = false});
}

/* Lists the kernel's value, and beside it the value that the events showed. An event after the kernel was read may show
 * a deeper use. */
static void list_kernel(struct list *list, struct heading heading, const struct stack_thread *of,
                        const struct txtap_stack_use *use)
{
    double size = use->bytes, seen = of->seen ? size - of->least : 0, used = use->used > seen ? use->used : seen;
    double most = use->exact ? used : size;

    heading.id = TXTAP_FIGURE_STACK;
    list_kernel_value(list, heading, TXTAP_UNIT_PERCENT, size - used, size - most, size - used, size);
    heading.id = TXTAP_FIGURE_STACK_BYTES;
    list_kernel_value(list, heading, TXTAP_UNIT_BYTES, size - used, size - most, size - used, size);
    heading.id = TXTAP_FIGURE_STACK_SIZE;
    list_number_exact(list, heading, TXTAP_UNIT_BYTES, size);
    heading.id = TXTAP_FIGURE_STACK_USED;
    list_kernel_value(list, heading, TXTAP_UNIT_PERCENT, used, used, most, size);
    heading.id = TXTAP_FIGURE_STACK_USED_BYTES;
    list_kernel_value(list, heading, TXTAP_UNIT_BYTES, used, used, most, size);
    heading.id = TXTAP_FIGURE_STACK_SEEN_BYTES;
    if (of->seen)
        list_at_least_at(list, heading, TXTAP_UNIT_BYTES, seen, of->at);
}

/* Lists the stacks of threads that are not in the trace. */
static void list_others(struct list *list, const struct model *model)
{
    static const struct stack_thread unseen;

    for (size_t i = 0; i < model->stack_count; i++) {
        const struct txtap_stack_use *use = &model->stacks[i];
        struct heading heading = {.subject = list_number(TXTAP_SUBJECT_THREAD, use->thread)};
        uint32_t at = 0;

        while (at < model->thread_numbers.count && !is_of(&model->threads[at], use))
            at++;
        if (at < model->thread_numbers.count)
            continue;
        heading.subject.type = TXTAP_OBJECT_THREAD;
        heading.subject.life = 1;
        heading.subject.name = use->name;
        list_kernel(list, heading, &unseen, use);
    }
}

static void figures(const void *state, struct list *list)
{
    const struct stack *stack = state;
    const struct model *model = stack->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct stack_thread *of = &stack->threads[i];
        const struct txtap_stack_use *use = use_of(model, &model->threads[i]);
        struct heading heading = {.subject = list_thread(model, i)};

        if (use != NULL && (!of->seen || of->bytes == use->bytes))
            list_kernel(list, heading, of, use);
        else if (of->seen)
            list_events(list, heading, of);
        heading.id = TXTAP_FIGURE_STACK_OUTSIDE;
        if (of->outside > 0)
            list_count_at(list, heading, of->outside, of->outside_at);
    }
    list_others(list, model);
}

static const struct check_name names[] = {
    FIGURE(STACK, "stack", CHECK_SHARE, VALUE, THREAD),
    FIGURE(STACK_BYTES, "stack_bytes", CHECK_BYTES, VALUE, THREAD),
    FIGURE(STACK_SIZE, "stack_size", CHECK_BYTES, VALUE, THREAD),
    FIGURE(STACK_USED, "stack_used", CHECK_SHARE, VALUE, THREAD),
    FIGURE(STACK_USED_BYTES, "stack_used_bytes", CHECK_BYTES, VALUE, THREAD),
    FIGURE(STACK_SEEN_BYTES, "stack_seen_bytes", CHECK_BYTES, VALUE, THREAD),
    FIGURE(STACK_OUTSIDE, "stack_outside", CHECK_COUNT, N, THREAD),
    {0},
};

const struct analysis_row stack_analysis = {
    .section = {"stack", "stack use, by the kernel or at the events"},
    .names = names,
    .state_bytes = sizeof(struct stack),
    .layout = layout,
    .open = open,
    .figures = figures,
};
