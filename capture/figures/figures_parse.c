/* SPDX-License-Identifier: MIT */
/* Reads the figures of a JSON report with jansson. Expects the format that figures.c writes, and validates all input.
 */
#include "figures/figures_parse.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/json_head.h"

#define FIGURES_MAX 1000000u

bool figures_can_parse(void)
{
    return true;
}

/* ---- members of an object ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "";
}

/* Returns a number of the object; `otherwise` if there is no number, such as null for a missing bound. */
static double number_of(const json_t *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* Returns an integer of the object; 0 if there is no integer, or if it is negative. */
static uint64_t count_of(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));

    return value > 0 ? (uint64_t)value : 0;
}

/* ---- a figure ---- */

/* Copies a text to the end of the texts, which have room for it. */
static const char *keep(char **texts, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *kept = memcpy(*texts, text, bytes);

    *texts += bytes;
    return kept;
}

/* Sets kind and type from the name of the kind. A kind that this version does not know becomes UNKNOWN. */
static void set_kind(struct txtap_subject *subject, const char *kind)
{
    const char *name;

    for (unsigned i = 0; i < TXTAP_SUBJECT_KINDS; i++) {
        subject->kind = (enum txtap_subject_kind)i;
        if (strcmp(txtap_subject_kind_name(subject), kind) == 0) {
            subject->type = subject->kind == TXTAP_SUBJECT_THREAD ? TXTAP_OBJECT_THREAD : TXTAP_OBJECT_NONE;
            return;
        }
    }
    subject->kind = TXTAP_SUBJECT_OBJECT;
    for (subject->type = TXTAP_OBJECT_THREAD + 1; (name = txtap_object_type_name(subject->type)) != NULL;
         subject->type++)
        if (strcmp(name, kind) == 0)
            return;
    *subject = (struct txtap_subject){.kind = TXTAP_SUBJECT_UNKNOWN};
}

static void take_subject(struct txtap_subject *subject, char name[static FIGURE_NAME_BYTES], const json_t *object)
{
    const char *address = text_of(object, "address");

    set_kind(subject, object != NULL ? text_of(object, "kind") : "system");
    subject->number = (uint32_t)(*address != '\0' ? strtoul(address, NULL, 16) : count_of(object, "number"));
    subject->life = (uint32_t)count_of(object, "life");
    snprintf(name, FIGURE_NAME_BYTES, "%s", text_of(object, "name"));
}

static enum txtap_unit unit_of(const char *name)
{
    for (unsigned unit = 0; unit < TXTAP_UNIT_KINDS; unit++)
        if (strcmp(txtap_unit_name((enum txtap_unit)unit), name) == 0)
            return (enum txtap_unit)unit;
    return TXTAP_UNIT_COUNT;
}

static void take_stats(struct txtap_figure *into, const json_t *stats)
{
    for (enum txtap_stat stat = 0; stat < TXTAP_STATS; stat++) {
        const json_t *object = json_object_get(stats, txtap_stat_name(stat));
        struct txtap_measure *measure = &into->stat[stat];

        measure->known = json_is_number(json_object_get(object, "value"));
        measure->value = number_of(object, "value", 0);
        measure->lower = number_of(object, "lower", -(double)INFINITY);
        measure->upper = number_of(object, "upper", (double)INFINITY);
    }
}

static struct txtap_place place_of(const json_t *figure, const char *key)
{
    const json_t *object = json_object_get(figure, key);

    return (struct txtap_place){object != NULL, count_of(object, "event"), count_of(object, "ticks")};
}

static void take_figure(struct figures *figures, char **texts, const json_t *figure)
{
    struct named_figure *named = &figures->at[figures->count++];
    struct txtap_figure *into = &named->figure;

    into->section = keep(texts, text_of(figure, "section"));
    into->name = keep(texts, text_of(figure, "name"));
    into->detail = keep(texts, text_of(figure, "detail"));
    into->id = txtap_figure_by_name(into->name);
    into->unit = unit_of(text_of(figure, "unit"));
    into->censored = count_of(figure, "censored");
    take_subject(&into->subject, named->subject, json_object_get(figure, "subject"));
    take_subject(&into->other, named->other, json_object_get(figure, "other"));
    take_stats(into, json_object_get(figure, "stats"));
    into->min_at = place_of(figure, "min_at");
    into->max_at = place_of(figure, "max_at");
}

/* ---- a report ---- */

static void take_summary(struct figures *figures, const json_t *root)
{
    figures->tick_hz = number_of(root, "tick_hz", 0);
    figures->resets = count_of(root, "resets");
    figures->summary = (struct txtap_analysis_summary){
        .events = count_of(root, "events"),
        .gaps = count_of(root, "gaps"),
        .lost = count_of(root, "lost"),
        .lost_exact = json_is_true(json_object_get(root, "lost_exact")),
        .window_ticks = count_of(root, "window_ticks"),
        .observed_ticks = count_of(root, "observed_ticks"),
        .uncertain_ticks = count_of(root, "uncertain_ticks"),
        .cores = (uint32_t)count_of(root, "cores"),
        .left_out = count_of(root, "left_out"),
    };
}

/* Returns the bytes that the kept texts of a figure need. */
static size_t texts_bytes(const json_t *figure)
{
    return strlen(text_of(figure, "section")) + strlen(text_of(figure, "name")) + strlen(text_of(figure, "detail")) + 3;
}

/* Version 1 of the schema, of txtap 0.3, had its number in the member "version". The figures are the same. */
static bool is_known_version(const json_t *root)
{
    const json_t *version = json_object_get(root, "schema_version");

    if (version == NULL)
        return json_integer_value(json_object_get(root, "version")) == 1;
    return json_integer_value(version) == txtap_schema_version(TXTAP_SCHEMA_REPORT);
}

static enum txtap_status take_report(struct figures *figures, const json_t *root, const char *name, struct error *error)
{
    const json_t *list = json_object_get(root, "figures");
    size_t count = json_array_size(list), bytes = 1;
    char *texts;

    if (strcmp(text_of(root, "schema"), "txtap-report") != 0 || !json_is_array(list) || count > FIGURES_MAX)
        return failure(error, TXTAP_ERROR_FORMAT, "%.120s: not a report\nwrite one with txtap report -f json", name);
    if (!is_known_version(root))
        return failure(error, TXTAP_ERROR_FORMAT, "%.120s: a report of another version of txtap\nwrite it again", name);
    for (size_t i = 0; i < count; i++)
        bytes += texts_bytes(json_array_get(list, i));
    figures->trace = name;
    figures->capacity = count + 1;
    figures->at = calloc(figures->capacity, sizeof *figures->at);
    figures->texts = texts = malloc(bytes);
    if (figures->at == NULL || texts == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.120s: no memory to read it", name);
    take_summary(figures, root);
    for (size_t i = 0; i < count; i++)
        take_figure(figures, &texts, json_array_get(list, i));
    return TXTAP_OK;
}

enum txtap_status figures_parse(struct figures *figures, const char *text, size_t length, const char *name,
                                struct error *error)
{
    json_error_t wrong;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong);
    enum txtap_status status;

    *figures = (struct figures){0};
    if (root == NULL) {
        char what[sizeof wrong.text];

        printable(what, sizeof what, wrong.text, strlen(wrong.text));
        return failure(error, TXTAP_ERROR_FORMAT,
                       "%.120s: line %d, column %d: %.80s\nwrite it with txtap report -f json", name, wrong.line,
                       wrong.column, what);
    }
    status = take_report(figures, root, name, error);
    json_decref(root);
    if (status != TXTAP_OK)
        figures_free(figures);
    return status;
}
