/* SPDX-License-Identifier: MIT */
/* "txtap decode" for recordings. */
#include "command/decode_recording.h"

#include <stdlib.h>
#include <string.h>

#include "command/outlet.h"
#include "file/recording_reader.h"
#include "output/report.h"
#include "ring/ring_kind.h"

#define OBJECTS_MAX 65536 /* that are known at a time: the file may name any number */

struct playback {
    struct recording_reader reader;
    struct options options;
    struct outlet outlet;
    struct txtap_object *objects;
    struct txtap_registry registry;
    struct txtap_header header; /* of the events that come */
    struct txtap_event_maker maker;
    struct session_stats *stats;
    bool begun;                                       /* the outlet has */
    struct txtap_recording_item words;                /* of the events that come; count 0: they have four, */
    uint8_t words_bytes[TXTAP_RECORDING_PAYLOAD_MAX]; /* which is in here */
};

/* What a block of events says of objects is known before the first of them is shown. */
static void note_objects(struct playback *playback, const struct txtap_recording_item *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        struct txtap_event event;

        txtap_event_parse(block->entries + (size_t)i * TXTB_ENTRY_BYTES, &playback->header, &event);
        if (i == 0)
            txtap_clock_set(&playback->maker.clock, event.stamp, block->ticks);
        event.seq = block->seq + i;
        txtap_registry_note(&playback->registry, &event);
    }
}

/* The item's bytes are there until the next block is read. */
static void keep_words(struct playback *playback, const struct txtap_recording_item *item)
{
    size_t more = 0;

    for (uint32_t i = 0; i < item->count; i++)
        more += item->counts[i] > 4 ? item->counts[i] - 4u : 0;
    memcpy(playback->words_bytes, item->counts, item->count + 4 * more);
    playback->words = *item;
    playback->words.counts = playback->words_bytes;
    playback->words.words = playback->words_bytes + item->count;
}

static enum txtap_status play_events(struct playback *playback, const struct txtap_recording_item *block)
{
    bool has_words = playback->words.count == block->count;
    uint32_t words[TXTAP_RECORDING_WORDS_MAX];
    enum txtap_status status = TXTAP_OK;
    struct txtap_item item;
    size_t at = 0;

    note_objects(playback, block);
    for (uint32_t i = 0; i < block->count && status == TXTAP_OK; i++) {
        txtap_event_maker_event(&playback->maker, &playback->header, block->entries + (size_t)i * TXTB_ENTRY_BYTES,
                                block->seq + i, &item);
        if (has_words) {
            item.event.words = words;
            item.event.word_count = txtap_recording_words(&playback->words, i, &at, &item.event, words);
        }
        status = txtap_sink_take(outlet_sink(&playback->outlet), &item);
        playback->stats->events += status >= TXTAP_OK;
    }
    playback->words.count = 0;
    return status;
}

static enum txtap_status begin(struct playback *playback)
{
    if (playback->begun)
        return TXTAP_OK;
    playback->begun = true;
    return outlet_begin(&playback->outlet, &playback->header, &playback->registry);
}

static enum txtap_status play_gap(struct playback *playback, const struct txtap_gap *gap)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_GAP, .gap = *gap};

    playback->stats->lost += gap->lost;
    playback->stats->lost_estimate += gap->estimate > 0 ? gap->estimate : gap->lost;
    playback->stats->lost_exact = playback->stats->lost_exact && gap->exact;
    playback->stats->gaps++;
    if (!gap->exact && gap->estimate == 0)
        playback->stats->excess = SESSION_EXCESS_MAX; /* a recording does not say */
    return txtap_sink_take(outlet_sink(&playback->outlet), &item);
}

static enum txtap_status play_mark(struct playback *playback, const struct txtap_mark *mark)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_MARK, .mark = *mark};

    playback->stats->unseen = playback->stats->unseen || mark->kind == TXTAP_MARK_UNSURE;
    return txtap_sink_take(outlet_sink(&playback->outlet), &item);
}

static enum txtap_status play(struct playback *playback, const struct txtap_recording_item *item)
{
    enum txtap_status status;

    if (item->type == TXTAP_RECORDING_BUFFER) {
        playback->header = item->header;
        txtap_event_maker_restart(&playback->maker, item->header.timer_mask);
        return TXTAP_OK;
    }
    if (item->type == TXTAP_RECORDING_OBJECTS) {
        txtap_recording_objects(item, &playback->registry);
        return TXTAP_OK;
    }
    if (item->type == TXTAP_RECORDING_DEFINITIONS)
        return TXTAP_OK; /* those at the start hold */
    if (item->type == TXTAP_RECORDING_WORDS) {
        keep_words(playback, item);
        return TXTAP_OK;
    }
    status = begin(playback); /* the names that are known at the start stand before it */
    if (status != TXTAP_OK)
        return status;
    switch (item->type) {
    case TXTAP_RECORDING_EVENTS:
        return play_events(playback, item);
    case TXTAP_RECORDING_GAP:
        return play_gap(playback, &item->gap);
    case TXTAP_RECORDING_MARK:
        return play_mark(playback, &item->mark);
    default:
        return TXTAP_OK;
    }
}

/* item: the first of them, unless status says that there is none. */
static enum txtap_status play_all(struct playback *playback, struct txtap_recording_item *item,
                                  enum txtap_status status, struct error *error)
{
    while (status == TXTAP_OK) {
        status = play(playback, item);
        if (status == TXTAP_OK)
            status = recording_reader_next(&playback->reader, item, error);
    }
    if (status >= TXTAP_OK && !playback->begun) {
        enum txtap_status begun = begin(playback);

        status = begun == TXTAP_OK ? status : begun;
    }
    return status;
}

/* What its events mean, if they are not ThreadX's, stands behind the first block. */
static enum txtap_status open_outlet(struct playback *playback, const struct options *options,
                                     const struct txtap_recording_item *second, struct error *error)
{
    playback->options = *options;
    playback->options.ring.kind = &ring_txtb; /* a recording has events, whatever ring the options name */
    playback->options.ring.definitions = second->definitions;
    return outlet_open(&playback->outlet, &playback->options, error);
}

/* From the first block, which says what the others are of. */
static enum txtap_status play_file(struct playback *playback, const struct options *options, struct error *error)
{
    struct txtap_recording_item item;
    enum txtap_status status = recording_reader_next(&playback->reader, &item, error), next;

    if (status == TXTAP_END) {
        playback->reader.cut = false; /* said already */
        *error = playback->reader.missing;
        return error->status = TXTAP_ERROR_TRUNCATED;
    }
    if (status != TXTAP_OK)
        return status;
    playback->header = item.header;
    txtap_event_maker_init(&playback->maker, item.header.timer_mask, 0);
    item.type = TXTAP_RECORDING_END;
    item.definitions = NULL;
    next = recording_reader_next(&playback->reader, &item, error);
    status = open_outlet(playback, options, &item, error);
    if (status != TXTAP_OK)
        return status;
    status = play_all(playback, &item, next, error);
    return outlet_close(&playback->outlet, status, &playback->maker, error);
}

enum txtap_status decode_recording(const struct options *options, struct input *input, struct session_stats *stats,
                                   bool *cut, struct error *error)
{
    static struct playback playback;
    enum txtap_status status;

    *cut = false;
    if (options->has_base || options->target.has_address)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.120s: a recording has addresses of its own\ndo not use --base and --address here",
                       input->name);
    playback.stats = stats;
    playback.objects = calloc(OBJECTS_MAX, sizeof *playback.objects);
    if (!playback.objects)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to decode it", input->name);
    txtap_registry_init(&playback.registry, playback.objects, OBJECTS_MAX);
    status = recording_reader_open(&playback.reader, input, error);
    if (status == TXTAP_OK) {
        status = play_file(&playback, options, error);
        recording_reader_close(&playback.reader);
        *cut = playback.reader.cut;
        stats->bytes_read = playback.reader.offset;
        if (*cut && !options->quiet)
            report_error(&playback.reader.missing);
    }
    free(playback.objects);
    return status;
}
