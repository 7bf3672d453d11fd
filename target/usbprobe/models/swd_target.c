/* SPDX-License-Identifier: MIT */
/* A debug port, clock by clock. */
#include "swd_target.h"

#include <string.h>

#define LINE_RESET_ONES 50
#define REQUEST_BITS    8
#define ACK_BITS        3
#define DATA_BITS       33 /* with parity */
#define TRANSFER_BITS   46
#define STOP            0x40u
#define PARK            0x80u
#define READ_DATA       (PORT_DATA | PORT_READ)
#define READ_DPIDR      0x02u
#define CONTROL         0x04u
#define WRITE_ABORT     0x00u
#define WRITE_TARGETSEL 0x0Cu
#define READ_BUFFER     0x0Eu
#define ORUNDETECT      1u
#define STICKY_OVERRUN  2u
#define STICKY_WRITE    0x80u
#define CLEAR_WRITE     0x08u
#define CLEAR_OVERRUN   0x10u

/* The bits of a call of swd_target_clock(), to look ahead in them. */
struct wire {
    const uint8_t *drive, *out;
    size_t at, count;
};

void swd_target_init(struct swd_target *target, const struct debug_target *behind)
{
    memset(target, 0, sizeof *target);
    debug_port_init(&target->port, behind);
    target->phase = SWD_LOCKED;
}

static unsigned bit(const uint8_t *bits, size_t at)
{
    return bits[at / 8] >> at % 8 & 1;
}

static uint32_t take(const uint8_t *bits, size_t at, unsigned count)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint32_t)bit(bits, at + i) << i;
    return value;
}

/* ---- reads ---- */

/* Counts the reads of DRW from the current request on; each begins 46 clocks after the last. The wire is at the last
 * clock of the request. */
static size_t count_reads(const struct swd_target *target, const struct wire *wire)
{
    size_t count = 1;
    for (size_t at = wire->at + 1 - REQUEST_BITS + TRANSFER_BITS;
         count < SWD_AHEAD_MAX && at + REQUEST_BITS <= wire->count; at += TRANSFER_BITS, count++)
        if (take(wire->drive, at, REQUEST_BITS) != 0xFF || take(wire->out, at, REQUEST_BITS) != target->request)
            break;
    return count;
}

/* Reads DRW for this request and for those that follow, because the board answers one long read faster. */
static enum swd_ack read_ahead(struct swd_target *target, const struct wire *wire, uint32_t *value)
{
    enum swd_ack ack = SWD_OK;
    if (target->ahead_first == target->ahead_count) {
        bool overrun = target->port.control & ORUNDETECT;
        target->ahead_first = 0;
        ack = debug_port_read_data(&target->port, target->ahead, overrun ? count_reads(target, wire) : 1,
                                   &target->ahead_count);
    }
    if (target->ahead_first == target->ahead_count)
        return ack;
    *value = target->ahead[target->ahead_first++];
    return SWD_OK;
}

/* Returns the data of the read before. A bus fault shows in the acknowledgement of the next request. */
static enum swd_ack read_ap(struct swd_target *target, const struct wire *wire, unsigned number)
{
    bool failed = target->port.sticky_error && target->ahead_first == target->ahead_count;
    uint32_t value = 0;
    enum swd_ack ack =
        number == READ_DATA ? read_ahead(target, wire, &value) : debug_port_read(&target->port, number, &value);
    if (ack == SWD_FAULT && !failed)
        ack = SWD_OK;
    if (ack != SWD_OK && ack != SWD_PARITY)
        return ack;
    target->data = target->posted;
    target->posted = value;
    return ack;
}

static enum swd_ack read_register(struct swd_target *target, const struct wire *wire, unsigned number)
{
    if (number & PORT_AP)
        return read_ap(target, wire, number);
    enum swd_ack ack = debug_port_read(&target->port, number, &target->data);
    if (number == READ_BUFFER)
        target->data = target->posted;
    if (number == (CONTROL | PORT_READ) && (target->port.select & 0xF) == 0)
        target->data |= (target->overrun ? STICKY_OVERRUN : 0) | (target->write_error ? STICKY_WRITE : 0);
    return ack;
}

/* ---- writes ---- */

/* The wire is at the last clock of the request. The data begin after two turns and the acknowledgement. */
static enum swd_ack write_register(struct swd_target *target, const struct wire *wire, unsigned number)
{
    size_t at = wire->at + 1 + 1 + ACK_BITS + 1;
    if (at + DATA_BITS > wire->count)
        return SWD_SILENT;
    uint32_t value = take(wire->out, at, 32);
    if (target->port.state != PORT_OPEN)
        return debug_port_write(&target->port, number, value);
    if (bit(wire->out, at + 32) != (unsigned)__builtin_parity(value)) {
        target->write_error = true;
        return SWD_OK;
    }
    if (number == WRITE_ABORT) {
        target->overrun = target->overrun && !(value & CLEAR_OVERRUN);
        target->write_error = target->write_error && !(value & CLEAR_WRITE);
    }
    enum swd_ack ack = debug_port_write(&target->port, number, value);
    if (target->no_detection)
        target->port.control &= ~ORUNDETECT;
    return ack;
}

/* ---- a request ---- */

static bool is_always_answered(unsigned number)
{
    return number == READ_DPIDR || number == (CONTROL | PORT_READ) || number == WRITE_ABORT;
}

static bool is_hit(struct swd_target *target, unsigned number)
{
    bool sticky = target->overrun || target->write_error;
    if (target->trouble_count == 0 || target->requests_so_far < target->trouble_at || sticky)
        return false;
    if ((target->trouble == SWD_WAIT || target->trouble == SWD_FAULT) && is_always_answered(number))
        return false;
    target->trouble_count--;
    return true;
}

static void enter(struct swd_target *target, int phase)
{
    target->phase = phase;
    target->clocks = 0;
}

/* Does the complete request before its turn, and keeps the answer. */
static void obey(struct swd_target *target, const struct wire *wire)
{
    unsigned number = target->request >> 1 & 0xF, parity = target->request >> 5 & 1;
    bool detects = target->port.control & ORUNDETECT;
    target->selects = number == WRITE_TARGETSEL && target->port.state == PORT_RESET;
    if (parity != (unsigned)__builtin_parity(number) || (target->request & (STOP | PARK)) != PARK) {
        enter(target, SWD_LOCKED);
        return;
    }
    bool hit = is_hit(target, number);
    target->requests[number]++;
    target->requests_so_far++;
    if (target->selects) {
        size_t at = wire->at + 1 + 1 + ACK_BITS + 1;
        if (at + DATA_BITS <= wire->count)
            debug_port_select_target(&target->port, take(wire->out, at, 32));
        target->ack = SWD_SILENT;
    } else if ((target->overrun || target->write_error) && !is_always_answered(number)) {
        target->ack = SWD_FAULT;
    } else if (hit && target->trouble != SWD_PARITY) {
        target->ack = target->trouble;
    } else if (number & PORT_READ) {
        target->ack = read_register(target, wire, number);
    } else {
        target->ack = write_register(target, wire, number);
    }
    target->wrong_parity = target->ack == SWD_PARITY || (hit && target->trouble == SWD_PARITY);
    if (target->ack == SWD_PARITY)
        target->ack = SWD_OK;
    if (target->ack == SWD_WAIT && detects)
        target->overrun = true;
    target->has_data = target->ack == SWD_OK || detects || target->selects;
    enter(target, target->ack == SWD_SILENT && !target->selects ? SWD_LOCKED : SWD_TURN);
}

/* ---- clocks ---- */

/* Returns the level that the target drives; 1 if it does not drive. */
static unsigned driven(const struct swd_target *target)
{
    unsigned parity = (unsigned)__builtin_parity(target->data) ^ target->wrong_parity;
    if (target->phase == SWD_ACKNOWLEDGE && !target->selects)
        return target->ack >> target->clocks & 1;
    if (target->phase == SWD_SEND)
        return target->clocks < 32 ? target->data >> target->clocks & 1 : parity;
    return 1;
}

static void end_acknowledge(struct swd_target *target)
{
    bool reads = target->request >> 1 & PORT_READ;
    enter(target, !target->has_data ? SWD_LAST_TURN : reads ? SWD_SEND : SWD_RECEIVE_TURN);
}

/* Makes one clock. `level` is the line's. */
static void step(struct swd_target *target, const struct wire *wire, unsigned level)
{
    target->clocks++;
    switch (target->phase) {
    case SWD_IDLE:
        if (level)
            enter(target, SWD_REQUEST), target->clocks = target->request = 1;
        break;
    case SWD_RESETTING:
        if (!level)
            enter(target, SWD_IDLE);
        break;
    case SWD_REQUEST:
        target->request |= level << (target->clocks - 1);
        if (target->clocks == REQUEST_BITS)
            obey(target, wire);
        break;
    case SWD_TURN:
        enter(target, SWD_ACKNOWLEDGE);
        break;
    case SWD_ACKNOWLEDGE:
        if (target->clocks == ACK_BITS)
            end_acknowledge(target);
        break;
    case SWD_SEND:
        if (target->clocks == DATA_BITS)
            enter(target, SWD_LAST_TURN);
        break;
    case SWD_RECEIVE_TURN:
        enter(target, SWD_RECEIVE);
        break;
    case SWD_RECEIVE:
        if (target->clocks == DATA_BITS)
            enter(target, SWD_IDLE);
        break;
    case SWD_LAST_TURN:
        enter(target, SWD_IDLE);
        break;
    case SWD_LOCKED:
        break;
    }
}

void swd_target_clock(struct swd_target *target, const uint8_t *drive, const uint8_t *out, uint8_t *in, size_t count)
{
    struct wire wire = {drive, out, 0, count};
    memset(in, 0, (count + 7) / 8);
    target->ahead_first = target->ahead_count = 0;
    for (; wire.at < count; wire.at++) {
        bool host = bit(drive, wire.at);
        unsigned level = host ? bit(out, wire.at) : driven(target);
        target->ones = host && level ? target->ones + 1 : 0;
        step(target, &wire, level);
        if (target->ones == LINE_RESET_ONES) {
            debug_port_line_reset(&target->port);
            target->overrun = target->write_error = false;
            enter(target, SWD_RESETTING);
        }
        in[wire.at / 8] |= (uint8_t)((host ? level : driven(target)) << wire.at % 8);
    }
}
