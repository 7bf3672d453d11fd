/* SPDX-License-Identifier: MIT */
/* Splits a text into words, and adds txtap's own arguments before and after them. */
#include "probe/openocd/openocd_arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Permits one client, which must be on this machine. Permits no debugger, because this OpenOCD ends with txtap. The
 * settings come before the user's files, because a file may start the servers. They are repeated after the user's
 * files, because a file may choose other ports.
 */
static const char servers[] = "bindto 127.0.0.1; tcl_port 0; gdb_port disabled; telnet_port disabled";
static const char servers_again[] =
    "catch {bindto 127.0.0.1}; catch {tcl_port 0}; catch {gdb_port disabled}; catch {telnet_port disabled}";

/* Sends the log, which contains the port, to txtap, even if the user's files redirect it. */
static const char log_to_us[] = "catch {log_output default}; debug_level 2";

/*
 * Switches off OpenOCD's own polling, which would add a third to a half to the commands of each read. txtap's reads
 * notice if the target is gone. For the core's state, txtap_state (openocd-cfg/txtap.tcl) calls this procedure, which
 * polls once.
 */
static const char no_polling[] = "catch {poll off}; proc txtap_look_at_core {target} { $target arp_poll }";

static bool add(struct openocd_arguments *arguments, const char *word)
{
    if (arguments->count == OPENOCD_ARGUMENTS_MAX)
        return false;
    arguments->argv[arguments->count++] = word;
    arguments->argv[arguments->count] = NULL;
    return true;
}

static bool add_command(struct openocd_arguments *arguments, const char *command)
{
    return add(arguments, "-c") && add(arguments, command);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Copies the word at *text to *out without its quotes, and moves both pointers to the end of the word. Returns NULL, or
 * the error in the text. */
static const char *take_word(const char **text, char **out)
{
    char quote = '\0';
    const char *at = *text;

    for (; *at != '\0' && (quote != '\0' || !is_blank(*at)); at++) {
        if (quote == '\0' && (*at == '\'' || *at == '"')) {
            quote = *at;
        } else if (quote != '\0' && *at == quote) {
            quote = '\0';
        } else if (*at == '\\' && (quote == '\0' || (quote == '"' && (at[1] == '"' || at[1] == '\\')))) {
            if (*++at == '\0')
                return "ends in a backslash";
            *(*out)++ = *at;
        } else {
            *(*out)++ = *at;
        }
    }
    *(*out)++ = '\0';
    *text = at;
    return quote != '\0' ? "has a quote that is not closed" : NULL;
}

static const char *add_words(struct openocd_arguments *arguments, const char *text)
{
    char *out = arguments->text + arguments->used;

    if (strlen(text) >= sizeof arguments->text - arguments->used)
        return "is too long";
    for (;;) {
        const char *word = out, *problem;

        while (is_blank(*text))
            text++;
        if (*text == '\0')
            return NULL;
        problem = take_word(&text, &out);
        if (problem != NULL)
            return problem;
        if (!add(arguments, word))
            return "has too many words";
    }
}

void openocd_arguments_begin(struct openocd_arguments *arguments, const char *program)
{
    memset(arguments, 0, sizeof *arguments);
    add(arguments, program);
    add_command(arguments, servers);
}

void openocd_arguments_add(struct openocd_arguments *arguments, const char *option, const char *format, ...)
{
    size_t left = sizeof arguments->text - arguments->used;
    char *at = arguments->text + arguments->used;
    va_list values;
    int length;

    va_start(values, format);
    length = vsnprintf(at, left, format, values);
    va_end(values);
    if (length < 0 || (size_t)length >= left || !add(arguments, option) || !add(arguments, at)) {
        arguments->count = OPENOCD_ARGUMENTS_MAX; /* makes openocd_arguments_end() fail, too */
        return;
    }
    arguments->used += (size_t)length + 1;
}

bool openocd_arguments_end(struct openocd_arguments *arguments)
{
    return add_command(arguments, servers_again) && add_command(arguments, log_to_us) &&
           add_command(arguments, "init") && add_command(arguments, no_polling);
}

const char *openocd_arguments_make(struct openocd_arguments *arguments, const char *program, const char *text)
{
    size_t before;
    const char *problem;

    openocd_arguments_begin(arguments, program);
    before = arguments->count;
    problem = add_words(arguments, text);
    if (problem == NULL && arguments->count == before)
        problem = "is empty: give -f interface/PROBE.cfg -f target/CHIP.cfg";
    if (problem == NULL && !openocd_arguments_end(arguments))
        problem = "has too many words";
    return problem;
}

static bool is_plain(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

const char *openocd_arguments_quote(char *out, size_t size, const char *text)
{
    size_t used = 0;

    for (; *text != '\0' && used + 2 < size; text++) {
        unsigned char c = (unsigned char)*text;

        if (c < ' ' || c == 0x7F)
            continue;
        if (!is_plain(*text) && c < 0x80)
            out[used++] = '\\';
        out[used++] = *text;
    }
    out[used] = '\0';
    return out;
}
