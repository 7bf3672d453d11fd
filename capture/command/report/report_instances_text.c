/* SPDX-License-Identifier: MIT */
/* Instances as text: a strip over time for each figure, and a table of the longest. */
#include "command/report/report_instances.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "figures/text_table.h"
#include "txtap/inner/escape.h"

#define STRIP_SHOWN 61u /* columns of a strip in the output */
#define STRIP_NAMES 17u
#define COLUMNS     4u  /* columns of the table that all instances have */
#define STRIPS_MAX  20u /* strips of one wish */
#define TEXT_BYTES  (TXTAP_ESCAPED_BYTES(FIGURE_NAME_BYTES) + 128)

/* The heights of a strip. A column without an instance is a blank. */
static const char heights[] = ".:-=+*#@";

#define HEIGHTS ((unsigned)sizeof heights - 1)

/* Data that all parts of the output need. */
struct show {
    const struct report_instances *instances;
    const struct figures *figures;
    unsigned width;
    FILE *out;
};

/* Returns the figure of the series, with its statistics; NULL: the report has no such figure any more. */
static const struct named_figure *figure_of(const struct show *show, const struct report_series *series)
{
    for (size_t i = 0; i < show->figures->count; i++)
        if (show->figures->at[i].figure.samples == series->figure.samples)
            return &show->figures->at[i];
    return NULL;
}

static const char *length_text(const struct show *show, char text[static QUANTITY_SHORT_BYTES], uint64_t value,
                               enum txtap_unit unit)
{
    return quantity_short(text, (double)value, unit, show->figures->tick_hz);
}

/* Returns the name of the subject, with the other party and the detail: "filter mutex model". */
static void name_series(const struct report_series *series, const struct named_figure *named, char *out, size_t size)
{
    const struct txtap_figure *figure = &series->figure;
    char subject[TEXT_BYTES / 2], other[TEXT_BYTES / 2];
    bool has_other = figure->other.kind != TXTAP_SUBJECT_SYSTEM;

    snprintf(out, size, "%s%s%s%s%s",
             txtap_subject_text(&named->figure.subject, named->subject, subject, sizeof subject),
             *figure->detail != '\0' ? " " : "", figure->detail, has_other ? " " : "",
             has_other ? txtap_subject_text(&named->figure.other, named->other, other, sizeof other) : "");
}

/* ---- strips ---- */

/* Draws a strip. most: the value of the full height. */
static void draw(const struct show *show, const struct strip *strip, uint64_t most, char cells[static STRIP_SHOWN + 1])
{
    const struct report_instances *instances = show->instances;
    uint64_t used = (instances->last - instances->first) / instances->column_ticks + 1;
    uint64_t columns = used < STRIP_SHOWN ? used : STRIP_SHOWN;

    for (uint64_t i = 0; i < columns; i++) {
        uint64_t value = 0;

        for (uint64_t k = i * used / columns; k < (i + 1) * used / columns; k++)
            value = strip->most[k] > value ? strip->most[k] : value;
        cells[i] = ' ';
        if (value > 0)
            cells[i] = heights[(unsigned)((double)(value - 1) / (double)(most > 0 ? most : 1) * HEIGHTS)];
    }
    cells[columns] = '\0';
}

/* Orders series by wish, then by their largest value, then by their number. */
static int by_worst(const void *left, const void *right)
{
    const struct report_series *const *a = left, *const *b = right;
    uint64_t most[2] = {0, 0};

    if ((*a)->wish != (*b)->wish)
        return (*a)->wish < (*b)->wish ? -1 : 1;
    for (unsigned i = 0; i < STRIP_COLUMNS; i++) {
        most[0] = (*a)->strip->most[i] > most[0] ? (*a)->strip->most[i] : most[0];
        most[1] = (*b)->strip->most[i] > most[1] ? (*b)->strip->most[i] : most[1];
    }
    if (most[0] != most[1])
        return most[0] > most[1] ? -1 : 1;
    return strcmp((*a)->subject, (*b)->subject);
}

static void show_strip(const struct show *show, const struct report_series *series, const struct named_figure *named,
                       uint64_t most)
{
    char name[TEXT_BYTES], cells[STRIP_SHOWN + 1], n[QUANTITY_SHORT_BYTES], mean[QUANTITY_SHORT_BYTES],
        max[QUANTITY_SHORT_BYTES];
    const struct txtap_figure *figure = &named->figure;

    name_series(series, named, name, sizeof name);
    draw(show, series->strip, most, cells);
    fprintf(show->out, "%-*.*s|%s|\n", (int)STRIP_NAMES, (int)STRIP_NAMES, name, cells);
    fprintf(show->out, "%*sn %s  mean %s  max %s", (int)STRIP_NAMES + 1, "",
            figures_measure_text(n, figure, TXTAP_STAT_N, show->figures->tick_hz),
            figures_measure_text(mean, figure, TXTAP_STAT_MEAN, show->figures->tick_hz),
            figures_measure_text(max, figure, TXTAP_STAT_MAX, show->figures->tick_hz));
    if (series->cut > 0)
        fprintf(show->out, "  %" PRIu64 " cut off", series->cut);
    fputc('\n', show->out);
}

static void show_scale(const struct show *show, uint64_t most, enum txtap_unit unit)
{
    const struct report_instances *instances = show->instances;
    char from[QUANTITY_SHORT_BYTES], to[QUANTITY_SHORT_BYTES], max[QUANTITY_SHORT_BYTES];

    fprintf(show->out, "%*sfrom %s to %s; height: %s up to %s\n", (int)STRIP_NAMES + 1, "",
            length_text(show, from, instances->first, TXTAP_UNIT_TICKS),
            length_text(show, to, instances->last, TXTAP_UNIT_TICKS), heights, length_text(show, max, most, unit));
}

/* ---- the longest ---- */

static void put_number(struct text_table *table, uint64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRIu64, number);
    text_table_put(table, text);
}

static void put_worst(const struct show *show, struct text_table *table, const struct txtap_instance *instance)
{
    const struct report_series *series = show->instances->series[instance->series];
    const struct named_figure *named = figure_of(show, series);
    char text[TEXT_BYTES], value[QUANTITY_SHORT_BYTES];

    if (named == NULL)
        return;
    name_series(series, named, text, sizeof text);
    text_table_put(table, text);
    snprintf(text, sizeof text, "%s%s", instance->vague ? "~" : "",
             length_text(show, value, instance->value, series->figure.unit));
    text_table_put(table, text);
    text_table_put(table, length_text(show, value, instance->start, TXTAP_UNIT_TICKS));
    put_number(table, instance->seq);
    for (unsigned i = 0; instance->has_parts && i < TXTAP_INSTANCE_PARTS; i++)
        text_table_put(table, length_text(show, value, instance->parts[i], TXTAP_UNIT_TICKS));
}

static bool show_worst(const struct show *show, unsigned wish)
{
    static const struct text_column columns[COLUMNS + TXTAP_INSTANCE_PARTS] = {
        {"", 12, 0, 12},    {"length", 0, 0, 0},      {"start", 0, 0, 0},   {"event", 0, 0, 0},   {"run", 0, 1, 0},
        {"ready", 0, 2, 0}, {"interrupted", 0, 3, 0}, {"blocked", 0, 4, 0}, {"unknown", 0, 5, 0},
    };
    const struct report_instances *instances = show->instances;
    struct text_table table;

    text_table_begin(&table, columns, COLUMNS + (instances->worst[wish][0].has_parts ? TXTAP_INSTANCE_PARTS : 0));
    for (uint32_t i = 0; i < instances->worst_count[wish]; i++)
        put_worst(show, &table, &instances->worst[wish][i]);
    return text_table_end(&table, show->width, show->out);
}

/* ---- all ---- */

/* Shows the series of a wish: the elements of `sorted` from *at to count - 1. Returns false if there is no memory. */
static bool show_wish(const struct show *show, struct report_series **sorted, uint32_t count, uint32_t *at,
                      unsigned wish)
{
    const struct txtap_check *of = &show->instances->options->report.instances[wish];
    uint64_t most = show->instances->worst_count[wish] > 0 ? show->instances->worst[wish][0].value : 0;
    uint32_t shown = 0;
    enum txtap_unit unit = TXTAP_UNIT_TICKS;

    fprintf(show->out, "%s%s: ", wish > 0 ? "\n" : "", of->text);
    if (*at == count || sorted[*at]->wish != wish) {
        fputs("nothing was measured\n", show->out);
        return true;
    }
    fputs("each column shows the longest that ended there\n", show->out);
    for (; *at < count && sorted[*at]->wish == wish; (*at)++) {
        const struct named_figure *named = figure_of(show, sorted[*at]);

        unit = sorted[*at]->figure.unit;
        if (named != NULL && shown++ < STRIPS_MAX)
            show_strip(show, sorted[*at], named, most);
    }
    if (shown > STRIPS_MAX)
        fprintf(show->out, "%*s%" PRIu32 " more, which are shorter\n", (int)STRIP_NAMES + 1, "", shown - STRIPS_MAX);
    if (show->instances->worst_count[wish] == 0)
        return true;
    show_scale(show, most, unit);
    fputs("\nthe longest:\n", show->out);
    return show_worst(show, wish);
}

bool report_instances_text(const struct report_instances *instances, const struct figures *figures, unsigned width,
                           FILE *out)
{
    const struct show show = {.instances = instances, .figures = figures, .width = width, .out = out};
    struct report_series **sorted = malloc((instances->count + 1) * sizeof(struct report_series *));
    uint32_t count = 0, at = 0;
    bool shown = sorted != NULL;

    if (!shown)
        return false;
    figures_show_summary(figures, width, out);
    fputc('\n', out);
    for (uint32_t i = 0; i < instances->count; i++)
        if (instances->series[i]->strip != NULL)
            sorted[count++] = instances->series[i];
    qsort(sorted, count, sizeof(struct report_series *), by_worst);
    for (unsigned i = 0; i < instances->options->report.instance_count && shown; i++)
        shown = show_wish(&show, sorted, count, &at, i);
    free(sorted);
    return shown;
}
