/* SPDX-License-Identifier: MIT */
/*
 * Chooses events. An event passes if, for each kind that has rules, at least one rule of this kind matches. Events that
 * do not pass are not lost, so they make no gap. If it is uncertain which object an event refers to, a rule matches if
 * it matches any name that an object at this address ever had.
 */
#ifndef TXTAP_FILTER_H
#define TXTAP_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/event.h"
#include "txtap/registry.h"

TXTAP_API_BEGIN

#define TXTAP_FILTER_RULES_MAX 64

/*
 * A rule is a pattern, or a number in decimal or 0x hexadecimal. A number also matches a name with the same characters.
 * In a pattern, * matches any text, ? matches any one byte, and [a-z] and [!a-z] match one byte of a set. A ] that
 * comes first belongs to the set. \ makes the next byte ordinary. Case does not matter for ASCII letters.
 */
enum txtap_filter_kind {
    TXTAP_FILTER_THREAD,    /* name or address of the thread that ran or was interrupted */
    TXTAP_FILTER_EVENT,     /* name, symbol or id */
    TXTAP_FILTER_OBJECT,    /* name or address in a field that points to an object; an address also matches any other
                               pointer */
    TXTAP_FILTER_INTERRUPT, /* name or number of the interrupt that the event enters or leaves */
    TXTAP_FILTER_KINDS
};

struct txtap_filter_rule {
    enum txtap_filter_kind kind;
    const char *pattern; /* borrowed */
    bool has_number;
    uint32_t number;
};

struct txtap_filter {
    struct txtap_filter_rule rules[TXTAP_FILTER_RULES_MAX];
    size_t count;
    bool has_kind[TXTAP_FILTER_KINDS];
    unsigned contexts;             /* bit n: enum txtap_context n passes; 0: all pass */
    uint64_t from_ticks, to_ticks; /* range that passes, both inclusive; the caller may set it after init */
};

/* Starts without rules: all events pass. */
void txtap_filter_init(struct txtap_filter *filter);

/* Adds a rule. pattern is borrowed. TXTAP_ERROR_SPACE: there are TXTAP_FILTER_RULES_MAX rules already. */
enum txtap_status txtap_filter_add(struct txtap_filter *filter, enum txtap_filter_kind kind, const char *pattern);

/*
 * Adds "thread", "isr" (any interrupt), "idle" (an interrupt that found no thread running) or "init". False for any
 * other name.
 */
bool txtap_filter_add_context(struct txtap_filter *filter, const char *name);

/* Returns true if the event passes. info: its row, or NULL. interrupt: name of the interrupt that the event enters or
 * leaves; NULL: not known, or another event. */
bool txtap_filter_passes(const struct txtap_filter *filter, const struct txtap_registry *registry,
                         const struct txtap_event *event, const struct txtap_event_info *info, const char *interrupt);

/* Returns true if an event does not pass now, but may pass once the names of its interrupt and of all objects in it are
 * known. Parameters: as in txtap_filter_passes(). */
bool txtap_filter_undecided(const struct txtap_filter *filter, const struct txtap_registry *registry,
                            const struct txtap_event *event, const struct txtap_event_info *info,
                            const char *interrupt);

TXTAP_API_END

#endif
