/* SPDX-License-Identifier: MIT */
/* Memory through ST-Link commands. Source for codes: OpenOCD 0.12.0, src/jtag/drivers/stlink_usb.c. */
#include "board_memory.h"
#include "bits.h"
#include "stlink_status.h"

#include <string.h>

#define COMMAND_DEBUG 0xF2

enum {
    ENTER = 0x30,
    ENTER_SWD = 0xA3,
    WRITE_DEBUG_REGISTER = 0x35,
    READ_DEBUG_REGISTER = 0x36,
    DRIVE_RESET = 0x3C,
    LAST_STATUS = 0x3E
};

static enum swd_ack ack_of(uint8_t status)
{
    switch (status) {
    case STLINK_OK:
        return SWD_OK;
    case STLINK_AP_WAIT:
        return SWD_WAIT;
    case STLINK_AP_PARITY:
        return SWD_PARITY;
    case STLINK_DP_ERROR:
    case STLINK_NO_IDCODE:
        return SWD_SILENT;
    default:
        return SWD_FAULT;
    }
}

static enum swd_ack last_status(const struct board_access *board)
{
    uint8_t command[BOARD_COMMAND_BYTES] = {COMMAND_DEBUG, LAST_STATUS}, answer[12];
    return board->run(board->self, command, NULL, 0, answer, sizeof answer) ? ack_of(answer[0]) : SWD_SILENT;
}

/* Uses the command whose answer includes the status, which saves a second command. */
static enum swd_ack read_word(const struct board_access *board, uint32_t address, uint8_t *bytes)
{
    uint8_t command[BOARD_COMMAND_BYTES] = {COMMAND_DEBUG, READ_DEBUG_REGISTER}, answer[8];
    put_u32(command + 2, address);
    if (!board->run(board->self, command, NULL, 0, answer, sizeof answer))
        return SWD_SILENT;
    memcpy(bytes, answer + 4, 4);
    return ack_of(answer[0]);
}

static enum swd_ack write_word(const struct board_access *board, uint32_t address, const uint8_t *bytes)
{
    uint8_t command[BOARD_COMMAND_BYTES] = {COMMAND_DEBUG, WRITE_DEBUG_REGISTER}, answer[2];
    put_u32(command + 2, address);
    memcpy(command + 6, bytes, 4);
    return board->run(board->self, command, NULL, 0, answer, sizeof answer) ? ack_of(answer[0]) : SWD_SILENT;
}

static void access_command(uint8_t *command, unsigned width, bool write_it, uint32_t address, size_t length)
{
    static const uint8_t codes[2][5] = {{0, 0x0C, 0x47, 0, 0x07}, {0, 0x0D, 0x48, 0, 0x08}};
    memset(command, 0, BOARD_COMMAND_BYTES);
    command[0] = COMMAND_DEBUG;
    command[1] = codes[write_it][width];
    put_u32(command + 2, address);
    put_u16(command + 6, (uint16_t)length);
}

static enum swd_ack read_bytes(void *self, uint32_t address, unsigned width, size_t length, uint8_t *bytes)
{
    const struct board_access *board = self;
    uint8_t command[BOARD_COMMAND_BYTES];
    if (width == 4 && length == 4)
        return read_word(board, address, bytes);
    access_command(command, width, false, address, length);
    return board->run(board->self, command, NULL, 0, bytes, length) ? last_status(board) : SWD_SILENT;
}

static enum swd_ack write_bytes(void *self, uint32_t address, unsigned width, size_t length, const uint8_t *bytes)
{
    const struct board_access *board = self;
    uint8_t command[BOARD_COMMAND_BYTES];
    if (width == 4 && length == 4)
        return write_word(board, address, bytes);
    access_command(command, width, true, address, length);
    return board->run(board->self, command, bytes, length, NULL, 0) ? last_status(board) : SWD_SILENT;
}

static void run_short(void *self, uint8_t code, uint8_t argument)
{
    const struct board_access *board = self;
    uint8_t command[BOARD_COMMAND_BYTES] = {COMMAND_DEBUG, code, argument}, answer[2];
    board->run(board->self, command, NULL, 0, answer, sizeof answer);
}

static void enter_swd(void *self)
{
    run_short(self, ENTER, ENTER_SWD);
}

static void drive_reset(void *self, bool high)
{
    run_short(self, DRIVE_RESET, high);
}

struct debug_target board_memory_target(const struct board_access *board)
{
    return (struct debug_target){.self = (void *)board,
                                 .read = read_bytes,
                                 .write = write_bytes,
                                 .connect = enter_swd,
                                 .drive_reset = drive_reset};
}
