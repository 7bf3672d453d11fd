/* SPDX-License-Identifier: MIT */
/* Collects figures, and finds the names of what they are about. */
#include "figures/figures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/escape.h"
#include "txtap/inner/figure_json.h"

static void name_of(const struct txtap_registry *registry, const struct txtap_subject *subject,
                    char name[static FIGURE_NAME_BYTES])
{
    snprintf(name, FIGURE_NAME_BYTES, "%s", txtap_subject_name(subject, registry));
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
    name_of(figures->registry, &figure->subject, named->subject);
    name_of(figures->registry, &figure->other, named->other);
    return TXTAP_OK;
}

void figures_free(struct figures *figures)
{
    free(figures->at);
    *figures = (struct figures){0};
}

const char *figures_subject_text(const struct txtap_subject *subject, const char *name, char *out, size_t size)
{
    const struct txtap_event_info *row;

    switch (subject->kind) {
    case TXTAP_SUBJECT_THREAD:
    case TXTAP_SUBJECT_OBJECT:
        if (*name != '\0')
            return txtap_escape_terminal(out, size, name);
        snprintf(out, size, "0x%08" PRIx32, subject->number);
        return out;
    case TXTAP_SUBJECT_INTERRUPT:
        if (subject->number == UINT32_MAX)
            return "an interrupt";
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
