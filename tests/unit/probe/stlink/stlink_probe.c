/* SPDX-License-Identifier: MIT */
/* A pipe to an emulated ST-Link. */
#include "stlink_probe.h"

#include <string.h>

enum { OK = 0x80, AP_WAIT = 0x10, AP_FAULT = 0x11, AP_PARITY = 0x13, DP_ERROR = 0x16, BAD_AP = 0x1D };
enum { IDLE = 1, DEBUG = 2 };

static uint32_t word_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put_word(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

/* ---- the target ---- */

static bool read_core(struct stlink_probe *probe, uint32_t address, uint8_t *bytes)
{
    switch (address - STLINK_PROBE_CORE) {
    case 0x00: /* CPUID: a Cortex-M4 */
        put_word(bytes, 0x410FC241);
        return true;
    case 0xF0:
        put_word(bytes, probe->dhcsr[probe->reads_of_dhcsr++ > 0]);
        return true;
    case 0xFC:
        put_word(bytes, probe->demcr);
        return true;
    default:
        return false;
    }
}

/* Reads memory word by word, and stops at the first word that cannot be read. Returns the status. */
static uint8_t read_memory(struct stlink_probe *probe, uint8_t port, uint32_t address, uint32_t length, uint8_t *bytes)
{
    bool needs_opening = probe->kind.major > 2 || probe->kind.jtag >= 28;

    if (probe->silent || probe->mode != DEBUG)
        return DP_ERROR;
    if (port != probe->kind.port || (needs_opening && !probe->opened[port]))
        return BAD_AP;
    for (uint32_t done = 0; done < length; done += 4) {
        uint32_t offset = address + done - STLINK_PROBE_START;

        probe->status_address = address + done;
        if (offset < STLINK_PROBE_BYTES)
            memcpy(bytes + done, probe->memory + offset, 4);
        else if (!read_core(probe, address + done, bytes + done))
            return AP_FAULT;
    }
    return OK;
}

/* ---- trouble ---- */

static bool hits(const struct stlink_probe *probe)
{
    unsigned number = probe->commands - 1;

    return probe->trouble != NO_TROUBLE && number >= probe->trouble_at &&
           number - probe->trouble_at < probe->trouble_count;
}

/* Returns the status that a faulty command has instead of `status`. */
static uint8_t troubled(const struct stlink_probe *probe, uint8_t status)
{
    static const uint8_t statuses[STLINK_TROUBLES] = {
        [WAITS] = AP_WAIT, [WRONG_PARITY] = AP_PARITY, [FAULTS] = AP_FAULT, [NOBODY] = DP_ERROR, [PORT_SHUT] = BAD_AP};

    return hits(probe) && statuses[probe->trouble] != 0 ? statuses[probe->trouble] : status;
}

/* ---- the probe ---- */

static void answer_version(const struct stlink_probe *probe, uint8_t *answer)
{
    bool v3 = probe->kind.major >= 3;
    unsigned packed = probe->kind.major << 12 | (v3 ? 0 : probe->kind.jtag << 6 | 7);

    answer[0] = (uint8_t)(packed >> 8);
    answer[1] = (uint8_t)packed;
    put_word(answer + 2, v3 ? 0x374F0483 : 0x37480483);
}

static void answer_version_v3(const struct stlink_probe *probe, uint8_t *answer)
{
    answer[0] = (uint8_t)probe->kind.major;
    answer[2] = (uint8_t)probe->kind.jtag;
    put_word(answer + 8, 0x374F0483);
}

static void answer_list(struct stlink_probe *probe, uint8_t *answer)
{
    uint32_t steps = probe->list_steps, arguments = (steps + 3) & ~3u;
    uint8_t port = (uint8_t)word_at(probe->list + arguments);

    put_word(answer + 4 * steps, OK);
    for (uint32_t i = 1; i < steps; i++) {
        uint32_t address = word_at(probe->list + arguments + 4 * i);

        put_word(answer + 4 * (steps + i), troubled(probe, read_memory(probe, port, address, 4, answer + 4 * i)));
    }
}

static bool has_lists(const struct stlink_probe *probe)
{
    return probe->kind.major > 2 || probe->kind.jtag >= 32;
}

static void run_enter(struct stlink_probe *probe, uint8_t *answer)
{
    probe->wrong += probe->others > 0;
    answer[0] = troubled(probe, probe->silent ? 0x09 : OK);
    if (answer[0] == OK)
        probe->mode = DEBUG;
}

static void run_debug(struct stlink_probe *probe, const struct stlink_command *command, uint8_t *answer)
{
    const uint8_t *bytes = command->bytes;

    switch (bytes[1]) {
    case 0x07:
        probe->status = troubled(probe, read_memory(probe, bytes[8], word_at(bytes + 2),
                                                    (uint32_t)bytes[6] | (uint32_t)bytes[7] << 8, answer));
        return;
    case 0x21:
        probe->wrong += probe->others > 0;
        probe->mode = IDLE;
        memset(probe->opened, 0, sizeof probe->opened);
        return;
    case 0x30:
        run_enter(probe, answer);
        return;
    case 0x3E:
        answer[0] = troubled(probe, probe->status);
        put_word(answer + 4, probe->status_address);
        return;
    case 0x4B:
    case 0x4C:
        answer[0] = troubled(probe, bytes[2] == probe->kind.port ? OK : BAD_AP);
        probe->opened[bytes[2]] = bytes[1] == 0x4B && answer[0] == OK;
        return;
    case 0x51:
        probe->wrong += !has_lists(probe);
        probe->list_steps = word_at(bytes + 2);
        memcpy(probe->list, command->data, command->data_bytes);
        return;
    case 0x52:
        answer_list(probe, answer);
        return;
    case 0x45:
        put_word(answer + 4, 0x2BA01477);
        answer[0] = troubled(probe, probe->silent ? DP_ERROR : OK);
        return;
    case 0x62:
        answer[8] = 2;
        put_word(answer + 12, 24000);
        put_word(answer + 16, 3300);
        answer[0] = troubled(probe, OK);
        return;
    case 0x43:
    case 0x46:
    case 0x61:
        probe->wrong += probe->others > 0;
        answer[0] = troubled(probe, OK);
        return;
    default:
        probe->wrong++;
    }
}

static void run_command(struct stlink_probe *probe, const struct stlink_command *command, uint8_t *answer)
{
    switch (command->bytes[0]) {
    case 0xF1:
        answer_version(probe, answer);
        return;
    case 0xFB:
        answer_version_v3(probe, answer);
        return;
    case 0xF2:
        probe->seen[command->bytes[1]]++;
        run_debug(probe, command, answer);
        return;
    case 0xF3:
    case 0xF4:
        probe->wrong += probe->others > 0;
        probe->mode = IDLE;
        return;
    case 0xF5:
        answer[0] = probe->mode;
        return;
    case 0xF7:
        put_word(answer, 1200);
        put_word(answer + 4, (probe->kind.millivolts > 0 ? probe->kind.millivolts : 3300) / 2);
        return;
    default:
        probe->wrong++;
    }
}

/* ---- the pipe ---- */

static bool begins_with_status(const struct stlink_command *command)
{
    static const uint8_t with[] = {0x30, 0x3E, 0x43, 0x45, 0x46, 0x4B, 0x4C, 0x61, 0x62};

    return command->bytes[0] == 0xF2 && memchr(with, command->bytes[1], sizeof with) != NULL;
}

static enum stlink_result keep_stale(struct stlink_probe *probe, const uint8_t *answer, size_t length, unsigned resets)
{
    probe->stale = length > 0;
    probe->stale_resets = resets;
    probe->stale_bytes = length;
    memcpy(probe->stale_answer, answer, length);
    return STLINK_TIMEOUT;
}

static enum stlink_result make_trouble(struct stlink_probe *probe, const struct stlink_command *command,
                                       uint8_t *answer)
{
    switch (probe->trouble) {
    case LOST:
        return STLINK_TIMEOUT;
    case LATE:
    case VERY_LATE:
        return keep_stale(probe, answer, command->answer_bytes, probe->trouble == VERY_LATE);
    case HALTED:
        probe->halted = true;
        return STLINK_STALLED;
    case CUT:
        return command->answer_bytes > 0 ? STLINK_CONFUSED : STLINK_OK;
    case INVERTED:
        if (begins_with_status(command))
            answer[0] = (uint8_t)~answer[0];
        return STLINK_OK;
    case UNPLUGGED:
        return STLINK_GONE;
    case USELESS:
        return STLINK_BROKEN;
    default:
        return STLINK_OK;
    }
}

static enum stlink_result take_stale(struct stlink_probe *probe, const struct stlink_command *command, uint8_t *answer)
{
    probe->stale = false;
    if (command->answer_bytes != probe->stale_bytes)
        return STLINK_CONFUSED;
    memcpy(answer, probe->stale_answer, probe->stale_bytes);
    return STLINK_OK;
}

static enum stlink_result run(void *self, const struct stlink_command *command, uint8_t *answer, unsigned timeout_ms)
{
    static uint8_t bytes[STLINK_ANSWER_BYTES_MAX];
    struct stlink_probe *probe = self;
    enum stlink_result result = STLINK_OK;

    (void)timeout_ms;
    probe->commands++;
    probe->first[command->bytes[0]]++;
    if (probe->halted)
        return STLINK_STALLED;
    memset(bytes, 0, sizeof bytes);
    run_command(probe, command, bytes);
    if (hits(probe))
        result = make_trouble(probe, command, bytes);
    else if (probe->stale && command->answer_bytes > 0)
        return take_stale(probe, command, answer);
    if (result == STLINK_OK && command->answer_bytes > 0)
        memcpy(answer, bytes, command->answer_bytes);
    return result;
}

static enum stlink_result reset(void *self)
{
    struct stlink_probe *probe = self;
    bool gone = probe->trouble == UNPLUGGED && probe->trouble_count > 0 && probe->commands > probe->trouble_at;

    probe->halted = false;
    probe->stale = probe->stale && probe->stale_resets > 0;
    probe->stale_resets -= probe->stale_resets > 0;
    return gone ? STLINK_GONE : STLINK_OK;
}

static enum stlink_result others(void *self, unsigned *count, unsigned timeout_ms)
{
    (void)timeout_ms;
    *count = ((struct stlink_probe *)self)->others;
    return STLINK_OK;
}

static void pause_us(void *self, uint64_t us)
{
    struct stlink_probe *probe = self;

    probe->paused_us += us;
    probe->pauses++;
}

static void close_pipe(void *self)
{
    ((struct stlink_probe *)self)->closed = true;
}

struct stlink_pipe stlink_probe_init(struct stlink_probe *probe, const struct stlink_probe_kind *kind)
{
    static const struct stlink_pipe_ops alone = {run, reset, NULL, pause_us, close_pipe},
                                        served = {run, reset, others, pause_us, close_pipe};

    memset(probe, 0, sizeof *probe);
    probe->kind = *kind;
    probe->mode = IDLE;
    for (uint32_t i = 0; i < STLINK_PROBE_BYTES; i++)
        probe->memory[i] = (uint8_t)(i ^ i >> 7 ^ 0x5A);
    return (struct stlink_pipe){kind->served ? &served : &alone, probe};
}
