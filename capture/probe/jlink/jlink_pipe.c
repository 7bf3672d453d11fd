/* SPDX-License-Identifier: MIT */
/* Does CMSIS-DAP's commands through a J-Link. Commands wait in a queue. When an answer is wanted, the commands of the
 * queue that are transfers are done in one batch. */
#include "probe/jlink/jlink_pipe.h"

#include <stdlib.h>
#include <string.h>

#include "probe/dap/dap_command.h"
#include "probe/dap/dap_permitted.h"
#include "probe/jlink/swd_batch.h"

#define STEP_MS           1000 /* time for an answer before the first receive() */
#define CONNECTED_SWD     1
#define CAPABLE_OF_SWD    1
#define FAILED            0xFF
#define PACKET_BYTES_MIN  64
#define COMMANDS_AT_ONCE  3 /* commands that one exchange shall do */
#define COMMAND_STEPS     2 /* transfers of a full command beside its words: RDBUFF, and TAR or another RDBUFF */
#define ANSWER_HEAD_BYTES 4
#define TRANSFER_HEAD     3
#define TARGET_VALUE_AT   6

/* A command and its answer. */
struct slot {
    uint8_t bytes[DAP_PACKET_BYTES_MAX];
    size_t length; /* 0: only a place for an answer */
    uint8_t answer[DAP_PACKET_BYTES_MAX];
    size_t answer_bytes; /* 0: the command is not done yet */
    uint8_t words[4 * SWD_STEPS_MAX];
};

struct jlink_pipe {
    struct jlink jlink;
    struct swd_batch batch;
    unsigned timeout_ms; /* of the last receive() */
    unsigned oldest, count;
    struct slot slots[DAP_IN_FLIGHT_MAX];
};

static struct slot *slot_at(struct jlink_pipe *pipe, unsigned index)
{
    return &pipe->slots[(pipe->oldest + index) % DAP_IN_FLIGHT_MAX];
}

/* ---- transfers ---- */

static bool is_transfer(const struct slot *slot)
{
    return slot->length > 0 && (slot->bytes[0] == DAP_DO_TRANSFER || slot->bytes[0] == DAP_DO_TRANSFER_BLOCK);
}

/* Returns the number of words that the command returns. */
static size_t words_of(const struct slot *slot)
{
    size_t words = 0;

    if (slot->bytes[0] == DAP_DO_TRANSFER_BLOCK)
        return slot->bytes[2] | (size_t)slot->bytes[3] << 8;
    for (size_t at = TRANSFER_HEAD; at < slot->length; at += slot->bytes[at] & SWD_READ ? 1 : 5)
        words += slot->bytes[at] & SWD_READ ? 1 : 0;
    return words;
}

static void answer_transfer(struct slot *slot, unsigned status)
{
    bool block = slot->bytes[0] == DAP_DO_TRANSFER_BLOCK;
    size_t head = block ? ANSWER_HEAD_BYTES : TRANSFER_HEAD, words = status == SWD_ACK_OK ? words_of(slot) : 0;

    slot->answer[0] = slot->bytes[0];
    slot->answer[1] = status == SWD_ACK_OK ? slot->bytes[2] : 0;
    slot->answer[2] = status == SWD_ACK_OK ? slot->bytes[3] : 0;
    slot->answer[head - 1] = (uint8_t)status;
    memcpy(slot->answer + head, slot->words, 4 * words);
    slot->answer_bytes = head + 4 * words;
}

/* Returns the number of bits that all transfers of the batch take. */
static size_t batch_bits(const struct jlink_pipe *pipe)
{
    return pipe->batch.count * SWD_TRANSFER_BITS;
}

/*
 * Does the oldest command, and with it all that follow and fit into one exchange. Without overrun detection it does
 * only the oldest. After a failure all have the same status, since the debug port reports an error until it is cleared.
 */
static enum dap_result do_transfers(struct jlink_pipe *pipe)
{
    struct swd_batch *batch = &pipe->batch;
    size_t limit = 8 * pipe->jlink.bits_bytes - SWD_END_BITS_MAX;
    unsigned commands = 0, status;
    enum dap_result result;

    swd_batch_begin(batch);
    while (commands < pipe->count && is_transfer(slot_at(pipe, commands)) && (commands == 0 || batch->overrun)) {
        struct slot *slot = slot_at(pipe, commands);
        size_t before = batch->count;

        if (4 * words_of(slot) + ANSWER_HEAD_BYTES > sizeof slot->answer ||
            !swd_batch_add(batch, slot->bytes, slot->length, slot->words))
            break;
        if (commands > 0 && batch_bits(pipe) > limit) {
            batch->count = before;
            break;
        }
        commands++;
    }
    if (commands == 0)
        return DAP_REFUSED;
    result = swd_batch_run(batch, &status, pipe->timeout_ms);
    for (unsigned i = 0; i < commands && result == DAP_OK; i++)
        answer_transfer(slot_at(pipe, i), status);
    return result;
}

/* ---- other commands ---- */

/* A packet is so large that an exchange does several commands, and each word of a packet fits into it. */
static size_t packet_bytes_of(const struct jlink *jlink)
{
    size_t transfers = (8 * jlink->bits_bytes - SWD_END_BITS_MAX) / SWD_TRANSFER_BITS / COMMANDS_AT_ONCE;
    size_t words = transfers > COMMAND_STEPS ? transfers - COMMAND_STEPS : 0;
    size_t bytes = ANSWER_HEAD_BYTES + 4 * (words + 1);

    if (bytes < PACKET_BYTES_MIN)
        return PACKET_BYTES_MIN;
    return bytes < DAP_PACKET_BYTES_MAX ? bytes : DAP_PACKET_BYTES_MAX;
}

static void answer_info(const struct jlink_pipe *pipe, struct slot *slot)
{
    size_t packet_bytes = packet_bytes_of(&pipe->jlink), length = 1;
    uint8_t *payload = slot->answer + 2;

    payload[0] = 0;
    switch (slot->bytes[1]) {
    case DAP_FIRMWARE:
        length = strlen(pipe->jlink.firmware) + 1;
        memcpy(payload, pipe->jlink.firmware, length);
        break;
    case DAP_CAPABILITIES:
        payload[0] = CAPABLE_OF_SWD;
        break;
    case DAP_PACKET_COUNT:
        payload[0] = DAP_IN_FLIGHT_MAX;
        break;
    case DAP_PACKET_SIZE:
        payload[0] = (uint8_t)packet_bytes;
        payload[1] = (uint8_t)(packet_bytes >> 8);
        length = 2;
        break;
    default:
        length = 0;
        break;
    }
    slot->answer[1] = (uint8_t)length;
    slot->answer_bytes = 2 + length;
}

static enum dap_result do_abort(struct jlink_pipe *pipe, struct slot *slot)
{
    unsigned status;
    enum dap_result result;

    swd_batch_begin(&pipe->batch);
    swd_batch_add_abort(&pipe->batch, slot->bytes[2]);
    result = swd_batch_run(&pipe->batch, &status, pipe->timeout_ms);
    slot->answer[1] = status == SWD_ACK_OK ? 0 : FAILED;
    return result;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Does a command whose answer is a status, 0 if it was done. dap_is_permitted() permits the command. */
static enum dap_result do_command(struct jlink_pipe *pipe, struct slot *slot)
{
    const uint8_t *bytes = slot->bytes;
    enum dap_result result = DAP_OK;
    bool done = false;

    slot->answer[1] = 0;
    switch (bytes[0]) {
    case DAP_DO_CONNECT:
        result = jlink_select_swd(&pipe->jlink, &done, pipe->timeout_ms);
        slot->answer[1] = done ? CONNECTED_SWD : 0;
        break;
    case DAP_DO_DISCONNECT:
        result = swd_batch_end_overrun(&pipe->batch, pipe->timeout_ms);
        break;
    case DAP_DO_TRANSFER_CONFIGURE:
        pipe->batch.retries = bytes[2] | (unsigned)bytes[3] << 8;
        break;
    case DAP_DO_WRITE_ABORT:
        result = do_abort(pipe, slot);
        break;
    case DAP_DO_SWJ_CLOCK:
        result = jlink_set_clock(&pipe->jlink, word_at(bytes + 1), pipe->timeout_ms);
        break;
    case DAP_DO_SWJ_SEQUENCE:
        result = swd_batch_sequence(&pipe->batch, bytes + 2, bytes[1], pipe->timeout_ms);
        break;
    case DAP_DO_SWD_CONFIGURE:
        break;
    case DAP_DO_SWD_SEQUENCE:
        result = swd_batch_target_select(&pipe->batch, word_at(bytes + TARGET_VALUE_AT), pipe->timeout_ms);
        break;
    default:
        return DAP_REFUSED;
    }
    slot->answer_bytes = 2;
    if (bytes[0] == DAP_DO_SWD_SEQUENCE)
        slot->answer[slot->answer_bytes++] = 0; /* the five clocks in which no target answers */
    return result;
}

static enum dap_result do_oldest(struct jlink_pipe *pipe)
{
    struct slot *slot = slot_at(pipe, 0);

    if (!dap_is_permitted(slot->bytes, slot->length))
        return DAP_REFUSED;
    slot->answer[0] = slot->bytes[0];
    if (is_transfer(slot))
        return do_transfers(pipe);
    if (slot->bytes[0] != DAP_DO_INFO)
        return do_command(pipe, slot);
    answer_info(pipe, slot);
    return DAP_OK;
}

/* ---- the pipe ---- */

static enum dap_result pipe_send(void *self, const uint8_t *bytes, size_t length)
{
    struct jlink_pipe *pipe = self;
    struct slot *slot = slot_at(pipe, pipe->count);

    if (pipe->count == DAP_IN_FLIGHT_MAX || length > sizeof slot->bytes)
        return DAP_REFUSED;
    if (length > 0)
        memcpy(slot->bytes, bytes, length);
    slot->length = length;
    slot->answer_bytes = 0;
    pipe->count++;
    return DAP_OK;
}

static enum dap_result pipe_listen(void *self)
{
    return pipe_send(self, NULL, 0);
}

/* Never waits in a place without a command, because each command has exactly one answer. */
static enum dap_result pipe_receive(void *self, uint8_t bytes[static DAP_ANSWER_BYTES_MAX], size_t *length,
                                    unsigned timeout_ms)
{
    struct jlink_pipe *pipe = self;
    struct slot *slot = slot_at(pipe, 0);
    enum dap_result result = DAP_OK;

    if (pipe->count == 0 || slot->length == 0)
        return DAP_TIMEOUT;
    pipe->timeout_ms = timeout_ms;
    if (slot->answer_bytes == 0)
        result = do_oldest(pipe);
    if (result != DAP_OK)
        return result;
    *length = slot->answer_bytes;
    memcpy(bytes, slot->answer, *length);
    pipe->oldest = (pipe->oldest + 1) % DAP_IN_FLIGHT_MAX;
    pipe->count--;
    return DAP_OK;
}

static enum dap_result pipe_reset(void *self)
{
    struct jlink_pipe *pipe = self;

    pipe->oldest = pipe->count = 0;
    return jlink_step(&pipe->jlink, pipe->timeout_ms);
}

static uint64_t pipe_now_us(void *self)
{
    const struct dap_pipe *bulk = &((struct jlink_pipe *)self)->jlink.pipe;

    return bulk->ops->now_us(bulk->self);
}

static void pipe_close(void *self)
{
    struct jlink_pipe *pipe = self;

    jlink_leave(&pipe->jlink, DAP_BRIEF_MS);
    pipe->jlink.pipe.ops->close(pipe->jlink.pipe.self);
    free(pipe);
}

enum txtap_status jlink_pipe_open(struct dap_pipe *pipe, struct dap_pipe bulk, struct error *error)
{
    static const struct dap_pipe_ops ops = {pipe_send, pipe_listen, pipe_receive, pipe_reset, pipe_now_us, pipe_close};
    struct jlink_pipe *made = calloc(1, sizeof *made);

    if (made == NULL) {
        bulk.ops->close(bulk.self);
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory");
    }
    jlink_init(&made->jlink, bulk);
    swd_batch_init(&made->batch, &made->jlink);
    made->timeout_ms = STEP_MS;
    *pipe = (struct dap_pipe){.ops = &ops, .self = made, .packet_bytes = DAP_PACKET_BYTES_MAX};
    return TXTAP_OK;
}
