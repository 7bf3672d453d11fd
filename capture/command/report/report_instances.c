/* SPDX-License-Identifier: MIT */
/* Takes instances, chooses the ones that the options name, and writes CSV and JSON. */
#include "command/report/report_instances.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "base/similar.h"
#include "base/text_maker.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/json_head.h"
#include "txtap/inner/pattern.h"
#include "txtap/inner/rate.h"

#define LINE_BYTES (4096 + 2 * TXTAP_ESCAPED_JSON_BYTES(FIGURE_NAME_BYTES))
#define TEXT_BYTES (TXTAP_ESCAPED_BYTES(FIGURE_NAME_BYTES) + 64)

/* ---- series ---- */

static bool is_named(const struct txtap_check *wish, const struct txtap_subject *subject, const char *name)
{
    uint32_t number;
    char *end;

    if (!wish->has_pattern)
        return true;
    if (option_u32(wish->pattern, &number, &end) && *end == '\0' && number == subject->number)
        return true;
    return *name != '\0' ? txtap_pattern_matches(wish->pattern, name) : strcmp(wish->pattern, "*") == 0;
}

/* Returns the index of the first wish that means the figure; the number of wishes if no wish means it. */
static unsigned wish_of(const struct report_options *options, const struct txtap_figure *figure, const char *name)
{
    unsigned i = 0;

    while (i < options->instance_count &&
           !(options->instances[i].id == figure->id && is_named(&options->instances[i], &figure->subject, name)))
        i++;
    return i;
}

/* Adds a series. Returns false if there is no memory. */
static bool add_series(struct report_instances *instances, struct report_series *series)
{
    struct report_series **more = instances->series;

    if (instances->count == instances->room) {
        more = realloc(instances->series, (instances->room + 64) * sizeof(struct report_series *));
        if (more == NULL)
            return false;
        instances->series = more;
        instances->room += 64;
    }
    instances->series[instances->count++] = series;
    return true;
}

static void fail(struct report_instances *instances, int error_number)
{
    instances->status = TXTAP_ERROR_SYSTEM;
    instances->error_number = error_number;
}

/* Returns true if an option means figures of this kind, of any subject. */
static bool is_wished(const struct report_options *options, enum txtap_figure_id id)
{
    for (unsigned i = 0; i < options->instance_count; i++)
        if (options->instances[i].id == id)
            return true;
    return false;
}

static bool open_series(void *self, uint32_t number, const struct txtap_figure *figure)
{
    struct report_instances *instances = self;
    struct report_series *series;

    (void)number;
    if (!is_wished(&instances->options->report, figure->id) || instances->status != TXTAP_OK)
        return false;
    series = calloc(1, sizeof *series);
    if (series == NULL || !add_series(instances, series)) {
        fail(instances, ENOMEM);
        free(series);
        return false;
    }
    series->figure = *figure;
    return true;
}

/* Looks up the names of the series, and finds the option that means it. */
static void name_series(struct report_instances *instances, struct report_series *series)
{
    const struct txtap_registry *names = instances->input->names;
    const struct report_options *options = &instances->options->report;
    const struct txtap_figure *figure = &series->figure;

    if (series->named)
        return;
    snprintf(series->subject, sizeof series->subject, "%s", txtap_subject_name(&figure->subject, names));
    snprintf(series->other, sizeof series->other, "%s", txtap_subject_name(&figure->other, names));
    series->wish = wish_of(options, figure, series->subject);
    series->named =
        !txtap_subject_may_get_name(&figure->subject, names) && !txtap_subject_may_get_name(&figure->other, names);
    if (series->wish < options->instance_count && series->strip == NULL && options->format == REPORT_TEXT) {
        series->strip = calloc(1, sizeof *series->strip);
        if (series->strip == NULL)
            fail(instances, ENOMEM);
    }
}

/* ---- CSV and JSON ---- */

static const char head[] = "figure,kind,subject,other,detail,unit,state,vague,start,end,value,run,ready,interrupted,"
                           "blocked,unknown,start_event,event\r\n";

static void put(struct report_instances *instances, const char *line, size_t length)
{
    struct txtap_writer writer = output_writer(&instances->output);

    if (instances->status != TXTAP_OK)
        return;
    instances->status = writer.write(writer.self, line, length);
    instances->error_number = errno;
}

static void put_csv(const struct report_series *series, const struct txtap_instance *instance, FILE *out)
{
    const struct txtap_figure *figure = &series->figure;
    char text[TEXT_BYTES];

    fprintf(out, "%s,%s,", figure->name, txtap_subject_kind_name(&figure->subject));
    csv_text(out, txtap_subject_text(&figure->subject, series->subject, text, sizeof text));
    fputc(',', out);
    csv_text(out, txtap_subject_text(&figure->other, series->other, text, sizeof text));
    fprintf(out, ",%s,%s,%s,%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64, figure->detail, txtap_unit_name(figure->unit),
            txtap_instance_kind_name(instance->kind), instance->vague, instance->start, instance->end, instance->value);
    for (unsigned i = 0; i < TXTAP_INSTANCE_PARTS; i++) {
        if (instance->has_parts)
            fprintf(out, ",%" PRIu64, instance->parts[i]);
        else
            fputc(',', out);
    }
    if (instance->start_seq > 0)
        fprintf(out, ",%" PRIu64 ",%" PRIu64 "\r\n", instance->start_seq, instance->seq);
    else
        fprintf(out, ",,%" PRIu64 "\r\n", instance->seq);
}

static void put_json_subject(FILE *out, const char *key, const struct txtap_subject *subject, const char *name)
{
    char text[TEXT_BYTES], quoted[TXTAP_ESCAPED_JSON_BYTES(TEXT_BYTES)];

    if (subject->kind == TXTAP_SUBJECT_SYSTEM)
        return;
    if (*name == '\0')
        name = txtap_subject_text(subject, name, text, sizeof text);
    fprintf(out, ",\"%s\":%s", key, txtap_escape_json(quoted, sizeof quoted, name));
}

/* Writes the first line. */
static void put_json_head(struct report_instances *instances)
{
    const struct options *options = instances->options;
    const struct txtap_rate rate = options_known_rate(options);
    char text[TXTAP_JSON_HEAD_BYTES], shown[TXTAP_RATE_JSON_BYTES], line[sizeof text + sizeof shown + 32];
    int length = snprintf(line, sizeof line, "{\"type\":\"header\",%s,\"rate\":%s}\n",
                          txtap_json_head(text, TXTAP_SCHEMA_INSTANCES),
                          txtap_rate_json(shown, &rate, options_rate_is_recorded(options)));

    put(instances, line, (size_t)length);
}

static void put_json(const struct report_series *series, const struct txtap_instance *instance, FILE *out)
{
    static const char *const parts[] = {"run", "ready", "interrupted", "blocked", "unknown"};
    const struct txtap_figure *figure = &series->figure;

    fprintf(out, "{\"figure\":\"%s\",\"kind\":\"%s\"", figure->name, txtap_subject_kind_name(&figure->subject));
    put_json_subject(out, "subject", &figure->subject, series->subject);
    put_json_subject(out, "other", &figure->other, series->other);
    if (*figure->detail != '\0')
        fprintf(out, ",\"detail\":\"%s\"", figure->detail);
    fprintf(out,
            ",\"unit\":\"%s\",\"state\":\"%s\",\"vague\":%s,\"start\":%" PRIu64 ",\"end\":%" PRIu64
            ",\"value\":%" PRIu64,
            txtap_unit_name(figure->unit), txtap_instance_kind_name(instance->kind), instance->vague ? "true" : "false",
            instance->start, instance->end, instance->value);
    for (unsigned i = 0; instance->has_parts && i < TXTAP_INSTANCE_PARTS; i++)
        fprintf(out, ",\"%s\":%" PRIu64, parts[i], instance->parts[i]);
    if (instance->start_seq > 0)
        fprintf(out, ",\"start_event\":%" PRIu64, instance->start_seq);
    fprintf(out, ",\"event\":%" PRIu64 "}\n", instance->seq);
}

static void put_line(struct report_instances *instances, const struct report_series *series,
                     const struct txtap_instance *instance)
{
    char line[LINE_BYTES];
    FILE *out = fmemopen(line, sizeof line, "w");
    long length;

    if (out == NULL) {
        fail(instances, errno);
        return;
    }
    if (instances->options->report.format == REPORT_CSV)
        put_csv(series, instance, out);
    else
        put_json(series, instance, out);
    length = ftell(out);
    fclose(out);
    put(instances, line, (size_t)length);
}

/* ---- strips and the worst instances ---- */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Doubles the time of each column, until the time since the first instance has a column. */
static void widen(struct report_instances *instances, uint64_t time)
{
    while (time / instances->column_ticks >= STRIP_COLUMNS) {
        instances->column_ticks *= 2;
        for (uint32_t i = 0; i < instances->count; i++) {
            uint64_t *most = instances->series[i]->strip != NULL ? instances->series[i]->strip->most : NULL;

            for (unsigned k = 0; most != NULL && k < STRIP_COLUMNS; k++)
                most[k] = k < STRIP_COLUMNS / 2 ? larger(most[2 * k], most[2 * k + 1]) : 0;
        }
    }
}

/* Keeps an instance if it is among the longest of its wish. Of equal instances, the earlier one comes first. */
static void keep_worst(struct report_instances *instances, unsigned wish, const struct txtap_instance *instance)
{
    struct txtap_instance *worst = instances->worst[wish];
    uint32_t count = instances->worst_count[wish], at = count;

    while (at > 0 && worst[at - 1].value < instance->value)
        at--;
    if (at == INSTANCES_WORST)
        return;
    count = count < INSTANCES_WORST ? count + 1 : count;
    memmove(&worst[at + 1], &worst[at], (count - 1 - at) * sizeof *worst);
    worst[at] = *instance;
    instances->worst_count[wish] = count;
}

static void note(struct report_instances *instances, struct report_series *series,
                 const struct txtap_instance *instance)
{
    uint64_t *most, column;

    keep_worst(instances, series->wish, instance);
    if (!instances->begun) {
        instances->begun = true;
        instances->first = instance->start;
        instances->column_ticks = 1;
    }
    instances->last = larger(instances->last, instance->end);
    column = instance->end > instances->first ? instance->end - instances->first : 0;
    widen(instances, column);
    most = &series->strip->most[column / instances->column_ticks];
    *most = larger(*most, larger(instance->value, 1));
}

static void give(struct report_instances *instances, const struct txtap_instance *instance)
{
    struct report_series *series = instances->series[instance->series];

    name_series(instances, series);
    if (instances->status != TXTAP_OK)
        return;
    if (series->wish == instances->options->report.instance_count) {
        instances->nameless += !series->named;
        return;
    }
    series->count += instance->kind == TXTAP_INSTANCE_COMPLETE;
    series->cut += instance->kind != TXTAP_INSTANCE_COMPLETE;
    if (instances->options->report.format != REPORT_TEXT)
        put_line(instances, series, instance);
    else if (instance->kind == TXTAP_INSTANCE_COMPLETE)
        note(instances, series, instance);
}

/* ---- instances that wait for names ---- */

static bool must_wait(struct report_instances *instances, const struct txtap_instance *instance)
{
    struct report_series *series = instances->series[instance->series];

    name_series(instances, series);
    return !series->named && !series->waited;
}

/* Gives the waiting instances, in their order, up to the first instance that must wait longer. all: nothing waits
 * longer. */
static void give_waiting(struct report_instances *instances, bool all)
{
    uint64_t now = instances->waiting_count > 0 && instances->wait_us != UINT64_MAX ? now_us() : 0;

    while (instances->waiting_count > 0) {
        const struct waiting_instance *first = &instances->waiting[instances->first_waiting];
        bool patient = !all && instances->waiting_count < INSTANCES_WAIT && now - first->since_us < instances->wait_us;

        if (must_wait(instances, &first->instance)) {
            if (patient)
                return;
            instances->series[first->instance.series]->waited = true;
        }
        give(instances, &first->instance);
        instances->first_waiting = (instances->first_waiting + 1) % INSTANCES_WAIT;
        instances->waiting_count--;
    }
}

static void enqueue(struct report_instances *instances, const struct txtap_instance *instance)
{
    uint32_t at = (instances->first_waiting + instances->waiting_count) % INSTANCES_WAIT;

    if (instances->waiting == NULL)
        instances->waiting = malloc(INSTANCES_WAIT * sizeof *instances->waiting);
    if (instances->waiting == NULL) {
        fail(instances, ENOMEM);
        return;
    }
    instances->waiting[at] = (struct waiting_instance){*instance, instances->wait_us != UINT64_MAX ? now_us() : 0};
    instances->waiting_count++;
}

static void take(void *self, const struct txtap_instance *instance)
{
    struct report_instances *instances = self;

    if (instances->status != TXTAP_OK)
        return;
    if (instances->waiting_count == 0 && !must_wait(instances, instance)) {
        give(instances, instance);
        return;
    }
    enqueue(instances, instance);
    give_waiting(instances, false);
}

void report_instances_step(struct report_instances *instances, bool idle)
{
    enum txtap_status status;

    if (instances->options == NULL)
        return;
    give_waiting(instances, false);
    if (!idle || instances->output.fd < 0 || instances->status != TXTAP_OK)
        return;
    status = output_flush(&instances->output);
    if (status == TXTAP_OK)
        return;
    instances->status = status;
    instances->error_number = errno;
}

/* ---- begin and end ---- */

enum txtap_status report_instances_open(struct report_instances *instances, const struct options *options,
                                        const struct report_input *input, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    memset(instances, 0, offsetof(struct report_instances, output));
    instances->options = options;
    instances->input = input;
    instances->output.fd = -1;
    instances->status = TXTAP_OK;
    instances->wait_us = UINT64_MAX;
    if (options->report.format != REPORT_TEXT)
        status = output_open(&instances->output, options->output, options->force, error);
    if (status != TXTAP_OK)
        return status;
    txtap_instances_open(&instances->source, input->analysis,
                         (struct txtap_instance_sink){open_series, take, instances});
    if (options->report.format == REPORT_CSV)
        put(instances, head, sizeof head - 1);
    if (options->report.format == REPORT_JSON)
        put_json_head(instances);
    return TXTAP_OK;
}

/* Checks that each pattern means a figure of the report. */
static enum txtap_status check_wishes(const struct report_options *options, const struct figures *figures,
                                      struct error *error)
{
    for (uint32_t i = 0; i < options->instance_count; i++) {
        const struct txtap_check *wish = &options->instances[i];
        char text[SIMILAR_TEXT_BYTES];
        struct similar similar;
        bool found = !wish->has_pattern;

        similar_init(&similar, wish->pattern);
        for (size_t k = 0; k < figures->count; k++) {
            const struct named_figure *named = &figures->at[k];

            if (named->figure.id != wish->id)
                continue;
            found = found || is_named(wish, &named->figure.subject, named->subject);
            similar_offer(&similar, named->subject);
        }
        if (!found)
            return failure(error, TXTAP_ERROR_USAGE, "--instances: no %s in this trace is '%.100s'%s", wish->name,
                           wish->text, similar_text(&similar, text));
    }
    return TXTAP_OK;
}

static enum txtap_status show_text(const struct report_instances *instances, const struct figures *figures,
                                   struct error *error)
{
    const struct options *options = instances->options;
    const char *path = options->output != NULL ? options->output : "-";
    struct text_maker maker;
    enum txtap_status status;
    bool shown;

    if (!text_maker_begin(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the report");
    shown = report_instances_text(instances, figures, output_path_columns(path), maker.out);
    if (!text_maker_end(&maker) || !shown)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the report");
    status = output_whole_file(path, maker.text, maker.length, options->force, error);
    free(maker.text);
    return status;
}

static enum txtap_status close_output(struct report_instances *instances, struct error *error)
{
    enum txtap_status closed = output_close(&instances->output);

    instances->output.fd = -1;
    if (instances->status == TXTAP_OK) {
        instances->status = closed;
        instances->error_number = errno;
    }
    if (instances->status >= TXTAP_OK)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: cannot be written: %s\nchoose another file",
                   instances->output.name, strerror(instances->error_number));
}

enum txtap_status report_instances_end(struct report_instances *instances, const struct report_results *results,
                                       struct error *error)
{
    const struct report_options *options = &instances->options->report;
    enum txtap_status status = TXTAP_OK;

    give_waiting(instances, true);
    if (options->format != REPORT_TEXT)
        status = close_output(instances, error);
    else if (instances->status != TXTAP_OK)
        status = failure(error, TXTAP_ERROR_SYSTEM, "no memory for the report");
    if (status == TXTAP_OK && instances->status == TXTAP_OK)
        status = check_wishes(options, &results->figures, error);
    if (status == TXTAP_OK && options->format == REPORT_TEXT)
        status = show_text(instances, &results->figures, error);
    if (instances->source.left_out > 0 && !instances->options->quiet)
        fprintf(stderr, "txtap: %" PRIu64 " samples are left out, because no figure of the report has them\n",
                instances->source.left_out);
    if (instances->nameless > 0 && !instances->options->quiet)
        fprintf(stderr,
                "txtap: %" PRIu64
                " samples are left out, because the names of their threads or objects are not known\n",
                instances->nameless);
    return status;
}

void report_instances_free(struct report_instances *instances)
{
    for (uint32_t i = 0; i < instances->count; i++) {
        free(instances->series[i]->strip);
        free(instances->series[i]);
    }
    free(instances->series);
    free(instances->waiting);
    instances->series = NULL;
    instances->waiting = NULL;
    instances->waiting_count = 0;
    instances->count = 0;
    if (instances->options != NULL && instances->output.fd >= 0)
        (void)output_close(&instances->output);
}
