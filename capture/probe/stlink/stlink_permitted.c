/* SPDX-License-Identifier: MIT */
/* Checks a command by its bytes alone. So a bug in the code that makes commands cannot affect a target. */
#include "probe/stlink/stlink_permitted.h"

#define COMMAND_DEBUG 0xF2
#define ENTER_SWD     0xA3 /* SWD, without a reset */
#define DEBUG_PORT    0xFFFFu

/* ---- the table ---- */

#define STLINK_COMMAND(first, second, name, why) {first, second, #name, why},
static const struct stlink_permission rows[] = {
#include "probe/stlink/stlink_permitted.def"
};
#undef STLINK_COMMAND

const struct stlink_permission *stlink_permission(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

static bool has_row(const uint8_t *command)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].first == command[0] && rows[i].second == command[1])
            return true;
    return false;
}

/* ---- the bytes of a command ---- */

static uint32_t half_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return half_at(bytes) | half_at(bytes + 2) << 16;
}

/* Returns true if all bytes from `at` on are 0. */
static bool is_empty_from(const uint8_t *command, size_t at)
{
    for (; at < STLINK_COMMAND_BYTES; at++)
        if (command[at] != 0)
            return false;
    return true;
}

/* Bytes 9 to 11 are CSW. Only 0 is permitted: the probe then uses its own value. */
static bool may_read(const uint8_t *command)
{
    uint32_t length = half_at(command + 6);

    return word_at(command + 2) % 4 == 0 && length % 4 == 0 && length > 0 && length <= STLINK_READ_BYTES_MAX &&
           is_empty_from(command, 9);
}

static bool may_write_register(const uint8_t *command)
{
    return half_at(command + 2) == DEBUG_PORT && half_at(command + 4) == 0 &&
           word_at(command + 6) == STLINK_CLEAR_ERRORS && is_empty_from(command, 10);
}

/* ---- a list of reads ---- */

/* The list has a byte for each step, padded with zeros to whole words, then an argument for each step. */
static bool may_run_list(const uint8_t *command, const uint8_t *data, size_t data_bytes)
{
    uint32_t steps = word_at(command + 2);
    size_t arguments;

    if (steps < 2 || steps > STLINK_STEPS_MAX || !is_empty_from(command, 6))
        return false;
    arguments = (steps + 3) & ~(size_t)3;
    if (data == NULL || data_bytes != arguments + 4 * (size_t)steps)
        return false;
    for (size_t i = 0; i < arguments; i++)
        if (data[i] != (i == 0 ? STLINK_STEP_PORT : i < steps ? STLINK_STEP_READ : 0))
            return false;
    if (word_at(data + arguments) > UINT8_MAX)
        return false;
    for (size_t i = 1; i < steps; i++)
        if (word_at(data + arguments + 4 * i) % 4 != 0)
            return false;
    return true;
}

/* ---- a command ---- */

static bool is_permitted_debug(const uint8_t *command)
{
    switch (command[1]) {
    case 0x07:
        return may_read(command);
    case 0x30:
        return command[2] == ENTER_SWD && is_empty_from(command, 3);
    case 0x43:
        return is_empty_from(command, 4);
    case 0x45:
        return half_at(command + 2) == DEBUG_PORT && is_empty_from(command, 4);
    case 0x46:
        return may_write_register(command);
    case 0x4B:
    case 0x4C:
        return is_empty_from(command, 3);
    case 0x61: /* byte 2: 0 is SWD */
        return command[2] == 0 && command[3] == 0 && is_empty_from(command, 8);
    default: /* commands without arguments; GET_COM_FREQ has one, which is 0 for SWD */
        return is_empty_from(command, 2);
    }
}

bool stlink_is_permitted(const uint8_t command[static STLINK_COMMAND_BYTES], const uint8_t *data, size_t data_bytes)
{
    if (!has_row(command))
        return false;
    if (command[0] == COMMAND_DEBUG && command[1] == 0x51)
        return may_run_list(command, data, data_bytes);
    if (data_bytes != 0)
        return false;
    return command[0] == COMMAND_DEBUG ? is_permitted_debug(command) : is_empty_from(command, 2);
}
