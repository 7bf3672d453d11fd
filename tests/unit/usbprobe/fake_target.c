/* SPDX-License-Identifier: MIT */
/* A substitute for a target. */
#include "fake_target.h"
#include "bits.h"

#include <string.h>

static enum swd_ack check(struct fake_target *target, uint32_t address, unsigned width, size_t length)
{
    if (target->waits) {
        target->waits--;
        return SWD_WAIT;
    }
    if (address % width || length % width || length > FAKE_TARGET_BYTES ||
        address - FAKE_TARGET_START > FAKE_TARGET_BYTES - length)
        return SWD_FAULT;
    return SWD_OK;
}

static enum swd_ack read_dhcsr(struct fake_target *target, uint8_t *bytes)
{
    put_u32(bytes, target->dhcsr[0]);
    target->dhcsr[0] = target->dhcsr[1];
    return SWD_OK;
}

static enum swd_ack read_memory(void *self, uint32_t address, unsigned width, size_t length, uint8_t *bytes)
{
    struct fake_target *target = self;
    if (target->has_dhcsr && address == FAKE_TARGET_DHCSR && length == 4)
        return read_dhcsr(target, bytes);
    enum swd_ack ack = check(target, address, width, length);
    target->reads++;
    if (ack == SWD_OK)
        memcpy(bytes, target->memory + (address - FAKE_TARGET_START), length);
    return ack;
}

static enum swd_ack write_memory(void *self, uint32_t address, unsigned width, size_t length, const uint8_t *bytes)
{
    struct fake_target *target = self;
    enum swd_ack ack = check(target, address, width, length);
    target->writes++;
    if (ack == SWD_OK)
        memcpy(target->memory + (address - FAKE_TARGET_START), bytes, length);
    return ack;
}

static void note_connect(void *self)
{
    ((struct fake_target *)self)->connects++;
}

static void note_reset(void *self, bool high)
{
    ((struct fake_target *)self)->resets += !high;
}

struct debug_target fake_target(struct fake_target *target)
{
    memset(target, 0, sizeof *target);
    for (size_t i = 0; i < FAKE_TARGET_BYTES; i++)
        target->memory[i] = (uint8_t)(i ^ i >> 8);
    return (struct debug_target){
        .self = target, .read = read_memory, .write = write_memory, .connect = note_connect, .drive_reset = note_reset};
}
