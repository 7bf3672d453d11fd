/* SPDX-License-Identifier: MIT */
/* The Tcl client against a real OpenOCD on its dummy adapter, and against servers that are not one. */
#include "tcl.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "openocd_process.h"
#include "tcl_peer.h"

#define TIMEOUT_MS 5000

/*
 * OpenOCD's dummy adapter has no memory behind it. This gives the target one: word = address xor 0x5a5a5a5a from
 * 0x20000000 to 0x2003ffff, refused elsewhere; ::seen keeps the last byte of each address asked for.
 */
#define MEMORY_MODEL                                                                                                   \
    "rename x.cpu x.real; set ::seen {}; proc x.cpu {command args} {"                                                  \
    " if {$command eq {read_memory}} { lassign $args address width count; return [model $address $count] };"           \
    " if {$command eq {mem2array}} { lassign $args name width address count; upvar $name data;"                        \
    "  set i 0; foreach word [model $address $count] { set data($i) [expr {$word + 0}]; incr i }; return {} };"        \
    " return [{*}[list \"x.cpu $command\"] {*}$args] };"                                                               \
    "proc model {address count} { lappend ::seen [expr {$address & 0xff}]; set words {};"                              \
    " if {$address < 0x20000000 || $address + $count * 4 > 0x20040000} { error {failed to read memory} };"             \
    " for {set i 0} {$i < $count} {incr i} {"                                                                          \
    "  lappend words [format 0x%x [expr {($address + $i * 4) ^ 0x5a5a5a5a}]] }; return $words }"
#define TESTEE "target create x.cpu testee -chain-position x.cpu"

static uint32_t word_at(const uint8_t *bytes, bool big)
{
    uint32_t word = 0;

    for (unsigned i = 0; i < 4; i++)
        word = word << 8 | bytes[big ? i : 3 - i];
    return word;
}

static enum txtap_status read_words(struct tcl_source *tcl, uint32_t address, uint8_t *bytes, uint32_t length)
{
    struct txtap_source source = tcl_source_of(tcl);
    struct txtap_read read = {address, length, bytes};

    return source.ops->read(source.self, &read, 1);
}

static const char *error_of(struct tcl_source *tcl)
{
    struct txtap_source source = tcl_source_of(tcl);

    return source.ops->error_text(source.self);
}

static void close_tcl(struct tcl_source *tcl)
{
    struct txtap_source source = tcl_source_of(tcl);

    source.ops->close(source.self);
}

static struct tcl_source *open_or_fail(const char *port)
{
    char error[ERROR_TEXT_BYTES];
    struct tcl_source *tcl;
    enum txtap_status status = tcl_open(&tcl, "127.0.0.1", port, TIMEOUT_MS, error);

    cr_assert(status == TXTAP_OK, "%s", error);
    return tcl;
}

/* Opens, which must fail in this way with these words in the message; the message is one clean line. */
static void open_fails(const char *host, const char *port, unsigned timeout_ms, enum txtap_status expected,
                       const char *words)
{
    char error[ERROR_TEXT_BYTES] = "";
    struct tcl_source *tcl;
    enum txtap_status status = tcl_open(&tcl, host, port, timeout_ms, error);

    cr_assert(status == expected, "status %d, not %d: %s", status, expected, error);
    cr_assert(tcl == NULL);
    cr_assert(strstr(error, words) != NULL, "'%s' not in: %s", words, error);
    for (const char *c = error; *c != '\0'; c++)
        cr_assert(*c >= ' ' && *c <= '~', "unprintable byte in: %s", error);
}

static char *text_of(const char *path)
{
    char name[512];
    FILE *file;
    char *text = calloc(1, 65536);

    snprintf(name, sizeof name, "%s/../../%s", TXTAP_TEST_DATA, path);
    file = fopen(name, "r");
    cr_assert(file != NULL && text != NULL, "%s", name);
    cr_assert(fread(text, 1, 65535, file) > 0);
    fclose(file);
    return text;
}

static bool is_word_part(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* No command that changes a target may be in the text. */
static void changes_nothing(const char *text, const char *where)
{
    static const char *const forbidden[] = {
        "halt",     "resume",     "reset",    "step",    "write_memory", "array2mem", "mwb",     "mwh",      "mww",
        "mwd",      "load_image", "flash",    "program", "bp",           "wp",        "set_reg", "reg",      "poll",
        "arp_halt", "arp_reset",  "arp_poll", "init",    "shutdown",     "targets",   "dap",     "configure"};

    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++) {
        size_t length = strlen(forbidden[i]);

        for (const char *at = text; (at = strstr(at, forbidden[i])) != NULL; at += length)
            cr_assert((at > text && is_word_part(at[-1])) || is_word_part(at[length]), "'%s' in %s", forbidden[i],
                      where);
    }
}

Test(tcl, procedures_hold_no_command_that_changes_a_target)
{
    char *text = text_of("openocd-cfg/txtap.tcl");

    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        /* Without an argument these two list what is set. */
        if (strcmp(line, "    catch { append list [capture {bp}] }") == 0 ||
            strcmp(line, "    catch { append list [capture {wp}] }") == 0)
            continue;
        if (line[0] != '#')
            changes_nothing(line, "txtap.tcl");
    }
    free(text);
}

Test(tcl, strings_of_the_client_hold_no_command_that_changes_a_target)
{
    static const char *const paths[] = {"capture/tcl.c", "capture/stream.c"};
    char *reply = text_of("capture/tcl_reply.c");

    /* Its strings name such commands, for the user; they cannot be sent from there. */
    cr_assert(strstr(reply, "stream") == NULL);
    free(reply);

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char *text = text_of(paths[i]);
        unsigned strings = 0;

        for (char *line = text, *next; line != NULL; line = next) {
            next = strchr(line, '\n');
            if (next != NULL)
                *next++ = '\0';
            if (strncmp(line, "#include", 8) == 0 || strchr(line, '"') == NULL || strstr(line, "/*") != NULL)
                continue;
            /* From the first quote of a line on: nothing but a string and what it is handed to. */
            changes_nothing(strchr(line, '"'), paths[i]);
            strings++;
        }
        cr_assert_gt(strings, 0);
        free(text);
    }
}

Test(tcl, says_that_nobody_listens)
{
    char port[8];

    peer_unused_port(port);
    open_fails("127.0.0.1", port, TIMEOUT_MS, TXTAP_ERROR_UNREACHABLE, "start OpenOCD or give --tcl HOST:PORT");
    open_fails("no-such-host.invalid", port, TIMEOUT_MS, TXTAP_ERROR_UNREACHABLE, "no server at no-such-host.invalid:");
    open_fails("127.0.0.1", "not-a-port", TIMEOUT_MS, TXTAP_ERROR_UNREACHABLE, "no server at 127.0.0.1:not-a-port");
}

Test(tcl, openocd_without_target_is_a_target_error)
{
    struct openocd openocd;

    openocd_start(&openocd, "echo none", "echo ready");
    open_fails("127.0.0.1", openocd.tcl_port, TIMEOUT_MS, TXTAP_ERROR_TARGET, "it has no target");
    openocd_stop(&openocd);
}

Test(tcl, target_that_is_not_examined_is_a_target_error)
{
    struct openocd openocd;

    openocd_start(&openocd, "target create x.cpu arm7tdmi -chain-position x.cpu -defer-examine", "echo ready");
    open_fails("127.0.0.1", openocd.tcl_port, TIMEOUT_MS, TXTAP_ERROR_TARGET, "target x.cpu is not examined");
    openocd_stop(&openocd);
}

Test(tcl, telnet_port_of_openocd_is_told_by_its_name)
{
    struct openocd openocd;

    openocd_start(&openocd, TESTEE, "echo ready");
    open_fails("127.0.0.1", openocd.telnet_port, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "OpenOCD's telnet port");
    openocd_stop(&openocd);
}

Test(tcl, refused_address_is_a_fault_with_that_address_and_the_connection_goes_on)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    uint8_t bytes[16];

    openocd_start(&openocd, TESTEE, "echo ready");
    tcl = open_or_fail(openocd.tcl_port);
    cr_assert(read_words(tcl, 0x20000010, bytes, 16) == TXTAP_ERROR_FAULT);
    cr_assert(strstr(error_of(tcl), "at 0x20000010 (16 bytes)") != NULL, "%s", error_of(tcl));
    cr_assert(read_words(tcl, 0x30000000, bytes, 4) == TXTAP_ERROR_FAULT);
    cr_assert(strstr(error_of(tcl), "at 0x30000000 (4 bytes)") != NULL, "%s", error_of(tcl));
    close_tcl(tcl);
    openocd_stop(&openocd);
}

/* What OpenOCD says of a Cortex-M that no longer answers at all, before it has noticed. */
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
    cr_assert(read_words(tcl, 0x10000000, bytes, 16) == TXTAP_ERROR_TARGET, "%s", error_of(tcl));
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
    cr_assert_eq(tcl_counters(tcl).requests, 2);
    cr_assert_eq(tcl_counters(tcl).bytes, 20 + TCL_READ_BYTES_MAX);

    cr_assert(read_words(tcl, 0x2003fff8, bytes, 16) == TXTAP_ERROR_FAULT);
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

Test(tcl, an_openocd_with_mem2array_alone_serves_too)
{
    words_arrive(MEMORY_MODEL "; rename read_memory {}", false);
}

Test(tcl, an_openocd_that_can_read_no_memory_is_named)
{
    struct openocd openocd;

    openocd_start(&openocd, TESTEE, "rename read_memory {}; rename mem2array {}");
    open_fails("127.0.0.1", openocd.tcl_port, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "neither read_memory nor mem2array");
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

    /* The target's state is the way out for what the model has seen. */
    openocd_start(&openocd, TESTEE,
                  MEMORY_MODEL "; rename x.cpu x.model; proc x.cpu {command args} {"
                               " if {$command eq {curstate}} { return [join [linsert $::seen 0 seen] ,] };"
                               " return [x.model $command {*}$args] }");
    tcl = open_or_fail(openocd.tcl_port);
    source = tcl_source_of(tcl);
    cr_assert(source.ops->read(source.self, reads, 4) == TXTAP_ERROR_FAULT);
    cr_assert(strstr(error_of(tcl), "0x10000040") != NULL, "%s", error_of(tcl));
    cr_assert(tcl_target_state(tcl, state) == TXTAP_OK);
    cr_assert_str_eq(state, "seen,8,0,64");
    close_tcl(tcl);
    openocd_stop(&openocd);
}

/* A type that OpenOCD serves to GDB, which the testee's is not; nobody examined it, but it says so. */
#define SERVED "target create x.cpu arm7tdmi -chain-position x.cpu -defer-examine"
#define EXAMINED                                                                                                       \
    "rename x.cpu x.real; proc x.cpu {command args} { if {$command eq {was_examined}} { return 1 };"                   \
    " return [{*}[list \"x.cpu $command\"] {*}$args] }"

/* What a debugger's arrival would do is found out by OpenOCD's own answers. */
static void gdb_port_is(const char *configuration, enum txtap_status expected, const char *words)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    char error[ERROR_TEXT_BYTES] = "", host[STREAM_HOST_BYTES], port[8], before[512];
    enum txtap_status status;

    peer_unused_port(port);
    snprintf(before, sizeof before, "gdb_port %s; " SERVED "; %s", port, configuration);
    openocd_start(&openocd, before, EXAMINED);
    tcl = open_or_fail(openocd.tcl_port);
    status = tcl_check_gdb(tcl, port, host, error);
    cr_assert(status == expected, "%s: %d, not %d: %s", configuration, status, expected, error);
    cr_assert(strstr(error, words) != NULL, "%s: '%s' not in: %s", configuration, words, error);
    cr_assert(strlen(error) < ERROR_TEXT_BYTES - 1, "cut: %s", error);
    cr_assert_str_eq(host, "127.0.0.1");
    close_tcl(tcl);
    openocd_stop(&openocd);
}

Test(tcl, a_gdb_port_that_would_halt_is_unsafe)
{
    static const char fix[] = "add 'x.cpu configure -event gdb-attach {echo attached}'";

    gdb_port_is("", TXTAP_ERROR_UNSAFE, fix);
    gdb_port_is("x.cpu configure -event gdb-attach {}", TXTAP_ERROR_UNSAFE, fix);
    gdb_port_is("x.cpu configure -event gdb-attach { halt }", TXTAP_ERROR_UNSAFE, "halt");
    gdb_port_is("x.cpu configure -event gdb-attach { reset init }", TXTAP_ERROR_UNSAFE,
                "runs 'reset init' (gdb-attach)");
    gdb_port_is("x.cpu configure -event gdb-attach \"echo a\\n halt\"", TXTAP_ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach { echo [halt] }", TXTAP_ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach { echo \"a\" ; halt }", TXTAP_ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach { echo \"a\"halt }", TXTAP_ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach {echo a\\x3b}", TXTAP_ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach { echoes }", TXTAP_ERROR_UNSAFE, "may disturb");
    gdb_port_is("x.cpu configure -event gdb-attach { echo a \\\n halt }", TXTAP_ERROR_UNSAFE, "may disturb");
}

Test(tcl, what_openocd_does_when_gdb_leaves_counts_as_well)
{
    gdb_port_is("x.cpu configure -event gdb-attach { }; x.cpu configure -event gdb-detach { resume }",
                TXTAP_ERROR_UNSAFE, "runs 'resume' (gdb-detach)");
    gdb_port_is("x.cpu configure -event gdb-attach { }; x.cpu configure -event gdb-end { halt }", TXTAP_ERROR_UNSAFE,
                "runs 'halt' (gdb-end)");
}

Test(tcl, a_gdb_port_that_leaves_the_target_alone_is_allowed)
{
    gdb_port_is("x.cpu configure -event gdb-attach { }", TXTAP_OK, "");
    gdb_port_is("x.cpu configure -event gdb-attach {echo attached}", TXTAP_OK, "");
    gdb_port_is("x.cpu configure -event gdb-attach { echo \"gdb is here; all is well\" }", TXTAP_OK, "");
    gdb_port_is("x.cpu configure -event gdb-attach \"# halt it?\\n echo no; echo never\"", TXTAP_OK, "");
    gdb_port_is("x.cpu configure -event gdb-attach { }; x.cpu configure -event gdb-detach {}", TXTAP_OK, "");
}

Test(tcl, a_gdb_port_of_another_server_is_unsafe)
{
    gdb_port_is("x.cpu configure -event gdb-attach { }; gdb_port 0", TXTAP_ERROR_UNSAFE, "none of its GDB ports (0)");
    gdb_port_is("x.cpu configure -event gdb-attach { }; gdb_port disabled", TXTAP_ERROR_UNSAFE,
                "none of its GDB ports");
}

Test(tcl, only_a_yes_about_the_gdb_port_is_one)
{
    static const char *const nonsense[] = {"",
                                           "txtap gdb",
                                           "txtap gdb acts",
                                           "txtap gdb acts [exit] gdb-attach x",
                                           "invalid command name \"txtap_gdb\"",
                                           "ok",
                                           "txtap gdb run"};
    char error[ERROR_TEXT_BYTES];

    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++)
        cr_assert_eq(tcl_reply_gdb(nonsense[i], strlen(nonsense[i]), "3333", error), TXTAP_ERROR_PROTOCOL, "%s",
                     nonsense[i]);
    cr_assert_eq(tcl_reply_gdb("txtap gdb breakpoints x", 23, "3333", error), TXTAP_ERROR_UNSAFE);
    cr_assert_eq(tcl_reply_gdb("txtap gdb runs x", 16, "3333", error), TXTAP_OK);
}

Test(tcl, tells_target_name_state_and_adapter_speed)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    char state[TCL_TARGET_STATE_BYTES] = "";
    unsigned khz = 0;

    openocd_start(&openocd, TESTEE, "echo ready");
    tcl = open_or_fail(openocd.tcl_port);
    cr_assert_str_eq(tcl_target_name(tcl), "x.cpu");
    cr_assert(tcl_target_state(tcl, state) == TXTAP_OK);
    cr_assert(state[0] != '\0');
    cr_assert(tcl_adapter_khz(tcl, &khz) == TXTAP_OK);
    cr_assert_eq(khz, 1000);
    close_tcl(tcl);
    openocd_stop(&openocd);
}

Test(tcl, openocd_that_ends_is_a_closed_connection_and_stays_one)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    uint8_t bytes[4];

    openocd_start(&openocd, TESTEE, MEMORY_MODEL);
    tcl = open_or_fail(openocd.tcl_port);
    openocd_stop(&openocd);
    cr_assert(read_words(tcl, 0x20000000, bytes, 4) == TXTAP_ERROR_CLOSED, "%s", error_of(tcl));
    cr_assert(strstr(error_of(tcl), "hung up") != NULL, "%s", error_of(tcl));
    cr_assert(read_words(tcl, 0x20000000, bytes, 4) == TXTAP_ERROR_CLOSED);
    cr_assert(strstr(error_of(tcl), "connect again") != NULL, "%s", error_of(tcl));
    close_tcl(tcl);
}

Test(tcl, openocd_that_is_stopped_is_a_timeout)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    char error[ERROR_TEXT_BYTES];
    uint8_t bytes[4];

    openocd_start(&openocd, TESTEE, MEMORY_MODEL);
    cr_assert(tcl_open(&tcl, "127.0.0.1", openocd.tcl_port, 1000, error) == TXTAP_OK, "%s", error);
    kill(openocd.pid, SIGSTOP);
    cr_assert(read_words(tcl, 0x20000000, bytes, 4) == TXTAP_ERROR_TIMEOUT, "%s", error_of(tcl));
    cr_assert(read_words(tcl, 0x20000000, bytes, 4) == TXTAP_ERROR_CLOSED, "a late answer could be taken for the next");
    kill(openocd.pid, SIGCONT);
    close_tcl(tcl);
    openocd_stop(&openocd);
}

static void peer_fails(struct peer peer, unsigned timeout_ms, enum txtap_status expected, const char *words)
{
    peer_start(&peer);
    open_fails("127.0.0.1", peer.port, timeout_ms, expected, words);
    peer_join(&peer);
}

/* OpenOCD prints results on its console as well, which costs time, and stops it where nobody reads the console. */
Test(tcl, openocds_console_is_kept_free_of_target_memory)
{
    struct openocd openocd;
    struct tcl_source *tcl;
    static char console[65536];
    uint8_t bytes[4096];
    ssize_t got;

    openocd_start(&openocd, TESTEE, MEMORY_MODEL);
    tcl = open_or_fail(openocd.tcl_port);
    for (unsigned i = 0; i < 40; i++) /* ten times what fits into the console's pipe */
        cr_assert(read_words(tcl, 0x20000000, bytes, sizeof bytes) == TXTAP_OK, "%s", error_of(tcl));
    close_tcl(tcl);
    kill(openocd.pid, SIGTERM);
    while ((got = read(openocd.log, console, sizeof console - 1)) > 0) {
        console[got] = '\0';
        cr_assert(strstr(console, "0x7a5a5a5a") == NULL, "memory on the console: %.200s", console);
    }
    openocd_stop(&openocd);
}

/* OpenOCD after 0.12 hangs up on the quiet way. */
Test(tcl, openocd_that_hangs_up_on_the_quiet_way_is_asked_the_other_way)
{
    const char *first[] = {PEER_PROBE_OK, "\x1a", NULL};
    const char *closes[] = {PEER_PROBE_OK, NULL};
    const char *second[] = {PEER_PROBE_OK, PEER_HELLO_OK, "ok 0x1 0x2\x1a", NULL};
    const char *const *firsts[] = {first, closes};

    for (size_t i = 0; i < 2; i++) {
        struct peer peer = {.answers = firsts[i], .second = second};
        struct tcl_source *tcl;
        uint8_t bytes[8];

        peer_start(&peer);
        tcl = open_or_fail(peer.port);
        cr_assert(read_words(tcl, 0x20000000, bytes, 8) == TXTAP_OK, "%s", error_of(tcl));
        cr_assert_eq(bytes[4], 2);
        close_tcl(tcl);
        peer_join(&peer);
    }
    peer_fails((struct peer){.answers = first, .second = first}, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "makes no sense");
    peer_fails((struct peer){.answers = first, .second = closes}, TIMEOUT_MS, TXTAP_ERROR_CLOSED, "hung up");
}

Test(tcl, servers_that_are_not_openocd_are_told_apart)
{
    const char *http[] = {"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nno\r\n", NULL};
    const char *junk[] = {"\x1b[31mhello\n\x1a", NULL};
    const char *empty[] = {"\x1a", NULL};
    const char *half[] = {"txtap-probe 0 {Op", NULL};
    const char *begins[] = {"txtap-probe 0 ", NULL};

    peer_fails((struct peer){.holds = true}, 150, TXTAP_ERROR_TIMEOUT, "accepts but does not answer within 150 ms");
    peer_fails((struct peer){.holds = false}, TIMEOUT_MS, TXTAP_ERROR_CLOSED, "hung up without an answer");
    peer_fails((struct peer){.answers = http, .by_line = true}, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "HTTP server");
    peer_fails((struct peer){.greeting = "+", .holds = true}, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "GDB remote port");
    peer_fails((struct peer){.greeting = "SSH-2.0-x\r\n", .holds = true}, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "SSH");
    peer_fails((struct peer){.answers = junk}, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "some other server ('.[31mhello .')");
    peer_fails((struct peer){.answers = empty}, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "some other server");
    peer_fails((struct peer){.answers = half}, TIMEOUT_MS, TXTAP_ERROR_CLOSED, "hung up");
    peer_fails((struct peer){.answers = begins, .talks_on = true}, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "more than");
}

Test(tcl, nonsense_in_the_greeting_is_a_protocol_error)
{
    const char *unknown[] = {PEER_PROBE_OK, "invalid command name \"txtap_hello\"\x1a", NULL};
    const char *hostile[] = {PEER_PROBE_OK, "txtap target [exit] little read_memory 1 running\x1a", NULL};
    const char *two[] = {PEER_PROBE_OK, PEER_HELLO_OK "again\x1a", NULL};

    peer_fails((struct peer){.answers = unknown}, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "makes no sense");
    peer_fails((struct peer){.answers = hostile}, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "makes no sense");
    peer_fails((struct peer){.answers = two}, TIMEOUT_MS, TXTAP_ERROR_PROTOCOL, "more than it was asked for");
}

/* Reads two words from a peer that gives this answer; the connection must be given up unless the status is a fault. */
static void answer_gives(struct peer peer, const char *answer, enum txtap_status expected)
{
    const char *answers[] = {PEER_PROBE_OK, PEER_HELLO_OK, answer, NULL};
    struct tcl_source *tcl;
    uint8_t bytes[8];
    enum txtap_status status;

    peer.answers = answers;
    peer_start(&peer);
    tcl = open_or_fail(peer.port);
    status = read_words(tcl, 0x20000000, bytes, 8);
    cr_assert(status == expected, "'%s': %d, not %d: %s", answer, status, expected, error_of(tcl));
    if (expected != TXTAP_OK && expected != TXTAP_ERROR_FAULT && expected != TXTAP_ERROR_TARGET)
        cr_assert(read_words(tcl, 0x20000000, bytes, 8) == TXTAP_ERROR_CLOSED);
    close_tcl(tcl);
    peer_join(&peer);
}

Test(tcl, answers_that_are_not_what_was_asked_for_are_refused)
{
    struct peer plain = {.holds = true};

    answer_gives(plain, "ok 0x1 0xffffffff\x1a", TXTAP_OK);
    answer_gives(plain, "fault 0x20000000 2 failed to read memory\x1a", TXTAP_ERROR_FAULT);
    answer_gives(plain, "target unknown failed\x1a", TXTAP_ERROR_TARGET);
    answer_gives(plain, "ok 0x1\x1a", TXTAP_ERROR_PROTOCOL);
    answer_gives(plain, "ok 0x1 0x2 0x3\x1a", TXTAP_ERROR_PROTOCOL);
    answer_gives(plain, "ok 0x1 0x123456789\x1a", TXTAP_ERROR_PROTOCOL);
    answer_gives(plain, "ok 0x1 0x2\x1aok 0x1 0x2\x1a", TXTAP_ERROR_PROTOCOL);
    answer_gives(plain, "\x1a", TXTAP_ERROR_PROTOCOL);
    answer_gives(plain, "type target_state state halted\r\n\x1a", TXTAP_ERROR_PROTOCOL);
    answer_gives((struct peer){.holds = false}, "ok 0x1 0x", TXTAP_ERROR_CLOSED);
    answer_gives((struct peer){.talks_on = true}, "ok 0x1 0x2", TXTAP_ERROR_PROTOCOL);
}

Test(tcl, every_prefix_and_bit_flip_of_an_answer_is_survived)
{
    static const char answer[] = "ok 0x20001234 0x0 0xdeadbeef";
    uint8_t bytes[12];
    struct txtap_read read = {0x20000000, 12, bytes};
    char error[ERROR_TEXT_BYTES];

    cr_assert(tcl_reply_words(answer, sizeof answer - 1, TXTAP_LITTLE, &read, 1, error) == TXTAP_OK);
    for (size_t length = 0; length < sizeof answer - 1; length++) {
        char *copy = malloc(length + 1); /* exactly sized: the sanitizer sees a byte too many */
        enum txtap_status status;

        memcpy(copy, answer, length);
        status = tcl_reply_words(copy, length, TXTAP_LITTLE, &read, 1, error);
        /* A last word cut short is still a word: the terminator, which the connection checks, is the proof. */
        cr_assert(status == TXTAP_ERROR_PROTOCOL || length > 20, "%zu: %d", length, status);
        free(copy);
    }
    for (size_t bit = 0; bit < 8 * (sizeof answer - 1); bit++) {
        char copy[sizeof answer];
        enum txtap_status status;

        memcpy(copy, answer, sizeof answer);
        copy[bit / 8] = (char)(copy[bit / 8] ^ 1 << bit % 8);
        status = tcl_reply_words(copy, sizeof answer - 1, TXTAP_LITTLE, &read, 1, error);
        cr_assert(status == TXTAP_OK || status == TXTAP_ERROR_PROTOCOL, "%zu: %d", bit, status);
    }
}
