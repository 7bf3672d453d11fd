/* SPDX-License-Identifier: MIT */
/* Figures as JSON and as CSV, for other programs. Numbers of ticks are integers; what has no limit is null or empty. */
#include "figures/figures.h"

#include <inttypes.h>

#include "figures/quantity.h"
#include "txtap/inner/figure_json.h"

#define ESCAPED_BYTES (6 * FIGURE_NAME_BYTES + 3)

static enum txtap_status write_to_file(void *self, const char *bytes, size_t length)
{
    (void)fwrite(bytes, 1, length, self); /* whoever closes the file learns of a failure */
    return TXTAP_OK;
}

void figures_show_json(const struct figures *figures, FILE *out)
{
    const struct txtap_figure_json_head head = {
        .trace = figures->trace, .summary = figures->summary, .resets = figures->resets, .lacks = figures->lacks};
    struct txtap_figure_json json = {.writer = {write_to_file, out}, .tick_hz = figures->tick_hz};

    txtap_figure_json_begin(&json, &head);
    for (size_t i = 0; i < figures->count; i++) {
        const struct named_figure *named = &figures->at[i];

        txtap_figure_json_add(&json, &named->figure, named->subject, named->other,
                              figures_has_bars(figures, &named->figure));
    }
    (void)txtap_figure_json_end(&json);
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

    fprintf(out, "%s,%s,%s,", figure->section, figure->name, txtap_subject_kind_name(&figure->subject));
    field(out, figures_subject_text(&figure->subject, named->subject, text, sizeof text));
    field(out, figures_subject_text(&figure->other, named->other, text, sizeof text));
    fprintf(out, "%s,%s,", figure->detail, txtap_unit_name(figure->unit));
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
