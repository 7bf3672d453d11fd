/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as the log of an OpenOCD that txtap started. The log arrives in pieces, whose size must not change
 * the result. A port must be valid, and the reason for OpenOCD's end must be one printable line. The first byte is the
 * size of the pieces.
 */
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "fuzz.h"
#include "probe/openocd/openocd_child.h"

static struct openocd_log read_pieces(const char *bytes, size_t length, size_t piece)
{
    struct openocd_log log = {.length = 0};

    for (size_t at = 0; at < length; at += piece)
        openocd_log_take(&log, bytes + at, length - at < piece ? length - at : piece);
    openocd_log_end(&log);
    return log;
}

static void is_printable(const char *text)
{
    for (; *text != '\0'; text++)
        REQUIRE(*text >= ' ' && *text <= '~');
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct openocd_log whole, pieces;
    struct error error;
    char text[ERROR_TEXT_BYTES], *copy;
    enum txtap_status status;

    if (length < 1)
        return 0;
    copy = malloc(length);
    memcpy(copy, bytes + 1, length - 1);
    whole = read_pieces(copy, length - 1, length);
    pieces = read_pieces(copy, length - 1, bytes[0] % 64 + 1u);
    free(copy);
    REQUIRE(strcmp(whole.version, pieces.version) == 0 && strcmp(whole.cause, pieces.cause) == 0);
    REQUIRE(whole.port == pieces.port && whole.rank == pieces.rank && whole.known == pieces.known);
    REQUIRE(whole.port < 65536);
    is_printable(whole.version);
    status = openocd_log_failure(&whole, "openocd", &error);
    REQUIRE(status == ERROR_PROTOCOL || status == ERROR_UNREACHABLE || status == ERROR_TARGET);
    is_printable(error_text(&error, text));
    return 0;
}
