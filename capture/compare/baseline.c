/* SPDX-License-Identifier: MIT */
/* Keys of figures, and the search for a key. */
#include "compare/baseline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/escape.h"
#include "txtap/inner/figure_json.h"

/* Writes the subject into the key. Replaces invalid UTF-8 in a name with U+FFFD, because the JSON report also contains
 * U+FFFD there. */
static void put_subject(char *out, size_t size, const struct baseline_subject *subject)
{
    char name[512];

    txtap_escape_xml(name, sizeof name, *subject->name != '\0' ? subject->name : subject->number);
    snprintf(out, size, "%s %s", subject->kind, name);
}

char *baseline_key(char out[static BASELINE_KEY_BYTES], const char *section, const char *name,
                   const struct baseline_subject *subject, const struct baseline_subject *other, const char *detail)
{
    char texts[2][640];

    put_subject(texts[0], sizeof texts[0], subject);
    put_subject(texts[1], sizeof texts[1], other);
    snprintf(out, BASELINE_KEY_BYTES, "%.120s%c%.120s%c%s%c%s%c%.120s", section, BASELINE_KEY_MARK, name,
             BASELINE_KEY_MARK, texts[0], BASELINE_KEY_MARK, texts[1], BASELINE_KEY_MARK, detail);
    return out;
}

static int by_key(const void *a, const void *b)
{
    const struct baseline_figure *one = a, *other = b;
    int order = strcmp(one->key, other->key);

    return order != 0 ? order : (one->position > other->position) - (one->position < other->position);
}

enum txtap_status baseline_take(struct baseline *baseline, const struct figures *figures, struct error *error)
{
    *baseline = (struct baseline){.tick_hz = figures->tick_hz};
    baseline->figures = calloc(figures->count + 1, sizeof *baseline->figures);
    for (size_t i = 0; i < figures->count && baseline->figures != NULL; i++) {
        char key[BASELINE_KEY_BYTES];
        struct baseline_figure *into = &baseline->figures[i];

        into->key = strdup(baseline_figure_key(key, &figures->at[i]));
        if (into->key == NULL) {
            baseline_free(baseline);
            break;
        }
        into->position = baseline->count++;
        memcpy(into->stat, figures->at[i].figure.stat, sizeof into->stat);
    }
    if (baseline->figures == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to compare two traces");
    qsort(baseline->figures, baseline->count, sizeof *baseline->figures, by_key);
    return TXTAP_OK;
}

void baseline_free(struct baseline *baseline)
{
    for (size_t i = 0; i < baseline->count; i++)
        free(baseline->figures[i].key);
    free(baseline->figures);
    *baseline = (struct baseline){0};
}

/* ---- looking up figures ---- */

char *baseline_figure_key(char key[static BASELINE_KEY_BYTES], const struct named_figure *named)
{
    const struct txtap_figure *figure = &named->figure;
    const struct txtap_subject *of[] = {&figure->subject, &figure->other};
    struct baseline_subject subjects[2] = {{.name = named->subject}, {.name = named->other}};
    char numbers[2][24] = {"", ""};

    for (size_t i = 0; i < 2; i++) {
        subjects[i].kind = txtap_subject_kind_name(of[i]);
        subjects[i].number = numbers[i];
        if (of[i]->kind == TXTAP_SUBJECT_THREAD || of[i]->kind == TXTAP_SUBJECT_OBJECT)
            snprintf(numbers[i], sizeof numbers[i], "0x%08" PRIx32, of[i]->number);
        else if (of[i]->kind == TXTAP_SUBJECT_INTERRUPT || of[i]->kind == TXTAP_SUBJECT_CORE ||
                 of[i]->kind == TXTAP_SUBJECT_EVENT)
            snprintf(numbers[i], sizeof numbers[i], "%" PRIu32, of[i]->number);
        if (of[i]->kind == TXTAP_SUBJECT_INTERRUPT) /* the older report may not know the name */
            subjects[i].name = "";
    }
    return baseline_key(key, figure->section, figure->name, &subjects[0], &subjects[1], figure->detail);
}

/* Returns the index of the first figure whose key is not before `key`. */
static size_t first_from(const struct baseline *baseline, const char *key)
{
    size_t low = 0, high = baseline->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(baseline->figures[middle].key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_key(const struct baseline *baseline, size_t i, const char *key)
{
    return i < baseline->count && strcmp(baseline->figures[i].key, key) == 0;
}

struct baseline_figure *baseline_find(struct baseline *baseline, const char *key)
{
    size_t at = first_from(baseline, key);

    while (has_key(baseline, at, key) && baseline->figures[at].found)
        at++;
    return has_key(baseline, at, key) ? &baseline->figures[at] : NULL;
}

const struct baseline_figure *baseline_only(const struct baseline *baseline, const char *key)
{
    size_t at = first_from(baseline, key);

    return has_key(baseline, at, key) && !has_key(baseline, at + 1, key) ? &baseline->figures[at] : NULL;
}
