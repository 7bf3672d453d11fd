/* SPDX-License-Identifier: MIT */
/* Packets of the remote serial protocol: whole, truncated or damaged at any byte, and too long. */
#include "probe/gdb/gdb_framing.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 64

static char payload[CAPACITY];

/* Returns the events of a text. Each is a letter, followed by its payload: P packet, N notification, + and -, ! broken
 * packet (with the reason). */
static const char *events_of(const char *bytes, size_t length, size_t piece)
{
    static char events[1024];
    struct rsp_parser parser;
    enum rsp_event event = RSP_MORE;
    size_t out = 0;

    rsp_init(&parser, payload, sizeof payload);
    for (size_t at = 0; at < length && event != RSP_BROKEN;) {
        size_t used, part = length - at < piece ? length - at : piece;

        event = rsp_take(&parser, bytes + at, part, &used);
        at += used;
        if (event == RSP_MORE)
            continue;
        events[out++] = " PN+-!"[event];
        if (event == RSP_PACKET || event == RSP_NOTIFICATION) {
            memcpy(events + out, parser.payload, parser.length);
            out += parser.length;
        }
        if (event == RSP_BROKEN)
            out += strlen(strcpy(events + out, parser.why));
    }
    events[out] = '\0';
    return events;
}

static void gives(const char *text, const char *expected)
{
    for (size_t piece = 1; piece <= strlen(text); piece++)
        cr_assert_str_eq(events_of(text, strlen(text), piece), expected, "'%s' by %zu: %s", text, piece,
                         events_of(text, strlen(text), piece));
}

Test(rsp, parses_packets_acknowledgements_and_notifications)
{
    gives("$OK#9a", "POK");
    gives("$#00", "P");
    gives("++$OK#9A-", "++POK-");
    gives("%oocd_keepalive:00#54$E0E#ba", "Noocd_keepalive:00PE0E");
    gives("$T02thread:01;#04+$b70e0000#ee", "PT02thread:01;+Pb70e0000");
}

Test(rsp, undoes_escapes_and_repetitions)
{
    gives("$}\x03#80", "P#");
    gives("$}]}\x04#5b", "P}$");
    gives("$0* #7a", "P0000");
    gives("$a*\"*\"#f9", "Paaaaaaaaaaa");
    gives("$}\x03*!#cb", "P#####");
}

Test(rsp, refuses_invalid_frames)
{
    gives("HTTP/1.1 400", "!bytes outside of a packet");
    gives("$OK#9ax", "POK!bytes outside of a packet");
    gives("$OK#9b", "!a packet with a wrong check sum");
    gives("$OK#x", "!a packet without a check sum");
    gives("$OK#9x", "!a packet without a check sum");
    gives("$OK$OK#9a", "!a packet that ends before its end");
    gives("$O}#", "!a packet that ends before its end");
    gives("$O*#", "!a packet that ends before its end");
    gives("$* #4a", "!a repetition of nothing");
    gives("$0*\x1f#", "!a repetition without a number");
    gives("$0*\x7f#", "!a repetition without a number");
}

Test(rsp, stays_within_its_memory)
{
    char text[CAPACITY + 8] = "$";

    memset(text + 1, 'a', CAPACITY);
    strcpy(text + 1 + CAPACITY, "#40"); /* 64 times 'a' */
    cr_assert_eq(events_of(text, strlen(text), 7)[0], 'P');
    strcpy(text + 1 + CAPACITY, "a#a1");
    gives(text, "!a packet longer than requested");
    gives("$0*~#00", "!a packet longer than requested");
}

Test(rsp, a_broken_parser_stays_broken)
{
    struct rsp_parser parser;
    size_t used = 1;

    rsp_init(&parser, payload, sizeof payload);
    cr_assert_eq(rsp_take(&parser, "x", 1, &used), RSP_BROKEN);
    cr_assert_eq(rsp_take(&parser, "$OK#9a", 6, &used), RSP_BROKEN);
    cr_assert_eq(used, 0);
}

/* A packet with a flipped bit is never accepted with the same content: its checksum or its framing is wrong. */
Test(rsp, every_prefix_is_incomplete_and_every_bit_flip_is_noticed)
{
    static const char text[] = "$20001238#90";
    size_t length = sizeof text - 1;

    gives(text, "P20001238");
    for (size_t cut = 0; cut < length; cut++)
        cr_assert_str_eq(events_of(text, cut, length), "");
    for (size_t bit = 0; bit < 8 * length; bit++) {
        char copy[sizeof text];
        const char *events;

        memcpy(copy, text, sizeof text);
        copy[bit / 8] = (char)(copy[bit / 8] ^ 1 << bit % 8);
        events = events_of(copy, length, length);
        cr_assert_str_neq(events, "P20001238", "bit %zu", bit);
    }
}

Test(rsp, frames_payloads_that_fit)
{
    char out[8];

    cr_assert_eq(rsp_frame(out, sizeof out, "OK"), 6);
    cr_assert_eq(memcmp(out, "$OK#9a", 6), 0);
    cr_assert_eq(rsp_frame(out, 6, "OK"), 6);
    cr_assert_eq(rsp_frame(out, 5, "OK"), 0);
    cr_assert_eq(rsp_frame(out, sizeof out, "too long"), 0);
}
