/* SPDX-License-Identifier: MIT */
/* Finds each figure in all runs of both sides, and judges its numbers. */
#include "compare/changes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/noise.h"

#define NUMBERS_MOST 4     /* numbers of a figure */
#define FINE         0.25  /* the part of a floor that counts if the noise is known */
#define BUCKET       0.031 /* width of a percentile's bucket, as a share of its value */

/* ---- the runs of a figure ---- */

/* A figure in all runs. */
struct row {
    const struct named_figure *named;     /* in the first run that has it */
    const struct baseline_figure **in[2]; /* index: the run of the side; NULL: the run does not have the figure */
    size_t present[2];                    /* runs that have it */
    double fewest;                        /* samples of the run with the fewest samples */
    const struct gate_rule *rule;         /* NULL: neither larger nor smaller is worse */
};

/* The numbers of one side. */
struct numbers {
    double *values;              /* `count` numbers, in ascending order */
    struct txtap_measure bounds; /* hull of the bounds of all runs */
    size_t count;
};

struct work {
    struct changes *changes;
    struct row row;
    struct numbers numbers[2];
    struct txtap_measure *measures; /* room for the runs of the larger side */
    size_t tested;                  /* numbers whose noise is known */
    size_t room;                    /* room for elements in changes->at */
};

/* Finds the figure in all runs, and marks it as found. run: the first run that has it. */
static void find_row(struct row *row, const struct side sides[2], const struct run *run,
                     const struct baseline_figure *first)
{
    row->named = &run->figures.at[first->position];
    row->rule = gate_rule_of(row->named->figure.name, row->named->figure.detail);
    row->fewest = (double)INFINITY;
    for (size_t side = 0; side < 2; side++) {
        row->present[side] = 0;
        for (size_t i = 0; i < sides[side].count; i++) {
            struct baseline_figure *found = baseline_find(&sides[side].runs[i].index, first->key);

            row->in[side][i] = found;
            if (found == NULL)
                continue;
            found->found = true;
            row->present[side]++;
            row->fewest = fmin(row->fewest, found->stat[TXTAP_STAT_N].known ? found->stat[TXTAP_STAT_N].value : 0);
        }
    }
}

/* ---- the numbers of a figure ---- */

struct number {
    enum txtap_stat stat;
    bool per_time;
    bool is_extreme; /* it depends on chance in a single run */
};

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), bytes = strlen(end);

    return length >= bytes && strcmp(text + length - bytes, end) == 0;
}

/* Returns true for figures that depend on the length of the trace, and whose shares are figures of their own. */
static bool is_length(const struct txtap_figure *figure)
{
    return strcmp(figure->section, "trace") == 0
               ? strcmp(figure->name, "lost") != 0
               : ends_with(figure->name, "_ticks") || figure->span.known || strcmp(figure->section, "buckets") == 0;
}

/* Returns true for figures that the firmware's source determines. */
static bool is_constant(const struct txtap_figure *figure)
{
    static const char *const names[] = {"capacity", "pool_size", "stack_size", "priority"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], figure->name) == 0)
            return true;
    return false;
}

/* Lists the numbers of a figure that do not depend on the length of a trace. Returns their count. */
static size_t numbers_of(const struct row *row, struct number numbers[static NUMBERS_MOST])
{
    const struct txtap_figure *figure = &row->named->figure;
    enum txtap_stat percentile = gate_percentile(row->fewest);
    size_t count = 0;

    if (is_length(figure))
        return 0;
    if (figures_is_spread(figure)) {
        if (percentile != TXTAP_STATS)
            numbers[count++] = (struct number){.stat = percentile};
        numbers[count++] = (struct number){.stat = TXTAP_STAT_MEAN, .is_extreme = percentile == TXTAP_STATS};
        numbers[count++] = (struct number){.stat = TXTAP_STAT_MAX, .is_extreme = true};
    }
    if (figure->stat[TXTAP_STAT_N].known)
        numbers[count++] = (struct number){.stat = TXTAP_STAT_N, .per_time = true};
    else if (figure->stat[TXTAP_STAT_RATE].known)
        numbers[count++] = (struct number){.stat = TXTAP_STAT_SUM, .per_time = true};
    if (count == 0)
        numbers[count++] = (struct number){.stat = TXTAP_STAT_VALUE,
                                           .is_extreme = figure->unit != TXTAP_UNIT_PERCENT && !is_constant(figure)};
    return count;
}

static struct txtap_measure scaled(struct txtap_measure measure, double factor)
{
    measure.value *= factor;
    measure.lower *= factor;
    measure.upper *= factor;
    return measure;
}

/* Returns the number of a run, in the unit of struct change. */
static struct txtap_measure measure_of(const struct change *change, const struct baseline_figure *figure,
                                       const struct run *run)
{
    struct txtap_measure measure = figure->stat[change->stat == TXTAP_STAT_SUM ? TXTAP_STAT_VALUE : change->stat];
    double observed = run_observed(run);

    if (change->per_time && !(observed > 0))
        return (struct txtap_measure){.known = false};
    if (change->per_time)
        return scaled(measure, 1 / observed);
    if (change->figure->figure.unit == TXTAP_UNIT_TICKS && run->figures.tick_hz > 0)
        return scaled(measure, 1 / run->figures.tick_hz);
    return measure;
}

static int ascending(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

/* Collects the numbers of a side. If enough runs have numbers with two bounds, leaves out the runs that lost events. */
static void collect(struct work *work, size_t side, const struct change *change)
{
    const struct side *of = &work->changes->sides[side];
    struct numbers *into = &work->numbers[side];
    size_t known = 0, bounded = 0;

    for (size_t i = 0; i < of->count; i++) {
        const struct baseline_figure *figure = work->row.in[side][i];
        struct txtap_measure measure = {.known = false};

        if (figure != NULL)
            measure = measure_of(change, figure, &of->runs[i]);
        if (!measure.known)
            continue;
        work->measures[known++] = measure;
        bounded += isfinite(measure.lower) && isfinite(measure.upper);
    }
    *into = (struct numbers){into->values, {true, 0, (double)INFINITY, -(double)INFINITY}, 0};
    for (size_t i = 0; i < known; i++) {
        const struct txtap_measure *measure = &work->measures[i];

        if (bounded >= NOISE_RUNS_MIN && !(isfinite(measure->lower) && isfinite(measure->upper)))
            continue;
        into->values[into->count++] = measure->value;
        into->bounds.lower = fmin(into->bounds.lower, fmin(measure->lower, measure->value));
        into->bounds.upper = fmax(into->bounds.upper, fmax(measure->upper, measure->value));
    }
    qsort(into->values, into->count, sizeof *into->values, ascending);
}

static void set_side(struct change_side *side, const struct numbers *numbers)
{
    size_t half = numbers->count / 2;
    const double *values = numbers->values;

    *side =
        (struct change_side){.runs = numbers->count,
                             .middle = numbers->count % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2,
                             .low = values[0],
                             .high = values[numbers->count - 1],
                             .lower = numbers->bounds.lower,
                             .upper = numbers->bounds.upper};
}

/* ---- the verdict on a number ---- */

/* Returns the shortest observed time of all runs. */
static double shortest(const struct changes *changes)
{
    double least = (double)INFINITY;

    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < changes->sides[side].count; i++)
            least = fmin(least, run_observed(&changes->sides[side].runs[i]));
    return least;
}

/* Returns the longest tick of all runs in seconds; 1 if the rate is unknown. */
static double longest_tick(const struct changes *changes)
{
    double tick = changes->has_rate ? 0 : 1;

    for (size_t side = 0; side < 2 && changes->has_rate; side++)
        for (size_t i = 0; i < changes->sides[side].count; i++)
            tick = fmax(tick, 1 / changes->sides[side].runs[i].figures.tick_hz);
    return tick;
}

/* Returns the smallest difference that counts. */
static double floor_of(const struct changes *changes, const struct change *change, enum gate_kind kind)
{
    double part = change->noise_known ? FINE : 1, tick = longest_tick(changes);

    if (change->per_time) {
        double time = shortest(changes), least = kind == GATE_FIRST && change->side[0].middle == 0 ? 0 : 3;

        return fmax(least,
                    part * gate_floor(kind == GATE_FIRST ? kind : GATE_COUNT, change->side[0].middle * time, 0)) /
               time;
    }
    switch (change->figure->figure.unit) {
    case TXTAP_UNIT_TICKS:
        return part * gate_floor(GATE_SAMPLES, 0, changes->has_rate ? 1 / tick : 0) * tick;
    case TXTAP_UNIT_PERCENT:
        return part * gate_floor(GATE_SHARE, 0, 0);
    default:
        return 0; /* a level, such as the depth of a queue */
    }
}

/* Returns the smallest standard deviation that the resolution of the number allows. */
static double resolution_of(const struct change *change, double floor)
{
    double largest = fmax(fabs(change->side[0].middle), fabs(change->side[1].middle));
    bool is_percentile =
        change->stat == TXTAP_STAT_P50 || change->stat == TXTAP_STAT_P95 || change->stat == TXTAP_STAT_P99;

    return fmax(floor, is_percentile ? BUCKET * largest : 0) / 4;
}

/* Returns true if the difference is large enough to be a change, apart from noise. */
static bool is_large(const struct changes *changes, const struct change *change, double floor)
{
    double a = change->side[0].middle, b = change->side[1].middle;

    return fabs(a - b) > floor && fabs(a - b) > changes->tolerance[change->noise_known] * fmin(fabs(a), fabs(b));
}

static bool bounds_apart(const struct change *change)
{
    return change->side[0].upper < change->side[1].lower || change->side[1].upper < change->side[0].lower;
}

/* Returns the kind of a change. */
static enum change_kind direction(const struct change *change, const struct gate_rule *rule)
{
    bool grows = change->side[1].middle > change->side[0].middle;
    enum gate_kind kind = rule != NULL ? rule->kind : GATE_NONE;

    if (kind == GATE_NONE || (change->per_time && kind != GATE_COUNT && kind != GATE_FIRST))
        return CHANGE_OTHER;
    return grows == (kind != GATE_STACK) ? CHANGE_WORSE : CHANGE_BETTER;
}

/* Judges a number. Its noise, if it is known, is judged later: then chance is set, and the kind is not final. */
static void judge(struct work *work, struct change *change, bool is_extreme, double *floor)
{
    struct changes *changes = work->changes;
    const struct noise_group groups[2] = {{work->numbers[0].values, work->numbers[0].count},
                                          {work->numbers[1].values, work->numbers[1].count}};

    *floor = floor_of(changes, change, work->row.rule != NULL ? work->row.rule->kind : GATE_NONE);
    change->chance = 1;
    if (!change->noise_known && is_extreme) {
        change->kind = CHANGE_UNKNOWN;
        return;
    }
    changes->judged++;
    change->kind = CHANGE_NOISE;
    if (change->noise_known) {
        work->tested++;
        change->chance = noise_is_apart(&groups[0], &groups[1])
                             ? noise_chance(&groups[0], &groups[1], resolution_of(change, *floor))
                             : 1;
    } else if (!noise_is_apart(&groups[0], &groups[1])) {
        return;
    }
    if (is_large(changes, change, *floor))
        change->kind = direction(change, work->row.rule);
}

/* Completes the kinds, when it is known how many numbers were tested. */
static void judge_noise(struct work *work)
{
    struct changes *changes = work->changes;

    for (size_t i = 0; i < changes->count; i++) {
        struct change *change = &changes->at[i];

        if (change->kind > CHANGE_OTHER)
            continue;
        if (change->noise_known && change->chance * (double)work->tested >= NOISE_ALARM) {
            change->kind = CHANGE_NOISE;
        } else if (!bounds_apart(change)) {
            changes->unsure_worse = changes->unsure_worse || change->kind == CHANGE_WORSE;
            change->kind = CHANGE_UNSURE;
        }
    }
}

/* ---- all figures ---- */

static bool make_room(struct work *work)
{
    struct changes *changes = work->changes;
    size_t room = work->room > 0 ? 2 * work->room : 1024;
    struct change *at;

    if (changes->count + NUMBERS_MOST <= work->room)
        return true;
    at = realloc(changes->at, room * sizeof *at);
    if (at == NULL)
        return false;
    changes->at = at;
    work->room = room;
    return true;
}

static double factor_of(double before, double now)
{
    if (before == 0)
        return now == 0 ? 1 : (double)INFINITY;
    return now / before;
}

static bool add_row(struct work *work)
{
    struct changes *changes = work->changes;
    struct number numbers[NUMBERS_MOST];
    size_t count = numbers_of(&work->row, numbers), before = changes->count;

    if (!make_room(work))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct change *change = &changes->at[changes->count];
        double floor;

        *change = (struct change){.figure = work->row.named,
                                  .group = changes->figures,
                                  .stat = numbers[i].stat,
                                  .has_rate = changes->has_rate,
                                  .per_time = numbers[i].per_time,
                                  .order = changes->count - before};
        for (size_t side = 0; side < 2; side++)
            collect(work, side, change);
        if (work->numbers[0].count == 0 || work->numbers[1].count == 0)
            continue;
        for (size_t side = 0; side < 2; side++)
            set_side(&change->side[side], &work->numbers[side]);
        change->noise_known = work->numbers[0].count >= NOISE_RUNS_MIN && work->numbers[1].count >= NOISE_RUNS_MIN;
        change->factor = factor_of(change->side[0].middle, change->side[1].middle);
        judge(work, change, numbers[i].is_extreme, &floor);
        changes->count++;
    }
    changes->figures += changes->count > before;
    return true;
}

static bool add_only(struct changes *changes, size_t side, const struct named_figure *named)
{
    const struct named_figure **only = realloc(changes->only[side], (changes->only_count[side] + 1) * sizeof *only);

    if (only == NULL)
        return false;
    changes->only[side] = only;
    only[changes->only_count[side]++] = named;
    return true;
}

static bool compare_figure(struct work *work, const struct run *run, const struct baseline_figure *figure)
{
    struct changes *changes = work->changes;
    struct row *row = &work->row;

    find_row(row, changes->sides, run, figure);
    if (row->present[0] > 0 && row->present[1] > 0)
        return add_row(work);
    for (size_t side = 0; side < 2; side++)
        if (row->present[side] == changes->sides[side].count && row->present[1 - side] == 0 &&
            !is_length(&row->named->figure))
            return add_only(changes, side, row->named);
    return true;
}

static bool compare_all(struct work *work)
{
    const struct side *sides = work->changes->sides;

    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side].count; i++)
            for (size_t j = 0; j < sides[side].runs[i].index.count; j++)
                sides[side].runs[i].index.figures[j].found = false;
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side].count; i++) {
            const struct run *run = &sides[side].runs[i];

            for (size_t j = 0; j < run->index.count; j++)
                if (!run->index.figures[j].found && !compare_figure(work, run, &run->index.figures[j]))
                    return false;
        }
    return true;
}

static double distance(const struct change *change)
{
    return change->factor > 0 ? fabs(log(change->factor)) : (double)INFINITY;
}

static bool is_cause(const struct change *change)
{
    const struct gate_rule *rule = gate_rule_of(change->figure->figure.name, change->figure->figure.detail);

    return rule != NULL && rule->is_cause;
}

static int largest_first(const void *a, const void *b)
{
    const struct change *one = a, *other = b;

    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    if (one->kind <= CHANGE_OTHER && is_cause(one) != is_cause(other))
        return is_cause(one) ? -1 : 1;
    if (one->lead != other->lead)
        return one->lead > other->lead ? -1 : 1;
    if (one->group != other->group)
        return one->group < other->group ? -1 : 1;
    return (one->order > other->order) - (one->order < other->order);
}

/* Sets the leads. The numbers of a figure are next to each other, the most robust number first. */
static void set_leads(struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++) {
        struct change *change = &changes->at[i];
        size_t first = i - change->order;

        while (changes->at[first].kind != change->kind)
            first++;
        change->lead = distance(&changes->at[first]);
    }
}

/* Sorts the numbers, and marks the first number of each figure. Returns false if there is no memory. */
static bool sort(struct changes *changes)
{
    bool *seen = calloc(changes->figures + 1, sizeof *seen);

    if (seen == NULL)
        return false;
    set_leads(changes);
    if (changes->count > 0)
        qsort(changes->at, changes->count, sizeof *changes->at, largest_first);
    for (size_t i = 0; i < changes->count; i++) {
        struct change *change = &changes->at[i];

        change->principal = !seen[change->group];
        changes->by_kind[change->kind] += change->principal;
        seen[change->group] = true;
    }
    free(seen);
    return true;
}

/* ---- both sides ---- */

static bool have_rates(const struct side sides[2], bool *mixed)
{
    size_t rates = 0;

    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side].count; i++)
            rates += sides[side].runs[i].figures.tick_hz > 0;
    *mixed = rates > 0 && rates < sides[0].count + sides[1].count;
    return rates > 0;
}

static bool open_work(struct work *work)
{
    const struct side *sides = work->changes->sides;
    size_t most = sides[0].count > sides[1].count ? sides[0].count : sides[1].count;
    bool good = true;

    for (size_t side = 0; side < 2; side++) {
        work->row.in[side] = calloc(most, sizeof *work->row.in[side]);
        work->numbers[side].values = calloc(most, sizeof *work->numbers[side].values);
        good = good && work->row.in[side] != NULL && work->numbers[side].values != NULL;
    }
    work->measures = calloc(most, sizeof *work->measures);
    return good && work->measures != NULL;
}

static void close_work(struct work *work)
{
    for (size_t side = 0; side < 2; side++) {
        free(work->row.in[side]);
        free(work->numbers[side].values);
    }
    free(work->measures);
}

enum txtap_status changes_make(struct changes *changes, const struct side sides[2], double tolerance,
                               struct error *error)
{
    struct work work = {.changes = changes};
    bool mixed, good;

    assert(sides[0].count > 0 && sides[1].count > 0);
    *changes = (struct changes){.sides = sides, .has_rate = have_rates(sides, &mixed)};
    changes->tolerance[0] = tolerance >= 0 ? tolerance : CHANGES_TOLERANCE_UNKNOWN;
    changes->tolerance[1] = tolerance >= 0 ? tolerance : CHANGES_TOLERANCE_KNOWN;
    if (mixed)
        return failure(error, TXTAP_ERROR_USAGE,
                       "some of the runs have seconds, and others only ticks\ngive --hz, or compare runs of one kind");
    good = open_work(&work) && compare_all(&work);
    close_work(&work);
    if (good) {
        judge_noise(&work);
        good = sort(changes);
    }
    if (good)
        return TXTAP_OK;
    changes_free(changes);
    return failure(error, TXTAP_ERROR_SYSTEM, "no memory to compare the runs");
}

void changes_free(struct changes *changes)
{
    free(changes->at);
    for (size_t side = 0; side < 2; side++)
        free(changes->only[side]);
    *changes = (struct changes){0};
}

enum exit_code changes_exit_code(const struct changes *changes)
{
    if (changes->by_kind[CHANGE_WORSE] > 0)
        return EXIT_CHECK_FAILED;
    return changes->unsure_worse || changes->judged == 0 ? EXIT_CHECK_UNDECIDED : EXIT_DONE;
}
