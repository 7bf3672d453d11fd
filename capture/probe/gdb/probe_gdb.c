/* SPDX-License-Identifier: MIT */
/* A GDB port as a probe. OpenOCD halts its target when a debugger connects, unless its configuration prevents that. So
 * txtap first asks OpenOCD over its Tcl port, and does not connect if it cannot ask. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "base/text_maker.h"
#include "probe/gdb/gdb.h"
#include "probe/openocd/probe_openocd.h"
#include "txtap/inner/escape.h"

struct gdb_probe {
    struct gdb_source *gdb;
    struct tcl_source *tcl; /* the OpenOCD that txtap asks; NULL with --intrusive and --trust-gdb */
};

static double ms(uint64_t us)
{
    return (double)us / 1e3;
}

/* ---- its options ---- */

enum {
    KEY_GDB = 910,
    KEY_INTRUSIVE,
    KEY_TRUST_GDB,
};

static const struct argp_option rows[] = {
    {"gdb", KEY_GDB, "[HOST:]PORT", 0,
     "read through a GDB server instead; with OpenOCD, txtap first checks over Tcl that connecting does not halt the "
     "target",
     0},
    {"intrusive", KEY_INTRUSIVE, NULL, 0, "with --gdb and QEMU's server: each poll may stop the machine for a moment",
     0},
    {"trust-gdb", KEY_TRUST_GDB, NULL, 0, "with --gdb: assert that this server does not halt its target", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct probe_options *options = state->input;

    switch (key) {
    case KEY_GDB:
        probe_choose(&probe_gdb, state);
        option_host_port(state, "--gdb", text, &options->gdb.host, &options->gdb.port);
        return 0;
    case KEY_INTRUSIVE:
        options->gdb.intrusive = true;
        return 0;
    case KEY_TRUST_GDB:
        options->gdb.trusted = true;
        return 0;
    case ARGP_KEY_END:
        if ((options->gdb.intrusive || options->gdb.trusted) && options->kind != &probe_gdb)
            option_error(state, "--%s needs --gdb", options->gdb.intrusive ? "intrusive" : "trust-gdb");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Checks the options. If txtap asks OpenOCD, both ports are on OpenOCD's host. */
static void check(struct probe_options *options, const struct argp_state *state)
{
    bool asks = !options->gdb.intrusive && !options->gdb.trusted;

    if (options->gdb.intrusive && options->gdb.trusted)
        option_error(state, "--intrusive and --trust-gdb exclude each other: does the server stop its target or not?");
    if (options->openocd.given && !asks)
        option_error(state, "--%s does not use OpenOCD: leave out --tcl",
                     options->gdb.intrusive ? "intrusive" : "trust-gdb");
    if (!options->gdb.host)
        options->gdb.host = options->openocd.host ? options->openocd.host : "127.0.0.1";
    if (!options->openocd.host)
        options->openocd.host = options->gdb.host;
    if (asks && strcmp(options->gdb.host, options->openocd.host) != 0)
        option_error(state, "--gdb and --tcl name two hosts, '%s' and '%s': both ports must be one OpenOCD's",
                     options->gdb.host, options->openocd.host);
}

/* ---- the row ---- */

static void close_probe(void *self)
{
    struct gdb_probe *probe = self;

    if (probe->gdb != NULL)
        gdb_source_of(probe->gdb).ops->close(probe->gdb);
    if (probe->tcl != NULL)
        tcl_source_of(probe->tcl).ops->close(probe->tcl);
    free(probe);
}

/* Asks OpenOCD, then connects to its GDB port on the same numeric address. */
static enum txtap_status open_asked(struct gdb_probe *probe, const struct probe_options *options, unsigned timeout_ms,
                                    struct error *error)
{
    char host[STREAM_HOST_BYTES];
    struct error cause;
    enum txtap_status status =
        tcl_open(&probe->tcl, options->openocd.host, options->openocd.port, NULL, timeout_ms, &cause);

    if (status != TXTAP_OK)
        return failure(
            error, status,
            "%.140s\nit is asked whether GDB port %.5s halts the target (for QEMU's: --intrusive; if you know: "
            "--trust-gdb)",
            cause.what, options->gdb.port);
    status = tcl_check_gdb(probe->tcl, options->gdb.port, host, error);
    if (status == TXTAP_OK)
        status = gdb_open(&probe->gdb, host, options->gdb.port, GDB_RUNS, timeout_ms, error);
    return status;
}

static enum txtap_status open_probe(const struct probe_options *options, unsigned timeout_ms,
                                    struct probe_device *device, void **self, struct txtap_source *source,
                                    struct error *error)
{
    struct gdb_probe *probe = calloc(1, sizeof *probe);
    enum txtap_status status;

    (void)device;
    if (probe == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    if (options->gdb.intrusive || options->gdb.trusted)
        status = gdb_open(&probe->gdb, options->gdb.host, options->gdb.port,
                          options->gdb.intrusive ? GDB_STOPS : GDB_TRUSTED, timeout_ms, error);
    else
        status = open_asked(probe, options, timeout_ms, error);
    if (status != TXTAP_OK) {
        close_probe(probe);
        return status;
    }
    *self = probe;
    *source = gdb_source_of(probe->gdb);
    return TXTAP_OK;
}

static void describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES])
{
    (void)self;
    snprintf(out, PROBE_TEXT_BYTES, "GDB server %s:%s", options->gdb.host, options->gdb.port);
}

static void print(void *self, const struct probe_options *options)
{
    const struct gdb_probe *probe = self;
    char escaped[1024];

    text_row("gdb", "%s:%s%s", txtap_escape_terminal(escaped, sizeof escaped, options->gdb.host), options->gdb.port,
             options->gdb.intrusive ? ", which stops the target for each poll" : "");
    if (probe->tcl != NULL)
        probe_openocd_print(probe->tcl, options);
}

/* Returns the core's state. If there are several targets, it is not known which target the GDB port serves. */
static enum core_state core(void *self)
{
    const struct gdb_probe *probe = self;

    if (probe->tcl == NULL || *tcl_target(probe->tcl)->all != '\0')
        return CORE_UNKNOWN;
    return probe_openocd_core(probe->tcl);
}

static void announce(void *self, const struct probe_options *options)
{
    const struct gdb_probe *probe = self;
    struct gdb_stops stops = gdb_stops(probe->gdb);

    if (options->gdb.trusted)
        fprintf(stderr, "txtap: not checked, because of --trust-gdb: whether %s:%s halts its target\n",
                options->gdb.host, options->gdb.port);
    else if (options->gdb.intrusive && stops.count > 0)
        fprintf(
            stderr,
            "txtap: intrusive: %s:%s stops its target for each poll, for up to %.1f ms so far; in between it runs\n",
            options->gdb.host, options->gdb.port, ms(stops.us_max));
}

static void report(void *self)
{
    const struct gdb_probe *probe = self;
    struct gdb_stops stops = gdb_stops(probe->gdb);

    if (stops.count > 0)
        fprintf(stderr,
                "txtap: intrusive: the target was stopped %" PRIu64
                " times, for %.2f ms on average and %.1f ms at most\n",
                stops.count, ms(stops.us) / (double)stops.count, ms(stops.us_max));
}

const struct probe_kind probe_gdb = {
    .name = "gdb",
    .options = {rows, parse, NULL, NULL, NULL, NULL, NULL},
    .live = true,
    .check = check,
    .open = open_probe,
    .close = close_probe,
    .describe = describe,
    .print = print,
    .announce = announce,
    .report = report,
    .core = core,
};
