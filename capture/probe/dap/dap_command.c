/* SPDX-License-Identifier: MIT */
/* Makes the commands to a CMSIS-DAP probe, and parses its answers. */
#include "probe/dap/dap_command.h"

#include <assert.h>
#include <string.h>

enum { WRITE_CSW = 0x01, WRITE_CTRL_STAT = 0x04, WRITE_TAR = 0x05, WRITE_SELECT = 0x08 };
enum { ACK_OK = 1, ACK_WAIT = 2, ACK_FAULT = 4, ACK_MASK = 7, ACK_PARITY = 8 };

#define SWD           1
#define ABORT_ERRORS  0x1E /* STKCMPCLR, STKERRCLR, WDERRCLR, ORUNERRCLR */
#define ABORT_ACCESS  0x01 /* DAPABORT */
#define TRANSFER_HEAD 3    /* bytes of a command or an answer: number, count, status */
#define BLOCK_HEAD    4

/* ---- making ---- */

static void put(struct dap_packet *packet, unsigned byte)
{
    assert(packet->length < sizeof packet->bytes);
    packet->bytes[packet->length++] = (uint8_t)byte;
}

static void put_half(struct dap_packet *packet, uint16_t value)
{
    put(packet, value & 0xFF);
    put(packet, value >> 8);
}

static void put_word(struct dap_packet *packet, uint32_t value)
{
    put_half(packet, (uint16_t)value);
    put_half(packet, (uint16_t)(value >> 16));
}

static void begin(struct dap_packet *packet, unsigned command)
{
    packet->length = packet->requests = packet->words = 0;
    packet->separates = false;
    put(packet, command);
}

void dap_make_info(struct dap_packet *packet, enum dap_info what)
{
    begin(packet, DAP_DO_INFO);
    put(packet, what);
}

void dap_make_connect(struct dap_packet *packet)
{
    begin(packet, DAP_DO_CONNECT);
    put(packet, SWD);
}

void dap_make_disconnect(struct dap_packet *packet)
{
    begin(packet, DAP_DO_DISCONNECT);
}

void dap_make_clock(struct dap_packet *packet, uint32_t hz)
{
    begin(packet, DAP_DO_SWJ_CLOCK);
    put_word(packet, hz);
}

void dap_make_transfer_configure(struct dap_packet *packet, uint16_t wait_retries)
{
    begin(packet, DAP_DO_TRANSFER_CONFIGURE);
    put(packet, 0); /* no idle clocks */
    put_half(packet, wait_retries);
    put_half(packet, 0); /* the probe does not repeat reads until a value matches */
}

void dap_make_swd_configure(struct dap_packet *packet)
{
    begin(packet, DAP_DO_SWD_CONFIGURE);
    put(packet, 0);
}

void dap_make_sequence(struct dap_packet *packet, enum dap_sequence which)
{
    size_t bits;
    const uint8_t *bytes = dap_sequence_bytes(which, &bits);

    begin(packet, DAP_DO_SWJ_SEQUENCE);
    put(packet, (unsigned)bits);
    for (size_t i = 0; i < bits / 8; i++)
        put(packet, bytes[i]);
}

/* Sends TARGETSEL as raw clocks. DAP_Transfer would treat the missing acknowledge as an error. */
void dap_make_target_select(struct dap_packet *packet, uint32_t value)
{
    static const uint8_t head[] = {3, 8, 0x99, 0x80 | 5, 33};

    begin(packet, DAP_DO_SWD_SEQUENCE);
    for (size_t i = 0; i < sizeof head; i++)
        put(packet, head[i]);
    put_word(packet, value);
    put(packet, (unsigned)__builtin_parity(value));
}

void dap_make_abort(struct dap_packet *packet, bool hangs)
{
    begin(packet, DAP_DO_WRITE_ABORT);
    put(packet, 0);
    put_word(packet, ABORT_ERRORS | (hangs ? ABORT_ACCESS : 0));
}

void dap_make_transfer(struct dap_packet *packet)
{
    begin(packet, DAP_DO_TRANSFER);
    put_half(packet, 0); /* index 0 for the only debug port, then the number of requests so far */
}

static void count_request(struct dap_packet *packet, size_t count)
{
    assert(packet->bytes[0] == DAP_DO_TRANSFER && packet->requests + count <= DAP_TRANSFERS_MAX);
    packet->requests += count;
    packet->bytes[TRANSFER_HEAD - 1] = (uint8_t)packet->requests;
}

void dap_add_read(struct dap_packet *packet, enum dap_register what, size_t count)
{
    count_request(packet, count);
    packet->words += count;
    while (count-- > 0)
        put(packet, what);
}

static void add_write(struct dap_packet *packet, unsigned request, uint32_t value)
{
    count_request(packet, 1);
    put(packet, request);
    put_word(packet, value);
}

void dap_add_power(struct dap_packet *packet, uint32_t requests)
{
    add_write(packet, WRITE_CTRL_STAT, requests);
}

void dap_add_select(struct dap_packet *packet, uint8_t access_port, enum dap_bank bank)
{
    add_write(packet, WRITE_SELECT, (uint32_t)access_port << 24 | bank);
}

void dap_add_select_link(struct dap_packet *packet)
{
    add_write(packet, WRITE_SELECT, 3);
}

void dap_add_csw(struct dap_packet *packet)
{
    add_write(packet, WRITE_CSW, DAP_CSW);
}

void dap_add_tar(struct dap_packet *packet, uint32_t address)
{
    add_write(packet, WRITE_TAR, address);
}

void dap_make_block(struct dap_packet *packet, uint16_t count)
{
    begin(packet, DAP_DO_TRANSFER_BLOCK);
    put(packet, 0);
    put_half(packet, count);
    put(packet, DAP_DATA);
    packet->requests = packet->words = count;
}

/* ---- answers ---- */

uint32_t dap_word(const uint8_t bytes[4])
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Returns the result for an acknowledge value. A value that no target can send means that nobody drives the line. */
static enum dap_result result_of(unsigned status)
{
    if (status & ACK_PARITY)
        return DAP_PARITY;
    switch (status & ACK_MASK) {
    case ACK_OK:
        return DAP_OK;
    case ACK_WAIT:
        return DAP_WAIT;
    case ACK_FAULT:
        return DAP_FAULT;
    default:
        return DAP_SILENT;
    }
}

static size_t transfer_head(const struct dap_packet *packet)
{
    return packet->bytes[0] == DAP_DO_TRANSFER_BLOCK ? BLOCK_HEAD : TRANSFER_HEAD;
}

static size_t status_bytes(uint8_t command)
{
    return command == DAP_DO_SWD_SEQUENCE ? 3 : 2;
}

size_t dap_unpadded(const struct dap_packet *packet, const uint8_t *bytes, size_t length)
{
    size_t whole = status_bytes(packet->bytes[0]);

    if (packet->bytes[0] == DAP_DO_INFO && length >= 2)
        whole = (size_t)2 + bytes[1];
    if (packet->requests > 0) {
        whole = transfer_head(packet);
        if (length >= whole && bytes[whole - 1] == ACK_OK)
            whole += 4 * packet->words;
    }
    return length < whole ? length : whole;
}

/* Takes the answer to a transfer. After a failure, ignores all words, because probes differ in the number of words that
 * they return. */
enum dap_result dap_take_transfer(const struct dap_packet *packet, const uint8_t *bytes, size_t length,
                                  const uint8_t **words)
{
    bool block = packet->bytes[0] == DAP_DO_TRANSFER_BLOCK;
    size_t head = transfer_head(packet), done;
    enum dap_result result;

    if (length < head || bytes[0] != packet->bytes[0])
        return DAP_CONFUSED;
    done = block ? (size_t)bytes[1] | (size_t)bytes[2] << 8 : bytes[1];
    result = result_of(bytes[head - 1]);
    if (done > packet->requests || length > head + 4 * packet->words)
        return DAP_CONFUSED;
    if (result != DAP_OK)
        return result;
    if (done != packet->requests || length != head + 4 * packet->words || bytes[head - 1] != ACK_OK)
        return DAP_CONFUSED;
    *words = bytes + head;
    return DAP_OK;
}

enum dap_result dap_take_info(const uint8_t *bytes, size_t length, const uint8_t **payload, size_t *payload_bytes)
{
    if (length < 2 || bytes[0] != DAP_DO_INFO || length != (size_t)2 + bytes[1])
        return DAP_CONFUSED;
    *payload = bytes + 2;
    *payload_bytes = bytes[1];
    return DAP_OK;
}

/* Takes the status in an answer. DAP_Connect returns the kind of connection. DAP_SWD_Sequence returns bits after its
 * status. For all other commands, the status 0 means that the probe did the command. */
enum dap_result dap_take_status(const struct dap_packet *packet, const uint8_t *bytes, size_t length, bool *done)
{
    uint8_t command = packet->bytes[0];

    if (length != status_bytes(command) || bytes[0] != command)
        return DAP_CONFUSED;
    *done = bytes[1] == (command == DAP_DO_CONNECT ? SWD : 0);
    return DAP_OK;
}
