/* SPDX-License-Identifier: MIT */
/*
 * An RTT buffer from the firmware to a host, as OpenOCD's `rtt` reads it. It has a control block, which a host finds
 * by its first 16 bytes, and a ring of bytes. The firmware moves the write offset. The host moves the read offset, so
 * it writes to the target. The layout is from OpenOCD's manual and sources.
 */
#ifndef PEERS_RTT_H
#define PEERS_RTT_H

#include <stdint.h>

/* Uses the `bytes` bytes at `buffer` as the ring. From then on a host finds the control block. */
void rtt_begin(uint8_t *buffer, uint32_t bytes);

/* Writes `bytes` bytes of `data`, or nothing if they do not all fit. Only one caller at a time. */
void rtt_write(const void *data, uint32_t bytes);

#endif
