/* SPDX-License-Identifier: MIT */
/* DAP_Transfer and DAP_TransferBlock. */
#include "cmsis_dap.h"
#include "bits.h"

#include <string.h>

enum { REQUEST_REGISTER = 0x0F, REQUEST_MATCH_VALUE = 0x10, REQUEST_MATCH_MASK = 0x20 };

#define MISMATCH    0x10u
#define READ_DATA   (PORT_DATA | PORT_READ)
#define RUN_MAX     (CMSIS_DAP_PACKET_MAX / 4)
#define RETRIES_MAX 1000 /* upper limit of the debugger's setting, so that USB does not time out before the answer */

static unsigned bounded(unsigned retries)
{
    return retries < RETRIES_MAX ? retries : RETRIES_MAX;
}

static enum swd_ack write_register(struct cmsis_dap *dap, unsigned request, uint32_t value)
{
    enum swd_ack ack = debug_port_write(&dap->port, request & REQUEST_REGISTER, value);
    for (unsigned i = 0; ack == SWD_WAIT && i < bounded(dap->wait_retries); i++)
        ack = debug_port_write(&dap->port, request & REQUEST_REGISTER, value);
    return ack;
}

/* Reads one register `count` times; `done` as for debug_port_read_data(). */
static enum swd_ack read_registers(struct cmsis_dap *dap, unsigned request, uint32_t *values, size_t count,
                                   size_t *done)
{
    enum swd_ack ack;
    unsigned retries = 0;
    *done = 0;
    do {
        size_t more = 0;
        if ((request & REQUEST_REGISTER) == READ_DATA) {
            ack = debug_port_read_data(&dap->port, values + *done, count - *done, &more);
        } else {
            ack = debug_port_read(&dap->port, request & REQUEST_REGISTER, values + *done);
            more = ack == SWD_OK;
        }
        *done += more;
    } while (*done < count && (ack == SWD_OK || (ack == SWD_WAIT && retries++ < bounded(dap->wait_retries))));
    return ack;
}

/* Reads the register until it has the value, but at most as often as the debugger has configured. */
static unsigned match_register(struct cmsis_dap *dap, unsigned request, uint32_t wanted)
{
    uint32_t value = 0;
    size_t done;
    for (unsigned i = 0; i <= bounded(dap->match_retries); i++) {
        enum swd_ack ack = read_registers(dap, request, &value, 1, &done);
        if (ack != SWD_OK)
            return ack;
        if ((value & dap->match_mask) == wanted)
            return SWD_OK;
    }
    return SWD_OK | MISMATCH;
}

/* Counts consecutive plain reads of DRW. The caller has already taken the first read from the command. */
static size_t run_of_reads(const struct dap_reader *reader, size_t requests)
{
    size_t count = 1;
    while (count < requests && count < RUN_MAX && count - 1 < reader->left && reader->at[count - 1] == READ_DATA)
        count++;
    return count;
}

static unsigned plain_reads(struct cmsis_dap *dap, unsigned request, size_t count, size_t *done,
                            struct dap_writer *writer)
{
    uint32_t values[RUN_MAX];
    if (writer->left < 4 * count)
        return SWD_PARITY;
    unsigned ack = read_registers(dap, request, values, count, done);
    for (size_t i = 0; i < *done; i++)
        dap_put_u32(writer, values[i]);
    return ack;
}

static unsigned one_write(struct cmsis_dap *dap, unsigned request, struct dap_reader *reader)
{
    uint32_t value = dap_take_u32(reader);
    if (reader->too_short)
        return SWD_PARITY;
    if (!(request & REQUEST_MATCH_MASK))
        return write_register(dap, request, value);
    dap->match_mask = value;
    return SWD_OK;
}

static unsigned one_match(struct cmsis_dap *dap, unsigned request, struct dap_reader *reader)
{
    uint32_t wanted = dap_take_u32(reader);
    return reader->too_short ? SWD_PARITY : match_register(dap, request, wanted);
}

void dap_transfer(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    uint8_t *head = writer->at;
    dap_take_u8(reader); /* index of the DAP: ignored, there is only one */
    size_t requests = dap_take_u8(reader), count = 0;
    unsigned ack = requests ? SWD_OK : 0;
    dap_put_u8(writer, 0);
    dap_put_u8(writer, 0);
    while (count < requests && ack == SWD_OK) {
        unsigned request = dap_take_u8(reader);
        size_t done = 0;
        dap->requests[request]++;
        if (reader->too_short) {
            ack = SWD_PARITY;
        } else if (!(request & PORT_READ)) {
            ack = one_write(dap, request, reader);
            done = ack == SWD_OK;
        } else if (request & REQUEST_MATCH_VALUE) {
            ack = one_match(dap, request, reader);
            done = ack == SWD_OK;
        } else {
            size_t run = request == READ_DATA ? run_of_reads(reader, requests - count) : 1;
            ack = plain_reads(dap, request, run, &done, writer);
            reader->at += run - 1, reader->left -= run - 1;
        }
        count += done;
    }
    head[0] = (uint8_t)count;
    head[1] = (uint8_t)ack;
}

void dap_transfer_block(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    uint8_t *head = writer->at;
    dap_take_u8(reader);
    size_t requests = dap_take_u16(reader), count = 0;
    unsigned request = dap_take_u8(reader) & REQUEST_REGISTER;
    unsigned ack = requests ? SWD_OK : 0;
    dap->requests[request]++;
    for (int i = 0; i < 3; i++)
        dap_put_u8(writer, 0);
    if (request & PORT_READ) {
        if (requests > RUN_MAX)
            ack = SWD_PARITY;
        else if (requests)
            ack = plain_reads(dap, request, requests, &count, writer);
    }
    while (!(request & PORT_READ) && count < requests && ack == SWD_OK) {
        ack = one_write(dap, request, reader);
        count += ack == SWD_OK;
    }
    put_u16(head, (uint16_t)count);
    head[2] = (uint8_t)ack;
}
