/* SPDX-License-Identifier: MIT */
/* A way to an ST-Link for its commands: one command at a time. stlink_server.c has a way through ST's server, and
 * probe/usb/stlink_usb.c a way over USB; tests have other ways. */
#ifndef TXTAP_CAPTURE_PROBE_STLINK_STLINK_PIPE_H
#define TXTAP_CAPTURE_PROBE_STLINK_STLINK_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stlink/stlink_permitted.h"

enum stlink_result {
    STLINK_OK,
    /* failures of the target; the probe is in step */
    STLINK_WAIT,     /* the access port is still busy */
    STLINK_FAULT,    /* an access failed */
    STLINK_SILENT,   /* no target answers, or the debug port lost its state */
    STLINK_PARITY,   /* a parity error: the wire was disturbed */
    STLINK_BAD_PORT, /* the access port does not exist, or is not open */
    /* failures of the probe; it is unknown whether an answer will still arrive */
    STLINK_TIMEOUT,  /* no answer in time */
    STLINK_STALLED,  /* the probe halted an endpoint */
    STLINK_CONFUSED, /* the answer does not belong to this command */
    /* failures after which the pipe cannot be used, or must not be used */
    STLINK_BUSY,        /* the server kept the probe for another client until the end of the time limit */
    STLINK_GONE,        /* the probe was unplugged, or the server closed the connection */
    STLINK_BROKEN,      /* the host or the server can no longer use the probe */
    STLINK_REFUSED,     /* stlink_permitted.h does not list the command; it was not sent */
    STLINK_INTERRUPTED, /* the user ended txtap */
};

/* Returns true if answers may still arrive. */
static inline bool stlink_out_of_step(enum stlink_result result)
{
    return result >= STLINK_TIMEOUT && result <= STLINK_CONFUSED;
}

#define STLINK_DATA_BYTES_MAX   (4 * ((STLINK_STEPS_MAX + 3) / 4 + STLINK_STEPS_MAX))
#define STLINK_ANSWER_BYTES_MAX STLINK_READ_BYTES_MAX
#define STLINK_BRIEF_MS         200

/* A command. After it follow either data, or an answer, or nothing. */
struct stlink_command {
    uint8_t bytes[STLINK_COMMAND_BYTES];
    uint8_t data[STLINK_DATA_BYTES_MAX];
    size_t data_bytes, answer_bytes; /* at least one of them is 0 */
};

struct stlink_pipe_ops {
    /* Sends a command and its data, or receives its answer. STLINK_OK: the answer has command->answer_bytes bytes. If
     * timeout_ms is above STLINK_BRIEF_MS, the wait also ends when the user ends txtap. */
    enum stlink_result (*run)(void *self, const struct stlink_command *command, uint8_t *answer, unsigned timeout_ms);
    /* Gives up everything under way, and takes late answers from the way. Fails with STLINK_GONE or STLINK_BROKEN. */
    enum stlink_result (*reset)(void *self);
    /* Asks how many other programs use the probe now. NULL: no other program can use it. */
    enum stlink_result (*others)(void *self, unsigned *count, unsigned timeout_ms);
    void (*pause_us)(void *self, uint64_t us);
    void (*close)(void *self);
};

struct stlink_pipe {
    const struct stlink_pipe_ops *ops;
    void *self;
};

#endif
