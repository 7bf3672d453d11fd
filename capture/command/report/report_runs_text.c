/* SPDX-License-Identifier: MIT */
/* Shows the load and the longest wake-up latency of each run, and the verdict of all checks. */
#include "command/report/report_runs_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "txtap/inner/escape.h"
#include "txtap/inner/json_head.h"

#define CELL_BYTES  1024
#define BUILD_SHOWN 12 /* digits of a build ID */

static const struct text_column columns[] = {
    {"board", 6, 7, 0},  {"trace", 12, 0, 0}, {"begun", 19, 2, 0}, {"observed", 0, 5, 0},         {"build", 8, 4, 0},
    {"events", 0, 6, 0}, {"lost", 0, 0, 0},   {"load", 0, 3, 0},   {"longest wake-up", 16, 1, 0}, {"checks", 6, 0, 0},
};

static const struct txtap_subject whole = {.kind = TXTAP_SUBJECT_SYSTEM};

/* Returns the figure of the thread with the longest wake-up latency; NULL: no thread has one. */
static const struct named_figure *longest_wake(const struct figures *figures)
{
    const struct named_figure *longest = NULL;
    double most = -1;

    for (size_t i = 0; i < figures->count; i++) {
        const struct named_figure *named = &figures->at[i];
        const struct txtap_measure *max = &named->figure.stat[TXTAP_STAT_MAX];

        if (named->figure.id == TXTAP_FIGURE_WAKE && named->figure.subject.kind == TXTAP_SUBJECT_THREAD &&
            named->figure.other.kind == TXTAP_SUBJECT_SYSTEM && max->known && txtap_measure_seen(max) > most) {
            most = txtap_measure_seen(max);
            longest = named;
        }
    }
    return longest;
}

/* Returns "ok", "FAILED", "unknown" or, without a match, "absent": the worst of all checks. */
static const char *verdict(const struct checks *checks)
{
    static const char *const words[] = {"absent", "ok", "unknown", "FAILED"};
    unsigned worst = 0;

    for (size_t i = 0; i < checks->count; i++) {
        const struct txtap_check_result *result = &checks->entries[i].result;
        unsigned rank = result->matched == 0                         ? 0
                        : result->verdict == TXTAP_VERDICT_OK        ? 1
                        : result->verdict == TXTAP_VERDICT_UNDECIDED ? 2
                                                                     : 3;

        worst = rank > worst ? rank : worst;
    }
    return words[worst];
}

/* ---- text ---- */

static void put_name(struct text_table *table, const char *name)
{
    char cell[CELL_BYTES];

    text_table_put(table, txtap_escape_terminal(cell, sizeof cell, name));
}

static void put_count(struct text_table *table, uint64_t number, const char *sign)
{
    char cell[32];

    snprintf(cell, sizeof cell, "%s%" PRIu64, sign, number);
    text_table_put(table, cell);
}

static void put_wake(struct text_table *table, const struct figures *figures)
{
    const struct named_figure *wake = longest_wake(figures);
    char cell[CELL_BYTES] = "", number[QUANTITY_SHORT_BYTES], name[CELL_BYTES / 2];

    if (wake != NULL)
        snprintf(cell, sizeof cell, "%s %s",
                 figures_measure_text(number, &wake->figure, TXTAP_STAT_MAX, figures->tick_hz),
                 txtap_subject_text(&wake->figure.subject, wake->subject, name, sizeof name));
    text_table_put(table, cell);
}

static void put_row(struct runs_text *text, const struct table_run *run)
{
    const struct figures *figures = run->figures;
    const struct txtap_figure *load = figures_find(figures, TXTAP_FIGURE_LOAD, &whole);
    struct text_table *table = &text->table;
    char cell[CELL_BYTES], number[QUANTITY_SHORT_BYTES];

    put_name(table, run->board);
    put_name(table, run->name);
    text_table_put(table, table_time(cell, run->begun_us));
    text_table_put(table,
                   quantity_short(number, (double)figures->summary.observed_ticks, TXTAP_UNIT_TICKS, figures->tick_hz));
    snprintf(cell, sizeof cell, "%.*s", BUILD_SHOWN, table_build(run));
    text_table_put(table, cell);
    put_count(table, figures->summary.events, "");
    put_count(table, figures->summary.lost, figures->summary.lost_exact ? "" : ">=");
    text_table_put(table, load != NULL ? figures_measure_text(number, load, TXTAP_STAT_VALUE, figures->tick_hz) : "-");
    put_wake(table, figures);
    if (text->has_checks)
        text_table_put(table, verdict(run->checks));
}

/* ---- JSON ---- */

static void put_json(struct runs_text *text, const struct table_run *run)
{
    const struct figures *figures = run->figures;
    const struct txtap_figure *load = figures_find(figures, TXTAP_FIGURE_LOAD, &whole);
    const struct named_figure *wake = longest_wake(figures);
    FILE *out = text->maker.out;
    char time[TABLE_TIME_BYTES];

    fputs(text->count > 0 ? ",\n{" : "\n{", out);
    json_put_text(out, "board", run->board);
    fputs(",", out);
    json_put_text(out, "trace", run->name);
    fputs(",", out);
    json_put_text(out, "build", table_build(run));
    if (run->begun_us > 0)
        fprintf(out, ",\"begun\":\"%s\"", table_time(time, run->begun_us));
    if (figures->tick_hz > 0)
        quantity_put_member(out, "observed", (double)figures->summary.observed_ticks / figures->tick_hz);
    fprintf(out, ",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"lost_exact\":%s", figures->summary.events,
            figures->summary.lost, figures->summary.lost_exact ? "true" : "false");
    if (load != NULL && load->stat[TXTAP_STAT_VALUE].known)
        quantity_put_member(out, "load", load->stat[TXTAP_STAT_VALUE].value);
    if (wake != NULL) {
        fputs(",", out);
        json_put_text(out, "longest_wake_of", wake->subject);
        quantity_put_member(out, "longest_wake",
                            txtap_measure_seen(&wake->figure.stat[TXTAP_STAT_MAX]) / table_divisor(run, &wake->figure));
    }
    if (text->has_checks) {
        fputs(",\"checks\":", out);
        checks_show_json(run->checks, out);
    }
    fputs("}", out);
}

/* ---- all runs ---- */

bool runs_text_begin(struct runs_text *text, bool json, bool has_checks)
{
    char head[TXTAP_JSON_HEAD_BYTES];

    *text = (struct runs_text){.json = json, .has_checks = has_checks};
    if (!text_maker_begin(&text->maker))
        return false;
    if (json)
        fprintf(text->maker.out, "{%s,\"runs\":[", txtap_json_head(head, TXTAP_SCHEMA_RUNS));
    else
        text_table_begin(&text->table, columns, sizeof columns / sizeof *columns - !has_checks);
    return true;
}

void runs_text_add(struct runs_text *text, const struct table_run *run)
{
    if (text->json)
        put_json(text, run);
    else
        put_row(text, run);
    text->count++;
    text->events += run->figures->summary.events;
    text->lost += run->figures->summary.lost;
}

bool runs_text_end(struct runs_text *text, unsigned width)
{
    bool good = true;

    if (text->json) {
        fputs("\n]}\n", text->maker.out);
    } else {
        good = text_table_end(&text->table, width, text->maker.out);
        fprintf(text->maker.out, "%zu trace%s, %" PRIu64 " events, %" PRIu64 " lost\n", text->count,
                text->count == 1 ? "" : "s", text->events, text->lost);
    }
    if (!text_maker_end(&text->maker))
        return false;
    if (!good)
        free(text->maker.text);
    return good;
}
