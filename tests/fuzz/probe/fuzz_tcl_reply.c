/* SPDX-License-Identifier: MIT */
/*
 * Parses any bytes as OpenOCD's answer. If they are not exactly an answer, they must be refused with one printable
 * line. Nothing may be written past the buffers. The first byte selects the expected answer, the second the number of
 * requested words.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "probe/openocd/openocd_reply.h"

#define PIECES 3

static void check_line(const struct error *error)
{
    char text[ERROR_TEXT_BYTES];
    size_t length = 0;

    (void)error_text(error, text);
    for (; text[length] != '\0'; length++)
        REQUIRE(length < ERROR_TEXT_BYTES && text[length] >= ' ' && text[length] <= '~');
    REQUIRE(length > 0);
}

static void words(const char *reply, size_t length, unsigned shape, struct error *error)
{
    struct txtap_read reads[PIECES];
    enum txtap_endian endian = shape & 0x80 ? TXTAP_BIG : TXTAP_LITTLE;
    enum txtap_status status;

    for (unsigned i = 0; i < PIECES; i++) {
        reads[i] = (struct txtap_read){0x20000000 + 64 * i, 4 * (shape >> 2 * i & 3), NULL};
        /* Almost exact size: the sanitizer detects a write of a word past the end. */
        reads[i].buffer = malloc(reads[i].length + 1);
    }
    status = tcl_reply_words(reply, length, endian, reads, PIECES, error);
    REQUIRE(status == TXTAP_OK || status == ERROR_FAULT || status == ERROR_TARGET || status == ERROR_PROTOCOL);
    if (status != TXTAP_OK)
        check_line(error);
    for (unsigned i = 0; i < PIECES; i++)
        free(reads[i].buffer);
}

static void hello(const char *reply, size_t length, struct error *error)
{
    struct tcl_target target;
    enum txtap_status status = tcl_reply_hello(reply, length, &target, error);

    if (status != TXTAP_OK) {
        REQUIRE(status == ERROR_TARGET || status == ERROR_PROTOCOL || status == TXTAP_ERROR_USAGE);
        check_line(error);
        return;
    }
    REQUIRE(memchr(target.name, '\0', sizeof target.name) != NULL && target.name[0] != '\0');
    REQUIRE(memchr(target.state, '\0', sizeof target.state) != NULL);
    REQUIRE(strpbrk(target.name, "[]{}$;\"\\ \n") == NULL); /* it becomes part of a Tcl command */
}

static void gdb(const char *reply, size_t length, struct error *error)
{
    static const char leaves_alone[] = "txtap gdb runs ";
    enum txtap_status status = tcl_reply_gdb(reply, length, "3333", error);

    /* No other text may be accepted as a "yes". */
    if (status == TXTAP_OK) {
        REQUIRE(length >= sizeof leaves_alone - 1 && memcmp(reply, leaves_alone, sizeof leaves_alone - 1) == 0);
        return;
    }
    REQUIRE(status == ERROR_UNSAFE || status == ERROR_PROTOCOL);
    check_line(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct error error = {0};
    char *reply;

    if (length < 2)
        return 0;
    reply = malloc(length - 2 + 1);
    memcpy(reply, bytes + 2, length - 2);
    switch (bytes[0] % 4) {
    case 0:
        words(reply, length - 2, bytes[1], &error);
        break;
    case 1:
        hello(reply, length - 2, &error);
        break;
    case 2:
        gdb(reply, length - 2, &error);
        break;
    default:
        (void)tcl_reply_foreign(reply, length - 2);
    }
    free(reply);
    return 0;
}
