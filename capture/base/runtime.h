/* SPDX-License-Identifier: MIT */
/* Time and the wish to stop: the two things that come from outside at any moment. */
#ifndef TXTAP_CAPTURE_BASE_RUNTIME_H
#define TXTAP_CAPTURE_BASE_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

/*
 * SIGINT and SIGTERM ask for a regular end; a second one ends at once. From the first on, calls that wait are
 * interrupted again and again, so that none can miss it. SIGPIPE and SIGXFSZ (a file reaches the limit of its size)
 * become errors of write().
 */
void runtime_init(void);

bool stop_requested(void);

/*
 * How long it is still worth to wait for a server or a reader: UINT64_MAX until the end is asked for, then what is left
 * of STOP_GRACE_US, which lets a regular exchange come to its end.
 */
#define STOP_GRACE_US 300000
uint64_t stop_grace_left_us(void);

/* From here on SIGUSR1 asks for the statistics and SIGHUP for the output to be opened again; before, both end all. */
void runtime_take_requests(void);

/* True once for each time that it was asked for; several in no time count as one. */
bool statistics_requested(void);
bool reopen_requested(void);

/* The terminal that txtap was started from is gone since runtime_take_requests(): that was what SIGHUP said. */
bool terminal_is_gone(void);

/* Monotonic clock, in microseconds. */
uint64_t now_us(void);

/* The host's clock: microseconds since 1970. It may be set while txtap runs. */
uint64_t wall_us(void);

/* False if the end was asked for meanwhile, and then at once. */
bool sleep_us(uint64_t us);

#endif
