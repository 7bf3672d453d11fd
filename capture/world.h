/* SPDX-License-Identifier: MIT */
/* Time and the wish to stop: the two things that come from outside at any moment. */
#ifndef TXTAP_CAPTURE_WORLD_H
#define TXTAP_CAPTURE_WORLD_H

#include <stdbool.h>
#include <stdint.h>

/* SIGINT and SIGTERM ask for a regular end; a second one ends at once. SIGPIPE becomes an error of write(). */
void world_init(void);

bool stop_requested(void);

/* Monotonic clock, in microseconds. */
uint64_t now_us(void);

/* The clock on the wall, in microseconds since 1970. */
uint64_t unix_now_us(void);

/* False if the end was asked for meanwhile, and then at once. */
bool sleep_us(uint64_t us);

#endif
