/* SPDX-License-Identifier: MIT */
/* Parses the replies of OpenOCD's Tcl port. Sends nothing. */
#include "probe/openocd/openocd_reply.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex_digit.h"

#define QUOTE_BYTES 96 /* size of a quote of the server in a message */

struct text {
    const char *at;
    size_t left;
};

/* Takes the tag if the text begins with it. */
static bool take_tag(struct text *text, const char *tag)
{
    size_t length = strlen(tag);

    if (text->left < length || memcmp(text->at, tag, length) != 0)
        return false;
    text->at += length;
    text->left -= length;
    return true;
}

/* Takes a word up to a blank or the end. False: there is no word, or it does not fit. */
static bool take_word(struct text *text, char *word, size_t size)
{
    size_t length = 0;

    while (text->left > 0 && *text->at == ' ')
        text->at++, text->left--;
    while (length < text->left && text->at[length] > ' ' && text->at[length] <= '~')
        length++;
    if (length == 0 || length >= size)
        return false;
    memcpy(word, text->at, length);
    word[length] = '\0';
    text->at += length;
    text->left -= length;
    return true;
}

bool tcl_reply_is_name(const char *name)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:/+-";

    return name[0] != '-' && name[0] != '\0' && strlen(name) < TCL_TARGET_NAME_BYTES &&
           name[strspn(name, allowed)] == '\0';
}

const char *tcl_reply_foreign(const char *reply, size_t length)
{
    static const struct {
        const char *start, *hint;
    } peers[] = {
        {"\xff", "it is a telnet server, perhaps OpenOCD's telnet port"},
        {"Open On-Chip", "it is OpenOCD's telnet port"},
        {"+", "it looks like a GDB remote port"},
        {"$", "it looks like a GDB remote port"},
        {"HTTP/", "it is an HTTP server"},
        {"SSH-", "it is an SSH server"},
    };
    size_t compared = length < sizeof TCL_PROBE_TAG - 1 ? length : sizeof TCL_PROBE_TAG - 1;

    if (memcmp(reply, TCL_PROBE_TAG, compared) == 0)
        return NULL;
    for (size_t i = 0; i < sizeof peers / sizeof peers[0]; i++) {
        size_t start = strlen(peers[i].start);

        if (length >= start && memcmp(reply, peers[i].start, start) == 0)
            return peers[i].hint;
    }
    return "it is some other server";
}

static enum txtap_status unexpected_reply(const char *reply, size_t length, struct error *error)
{
    char quote[QUOTE_BYTES];

    return failure(error, ERROR_PROTOCOL, "unexpected answer: '%s'", printable(quote, sizeof quote, reply, length));
}

enum txtap_status tcl_reply_hello(const char *reply, size_t length, struct tcl_target *target, struct error *error)
{
    struct text text = {reply, length};
    char endian[8], reader[16], examined[4];

    if (take_tag(&text, "txtap none"))
        return failure(error, ERROR_TARGET, "it has no target: load a board or target configuration");
    if (take_tag(&text, "txtap missing "))
        return failure(error, TXTAP_ERROR_USAGE, "it has no such target (--target), only: %s",
                       printable(target->all, sizeof target->all, text.at, text.left));
    if (!take_tag(&text, "txtap target ") || !take_word(&text, target->name, sizeof target->name) ||
        !take_word(&text, endian, sizeof endian) || !take_word(&text, reader, sizeof reader) ||
        !take_word(&text, examined, sizeof examined) || !take_word(&text, target->state, sizeof target->state) ||
        !tcl_reply_is_name(target->name))
        return unexpected_reply(reply, length, error);
    if (strcmp(reader, "missing") == 0)
        return failure(error, ERROR_PROTOCOL, "it has neither read_memory nor mem2array\nuse OpenOCD 0.11 or later");
    if (strcmp(examined, "0") == 0)
        return failure(error, ERROR_TARGET,
                       "its target %s is not examined\ncheck power and wiring, and whether the chip needs --chip or a "
                       "configuration of its own",
                       target->name);
    while (text.left > 0 && *text.at == ' ')
        text.at++, text.left--;
    printable(target->all, sizeof target->all, text.at, text.left);
    target->endian = strcmp(endian, "big") == 0 ? TXTAP_BIG : TXTAP_LITTLE;
    target->reads_arrays = strcmp(reader, "mem2array") == 0;
    return TXTAP_OK;
}

/* Takes " 0x" and one to eight hexadecimal digits up to a blank or the end. */
static bool take_u32(struct text *text, uint32_t *value)
{
    const char *at = text->at, *end = text->at + text->left;
    uint32_t sum = 0;
    unsigned digits = 0;

    if (text->left < 4 || at[0] != ' ' || at[1] != '0' || at[2] != 'x')
        return false;
    for (at += 3; at < end && *at != ' '; at++, digits++) {
        int digit = hex_digit(*at);

        if (digit < 0 || digits == 8)
            return false;
        sum = sum << 4 | (uint32_t)digit;
    }
    if (digits == 0)
        return false;
    text->left = (size_t)(end - at);
    text->at = at;
    *value = sum;
    return true;
}

static void put_u32(uint8_t *at, enum txtap_endian endian, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (endian == TXTAP_BIG ? 24 - 8 * i : 8 * i));
}

/* Returns OpenOCD's reason, to be added to a message; "" if it only repeats that the read failed. */
static const char *reason_of(struct text text, char quote[static QUOTE_BYTES])
{
    memcpy(quote, ": ", 3);
    printable(quote + 2, QUOTE_BYTES - 2, text.at, text.left);
    if (quote[2] == '\0' || strstr(quote, "failed to read memory") != NULL || strstr(quote, "cannot read") != NULL)
        return "";
    return quote;
}

/* Parses "fault ADDRESS WORDS REASON" and "target STATE REASON" after the tags. */
static enum txtap_status fault_reply(struct text text, struct error *error)
{
    char address[16], words[8], quote[QUOTE_BYTES];

    if (!take_word(&text, address, sizeof address) || !take_word(&text, words, sizeof words))
        return unexpected_reply(text.at, text.left, error);
    return failure(error, ERROR_FAULT, "the target refuses to be read at %s (%lu bytes)%s", address,
                   4 * strtoul(words, NULL, 10), reason_of(text, quote));
}

static enum txtap_status target_reply(struct text text, struct error *error)
{
    char state[TCL_TARGET_STATE_BYTES], quote[QUOTE_BYTES];

    if (!take_word(&text, state, sizeof state))
        return unexpected_reply(text.at, text.left, error);
    return failure(
        error, ERROR_TARGET,
        "the target does not answer (OpenOCD calls it %s%s)\ncheck power and wiring; if the probe was unplugged, "
        "start OpenOCD again",
        state, reason_of(text, quote));
}

enum txtap_status tcl_reply_words(const char *reply, size_t length, enum txtap_endian endian,
                                  const struct txtap_read *reads, size_t count, struct error *error)
{
    struct text text = {reply, length};

    if (take_tag(&text, "fault "))
        return fault_reply(text, error);
    if (take_tag(&text, "target "))
        return target_reply(text, error);
    if (!take_tag(&text, "ok"))
        return unexpected_reply(reply, length, error);

    for (size_t i = 0; i < count; i++) {
        for (uint32_t at = 0; at < reads[i].length; at += 4) {
            uint32_t word;

            if (!take_u32(&text, &word))
                return failure(error, ERROR_PROTOCOL, "no word for address 0x%08" PRIx32 " in the answer",
                               reads[i].address + at);
            put_u32(reads[i].buffer + at, endian, word);
        }
    }
    if (text.left != 0)
        return failure(error, ERROR_PROTOCOL, "%zu bytes more in the answer than requested", text.left);
    return TXTAP_OK;
}

/* Parses "TARGET EVENT BODY", the code that OpenOCD would run. Its default body for gdb-attach halts the core. */
static enum txtap_status acting_reply(struct text text, const char *port, struct error *error)
{
    char target[TCL_TARGET_NAME_BYTES], event[16], body[32];

    if (!take_word(&text, target, sizeof target) || !take_word(&text, event, sizeof event) ||
        !tcl_reply_is_name(target))
        return unexpected_reply(text.at, text.left, error);
    printable(body, sizeof body, text.at, text.left);
    if (strcmp(event, "gdb-attach") == 0 && (body[0] == '\0' || strncmp(body, "halt", 4) == 0))
        return failure(
            error, ERROR_UNSAFE,
            "connecting to GDB port %.5s would halt the target: add '%.40s configure -event gdb-attach {echo "
            "attached}' to OpenOCD's configuration, or use --tcl",
            port, target);
    return failure(error, ERROR_UNSAFE,
                   "GDB port %.5s runs '%s' (%s), which may disturb the target\nuse '%.40s configure -event %s {echo "
                   "gdb}', or --tcl",
                   port, body, event, target, event);
}

enum txtap_status tcl_reply_gdb(const char *reply, size_t length, const char *port, struct error *error)
{
    struct text text = {reply, length};
    char ports[64];

    if (take_tag(&text, "txtap gdb runs "))
        return TXTAP_OK;
    if (take_tag(&text, "txtap gdb acts "))
        return acting_reply(text, port, error);
    if (take_tag(&text, "txtap gdb breakpoints "))
        return failure(
            error, ERROR_UNSAFE,
            "it has breakpoints or watchpoints, which it removes when a debugger connects to GDB port %.5s: remove "
            "them first ('rbp all', 'rwp ADDRESS'), or use --tcl",
            port);
    if (!take_tag(&text, "txtap gdb elsewhere"))
        return unexpected_reply(reply, length, error);
    printable(ports, sizeof ports, text.at, text.left);
    return failure(
        error, ERROR_UNSAFE,
        "%.5s is not one of its GDB ports (%s), so txtap cannot tell whether it halts the target: set gdb_port to a "
        "number, or give the right --gdb and --tcl",
        port, ports);
}
