/* SPDX-License-Identifier: MIT */
/* The table of servers, and the checks before a connection. */
#include "probe/servers.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define USE_PROBE "end it: txtap can use the probe itself (--probe)"

/* The first row that fits counts. */
static const struct server servers[] = {
    {"pyOCD's remote probe server", "pyocd", "server", NULL, SERVER_OTHER, NULL, USE_PROBE},
    {"pyOCD's gdbserver", "pyocd", NULL, "3333", SERVER_HALTS, NULL, USE_PROBE ", or an OpenOCD that serves both"},
    {"probe-rs's DAP server", "probe-rs", "dap-server", NULL, SERVER_OTHER, NULL, USE_PROBE},
    {"probe-rs gdb", "probe-rs", NULL, "1337", SERVER_HALTS, NULL, USE_PROBE ", or an OpenOCD that serves both"},
    {"cargo-embed", "cargo-embed", NULL, "1337", SERVER_HALTS, NULL, USE_PROBE ", or an OpenOCD that serves both"},
    {"st-util", "st-util", NULL, "4242", SERVER_HALTS, NULL, USE_PROBE ", or an OpenOCD that serves both"},
    {"Black Magic's GDB server", "blackmagic", NULL, "2000", SERVER_HALTS, NULL,
     "read through another probe: it cannot read memory while the target runs"},
    {"LinkServer", "LinkServer", NULL, NULL, SERVER_HALTS, NULL, "end it: an MCU-Link is a CMSIS-DAP v2 (--probe)"},
    {"LinkServer's GDB server", "crt_emu_cm", NULL, NULL, SERVER_HALTS, NULL,
     "end it: an MCU-Link is a CMSIS-DAP v2 (--probe)"},
    {"JLinkGDBServer", "JLinkGDBServer", NULL, "2331", SERVER_NEEDS_FLAG, "-nohalt",
     "start it with -nohalt -noir, or give --trust-gdb: txtap then checks the core"},
    {"ST-LINK_gdbserver", "ST-LINK_gdbserver", NULL, "61234", SERVER_UNKNOWN, NULL,
     "share the ST-Link through stlink-server (--shared), or give --trust-gdb: txtap then checks the core"},
    {"e2-server-gdb", "e2-server-gdb", NULL, NULL, SERVER_NON_STOP, NULL, ""},
    {"OpenOCD", "openocd", NULL, "3333", SERVER_ASKED, NULL, ""},
    {"QEMU", "qemu-system", NULL, "1234", SERVER_ASKED, NULL, ""},
};

#define SERVERS (sizeof servers / sizeof *servers)

/* ---- recognising a server ---- */

static const char *base_name(const char *path)
{
    for (const char *at = path; *at != '\0'; at++)
        if (*at == '/' || *at == '\\')
            path = at + 1;
    return path;
}

static bool starts_with(const char *text, const char *start)
{
    return strncasecmp(text, start, strlen(start)) == 0;
}

/* Returns the next word of a command line, or NULL at its end. The first call has word == NULL. */
static const char *next_word(const char *word, const char *command, size_t command_bytes)
{
    size_t at = word == NULL ? 0 : (size_t)(word - command) + strlen(word) + 1;

    return at < command_bytes ? command + at : NULL;
}

/* Returns the name of the program. For a script this is the script and not its interpreter. */
static const char *program_of(const char *command, size_t command_bytes)
{
    const char *word = next_word(NULL, command, command_bytes);
    const char *name = word != NULL ? base_name(word) : "";

    if (!starts_with(name, "python") && !starts_with(name, "wine"))
        return name;
    while ((word = next_word(word, command, command_bytes)) != NULL)
        if (word[0] != '-')
            return base_name(word);
    return name;
}

static bool has_word(const char *command, size_t command_bytes, const char *wanted)
{
    const char *word = NULL;

    while ((word = next_word(word, command, command_bytes)) != NULL)
        if (strcasecmp(word, wanted) == 0)
            return true;
    return false;
}

/* Compares the name that the system keeps, which it cuts. */
static bool is_cut_name(const char *name, const char *program)
{
    size_t length = strlen(program);

    return strncasecmp(name, program, length < PORT_OWNER_NAME_BYTES ? length : PORT_OWNER_NAME_BYTES - 1) == 0;
}

const struct server *server_of_process(const char *name, const char *command, size_t command_bytes)
{
    const char *program = program_of(command, command_bytes);

    for (size_t i = 0; i < SERVERS; i++) {
        const struct server *server = &servers[i];

        if ((starts_with(program, server->program) || is_cut_name(name, server->program)) &&
            (server->word == NULL || has_word(command, command_bytes, server->word)))
            return server;
    }
    return NULL;
}

const struct server *server_of_port(const char *port)
{
    for (size_t i = 0; i < SERVERS; i++)
        if (servers[i].verdict == SERVER_HALTS && servers[i].port != NULL && strcmp(servers[i].port, port) == 0)
            return &servers[i];
    return NULL;
}

/* ---- before a connection ---- */

static void find_server(struct server_check *check, const char *host, const char *port)
{
    memset(check, 0, sizeof *check);
    port_owner_find(&check->owner, host, port);
    if (check->owner.pid != 0)
        check->server = server_of_process(check->owner.name, check->owner.command, check->owner.command_bytes);
    if (check->server == NULL)
        check->hint = server_of_port(port);
}

static enum txtap_status refuse(const struct server_check *check, const char *host, const char *port,
                                const char *reason, struct error *error)
{
    return failure(error, ERROR_UNSAFE, "%.60s:%.8s is %s (process %d), %s: txtap does not connect\n%s", host, port,
                   check->server->name, (int)check->owner.pid, reason, check->server->advice);
}

enum txtap_status server_check_gdb(struct server_check *check, const char *host, const char *port, bool trusted,
                                   struct error *error)
{
    const struct server *server;

    find_server(check, host, port);
    server = check->server;
    if (server == NULL)
        return TXTAP_OK;
    switch (server->verdict) {
    case SERVER_HALTS:
        return refuse(check, host, port, "which halts its target for each client", error);
    case SERVER_OTHER:
        return refuse(check, host, port, "which is not a GDB server", error);
    case SERVER_NEEDS_FLAG:
        check->needs_no_trust = has_word(check->owner.command, check->owner.command_bytes, server->flag);
        break;
    case SERVER_NON_STOP:
        check->needs_no_trust = true;
        break;
    case SERVER_ASKED:
        return TXTAP_OK;
    case SERVER_UNKNOWN:
        break;
    }
    return check->needs_no_trust || trusted ? TXTAP_OK : refuse(check, host, port, "which may halt its target", error);
}

enum txtap_status server_check_tcl(const char *host, const char *port, struct error *error)
{
    struct server_check check;

    find_server(&check, host, port);
    return check.server != NULL && check.server->verdict != SERVER_ASKED
               ? refuse(&check, host, port, "and not OpenOCD's Tcl port", error)
               : TXTAP_OK;
}
