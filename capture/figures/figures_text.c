/* SPDX-License-Identifier: MIT */
/* Prints all figures of sections as text: a table for each kind of figure with the worst first, and bars. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures/figures.h"
#include "figures/text_table.h"
#include "figures/words.h"
#include "txtap/inner/rate.h"
#include "txtap/inner/stacks.h"

#define TEXT_BYTES (8 * FIGURE_NAME_BYTES)

/* ---- bars ---- */

#define BARS_MAX    10
#define BAR_COLUMNS 50

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
    of = txtap_subject_text(&figure->subject, named->subject, subject, sizeof subject);
    with = txtap_subject_text(&figure->other, named->other, other, sizeof other);
    if (count > 0)
        fprintf(out, "  %s%s%s%s%s%s%s\n", figure->name, *of != '\0' ? " of " : "", of, *with != '\0' ? ", " : "", with,
                *figure->detail != '\0' ? ", " : "", figure->detail);
    for (size_t i = 0; i < count; i++)
        show_bar(figures, figure, &bars[i], most, out);
}

/* ---- rows ---- */

#define NAME_LEAST 26
#define NAME_KEPT  16
#define WIDE_LEAST 34 /* minimum width of the names in a table with a number in each row */

/* Returns true if the figure is a share of the whole time. If it is a share of only a part of the time, max_at is
 * known. */
static bool is_share(const struct txtap_figure *figure)
{
    return figure->unit == TXTAP_UNIT_PERCENT && !figure->max_at.known;
}

/* Returns true for a sum that has a maximum per second. */
static bool is_amount(const struct txtap_figure *figure)
{
    return figure->stat[TXTAP_STAT_MAX].known && !figures_is_spread(figure);
}

/* Adds "12.34%", and the bounds if any: "(1.20 to 56.80)". Rounds the lower bound down, and the upper bound up. */
static void put_share(struct text_table *table, const struct txtap_measure *share)
{
    char value[QUANTITY_SHORT_BYTES], bounds[64] = "";

    text_table_put(table, share->known ? quantity_short(value, share->value, TXTAP_UNIT_PERCENT, 0) : "not recorded");
    if (share->known && isinf(share->upper))
        snprintf(bounds, sizeof bounds, "(at least %.2f)", floor(share->lower * 100) / 100);
    else if (share->known && (share->lower != share->value || share->upper != share->value))
        snprintf(bounds, sizeof bounds, "(%.2f to %.2f)", floor(share->lower * 100) / 100,
                 ceil(share->upper * 100) / 100);
    text_table_put(table, bounds);
}

static void put_measure(struct text_table *table, const struct figures *figures, const struct txtap_figure *figure,
                        enum txtap_stat stat)
{
    char number[QUANTITY_SHORT_BYTES];

    text_table_put(table, figures_measure_text(number, figure, stat, figures->tick_hz));
}

/* Adds the event number and the time. */
static void put_place(struct text_table *table, const struct figures *figures, const struct txtap_place *at)
{
    char text[64] = "";

    if (at->known)
        snprintf(text, sizeof text, "%" PRIu64, at->seq);
    text_table_put(table, text);
    if (at->known && figures->tick_hz > 0)
        snprintf(text, sizeof text, "%.6fs", (double)at->ticks / figures->tick_hz);
    else if (at->known)
        snprintf(text, sizeof text, "%" PRIu64, at->ticks);
    text_table_put(table, text);
}

/* Adds the subject, and the other party with the detail. For a figure of the whole trace, adds the
 * figure's words, or "all", instead of the subject. */
static void put_who(struct text_table *table, const struct named_figure *named)
{
    const struct txtap_figure *figure = &named->figure;
    char subject[TEXT_BYTES], other[TEXT_BYTES], text[TEXT_BYTES + 64];
    const char *of = txtap_subject_text(&figure->subject, named->subject, subject, sizeof subject);
    const char *with = txtap_subject_text(&figure->other, named->other, other, sizeof other);

    if (*of == '\0')
        of = *with != '\0' ? "all" : is_amount(figure) ? "all" : figure_words(figure);
    text_table_put(table, of);
    snprintf(text, sizeof text, "%s%s%s", with, *with != '\0' && *figure->detail != '\0' ? " " : "", figure->detail);
    text_table_put(table, text);
}

/* Prints a kind of figure with samples. */
static bool show_spreads(const struct figures *figures, const struct named_figure **rows, size_t count, unsigned width,
                         FILE *out)
{
    static const enum txtap_stat stats[] = {TXTAP_STAT_N,   TXTAP_STAT_MIN, TXTAP_STAT_MEAN,
                                            TXTAP_STAT_P95, TXTAP_STAT_P99, TXTAP_STAT_MAX};
    const struct text_column columns[] = {
        {figure_words(&rows[0]->figure), NAME_KEPT, 0, NAME_LEAST},
        {"", NAME_KEPT, 0, 0},
        {"n", 0, 0, 7},
        {"min", 0, 6, 7},
        {"mean", 0, 3, 7},
        {"p95", 0, 5, 7},
        {"p99", 0, 2, 7},
        {"max", 0, 0, 7},
        {"event", 0, 0, 7},
        {"time", 0, 4, 10},
    };
    struct text_table table;

    text_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        put_who(&table, rows[i]);
        for (size_t k = 0; k < sizeof stats / sizeof *stats; k++)
            put_measure(&table, figures, &rows[i]->figure, stats[k]);
        put_place(&table, figures, &rows[i]->figure.max_at);
    }
    return text_table_end(&table, width, out);
}

static bool show_amounts(const struct figures *figures, const struct named_figure **rows, size_t count, unsigned width,
                         FILE *out)
{
    const struct text_column columns[] = {
        {figure_words(&rows[0]->figure), NAME_KEPT, 0, NAME_LEAST},
        {"", NAME_KEPT, 0, 0},
        {"total", 0, 0, 9},
        {"a second", 0, 0, 9},
        {"most in 1 s", 0, 0, 11},
        {"event", 0, 2, 7},
        {"time", 0, 1, 10},
    };
    struct text_table table;

    text_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        put_who(&table, rows[i]);
        put_measure(&table, figures, &rows[i]->figure, TXTAP_STAT_VALUE);
        put_measure(&table, figures, &rows[i]->figure, TXTAP_STAT_RATE);
        put_measure(&table, figures, &rows[i]->figure, TXTAP_STAT_MAX);
        put_place(&table, figures, &rows[i]->figure.max_at);
    }
    return text_table_end(&table, width, out);
}

/* Returns the words above a table; "" for a single figure of the whole trace, because its row has the words.
 */
static const char *head_of(const struct txtap_figure *figure, size_t count)
{
    bool whole = figure->subject.kind == TXTAP_SUBJECT_SYSTEM && figure->other.kind == TXTAP_SUBJECT_SYSTEM;

    return whole && count == 1 ? "" : figure_words(figure);
}

static bool show_shares(const struct named_figure **rows, size_t count, unsigned width, FILE *out)
{
    const struct text_column columns[] = {{head_of(&rows[0]->figure, count), NAME_KEPT, 0, WIDE_LEAST},
                                          {"", NAME_KEPT, 0, 0},
                                          {"", 0, 0, 8},
                                          {"", NAME_KEPT, 1, 0}};
    struct text_table table;

    text_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        put_who(&table, rows[i]);
        put_share(&table, &rows[i]->figure.stat[TXTAP_STAT_VALUE]);
    }
    return text_table_end(&table, width, out);
}

static bool show_numbers(const struct figures *figures, const struct named_figure **rows, size_t count, unsigned width,
                         FILE *out)
{
    const struct text_column columns[] = {{head_of(&rows[0]->figure, count), NAME_KEPT, 0, WIDE_LEAST},
                                          {"", NAME_KEPT, 0, 0},
                                          {"", 0, 0, 8},
                                          {"", 0, 2, 7},
                                          {"", 0, 1, 10}};
    struct text_table table;

    text_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        const struct txtap_figure *figure = &rows[i]->figure;

        put_who(&table, rows[i]);
        put_measure(&table, figures, figure, figure->stat[TXTAP_STAT_VALUE].known ? TXTAP_STAT_VALUE : TXTAP_STAT_N);
        put_place(&table, figures, &figure->max_at);
    }
    return text_table_end(&table, width, out);
}

static bool is_of_kernel(const struct named_figure *row)
{
    return strcmp(row->figure.detail, TXTAP_STACKS_ORIGIN) == 0;
}

static const char *stack_bytes_text(const struct figures *figures, enum txtap_figure_id id,
                                    const struct named_figure *row, char text[static TEXT_BYTES])
{
    const struct txtap_figure *figure = figures_find(figures, id, &row->figure.subject);

    return figure != NULL ? figures_measure_text(text, figure, TXTAP_STAT_VALUE, 0) : "";
}

/* Prints the use of stacks according to the kernel, and beside it the use that the events showed. */
static bool show_kernel_stacks(const struct figures *figures, const struct named_figure **rows, size_t count,
                               unsigned width, FILE *out)
{
    static const struct text_column columns[] = {{"used (stack_used)", NAME_KEPT, 0, WIDE_LEAST},
                                                 {"used", 0, 0, 8},
                                                 {"of bytes", 0, 0, 8},
                                                 {"", 0, 0, 8},
                                                 {"by", 0, 0, 6},
                                                 {"at events", 0, 1, 9}};
    struct text_table table;
    char text[TEXT_BYTES];

    text_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        enum txtap_figure_id seen =
            is_of_kernel(rows[i]) ? TXTAP_FIGURE_STACK_SEEN_BYTES : TXTAP_FIGURE_STACK_USED_BYTES;

        text_table_put(&table, txtap_subject_text(&rows[i]->figure.subject, rows[i]->subject, text, sizeof text));
        text_table_put(&table, stack_bytes_text(figures, TXTAP_FIGURE_STACK_USED_BYTES, rows[i], text));
        text_table_put(&table, stack_bytes_text(figures, TXTAP_FIGURE_STACK_SIZE, rows[i], text));
        put_measure(&table, figures, &rows[i]->figure, TXTAP_STAT_VALUE);
        text_table_put(&table, is_of_kernel(rows[i]) ? TXTAP_STACKS_ORIGIN : "events");
        text_table_put(&table, stack_bytes_text(figures, seen, rows[i], text));
    }
    return text_table_end(&table, width, out);
}

/* Prints the use of stacks: "164 of 1024 bytes, 16 %". */
static bool show_stacks(const struct figures *figures, const struct named_figure **rows, size_t count, unsigned width,
                        FILE *out)
{
    static const struct text_column columns[] = {{"used (stack_used)", NAME_KEPT, 0, WIDE_LEAST},
                                                 {"used", 0, 0, 8},
                                                 {"of bytes", 0, 0, 8},
                                                 {"", 0, 0, 8},
                                                 {"event", 0, 2, 7},
                                                 {"time", 0, 1, 10}};
    struct text_table table;
    char text[TEXT_BYTES];

    for (size_t i = 0; i < count; i++)
        if (is_of_kernel(rows[i]))
            return show_kernel_stacks(figures, rows, count, width, out);
    text_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        text_table_put(&table, txtap_subject_text(&rows[i]->figure.subject, rows[i]->subject, text, sizeof text));
        text_table_put(&table, stack_bytes_text(figures, TXTAP_FIGURE_STACK_USED_BYTES, rows[i], text));
        text_table_put(&table, stack_bytes_text(figures, TXTAP_FIGURE_STACK_SIZE, rows[i], text));
        put_measure(&table, figures, &rows[i]->figure, TXTAP_STAT_VALUE);
        put_place(&table, figures, &rows[i]->figure.max_at);
    }
    return text_table_end(&table, width, out);
}

/* ---- order ---- */

/* Returns true if a small value is bad. */
static bool low_is_bad(const struct txtap_figure *figure)
{
    return figure->id == TXTAP_FIGURE_AVAILABLE;
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
    static const enum txtap_figure_id hidden[] = {TXTAP_FIGURE_THREAD_CALLS,     TXTAP_FIGURE_STACK_SIZE,
                                                  TXTAP_FIGURE_EVENTS,           TXTAP_FIGURE_SUSPENDED,
                                                  TXTAP_FIGURE_RESUMED,          TXTAP_FIGURE_SUSPENDS_DONE,
                                                  TXTAP_FIGURE_RESUMES_DONE,     TXTAP_FIGURE_TURNS,
                                                  TXTAP_FIGURE_WOKEN_BY,         TXTAP_FIGURE_STACK,
                                                  TXTAP_FIGURE_STACK_BYTES,      TXTAP_FIGURE_STACK_USED_BYTES,
                                                  TXTAP_FIGURE_STACK_SEEN_BYTES, TXTAP_FIGURE_LONGEST_RUN,
                                                  TXTAP_FIGURE_LONGEST_READY,    TXTAP_FIGURE_LONGEST_INTERRUPTED,
                                                  TXTAP_FIGURE_LONGEST_MUTEX};
    size_t length = strlen(figure->name);

    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (figure->id == hidden[i])
            return false;
    if (length >= 6 && strcmp(figure->name + length - 6, "_ticks") == 0)
        return false;
    return figure->subject.kind == TXTAP_SUBJECT_SYSTEM || badness(figure) != 0 || figure->unit == TXTAP_UNIT_BYTES ||
           figure->id == TXTAP_FIGURE_STACK_USED || low_is_bad(figure);
}

/* Shows all figures with the name and section of figure `first`, the worst figure first. done: true for each figure
 * that was already shown. rows: memory for the figures to show. */
static bool show_kind(FILE *out, const struct figures *figures, size_t first, unsigned width, bool *done,
                      const struct named_figure **rows)
{
    const struct txtap_figure *like = &figures->at[first].figure;
    size_t count = 0;
    bool shown;

    for (size_t i = first; i < figures->count; i++) {
        const struct txtap_figure *figure = &figures->at[i].figure;

        if (done[i] || !is_shown(figure) || figure->id != like->id || strcmp(figure->section, like->section) != 0 ||
            figures_is_spread(figure) != figures_is_spread(like))
            continue;
        done[i] = true;
        rows[count++] = &figures->at[i];
    }
    qsort(rows, count, sizeof *rows, compare);
    if (like->id == TXTAP_FIGURE_STACK_USED)
        shown = show_stacks(figures, rows, count, width, out);
    else if (figures_is_spread(like))
        shown = show_spreads(figures, rows, count, width, out);
    else if (is_amount(like))
        shown = show_amounts(figures, rows, count, width, out);
    else if (is_share(like))
        shown = show_shares(rows, count, width, out);
    else
        shown = show_numbers(figures, rows, count, width, out);
    for (size_t i = 0; i < count; i++)
        show_bars(figures, rows[i], out);
    return shown;
}

/* ---- the head ---- */

#define LINE_COLUMNS 100

/* Returns the number of the section with this name. */
static size_t section_of(const char *name)
{
    const struct txtap_analysis_section *row;
    size_t number = 0;

    while ((row = txtap_analysis_section(number)) != NULL && strcmp(row->name, name) != 0)
        number++;
    return number;
}

/* Prints a sentence in lines of `most` columns. */
static void show_lacks(FILE *out, const char *lacks, int most)
{
    int columns = fprintf(out, "This trace does not record");

    while (*lacks != '\0') {
        int length = (int)strcspn(lacks, " ");

        if (columns + 1 + length > most - 1)
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
    char uncertain[QUANTITY_SHORT_BYTES];

    if (summary->uncertain_ticks == 0 || summary->observed_ticks == 0)
        return;
    quantity_short(uncertain, (double)summary->uncertain_ticks, TXTAP_UNIT_TICKS, figures->tick_hz);
    fprintf(out,
            "For %s%s (%.1f %%) it is unknown whether an interrupt ran: some do not\nrecord enter and exit, so shares "
            "have bounds. Record both in every handler to\nmake them exact.\n",
            uncertain, figures->tick_hz > 0 ? "" : " ticks", percent);
}

static bool is_set(const char *text)
{
    return text != NULL && *text != '\0';
}

void figures_show_summary(const struct figures *figures, unsigned width, FILE *out)
{
    char window[QUANTITY_SHORT_BYTES], observed[QUANTITY_SHORT_BYTES], rate[TXTAP_RATE_TEXT_BYTES];

    if (is_set(figures->firmware))
        fprintf(out, "%c%s\n", toupper((unsigned char)*figures->firmware), figures->firmware + 1);
    quantity_short(window, (double)figures->summary.window_ticks, TXTAP_UNIT_TICKS, figures->tick_hz);
    quantity_short(observed, (double)figures->summary.observed_ticks, TXTAP_UNIT_TICKS, figures->tick_hz);
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
    if (figures->rate.how != TXTAP_RATE_UNKNOWN)
        fprintf(out, "Ticks at %s%s\n", txtap_rate_text(rate, &figures->rate),
                figures->rate_recorded ? ", from the recording" : "");
    if (figures->summary.cores > 1)
        fprintf(out,
                "%" PRIu32
                " cores: it is unknown whether their time stamps use one clock; if not, all\ntimes are wrong. No event "
                "records when a core makes another core switch:\nfigures that depend on it have bounds.\n",
                figures->summary.cores);
    if (figures->summary.left_out > 0)
        fprintf(out, "%" PRIu64 " threads, objects or pairs are not in the figures: there are too many\n",
                figures->summary.left_out);
    if (figures->lacks != NULL)
        show_lacks(out, figures->lacks, width == TEXT_ENDLESS || width > LINE_COLUMNS ? LINE_COLUMNS : (int)width);
    show_uncertain(out, figures);
}

bool figures_show_lists(const struct figures *figures, uint32_t sections, unsigned width, FILE *out)
{
    bool *done = calloc(figures->count + 1, sizeof *done), shown = true;
    const struct named_figure **rows = calloc(figures->count + 1, sizeof *rows);
    const char *section = "";

    if (done == NULL || rows == NULL)
        shown = false;
    for (size_t i = 0; shown && i < figures->count; i++) {
        const struct txtap_figure *figure = &figures->at[i].figure;
        size_t number = section_of(figure->section);

        if (done[i] || (!figure->span.known && !is_shown(figure)) || (sections & TXTAP_SECTION_BIT(number)) == 0)
            continue;
        if (strcmp(section, figure->section) != 0)
            fprintf(out, "\n%s: %s\n", figure->section, txtap_analysis_section(number)->brief);
        section = figure->section;
        if (figure->span.known)
            i += figures_show_buckets(figures, i, out) - 1;
        else
            shown = show_kind(out, figures, i, width, done, rows);
    }
    free(done);
    free(rows);
    return shown;
}
