/* SPDX-License-Identifier: MIT */
/* Time and the wish to stop: the two things that come from outside at any moment. */
#ifndef TXTAP_CAPTURE_WORLD_H
#define TXTAP_CAPTURE_WORLD_H

#include <stdbool.h>
#include <stdint.h>

/*
 * SIGINT and SIGTERM ask for a regular end; a second one ends at once. SIGPIPE and SIGXFSZ (a file reaches the limit of
 * its size) become errors of write().
 */
void world_init(void);

bool stop_requested(void);

/* Monotonic clock, in microseconds. */
uint64_t now_us(void);

/* The host's clock: microseconds since 1970. It may be set while txtap runs. */
uint64_t wall_us(void);

/* False if the end was asked for meanwhile, and then at once. */
bool sleep_us(uint64_t us);

#endif
