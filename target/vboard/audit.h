/* SPDX-License-Identifier: MIT */
/*
 * The record of what a debugger did to the target, for tests and for the curious. Counts and lists; does nothing.
 * The fields of its JSON form are described in README.md.
 */
#ifndef VBOARD_AUDIT_H
#define VBOARD_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core.h"
#include "options.h"
#include "wire.h"

/* What an access touched. */
enum access_class {
    ACCESS_RAM,
    ACCESS_FLASH,
    ACCESS_SYSTEM,
    ACCESS_DEBUG,
    ACCESS_PERIPHERAL,
    ACCESS_FAULT,
    ACCESS_CLASSES
};

#define AUDIT_COMMANDS_MAX 64
#define AUDIT_VALUE_BYTES  16

struct audit_write {
    int64_t time_us; /* since the board started */
    uint32_t address;
    uint32_t length;
    enum access_class class;
    uint8_t value[AUDIT_VALUE_BYTES]; /* the first bytes */
};

struct audit_tally {
    uint64_t count;
    uint64_t bytes;
};

struct audit {
    int64_t started_us;
    unsigned editions; /* files written so far */
    uint64_t connections;
    struct audit_tally reads[ACCESS_CLASSES];
    struct audit_tally writes[ACCESS_CLASSES];
    struct audit_write *list;
    size_t list_count;
    size_t list_room;
    uint64_t list_dropped;
    uint64_t register_writes; /* core registers, by the ST-Link's own command */
    struct {
        const char *name; /* a constant string; NULL ends the list */
        uint64_t count;
    } commands[AUDIT_COMMANDS_MAX];
};

void audit_init(struct audit *audit);
void audit_free(struct audit *audit);

void audit_read(struct audit *audit, enum access_class class, uint32_t length);
void audit_write(struct audit *audit, enum access_class class, uint32_t address, const uint8_t *value, uint32_t length);
void audit_command(struct audit *audit, const char *name);

/* Everything else that the file tells. */
struct audit_context {
    const struct options *options;
    const struct core *core;
    const struct wire *wire;
    bool direct;
    int qemu_pid;
};

/* Writes the JSON file in one piece (a reader never sees half of it); says why it fails. */
bool audit_save(struct audit *audit, const struct audit_context *context);

#endif
