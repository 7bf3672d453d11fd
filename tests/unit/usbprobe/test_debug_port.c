/* SPDX-License-Identifier: MIT */
/* The debug port, register by register: connecting, power, sticky errors, access sizes, address wraps. Also the
 * ST-Link commands into which memory accesses are translated. */
#include "board_memory.h"
#include "fake_board.h"
#include "fake_target.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ABORT = 0x00, IDR = 0x00, CONTROL = 0x04, SELECT = 0x08, READ_BUFFER = 0x0C };
enum { CSW = 0x01, TAR = 0x05, BANKED = 0x01 };

static struct fake_target target;
static struct debug_port port;

static uint32_t get(unsigned reg)
{
    uint32_t value = 0;
    cr_assert_eq(debug_port_read(&port, reg | PORT_READ, &value), SWD_OK);
    return value;
}

static void set(unsigned reg, uint32_t value)
{
    cr_assert_eq(debug_port_write(&port, reg, value), SWD_OK);
}

static void connect(void)
{
    struct debug_target behind = fake_target(&target);
    debug_port_init(&port, &behind);
    debug_port_line_reset(&port);
    get(IDR);
    set(CONTROL, 0x50000000);
    set(CSW, 0x23000052);
}

static uint32_t word_at(uint32_t address)
{
    const uint8_t *at = target.memory + (address - FAKE_TARGET_START);
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

Test(debug_port, is_silent_until_its_identification_is_read)
{
    uint32_t value;
    struct debug_target behind = fake_target(&target);
    debug_port_init(&port, &behind);
    for (int turn = 0; turn < 2; turn++) {
        debug_port_line_reset(&port);
        for (unsigned reg = 0; reg < 16; reg++) {
            if (reg & PORT_READ && reg != (IDR | PORT_READ))
                cr_assert_eq(debug_port_read(&port, reg, &value), SWD_SILENT);
            else if (!(reg & PORT_READ))
                cr_assert_eq(debug_port_write(&port, reg, 0), SWD_SILENT);
        }
        cr_assert_eq(get(IDR), 0x2BA01477);
        set(CONTROL, 0);
    }
    cr_assert_eq(target.connects, 2);
}

Test(debug_port, acknowledges_power_and_needs_it)
{
    uint32_t value;
    connect();
    cr_assert_eq(get(CONTROL), 0xF0000000);
    set(CONTROL, 0);
    cr_assert_eq(debug_port_read(&port, TAR | PORT_READ, &value), SWD_FAULT);
    cr_assert_eq(get(CONTROL), 0x20, "the error is sticky");
    set(ABORT, 0x04);
    cr_assert_eq(get(CONTROL), 0);
}

Test(debug_port, a_bus_fault_is_sticky_until_cleared)
{
    uint32_t value;
    connect();
    set(TAR, 0x10000000);
    cr_assert_eq(debug_port_read(&port, PORT_DATA | PORT_READ, &value), SWD_FAULT);
    set(ABORT, 0x1B); /* all other clearable errors */
    cr_assert_eq(debug_port_write(&port, TAR, FAKE_TARGET_START), SWD_FAULT);
    cr_assert_eq(debug_port_write(&port, SELECT, 0), SWD_FAULT);
    cr_assert_eq(debug_port_read(&port, READ_BUFFER | PORT_READ, &value), SWD_FAULT);
    cr_assert_eq(get(CONTROL), 0xF0000020);
    set(ABORT, 0x04);
    set(TAR, FAKE_TARGET_START);
    cr_assert_eq(get(PORT_DATA), word_at(FAKE_TARGET_START));
    cr_assert_eq(get(READ_BUFFER), word_at(FAKE_TARGET_START));
}

Test(debug_port, a_wait_is_not_sticky)
{
    uint32_t value;
    connect();
    set(TAR, FAKE_TARGET_START);
    target.waits = 1;
    cr_assert_eq(debug_port_read(&port, PORT_DATA | PORT_READ, &value), SWD_WAIT);
    cr_assert_eq(get(PORT_DATA), word_at(FAKE_TARGET_START));
}

Test(debug_port, there_is_one_access_port)
{
    connect();
    set(SELECT, 0x000000F0);
    cr_assert_eq(get(PORT_AP | 0x0C), 0x24770011);
    set(SELECT, 0x010000F0);
    cr_assert_eq(get(PORT_AP | 0x0C), 0);
    cr_assert_eq(port.writes_elsewhere, 0);
    set(PORT_AP | 0x00, 7);
    cr_assert_eq(port.writes_elsewhere, 1);
    set(SELECT, 0);
    cr_assert_eq(get(CSW) & 7, 2);
}

Test(debug_port, has_the_identity_of_its_target)
{
    struct debug_target behind = fake_target(&target);
    uint32_t value;
    behind.dpidr = 0x4C013477;
    behind.idr = 0x12880000;
    behind.no_power = true;
    debug_port_init(&port, &behind);
    debug_port_line_reset(&port);
    cr_expect_eq(get(IDR), 0x4C013477);
    set(CONTROL, 0x50000000);
    cr_expect_eq(get(CONTROL), 0x50000000);
    cr_expect_eq(debug_port_read(&port, PORT_DATA | PORT_READ, &value), SWD_FAULT);
    port.target.no_power = false;
    set(ABORT, 0x04);
    set(SELECT, 0x000000F0);
    cr_expect_eq(get(PORT_AP | 0x0C), 0x12880000);
}

Test(debug_port, bytes_and_halfwords_are_in_their_lanes)
{
    connect();
    for (unsigned size = 0; size < 2; size++) {
        unsigned width = 1u << size;
        uint32_t mask = size ? 0xFFFF : 0xFF;
        set(CSW, 0x23000050 | size);
        set(TAR, FAKE_TARGET_START + 0x1234);
        for (unsigned i = 0; i < 4; i += width)
            cr_assert_eq(get(PORT_DATA) >> 8 * i & mask, word_at(FAKE_TARGET_START + 0x1234) >> 8 * i & mask);
        set(TAR, FAKE_TARGET_START + 0x100);
        for (unsigned i = 0; i < 4; i += width)
            set(PORT_DATA, 0x44332211);
        cr_assert_eq(word_at(FAKE_TARGET_START + 0x100), 0x44332211);
    }
    set(TAR, FAKE_TARGET_START + 1);
    cr_assert_eq(debug_port_write(&port, PORT_DATA, 0), SWD_FAULT, "a halfword at an odd address");
}

Test(debug_port, packed_accesses_fill_the_word)
{
    connect();
    for (unsigned size = 0; size < 3; size++) {
        set(CSW, 0x23000060 | size);
        set(TAR, FAKE_TARGET_START + 0x40);
        set(PORT_DATA, 0xA0B0C0D0 + size);
        cr_assert_eq(word_at(FAKE_TARGET_START + 0x40), 0xA0B0C0D0 + size);
        cr_assert_eq(get(TAR), FAKE_TARGET_START + 0x44);
        set(TAR, FAKE_TARGET_START + 0x40);
        cr_assert_eq(get(PORT_DATA), 0xA0B0C0D0 + size);
        set(TAR, FAKE_TARGET_START + (size == 2 ? 0x44 : 0x42));
        get(PORT_DATA);
        cr_assert_eq(get(TAR), FAKE_TARGET_START + (size == 2 ? 0x48 : 0x44));
    }
}

Test(debug_port, four_words_are_reached_without_moving_the_address)
{
    connect();
    set(TAR, FAKE_TARGET_START + 0x84);
    set(SELECT, 0x10);
    for (unsigned i = 0; i < 4; i++)
        cr_assert_eq(get(BANKED | 4 * i), word_at(FAKE_TARGET_START + 0x80 + 4 * i));
    set(BANKED | 4, 0x12345678);
    cr_assert_eq(word_at(FAKE_TARGET_START + 0x84), 0x12345678);
    set(SELECT, 0);
    cr_assert_eq(get(TAR), FAKE_TARGET_START + 0x84);
}

/* Reads one register at a time, and many registers at once. Words and final address must be the same. */
Test(debug_port, many_reads_at_once_give_the_same_as_single_ones)
{
    static const uint32_t sizes[] = {0x52, 0x62, 0x42, 0x51, 0x50};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (uint32_t start = 0xFC0; start <= 0x1010; start += 4) {
            uint32_t values[40];
            size_t done;
            connect();
            set(CSW, 0x23000000 | sizes[i]);
            set(TAR, FAKE_TARGET_START + start);
            cr_assert_eq(debug_port_read_data(&port, values, 40, &done), SWD_OK);
            cr_assert_eq(done, 40);
            uint32_t end = get(TAR);
            cr_assert(i > 1 || target.reads <= 2);
            set(TAR, FAKE_TARGET_START + start);
            for (size_t j = 0; j < 40; j++)
                cr_assert_eq(get(PORT_DATA), values[j], "word %zu from %x", j, start);
            cr_assert_eq(get(TAR), end);
        }
    }
}

Test(debug_port, a_block_that_fails_gives_none_of_its_words)
{
    uint32_t values[20];
    size_t done;
    connect();
    set(TAR, FAKE_TARGET_START + FAKE_TARGET_BYTES - 8);
    cr_assert_eq(debug_port_read_data(&port, values, 20, &done), SWD_OK, "it wraps before the end");
    set(TAR, 0x30000000);
    cr_assert_eq(debug_port_read_data(&port, values, 20, &done), SWD_FAULT);
    cr_assert_eq(done, 0);
    cr_assert_eq(get(CONTROL), 0xF0000020);
    cr_assert_eq(debug_port_read_data(&port, values, 20, &done), SWD_FAULT);
}

Test(debug_port, the_address_wraps_at_4_kib)
{
    connect();
    set(TAR, FAKE_TARGET_START + 0x13FC);
    cr_assert_eq(get(PORT_DATA), word_at(FAKE_TARGET_START + 0x13FC));
    cr_assert_eq(get(TAR), FAKE_TARGET_START + 0x1400);
    set(TAR, FAKE_TARGET_START + 0x1FFC);
    set(PORT_DATA, 1);
    cr_assert_eq(get(TAR), FAKE_TARGET_START + 0x1000);
    set(CSW, 0x23000042);
    set(PORT_DATA, 1);
    cr_assert_eq(get(TAR), FAKE_TARGET_START + 0x1000, "it does not move if increments are off");
}

/* ---- the board's memory ---- */

static struct fake_board board;

/*
 * Returns true if the command is the debug command `code` with this address and length. length 0: any length.
 */
static bool is_command(const uint8_t *command, uint8_t code, uint32_t address, unsigned length)
{
    uint32_t at = command[2] | (uint32_t)command[3] << 8 | (uint32_t)command[4] << 16 | (uint32_t)command[5] << 24;
    return command[0] == 0xF2 && command[1] == code && at == address &&
           (length == 0 || length == (command[6] | (unsigned)command[7] << 8));
}

Test(board_memory, a_word_is_one_command_with_a_status)
{
    uint8_t bytes[4];
    struct board_access access = fake_board_access(&board);
    struct debug_target memory = board_memory_target(&access);
    cr_assert_eq(memory.read(memory.self, 0x20000010, 4, 4, bytes), SWD_OK);
    cr_assert(board.runs == 1 && is_command(board.command, 0x36, 0x20000010, 0));
    cr_assert_eq(memcmp(bytes, (const uint8_t[]){4, 5, 6, 7}, 4), 0);
    cr_assert_eq(memory.write(memory.self, 0xE000EDF0, 4, 4, (const uint8_t[]){1, 2, 3, 4}), SWD_OK);
    cr_assert(board.runs == 2 && is_command(board.command, 0x35, 0xE000EDF0, 0));
    cr_assert_eq(memcmp(board.command + 6, (const uint8_t[]){1, 2, 3, 4}, 4), 0);
}

Test(board_memory, other_accesses_request_the_status_afterwards)
{
    static const uint8_t reads[] = {0, 0x0C, 0x47, 0, 0x07}, writes[] = {0, 0x0D, 0x48, 0, 0x08};
    uint8_t bytes[300];
    struct board_access access = fake_board_access(&board);
    struct debug_target memory = board_memory_target(&access);
    for (unsigned width = 1; width <= 4; width *= 2) {
        board.runs = 0;
        cr_assert_eq(memory.read(memory.self, 0x20000010, width, 300, bytes), SWD_OK);
        cr_assert(board.runs == 2 && is_command(board.command, 0x3E, 0, 0));
        cr_assert(is_command(board.before, reads[width], 0x20000010, 300));
        cr_assert_eq(memory.write(memory.self, 0x20000010, width, 300, bytes), SWD_OK);
        cr_assert(board.runs == 4 && is_command(board.command, 0x3E, 0, 0));
        cr_assert(is_command(board.before, writes[width], 0x20000010, 300));
        cr_assert_eq(memcmp(board.data, bytes, 300), 0);
    }
}

Test(board_memory, each_status_becomes_an_answer_on_the_wire)
{
    static const struct {
        uint8_t status;
        enum swd_ack ack;
    } rows[] = {{0x80, SWD_OK},     {0x10, SWD_WAIT},   {0x11, SWD_FAULT}, {0x13, SWD_PARITY},
                {0x16, SWD_SILENT}, {0x09, SWD_SILENT}, {0x81, SWD_FAULT}, {0x42, SWD_FAULT}};
    uint8_t bytes[8];
    struct board_access access = fake_board_access(&board);
    struct debug_target memory = board_memory_target(&access);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        board.status = rows[i].status;
        cr_assert_eq(memory.read(memory.self, 0x20000000, 4, 4, bytes), rows[i].ack);
        cr_assert_eq(memory.read(memory.self, 0x20000000, 4, 8, bytes), rows[i].ack);
        cr_assert_eq(memory.write(memory.self, 0x20000000, 4, 4, bytes), rows[i].ack);
        cr_assert_eq(memory.write(memory.self, 0x20000000, 1, 8, bytes), rows[i].ack);
    }
    board.gone = true;
    cr_assert_eq(memory.read(memory.self, 0x20000000, 4, 4, bytes), SWD_SILENT);
    cr_assert_eq(memory.write(memory.self, 0x20000000, 2, 8, bytes), SWD_SILENT);
}

Test(board_memory, line_commands_reach_the_board)
{
    struct board_access access = fake_board_access(&board);
    struct debug_target memory = board_memory_target(&access);
    memory.connect(memory.self);
    cr_assert_eq(memcmp(board.command, (const uint8_t[]){0xF2, 0x30, 0xA3}, 3), 0);
    memory.drive_reset(memory.self, false);
    cr_assert_eq(memcmp(board.command, (const uint8_t[]){0xF2, 0x3C, 0}, 3), 0);
    memory.drive_reset(memory.self, true);
    cr_assert_eq(memcmp(board.command, (const uint8_t[]){0xF2, 0x3C, 1}, 3), 0);
}

Test(debug_port, other_access_ports_do_not_exist)
{
    uint32_t value;
    connect();
    port.target.access_port = 2;
    set(SELECT, 0);
    cr_assert_eq(get(CSW), 0);
    cr_assert_eq(debug_port_read(&port, PORT_DATA | PORT_READ, &value), SWD_OK);
    cr_assert_eq(value, 0);
    set(SELECT, 0x02000000);
    cr_assert_eq(get(CSW), 0x23000052);
}

Test(debug_port, one_of_several_targets_answers_only_when_selected)
{
    uint32_t value;
    connect();
    port.target.select = 0x11002927;
    for (unsigned turn = 0; turn < 2; turn++) {
        debug_port_line_reset(&port);
        debug_port_select_target(&port, 0x01002927);
        cr_assert_eq(debug_port_read(&port, IDR | PORT_READ, &value), SWD_SILENT);
        debug_port_select_target(&port, 0x11002927);
        cr_assert_eq(get(IDR) >> 12 & 0xF, 2, "version 2 of a debug port");
        set(SELECT, 3);
        cr_assert_eq(get(CONTROL), 0x10000001, "DLPIDR");
        set(SELECT, 0);
    }
    debug_port_select_target(&port, 0);
    cr_assert_eq(get(IDR) >> 12 & 0xF, 2, "without a line reset it is silent");
}
