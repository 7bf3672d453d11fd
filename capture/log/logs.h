/* SPDX-License-Identifier: MIT */
/*
 * Logs: lines of text that the firmware or another program writes beside the trace, to a file, a pipe or a serial port.
 * Each line becomes a sample with the window of the host's clock in which it arrived. A log may end and return, such as
 * a serial port that is unplugged. Nothing here waits for a log, except logs_wait().
 */
#ifndef TXTAP_CAPTURE_LOG_LOGS_H
#define TXTAP_CAPTURE_LOG_LOGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "log/log_line.h"
#include "stream/sample_queue.h"
#include "txtap/sample.h"

#define LOGS_MAX 8u

struct logs {
    size_t count;
    struct log at[LOGS_MAX];
    bool quiet;               /* print nothing on standard error */
    uint64_t (*now_us)(void); /* the host's monotonic clock */
};

/*
 * Opens the logs and adds a channel for each. names: a path, or the path of a serial port and its speed:
 * "/dev/ttyACM0@115200". clock: the host's monotonic clock in microseconds. Bytes that were written before are left
 * out. On failure error is one line, and all logs are closed.
 */
enum txtap_status logs_open(struct logs *logs, const char *const *names, size_t count, uint64_t (*clock)(void),
                            bool quiet, struct txtap_channels *channels, struct error *error);

/* Reads the bytes that the logs have now, and adds their lines to the queue. Reads less if the queue is nearly full. */
void logs_read(struct logs *logs, struct sample_queue *queue);

/* Waits until a log may have bytes, and at most `us` microseconds. queue: as for logs_read(). Returns false when the
 * user asks txtap to end. */
bool logs_wait(const struct logs *logs, const struct sample_queue *queue, uint64_t us);

/* Reads the last bytes, and adds the lines that have no end yet. */
void logs_finish(struct logs *logs, struct sample_queue *queue);

/* Closes the logs, and prints the number of their lines. */
void logs_close(struct logs *logs);

#endif
