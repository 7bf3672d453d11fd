/* SPDX-License-Identifier: MIT */
/* The clocks, and the signals with which a user asks for something at any moment. */
#ifndef TXTAP_CAPTURE_BASE_RUNTIME_H
#define TXTAP_CAPTURE_BASE_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

/*
 * SIGINT and SIGTERM ask txtap to end regularly; a second signal kills it. After the first, calls that wait are
 * interrupted again and again, so none can miss it. SIGPIPE and SIGXFSZ (a file reached its size limit) become errors
 * of write().
 */
void runtime_init(void);

bool stop_requested(void);

/*
 * How long a call may still wait for a server or a reader: UINT64_MAX until the user asks txtap to end, then what is
 * left of STOP_GRACE_US, in which a regular exchange can complete.
 */
#define STOP_GRACE_US 300000
uint64_t stop_grace_left_us(void);

/* From now on SIGUSR1 asks for statistics, and SIGHUP asks to reopen the output. Before, both kill txtap. */
void runtime_take_requests(void);

/* True once for each request; several at almost the same time count as one. */
bool statistics_requested(void);
bool reopen_requested(void);

/* The terminal that txtap had at runtime_take_requests() is gone: the SIGHUP was about that. */
bool terminal_is_gone(void);

/* Monotonic clock, in microseconds. */
uint64_t now_us(void);

/* The host's clock: microseconds since 1970. It may be set while txtap runs. */
uint64_t wall_us(void);

/* Returns false at once when the user asks txtap to end. */
bool sleep_us(uint64_t us);

/* Sleeps that long, also after the user has asked txtap to end. */
void pause_us(uint64_t us);

/* wall_us() - now_us(), in microseconds. The error is at most half of the time that the fastest of a few readings took.
 */
uint64_t wall_offset_us(uint64_t (*wall_clock)(void), uint64_t (*clock)(void));

#endif
