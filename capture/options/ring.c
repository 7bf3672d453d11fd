/* SPDX-License-Identifier: MIT */
/* The options for rings that are not ThreadX's. */
#include "options/ring.h"

#include <errno.h>
#include <stdlib.h>

enum key {
    KEY_EVENT_LOGGER = 800,
    KEY_ZEPHYR_RAM,
    KEY_CTF_METADATA,
    KEY_POSITION,
};

const struct argp_option ring_option_rows[] = {
    {"kernel-event-logger", KEY_EVENT_LOGGER, NULL, 0,
     "the ring of Zephyr's kernel event logger, found by the symbol sys_k_event_logger", 3},
    {"zephyr-ram", KEY_ZEPHYR_RAM, NULL, 0,
     "Zephyr's CTF in RAM, found by the symbol ram_tracing: -o DIR becomes what babeltrace2 reads", 3},
    {"ctf-metadata", KEY_CTF_METADATA, "FILE", 0,
     "with --zephyr-ram: subsys/tracing/ctf/tsdl/metadata of the Zephyr that the firmware was built with", 3},
    {"position", KEY_POSITION, "ADDR", 0,
     "with --zephyr-ram: address of 'pos' in tracing_backend_ram.c, if the symbols do not tell", 3},
    {0},
};

static void choose(struct ring_options *options, enum reader_kind kind, struct argp_state *state)
{
    if (options->kind != READER_TXTB && options->kind != kind)
        argp_error(state, "--kernel-event-logger and --zephyr-ram exclude each other: one ring at a time");
    options->kind = kind;
}

static uint32_t position_option(const struct argp_state *state, const char *text)
{
    unsigned long long value;
    char *end;

    errno = 0;
    value = strtoull(text, &end, 0);
    if (errno || *text < '0' || *text > '9' || *end || value > UINT32_MAX || value % 4 != 0)
        argp_error(state, "--position: '%s' is not an address: give a multiple of 4 such as 0x20000400", text);
    return (uint32_t)value;
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
        options->position = position_option(state, text);
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
