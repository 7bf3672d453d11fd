/* SPDX-License-Identifier: MIT */
/* Commands of a J-Link. */
#include "jlink_front.h"
#include "bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    VERSION = 0x01,
    SET_SPEED = 0x05,
    STATE = 0x07,
    REGISTER = 0x09,
    SPEEDS = 0xC0,
    SELECT_INTERFACE = 0xC7,
    SWD_IO = 0xCF,
    FREE_MEMORY = 0xD4,
    RESET_LOW = 0xDC,
    RESET_HIGH = 0xDD,
    TRST_LOW = 0xDE,
    TRST_HIGH = 0xDF,
    CAPABILITIES = 0xE8,
    MORE_CAPABILITIES = 0xED,
    HARDWARE_VERSION = 0xF0
};

/* Bits of the capabilities. */
#define CAPABLE                                                                                                        \
    (1u << 1 /* hardware version */ | 1u << 9 /* speeds */ | 1u << 11 /* free memory */ |                              \
     1u << 17 /* select interface */ | 1u << 27 /* register */ | 1u << 31 /* more capabilities */)

#define FIRMWARE         "J-Link V9 compiled May  7 2021 16:26:12"
#define FIRMWARE_BYTES   112
#define HARDWARE         90000 /* a J-Link, 9.00 */
#define INTERFACES       3     /* JTAG and SWD */
#define INTERFACE_SWD    1
#define LIST_INTERFACES  0xFF
#define CLOCK_HZ         60000000u
#define DIVIDER          4
#define MILLIVOLT        3300
#define REGISTER_ANSWER  76
#define REGISTER_ENTER   0x64
#define ENTRIES          8
#define ENTRY_BYTES      16
#define ENTRY_HANDLE     10 /* place of the handle in an entry, after the program's process and its numbers */
#define HANDLE           1
#define STATUS_NO_MEMORY 6
#define STATUS_REFUSED   1
#define COUNT_BYTES      32 /* length of one count as text */
#define ANSWERS_MAX      4

/* Returns the length of the command whose first bytes are there; 0: unknown command. */
static size_t command_bytes(const struct jlink_front *front)
{
    switch (front->command[0]) {
    case SELECT_INTERFACE:
        return 2;
    case SET_SPEED:
        return 3;
    case REGISTER:
        return 14;
    case SWD_IO:
        return front->used < 4 ? 4 : 4 + 2 * (((size_t)get_u16(front->command + 2) + 7) / 8);
    case VERSION:
    case STATE:
    case SPEEDS:
    case FREE_MEMORY:
    case RESET_LOW:
    case RESET_HIGH:
    case TRST_LOW:
    case TRST_HIGH:
    case CAPABILITIES:
    case MORE_CAPABILITIES:
    case HARDWARE_VERSION:
        return 1;
    default:
        return 0;
    }
}

static size_t swd_io(struct jlink_front *front, uint8_t *answer)
{
    size_t clocks = get_u16(front->command + 2), bytes = (clocks + 7) / 8;
    memset(answer, 0, bytes + 1);
    if (4 + 2 * bytes > front->room)
        answer[bytes] = STATUS_NO_MEMORY;
    else if (front->interface != INTERFACE_SWD || (front->needs_register && !front->registered))
        answer[bytes] = STATUS_REFUSED;
    else
        swd_target_clock(&front->target, front->command + 4, front->command + 4 + bytes, answer, clocks);
    return bytes + 1;
}

/* Lists the connection, if there is one. */
static size_t do_register(struct jlink_front *front, uint8_t *answer)
{
    front->registered = front->command[1] == REGISTER_ENTER;
    memset(answer, 0, REGISTER_ANSWER);
    put_u16(answer, HANDLE);
    put_u16(answer + 2, front->registered);
    put_u16(answer + 4, ENTRY_BYTES);
    if (front->registered) {
        memcpy(answer + ENTRIES, front->command + 2, ENTRY_HANDLE);
        put_u16(answer + ENTRIES + ENTRY_HANDLE, HANDLE);
    }
    return REGISTER_ANSWER;
}

static size_t select_interface(struct jlink_front *front, uint8_t *answer)
{
    put_u32(answer, front->command[1] == LIST_INTERFACES ? INTERFACES : front->interface);
    if (front->command[1] != LIST_INTERFACES)
        front->interface = front->command[1];
    return 4;
}

static void drive_reset(struct jlink_front *front, bool high)
{
    const struct debug_target *behind = &front->target.port.target;
    if (high != front->reset_high)
        behind->drive_reset(behind->self, high);
    front->reset_high = high;
}

/* Does the complete command. Returns the length of its answer; 0: it has no answer. */
static size_t run(struct jlink_front *front, uint8_t *answer)
{
    switch (front->command[0]) {
    case VERSION:
        memset(answer, 0, 2 + FIRMWARE_BYTES);
        put_u16(answer, FIRMWARE_BYTES);
        memcpy(answer + 2, FIRMWARE, sizeof FIRMWARE);
        return 2 + FIRMWARE_BYTES;
    case STATE:
        memset(answer, 0, 8);
        put_u16(answer, MILLIVOLT);
        return 8;
    case REGISTER:
        return do_register(front, answer);
    case SPEEDS:
        put_u32(answer, CLOCK_HZ);
        put_u16(answer + 4, DIVIDER);
        return 6;
    case SELECT_INTERFACE:
        return select_interface(front, answer);
    case SWD_IO:
        return swd_io(front, answer);
    case FREE_MEMORY:
        put_u32(answer, front->memory);
        return 4;
    case CAPABILITIES:
        put_u32(answer, CAPABLE);
        return 4;
    case MORE_CAPABILITIES:
        memset(answer, 0, 32);
        put_u32(answer, CAPABLE);
        return 32;
    case HARDWARE_VERSION:
        put_u32(answer, HARDWARE);
        return 4;
    case RESET_LOW:
    case RESET_HIGH:
        drive_reset(front, front->command[0] == RESET_HIGH);
        return 0;
    default: /* SET_SPEED without effect, because the board sets the speed; TRST_LOW and TRST_HIGH */
        return 0;
    }
}

/* Takes a part of a command, as long as the host likes. A transfer may not go beyond the end of the command. */
static enum usb_result take(void *self, const uint8_t *bytes, size_t length, struct usb_answer *answer)
{
    struct jlink_front *front = self;
    while (length > 0) {
        front->command[front->used++] = *bytes++;
        length--;
        size_t whole = command_bytes(front);
        if (whole == 0 || (front->used == whole && length > 0)) {
            front->used = 0;
            return USB_STALLED;
        }
        if (front->used < whole || (front->command[0] == SWD_IO && front->used == 4 && whole > 4))
            continue;
        front->commands[front->command[0]]++;
        front->used = 0;
        answer->length = run(front, answer->bytes);
        answer->given = answer->length > 0;
        answer->unended = answer->given && answer->length % front->packet_bytes == 0;
    }
    return USB_DONE;
}

static void reset(void *self)
{
    struct jlink_front *front = self;
    struct debug_target target = front->target.port.target;
    swd_target_init(&front->target, &target);
    front->used = 0;
    front->interface = 0;
    front->registered = false;
    front->reset_high = true;
}

struct probe_model jlink_front_init(struct jlink_front *front, const struct usb_identity *identity,
                                    const struct debug_target *target)
{
    memset(front, 0, sizeof *front);
    front->packet_bytes = identity->packet_bytes;
    front->memory = front->room = JLINK_FRONT_MEMORY;
    front->needs_register = true;
    front->target.port.target = *target;
    reset(front);
    return (struct probe_model){front, take, reset, ANSWERS_MAX};
}

static size_t list_counts(const uint64_t *counts, unsigned numbers, char *text, size_t text_bytes)
{
    size_t used = 0;
    for (unsigned i = 0; i < numbers; i++)
        if (counts[i] && used + COUNT_BYTES < text_bytes)
            used += (size_t)snprintf(text + used, text_bytes - used, "%02x:%" PRIu64 " ", i, counts[i]);
    return used;
}

void jlink_front_list(const struct jlink_front *front, char *text, size_t text_bytes)
{
    size_t used = list_counts(front->commands, 256, text, text_bytes);
    if (used + COUNT_BYTES < text_bytes)
        used += (size_t)snprintf(text + used, text_bytes - used, "| ");
    list_counts(front->target.requests, 16, text + used, text_bytes - used);
}
