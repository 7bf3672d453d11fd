/* SPDX-License-Identifier: MIT */
/*
 * Chooses events. For each kind that has rules, at least one rule must match the event. Events that do not pass are not
 * lost: they make no gap. If it is uncertain to which object an event refers, every name that an object at this address
 * ever had can match.
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
 * A rule is a number, decimal or 0x hexadecimal, or a pattern. A number also matches a name that consists of the same
 * characters. In a pattern * stands for any text, ? for any one byte, [a-z] and [!a-z] for one byte of a set (a ] that
 * comes first belongs to the set), and \ makes the next byte ordinary. Case does not matter for ASCII letters.
 */
enum txtap_filter_kind {
    TXTAP_FILTER_THREAD, /* name or address of the thread that ran or was interrupted */
    TXTAP_FILTER_EVENT,  /* name, symbol or id */
    TXTAP_FILTER_OBJECT, /* name or address in a field that points to an object; an address also in any other pointer */
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
    uint64_t from_ticks, to_ticks; /* both inclusive; the caller may set them after init */
};

/* Passes everything. */
void txtap_filter_init(struct txtap_filter *filter);

/* Adds a rule. pattern is borrowed. TXTAP_ERROR_SPACE: there are TXTAP_FILTER_RULES_MAX rules already. */
enum txtap_status txtap_filter_add(struct txtap_filter *filter, enum txtap_filter_kind kind, const char *pattern);

/*
 * Adds "thread", "isr" (any interrupt), "idle" (an interrupt that found no thread running) or "init". False for any
 * other name.
 */
bool txtap_filter_add_context(struct txtap_filter *filter, const char *name);

/* Returns true if the event passes. info: its row, or NULL. */
bool txtap_filter_passes(const struct txtap_filter *filter, const struct txtap_registry *registry,
                         const struct txtap_event *event, const struct txtap_event_info *info);

/* Returns true if an event that does not pass might pass once the names of its unknown objects are known. */
bool txtap_filter_undecided(const struct txtap_filter *filter, const struct txtap_registry *registry,
                            const struct txtap_event *event, const struct txtap_event_info *info);

TXTAP_API_END

#endif
