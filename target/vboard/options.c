/* SPDX-License-Identifier: MIT */
/* The command line. */
#include "options.h"
#include "fault_options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_MACHINE = 0x100,
    KEY_RAM,
    KEY_FLASH,
    KEY_PORT_FILE,
    KEY_RATE,
    KEY_SET,
    KEY_AUDIT,
    KEY_SWD,
    KEY_COMMAND,
    KEY_PROBE,
    KEY_SECONDS,
    KEY_QEMU,
    KEY_QEMU_ARG,
    KEY_MEMORY,
    KEY_TRCENA
};

static const struct argp_option option_table[] = {
    {0, 0, 0, 0, "The machine:", 1},
    {"machine", KEY_MACHINE, "NAME", 0, "QEMU machine with a Cortex-M (default netduinoplus2)", 0},
    {"ram", KEY_RAM, "START:SIZE", 0, "RAM the debugger can reach, e.g. 0x20000000:128K; repeatable", 0},
    {"flash", KEY_FLASH, "START:SIZE", 0, "flash the debugger can reach, e.g. 0x08000000:1M; repeatable", 0},
    {"rate", KEY_RATE, "N", 0, "the demo firmware's events per second (= --set demo_event_rate=N)", 0},
    {"set", KEY_SET, "SYMBOL=VALUE", 0, "initial value of a 32-bit variable of the ELF's .data; repeatable", 0},
    {"qemu", KEY_QEMU, "PATH", 0, "QEMU to run (default qemu-system-arm)", 0},
    {"qemu-arg", KEY_QEMU_ARG, "ARG", 0, "one more argument for QEMU, e.g. --qemu-arg=-icount; repeatable", 0},
    {"memory", KEY_MEMORY, "WAY", 0,
     "how to read memory: auto, direct (process_vm_readv) or memsave (slow, no writes); default auto", 0},
    {"trcena", KEY_TRCENA, "STATE", 0,
     "DEMCR.TRCENA: on or off, or as the debugger sets it (free, the default); off stops the trace units", 0},
    {0, 0, 0, 0, "The probe:", 2},
    {"port", 'p', "N", 0, "ST-Link TCP port on 127.0.0.1 (default 7184; 0 picks a free one)", 0},
    {"port-file", KEY_PORT_FILE, "FILE", 0, "write the port's number there once the board is ready", 0},
    {"probe", KEY_PROBE, "PRESET", 0, "imitate the speed of a probe: stlink-v2, stlink-v3 or ideal (default)", 0},
    {"swd-khz", KEY_SWD, "N", 0, "SWD clock that transfers are timed with; 0 is no delay", 0},
    {"command-us", KEY_COMMAND, "N", 0, "fixed time of each ST-Link command", 0},
    {0, 0, 0, 0,
     "Faults (swd-fault, swd-wait, swd-parity, drop, half-open, slow, busy, unplug, halt, reset,"
     " warm-reset, power-cycle, reflash):",
     3},
    {"fault", KEY_FAULT, "KIND@TIME[:DURATION]", 0,
     "make this fault TIME seconds after the start; slow=MS, reflash=PATH; repeatable", 0},
    {"faults-seed", KEY_FAULTS_SEED, "N", 0, "make faults at random; the same N gives the same ones", 0},
    {"faults-every", KEY_FAULTS_EVERY, "SECONDS", 0, "mean time between two of them", 0},
    {"faults-kinds", KEY_FAULTS_KINDS, "LIST", 0, "which kinds, e.g. drop,reflash=other.elf (default all but reflash)",
     0},
    {"control-port", KEY_CONTROL_PORT, "N", 0,
     "TCP port on 127.0.0.1 that takes lines like 'fault reset' (0: a free one)", 0},
    {"control-port-file", KEY_CONTROL_PORT_FILE, "FILE", 0, "write that port's number there before the board is ready",
     0},
    {0, 0, 0, 0, "The run:", 4},
    {"audit", KEY_AUDIT, "FILE", 0, "write what the debugger did as JSON at the end, and on SIGUSR1", 0},
    {"seconds", KEY_SECONDS, "N", 0, "end after N seconds", 0},
    {"quiet", 'q', 0, 0, "print only failures on stderr", 0},
    {"verbose", 'v', 0, 0, "print what happens; twice: every ST-Link command", 0},
    {0},
};

/* The probes. The last two read 50 and 550 kB/s in blocks of 4 KiB: a block takes two commands and (1024 + 2) x 46
 * clocks. The clock is the measured rate of the probe, not the rate in its data sheet. */
static const struct probe probe_table[] = {
    {"ideal", 2, 0, 0},
    {"stlink-v2", 2, 600, 500},
    {"stlink-v3", 3, 9000, 1100},
};

static const struct machine_regions {
    const char *name;
    bool stm32_ids;
    struct region regions[3];
} machine_table[] = {
    {"netduinoplus2", true, {{REGION_RAM, 0x20000000, 128 << 10}, {REGION_FLASH, 0x08000000, 1 << 20}, {0}}},
    {"netduino2", true, {{REGION_RAM, 0x20000000, 128 << 10}, {REGION_FLASH, 0x08000000, 1 << 20}, {0}}},
    {"mps2-an385", false, {{REGION_RAM, 0x20000000, 4 << 20}, {REGION_FLASH, 0x00000000, 4 << 20}, {0}}},
    {"mps2-an386", false, {{REGION_RAM, 0x20000000, 4 << 20}, {REGION_FLASH, 0x00000000, 4 << 20}, {0}}},
    {"lm3s6965evb", false, {{REGION_RAM, 0x20000000, 64 << 10}, {REGION_FLASH, 0x00000000, 256 << 10}, {0}}},
};

struct parse {
    struct options *options;
    int64_t swd_khz;
    int64_t command_us;
};

static bool parse_number(const char *text, uint64_t max, const char **end, uint64_t *number)
{
    char *stop;
    errno = 0;
    unsigned long long value = strtoull(text, &stop, 0);
    if (stop == text || *text == '-' || errno || value > max)
        return false;
    *number = value;
    *end = stop;
    return true;
}

static uint64_t number_or_die(struct argp_state *state, const char *option, const char *text, uint64_t max)
{
    const char *end = "";
    uint64_t number = 0;
    if (!parse_number(text, max, &end, &number) || *end)
        argp_error(state, "%s '%s': not a number from 0 to %llu", option, text, (unsigned long long)max);
    return number;
}

static void add_region(struct argp_state *state, struct options *options, enum region_kind kind, const char *text)
{
    uint64_t start = 0, size = 0;
    const char *end;
    if (options->regions_count == REGIONS_MAX)
        argp_error(state, "more than %d --ram and --flash regions", REGIONS_MAX);
    if (!parse_number(text, UINT32_MAX, &end, &start) || *end != ':' || !parse_number(end + 1, UINT32_MAX, &end, &size))
        goto malformed;
    if (*end == 'K' || *end == 'k')
        size <<= 10, end++;
    else if (*end == 'M' || *end == 'm')
        size <<= 20, end++;
    if (*end || size == 0 || size > UINT32_MAX || start + size > UINT64_C(1) << 32)
        goto malformed;
    struct region added = {kind, (uint32_t)start, (uint32_t)size};
    for (size_t i = 0; i < options->regions_count; i++) {
        const struct region *other = &options->regions[i];
        if (start < (uint64_t)other->start + other->size_bytes && other->start < start + size)
            argp_error(state, "region '%s' overlaps another one", text);
    }
    options->regions[options->regions_count++] = added;
    return;
malformed:
    argp_error(state, "region '%s': want START:SIZE below 4 GiB, e.g. 0x20000000:128K", text);
}

static void add_setting(struct argp_state *state, struct options *options, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text)
        argp_error(state, "--set '%s': want SYMBOL=VALUE", text);
    if (options->settings_count == SETTINGS_MAX)
        argp_error(state, "more than %d --set options", SETTINGS_MAX);
    *equals = '\0';
    struct setting added = {text, (uint32_t)number_or_die(state, "--set", equals + 1, UINT32_MAX)};
    options->settings[options->settings_count++] = added;
}

static void choose_probe(struct argp_state *state, struct options *options, const char *name)
{
    for (size_t i = 0; i < sizeof probe_table / sizeof *probe_table; i++) {
        if (strcmp(probe_table[i].name, name) == 0) {
            options->probe = probe_table[i];
            return;
        }
    }
    argp_error(state, "--probe '%s': want stlink-v2, stlink-v3 or ideal", name);
}

static void choose_memory(struct argp_state *state, struct options *options, const char *name)
{
    if (strcmp(name, "auto") == 0)
        options->memory = MEMORY_AUTO;
    else if (strcmp(name, "direct") == 0)
        options->memory = MEMORY_DIRECT;
    else if (strcmp(name, "memsave") == 0)
        options->memory = MEMORY_MONITOR;
    else
        argp_error(state, "--memory '%s': want auto, direct or memsave", name);
}

static void choose_trcena(struct argp_state *state, struct options *options, const char *name)
{
    if (strcmp(name, "free") == 0)
        options->trcena = TRCENA_FREE;
    else if (strcmp(name, "on") == 0)
        options->trcena = TRCENA_ON;
    else if (strcmp(name, "off") == 0)
        options->trcena = TRCENA_OFF;
    else
        argp_error(state, "--trcena '%s': want on, off or free", name);
}

/* Adds regions of the kinds that the user did not give, from the machine's own memory map. */
static void add_known_regions(struct argp_state *state, struct options *options)
{
    const struct machine_regions *known = NULL;
    size_t given_count = options->regions_count;
    for (size_t i = 0; i < sizeof machine_table / sizeof *machine_table; i++)
        if (strcmp(machine_table[i].name, options->machine) == 0)
            known = &machine_table[i];
    options->stm32_ids = known && known->stm32_ids;
    if (!known && given_count == 0)
        argp_error(state, "machine '%s' has no memory map here: give --ram START:SIZE and --flash START:SIZE",
                   options->machine);
    for (const struct region *region = known ? known->regions : NULL; region && region->size_bytes; region++) {
        bool given = false;
        for (size_t i = 0; i < given_count; i++)
            given |= options->regions[i].kind == region->kind;
        if (!given && options->regions_count < REGIONS_MAX)
            options->regions[options->regions_count++] = *region;
    }
}

static void finish(struct argp_state *state, struct parse *parse)
{
    struct options *options = parse->options;
    if (!options->elf)
        argp_error(state, "no ELF given: name the firmware to run");
    if (parse->swd_khz >= 0)
        options->probe.swd_khz = (uint32_t)parse->swd_khz;
    if (parse->command_us >= 0)
        options->probe.command_us = (uint32_t)parse->command_us;
    add_known_regions(state, options);
    fault_options_finish(state, options);
}

static void add_rate(struct argp_state *state, struct options *options, const char *text)
{
    struct setting rate = {"demo_event_rate", (uint32_t)number_or_die(state, "--rate", text, UINT32_MAX)};
    if (options->settings_count == SETTINGS_MAX)
        argp_error(state, "more than %d --set options", SETTINGS_MAX);
    options->settings[options->settings_count++] = rate;
}

static void add_qemu_argument(struct argp_state *state, struct options *options, const char *text)
{
    if (options->qemu_args_count == QEMU_ARGS_MAX)
        argp_error(state, "more than %d --qemu-arg options", QEMU_ARGS_MAX);
    options->qemu_args[options->qemu_args_count++] = text;
}

static error_t parse_machine_option(int key, char *text, struct argp_state *state, struct options *options)
{
    switch (key) {
    case KEY_MACHINE:
        options->machine = text;
        return 0;
    case KEY_RAM:
        add_region(state, options, REGION_RAM, text);
        return 0;
    case KEY_FLASH:
        add_region(state, options, REGION_FLASH, text);
        return 0;
    case KEY_RATE:
        add_rate(state, options, text);
        return 0;
    case KEY_SET:
        add_setting(state, options, text);
        return 0;
    case KEY_QEMU:
        options->qemu = text;
        return 0;
    case KEY_QEMU_ARG:
        add_qemu_argument(state, options, text);
        return 0;
    case KEY_MEMORY:
        choose_memory(state, options, text);
        return 0;
    case KEY_TRCENA:
        choose_trcena(state, options, text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_probe_option(int key, char *text, struct argp_state *state, struct parse *parse)
{
    switch (key) {
    case 'p':
        parse->options->port = (uint16_t)number_or_die(state, "--port", text, UINT16_MAX);
        return 0;
    case KEY_PORT_FILE:
        parse->options->port_file = text;
        return 0;
    case KEY_PROBE:
        choose_probe(state, parse->options, text);
        return 0;
    case KEY_SWD:
        parse->swd_khz = (int64_t)number_or_die(state, "--swd-khz", text, 1000000);
        return 0;
    case KEY_COMMAND:
        parse->command_us = (int64_t)number_or_die(state, "--command-us", text, 1000000);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_run_option(int key, char *text, struct argp_state *state, struct options *options)
{
    char *end;
    switch (key) {
    case KEY_AUDIT:
        options->audit = text;
        return 0;
    case KEY_SECONDS:
        options->seconds = strtod(text, &end);
        if (end == text || *end || !(options->seconds > 0 && options->seconds < 1e9))
            argp_error(state, "--seconds '%s': want a positive number", text);
        return 0;
    case 'q':
        options->verbosity = -1;
        return 0;
    case 'v':
        options->verbosity += options->verbosity < 2;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct options *options = parse->options;
    if (key == ARGP_KEY_END)
        finish(state, parse);
    else if (key != ARGP_KEY_ARG) {
        error_t status = parse_machine_option(key, text, state, options);
        if (status == ARGP_ERR_UNKNOWN)
            status = parse_probe_option(key, text, state, parse);
        if (status == ARGP_ERR_UNKNOWN)
            status = parse_run_option(key, text, state, options);
        return status == ARGP_ERR_UNKNOWN ? fault_options_parse(key, text, state, options) : status;
    } else {
        if (options->elf)
            argp_error(state, "'%s': one ELF only", text);
        options->elf = text;
    }
    return 0;
}

void options_parse(struct options *options, int argc, char **argv)
{
    static const struct argp parser = {
        option_table,
        parse_option,
        "ELF",
        "A microcontroller without hardware: runs a Cortex-M ELF in QEMU and offers it, running, as an ST-Link over "
        "TCP "
        "to OpenOCD (hla_stlink_backend tcp PORT).\v"
        "Prints 'vboard: st-link on 127.0.0.1:PORT' when the board runs. Ends QEMU and itself on SIGINT and SIGTERM.\n"
        "Exit status: 0 ended as asked, 1 failed (QEMU ended included), 2 usage.",
        0,
        0,
        0};
    *options =
        (struct options){.qemu = "qemu-system-arm", .machine = "netduinoplus2", .port = 7184, .probe = probe_table[0]};
    struct parse parse = {options, -1, -1};
    argp_err_exit_status = 2;
    argp_parse(&parser, argc, argv, 0, NULL, &parse);
}
