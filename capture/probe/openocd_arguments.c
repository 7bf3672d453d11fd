/* SPDX-License-Identifier: MIT */
/* Words out of a text, and txtap's own before and behind them. */
#include "probe/openocd_arguments.h"

#include <string.h>

/*
 * One client, on this machine, and no debugger: an OpenOCD that txtap started ends with txtap. Before the user's files,
 * one of which may start the servers, and again behind them, since they may choose ports of their own.
 */
static const char servers[] = "bindto 127.0.0.1; tcl_port 0; gdb_port disabled; telnet_port disabled";
static const char servers_again[] =
    "catch {bindto 127.0.0.1}; catch {tcl_port 0}; catch {gdb_port disabled}; catch {telnet_port disabled}";

/* The log says the port, wherever the user's files sent it. */
static const char log_to_us[] = "catch {log_output default}; debug_level 2";

/*
 * Without its own polling each read takes a third or half of the commands less. txtap's reads notice a target that is
 * gone, and for its core's state txtap_state (openocd-cfg/txtap.tcl) calls this, which does what polling does.
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

/* Copies the word at *text to *out with its quotes taken off, and moves both behind it. NULL, or what is wrong. */
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
    char *out = arguments->text;

    if (strlen(text) >= sizeof arguments->text)
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

const char *openocd_arguments_make(struct openocd_arguments *arguments, const char *program, const char *text)
{
    size_t before;
    const char *problem;

    memset(arguments, 0, sizeof *arguments);
    add(arguments, program);
    add_command(arguments, servers);
    before = arguments->count;
    problem = add_words(arguments, text);
    if (problem == NULL && arguments->count == before)
        problem = "is empty: give -f interface/PROBE.cfg -f target/CHIP.cfg";
    if (problem == NULL && (!add_command(arguments, servers_again) || !add_command(arguments, log_to_us) ||
                            !add_command(arguments, "init") || !add_command(arguments, no_polling)))
        problem = "has too many words";
    return problem;
}
