/* SPDX-License-Identifier: MIT */
/* Repeats the columns of the run in each line, so that a line is complete in itself. */
#include "tables/csv_table.h"

#include <inttypes.h>

#include "txtap/inner/escape.h"

#define CELL_BYTES 2048

void csv_table_head(FILE *out)
{
    fputs("board,run,begun,build,firmware,events,lost,section,name,kind,subject,other,detail,unit,value,lower,upper",
          out);
    for (unsigned stat = TXTAP_STAT_N; stat < TXTAP_STATS; stat++)
        fprintf(out, ",%s", txtap_stat_name((enum txtap_stat)stat));
    fputs(",censored,event\r\n", out);
}

/* Writes a text that may have any bytes. */
static void put_text(FILE *out, const char *text)
{
    char shown[CELL_BYTES];

    csv_text(out, txtap_escape_terminal(shown, sizeof shown, text));
    fputc(',', out);
}

static void put_run(const struct table_run *run, FILE *out)
{
    const struct txtap_analysis_summary *summary = &run->figures->summary;
    char time[TABLE_TIME_BYTES];

    put_text(out, run->board);
    put_text(out, run->name);
    fprintf(out, "%s,", table_time(time, run->begun_us));
    put_text(out, table_build(run));
    put_text(out, table_firmware(run));
    fprintf(out, "%" PRIu64 ",%" PRIu64 ",", summary->events, summary->lost);
}

static void put_numbers(const struct table_run *run, const struct txtap_figure *figure, FILE *out)
{
    const struct txtap_measure *value = &figure->stat[TXTAP_STAT_VALUE];
    const double divisor = table_divisor(run, figure), numbers[] = {value->value, value->lower, value->upper};

    for (unsigned i = 0; i < 3; i++) {
        if (value->known)
            quantity_put(out, numbers[i] / divisor, "");
        fputc(',', out);
    }
    for (unsigned stat = TXTAP_STAT_N; stat < TXTAP_STATS; stat++) {
        bool is_count = stat == TXTAP_STAT_N || stat == TXTAP_STAT_RATE;

        if (figure->stat[stat].known)
            quantity_put(out, figure->stat[stat].value / (is_count ? 1 : divisor), "");
        fputc(',', out);
    }
    fprintf(out, "%" PRIu64 ",", figure->censored);
    if (figure->max_at.known)
        fprintf(out, "%" PRIu64, figure->max_at.seq);
    fputs("\r\n", out);
}

void csv_table_run(const struct table_run *run, FILE *out)
{
    char text[CELL_BYTES];

    for (size_t i = 0; i < run->figures->count; i++) {
        const struct named_figure *named = &run->figures->at[i];
        const struct txtap_figure *figure = &named->figure;

        put_run(run, out);
        fprintf(out, "%s,%s,%s,", figure->section, figure->name, txtap_subject_kind_name(&figure->subject));
        csv_text(out, txtap_subject_text(&figure->subject, named->subject, text, sizeof text));
        fputc(',', out);
        csv_text(out, txtap_subject_text(&figure->other, named->other, text, sizeof text));
        fprintf(out, ",%s,%s,", figure->detail, table_unit(run, figure));
        put_numbers(run, figure, out);
    }
}
