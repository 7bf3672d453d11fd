/* SPDX-License-Identifier: MIT */
/* A GDB port as a probe. Many servers halt their target when a client connects. So txtap first finds out which program
 * listens at the port. OpenOCD is asked over its Tcl port; txtap does not connect if it cannot ask. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "base/text_maker.h"
#include "probe/gdb/gdb.h"
#include "probe/openocd/probe_openocd.h"
#include "probe/servers.h"
#include "txtap/inner/escape.h"

struct gdb_probe {
    struct gdb_source *gdb;
    struct tcl_source *tcl; /* the OpenOCD that txtap asks; NULL if no OpenOCD is asked */
    struct server_check check;
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
    {"trust-gdb", KEY_TRUST_GDB, NULL, 0,
     "with --gdb: assert that this server does not halt its target; txtap checks the core after it has connected", 0},
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

/* Warns if the process that listens cannot be seen, and the port is usual for a server that halts its target. */
static void warn_by_port(const struct probe_options *options)
{
    const char *port = options->gdb.port;
    struct server_check found;
    struct error refused; /* the same check comes again before each connection */

    if (server_of_port(port) == NULL || server_check_gdb(&found, options->gdb.host, port, true, &refused) != TXTAP_OK ||
        found.hint == NULL || (found.owner.is_here && !found.owner.listens))
        return;
    fprintf(stderr,
            "txtap: warning: %s usually listens at port %s and halts its target for each client; txtap cannot see "
            "which program listens at %s\n",
            found.hint->name, port, options->gdb.host);
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
    if (!asks)
        warn_by_port(options);
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

/* Returns true if no OpenOCD needs to be asked: the user knows the server, or its process is known. */
static bool is_known(const struct gdb_probe *probe, const struct probe_options *options)
{
    return options->gdb.intrusive || options->gdb.trusted || probe->check.needs_no_trust;
}

static enum gdb_manner manner_of(const struct gdb_probe *probe, const struct probe_options *options)
{
    const struct server *server = probe->check.server;

    if (server != NULL && server->verdict == SERVER_NON_STOP)
        return GDB_NON_STOP;
    if (options->gdb.intrusive)
        return GDB_STOPS;
    return server != NULL && server->verdict != SERVER_ASKED && probe->check.owner.shared ? GDB_SHARED : GDB_TRUSTED;
}

static enum txtap_status open_server(struct gdb_probe *probe, const struct probe_options *options, unsigned timeout_ms,
                                     struct error *error)
{
    const char *host = options->gdb.host, *port = options->gdb.port;
    enum txtap_status status = server_check_gdb(&probe->check, host, port, options->gdb.trusted, error);
    const struct server *server = probe->check.server;

    if (status != TXTAP_OK)
        return status;
    if (options->gdb.intrusive && server != NULL && server->verdict != SERVER_ASKED)
        return failure(error, ERROR_UNSAFE, "%.60s:%.8s is %s, and --intrusive works only with QEMU\nleave it out",
                       host, port, server->name);
    if (is_known(probe, options))
        return gdb_open(&probe->gdb, host, port, manner_of(probe, options), timeout_ms, error);
    return open_asked(probe, options, timeout_ms, error);
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
    status = open_server(probe, options, timeout_ms, error);
    if (status != TXTAP_OK) {
        close_probe(probe);
        return status;
    }
    *self = probe;
    *source = gdb_source_of(probe->gdb);
    return TXTAP_OK;
}

static const char *server_name(const struct gdb_probe *probe)
{
    const struct server *server = probe->check.server;

    return server != NULL && server->verdict != SERVER_ASKED ? server->name : "GDB server";
}

static void describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES])
{
    snprintf(out, PROBE_TEXT_BYTES, "%s %s:%s", server_name(self), options->gdb.host, options->gdb.port);
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

/* Returns the core's state. If there are several targets, it is not known which target the GDB port serves. Another
 * server is not asked, because its debugger could miss a reset if txtap read DHCSR. */
static enum core_state core(void *self)
{
    const struct gdb_probe *probe = self;

    if (probe->tcl == NULL || *tcl_target(probe->tcl)->all != '\0')
        return CORE_UNKNOWN;
    return probe_openocd_core(probe->tcl);
}

/* Tells how txtap knows that connecting did not halt the core. */
static void announce_proof(const struct gdb_probe *probe, const struct probe_options *options)
{
    static const char *const proofs[] = {
        [GDB_PROOF_CORE] = "the core runs: DHCSR.S_HALT was 0 after txtap connected",
        [GDB_PROOF_SERVER] = "the core runs, says the server; txtap could not check it",
    };
    enum gdb_proof proof = gdb_proof(probe->gdb);

    if (proof != GDB_NO_PROOF)
        fprintf(stderr, "txtap: %s %s:%s: %s\n", server_name(probe), options->gdb.host, options->gdb.port,
                proofs[proof]);
}

static void announce(void *self, const struct probe_options *options)
{
    const struct gdb_probe *probe = self;
    struct gdb_stops stops = gdb_stops(probe->gdb);

    announce_proof(probe, options);
    if (probe->check.server != NULL && probe->check.server->verdict == SERVER_NON_STOP)
        fprintf(stderr, "txtap: e2-server-gdb writes its own work RAM in the target: -uWorkRamAddress must name RAM "
                        "that the firmware does not use\n");
    if (options->gdb.intrusive && stops.count > 0)
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
