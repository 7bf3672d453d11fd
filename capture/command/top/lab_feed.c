/* SPDX-License-Identifier: MIT */
/* Parses blocks, counts their losses and marks, and gives their events to an analysis. */
#include "command/top/lab_feed.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/compress.h"

#define SECTIONS (TXTAP_SECTION_BIT(TXTAP_SECTION_CPU) | TXTAP_SECTION_BIT(TXTAP_SECTION_WAKE))

/* A board has less memory than a single target, because a lab has many boards. */
static const struct txtap_analysis_limits limits = {.threads = 64, .objects = 256, .pairs = 256, .pages = 1024};

/* ---- the analysis ---- */

static bool open_analysis(struct lab_feed *feed)
{
    const struct txtap_analysis_options how = {.sections = SECTIONS};
    void *memory;

    free(feed->monitor);
    free(feed->analysis);
    feed->monitor = NULL;
    feed->analysis = NULL;
    memory = malloc(txtap_analysis_bytes(&limits, SECTIONS));
    if (memory == NULL)
        return false;
    feed->analysis = txtap_analysis_open(memory, &limits, &how);
    memory = malloc(txtap_top_bytes(feed->analysis));
    if (memory == NULL)
        return false;
    feed->monitor = txtap_top_open(memory, feed->analysis);
    txtap_registry_init(&feed->registry, feed->objects, LAB_FEED_OBJECTS);
    txtap_recording_player_init(feed->player, &feed->registry);
    feed->learnt = false;
    feed->hz = 0;
    return true;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct lab_feed *feed = self;

    if (item->kind == TXTAP_ITEM_EVENT && (!feed->learnt || feed->generation != feed->registry.generation)) {
        feed->learnt = true;
        feed->generation = feed->registry.generation;
        txtap_analysis_names(feed->analysis, &feed->registry);
        txtap_analysis_objects(feed->analysis, &feed->registry);
    }
    return txtap_analysis_take(feed->analysis, item);
}

/* ---- blocks ---- */

static void note_mark(struct lab_feed *feed, const struct txtap_mark *mark)
{
    switch (mark->kind) {
    case TXTAP_MARK_RESET:
        feed->resets++;
        feed->reset_us = mark->unix_us;
        break;
    case TXTAP_MARK_CHECK:
        feed->checks++;
        break;
    case TXTAP_MARK_FAULT:
        feed->faults++;
        break;
    case TXTAP_MARK_DETACHED:
        feed->away = true;
        break;
    case TXTAP_MARK_ATTACHED:
        feed->away = false;
        break;
    default:
        break;
    }
    feed->block_us = mark->unix_us > feed->block_us ? mark->unix_us : feed->block_us;
}

static void note(struct lab_feed *feed, const struct txtap_recording_item *block)
{
    switch (block->type) {
    case TXTAP_RECORDING_BUFFER:
        feed->block_us = block->unix_us;
        break;
    case TXTAP_RECORDING_EVENTS:
        feed->event_us = feed->block_us = block->unix_us + block->span_us;
        break;
    case TXTAP_RECORDING_GAP:
        feed->lost += block->gap.lost;
        feed->lost_exact = feed->lost_exact && block->gap.exact;
        break;
    case TXTAP_RECORDING_MARK:
        note_mark(feed, &block->mark);
        break;
    case TXTAP_RECORDING_END:
        feed->ended = block->why == TXTAP_RECORDING_DONE;
        break;
    case TXTAP_RECORDING_RATE:
        if (block->rate.how != TXTAP_RATE_UNKNOWN && block->rate.hz != feed->hz) {
            feed->hz = block->rate.hz;
            txtap_top_rate(feed->monitor, feed->hz);
        }
        break;
    default:
        break;
    }
}

/* Decompresses a block, if necessary, and takes its content. */
static void take_block(struct lab_feed *feed, const struct txtap_recording_block *block)
{
    static uint8_t plain[TXTAP_RECORDING_PAYLOAD_MAX];
    static struct compressor *compressor; /* of all boards, until the program ends */
    bool is_old = feed->offset < feed->analysed_from;
    const uint8_t *payload = block->stored;
    struct txtap_recording_item item;

    if (is_old && (block->type == TXTAP_RECORDING_EVENTS || block->type == TXTAP_RECORDING_WORDS ||
                   block->type == TXTAP_RECORDING_SAMPLES))
        return;
    if (block->compressed) {
        if (compressor == NULL)
            compressor = compressor_new(COMPRESS_LEVEL_DEFAULT);
        if (compressor == NULL ||
            !compressor_unpack(compressor, plain, block->bytes, block->stored, block->stored_bytes)) {
            feed->damaged = true;
            return;
        }
        payload = plain;
    }
    if (txtap_recording_item(block, payload, block->bytes, &item) != TXTAP_OK)
        return;
    note(feed, &item);
    if (!is_old || item.type == TXTAP_RECORDING_BUFFER || item.type == TXTAP_RECORDING_OBJECTS)
        (void)txtap_recording_play(feed->player, &item, (struct txtap_sink){take, feed});
}

bool lab_feed_take(struct lab_feed *feed, const uint8_t *bytes, size_t length)
{
    struct txtap_recording_block block;
    enum txtap_status status;
    size_t at = 0, needed;

    if (!feed->headed) {
        if (length < TXTAP_RECORDING_HEAD_BYTES)
            return false;
        feed->headed = true;
        feed->damaged = txtap_recording_open(&feed->recording, bytes) != TXTAP_OK || feed->recording.ctf;
        feed->offset = at = TXTAP_RECORDING_HEAD_BYTES;
    }
    while (!feed->damaged) {
        status = txtap_recording_block(&feed->recording, bytes + at, length - at, &block, &needed);
        if (status != TXTAP_OK) {
            feed->damaged = status == TXTAP_ERROR_FORMAT;
            break;
        }
        take_block(feed, &block);
        at += needed;
        feed->offset += needed;
    }
    return at > 0;
}

/* ---- life ---- */

bool lab_feed_open(struct lab_feed *feed, const char *name)
{
    *feed = (struct lab_feed){.lost_exact = true, .player = malloc(sizeof *feed->player)};
    snprintf(feed->name, sizeof feed->name, "%s", name);
    return feed->player != NULL;
}

bool lab_feed_begin(struct lab_feed *feed, uint64_t analysed_from)
{
    feed->begun = open_analysis(feed);
    feed->headed = feed->damaged = feed->ended = feed->away = false;
    feed->offset = 0;
    feed->analysed_from = analysed_from;
    return feed->begun;
}

void lab_feed_close(struct lab_feed *feed)
{
    free(feed->monitor);
    free(feed->analysis);
    free(feed->player);
    *feed = (struct lab_feed){.lost_exact = true};
}
