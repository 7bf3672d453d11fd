/* SPDX-License-Identifier: MIT */
/* The options that say where the trace buffer is. */
#include "options/target.h"

#include <string.h>

#include "options/values.h"
#include "probe/openocd_reply.h"

enum key {
    KEY_TCL = 900,
    KEY_TARGET,
    KEY_GDB,
    KEY_INTRUSIVE,
    KEY_TRUST_GDB,
    KEY_IMAGE,
    KEY_SYMBOL,
    KEY_ADDRESS,
    KEY_SCAN,
    KEY_RAM,
    KEY_WAIT,
};

const struct argp_option target_option_rows[] = {
    {"tcl", KEY_TCL, "[HOST:]PORT", 0, "OpenOCD's Tcl port (default 127.0.0.1:6666)", 0},
    {"target", KEY_TARGET, "NAME", 0, "OpenOCD's name of the target to read, if it has several", 0},
    {"gdb", KEY_GDB, "[HOST:]PORT", 0,
     "a GDB server instead: OpenOCD's, once its Tcl port says that this halts nothing", 0},
    {"intrusive", KEY_INTRUSIVE, NULL, 0, "with --gdb, for QEMU's: each poll may stop the machine for a moment", 0},
    {"trust-gdb", KEY_TRUST_GDB, NULL, 0, "with --gdb: you know that this server does not halt its target", 0},
    {"image", KEY_IMAGE, "FILE@ADDRESS", 0, "a memory image instead of a running target", 0},
    {"symbol", KEY_SYMBOL, "NAME", 0, "ELF symbol of the trace buffer, or of a pointer to it", 0},
    {"address", KEY_ADDRESS, "ADDR", 0, "address of the trace buffer", 0},
    {"scan", KEY_SCAN, NULL, 0, "search RAM for the trace buffer, even with an ELF file", 0},
    {"ram", KEY_RAM, "START:SIZE", 0, "RAM to search, e.g. 0x20000000:128K; may be repeated", 0},
    {"wait", KEY_WAIT, "TIME", OPTION_ARG_OPTIONAL,
     "wait for the server, the target and the trace buffer to be there, for so long at most", 0},
    {0},
};

static void port_option(const struct argp_state *state, const char *name, char *text, const char **host,
                        const char **number)
{
    char *colon = strrchr(text, ':');
    uint32_t port = 0;
    char *end;

    *number = colon ? colon + 1 : text;
    if (!option_u32(*number, &port, &end) || *end || port == 0 || port > 65535)
        argp_error(state, "--%s: '%s' is not [HOST:]PORT", name, text);
    if (!colon)
        return;
    *colon = '\0';
    if (*text == '[' && colon > text && colon[-1] == ']') { /* [::1]:6666 */
        colon[-1] = '\0';
        text++;
    }
    *host = text;
}

/* At the end of the command line: which server, and what is said of it, must go together. */
static void check_server(const struct argp_state *state, struct target_options *options)
{
    bool asks = options->gdb_port && !options->intrusive && !options->trust_gdb;

    if ((options->intrusive || options->trust_gdb) && !options->gdb_port)
        argp_error(state, "--%s needs --gdb", options->intrusive ? "intrusive" : "trust-gdb");
    if (options->intrusive && options->trust_gdb)
        argp_error(state, "--intrusive and --trust-gdb exclude each other: does the server stop its target or not?");
    if (options->name && (options->gdb_port || options->image_path))
        argp_error(state, "--target goes with --tcl: %s",
                   options->gdb_port ? "a GDB port serves one target" : "an image has no targets");
    if (options->gdb_port && options->image_path)
        argp_error(state, "--gdb and --image exclude each other");
    if (options->gdb_port && options->tcl_given && !asks)
        argp_error(state, "--%s asks no OpenOCD: do not use --tcl here",
                   options->intrusive ? "intrusive" : "trust-gdb");
    if (!options->gdb_host)
        options->gdb_host = asks && options->tcl_host ? options->tcl_host : "127.0.0.1";
    if (!options->tcl_host)
        options->tcl_host = asks ? options->gdb_host : "127.0.0.1";
    if (asks && strcmp(options->gdb_host, options->tcl_host) != 0)
        argp_error(state, "--gdb and --tcl name two hosts, '%s' and '%s': both ports must be one OpenOCD's",
                   options->gdb_host, options->tcl_host);
}

static void image_option(const struct argp_state *state, struct target_options *options, char *text)
{
    char *at = strrchr(text, '@');

    if (!at || at == text)
        argp_error(state, "--image: '%s' is not FILE@ADDRESS", text);
    else {
        *at = '\0';
        options->image_path = text;
        options->image_address = option_address(state, "--image", at + 1, 4);
    }
}

/* All of memory is a word more, in which no buffer begins. */
#define RAM_BYTES_MAX UINT32_C(0xFFFFFFFC)

static void ram_option(const struct argp_state *state, struct target_options *options, const char *text)
{
    struct memory_region region = {0, 0};
    uint64_t size = 0;
    char *end;

    if (options->ram_count == MEMORY_REGIONS_MAX)
        argp_error(state, "--ram: more than %d regions", MEMORY_REGIONS_MAX);
    if (!option_u32(text, &region.start, &end) || *end != ':' || !option_is_size(end + 1, 1, &size) || size == 0 ||
        size > UINT64_C(1) << 32 || region.start % 4 != 0 || region.start + size > UINT64_C(1) << 32)
        argp_error(state, "--ram: '%s' is not START:SIZE such as 0x20000000:128K", text);
    region.size = size > RAM_BYTES_MAX ? RAM_BYTES_MAX : (uint32_t)size;
    options->ram[options->ram_count++] = region;
}

error_t target_option(struct target_options *options, int key, char *text, struct argp_state *state)
{
    switch (key) {
    case KEY_TCL:
        port_option(state, "tcl", text, &options->tcl_host, &options->tcl_port);
        options->tcl_given = true;
        return 0;
    case KEY_TARGET:
        if (!tcl_reply_is_name(text))
            argp_error(state, "--target: '%s' is no name of a target of OpenOCD's", text);
        options->name = text;
        return 0;
    case KEY_GDB:
        port_option(state, "gdb", text, &options->gdb_host, &options->gdb_port);
        return 0;
    case KEY_INTRUSIVE:
        options->intrusive = true;
        return 0;
    case KEY_TRUST_GDB:
        options->trust_gdb = true;
        return 0;
    case ARGP_KEY_END:
        check_server(state, options);
        return 0;
    case KEY_IMAGE:
        image_option(state, options, text);
        return 0;
    case KEY_SYMBOL:
        options->symbol = text;
        return 0;
    case KEY_ADDRESS:
        options->address = option_address(state, "--address", text, 4);
        options->has_address = true;
        return 0;
    case KEY_SCAN:
        options->scan = true;
        return 0;
    case KEY_RAM:
        ram_option(state, options, text);
        return 0;
    case KEY_WAIT:
        options->wait = true;
        if (text)
            options->wait_seconds = option_seconds(state, "--wait", text, 1e-3, OPTION_SECONDS_MAX, "of at least 1ms");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
