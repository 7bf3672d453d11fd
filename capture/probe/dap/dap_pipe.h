/* SPDX-License-Identifier: MIT */
/* The way to a CMSIS-DAP probe: two bulk endpoints (version 2), or reports of a HID device (version 1). Each command
 * gets one answer, in order. Several commands may be under way. dap_usb.c and dap_hid.c have the real pipes; tests have
 * other pipes. */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_PIPE_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dap_result {
    DAP_OK,
    /* failures of the target; the probe is in step */
    DAP_WAIT,   /* the access port is still busy */
    DAP_FAULT,  /* an access failed, and the debug port has set its error bit */
    DAP_SILENT, /* nobody answers, or the debug port lost its state */
    DAP_PARITY, /* a parity error: the wire was disturbed */
    /* failures of the probe; it is unknown which commands the probe has answered or will still answer */
    DAP_TIMEOUT,  /* no answer in time */
    DAP_STALLED,  /* the probe halted an endpoint */
    DAP_CONFUSED, /* the answer does not belong to this command */
    /* failures after which the pipe cannot be used, or must not be used */
    DAP_GONE,        /* the probe was unplugged */
    DAP_BROKEN,      /* the host can no longer use the probe */
    DAP_REFUSED,     /* dap_permitted.h does not list the command; it was not sent */
    DAP_INTERRUPTED, /* the user ended txtap */
};

/* Returns true if answers may still arrive. */
static inline int dap_out_of_step(enum dap_result result)
{
    return result >= DAP_TIMEOUT && result <= DAP_CONFUSED;
}

#define DAP_PACKET_BYTES_MAX 512  /* longest command or answer of a CMSIS-DAP that txtap uses */
#define DAP_ANSWER_BYTES_MAX 2560 /* longer, because a probe may send too much, and because a J-Link uses it */
#define DAP_SEND_BYTES_MAX   4100 /* longest command of a J-Link: jlink_link.h */
#define DAP_IN_FLIGHT_MAX    4
#define DAP_BRIEF_MS         200

struct dap_pipe_ops {
    /* Queues a command and a place for its answer. At most DAP_IN_FLIGHT_MAX may be under way. */
    enum dap_result (*send)(void *self, const uint8_t *bytes, size_t length);
    /* Queues only a place for an answer, without a command. This place receives the answer to an earlier command. */
    enum dap_result (*listen)(void *self);
    /* Waits for the oldest answer. If timeout_ms is above DAP_BRIEF_MS, the wait also ends when the user ends txtap.
     * After a failure the other answers are unknown: call reset(). */
    enum dap_result (*receive)(void *self, uint8_t bytes[static DAP_ANSWER_BYTES_MAX], size_t *length,
                               unsigned timeout_ms);
    /* Gives up everything under way, and restarts a halted endpoint. Fails with DAP_GONE or DAP_BROKEN. */
    enum dap_result (*reset)(void *self);
    /* A monotonic clock, in microseconds. */
    uint64_t (*now_us)(void *self);
    void (*close)(void *self);
};

struct dap_pipe {
    const struct dap_pipe_ops *ops;
    void *self;
    size_t packet_bytes; /* packet size of the endpoints, or size of the reports */
    /* Each answer is as long as a report. The bytes after the end of an answer have any values. */
    bool is_padded;
};

#endif
