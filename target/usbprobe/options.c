/* SPDX-License-Identifier: MIT */
/* The command line. */
#include "options.h"
#include "kinds.h"
#include "usb_probe.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define KINDS "stlink-v2-1, stlink-v3, cmsis-dap, cmsis-dap-v1 or jlink"

enum {
    KEY_SERIAL = 0x100,
    KEY_RAW_SERIAL,
    KEY_PACKET_BYTES,
    KEY_PACKETS,
    KEY_ACCESS_PORT,
    KEY_TARGET_SELECT,
    KEY_DPIDR,
    KEY_UNPLUGGED,
    KEY_PORT,
    KEY_PORT_FILE,
    KEY_ENVIRONMENT
};

static const struct argp_option option_table[] = {
    {"board", 'b', "PORT", 0,
     "the board's ST-Link port, as txtap-vboard prints it; again for another probe of this kind", 0},
    {"serial", KEY_SERIAL, "TEXT", 0, "serial number of the probe; '' for none", 0},
    {"raw-serial", KEY_RAW_SERIAL, "HEX", 0, "stlink: serial number of 12 raw bytes, as 24 hexadecimal digits", 0},
    {"packet-bytes", KEY_PACKET_BYTES, "N", 0,
     "cmsis-dap, cmsis-dap-v1, jlink: 64 (full speed, the default) or 512 (high speed)", 0},
    {"packets", KEY_PACKETS, "N", 0, "cmsis-dap: commands that it queues, 1 to 16 (default 4)", 0},
    {"access-port", KEY_ACCESS_PORT, "N", 0, "the target's access port, 0 (the default) to 255", 0},
    {"target-select", KEY_TARGET_SELECT, "HEX", 0,
     "cmsis-dap, jlink: the target is one of several on the wire, and answers to this number", 0},
    {"dpidr", KEY_DPIDR, "HEX", 0, "cmsis-dap, jlink: the target's DPIDR, which says the version of its debug port", 0},
    {"unplugged", KEY_UNPLUGGED, 0, 0, "plug it in only when the control port is told to", 0},
    {"control-port", KEY_PORT, "N", 0,
     "TCP port on 127.0.0.1 that takes lines like 'unplug' (0, the default: a free one)", 0},
    {"control-port-file", KEY_PORT_FILE, "FILE", 0, "write that port's number there once everything is ready", 0},
    {"env-file", KEY_ENVIRONMENT, "FILE", 0, "write shell commands there that let a program see the probe", 0},
    {0},
};

static unsigned number_or_die(struct argp_state *state, const char *option, const char *text, unsigned least,
                              unsigned most)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || *text == '-' || errno || value < least || value > most)
        argp_error(state, "--%s '%s': not a number from %u to %u", option, text, least, most);
    return (unsigned)value;
}

static void take_raw_serial(struct argp_state *state, struct options *options, const char *text)
{
    if (strlen(text) != 2 * USB_RAW_SERIAL_BYTES || text[strspn(text, "0123456789ABCDEFabcdef")])
        argp_error(state, "--raw-serial '%s': not %d hexadecimal digits", text, 2 * USB_RAW_SERIAL_BYTES);
    for (size_t i = 0; i < USB_RAW_SERIAL_BYTES; i++) {
        const char digits[] = {text[2 * i], text[2 * i + 1], '\0'};
        options->raw_serial[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    options->identity.raw_serial = options->raw_serial;
}

/* Applies the kind, and the options that change it, in any order. */
static void set_kind(struct argp_state *state, struct options *options)
{
    if (!options->kind)
        argp_error(state, "no kind of probe given: " KINDS);
    const struct usb_identity *kind = kind_find(options->kind);
    if (!kind)
        argp_error(state, "unknown kind of probe '%s': " KINDS, options->kind);
    if (options->packet_bytes && kind_is_stlink(kind))
        argp_error(state, "--packet-bytes is for cmsis-dap and jlink");
    if ((options->target_select || options->dpidr) && kind_is_stlink(kind))
        argp_error(state, "--target-select and --dpidr are for cmsis-dap and jlink");
    const uint8_t *raw_serial = options->identity.raw_serial;
    options->identity = *kind;
    options->identity.raw_serial = raw_serial;
    if (options->serial)
        options->identity.serial = options->serial;
    if (options->packet_bytes) {
        options->identity.packet_bytes = options->packet_bytes;
        options->identity.high_speed = options->packet_bytes == 512;
    }
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'b':
        if (options->boards == BOARDS_MAX)
            argp_error(state, "--board %s: there can be only %d boards", value, BOARDS_MAX);
        options->board_ports[options->boards++] = (uint16_t)number_or_die(state, "board", value, 1, 65535);
        return 0;
    case KEY_SERIAL:
        options->serial = value;
        return 0;
    case KEY_RAW_SERIAL:
        take_raw_serial(state, options, value);
        return 0;
    case KEY_ACCESS_PORT:
        options->access_port = number_or_die(state, "access-port", value, 0, 255);
        return 0;
    case KEY_TARGET_SELECT:
        options->target_select = (uint32_t)strtoul(value, NULL, 16);
        return 0;
    case KEY_DPIDR:
        options->dpidr = (uint32_t)strtoul(value, NULL, 16);
        return 0;
    case KEY_PACKET_BYTES:
        options->packet_bytes = (uint16_t)number_or_die(state, "packet-bytes", value, 64, 512);
        if (options->packet_bytes != 64 && options->packet_bytes != 512)
            argp_error(state, "--packet-bytes %s: 64 or 512", value);
        return 0;
    case KEY_PACKETS:
        options->packets_max = number_or_die(state, "packets", value, 1, USB_ANSWERS_MAX);
        return 0;
    case KEY_UNPLUGGED:
        options->unplugged = true;
        return 0;
    case KEY_PORT:
        options->control_port = (uint16_t)number_or_die(state, "control-port", value, 0, 65535);
        return 0;
    case KEY_PORT_FILE:
        options->control_port_file = value;
        return 0;
    case KEY_ENVIRONMENT:
        options->environment_file = value;
        return 0;
    case ARGP_KEY_ARG:
        if (options->kind)
            argp_error(state, "only one kind of probe can be given: '%s' is a second one", value);
        options->kind = value;
        return 0;
    case ARGP_KEY_END:
        set_kind(state, options);
        if (options->boards == 0)
            argp_error(state, "--board is missing: give the port that txtap-vboard prints");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void options_parse(struct options *options, int argc, char **argv)
{
    static const struct argp argp = {option_table,
                                     parse_option,
                                     "KIND --board PORT",
                                     "An emulated debug probe on USB, in front of txtap-vboard: " KINDS
                                     ". Programs that run under umockdev see it as a "
                                     "USB device.",
                                     0,
                                     0,
                                     0};
    argp_err_exit_status = 2;
    *options = (struct options){.packets_max = 4};
    argp_parse(&argp, argc, argv, 0, 0, options);
}
