/* SPDX-License-Identifier: MIT */
/*
 * The stream of 'txtap view'. Items of any kind go through the block maker into a small ring. Four readers start late,
 * read slowly, and get recordings from the ring. Each recording must have the right numbers, times and words, in order.
 * Together, delivered and lost events must be all events. Samples must come before the events that follow them, after
 * their channels.
 */
#include <string.h>

#include "fuzz.h"
#include "txtap/event_maker.h"
#include "txtap/inner/host_time.h"
#include "txtap/inner/registry.h"
#include "view/block_maker.h"
#include "view/block_ring.h"

enum { READERS = 4, STEP_BYTES = 4, OBJECTS = 16, BYTES_IN_MOST = 400000, BYTES_MOST = 1 << 19 };

/* Keeps the sanitizer's quarantine small, so that each ring reuses memory. New memory for each ring would take long. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "quarantine_size_mb=4";
}

struct client {
    struct block_reader *reader;
    struct txtap_recording recording;
    uint8_t *bytes;
    size_t at, used;
    bool head, ended;
    uint64_t events, lost, next_seq;
    struct txtap_recording_item words; /* words of the next events, stored in words_bytes; count 0: there are none */
    uint8_t words_bytes[TXTAP_RECORDING_PAYLOAD_MAX];
    struct txtap_channels channels;
};

static struct {
    struct block_ring ring;
    struct block_maker maker;
    struct txtap_header header;
    struct txtap_registry registry;
    struct txtap_object objects[OBJECTS];
    struct txtap_clock clock;
    uint64_t bytes; /* total size of all events */
    uint64_t now_us, seq, first_seq, given, gone;
    bool has_words; /* all events have words, as in rings of other kernels; false: no event has words */
    struct client clients[READERS];
} stage;

static uint64_t now_us(void)
{
    return stage.now_us;
}

/* ---- the events that are put in: their contents follow from their numbers ---- */

static uint64_t ticks_of(uint64_t seq)
{
    return 3 * (seq - stage.first_seq);
}

/* Returns the number of words of event `seq`. */
static uint32_t words_of(uint64_t seq)
{
    return stage.has_words ? (uint32_t)(seq * 7 % 30) : 4;
}

static uint32_t word_of(uint64_t seq, uint32_t i)
{
    return (uint32_t)seq * 31 + i;
}

static void put_word(uint8_t *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

static void make_entry(uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq)
{
    const uint32_t head[4] = {0x20000100, 0x80000001, 4096, (uint32_t)ticks_of(seq)};
    uint32_t count = words_of(seq);

    for (uint32_t i = 0; i < 4; i++) {
        put_word(entry + 4 * i, head[i]);
        put_word(entry + 16 + 4 * i, i < count ? word_of(seq, i) : 0);
    }
}

static void take(const struct txtap_item *item)
{
    REQUIRE(block_maker_take(&stage.maker, item) == TXTAP_OK);
}

static void put_event(void)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};
    uint32_t words[TXTAP_RECORDING_WORDS_MAX], count = words_of(stage.seq);
    uint8_t entry[TXTB_ENTRY_BYTES];

    make_entry(entry, stage.seq);
    txtap_event_parse(entry, &stage.header, &item.event);
    item.event.seq = stage.seq;
    item.event.ticks = ticks_of(stage.seq);
    for (uint32_t i = 0; i < count; i++)
        words[i] = word_of(stage.seq, i);
    item.event.words = stage.has_words ? words : NULL;
    item.event.word_count = stage.has_words ? count : 0;
    stage.seq++;
    stage.given++;
    stage.bytes += TXTB_ENTRY_BYTES + 4 * count;
    take(&item);
}

static void put_gap(uint8_t lost, uint8_t kind)
{
    struct txtap_gap gap = {.seq = stage.seq, .lost = lost, .exact = lost > 0 && kind % 2, .estimate = 0};

    gap.estimate = !gap.exact && kind % 3 ? lost + 5u : 0;
    stage.seq += lost;
    stage.gone += lost;
    take(&(struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = gap});
}

static const struct txtap_channel channels[] = {
    {.number = 0, .form = TXTAP_FORM_SIGNED, .name = "level"},
    {.number = 255, .kind = TXTAP_CHANNEL_LOG, .name = "uart"},
};

static void put_samples(uint8_t which, unsigned count)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_SAMPLE};

    item.sample = (struct txtap_sample){.channel = &channels[which % 2],
                                        .seq = stage.seq,
                                        .ticks = ticks_of(stage.seq),
                                        .bits = stage.seq * 3,
                                        .text = which % 2 ? "a line" : ""};
    for (unsigned i = 0; i < count && stage.bytes < BYTES_IN_MOST; i++, stage.bytes += 64)
        take(&item);
}

static void name_object(uint8_t which, uint8_t letter)
{
    struct txtap_object object = {
        .pointer = 0x1000u + which % OBJECTS * 16u, .type = TXTAP_OBJECT_THREAD, .live = letter % 3 > 0};

    object.name[0] = (char)('a' + letter % 26);
    txtap_registry_restore(&stage.registry, &object, 1);
}

/* ---- the blocks that come out ---- */

static void check_words(struct client *client, const struct txtap_recording_item *block)
{
    bool has_words = client->words.count == block->count;
    size_t at = 0;

    for (uint32_t i = 0; i < block->count; i++) {
        uint32_t words[TXTAP_RECORDING_WORDS_MAX] = {0};
        uint8_t entry[TXTB_ENTRY_BYTES];
        struct txtap_event event;
        uint32_t count = words_of(block->seq + i);

        make_entry(entry, block->seq + i);
        REQUIRE(memcmp(block->entries + (size_t)i * TXTB_ENTRY_BYTES, entry, sizeof entry) == 0);
        REQUIRE(has_words == stage.has_words);
        if (!has_words)
            continue;
        txtap_event_parse(entry, &stage.header, &event);
        REQUIRE(txtap_recording_words(&client->words, i, &at, &event, words) == count);
        for (uint32_t k = 0; k < count; k++)
            REQUIRE(words[k] == word_of(block->seq + i, k));
    }
    client->words.count = 0;
}

/* Notes that `count` events, delivered or lost, came next. seq: number of the first of them. */
static void follow(struct client *client, uint64_t seq, uint64_t count)
{
    REQUIRE(client->events + client->lost > 0 || seq == stage.first_seq);
    REQUIRE(seq == client->next_seq || client->events + client->lost == 0);
    client->next_seq = seq + count;
}

static void check_samples(const struct client *client, const struct txtap_recording_item *block)
{
    struct txtap_sample sample;
    size_t at = 0;

    while (txtap_recording_sample(block, &at, &client->channels, &sample)) {
        REQUIRE(sample.channel != NULL);
        REQUIRE(sample.bits == sample.seq * 3 &&
                (sample.text[0] != '\0') == (sample.channel->kind == TXTAP_CHANNEL_LOG));
        REQUIRE(sample.seq >= client->next_seq || client->events + client->lost == 0);
    }
}

static void note(struct client *client, const struct txtap_recording_item *block)
{
    switch (block->type) {
    case TXTAP_RECORDING_EVENTS:
        follow(client, block->seq, block->count);
        REQUIRE(block->ticks == ticks_of(block->seq));
        check_words(client, block);
        client->events += block->count;
        break;
    case TXTAP_RECORDING_GAP:
        follow(client, block->gap.seq, block->gap.lost);
        client->lost += block->gap.lost;
        break;
    case TXTAP_RECORDING_WORDS:
        client->words = *block;
        REQUIRE(block->words >= block->counts);
        memcpy(client->words_bytes, block->counts,
               (size_t)(client->bytes + client->used - block->counts) < sizeof client->words_bytes
                   ? (size_t)(client->bytes + client->used - block->counts)
                   : sizeof client->words_bytes);
        client->words.counts = client->words_bytes;
        client->words.words = client->words_bytes + (block->words - block->counts);
        break;
    case TXTAP_RECORDING_CHANNEL:
        REQUIRE(txtap_recording_channel(block, &client->channels) != NULL);
        break;
    case TXTAP_RECORDING_SAMPLES:
        check_samples(client, block);
        break;
    case TXTAP_RECORDING_END:
        REQUIRE(block->events == client->events);
        client->ended = true;
        break;
    default:
        break;
    }
}

static void parse(struct client *client)
{
    struct txtap_recording_block block;
    struct txtap_recording_item item;
    size_t needed;

    if (!client->head && client->used - client->at >= TXTAP_RECORDING_HEAD_BYTES) {
        REQUIRE(txtap_recording_open(&client->recording, client->bytes + client->at) == TXTAP_OK);
        client->head = true;
        client->at += TXTAP_RECORDING_HEAD_BYTES;
    }
    while (client->head && txtap_recording_block(&client->recording, client->bytes + client->at,
                                                 client->used - client->at, &block, &needed) == TXTAP_OK) {
        REQUIRE(txtap_recording_item(&block, block.stored, block.stored_bytes, &item) == TXTAP_OK);
        note(client, &item);
        client->at += needed;
    }
}

/* Reads at most `most` bytes, in pieces of `piece` bytes. */
static void read_some(struct client *client, size_t piece, size_t most)
{
    static uint8_t bytes[65536];

    while (most > 0 && !client->ended) {
        size_t size = piece < most ? piece : most;
        ssize_t got = block_reader_read(client->reader, bytes, size < sizeof bytes ? size : sizeof bytes);

        if (got <= 0)
            return;
        if (client->used > BYTES_MOST / 2) {
            memmove(client->bytes, client->bytes + client->at, client->used - client->at);
            client->used -= client->at;
            client->at = 0;
        }
        REQUIRE(client->used + (size_t)got <= BYTES_MOST);
        memcpy(client->bytes + client->used, bytes, (size_t)got);
        client->used += (size_t)got;
        most -= (size_t)got;
        parse(client);
    }
}

/* ---- one run ---- */

static void step(const uint8_t at[STEP_BYTES])
{
    struct client *client = &stage.clients[at[1] % READERS];

    stage.now_us += at[3] * 100u;
    switch (at[0] % 13) {
    case 0:
        put_gap(at[1], at[2]);
        break;
    case 1:
        take(&(struct txtap_item){.kind = TXTAP_ITEM_MARK,
                                  .mark = {.kind = at[1] % TXTAP_MARK_KINDS, .seq = stage.seq, .text = "why"}});
        break;
    case 2:
        take(&(struct txtap_item){.kind = TXTAP_ITEM_RESTART, .header = stage.header});
        break;
    case 3:
        name_object(at[1], at[2]);
        break;
    case 12:
        put_samples(at[1], at[1] * (at[2] % 8u) + 1);
        break;
    case 4:
        (void)block_maker_step(&stage.maker);
        break;
    case 5:
    case 6:
        if (client->reader == NULL)
            REQUIRE((client->reader = block_reader_new(&stage.ring)) != NULL);
        read_some(client, 1 + (size_t)at[2] * at[2], (size_t)at[3] * at[2] * 4);
        break;
    default:
        for (unsigned i = at[1] * (at[2] % 8u) + 1; i > 0 && stage.bytes < BYTES_IN_MOST; i--)
            put_event();
    }
}

static void open_stage(const uint8_t *bytes)
{
    const struct block_maker_setup setup = {.ring = &stage.ring,
                                            .clock = &stage.clock,
                                            .definitions = bytes[0] % 2 ? "event 4096 \"own\"\n" : NULL,
                                            .firmware = bytes[0] % 3 ? "demo.elf" : NULL,
                                            .now_us = now_us,
                                            .wall_us = now_us};

    stage.header = (struct txtap_header){.timer_mask = 0xFFFFFFFF,
                                         .base = 0x20000000,
                                         .registry_start = 0x20000030,
                                         .registry_end = 0x20000060,
                                         .ring_start = 0x20000060,
                                         .ring_end = 0x20000160,
                                         .current = 0x20000080,
                                         .name_bytes = 32};
    stage.now_us = 1000000;
    stage.seq = stage.first_seq = bytes[0] % 5 * 1000u;
    stage.given = stage.gone = stage.bytes = 0;
    stage.has_words = bytes[0] % 4 == 0;
    txtap_registry_init(&stage.registry, stage.objects, OBJECTS);
    txtap_clock_init(&stage.clock, 0xFFFFFFFF);
    REQUIRE(block_ring_init(&stage.ring, BLOCK_RING_BYTES_MIN));
    REQUIRE(block_maker_open(&stage.maker, &setup, &stage.header, &stage.registry));
}

static void close_stage(void)
{
    block_maker_end(&stage.maker);
    for (size_t i = 0; i < READERS; i++) {
        struct client *client = &stage.clients[i];

        if (client->reader == NULL)
            REQUIRE((client->reader = block_reader_new(&stage.ring)) != NULL);
        read_some(client, 65536, SIZE_MAX);
        REQUIRE(client->ended && client->at == client->used);
        REQUIRE(client->events + client->lost == stage.given + stage.gone);
        block_reader_free(client->reader);
    }
    block_maker_close(&stage.maker);
    block_ring_free(&stage.ring);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static uint8_t *buffers[READERS];

    if (length < 1)
        return 0;
    for (size_t i = 0; i < READERS; i++) {
        if (buffers[i] == NULL)
            REQUIRE((buffers[i] = malloc(BYTES_MOST)) != NULL);
        stage.clients[i] = (struct client){.bytes = buffers[i]};
    }
    open_stage(bytes);
    for (size_t at = 1; at + STEP_BYTES <= length && at < 800; at += STEP_BYTES)
        step(bytes + at);
    close_stage();
    return 0;
}
