/* SPDX-License-Identifier: MIT */
/* Figures as JSON and as CSV, for other programs. Numbers of ticks are integers; what has no limit is null or empty. */
#include "output/figures.h"

#include <inttypes.h>

#include "output/csv.h"
#include "output/quantity.h"
#include "txtap/escape.h"

#define ESCAPED_BYTES (6 * FIGURE_NAME_BYTES + 3)

const char *figures_unit_name(enum txtap_unit unit)
{
    static const char *const names[TXTAP_UNIT_KINDS] = {
        [TXTAP_UNIT_COUNT] = "count",
        [TXTAP_UNIT_TICKS] = "ticks",
        [TXTAP_UNIT_PERCENT] = "percent",
        [TXTAP_UNIT_BYTES] = "bytes",
    };

    return names[unit];
}

static void measure(FILE *out, const struct figures *figures, const struct txtap_figure *figure, unsigned stat)
{
    const struct txtap_measure *of = &figure->stat[stat];

    fprintf(out, "\"%s\":{\"value\":", txtap_stat_name((enum txtap_stat)stat));
    quantity_put(out, of->value, "null");
    fputs(",\"lower\":", out);
    quantity_put(out, of->lower, "null");
    fputs(",\"upper\":", out);
    quantity_put(out, of->upper, "null");
    if (figure->unit == TXTAP_UNIT_TICKS && figures->tick_hz > 0 && stat != TXTAP_STAT_N && stat != TXTAP_STAT_RATE)
        fprintf(out, ",\"seconds\":%.9g", of->value / figures->tick_hz);
    fputc('}', out);
}

static void subject(FILE *out, const char *key, const struct txtap_subject *of, const char *name)
{
    char text[ESCAPED_BYTES];

    fprintf(out, ",\"%s\":{\"kind\":\"%s\"", key, figures_subject_kind(of));
    if (*name != '\0')
        fprintf(out, ",\"name\":%s", txtap_escape_json(text, sizeof text, name));
    if (of->kind == TXTAP_SUBJECT_THREAD || of->kind == TXTAP_SUBJECT_OBJECT)
        fprintf(out, ",\"address\":\"0x%08" PRIx32 "\"", of->number);
    else if (of->kind == TXTAP_SUBJECT_INTERRUPT || of->kind == TXTAP_SUBJECT_CORE || of->kind == TXTAP_SUBJECT_EVENT)
        fprintf(out, ",\"number\":%" PRIu32, of->number);
    fputc('}', out);
}

static void place(FILE *out, const struct figures *figures, const char *key, const struct txtap_place *of)
{
    if (!of->known)
        return;
    fprintf(out, ",\"%s\":{\"event\":%" PRIu64 ",\"ticks\":%" PRIu64, key, of->seq, of->ticks);
    if (figures->tick_hz > 0)
        fprintf(out, ",\"seconds\":%.9f", (double)of->ticks / figures->tick_hz);
    fputc('}', out);
}

static void span(FILE *out, const struct figures *figures, const struct txtap_span *of)
{
    if (!of->known)
        return;
    fprintf(out, ",\"span\":{\"from\":%" PRIu64 ",\"to\":%" PRIu64, of->from, of->to);
    if (figures->tick_hz > 0)
        fprintf(out, ",\"from_seconds\":%.9f,\"to_seconds\":%.9f", (double)of->from / figures->tick_hz,
                (double)of->to / figures->tick_hz);
    fputc('}', out);
}

static void object(FILE *out, const struct figures *figures, const struct named_figure *named)
{
    const struct txtap_figure *figure = &named->figure;
    const char *comma = "";

    fprintf(out, "{\"section\":\"%s\",\"name\":\"%s\"", figure->section, figure->name);
    subject(out, "subject", &figure->subject, named->subject);
    if (figure->other.kind != TXTAP_SUBJECT_SYSTEM)
        subject(out, "other", &figure->other, named->other);
    if (*figure->detail != '\0')
        fprintf(out, ",\"detail\":\"%s\"", figure->detail);
    fprintf(out, ",\"unit\":\"%s\",\"censored\":%" PRIu64 ",\"stats\":{", figures_unit_name(figure->unit),
            figure->censored);
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++) {
        if (!figure->stat[stat].known)
            continue;
        fputs(comma, out);
        measure(out, figures, figure, stat);
        comma = ",";
    }
    fputc('}', out);
    span(out, figures, &figure->span);
    place(out, figures, "min_at", &figure->min_at);
    place(out, figures, "max_at", &figure->max_at);
    fputc('}', out);
}

void figures_show_json(const struct figures *figures, FILE *out)
{
    char name[4096];

    fprintf(out, "{\"schema\":\"txtap-report\",\"version\":1,\"trace\":%s,\"tick_hz\":",
            txtap_escape_json(name, sizeof name, figures->trace));
    if (figures->tick_hz > 0)
        fprintf(out, "%.12g", figures->tick_hz);
    else
        fputs("null", out);
    fprintf(out,
            ",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"lost_exact\":%s,\"gaps\":%" PRIu64 ",\"resets\":%" PRIu64
            ",\"window_ticks\":%" PRIu64 ",\"observed_ticks\":%" PRIu64 ",\"cores\":%" PRIu32 ",\"left_out\":%" PRIu64,
            figures->summary.events, figures->summary.lost, figures->summary.lost_exact ? "true" : "false",
            figures->summary.gaps, figures->resets, figures->summary.window_ticks, figures->summary.observed_ticks,
            figures->summary.cores, figures->summary.left_out);
    if (figures->lacks != NULL)
        fprintf(out, ",\"not_recorded\":%s", txtap_escape_json(name, sizeof name, figures->lacks));
    fputs(",\"figures\":[", out);
    for (size_t i = 0; i < figures->count; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        object(out, figures, &figures->at[i]);
    }
    fputs("\n]", out);
}

/* ---- CSV ---- */

static void field(FILE *out, const char *text)
{
    csv_text(out, text);
    fputc(',', out);
}

static void csv_row(FILE *out, const struct named_figure *named)
{
    const struct txtap_figure *figure = &named->figure;
    char text[ESCAPED_BYTES];

    fprintf(out, "%s,%s,%s,", figure->section, figure->name, figures_subject_kind(&figure->subject));
    field(out, figures_subject_text(&figure->subject, named->subject, text, sizeof text));
    field(out, figures_subject_text(&figure->other, named->other, text, sizeof text));
    fprintf(out, "%s,%s,", figure->detail, figures_unit_name(figure->unit));
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++) {
        if (figure->stat[stat].known)
            quantity_put(out, figure->stat[stat].value, "");
        fputc(',', out);
    }
    quantity_put(out, figure->stat[TXTAP_STAT_VALUE].lower, "");
    fputc(',', out);
    quantity_put(out, figure->stat[TXTAP_STAT_VALUE].upper, "");
    fprintf(out, ",%" PRIu64, figure->censored);
    if (figure->max_at.known)
        fprintf(out, ",%" PRIu64 ",%" PRIu64, figure->max_at.seq, figure->max_at.ticks);
    else
        fputs(",,", out);
    if (figure->span.known)
        fprintf(out, ",%" PRIu64 ",%" PRIu64 "\r\n", figure->span.from, figure->span.to);
    else
        fputs(",,\r\n", out);
}

void figures_show_csv(const struct figures *figures, FILE *out)
{
    fputs("section,name,kind,subject,other,detail,unit", out);
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++)
        fprintf(out, ",%s", txtap_stat_name((enum txtap_stat)stat));
    fputs(",lower,upper,censored,event,ticks,from,to\r\n", out);
    for (size_t i = 0; i < figures->count; i++)
        csv_row(out, &figures->at[i]);
}
