/* SPDX-License-Identifier: MIT */
/*
 * A J-Link: its commands and answers, in bytes. One command at a time is under way. This module knows the probe, but
 * not the target. Sources: SEGGER, J-Link USB Protocol (RM08001-R2); libjaylink 0.3.1.
 */
#ifndef TXTAP_CAPTURE_PROBE_JLINK_JLINK_H
#define TXTAP_CAPTURE_PROBE_JLINK_JLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/dap/dap_pipe.h"
#include "probe/jlink/swd_bits.h"

#define JLINK_COMMAND_BYTES_MAX (4 + 2 * SWD_BYTES_MAX)
#define JLINK_FIRMWARE_BYTES    24

_Static_assert(JLINK_COMMAND_BYTES_MAX <= DAP_SEND_BYTES_MAX, "a pipe carries the longest command");
_Static_assert(SWD_BYTES_MAX + 1 <= DAP_ANSWER_BYTES_MAX, "a pipe carries the longest answer");

struct jlink_permission {
    bool is_transfer; /* false: a command */
    uint8_t number;
    const char *name, *why;
};

/* Returns a row, in the order of jlink_permitted.def; NULL after the last row. */
const struct jlink_permission *jlink_permission(size_t index);

struct jlink {
    struct dap_pipe pipe; /* the bulk endpoints */
    bool known;           /* the probe has answered the questions of jlink_step() */
    bool stale;           /* answers to earlier commands may still arrive */
    bool registered;
    uint32_t capabilities;
    size_t bits_bytes;                   /* limit of swd_begin(), which follows from the probe's memory */
    char firmware[JLINK_FIRMWARE_BYTES]; /* "J-Link V11"; printable */
    uint8_t connection[12];              /* the probe's name for txtap, while registered */
    uint8_t command[JLINK_COMMAND_BYTES_MAX];
    uint8_t answer[2 * DAP_ANSWER_BYTES_MAX];
    size_t have;       /* bytes of `answer` */
    size_t last_bytes; /* swd_bytes() of the last exchange */
};

/* The caller owns the pipe. Sends nothing. */
void jlink_init(struct jlink *jlink, struct dap_pipe pipe);

/*
 * Gets in step: gives up the command under way, drops late answers, and asks the probe about itself. Does nothing if no
 * answer can be late. DAP_CONFUSED: not a J-Link, or it cannot select an interface.
 */
enum dap_result jlink_step(struct jlink *jlink, unsigned timeout_ms);

/* Selects SWD. The probe then forgets its clock. *done: false: it has no SWD. */
enum dap_result jlink_select_swd(struct jlink *jlink, bool *done, unsigned timeout_ms);

/* Sets the clock, 1 kHz at least. A probe with a lower limit uses its limit. */
enum dap_result jlink_set_clock(struct jlink *jlink, uint32_t hz, unsigned timeout_ms);

/*
 * Clocks the bits out and in. *in: as many bits, inside jlink->answer. If the probe has no memory for them, *in is
 * NULL, nothing was clocked, and jlink->bits_bytes is smaller than before.
 */
enum dap_result jlink_swd(struct jlink *jlink, const struct swd_bits *bits, const uint8_t **in, unsigned timeout_ms);

/* Tells the probe that txtap does not use it any more. */
void jlink_leave(struct jlink *jlink, unsigned timeout_ms);

#endif
