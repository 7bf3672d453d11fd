/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as a recording, block by block as from a pipe, and writes it in some format. It reads the bytes
 * twice: unchanged, and with corrected magic, checksums and block numbers. So the fuzzer reaches the contents of
 * blocks.
 */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "fuzz.h"
#include "recording_repair.h"
#include "txtap/recording.h"
#include "txtap/inner/header.h"

#define OBJECTS_MAX 64

struct stage {
    struct txtap_exporter exporter;
    struct txtap_recording_player player;
    struct txtap_registry registry;
    struct txtap_object objects[OBJECTS_MAX];
    const struct txtap_recording_item *block; /* the current block */
    uint64_t events;
    bool begun, of_ctf;
};

static struct txtap_channels channels;

static void take_sample(const struct txtap_sample *sample)
{
    char text[TXTAP_SAMPLE_VALUE_BYTES];

    REQUIRE(sample->channel == txtap_channels_find(&channels, sample->channel->number));
    REQUIRE(sample->from_ticks <= sample->ticks && sample->ticks <= sample->to_ticks);
    REQUIRE(txtap_sample_value_text(sample, text) == strlen(text));
    REQUIRE(strlen(sample->text) < TXTAP_SAMPLE_TEXT_BYTES && strchr(sample->text, '\n') == NULL);
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct stage *stage = self;

    stage->events += item->kind == TXTAP_ITEM_EVENT;
    REQUIRE(item->kind != TXTAP_ITEM_GAP || item->gap.lost > 0 || !item->gap.exact);
    REQUIRE(item->kind != TXTAP_ITEM_RESTART || txtap_header_check(&item->header) == TXTAP_OK);
    REQUIRE(stage->of_ctf == (item->kind == TXTAP_ITEM_BYTES) || item->kind == TXTAP_ITEM_GAP ||
            item->kind == TXTAP_ITEM_MARK || item->kind == TXTAP_ITEM_SAMPLE);
    if (item->kind == TXTAP_ITEM_SAMPLE)
        take_sample(&item->sample);
    if (stage->of_ctf) { /* no exporter takes items of CTF */
        REQUIRE(item->kind != TXTAP_ITEM_BYTES || item->bytes.length > 0);
        return TXTAP_OK;
    }
    REQUIRE(stage->begun || item->kind == TXTAP_ITEM_RESTART);
    if (item->kind == TXTAP_ITEM_EVENT && stage->block->seq == item->event.seq)
        REQUIRE(item->event.ticks == stage->block->ticks);
    return txtap_exporter_take(&stage->exporter, item);
}

static void show(struct stage *stage, const struct txtap_recording_item *block)
{
    uint64_t events = stage->events;

    stage->block = block;
    if (block->type == TXTAP_RECORDING_DEFINITIONS)
        REQUIRE(strlen(block->definitions) < TXTAP_RECORDING_PAYLOAD_MAX);
    if (block->type == TXTAP_RECORDING_METADATA)
        REQUIRE(block->at + block->length <= block->total);
    if (!stage->begun && !stage->of_ctf &&
        (block->type == TXTAP_RECORDING_EVENTS || block->type == TXTAP_RECORDING_GAP ||
         block->type == TXTAP_RECORDING_MARK || block->type == TXTAP_RECORDING_SAMPLES ||
         block->type == TXTAP_RECORDING_END)) {
        stage->begun = true;
        REQUIRE(stage->exporter.ops->begin(&stage->exporter) == TXTAP_OK);
    }
    REQUIRE(txtap_recording_play(&stage->player, block, (struct txtap_sink){take, stage}) == TXTAP_OK);
    REQUIRE(stage->events - events == (block->type == TXTAP_RECORDING_EVENTS ? block->count : 0));
    REQUIRE(stage->registry.count <= OBJECTS_MAX);
}

/* Reads the next block. The reader gets only as many bytes at a time as it asks for. */
static enum txtap_status next(struct txtap_recording *recording, const uint8_t *bytes, size_t length,
                              struct txtap_recording_block *block, size_t *taken)
{
    size_t given = 0;

    for (;;) {
        enum txtap_status status = txtap_recording_block(recording, bytes, given, block, taken);

        if (status != TXTAP_AGAIN)
            return status;
        REQUIRE(*taken > given && *taken <= TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX);
        if (*taken > length)
            return TXTAP_END;
        given = *taken;
    }
}

static void read_all(const uint8_t *bytes, size_t length)
{
    static struct stage stage;
    struct txtap_recording recording;
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t at = TXTAP_RECORDING_HEAD_BYTES, taken;

    if (length < at || txtap_recording_open(&recording, bytes) != TXTAP_OK)
        return;
    memset(&stage, 0, sizeof(stage));
    stage.of_ctf = recording.ctf;
    stage.exporter.registry = &stage.registry;
    stage.exporter.header = &stage.player.header;
    export_open(&stage.exporter, length, false);
    txtap_registry_init(&stage.registry, stage.objects, OBJECTS_MAX);
    txtap_recording_player_init(&stage.player, &stage.registry);
    stage.player.channels = &channels;
    channels.count = channels.word_count = 0;
    while (next(&recording, bytes + at, length - at, &block, &taken) == TXTAP_OK) {
        enum txtap_status status;

        REQUIRE(taken == TXTAP_RECORDING_BLOCK_BYTES + block.stored_bytes && taken <= length - at);
        status = txtap_recording_item(&block, block.stored, block.stored_bytes, &item);
        if (status == TXTAP_ERROR_FORMAT)
            break;
        if (status == TXTAP_OK)
            show(&stage, &item);
        at += taken;
    }
    if (stage.begun)
        REQUIRE(stage.exporter.ops->end(&stage.exporter) == TXTAP_OK);
    export_close(&stage.exporter);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length + 1);

    REQUIRE(copy != NULL);
    read_all(bytes, length);
    memcpy(copy, bytes, length);
    recording_repair(copy, length);
    read_all(copy, length);
    free(copy);
    return 0;
}
