/* SPDX-License-Identifier: MIT */
/* A sink in front of an analysis: leaves out what is outside --from and --to, counts, and learns of new names. */
#include "command/report/report_input.h"

#include <stdlib.h>

#include "file/ctf_directory.h"
#include "file/recording_reader.h"
#include "file/trace_file.h"
#include "output/report.h"

#define OBJECTS_MAX 65536 /* known at a time: the file may name any number */

static void learn(struct report_input *into)
{
    if (into->learnt && into->names->generation == into->generation)
        return;
    into->learnt = true;
    into->generation = into->names->generation;
    txtap_analysis_names(into->analysis, into->names);
    txtap_analysis_objects(into->analysis, into->names);
}

static bool is_restart(const struct txtap_item *item)
{
    return item->kind == TXTAP_ITEM_MARK &&
           (item->mark.kind == TXTAP_MARK_RESET || item->mark.kind == TXTAP_MARK_MOVED);
}

/* What interrupted the trace before --from is not of that part: neither what was lost there, nor a reset. */
static bool is_before(const struct report_input *into, const struct txtap_item *item)
{
    return into->from_ticks > 0 && !into->learnt && (item->kind == TXTAP_ITEM_GAP || is_restart(item));
}

enum txtap_status report_input_take(void *self, const struct txtap_item *item)
{
    struct report_input *into = self;

    if (item->kind == TXTAP_ITEM_EVENT && item->event.ticks > into->to_ticks)
        return TXTAP_END;
    if (item->kind == TXTAP_ITEM_EVENT && item->event.ticks < into->from_ticks)
        return TXTAP_OK;
    if (item->kind == TXTAP_ITEM_EVENT)
        learn(into);
    stream_stats_count(&into->stats, item);
    if (is_before(into, item))
        return TXTAP_OK;
    into->resets += is_restart(item);
    return txtap_analysis_take(into->analysis, item);
}

/* ---- a buffer ---- */

static enum txtap_status read_buffer(struct report_input *into, const struct options *options, struct input *input,
                                     struct error *error)
{
    static struct trace_file file;
    const struct trace_file_request request = {.input = input,
                                               .has_base = options->has_base,
                                               .base = options->base,
                                               .has_address = options->target.ring.wished.has_address,
                                               .address = options->target.ring.wished.address};
    enum txtap_status status = trace_file_open(&file, &request, error);
    struct txtap_item item;

    if (status != TXTAP_OK)
        return status;
    if (!options->quiet)
        trace_file_report(&file);
    into->names = &file.trace.registry;
    while (status == TXTAP_OK && (status = txtap_trace_next(&file.trace, &item)) == TXTAP_OK)
        status = report_input_take(into, &item);
    into->registry = file.trace.registry;
    into->names = &into->registry;
    txtap_analysis_names(into->analysis, into->names);
    into->objects = file.objects;
    file.objects = NULL; /* the names are needed longer than the file */
    trace_file_close(&file);
    return status == TXTAP_END ? TXTAP_OK : status;
}

/* ---- a recording ---- */

static enum txtap_status open_names(struct report_input *into, const char *name, struct error *error)
{
    into->objects = calloc(OBJECTS_MAX, sizeof *into->objects);
    if (into->objects == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", name);
    txtap_registry_init(&into->registry, into->objects, OBJECTS_MAX);
    into->names = &into->registry;
    return TXTAP_OK;
}

static enum txtap_status play(struct report_input *into, struct recording_reader *reader, struct error *error)
{
    static struct txtap_recording_player player;
    struct txtap_recording_item block;
    enum txtap_status status;

    txtap_recording_player_init(&player, &into->registry);
    while ((status = recording_reader_next(reader, &block, error)) == TXTAP_OK) {
        if (block.type == TXTAP_RECORDING_DEFINITIONS) /* only the event logger's have some */
            status = translation_from_logger(&into->translation, error);
        if (status == TXTAP_OK)
            status = txtap_recording_play(&player, &block, (struct txtap_sink){translation_take, &into->translation});
        if (status != TXTAP_OK)
            break;
    }
    return status == TXTAP_END ? TXTAP_OK : status;
}

static enum txtap_status read_recording(struct report_input *into, const struct options *options, struct input *input,
                                        struct error *error)
{
    static struct recording_reader reader;
    enum txtap_status status;

    if (options->has_base || options->target.ring.wished.has_address)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.120s: a recording has addresses of its own\ndo not use --base and --address here",
                       input->name);
    status = open_names(into, input->name, error);
    if (status == TXTAP_OK)
        status = recording_reader_open(&reader, input, error);
    if (status != TXTAP_OK)
        return status;
    status = play(into, &reader, error);
    recording_reader_close(&reader);
    into->cut = reader.cut;
    if (!options->quiet)
        report_notes(&reader.notes);
    return status;
}

/* ---- CTF ---- */

static enum txtap_status read_directory(struct report_input *into, const char *path, struct error *error)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_BYTES};
    uint8_t *stream = NULL;
    enum txtap_status status = open_names(into, path, error);

    if (status == TXTAP_OK)
        status =
            translation_from_directory(&into->translation, path, &into->registry, &stream, &item.bytes.length, error);
    item.bytes.at = stream;
    if (status == TXTAP_OK)
        status = translation_take(&into->translation, &item);
    free(stream);
    return status == TXTAP_END ? TXTAP_OK : status;
}

enum txtap_status report_input_read(struct report_input *into, const struct options *options, struct input *input,
                                    struct error *error)
{
    if (ctf_directory_is(input->name))
        return read_directory(into, input->name, error);
    if (txtap_recording_signature(input->head, input->head_bytes))
        return read_recording(into, options, input, error);
    if (options->file_count > 1)
        return failure(error, TXTAP_ERROR_USAGE, "%.160s: not a recording\ngive one file", options->files[0]);
    return read_buffer(into, options, input, error);
}
