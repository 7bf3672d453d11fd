/* SPDX-License-Identifier: MIT */
/*
 * The faults that the board can make on demand: their names, their parameters, and the text form in which a user
 * requests them. Knows nothing of how a fault is made.
 */
#ifndef VBOARD_FAULT_H
#define VBOARD_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault_kind {
    FAULT_SWD_FAULT,
    FAULT_SWD_WAIT,
    FAULT_SWD_PARITY,
    FAULT_DROP,
    FAULT_HALF_OPEN,
    FAULT_SLOW,
    FAULT_BUSY,
    FAULT_UNPLUG,
    FAULT_HALT,
    FAULT_RESET,
    FAULT_WARM_RESET,
    FAULT_POWER_CYCLE,
    FAULT_REFLASH,
    FAULT_KINDS
};

#define FAULT_TEXT_BYTES 1024 /* size of a fault as text, and of an error text */

struct fault {
    enum fault_kind kind;
    int64_t time_us;     /* time since the board started; -1: at once */
    int64_t duration_us; /* 0: the fault lasts a moment; for an SWD fault: one access */
    uint32_t slow_ms;    /* parameter of slow */
    const char *path;    /* parameter of reflash: points into the text */
};

/* The durations of a fault that is chosen by seed: from min to max, or in half of the cases a moment. */
struct fault_range {
    int64_t min_us, max_us;
    bool or_moment;
};

const char *fault_name(enum fault_kind kind);
/* Returns false for an unknown name. */
bool fault_find(const char *name, size_t length, enum fault_kind *kind);
struct fault_range fault_random_range(enum fault_kind kind);
/* Returns the fault without a time, with its default duration. */
struct fault fault_default(enum fault_kind kind);

/* Returns true if the fault affects the target itself. Only one such fault can be active at a time. */
bool fault_is_of_target(enum fault_kind kind);

/*
 * Parses KIND[=VALUE][@TIME][:DURATION], times in seconds. The text is cut into parts and must live as long as the
 * fault. False: `why` has the error.
 */
bool fault_parse(char *text, struct fault *fault, char why[static FAULT_TEXT_BYTES]);

#endif
