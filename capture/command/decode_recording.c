/* SPDX-License-Identifier: MIT */
/* "txtap decode" for recordings. */
#include "command/decode_recording.h"

#include <stdlib.h>
#include <string.h>

#include "output/outlet.h"
#include "command/tally.h"
#include "file/recording_reader.h"
#include "output/report.h"

#define OBJECTS_MAX 65536 /* kept at a time; the file may name any number */

struct playback {
    struct recording_reader reader;
    struct outlet outlet;
    struct txtap_object *objects;
    struct txtap_registry registry;
    struct txtap_recording_player player;
    struct tally tally;
    bool begun; /* outlet_begin() was called */
};

static enum txtap_status begin(struct playback *playback)
{
    if (playback->begun)
        return TXTAP_OK;
    playback->begun = true;
    return outlet_begin(&playback->outlet, &playback->player.header, &playback->registry);
}

/* Does the block come after the names that are known at the start? */
static bool is_for_the_outlet(const struct txtap_recording_item *block)
{
    return block->type == TXTAP_RECORDING_EVENTS || block->type == TXTAP_RECORDING_GAP ||
           block->type == TXTAP_RECORDING_MARK || block->type == TXTAP_RECORDING_END;
}

static enum txtap_status play(struct playback *playback, const struct txtap_recording_item *block)
{
    enum txtap_status status = is_for_the_outlet(block) ? begin(playback) : TXTAP_OK;

    if (status != TXTAP_OK)
        return status;
    return txtap_recording_play(&playback->player, block, (struct txtap_sink){tally_take, &playback->tally});
}

/* item: the first of the blocks, unless status says that there is none. */
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

static enum txtap_status open_outlet(struct playback *playback, const struct options *options, const char *definitions,
                                     struct error *error)
{
    struct outlet_config config = options_outlet(options);

    config.items =
        (struct outlet_items){.definitions = definitions}; /* it has events, whatever ring the options name */
    return outlet_open(&playback->outlet, &config, error);
}

/* The first block says which buffer the others are of. Definitions of events that are not ThreadX's are the second. */
static enum txtap_status play_file(struct playback *playback, const struct options *options, struct error *error)
{
    struct txtap_recording_item item;
    const char *definitions;
    enum txtap_status status = recording_reader_next(&playback->reader, &item, error), next;

    if (status == TXTAP_END) {
        struct reading_notes *notes = &playback->reader.notes;

        *error = notes->at[--notes->count]; /* a recording that ends so early has one */
        return error->status = TXTAP_ERROR_TRUNCATED;
    }
    if (status != TXTAP_OK)
        return status;
    (void)play(playback, &item);
    next = recording_reader_next(&playback->reader, &item, error);
    definitions = next == TXTAP_OK && item.type == TXTAP_RECORDING_DEFINITIONS ? item.definitions : NULL;
    status = open_outlet(playback, options, definitions, error);
    if (status != TXTAP_OK)
        return status;
    playback->tally.next = outlet_sink(&playback->outlet);
    status = play_all(playback, &item, next, error);
    status = outlet_close(&playback->outlet, status, &playback->player.maker, error);
    playback->tally.stats->undecided = playback->outlet.counts.undecided;
    return status;
}

enum txtap_status decode_recording(const struct options *options, struct input *input, struct stream_stats *stats,
                                   bool *cut, struct error *error)
{
    static struct playback playback;
    enum txtap_status status;

    *cut = false;
    if (options->has_base || options->target.ring.wished.has_address)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.120s: a recording has addresses of its own\ndo not use --base and --address here",
                       input->name);
    playback.tally = (struct tally){.stats = stats};
    playback.objects = calloc(OBJECTS_MAX, sizeof *playback.objects);
    if (!playback.objects)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to decode it", input->name);
    txtap_registry_init(&playback.registry, playback.objects, OBJECTS_MAX);
    txtap_recording_player_init(&playback.player, &playback.registry);
    status = recording_reader_open(&playback.reader, input, error);
    if (status == TXTAP_OK) {
        status = play_file(&playback, options, error);
        recording_reader_close(&playback.reader);
        *cut = playback.reader.cut;
        stats->bytes_read = playback.reader.stream.offset;
        if (!options->quiet)
            report_notes(&playback.reader.notes);
    }
    free(playback.objects);
    return status;
}
