/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a recording, as they are, and with magic, checksums and block numbers made right, so that what blocks
 * say is reached: read block by block as from a pipe, and printed in some format.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "txtap/clock.h"
#include "txtap/exporter.h"
#include "txtap/recording.h"

#define OBJECTS_MAX 64

struct stage {
    struct txtap_exporter exporter;
    struct txtap_clock clock;
    struct txtap_header header;
    struct txtap_registry registry;
    struct txtap_object objects[OBJECTS_MAX];
    struct txtap_recording_item words; /* of the events that come next; count 0: they have four */
    bool begun;
};

static enum txtap_status swallow(void *self, const char *bytes, size_t length)
{
    (void)self;
    REQUIRE(length > 0 && bytes[length - 1] == '\n');
    return TXTAP_OK;
}

static void begin(struct stage *stage)
{
    if (!stage->begun)
        REQUIRE(stage->exporter.ops->begin(&stage->exporter) == TXTAP_OK);
    stage->begun = true;
}

static void show_events(struct stage *stage, const struct txtap_recording_item *item)
{
    uint32_t words[TXTAP_RECORDING_WORDS_MAX];
    bool has_words = stage->words.count == item->count;
    struct txtap_event event;
    size_t at = 0;

    txtap_event_parse(item->entries, &stage->header, &event);
    txtap_clock_set(&stage->clock, event.stamp, item->ticks);
    for (uint32_t i = 0; i < item->count; i++) {
        txtap_event_parse(item->entries + (size_t)i * TXTB_ENTRY_BYTES, &stage->header, &event);
        event.seq = item->seq + i;
        event.ticks = txtap_clock_unwrap(&stage->clock, event.stamp);
        REQUIRE(i > 0 || event.ticks == item->ticks);
        if (has_words) {
            event.words = words;
            event.word_count = txtap_recording_words(&stage->words, i, &at, &event, words);
        }
        txtap_registry_note(&stage->registry, &event);
        REQUIRE(stage->exporter.ops->event(&stage->exporter, &event) == TXTAP_OK);
    }
}

static void show(struct stage *stage, const struct txtap_recording_item *item)
{
    switch (item->type) {
    case TXTAP_RECORDING_BUFFER:
        REQUIRE(txtap_header_check(&item->header) == TXTAP_OK);
        stage->header = item->header;
        txtap_clock_restart(&stage->clock, item->header.timer_mask, 0);
        return;
    case TXTAP_RECORDING_OBJECTS:
        txtap_recording_objects(item, &stage->registry);
        REQUIRE(stage->registry.count <= OBJECTS_MAX);
        return;
    case TXTAP_RECORDING_EVENTS:
        begin(stage);
        show_events(stage, item);
        stage->words.count = 0;
        return;
    case TXTAP_RECORDING_GAP:
        begin(stage);
        REQUIRE(item->gap.lost > 0 && stage->exporter.ops->gap(&stage->exporter, &item->gap) == TXTAP_OK);
        return;
    case TXTAP_RECORDING_MARK:
        begin(stage);
        REQUIRE(stage->exporter.ops->mark(&stage->exporter, &item->mark) == TXTAP_OK);
        return;
    case TXTAP_RECORDING_WORDS:
        stage->words = *item;
        return;
    case TXTAP_RECORDING_DEFINITIONS:
        REQUIRE(strlen(item->definitions) < TXTAP_RECORDING_PAYLOAD_MAX);
        return;
    case TXTAP_RECORDING_END:
        return;
    }
    REQUIRE(false);
}

/* The next block, given no more bytes than were asked for. */
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
    static const char *const formats[] = {"jsonl", "text", "csv"};
    static struct txtap_exporter_memory memory;
    static struct stage stage;
    struct txtap_recording recording;
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t at = TXTAP_RECORDING_HEAD_BYTES, taken;

    if (length < at || txtap_recording_open(&recording, bytes) != TXTAP_OK)
        return;
    memset(&stage, 0, sizeof(stage));
    stage.exporter = (struct txtap_exporter){.ops = txtap_exporter_find(formats[length % 3]),
                                             .writer = {swallow, NULL},
                                             .registry = &stage.registry,
                                             .header = &stage.header,
                                             .memory = &memory};
    txtap_registry_init(&stage.registry, stage.objects, OBJECTS_MAX);
    txtap_clock_init(&stage.clock, 0);
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
}

static uint32_t stored_bytes(const uint8_t *block)
{
    return (uint32_t)block[4] | (uint32_t)block[5] << 8 | (uint32_t)block[6] << 16 | (uint32_t)block[7] << 24;
}

/* Seals what looks like blocks again; a BUFFER block gets a header that can be believed, as seldom comes by chance. */
static void repair(uint8_t *bytes, size_t length)
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length + 1);

    REQUIRE(copy != NULL);
    read_all(bytes, length);
    memcpy(copy, bytes, length);
    repair(copy, length);
    read_all(copy, length);
    free(copy);
    return 0;
}
