/* SPDX-License-Identifier: MIT */
/* Computes the bounds of figures. Gaps hide events, so counts and maxima are lower bounds. A sample may be longer than
 * its visible part if the start or end of the trace cuts it, so this sample may raise a maximum. */
#include "figures/list.h"

#include <math.h>

#include "base/min_max.h"

struct txtap_subject list_number(enum txtap_subject_kind kind, uint32_t number)
{
    return (struct txtap_subject){.kind = kind, .number = number};
}

struct txtap_subject list_system(void)
{
    return list_number(TXTAP_SUBJECT_SYSTEM, 0);
}

struct txtap_subject list_thread(const struct model *model, uint32_t thread)
{
    if (thread == NONE)
        return list_number(TXTAP_SUBJECT_UNKNOWN, 0);
    return (struct txtap_subject){.kind = TXTAP_SUBJECT_THREAD,
                                  .type = TXTAP_OBJECT_THREAD,
                                  .number = model->threads[thread].address,
                                  .joined = model->threads[thread].joined,
                                  .life = model_has_lives(model, thread) ? model->lives[thread].number + 1 : 0,
                                  .name = model_thread_name(model, thread),
                                  .lives = model_has_lives(model, thread) ? model : NULL};
}

struct txtap_subject list_object(const struct model *model, uint32_t object)
{
    if (object == NONE)
        return list_number(TXTAP_SUBJECT_UNKNOWN, 0);
    return (struct txtap_subject){
        .kind = TXTAP_SUBJECT_OBJECT, .type = model->objects[object].type, .number = model->objects[object].address};
}

struct txtap_subject list_interrupt(uint32_t number)
{
    return number == NONE ? list_number(TXTAP_SUBJECT_UNKNOWN, 0) : list_number(TXTAP_SUBJECT_INTERRUPT, number);
}

static struct txtap_measure exact(double value)
{
    return (struct txtap_measure){true, value, value, value};
}

/* Returns a measure of the value: a lower bound if there are gaps, otherwise exact. */
static struct txtap_measure at_least(const struct list *list, double value)
{
    return (struct txtap_measure){true, value, value, model_has_gaps(list->model) ? (double)INFINITY : value};
}

/* Like at_least(), but the value may be larger even without gaps. more: the largest possible difference. */
static struct txtap_measure at_most(const struct list *list, double value, double more)
{
    struct txtap_measure measure = at_least(list, value);

    measure.upper += more;
    return measure;
}

/* Returns the name for checks. A check finds only figures in the list of their section. */
static const char *name_of(const struct list *list, enum txtap_figure_id id)
{
    const struct check_name *row = list->names;

    while (row->id != id && row->id != TXTAP_FIGURE_NONE)
        row++;
    return row->id == id ? row->name : "";
}

static struct txtap_figure start(const struct list *list, const struct heading *heading, enum txtap_unit unit)
{
    return (struct txtap_figure){
        .section = list->section,
        .id = heading->id,
        .name = name_of(list, heading->id),
        .subject = heading->subject,
        .other = heading->other,
        .detail = heading->detail != NULL ? heading->detail : "",
        .unit = unit,
    };
}

static void give(struct list *list, const struct txtap_figure *figure)
{
    if (list->status == TXTAP_OK && (list->only == NULL || figure->samples == &list->only->samples))
        list->status = list->sink.take(list->sink.self, figure);
}

void list_span(struct list *list, struct heading heading, enum txtap_unit unit, struct txtap_measure measure,
               struct txtap_place place, struct txtap_span span)
{
    struct txtap_figure figure = start(list, &heading, unit);

    figure.stat[TXTAP_STAT_VALUE] = measure;
    figure.max_at = place;
    figure.span = span;
    give(list, &figure);
}

void list_between(struct list *list, struct heading heading, enum txtap_unit unit, struct txtap_measure measure,
                  struct txtap_place place)
{
    list_span(list, heading, unit, measure, place, (struct txtap_span){0});
}

void list_number_exact(struct list *list, struct heading heading, enum txtap_unit unit, double value)
{
    list_between(list, heading, unit, exact(value), (struct txtap_place){0});
}

void list_values(struct list *list, struct heading heading, const struct value_range *range)
{
    struct txtap_figure figure = start(list, &heading, TXTAP_UNIT_NUMBER);

    figure.stat[TXTAP_STAT_N] = exact((double)range->n);
    figure.stat[TXTAP_STAT_MIN] = exact(range->min);
    figure.stat[TXTAP_STAT_MEAN] = exact(range->sum / (double)range->n);
    figure.stat[TXTAP_STAT_MAX] = figure.stat[TXTAP_STAT_VALUE] = exact(range->max);
    figure.min_at = range->min_at;
    figure.max_at = range->max_at;
    give(list, &figure);
}

void list_at_least(struct list *list, struct heading heading, enum txtap_unit unit, double value)
{
    list_between(list, heading, unit, at_least(list, value), (struct txtap_place){0});
}

void list_at_least_at(struct list *list, struct heading heading, enum txtap_unit unit, double value, struct moment at)
{
    list_between(list, heading, unit, at_least(list, value), (struct txtap_place){true, at.seq, at.ticks});
}

static void give_least(struct list *list, const struct heading *heading, enum txtap_unit unit,
                       struct txtap_measure measure, struct moment at)
{
    struct txtap_figure figure = start(list, heading, unit);

    figure.stat[TXTAP_STAT_VALUE] = measure;
    figure.min_at = figure.max_at = (struct txtap_place){true, at.seq, at.ticks};
    give(list, &figure);
}

void list_at_most_at(struct list *list, struct heading heading, enum txtap_unit unit, double value, struct moment at)
{
    struct txtap_measure measure = exact(value);

    if (model_has_gaps(list->model))
        measure.lower = 0;
    give_least(list, &heading, unit, measure, at);
}

/* Returns the rate of a count. doubtful: the largest number of events that may be missing from the count. */
static struct txtap_measure rate(const struct list *list, double count, double doubtful)
{
    uint64_t observed = model_observed(list->model);
    double hz = list->tick_hz > 0 ? list->tick_hz : 1, value;

    if (observed == 0)
        return (struct txtap_measure){0};
    value = count * hz / (double)observed;
    if (!model_has_gaps(list->model))
        return (struct txtap_measure){true, value, value, value + doubtful * hz / (double)observed};
    return (struct txtap_measure){true, value, count * hz / (double)(observed + list->model->unknown),
                                  (double)INFINITY};
}

void list_bounded_count(struct list *list, struct heading heading, struct txtap_measure measure)
{
    struct txtap_figure figure = start(list, &heading, TXTAP_UNIT_COUNT);

    figure.stat[TXTAP_STAT_VALUE] = figure.stat[TXTAP_STAT_N] = measure;
    give(list, &figure);
}

static void give_count(struct list *list, const struct heading *heading, uint64_t count, uint64_t doubtful,
                       struct txtap_place place)
{
    struct txtap_figure figure = start(list, heading, TXTAP_UNIT_COUNT);

    figure.stat[TXTAP_STAT_VALUE] = figure.stat[TXTAP_STAT_N] = at_most(list, (double)count, (double)doubtful);
    figure.stat[TXTAP_STAT_RATE] = rate(list, (double)count, (double)doubtful);
    figure.max_at = place;
    give(list, &figure);
}

void list_count_doubtful(struct list *list, struct heading heading, uint64_t count, uint64_t doubtful)
{
    give_count(list, &heading, count, doubtful, (struct txtap_place){0});
}

void list_count_at(struct list *list, struct heading heading, uint64_t count, struct moment at)
{
    give_count(list, &heading, count, 0, (struct txtap_place){true, at.seq, at.ticks});
}

void list_count(struct list *list, struct heading heading, uint64_t count)
{
    list_count_doubtful(list, heading, count, 0);
}

void list_ticks_doubtful(struct list *list, struct heading heading, uint64_t ticks, uint64_t doubtful)
{
    list_between(list, heading, TXTAP_UNIT_TICKS, at_most(list, (double)ticks, (double)doubtful),
                 (struct txtap_place){0});
}

void list_ticks_doubtful_at(struct list *list, struct heading heading, uint64_t ticks, uint64_t doubtful,
                            struct moment at)
{
    list_between(list, heading, TXTAP_UNIT_TICKS, at_most(list, (double)ticks, (double)doubtful),
                 (struct txtap_place){true, at.seq, at.ticks});
}

void list_amount(struct list *list, struct heading heading, enum txtap_unit unit, uint64_t amount, uint64_t most,
                 const struct moment *most_at)
{
    struct txtap_figure figure = start(list, &heading, unit);

    figure.stat[TXTAP_STAT_VALUE] = at_least(list, (double)amount);
    figure.stat[TXTAP_STAT_RATE] = rate(list, (double)amount, 0);
    if (most_at != NULL) {
        figure.stat[TXTAP_STAT_MAX] = at_least(list, (double)most);
        figure.max_at = (struct txtap_place){true, most_at->seq, most_at->ticks};
    }
    give(list, &figure);
}

/*
 * Returns a measure of value with the bounds low and high. If there are gaps, the bounds are 0 and infinity, because
 * gaps may hide samples of any size.
 */
static struct txtap_measure hidden(const struct list *list, double value, double low, double high)
{
    if (model_has_gaps(list->model))
        return (struct txtap_measure){true, value, 0, (double)INFINITY};
    return (struct txtap_measure){true, value, low, high};
}

void list_mean(struct list *list, struct heading heading, enum txtap_unit unit, double value)
{
    list_between(list, heading, unit, hidden(list, value, value, value), (struct txtap_place){0});
}

static struct txtap_measure percentile(const struct list *list, const struct spread *spread, unsigned percent)
{
    struct histogram_bucket bucket;

    if (!histogram_percentile(&spread->samples, list->pool, percent, &bucket))
        return (struct txtap_measure){0};
    return hidden(list, (double)bucket.high, (double)bucket.low, (double)bucket.high);
}

static void fill_samples(struct list *list, struct txtap_figure *figure, const struct spread *spread)
{
    const struct histogram *samples = &spread->samples;
    double mean = (double)samples->sum / (double)samples->n;

    figure->stat[TXTAP_STAT_MIN] = (struct txtap_measure){
        true, (double)samples->min, model_has_gaps(list->model) ? 0 : (double)samples->min, (double)samples->min};
    figure->stat[TXTAP_STAT_MEAN] = hidden(list, mean, mean, mean);
    figure->stat[TXTAP_STAT_P50] = percentile(list, spread, 50);
    figure->stat[TXTAP_STAT_P95] = percentile(list, spread, 95);
    figure->stat[TXTAP_STAT_P99] = percentile(list, spread, 99);
    figure->stat[TXTAP_STAT_SUM] = at_least(list, (double)samples->sum);
    figure->min_at = (struct txtap_place){true, samples->min_event, spread->min_ticks};
    figure->max_at = (struct txtap_place){true, samples->max_event, spread->max_ticks};
}

/* Adds cut samples to the maximum. Each cut sample lasted at least as long as its visible part. */
static void fill_max(struct list *list, struct txtap_figure *figure, const struct spread *spread)
{
    uint64_t max = spread->samples.n > 0 ? spread->samples.max : 0, longest = max_u64(max, spread->cut_longest);

    figure->stat[TXTAP_STAT_MAX] = at_least(list, (double)longest);
    figure->stat[TXTAP_STAT_MAX].value = (double)max;
    figure->stat[TXTAP_STAT_MAX].known = spread->samples.n > 0 || spread->cut > 0;
    figure->stat[TXTAP_STAT_VALUE] = figure->stat[TXTAP_STAT_MAX];
    if (longest > max)
        figure->max_at = (struct txtap_place){true, spread->cut_seq, spread->cut_ticks};
}

static struct txtap_figure figure_of_spread(struct list *list, const struct heading *heading, enum txtap_unit unit,
                                            const struct spread *spread, uint64_t n, uint64_t doubtful)
{
    struct txtap_figure figure = start(list, heading, unit);

    figure.censored = spread->cut;
    figure.samples = &spread->samples;
    figure.pool = list->pool;
    if (list->only != NULL)
        return figure;
    figure.stat[TXTAP_STAT_N] = at_most(list, (double)n, (double)doubtful);
    figure.stat[TXTAP_STAT_RATE] = rate(list, (double)n, (double)doubtful);
    if (spread->samples.n > 0)
        fill_samples(list, &figure, spread);
    fill_max(list, &figure, spread);
    return figure;
}

static void give_spread(struct list *list, const struct heading *heading, enum txtap_unit unit,
                        const struct spread *spread, uint64_t n, uint64_t doubtful)
{
    struct txtap_figure figure = figure_of_spread(list, heading, unit, spread, n, doubtful);

    give(list, &figure);
}

void list_spread_open(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread)
{
    struct txtap_figure figure;

    if (spread->samples.n == 0 && spread->cut == 0)
        return;
    figure = figure_of_spread(list, &heading, unit, spread, spread->samples.n, 0);
    if (spread->cut > 0)
        figure.stat[TXTAP_STAT_MAX].upper = figure.stat[TXTAP_STAT_VALUE].upper = (double)INFINITY;
    give(list, &figure);
}

void list_spread(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread)
{
    if (spread->samples.n > 0 || spread->cut > 0)
        give_spread(list, &heading, unit, spread, spread->samples.n, 0);
}

static void bound(struct txtap_figure *figure, enum txtap_stat stat, double low, double high)
{
    struct txtap_measure *measure = &figure->stat[stat];

    measure->known = true; /* the measure is unknown before if all samples are uncertain */
    measure->lower = low < measure->lower ? low : measure->lower;
    measure->upper = high > measure->upper ? high : measure->upper;
}

static double or_endless(uint64_t value)
{
    return value == UINT64_MAX ? (double)INFINITY : (double)value;
}

static void bound_samples(struct txtap_figure *figure, const struct spread *spread, const struct vague *vague,
                          bool gaps)
{
    const struct histogram *samples = &spread->samples;
    bool some_exact = samples->n > vague->n, others = vague->perhaps > 0, some = samples->n > 0 || others;
    double n = (double)samples->n + or_endless(vague->perhaps), low = 0, least_max = 0;
    double high = or_endless(max_u64(vague->high_max, samples->n > 0 ? samples->max : 0));

    if (vague->n > 0 && !others)
        low = (double)min_u64(vague->low_min, samples->min);
    else if (!others)
        low = (double)samples->min;
    if (samples->n > 0)
        least_max = (double)max_u64(vague->low_max, some_exact ? samples->min : 0);
    for (enum txtap_stat stat = TXTAP_STAT_MEAN; stat <= TXTAP_STAT_P99 && some; stat++)
        bound(figure, stat, low, high);
    if (some)
        bound(figure, TXTAP_STAT_MIN, low, samples->n == 0 || some_exact ? high : or_endless(vague->high_min));
    if (samples->n == 0 && gaps)
        figure->stat[TXTAP_STAT_MIN].upper = (double)INFINITY;
    bound(figure, TXTAP_STAT_MAX, least_max, high);
    figure->stat[TXTAP_STAT_MAX].lower =
        others || least_max > (double)spread->cut_longest ? least_max : (double)spread->cut_longest;
    if (some)
        bound(figure, TXTAP_STAT_SUM, (double)samples->sum - (double)vague->less,
              others ? (double)INFINITY : (double)samples->sum + or_endless(vague->more));
    bound(figure, TXTAP_STAT_N, n, n);
    if (others)
        bound(figure, TXTAP_STAT_RATE, (double)INFINITY, (double)INFINITY);
    figure->stat[TXTAP_STAT_VALUE] = figure->stat[TXTAP_STAT_MAX];
}

void list_spread_vague(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread,
                       const struct vague *vague)
{
    struct txtap_figure figure;

    if (!model_is_vague(list->model) || (vague->n == 0 && vague->perhaps == 0 && vague->high_max == 0)) {
        list_spread(list, heading, unit, spread);
        return;
    }
    figure = figure_of_spread(list, &heading, unit, spread, spread->samples.n, 0);
    bound_samples(&figure, spread, vague, model_has_gaps(list->model));
    give(list, &figure);
}

void list_count_vague(struct list *list, struct heading heading, uint64_t count, uint64_t least)
{
    struct txtap_measure measure = {true, (double)count, (double)least, (double)INFINITY};

    if (model_is_vague(list->model))
        list_bounded_count(list, heading, measure);
    else
        list_count(list, heading, count);
}

void list_occurrences(struct list *list, struct heading heading, enum txtap_unit unit, const struct spread *spread,
                      uint64_t doubtful)
{
    give_spread(list, &heading, unit, spread, spread->samples.n + spread->cut, doubtful);
}

void list_not_recorded(struct list *list, struct heading heading)
{
    list_between(list, heading, TXTAP_UNIT_PERCENT, (struct txtap_measure){0}, (struct txtap_place){0});
}

/* Returns the number of cores that the subject can have at the same time. */
static uint32_t cores_of(const struct model *model, enum txtap_subject_kind kind)
{
    return kind == TXTAP_SUBJECT_THREAD || kind == TXTAP_SUBJECT_CORE ? 1 : model->core_count;
}

void list_share(struct list *list, struct heading heading, enum txtap_figure_id ticks_id, uint64_t ticks,
                struct doubt doubt)
{
    uint64_t observed = model_observed(list->model), window = observed + list->model->unknown,
             all = window * cores_of(list->model, heading.subject.kind);
    double least = (double)(ticks - min_u64(doubt.less, ticks)),
           most = model_is_unsure(list->model) ? (double)INFINITY
                                               : (double)min_u64(ticks + doubt.more + list->model->unknown, all);
    struct heading in_ticks = heading;
    struct txtap_measure share = {true, 100.0 * (double)ticks / (double)observed, 100.0 * least / (double)window,
                                  100.0 * most / (double)window};

    if (list->model->switches_open) { /* the trace does not show for certain which thread ran between two switches */
        share.lower = 0;
        share.upper = 100;
        least = 0;
        most = (double)window;
    }
    in_ticks.id = ticks_id;
    if (observed > 0)
        list_between(list, heading, TXTAP_UNIT_PERCENT, share, (struct txtap_place){0});
    list_between(list, in_ticks, TXTAP_UNIT_TICKS, (struct txtap_measure){true, (double)ticks, least, most},
                 (struct txtap_place){0});
}

/* ---- names of statistics, and bars ---- */

const char *txtap_stat_name(enum txtap_stat stat)
{
    static const char *const names[TXTAP_STATS] = {
        [TXTAP_STAT_VALUE] = "value", [TXTAP_STAT_N] = "n",       [TXTAP_STAT_MIN] = "min", [TXTAP_STAT_MEAN] = "mean",
        [TXTAP_STAT_P50] = "p50",     [TXTAP_STAT_P95] = "p95",   [TXTAP_STAT_P99] = "p99", [TXTAP_STAT_MAX] = "max",
        [TXTAP_STAT_SUM] = "sum",     [TXTAP_STAT_RATE] = "rate",
    };

    return (size_t)stat < TXTAP_STATS ? names[stat] : NULL;
}

size_t txtap_figure_bars(const struct txtap_figure *figure, struct txtap_bar *bars, size_t bars_max)
{
    const struct histogram *samples = figure->samples;
    struct histogram_bucket bucket;
    uint32_t first, last, width = 1;
    size_t position = 0, count;

    if (samples == NULL || samples->n == 0 || samples->missed > 0)
        return 0;
    first = histogram_step(samples->min);
    last = histogram_step(samples->max);
    while ((last - first / width * width) / width >= bars_max)
        width *= 2;
    first = first / width * width;
    count = (last - first) / width + 1;
    for (uint32_t i = 0; i < count; i++)
        bars[i] = (struct txtap_bar){histogram_step_low(first + i * width),
                                     histogram_step_low(first + (i + 1) * width) - 1, 0};
    bars[0].from = samples->min;
    bars[count - 1].to = samples->max;
    while (histogram_next(samples, figure->pool, &position, &bucket))
        bars[(histogram_step(bucket.low) - first) / width].count += bucket.count;
    return count;
}
