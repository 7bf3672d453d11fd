/* SPDX-License-Identifier: MIT */
/* The parts of the firmware that a host looks for, as in Zephyr's tracing into RAM. */
#ifndef TXTAP_TESTS_FIRMWARE_BACKEND_H
#define TXTAP_TESTS_FIRMWARE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#define RAM_BYTES 8192u

/* Stores a record. False: the record did not fit, and no further record will be stored. */
bool backend_put(const uint8_t *record, uint32_t length);

/* Changes the other variable, which has the same name as the backend's variable. */
void other_turn(void);

#endif
