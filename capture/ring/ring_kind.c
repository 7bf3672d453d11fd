/* SPDX-License-Identifier: MIT */
/* The table of the kinds of ring, and the options that choose one. */
#include "ring/ring_kind.h"

/* The kinds beside ThreadX's, which is read when no option asks for another. */
static const struct argp_child kinds[] = {
    {&ring_event_logger.options, 0, NULL, 0},
    {&ring_ctf_ram.options, 0, NULL, 0},
    {0},
};

/* Those of them that give events: a recording has nothing else. */
static const struct argp_child event_kinds[] = {
    {&ring_event_logger.options, 0, NULL, 0},
    {0},
};

enum { KEY_NOT_RECORDED = 820 };

/* Asking for another one gives a reason, not "unrecognized option". */
static const struct argp_option not_recorded[] = {
    {"zephyr-ram", KEY_NOT_RECORDED, NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

static void set(struct ring_options *options, const struct ring_kind *kind)
{
    options->kind = kind;
    options->definitions = kind->definitions;
}

void ring_choose(const struct ring_kind *kind, struct argp_state *state)
{
    struct options *options = state->input;
    const struct ring_kind *before = options->ring.kind;

    if (before->name != NULL && before != kind)
        argp_error(state, "--%s and --%s exclude each other: one ring at a time", before->name, kind->name);
    set(&options->ring, kind);
    if (options->tick_hz == 0) /* a --hz that follows goes before it */
        options->tick_hz = kind->tick_hz;
}

/* Checks what a ring that is found by symbols needs, and what it excludes. */
static void check(const struct options *options, struct argp_state *state)
{
    const struct target_options *target = &options->target;
    const struct ring_kind *kind = options->ring.kind;

    if (kind->by_symbols && (target->scan || target->has_address || target->symbol || target->ram_count > 0))
        argp_error(state, "--%s finds its ring by symbols: do not use --scan, --ram, --symbol or --address here",
                   kind->name);
    if (kind->by_symbols && !target->elf && !(options->command->reads_files && kind->bytes) &&
        (options->command->reads_files || options->file_count == 0))
        argp_error(state, "--%s needs the firmware's ELF file: its symbols say where the ring is", kind->name);
    if (kind->check != NULL)
        kind->check(options, state);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;
    void **inputs = state->child_inputs;

    (void)text;
    switch (key) {
    case ARGP_KEY_INIT:
        set(&options->ring, &ring_txtb);
        for (const struct argp_child *kind = options->command->records ? event_kinds : kinds; kind->argp; kind++)
            *inputs++ = options;
        return 0;
    case KEY_NOT_RECORDED:
        argp_error(state,
                   "--%s is not for 'txtap record': it fills once, and is not overwritten: 'txtap tail' writes all "
                   "of it, and what comes after a reset to another directory",
                   ring_ctf_ram.name);
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp ring_options = {NULL, parse, NULL, NULL, kinds, NULL, NULL};
const struct argp ring_recorded_options = {not_recorded, parse, NULL, NULL, event_kinds, NULL, NULL};
