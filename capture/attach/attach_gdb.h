/* SPDX-License-Identifier: MIT */
/*
 * The GDB port as the options ask for it. OpenOCD halts its target when a debugger connects, unless it is configured
 * not to, so that it must be asked before, over its Tcl port. Where nobody can be asked, nothing is connected to.
 */
#ifndef TXTAP_CAPTURE_ATTACH_ATTACH_GDB_H
#define TXTAP_CAPTURE_ATTACH_ATTACH_GDB_H

#include "base/failure.h"
#include "options/options.h"
#include "probe/gdb.h"
#include "probe/openocd.h"

/*
 * On success *gdb is the source, and *tcl the connection on which OpenOCD was asked, or NULL if it was not
 * (--intrusive,
 * --trust-gdb); both are the caller's to close. On failure both are NULL, and error is one line. Failures as
 * tcl_open(), tcl_check_gdb() and gdb_open().
 */
enum txtap_status attach_gdb(const struct options *options, unsigned timeout_ms, struct gdb_source **gdb,
                             struct tcl_source **tcl, char error[static ERROR_TEXT_BYTES]);

/* What --intrusive costs the target, on standard error: said once reading has begun, and at the end. */
void attach_gdb_announce(const struct options *options, const struct gdb_source *gdb);
void attach_gdb_report(const struct gdb_source *gdb);

#endif
