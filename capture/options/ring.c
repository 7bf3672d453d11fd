/* SPDX-License-Identifier: MIT */
/* The options for rings that are not ThreadX's. */
#include "options/ring.h"

#include "options/values.h"

enum key {
    KEY_EVENT_LOGGER = 800,
    KEY_ZEPHYR_RAM,
    KEY_CTF_METADATA,
    KEY_POSITION,
};

const struct argp_option ring_option_rows[] = {
    {"kernel-event-logger", KEY_EVENT_LOGGER, NULL, 0,
     "the ring of Zephyr's kernel event logger, found by the symbol sys_k_event_logger", 0},
    {"zephyr-ram", KEY_ZEPHYR_RAM, NULL, 0,
     "Zephyr's CTF in RAM, found by the symbol ram_tracing; -o DIR is for babeltrace2", 0},
    {"ctf-metadata", KEY_CTF_METADATA, "FILE", 0,
     "with --zephyr-ram: subsys/tracing/ctf/tsdl/metadata of the Zephyr that the firmware was built with", 0},
    {"position", KEY_POSITION, "ADDR", 0,
     "with --zephyr-ram: address of 'pos' in tracing_backend_ram.c, if the symbols do not tell", 0},
    {0},
};

static void choose(struct ring_options *options, enum reader_kind kind, struct argp_state *state)
{
    if (options->kind != READER_TXTB && options->kind != kind)
        argp_error(state, "--kernel-event-logger and --zephyr-ram exclude each other: one ring at a time");
    options->kind = kind;
}

error_t ring_option(struct ring_options *options, int key, char *text, struct argp_state *state)
{
    switch (key) {
    case KEY_EVENT_LOGGER:
        choose(options, READER_LOGGER, state);
        return 0;
    case KEY_ZEPHYR_RAM:
        choose(options, READER_ZEPHYR_RAM, state);
        return 0;
    case KEY_CTF_METADATA:
        options->ctf_metadata = text;
        return 0;
    case KEY_POSITION:
        options->position = option_address(state, "--position", text, 4);
        options->has_position = true;
        return 0;
    case ARGP_KEY_END:
        if ((options->ctf_metadata || options->has_position) && options->kind != READER_ZEPHYR_RAM)
            argp_error(state, "--%s needs --zephyr-ram", options->ctf_metadata ? "ctf-metadata" : "position");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
