/* SPDX-License-Identifier: MIT */
#include "rtt.h"

#include "txtap_trace.h"

#define ID_BYTES 16u

/* A buffer for one direction. It is full when one byte of it is free. */
struct rtt_channel {
    const char *name;  /*  0 */
    uint8_t *buffer;   /*  4 */
    uint32_t bytes;    /*  8  of the buffer */
    uint32_t write_at; /* 12  offset of the next byte to write; up: the firmware's */
    uint32_t read_at;  /* 16  offset of the next byte to read; up: the host's, which writes it here */
    uint32_t flags;    /* 20  0: data that does not fit is left out as a whole */
};

struct rtt_control {
    char id[ID_BYTES];        /*  0  what a host searches for */
    uint32_t up_channels;     /* 16  to the host */
    uint32_t down_channels;   /* 20  from the host: none here */
    struct rtt_channel up[1]; /* 24 */
};

TXTAP_TRACE_ASSERT(sizeof(struct rtt_control) == 48);

volatile struct rtt_control peers_rtt; /* tests/bench/peers finds it by its symbol */

void rtt_begin(uint8_t *buffer, uint32_t bytes)
{
    static const char id[ID_BYTES] = "SEGGER RTT";
    peers_rtt.up_channels = 1;
    peers_rtt.up[0].name = "events";
    peers_rtt.up[0].buffer = buffer;
    peers_rtt.up[0].bytes = bytes;
    TXTAP_TRACE_BARRIER();
    for (uint32_t i = 0; i < ID_BYTES; i++) {
        peers_rtt.id[i] = id[i];
    }
}

void rtt_write(const void *data, uint32_t bytes)
{
    const uint8_t *from = data;
    volatile struct rtt_channel *up = &peers_rtt.up[0];
    uint32_t at = up->write_at;
    uint32_t used = (at + up->bytes - up->read_at) % up->bytes;
    if (bytes > up->bytes - 1u - used) {
        return;
    }
    for (uint32_t i = 0; i < bytes; i++) {
        up->buffer[at] = from[i];
        at = at + 1u < up->bytes ? at + 1u : 0;
    }
    TXTAP_TRACE_BARRIER(); /* a host that sees the new position also sees the bytes before it */
    up->write_at = at;
}
