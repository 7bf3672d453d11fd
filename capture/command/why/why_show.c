/* SPDX-License-Identifier: MIT */
/* The output of txtap why: words, a timeline of characters and a table, or JSON. */
#include "command/why/why_show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_maker.h"
#include "command/why/why_memory.h"
#include "figures/text_table.h"
#include "output/output.h"
#include "txtap/inner/escape.h"

#define PIECES_SHOWN 40u /* if there are more pieces, the text has their groups instead */

/* Data that all parts of the output need. */
struct show {
    const struct txtap_why *why;
    const struct txtap_memory *memory;
    const struct figures *figures;
    struct txtap_why_summary summary;
    struct txtap_finding_names names;
    double tick_hz;
    bool is_figure; /* the span is a sample of a figure */
    FILE *out;
};

/* Writes "655ns", or "110 ticks" if the rate is unknown. Returns text. */
static const char *time_text(const struct show *show, char text[static QUANTITY_SHORT_BYTES], uint64_t ticks)
{
    if (show->tick_hz > 0)
        return quantity_short(text, (double)ticks, TXTAP_UNIT_TICKS, show->tick_hz);
    snprintf(text, QUANTITY_SHORT_BYTES, "%" PRIu64 " tick%s", ticks, ticks == 1 ? "" : "s");
    return text;
}

static const char *name_of(const struct show *show, const struct txtap_subject *subject, char *out, size_t size)
{
    return txtap_subject_text(subject, show->names.name(show->names.self, subject), out, size);
}

#define NAME_BYTES (TXTAP_ESCAPED_BYTES(TXTAP_OBJECT_NAME_BYTES) + 16)

/* ---- the span in words ---- */

static void show_span(const struct show *show)
{
    char text[TXTAP_WHY_TEXT_BYTES];
    const char *note;

    fprintf(show->out, "%s\n", txtap_why_span_text(text, &show->summary, &show->names, show->tick_hz));
    for (unsigned i = 0; (note = txtap_why_note(show->why, &show->summary, i)) != NULL; i++)
        fprintf(show->out, "%s\n", note);
}

/* ---- the timeline ---- */

#define LINE_NAMES   16u
#define LINE_COLUMNS 62u
#define LINE_ROWS    8u

struct line {
    struct txtap_subject subject;
    char cells[LINE_COLUMNS + 1];
};

struct lines {
    struct line at[LINE_ROWS];
    size_t count;
    uint64_t from, ticks; /* of the whole timeline */
};

static bool same_subject(const struct txtap_subject *a, const struct txtap_subject *b)
{
    return a->kind == b->kind && a->number == b->number && a->life == b->life;
}

/* Returns the row of a thread or an interrupt; NULL: no room, or the subject has no row. */
static struct line *line_of(struct lines *lines, const struct txtap_subject *subject)
{
    if (subject->kind != TXTAP_SUBJECT_THREAD && subject->kind != TXTAP_SUBJECT_INTERRUPT)
        return NULL;
    for (size_t i = 0; i < lines->count; i++)
        if (same_subject(&lines->at[i].subject, subject))
            return &lines->at[i];
    if (lines->count == LINE_ROWS)
        return NULL;
    lines->at[lines->count].subject = *subject;
    memset(lines->at[lines->count].cells, ' ', LINE_COLUMNS);
    lines->at[lines->count].cells[LINE_COLUMNS] = '\0';
    return &lines->at[lines->count++];
}

/* Draws a piece as a row of characters. A short piece has at least one column, unless a longer piece follows there. */
static void draw(struct lines *lines, const struct txtap_subject *subject, const struct txtap_why_piece *piece,
                 char mark)
{
    struct line *line = line_of(lines, subject);
    double scale = (double)LINE_COLUMNS / (double)lines->ticks;
    size_t from = (size_t)((double)(piece->from - lines->from) * scale),
           to = (size_t)((double)(piece->to - lines->from) * scale);

    if (line == NULL)
        return;
    if (to == from && from < LINE_COLUMNS)
        to++;
    memset(line->cells + from, mark, to - from);
}

/* Returns the character for the thread of the span. */
static char own_mark(const struct txtap_why_piece *piece)
{
    if (piece->before)
        return ' ';
    if (piece->link_count > 0 || piece->state == TXTAP_WHY_WAITED)
        return '.';
    switch (piece->state) {
    case TXTAP_WHY_RAN:
        return '#';
    case TXTAP_WHY_READY_WHILE:
    case TXTAP_WHY_INTERRUPTED:
        return '=';
    default:
        return '?';
    }
}

static void show_timeline(const struct show *show)
{
    const struct txtap_why_span *span = &show->summary.span;
    static struct lines lines;
    struct txtap_why_piece piece;
    char name[NAME_BYTES];

    lines.count = 0;
    lines.from = span->start.ticks - span->before;
    lines.ticks = span->end.ticks - lines.from;
    if (lines.ticks == 0)
        return;
    (void)line_of(&lines, &span->thread);
    for (size_t i = 0; i < txtap_why_pieces(show->why); i++) {
        txtap_why_piece(show->why, i, &piece);
        draw(&lines, &span->thread, &piece, own_mark(&piece));
        if (piece.state == TXTAP_WHY_RAN && (piece.before || piece.link_count > 0))
            draw(&lines, &piece.thread, &piece, '#');
        else if (piece.state == TXTAP_WHY_READY_WHILE || piece.state == TXTAP_WHY_INTERRUPTED)
            draw(&lines, &piece.by, &piece, '#');
    }
    fputc('\n', show->out);
    for (size_t i = 0; i < lines.count; i++)
        fprintf(show->out, "%-*.*s|%s|\n", (int)LINE_NAMES, (int)LINE_NAMES,
                name_of(show, &lines.at[i].subject, name, sizeof name), lines.at[i].cells);
    fputs("# ran   = ready or interrupted   . waited   ? unknown\n", show->out);
}

/* ---- the pieces ---- */

static void put_number(struct text_table *table, uint64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRIu64, number);
    text_table_put(table, text);
}

/* Puts a length in ticks and, if the rate is known, as a time. */
static void put_ticks(const struct show *show, struct text_table *table, uint64_t ticks)
{
    char text[QUANTITY_SHORT_BYTES];

    if (show->tick_hz > 0)
        text_table_put(table, time_text(show, text, ticks));
    put_number(table, ticks);
}

static void put_piece(const struct show *show, struct text_table *table, const struct txtap_why_piece *piece,
                      bool group)
{
    char text[TXTAP_WHY_TEXT_BYTES];

    put_ticks(show, table, piece->ticks);
    snprintf(text, sizeof text, "%.1f", 100 * (double)piece->ticks / (double)show->summary.total);
    text_table_put(table, piece->before || show->summary.total == 0 ? "" : text);
    if (group || piece->seq != TXTAP_WHY_NO_EVENT)
        put_number(table, group ? piece->count : piece->seq);
    else
        text_table_put(table, "");
    text_table_put(table, txtap_why_piece_line(text, piece, &show->summary.span.thread, &show->names));
}

static void put_sum(const struct show *show, struct text_table *table)
{
    put_ticks(show, table, show->summary.total + show->summary.span.before);
    text_table_put(table, "");
    text_table_put(table, "");
    text_table_put(table, show->summary.span.before > 0 ? "in all, with the time before" : "in all");
}

static bool show_pieces(const struct show *show, unsigned width)
{
    bool group = txtap_why_pieces(show->why) > PIECES_SHOWN;
    const struct text_column columns[] = {{"TIME", 0, 0, 0},
                                          {"TICKS", 0, 0, 0},
                                          {"%", 0, 0, 0},
                                          {group ? "PIECES" : "EVENT", 0, 0, 0},
                                          {"WHAT", 40, 0, 0}};
    size_t count = group ? txtap_why_groups(show->why) : txtap_why_pieces(show->why),
           hidden = show->tick_hz > 0 ? 0 : 1;
    struct text_table table;
    struct txtap_why_piece piece;

    fputc('\n', show->out);
    text_table_begin(&table, columns + hidden, sizeof columns / sizeof *columns - hidden);
    for (size_t i = 0; i < count; i++) {
        if (group)
            txtap_why_group(show->why, i, &piece);
        else
            txtap_why_piece(show->why, i, &piece);
        put_piece(show, &table, &piece, group);
    }
    put_sum(show, &table);
    return text_table_end(&table, width, show->out);
}

/* ---- text ---- */

static void show_cause(const struct show *show, const struct txtap_why_summary *summary)
{
    char text[TXTAP_WHY_TEXT_BYTES];

    fprintf(show->out, "%s\n", txtap_why_text(text, summary, &show->names, show->tick_hz));
}

/* Writes a line about lost events, if there are any. samples: name of the samples that may be missing. */
static void show_lost(const struct show *show, const char *samples)
{
    uint64_t gaps = show->figures->summary.gaps;

    if (gaps > 0)
        fprintf(show->out, "events were lost in %" PRIu64 " gap%s: not all %s are in the trace\n", gaps,
                gaps == 1 ? "" : "s", samples);
}

/* Writes a line for each thread: the cause of its longest job. Writes a line for each full stack and each leak. */
static void show_worst(struct show *show)
{
    char time[QUANTITY_SHORT_BYTES], text[TXTAP_WHY_TEXT_BYTES];
    bool any = false;

    for (uint32_t i = 0; i < txtap_why_threads(show->why); i++) {
        const struct txtap_why_span *span = &show->summary.span;

        if (!txtap_why_worst(show->why, i, TXTAP_WHY_JOB, &show->summary))
            continue;
        any = true;
        fprintf(show->out, "%s%s until event %" PRIu64 ": %s\n", span->open ? "at least " : "",
                time_text(show, time, show->summary.total), span->end.seq,
                txtap_why_text(text, &show->summary, &show->names, show->tick_hz));
    }
    any = why_memory_lines(show->memory, show->figures, show->out) > 0 || any;
    if (!any)
        fputs("no thread has a whole job in this trace\n", show->out);
    show_lost(show, "jobs");
}

static bool show_text(struct show *show, bool found, unsigned width)
{
    if (!found) {
        show_worst(show);
        return true;
    }
    show_cause(show, &show->summary);
    show_span(show);
    if (show->is_figure)
        show_lost(show, "samples of this figure");
    show_timeline(show);
    return show_pieces(show, width);
}

/* ---- JSON ---- */

static bool show_json(struct show *show, bool found)
{
    const struct txtap_writer writer = {why_write_file, show->out};

    why_json_head(show->figures, show->out);
    if (txtap_why_json(show->why, &show->names, show->tick_hz, writer) < TXTAP_OK)
        return false;
    if (!found) {
        fputs(",\n\"memory\":[", show->out);
        (void)why_memory_json(show->memory, show->figures, show->out);
        fputc(']', show->out);
    }
    fputs("}\n", show->out);
    return true;
}

enum txtap_status why_show(const struct txtap_why *why, const struct txtap_memory *memory,
                           const struct figures *figures, const struct options *options, struct error *error)
{
    const char *path = options->output != NULL ? options->output : "-";
    struct show show = {.why = why,
                        .memory = memory,
                        .figures = figures,
                        .names = figures_names(figures),
                        .tick_hz = figures->tick_hz,
                        .is_figure = options->report.figure != NULL};
    bool found = txtap_why_summary(why, &show.summary), shown = true;
    struct text_maker maker;
    enum txtap_status status;

    if (!text_maker_begin(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the pieces");
    show.out = maker.out;
    if (options->report.format == REPORT_JSON)
        shown = show_json(&show, found);
    else
        shown = show_text(&show, found, output_path_columns(path));
    if (!text_maker_end(&maker) || !shown)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the pieces");
    status = output_whole_file(path, maker.text, maker.length, options->force, error);
    free(maker.text);
    return status;
}
