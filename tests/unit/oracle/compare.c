/* SPDX-License-Identifier: MIT */
#include "oracle/compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "txtap/registry.h"

/* The figures that the truth also computes. */
static const struct {
    const char *name;
    enum truth_kind kind;
} covered[] = {
    {"window", TRUTH_VALUE},
    {"load_ticks", TRUTH_SHARE},
    {"idle_ticks", TRUTH_SHARE},
    {"interrupts_ticks", TRUTH_SHARE},
    {"init_ticks", TRUTH_SHARE},
    {"cpu_ticks", TRUTH_SHARE},
    {"time_ticks", TRUTH_SHARE},
    {"wake", TRUTH_SPREAD},
    {"first_run", TRUTH_SPREAD},
    {"ready", TRUTH_SPREAD},
    {"woken_by", TRUTH_VALUE},
    {"wake_by", TRUTH_SPREAD},
    {"run", TRUTH_SPREAD},
    {"response", TRUTH_SPREAD},
    {"response_ready", TRUTH_SPREAD},
    {"response_interrupted", TRUTH_SPREAD},
    {"response_mutex", TRUTH_SPREAD},
    {"turns", TRUTH_SPREAD},
    {"block", TRUTH_SPREAD},
    {"waits", TRUTH_SPREAD},
    {"depth", TRUTH_VALUE},
    {"full", TRUTH_VALUE},
    {"empty", TRUTH_VALUE},
    {"sends", TRUTH_VALUE},
    {"receives", TRUTH_VALUE},
    {"send_blocked", TRUTH_VALUE},
    {"receive_blocked", TRUTH_VALUE},
    {"handed_over", TRUTH_VALUE},
    {"send_failed", TRUTH_VALUE},
    {"receive_failed", TRUTH_VALUE},
    {"hold", TRUTH_SPREAD},
    {"wait", TRUTH_SPREAD},
    {"gets", TRUTH_VALUE},
    {"puts", TRUTH_VALUE},
    {"contended", TRUTH_VALUE},
    {"recursive", TRUTH_VALUE},
    {"failed_gets", TRUTH_VALUE},
    {"timeouts", TRUTH_VALUE},
    {"inversion", TRUTH_SPREAD},
    {"inversions", TRUTH_VALUE},
    {"unbounded", TRUTH_VALUE},
    {"unbounded_ticks", TRUTH_VALUE},
    {"unbounded_by", TRUTH_VALUE},
    {"isr", TRUTH_SPREAD},
    {"isr_self", TRUTH_SPREAD},
    {"isr_interval", TRUTH_SPREAD},
    {"isr_entered", TRUTH_VALUE},
    {"isr_nested", TRUTH_VALUE},
    {"isr_depth", TRUTH_VALUE},
    {"count", TRUTH_VALUE},
    {"sets", TRUTH_VALUE},
    {"get_blocked", TRUTH_VALUE},
    {"get_at_once", TRUTH_VALUE},
    {"put_woke", TRUTH_VALUE},
    {"set_woke", TRUTH_VALUE},
    {"woken", TRUTH_VALUE},
    {"timeout_wait", TRUTH_SPREAD},
    {"put_failed", TRUTH_VALUE},
    {"deadlock", TRUTH_OCCURRENCES},
    {"deadlock_for_ever", TRUTH_VALUE},
    {"deadlock_member", TRUTH_VALUE},
    {"available", TRUTH_VALUE},
    {"allocations", TRUTH_VALUE},
    {"releases", TRUTH_VALUE},
    {"alloc_failed", TRUTH_VALUE},
    {"alloc_blocked", TRUTH_VALUE},
    {"flow", TRUTH_VALUE},
    {"flow_blocked", TRUTH_VALUE},
    {"flow_failed", TRUTH_VALUE},
    {"flow_timeouts", TRUTH_VALUE},
    {"switches", TRUTH_VALUE},
    {"switches_to_thread", TRUTH_VALUE},
    {"switches_to_idle", TRUTH_VALUE},
    {"preemptions", TRUTH_VALUE},
    {"time_slices", TRUTH_VALUE},
    {"time_slice_switches", TRUTH_VALUE},
    {"relinquish_switches", TRUTH_VALUE},
    {"resumes_done", TRUTH_VALUE},
    {"suspends_done", TRUTH_VALUE},
    {"events", TRUTH_VALUE},
    {"suspended", TRUTH_VALUE},
    {"resumed", TRUTH_VALUE},
    {"preempted", TRUTH_VALUE},
    {"displaced", TRUTH_VALUE},
    {"calls", TRUTH_VALUE},
    {"life", TRUTH_SPREAD},
    {"threshold_changes", TRUTH_VALUE},
    {"core_busy_ticks", TRUTH_SHARE},
    {"core_idle_ticks", TRUTH_SHARE},
    {"cores_busy_ticks", TRUTH_SHARE},
};

#define COVERED (sizeof(covered) / sizeof(*covered))

struct comparison {
    const struct compare_options *options;
    struct difference *differences;
    size_t max, count;
};

/*
 * Returns true for figures that unrecorded interrupts change. Such an interrupt takes time from the context that it
 * interrupts, and no event shows it.
 */
static bool depends_on_interrupts(const char *name)
{
    static const char *const names[] = {"wake",
                                        "ready",
                                        "wake_by",
                                        "first_run",
                                        "turns",
                                        "switches",
                                        "preemptions",
                                        "preempted",
                                        "displaced",
                                        "switches_to_thread",
                                        "switches_to_idle",
                                        "time_slice_switches",
                                        "relinquish_switches",
                                        "run",
                                        "time_ticks"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "response", 8) == 0 || strncmp(name, "unbounded", 9) == 0;
}

/* Returns true if only bounds of the figure are certain: with several cores, if it depends on the context of a core. */
static bool is_vague(const struct comparison *to, const char *name)
{
    return to->options->several_cores &&
           (depends_on_interrupts(name) || strcmp(name, "time_slices") == 0 || strcmp(name, "cpu_ticks") == 0);
}

/*
 * Returns true for figures that the report may lack. It lists the threads that displaced or delayed a thread only if
 * the trace shows them.
 */
static bool may_be_absent(const struct comparison *to, const char *name)
{
    return to->options->several_cores ? strcmp(name, "displaced") == 0 || strcmp(name, "unbounded_by") == 0
                                      /* with a single core, the report has no figures of cores */
                                      : strncmp(name, "core", 4) == 0;
}

static bool is_covered(const struct comparison *to, const char *name)
{
    if (!to->options->exact_shares && depends_on_interrupts(name))
        return false;
    for (size_t i = 0; i < COVERED; i++)
        if (strcmp(covered[i].name, name) == 0)
            return true;
    return false;
}

static enum truth_kind kind_of(const struct txtap_figure *figure)
{
    for (size_t i = 0; i < COVERED; i++)
        if (strcmp(covered[i].name, figure->name) == 0)
            return strcmp(figure->name, "inversion") == 0 && figure->subject.kind == TXTAP_SUBJECT_SYSTEM
                       ? TRUTH_OCCURRENCES
                       : covered[i].kind;
    return TRUTH_VALUE;
}

static void differ(struct comparison *to, const char *name, const char *detail, const struct txtap_subject *of,
                   const struct txtap_subject *other, const char *format, ...)
{
    struct difference *difference = &to->differences[to->count];
    va_list arguments;
    int length;

    if (to->count++ >= to->max)
        return;
    difference->name = name;
    length = snprintf(difference->text, sizeof(difference->text), "%s of %x, %x '%s': ", name, (unsigned)of->number,
                      (unsigned)other->number, detail);
    va_start(arguments, format);
    (void)vsnprintf(difference->text + length, sizeof(difference->text) - (size_t)length, format, arguments);
    va_end(arguments);
}

static void check(struct comparison *to, const struct txtap_figure *figure, enum txtap_stat stat, double truth,
                  bool exact)
{
    const struct txtap_measure *measure = &figure->stat[stat];

    if (!measure->known && to->options->gaps)
        return;
    if (!measure->known)
        differ(to, figure->name, figure->detail, &figure->subject, &figure->other, "no %s, truly %g",
               txtap_stat_name(stat), truth);
    else if (measure->lower > truth || measure->upper < truth)
        differ(to, figure->name, figure->detail, &figure->subject, &figure->other, "%s in [%g, %g], truly %g",
               txtap_stat_name(stat), measure->lower, measure->upper, truth);
    else if (exact && (measure->value != truth || measure->lower != measure->upper))
        differ(to, figure->name, figure->detail, &figure->subject, &figure->other, "%s is %g [%g, %g], truly %g",
               txtap_stat_name(stat), measure->value, measure->lower, measure->upper, truth);
}

static void check_share(struct comparison *to, const struct txtap_figure *figure, double truth, uint64_t doubt)
{
    const struct txtap_measure *measure = &figure->stat[TXTAP_STAT_VALUE];
    bool exact = to->options->exact_shares && !to->options->gaps && !to->options->several_cores;

    check(to, figure, TXTAP_STAT_VALUE, truth, false);
    if (strcmp(figure->name, "time_ticks") ==
        0) /* a thread's state is unknown before its creation or its first event */
        doubt = UINT64_MAX;
    if (exact && (measure->value != truth || measure->upper - measure->lower > (double)doubt))
        differ(to, figure->name, figure->detail, &figure->subject, &figure->other, "%g [%g, %g], truly %g",
               measure->value, measure->lower, measure->upper, truth);
}

static void check_spread(struct comparison *to, const struct txtap_figure *figure, const struct truth_figure *truth,
                         bool occurrences)
{
    bool exact = !to->options->gaps && !is_vague(to, figure->name);
    uint64_t longest = truth->max > truth->cut_longest ? truth->max : truth->cut_longest;

    if (to->options->gaps && truth->n + truth->cut == 0 && figure->stat[TXTAP_STAT_N].value == 0)
        return;
    check(to, figure, TXTAP_STAT_N, (double)(truth->n + (occurrences ? truth->cut : 0)), exact);
    if (truth->n > 0 || figure->stat[TXTAP_STAT_SUM].known) {
        check(to, figure, TXTAP_STAT_SUM, (double)truth->sum, exact);
        check(to, figure, TXTAP_STAT_MIN, (double)truth->min, exact);
    }
    if (truth->n + truth->cut > 0 || figure->stat[TXTAP_STAT_MAX].known)
        check(to, figure, TXTAP_STAT_MAX, (double)longest, exact && truth->cut == 0);
    if (exact && truth->cut != figure->censored)
        differ(to, figure->name, figure->detail, &figure->subject, &figure->other, "%u censored, truly %u",
               (unsigned)figure->censored, (unsigned)truth->cut);
}

static struct txtap_subject bare(const struct txtap_subject *of)
{
    return (struct txtap_subject){.kind = of->kind, .number = of->number};
}

static bool same(const struct txtap_subject *a, const struct txtap_subject *b)
{
    return a->kind == b->kind && a->number == b->number;
}

static void join(struct txtap_measure *to, const struct txtap_measure *from, enum txtap_stat stat)
{
    if (!from->known)
        return;
    if (!to->known) {
        *to = *from;
    } else if (stat == TXTAP_STAT_MIN) {
        to->value = fmin(to->value, from->value);
        to->lower = fmin(to->lower, from->lower);
        to->upper = fmin(to->upper, from->upper);
    } else if (stat == TXTAP_STAT_MAX) {
        to->value = fmax(to->value, from->value);
        to->lower = fmax(to->lower, from->lower);
        to->upper = fmax(to->upper, from->upper);
    } else {
        to->value += from->value;
        to->lower += from->lower;
        to->upper += from->upper;
    }
}

/*
 * Makes the minimum infinite if it is possible that the figure has no sample. Such a figure must not lower the minimum
 * of several figures.
 */
static void forget_unless_sure(struct txtap_figure *figure)
{
    if (figure->stat[TXTAP_STAT_N].lower == 0)
        figure->stat[TXTAP_STAT_MIN].upper = (double)INFINITY;
}

/*
 * The comparison ignores some properties of figures. Adds up all figures that differ only in these properties. Returns
 * true if the sum of an earlier figure already includes figure `number`.
 */
static bool is_repeated(const struct figure_list *list, size_t number, struct txtap_figure *sum)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct txtap_figure *figure = &list->figures[i];
        struct txtap_figure other = *figure;

        if (strcmp(figure->name, sum->name) != 0 || strcmp(figure->detail, sum->detail) != 0 ||
            !same(&figure->subject, &sum->subject) || !same(&figure->other, &sum->other) || i == number)
            continue;
        if (i < number)
            return true;
        sum->censored += figure->censored;
        forget_unless_sure(sum);
        forget_unless_sure(&other);
        for (unsigned stat = 0; stat < TXTAP_STATS; stat++)
            join(&sum->stat[stat], &other.stat[stat], (enum txtap_stat)stat);
    }
    return false;
}

static bool is_unknown(const struct txtap_subject *of)
{
    return of->kind == TXTAP_SUBJECT_UNKNOWN || (of->kind == TXTAP_SUBJECT_INTERRUPT && of->number == UINT32_MAX);
}

/* Returns true if the events show only bounds of the figure. The event of a get of event flags does not show whether
 * the get would have waited. */
static bool is_bounded(const struct txtap_figure *figure)
{
    return strncmp(figure->name, "unbounded", 9) == 0 ||
           (strcmp(figure->name, "flow_failed") == 0 && figure->subject.type == TXTAP_OBJECT_EVENT_FLAGS);
}

static void check_figure(struct comparison *to, struct truth *truth, const struct figure_list *list, size_t number)
{
    static const struct truth_figure never;
    struct txtap_figure figure = list->figures[number];
    struct txtap_subject of = bare(&figure.subject), other = bare(&figure.other);
    struct truth_figure *truly = truth_find(truth, figure.name, &of, &other, figure.detail);
    enum truth_kind kind = kind_of(&figure);

    if (to->options->gaps && (is_unknown(&of) || is_unknown(&other)))
        return; /* with more knowledge, these samples would belong to another figure */
    if ((strcmp(figure.name, "woken_by") == 0 || strcmp(figure.name, "wake_by") == 0) &&
        is_repeated(list, number, &figure))
        return;
    if (truly != NULL)
        truly->told = true;
    if (kind == TRUTH_SPREAD || kind == TRUTH_OCCURRENCES)
        check_spread(to, &figure, truly != NULL ? truly : &never, kind == TRUTH_OCCURRENCES);
    else if (kind == TRUTH_SHARE)
        check_share(to, &figure, truly != NULL ? truly->value : 0, truth->init_doubt);
    else
        check(to, &figure, TXTAP_STAT_VALUE, truly != NULL ? truly->value : 0,
              !to->options->gaps && !is_vague(to, figure.name) && !is_bounded(&figure));
}

static bool happened(const struct truth_figure *figure)
{
    return figure->kind == TRUTH_SPREAD || figure->kind == TRUTH_OCCURRENCES ? figure->n + figure->cut > 0
                                                                             : figure->value > 0;
}

size_t compare(struct truth *truth, const struct figure_list *list, const struct compare_options *options,
               struct difference *differences, size_t max)
{
    struct comparison to = {.options = options, .differences = differences, .max = max};

    for (unsigned i = 0; i < truth->count; i++)
        truth->figures[i].told = false;
    for (size_t i = 0; i < list->count; i++)
        if (is_covered(&to, list->figures[i].name) && list->figures[i].detail[0] != '?' &&
            strcmp(list->figures[i].detail, "unknown") != 0)
            check_figure(&to, truth, list, i);
    for (unsigned i = 0; i < truth->count && !options->gaps; i++) {
        const struct truth_figure *figure = &truth->figures[i];

        if (!figure->told && happened(figure) && is_covered(&to, figure->name) && !may_be_absent(&to, figure->name))
            differ(&to, figure->name, figure->detail, &figure->subject, &figure->other, "not told, truly %g, n %u",
                   figure->value, (unsigned)figure->n);
    }
    return to.count;
}
