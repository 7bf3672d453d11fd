/* SPDX-License-Identifier: MIT */
/*
 * A debug port at the end of a wire, clock by clock: requests, acknowledgements, data, turns of the line, posted reads,
 * overrun detection. Source: ARM IHI 0031, ADIv5.2, B4. After a wrong request it is silent until a line reset. While
 * nobody drives the line, the line is high, as with the usual pull-up.
 */
#ifndef USBPROBE_SWD_TARGET_H
#define USBPROBE_SWD_TARGET_H

#include "debug_port.h"

#define SWD_AHEAD_MAX 256

struct swd_target {
    struct debug_port port;
    enum {
        SWD_IDLE,
        SWD_RESETTING, /* after a line reset, as long as the line is high */
        SWD_REQUEST,
        SWD_TURN,
        SWD_ACKNOWLEDGE,
        SWD_SEND,
        SWD_RECEIVE_TURN, /* the turn before the data of a write */
        SWD_RECEIVE,
        SWD_LAST_TURN,
        SWD_LOCKED, /* silent until a line reset */
    } phase;
    unsigned clocks;  /* number of clocks in this phase */
    unsigned ones;    /* number of clocks in a row for which the host has driven the line high */
    unsigned request; /* bits of the request so far */
    enum swd_ack ack;
    bool has_data;                 /* data follow the acknowledgement */
    bool wrong_parity;             /* of the data that the target sends */
    bool selects;                  /* the request is TARGETSEL, which no target acknowledges */
    bool no_detection;             /* the debug port has no overrun detection: ORUNDETECT stays 0 */
    bool overrun, write_error;     /* sticky bits beside debug_port's */
    uint32_t data, posted;         /* data that the target sends; result of the last read of the access port */
    uint32_t ahead[SWD_AHEAD_MAX]; /* results of the next reads of DRW */
    size_t ahead_first, ahead_count;
    uint64_t requests[16]; /* number of requests, by the number in DAP_Transfer of CMSIS-DAP */
    /* From request number trouble_at on, trouble_count requests are not done, and get this answer. With SWD_PARITY they
     * are done, and only the parity is wrong. A debug port never answers some requests with SWD_WAIT or SWD_FAULT;
     * these requests are skipped. */
    enum swd_ack trouble;
    uint64_t trouble_at, trouble_count, requests_so_far;
};

void swd_target_init(struct swd_target *target, const struct debug_target *behind);

/* Clocks bits, the least significant bit of each byte first. drive: 1: the host drives the line with `out`. in: the
 * line, read after the edge of the clock, so that it already has the target's next bit; it may not overlap the others.
 */
void swd_target_clock(struct swd_target *target, const uint8_t *drive, const uint8_t *out, uint8_t *in, size_t count);

#endif
