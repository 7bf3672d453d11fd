/* SPDX-License-Identifier: MIT */
/* Checks that the events, interrupts, threads and objects named in a filter exist. */
#include "output/name_check.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/similar.h"
#include "txtap/inner/pattern.h"

#define EVENT_ID_MAX TXTAP_EVENT_ID_MASK

/* ---- events ---- */

/* Calls visit() with the name and the symbol of each event until visit() returns true. Returns true in that case. */
static bool each_event(const struct txtap_definitions *definitions, bool (*visit)(void *self, const char *name),
                       void *self)
{
    size_t count;
    const struct txtap_event_info *rows = txtap_event_table(&count);

    for (size_t i = 0; i < count; i++)
        if (visit(self, rows[i].name) || (*rows[i].symbol != '\0' && visit(self, rows[i].symbol)))
            return true;
    for (size_t i = 0; definitions && i < definitions->event_count; i++)
        if (visit(self, definitions->memory.events[i].info.name))
            return true;
    return false;
}

static bool visit_match(void *self, const char *name)
{
    return txtap_pattern_matches(self, name);
}

static bool visit_similar(void *self, const char *name)
{
    similar_offer(self, name);
    return false;
}

/* Writes ": '*queue*' would match" if the text is a part of an event's name; else "". */
static void wider_pattern(const struct txtap_definitions *definitions, const char *text, char *out, size_t size)
{
    char pattern[128], shown[96];
    size_t from = strspn(text, "*"), to = strlen(text);

    while (to > from && text[to - 1] == '*')
        to--;
    out[0] = '\0';
    if (strpbrk(text, "*?[") == NULL ||
        (size_t)snprintf(pattern, sizeof pattern, "*%.*s*", (int)(to - from), text + from) >= sizeof pattern)
        return;
    if (each_event(definitions, visit_match, pattern))
        snprintf(out, size, ": '%s' would match", printable(shown, sizeof shown, pattern, strlen(pattern)));
}

static enum txtap_status unknown_event(const struct txtap_definitions *definitions, const char *option,
                                       const char *text, struct error *error)
{
    char shown[64], hint[SIMILAR_TEXT_BYTES];
    struct similar similar;

    wider_pattern(definitions, text, hint, sizeof hint);
    if (*hint == '\0' && strchr(text, ','))
        snprintf(hint, sizeof hint, ": repeat the option to choose several");
    if (*hint == '\0') {
        similar_init(&similar, text);
        each_event(definitions, visit_similar, &similar);
        similar_text(&similar, hint);
    }
    return failure(error, TXTAP_ERROR_USAGE, "%s: no event has the name '%s'%s", option,
                   printable(shown, sizeof shown, text, strlen(text)),
                   *hint ? hint : " (user events by name need --definitions)");
}

enum txtap_status name_check_events(const struct txtap_filter *filter, const struct txtap_definitions *definitions,
                                    const char *option, struct error *error)
{
    for (size_t i = 0; i < filter->count; i++) {
        const struct txtap_filter_rule *rule = &filter->rules[i];
        char *pattern = (char *)rule->pattern; /* the cast is safe, because the pattern is only read */

        if (rule->kind != TXTAP_FILTER_EVENT)
            continue;
        if (rule->has_number && rule->number > EVENT_ID_MAX)
            return failure(error, TXTAP_ERROR_USAGE, "%s: %.32s is not the id of an event: ids are 0 to %u", option,
                           pattern, EVENT_ID_MAX);
        if (!rule->has_number && !each_event(definitions, visit_match, pattern))
            return unknown_event(definitions, option, pattern, error);
    }
    return TXTAP_OK;
}

/* ---- interrupts ---- */

/* Calls visit() with the name of each interrupt until visit() returns true. Returns true in that case. */
static bool each_interrupt(const struct txtap_definitions *definitions, bool (*visit)(void *self, const char *name),
                           void *self)
{
    for (size_t i = 0; definitions != NULL && i < definitions->interrupt_count; i++)
        if (visit(self, definitions->interrupts[i].word))
            return true;
    for (size_t i = 0; definitions != NULL && i < TXTAP_DEFINITION_VECTORS_MAX; i++)
        if (definitions->vectors[i] != NULL && visit(self, definitions->vectors[i]))
            return true;
    return false;
}

static bool visit_any(void *self, const char *name)
{
    (void)self;
    (void)name;
    return true;
}

/* Adds a name to a list, if it fits. self: SIMILAR_TEXT_BYTES bytes. */
static bool visit_list(void *self, const char *name)
{
    char *list = self, shown[64];
    size_t used = strlen(list);

    printable(shown, sizeof shown, name, strlen(name));
    if (used + strlen(shown) + strlen(", ...") >= SIMILAR_TEXT_BYTES - 1) {
        strcpy(list + used, used > 0 ? ", ..." : "");
        return true;
    }
    snprintf(list + used, SIMILAR_TEXT_BYTES - used, "%s%s", used > 0 ? ", " : ": the names are ", shown);
    return false;
}

static enum txtap_status unknown_interrupt(const struct txtap_definitions *definitions, const char *option,
                                           const char *text, struct error *error)
{
    char shown[64], hint[SIMILAR_TEXT_BYTES];
    struct similar similar;

    if (!each_interrupt(definitions, visit_any, NULL))
        return failure(error, TXTAP_ERROR_USAGE,
                       "%s: '%s': the names of interrupts are not known\ngive a number, the firmware's ELF file, or "
                       "--definitions",
                       option, printable(shown, sizeof shown, text, strlen(text)));
    similar_init(&similar, text);
    each_interrupt(definitions, visit_similar, &similar);
    similar_text(&similar, hint);
    if (*hint == '\0')
        each_interrupt(definitions, visit_list, hint);
    return failure(error, TXTAP_ERROR_USAGE, "%s: no interrupt has the name '%s'%s", option,
                   printable(shown, sizeof shown, text, strlen(text)), hint);
}

enum txtap_status name_check_interrupts(const struct txtap_filter *filter, const struct txtap_definitions *definitions,
                                        const char *option, struct error *error)
{
    for (size_t i = 0; i < filter->count; i++) {
        const struct txtap_filter_rule *rule = &filter->rules[i];
        char *pattern = (char *)rule->pattern; /* the cast is safe, because the pattern is only read */

        if (rule->kind == TXTAP_FILTER_INTERRUPT && !rule->has_number &&
            !each_interrupt(definitions, visit_match, pattern))
            return unknown_interrupt(definitions, option, pattern, error);
    }
    return TXTAP_OK;
}

/* ---- threads and objects ---- */

static bool is_asked_for(const struct txtap_filter_rule *rule, const struct txtap_object *object)
{
    return *object->name != '\0' && (rule->kind != TXTAP_FILTER_THREAD || object->type == TXTAP_OBJECT_THREAD);
}

static bool is_there(const struct txtap_filter_rule *rule, const struct txtap_registry *registry)
{
    for (size_t i = 0; i < registry->count; i++)
        if (is_asked_for(rule, &registry->objects[i]) &&
            txtap_pattern_matches(rule->pattern, registry->objects[i].name))
            return true;
    return false;
}

static void say_missing(const struct txtap_filter_rule *rule, const struct txtap_registry *registry)
{
    char shown[64], hint[SIMILAR_TEXT_BYTES];
    struct similar similar;

    similar_init(&similar, rule->pattern);
    for (size_t i = 0; i < registry->count; i++)
        if (is_asked_for(rule, &registry->objects[i]))
            similar_offer(&similar, registry->objects[i].name);
    similar_text(&similar, hint);
    if (rule->kind == TXTAP_FILTER_THREAD && strcasecmp(rule->pattern, "isr") == 0)
        snprintf(hint, sizeof hint, ": for interrupts give --context isr, or --isr");
    fprintf(stderr, "txtap: no %s has the name '%s' so far (it may be created later)%s\n",
            rule->kind == TXTAP_FILTER_THREAD ? "thread" : "object",
            printable(shown, sizeof shown, rule->pattern, strlen(rule->pattern)), hint);
}

void name_check_objects(const struct txtap_filter *filter, const struct txtap_registry *registry)
{
    for (size_t i = 0; i < filter->count; i++) {
        const struct txtap_filter_rule *rule = &filter->rules[i];

        if ((rule->kind == TXTAP_FILTER_THREAD || rule->kind == TXTAP_FILTER_OBJECT) && !rule->has_number &&
            !is_there(rule, registry))
            say_missing(rule, registry);
    }
}
