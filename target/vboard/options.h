/* SPDX-License-Identifier: MIT */
/*
 * The command line of txtap-vboard: the user's options, checked, with all defaults filled in.
 */
#ifndef VBOARD_OPTIONS_H
#define VBOARD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault_plan.h"

#define REGIONS_MAX   16
#define SETTINGS_MAX  32
#define QEMU_ARGS_MAX 32

enum region_kind { REGION_RAM, REGION_FLASH };

/* A range of memory that the debugger may read. start + size is at most 2^32. */
struct region {
    enum region_kind kind;
    uint32_t start;
    uint32_t size_bytes;
};

/* --set SYMBOL=VALUE: the initial value of a 32-bit variable. */
struct setting {
    const char *symbol;
    uint32_t value;
};

/* The kind of the imitated probe. swd_khz 0: the wire takes no time. */
struct probe {
    const char *name;
    unsigned stlink_version; /* 2 or 3: the commands and limits that the debugger sees */
    uint32_t swd_khz;
    uint32_t command_us;
};

/* How DEMCR.TRCENA, the clock of the trace units, behaves. */
enum trcena { TRCENA_FREE /* a debugger sets and clears it */, TRCENA_ON, TRCENA_OFF };

enum memory_way { MEMORY_AUTO, MEMORY_DIRECT, MEMORY_MONITOR };

struct options {
    const char *elf;
    const char *qemu;
    const char *machine;
    const char *audit; /* NULL: none */
    const char *port_file;
    struct region regions[REGIONS_MAX];
    size_t regions_count;
    struct setting settings[SETTINGS_MAX];
    size_t settings_count;
    const char *qemu_args[QEMU_ARGS_MAX];
    size_t qemu_args_count;
    struct probe probe;
    enum memory_way memory;
    enum trcena trcena;
    struct fault_options faults;
    bool control; /* open the control port */
    uint16_t control_port;
    const char *control_port_file;
    uint16_t port;
    double seconds; /* how long to run; 0: until a signal ends the board */
    int verbosity;  /* -1 quiet, 0 normal, 1 every connection, 2 every command */
    bool stm32_ids; /* the machine is an STM32: answer its identification words */
};

/* Parses the command line; strings point into argv. Prints and exits by itself on --help or a usage error (status 2).
 */
void options_parse(struct options *options, int argc, char **argv);

#endif
