/* SPDX-License-Identifier: MIT */
#include "probe/openocd/openocd_child.h"

#include <criterion/criterion.h>

#include "base/runtime.h"

#define FLOOD "exec yes 'Info : this log does not end'"

static struct openocd_child child;
static struct error error;

static enum txtap_status start(const char *script, unsigned timeout_ms)
{
    const struct openocd_arguments arguments = {.argv = {"sh", "-c", script}, .count = 3};

    return openocd_child_start(&child, &arguments, timeout_ms, &error);
}

Test(openocd_child, a_log_without_end_does_not_outlast_the_time_limit, .timeout = 1200)
{
    cr_assert_eq(start(FLOOD, 50), ERROR_TIMEOUT);
    cr_assert_str_eq(error.what, "sh did not open its Tcl port within 0.05 s");
    cr_assert_eq(child.process.pid, 0, "it is left behind");
}

Test(openocd_child, a_log_without_end_can_be_interrupted, .timeout = 1200)
{
    runtime_init();
    cr_assert_eq(start("(sleep 0.02; kill -INT $PPID) & " FLOOD, 3600 * 1000), ERROR_INTERRUPTED);
    cr_assert_eq(child.process.pid, 0, "it is left behind");
}

/* The script writes 32 MB, and then opens its port. It stops writing while its log is larger than 2 MB. */
Test(openocd_child, a_long_log_is_forgotten_while_it_is_read, .timeout = 1200)
{
    cr_assert_eq(start("for i in $(seq 32); do"
                       "  while [ $(stat -L -c %b /proc/$$/fd/1) -gt 4000 ]; do sleep 0.001; done;"
                       "  yes 'Info : a long log' | head -c 1000000; echo;"
                       "done;"
                       "echo 'Info : Listening on port 6666 for tcl connections'; exec sleep 1000",
                       3600 * 1000),
                 TXTAP_OK, "%s", error.what);
    cr_assert_str_eq(child.port, "6666");
    openocd_child_end(&child);
}

Test(openocd_child, the_last_lines_of_a_long_log_are_the_cause, .timeout = 1200)
{
    cr_assert_eq(start("echo 'Open On-Chip Debugger 0.12.0'; yes 'Info : a long log' | head -c 1000000; echo;"
                       "echo 'Error: open failed'",
                       3600 * 1000),
                 ERROR_UNREACHABLE);
    cr_assert_not_null(strstr(error.what, "no such probe is plugged in"), "%s", error.what);
}
