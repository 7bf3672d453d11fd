/* SPDX-License-Identifier: MIT */
/*
 * Sends any commands to a CMSIS-DAP. Each command must get one answer that fits into a packet. The answer must begin
 * with the command's number or 0xFF. No access may cross the end of the target's memory. After a reset it must be
 * possible to connect again.
 */
#include <string.h>

#include "cmsis_dap.h"
#include "fuzz.h"
#include "kinds.h"

static struct cmsis_dap dap;
static struct usb_probe probe;

static enum swd_ack check(uint32_t address, unsigned width, size_t length)
{
    REQUIRE((width == 1 || width == 2 || width == 4) && address % width == 0 && length % width == 0);
    REQUIRE(length > 0 && length <= CMSIS_DAP_PACKET_MAX && address + (length - 1) >= address);
    return address >> 28 == 2 ? SWD_OK : address >> 28 == 3 ? SWD_WAIT : SWD_FAULT;
}

static enum swd_ack read_memory(void *self, uint32_t address, unsigned width, size_t length, uint8_t *bytes)
{
    (void)self;
    memset(bytes, (int)(address & 0xFF), length);
    return check(address, width, length);
}

static enum swd_ack write_memory(void *self, uint32_t address, unsigned width, size_t length, const uint8_t *bytes)
{
    (void)self, (void)bytes;
    return check(address, width, length);
}

static void connect_line(void *self)
{
    (void)self;
}

static void drive_reset(void *self, bool high)
{
    (void)self, (void)high;
}

static void send_command(const uint8_t *bytes, size_t length)
{
    uint8_t *command = malloc(length), answer[CMSIS_DAP_PACKET_MAX];
    size_t got;
    REQUIRE(command);
    memcpy(command, bytes, length);
    enum usb_result result = usb_probe_out(&probe, 0x04, command, length);
    if (result == USB_STALLED) {
        REQUIRE(length > dap.packet_bytes && usb_probe_clear_halt(&probe, 0x04));
    } else if (usb_probe_in(&probe, 0x85, answer, sizeof answer, &got) == USB_DONE) {
        REQUIRE(got > 0 && got <= dap.packet_bytes);
        REQUIRE(answer[0] == command[0] || (answer[0] == 0xFF && got == 1));
    } else {
        REQUIRE(command[0] == 7);
    }
    REQUIRE(probe.count == 0);
    free(command);
}

/*
 * Runs one input. The first byte selects the target and the size of packets. Each command has a byte with its length
 * before its bytes.
 */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct debug_target target = {
        .read = read_memory, .write = write_memory, .connect = connect_line, .drive_reset = drive_reset};
    static const uint8_t ones[] = {0x12, 56, 255, 255, 255, 255, 255, 255, 255}, identify[] = {5, 0, 1, 2};
    static const uint8_t select[] = {0x1D, 3, 8, 0x99, 0x85, 33, 0x27, 0x29, 0, 0x11, 0};
    if (length == 0)
        return 0;
    target.select = bytes[0] & 4 ? 0x11002927 : 0;
    target.access_port = bytes[0] >> 3 & 1;
    struct probe_model model = cmsis_dap_init(&dap, kind_find("cmsis-dap"), &target, bytes[0] & 1 ? 512 : 64, 4);
    usb_probe_init(&probe, kind_find("cmsis-dap"), &model);
    if (bytes[0] & 2)
        send_command(ones, sizeof ones);
    for (size_t at = 1; at < length;) {
        size_t part = bytes[at++];
        part = part < length - at ? part : length - at;
        if (part)
            send_command(bytes + at, part);
        at += part;
    }
    usb_probe_reset(&probe);
    send_command(ones, sizeof ones);
    send_command(select, sizeof select);
    REQUIRE(usb_probe_out(&probe, 0x04, identify, sizeof identify) == USB_DONE);
    REQUIRE(probe.answers[probe.first].length == 7);
    return 0;
}
