/* SPDX-License-Identifier: MIT */
/* Keeps the instances of all series in one array, in the order in which the analysis makes them. A plot reads the whole
 * array: a million instances take a few milliseconds. */
#include "view/wasm/instances.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/check.h"
#include "txtap/inner/figure_json.h"
#include "txtap/inner/instances.h"
#include "view/wasm/report.h"

#define NAME_BYTES 128u

struct series {
    struct txtap_figure figure; /* its statistics are not valid */
    char subject[NAME_BYTES], other[NAME_BYTES];
    uint64_t n, sum, max, cut;
};

struct kept {
    uint64_t start, end, value, seq;
    uint32_t series;
    uint32_t parts; /* index of its parts + 1; 0: it has no parts */
    uint8_t kind;   /* enum txtap_instance_kind */
    bool vague;
};

struct instances {
    struct view_trace *trace;
    enum txtap_figure_id id;
    const char *name; /* of the figure; static */
    struct txtap_instances source;
    struct series *series;
    size_t series_count, series_room;
    struct kept *at;
    size_t count, room;
    uint64_t (*parts)[TXTAP_INSTANCE_PARTS];
    size_t part_count, part_room;
    double *columns;
    uint32_t column_room;
    bool failed; /* there was no memory, so some instances are missing */
};

/* Makes room for another element. Returns false if there is no memory. */
static bool grow(void **array, size_t *room, size_t count, size_t size)
{
    size_t more = *room > 0 ? 2 * *room : 64;
    void *grown;

    if (count < *room)
        return true;
    grown = realloc(*array, more * size);
    if (grown == NULL)
        return false;
    *array = grown;
    *room = more;
    return true;
}

/* ---- taking ---- */

static void set_name(char out[static NAME_BYTES], struct view_trace *trace, const struct txtap_subject *subject)
{
    char text[4 * NAME_BYTES];
    const char *name = txtap_subject_text(subject, report_subject_name(trace, subject), text, sizeof text);
    size_t length = strnlen(name, NAME_BYTES - 1);

    memcpy(out, name, length);
    out[length] = '\0';
}

static bool open_series(void *self, uint32_t number, const struct txtap_figure *figure)
{
    struct instances *instances = self;
    struct series *series;

    (void)number;
    if (figure->id != instances->id)
        return false;
    if (!grow((void **)&instances->series, &instances->series_room, instances->series_count,
              sizeof *instances->series)) {
        instances->failed = true;
        return false;
    }
    series = &instances->series[instances->series_count++];
    *series = (struct series){.figure = *figure};
    set_name(series->subject, instances->trace, &figure->subject);
    if (figure->other.kind != TXTAP_SUBJECT_SYSTEM)
        set_name(series->other, instances->trace, &figure->other);
    return true;
}

static void count_in(struct series *series, const struct txtap_instance *instance)
{
    if (instance->kind != TXTAP_INSTANCE_COMPLETE) {
        series->cut++;
        return;
    }
    series->n++;
    series->sum += instance->value;
    series->max = instance->value > series->max ? instance->value : series->max;
}

static void take(void *self, const struct txtap_instance *instance)
{
    struct instances *instances = self;
    struct kept *kept;

    if (instances->failed ||
        !grow((void **)&instances->at, &instances->room, instances->count, sizeof *instances->at) ||
        (instance->has_parts &&
         !grow((void **)&instances->parts, &instances->part_room, instances->part_count, sizeof *instances->parts))) {
        instances->failed = true;
        return;
    }
    count_in(&instances->series[instance->series], instance);
    kept = &instances->at[instances->count++];
    *kept = (struct kept){.start = instance->start,
                          .end = instance->end,
                          .value = instance->value,
                          .seq = instance->seq,
                          .series = instance->series,
                          .kind = (uint8_t)instance->kind,
                          .vague = instance->vague};
    if (!instance->has_parts)
        return;
    memcpy(instances->parts[instances->part_count++], instance->parts, sizeof *instances->parts);
    kept->parts = (uint32_t)instances->part_count;
}

/* ---- begin and end ---- */

void instances_forget(struct view_trace *trace)
{
    struct instances *instances = trace->instances;

    if (instances == NULL)
        return;
    free(instances->series);
    free(instances->at);
    free(instances->parts);
    free(instances->columns);
    free(instances);
    trace->instances = NULL;
}

/* Returns the sections with the figure; 0: it has no instances. */
static uint32_t sections_of(const char *name, struct txtap_check *check)
{
    char text[64];
    struct txtap_check_error wrong;

    if (snprintf(text, sizeof text, "%s < 0", name) >= (int)sizeof text || !txtap_check_parse(check, text, &wrong) ||
        check->has_pattern || !txtap_instances_exist(check->id))
        return 0;
    return txtap_check_sections(check);
}

bool instances_begin(struct view_trace *trace, const char *name)
{
    struct txtap_check check;
    uint32_t sections = sections_of(name, &check);
    struct instances *instances;

    report_forget(trace); /* it may give samples to the earlier instances */
    instances_forget(trace);
    instances = sections != 0 ? calloc(1, sizeof *instances) : NULL;
    if (instances == NULL || !report_begin_sections(trace, 0, UINT64_MAX, sections)) {
        free(instances);
        return false;
    }
    trace->instances = instances;
    instances->trace = trace;
    instances->id = check.id;
    instances->name = check.name;
    txtap_instances_open(&instances->source, report_analysis(trace),
                         (struct txtap_instance_sink){open_series, take, instances});
    return true;
}

static void put_series(struct text *out, const struct series *series)
{
    const struct txtap_figure *figure = &series->figure;

    text_print(out, "{\"kind\":\"%s\",\"number\":%" PRIu32 ",\"subject\":", txtap_subject_kind_name(&figure->subject),
               figure->subject.number);
    text_json(out, series->subject);
    text_print(out, ",\"other\":");
    text_json(out, series->other);
    text_print(out, ",\"detail\":\"%s\",\"n\":%" PRIu64 ",\"sum\":%" PRIu64 ",\"max\":%" PRIu64 ",\"cut\":%" PRIu64 "}",
               figure->detail, series->n, series->sum, series->max, series->cut);
}

bool instances_end(struct view_trace *trace)
{
    struct instances *instances = trace->instances;
    struct text *out = &trace->out;

    text_clear(out);
    if (instances == NULL || !report_end(trace))
        return false;
    text_print(out, "{\"figure\":\"%s\",\"unit\":\"%s\",\"left_out\":%" PRIu64 ",\"failed\":%s,\"series\":[",
               instances->name, txtap_unit_name(instances->series_count > 0 ? instances->series[0].figure.unit : 0),
               instances->source.left_out, instances->failed ? "true" : "false");
    for (size_t i = 0; i < instances->series_count; i++) {
        text_print(out, "%s", i > 0 ? "," : "");
        put_series(out, &instances->series[i]);
    }
    text_print(out, "]}");
    return !out->failed;
}

/* ---- the plot ---- */

static bool is_in(const struct kept *kept, uint32_t series)
{
    return kept->kind == TXTAP_INSTANCE_COMPLETE && (series == INSTANCES_ALL || kept->series == series);
}

const double *instances_columns(struct view_trace *trace, uint32_t series, double from, double to, uint32_t count)
{
    struct instances *instances = trace->instances;
    double *least, *most, *number;

    if (instances == NULL || count == 0 || count > INSTANCES_COLUMNS_MAX || !(to > from))
        return NULL;
    if (count > instances->column_room) {
        free(instances->columns);
        instances->columns = malloc(3 * sizeof(double) * count);
        instances->column_room = instances->columns != NULL ? count : 0;
    }
    if (instances->columns == NULL)
        return NULL;
    least = instances->columns;
    most = least + count;
    number = most + count;
    memset(least, 0, 3 * sizeof(double) * count);
    for (size_t i = 0; i < instances->count; i++) {
        const struct kept *kept = &instances->at[i];
        double end = (double)kept->end, value = (double)kept->value, part = (end - from) / (to - from) * count;
        uint32_t at;

        if (!is_in(kept, series) || end < from || end > to)
            continue;
        at = part < count ? (uint32_t)part : count - 1;
        least[at] = number[at] == 0 || value < least[at] ? value : least[at];
        most[at] = value > most[at] ? value : most[at];
        number[at]++;
    }
    return least;
}

uint32_t instances_near(const struct view_trace *trace, uint32_t series, double from, double to, double value)
{
    const struct instances *instances = trace->instances;
    uint32_t best = INSTANCES_NONE;
    double nearest = 0;

    for (size_t i = 0; instances != NULL && i < instances->count; i++) {
        const struct kept *kept = &instances->at[i];
        double away = (double)kept->value > value ? (double)kept->value - value : value - (double)kept->value;

        if (!is_in(kept, series) || (double)kept->end < from || (double)kept->end > to ||
            (best != INSTANCES_NONE && away >= nearest))
            continue;
        best = (uint32_t)i;
        nearest = away;
    }
    return best;
}

uint32_t instances_step(const struct view_trace *trace, uint32_t series, uint32_t at, bool forward)
{
    const struct instances *instances = trace->instances;
    size_t count = instances != NULL ? instances->count : 0;
    size_t from = forward ? (at < count ? at + 1 : 0) : (at < count ? at : count);

    for (size_t i = from; forward && i < count; i++)
        if (is_in(&instances->at[i], series))
            return (uint32_t)i;
    for (size_t i = from; !forward && i > 0; i--)
        if (is_in(&instances->at[i - 1], series))
            return (uint32_t)(i - 1);
    return INSTANCES_NONE;
}

/* ---- texts ---- */

static const char *const part_names[TXTAP_INSTANCE_PARTS] = {"run", "ready", "interrupted", "blocked", "unknown"};

void instances_answer(struct view_trace *trace, uint32_t index)
{
    const struct instances *instances = trace->instances;
    struct text *out = &trace->out;
    const struct kept *kept;

    text_clear(out);
    if (instances == NULL || index >= instances->count) {
        text_print(out, "null");
        return;
    }
    kept = &instances->at[index];
    text_print(out,
               "{\"series\":%" PRIu32 ",\"start\":%" PRIu64 ",\"end\":%" PRIu64 ",\"value\":%" PRIu64
               ",\"event\":%" PRIu64 ",\"vague\":%s",
               kept->series, kept->start, kept->end, kept->value, kept->seq, kept->vague ? "true" : "false");
    if (kept->parts > 0) {
        text_print(out, ",\"parts\":{");
        for (unsigned i = 0; i < TXTAP_INSTANCE_PARTS; i++)
            text_print(out, "%s\"%s\":%" PRIu64, i > 0 ? "," : "", part_names[i], instances->parts[kept->parts - 1][i]);
        text_print(out, "}");
    }
    text_print(out, "}");
}

/* Adds a text in quotes; quotes in the text are doubled. */
static void csv_text(struct text *out, const char *text)
{
    text_add(out, "\"", 1);
    for (; *text != '\0'; text++)
        text_add(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    text_add(out, "\"", 1);
}

void instances_csv(struct view_trace *trace, uint32_t series, double from, double to)
{
    const struct instances *instances = trace->instances;
    struct text *out = &trace->out;

    text_clear(out);
    text_print(out, "figure,subject,other,detail,start,end,value,run,ready,interrupted,blocked,unknown,event\r\n");
    for (size_t i = 0; instances != NULL && i < instances->count; i++) {
        const struct kept *kept = &instances->at[i];
        const struct series *of = &instances->series[kept->series];

        if (!is_in(kept, series) || (double)kept->end < from || (double)kept->end > to)
            continue;
        text_print(out, "%s,", instances->name);
        csv_text(out, of->subject);
        text_add(out, ",", 1);
        csv_text(out, of->other);
        text_print(out, ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64, of->figure.detail, kept->start, kept->end, kept->value);
        for (unsigned k = 0; k < TXTAP_INSTANCE_PARTS; k++) {
            text_add(out, ",", 1);
            if (kept->parts > 0)
                text_print(out, "%" PRIu64, instances->parts[kept->parts - 1][k]);
        }
        text_print(out, ",%" PRIu64 "\r\n", kept->seq);
    }
}
