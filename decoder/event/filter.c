/* SPDX-License-Identifier: MIT */
/* Chooses events by names, ids, addresses, contexts and time. */
#include "txtap/filter.h"

#include <string.h>

#include "base/digits.h"
#include "buffer/registry_parts.h"
#include "txtap/pattern.h"

void txtap_filter_init(struct txtap_filter *filter)
{
    memset(filter, 0, sizeof(*filter));
    filter->to_ticks = UINT64_MAX;
}

enum txtap_status txtap_filter_add(struct txtap_filter *filter, enum txtap_filter_kind kind, const char *pattern)
{
    struct txtap_filter_rule *rule;

    if (filter->count == TXTAP_FILTER_RULES_MAX)
        return TXTAP_ERROR_SPACE;
    rule = &filter->rules[filter->count++];
    rule->kind = kind;
    rule->pattern = pattern;
    rule->has_number = digits_number(pattern, strlen(pattern), &rule->number);
    filter->has_kind[kind] = true;
    return TXTAP_OK;
}

bool txtap_filter_add_context(struct txtap_filter *filter, const char *name)
{
    static const struct {
        const char *name;
        unsigned contexts;
    } names[] = {
        {"thread", 1u << TXTAP_CONTEXT_THREAD},
        {"isr", 1u << TXTAP_CONTEXT_ISR | 1u << TXTAP_CONTEXT_IDLE},
        {"init", 1u << TXTAP_CONTEXT_INIT},
        {"idle", 1u << TXTAP_CONTEXT_IDLE},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i].name, name) != 0)
            continue;
        filter->contexts |= names[i].contexts;
        return true;
    }
    return false;
}

/* An object without a name matches only by its address. */
static bool matches_object(const struct txtap_filter_rule *rule, const struct txtap_object *object, uint32_t pointer)
{
    if (rule->has_number && rule->number == pointer)
        return true;
    return object != NULL && object->name[0] != '\0' && txtap_pattern_matches(rule->pattern, object->name);
}

static bool matches_thread(const struct txtap_filter_rule *rule, const struct txtap_registry *registry,
                           const struct txtap_event *event)
{
    if (event->context != TXTAP_CONTEXT_THREAD && event->context != TXTAP_CONTEXT_ISR)
        return false;
    return matches_object(rule, txtap_registry_find_at(registry, event->thread, TXTAP_OBJECT_THREAD, event->seq),
                          event->thread);
}

static bool matches_event(const struct txtap_filter_rule *rule, const struct txtap_event *event,
                          const struct txtap_event_info *info)
{
    if (rule->has_number && rule->number == event->id)
        return true;
    return info != NULL && (txtap_pattern_matches(rule->pattern, info->name) ||
                            (info->symbol[0] != '\0' && txtap_pattern_matches(rule->pattern, info->symbol)));
}

static bool matches_fields(const struct txtap_filter_rule *rule, const struct txtap_registry *registry,
                           const struct txtap_event *event, const struct txtap_event_info *info)
{
    for (size_t i = 0; i < 4 && info != NULL; i++) {
        uint32_t word = event->info[i];

        if (word == 0)
            continue;
        if (info->field[i].kind == TXTAP_FIELD_ADDRESS && rule->has_number && rule->number == word)
            return true;
        if (info->field[i].kind == TXTAP_FIELD_OBJECT &&
            matches_object(rule, txtap_registry_find_at(registry, word, lifetime_field_type(info, i), event->seq),
                           word))
            return true;
    }
    return false;
}

static bool rule_matches(const struct txtap_filter_rule *rule, const struct txtap_registry *registry,
                         const struct txtap_event *event, const struct txtap_event_info *info)
{
    switch (rule->kind) {
    case TXTAP_FILTER_THREAD:
        return matches_thread(rule, registry, event);
    case TXTAP_FILTER_EVENT:
        return matches_event(rule, event, info);
    case TXTAP_FILTER_OBJECT:
        return matches_fields(rule, registry, event, info);
    case TXTAP_FILTER_KINDS:
        break;
    }
    return false;
}

bool txtap_filter_passes(const struct txtap_filter *filter, const struct txtap_registry *registry,
                         const struct txtap_event *event, const struct txtap_event_info *info)
{
    bool matched[TXTAP_FILTER_KINDS] = {false};

    if (event->ticks < filter->from_ticks || event->ticks > filter->to_ticks)
        return false;
    if (filter->contexts != 0 && (filter->contexts >> event->context & 1) == 0)
        return false;
    for (size_t i = 0; i < filter->count; i++) {
        const struct txtap_filter_rule *rule = &filter->rules[i];

        if (!matched[rule->kind])
            matched[rule->kind] = rule_matches(rule, registry, event, info);
    }
    for (size_t kind = 0; kind < TXTAP_FILTER_KINDS; kind++) {
        if (filter->has_kind[kind] && !matched[kind])
            return false;
    }
    return true;
}
