/* SPDX-License-Identifier: MIT */
/* Whether a connection to a GDB port would disturb the target: a real OpenOCD answers this over its Tcl port. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/tcp.h"
#include "probe/openocd/openocd_client.h"
#include "probe/openocd/openocd_peer.h"
#include "probe/openocd/openocd_process.h"
#include "probe/openocd/openocd_reply.h"
#include "error_line.h"

/* A target type that has a GDB port, which testee does not have. It claims to be examined, but is not. */
#define SERVED "target create x.cpu arm7tdmi -chain-position x.cpu -defer-examine"
#define EXAMINED                                                                                                       \
    "rename x.cpu x.real; proc x.cpu {command args} { if {$command eq {was_examined}} { return 1 };"                   \
    " return [{*}[list \"x.cpu $command\"] {*}$args] }"

/* Checks the client's decision about a GDB port. It is based on OpenOCD's own answers. */
static void gdb_port_is(const char *configuration, enum txtap_status expected, const char *words)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    char host[STREAM_HOST_BYTES], port[8], before[512];
    struct error error = {0};
    enum txtap_status status;

    peer_unused_port(port);
    snprintf(before, sizeof before, "gdb_port %s; " SERVED "; %s", port, configuration);
    openocd_start(&openocd, before, EXAMINED);
    tcl = open_or_fail(openocd.tcl_port);
    status = tcl_check_gdb(tcl, port, host, &error);
    cr_assert(status == expected, "%s: %d, not %d: %s", configuration, status, expected, error_line(&error));
    cr_assert(strstr(error_line(&error), words) != NULL, "%s: '%s' not in: %s", configuration, words,
              error_line(&error));
    cr_assert(strlen(error_line(&error)) < ERROR_TEXT_BYTES - 1, "cut: %s", error_line(&error));
    cr_assert_str_eq(host, "127.0.0.1");
    close_tcl(tcl);
    openocd_stop(&openocd);
}

Test(tcl_gdb_port, a_gdb_port_that_would_halt_is_unsafe)
{
    static const char fix[] = "add 'x.cpu configure -event gdb-attach {echo attached}'";

    gdb_port_is("", ERROR_UNSAFE, fix);
    gdb_port_is("x.cpu configure -event gdb-attach {}", ERROR_UNSAFE, fix);
    gdb_port_is("x.cpu configure -event gdb-attach { halt }", ERROR_UNSAFE, "halt");
    gdb_port_is("x.cpu configure -event gdb-attach { reset init }", ERROR_UNSAFE, "runs 'reset init' (gdb-attach)");
    gdb_port_is("x.cpu configure -event gdb-attach \"echo a\\n halt\"", ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach { echo [halt] }", ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach { echo \"a\" ; halt }", ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach { echo \"a\"halt }", ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach {echo a\\x3b}", ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach { echoes }", ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach { echo a \\\n halt }", ERROR_UNSAFE, "may disturb");
}

Test(tcl_gdb_port, openocds_actions_when_gdb_disconnects_matter_too)
{
    gdb_port_is("x.cpu configure -event gdb-attach { }; x.cpu configure -event gdb-detach { resume }", ERROR_UNSAFE,
                "runs 'resume' (gdb-detach)");
    gdb_port_is("x.cpu configure -event gdb-attach { }; x.cpu configure -event gdb-end { halt }", ERROR_UNSAFE,
                "runs 'halt' (gdb-end)");
}

Test(tcl_gdb_port, a_gdb_port_that_leaves_the_target_alone_is_allowed)
{
    gdb_port_is("x.cpu configure -event gdb-attach { }", TXTAP_OK, "");
    gdb_port_is("x.cpu configure -event gdb-attach {echo attached}", TXTAP_OK, "");
    gdb_port_is("x.cpu configure -event gdb-attach { echo \"gdb is here; all is well\" }", TXTAP_OK, "");
    gdb_port_is("x.cpu configure -event gdb-attach \"# halt it?\\n echo no; echo never\"", TXTAP_OK, "");
    gdb_port_is("x.cpu configure -event gdb-attach { }; x.cpu configure -event gdb-detach {}", TXTAP_OK, "");
}

Test(tcl_gdb_port, a_gdb_port_of_another_server_is_unsafe)
{
    gdb_port_is("x.cpu configure -event gdb-attach { }; gdb_port 0", ERROR_UNSAFE, "not one of its GDB ports (0)");
    gdb_port_is("x.cpu configure -event gdb-attach { }; gdb_port disabled", ERROR_UNSAFE, "not one of its GDB ports");
}

Test(tcl_gdb_port, only_an_explicit_yes_about_the_gdb_port_counts)
{
    static const char *const nonsense[] = {"",
                                           "txtap gdb",
                                           "txtap gdb acts",
                                           "txtap gdb acts [exit] gdb-attach x",
                                           "invalid command name \"txtap_gdb\"",
                                           "ok",
                                           "txtap gdb run"};
    struct error error;

    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++)
        cr_assert_eq(tcl_reply_gdb(nonsense[i], strlen(nonsense[i]), "3333", &error), ERROR_PROTOCOL, "%s",
                     nonsense[i]);
    cr_assert_eq(tcl_reply_gdb("txtap gdb breakpoints x", 23, "3333", &error), ERROR_UNSAFE);
    cr_assert_eq(tcl_reply_gdb("txtap gdb runs x", 16, "3333", &error), TXTAP_OK);
}
