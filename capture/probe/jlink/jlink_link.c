/* SPDX-License-Identifier: MIT */
/* Exchanges commands and answers with a J-Link. */
#include "probe/jlink/jlink_link.h"

#include <stdio.h>
#include <string.h>

#include "base/failure.h"

enum {
    VERSION = 0x01,
    SET_SPEED = 0x05,
    REGISTER = 0x09,
    SELECT_INTERFACE = 0xC7,
    SWD_IO = 0xCF,
    FREE_MEMORY = 0xD4,
    CAPABILITIES = 0xE8
};
enum { CAN_TELL_MEMORY = 11, CAN_SELECT_INTERFACE = 17, CAN_REGISTER = 27 }; /* bits of the capabilities */

#define INTERFACE_SWD    1
#define INTERFACES       0xFF
#define REGISTER_ENTER   0x64
#define REGISTER_LEAVE   0x65
#define REGISTER_BYTES   76 /* least length of an answer */
#define STATUS_NO_MEMORY 6
#define STALE_MAX        64 /* answers that may be left from an earlier run or a fault */
#define DRAIN_MS         20
#define BITS_BYTES_MIN   64
#define COMPILED         " compiled "
#define KHZ_MAX          0xFFFEu /* 0xFFFF is adaptive clocking */

/* ---- the table ---- */

#define JLINK_COMMAND(number, name, why)   {false, number, #name, why},
#define JLINK_TRANSFER(request, name, why) {true, request, #name, why},
static const struct jlink_permission rows[] = {
#include "probe/jlink/jlink_permitted.def"
};
#undef JLINK_COMMAND
#undef JLINK_TRANSFER

const struct jlink_permission *jlink_permission(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

static bool is_permitted(uint8_t command)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!rows[i].is_transfer && rows[i].number == command)
            return true;
    return false;
}

/* ---- one command ---- */

static uint32_t half_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return half_at(bytes) | half_at(bytes + 2) << 16;
}

static enum dap_result send(struct jlink *jlink, size_t length)
{
    if (!is_permitted(jlink->command[0]))
        return DAP_REFUSED;
    jlink->have = 0;
    jlink->stale = true; /* until the answer is complete */
    return jlink->pipe.ops->send(jlink->pipe.self, jlink->command, length);
}

/* Receives one transfer of the answer. An answer may come in several transfers. */
static enum dap_result receive_more(struct jlink *jlink, unsigned timeout_ms)
{
    enum dap_result result = DAP_OK;
    size_t length = 0;

    if (jlink->have > DAP_ANSWER_BYTES_MAX)
        return DAP_CONFUSED;
    if (jlink->have > 0)
        result = jlink->pipe.ops->listen(jlink->pipe.self);
    if (result == DAP_OK)
        result = jlink->pipe.ops->receive(jlink->pipe.self, jlink->answer + jlink->have, &length, timeout_ms);
    jlink->have += length;
    return result == DAP_OK && length == 0 ? DAP_CONFUSED : result;
}

static enum dap_result collect(struct jlink *jlink, size_t length, unsigned timeout_ms)
{
    enum dap_result result = DAP_OK;

    while (result == DAP_OK && jlink->have < length)
        result = receive_more(jlink, timeout_ms);
    return result;
}

/* Ends an answer of this length. A longer answer belongs to another command, or is two answers in one. */
static enum dap_result end_answer(struct jlink *jlink, size_t length)
{
    if (jlink->have != length)
        return DAP_CONFUSED;
    jlink->stale = false;
    return DAP_OK;
}

/* Does the command in jlink->command. Its answer has answer_bytes. */
static enum dap_result ask(struct jlink *jlink, size_t command_bytes, size_t answer_bytes, unsigned timeout_ms)
{
    enum dap_result result = send(jlink, command_bytes);

    if (result == DAP_OK)
        result = collect(jlink, answer_bytes, timeout_ms);
    return result == DAP_OK ? end_answer(jlink, answer_bytes) : result;
}

static enum dap_result ask_byte(struct jlink *jlink, uint8_t command, size_t answer_bytes, unsigned timeout_ms)
{
    jlink->command[0] = command;
    return ask(jlink, 1, answer_bytes, timeout_ms);
}

/* ---- questions ---- */

/* Begins with the capabilities as a marker: only an answer of 4 bytes ends the search for it. No answer of swd_io is as
 * short. */
static enum dap_result ask_capabilities(struct jlink *jlink, unsigned timeout_ms)
{
    enum dap_result result;

    jlink->command[0] = CAPABILITIES;
    result = send(jlink, 1);
    for (unsigned i = 0; i < STALE_MAX && result == DAP_OK; i++) {
        jlink->have = 0;
        if (i > 0)
            result = jlink->pipe.ops->listen(jlink->pipe.self);
        if (result == DAP_OK)
            result = receive_more(jlink, timeout_ms);
        if (result != DAP_OK)
            return i > 0 && result == DAP_TIMEOUT ? DAP_CONFUSED : result;
        if (jlink->have == 4 && (!jlink->known || word_at(jlink->answer) == jlink->capabilities)) {
            jlink->capabilities = word_at(jlink->answer);
            return jlink->capabilities >> CAN_SELECT_INTERFACE & 1 ? DAP_OK : DAP_CONFUSED;
        }
    }
    return result == DAP_OK ? DAP_CONFUSED : result;
}

/* Asks for the version: its length, then a text such as "J-Link V11 compiled Apr 1 2021 10:02:48". */
static enum dap_result ask_version(struct jlink *jlink, unsigned timeout_ms)
{
    const char *text = (const char *)jlink->answer + 2, *end;
    size_t length = 0;
    enum dap_result result;

    jlink->command[0] = VERSION;
    result = send(jlink, 1);
    if (result == DAP_OK)
        result = collect(jlink, 2, timeout_ms);
    if (result == DAP_OK) {
        length = half_at(jlink->answer);
        if (length == 0 || length > DAP_ANSWER_BYTES_MAX)
            return DAP_CONFUSED;
        result = collect(jlink, 2 + length, timeout_ms);
    }
    if (result == DAP_OK)
        result = end_answer(jlink, 2 + length);
    if (result != DAP_OK)
        return result;
    length = strnlen(text, length);
    end = memmem(text, length, COMPILED, sizeof COMPILED - 1);
    printable(jlink->firmware, sizeof jlink->firmware, text, end != NULL ? (size_t)(end - text) : length);
    return DAP_OK;
}

/* A command with its bits must fit into the probe's memory. */
static enum dap_result ask_memory(struct jlink *jlink, unsigned timeout_ms)
{
    enum dap_result result = DAP_OK;
    uint32_t memory;

    jlink->bits_bytes = BITS_BYTES_MIN;
    if (!(jlink->capabilities >> CAN_TELL_MEMORY & 1))
        return DAP_OK;
    result = ask_byte(jlink, FREE_MEMORY, 4, timeout_ms);
    if (result != DAP_OK)
        return result;
    memory = word_at(jlink->answer);
    if (memory > 4 + 2 * BITS_BYTES_MIN)
        jlink->bits_bytes = (memory - 4) / 2 < SWD_BYTES_MAX ? (memory - 4) / 2 : SWD_BYTES_MAX;
    return DAP_OK;
}

/* Registers or unregisters txtap. The answer lists the connections: handle, their number, their length, and the length
 * of more information. */
static enum dap_result do_register(struct jlink *jlink, uint8_t what, unsigned timeout_ms)
{
    size_t length = REGISTER_BYTES, named = 0;
    enum dap_result result;

    jlink->command[0] = REGISTER;
    jlink->command[1] = what;
    memcpy(jlink->command + 2, jlink->connection, sizeof jlink->connection);
    result = send(jlink, 2 + sizeof jlink->connection);
    if (result == DAP_OK)
        result = collect(jlink, length, timeout_ms);
    if (result != DAP_OK)
        return result;
    named = 8 + half_at(jlink->answer + 2) * half_at(jlink->answer + 4) + half_at(jlink->answer + 6);
    if (named > length)
        length = named;
    if (length > DAP_ANSWER_BYTES_MAX)
        return DAP_CONFUSED;
    result = collect(jlink, length, timeout_ms);
    memcpy(jlink->connection + 10, jlink->answer, 2);
    return result == DAP_OK ? end_answer(jlink, length) : result;
}

/* ---- in step ---- */

void jlink_init(struct jlink *jlink, struct dap_pipe pipe)
{
    memset(jlink, 0, sizeof *jlink);
    jlink->pipe = pipe;
    jlink->stale = true;
}

/* Drops all late answers, until no answer arrives within DRAIN_MS. */
static enum dap_result drain(struct jlink *jlink)
{
    enum dap_result result = jlink->pipe.ops->reset(jlink->pipe.self);

    for (unsigned i = 0; i < STALE_MAX && result == DAP_OK; i++) {
        size_t length;

        result = jlink->pipe.ops->listen(jlink->pipe.self);
        if (result == DAP_OK)
            result = jlink->pipe.ops->receive(jlink->pipe.self, jlink->answer, &length, DRAIN_MS);
    }
    return result == DAP_OK || dap_out_of_step(result) ? jlink->pipe.ops->reset(jlink->pipe.self) : result;
}

enum dap_result jlink_step(struct jlink *jlink, unsigned timeout_ms)
{
    enum dap_result result = DAP_OK;

    if (jlink->known && !jlink->stale)
        return DAP_OK;
    result = drain(jlink);
    if (result == DAP_OK)
        result = ask_capabilities(jlink, timeout_ms);
    if (result == DAP_OK)
        result = ask_version(jlink, timeout_ms);
    if (result != DAP_OK || jlink->known)
        return result;
    result = ask_memory(jlink, timeout_ms);
    if (result == DAP_OK && (jlink->capabilities >> CAN_REGISTER & 1) && !jlink->registered)
        result = do_register(jlink, REGISTER_ENTER, timeout_ms);
    jlink->registered = result == DAP_OK && (jlink->capabilities >> CAN_REGISTER & 1);
    jlink->known = result == DAP_OK;
    return result;
}

void jlink_leave(struct jlink *jlink, unsigned timeout_ms)
{
    if (jlink->registered && !jlink->stale)
        (void)do_register(jlink, REGISTER_LEAVE, timeout_ms);
    jlink->registered = false;
}

/* ---- the wire ---- */

enum dap_result jlink_select_swd(struct jlink *jlink, bool *done, unsigned timeout_ms)
{
    enum dap_result result;

    jlink->command[0] = SELECT_INTERFACE;
    jlink->command[1] = INTERFACES;
    result = ask(jlink, 2, 4, timeout_ms);
    *done = result == DAP_OK && (word_at(jlink->answer) >> INTERFACE_SWD & 1);
    if (!*done)
        return result;
    jlink->command[1] = INTERFACE_SWD;
    return ask(jlink, 2, 4, timeout_ms); /* the answer is the interface that was selected before */
}

/* The command has no answer. So another question follows, which is answered in its place. */
enum dap_result jlink_set_clock(struct jlink *jlink, uint32_t hz, unsigned timeout_ms)
{
    uint32_t khz = hz / 1000 < 1 ? 1 : hz / 1000 < KHZ_MAX ? hz / 1000 : KHZ_MAX;
    enum dap_result result;

    jlink->command[0] = SET_SPEED;
    jlink->command[1] = (uint8_t)khz;
    jlink->command[2] = (uint8_t)(khz >> 8);
    result = send(jlink, 3);
    if (result == DAP_OK)
        result = ask_byte(jlink, CAPABILITIES, 4, timeout_ms);
    return result == DAP_OK ? jlink->pipe.ops->reset(jlink->pipe.self) : result;
}

enum dap_result jlink_swd(struct jlink *jlink, const struct swd_bits *bits, const uint8_t **in, unsigned timeout_ms)
{
    size_t bytes = swd_bytes(bits);
    enum dap_result result;

    jlink->command[0] = SWD_IO;
    jlink->command[1] = 0;
    jlink->command[2] = (uint8_t)bits->count;
    jlink->command[3] = (uint8_t)(bits->count >> 8);
    memcpy(jlink->command + 4, bits->drive, bytes);
    memcpy(jlink->command + 4 + bytes, bits->out, bytes);
    *in = NULL;
    jlink->last_bytes = bytes;
    result = ask(jlink, 4 + 2 * bytes, bytes + 1, timeout_ms);
    if (result != DAP_OK)
        return result;
    if (jlink->answer[bytes] == STATUS_NO_MEMORY && jlink->bits_bytes > BITS_BYTES_MIN) {
        jlink->bits_bytes = jlink->bits_bytes / 2 > BITS_BYTES_MIN ? jlink->bits_bytes / 2 : BITS_BYTES_MIN;
        return DAP_OK;
    }
    if (jlink->answer[bytes] != 0)
        return DAP_STALLED;
    *in = jlink->answer;
    return DAP_OK;
}
