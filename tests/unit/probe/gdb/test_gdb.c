/* SPDX-License-Identifier: MIT */
/*
 * The GDB client with scripted servers. Each server checks that no received packet changes a target. tests/e2e/gdb.sh
 * tests real servers.
 */
#include "probe/gdb/gdb.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "probe/gdb/gdb_framing.h"
#include "probe/gdb/gdb_peer.h"
#include "probe/openocd/openocd_peer.h"
#include "error_line.h"

#define TIMEOUT_MS 30000
#define OPENOCD    "PacketSize=4000;qXfer:memory-map:read-;QStartNoAckMode+;vContSupported+"
#define QEMU       "PacketSize=1000;qXfer:features:read+;vContSupported+"
#define QEMU_BITS  "ENABLE=1,NOIRQ=2,NOTIMER=4"

static struct gdb_peer peer; /* static because it is large */

static struct gdb_source *open_or_fail(enum gdb_manner manner)
{
    struct error error;
    struct gdb_source *gdb;
    enum txtap_status status = gdb_open(&gdb, "127.0.0.1", peer.port, manner, TIMEOUT_MS, &error);

    cr_assert(status == TXTAP_OK, "%s", error_line(&error));
    return gdb;
}

static void close_gdb(struct gdb_source *gdb)
{
    gdb_source_of(gdb).ops->close(gdb);
}

static const char *error_of(struct gdb_source *gdb)
{
    return source_error_line(gdb_source_of(gdb));
}

static enum txtap_status read_bytes(struct gdb_source *gdb, uint32_t address, uint8_t *bytes, uint32_t length)
{
    struct txtap_read read = {address, length, bytes};

    return gdb_source_of(gdb).ops->read(gdb, &read, 1);
}

static void is_clean_line(const char *error, const char *words)
{
    cr_assert(strstr(error, words) != NULL, "'%s' not in: %s", words, error);
    cr_assert(strlen(error) < ERROR_TEXT_BYTES - 1, "cut: %s", error);
    for (const char *c = error; *c != '\0'; c++)
        cr_assert(*c >= ' ' && *c <= '~', "unprintable byte in: %s", error);
}

/* Connects to a server with this script. Checks that this fails with the given status and message. */
static void open_fails(enum gdb_manner manner, struct gdb_peer_script script, unsigned timeout_ms,
                       enum txtap_status expected, const char *words)
{
    struct error error = {0};
    struct gdb_source *gdb;
    enum txtap_status status;

    peer = (struct gdb_peer){.scripts = {script}};
    gdb_peer_start(&peer);
    status = gdb_open(&gdb, "127.0.0.1", peer.port, manner, timeout_ms, &error);
    cr_assert(status == expected, "status %d, not %d: %s", status, expected, error_line(&error));
    cr_assert(gdb == NULL);
    is_clean_line(error_line(&error), words);
    gdb_peer_join(&peer);
}

static bool was_sent(size_t connection, const char *text)
{
    return memmem(peer.received[connection], peer.received_length[connection], text, strlen(text)) != NULL;
}

/* ---- sent packets ---- */

Test(gdb, every_packet_reads_or_queries_or_detaches)
{
    for (int packet = 0; packet < GDB_PACKETS; packet++) {
        char out[GDB_PACKET_BYTES_MAX];
        size_t length = gdb_packet_compose(out, sizeof out, (enum gdb_packet)packet, 0xfffffffc, 65536);

        cr_assert_gt(length, 0);
        gdb_peer_check_harmless(out, length);
        cr_assert_eq(gdb_packet_compose(out, length - 1, (enum gdb_packet)packet, 0xfffffffc, 65536), 0);
    }
}

static unsigned occurrences(const char *path, const char *what)
{
    static char text[65536];
    char name[512];
    FILE *file;
    unsigned count = 0;

    snprintf(name, sizeof name, "%s/../../%s", TXTAP_TEST_DATA, path);
    file = fopen(name, "r");
    cr_assert(file != NULL, "%s", name);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what))
        count++;
    return count;
}

/* Only one call in the sources sends packets, and only one function composes them. */
Test(gdb, one_function_sends_and_one_function_composes)
{
    static const char *const others[] = {"capture/probe/gdb/probe_gdb.c", "capture/probe/gdb/gdb_framing.c",
                                         "capture/probe/gdb/gdb.c"};
    static const char *const senders[] = {"send(", "write(", "sendmsg(", "request +"};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (size_t j = 0; j < sizeof senders / sizeof *senders; j++)
            cr_assert_eq(occurrences(others[i], senders[j]), 0, "%s in %s", senders[j], others[i]);
    cr_assert_eq(occurrences("capture/probe/gdb/gdb_link.c", "send("), 1);
    cr_assert_eq(occurrences("capture/probe/gdb/gdb_link.c", "write("), 0);
    cr_assert_eq(occurrences("capture/probe/gdb/gdb_link.c", "sendmsg("), 0);
    cr_assert_eq(occurrences("capture/probe/gdb/gdb_link.c", "gdb_packet_compose("), 1);
    cr_assert_eq(occurrences("capture/probe/gdb/gdb_link.c", "request +"), 1);
}

/* ---- a server that lets its target run ---- */

Test(gdb, openocd_is_read_in_one_exchange_and_in_order)
{
    const char *batch[] = {OPENOCD, "", "OK", "E0E", "0a0b0c0d", "0102030405060708", "fFfEfDfC", NULL};
    uint8_t a[4], b[8], c[4];
    struct txtap_read reads[] = {{0x20000010, 4, a}, {0x20000000, 0, NULL}, {0x20000000, 8, b}, {0x2000001c, 4, c}};
    struct gdb_source *gdb;

    peer = (struct gdb_peer){.scripts = {{.greeting = "+", .answers = batch}}};
    gdb_peer_start(&peer);
    gdb = open_or_fail(GDB_RUNS);
    cr_assert(gdb_source_of(gdb).ops->read(gdb, reads, 4) == TXTAP_OK, "%s", error_of(gdb));
    cr_assert_eq(memcmp(a, "\x0a\x0b\x0c\x0d", 4), 0);
    cr_assert_eq(memcmp(b, "\1\2\3\4\5\6\7\10", 8), 0);
    cr_assert_eq(memcmp(c, "\xff\xfe\xfd\xfc", 4), 0);
    cr_assert_eq(gdb_stops(gdb).count, 0);
    close_gdb(gdb);
    gdb_peer_join(&peer);
    cr_assert(was_sent(0, "$m20000010,4#50$m20000000,8#53$m2000001c,4#83"), "%.*s", (int)peer.received_length[0],
              peer.received[0]);
    cr_assert(!was_sent(0, "$D#"));
}

Test(gdb, a_large_read_is_cut_to_the_servers_packets)
{
    static char half[2 * 192 + 1]; /* half of PacketSize 0x184: 192 bytes as digits */
    const char *answers[] = {"PacketSize=184;QStartNoAckMode+", "", "OK", "E01", half, half, "01020304", NULL};
    uint8_t bytes[388] = {0};
    struct gdb_source *gdb;

    memset(half, '7', sizeof half - 1);
    peer = (struct gdb_peer){.scripts = {{.answers = answers}}};
    gdb_peer_start(&peer);
    gdb = open_or_fail(GDB_RUNS);
    cr_assert(read_bytes(gdb, 0x20000000, bytes, sizeof bytes) == TXTAP_OK, "%s", error_of(gdb));
    cr_assert_eq(bytes[383], 0x77);
    cr_assert_eq(bytes[384], 1);
    close_gdb(gdb);
    gdb_peer_join(&peer);
    cr_assert(was_sent(0, "$m20000000,c0#") && was_sent(0, "$m200000c0,c0#") && was_sent(0, "$m20000180,4#"));
}

Test(gdb, a_server_that_waits_for_acknowledgements_gets_them)
{
    const char *answers[] = {"!+$PacketSize=400#c4", "!+$#00", "!+$E01#a6", "!+$0a0b0c0d#4a", "!+$01020304#8a", NULL};
    uint8_t a[4], b[4];
    struct txtap_read reads[] = {{0x20000010, 4, a}, {0x20000000, 4, b}};
    struct gdb_source *gdb;

    peer = (struct gdb_peer){.scripts = {{.answers = answers, .holds = true}}};
    gdb_peer_start(&peer);
    gdb = open_or_fail(GDB_RUNS);
    cr_assert(gdb_source_of(gdb).ops->read(gdb, reads, 2) == TXTAP_OK, "%s", error_of(gdb));
    cr_assert_eq(a[0], 0x0a);
    cr_assert_eq(b[3], 4);
    close_gdb(gdb);
    gdb_peer_join(&peer);
    cr_assert(was_sent(0, "$m20000010,4#50+$m20000000,4#4f+"), "%.*s", (int)peer.received_length[0], peer.received[0]);
    cr_assert(!was_sent(0, "QStartNoAckMode"));
}

Test(gdb, keep_alives_console_output_and_stray_characters_are_skipped)
{
    const char *answers[] = {"!+$O#4f+"
                             "$PacketSize=4000;QStartNoAckMode+#0a",
                             "",
                             "OK",
                             "E0E",
                             "!+%oocd_keepalive:00#54$O48690a#bb+$T05#b9$0a0b0c0d#4a+",
                             "01020304",
                             NULL};
    uint8_t bytes[4];
    struct gdb_source *gdb;

    peer = (struct gdb_peer){.scripts = {{.greeting = "+", .answers = answers, .holds = true}}};
    gdb_peer_start(&peer);
    gdb = open_or_fail(GDB_RUNS);
    cr_assert(read_bytes(gdb, 0x20000000, bytes, 4) == TXTAP_OK, "%s", error_of(gdb));
    cr_assert_eq(bytes[0], 0x0a);
    cr_assert(read_bytes(gdb, 0x20000000, bytes, 4) == TXTAP_OK, "%s", error_of(gdb));
    cr_assert_eq(bytes[0], 1);
    close_gdb(gdb);
    gdb_peer_join(&peer);
}

Test(gdb, a_refused_address_is_a_fault_and_the_connection_stays)
{
    const char *answers[] = {OPENOCD, "",    "OK",  "E0E",      "01020304",          "E0E",      "05060708",
                             "0102",  "E01", "E02", "05060708", "E.no memory there", "0a0b0c0d", NULL};
    uint8_t a[4], b[4], c[4];
    struct txtap_read reads[] = {{0x20000000, 4, a}, {0x10000040, 4, b}, {0x20000010, 4, c}};
    struct gdb_source *gdb;

    peer = (struct gdb_peer){.scripts = {{.answers = answers, .holds = true}}};
    gdb_peer_start(&peer);
    gdb = open_or_fail(GDB_RUNS);
    cr_assert(gdb_source_of(gdb).ops->read(gdb, reads, 3) == ERROR_FAULT);
    is_clean_line(error_of(gdb), "refuses to be read at 0x10000040 (4 bytes)");
    cr_assert(read_bytes(gdb, 0x2001fffc, a, 4) == ERROR_FAULT, "half of it was there");
    is_clean_line(error_of(gdb), "refuses to be read at 0x2001fffe (2 bytes)");
    reads[0].address = 0x10000000;
    cr_assert(gdb_source_of(gdb).ops->read(gdb, reads, 3) == ERROR_FAULT);
    is_clean_line(error_of(gdb), "refuses to be read at 0x10000000 (4 bytes)");
    cr_assert(read_bytes(gdb, 0x30000000, a, 4) == ERROR_FAULT);
    cr_assert(read_bytes(gdb, 0x20000000, a, 4) == TXTAP_OK, "%s", error_of(gdb));
    cr_assert_eq(a[0], 0x0a);
    close_gdb(gdb);
    gdb_peer_join(&peer);
}

Test(gdb, limits_are_checked_before_anything_is_sent)
{
    const char *answers[] = {OPENOCD, "", "OK", "E0E", NULL};
    uint8_t bytes[4];
    struct gdb_source *gdb;

    peer = (struct gdb_peer){.scripts = {{.answers = answers, .holds = true}}};
    gdb_peer_start(&peer);
    gdb = open_or_fail(GDB_RUNS);
    cr_assert_eq(read_bytes(gdb, 0x20000002, bytes, 4), TXTAP_ERROR_USAGE);
    cr_assert_eq(read_bytes(gdb, 0x20000000, bytes, 3), TXTAP_ERROR_USAGE);
    cr_assert_eq(read_bytes(gdb, 0xfffffffc, bytes, 8), TXTAP_ERROR_USAGE);
    cr_assert_eq(read_bytes(gdb, 0x20000000, bytes, GDB_READ_BYTES_MAX + 4), TXTAP_ERROR_USAGE);
    cr_assert_eq(read_bytes(gdb, 0x20000000, bytes, 0), TXTAP_OK);
    close_gdb(gdb);
    gdb_peer_join(&peer);
    cr_assert(!was_sent(0, "$m2"));
}

/* ---- refused servers ---- */

Test(gdb, a_server_whose_failed_reads_are_zeros_is_refused)
{
    const char *answers[] = {OPENOCD, "", "OK", "00000000", NULL};
    const char *reads_nothing[] = {OPENOCD, "", "OK", "", NULL};

    open_fails(GDB_RUNS, (struct gdb_peer_script){.answers = answers, .holds = true}, TIMEOUT_MS, ERROR_PROTOCOL,
               "gdb_report_data_abort enable");
    cr_assert(!was_sent(0, "$m2"));
    open_fails(GDB_RUNS, (struct gdb_peer_script){.answers = reads_nothing, .holds = true}, TIMEOUT_MS, ERROR_PROTOCOL,
               "cannot read memory");
}

Test(gdb, a_server_that_stops_its_target_is_detached_and_refused)
{
    const char *qemu[] = {QEMU, QEMU_BITS, "OK", NULL};
    const char *stops[] = {OPENOCD, "", "OK", NULL};

    open_fails(GDB_RUNS, (struct gdb_peer_script){.answers = qemu}, TIMEOUT_MS, ERROR_UNSAFE, "--intrusive");
    cr_assert(was_sent(0, "$D#44"));
    open_fails(GDB_RUNS, (struct gdb_peer_script){.greeting = "$T02thread:01;#04", .answers = stops, .holds = true},
               TIMEOUT_MS, ERROR_UNSAFE, "stopped its target");
    cr_assert(was_sent(0, "$D#44"));
}

/* DHCSR, as a server sends it */
#define CORE_RUNS   "01000100"
#define CORE_HALTED "03000300"
#define CORE_READ   "$me000edf0,4#21"

/* Connects to a server with these answers, which must succeed, and checks the proof and that nothing was detached. */
static void open_proves(enum gdb_manner manner, const char *const *answers, enum gdb_proof expected)
{
    struct gdb_source *gdb;

    peer = (struct gdb_peer){.scripts = {{.answers = answers}}};
    gdb_peer_start(&peer);
    gdb = open_or_fail(manner);
    cr_assert_eq(gdb_proof(gdb), expected);
    close_gdb(gdb);
    gdb_peer_join(&peer);
    cr_assert(!was_sent(0, "$D#44"));
}

Test(gdb, a_trusted_server_is_asked_whether_its_target_is_halted)
{
    const char *halted[] = {OPENOCD, "", "E0E", "S02", "OK", NULL};
    const char *runs[] = {OPENOCD, "", "E0E", "S00", "OK", "E0E", NULL};
    const char *foreign_core[] = {OPENOCD, "", "010000f0", "S05", "OK", NULL};
    const char *no_core[] = {OPENOCD, "", "00000000", "S05", "OK", NULL};

    open_fails(GDB_TRUSTED, (struct gdb_peer_script){.answers = halted}, TIMEOUT_MS, ERROR_UNSAFE,
               "has halted its target");
    cr_assert(was_sent(0, "$D#44"));
    open_fails(GDB_TRUSTED, (struct gdb_peer_script){.answers = foreign_core}, TIMEOUT_MS, ERROR_UNSAFE,
               "is still halted");
    open_fails(GDB_TRUSTED, (struct gdb_peer_script){.answers = no_core}, TIMEOUT_MS, ERROR_UNSAFE, "is still halted");
    open_proves(GDB_TRUSTED, runs, GDB_PROOF_SERVER);
}

Test(gdb, the_core_itself_has_priority_over_the_word_of_a_server)
{
    const char *halted[] = {OPENOCD, "", CORE_HALTED, "OK", NULL};
    const char *runs[] = {OPENOCD, "", CORE_RUNS, "OK", "E0E", NULL};

    open_fails(GDB_TRUSTED, (struct gdb_peer_script){.answers = halted}, TIMEOUT_MS, ERROR_UNSAFE,
               "has halted its target");
    cr_assert(was_sent(0, CORE_READ));
    cr_assert(was_sent(0, "$D#44"));
    open_proves(GDB_TRUSTED, runs, GDB_PROOF_CORE);
    cr_assert(!was_sent(0, "$?#3f"), "the server was asked although the core answered");
}

Test(gdb, a_core_that_another_client_may_have_halted_is_not_resumed)
{
    const char *halted[] = {OPENOCD, "", CORE_HALTED, NULL};

    open_fails(GDB_SHARED, (struct gdb_peer_script){.answers = halted, .holds = true}, TIMEOUT_MS, ERROR_TARGET,
               "the core is halted, by the other client");
    cr_assert(!was_sent(0, "$D#44"));
}

#define NON_STOP     "PacketSize=4000;QNonStop+;QStartNoAckMode+"
#define STOP_MESSAGE "%Stop:T05thread:01;#e7"

Test(gdb, a_server_in_non_stop_mode_lets_its_target_run)
{
    const char *runs[] = {NON_STOP, "", "OK", "!" STOP_MESSAGE "+$OK#9a" STOP_MESSAGE, "OK", "E01", NULL};
    const char *halted[] = {NON_STOP, "", "OK", "T05thread:01;", "OK", NULL};
    const char *refuses[] = {NON_STOP, "", "E01", "OK", NULL};
    const char *without[] = {OPENOCD, "", "OK", NULL};

    open_proves(GDB_NON_STOP, runs, GDB_PROOF_SERVER);
    cr_assert(was_sent(0, "$QNonStop:1#8d"));
    cr_assert(!was_sent(0, CORE_READ));
    open_fails(GDB_NON_STOP, (struct gdb_peer_script){.answers = halted}, TIMEOUT_MS, ERROR_UNSAFE, "found it halted");
    open_fails(GDB_NON_STOP, (struct gdb_peer_script){.answers = refuses}, TIMEOUT_MS, ERROR_UNSAFE,
               "has no non-stop mode");
    open_fails(GDB_NON_STOP, (struct gdb_peer_script){.answers = without}, TIMEOUT_MS, ERROR_UNSAFE,
               "has no non-stop mode");
    cr_assert(!was_sent(0, "QNonStop"));
    cr_assert(was_sent(0, "$D#44"));
}

Test(gdb, other_servers_are_recognised)
{
    const char *none[] = {NULL};
    const char *junk[] = {"!HTTP/1.1 400 Bad Request\r\n\x1b[31m", NULL};
    const char *tiny[] = {"PacketSize=40", NULL};
    const char *nak[] = {"!-", NULL};
    const char *wrong_sum[] = {"!$OK#00", NULL};
    char port[8];
    struct error error;
    struct gdb_source *gdb;

    open_fails(GDB_RUNS, (struct gdb_peer_script){.answers = none}, TIMEOUT_MS, ERROR_CLOSED, "closed the connection");
    open_fails(GDB_RUNS, (struct gdb_peer_script){.answers = none, .holds = true}, 150, ERROR_TIMEOUT,
               "does not answer within 150 ms");
    open_fails(GDB_RUNS, (struct gdb_peer_script){.answers = none, .talks_on = true}, 150, ERROR_TIMEOUT,
               "does not answer within 150 ms");
    open_fails(GDB_RUNS, (struct gdb_peer_script){.answers = junk}, TIMEOUT_MS, ERROR_PROTOCOL,
               "bytes outside of a packet ('HTTP/1.1 400 Bad");
    open_fails(GDB_RUNS, (struct gdb_peer_script){.answers = tiny}, TIMEOUT_MS, ERROR_PROTOCOL, "64 bytes only");
    open_fails(GDB_RUNS, (struct gdb_peer_script){.answers = nak}, TIMEOUT_MS, ERROR_PROTOCOL, "not asked for");
    open_fails(GDB_RUNS, (struct gdb_peer_script){.answers = wrong_sum}, TIMEOUT_MS, ERROR_PROTOCOL, "wrong check sum");
    peer_unused_port(port);
    cr_assert_eq(gdb_open(&gdb, "127.0.0.1", port, GDB_RUNS, TIMEOUT_MS, &error), ERROR_UNREACHABLE);
    is_clean_line(error_line(&error), "Connection refused: start it, or give its port as --gdb HOST:PORT");
}

Test(gdb, a_server_that_sends_forever_can_be_interrupted)
{
    static const char *const none[] = {NULL};

    runtime_init();
    cr_assert_eq(raise(SIGINT), 0);
    open_fails(GDB_RUNS, (struct gdb_peer_script){.answers = none, .talks_on = true}, TIMEOUT_MS, ERROR_INTERRUPTED,
               "interrupted");
}

/* Reads 8 bytes from a server that gives this answer. The client must refuse it and close the connection. */
static void answer_is_refused(const char *answer, struct gdb_peer_script script, enum txtap_status expected)
{
    const char *answers[] = {OPENOCD, "", "OK", "E0E", answer, NULL};
    struct gdb_source *gdb;
    uint8_t bytes[8];
    enum txtap_status status;

    script.answers = answers;
    peer = (struct gdb_peer){.scripts = {script}};
    gdb_peer_start(&peer);
    gdb = open_or_fail(GDB_RUNS);
    status = read_bytes(gdb, 0x20000000, bytes, 8);
    cr_assert(status == expected, "'%s': %d, not %d: %s", answer, status, expected, error_of(gdb));
    is_clean_line(error_of(gdb), "GDB server at 127.0.0.1:");
    cr_assert_eq(read_bytes(gdb, 0x20000000, bytes, 8), ERROR_CLOSED);
    is_clean_line(error_of(gdb), "connect again");
    close_gdb(gdb);
    gdb_peer_join(&peer);
}

Test(gdb, unexpected_answers_end_the_connection)
{
    struct gdb_peer_script plain = {.holds = true};

    answer_is_refused("", plain, ERROR_PROTOCOL);
    answer_is_refused("OK", plain, ERROR_PROTOCOL);
    answer_is_refused("0102030", plain, ERROR_PROTOCOL);
    answer_is_refused("010203040506070x", plain, ERROR_PROTOCOL);
    answer_is_refused("010203040506070809", plain, ERROR_PROTOCOL);
    answer_is_refused("!$0102030405060708#00", plain, ERROR_PROTOCOL);
    answer_is_refused("!-", plain, ERROR_PROTOCOL);
    answer_is_refused("!$0102", (struct gdb_peer_script){.holds = false}, ERROR_CLOSED);
}

/* ---- QEMU's server, which stops its machine while a client is connected ---- */

Test(gdb, qemu_is_detached_after_each_read_and_gets_nothing_more)
{
    const char *greeted[] = {QEMU_BITS, QEMU, "E14", "OK", NULL};
    const char *first[] = {"01020304", "05060708", "OK", NULL};
    const char *second[] = {"E14", "OK", NULL};
    uint8_t a[4], b[4];
    struct txtap_read reads[] = {{0x20000010, 4, a}, {0x20000000, 4, b}};
    struct gdb_source *gdb;

    peer = (struct gdb_peer){.scripts = {{.greeting = "$T02thread:01;#04", .answers = greeted, .holds = true},
                                         {.greeting = "$T02thread:01;#04", .answers = first, .holds = true},
                                         {.answers = second, .holds = true}}};
    gdb_peer_start(&peer);
    gdb = open_or_fail(GDB_STOPS);
    cr_assert_eq(gdb_stops(gdb).count, 0);
    cr_assert(gdb_source_of(gdb).ops->read(gdb, reads, 2) == TXTAP_OK, "%s", error_of(gdb));
    cr_assert_eq(b[0], 5);
    cr_assert_eq(gdb_stops(gdb).count, 1);
    cr_assert_eq(read_bytes(gdb, 0x10000000, a, 4), ERROR_FAULT);
    is_clean_line(error_of(gdb), "refuses to be read at 0x10000000");
    cr_assert_eq(gdb_stops(gdb).count, 2);
    cr_assert_geq(gdb_stops(gdb).us, gdb_stops(gdb).us_max);
    close_gdb(gdb);
    gdb_peer_join(&peer);
    for (size_t i = 0; i < 3; i++) {
        cr_assert(was_sent(i, "$D#44"), "connection %zu", i);
        cr_assert(!was_sent(i, "+"), "connection %zu: a byte too many stops it", i);
    }
    cr_assert(was_sent(1, "$m20000010,4#50$m20000000,4#4f$D#44"));
}

Test(gdb, openocd_is_recognised_by_its_greeting_before_a_byte_is_sent)
{
    const char *answers[] = {OPENOCD, NULL};

    /* Even if the peer's thread runs late, the greeting arrives within a part of this timeout. */
    open_fails(GDB_STOPS, (struct gdb_peer_script){.greeting = "+", .answers = answers}, 20 * TIMEOUT_MS, ERROR_UNSAFE,
               "nothing was sent");
    cr_assert_eq(peer.received_length[0], 0);
}

Test(gdb, with_intrusive_a_server_other_than_qemu_is_left_at_once)
{
    const char *answers[] = {"", OPENOCD, "E0E", "OK", NULL};
    const char *zeros[] = {QEMU_BITS, QEMU, "00000000", "OK", NULL};

    open_fails(GDB_STOPS, (struct gdb_peer_script){.answers = answers, .holds = true}, TIMEOUT_MS, ERROR_UNSAFE,
               "may be halted now");
    cr_assert(was_sent(0, "$D#44"));
    open_fails(GDB_STOPS, (struct gdb_peer_script){.answers = zeros, .holds = true}, TIMEOUT_MS, ERROR_PROTOCOL,
               "answers zeros");
    cr_assert(was_sent(0, "$D#44"));
}

/* The server may end before it handles the detach. Then the target may stay stopped, and the user must be told. */
Test(gdb, a_stop_that_may_last_is_reported)
{
    const char *greeted[] = {QEMU_BITS, QEMU, "E14", "OK", NULL};
    const char *half[] = {"01020304", NULL};
    uint8_t bytes[4];
    struct gdb_source *gdb;

    peer = (struct gdb_peer){.scripts = {{.answers = greeted, .holds = true}, {.answers = half}}};
    gdb_peer_start(&peer);
    gdb = open_or_fail(GDB_STOPS);
    cr_assert_eq(read_bytes(gdb, 0x20000000, bytes, 4), ERROR_CLOSED);
    is_clean_line(error_of(gdb), "may stand still now");
    cr_assert_eq(gdb_stops(gdb).count, 0);
    close_gdb(gdb);
    gdb_peer_join(&peer);
}
