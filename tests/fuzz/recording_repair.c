/* SPDX-License-Identifier: MIT */
/* Walks over blocks by the lengths that they claim. */
#include "recording_repair.h"

#include "txtap/recording.h"

static uint32_t stored_bytes(const uint8_t *block)
{
    return (uint32_t)block[4] | (uint32_t)block[5] << 8 | (uint32_t)block[6] << 16 | (uint32_t)block[7] << 24;
}

void recording_repair(uint8_t *bytes, size_t length)
{
    const struct txtap_header header = {.endian = length % 2 ? TXTAP_BIG : TXTAP_LITTLE,
                                        .timer_mask = length % 5 ? 0xFFFFFFFF : 0xFFFF,
                                        .base = 0x20000000,
                                        .registry_start = 0x20000030,
                                        .registry_end = 0x20000060,
                                        .ring_start = 0x20000060,
                                        .ring_end = 0x20000160,
                                        .current = 0x20000080,
                                        .name_bytes = 32};
    size_t at = TXTAP_RECORDING_HEAD_BYTES;

    if (length >= at)
        txtap_recording_put_head(bytes);
    for (uint32_t number = 0; length - at >= TXTAP_RECORDING_BLOCK_BYTES && length >= at; number++) {
        uint8_t *payload = bytes + at + TXTAP_RECORDING_BLOCK_BYTES;
        size_t stored = stored_bytes(bytes + at);
        struct txtap_recording_block block = {
            .type = bytes[at] % 10, .stored = payload, .stored_bytes = stored, .bytes = stored};

        if (number == 0)
            block.type = TXTAP_RECORDING_BUFFER;
        if (stored > length - at - TXTAP_RECORDING_BLOCK_BYTES)
            return;
        if (block.type == TXTAP_RECORDING_BUFFER && stored >= TXTB_HEADER_BYTES)
            txtap_header_build(&header, payload);
        txtap_recording_seal(bytes + at, &block, number);
        at += TXTAP_RECORDING_BLOCK_BYTES + stored;
    }
}
