/* SPDX-License-Identifier: MIT */
/* The library counts records, and says when they were. */
#include "record/ctf_blocks.h"
#include "txtap/inner/recording.h"

#include <string.h>

void ctf_blocks_open(struct ctf_blocks *blocks, const struct txtap_ctf_layout *layout, struct ctf_blocks_sink sink)
{
    *blocks = (struct ctf_blocks){.sink = sink, .layout = layout};
    txtap_registry_init(&blocks->names, NULL, 0);
    txtap_zephyr_ctf_init(&blocks->clock, layout, &blocks->names, (struct txtap_sink){NULL, NULL});
}

uint64_t ctf_blocks_seq(const struct ctf_blocks *blocks)
{
    return txtap_zephyr_ctf_seq(&blocks->clock);
}

void ctf_blocks_restart(struct ctf_blocks *blocks)
{
    (void)txtap_zephyr_ctf_take(&blocks->clock, &(struct txtap_item){.kind = TXTAP_ITEM_RESTART});
    blocks->counter = (struct txtap_ctf_counter){.records = 0};
    blocks->another = true;
    blocks->within = false;
    blocks->used = 0;
}

/* Bytes of the payload that can be put: whole records; all, if it is full without one, or nothing follows. */
static size_t ready(const struct ctf_blocks *blocks)
{
    uint64_t rest = blocks->counter.partial;

    if (blocks->counter.stopped || rest == 0)
        return blocks->used;
    if (rest < blocks->used)
        return blocks->used - (size_t)rest;
    return blocks->used == TXTAP_RECORDING_CTF_MAX ? blocks->used : 0;
}

static enum txtap_status put(struct ctf_blocks *blocks)
{
    uint8_t *stream = blocks->payload + TXTAP_RECORDING_CTF_HEAD;
    size_t length = ready(blocks);
    uint64_t seq = ctf_blocks_seq(blocks);
    uint64_t ticks = blocks->within || length < blocks->layout->header_bytes
                         ? blocks->clock.ticks
                         : txtap_zephyr_ctf_ticks(&blocks->clock, stream);
    struct ctf_block block = {.payload = blocks->payload, .bytes = TXTAP_RECORDING_CTF_HEAD + length, .seq = seq};
    enum txtap_status status;

    if (length == 0)
        return TXTAP_OK;
    (void)txtap_recording_put_ctf(blocks->payload, blocks->another, seq, ticks);
    (void)txtap_zephyr_ctf_take(
        &blocks->clock, &(struct txtap_item){.kind = TXTAP_ITEM_BYTES, .bytes = {.at = stream, .length = length}});
    block.records = ctf_blocks_seq(blocks) - seq;
    status = blocks->sink.put(blocks->sink.self, &block);
    blocks->another = false;
    blocks->within = blocks->counter.partial > 0 && length == blocks->used;
    blocks->used -= length;
    memmove(stream, stream + length, blocks->used);
    return status;
}

enum txtap_status ctf_blocks_take(struct ctf_blocks *blocks, const uint8_t *bytes, size_t length)
{
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK && length > 0 && !blocks->counter.stopped) {
        size_t room = TXTAP_RECORDING_CTF_MAX - blocks->used, part = room < length ? room : length;

        memcpy(blocks->payload + TXTAP_RECORDING_CTF_HEAD + blocks->used, bytes, part);
        txtap_ctf_count(blocks->layout, &blocks->counter, bytes, part);
        blocks->used += part;
        bytes += part;
        length -= part;
        status = put(blocks);
    }
    return status;
}
