/* SPDX-License-Identifier: MIT */
/* The clocks, and the signals with which a user can make requests at any time. */
#ifndef TXTAP_CAPTURE_BASE_RUNTIME_H
#define TXTAP_CAPTURE_BASE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sets handlers: SIGINT and SIGTERM ask txtap to end regularly; a second such signal kills txtap. After the first
 * signal, waiting calls are interrupted repeatedly, so that no call can miss the request. SIGPIPE and SIGXFSZ (a file
 * reached its size limit) become errors of write().
 */
void runtime_init(void);

bool stop_requested(void);

/* Returns how long a call may still wait for a server or a reader: UINT64_MAX until the user asks txtap to end, then
 * the rest of STOP_GRACE_US, in which a regular exchange can complete. */
#define STOP_GRACE_US 300000
uint64_t stop_grace_left_us(void);

/* Ends the limit of stop_grace_left_us(): from now on txtap only makes files from its own files. */
void runtime_finish(void);

/* Sets handlers: after this call SIGUSR1 asks for statistics, and SIGHUP asks to reopen the output. Before it, both
 * kill txtap. */
void runtime_take_requests(void);

/* Returns true once for each request; several requests at almost the same time count as one. */
bool statistics_requested(void);
bool reopen_requested(void);

/* Returns true if txtap has lost the terminal that it had at runtime_take_requests(). This loss also sends SIGHUP. */
bool terminal_is_gone(void);

/* Returns the monotonic clock, in microseconds. */
uint64_t now_us(void);

/* Returns the host's clock: microseconds since 1970. Somebody may set this clock while txtap runs. */
uint64_t wall_us(void);

/* Sleeps for `us` microseconds. Returns false at once when the user asks txtap to end. */
bool sleep_us(uint64_t us);

/* Like sleep_us(), but also returns when one of the files is ready. */
struct pollfd;
bool sleep_or_poll_us(struct pollfd *files, size_t count, uint64_t us);

/* Sleeps for `us` microseconds, even after the user has asked txtap to end. */
void pause_us(uint64_t us);

/* Returns wall_us() - now_us(), in microseconds. Reads both clocks a few times and uses the fastest reading. The error
 * is at most half of that reading's duration. */
uint64_t wall_offset_us(uint64_t (*wall_clock)(void), uint64_t (*clock)(void));

#endif
