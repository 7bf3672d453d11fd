/* SPDX-License-Identifier: MIT */
/* txtap decode: prints the events of a file with a trace buffer, a recording, or the memory of a target. No other
 * program may write the file while txtap reads it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach/attach.h"
#include "attach/firmware_identity.h"
#include "base/failure.h"
#include "input/input.h"
#include "base/runtime.h"
#include "command/commands.h"
#include "command/operands.h"
#include "command/read_ring.h"
#include "file/recording_reader.h"
#include "file/trace_file.h"
#include "file/wall_range.h"
#include "options/options.h"
#include "output/outlet.h"
#include "output/report.h"
#include "probe/image.h"
#include "stream/stream_stats.h"
#include "txtap/inner/rate.h"
#include "txtap/item.h"
#include "txtap/recording.h"

/* ---- counting ---- */

struct tally {
    struct txtap_sink next;
    struct stream_stats *stats;
};

/* Counts the item, and passes it on. A sink's function: self is a struct tally. */
static enum txtap_status tally_take(void *self, const struct txtap_item *item)
{
    const struct tally *tally = self;
    enum txtap_status status = txtap_sink_take(tally->next, item);

    if (status >= TXTAP_OK)
        stream_stats_count(tally->stats, item);
    if (item->kind == TXTAP_ITEM_GAP && !item->gap.exact && item->gap.estimate == 0)
        tally->stats->excess = STREAM_EXCESS_MAX; /* unlimited: a file does not tell how many more events are lost */
    if (item->kind == TXTAP_ITEM_MARK && item->mark.kind == TXTAP_MARK_UNSURE)
        tally->stats->unseen = true;
    return status;
}

/* ---- recordings ---- */

#define OBJECTS_MAX 65536 /* most objects at one time; a file may have more over its whole time */

struct playback {
    struct recording_reader reader;
    struct outlet outlet;
    struct txtap_object *objects;
    struct txtap_registry registry;
    struct txtap_recording_player player;
    struct txtap_channels channels;
    struct tally tally;
    struct wall_range range;    /* of --since and --until */
    struct txtap_filter filter; /* of the options, limited to the range */
    double tick_hz;             /* 0: unknown */
    bool begun;                 /* outlet_begin() was called */
};

static enum txtap_status begin(struct playback *playback)
{
    if (playback->begun)
        return TXTAP_OK;
    playback->begun = true;
    return outlet_begin(&playback->outlet, &playback->player.header, &playback->registry);
}

/* Returns true if outlet_begin() must be called before this block is played. Blocks with the names that outlet_begin()
 * needs come earlier. */
static bool is_for_the_outlet(const struct txtap_recording_item *block)
{
    return block->type == TXTAP_RECORDING_EVENTS || block->type == TXTAP_RECORDING_GAP ||
           block->type == TXTAP_RECORDING_MARK || block->type == TXTAP_RECORDING_SAMPLES ||
           block->type == TXTAP_RECORDING_END;
}

static enum txtap_status play(struct playback *playback, const struct txtap_recording_item *block)
{
    enum txtap_status status = is_for_the_outlet(block) ? begin(playback) : TXTAP_OK;

    if (status != TXTAP_OK)
        return status;
    return txtap_recording_play(&playback->player, block, (struct txtap_sink){tally_take, &playback->tally});
}

/* Limits the events to the range of the wall clock, if there is a range. */
static void limit(struct playback *playback, const struct txtap_recording_item *block)
{
    if (!wall_range_is_given(&playback->range))
        return;
    wall_range_take(&playback->range, block, playback->tick_hz);
    wall_range_limit(&playback->range, &playback->filter.from_ticks, &playback->filter.to_ticks);
}

/* Plays all blocks. status: result of reading the first block. item: the first block, if `status` is TXTAP_OK. */
static enum txtap_status play_all(struct playback *playback, struct txtap_recording_item *item,
                                  enum txtap_status status, struct error *error)
{
    while (status == TXTAP_OK) {
        limit(playback, item);
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
        (struct outlet_items){.definitions = definitions}; /* events, even if the options name a ring with bytes */
    config.channels = &playback->channels;
    if (options->tick_hz == 0)
        config.view.tick_hz = options->identity->rate.hz;
    playback->tick_hz = config.view.tick_hz;
    playback->filter = *config.view.filter;
    config.view.filter = &playback->filter;
    wall_range_init(&playback->range, options->since_us, options->until_us, playback->filter.from_ticks,
                    playback->filter.to_ticks);
    return outlet_open(&playback->outlet, &config, error);
}

/*
 * Reads the blocks that describe the recording. *item gets the first other block. *definitions: a copy of the
 * definitions of another kernel's events, which the caller frees; NULL: ThreadX's events.
 */
static enum txtap_status read_description(struct recording_reader *reader, struct identity *identity,
                                          struct txtap_recording_item *item, char **definitions, struct error *error)
{
    enum txtap_status status;

    while ((status = recording_reader_next(reader, item, error)) == TXTAP_OK) {
        if (item->type == TXTAP_RECORDING_DEFINITIONS)
            *definitions = strdup(item->definitions);
        else if (item->type != TXTAP_RECORDING_RATE && item->type != TXTAP_RECORDING_ABOUT &&
                 item->type != TXTAP_RECORDING_MEANING)
            break;
        if (!identity->scanned)
            identity_take(identity, item);
    }
    return status;
}

/* Says that the shown times are not exact, if their rate was measured. */
static void say_measured_rate(const struct options *options)
{
    const struct txtap_rate rate = options_known_rate(options);
    char text[TXTAP_RATE_TEXT_BYTES];

    if (options->quiet || options->format->whole_buffer || !txtap_rate_is_inexact(&rate))
        return;
    txtap_rate_short_text(text, &rate);
    fprintf(stderr, "txtap: times use a measured rate: %s\n", text);
}

/* Plays a recording. Its first block describes the buffer from which the other blocks come. The next blocks describe
 * the recording. */
static enum txtap_status play_file(struct playback *playback, const struct options *options, struct error *error)
{
    struct txtap_recording_item item;
    char *definitions = NULL;
    enum txtap_status status = recording_reader_next(&playback->reader, &item, error), next;

    if (status == TXTAP_END) {
        struct reading_notes *notes = &playback->reader.notes;

        *error = notes->at[--notes->count]; /* there is a note if a recording ends before its first block */
        return error->status = TXTAP_ERROR_TRUNCATED;
    }
    if (status != TXTAP_OK)
        return status;
    (void)play(playback, &item);
    next = read_description(&playback->reader, options->identity, &item, &definitions, error);
    status = open_outlet(playback, options, definitions, error);
    if (status == TXTAP_OK) {
        playback->tally.next = outlet_sink(&playback->outlet);
        status = play_all(playback, &item, next, error);
        status = outlet_close(&playback->outlet, status, &playback->player.maker, error);
        if (status >= TXTAP_OK)
            say_measured_rate(options);
        playback->tally.stats->undecided = playback->outlet.counts.undecided;
    }
    free(definitions);
    return status;
}

/*
 * Decodes a recording. `input` must be open at its first byte. *cut: set to true if the recording is incomplete; then a
 * message was printed. On failure error is one line.
 */
static enum txtap_status decode_recording(const struct options *options, struct input *input,
                                          struct stream_stats *stats, bool *cut, struct error *error)
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
    playback.player.channels = &playback.channels;
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

static enum txtap_status read_all(struct txtap_trace *trace, struct txtap_sink sink)
{
    enum txtap_status status = TXTAP_OK;
    struct txtap_item item;

    while (status == TXTAP_OK && (status = txtap_trace_next(trace, &item)) == TXTAP_OK)
        status = txtap_sink_take(sink, &item);
    return status;
}

static enum txtap_status print_all(const struct options *options, struct trace_file *file, struct stream_stats *stats,
                                   struct error *error)
{
    struct txtap_trace *trace = &file->trace;
    const struct outlet_buffer buffer = {&trace->header, file->bytes, file->length};
    struct outlet_config config = options_outlet(options);
    struct tally tally = {.stats = stats};
    struct outlet outlet;
    enum txtap_status status;

    config.buffer = &buffer;
    status = outlet_open(&outlet, &config, error);
    if (status != TXTAP_OK)
        return status;
    tally.next = outlet_sink(&outlet);
    status = outlet_begin(&outlet, &trace->header, &trace->registry);
    if (status == TXTAP_OK)
        status = read_all(trace, (struct txtap_sink){tally_take, &tally});
    status = outlet_close(&outlet, status, &trace->maker, error);
    stats->undecided = outlet.counts.undecided;
    return status;
}

static enum txtap_status decode_buffer(const struct options *options, struct input *input, struct stream_stats *stats,
                                       struct error *error)
{
    static struct trace_file file;
    const struct trace_file_request request = {
        .input = input,
        .has_base = options->has_base,
        .base = options->base,
        .has_address = options->target.ring.wished.has_address,
        .address = options->target.ring.wished.address,
    };
    enum txtap_status status = trace_file_open(&file, &request, error);

    if (status != TXTAP_OK)
        return status;
    if (!options->quiet)
        trace_file_report(&file);
    stats->bytes_read = file.length;
    status = print_all(options, &file, stats, error);
    trace_file_close(&file);
    return status;
}

/* ---- rings found by symbols ---- */

/* Decodes a ring in a file that contains the target's memory. */
static enum txtap_status decode_memory(const struct options *options, struct input *input, struct stream_stats *stats,
                                       struct error *error)
{
    static struct attachment attachment; /* attached to a file instead of a target */
    static struct memory_file memory;
    const struct trace_file_request request = {.input = input, .has_base = options->has_base, .base = options->base};
    const struct outlet_config config = options_outlet(options);
    enum txtap_status status = attach_file(&options->target, &request, &attachment, &memory, error);

    if (status != TXTAP_OK)
        return status;
    status = read_ring(&config, &attachment, stats, error);
    stats->bytes_read = memory.file.length;
    attach_close(&attachment);
    return status;
}

/* Decodes a dump of a ring of bytes. The dump does not tell how much of it is filled, so its records must show this. */
static enum txtap_status decode_bytes(const struct options *options, struct input *input, struct stream_stats *stats,
                                      struct error *error)
{
    struct outlet_config config = options_outlet(options);
    struct outlet outlet;
    struct txtap_item item = {.kind = TXTAP_ITEM_BYTES};
    uint8_t *bytes;
    enum txtap_status status = image_load(input, &bytes, &item.bytes.length, error);

    if (status != TXTAP_OK)
        return status;
    item.bytes.at = bytes;
    config.items.filled_once = true;
    status = outlet_open(&outlet, &config, error);
    if (status == TXTAP_OK) {
        status = outlet_begin(&outlet, NULL, NULL);
        if (status == TXTAP_OK)
            status = txtap_sink_take(outlet_sink(&outlet), &item);
        status = outlet_close(&outlet, status, NULL, error);
        stats->events = outlet.counts.records;
        if (outlet.counts.cut)
            read_ring_count_loss(stats);
        stats->bytes_read = item.bytes.length;
    }
    free(bytes);
    return status;
}

/* ---- the command ---- */

static enum txtap_status decode_input(const struct options *options, struct input *input, struct stream_stats *stats,
                                      bool *cut, struct error *error)
{
    enum txtap_status status;

    if (txtap_recording_signature(input->head, input->head_bytes))
        return decode_recording(options, input, stats, cut, error);
    if (options->file_count > 1)
        return failure(error, TXTAP_ERROR_USAGE, "%.160s: not a recording\ngive one file", options->files[0]);
    status = wall_range_refuse(options->since_us, options->until_us, input->name, error);
    if (status != TXTAP_OK)
        return status;
    if (!options->target.ring.kind->by_symbols)
        return decode_buffer(options, input, stats, error);
    return options->target.elf != NULL ? decode_memory(options, input, stats, error)
                                       : decode_bytes(options, input, stats, error);
}

static int run_command(const struct options *given)
{
    struct options own = *given;
    const struct options *options = &own;
    struct error error = {0};
    struct stream_stats stats = {.lost_exact = true};
    struct input input;
    uint64_t begin = now_us();
    enum txtap_status status = TXTAP_OK;
    bool cut = false;
    int code;

    if (own.target.elf != NULL)
        status = firmware_identity_read(own.identity, own.target.elf, &error);
    if (status == TXTAP_OK)
        status = operands_take_firmware(&own, &error);
    if (status == TXTAP_OK)
        status = input_open(&input, options->files, options->file_count, &error);
    input.board = input.board || options->board;
    if (status == TXTAP_OK) {
        status = decode_input(options, &input, &stats, &cut, &error);
        if (status == ERROR_NOT_FOUND && operands_is_firmware(&input))
            status =
                failure(&error, TXTAP_ERROR_USAGE,
                        "%.120s: this is firmware, not a trace\n'txtap tail %.90s' prints the events of its target",
                        options->files[0], options->files[0]);
        input_close(&input);
    }
    stats.rate = options_known_rate(options);
    stats.rate_recorded = options_rate_is_recorded(options);
    if (status < TXTAP_OK)
        report_error(error_is_set(&error) ? &error : &(struct error){status, "", ""});
    else if (!report_stats_json(options->stats_json, options->command->name, &stats, (double)(now_us() - begin) / 1e6,
                                ""))
        status = TXTAP_ERROR_SYSTEM;
    code = status_exit_code(status);
    return code == EXIT_DONE && options->strict && (stats.lost > 0 || stats.unseen || cut) ? EXIT_LOST : code;
}

/* ---- its options ---- */

static const struct argp_option rows[] = {
    {"base", KEY_BASE, "ADDR", 0, "address of the first byte of a file that has no addresses", 0},
    OPTIONS_WALL_ROWS,
    {"address", KEY_BUFFER, "ADDR", 0, "address of the trace buffer, or its offset, if the file has several", 0},
    {"elf", KEY_ELF, "FILE", 0,
     "the firmware's ELF file: names of interrupts, and the place of a ring found by symbols", 0},
    {"strict", KEY_STRICT, NULL, 0, "exit code 5 if events are missing", 0},
    {0},
};

static const struct argp_child groups[] = {
    {&options_format, 0, OPTIONS_OUTPUT_HEAD, 1},
    {&options_filter, 0, OPTIONS_FILTER_HEAD, 2},
    {&options_messages, 0, OPTIONS_MESSAGES_HEAD, 3},
    {&options_ring, 0, OPTIONS_RING_HEAD, 4},
    {0},
};

const struct command decode_command = {
    .name = "decode",
    .brief = "print the events of a trace file, or of a recording",
    .run = run_command,
    .rows = rows,
    .parser = options_parse_files,
    .operands = "FILE... [ELF]",
    .common = "hz definitions output format thread",
    .help = "Print the events of a trace buffer in a file, or of a recording.\v"
            "FILE is what record or snapshot wrote, a .trx file of TraceX, a dump of RAM, an ELF core file, "
            "Intel HEX, "
            "Motorola S-records or hexadecimal text; txtap recognises it by its content. - is standard input. "
            "Several files "
            "must be those of one recording. A folder has the recordings of a board, which are read as one.\n\n"
            "A line 'N events lost' stands where events are missing in the file.",
    .groups = groups,
    .reads_files = true,
};
