/* SPDX-License-Identifier: MIT */
/* Prints the CPU share over time: a line for each bucket. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "figures/columns.h"
#include "figures/figures.h"

#define THREADS_SHOWN 7 /* as many threads as fit into a line of 100 columns */
#define CELL_COLUMNS  7 /* width of a cell without the preceding blank */
#define CELL_BYTES    32
#define TEXT_BYTES    (8 * FIGURE_NAME_BYTES)

/* A table of buckets: a row for each bucket, with figures of the same subjects in the same order. */
struct table {
    const struct figures *figures;
    const struct named_figure *first;
    size_t rows, columns;
    size_t shown[THREADS_SHOWN + 2]; /* indexes of the columns to show: the whole system, then the busiest threads */
    size_t shown_count;
};

static const struct txtap_figure *cell(const struct table *table, size_t row, size_t column)
{
    return &table->first[row * table->columns + column].figure;
}

static double most_of(const struct table *table, size_t column)
{
    double most = 0;

    for (size_t row = 0; row < table->rows; row++)
        most = fmax(most, cell(table, row, column)->stat[TXTAP_STAT_VALUE].value);
    return most;
}

static bool is_chosen(const struct table *table, size_t column)
{
    for (size_t i = 0; i < table->shown_count; i++)
        if (table->shown[i] == column)
            return true;
    return false;
}

static void choose(struct table *table)
{
    size_t of_system;

    for (size_t i = 0; i < table->columns && i < 2; i++)
        if (cell(table, 0, i)->subject.kind == TXTAP_SUBJECT_SYSTEM)
            table->shown[table->shown_count++] = i;
    of_system = table->shown_count;
    while (table->shown_count < of_system + THREADS_SHOWN) {
        size_t busiest = table->columns;

        for (size_t i = of_system; i < table->columns; i++)
            if (!is_chosen(table, i) && most_of(table, i) > 0 &&
                (busiest == table->columns || most_of(table, i) > most_of(table, busiest)))
                busiest = i;
        if (busiest == table->columns)
            return;
        table->shown[table->shown_count++] = busiest;
    }
}

/* ---- lines ---- */

static void put(FILE *out, const char *text)
{
    fputc(' ', out);
    column_right(out, text, CELL_COLUMNS);
}

/* Writes a share. Writes "~" before it if gaps hide a part of the time, or only "-" if gaps hide all of the time. */
static void put_share_bounds(FILE *out, double value, double lower, double upper)
{
    char text[CELL_BYTES];

    snprintf(text, sizeof text, "%s%.1f%%", upper > value || lower < value ? "~" : "", value);
    put(out, upper - lower >= 100 && value == 0 ? "-" : text);
}

static void put_moment(FILE *out, const struct table *table, uint64_t ticks)
{
    if (table->figures->tick_hz > 0)
        fprintf(out, "  %12.6fs", (double)ticks / table->figures->tick_hz);
    else
        fprintf(out, "  %13" PRIu64, ticks);
}

/* The head shows a name in two lines. Returns the part for the first line, or, if `follows` is true, for the second. */
static const char *part_of(const char *name, bool follows)
{
    for (int shown = 0; follows && *name != '\0' && (shown < CELL_COLUMNS || column_goes_on(*name)); name++)
        shown += !column_goes_on(*name);
    return name;
}

static void show_name(FILE *out, const struct named_figure *named, bool follows)
{
    char text[TEXT_BYTES];

    if (named->figure.subject.kind != TXTAP_SUBJECT_SYSTEM)
        put(out, part_of(txtap_subject_text(&named->figure.subject, named->subject, text, sizeof text), follows));
    else if (named->figure.id == TXTAP_FIGURE_BUCKET_LOAD)
        put(out, follows ? "" : "load");
    else
        put(out, follows ? "rupts" : "inter-");
}

static void show_names(FILE *out, const struct table *table)
{
    for (int line = 0; line < 2; line++) {
        fprintf(out, "  %13s", line == 0 ? "from" : "");
        for (size_t i = 0; i < table->shown_count; i++)
            show_name(out, &table->first[table->shown[i]], line == 1);
        if (table->shown_count < table->columns && line == 0)
            put(out, "others");
        fputc('\n', out);
    }
}

static void show_others(FILE *out, const struct table *table, size_t row)
{
    double value = 0, lower = 0, upper = 0;

    for (size_t i = 0; i < table->columns; i++) {
        const struct txtap_measure *share = &cell(table, row, i)->stat[TXTAP_STAT_VALUE];

        if (is_chosen(table, i))
            continue;
        value += share->value;
        lower += share->lower;
        upper = fmax(upper, share->upper - share->value);
    }
    put_share_bounds(out, value, lower, value + upper);
}

static void show_row(FILE *out, const struct table *table, size_t row)
{
    put_moment(out, table, cell(table, row, 0)->span.from);
    for (size_t i = 0; i < table->shown_count; i++) {
        const struct txtap_measure *share = &cell(table, row, table->shown[i])->stat[TXTAP_STAT_VALUE];

        put_share_bounds(out, share->value, share->lower, share->upper);
    }
    if (table->shown_count < table->columns)
        show_others(out, table, row);
    fputc('\n', out);
}

static void show_extremes(FILE *out, const struct table *table, const char *name, double sign)
{
    char text[CELL_BYTES];

    fprintf(out, "  %13s", name);
    for (size_t i = 0; i < table->shown_count; i++) {
        double extreme = -INFINITY;

        for (size_t row = 0; row < table->rows; row++)
            extreme = fmax(extreme, sign * cell(table, row, table->shown[i])->stat[TXTAP_STAT_VALUE].value);
        snprintf(text, sizeof text, "%.1f%%", sign * extreme);
        put(out, text);
    }
    fputc('\n', out);
}

static void show_width(FILE *out, const struct table *table)
{
    const struct txtap_span *span = &cell(table, 0, 0)->span;
    uint64_t width = table->rows > 1 ? cell(table, 1, 0)->span.from - span->from : span->to - span->from;
    char text[QUANTITY_BYTES], asked[QUANTITY_BYTES];

    fprintf(out, "  buckets of %s", quantity_text(text, (double)width, TXTAP_UNIT_TICKS, table->figures->tick_hz));
    if (table->rows > 1 && width != table->figures->bucket_asked)
        fprintf(out, ": too many buckets of %s",
                quantity_text(asked, (double)table->figures->bucket_asked, TXTAP_UNIT_TICKS, table->figures->tick_hz));
    fputc('\n', out);
}

size_t figures_show_buckets(const struct figures *figures, size_t first, FILE *out)
{
    struct table table = {.figures = figures, .first = &figures->at[first]};
    size_t count = 0;

    while (first + count < figures->count && figures->at[first + count].figure.span.known) {
        table.columns += figures->at[first + count].figure.span.from == table.first->figure.span.from;
        count++;
    }
    table.rows = count / table.columns;
    choose(&table);
    show_width(out, &table);
    show_names(out, &table);
    for (size_t row = 0; row < table.rows; row++)
        show_row(out, &table, row);
    if (table.rows > 1) {
        show_extremes(out, &table, "least", -1);
        show_extremes(out, &table, "most", 1);
    }
    return count;
}
