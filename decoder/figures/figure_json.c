/* SPDX-License-Identifier: MIT */
/* Figures as JSON. Numbers of ticks are integers; a missing bound is null. */
#include "figures/json_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "figures/check_names.h"
#include "txtap/event.h"
#include "txtap/inner/escape.h"
#include "txtap/inner/rate.h"
#include "txtap/registry.h"

#define BARS_MAX  32
#define PIECE_MAX 256 /* most bytes that one call of print() writes; other functions write names and texts */

const char *txtap_unit_name(enum txtap_unit unit)
{
    static const char *const names[TXTAP_UNIT_KINDS] = {
        [TXTAP_UNIT_COUNT] = "count", [TXTAP_UNIT_TICKS] = "ticks",   [TXTAP_UNIT_PERCENT] = "percent",
        [TXTAP_UNIT_BYTES] = "bytes", [TXTAP_UNIT_NUMBER] = "number",
    };

    return names[unit];
}

enum txtap_figure_id txtap_figure_by_name(const char *name)
{
    const struct check_name *row = check_name_find(name, strlen(name));

    return row != NULL ? row->id : TXTAP_FIGURE_NONE;
}

const char *txtap_subject_kind_name(const struct txtap_subject *subject)
{
    static const char *const kinds[TXTAP_SUBJECT_KINDS] = {
        [TXTAP_SUBJECT_SYSTEM] = "system",       [TXTAP_SUBJECT_THREAD] = "thread",
        [TXTAP_SUBJECT_INTERRUPT] = "interrupt", [TXTAP_SUBJECT_OBJECT] = "object",
        [TXTAP_SUBJECT_CORE] = "core",           [TXTAP_SUBJECT_EVENT] = "event",
        [TXTAP_SUBJECT_IDLE] = "idle",           [TXTAP_SUBJECT_INIT] = "init",
        [TXTAP_SUBJECT_UNKNOWN] = "unknown",     [TXTAP_SUBJECT_VARIABLE] = "variable",
    };
    const char *type = subject->kind == TXTAP_SUBJECT_OBJECT ? txtap_object_type_name(subject->type) : NULL;

    return type != NULL ? type : kinds[subject->kind];
}

/* Returns true if the registry has the name of each thread that was at the address, and all these names are equal. */
static bool is_one_name(const struct txtap_registry *registry, uint32_t address)
{
    const char *name = NULL;
    size_t count = 0;

    for (size_t i = 0; i < registry->count; i++) {
        const struct txtap_object *object = &registry->objects[i];

        if (object->pointer != address)
            continue;
        if (name != NULL && strcmp(object->name, name) != 0)
            return false;
        name = object->name;
        count++;
    }
    return count > 1;
}

const char *txtap_subject_name(const struct txtap_subject *subject, const struct txtap_registry *registry)
{
    if (subject->name != NULL)
        return subject->name;
    if ((subject->kind != TXTAP_SUBJECT_THREAD && subject->kind != TXTAP_SUBJECT_OBJECT) ||
        (subject->joined && !is_one_name(registry, subject->number)))
        return "";
    return txtap_registry_name(registry, subject->number);
}

bool txtap_subject_may_get_name(const struct txtap_subject *subject, const struct txtap_registry *registry)
{
    const struct txtap_object *object;

    if (subject->name != NULL || (subject->kind != TXTAP_SUBJECT_THREAD && subject->kind != TXTAP_SUBJECT_OBJECT) ||
        *txtap_subject_name(subject, registry) != '\0')
        return false;
    object = txtap_registry_find(registry, subject->number);
    return object == NULL || object->unknown || object->late;
}

const char *txtap_subject_text(const struct txtap_subject *subject, const char *name, char *out, size_t size)
{
    const struct txtap_event_info *row;

    switch (subject->kind) {
    case TXTAP_SUBJECT_VARIABLE:
    case TXTAP_SUBJECT_THREAD:
    case TXTAP_SUBJECT_OBJECT:
        if (*name != '\0')
            return txtap_escape_terminal(out, size, name);
        snprintf(out, size, "0x%08" PRIx32, subject->number);
        return out;
    case TXTAP_SUBJECT_INTERRUPT:
        if (subject->number == UINT32_MAX)
            return "an interrupt";
        if (*name != '\0') {
            char shown[TXTAP_ESCAPED_BYTES(TXTAP_OBJECT_NAME_BYTES)];

            snprintf(out, size, "%s (%" PRIu32 ")", txtap_escape_terminal(shown, sizeof shown, name), subject->number);
            return out;
        }
        /* fall through */
    case TXTAP_SUBJECT_CORE:
        snprintf(out, size, "%s %" PRIu32, subject->kind == TXTAP_SUBJECT_CORE ? "core" : "interrupt", subject->number);
        return out;
    case TXTAP_SUBJECT_EVENT:
        row = txtap_event_find(subject->number, 0);
        if (row != NULL && row->component != TXTAP_COMPONENT_USER)
            return row->name;
        snprintf(out, size, "user event %" PRIu32, subject->number);
        return out;
    case TXTAP_SUBJECT_SYSTEM:
        return "";
    default:
        return txtap_subject_kind_name(subject);
    }
}

/* ---- pieces of text ---- */

void figure_json_put(struct txtap_figure_json *json, const char *text)
{
    if (json->status == TXTAP_OK)
        json->status = json->writer.write(json->writer.self, text, strlen(text));
}

static void print(struct txtap_figure_json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void print(struct txtap_figure_json *json, const char *format, ...)
{
    char text[PIECE_MAX];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    figure_json_put(json, text);
}

void figure_json_string(struct txtap_figure_json *json, const char *string)
{
    char text[TXTAP_ESCAPED_JSON_BYTES(1024)];

    figure_json_put(json, txtap_escape_json(text, sizeof text, string));
}

static void put_number(struct txtap_figure_json *json, const char *key, double number)
{
    figure_json_put(json, key);
    if (isfinite(number))
        print(json, "%.17g", number);
    else
        figure_json_put(json, "null");
}

static const char *boolean(bool value)
{
    return value ? "true" : "false";
}

/* ---- a figure ---- */

void figure_json_measure(struct txtap_figure_json *json, const char *comma, const char *key,
                         const struct txtap_measure *of, bool is_time)
{
    print(json, "%s\"%s\":{", comma, key);
    put_number(json, "\"value\":", of->value);
    put_number(json, ",\"lower\":", of->lower);
    put_number(json, ",\"upper\":", of->upper);
    if (is_time && json->tick_hz > 0)
        print(json, ",\"seconds\":%.9g", of->value / json->tick_hz);
    figure_json_put(json, "}");
}

static void add_stats(struct txtap_figure_json *json, const struct txtap_figure *figure)
{
    const char *comma = "";

    figure_json_put(json, ",\"stats\":{");
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++) {
        if (!figure->stat[stat].known)
            continue;
        figure_json_measure(json, comma, txtap_stat_name((enum txtap_stat)stat), &figure->stat[stat],
                            figure->unit == TXTAP_UNIT_TICKS && stat != TXTAP_STAT_N && stat != TXTAP_STAT_RATE);
        comma = ",";
    }
    figure_json_put(json, "}");
}

void figure_json_subject(struct txtap_figure_json *json, const char *key, const struct txtap_subject *of,
                         const char *name)
{
    print(json, "\"%s\":{\"kind\":\"%s\"", key, txtap_subject_kind_name(of));
    if (*name != '\0') {
        figure_json_put(json, ",\"name\":");
        figure_json_string(json, name);
    }
    if (of->kind == TXTAP_SUBJECT_THREAD || of->kind == TXTAP_SUBJECT_OBJECT)
        print(json, ",\"address\":\"0x%08" PRIx32 "\"", of->number);
    else if (of->kind == TXTAP_SUBJECT_INTERRUPT || of->kind == TXTAP_SUBJECT_CORE || of->kind == TXTAP_SUBJECT_EVENT ||
             of->kind == TXTAP_SUBJECT_VARIABLE)
        print(json, ",\"number\":%" PRIu32, of->number);
    if (of->life > 0)
        print(json, ",\"life\":%" PRIu32, of->life);
    figure_json_put(json, "}");
}

void figure_json_span(struct txtap_figure_json *json, const struct txtap_span *of)
{
    if (!of->known)
        return;
    print(json, ",\"span\":{\"from\":%" PRIu64 ",\"to\":%" PRIu64, of->from, of->to);
    if (json->tick_hz > 0)
        print(json, ",\"from_seconds\":%.9f,\"to_seconds\":%.9f", (double)of->from / json->tick_hz,
              (double)of->to / json->tick_hz);
    figure_json_put(json, "}");
}

void figure_json_place(struct txtap_figure_json *json, const char *key, const struct txtap_place *of)
{
    if (!of->known)
        return;
    print(json, ",\"%s\":{\"event\":%" PRIu64 ",\"ticks\":%" PRIu64, key, of->seq, of->ticks);
    if (json->tick_hz > 0)
        print(json, ",\"seconds\":%.9f", (double)of->ticks / json->tick_hz);
    figure_json_put(json, "}");
}

static void add_bars(struct txtap_figure_json *json, const struct txtap_figure *figure)
{
    struct txtap_bar bars[BARS_MAX];
    size_t count = txtap_figure_bars(figure, bars, BARS_MAX);

    if (count == 0)
        return;
    figure_json_put(json, ",\"bars\":[");
    for (size_t i = 0; i < count; i++)
        print(json, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", i > 0 ? "," : "", bars[i].from, bars[i].to,
              bars[i].count);
    figure_json_put(json, "]");
}

void txtap_figure_json_add(struct txtap_figure_json *json, const struct txtap_figure *figure, const char *subject,
                           const char *other, bool bars)
{
    figure_json_put(json, json->any ? ",\n" : "\n");
    json->any = true;
    print(json, "{\"section\":\"%s\",\"name\":\"%s\"", figure->section, figure->name);
    figure_json_put(json, ",");
    figure_json_subject(json, "subject", &figure->subject, subject);
    if (figure->other.kind != TXTAP_SUBJECT_SYSTEM) {
        figure_json_put(json, ",");
        figure_json_subject(json, "other", &figure->other, other);
    }
    if (*figure->detail != '\0')
        print(json, ",\"detail\":\"%s\"", figure->detail);
    print(json, ",\"unit\":\"%s\",\"censored\":%" PRIu64, txtap_unit_name(figure->unit), figure->censored);
    add_stats(json, figure);
    figure_json_span(json, &figure->span);
    figure_json_place(json, "min_at", &figure->min_at);
    figure_json_place(json, "max_at", &figure->max_at);
    if (bars)
        add_bars(json, figure);
    figure_json_put(json, "}");
}

/* ---- all parts ---- */

void figure_json_head(struct txtap_figure_json *json, enum txtap_schema schema,
                      const struct txtap_figure_json_head *head)
{
    const struct txtap_analysis_summary *summary = &head->summary;
    char text[TXTAP_JSON_HEAD_BYTES], rate[TXTAP_RATE_JSON_BYTES];

    json->any = false;
    json->status = TXTAP_OK;
    print(json, "{%s,\"trace\":", txtap_json_head(text, schema));
    figure_json_string(json, head->trace);
    if (json->tick_hz > 0)
        print(json, ",\"tick_hz\":%.12g", json->tick_hz);
    else
        figure_json_put(json, ",\"tick_hz\":null");
    print(json, ",\"rate\":%s", txtap_rate_json(rate, &head->rate, head->rate_recorded));
    print(json, ",\"events\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"lost_exact\":%s,\"gaps\":%" PRIu64, summary->events,
          summary->lost, boolean(summary->lost_exact), summary->gaps);
    print(json,
          ",\"resets\":%" PRIu64 ",\"window_ticks\":%" PRIu64 ",\"observed_ticks\":%" PRIu64
          ",\"uncertain_ticks\":%" PRIu64,
          head->resets, summary->window_ticks, summary->observed_ticks, summary->uncertain_ticks);
    print(json, ",\"cores\":%" PRIu32 ",\"left_out\":%" PRIu64, summary->cores, summary->left_out);
    if (head->lacks != NULL) {
        figure_json_put(json, ",\"not_recorded\":");
        figure_json_string(json, head->lacks);
    }
}

void txtap_figure_json_begin(struct txtap_figure_json *json, const struct txtap_figure_json_head *head)
{
    figure_json_head(json, TXTAP_SCHEMA_REPORT, head);
    figure_json_put(json, ",\"figures\":[");
}

enum txtap_status txtap_figure_json_end(struct txtap_figure_json *json)
{
    figure_json_put(json, "\n]");
    return json->status;
}
