/* SPDX-License-Identifier: MIT */
/*
 * Transfers of serial wire debug as single bits, for a probe that only clocks bits out and in. Pure. Source: ARM IHI
 * 0031, ADIv5.2, B4. Bits are counted from the least significant bit of the first byte.
 *
 * Every transfer takes 46 clocks, because a debug port whose overrun detection is on has a data phase after every
 * acknowledgement:
 *
 *   read:  8 clocks for the request, then the host listens: turn, 3 for the acknowledgement, 32 of data, parity, turn
 *   write: 8 clocks for the request, then the host listens: turn, 3 for the acknowledgement, turn; then it sends 32 of
 *          data and parity
 */
#ifndef TXTAP_CAPTURE_PROBE_JLINK_SWD_BITS_H
#define TXTAP_CAPTURE_PROBE_JLINK_SWD_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SWD_BYTES_MAX     2048 /* bytes of bits in one exchange */
#define SWD_TRANSFER_BITS 46
#define SWD_IDLE_BITS     8 /* clocks after the last transfer, which a debug port needs to finish it */

/* The number of a register and the direction, as in DAP_Transfer of CMSIS-DAP: bit 0: access port, bit 1: read, bits 2
 * and 3: bits of the register's address. */
enum { SWD_AP = 1, SWD_READ = 2 };

struct swd_transfer {
    uint8_t request;
    uint32_t value; /* of a write */
};

/* The bits of an exchange. drive: 1: the host drives the line, 0: it listens. */
struct swd_bits {
    uint8_t drive[SWD_BYTES_MAX], out[SWD_BYTES_MAX];
    size_t count; /* number of clocks */
    size_t most;  /* limit of `count`, with the clocks of swd_end() */
};

/* most_bytes: limit of the exchange, up to SWD_BYTES_MAX. */
void swd_begin(struct swd_bits *bits, size_t most_bytes);

/* Returns false, and adds nothing, if there is no room. */
bool swd_add_transfer(struct swd_bits *bits, const struct swd_transfer *transfer);

/* Add clocks for which there must be room: with the line low; with these bits; without driving the line. */
void swd_add_idle(struct swd_bits *bits, size_t clocks);
void swd_add_bits(struct swd_bits *bits, const uint8_t *bytes, size_t clocks);
void swd_add_listening(struct swd_bits *bits, size_t clocks);

/*
 * Adds the idle clocks at the end. Then adds more clocks, so that an answer with one byte more than the bits is at
 * least SWD_ANSWER_BYTES_MIN long, and is no multiple of a USB packet: after such an answer some probes send no empty
 * packet, and the host would wait for more. Also makes swd_bytes() different from last_bytes, so that a repeated answer
 * to the last exchange is not taken for the answer to this one.
 */
void swd_end(struct swd_bits *bits, size_t last_bytes);

#define SWD_ANSWER_BYTES_MIN 10
#define SWD_END_BITS_MAX     (SWD_IDLE_BITS + 16) /* with two more bytes */

static inline size_t swd_bytes(const struct swd_bits *bits)
{
    return (bits->count + 7) / 8;
}

/* An acknowledgement, with the numbers of CMSIS-DAP. */
enum { SWD_ACK_OK = 1, SWD_ACK_WAIT = 2, SWD_ACK_FAULT = 4, SWD_ACK_NOBODY = 7, SWD_ACK_PARITY = 8 };

/*
 * Takes the answer to the transfer that begins at clock `at`. `in` has the bits of the exchange. A target changes the
 * line with the rising edge of a clock, and a J-Link reads the line after this edge. So each bit of the target is one
 * clock earlier in `in`, and the first bit of the acknowledgement is in the clock of the turn. Returns SWD_ACK_OK,
 * SWD_ACK_WAIT or SWD_ACK_FAULT; SWD_ACK_NOBODY for any other acknowledgement; SWD_ACK_OK | SWD_ACK_PARITY if the data
 * have the wrong parity. *value: the data of a read, after SWD_ACK_OK.
 */
unsigned swd_take(const uint8_t *in, size_t at, uint8_t request, uint32_t *value);

#endif
