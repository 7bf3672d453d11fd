/* SPDX-License-Identifier: MIT */
/*
 * Sends any transfers to an ST-Link on USB, in any order. It must not ask the board for more than fits into a frame. It
 * must not return more bytes than there is room for. After a reset it must accept a command.
 */
#include <string.h>

#include "fuzz.h"
#include "kinds.h"
#include "stlink_front.h"

static struct stlink_front front;
static struct usb_probe probe;

static bool run(void *self, const uint8_t command[static BOARD_COMMAND_BYTES], const uint8_t *data, size_t data_bytes,
                uint8_t *answer, size_t answer_bytes)
{
    volatile uint8_t last = 0;
    (void)self;
    REQUIRE(data_bytes <= BOARD_DATA_MAX && answer_bytes <= BOARD_DATA_MAX && (data_bytes == 0 || answer_bytes == 0));
    for (size_t i = 0; i < data_bytes; i++)
        last = data[i];
    (void)last;
    memset(answer, command[1], answer_bytes);
    return command[15] != 0xFF;
}

/* Fetches all bytes that wait to be read, at most `room` bytes at a time. */
static void fetch(size_t room)
{
    enum usb_result result = USB_DONE;
    for (size_t got = 1; result == USB_DONE && got > 0;) {
        uint8_t *bytes = malloc(room + 1);
        size_t length;
        REQUIRE(bytes);
        result = usb_probe_in(&probe, 0x81, bytes, room, &length);
        REQUIRE(length <= room && (result == USB_DONE || length == 0));
        free(bytes);
        got = length;
    }
}

/* Runs one input. Each transfer has a byte with its length before its bytes. A length from 200 on fetches answers. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const uint8_t version[BOARD_COMMAND_BYTES] = {0xF1, 0x80};
    static const struct board_access board = {NULL, run};
    struct probe_model model = stlink_front_init(&front, &board);
    usb_probe_init(&probe, kind_find("stlink-v2-1"), &model);
    for (size_t at = 0; at < length;) {
        size_t part = bytes[at++];
        if (part >= 200) {
            fetch((part - 200) * 16);
            continue;
        }
        part = part < length - at ? part : length - at;
        if (usb_probe_out(&probe, 0x01, bytes + at, part) == USB_STALLED)
            REQUIRE(usb_probe_clear_halt(&probe, 0x01));
        at += part;
    }
    usb_probe_reset(&probe);
    REQUIRE(usb_probe_out(&probe, 0x01, version, sizeof version) == USB_DONE);
    REQUIRE(probe.count == 1 && probe.answers[probe.first].length == 6);
    return 0;
}
