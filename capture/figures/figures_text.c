/* SPDX-License-Identifier: MIT */
/* Prints figures as text: tables with the worst figure first, bars, and shares over time. */
#include "figures/figures.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

/* Returns true if the byte continues a UTF-8 character. */
static inline int column_goes_on(char byte)
{
    return ((unsigned char)byte & 0xC0u) == 0x80u;
}

/* Returns the number of characters in a text. */
static inline int column_length(const char *text)
{
    int length = 0;

    for (; *text != '\0'; text++)
        length += !column_goes_on(*text);
    return length;
}

/* Returns the number of bytes in the first `columns` characters; 0 if `columns` is negative. */
static inline int column_bytes(const char *text, int columns)
{
    int bytes = 0;

    for (; text[bytes] != '\0' && (columns > 0 || column_goes_on(text[bytes])); bytes++)
        columns -= !column_goes_on(text[bytes]) ? 1 : 0;
    return bytes;
}

/* Prints a text left-aligned in a column: cuts a longer text, and pads a shorter text. */
static inline void column_left(FILE *out, const char *text, int columns)
{
    int shown = 0;

    for (; *text != '\0' && shown < columns; shown += !column_goes_on(*text), text++)
        fputc(*text, out);
    for (; column_goes_on(*text); text++)
        fputc(*text, out);
    fprintf(out, "%*s", columns - shown, "");
}

/* Prints a column like column_left(), but right-aligned. */
static inline void column_right(FILE *out, const char *text, int columns)
{
    int length = 0;

    for (const char *at = text; *at != '\0' && length < columns; at++)
        length += !column_goes_on(*at);
    fprintf(out, "%*s", columns - length, "");
    column_left(out, text, length);
}

/* ---- buckets ---- */

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
        put(out, part_of(figures_subject_text(&named->figure.subject, named->subject, text, sizeof text), follows));
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

/* Shows the CPU share over time. first: index of its first figure. Returns the number of its figures. */
static size_t show_buckets(const struct figures *figures, size_t first, FILE *out)
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

/* ---- bars ---- */

#define BARS_MAX    10
#define BAR_COLUMNS 50
#define TEXT_BYTES  (8 * FIGURE_NAME_BYTES)

/* Returns true if bars are wanted for the figure. In a whole report, only wake, run and response have bars. In selected
 * sections, all figures have bars. */
static bool is_wanted(const struct figures *figures, const struct txtap_figure *figure)
{
    if (figure->id == TXTAP_FIGURE_WAKE || figure->id == TXTAP_FIGURE_RUN || figure->id == TXTAP_FIGURE_RESPONSE)
        return figures->histograms != FIGURES_NO_HISTOGRAMS;
    return figures->histograms == FIGURES_ALL_HISTOGRAMS;
}

bool figures_has_bars(const struct figures *figures, const struct txtap_figure *figure)
{
    return is_wanted(figures, figure) && figure->stat[TXTAP_STAT_N].value >= 2;
}

static void show_bar(const struct figures *figures, const struct txtap_figure *figure, const struct txtap_bar *bar,
                     uint64_t most, FILE *out)
{
    static const char full[] = "##################################################";
    char from[QUANTITY_BYTES], to[QUANTITY_BYTES];
    int length = (int)((double)bar->count / (double)most * BAR_COLUMNS + 0.5);

    if (bar->count > 0 && length == 0)
        length = 1;
    quantity_text(from, (double)bar->from, figure->unit, figures->tick_hz);
    quantity_text(to, (double)bar->to, figure->unit, figures->tick_hz);
    fprintf(out, "  %15s %2s %-15s %9" PRIu64 "%s%.*s\n", from, bar->from == bar->to ? "" : "to",
            bar->from == bar->to ? "" : to, bar->count, length > 0 ? " " : "", length, full);
}

/* Shows a figure's samples as bars, if it has samples and bars are wanted. */
static void show_bars(const struct figures *figures, const struct named_figure *named, FILE *out)
{
    const struct txtap_figure *figure = &named->figure;
    struct txtap_bar bars[BARS_MAX];
    char subject[TEXT_BYTES], other[TEXT_BYTES];
    const char *of, *with;
    uint64_t most = 0;
    size_t count;

    if (!figures_has_bars(figures, figure))
        return;
    count = txtap_figure_bars(figure, bars, BARS_MAX);
    for (size_t i = 0; i < count; i++)
        most = bars[i].count > most ? bars[i].count : most;
    of = figures_subject_text(&figure->subject, named->subject, subject, sizeof subject);
    with = figures_subject_text(&figure->other, named->other, other, sizeof other);
    if (count > 0)
        fprintf(out, "  %s%s%.30s%s%.30s%s%s\n", figure->name, *of != '\0' ? " of " : "", of, *with != '\0' ? ", " : "",
                with, *figure->detail != '\0' ? ", " : "", figure->detail);
    for (size_t i = 0; i < count; i++)
        show_bar(figures, figure, &bars[i], most, out);
}

#define SUBJECT_COLUMNS 25
#define CUT_COLUMNS     8  /* minimum width of a subject */
#define WIDE_COLUMNS    52 /* width of the subject of a figure with only one number */
#define SHARE_COLUMNS   40 /* width of the subject of a share, whose bounds follow */
#define AMOUNT_COLUMNS  36 /* width of the subject of a sum with its rate */
#define NUMBER_COLUMNS  7  /* width of each number of a figure with samples */
#define NUMBER_BYTES    32
#define LINE_COLUMNS    100
#define TEXT_BYTES      (8 * FIGURE_NAME_BYTES)

/* ---- numbers ---- */

static void duration(char out[static NUMBER_BYTES], double ticks, double tick_hz)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    double seconds = tick_hz > 0 ? ticks / tick_hz : 0;
    size_t i = 0;

    if (tick_hz <= 0 || ticks == 0) {
        snprintf(out, NUMBER_BYTES, ticks == floor(ticks) ? "%.0f" : "%.1f", ticks);
        return;
    }
    while (i < 3 && fabs(seconds) < units[i].unit)
        i++;
    seconds /= units[i].unit;
    snprintf(out, NUMBER_BYTES, "%.*f%s", fabs(seconds) < 10 ? 2 : fabs(seconds) < 100 ? 1 : 0, seconds, units[i].name);
}

static void quantity(char out[static NUMBER_BYTES], double value, enum txtap_unit unit, double tick_hz)
{
    if (unit == TXTAP_UNIT_TICKS)
        duration(out, value, tick_hz);
    else if (unit == TXTAP_UNIT_PERCENT)
        snprintf(out, NUMBER_BYTES, "%.2f%%", value);
    else
        snprintf(out, NUMBER_BYTES, value == floor(value) ? "%.0f" : "%.2f", value);
}

/* Writes a number; "-" if it is unknown. Before the number, ">=" means that only a lower bound is known, "<=" that only
 * an upper bound is known, and "~" that the number lies between two bounds. */
static void measured(char out[static NUMBER_BYTES], const struct figures *figures, const struct txtap_figure *figure,
                     enum txtap_stat stat)
{
    const struct txtap_measure *measure = &figure->stat[stat];
    const char *sign = "";
    char text[NUMBER_BYTES - 4];
    double value = measure->value;

    if (!measure->known) {
        snprintf(out, NUMBER_BYTES, "-");
        return;
    }
    if (measure->upper > measure->value && measure->lower >= measure->value) {
        sign = ">=";
        value = measure->lower;
    } else if (measure->lower > measure->value) {
        sign = ">=";
        value = measure->lower;
    } else if (measure->lower < measure->value && measure->upper <= measure->value && stat == TXTAP_STAT_MIN) {
        sign = "<=";
    } else if (measure->lower < measure->value && measure->upper > measure->value) {
        sign = "~";
    }
    quantity(out, value, stat == TXTAP_STAT_N ? TXTAP_UNIT_COUNT : figure->unit, figures->tick_hz);
    snprintf(text, sizeof text, "%s", out);
    snprintf(out, NUMBER_BYTES, "%s%s", sign, text);
}

/* Returns true for a share of the whole time. A share of only a part of the time has a place, max_at. */
static bool is_share(const struct txtap_figure *figure)
{
    return figure->unit == TXTAP_UNIT_PERCENT && !figure->max_at.known;
}

/* Writes "12.34%". If the share is not exact, adds its bounds: " (1.20 to 56.80)". Rounds the lower bound down, and the
 * upper bound up. */
static void put_share(FILE *out, const struct txtap_measure *share)
{
    char value[NUMBER_BYTES] = "not recorded";

    if (share->known)
        quantity(value, share->value, TXTAP_UNIT_PERCENT, 0);
    fprintf(out, " %14s", value);
    if (!share->known || (share->lower == share->value && share->upper == share->value))
        return;
    if (isinf(share->upper))
        fprintf(out, " (at least %.2f)", floor(share->lower * 100) / 100);
    else
        fprintf(out, " (%.2f to %.2f)", floor(share->lower * 100) / 100, ceil(share->upper * 100) / 100);
}

/* Shortens a number that is too long for its column to three digits: ">=1092294" becomes ">=1.09M". */
static void shorten(char number[static NUMBER_BYTES], size_t most)
{
    static const char units[] = "KMGTPE";
    size_t sign = strcspn(number, "0123456789"), unit = 0;
    double value = strtod(number + sign, NULL) / 1e3;

    if (strlen(number) <= most || number[sign + strspn(number + sign, "0123456789")] != '\0')
        return;
    for (; value >= 999.5 && unit + 1 < sizeof units - 1; unit++)
        value /= 1e3;
    snprintf(number + sign, NUMBER_BYTES - sign, "%.*f%c",
             value < 9.995   ? 2
             : value < 99.95 ? 1
                             : 0,
             value, units[unit]);
}

/* Writes the event number and the time, in two columns. */
static void place(FILE *out, const struct figures *figures, const struct txtap_place *at)
{
    if (!at->known)
        return;
    fprintf(out, " %9" PRIu64, at->seq);
    if (figures->tick_hz > 0)
        fprintf(out, " %12.6fs", (double)at->ticks / figures->tick_hz);
    else
        fprintf(out, " %13" PRIu64, at->ticks);
}

/* ---- rows ---- */

/* Returns true for a sum that has a maximum per second. */
static bool is_amount(const struct txtap_figure *figure)
{
    return figure->stat[TXTAP_STAT_MAX].known && !figures_is_spread(figure);
}

static int columns_of(const struct txtap_figure *figure)
{
    return figures_is_spread(figure) ? SUBJECT_COLUMNS
           : is_amount(figure)       ? AMOUNT_COLUMNS
           : is_share(figure)        ? SHARE_COLUMNS
                                     : WIDE_COLUMNS;
}

/* Returns how many bytes of the subject `of` to show. A long name is cut to leave room for the other subject, `with`. A
 * number is never cut. */
static int shown_bytes(const struct txtap_figure *figure, const char *of, const char *with)
{
    int left = columns_of(figure) - column_length(": ") - column_length(with);
    bool has_name = figure->subject.kind == TXTAP_SUBJECT_THREAD || figure->subject.kind == TXTAP_SUBJECT_OBJECT;

    if (*with != '\0' && has_name)
        return column_bytes(of, left > CUT_COLUMNS ? left : CUT_COLUMNS);
    return column_bytes(of, is_share(figure) ? SHARE_COLUMNS : WIDE_COLUMNS);
}

static void who(FILE *out, const struct named_figure *named)
{
    const struct txtap_figure *figure = &named->figure;
    char subject[TEXT_BYTES], other[TEXT_BYTES], text[2 * TEXT_BYTES + 64];
    const char *of = figures_subject_text(&figure->subject, named->subject, subject, sizeof subject);
    const char *with = figures_subject_text(&figure->other, named->other, other, sizeof other);

    snprintf(text, sizeof text, "%.*s%s%s%s%s", shown_bytes(figure, of, with), of,
             *of != '\0' && *with != '\0' ? ": " : "", with,
             *figure->detail != '\0' && (*of != '\0' || *with != '\0') ? " " : "", figure->detail);
    column_left(out, *text != '\0' ? text : is_amount(figure) ? "all" : figure->name, columns_of(figure));
}

static void row(FILE *out, const struct figures *figures, const struct named_figure *named)
{
    static const enum txtap_stat stats[] = {TXTAP_STAT_MIN, TXTAP_STAT_MEAN, TXTAP_STAT_P95, TXTAP_STAT_P99,
                                            TXTAP_STAT_MAX};
    static const enum txtap_stat of_amount[] = {TXTAP_STAT_VALUE, TXTAP_STAT_RATE, TXTAP_STAT_MAX};
    const struct txtap_figure *figure = &named->figure;
    char number[NUMBER_BYTES];

    fputs("  ", out);
    who(out, named);
    if (figures_is_spread(figure)) {
        measured(number, figures, figure, TXTAP_STAT_N);
        fprintf(out, " %7s", number);
        for (size_t i = 0; i < sizeof stats / sizeof *stats; i++) {
            measured(number, figures, figure, stats[i]);
            shorten(number, NUMBER_COLUMNS);
            fprintf(out, " %*s", NUMBER_COLUMNS, number);
        }
    } else if (is_amount(figure)) {
        for (size_t i = 0; i < sizeof of_amount / sizeof *of_amount; i++) {
            measured(number, figures, figure, of_amount[i]);
            fprintf(out, " %11s", number);
        }
    } else if (is_share(figure)) {
        put_share(out, &figure->stat[TXTAP_STAT_VALUE]);
    } else {
        measured(number, figures, figure, figure->stat[TXTAP_STAT_VALUE].known ? TXTAP_STAT_VALUE : TXTAP_STAT_N);
        fprintf(out, " %14s", number);
    }
    place(out, figures, &figure->max_at);
    fputc('\n', out);
}

static void head(FILE *out, const struct txtap_figure *figure)
{
    if (figure->subject.kind == TXTAP_SUBJECT_SYSTEM && figure->other.kind == TXTAP_SUBJECT_SYSTEM &&
        !figures_is_spread(figure) && !is_amount(figure))
        return;
    fputs("  ", out);
    if (columns_of(figure) == WIDE_COLUMNS || is_share(figure))
        fputs(figure->name, out);
    else
        column_left(out, figure->name, columns_of(figure));
    if (is_amount(figure))
        fprintf(out, " %11s %11s %11s %9s %13s\n", "total", "a second", "most in 1 s", "event", "time");
    else if (figures_is_spread(figure))
        fprintf(out, " %7s %7s %7s %7s %7s %7s %9s %13s\n", "n", "min", "mean", "p95", "p99", "max", "event", "time");
    else
        fputc('\n', out);
}

/* ---- order ---- */

/* Returns true if a small value is bad. */
static bool low_is_bad(const struct txtap_figure *figure)
{
    return figure->id == TXTAP_FIGURE_STACK || figure->id == TXTAP_FIGURE_AVAILABLE;
}

static double badness(const struct txtap_figure *figure)
{
    double value = fmax(figure->stat[TXTAP_STAT_VALUE].value, figure->stat[TXTAP_STAT_VALUE].lower);

    return low_is_bad(figure) ? -value : value;
}

static int compare(const void *a, const void *b)
{
    const struct named_figure *left = *(const struct named_figure *const *)a;
    const struct named_figure *right = *(const struct named_figure *const *)b;
    double difference = badness(&right->figure) - badness(&left->figure);

    if (difference != 0)
        return difference > 0 ? 1 : -1;
    return left < right ? -1 : left > right; /* equally bad figures stay in their original order */
}

/* Returns false for a figure that is of use only to programs: a figure that repeats another figure in ticks, is a part
 * of another figure, or is 0. */
static bool is_shown(const struct txtap_figure *figure)
{
    static const enum txtap_figure_id hidden[] = {
        TXTAP_FIGURE_THREAD_CALLS, TXTAP_FIGURE_STACK_SIZE, TXTAP_FIGURE_EVENTS,
        TXTAP_FIGURE_SUSPENDED,    TXTAP_FIGURE_RESUMED,    TXTAP_FIGURE_SUSPENDS_DONE,
        TXTAP_FIGURE_RESUMES_DONE, TXTAP_FIGURE_TURNS,      TXTAP_FIGURE_WOKEN_BY};
    size_t length = strlen(figure->name);

    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (figure->id == hidden[i])
            return false;
    if (length >= 6 && strcmp(figure->name + length - 6, "_ticks") == 0)
        return false;
    return figure->subject.kind == TXTAP_SUBJECT_SYSTEM || badness(figure) != 0 || figure->unit == TXTAP_UNIT_BYTES ||
           low_is_bad(figure);
}

/* Shows all figures with the name and section of figure `first`, the worst figure first. done: true for each figure
 * that was already shown. rows: memory for the figures to show. */
static void show_kind(FILE *out, const struct figures *figures, size_t first, bool *done,
                      const struct named_figure **rows)
{
    const struct txtap_figure *like = &figures->at[first].figure;
    size_t count = 0;

    for (size_t i = first; i < figures->count; i++) {
        const struct txtap_figure *figure = &figures->at[i].figure;

        if (done[i] || !is_shown(figure) || figure->id != like->id || strcmp(figure->section, like->section) != 0 ||
            figures_is_spread(figure) != figures_is_spread(like))
            continue;
        done[i] = true;
        rows[count++] = &figures->at[i];
    }
    qsort(rows, count, sizeof *rows, compare);
    head(out, &rows[0]->figure);
    for (size_t i = 0; i < count; i++)
        row(out, figures, rows[i]);
    for (size_t i = 0; i < count; i++)
        show_bars(figures, rows[i], out);
}

static const char *brief_of(const char *section)
{
    const struct txtap_analysis_section *row;

    for (size_t i = 0; (row = txtap_analysis_section(i)) != NULL; i++)
        if (strcmp(row->name, section) == 0)
            return row->brief;
    return "";
}

/* Prints a sentence in lines of 100 columns. */
static void show_lacks(FILE *out, const char *lacks)
{
    int columns = fprintf(out, "This trace does not record");

    while (*lacks != '\0') {
        int length = (int)strcspn(lacks, " ");

        if (columns + 1 + length > LINE_COLUMNS - 1)
            columns = fprintf(out, "\n%.*s", length, lacks) - 1;
        else
            columns += fprintf(out, " %.*s", length, lacks);
        lacks += length;
        lacks += strspn(lacks, " ");
    }
    fputs(".\n", out);
}

/* Shows for how much of the time it is unknown whether an interrupt ran. */
static void show_uncertain(FILE *out, const struct figures *figures)
{
    const struct txtap_analysis_summary *summary = &figures->summary;
    double percent = 100.0 * (double)summary->uncertain_ticks / (double)summary->observed_ticks;
    char uncertain[NUMBER_BYTES];

    if (summary->uncertain_ticks == 0 || summary->observed_ticks == 0)
        return;
    duration(uncertain, (double)summary->uncertain_ticks, figures->tick_hz);
    fprintf(out,
            "For %s%s (%.1f %%) it is unknown whether an interrupt ran: some do not record enter and exit,\nso shares "
            "have bounds. Record both in every handler to make them exact.\n",
            uncertain, figures->tick_hz > 0 ? "" : " ticks", percent);
}

static bool is_set(const char *text)
{
    return text != NULL && *text != '\0';
}

static void show_summary(FILE *out, const struct figures *figures)
{
    char window[NUMBER_BYTES], observed[NUMBER_BYTES];

    if (is_set(figures->firmware))
        fprintf(out, "%c%s\n", toupper((unsigned char)*figures->firmware), figures->firmware + 1);
    duration(window, (double)figures->summary.window_ticks, figures->tick_hz);
    duration(observed, (double)figures->summary.observed_ticks, figures->tick_hz);
    fprintf(out, "%" PRIu64 " events in %s%s, %s%" PRIu64 " lost", figures->summary.events, window,
            figures->tick_hz > 0 ? "" : " ticks", figures->summary.lost_exact ? "" : "at least ",
            figures->summary.lost);
    if (figures->summary.gaps == 0 && figures->summary.lost > 0)
        fputs(" before the first", out);
    else
        fprintf(out, " in %" PRIu64 " gap%s", figures->summary.gaps, figures->summary.gaps == 1 ? "" : "s");
    if (figures->summary.gaps > 0)
        fprintf(out, "; %s of it observed (%.1f %%)", observed,
                figures->summary.window_ticks > 0
                    ? 100.0 * (double)figures->summary.observed_ticks / (double)figures->summary.window_ticks
                    : 0.0);
    if (figures->resets > 0)
        fprintf(out, "; %" PRIu64 " reset%s, around which events may be lost", figures->resets,
                figures->resets == 1 ? "" : "s");
    fputc('\n', out);
    if (is_set(figures->rate))
        fprintf(out, "Ticks at %s\n", figures->rate);
    if (figures->summary.cores > 1)
        fprintf(out,
                "%" PRIu32
                " cores: it is unknown whether their time stamps use one clock; if not, all times are wrong\nno event "
                "records when a core makes another core switch: figures that depend on it have bounds\n",
                figures->summary.cores);
    if (figures->summary.left_out > 0)
        fprintf(out, "%" PRIu64 " threads, objects or pairs are not in the figures: there are too many\n",
                figures->summary.left_out);
    if (figures->lacks != NULL)
        show_lacks(out, figures->lacks);
    show_uncertain(out, figures);
}

void figures_show_text(struct figures *figures, FILE *out)
{
    bool *done = calloc(figures->count + 1, sizeof *done);
    const struct named_figure **rows = calloc(figures->count + 1, sizeof *rows);
    const char *section = "";

    show_summary(out, figures);
    for (size_t i = 0; done != NULL && rows != NULL && i < figures->count; i++) {
        const struct txtap_figure *figure = &figures->at[i].figure;

        if (done[i] || (!figure->span.known && !is_shown(figure)))
            continue;
        if (strcmp(section, figure->section) != 0)
            fprintf(out, "\n%s: %s\n", figure->section, brief_of(figure->section));
        section = figure->section;
        if (figure->span.known) {
            i += show_buckets(figures, i, out) - 1;
            continue;
        }
        show_kind(out, figures, i, done, rows);
    }
    free(done);
    free(rows);
}
