/* SPDX-License-Identifier: MIT */
/*
 * The two bulk endpoints of a CMSIS-DAP v2 probe: commands go out, and each is answered once, in order. Several may be
 * under way. dap_usb.c is the real one; tests have others.
 */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_PIPE_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_PIPE_H

#include <stddef.h>
#include <stdint.h>

#include "probe/dap/dap_result.h"

#define DAP_PACKET_BYTES_MAX 512  /* of a command or an answer, as txtap uses it */
#define DAP_ANSWER_BYTES_MAX 1024 /* room for what a probe sends too much */
#define DAP_IN_FLIGHT_MAX    4
#define DAP_BRIEF_MS         200

struct dap_pipe_ops {
    /* Queues a command, and a place for its answer. At most DAP_IN_FLIGHT_MAX may be under way. */
    enum dap_result (*send)(void *self, const uint8_t *bytes, size_t length);
    /* Queues a place for an answer alone: one that an earlier command left behind. */
    enum dap_result (*listen)(void *self);
    /* Waits for the oldest answer; for more than DAP_BRIEF_MS only until the user ends txtap. On failure nothing can be
     * said of the others: reset(). */
    enum dap_result (*receive)(void *self, uint8_t bytes[static DAP_ANSWER_BYTES_MAX], size_t *length,
                               unsigned timeout_ms);
    /* Gives up all that is under way, and starts a halted endpoint again. Fails with DAP_GONE or DAP_BROKEN. */
    enum dap_result (*reset)(void *self);
    /* A clock that only goes on, in microseconds. */
    uint64_t (*now_us)(void *self);
    void (*close)(void *self);
};

struct dap_pipe {
    const struct dap_pipe_ops *ops;
    void *self;
    size_t packet_bytes; /* of the endpoints */
};

#endif
