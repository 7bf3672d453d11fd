/* SPDX-License-Identifier: MIT */
/* The table of the kinds of ring, and the options that choose a kind. */
#include "ring/ring_kind.h"

#include "base/option_values.h"

/* All kinds except ThreadX's, which is the default. */
static const struct argp_child kinds[] = {
    {&ring_event_logger.options, 0, NULL, 0},
    {&ring_ctf_ram.options, 0, NULL, 0},
    {0},
};

/* The kinds of ring that contain events. A recording can contain only events. */
static const struct argp_child event_kinds[] = {
    {&ring_event_logger.options, 0, NULL, 0},
    {0},
};

enum { KEY_NOT_RECORDED = 820 };

/* Options that a recording command refuses with a reason, instead of "unrecognized option". */
static const struct argp_option not_recorded[] = {
    {"zephyr-ram", KEY_NOT_RECORDED, NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

void ring_choose(const struct ring_kind *kind, struct argp_state *state)
{
    struct ring_config *config = state->input;

    if (config->kind->name != NULL && config->kind != kind)
        option_error(state, "--%s and --%s exclude each other: one ring at a time", config->kind->name, kind->name);
    config->kind = kind;
}

void ring_check(const struct ring_config *config, const struct ring_use *use, const struct argp_state *state)
{
    const struct locate_wish *wished = &config->wished;
    const struct ring_kind *kind = config->kind;

    if (kind->by_symbols && (wished->scan || wished->has_address || wished->symbol || wished->ram_count > 0))
        option_error(state, "--%s finds its ring by symbols: do not use --scan, --ram, --symbol or --address here",
                     kind->name);
    if (kind->by_symbols && use->elf == NULL && !(use->reads_files && kind->bytes) &&
        (use->reads_files || !use->has_files))
        option_error(state, "--%s needs the firmware's ELF file: its symbols say where the ring is", kind->name);
    if (kind->check != NULL)
        kind->check(config, use, state);
}

/* Passes the config to each kind's parser at the start. */
static error_t parse_among(const struct argp_child *children, int key, struct argp_state *state)
{
    struct ring_config *config = state->input;

    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    config->kind = &ring_txtb;
    for (size_t i = 0; children[i].argp != NULL; i++)
        state->child_inputs[i] = config;
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    (void)text;
    return parse_among(kinds, key, state);
}

static error_t parse_recorded(int key, char *text, struct argp_state *state)
{
    (void)text;
    if (key == KEY_NOT_RECORDED)
        option_error(
            state,
            "--%s does not work with 'txtap record', because this buffer fills only once: use 'txtap tail -o DIR'",
            ring_ctf_ram.name);
    return parse_among(event_kinds, key, state);
}

const struct argp ring_argp = {NULL, parse, NULL, NULL, kinds, NULL, NULL};
const struct argp ring_recorded_argp = {not_recorded, parse_recorded, NULL, NULL, event_kinds, NULL, NULL};
