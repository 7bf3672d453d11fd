/* SPDX-License-Identifier: MIT */
/* "txtap decode" for recordings. */
#include "command/decode_recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/recording_reader.h"
#include "output/printer.h"
#include "output/report.h"
#include "output/trx_files.h"

#define OBJECTS_MAX 65536 /* that are known at a time: the file may name any number */

struct playback {
    struct recording_reader reader;
    struct printer printer;
    struct recording_trx trx;
    struct txtap_object *objects;
    struct txtap_registry registry;
    struct txtap_header header; /* of the events that come */
    struct txtap_event_maker maker;
    struct session_stats *stats;
    bool begun; /* the printer has */
};

static bool is_trx(const struct options *options)
{
    return txtap_exporter_find(options->format)->whole_buffer;
}

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

static enum txtap_status play_events(struct playback *playback, const struct txtap_recording_item *block)
{
    enum txtap_status status = TXTAP_OK;
    struct txtap_item item;

    note_objects(playback, block);
    for (uint32_t i = 0; i < block->count && status == TXTAP_OK; i++) {
        txtap_event_maker_event(&playback->maker, &playback->header, block->entries + (size_t)i * TXTB_ENTRY_BYTES,
                                block->seq + i, &item);
        status = txtap_sink_take(printer_sink(&playback->printer), &item);
        playback->stats->events += status >= TXTAP_OK;
    }
    return status;
}

static enum txtap_status begin(struct playback *playback)
{
    if (playback->begun)
        return TXTAP_OK;
    playback->begun = true;
    return printer_begin(&playback->printer, &playback->header, &playback->registry);
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
    return txtap_sink_take(printer_sink(&playback->printer), &item);
}

static enum txtap_status play_mark(struct playback *playback, const struct txtap_mark *mark)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_MARK, .mark = *mark};

    playback->stats->unseen = playback->stats->unseen || mark->kind == TXTAP_MARK_UNSURE;
    return txtap_sink_take(printer_sink(&playback->printer), &item);
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

static enum txtap_status play_all(struct playback *playback, char error[static ERROR_TEXT_BYTES])
{
    struct txtap_recording_item item;
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK) {
        status = recording_reader_next(&playback->reader, &item, error);
        if (status == TXTAP_OK)
            status = play(playback, &item);
    }
    if (status >= TXTAP_OK && !playback->begun) {
        enum txtap_status begun = begin(playback);

        status = begun == TXTAP_OK ? status : begun;
    }
    return status;
}

/* From the first block, which says what the others are of. */
static enum txtap_status play_file(struct playback *playback, const struct options *options,
                                   char error[static ERROR_TEXT_BYTES])
{
    struct txtap_recording_item item;
    enum txtap_status status = recording_reader_next(&playback->reader, &item, error);

    if (status == TXTAP_END) {
        playback->reader.cut = false; /* said already */
        return failure(error, TXTAP_ERROR_TRUNCATED, "%.240s", playback->reader.missing);
    }
    if (status == TXTAP_OK)
        status = recording_trx_open_printer(&playback->trx, &playback->printer, options, error);
    if (status != TXTAP_OK)
        return status;
    playback->header = item.header;
    txtap_event_maker_init(&playback->maker, item.header.timer_mask, 0);
    status = play_all(playback, error);
    if (status < TXTAP_OK && !*error && is_trx(options))
        failure(error, status, "%s", playback->trx.error);
    if (status == TXTAP_ERROR_SYSTEM && !*error)
        failure(error, status, "%s: cannot be written: %s", playback->printer.output.name, strerror(errno));
    status = printer_close(&playback->printer, status, error);
    if (status < TXTAP_OK && !*error && is_trx(options))
        failure(error, status, "%s", playback->trx.error);
    printer_warn(&playback->printer, options, &playback->maker);
    return status;
}

enum txtap_status decode_recording(const struct options *options, struct input *input, struct session_stats *stats,
                                   bool *cut, char error[static ERROR_TEXT_BYTES])
{
    static struct playback playback;
    enum txtap_status status;

    *cut = false;
    if (options->has_base || options->target.has_address)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.120s: a recording has addresses of its own: do not use --base and --address here",
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
        recording_trx_free(&playback.trx);
        *cut = playback.reader.cut;
        stats->bytes_read = playback.reader.offset;
        if (*cut && !options->quiet)
            report_error(playback.reader.missing);
    }
    free(playback.objects);
    return status;
}
