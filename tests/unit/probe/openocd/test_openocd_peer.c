/* SPDX-License-Identifier: MIT */
/* The Tcl client with servers that are not OpenOCD or give invalid answers. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "probe/openocd/openocd_client.h"
#include "probe/openocd/openocd_peer.h"

static void peer_fails(struct peer peer, unsigned timeout_ms, enum txtap_status expected, const char *words)
{
    peer_start(&peer);
    open_fails("127.0.0.1", peer.port, timeout_ms, expected, words);
    peer_join(&peer);
}

/* OpenOCD after 0.12 closes the connection when it is asked to keep its console quiet. */
Test(tcl_peer, openocd_that_refuses_the_quiet_request_gets_the_other_request)
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
    peer_fails((struct peer){.answers = first, .second = first}, TIMEOUT_MS, ERROR_PROTOCOL, "unexpected answer");
    peer_fails((struct peer){.answers = first, .second = closes}, TIMEOUT_MS, ERROR_CLOSED, "closed the connection");
}

Test(tcl_peer, other_servers_are_recognised)
{
    const char *http[] = {"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nno\r\n", NULL};
    const char *junk[] = {"\x1b[31mhello\n\x1a", NULL};
    const char *empty[] = {"\x1a", NULL};
    const char *half[] = {"txtap-probe 0 {Op", NULL};
    const char *begins[] = {"txtap-probe 0 ", NULL};

    peer_fails((struct peer){.holds = true}, 150, ERROR_TIMEOUT, "accepts but does not answer within 150 ms");
    peer_fails((struct peer){.holds = false}, TIMEOUT_MS, ERROR_CLOSED, "closed the connection without an answer");
    peer_fails((struct peer){.answers = http, .by_line = true}, TIMEOUT_MS, ERROR_PROTOCOL, "HTTP server");
    peer_fails((struct peer){.greeting = "+", .holds = true}, TIMEOUT_MS, ERROR_PROTOCOL, "GDB remote port");
    peer_fails((struct peer){.greeting = "SSH-2.0-x\r\n", .holds = true}, TIMEOUT_MS, ERROR_PROTOCOL, "SSH");
    peer_fails((struct peer){.answers = junk}, TIMEOUT_MS, ERROR_PROTOCOL, "some other server ('.[31mhello .')");
    peer_fails((struct peer){.answers = empty}, TIMEOUT_MS, ERROR_PROTOCOL, "some other server");
    peer_fails((struct peer){.answers = half}, TIMEOUT_MS, ERROR_CLOSED, "closed the connection");
    peer_fails((struct peer){.answers = begins, .talks_on = true}, TIMEOUT_MS, ERROR_PROTOCOL, "more than");
}

Test(tcl_peer, an_invalid_greeting_is_a_protocol_error)
{
    const char *unknown[] = {PEER_PROBE_OK, "invalid command name \"txtap_hello\"\x1a", NULL};
    const char *hostile[] = {PEER_PROBE_OK, "txtap target [exit] little read_memory 1 running\x1a", NULL};
    const char *two[] = {PEER_PROBE_OK, PEER_HELLO_OK "again\x1a", NULL};

    peer_fails((struct peer){.answers = unknown}, TIMEOUT_MS, ERROR_PROTOCOL, "unexpected answer");
    peer_fails((struct peer){.answers = hostile}, TIMEOUT_MS, ERROR_PROTOCOL, "unexpected answer");
    peer_fails((struct peer){.answers = two}, TIMEOUT_MS, ERROR_PROTOCOL, "more than it was asked for");
}

/* Reads two words from a peer that gives this answer. Unless the status is a fault, the connection must be closed. */
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
    if (expected != TXTAP_OK && expected != ERROR_FAULT && expected != ERROR_TARGET)
        cr_assert(read_words(tcl, 0x20000000, bytes, 8) == ERROR_CLOSED);
    close_tcl(tcl);
    peer_join(&peer);
}

Test(tcl_peer, unexpected_answers_are_refused)
{
    struct peer plain = {.holds = true};

    answer_gives(plain, "ok 0x1 0xffffffff\x1a", TXTAP_OK);
    answer_gives(plain, "fault 0x20000000 2 failed to read memory\x1a", ERROR_FAULT);
    answer_gives(plain, "target unknown failed\x1a", ERROR_TARGET);
    answer_gives(plain, "ok 0x1\x1a", ERROR_PROTOCOL);
    answer_gives(plain, "ok 0x1 0x2 0x3\x1a", ERROR_PROTOCOL);
    answer_gives(plain, "ok 0x1 0x123456789\x1a", ERROR_PROTOCOL);
    answer_gives(plain, "ok 0x1 0x2\x1aok 0x1 0x2\x1a", ERROR_PROTOCOL);
    answer_gives(plain, "\x1a", ERROR_PROTOCOL);
    answer_gives(plain, "type target_state state halted\r\n\x1a", ERROR_PROTOCOL);
    answer_gives((struct peer){.holds = false}, "ok 0x1 0x", ERROR_CLOSED);
    answer_gives((struct peer){.talks_on = true}, "ok 0x1 0x2", ERROR_PROTOCOL);
}

Test(tcl_peer, every_prefix_and_bit_flip_of_an_answer_is_survived)
{
    static const char answer[] = "ok 0x20001234 0x0 0xdeadbeef";
    uint8_t bytes[12];
    struct txtap_read read = {0x20000000, 12, bytes};
    struct error error;

    cr_assert(tcl_reply_words(answer, sizeof answer - 1, TXTAP_LITTLE, &read, 1, &error) == TXTAP_OK);
    for (size_t length = 0; length < sizeof answer - 1; length++) {
        char *copy = malloc(length + 1); /* exact size: the sanitizer detects a read past the end */
        enum txtap_status status;

        memcpy(copy, answer, length);
        status = tcl_reply_words(copy, length, TXTAP_LITTLE, &read, 1, &error);
        /* A truncated last word looks like a word. Only the terminator proves that the word is complete, and the
         * connection checks the terminator. */
        cr_assert(status == ERROR_PROTOCOL || length > 20, "%zu: %d", length, status);
        free(copy);
    }
    for (size_t bit = 0; bit < 8 * (sizeof answer - 1); bit++) {
        char copy[sizeof answer];
        enum txtap_status status;

        memcpy(copy, answer, sizeof answer);
        copy[bit / 8] = (char)(copy[bit / 8] ^ 1 << bit % 8);
        status = tcl_reply_words(copy, sizeof answer - 1, TXTAP_LITTLE, &read, 1, &error);
        cr_assert(status == TXTAP_OK || status == ERROR_PROTOCOL, "%zu: %d", bit, status);
    }
}
