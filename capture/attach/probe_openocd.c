/* SPDX-License-Identifier: MIT */
/* OpenOCD's Tcl port as a probe. */
#include "attach/probe_openocd.h"

#include <stdio.h>
#include <string.h>

#include "attach/probe.h"
#include "base/text_row.h"
#include "txtap/escape.h"

/* OpenOCD's words. A core that sleeps is running; unknown says nothing. */
enum follow_core probe_openocd_core(struct tcl_source *tcl)
{
    static const struct {
        const char *state;
        enum follow_core core;
    } words[] = {
        {"running", FOLLOW_CORE_RUNS},
        {"debug-running", FOLLOW_CORE_RUNS},
        {"halted", FOLLOW_CORE_HALTED},
        {"reset", FOLLOW_CORE_IN_RESET},
    };
    char state[TCL_TARGET_STATE_BYTES];

    if (tcl_target_state(tcl, state) != TXTAP_OK)
        return FOLLOW_CORE_UNKNOWN;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(state, words[i].state) == 0)
            return words[i].core;
    return FOLLOW_CORE_UNKNOWN;
}

void probe_openocd_print(struct tcl_source *tcl, const struct target_options *options)
{
    char state[TCL_TARGET_STATE_BYTES] = "unknown";
    char escaped[1024];
    unsigned khz = 0;

    if (tcl_target_state(tcl, state) == TXTAP_OK && tcl_adapter_khz(tcl, &khz) == TXTAP_OK)
        text_row("server", "OpenOCD at %s:%s, target %s (%s), adapter speed %u kHz",
                 txtap_escape_terminal(escaped, sizeof escaped, options->tcl_host), options->tcl_port,
                 tcl_target_name(tcl), state, khz);
}

/* ---- the row ---- */

static bool is_wanted(const struct target_options *options)
{
    (void)options;
    return true;
}

static enum txtap_status open_server(const struct target_options *options, unsigned timeout_ms, void **self,
                                     struct txtap_source *source, struct error *error)
{
    struct tcl_source *tcl;
    enum txtap_status status = tcl_open(&tcl, options->tcl_host, options->tcl_port, options->name, timeout_ms, error);

    if (status == TXTAP_OK) {
        *self = tcl;
        *source = tcl_source_of(tcl);
    }
    return status;
}

static void close_server(void *self)
{
    tcl_source_of(self).ops->close(self);
}

static void describe(void *self, const struct target_options *options, char out[static PROBE_TEXT_BYTES])
{
    snprintf(out, PROBE_TEXT_BYTES, "%s, OpenOCD at %s:%s", tcl_target_name(self), options->tcl_host,
             options->tcl_port);
}

static void print(void *self, const struct target_options *options)
{
    probe_openocd_print(self, options);
}

static void announce(void *self, const struct target_options *options)
{
    if (!options->name && *tcl_targets(self))
        fprintf(stderr, "txtap: OpenOCD has several targets (%s): %s is read; --target NAME picks another\n",
                tcl_targets(self), tcl_target_name(self));
}

static enum follow_core core(void *self)
{
    return probe_openocd_core(self);
}

const struct probe_kind probe_openocd = {
    .live = true,
    .is_wanted = is_wanted,
    .open = open_server,
    .close = close_server,
    .describe = describe,
    .print = print,
    .announce = announce,
    .core = core,
};
