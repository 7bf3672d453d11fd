/* SPDX-License-Identifier: MIT */
/* Drives an ST-Link: identifies it, connects it to the target by SWD without a reset, and reads memory. Waits for a
 * busy access port. Each command must pass stlink_is_permitted() before it is sent. */
#ifndef TXTAP_CAPTURE_PROBE_STLINK_STLINK_LINK_H
#define TXTAP_CAPTURE_PROBE_STLINK_STLINK_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/stlink/stlink_command.h"
#include "probe/stlink/stlink_pipe.h"

/* Number of times that an access is repeated while the access port is busy, and the first pause. It doubles. */
#define STLINK_WAITS   8
#define STLINK_WAIT_US 100

struct stlink_link {
    struct stlink_pipe pipe;
    unsigned timeout_ms; /* longest wait for one answer */
    unsigned khz;        /* the wanted clock; after connecting, the clock in use. 0: unknown, because it was not set */
    uint8_t port;        /* access port to read through */
    struct stlink_version version;
    uint8_t identity[STLINK_VERSION_BYTES]; /* the probe's first answer, which it repeats to get in step */
    unsigned others;                        /* other programs that used the probe at the last look */
    bool ready;                             /* memory can be read */
    bool entered, opened;                   /* txtap itself entered debug mode, and opened the access port */
    bool other_mode;                        /* another program uses the probe, but not for debugging */
    unsigned millivolts;                    /* the target's supply; 0: not measured */
    uint32_t dpidr;                         /* 0: not read */
};

/* Asks the probe for its version. The caller owns the pipe. STLINK_CONFUSED: not an ST-Link. The caller must check
 * link->version.least before any other call. */
enum stlink_result stlink_link_open(struct stlink_link *link, struct stlink_pipe pipe, unsigned timeout_ms);

/*
 * Prepares reads. If no other program uses the probe: sets the clock, enters SWD without a reset, and opens the access
 * port. Otherwise it changes nothing, and the probe must be in debug mode already (else STLINK_SILENT, and
 * link->other_mode is true).
 */
enum stlink_result stlink_link_connect(struct stlink_link *link, unsigned khz, uint8_t port);

/* Reads `length` bytes, a multiple of 4 up to STLINK_READ_BYTES_MAX, but not STLINK_STATUS_BYTES, so that a late status
 * is not taken for data. STLINK_FAULT: *fault is the address at which the read failed, as far as the probe knows. */
enum stlink_result stlink_link_read(struct stlink_link *link, uint32_t address, uint32_t length, uint8_t *bytes,
                                    uint32_t *fault);

/* Reads the words of a list into `words`, 4 bytes each. STLINK_FAULT: *failed is the number of the word. */
enum stlink_result stlink_link_list(struct stlink_link *link, const struct stlink_command *list, size_t count,
                                    uint8_t *words, size_t *failed);

/* Gets in step again after an answer was lost or wrong: gives up the command under way, and asks for the version until
 * the answer is right. */
enum stlink_result stlink_link_step(struct stlink_link *link);

/* Closes the access port and leaves debug mode, if txtap opened and entered them, and no other program uses the probe
 * now. */
void stlink_link_disconnect(struct stlink_link *link);

#endif
