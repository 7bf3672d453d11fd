/* SPDX-License-Identifier: MIT */
/* How to switch on the trace of a ThreadX firmware that has none. Everything is derived from the firmware's ELF file; a
 * guess is called a guess. */
#ifndef TXTAP_CAPTURE_LOCATE_SWITCH_ON_H
#define TXTAP_CAPTURE_LOCATE_SWITCH_ON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/failure.h"
#include "locate/arm_core.h"
#include "locate/elf_file.h"

#define LOCATE_POINTER_SYMBOL "_tx_trace_header_ptr" /* struct TX_TRACE_HEADER *; ThreadX common/inc/tx_trace.h */

enum switch_on_state {
    SWITCH_ON_UNKNOWN,    /* the file has no symbols of ThreadX */
    SWITCH_ON_NOT_BUILT,  /* ThreadX was built without TX_ENABLE_EVENT_TRACE */
    SWITCH_ON_NOT_LINKED, /* the trace is built, but nothing calls tx_trace_enable(): the linker left it out */
    SWITCH_ON_LINKED      /* tx_trace_enable() is in the firmware. The file does not tell whether it was called. */
};

#define SWITCH_ON_SYMBOLS_MAX 6

/* A way to build firmware: one row for each vendor's tool. */
struct switch_on_way {
    const char *name;
    const char *symbols[SWITCH_ON_SYMBOLS_MAX]; /* each suggests this way; the list ends with NULL */
    const char *macro;                          /* where to define TX_ENABLE_EVENT_TRACE */
    const char *call;                           /* where to call tx_trace_enable() */
};

/* RAM in which the firmware has its variables. */
struct switch_on_ram {
    uint32_t start, end;    /* of the sections in it; both 0: not known */
    uint32_t top;           /* the firmware's own end of this RAM; 0: not known */
    const char *top_symbol; /* symbol of `top`; NULL: the initial stack pointer */
};

/* A buffer that fits. */
struct switch_on_buffer {
    uint32_t bytes; /* 0: too little RAM is free */
    uint32_t objects, events;
};

struct switch_on {
    enum switch_on_state state;
    bool has_call;                   /* tx_trace_enable() is in the firmware, although it may do nothing */
    bool has_usbx;                   /* the firmware has USBX */
    bool has_interrupts;             /* the firmware records interrupts, if it has a trace */
    const struct switch_on_way *way; /* never NULL; the last row is for firmware whose tool is not known */
    const char *way_symbol;          /* the symbol that suggests the way; NULL: not known */
    struct arm_core core;
    struct switch_on_ram ram;
    struct switch_on_buffer buffer;
};

/* Collects the facts that the file contains. Never fails: a damaged file contains fewer facts. */
struct switch_on switch_on_look(const struct elf_file *elf);

/* Sets the error of a command that found no trace in this firmware: one line, with the next step. TXTAP_OK: the
 * firmware has a trace, or the file has no symbols of ThreadX; error is unchanged. ERROR_SYMBOL: ThreadX has no trace.
 */
enum txtap_status switch_on_check(const struct elf_file *elf, struct error *error);

/* Prints all steps. Prints nothing for SWITCH_ON_UNKNOWN. */
void switch_on_print(const struct switch_on *firmware, const char *path, FILE *out);

/* Returns the largest buffer to advise for this RAM: a power of two that leaves at least half of the free RAM. */
struct switch_on_buffer switch_on_buffer(const struct switch_on_ram *ram);

#endif
