/* SPDX-License-Identifier: MIT */
/* Reads the figures of a JSON report with jansson. Expects the format that figures.c writes, and validates all input.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/baseline.h"

#define FIGURES_MAX 1000000u

bool baseline_can_read(void)
{
    return true;
}

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

static struct baseline_subject subject_of(const json_t *figure, const char *key, char number[static 24])
{
    const json_t *object = json_object_get(figure, key), *value = json_object_get(object, "number");
    struct baseline_subject subject = {text_of(object, "kind"), text_of(object, "name"), text_of(object, "address")};

    if (object == NULL)
        subject.kind = "system";
    if (strcmp(subject.kind, "interrupt") == 0) /* the other report may not know the name */
        subject.name = "";
    if (json_is_integer(value)) {
        snprintf(number, 24, "%lld", (long long)json_integer_value(value));
        subject.number = number;
    }
    return subject;
}

static void take_stats(struct baseline_figure *into, const json_t *stats)
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

static bool take_figure(struct baseline *baseline, const json_t *figure)
{
    struct baseline_figure *into = &baseline->figures[baseline->count];
    char key[BASELINE_KEY_BYTES], numbers[2][24];
    struct baseline_subject subject = subject_of(figure, "subject", numbers[0]);
    struct baseline_subject other = subject_of(figure, "other", numbers[1]);

    into->key = strdup(baseline_key(key, text_of(figure, "section"), text_of(figure, "name"), &subject, &other,
                                    text_of(figure, "detail")));
    if (into->key == NULL)
        return false;
    into->position = baseline->count++;
    take_stats(into, json_object_get(figure, "stats"));
    return true;
}

static enum txtap_status take_report(struct baseline *baseline, const json_t *root, const char *name,
                                     struct error *error)
{
    const json_t *figures = json_object_get(root, "figures");
    size_t count = json_array_size(figures);

    if (strcmp(text_of(root, "schema"), "txtap-report") != 0 || !json_is_array(figures) || count > FIGURES_MAX)
        return failure(error, TXTAP_ERROR_FORMAT, "%.120s: not a report\nwrite one with txtap report -f json", name);
    if (json_integer_value(json_object_get(root, "version")) != 1)
        return failure(error, TXTAP_ERROR_FORMAT, "%.120s: a report of another version of txtap\nwrite it again", name);
    baseline->tick_hz = number_of(root, "tick_hz", 0);
    baseline->figures = calloc(count + 1, sizeof *baseline->figures);
    if (baseline->figures == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.120s: no memory to read it", name);
    for (size_t i = 0; i < count; i++)
        if (!take_figure(baseline, json_array_get(figures, i)))
            return failure(error, TXTAP_ERROR_SYSTEM, "%.120s: no memory to read it", name);
    baseline_sort(baseline);
    return TXTAP_OK;
}

enum txtap_status baseline_parse(struct baseline *baseline, const char *text, size_t length, const char *name,
                                 struct error *error)
{
    json_error_t wrong;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong);
    enum txtap_status status;

    *baseline = (struct baseline){0};
    if (root == NULL) {
        char what[sizeof wrong.text];

        printable(what, sizeof what, wrong.text, strlen(wrong.text));
        return failure(error, TXTAP_ERROR_FORMAT,
                       "%.120s: line %d, column %d: %.80s\nwrite it with txtap report -f json", name, wrong.line,
                       wrong.column, what);
    }
    status = take_report(baseline, root, name, error);
    json_decref(root);
    if (status != TXTAP_OK)
        baseline_free(baseline);
    return status;
}
