/* SPDX-License-Identifier: MIT */
/*
 * The two bulk endpoints of a CMSIS-DAP v2 probe: commands go out, and each is answered once, in order. Several may be
 * under way. dap_usb.c is the real one; tests have others.
 */
#ifndef TXTAP_CAPTURE_PROBE_DAP_DAP_PIPE_H
#define TXTAP_CAPTURE_PROBE_DAP_DAP_PIPE_H

#include <stddef.h>
#include <stdint.h>

enum dap_result {
    DAP_OK,
    /* the target's answers: the probe is in step */
    DAP_WAIT,   /* its access port stays busy */
    DAP_FAULT,  /* an access failed, and the debug port holds the error */
    DAP_SILENT, /* nobody answers, or the debug port lost its state */
    DAP_PARITY, /* disturbed on the wire */
    /* the probe's: what it has answered, and what it will answer, is not known */
    DAP_TIMEOUT,  /* no answer in time */
    DAP_STALLED,  /* it halted an endpoint */
    DAP_CONFUSED, /* the answer is not one to this command */
    /* the end */
    DAP_GONE,        /* it was unplugged */
    DAP_BROKEN,      /* the host cannot use it any more */
    DAP_REFUSED,     /* a command that dap_permitted.h does not list; it was not sent */
    DAP_INTERRUPTED, /* the user ended txtap */
};

/* The probe may still have answers to come. */
static inline int dap_out_of_step(enum dap_result result)
{
    return result >= DAP_TIMEOUT && result <= DAP_CONFUSED;
}

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
