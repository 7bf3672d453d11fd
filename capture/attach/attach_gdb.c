/* SPDX-License-Identifier: MIT */
/* The GDB port: asks OpenOCD over its Tcl port first whether connecting would halt the target. */
#include "attach/attach_gdb.h"

#include <inttypes.h>
#include <stdio.h>

static double ms(uint64_t us)
{
    return (double)us / 1e3;
}

static void close_tcl(struct tcl_source **tcl)
{
    struct txtap_source source = tcl_source_of(*tcl);

    source.ops->close(source.self);
    *tcl = NULL;
}

/* OpenOCD's own, if there is one: the connection to its GDB port goes to the same machine, by number. */
static enum txtap_status open_asked(const struct options *options, unsigned timeout_ms, struct gdb_source **gdb,
                                    struct tcl_source **tcl, char error[static ERROR_TEXT_BYTES])
{
    char host[STREAM_HOST_BYTES], cause[ERROR_TEXT_BYTES];
    enum txtap_status status =
        tcl_open(tcl, options->target.tcl_host, options->target.tcl_port, NULL, timeout_ms, cause);

    if (status != TXTAP_OK)
        return failure(
            error, status,
            "%.140s; it is asked whether GDB port %.5s halts the target (for QEMU's: --intrusive; if you know: "
            "--trust-gdb)",
            cause, options->target.gdb_port);
    status = tcl_check_gdb(*tcl, options->target.gdb_port, host, error);
    if (status == TXTAP_OK)
        status = gdb_open(gdb, host, options->target.gdb_port, GDB_RUNS, timeout_ms, error);
    if (status != TXTAP_OK)
        close_tcl(tcl);
    return status;
}

enum txtap_status attach_gdb(const struct options *options, unsigned timeout_ms, struct gdb_source **gdb,
                             struct tcl_source **tcl, char error[static ERROR_TEXT_BYTES])
{
    *gdb = NULL;
    *tcl = NULL;
    if (options->target.intrusive || options->target.trust_gdb)
        return gdb_open(gdb, options->target.gdb_host, options->target.gdb_port,
                        options->target.intrusive ? GDB_STOPS : GDB_TRUSTED, timeout_ms, error);
    return open_asked(options, timeout_ms, gdb, tcl, error);
}

void attach_gdb_announce(const struct options *options, const struct gdb_source *gdb)
{
    struct gdb_counters counters = gdb_counters(gdb);

    if (options->target.trust_gdb)
        fprintf(stderr, "txtap: --trust-gdb: that %s:%s does not halt its target is your word, not txtap's\n",
                options->target.gdb_host, options->target.gdb_port);
    else if (options->target.intrusive && counters.stops > 0)
        fprintf(
            stderr,
            "txtap: intrusive: %s:%s stops its target for each poll, for up to %.1f ms so far; in between it runs\n",
            options->target.gdb_host, options->target.gdb_port, ms(counters.stopped_us_max));
}

void attach_gdb_report(const struct gdb_source *gdb)
{
    struct gdb_counters counters = gdb_counters(gdb);

    if (counters.stops > 0)
        fprintf(stderr,
                "txtap: intrusive: the target was stopped %" PRIu64
                " times, for %.2f ms on average and %.1f ms at most\n",
                counters.stops, ms(counters.stopped_us) / (double)counters.stops, ms(counters.stopped_us_max));
}
