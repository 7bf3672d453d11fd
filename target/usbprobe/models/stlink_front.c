/* SPDX-License-Identifier: MIT */
/* Lengths of ST-Link commands, and their access ports. */
#include "stlink_front.h"
#include "bits.h"

#include <string.h>

#define COMMAND_DEBUG 0xF2
#define ANY           0x100
#define NO_PORT       0x7F
#define DEBUG_PORT    0xFFFF
#define STEP_PORT     5

enum { READ_REGISTER = 0x45, WRITE_REGISTER = 0x46, OPEN_PORT = 0x4B, CLOSE_PORT = 0x4C };

/* The bytes that follow the 16 bytes of a command. */
enum amount {
    STATUS_ANSWER, /* an answer of `bytes` that begins with a status */
    PLAIN_ANSWER,  /* an answer of `bytes` without a status */
    MEMORY_ANSWER, /* an answer with the length that the command states */
    MEMORY_DATA,
    STEPS_DATA,   /* of RW_MISC_OUT */
    STEPS_ANSWER, /* answer of RW_MISC_IN: a value and a status for each step of the last RW_MISC_OUT */
};

static const struct row {
    unsigned first, second;
    enum amount amount;
    size_t bytes;
} rows[] = {
    {0xF1, ANY, PLAIN_ANSWER, 6},             /* version */
    {0xFB, ANY, PLAIN_ANSWER, 12},            /* version of a V3 */
    {0xF3, ANY, PLAIN_ANSWER, 0},             /* leave DFU mode */
    {0xF4, ANY, PLAIN_ANSWER, 0},             /* leave SWIM mode */
    {0xF5, ANY, PLAIN_ANSWER, 2},             /* current mode */
    {0xF7, ANY, PLAIN_ANSWER, 8},             /* voltage */
    {COMMAND_DEBUG, 0x07, MEMORY_ANSWER, 0},  /* read words */
    {COMMAND_DEBUG, 0x08, MEMORY_DATA, 0},    /* write words */
    {COMMAND_DEBUG, 0x0C, MEMORY_ANSWER, 0},  /* read bytes */
    {COMMAND_DEBUG, 0x0D, MEMORY_DATA, 0},    /* write bytes */
    {COMMAND_DEBUG, 0x21, PLAIN_ANSWER, 0},   /* leave debug mode */
    {COMMAND_DEBUG, 0x31, STATUS_ANSWER, 12}, /* identification codes */
    {COMMAND_DEBUG, 0x33, STATUS_ANSWER, 8},  /* read a register */
    {COMMAND_DEBUG, 0x36, STATUS_ANSWER, 8},  /* read a debug register */
    {COMMAND_DEBUG, 0x3A, STATUS_ANSWER, 88}, /* read all registers */
    {COMMAND_DEBUG, 0x3E, STATUS_ANSWER, 12}, /* status and address of the last access */
    {COMMAND_DEBUG, 0x42, PLAIN_ANSWER, 2},   /* number of waiting bytes of trace */
    {COMMAND_DEBUG, 0x45, STATUS_ANSWER, 8},  /* read a register of the DAP */
    {COMMAND_DEBUG, 0x47, MEMORY_ANSWER, 0},  /* read halfwords */
    {COMMAND_DEBUG, 0x48, MEMORY_DATA, 0},    /* write halfwords */
    {COMMAND_DEBUG, 0x50, MEMORY_DATA, 0},    /* write words to one address */
    {COMMAND_DEBUG, 0x51, STEPS_DATA, 0},     /* a list of accesses */
    {COMMAND_DEBUG, 0x52, STEPS_ANSWER, 0},   /* results of such a list */
    {COMMAND_DEBUG, 0x54, MEMORY_ANSWER, 0},  /* read words from one address */
    {COMMAND_DEBUG, 0x61, STATUS_ANSWER, 8},  /* set the clock of a V3 */
    {COMMAND_DEBUG, 0x62, STATUS_ANSWER, 52}, /* the clocks of a V3 */
    {ANY, ANY, STATUS_ANSWER, 2},
};

static const struct row *find_row(const uint8_t *command)
{
    const struct row *row = rows;
    while ((row->first != ANY && row->first != command[0]) || (row->second != ANY && row->second != command[1]))
        row++;
    return row;
}

static bool is_data(const struct row *row)
{
    return row->amount == MEMORY_DATA || row->amount == STEPS_DATA;
}

static size_t amount(const struct stlink_front *front, const struct row *row, const uint8_t *command)
{
    size_t steps = get_u32(command + 2);
    size_t length = get_u16(command + 6);
    switch (row->amount) {
    case MEMORY_ANSWER:
        return length == 1 ? 2 : length; /* a single byte is padded to two */
    case MEMORY_DATA:
        return length;
    case STEPS_DATA:
        return steps > BOARD_DATA_MAX ? SIZE_MAX : ((steps + 3) & ~(size_t)3) + 4 * steps;
    case STEPS_ANSWER:
        return 8 * (size_t)front->misc_steps;
    default:
        return row->bytes;
    }
}

/* The board's number of an access port. Other ports than the target's do not exist. */
static uint8_t board_port(const struct stlink_front *front, unsigned port)
{
    return port == front->access_port ? 0 : NO_PORT;
}

/* Changes the access port in the steps of RW_MISC_OUT: the steps, padded to whole words, then an argument for each. */
static void translate_steps(struct stlink_front *front, const uint8_t *command, size_t data_bytes)
{
    size_t steps = get_u32(command + 2), arguments = (steps + 3) & ~(size_t)3;
    for (size_t i = 0; i < steps && arguments + 4 * i + 4 <= data_bytes; i++)
        if (front->data[i] == STEP_PORT)
            put_u32(front->data + arguments + 4 * i, board_port(front, get_u32(front->data + arguments + 4 * i)));
}

/* Changes the access port in a command and its data. */
static void translate(struct stlink_front *front, uint8_t *command, size_t data_bytes)
{
    const struct row *row = find_row(command);
    if (command[0] != COMMAND_DEBUG)
        return;
    if (row->amount == MEMORY_ANSWER || row->amount == MEMORY_DATA)
        command[8] = board_port(front, command[8]);
    else if (command[1] == OPEN_PORT || command[1] == CLOSE_PORT)
        command[2] = board_port(front, command[2]);
    else if ((command[1] == READ_REGISTER || command[1] == WRITE_REGISTER) && get_u16(command + 2) != DEBUG_PORT)
        put_u16(command + 2, board_port(front, get_u16(command + 2)));
    else if (row->amount == STEPS_DATA)
        translate_steps(front, command, data_bytes);
}

static enum usb_result run(struct stlink_front *front, const uint8_t *command, size_t answer_bytes, bool status_first,
                           struct usb_answer *answer)
{
    uint8_t translated[BOARD_COMMAND_BYTES];
    size_t data_bytes = front->data_wanted;
    front->data_wanted = 0;
    memcpy(translated, command, sizeof translated);
    if (front->access_port)
        translate(front, translated, data_bytes);
    bool done = front->board->run(front->board->self, translated, front->data, data_bytes, answer->bytes, answer_bytes);
    answer->given = done && answer_bytes > 0;
    answer->status_first = status_first;
    answer->length = answer_bytes;
    return USB_DONE;
}

static enum usb_result take_command(struct stlink_front *front, const uint8_t *command, struct usb_answer *answer)
{
    const struct row *row = find_row(command);
    size_t bytes = amount(front, row, command);
    if (bytes > BOARD_DATA_MAX)
        return USB_STALLED;
    if (row->amount == STEPS_DATA)
        front->misc_steps = get_u32(command + 2);
    if (!is_data(row))
        return run(front, command, bytes, row->amount == STATUS_ANSWER, answer);
    if (bytes == 0)
        return run(front, command, 0, false, answer);
    memcpy(front->command, command, sizeof front->command);
    front->data_used = 0;
    front->data_wanted = bytes;
    return USB_DONE;
}

static enum usb_result take(void *self, const uint8_t *bytes, size_t length, struct usb_answer *answer)
{
    struct stlink_front *front = self;
    if (front->data_wanted == 0)
        return length == BOARD_COMMAND_BYTES ? take_command(front, bytes, answer) : USB_STALLED;
    if (length > front->data_wanted - front->data_used) {
        front->data_wanted = 0;
        return USB_STALLED;
    }
    memcpy(front->data + front->data_used, bytes, length);
    front->data_used += length;
    return front->data_used < front->data_wanted ? USB_DONE : run(front, front->command, 0, false, answer);
}

static void reset(void *self)
{
    struct stlink_front *front = self;
    front->data_used = front->data_wanted = 0;
    front->misc_steps = 0;
}

struct probe_model stlink_front_init(struct stlink_front *front, const struct board_access *board)
{
    front->board = board;
    front->access_port = 0;
    reset(front);
    return (struct probe_model){front, take, reset, 1};
}
