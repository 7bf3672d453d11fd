/* SPDX-License-Identifier: MIT */
/* OpenOCD's Tcl port as a probe. */
#include "probe/openocd/probe_openocd.h"

#include <stdio.h>
#include <string.h>

#include "base/option_values.h"
#include "base/text_maker.h"
#include "probe/servers.h"
#include "txtap/inner/escape.h"

/* Parses OpenOCD's words for the states of a core. A sleeping core counts as running. */
enum core_state probe_openocd_core(void *tcl)
{
    static const struct {
        const char *state;
        enum core_state core;
    } words[] = {
        {"running", CORE_RUNS},
        {"debug-running", CORE_RUNS},
        {"halted", CORE_HALTED},
        {"reset", CORE_IN_RESET},
    };
    char state[TCL_TARGET_STATE_BYTES];

    if (tcl_target_state(tcl, state) != TXTAP_OK)
        return CORE_UNKNOWN;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(state, words[i].state) == 0)
            return words[i].core;
    return CORE_UNKNOWN;
}

void probe_openocd_print_as(void *tcl, const char *server)
{
    char state[TCL_TARGET_STATE_BYTES] = "unknown";
    unsigned khz = 0;

    if (tcl_target_state(tcl, state) == TXTAP_OK && tcl_adapter_khz(tcl, &khz) == TXTAP_OK)
        text_row("server", "%s, target %s (%s), adapter speed %u kHz", server, tcl_target(tcl)->name, state, khz);
}

void probe_openocd_print(void *tcl, const struct probe_options *options)
{
    char host[512], server[600];

    snprintf(server, sizeof server, "OpenOCD at %s:%s", txtap_escape_terminal(host, sizeof host, options->openocd.host),
             options->openocd.port);
    probe_openocd_print_as(tcl, server);
}

void probe_openocd_announce(void *tcl, const struct probe_options *options)
{
    if (!options->openocd.target && *tcl_target(tcl)->all)
        fprintf(stderr, "txtap: OpenOCD has several targets (%s): %s is read; --target NAME picks another\n",
                tcl_target(tcl)->all, tcl_target(tcl)->name);
}

/* ---- its options ---- */

enum {
    KEY_TCL = 900,
    KEY_TARGET,
};

static const struct argp_option rows[] = {
    {"tcl", KEY_TCL, "[HOST:]PORT", 0, "OpenOCD's Tcl port (default 127.0.0.1:6666)", 0},
    {"target", KEY_TARGET, "NAME", 0, "OpenOCD's name of the target to read, if it has several", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct probe_options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        options->openocd.port = TCL_PORT_DEFAULT;
        return 0;
    case KEY_TCL:
        option_host_port(state, "--tcl", text, &options->openocd.host, &options->openocd.port);
        options->openocd.given = true;
        return 0;
    case KEY_TARGET:
        if (!tcl_reply_is_name(text))
            option_error(state, "--target: '%s' cannot be the name of an OpenOCD target", text);
        options->openocd.target = text;
        return 0;
    case ARGP_KEY_END:
        if (options->openocd.target && options->kind != &probe_openocd && options->kind != &probe_openocd_child &&
            options->kind != &probe_usb && options->kind != &probe_stlink_server)
            option_error(state, "--target goes with --tcl, --openocd or --probe: --%s has no targets to choose from",
                         options->kind->name);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check(struct probe_options *options, const struct argp_state *state)
{
    (void)state;
    if (!options->openocd.host)
        options->openocd.host = "127.0.0.1";
}

/* ---- the row ---- */

static enum txtap_status open_server(const struct probe_options *options, unsigned timeout_ms,
                                     struct probe_device *device, void **self, struct txtap_source *source,
                                     struct error *error)
{
    struct tcl_source *tcl;
    enum txtap_status status = server_check_tcl(options->openocd.host, options->openocd.port, error);

    (void)device;
    if (status == TXTAP_OK)
        status =
            tcl_open(&tcl, options->openocd.host, options->openocd.port, options->openocd.target, timeout_ms, error);
    if (status == TXTAP_OK) {
        *self = tcl;
        *source = tcl_source_of(tcl);
    }
    return status;
}

static void describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES])
{
    snprintf(out, PROBE_TEXT_BYTES, "%s, OpenOCD at %s:%s", tcl_target(self)->name, options->openocd.host,
             options->openocd.port);
}

const struct probe_kind probe_openocd = {
    .options = {rows, parse, NULL, NULL, NULL, NULL, NULL},
    .live = true,
    .check = check,
    .open = open_server,
    .describe = describe,
    .print = probe_openocd_print,
    .announce = probe_openocd_announce,
    .core = probe_openocd_core,
    .way = {"openocd", "an OpenOCD that is already running, at 127.0.0.1:6666 or --tcl",
            "no usable probe on USB was found", NULL},
};
