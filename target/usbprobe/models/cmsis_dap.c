/* SPDX-License-Identifier: MIT */
/* Commands of CMSIS-DAP, except for the transfers. */
#include "cmsis_dap.h"
#include "bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    DAP_INFO = 0x00,
    DAP_HOST_STATUS = 0x01,
    DAP_CONNECT = 0x02,
    DAP_DISCONNECT = 0x03,
    DAP_TRANSFER_CONFIGURE = 0x04,
    DAP_TRANSFER = 0x05,
    DAP_TRANSFER_BLOCK = 0x06,
    DAP_TRANSFER_ABORT = 0x07,
    DAP_WRITE_ABORT = 0x08,
    DAP_DELAY = 0x09,
    DAP_RESET_TARGET = 0x0A,
    DAP_SWJ_PINS = 0x10,
    DAP_SWJ_CLOCK = 0x11,
    DAP_SWJ_SEQUENCE = 0x12,
    DAP_SWD_CONFIGURE = 0x13,
    DAP_SWD_SEQUENCE = 0x1D
};
enum {
    INFO_VENDOR = 1,
    INFO_PRODUCT,
    INFO_SERIAL,
    INFO_PROTOCOL,
    INFO_FIRMWARE = 9,
    INFO_CAPABILITIES = 0xF0,
    INFO_PACKET_COUNT = 0xFE,
    INFO_PACKET_SIZE = 0xFF
};

#define DONE             0
#define COUNT_BYTES      32 /* length of one count as text */
#define FAILED           0xFF
#define INVALID          0xFF
#define CAPABLE_OF_SWD   1
#define CONNECTED_SWD    1
#define PIN_RESET        0x80
#define PINS_HIGH        0x03 /* SWCLK and SWDIO */
#define LINE_RESET_ONES  50
#define SEQUENCE_IN      0x80
#define SEQUENCE_CLOCKS  0x3F
#define SEQUENCES_CLOCKS 64
#define WRITE_TARGETSEL  0x99 /* start, write of DP register 0xC, park */

uint8_t dap_take_u8(struct dap_reader *reader)
{
    if (reader->left == 0) {
        reader->too_short = true;
        return 0;
    }
    reader->left--;
    return *reader->at++;
}

uint16_t dap_take_u16(struct dap_reader *reader)
{
    unsigned low = dap_take_u8(reader);
    return (uint16_t)(low | (unsigned)dap_take_u8(reader) << 8);
}

uint32_t dap_take_u32(struct dap_reader *reader)
{
    uint32_t low = dap_take_u16(reader);
    return low | (uint32_t)dap_take_u16(reader) << 16;
}

/* Adds a byte to the answer. Drops a byte that does not fit, so a caller that may write more checks the room first. */
void dap_put_u8(struct dap_writer *writer, unsigned value)
{
    if (writer->left == 0)
        return;
    *writer->at++ = (uint8_t)value;
    writer->left--;
}

void dap_put_u32(struct dap_writer *writer, uint32_t value)
{
    for (int i = 0; i < 4; i++, value >>= 8)
        dap_put_u8(writer, value & 0xFF);
}

static void put_text(struct dap_writer *writer, const char *text)
{
    size_t length = strlen(text) + 1; /* with its final zero */
    if (length > writer->left - 1)
        length = writer->left - 1;
    dap_put_u8(writer, (unsigned)length);
    for (size_t i = 0; i < length; i++)
        dap_put_u8(writer, (uint8_t)text[i]);
}

static void info(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    switch (dap_take_u8(reader)) {
    case INFO_VENDOR:
        put_text(writer, dap->identity->manufacturer);
        return;
    case INFO_PRODUCT:
        put_text(writer, dap->identity->name);
        return;
    case INFO_SERIAL:
        put_text(writer, dap->identity->serial);
        return;
    case INFO_PROTOCOL:
        put_text(writer, "2.1.0");
        return;
    case INFO_FIRMWARE:
        put_text(writer, "1.0.0");
        return;
    case INFO_CAPABILITIES:
        dap_put_u8(writer, 1);
        dap_put_u8(writer, CAPABLE_OF_SWD);
        return;
    case INFO_PACKET_COUNT:
        dap_put_u8(writer, 1);
        dap_put_u8(writer, dap->packets_max);
        return;
    case INFO_PACKET_SIZE:
        dap_put_u8(writer, 2);
        dap_put_u8(writer, dap->packet_bytes & 0xFF);
        dap_put_u8(writer, (unsigned)(dap->packet_bytes >> 8));
        return;
    default:
        dap_put_u8(writer, 0);
        return;
    }
}

static void host_status(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    (void)dap;
    dap_take_u16(reader); /* which LED, on or off */
    dap_put_u8(writer, DONE);
}

static void connect(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    (void)dap;
    unsigned way = dap_take_u8(reader); /* 0: the probe's choice */
    dap_put_u8(writer, way <= CONNECTED_SWD ? CONNECTED_SWD : 0);
}

static void disconnect(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    (void)dap, (void)reader;
    dap_put_u8(writer, DONE);
}

static void configure_transfers(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    dap_take_u8(reader); /* idle cycles */
    uint16_t wait_retries = dap_take_u16(reader), match_retries = dap_take_u16(reader);
    if (reader->too_short)
        return;
    dap->wait_retries = wait_retries;
    dap->match_retries = match_retries;
    dap_put_u8(writer, DONE);
}

static void write_abort(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    dap_take_u8(reader);
    uint32_t value = dap_take_u32(reader);
    if (reader->too_short)
        return;
    debug_port_write(&dap->port, 0, value);
    dap_put_u8(writer, DONE);
}

static void delay(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    (void)dap;
    dap_take_u16(reader); /* accepted, without effect */
    dap_put_u8(writer, DONE);
}

static void reset_target(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    (void)dap, (void)reader;
    dap_put_u8(writer, DONE);
    dap_put_u8(writer, 0); /* not implemented for this device */
}

static void swj_pins(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    unsigned levels = dap_take_u8(reader), chosen = dap_take_u8(reader);
    dap_take_u32(reader); /* time to wait */
    if (reader->too_short)
        return;
    bool high = levels & PIN_RESET;
    if ((chosen & PIN_RESET) && high != dap->reset_high) {
        dap->reset_high = high;
        dap->port.target.drive_reset(dap->port.target.self, high);
    }
    dap_put_u8(writer, PINS_HIGH | (dap->reset_high ? PIN_RESET : 0));
}

static void swj_clock(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    (void)dap;
    dap_put_u8(writer, dap_take_u32(reader) ? DONE : FAILED); /* without effect, because the board sets the speed */
}

static void clock_line(struct cmsis_dap *dap, bool high)
{
    dap->ones = high ? dap->ones + 1 : 0;
    if (dap->ones == LINE_RESET_ONES)
        debug_port_line_reset(&dap->port);
}

static void swj_sequence(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    unsigned clocks = dap_take_u8(reader);
    if (clocks == 0)
        clocks = 256;
    if (reader->left < (clocks + 7) / 8) {
        reader->too_short = true;
        return;
    }
    for (unsigned i = 0; i < clocks; i++)
        clock_line(dap, reader->at[i / 8] >> i % 8 & 1);
    dap_put_u8(writer, DONE);
}

static void swd_configure(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    (void)dap;
    dap_take_u8(reader);
    dap_put_u8(writer, DONE);
}

/*
 * Notes a write to TARGETSEL in a sequence: 8 clocks of the request, 5 for an acknowledge that no target gives, 33 for
 * value and parity.
 */
static void note_target_select(struct cmsis_dap *dap, const struct dap_reader *reader)
{
    static const uint8_t begin[] = {3, 8, WRITE_TARGETSEL, SEQUENCE_IN | 5, 33};
    if (reader->left >= sizeof begin + 4 && memcmp(reader->at, begin, sizeof begin) == 0)
        debug_port_select_target(&dap->port, get_u32(reader->at + sizeof begin));
}

/* Carries out a raw sequence. No target answers a raw sequence, so the line reads as zero. */
static void swd_sequence(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer)
{
    uint8_t *status = writer->at;
    note_target_select(dap, reader);
    unsigned count = dap_take_u8(reader);
    dap_put_u8(writer, DONE);
    for (; count && !reader->too_short; count--) {
        unsigned what = dap_take_u8(reader);
        unsigned clocks = what & SEQUENCE_CLOCKS ? what & SEQUENCE_CLOCKS : SEQUENCES_CLOCKS;
        for (unsigned i = 0; i < clocks; i += 8) {
            if (!(what & SEQUENCE_IN)) {
                unsigned bits = dap_take_u8(reader);
                for (unsigned j = i; !reader->too_short && j < clocks && j < i + 8; j++)
                    clock_line(dap, bits >> (j - i) & 1);
            } else if (writer->left) {
                dap_put_u8(writer, 0);
            } else {
                *status = FAILED;
            }
        }
    }
}

static const struct command {
    uint8_t number;
    void (*run)(struct cmsis_dap *dap, struct dap_reader *reader, struct dap_writer *writer);
} commands[] = {
    {DAP_INFO, info},
    {DAP_HOST_STATUS, host_status},
    {DAP_CONNECT, connect},
    {DAP_DISCONNECT, disconnect},
    {DAP_TRANSFER_CONFIGURE, configure_transfers},
    {DAP_TRANSFER, dap_transfer},
    {DAP_TRANSFER_BLOCK, dap_transfer_block},
    {DAP_WRITE_ABORT, write_abort},
    {DAP_DELAY, delay},
    {DAP_RESET_TARGET, reset_target},
    {DAP_SWJ_PINS, swj_pins},
    {DAP_SWJ_CLOCK, swj_clock},
    {DAP_SWJ_SEQUENCE, swj_sequence},
    {DAP_SWD_CONFIGURE, swd_configure},
    {DAP_SWD_SEQUENCE, swd_sequence},
};

static enum usb_result take_command(void *self, const uint8_t *bytes, size_t length, struct usb_answer *answer)
{
    struct cmsis_dap *dap = self;
    struct dap_reader reader = {bytes, length, false};
    struct dap_writer writer = {answer->bytes, dap->packet_bytes};
    if (length > dap->packet_bytes)
        return USB_STALLED;
    unsigned number = dap_take_u8(&reader);
    dap->commands[number]++;
    if (number == DAP_TRANSFER_ABORT) /* no transfer is in progress; the command has no answer */
        return USB_DONE;
    dap_put_u8(&writer, number);
    answer->given = answer->status_first = true;
    answer->length = 1;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (commands[i].number != number)
            continue;
        commands[i].run(dap, &reader, &writer);
        if (reader.too_short)
            break;
        answer->length = dap->packet_bytes - writer.left;
        return USB_DONE;
    }
    answer->bytes[0] = INVALID;
    return USB_DONE;
}

static enum usb_result take(void *self, const uint8_t *bytes, size_t length, struct usb_answer *answer)
{
    struct cmsis_dap *dap = self;
    enum usb_result result = take_command(dap, bytes, length, answer);
    if (dap->identity->is_hid && answer->given) {
        memcpy(dap->report, answer->bytes, answer->length);
        memcpy(answer->bytes, dap->report, dap->packet_bytes);
        answer->length = dap->packet_bytes;
    }
    return result;
}

static size_t list_counts(const uint64_t *counts, char *text, size_t text_bytes)
{
    size_t used = 0;
    for (unsigned i = 0; i < 256; i++)
        if (counts[i] && used + COUNT_BYTES < text_bytes)
            used += (size_t)snprintf(text + used, text_bytes - used, "%02x:%" PRIu64 " ", i, counts[i]);
    return used;
}

void cmsis_dap_list(const struct cmsis_dap *dap, char *text, size_t text_bytes)
{
    size_t used = list_counts(dap->commands, text, text_bytes);
    if (used + COUNT_BYTES < text_bytes)
        used += (size_t)snprintf(text + used, text_bytes - used, "| ");
    list_counts(dap->requests, text + used, text_bytes - used);
}

static void reset(void *self)
{
    struct cmsis_dap *dap = self;
    struct debug_target target = dap->port.target;
    debug_port_init(&dap->port, &target);
    dap->wait_retries = 100;
    dap->match_retries = 0;
    dap->match_mask = 0;
    dap->ones = 0;
    dap->reset_high = true;
}

struct probe_model cmsis_dap_init(struct cmsis_dap *dap, const struct usb_identity *identity,
                                  const struct debug_target *target, size_t packet_bytes, unsigned packets_max)
{
    *dap = (struct cmsis_dap){.identity = identity, .packet_bytes = packet_bytes, .packets_max = packets_max};
    dap->port.target = *target;
    reset(dap);
    return (struct probe_model){dap, take, reset, packets_max};
}
