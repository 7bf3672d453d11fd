/* SPDX-License-Identifier: MIT */
#include "instances/instance_check.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/instances.h"

struct series {
    struct txtap_figure figure;
    uint64_t n, sum, min, max, cut;
    uint64_t last; /* event of the last instance */
};

bool instance_check_untyped;

static struct txtap_instances instances;
static struct series series[FIGURES_MAX];
static uint64_t taken;

static bool open(void *self, uint32_t number, const struct txtap_figure *figure)
{
    (void)self;
    cr_assert_lt(number, FIGURES_MAX);
    series[number] = (struct series){.figure = *figure};
    return txtap_instances_exist(figure->id);
}

/* Checks what does not depend on figures: an instance of a time ends `value` ticks after its start, or has the start
 * and the parts of its job. */
static void check_times(const struct txtap_instance *instance, const struct txtap_figure *figure)
{
    uint64_t length = instance->end - instance->start, parts = 0;

    cr_assert_leq(instance->start, instance->end);
    cr_assert_leq(instance->start_seq, instance->seq);
    for (unsigned i = 0; i < TXTAP_INSTANCE_PARTS; i++)
        parts += instance->parts[i];
    if (instance->has_parts)
        cr_assert_eq(parts, length, "%s: parts %lu, length %lu", figure->name, parts, length);
    if (figure->id == TXTAP_FIGURE_RESPONSE || figure->id == TXTAP_FIGURE_BLOCK || figure->id == TXTAP_FIGURE_HOLD ||
        figure->id == TXTAP_FIGURE_ISR || figure->id == TXTAP_FIGURE_READY)
        cr_assert_eq(instance->value, length, "%s: value %lu, length %lu", figure->name, instance->value, length);
    if (figure->id == TXTAP_FIGURE_RUN && instance->has_parts)
        cr_assert_eq(instance->value, instance->parts[TXTAP_INSTANCE_RUN]);
}

static void take(void *self, const struct txtap_instance *instance)
{
    struct series *of = &series[instance->series];

    (void)self;
    taken++;
    check_times(instance, &of->figure);
    cr_assert_geq(instance->seq, of->last);
    of->last = instance->seq;
    if (instance->kind != TXTAP_INSTANCE_COMPLETE) {
        of->cut++;
        return;
    }
    of->min = of->n == 0 || instance->value < of->min ? instance->value : of->min;
    of->max = instance->value > of->max ? instance->value : of->max;
    of->sum += instance->value;
    of->n++;
}

void instance_check_begin(struct txtap_analysis *analysis)
{
    taken = 0;
    txtap_instances_open(&instances, analysis, (struct txtap_instance_sink){open, take, NULL});
}

/* Returns the series of the figure. Its subject may have become one of several threads at its address since then. */
static const struct series *series_of(const struct txtap_figure *figure)
{
    static const struct series none;

    for (uint32_t i = 0; i < instances.series_count; i++) {
        const struct txtap_figure *of = &series[i].figure;

        if (of->samples != figure->samples)
            continue;
        cr_assert(of->id == figure->id && of->subject.kind == figure->subject.kind &&
                  of->subject.number == figure->subject.number && of->other.kind == figure->other.kind &&
                  of->other.number == figure->other.number && strcmp(of->detail, figure->detail) == 0);
        return &series[i];
    }
    return &none;
}

static void check_number(const struct txtap_figure *figure, enum txtap_stat stat, uint64_t expected)
{
    double value = figure->stat[stat].known ? figure->stat[stat].value : 0;

    cr_assert_eq((uint64_t)value, expected, "%s(%x) %s.%s: %g, but the instances have %lu", figure->name,
                 (unsigned)figure->subject.number, figure->detail, txtap_stat_name(stat), value, expected);
}

void instance_check_end(const struct figure_list *list)
{
    size_t found = 0;

    cr_assert(instances.left_out == 0 || instance_check_untyped);
    for (size_t i = 0; i < list->count; i++) {
        const struct txtap_figure *figure = &list->figures[i];
        const struct series *of = series_of(figure);

        if (!txtap_instances_exist(figure->id) || figure->samples == NULL)
            continue;
        found += of->n + of->cut > 0;
        check_number(figure, TXTAP_STAT_N, of->n);
        check_number(figure, TXTAP_STAT_MIN, of->min);
        check_number(figure, TXTAP_STAT_MAX, of->max);
        check_number(figure, TXTAP_STAT_SUM, of->sum);
        cr_assert_eq(figure->censored, of->cut);
    }
    cr_assert_eq(found, instances.series_count, "%zu figures, %u series", found, (unsigned)instances.series_count);
}

uint64_t instance_check_count(void)
{
    return taken;
}
