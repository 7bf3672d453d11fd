/* SPDX-License-Identifier: MIT */
/* Collects figures with the names of their subjects, and writes the figures as JSON and CSV for other programs. Ticks
 * are integers. A missing bound is null in JSON, and empty in CSV. */
#include "figures/figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/escape.h"
#include "txtap/inner/figure_json.h"

const char *figures_subject_name(const struct txtap_subject *subject, const struct txtap_registry *registry,
                                 const struct txtap_interrupts *interrupts)
{
    const char *name = NULL;

    if (subject->kind == TXTAP_SUBJECT_INTERRUPT && interrupts != NULL)
        name = txtap_interrupts_name(interrupts, subject->number);
    return name != NULL ? name : txtap_subject_name(subject, registry);
}

static void name_of(const struct figures *figures, const struct txtap_subject *subject,
                    char name[static FIGURE_NAME_BYTES])
{
    snprintf(name, FIGURE_NAME_BYTES, "%s", figures_subject_name(subject, figures->registry, figures->interrupts));
}

static bool grow(struct figures *figures)
{
    size_t capacity = figures->capacity > 0 ? 2 * figures->capacity : 256;
    struct named_figure *at = realloc(figures->at, capacity * sizeof *at);

    if (at == NULL)
        return false;
    figures->at = at;
    figures->capacity = capacity;
    return true;
}

enum txtap_status figures_take(void *self, const struct txtap_figure *figure)
{
    struct figures *figures = self;
    struct named_figure *named;

    if (figures->count == figures->capacity && !grow(figures))
        return TXTAP_ERROR_SYSTEM;
    named = &figures->at[figures->count++];
    named->figure = *figure;
    name_of(figures, &figure->subject, named->subject);
    name_of(figures, &figure->other, named->other);
    return TXTAP_OK;
}

void figures_free(struct figures *figures)
{
    free(figures->at);
    free(figures->texts);
    free(figures->findings);
    free(figures->flow);
    *figures = (struct figures){0};
}

void figures_detach(struct figures *figures)
{
    figures->registry = NULL;
    figures->interrupts = NULL;
    figures->about = figures->firmware = NULL;
    free(figures->findings);
    figures->findings = NULL;
    for (size_t i = 0; i < figures->count; i++) {
        struct txtap_figure *figure = &figures->at[i].figure;

        figure->samples = figure->pool = NULL;
        figure->subject.name = figure->other.name = NULL;
        figure->subject.lives = figure->other.lives = NULL;
        figure->subject.joined = figure->other.joined = false;
    }
}

/* Returns the copied name of a subject, or else the name in the registry. */
static const char *find_name(const void *self, const struct txtap_subject *subject)
{
    const struct figures *figures = self;

    for (size_t i = 0; i < figures->count; i++) {
        if (txtap_subject_is_same(&figures->at[i].figure.subject, subject))
            return figures->at[i].subject;
        if (txtap_subject_is_same(&figures->at[i].figure.other, subject))
            return figures->at[i].other;
    }
    return figures->registry != NULL ? figures_subject_name(subject, figures->registry, figures->interrupts) : "";
}

struct txtap_finding_names figures_names(const struct figures *figures)
{
    return (struct txtap_finding_names){find_name, figures};
}

bool figures_cause(const struct figures *figures, enum txtap_figure_id id, const struct txtap_subject *thread,
                   uint64_t seq, char text[static TXTAP_WHY_TEXT_BYTES])
{
    const struct txtap_finding_names names = figures_names(figures);
    struct txtap_why_summary summary;

    if (figures->why == NULL || thread->kind != TXTAP_SUBJECT_THREAD ||
        !txtap_why_of_figure(figures->why, id, thread, seq, &summary))
        return false;
    (void)txtap_why_text(text, &summary, &names, figures->tick_hz);
    return true;
}

const struct txtap_figure *figures_find(const struct figures *figures, enum txtap_figure_id id,
                                        const struct txtap_subject *subject)
{
    for (size_t i = 0; i < figures->count; i++) {
        const struct txtap_figure *figure = &figures->at[i].figure;

        if (figure->id == id && txtap_subject_is_same(&figure->subject, subject))
            return figure;
    }
    return NULL;
}

/* ---- numbers: up to six digits, times in the largest unit in which they are at least 1 ---- */

#define NUMBER_COLUMNS 7 /* a number that is longer is shortened */

static void show_seconds(char out[static QUANTITY_BYTES], double seconds)
{
    static const struct {
        const char *name;
        double per_second;
    } units[] = {{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}};
    size_t i = 0;

    while (i < 3 && seconds != 0 && fabs(seconds) * units[i].per_second < 1)
        i++;
    snprintf(out, QUANTITY_BYTES, "%.6g %s", seconds * units[i].per_second, units[i].name);
}

const char *quantity_text(char out[static QUANTITY_BYTES], double number, enum txtap_unit unit, double tick_hz)
{
    if (unit == TXTAP_UNIT_TICKS && tick_hz > 0)
        show_seconds(out, number / tick_hz);
    else if (unit == TXTAP_UNIT_TICKS)
        snprintf(out, QUANTITY_BYTES, "%.15g ticks", number);
    else if (unit == TXTAP_UNIT_PERCENT)
        snprintf(out, QUANTITY_BYTES, "%.6g%%", number);
    else if (unit == TXTAP_UNIT_BYTES)
        snprintf(out, QUANTITY_BYTES, "%.15g bytes", number);
    else
        snprintf(out, QUANTITY_BYTES, "%.15g", number);
    return out;
}

/* Shortens a number that is too long for a column to three digits: ">=1092294" becomes ">=1.09M". */
static void shorten(char number[static QUANTITY_SHORT_BYTES], size_t most)
{
    static const char units[] = "KMGTPE";
    size_t sign = strcspn(number, "0123456789"), unit = 0;
    double value = strtod(number + sign, NULL) / 1e3;

    if (strlen(number) <= most || number[sign + strspn(number + sign, "0123456789")] != '\0')
        return;
    for (; value >= 999.5 && unit + 1 < sizeof units - 1; unit++)
        value /= 1e3;
    snprintf(number + sign, QUANTITY_SHORT_BYTES - sign, "%.*f%c",
             value < 9.995   ? 2
             : value < 99.95 ? 1
                             : 0,
             value, units[unit]);
}

char *figures_measure_text(char out[static QUANTITY_SHORT_BYTES], const struct txtap_figure *figure,
                           enum txtap_stat stat, double tick_hz)
{
    const struct txtap_measure *measure = &figure->stat[stat];
    enum txtap_unit unit = stat == TXTAP_STAT_N || stat == TXTAP_STAT_RATE ? TXTAP_UNIT_COUNT : figure->unit;
    char text[QUANTITY_SHORT_BYTES];
    double value = measure->value;
    const char *sign = "";

    if (!measure->known) {
        snprintf(out, QUANTITY_SHORT_BYTES, "-");
        return out;
    }
    if (measure->lower > value || (measure->upper > value && measure->lower >= value)) {
        sign = ">=";
        value = measure->lower;
    } else if (measure->lower < value && measure->upper <= value && stat == TXTAP_STAT_MIN) {
        sign = "<=";
    } else if (measure->lower < value && measure->upper > value) {
        sign = "~";
    }
    snprintf(out, QUANTITY_SHORT_BYTES, "%s%.28s", sign, quantity_short(text, value, unit, tick_hz));
    if (figures_is_spread(figure))
        shorten(out, NUMBER_COLUMNS);
    return out;
}

void quantity_put(FILE *out, double number, const char *otherwise)
{
    if (isfinite(number))
        fprintf(out, "%.17g", number);
    else
        fputs(otherwise, out);
}

void json_put_text(FILE *out, const char *key, const char *text)
{
    char escaped[TXTAP_ESCAPED_JSON_BYTES(1024)];

    fprintf(out, "\"%s\":%s", key, txtap_escape_json(escaped, sizeof escaped, text));
}

void quantity_put_member(FILE *out, const char *key, double number)
{
    fprintf(out, ",\"%s\":", key);
    quantity_put(out, number, "null");
}

#define LABEL_PART_BYTES (8 * FIGURE_NAME_BYTES)

char *figure_label(char *out, size_t size, const struct named_figure *named, const char *statistic)
{
    const struct txtap_figure *figure = &named->figure;
    char subject[LABEL_PART_BYTES], other[LABEL_PART_BYTES];
    const char *of = txtap_subject_text(&figure->subject, named->subject, subject, sizeof subject);
    const char *with = txtap_subject_text(&figure->other, named->other, other, sizeof other);

    snprintf(out, size, "%s%s%s%s%s%s%s%s%s%s", figure->name, *of != '\0' ? "(" : "", of, *of != '\0' ? ")" : "",
             *with != '\0' ? " " : "", with, *figure->detail != '\0' ? " " : "", figure->detail,
             *statistic != '\0' ? "." : "", statistic);
    return out;
}

/* Returns true if the colon at `text` could begin a link, "http://", or an emoji, ":+1:". */
static bool is_markup_colon(const char *text)
{
    size_t name = strspn(text + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-");

    return text[1] == '/' || (name > 0 && text[1 + name] == ':');
}

void markdown_text(FILE *out, const char *text)
{
    for (char before = '\0'; *text != '\0'; before = *text++)
        if (strchr("!\"#&*<>@[\\]^_`{|}~", *text) != NULL || (*text == '.' && (before | 0x20) == 'w') ||
            (*text == ':' && is_markup_colon(text)))
            fprintf(out, "&#%d;", *text);
        else
            fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

/* ---- JSON and CSV ---- */

#define ESCAPED_BYTES (6 * FIGURE_NAME_BYTES + 3)

static enum txtap_status write_to_file(void *self, const char *bytes, size_t length)
{
    (void)fwrite(bytes, 1, length, self); /* a failed write is reported when the file is closed */
    return TXTAP_OK;
}

/* Writes the lines "KEY VALUE" as an object. A line may have any bytes except NUL. */
static void show_about(const struct figures *figures, FILE *out)
{
    const char *separator = ",\"about\":{";

    for (const char *line = figures->about, *end; line != NULL && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        char key[32], value[256], shown[TXTAP_ESCAPED_JSON_BYTES(sizeof value)];
        int blank = (int)strcspn(line, " \n");

        snprintf(key, sizeof key, "%.*s", blank, line);
        snprintf(value, sizeof value, "%.*s", line[blank] == ' ' ? (int)(end - line) - blank - 1 : 0, line + blank + 1);
        fprintf(out, "%s%s:", separator, txtap_escape_json(shown, sizeof shown, key));
        fputs(txtap_escape_json(shown, sizeof shown, value), out);
        separator = ",";
    }
    if (*separator == ',' && separator[1] == '\0')
        fputc('}', out);
}

struct txtap_figure_json_head figures_head(const struct figures *figures)
{
    return (struct txtap_figure_json_head){.trace = figures->trace,
                                           .summary = figures->summary,
                                           .resets = figures->resets,
                                           .lacks = figures->lacks,
                                           .rate = figures->rate,
                                           .rate_recorded = figures->rate_recorded};
}

void figures_show_json(const struct figures *figures, FILE *out)
{
    const struct txtap_figure_json_head head = figures_head(figures);
    struct txtap_figure_json json = {.writer = {write_to_file, out}, .tick_hz = figures->tick_hz};

    txtap_figure_json_begin(&json, &head);
    for (size_t i = 0; i < figures->count; i++) {
        const struct named_figure *named = &figures->at[i];

        txtap_figure_json_add(&json, &named->figure, named->subject, named->other,
                              figures_has_bars(figures, &named->figure));
    }
    (void)txtap_figure_json_end(&json);
    show_about(figures, out);
    if (figures->findings != NULL) {
        const struct txtap_finding_names names = figures_names(figures);

        (void)txtap_figure_json_findings(&json, figures->findings, &names);
    }
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
    field(out, txtap_subject_text(&figure->subject, named->subject, text, sizeof text));
    field(out, txtap_subject_text(&figure->other, named->other, text, sizeof text));
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
