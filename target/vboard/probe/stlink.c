/* SPDX-License-Identifier: MIT */
/* The ST-Link's commands. */
#include "stlink.h"
#include "bits.h"
#include "dap.h"
#include "messages.h"

#include <string.h>

#define COMMAND_DEBUG 0xF2
#define VENDOR_ID     0x0483
#define BLOCK_MAX     6144
#define BYTES_MAX_V2  64
#define BYTES_MAX_V3  512
#define MODE_MASS     1
#define MODE_DEBUG    2
#define CORE_RUNNING  0x80
#define CORE_HALTED   0x81

enum { NRST_LOW, NRST_HIGH, NRST_PULSE };

uint16_t stlink_product_id(const struct board *board)
{
    return board->options->probe.stlink_version == 3 ? 0x374F : 0x374B;
}

void stlink_init(struct stlink *link, struct board *board)
{
    *link = (struct stlink){.board = board, .access_status = STLINK_OK};
}

static void answer(const struct stlink_exchange *exchange, bool good)
{
    exchange->reply[0] = good ? STLINK_OK : STLINK_FAULT;
}

static void get_version(const struct stlink_exchange *exchange)
{
    const struct board *board = exchange->link->board;
    bool v3 = board->options->probe.stlink_version == 3;
    /* Major in bits 12 to 15, debug in 6 to 11, mass storage in 0 to 5: V2J37M26. A V3 has only its major here. */
    unsigned version = v3 ? 3u << 12 : 2u << 12 | 37u << 6 | 26u;
    exchange->reply[0] = (uint8_t)(version >> 8);
    exchange->reply[1] = (uint8_t)version;
    put_u16(exchange->reply + 2, VENDOR_ID);
    put_u16(exchange->reply + 4, stlink_product_id(board));
}

static void get_version_v3(const struct stlink_exchange *exchange)
{
    static const uint8_t version[] = {3, 0, 10, 3, 2}; /* V3J10M3B2 */
    memcpy(exchange->reply, version, sizeof version);
    put_u16(exchange->reply + 8, VENDOR_ID);
    put_u16(exchange->reply + 10, stlink_product_id(exchange->link->board));
}

static void get_mode(const struct stlink_exchange *exchange)
{
    exchange->reply[0] = exchange->link->board->debug_mode ? MODE_DEBUG : MODE_MASS;
}

static void get_voltage(const struct stlink_exchange *exchange)
{
    put_u32(exchange->reply, 1500); /* 2 x 2063 x 1.2 / 1500 = 3.30 V */
    put_u32(exchange->reply + 4, exchange->link->board->trouble.active[FAULT_POWER_CYCLE] ? 3 : 2063);
}

static void enter_mode(const struct stlink_exchange *exchange)
{
    struct board *board = exchange->link->board;
    if (board->trouble.active[FAULT_POWER_CYCLE]) {
        board->trouble.hits[FAULT_POWER_CYCLE]++;
        exchange->reply[0] = STLINK_NO_IDCODE;
        return;
    }
    board->trouble.link_lost = false;
    board->debug_mode = true;
    exchange->link->ap_csw = 0;
    answer(exchange, true);
}

static void leave_mode(const struct stlink_exchange *exchange)
{
    exchange->link->board->debug_mode = false;
}

static void get_idcodes(const struct stlink_exchange *exchange)
{
    answer(exchange, true);
    wire_transfer(&exchange->link->board->wire, 1);
    put_u32(exchange->reply + 4, DAP_IDCODE);
}

static void get_status(const struct stlink_exchange *exchange)
{
    exchange->reply[0] = exchange->link->board->machine.stopped ? CORE_HALTED : CORE_RUNNING;
}

static void set_swd_divisor(const struct stlink_exchange *exchange)
{
    static const struct {
        unsigned divisor, khz;
    } speeds[] = {{1, 1800}, {2, 1200}, {3, 950},  {7, 480},  {15, 240}, {31, 125},
                  {40, 100}, {79, 50},  {158, 25}, {265, 15}, {798, 5}};
    struct wire *wire = &exchange->link->board->wire;
    unsigned divisor = get_u16(exchange->command + 2);
    wire->requested_khz = 0; /* divisor 0: as fast as possible */
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (divisor >= speeds[i].divisor)
            wire->requested_khz = speeds[i].khz;
    answer(exchange, true);
}

static const uint32_t v3_speeds_khz[] = {24000, 8000, 3300, 1000, 200, 50, 5};

static void get_frequencies(const struct stlink_exchange *exchange)
{
    size_t count = sizeof v3_speeds_khz / sizeof *v3_speeds_khz;
    answer(exchange, true);
    exchange->reply[8] = (uint8_t)count;
    for (size_t i = 0; i < count; i++)
        put_u32(exchange->reply + 12 + 4 * i, v3_speeds_khz[i]);
}

static void set_frequency(const struct stlink_exchange *exchange)
{
    uint32_t khz = get_u32(exchange->command + 4);
    exchange->link->board->wire.requested_khz = khz >= v3_speeds_khz[0] ? 0 : khz;
    answer(exchange, true);
    put_u32(exchange->reply + 4, khz);
}

static void access_port(const struct stlink_exchange *exchange)
{
    exchange->reply[0] = exchange->command[2] == 0 ? STLINK_OK : STLINK_BAD_AP;
}

static void read_debug_register(const struct stlink_exchange *exchange)
{
    uint32_t address = get_u32(exchange->command + 2);
    uint8_t word[4] = {0};
    answer(exchange, address % 4 == 0 && board_read(exchange->link->board, address, 4, 4, false, word));
    memcpy(exchange->reply + 4, word, sizeof word);
}

static void write_debug_register(const struct stlink_exchange *exchange)
{
    uint32_t address = get_u32(exchange->command + 2);
    answer(exchange,
           address % 4 == 0 && board_write(exchange->link->board, address, 4, 4, false, exchange->command + 6));
}

/* Carries out READMEM or WRITEMEM: address in bytes 2 to 5, length in 6 and 7, access port in 8. The debugger asks for
 * the status afterwards, with GETLASTRWSTATUS. */
static void access_memory(const struct stlink_exchange *exchange, unsigned width, bool fixed, bool write_it)
{
    struct stlink *link = exchange->link;
    uint32_t address = get_u32(exchange->command + 2), length = get_u16(exchange->command + 6);
    uint32_t max = BLOCK_MAX;
    if (width == 1)
        max = link->board->options->probe.stlink_version == 3 ? BYTES_MAX_V3 : BYTES_MAX_V2;
    link->access_status = STLINK_OK;
    link->access_address = address;
    if (exchange->command[8] != 0)
        link->access_status = STLINK_BAD_AP;
    else if (length > max || address % width || length % width || (write_it && length > exchange->data_length))
        link->access_status = STLINK_FAULT;
    else if (length == 0)
        return;
    else if (!(write_it ? board_write(link->board, address, width, length, fixed, exchange->data)
                        : board_read(link->board, address, width, length, fixed, exchange->reply)))
        link->access_status = link->board->access_status;
}

static void read_bytes(const struct stlink_exchange *exchange)
{
    access_memory(exchange, 1, false, false);
}

static void read_halves(const struct stlink_exchange *exchange)
{
    access_memory(exchange, 2, false, false);
}

static void read_words(const struct stlink_exchange *exchange)
{
    access_memory(exchange, 4, false, false);
}

static void read_words_fixed(const struct stlink_exchange *exchange)
{
    access_memory(exchange, 4, true, false);
}

static void write_bytes(const struct stlink_exchange *exchange)
{
    access_memory(exchange, 1, false, true);
}

static void write_halves(const struct stlink_exchange *exchange)
{
    access_memory(exchange, 2, false, true);
}

static void write_words(const struct stlink_exchange *exchange)
{
    access_memory(exchange, 4, false, true);
}

static void write_words_fixed(const struct stlink_exchange *exchange)
{
    access_memory(exchange, 4, true, true);
}

static void get_access_status(const struct stlink_exchange *exchange)
{
    exchange->reply[0] = exchange->link->access_status;
    put_u32(exchange->reply + 4, exchange->link->access_address);
}

static void read_register(const struct stlink_exchange *exchange)
{
    uint32_t value = 0;
    wire_transfer(&exchange->link->board->wire, 4);
    answer(exchange, core_read_register(&exchange->link->board->core, exchange->command[2], &value));
    put_u32(exchange->reply + 4, value);
}

static void read_all_registers(const struct stlink_exchange *exchange)
{
    /* r0 to r15, xPSR, both stack pointers and two reserved words */
    bool good = true;
    for (unsigned i = 0; good && i <= REGISTER_PSP; i++) {
        uint32_t value = 0;
        wire_transfer(&exchange->link->board->wire, 4);
        good = core_read_register(&exchange->link->board->core, i, &value);
        put_u32(exchange->reply + 4 + 4 * i, value);
    }
    answer(exchange, good);
}

static void write_register(const struct stlink_exchange *exchange)
{
    struct board *board = exchange->link->board;
    wire_transfer(&board->wire, 4);
    board->audit.register_writes++;
    answer(exchange, core_write_register(&board->core, exchange->command[2], get_u32(exchange->command + 3)));
}

static void halt_core(const struct stlink_exchange *exchange)
{
    answer(exchange, core_halt(&exchange->link->board->core));
}

static void run_core(const struct stlink_exchange *exchange)
{
    answer(exchange, core_run(&exchange->link->board->core));
}

static void step_core(const struct stlink_exchange *exchange)
{
    answer(exchange, core_step(&exchange->link->board->core));
}

static void reset_core(const struct stlink_exchange *exchange)
{
    answer(exchange, core_reset(&exchange->link->board->core));
}

static void drive_reset(const struct stlink_exchange *exchange)
{
    struct core *core = &exchange->link->board->core;
    if (exchange->link->board->trouble.active[FAULT_POWER_CYCLE]) {
        answer(exchange, true); /* the pin moves, but the target has no power */
        return;
    }
    unsigned level = exchange->command[2];
    bool good = level == NRST_HIGH || core_hold_reset(core);
    if (level != NRST_LOW)
        good = core_release_reset(core) && good;
    answer(exchange, good);
}

static void accept(const struct stlink_exchange *exchange)
{
    answer(exchange, true);
}

static void refuse(const struct stlink_exchange *exchange)
{
    answer(exchange, false);
}

static void nothing(const struct stlink_exchange *exchange)
{
    (void)exchange; /* the reply is all zeros */
}

#define ANY 0x100 /* a command of one byte */

static const struct command {
    unsigned first, second;
    const char *name;
    void (*run)(const struct stlink_exchange *exchange);
    bool on_wire; /* uses the wire; the first byte of the reply is the status */
} command_table[] = {
    {0xF1, ANY, "GET_VERSION", get_version, false},
    {0xFB, ANY, "GET_VERSION_EX", get_version_v3, false},
    {0xF3, ANY, "DFU", nothing, false},
    {0xF4, ANY, "SWIM", nothing, false},
    {0xF5, ANY, "GET_CURRENT_MODE", get_mode, false},
    {0xF7, ANY, "GET_TARGET_VOLTAGE", get_voltage, false},
    {COMMAND_DEBUG, 0x01, "GETSTATUS", get_status, false},
    {COMMAND_DEBUG, 0x02, "FORCEDEBUG", halt_core, true},
    {COMMAND_DEBUG, 0x07, "READMEM_32BIT", read_words, false},
    {COMMAND_DEBUG, 0x08, "WRITEMEM_32BIT", write_words, false},
    {COMMAND_DEBUG, 0x09, "RUNCORE", run_core, true},
    {COMMAND_DEBUG, 0x0A, "STEPCORE", step_core, true},
    {COMMAND_DEBUG, 0x0C, "READMEM_8BIT", read_bytes, false},
    {COMMAND_DEBUG, 0x0D, "WRITEMEM_8BIT", write_bytes, false},
    {COMMAND_DEBUG, 0x21, "EXIT", leave_mode, false},
    {COMMAND_DEBUG, 0x30, "ENTER", enter_mode, false},
    {COMMAND_DEBUG, 0x31, "READ_IDCODES", get_idcodes, true},
    {COMMAND_DEBUG, 0x32, "RESETSYS", reset_core, true},
    {COMMAND_DEBUG, 0x33, "READREG", read_register, true},
    {COMMAND_DEBUG, 0x34, "WRITEREG", write_register, true},
    {COMMAND_DEBUG, 0x35, "WRITEDEBUGREG", write_debug_register, true},
    {COMMAND_DEBUG, 0x36, "READDEBUGREG", read_debug_register, true},
    {COMMAND_DEBUG, 0x3A, "READALLREGS", read_all_registers, true},
    {COMMAND_DEBUG, 0x3B, "GETLASTRWSTATUS", get_access_status, false},
    {COMMAND_DEBUG, 0x3C, "DRIVE_NRST", drive_reset, false},
    {COMMAND_DEBUG, 0x3E, "GETLASTRWSTATUS2", get_access_status, false},
    {COMMAND_DEBUG, 0x40, "START_TRACE_RX", refuse, false}, /* there is no SWO line */
    {COMMAND_DEBUG, 0x41, "STOP_TRACE_RX", accept, false},
    {COMMAND_DEBUG, 0x42, "GET_TRACE_NB", nothing, false},
    {COMMAND_DEBUG, 0x43, "SWD_SET_FREQ", set_swd_divisor, false},
    {COMMAND_DEBUG, 0x44, "JTAG_SET_FREQ", accept, false},
    {COMMAND_DEBUG, 0x45, "READ_DAP_REG", dap_read_register, true},
    {COMMAND_DEBUG, 0x46, "WRITE_DAP_REG", dap_write_register, true},
    {COMMAND_DEBUG, 0x47, "READMEM_16BIT", read_halves, false},
    {COMMAND_DEBUG, 0x48, "WRITEMEM_16BIT", write_halves, false},
    {COMMAND_DEBUG, 0x4B, "INIT_AP", access_port, false},
    {COMMAND_DEBUG, 0x4C, "CLOSE_AP_DBG", access_port, false},
    {COMMAND_DEBUG, 0x50, "WRITEMEM_32BIT_NO_ADDR_INC", write_words_fixed, false},
    {COMMAND_DEBUG, 0x51, "RW_MISC_OUT", dap_misc_out, false},
    {COMMAND_DEBUG, 0x52, "RW_MISC_IN", dap_misc_in, false},
    {COMMAND_DEBUG, 0x54, "READMEM_32BIT_NO_ADDR_INC", read_words_fixed, false},
    {COMMAND_DEBUG, 0x61, "SET_COM_FREQ", set_frequency, false},
    {COMMAND_DEBUG, 0x62, "GET_COM_FREQ", get_frequencies, false},
    {COMMAND_DEBUG, ANY, "UNKNOWN_DEBUG", refuse, false},
    {ANY, ANY, "UNKNOWN", refuse, false},
};

void stlink_execute(const struct stlink_exchange *exchange)
{
    struct board *board = exchange->link->board;
    const uint8_t *bytes = exchange->command;
    const struct command *command = command_table;
    while ((command->first != ANY && command->first != bytes[0]) ||
           (command->second != ANY && command->second != bytes[1]))
        command++;
    note(board->options->verbosity > 1, "%s %02x %02x  %02x%02x%02x%02x %02x%02x%02x%02x", command->name, bytes[0],
         bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9]);
    audit_command(&board->audit, command->name);
    wire_begin(&board->wire);
    uint8_t trouble = command->on_wire ? trouble_on_wire(&board->trouble) : STLINK_OK;
    if (trouble == STLINK_OK)
        command->run(exchange);
    else
        exchange->reply[0] = trouble;
    wire_wait(&board->wire);
}
