/* SPDX-License-Identifier: MIT */
/* The output of txtap why: words, a timeline of characters and a table, or JSON. */
#include "command/why/why_show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_maker.h"
#include "figures/text_table.h"
#include "output/output.h"
#include "txtap/inner/escape.h"

#define PIECES_SHOWN 40u /* if there are more pieces, the text has their groups instead */

/* Data that all parts of the output need. */
struct show {
    const struct txtap_why *why;
    struct txtap_why_summary summary;
    struct txtap_finding_names names;
    double tick_hz;
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
    static const char *const kinds[] = {"job", "wait", "wait for a core", "time with a mutex"};
    const struct txtap_why_span *span = &show->summary.span;
    char name[NAME_BYTES], time[QUANTITY_SHORT_BYTES], before[QUANTITY_SHORT_BYTES], place[PLACE_BYTES];
    const struct txtap_place end = {true, span->end.seq, span->end.ticks};

    fprintf(show->out, "%s of %s: %s%s, from event %" PRIu64 " to %s", kinds[span->kind],
            name_of(show, &span->thread, name, sizeof name), span->open || span->began_earlier ? "at least " : "",
            time_text(show, time, show->summary.total), span->start.seq, place_text(place, &end, show->tick_hz));
    if (span->before_known)
        fprintf(show->out, "; before it %s since the interrupt", time_text(show, before, span->before));
    fputc('\n', show->out);
    if (span->began_earlier)
        fputs("it may have begun earlier: the trace does not show its beginning\n", show->out);
    if (span->open)
        fputs("it may have lasted longer: a gap, or the end of the trace, cuts it off\n", show->out);
    if (span->gap)
        fputs("events are missing inside: it may be several jobs\n", show->out);
    if (span->vague)
        fputs("several cores: the trace does not show every switch, so pieces may have been shorter or longer\n",
              show->out);
    if (txtap_why_merged(show->why))
        fputs("there are too many pieces: the shortest neighbours are one piece each\n", show->out);
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
    char text[TXTAP_WHY_TEXT_BYTES], name[NAME_BYTES] = "", line[TXTAP_WHY_TEXT_BYTES + NAME_BYTES + 16];
    const struct txtap_subject *first = piece->before ? &piece->thread : &show->summary.span.thread;

    put_ticks(show, table, piece->ticks);
    snprintf(text, sizeof text, "%.1f", 100 * (double)piece->ticks / (double)show->summary.total);
    text_table_put(table, piece->before || show->summary.total == 0 ? "" : text);
    put_number(table, group ? piece->count : piece->seq);
    if (first->kind == TXTAP_SUBJECT_THREAD && (!piece->before || piece->link_count == 0))
        snprintf(name, sizeof name, "%s", name_of(show, first, line, sizeof line));
    snprintf(line, sizeof line, "%s%s%s%s", piece->before ? "before: " : "", name, *name != '\0' ? " " : "",
             txtap_why_piece_text(text, piece, &show->names));
    text_table_put(table, line);
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

/* Writes a line for each thread: the cause of its longest job. */
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
    if (!any)
        fputs("no thread has a whole job in this trace\n", show->out);
}

static bool show_text(struct show *show, bool found, unsigned width)
{
    if (!found) {
        show_worst(show);
        return true;
    }
    show_cause(show, &show->summary);
    show_span(show);
    show_timeline(show);
    return show_pieces(show, width);
}

/* ---- JSON ---- */

static void put_string(const struct show *show, const char *text)
{
    char escaped[TXTAP_ESCAPED_JSON_BYTES(TXTAP_WHY_TEXT_BYTES)];

    fprintf(show->out, "%s", txtap_escape_json(escaped, sizeof escaped, text));
}

/* Writes ,"KEY":{...}; nothing if the subject is unknown. */
static void put_subject(const struct show *show, const char *key, const struct txtap_subject *subject)
{
    const char *name;

    if (subject->kind == TXTAP_SUBJECT_SYSTEM)
        return;
    name = show->names.name(show->names.self, subject);
    fprintf(show->out, ",\"%s\":{\"kind\":\"%s\",\"number\":%" PRIu32, key, txtap_subject_kind_name(subject),
            subject->number);
    if (*name != '\0') {
        fputs(",\"name\":", show->out);
        put_string(show, name);
    }
    fputc('}', show->out);
}

static void put_link(const struct show *show, const struct txtap_why_link *link, bool first)
{
    fprintf(show->out, "%s{\"reason\":\"%s\"", first ? "" : ",", txtap_wait_name(link->reason));
    put_subject(show, "object", &link->object);
    put_subject(show, "thread", &link->thread);
    if (link->since.known)
        fprintf(show->out, ",\"since\":%" PRIu64, link->since.seq);
    fputc('}', show->out);
}

static void put_json_piece(const struct show *show, const struct txtap_why_piece *piece, bool group)
{
    char text[TXTAP_WHY_TEXT_BYTES];

    fprintf(show->out, "{\"ticks\":%" PRIu64 ",\"event\":%" PRIu64, piece->ticks, piece->seq);
    if (group)
        fprintf(show->out, ",\"count\":%" PRIu32, piece->count);
    else
        fprintf(show->out, ",\"from\":%" PRIu64 ",\"to\":%" PRIu64, piece->from, piece->to);
    fprintf(show->out, ",\"before\":%s,\"state\":\"%s\"", piece->before ? "true" : "false",
            txtap_why_state_name(piece->state));
    put_subject(show, "thread", &piece->thread);
    put_subject(show, "by", &piece->by);
    if (piece->state == TXTAP_WHY_WAITED) {
        fprintf(show->out, ",\"reason\":\"%s\"", txtap_wait_name(piece->reason));
        put_subject(show, "object", &piece->object);
        fprintf(show->out, ",\"circle\":%s,\"deep\":%s", piece->circle ? "true" : "false",
                piece->deep ? "true" : "false");
    }
    if (piece->priority_known)
        fprintf(show->out, ",\"priority\":%" PRIu32, piece->priority);
    put_subject(show, "woken_by", &piece->waker);
    if (piece->waker.kind != TXTAP_SUBJECT_SYSTEM)
        fprintf(show->out, ",\"woken\":%" PRIu64, piece->woken);
    fputs(",\"chain\":[", show->out);
    for (unsigned i = 0; i < piece->link_count; i++)
        put_link(show, &piece->links[i], i == 0);
    fputs("],\"text\":", show->out);
    put_string(show, txtap_why_piece_text(text, piece, &show->names));
    fputc('}', show->out);
}

/* Writes the members of a summary, without braces. */
static void put_summary(const struct show *show)
{
    static const char *const kinds[] = {"job", "wait", "ready", "hold"};
    const struct txtap_why_span *span = &show->summary.span;
    char text[TXTAP_WHY_TEXT_BYTES];

    fputs("\"cause\":", show->out);
    put_string(show, txtap_why_text(text, &show->summary, &show->names, show->tick_hz));
    fprintf(show->out, ",\"kind\":\"%s\"", kinds[span->kind]);
    put_subject(show, "thread", &span->thread);
    put_subject(show, "object", &span->object);
    fprintf(show->out,
            ",\"start\":{\"ticks\":%" PRIu64 ",\"event\":%" PRIu64 "},\"end\":{\"ticks\":%" PRIu64 ",\"event\":%" PRIu64
            "},\"total\":%" PRIu64,
            span->start.ticks, span->start.seq, span->end.ticks, span->end.seq, show->summary.total);
    if (span->before_known)
        fprintf(show->out, ",\"before\":%" PRIu64, span->before);
    fprintf(show->out, ",\"cause_ticks\":%" PRIu64 ",\"unknown_ticks\":%" PRIu64, show->summary.ticks,
            show->summary.unknown);
    fprintf(show->out, ",\"began_earlier\":%s,\"open\":%s,\"gap\":%s,\"vague\":%s",
            span->began_earlier ? "true" : "false", span->open ? "true" : "false", span->gap ? "true" : "false",
            span->vague ? "true" : "false");
}

static void put_list(const struct show *show, const char *key, bool group)
{
    size_t count = group ? txtap_why_groups(show->why) : txtap_why_pieces(show->why);
    struct txtap_why_piece piece;

    fprintf(show->out, ",\n\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        if (group)
            txtap_why_group(show->why, i, &piece);
        else
            txtap_why_piece(show->why, i, &piece);
        fputs(i > 0 ? ",\n" : "\n", show->out);
        put_json_piece(show, &piece, group);
    }
    fputc(']', show->out);
}

static void show_json(struct show *show, const char *trace, bool found)
{
    const char *before = "\n{";

    fputs("{\"trace\":", show->out);
    put_string(show, trace);
    if (show->tick_hz > 0) {
        fputs(",\"tick_hz\":", show->out);
        quantity_put(show->out, show->tick_hz, "null");
    }
    if (found) {
        fputs(",\n", show->out);
        put_summary(show);
        fprintf(show->out, ",\"merged\":%s", txtap_why_merged(show->why) ? "true" : "false");
        put_list(show, "pieces", false);
        put_list(show, "groups", true);
        fputs("}\n", show->out);
        return;
    }
    fputs(",\n\"jobs\":[", show->out);
    for (uint32_t i = 0; i < txtap_why_threads(show->why); i++) {
        if (!txtap_why_worst(show->why, i, TXTAP_WHY_JOB, &show->summary))
            continue;
        fputs(before, show->out);
        put_summary(show);
        fputc('}', show->out);
        before = ",\n{";
    }
    fputs("]}\n", show->out);
}

enum txtap_status why_show(const struct txtap_why *why, const struct figures *figures, const struct options *options,
                           struct error *error)
{
    const char *path = options->output != NULL ? options->output : "-";
    struct show show = {.why = why, .names = figures_names(figures), .tick_hz = figures->tick_hz};
    bool found = txtap_why_summary(why, &show.summary), shown = true;
    struct text_maker maker;
    enum txtap_status status;

    if (!text_maker_begin(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the pieces");
    show.out = maker.out;
    if (options->report.format == REPORT_JSON)
        show_json(&show, figures->trace, found);
    else
        shown = show_text(&show, found, output_path_columns(path));
    if (!text_maker_end(&maker) || !shown)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the pieces");
    status = output_whole_file(path, maker.text, maker.length, options->force, error);
    free(maker.text);
    return status;
}
