/* SPDX-License-Identifier: MIT */
/* Finds each new figure in the older report, and compares the numbers that do not depend on the trace's length. */
#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/escape.h"
#include "txtap/inner/figure_json.h"

#define SUBJECT_BYTES (8 * FIGURE_NAME_BYTES)
#define KEY_COLUMNS   40

static const enum txtap_stat spread_stats[] = {TXTAP_STAT_MEAN, TXTAP_STAT_P95, TXTAP_STAT_P99, TXTAP_STAT_MAX};

/* ---- comparing ---- */

static double factor_of(double before, double now)
{
    return before != 0 ? now / before : (double)INFINITY;
}

static void compare(struct comparison *comparison, const struct named_figure *figure, enum txtap_stat stat,
                    struct txtap_measure before, double scale)
{
    const struct txtap_measure *now = &figure->figure.stat[stat];
    bool apart;

    if (!before.known || !now->known)
        return;
    before.value *= scale;
    before.lower *= scale;
    before.upper *= scale;
    apart = now->lower > before.upper || now->upper < before.lower;
    if (apart && now->value != before.value)
        comparison->at[comparison->count++] =
            (struct difference){figure, stat, before, *now, factor_of(before.value, now->value)};
    else if (!apart && now->lower == now->upper && before.lower == before.upper)
        comparison->same++;
    else
        comparison->unsure++;
}

static void compare_figure(struct comparison *comparison, const struct named_figure *figure,
                           struct baseline_figure *before, double scale)
{
    before->found = true;
    if (figure->figure.unit != TXTAP_UNIT_TICKS)
        scale = 1;
    if (!figures_is_spread(&figure->figure)) {
        compare(comparison, figure, TXTAP_STAT_VALUE, before->stat[TXTAP_STAT_VALUE], scale);
        compare(comparison, figure, TXTAP_STAT_MAX, before->stat[TXTAP_STAT_MAX], scale);
        return;
    }
    for (size_t i = 0; i < sizeof spread_stats / sizeof *spread_stats; i++)
        compare(comparison, figure, spread_stats[i], before->stat[spread_stats[i]], scale);
}

/* Returns how far the factor is from 1: the same for twice as much and half as much. */
static double distance(const struct difference *difference)
{
    return difference->factor > 0 ? fabs(log(difference->factor)) : (double)INFINITY;
}

static int farthest_first(const void *a, const void *b)
{
    const struct difference *one = a, *other = b;
    double first = distance(one), second = distance(other);

    if (first != second)
        return first > second ? -1 : 1;
    return one->figure != other->figure ? (one->figure > other->figure ? 1 : -1) : (int)one->stat - (int)other->stat;
}

enum txtap_status comparison_make(struct comparison *comparison, const struct figures *figures,
                                  struct baseline *baseline, struct error *error)
{
    double scale = 1;

    *comparison = (struct comparison){.figures = figures, .baseline = baseline};
    if ((figures->tick_hz > 0) != (baseline->tick_hz > 0))
        return failure(error, TXTAP_ERROR_USAGE, "--baseline: %s has times in seconds, the other in ticks\n%s",
                       figures->tick_hz > 0 ? "this report" : "the older report",
                       figures->tick_hz > 0 ? "write the older one with --hz, too" : "give --hz");
    if (figures->tick_hz > 0)
        scale = figures->tick_hz / baseline->tick_hz;
    comparison->at = calloc(figures->count * 4 + 1, sizeof *comparison->at);
    if (comparison->at == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to compare two reports");
    for (size_t i = 0; i < figures->count; i++) {
        char key[BASELINE_KEY_BYTES];
        struct baseline_figure *before;

        before = baseline_find(baseline, baseline_figure_key(key, &figures->at[i]));
        if (before != NULL)
            compare_figure(comparison, &figures->at[i], before, scale);
        else
            comparison->added++;
    }
    for (size_t i = 0; i < baseline->count; i++)
        comparison->removed += !baseline->figures[i].found;
    qsort(comparison->at, comparison->count, sizeof *comparison->at, farthest_first);
    return TXTAP_OK;
}

void comparison_free(struct comparison *comparison)
{
    free(comparison->at);
}

/* ---- text ---- */

/* Prints a number. "~" before the number means that it is not exact. */
static void put_measure(FILE *out, const struct comparison *comparison, const struct difference *difference,
                        const struct txtap_measure *measure)
{
    char text[QUANTITY_BYTES], marked[QUANTITY_BYTES + 2];

    quantity_text(text, measure->value, difference->figure->figure.unit, comparison->figures->tick_hz);
    snprintf(marked, sizeof marked, "%s%s", measure->lower == measure->upper ? "" : "~", text);
    fprintf(out, " %14s", marked);
}

static void put_row(FILE *out, const struct comparison *comparison, const struct difference *difference)
{
    const struct named_figure *named = difference->figure;
    char what[3 * SUBJECT_BYTES], change[QUANTITY_BYTES];

    figure_label(what, sizeof what, named, txtap_stat_name(difference->stat));
    fprintf(out, "  %-*s", KEY_COLUMNS, what);
    put_measure(out, comparison, difference, &difference->before);
    put_measure(out, comparison, difference, &difference->now);
    if (isfinite(difference->factor))
        fprintf(out, " %9.3g", difference->factor);
    else
        fprintf(out, " %9s", "-");
    quantity_text(change, difference->now.value - difference->before.value, named->figure.unit,
                  comparison->figures->tick_hz);
    fprintf(out, " %s%s\n", difference->now.value > difference->before.value ? "+" : "", change);
}

/* Prints the names of figures that only the older report has. */
static void put_removed(FILE *out, const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->baseline->count; i++) {
        const struct baseline_figure *figure = &comparison->baseline->figures[i];
        char key[BASELINE_KEY_BYTES], text[TXTAP_ESCAPED_BYTES(BASELINE_KEY_BYTES)];

        if (figure->found)
            continue;
        snprintf(key, sizeof key, "%s", figure->key);
        for (char *at = strchr(key, BASELINE_KEY_MARK); at != NULL; at = strchr(at, BASELINE_KEY_MARK))
            *at = ' ';
        fprintf(out, "  gone: %s\n", txtap_escape_terminal(text, sizeof text, key));
    }
}

void comparison_show_text(const struct comparison *comparison, FILE *out)
{
    fprintf(out, "compared with the older report: %zu differ, %zu may differ, %zu are equal; %zu new, %zu gone\n",
            comparison->count, comparison->unsure, comparison->same, comparison->added, comparison->removed);
    if (comparison->count > 0)
        fprintf(out, "  %-*s %14s %14s %9s %s\n", KEY_COLUMNS, "", "before", "now", "factor", "difference");
    for (size_t i = 0; i < comparison->count; i++)
        put_row(out, comparison, &comparison->at[i]);
    put_removed(out, comparison);
}

/* ---- JSON ---- */

void comparison_show_json(const struct comparison *comparison, FILE *out)
{
    fprintf(out, "{\"may_differ\":%zu,\"equal\":%zu,\"new\":%zu,\"gone\":%zu,\"differences\":[", comparison->unsure,
            comparison->same, comparison->added, comparison->removed);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct difference *difference = &comparison->at[i];

        fprintf(out, "%s{\"figure\":%zu,\"stat\":\"%s\"", i > 0 ? "," : "",
                (size_t)(difference->figure - comparison->figures->at), txtap_stat_name(difference->stat));
        quantity_put_member(out, "before", difference->before.value);
        quantity_put_member(out, "now", difference->now.value);
        quantity_put_member(out, "factor", difference->factor);
        fputc('}', out);
    }
    fputs("]}", out);
}

/* ---- CSV ---- */

static void put_csv_row(FILE *out, const struct difference *difference)
{
    const struct named_figure *named = difference->figure;
    const struct txtap_figure *figure = &named->figure;
    const double numbers[] = {difference->before.value, difference->now.value, difference->factor};
    char text[SUBJECT_BYTES];

    fprintf(out, "%s,%s,%s,", figure->section, figure->name, txtap_subject_kind_name(&figure->subject));
    csv_text(out, txtap_subject_text(&figure->subject, named->subject, text, sizeof text));
    fputc(',', out);
    csv_text(out, txtap_subject_text(&figure->other, named->other, text, sizeof text));
    fprintf(out, ",%s,%s,%s", figure->detail, txtap_unit_name(figure->unit), txtap_stat_name(difference->stat));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fputc(',', out);
        quantity_put(out, numbers[i], "");
    }
    fputs("\r\n", out);
}

void comparison_show_csv(const struct comparison *comparison, FILE *out)
{
    fputs("section,name,kind,subject,other,detail,unit,stat,before,now,factor\r\n", out);
    for (size_t i = 0; i < comparison->count; i++)
        put_csv_row(out, &comparison->at[i]);
}
