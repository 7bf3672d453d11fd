/* SPDX-License-Identifier: MIT */
/*
 * Counters that the firmware keeps in its RAM, found by symbol. A reset ends a stretch, after which they restart.
 * Their values just before the reset are the only record of how much the firmware had written.
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

/* Sets them to 0 before the firmware starts: in a stretch that ends before the start-up code clears them, nothing
 * was written. */
void counters_clear(const struct counters *counters, struct memory *memory);

struct counter_values counters_read(const struct counters *counters, struct memory *memory);

#endif
