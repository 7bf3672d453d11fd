/* SPDX-License-Identifier: MIT */
/* Parses the options of the filter, and the options that define events. */
#include "options/options.h"

#include <string.h>

#include "base/option_values.h"

enum key {
    KEY_THREAD = KEY_LIMIT + 1,
    KEY_EVENT,
    KEY_OBJECT,
    KEY_ISR,
    KEY_CONTEXT,
    KEY_FROM,
    KEY_TO,
    KEY_FIELDS,
    KEY_PROFILE,
    KEY_DEFINITIONS,
};

const struct argp_option filter_option_rows[] = {
    {"thread", KEY_THREAD, "THREAD", 0,
     "only events of this thread, or of interrupts that interrupted it: a name, a pattern or an address", 0},
    {"event", KEY_EVENT, "EVENT", 0, "only this event: a name such as 'tx_queue_*', a symbol or an id", 0},
    {"object", KEY_OBJECT, "OBJECT", 0, "only events about this object: a name, a pattern or an address", 0},
    {"isr", KEY_ISR, "INTERRUPT", 0, "only enter and exit of this interrupt: a name, a pattern or a number", 0},
    {"context", KEY_CONTEXT, "CONTEXT", 0,
     "only events in this context: thread, isr, idle (interrupts that interrupted no thread) or init", 0},
    {"from", KEY_FROM, "TIME", 0, "only events from this time on: 2s, 500ms with --hz, otherwise in ticks", 0},
    {"to", KEY_TO, "TIME", 0, "only events up to this time", 0},
    {"limit", KEY_LIMIT, "N", 0, "end after N events were shown", 0},
    {"fields", KEY_FIELDS, "NAME,...", 0,
     "show these columns: seq, time, core, context, thread, priority, threshold, id, event, info, fields", 0},
    {0},
};

const struct argp_option meaning_option_rows[] = {
    {"definitions", KEY_DEFINITIONS, "FILE", 0,
     "meaning of user events: a file in txtap's format, or TraceX's .trxc; may be repeated", 0},
    {"profile", KEY_PROFILE, "NAME", 0,
     "netxduo (default) or netx; usbx (default), usbx-6.1.7 (6.0 to 6.1.7) or usbx-legacy (before); may be repeated",
     0},
    {0},
};

static void add_rule(struct argp_state *state, struct filter_options *options, enum txtap_filter_kind kind,
                     const char *name, const char *text)
{
    if (*text == '\0')
        option_error(state, "--%s: empty: give a name, a pattern or a number", name);
    else if (txtap_filter_add(&options->filter, kind, text) != TXTAP_OK)
        option_error(state, "--%s: more than %d choices in all", name, TXTAP_FILTER_RULES_MAX);
}

static void add_profile(struct argp_state *state, struct filter_options *options, const char *text)
{
    static const struct {
        const char *name;
        unsigned set, clear;
    } profiles[] = {
        {"netx", TXTAP_PROFILE_NETX, 0},
        {"netxduo", 0, TXTAP_PROFILE_NETX},
        {"usbx", 0, TXTAP_PROFILE_USBX_LEGACY | TXTAP_PROFILE_USBX_6_1_7},
        {"usbx-6.1.7", TXTAP_PROFILE_USBX_6_1_7, 0},
        {"usbx-legacy", TXTAP_PROFILE_USBX_LEGACY, 0},
    };

    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        if (strcmp(profiles[i].name, text) == 0) {
            options->profile = (options->profile | profiles[i].set) & ~profiles[i].clear;
            return;
        }
    }
    option_error(state, "--profile: unknown '%s': expected netx, netxduo, usbx, usbx-6.1.7 or usbx-legacy", text);
}

static void finish(struct argp_state *state, struct filter_options *options, struct option_rate rate)
{
    if (options->from)
        options->filter.from_ticks = option_ticks(state, "--from", options->from, rate);
    if (options->to)
        options->filter.to_ticks = option_ticks(state, "--to", options->to, rate);
    if (options->filter.from_ticks > options->filter.to_ticks)
        option_error(state, "--from %s is after --to %s", options->from, options->to);
}

static void start(struct filter_options *options)
{
    if (!options->started)
        txtap_filter_init(&options->filter);
    options->started = true;
}

error_t filter_option(struct filter_options *options, struct option_rate rate, int key, char *text,
                      struct argp_state *state)
{
    start(options);
    switch (key) {
    case KEY_THREAD:
        add_rule(state, options, TXTAP_FILTER_THREAD, "thread", text);
        return 0;
    case KEY_EVENT:
        add_rule(state, options, TXTAP_FILTER_EVENT, "event", text);
        return 0;
    case KEY_OBJECT:
        add_rule(state, options, TXTAP_FILTER_OBJECT, "object", text);
        return 0;
    case KEY_ISR:
        add_rule(state, options, TXTAP_FILTER_INTERRUPT, "isr", text);
        return 0;
    case KEY_CONTEXT:
        if (!txtap_filter_add_context(&options->filter, text))
            option_error(state, "--context: unknown '%s': expected thread, isr, idle or init", text);
        return 0;
    case KEY_FROM:
        options->from = text;
        return 0;
    case KEY_TO:
        options->to = text;
        return 0;
    case KEY_FIELDS:
        if (!txtap_columns_parse(text, &options->columns))
            option_error(state, "--fields: '%s' is not a list of %s", text, txtap_columns_names());
        return 0;
    case KEY_PROFILE:
        add_profile(state, options, text);
        return 0;
    case KEY_DEFINITIONS:
        if (options->definitions_count == DEFINITIONS_FILES_MAX)
            option_error(state, "--definitions: more than %d files", DEFINITIONS_FILES_MAX);
        else
            options->definitions[options->definitions_count++] = text;
        return 0;
    case ARGP_KEY_END:
        finish(state, options, rate);
        return ARGP_ERR_UNKNOWN;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
