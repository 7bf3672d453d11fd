/* SPDX-License-Identifier: MIT */
/* The Tcl client with a real OpenOCD, which uses its dummy adapter. */
#include "probe/openocd/openocd.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "probe/openocd/openocd_client.h"
#include "probe/openocd/openocd_peer.h"
#include "probe/openocd/openocd_process.h"
#include "error_line.h"

static uint32_t word_at(const uint8_t *bytes, bool big)
{
    uint32_t word = 0;

    for (unsigned i = 0; i < 4; i++)
        word = word << 8 | bytes[big ? i : 3 - i];
    return word;
}

Test(tcl, says_that_no_server_listens)
{
    char port[8];

    peer_unused_port(port);
    open_fails("127.0.0.1", port, TIMEOUT_MS, ERROR_UNREACHABLE, "start OpenOCD, give its port with --tcl HOST:PORT");
    open_fails("no-such-host.invalid", port, TIMEOUT_MS, ERROR_UNREACHABLE, "no server at no-such-host.invalid:");
    open_fails("127.0.0.1", "not-a-port", TIMEOUT_MS, ERROR_UNREACHABLE, "no server at 127.0.0.1:not-a-port");
}

Test(tcl, openocd_without_target_is_a_target_error)
{
    struct openocd openocd;

    openocd_start(&openocd, "echo none", "echo ready");
    open_fails("127.0.0.1", openocd.tcl_port, TIMEOUT_MS, ERROR_TARGET, "it has no target");
    openocd_stop(&openocd);
}

Test(tcl, target_that_is_not_examined_is_a_target_error)
{
    struct openocd openocd;

    openocd_start(&openocd, "target create x.cpu arm7tdmi -chain-position x.cpu -defer-examine", "echo ready");
    open_fails("127.0.0.1", openocd.tcl_port, TIMEOUT_MS, ERROR_TARGET, "target x.cpu is not examined");
    openocd_stop(&openocd);
}

Test(tcl, telnet_port_of_openocd_is_recognised)
{
    struct openocd openocd;

    openocd_start(&openocd, TESTEE, "echo ready");
    open_fails("127.0.0.1", openocd.telnet_port, TIMEOUT_MS, ERROR_PROTOCOL, "OpenOCD's telnet port");
    openocd_stop(&openocd);
}

Test(tcl, refused_address_is_a_fault_with_that_address_and_the_connection_stays)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    uint8_t bytes[16];

    openocd_start(&openocd, TESTEE, "echo ready");
    tcl = open_or_fail(openocd.tcl_port);
    cr_assert(read_words(tcl, 0x20000010, bytes, 16) == ERROR_FAULT);
    cr_assert(strstr(error_of(tcl), "at 0x20000010 (16 bytes)") != NULL, "%s", error_of(tcl));
    cr_assert(read_words(tcl, 0x30000000, bytes, 4) == ERROR_FAULT);
    cr_assert(strstr(error_of(tcl), "at 0x30000000 (4 bytes)") != NULL, "%s", error_of(tcl));
    close_tcl(tcl);
    openocd_stop(&openocd);
}

/* OpenOCD gives these errors while a Cortex-M does not answer and OpenOCD has not noticed this. */
Test(tcl, cortex_m_whose_cpuid_cannot_be_read_is_a_target_error)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    uint8_t bytes[16];

    openocd_start(&openocd, TESTEE,
                  MEMORY_MODEL "; rename x.cpu x.model; proc x.cpu {command args} {"
                               " if {$command eq {cget} && $args eq {-type}} { return cortex_m };"
                               " return [x.model $command {*}$args] }");
    tcl = open_or_fail(openocd.tcl_port);
    cr_assert(read_words(tcl, 0x20000000, bytes, 16) == TXTAP_OK);
    cr_assert(read_words(tcl, 0x10000000, bytes, 16) == ERROR_TARGET, "%s", error_of(tcl));
    cr_assert(strstr(error_of(tcl), "the target does not answer (OpenOCD calls it ") != NULL, "%s", error_of(tcl));
    cr_assert(read_words(tcl, 0x20000000, bytes, 16) == TXTAP_OK, "%s", error_of(tcl));
    close_tcl(tcl);
    openocd_stop(&openocd);
}

static void words_arrive(const char *after_init, bool big)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    uint8_t *bytes = malloc(TCL_READ_BYTES_MAX);
    uint8_t pieces[3][8];
    struct txtap_read reads[] = {{0x20000100, 8, pieces[0]},
                                 {0x20000020, 4, pieces[1]},
                                 {0x20000fff & ~3u, 0, NULL},
                                 {0x2003fff8, 8, pieces[2]}};
    struct txtap_source source;

    openocd_start(&openocd, big ? TESTEE " -endian big" : TESTEE, after_init);
    tcl = open_or_fail(openocd.tcl_port);
    source = tcl_source_of(tcl);
    cr_assert(source.ops->read(source.self, reads, 4) == TXTAP_OK, "%s", error_of(tcl));
    cr_assert_eq(word_at(pieces[0], big), 0x20000100 ^ 0x5a5a5a5a);
    cr_assert_eq(word_at(pieces[0] + 4, big), 0x20000104 ^ 0x5a5a5a5a);
    cr_assert_eq(word_at(pieces[1], big), 0x20000020 ^ 0x5a5a5a5a);
    cr_assert_eq(word_at(pieces[2] + 4, big), 0x2003fffc ^ 0x5a5a5a5a);

    cr_assert(read_words(tcl, 0x20000000, bytes, TCL_READ_BYTES_MAX) == TXTAP_OK, "%s", error_of(tcl));
    for (uint32_t at = 0; at < TCL_READ_BYTES_MAX; at += 4)
        cr_assert_eq(word_at(bytes + at, big), (0x20000000 + at) ^ 0x5a5a5a5a);

    cr_assert(read_words(tcl, 0x2003fff8, bytes, 16) == ERROR_FAULT);
    cr_assert(read_words(tcl, 0x20000000, bytes, TCL_READ_BYTES_MAX + 4) == TXTAP_ERROR_USAGE);
    cr_assert(read_words(tcl, 0x20000002, bytes, 4) == TXTAP_ERROR_USAGE);
    cr_assert(read_words(tcl, 0xfffffffc, bytes, 8) == TXTAP_ERROR_USAGE);
    close_tcl(tcl);
    openocd_stop(&openocd);
    free(bytes);
}

Test(tcl, words_of_several_pieces_arrive_in_target_byte_order)
{
    words_arrive(MEMORY_MODEL, false);
    words_arrive(MEMORY_MODEL, true);
}

Test(tcl, an_openocd_with_only_mem2array_works_too)
{
    words_arrive(MEMORY_MODEL "; rename read_memory {}", false);
}

Test(tcl, an_openocd_without_a_command_to_read_memory_is_an_error)
{
    struct openocd openocd;

    openocd_start(&openocd, TESTEE, "rename read_memory {}; rename mem2array {}");
    open_fails("127.0.0.1", openocd.tcl_port, TIMEOUT_MS, ERROR_PROTOCOL, "neither read_memory nor mem2array");
    openocd_stop(&openocd);
}

/* OpenOCD 0.11 reads 0 through an access port that does not exist. */
Test(tcl, a_core_whose_cpuid_is_zero_does_not_exist)
{
    static const char zeros[] =
        "rename read_memory {}; rename x.cpu x.real; proc x.cpu {command args} {"
        " if {$args eq {-type}} { return cortex_m };"
        " if {$command eq {mem2array}} { upvar [lindex $args 0] data; set data(0) 0; return {} };"
        " return [{*}[list \"x.cpu $command\"] {*}$args] }";
    struct openocd openocd;

    openocd_start(&openocd, TESTEE, zeros);
    open_fails("127.0.0.1", openocd.tcl_port, TIMEOUT_MS, ERROR_TARGET, "target x.cpu is not examined");
    openocd_stop(&openocd);
}

Test(tcl, pieces_are_read_in_order_up_to_the_first_fault)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    char state[TCL_TARGET_STATE_BYTES];
    uint8_t bytes[16];
    struct txtap_read reads[] = {
        {0x20000008, 4, bytes}, {0x20000000, 4, bytes}, {0x10000040, 4, bytes}, {0x20000004, 4, bytes}};
    struct txtap_source source;

    /* Here the request for the target's state returns the addresses that the memory model has recorded. */
    openocd_start(&openocd, TESTEE,
                  MEMORY_MODEL "; rename x.cpu x.model; proc x.cpu {command args} {"
                               " if {$command eq {curstate}} { return [join [linsert $::seen 0 seen] ,] };"
                               " return [x.model $command {*}$args] }");
    tcl = open_or_fail(openocd.tcl_port);
    source = tcl_source_of(tcl);
    cr_assert(source.ops->read(source.self, reads, 4) == ERROR_FAULT);
    cr_assert(strstr(error_of(tcl), "0x10000040") != NULL, "%s", error_of(tcl));
    cr_assert(tcl_target_state(tcl, state) == TXTAP_OK);
    cr_assert_str_eq(state, "seen,8,0,64");
    close_tcl(tcl);
    openocd_stop(&openocd);
}

Test(tcl, reports_target_name_state_and_adapter_speed)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    char state[TCL_TARGET_STATE_BYTES] = "";
    unsigned khz = 0;

    openocd_start(&openocd, TESTEE, "echo ready");
    tcl = open_or_fail(openocd.tcl_port);
    cr_assert_str_eq(tcl_target(tcl)->name, "x.cpu");
    cr_assert(tcl_target_state(tcl, state) == TXTAP_OK);
    cr_assert(state[0] != '\0');
    cr_assert(tcl_adapter_khz(tcl, &khz) == TXTAP_OK);
    cr_assert_eq(khz, 1000);
    close_tcl(tcl);
    openocd_stop(&openocd);
}

Test(tcl, openocd_that_ends_is_a_permanently_closed_connection)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    uint8_t bytes[4];

    openocd_start(&openocd, TESTEE, MEMORY_MODEL);
    tcl = open_or_fail(openocd.tcl_port);
    openocd_stop(&openocd);
    cr_assert(read_words(tcl, 0x20000000, bytes, 4) == ERROR_CLOSED, "%s", error_of(tcl));
    cr_assert(strstr(error_of(tcl), "closed the connection") != NULL, "%s", error_of(tcl));
    cr_assert(read_words(tcl, 0x20000000, bytes, 4) == ERROR_CLOSED);
    cr_assert(strstr(error_of(tcl), "connect again") != NULL, "%s", error_of(tcl));
    close_tcl(tcl);
}

Test(tcl, openocd_that_is_stopped_is_a_timeout)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    struct error error;
    uint8_t bytes[4];

    openocd_start(&openocd, TESTEE, MEMORY_MODEL);
    cr_assert(tcl_open(&tcl, "127.0.0.1", openocd.tcl_port, NULL, 3000, &error) == TXTAP_OK, "%s", error_line(&error));
    kill(openocd.pid, SIGSTOP);
    cr_assert(read_words(tcl, 0x20000000, bytes, 4) == ERROR_TIMEOUT, "%s", error_of(tcl));
    cr_assert(read_words(tcl, 0x20000000, bytes, 4) == ERROR_CLOSED, "a late answer could be mistaken for the next");
    kill(openocd.pid, SIGCONT);
    close_tcl(tcl);
    openocd_stop(&openocd);
}

/* OpenOCD also prints results on its console. This takes time, and OpenOCD hangs if no program reads the console. */
Test(tcl, openocds_console_is_kept_free_of_target_memory)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    static char console[65536];
    uint8_t bytes[4096];
    ssize_t got;

    openocd_start(&openocd, TESTEE, MEMORY_MODEL);
    tcl = open_or_fail(openocd.tcl_port);
    for (unsigned i = 0; i < 40; i++) /* in all, ten times as much as the console's pipe can hold */
        cr_assert(read_words(tcl, 0x20000000, bytes, sizeof bytes) == TXTAP_OK, "%s", error_of(tcl));
    close_tcl(tcl);
    kill(openocd.pid, SIGTERM);
    while ((got = read(openocd.log, console, sizeof console - 1)) > 0) {
        console[got] = '\0';
        cr_assert(strstr(console, "0x7a5a5a5a") == NULL, "memory on the console: %.200s", console);
    }
    openocd_stop(&openocd);
}
