/* SPDX-License-Identifier: MIT */
/*
 * Counters in the firmware's RAM, found by their symbols. They restart after each reset. Only their values just before
 * the reset show how much the firmware had written.
 */
#ifndef VBOARD_COUNTERS_H
#define VBOARD_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "memory.h"

enum { COUNTER_EVENTS, COUNTER_LEDGER, COUNTERS };

struct counters {
    bool known[COUNTERS]; /* the firmware has the counter, in RAM */
    uint32_t address[COUNTERS];
};

/* The values at one moment. */
struct counter_values {
    bool known[COUNTERS];
    uint32_t value[COUNTERS];
};

const char *counter_name(int counter);

/* Looks the symbols up in the firmware image at `firmware_fd`. */
void counters_find(struct counters *counters, const struct memory *memory, int firmware_fd);

/* Sets the counters to 0 before the firmware starts. So they are right even if a reset comes before the start-up code
 * clears them. */
void counters_clear(const struct counters *counters, struct memory *memory);

struct counter_values counters_read(const struct counters *counters, struct memory *memory);

#endif
