/* SPDX-License-Identifier: MIT */
/* Plays a recording: makes items from its blocks. */
#include "txtap/recording.h"

#include <string.h>

#include "file/recording_layout.h"
#include "txtap/inner/host_time.h"
#include "txtap/inner/registry.h"

void txtap_recording_player_init(struct txtap_recording_player *player, struct txtap_registry *registry)
{
    memset(player, 0, sizeof(*player));
    player->registry = registry;
}

static enum txtap_status play_buffer(struct txtap_recording_player *player, const struct txtap_header *header,
                                     struct txtap_sink sink)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_RESTART, .header = *header};

    player->header = *header;
    if (player->given) {
        txtap_event_maker_restart(&player->maker, header->timer_mask);
        return txtap_sink_take(sink, &item);
    }
    player->begun = true; /* may already be true, if an earlier BUFFER had no items */
    txtap_event_maker_init(&player->maker, header->timer_mask, 0);
    return TXTAP_OK;
}

/* Sets the clock to the ticks of the block's first event. Notes all events of the block in the registry. */
static void note_events(struct txtap_recording_player *player, const struct txtap_recording_item *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        struct txtap_event event;

        txtap_event_parse(block->entries + (size_t)i * TXTB_ENTRY_BYTES, &player->header, &event);
        event.seq = block->seq + i;
        if (i == 0)
            txtap_clock_set(&player->maker.clock, event.stamp, block->ticks);
        txtap_registry_note(player->registry, &event);
    }
}

/* Copies the words, because the caller's payload may be invalid when the EVENTS block comes. */
static void keep_words(struct txtap_recording_player *player, const struct txtap_recording_item *block)
{
    size_t more = 0;

    for (uint32_t i = 0; i < block->count; i++)
        more += words_beyond_four(block->counts[i]);
    memcpy(player->words_bytes, block->counts, block->count + 4 * more);
    player->words = *block;
    player->words.counts = player->words_bytes;
    player->words.words = player->words_bytes + block->count;
}

/* ---- samples ---- */

/* Gives the waiting samples that come before event seq. */
static enum txtap_status give_samples(struct txtap_recording_player *player, uint64_t seq, struct txtap_sink sink)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_SAMPLE};
    enum txtap_status status = TXTAP_OK;
    size_t at = player->samples_at;

    while (player->samples.count > 0 && status == TXTAP_OK) {
        if (!txtap_recording_sample(&player->samples, &at, player->channels, &item.sample)) {
            player->samples.count = 0;
            return TXTAP_OK;
        }
        if (item.sample.seq > seq)
            return TXTAP_OK;
        player->samples_at = at;
        if (item.sample.channel != NULL)
            status = txtap_sink_take(sink, &item);
    }
    return status;
}

/* Copies the samples, because the caller's payload may be invalid when the EVENTS block comes. */
static void keep_samples(struct txtap_recording_player *player, const struct txtap_recording_item *block)
{
    memcpy(player->samples_bytes, block->bytes, block->length);
    player->samples = *block;
    player->samples.bytes = player->samples_bytes;
    player->samples_at = 0;
}

static enum txtap_status play_samples(struct txtap_recording_player *player, const struct txtap_recording_item *block,
                                      struct txtap_sink sink)
{
    enum txtap_status status;

    if (player->channels == NULL)
        return TXTAP_OK;
    status = give_samples(player, UINT64_MAX, sink);
    keep_samples(player, block);
    return status;
}

/* ---- events ---- */

static enum txtap_status play_events(struct txtap_recording_player *player, const struct txtap_recording_item *block,
                                     struct txtap_sink sink)
{
    bool has_words = player->words.count == block->count;
    uint32_t words[TXTAP_RECORDING_WORDS_MAX];
    enum txtap_status status = TXTAP_OK;
    struct txtap_item item;
    size_t at = 0;

    note_events(player, block);
    if (sink.take == NULL)
        player->samples.count = player->words.count = 0;
    for (uint32_t i = 0; sink.take != NULL && i < block->count && status == TXTAP_OK; i++) {
        status = give_samples(player, block->seq + i, sink);
        if (status != TXTAP_OK)
            break;
        txtap_event_maker_event(&player->maker, &player->header, block->entries + (size_t)i * TXTB_ENTRY_BYTES,
                                block->seq + i, &item);
        if (has_words) {
            item.event.words = words;
            item.event.word_count = txtap_recording_words(&player->words, i, &at, &item.event, words);
        }
        status = txtap_sink_take(sink, &item);
    }
    player->words.count = 0;
    return status;
}

static enum txtap_status play_ctf(const struct txtap_recording_item *block, struct txtap_sink sink)
{
    const struct txtap_item bytes = {.kind = TXTAP_ITEM_BYTES, .bytes = {block->bytes, block->length}};

    return txtap_sink_take(sink, &bytes);
}

/* Returns true if the block has items, or ends the items: the waiting samples precede it. */
static bool ends_samples(const struct txtap_recording_item *block)
{
    return block->type == TXTAP_RECORDING_GAP || block->type == TXTAP_RECORDING_MARK ||
           block->type == TXTAP_RECORDING_CTF || block->type == TXTAP_RECORDING_BUFFER ||
           block->type == TXTAP_RECORDING_END;
}

enum txtap_status txtap_recording_play(struct txtap_recording_player *player, const struct txtap_recording_item *block,
                                       struct txtap_sink sink)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_GAP};

    player->given = player->given || block->type == TXTAP_RECORDING_EVENTS || block->type == TXTAP_RECORDING_GAP ||
                    block->type == TXTAP_RECORDING_MARK;
    if (ends_samples(block)) {
        enum txtap_status status = give_samples(player, UINT64_MAX, sink);

        if (status != TXTAP_OK)
            return status;
    }
    switch (block->type) {
    case TXTAP_RECORDING_BUFFER:
        return play_buffer(player, &block->header, sink);
    case TXTAP_RECORDING_OBJECTS:
        txtap_recording_objects(block, player->registry);
        return TXTAP_OK;
    case TXTAP_RECORDING_EVENTS:
        return play_events(player, block, sink);
    case TXTAP_RECORDING_GAP:
        item.gap = block->gap;
        return txtap_sink_take(sink, &item);
    case TXTAP_RECORDING_MARK:
        item.kind = TXTAP_ITEM_MARK;
        item.mark = block->mark;
        return txtap_sink_take(sink, &item);
    case TXTAP_RECORDING_WORDS:
        keep_words(player, block);
        return TXTAP_OK;
    case TXTAP_RECORDING_CTF:
        return play_ctf(block, sink);
    case TXTAP_RECORDING_CHANNEL:
        if (player->channels != NULL)
            (void)txtap_recording_channel(block, player->channels);
        return TXTAP_OK;
    case TXTAP_RECORDING_SAMPLES:
        return play_samples(player, block, sink);
    case TXTAP_RECORDING_DEFINITIONS:
    case TXTAP_RECORDING_METADATA:
    case TXTAP_RECORDING_FILE:
    case TXTAP_RECORDING_RATE:
    case TXTAP_RECORDING_ABOUT:
    case TXTAP_RECORDING_MEANING:
    case TXTAP_RECORDING_STACKS:
    case TXTAP_RECORDING_END:
        break;
    }
    return TXTAP_OK;
}
