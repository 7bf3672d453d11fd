/* SPDX-License-Identifier: MIT */
/* Writes and reads the bits of transfers. */
#include "probe/jlink/swd_bits.h"

#include <assert.h>
#include <string.h>

#define REQUEST_BITS   8
#define START_AND_PARK 0x81u /* bit 0: start, bit 6: stop, which is 0, bit 7: park */
#define REQUEST_SHIFT  1
#define PARITY_SHIFT   5
#define ACK_AT         8 /* see swd_take() */
#define ACK_BITS       3
#define DATA_AT        11
#define DATA_BITS      32
#define WRITE_LISTENS  5
#define READ_LISTENS   38
#define USB_PACKET     64 /* packet size at full speed; divides that of high speed */

void swd_begin(struct swd_bits *bits, size_t most_bytes)
{
    memset(bits, 0, sizeof *bits);
    bits->most = 8 * (most_bytes < SWD_BYTES_MAX ? most_bytes : SWD_BYTES_MAX);
}

/* ---- adding ---- */

static void add(struct swd_bits *bits, bool drive, unsigned bit)
{
    size_t byte = bits->count / 8;
    uint8_t mask = (uint8_t)(1u << bits->count % 8);

    assert(bits->count < bits->most);
    if (drive)
        bits->drive[byte] |= mask;
    if (bit)
        bits->out[byte] |= mask;
    bits->count++;
}

void swd_add_idle(struct swd_bits *bits, size_t clocks)
{
    while (clocks-- > 0)
        add(bits, true, 0);
}

void swd_add_bits(struct swd_bits *bits, const uint8_t *bytes, size_t clocks)
{
    for (size_t i = 0; i < clocks; i++)
        add(bits, true, bytes[i / 8] >> i % 8 & 1);
}

void swd_add_listening(struct swd_bits *bits, size_t clocks)
{
    while (clocks-- > 0)
        add(bits, false, 0);
}

static uint8_t request_byte(uint8_t request)
{
    unsigned parity = (unsigned)__builtin_parity(request & 0xFu);

    return (uint8_t)(START_AND_PARK | (request & 0xFu) << REQUEST_SHIFT | parity << PARITY_SHIFT);
}

static void add_word(struct swd_bits *bits, uint32_t value)
{
    for (unsigned i = 0; i < DATA_BITS; i++)
        add(bits, true, value >> i & 1);
    add(bits, true, (unsigned)__builtin_parity(value));
}

bool swd_add_transfer(struct swd_bits *bits, const struct swd_transfer *transfer)
{
    uint8_t byte = request_byte(transfer->request);

    if (bits->count + SWD_TRANSFER_BITS + SWD_END_BITS_MAX > bits->most)
        return false;
    swd_add_bits(bits, &byte, REQUEST_BITS);
    if (transfer->request & SWD_READ) {
        swd_add_listening(bits, READ_LISTENS);
    } else {
        swd_add_listening(bits, WRITE_LISTENS);
        add_word(bits, transfer->value);
    }
    return true;
}

void swd_end(struct swd_bits *bits, size_t last_bytes)
{
    swd_add_idle(bits, SWD_IDLE_BITS);
    while (swd_bytes(bits) + 1 < SWD_ANSWER_BYTES_MIN || (swd_bytes(bits) + 1) % USB_PACKET == 0 ||
           swd_bytes(bits) == last_bytes)
        swd_add_idle(bits, 1);
}

/* ---- taking ---- */

static uint32_t take(const uint8_t *in, size_t at, unsigned count)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < count; i++)
        value |= (uint32_t)(in[(at + i) / 8] >> (at + i) % 8 & 1) << i;
    return value;
}

unsigned swd_take(const uint8_t *in, size_t at, uint8_t request, uint32_t *value)
{
    unsigned ack = take(in, at + ACK_AT, ACK_BITS);

    if (ack != SWD_ACK_OK)
        return ack == SWD_ACK_WAIT || ack == SWD_ACK_FAULT ? ack : SWD_ACK_NOBODY;
    if (!(request & SWD_READ))
        return SWD_ACK_OK;
    *value = take(in, at + DATA_AT, DATA_BITS);
    if (take(in, at + DATA_AT + DATA_BITS, 1) != (uint32_t)__builtin_parity(*value))
        return SWD_ACK_OK | SWD_ACK_PARITY;
    return SWD_ACK_OK;
}
