/* SPDX-License-Identifier: MIT */
/* Chooses events by names, ids, addresses, contexts and time. */
#include "txtap/filter.h"

#include <string.h>

#include "base/text.h"
#include "buffer/registry_parts.h"
#include "txtap/inner/interrupts.h"
#include "txtap/inner/pattern.h"

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

/* An event to match. */
struct candidate {
    const struct txtap_registry *registry;
    const struct txtap_event *event;
    const struct txtap_event_info *info; /* its row, or NULL */
    const char *interrupt;               /* name of its interrupt, or NULL */
};

/* The result of matching an event with a rule. */
enum match { MATCH_NO, MATCH_UNDECIDED, MATCH_YES };

static enum match better(enum match a, enum match b)
{
    return a > b ? a : b;
}

static bool has_name(const struct txtap_filter_rule *rule, const struct txtap_object *object)
{
    return object->name[0] != '\0' && txtap_pattern_matches(rule->pattern, object->name);
}

/*
 * Matches a rule if it is uncertain which object at the address the event refers to. One object with a matching name is
 * then enough.
 */
static enum match matches_any_at(const struct txtap_filter_rule *rule, const struct txtap_registry *registry,
                                 uint32_t pointer, uint8_t type)
{
    const struct txtap_object *at = txtap_registry_find(registry, pointer), *end = registry->objects + registry->count;

    for (; at != NULL && at < end && at->pointer == pointer; at++)
        if ((type == TXTAP_OBJECT_NONE || at->type == type) && has_name(rule, at))
            return MATCH_YES;
    return rule->has_number ? MATCH_NO : MATCH_UNDECIDED;
}

/* Matches a rule with the object at an address. An object without a name can match only by its address. */
static enum match matches_object(const struct txtap_filter_rule *rule, const struct txtap_registry *registry,
                                 uint32_t pointer, uint8_t type, uint64_t seq)
{
    const struct txtap_object *object;

    if (rule->has_number && rule->number == pointer)
        return MATCH_YES;
    object = txtap_registry_find_at(registry, pointer, type, seq);
    if (object == NULL)
        return matches_any_at(rule, registry, pointer, type);
    return has_name(rule, object) ? MATCH_YES : MATCH_NO;
}

static enum match matches_thread(const struct txtap_filter_rule *rule, const struct txtap_registry *registry,
                                 const struct txtap_event *event)
{
    if (event->context != TXTAP_CONTEXT_THREAD && event->context != TXTAP_CONTEXT_ISR)
        return MATCH_NO;
    return matches_object(rule, registry, event->thread, TXTAP_OBJECT_THREAD, event->seq);
}

static bool matches_event(const struct txtap_filter_rule *rule, const struct txtap_event *event,
                          const struct txtap_event_info *info)
{
    if (rule->has_number && rule->number == event->id)
        return true;
    return info != NULL && (txtap_pattern_matches(rule->pattern, info->name) ||
                            (info->symbol[0] != '\0' && txtap_pattern_matches(rule->pattern, info->symbol)));
}

static enum match matches_fields(const struct txtap_filter_rule *rule, const struct txtap_registry *registry,
                                 const struct txtap_event *event, const struct txtap_event_info *info)
{
    enum match match = MATCH_NO;

    for (size_t i = 0; i < 4 && info != NULL; i++) {
        uint32_t word = event->info[i];

        if (word == 0)
            continue;
        if ((info->field[i].kind == TXTAP_FIELD_ADDRESS || info->field[i].kind == TXTAP_FIELD_FUNCTION) &&
            rule->has_number && rule->number == word)
            return MATCH_YES;
        if (info->field[i].kind == TXTAP_FIELD_OBJECT)
            match = better(match, matches_object(rule, registry, word, lifetime_field_type(info, i), event->seq));
    }
    return match;
}

/* A definition may give the event's words another meaning. Then the event has no number of an interrupt. */
static enum match matches_interrupt(const struct txtap_filter_rule *rule, const struct candidate *candidate)
{
    uint32_t number;

    if (candidate->info == NULL || candidate->info->definition != NULL ||
        !txtap_interrupts_number(candidate->event, &number))
        return MATCH_NO;
    if (rule->has_number && rule->number == number)
        return MATCH_YES;
    if (candidate->interrupt != NULL)
        return txtap_pattern_matches(rule->pattern, candidate->interrupt) ? MATCH_YES : MATCH_NO;
    return rule->has_number ? MATCH_NO : MATCH_UNDECIDED;
}

static enum match rule_matches(const struct txtap_filter_rule *rule, const struct candidate *candidate)
{
    switch (rule->kind) {
    case TXTAP_FILTER_THREAD:
        return matches_thread(rule, candidate->registry, candidate->event);
    case TXTAP_FILTER_EVENT:
        return matches_event(rule, candidate->event, candidate->info) ? MATCH_YES : MATCH_NO;
    case TXTAP_FILTER_OBJECT:
        return matches_fields(rule, candidate->registry, candidate->event, candidate->info);
    case TXTAP_FILTER_INTERRUPT:
        return matches_interrupt(rule, candidate);
    case TXTAP_FILTER_KINDS:
        break;
    }
    return MATCH_NO;
}

/*
 * Matches an event with all rules. For each kind that has rules, one matching rule is enough, but all such kinds must
 * match.
 */
static enum match filter_matches(const struct txtap_filter *filter, const struct candidate *candidate)
{
    const struct txtap_event *event = candidate->event;
    enum match matches[TXTAP_FILTER_KINDS] = {MATCH_NO}, worst = MATCH_YES;

    if (event->ticks < filter->from_ticks || event->ticks > filter->to_ticks)
        return MATCH_NO;
    if (filter->contexts != 0 && (filter->contexts >> event->context & 1) == 0)
        return MATCH_NO;
    if (filter->count == 0)
        return MATCH_YES;
    for (size_t i = 0; i < filter->count; i++) {
        const struct txtap_filter_rule *rule = &filter->rules[i];

        if (matches[rule->kind] != MATCH_YES)
            matches[rule->kind] = better(matches[rule->kind], rule_matches(rule, candidate));
    }
    for (size_t kind = 0; kind < TXTAP_FILTER_KINDS; kind++)
        if (filter->has_kind[kind] && matches[kind] < worst)
            worst = matches[kind];
    return worst;
}

bool txtap_filter_passes(const struct txtap_filter *filter, const struct txtap_registry *registry,
                         const struct txtap_event *event, const struct txtap_event_info *info, const char *interrupt)
{
    return filter_matches(filter, &(struct candidate){registry, event, info, interrupt}) == MATCH_YES;
}

bool txtap_filter_undecided(const struct txtap_filter *filter, const struct txtap_registry *registry,
                            const struct txtap_event *event, const struct txtap_event_info *info, const char *interrupt)
{
    return filter_matches(filter, &(struct candidate){registry, event, info, interrupt}) == MATCH_UNDECIDED;
}
