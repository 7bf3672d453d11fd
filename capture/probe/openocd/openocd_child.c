/* SPDX-License-Identifier: MIT */
/* OpenOCD as a child: waits for the line of its log that says its port, or why there is none. */
#include "probe/openocd/openocd_child.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/runtime.h"

#define LOOK_US    2000
#define LOG_PIECES 16 /* read at once: a log that comes faster than it is read must not keep txtap from the clock */

/* False if there may be more to read. */
static bool read_log(struct openocd_child *child)
{
    char bytes[4096];
    size_t got = 1;

    for (int i = 0; i < LOG_PIECES && got > 0; i++) {
        got = child_read(&child->process, bytes, sizeof bytes);
        openocd_log_take(&child->log, bytes, got);
    }
    child_trim(&child->process);
    return got == 0;
}

/* It opens its ports last: behind its configuration, the probe and the first look at the target. */
static enum txtap_status await_port(struct openocd_child *child, const char *program, unsigned timeout_ms,
                                    struct error *error)
{
    uint64_t begin = now_us();

    for (;;) {
        bool runs = child_runs(&child->process); /* before the log is read: then that is all of it */
        bool all_read = read_log(child);

        if (child->log.port != 0 && runs)
            return TXTAP_OK;
        if (!runs && all_read) {
            openocd_log_end(&child->log);
            return openocd_log_failure(&child->log, program, error);
        }
        if (now_us() - begin > timeout_ms * UINT64_C(1000))
            return failure(error, ERROR_TIMEOUT, "%.120s did not open its Tcl port within %g s\nis it OpenOCD?",
                           program, timeout_ms / 1e3);
        if (all_read ? !sleep_us(LOOK_US) : stop_requested())
            return failure(error, ERROR_INTERRUPTED, "%.120s: interrupted while it started", program);
    }
}

enum txtap_status openocd_child_start(struct openocd_child *child, const struct openocd_arguments *arguments,
                                      unsigned timeout_ms, struct error *error)
{
    const char *program = arguments->argv[0];
    struct error cause;
    enum txtap_status status;

    memset(child, 0, sizeof *child);
    status = child_start(&child->process, arguments->argv, &cause);
    if (status != TXTAP_OK)
        return failure(error, status, "%.120s cannot be run: %.80s\ninstall OpenOCD, or give --openocd-program PATH",
                       program, cause.what);
    status = await_port(child, program, timeout_ms, error);
    if (status != TXTAP_OK)
        openocd_child_end(child);
    else
        snprintf(child->port, sizeof child->port, "%u", child->log.port);
    return status;
}

void openocd_child_end(struct openocd_child *child)
{
    child_end(&child->process);
}
