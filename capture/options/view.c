/* SPDX-License-Identifier: MIT */
/* The options of txtap view. */
#include "options/view.h"

#include "base/option_values.h"

enum { KEY_PORT = 950, KEY_LISTEN, KEY_NO_OPEN, KEY_RECORD };

#define ADDRESS_DEFAULT "127.0.0.1"

const struct argp_option view_option_rows[] = {
    {"port", KEY_PORT, "PORT", 0, "serve the page on this port (default: one that is free)", 0},
    {"listen", KEY_LISTEN, "ADDR", 0,
     "serve it on this address (default 127.0.0.1: only for this machine); 0.0.0.0 is the whole network", 0},
    {"no-open", KEY_NO_OPEN, NULL, 0, "only print the address, and open no browser", 0},
    {"record", KEY_RECORD, "PATH", 0, "also record the target's events to PATH, as 'txtap record' does", 0},
    {0},
};

error_t view_option(struct view_options *options, int key, char *text, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_INIT:
        *options = (struct view_options){.address = ADDRESS_DEFAULT};
        return 0;
    case KEY_PORT:
        options->port = (uint16_t)option_number(state, "--port", text, 0, UINT16_MAX);
        return 0;
    case KEY_LISTEN:
        options->address = text;
        return 0;
    case KEY_NO_OPEN:
        options->no_open = true;
        return 0;
    case KEY_RECORD:
        options->record = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
