/* SPDX-License-Identifier: MIT */
#include "stream/direct_probe.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmsis_dap.h"
#include "kinds.h"
#include "probe/dap/dap_source.h"

#define QUEUE 8 /* commands under way, at least DAP_IN_FLIGHT_MAX */

struct command {
    enum { SENT, DONE, ANSWERED } state;
    uint64_t ready_ns; /* it arrives at the probe; the answer is made; the host has the answer */
    uint8_t bytes[DAP_ANSWER_BYTES_MAX];
    size_t length;
};

static struct {
    struct direct_timing timing;
    struct direct_target target;
    struct cmsis_dap dap;
    struct probe_model model;
    struct dap_source *source;
    struct command queue[QUEUE];
    unsigned first, count;
    uint64_t host_ns, bus_ns; /* the host has time again, the bus is free */
    uint64_t commands;
} direct;

static struct usb_answer answer; /* large */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- the bus ---- */

static uint64_t carry(uint64_t from_ns, size_t length)
{
    size_t packets = (length + direct.timing.packet_bytes - 1) / direct.timing.packet_bytes;

    direct.bus_ns = later(direct.bus_ns, from_ns) + (packets > 0 ? packets : 1) * direct.timing.packet_ns;
    return direct.bus_ns;
}

/* ---- the probe ---- */

/* Transfers on the wire that are not words of memory: of other registers, and one more to fetch the last word read. */
static uint64_t other_transfers(const uint8_t *bytes, size_t length)
{
    uint64_t transfers = 0;
    bool reads = bytes[0] == 6;

    for (size_t at = 3; bytes[0] == 5 && at < length; at += bytes[at] & 2 ? 1 : 5) {
        transfers += bytes[at] != DAP_DATA;
        reads = reads || (bytes[at] & 3) == 3;
    }
    return transfers + reads;
}

static uint64_t begins_ns(const struct command *command)
{
    return later(command->ready_ns, direct.target.now_ns());
}

/* The target's clock goes on to the end of the command. */
static void carry_out(struct command *command)
{
    direct.target.pass(begins_ns(command) - direct.target.now_ns());
    direct.target.pass(direct.timing.command_ns +
                       other_transfers(command->bytes, command->length) * direct.timing.transfer_ns);
    answer.given = answer.status_first = false;
    answer.length = answer.fetched = 0;
    (void)direct.model.take(direct.model.self, command->bytes, command->length, &answer);
    command->length = answer.length;
    memcpy(command->bytes, answer.bytes, answer.length);
    command->ready_ns = direct.target.now_ns();
    command->state = DONE;
}

/* ---- side by side ---- */

static struct command *oldest(int state)
{
    for (unsigned i = 0; i < direct.count; i++) {
        struct command *command = &direct.queue[(direct.first + i) % QUEUE];

        if ((int)command->state == state)
            return command;
    }
    return NULL;
}

/* What comes next: an answer on the bus, or a command in the probe. False: not before end_ns. */
static bool step(uint64_t end_ns)
{
    struct command *sent = oldest(SENT), *done = oldest(DONE);
    uint64_t sent_ns = sent != NULL ? begins_ns(sent) : UINT64_MAX;
    uint64_t done_ns = done != NULL ? later(done->ready_ns, direct.bus_ns) : UINT64_MAX;

    if (sent_ns >= end_ns && done_ns >= end_ns)
        return false;
    if (done_ns <= sent_ns) {
        done->ready_ns = carry(done->ready_ns, done->length);
        done->state = ANSWERED;
    } else {
        carry_out(sent);
    }
    return true;
}

/* ---- the target ---- */

static enum swd_ack read_memory(void *self, uint32_t address, unsigned width, size_t length, uint8_t *bytes)
{
    (void)self;
    if (width != 4)
        return SWD_FAULT;
    direct.target.read(address, (uint32_t)length, bytes);
    return SWD_OK;
}

static enum swd_ack write_memory(void *self, uint32_t address, unsigned width, size_t length, const uint8_t *bytes)
{
    (void)self, (void)address, (void)width, (void)length, (void)bytes;
    return SWD_FAULT;
}

static void connect_line(void *self)
{
    (void)self;
}

static void drive_reset(void *self, bool high)
{
    (void)self, (void)high;
}

/* ---- the host ---- */

static enum dap_result send(void *self, const uint8_t *bytes, size_t length)
{
    struct command *command = &direct.queue[(direct.first + direct.count) % QUEUE];

    (void)self;
    direct.host_ns = direct_probe_now_ns() + direct.timing.submit_ns;
    while (step(direct.host_ns)) {
    }
    direct.count++;
    direct.commands++;
    memcpy(command->bytes, bytes, length);
    command->length = length;
    command->state = SENT;
    command->ready_ns = carry(direct.host_ns, length);
    return DAP_OK;
}

static enum dap_result listen(void *self)
{
    (void)self;
    return DAP_OK;
}

static enum dap_result receive(void *self, uint8_t bytes[static DAP_ANSWER_BYTES_MAX], size_t *length,
                               unsigned timeout_ms)
{
    const struct command *command = &direct.queue[direct.first];

    (void)self, (void)timeout_ms;
    if (direct.count == 0)
        return DAP_TIMEOUT;
    while (command->state != ANSWERED && step(UINT64_MAX)) {
    }
    *length = command->length;
    memcpy(bytes, command->bytes, command->length);
    direct.host_ns = later(direct.host_ns, command->ready_ns) + direct.timing.finish_ns;
    direct.first = (direct.first + 1) % QUEUE;
    direct.count--;
    return DAP_OK;
}

static enum dap_result reset(void *self)
{
    (void)self;
    direct.count = 0;
    return DAP_OK;
}

static uint64_t now_us(void *self)
{
    (void)self;
    return direct_probe_now_ns() / 1000;
}

static void close_pipe(void *self)
{
    (void)self;
}

struct txtap_source direct_probe_open(const struct direct_timing *timing, const struct direct_target *target)
{
    static const struct dap_pipe_ops ops = {send, listen, receive, reset, now_us, close_pipe};
    static const struct dap_settings settings = {.name = "probe", .serial = "", .node = ""};
    const struct debug_target behind = {
        .read = read_memory, .write = write_memory, .connect = connect_line, .drive_reset = drive_reset};
    struct error error;

    if (direct.source != NULL)
        dap_source_of(direct.source).ops->close(direct.source);
    memset(&direct, 0, sizeof direct);
    direct.timing = *timing;
    direct.target = *target;
    direct.model = cmsis_dap_init(&direct.dap, kind_find("cmsis-dap"), &behind, timing->packet_bytes, timing->packets);
    if (dap_source_open(&direct.source, (struct dap_pipe){&ops, NULL, timing->packet_bytes}, &settings, 1000, &error) !=
        TXTAP_OK) {
        fprintf(stderr, "direct_probe: %s\n", error.what);
        abort();
    }
    return dap_source_of(direct.source);
}

uint64_t direct_probe_now_ns(void)
{
    return direct.count > 0 ? direct.host_ns : later(direct.host_ns, direct.target.now_ns());
}

uint64_t direct_probe_commands(void)
{
    return direct.commands;
}
