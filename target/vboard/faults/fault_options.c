/* SPDX-License-Identifier: MIT */
/* The options that ask for faults. */
#include "fault_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EVERY_S_MIN 0.01
#define EVERY_S_MAX 1e6

static void add_planned(struct argp_state *state, struct fault_options *faults, char *text)
{
    char why[FAULT_TEXT_BYTES];
    struct fault fault;
    if (faults->planned_count == FAULTS_PLANNED_MAX)
        argp_error(state, "more than %d --fault options", FAULTS_PLANNED_MAX);
    if (!fault_parse(text, &fault, why))
        argp_error(state, "--fault: %s", why);
    if (fault.time_us < 0)
        argp_error(state, "--fault %s: when? give KIND@TIME, in seconds", fault_name(fault.kind));
    faults->planned[faults->planned_count++] = fault;
}

/* Parses names separated by commas; reflash must have its firmware, reflash=PATH. */
static void choose_kinds(struct argp_state *state, struct fault_options *faults, char *text)
{
    memset(faults->chosen, 0, sizeof faults->chosen);
    faults->kinds_given = true;
    for (char *rest = text, *name; (name = strsep(&rest, ","));) {
        size_t length = strcspn(name, "=");
        enum fault_kind kind;
        if (!fault_find(name, length, &kind))
            argp_error(state, "--faults-kinds '%s': no such kind; 'txtap-vboard --help' lists them", name);
        if ((kind == FAULT_REFLASH) != (name[length] == '=' && name[length + 1]))
            argp_error(state, "--faults-kinds '%s': want reflash=PATH, and no other kind with '='", name);
        if (kind == FAULT_REFLASH)
            faults->reflash_path = name + length + 1;
        faults->chosen[kind] = true;
    }
}

static uint64_t number_or_die(struct argp_state *state, const char *option, const char *text, uint64_t max)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (end == text || *text == '-' || *end || errno || value > max)
        argp_error(state, "%s '%s': not a number from 0 to %llu", option, text, (unsigned long long)max);
    return value;
}

static void set_every(struct argp_state *state, struct fault_options *faults, const char *text)
{
    char *end;
    double every_s = strtod(text, &end);
    if (end == text || *end || !(every_s >= EVERY_S_MIN && every_s <= EVERY_S_MAX))
        argp_error(state, "--faults-every '%s': want seconds, 0.01 or more", text);
    faults->every_us = (int64_t)(every_s * 1e6);
}

error_t fault_options_parse(int key, char *text, struct argp_state *state, struct options *options)
{
    struct fault_options *faults = &options->faults;
    switch (key) {
    case KEY_FAULT:
        add_planned(state, faults, text);
        return 0;
    case KEY_FAULTS_SEED:
        faults->seed = number_or_die(state, "--faults-seed", text, UINT64_MAX);
        faults->seeded = true;
        return 0;
    case KEY_FAULTS_EVERY:
        set_every(state, faults, text);
        return 0;
    case KEY_FAULTS_KINDS:
        choose_kinds(state, faults, text);
        return 0;
    case KEY_CONTROL_PORT:
        options->control_port = (uint16_t)number_or_die(state, "--control-port", text, UINT16_MAX);
        options->control = true;
        return 0;
    case KEY_CONTROL_PORT_FILE:
        options->control_port_file = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void fault_options_finish(struct argp_state *state, struct options *options)
{
    struct fault_options *faults = &options->faults;
    if (faults->seeded != (faults->every_us > 0))
        argp_error(state, "--faults-seed and --faults-every go together");
    if (faults->kinds_given && !faults->seeded)
        argp_error(state, "--faults-kinds is for faults by seed: give --faults-seed and --faults-every");
    if (options->control_port_file && !options->control)
        argp_error(state, "--control-port-file: give --control-port as well, 0 for a free one");
    for (int i = 0; !faults->kinds_given && i < FAULT_KINDS; i++)
        faults->chosen[i] = i != FAULT_REFLASH && i != FAULT_BUSY; /* a reflash needs the path of a firmware */
}
