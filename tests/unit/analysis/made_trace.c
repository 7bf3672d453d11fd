/* SPDX-License-Identifier: MIT */
#include "analysis/made_trace.h"
#include "txtap/inner/registry.h"

#include <criterion/criterion.h>
#include <string.h>

#define OBJECTS_MAX 32

#define THREADS_MAX 8

static struct {
    struct txtap_analysis *analysis;
    uint64_t seq;
    struct txtap_object objects[OBJECTS_MAX];
    struct txtap_registry registry;
    struct figure_list list;
    struct txtap_findings findings;
    struct {
        uint32_t thread;
        uint16_t priority;
    } priorities[THREADS_MAX];
    size_t priority_count;
    uint8_t core;
} made;

void made_begin(const struct txtap_analysis_options *options)
{
    made.analysis = figure_list_analysis(options);
    made.seq = 0;
    made.priority_count = 0;
    made.core = 0;
    txtap_registry_init(&made.registry, made.objects, OBJECTS_MAX);
}

struct txtap_analysis *made_analysis(void)
{
    return made.analysis;
}

void made_object(uint32_t address, uint8_t type, const char *name)
{
    struct txtap_object object = {.pointer = address, .type = type};

    cr_assert_lt(made.registry.count, OBJECTS_MAX);
    cr_assert(made.registry.count == 0 || made.objects[made.registry.count - 1].pointer < address);
    memcpy(object.name, name, strlen(name) + 1);
    made.objects[made.registry.count++] = object;
    txtap_analysis_objects(made.analysis, &made.registry);
}

void made_names(const struct txtap_object *objects, size_t count)
{
    txtap_registry_restore(&made.registry, objects, count);
    txtap_analysis_names(made.analysis, &made.registry);
    txtap_analysis_objects(made.analysis, &made.registry);
}

void made_priority(uint32_t thread, uint16_t priority)
{
    for (size_t i = 0; i < made.priority_count; i++)
        if (made.priorities[i].thread == thread) {
            made.priorities[i].priority = priority;
            return;
        }
    cr_assert_lt(made.priority_count, THREADS_MAX);
    made.priorities[made.priority_count].thread = thread;
    made.priorities[made.priority_count++].priority = priority;
}

void made_core(uint8_t core)
{
    made.core = core;
}

static uint16_t priority_of(uint32_t thread)
{
    for (size_t i = made.priority_count; i-- > 0;)
        if (made.priorities[i].thread == thread)
            return made.priorities[i].priority;
    return 4;
}

static void take(uint64_t ticks, enum txtap_context context, uint32_t thread, uint32_t id, const uint32_t info[4])
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT,
                              .event = {.seq = made.seq++,
                                        .ticks = ticks,
                                        .context = context,
                                        .core = made.core,
                                        .thread = thread,
                                        .id = id,
                                        .priority = context == TXTAP_CONTEXT_THREAD ? priority_of(thread) : 0,
                                        .threshold = context == TXTAP_CONTEXT_THREAD ? priority_of(thread) : 0,
                                        .info = {info[0], info[1], info[2], info[3]}}};

    txtap_analysis_take(made.analysis, &item);
}

void made_event(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4)
{
    take(ticks, TXTAP_CONTEXT_THREAD, thread, id, (const uint32_t[4]){i1, i2, i3, i4});
}

void made_interrupt(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4)
{
    take(ticks, thread != 0 ? TXTAP_CONTEXT_ISR : TXTAP_CONTEXT_IDLE, thread, id, (const uint32_t[4]){i1, i2, i3, i4});
}

void made_job(uint32_t thread, uint64_t resumed, uint64_t start, uint64_t end)
{
    made_event(resumed, MADE_TIMER, EVENT_THREAD_RESUME, thread, REASON_SLEEP, 0, MADE_TIMER);
    made_event(start, MADE_TIMER, EVENT_THREAD_SUSPEND, MADE_TIMER, REASON_SUSPENDED, 0, thread);
    made_event(end, thread, EVENT_THREAD_SUSPEND, thread, REASON_SLEEP, 0, 0);
}

void made_stacks(const struct txtap_stack_use *list, size_t count)
{
    txtap_analysis_stacks(made.analysis, list, count);
}

void made_gap(uint64_t lost)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_GAP, .gap = {.seq = made.seq, .lost = lost, .exact = true}};

    made.seq += lost;
    txtap_analysis_take(made.analysis, &item);
}

const struct figure_list *made_end(void)
{
    figure_list_end(&made.list, made.analysis); /* frees the analysis at the next trace */
    txtap_findings_collect(&made.findings, made.analysis);
    return &made.list;
}

const struct txtap_findings *made_findings(void)
{
    return &made.findings;
}

const struct txtap_figure *made_life(const char *name, uint32_t subject, uint32_t life)
{
    for (size_t i = 0; i < made.list.count; i++) {
        const struct txtap_figure *figure = &made.list.figures[i];

        if (strcmp(figure->name, name) == 0 && figure->subject.kind == TXTAP_SUBJECT_THREAD &&
            figure->subject.number == subject && figure->subject.life == life)
            return figure;
    }
    return NULL;
}

static const struct txtap_figure *find(const char *name, uint32_t subject, const uint32_t *other)
{
    for (size_t i = 0; i < made.list.count; i++) {
        const struct txtap_figure *figure = &made.list.figures[i];

        if (strcmp(figure->name, name) == 0 && figure->subject.number == subject &&
            (figure->subject.kind == TXTAP_SUBJECT_SYSTEM) == (subject == 0) &&
            (other == NULL || figure->other.number == *other))
            return figure;
    }
    return NULL;
}

const struct txtap_figure *made_figure(const char *name, uint32_t subject)
{
    return find(name, subject, NULL);
}

const struct txtap_figure *made_pair(const char *name, uint32_t subject, uint32_t other)
{
    return find(name, subject, &other);
}

double made_stat(const char *name, uint32_t subject, enum txtap_stat stat)
{
    const struct txtap_figure *figure = made_figure(name, subject);

    cr_assert_not_null(figure, "%s of 0x%x", name, (unsigned)subject);
    cr_assert(figure->stat[stat].known, "%s of 0x%x", name, (unsigned)subject);
    return figure->stat[stat].value;
}
