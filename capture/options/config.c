/* SPDX-License-Identifier: MIT */
/* Turns the options into the configurations of other parts of the program. */
#include <string.h>

#include "options/options.h"

/* Returns the name of the ELF file, or else of the first trace file. NULL: the user named no file. */
static const char *title_of(const struct options *options)
{
    const char *path = options->target.elf != NULL ? options->target.elf
                       : options->file_count > 0   ? options->files[0]
                                                   : NULL;
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;

    return slash != NULL ? slash + 1 : path;
}

struct outlet_config options_outlet(const struct options *options)
{
    const struct ring_config *ring = &options->target.ring;

    return (struct outlet_config){
        .path = options->output,
        .force = options->force,
        .quiet = options->quiet,
        .format = options->format,
        .items = {.definitions = ring->kind->definitions,
                  .bytes = ring->kind->bytes,
                  .ctf_metadata = ring->ctf_metadata,
                  .gap_means = ring->kind->gap_means},
        .view = {.filter = &options->filter.filter,
                 .limit = options->limit,
                 .identity = options->identity,
                 .definitions = options->filter.definitions,
                 .definitions_count = options->filter.definitions_count,
                 .profile = options->filter.profile,
                 .columns = options->filter.columns,
                 .tick_hz = options->tick_hz,
                 .time = options->time,
                 .color = options->color,
                 .wide = options->wide,
                 .host_time = options->host_time,
                 .title = title_of(options)},
    };
}

struct record_config options_record(const struct options *options)
{
    const struct record_options *record = &options->record;

    return (struct record_config){
        .path = options->output,
        .force = options->force,
        .stores = options->store != NULL,
        .spool = record->spool,
        .stream = record->stream,
        .file_bytes = record->file_bytes,
        .file_seconds = record->file_seconds,
        .file_count = record->file_count,
        .compress = record->compress,
        .limit = options->limit,
        .buffer_bytes = options->buffer_bytes,
        .triggers = record->triggers,
        .trigger_count = record->trigger_count,
        .value_triggers = record->values,
        .value_trigger_count = record->value_count,
        .is_fired = record->check_count > 0,
        .before_us = record->before_us,
        .after_us = record->after_us,
        .tick_hz = options->tick_hz,
        .profile = options->filter.profile,
        .definitions = options->target.ring.kind->definitions,
    };
}
