/* SPDX-License-Identifier: MIT */
/* The parts of the firmware that a host looks for, as in Zephyr's tracing into RAM. */
#ifndef TXTAP_TESTS_FIRMWARE_BACKEND_H
#define TXTAP_TESTS_FIRMWARE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#define RAM_BYTES 8192u

/* Stores a record. Returns false if the record did not fit; then no further record will be stored. */
bool backend_put(const uint8_t *record, uint32_t length);

/* Changes the variable in other.c, which has the same name as a variable of the backend. */
void other_turn(void);

#endif
