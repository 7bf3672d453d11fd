/* SPDX-License-Identifier: MIT */
/*
 * The record of a debugger's accesses to the target, for tests and for users. It only counts and lists. README.md
 * describes the fields of its JSON form.
 */
#ifndef VBOARD_AUDIT_H
#define VBOARD_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core.h"
#include "counters.h"
#include "fault.h"
#include "options.h"
#include "trouble.h"
#include "wire.h"

/* The class of memory that an access touched. */
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

/* A fault that was injected. */
struct audit_fault {
    int64_t time_us, end_us; /* time since the board started; end_us -1: the fault has not ended */
    enum fault_kind kind;
    const char *by;      /* "time", "seed" or "control": a constant string */
    const char *path;    /* firmware of a reflash */
    bool failed;         /* the fault could not be made */
    int64_t duration_us; /* as requested */
    /* number of affected accesses or commands; while the fault is active: the total before the fault */
    uint64_t hits;
};

/* A stretch is the time between two resets. This struct has the firmware's counters just before the reset at its end.
 */
struct audit_stretch {
    int64_t time_us;
    const char *cause; /* a fault's name, or "debugger" */
    const char *elf;
    struct counter_values values;
};

struct audit_tally {
    uint64_t count;
    uint64_t bytes;
};

struct audit {
    int64_t started_us;
    unsigned editions; /* number of files written so far */
    uint64_t connections;
    struct audit_tally reads[ACCESS_CLASSES];
    struct audit_tally writes[ACCESS_CLASSES];
    struct audit_write *list;
    size_t list_count;
    size_t list_room;
    uint64_t list_dropped;
    struct audit_fault *faults;
    size_t faults_count, faults_room;
    struct audit_stretch *stretches;
    size_t stretches_count, stretches_room;
    uint64_t register_writes; /* core registers written by the ST-Link's own command */
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

void audit_stretch(struct audit *audit, const char *cause, const char *elf, const struct counter_values *values);
/* Record the begin and the end of a fault. The first function returns the number that the second function needs;
 * SIZE_MAX: the list is full. */
size_t audit_fault_begin(struct audit *audit, const struct fault *fault, const char *by, uint64_t hits);
void audit_fault_end(struct audit *audit, size_t number, bool failed, uint64_t hits);

/* The data of the file that is not in struct audit. */
struct audit_context {
    const struct options *options;
    const char *elf;
    const struct core *core;
    const struct wire *wire;
    const struct trouble *trouble;
    const struct counter_values *counters; /* values at the time of writing */
    bool direct;
    int qemu_pid;
};

/* Writes the JSON file. A reader never sees a partial file. On failure the reason is on stderr. */
bool audit_save(struct audit *audit, const struct audit_context *context);

#endif
