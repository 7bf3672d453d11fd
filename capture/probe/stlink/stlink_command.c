/* SPDX-License-Identifier: MIT */
/* Bytes of commands and answers. */
#include "probe/stlink/stlink_command.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define COMMAND_DEBUG  0xF2
#define DEBUG_PORT     0xFFFF
#define STATUS_ANSWER  2
#define VENDOR_ST      0x0483
#define PRODUCT_V2_1   0x374B
#define PRODUCT_V2_1_N 0x3752 /* without mass storage */

/* ---- bytes ---- */

static uint32_t half(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

uint32_t stlink_word(const uint8_t bytes[static 4])
{
    return half(bytes) | half(bytes + 2) << 16;
}

static void put_half(uint8_t *bytes, unsigned value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

static void put_word(uint8_t *bytes, uint32_t value)
{
    put_half(bytes, value & 0xFFFF);
    put_half(bytes + 2, value >> 16);
}

static void make(struct stlink_command *command, uint8_t first, uint8_t second, size_t answer_bytes)
{
    memset(command->bytes, 0, sizeof command->bytes);
    command->bytes[0] = first;
    command->bytes[1] = second;
    command->data_bytes = 0;
    command->answer_bytes = answer_bytes;
}

static void make_debug(struct stlink_command *command, uint8_t second, size_t answer_bytes)
{
    make(command, COMMAND_DEBUG, second, answer_bytes);
}

/* ---- the probe's firmware ---- */

void stlink_make_version(struct stlink_command *command)
{
    make(command, 0xF1, 0, STLINK_VERSION_BYTES);
}

void stlink_make_version_v3(struct stlink_command *command)
{
    make(command, 0xFB, 0, STLINK_VERSION_V3_BYTES);
}

/* A V2-1 for STM8 has a version for SWIM in place of the version for SWD. */
static bool is_for_stm8(unsigned product, unsigned x, unsigned y)
{
    bool has_both = product == PRODUCT_V2_1 || product == PRODUCT_V2_1_N;

    return has_both && ((x <= 22 && y == 7) || (x >= 25 && y >= 7 && y <= 12));
}

static void set_abilities_v2(struct stlink_version *version)
{
    version->least = version->jtag < 26 ? "V2J26" : NULL;
    version->abilities = (version->jtag >= 28 ? STLINK_OPENS_PORTS : 0u) |
                         (version->jtag >= 32 ? STLINK_CHOOSES_PORT | STLINK_RUNS_LISTS : 0u);
}

static void set_abilities_v3(struct stlink_version *version)
{
    version->least = version->major == 3 && version->jtag < 3 ? "V3J3" : NULL;
    version->abilities = STLINK_OPENS_PORTS | STLINK_CHOOSES_PORT | STLINK_RUNS_LISTS | STLINK_LISTS_CLOCKS;
}

bool stlink_take_version(const uint8_t bytes[static STLINK_VERSION_BYTES], struct stlink_version *version, bool *more)
{
    unsigned packed = (unsigned)bytes[0] << 8 | bytes[1], product = half(bytes + 4);
    unsigned x = packed >> 6 & 0x3F, y = packed & 0x3F;
    bool v2_1 = product == PRODUCT_V2_1 || product == PRODUCT_V2_1_N, stm8 = is_for_stm8(product, x, y);

    *version = (struct stlink_version){.major = packed >> 12, .jtag = stm8 ? 0 : x};
    *more = version->major >= 3 && x == 0 && y == 0;
    if (half(bytes + 2) != VENDOR_ST || version->major == 0 || (version->major >= 3 && !*more))
        return false;
    snprintf(version->text, sizeof version->text, "V%uJ%u%c%u", version->major, version->jtag, v2_1 ? 'M' : 'S', y);
    if (version->major == 1)
        version->least = "V2J26";
    else
        set_abilities_v2(version);
    return true;
}

bool stlink_take_version_v3(const uint8_t bytes[static STLINK_VERSION_V3_BYTES], struct stlink_version *version)
{
    *version = (struct stlink_version){.major = bytes[0], .jtag = bytes[2]};
    if (version->major < 3 || half(bytes + 8) != VENDOR_ST)
        return false;
    snprintf(version->text, sizeof version->text, "V%uJ%uM%uB%u", version->major, version->jtag, bytes[3], bytes[4]);
    set_abilities_v3(version);
    return true;
}

/* ---- the probe's mode, supply and clock ---- */

void stlink_make_mode(struct stlink_command *command)
{
    make(command, 0xF5, 0, STATUS_ANSWER);
}

bool stlink_make_leave(struct stlink_command *command, enum stlink_mode mode)
{
    switch (mode) {
    case STLINK_MODE_DFU:
        make(command, 0xF3, 0x07, 0);
        return true;
    case STLINK_MODE_DEBUG:
        make_debug(command, 0x21, 0);
        return true;
    case STLINK_MODE_SWIM:
        make(command, 0xF4, 0x01, 0);
        return true;
    default:
        return false;
    }
}

void stlink_make_enter(struct stlink_command *command)
{
    make_debug(command, 0x30, STATUS_ANSWER);
    command->bytes[2] = 0xA3; /* SWD, without a reset */
}

void stlink_make_voltage(struct stlink_command *command)
{
    make(command, 0xF7, 0, 8);
}

/* The answer has two readings: of a reference of 1.2 V, and of half the target's supply. */
unsigned stlink_take_voltage(const uint8_t bytes[static 8])
{
    uint64_t reference = stlink_word(bytes), supply = stlink_word(bytes + 4);
    uint64_t millivolts = reference > 0 ? 2400 * supply / reference : 0;

    return millivolts < 100000 ? (unsigned)millivolts : 0;
}

unsigned stlink_make_clock_v2(struct stlink_command *command, unsigned khz)
{
    static const struct {
        unsigned khz, divisor;
    } clocks[] = {{4000, 0}, {1800, 1}, {1200, 2}, {950, 3},  {480, 7},  {240, 15},
                  {125, 31}, {100, 40}, {50, 79},  {25, 158}, {15, 265}, {5, 798}};
    size_t i = 0;

    while (i + 1 < sizeof clocks / sizeof *clocks && clocks[i].khz > khz)
        i++;
    make_debug(command, 0x43, STATUS_ANSWER);
    put_half(command->bytes + 2, clocks[i].divisor);
    return clocks[i].khz;
}

void stlink_make_clocks(struct stlink_command *command)
{
    make_debug(command, 0x62, STLINK_CLOCKS_BYTES);
}

unsigned stlink_choose_clock(const uint8_t bytes[static STLINK_CLOCKS_BYTES], unsigned khz)
{
    size_t count = bytes[8] < STLINK_CLOCKS_MAX ? bytes[8] : STLINK_CLOCKS_MAX;
    uint32_t chosen = 0, slowest = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t clock = stlink_word(bytes + 12 + 4 * i);

        if (clock > 0 && (slowest == 0 || clock < slowest))
            slowest = clock;
        if (clock <= khz && clock > chosen)
            chosen = clock;
    }
    return chosen > 0 ? chosen : slowest;
}

void stlink_make_clock_v3(struct stlink_command *command, unsigned khz)
{
    make_debug(command, 0x61, 8);
    put_word(command->bytes + 4, khz);
}

/* ---- the debug port and an access port ---- */

void stlink_make_identity(struct stlink_command *command)
{
    make_debug(command, 0x45, 8);
    put_half(command->bytes + 2, DEBUG_PORT);
}

void stlink_make_clear_errors(struct stlink_command *command)
{
    make_debug(command, 0x46, STATUS_ANSWER);
    put_half(command->bytes + 2, DEBUG_PORT);
    put_word(command->bytes + 6, STLINK_CLEAR_ERRORS);
}

void stlink_make_open_port(struct stlink_command *command, uint8_t port)
{
    make_debug(command, 0x4B, STATUS_ANSWER);
    command->bytes[2] = port;
}

void stlink_make_close_port(struct stlink_command *command, uint8_t port)
{
    make_debug(command, 0x4C, STATUS_ANSWER);
    command->bytes[2] = port;
}

/* ---- reads ---- */

void stlink_make_read(struct stlink_command *command, uint32_t address, uint32_t length, uint8_t port)
{
    assert(length > 0 && length <= STLINK_READ_BYTES_MAX);
    make_debug(command, 0x07, length);
    put_word(command->bytes + 2, address);
    put_half(command->bytes + 6, length);
    command->bytes[8] = port;
}

void stlink_make_status(struct stlink_command *command)
{
    make_debug(command, 0x3E, STLINK_STATUS_BYTES);
}

static void add_step(struct stlink_command *command, enum stlink_step step, uint32_t argument)
{
    uint32_t steps = stlink_word(command->bytes + 2);
    size_t before = (steps + 3) & ~(size_t)3, after = (steps + 1 + 3) & ~(size_t)3;

    assert(steps < STLINK_STEPS_MAX);
    if (after > before) { /* one more word for the steps moves the arguments */
        memmove(command->data + after, command->data + before, 4 * (size_t)steps);
        memset(command->data + before, 0, after - before);
    }
    command->data[steps] = (uint8_t)step;
    put_word(command->data + after + 4 * (size_t)steps, argument);
    put_word(command->bytes + 2, steps + 1);
    command->data_bytes = after + 4 * ((size_t)steps + 1);
}

void stlink_make_list(struct stlink_command *command, uint8_t port)
{
    make_debug(command, 0x51, 0);
    add_step(command, STLINK_STEP_PORT, port);
}

void stlink_add_word(struct stlink_command *command, uint32_t address)
{
    add_step(command, STLINK_STEP_READ, address);
}

void stlink_make_fetch(struct stlink_command *command, const struct stlink_command *list)
{
    make_debug(command, 0x52, 8 * (size_t)stlink_word(list->bytes + 2));
}

/* The answer has a value for each step, then a status for each step. Step 0 chose the access port. */
enum stlink_result stlink_take_word(const uint8_t *bytes, size_t words, size_t index, uint8_t word[static 4])
{
    const uint8_t *statuses = bytes + 4 * (words + 1);
    uint32_t port = stlink_word(statuses), status = stlink_word(statuses + 4 * (index + 1));

    if (port > UINT8_MAX || status > UINT8_MAX)
        return STLINK_CONFUSED;
    memcpy(word, bytes + 4 * (index + 1), 4);
    return stlink_result_of((uint8_t)port) != STLINK_OK ? stlink_result_of((uint8_t)port)
                                                        : stlink_result_of((uint8_t)status);
}

/* ---- answers ---- */

enum stlink_result stlink_result_of(uint8_t status)
{
    switch (status) {
    case 0x80:
        return STLINK_OK;
    case 0x10: /* access port */
    case 0x14: /* debug port */
        return STLINK_WAIT;
    case 0x81:
    case 0x11: /* access port: fault */
    case 0x12: /* access port: error */
    case 0x18: /* error in written data */
    case 0x19: /* sticky error */
    case 0x1A: /* sticky overrun */
        return STLINK_FAULT;
    case 0x13:
    case 0x17:
        return STLINK_PARITY;
    case 0x09: /* no identification code */
    case 0x15: /* debug port: fault */
    case 0x16: /* debug port: error */
        return STLINK_SILENT;
    case 0x1D:
        return STLINK_BAD_PORT;
    default:
        return STLINK_CONFUSED;
    }
}
