/* SPDX-License-Identifier: MIT */
/* Compares the figures of the table in gate.c, each with its floor. */
#include "compare/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/gate.h"
#include "txtap/inner/escape.h"

#define WORST_SHOWN 3u /* differences in the sentence */
#define NAMES_SHOWN 8u

/* ---- numbers ---- */

/* A number of both traces. */
struct pair {
    const struct named_figure *figure; /* of the newer trace; borrowed */
    const char *statistic;             /* "p95", ...; "used" for a stack; "" for the only number of a figure; static */
    enum txtap_unit unit;
    /* Both are in the unit of the newer trace. If the number is a count, `before` is the count that the older trace
     * predicts for the duration of the newer trace. */
    double before, now;
    double floor;  /* smallest difference that counts */
    double factor; /* `now` divided by `before`; infinite if `before` is 0 */
};

struct regression {
    const struct figures *figures;
    double tick_scale; /* number of ticks of the newer trace per tick of the older trace */
    double
        length_scale; /* observed time of the newer trace divided by the observed time of the older trace; 0: unknown */
    double tolerance;
    struct pair *worse; /* `count` elements */
    size_t count, compared;
    const struct named_figure **added; /* added_count figures of threads that the older trace lacks */
    size_t added_count;
};

/* Sets both numbers. False: they cannot be compared. */
static bool take_numbers(const struct regression *regression, const struct gate_rule *rule,
                         const struct baseline_figure *old, struct pair *pair)
{
    const struct txtap_measure *now = pair->figure->figure.stat;
    enum txtap_stat stat = TXTAP_STAT_VALUE;
    double scale = 1;

    if (rule->kind == GATE_SAMPLES) {
        stat = gate_percentile(fmin(now[TXTAP_STAT_N].value, old->stat[TXTAP_STAT_N].value));
        scale = regression->tick_scale;
    } else if (rule->kind == GATE_COUNT || rule->kind == GATE_FIRST) {
        stat = TXTAP_STAT_N;
        scale = regression->length_scale;
    }
    if (stat == TXTAP_STATS || !now[stat].known || !old->stat[stat].known || scale == 0)
        return false;
    pair->statistic = rule->kind == GATE_SAMPLES ? txtap_stat_name(stat) : "";
    pair->unit = stat == TXTAP_STAT_N ? TXTAP_UNIT_COUNT : pair->figure->figure.unit;
    pair->now = now[stat].value;
    pair->before = old->stat[stat].value * scale;
    if (rule->kind == GATE_STACK) {
        pair->statistic = "used";
        pair->now = 100 - pair->now;
        pair->before = 100 - pair->before;
    }
    return true;
}

static void compare(struct regression *regression, const struct named_figure *figure, const struct gate_rule *rule,
                    const struct baseline_figure *old)
{
    struct pair pair = {.figure = figure};

    if (!take_numbers(regression, rule, old, &pair))
        return;
    regression->compared++;
    pair.floor = gate_floor(rule->kind, pair.before, regression->figures->tick_hz);
    pair.factor = pair.before > 0 ? pair.now / pair.before : (double)INFINITY;
    if (pair.now - pair.before > pair.floor && pair.now > pair.before * (1 + regression->tolerance))
        regression->worse[regression->count++] = pair;
}

static int worst_first(const void *a, const void *b)
{
    const struct pair *one = a, *other = b;

    if (one->factor != other->factor)
        return one->factor > other->factor ? -1 : 1;
    return (one->figure > other->figure) - (one->figure < other->figure);
}

/* ---- lengths ---- */

/* Returns the older figure of the same meaning; NULL: the older trace has none. */
static const struct baseline_figure *older(struct baseline *baseline, const struct named_figure *figure)
{
    char key[BASELINE_KEY_BYTES];
    struct baseline_figure *old = baseline_find(baseline, baseline_figure_key(key, figure));

    if (old != NULL)
        old->found = true;
    return old;
}

static double length_scale_of(const struct regression *regression, struct baseline *baseline)
{
    for (size_t i = 0; i < regression->figures->count; i++) {
        const struct named_figure *figure = &regression->figures->at[i];
        const struct baseline_figure *old;

        if (figure->figure.id != TXTAP_FIGURE_OBSERVED)
            continue;
        old = older(baseline, figure);
        if (old == NULL || !(old->stat[TXTAP_STAT_VALUE].value > 0))
            return 0;
        return figure->figure.stat[TXTAP_STAT_VALUE].value /
               (old->stat[TXTAP_STAT_VALUE].value * regression->tick_scale);
    }
    return 0;
}

/* ---- text ---- */

/* Writes "wake(control).p95 46 us -> 71 us (x 1.54)". */
static void pair_text(char out[static VERDICT_LINE_BYTES], const struct regression *regression, const struct pair *pair)
{
    char before[QUANTITY_BYTES], now[QUANTITY_BYTES], name[VERDICT_LINE_BYTES / 2], factor[32] = "";
    double digits = pair->unit == TXTAP_UNIT_COUNT ? round(pair->before * 10) / 10 : pair->before;

    quantity_text(before, digits, pair->unit, regression->figures->tick_hz);
    quantity_text(now, pair->now, pair->unit, regression->figures->tick_hz);
    if (isfinite(pair->factor))
        snprintf(factor, sizeof factor, " (x %.3g)", pair->factor);
    snprintf(out, VERDICT_LINE_BYTES, "%s %s -> %s%s", figure_label(name, sizeof name, pair->figure, pair->statistic),
             before, now, factor);
}

static char *next_line(struct verdict *verdict)
{
    return verdict->lines[verdict->line_count++];
}

static void add_name(char *line, size_t count, const char *name)
{
    size_t used = strlen(line);

    if (count < NAMES_SHOWN)
        snprintf(line + used, VERDICT_LINE_BYTES - used, "%s%s", count > 0 ? ", " : "", name);
}

static void end_names(struct verdict *verdict, char *line, size_t count)
{
    size_t used = strlen(line);

    if (count > NAMES_SHOWN)
        snprintf(line + used, VERDICT_LINE_BYTES - used, ", and %zu more", count - NAMES_SHOWN);
    if (count == 0)
        verdict->line_count--;
}

static void list_added(struct verdict *verdict, const struct regression *regression)
{
    char *line = next_line(verdict), name[VERDICT_LINE_BYTES / 4];

    snprintf(line, VERDICT_LINE_BYTES, "%s", "         new threads: ");
    for (size_t i = 0; i < regression->added_count; i++)
        add_name(line, i,
                 txtap_subject_text(&regression->added[i]->figure.subject, regression->added[i]->subject, name,
                                    sizeof name));
    end_names(verdict, line, regression->added_count);
}

/* Lists threads of the older trace that the newer trace lacks. Call it after compare_all(). */
static void list_gone(struct verdict *verdict, const struct baseline *baseline)
{
    static const char begin[] = {'c', 'p', 'u', BASELINE_KEY_MARK, 'c', 'p', 'u', BASELINE_KEY_MARK, '\0'};
    static const char kind[] = "thread ";
    char *line = next_line(verdict);
    size_t count = 0;

    snprintf(line, VERDICT_LINE_BYTES, "%s", "         gone threads: ");
    for (size_t i = 0; i < baseline->count; i++) {
        const char *key = baseline->figures[i].key, *name = key + sizeof begin - 1;
        char raw[BASELINE_KEY_BYTES], text[VERDICT_LINE_BYTES / 4];

        if (baseline->figures[i].found || strncmp(key, begin, sizeof begin - 1) != 0 ||
            strncmp(name, kind, sizeof kind - 1) != 0)
            continue;
        name += sizeof kind - 1;
        snprintf(raw, sizeof raw, "%.*s", (int)strcspn(name, (const char[]){BASELINE_KEY_MARK, '\0'}), name);
        add_name(line, count++, txtap_escape_terminal(text, sizeof text, raw));
    }
    end_names(verdict, line, count);
}

static void list_worse(struct verdict *verdict, const struct regression *regression)
{
    size_t most = VERDICT_LINES_MOST - 3; /* the other lines: more differences, new threads, gone threads */

    for (size_t i = 0; i < regression->count && i < most; i++) {
        char text[VERDICT_LINE_BYTES];

        pair_text(text, regression, &regression->worse[i]);
        snprintf(next_line(verdict), VERDICT_LINE_BYTES, "         worse: %.*s", VERDICT_LINE_BYTES - 32, text);
    }
    if (regression->count > most)
        snprintf(next_line(verdict), VERDICT_LINE_BYTES, "         and %zu more", regression->count - most);
}

static void set_text(struct verdict *verdict, const struct regression *regression)
{
    size_t used = (size_t)snprintf(
        verdict->text, sizeof verdict->text, "%zu of %zu figures %s worse by more than %g %%", regression->count,
        regression->compared, regression->count == 1 ? "is" : "are", 100 * regression->tolerance);

    for (size_t i = 0; i < regression->count && i < WORST_SHOWN; i++) {
        char text[VERDICT_LINE_BYTES];

        pair_text(text, regression, &regression->worse[i]);
        used += (size_t)snprintf(verdict->text + used, sizeof verdict->text - used, "%s%s", i > 0 ? ", " : ": ", text);
    }
}

/* ---- the verdict ---- */

static void set(struct verdict *verdict, const struct regression *regression)
{
    const struct named_figure *worst = regression->count > 0 ? regression->worse[0].figure : NULL;

    verdict->verdict = regression->compared == 0 ? TXTAP_VERDICT_UNDECIDED
                       : worst != NULL           ? TXTAP_VERDICT_FAILED
                                                 : TXTAP_VERDICT_OK;
    if (worst != NULL) {
        verdict->place = worst->figure.max_at;
        snprintf(verdict->subject, sizeof verdict->subject, "%.*s", (int)sizeof verdict->subject - 1, worst->subject);
    }
    if (regression->compared == 0)
        snprintf(verdict->text, sizeof verdict->text, "the two traces have no common figures");
    else
        set_text(verdict, regression);
}

static void compare_all(struct regression *regression, struct baseline *baseline)
{
    for (size_t i = 0; i < baseline->count; i++)
        baseline->figures[i].found = false;
    regression->length_scale = length_scale_of(regression, baseline);
    for (size_t i = 0; i < regression->figures->count; i++) {
        const struct named_figure *figure = &regression->figures->at[i];
        const struct gate_rule *rule = gate_rule_of(figure->figure.name, figure->figure.detail);
        const struct baseline_figure *old = rule != NULL ? older(baseline, figure) : NULL;

        if (old != NULL)
            compare(regression, figure, rule, old);
        else if (rule != NULL && strcmp(rule->name, "cpu") == 0 && figure->figure.subject.kind == TXTAP_SUBJECT_THREAD)
            regression->added[regression->added_count++] = figure;
    }
    qsort(regression->worse, regression->count, sizeof *regression->worse, worst_first);
}

enum txtap_status regression_judge(struct verdict *verdict, const struct figures *figures, struct baseline *baseline,
                                   double tolerance, struct error *error)
{
    struct regression regression = {.figures = figures, .tick_scale = 1, .tolerance = tolerance};

    if ((figures->tick_hz > 0) != (baseline->tick_hz > 0))
        return failure(error, TXTAP_ERROR_USAGE, "--baseline: only %s has times in seconds\n%s",
                       figures->tick_hz > 0 ? "the new trace" : "the older report",
                       figures->tick_hz > 0 ? "write the older report with --hz" : "give --hz");
    if (figures->tick_hz > 0)
        regression.tick_scale = figures->tick_hz / baseline->tick_hz;
    regression.worse = calloc(figures->count + 1, sizeof *regression.worse);
    regression.added = calloc(figures->count + 1, sizeof *regression.added);
    verdict->lines = calloc(VERDICT_LINES_MOST, sizeof *verdict->lines);
    if (regression.worse == NULL || regression.added == NULL || verdict->lines == NULL) {
        free(regression.worse);
        free(regression.added);
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to compare two traces");
    }
    compare_all(&regression, baseline);
    list_worse(verdict, &regression);
    list_added(verdict, &regression);
    list_gone(verdict, baseline);
    set(verdict, &regression);
    free(regression.worse);
    free(regression.added);
    return TXTAP_OK;
}
