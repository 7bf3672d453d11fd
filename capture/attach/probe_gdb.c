/* SPDX-License-Identifier: MIT */
/*
 * A GDB port as a probe. OpenOCD halts its target when a debugger connects, unless it is configured not to, so it is
 * asked before, over its Tcl port. Where nobody can be asked, nothing is connected to.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "attach/probe.h"
#include "attach/probe_openocd.h"
#include "base/text_row.h"
#include "probe/gdb.h"
#include "txtap/escape.h"

struct gdb_probe {
    struct gdb_source *gdb;
    struct tcl_source *tcl; /* which was asked; NULL with --intrusive and --trust-gdb */
};

static double ms(uint64_t us)
{
    return (double)us / 1e3;
}

static bool is_wanted(const struct target_options *options)
{
    return options->gdb_port != NULL;
}

static void close_probe(void *self)
{
    struct gdb_probe *probe = self;

    if (probe->gdb != NULL)
        gdb_source_of(probe->gdb).ops->close(probe->gdb);
    if (probe->tcl != NULL)
        tcl_source_of(probe->tcl).ops->close(probe->tcl);
    free(probe);
}

/* OpenOCD's own, if there is one: the connection to its GDB port goes to the same machine, by number. */
static enum txtap_status open_asked(struct gdb_probe *probe, const struct target_options *options, unsigned timeout_ms,
                                    struct error *error)
{
    char host[STREAM_HOST_BYTES];
    struct error cause;
    enum txtap_status status = tcl_open(&probe->tcl, options->tcl_host, options->tcl_port, NULL, timeout_ms, &cause);

    if (status != TXTAP_OK)
        return failure(
            error, status,
            "%.140s\nit is asked whether GDB port %.5s halts the target (for QEMU's: --intrusive; if you know: "
            "--trust-gdb)",
            cause.what, options->gdb_port);
    status = tcl_check_gdb(probe->tcl, options->gdb_port, host, error);
    if (status == TXTAP_OK)
        status = gdb_open(&probe->gdb, host, options->gdb_port, GDB_RUNS, timeout_ms, error);
    return status;
}

static enum txtap_status open_probe(const struct target_options *options, unsigned timeout_ms, void **self,
                                    struct txtap_source *source, struct error *error)
{
    struct gdb_probe *probe = calloc(1, sizeof *probe);
    enum txtap_status status;

    if (probe == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    if (options->intrusive || options->trust_gdb)
        status = gdb_open(&probe->gdb, options->gdb_host, options->gdb_port,
                          options->intrusive ? GDB_STOPS : GDB_TRUSTED, timeout_ms, error);
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

static void describe(void *self, const struct target_options *options, char out[static PROBE_TEXT_BYTES])
{
    (void)self;
    snprintf(out, PROBE_TEXT_BYTES, "GDB server %s:%s", options->gdb_host, options->gdb_port);
}

static void print(void *self, const struct target_options *options)
{
    const struct gdb_probe *probe = self;
    char escaped[1024];

    text_row("gdb", "%s:%s%s", txtap_escape_terminal(escaped, sizeof escaped, options->gdb_host), options->gdb_port,
             options->intrusive ? ", which stops the target for each poll" : "");
    if (probe->tcl != NULL)
        probe_openocd_print(probe->tcl, options);
}

/* Which of several targets a GDB port serves is not known. */
static enum follow_core core(void *self)
{
    const struct gdb_probe *probe = self;

    if (probe->tcl == NULL || *tcl_targets(probe->tcl) != '\0')
        return FOLLOW_CORE_UNKNOWN;
    return probe_openocd_core(probe->tcl);
}

static void announce(void *self, const struct target_options *options)
{
    const struct gdb_probe *probe = self;
    struct gdb_stops stops = gdb_stops(probe->gdb);

    if (options->trust_gdb)
        fprintf(stderr, "txtap: not checked: txtap relies on --trust-gdb that %s:%s does not halt its target\n",
                options->gdb_host, options->gdb_port);
    else if (options->intrusive && stops.count > 0)
        fprintf(
            stderr,
            "txtap: intrusive: %s:%s stops its target for each poll, for up to %.1f ms so far; in between it runs\n",
            options->gdb_host, options->gdb_port, ms(stops.us_max));
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
    .live = true,
    .is_wanted = is_wanted,
    .open = open_probe,
    .close = close_probe,
    .describe = describe,
    .print = print,
    .announce = announce,
    .report = report,
    .core = core,
};
