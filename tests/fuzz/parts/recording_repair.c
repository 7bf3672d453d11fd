/* SPDX-License-Identifier: MIT */
/* Finds the next block by the length in the head of each block. */
#include "recording_repair.h"

#include <string.h>

#include "txtap/inner/recording.h"
#include "txtap/inner/header.h"

#define TYPES         13u /* number of block types, including an unknown type */
#define METADATA_HEAD 8u

/* With this metadata, random bytes of a stream are records. */
static const char metadata[] =
    "typealias integer { size = 8; align = 8; } := u8;\n"
    "typealias integer { size = 32; align = 8; signed = true; } := i32;\n"
    "typealias integer { size = 8; align = 8; encoding = ASCII; } := text;\n"
    "struct head { u8 timestamp; u8 id; };\nstream { event.header := struct head; };\n"
    "event { name = thread_switched_out; id = 1; fields := struct { i32 thread_id; text name[3]; }; };\n"
    "event { name = thread_switched_in; id = 2; fields := struct { i32 thread_id; text name[3]; }; };\n"
    "event { name = thread_ready; id = 3; fields := struct { i32 thread_id; text name[3]; }; };\n"
    "event { name = thread_pending; id = 4; fields := struct { i32 thread_id; text name[3]; }; };\n"
    "event { name = isr_enter; id = 0; };\nevent { name = isr_exit; id = 5; };\n"
    "event { name = mutex_lock_exit; id = 6; fields := struct { i32 id; i32 ret; }; };\n"
    "event { name = long; id = 7; fields := struct { u8 bytes[70]; text t; i32 late; }; };\n";

static uint32_t stored_bytes(const uint8_t *block)
{
    return (uint32_t)block[4] | (uint32_t)block[5] << 8 | (uint32_t)block[6] << 16 | (uint32_t)block[7] << 24;
}

/* Makes a block that contains all of the metadata. */
static void put_metadata(uint8_t *payload, size_t stored)
{
    size_t at = 0, length = txtap_recording_put_metadata(payload, metadata, sizeof metadata - 1, &at);

    memset(payload + length, ' ', stored - length);
    for (unsigned i = 0; i < 4; i++)
        payload[i] = (uint8_t)((stored - METADATA_HEAD) >> 8 * i);
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
    bool of_ctf =
        length > TXTAP_RECORDING_HEAD_BYTES && bytes[TXTAP_RECORDING_HEAD_BYTES] % TYPES == TXTAP_RECORDING_METADATA;

    if (length >= at)
        txtap_recording_put_head(bytes, of_ctf ? TXTAP_RECORDING_VERSION_CTF : TXTAP_RECORDING_VERSION);
    for (uint32_t number = 0; length - at >= TXTAP_RECORDING_BLOCK_BYTES && length >= at; number++) {
        uint8_t *payload = bytes + at + TXTAP_RECORDING_BLOCK_BYTES;
        size_t stored = stored_bytes(bytes + at);
        struct txtap_recording_block block = {
            .type = bytes[at] % TYPES, .stored = payload, .stored_bytes = stored, .bytes = stored};

        if (number == 0 && !of_ctf)
            block.type = TXTAP_RECORDING_BUFFER;
        if (stored > length - at - TXTAP_RECORDING_BLOCK_BYTES)
            return;
        if (block.type == TXTAP_RECORDING_METADATA && stored >= sizeof metadata + 8)
            put_metadata(payload, stored);
        if (block.type == TXTAP_RECORDING_BUFFER && stored >= TXTB_HEADER_BYTES)
            txtap_header_build(&header, payload);
        txtap_recording_seal(bytes + at, &block, number);
        at += TXTAP_RECORDING_BLOCK_BYTES + stored;
    }
}
