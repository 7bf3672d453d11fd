/* SPDX-License-Identifier: MIT */
/* Transfers in batches, over raw bits. */
#include "probe/jlink/swd_batch.h"

#include <string.h>

#include "probe/dap/dap_permitted.h"

enum { TRANSFER = 0x05, TRANSFER_BLOCK = 0x06 };
enum { WRITE_ABORT = 0x00, WRITE_CTRL_STAT = 0x04, WRITE_SELECT = 0x08, READ_CTRL_STAT = 0x06, READ_RDBUFF = 0x0E };

#define REQUEST          0x0Fu
#define ORUNDETECT       1u
#define CLEAR_OVERRUN    0x10u /* ABORT.ORUNERRCLR */
#define DP_BANK          0x0Fu /* SELECT.DPBANKSEL */
#define RETRIES          100
#define PAUSE_CLOCKS_MAX 128 /* idle clocks before a transfer is repeated */
#define WRITE_TARGETSEL  0x99

void swd_batch_init(struct swd_batch *batch, struct jlink *jlink)
{
    memset(batch, 0, sizeof *batch);
    batch->jlink = jlink;
    batch->retries = RETRIES;
}

/* ---- transfers ---- */

void swd_batch_begin(struct swd_batch *batch)
{
    batch->count = 0;
    batch->posted = NULL;
}

static void add(struct swd_batch *batch, uint8_t request, uint32_t value, uint8_t *into)
{
    batch->steps[batch->count++] = (struct swd_step){{request, value}, into};
}

/* Takes the posted word, so that its error belongs to this command. */
static void flush(struct swd_batch *batch)
{
    if (batch->posted != NULL)
        add(batch, READ_RDBUFF, 0, batch->posted);
    batch->posted = NULL;
}

/* Sets ORUNDETECT with the power requests. */
static uint32_t value_to_send(uint8_t request, uint32_t value)
{
    return request == WRITE_CTRL_STAT && value == DAP_POWER ? value | ORUNDETECT : value;
}

static void add_request(struct swd_batch *batch, uint8_t request, uint32_t value, uint8_t *word)
{
    if ((request & SWD_AP) && (request & SWD_READ)) {
        add(batch, request, 0, batch->posted);
        batch->posted = word;
    } else {
        flush(batch);
        add(batch, request, value_to_send(request, value), request & SWD_READ ? word : NULL);
    }
}

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Each request needs one step, and a second if a posted word must be taken first. */
static bool has_room(const struct swd_batch *batch, size_t requests, size_t writes)
{
    return batch->count + requests + 2 * writes + 1 <= SWD_STEPS_MAX;
}

static bool add_block(struct swd_batch *batch, const uint8_t *bytes, uint8_t *words)
{
    size_t requests = bytes[2] | (size_t)bytes[3] << 8;

    if (!has_room(batch, requests, 0))
        return false;
    for (size_t i = 0; i < requests; i++)
        add_request(batch, bytes[4], 0, words + 4 * i);
    flush(batch);
    return true;
}

bool swd_batch_add(struct swd_batch *batch, const uint8_t *bytes, size_t length, uint8_t *words)
{
    if (bytes[0] == TRANSFER_BLOCK)
        return add_block(batch, bytes, words);
    if (!has_room(batch, 2u * bytes[2], 0))
        return false;
    for (size_t at = 3; at < length;) {
        uint8_t request = bytes[at++] & REQUEST;

        if (request & SWD_READ) {
            add_request(batch, request, 0, words);
            words += 4;
        } else {
            add_request(batch, request, word_at(bytes + at), NULL);
            at += 4;
        }
    }
    flush(batch);
    return true;
}

void swd_batch_add_abort(struct swd_batch *batch, uint32_t value)
{
    add(batch, WRITE_ABORT, value, NULL);
}

/* ---- what may be sent ---- */

/* Checks a transfer by itself, in the same way as dap_is_permitted() checks a command, and additionally permits the
 * transfers of jlink_permitted.def. */
static bool is_permitted(const struct swd_transfer *transfer)
{
    uint32_t value = transfer->value;
    uint8_t command[8] = {TRANSFER, 0, 1, transfer->request};

    if (transfer->request == READ_RDBUFF)
        return true;
    if (transfer->request == WRITE_ABORT)
        return value <= 0x1F;
    if (transfer->request == WRITE_CTRL_STAT)
        value &= ~ORUNDETECT;
    for (unsigned i = 0; i < 4; i++)
        command[4 + i] = (uint8_t)(value >> 8 * i);
    return dap_is_permitted(command, transfer->request & SWD_READ ? 4 : 8);
}

/* ---- exchanges ---- */

/* An exchange: an optional write of ABORT, then the transfers from `first`. */
struct exchange {
    bool aborts;
    size_t pause; /* idle clocks after ABORT */
    size_t first, count;
};

static enum dap_result fill(struct swd_batch *batch, struct exchange *exchange)
{
    static const struct swd_transfer clear = {WRITE_ABORT, CLEAR_OVERRUN};
    size_t most = batch->overrun ? SWD_STEPS_MAX : 1;

    swd_begin(&batch->bits, batch->jlink->bits_bytes);
    exchange->count = 0;
    if (exchange->aborts) {
        (void)swd_add_transfer(&batch->bits, &clear);
        swd_add_idle(&batch->bits, exchange->pause);
    }
    while (exchange->count < most && exchange->first + exchange->count < batch->count) {
        const struct swd_step *step = &batch->steps[exchange->first + exchange->count];

        if (!is_permitted(&step->transfer))
            return DAP_REFUSED;
        if (!swd_add_transfer(&batch->bits, &step->transfer))
            break;
        exchange->count++;
    }
    swd_end(&batch->bits, batch->jlink->last_bytes);
    return DAP_OK;
}

/* Notes the effects of a transfer that was done. */
static void note(struct swd_batch *batch, const struct swd_transfer *transfer, uint32_t word)
{
    if (transfer->request == WRITE_SELECT)
        batch->select = transfer->value;
    else if (transfer->request == WRITE_CTRL_STAT && (batch->select & DP_BANK) == 0) {
        batch->power = transfer->value & DAP_POWER;
        batch->overrun = batch->overrun && (transfer->value & ORUNDETECT);
    } else if (transfer->request == READ_CTRL_STAT && (batch->select & DP_BANK) == 0)
        batch->overrun = word & ORUNDETECT;
}

static void put_word(uint8_t *into, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        into[i] = (uint8_t)(word >> 8 * i);
}

/* Takes the answers in order. The first that is not SWD_ACK_OK ends this: the rest did not reach the target. *done: the
 * number of transfers that were done. */
static unsigned take(struct swd_batch *batch, const struct exchange *exchange, const uint8_t *in, size_t *done)
{
    size_t at = exchange->aborts ? SWD_TRANSFER_BITS + exchange->pause : 0;
    uint32_t word = 0;

    *done = 0;
    if (exchange->aborts && swd_take(in, 0, WRITE_ABORT, &word) != SWD_ACK_OK)
        return SWD_ACK_NOBODY;
    for (; *done < exchange->count; ++*done, at += SWD_TRANSFER_BITS) {
        const struct swd_step *step = &batch->steps[exchange->first + *done];
        unsigned ack = swd_take(in, at, step->transfer.request, &word);

        if (ack != SWD_ACK_OK)
            return ack;
        if (step->into != NULL)
            put_word(step->into, word);
        note(batch, &step->transfer, word);
    }
    return SWD_ACK_OK;
}

/* Clears the overrun error after the last WAIT, as if overrun detection were off. */
static enum dap_result give_up_waiting(struct swd_batch *batch, unsigned timeout_ms)
{
    struct exchange exchange = {.aborts = true, .first = batch->count};
    const uint8_t *in;
    enum dap_result result = fill(batch, &exchange);

    return result == DAP_OK ? jlink_swd(batch->jlink, &batch->bits, &in, timeout_ms) : result;
}

enum dap_result swd_batch_run(struct swd_batch *batch, unsigned *status, unsigned timeout_ms)
{
    struct exchange exchange = {.first = 0};
    unsigned waits = 0;

    *status = SWD_ACK_OK;
    while (exchange.first < batch->count) {
        const uint8_t *in;
        size_t done;
        enum dap_result result = fill(batch, &exchange);

        if (result == DAP_OK)
            result = jlink_swd(batch->jlink, &batch->bits, &in, timeout_ms);
        if (result != DAP_OK)
            return result;
        if (in == NULL) /* the next exchange is shorter */
            continue;
        *status = take(batch, &exchange, in, &done);
        exchange.first += done;
        waits = done > 0 ? 0 : waits;
        exchange.aborts = *status == SWD_ACK_WAIT && batch->overrun && waits < batch->retries;
        if (*status != SWD_ACK_OK && !exchange.aborts)
            break;
        exchange.pause = waits < 4 ? (size_t)SWD_IDLE_BITS << waits : PAUSE_CLOCKS_MAX;
        waits += exchange.aborts;
    }
    if (*status == SWD_ACK_NOBODY)
        batch->overrun = false;
    return *status == SWD_ACK_WAIT && batch->overrun ? give_up_waiting(batch, timeout_ms) : DAP_OK;
}

/* ---- sequences ---- */

static enum dap_result clock(struct swd_batch *batch, unsigned timeout_ms)
{
    const uint8_t *in = NULL;
    enum dap_result result;

    swd_end(&batch->bits, batch->jlink->last_bytes);
    batch->overrun = false;
    batch->select = 0;
    result = jlink_swd(batch->jlink, &batch->bits, &in, timeout_ms);
    return result == DAP_OK && in == NULL ? DAP_STALLED : result;
}

enum dap_result swd_batch_sequence(struct swd_batch *batch, const uint8_t *bytes, size_t clocks, unsigned timeout_ms)
{
    swd_begin(&batch->bits, SWD_BYTES_MAX);
    swd_add_bits(&batch->bits, bytes, clocks);
    return clock(batch, timeout_ms);
}

/* No debug port acknowledges TARGETSEL. */
enum dap_result swd_batch_target_select(struct swd_batch *batch, uint32_t value, unsigned timeout_ms)
{
    static const uint8_t request = WRITE_TARGETSEL;
    uint8_t bytes[5] = {0, 0, 0, 0, (uint8_t)__builtin_parity(value)};

    put_word(bytes, value);
    swd_begin(&batch->bits, SWD_BYTES_MAX);
    swd_add_bits(&batch->bits, &request, 8);
    swd_add_listening(&batch->bits, 5);
    swd_add_bits(&batch->bits, bytes, 33);
    return clock(batch, timeout_ms);
}

enum dap_result swd_batch_end_overrun(struct swd_batch *batch, unsigned timeout_ms)
{
    unsigned status;

    if (!batch->overrun)
        return DAP_OK;
    swd_batch_begin(batch);
    add(batch, WRITE_SELECT, 0, NULL);
    add(batch, WRITE_CTRL_STAT, batch->power, NULL);
    return swd_batch_run(batch, &status, timeout_ms);
}
