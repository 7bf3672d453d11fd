/* SPDX-License-Identifier: MIT */
/* The outlets that print through an exporter to an output. They do not know where the events come from. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/runtime.h"
#include "base/text_maker.h"
#include "file/ctf_directory.h"
#include "output/event_view.h"
#include "output/gzip.h"
#include "output/output.h"
#include "output/report.h"
#include "output/translation.h"

/* The common part of the outlets: an exporter that writes to a file while the file has room. */
struct printer {
    struct output output;
    struct txtap_exporter exporter;
    struct txtap_exporter_memory memory;
    struct event_view view;   /* its filter is the first sink */
    struct overflow overflow; /* drops items if the reader is too slow; it is before the limit and the exporter */
    size_t resume_room;       /* bytes that must be free before writing continues after an overflow */
    struct gzip *gzip;        /* between `exporter` and `output`; NULL: no compression */
    uint8_t *kept;            /* memory for entries, for a copy of a whole buffer; or NULL */
};

/* ---- the file ---- */

static bool wants_color(enum color_mode mode, const struct output *output)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");

    if (mode != COLOR_AUTO)
        return mode == COLOR_ALWAYS;
    return output_is_terminal(output) && !(no_color && *no_color) && !(terminal && strcmp(terminal, "dumb") == 0);
}

static enum txtap_status open_output(struct printer *printer, const struct outlet_config *config, struct error *error)
{
    enum txtap_status status = output_open(&printer->output, config->path, config->force, error);

    if (status != TXTAP_OK)
        return status;
    printer->output.file.binary = config->format->binary;
    if (config->format->binary && output_is_terminal(&printer->output))
        status = failure(error, TXTAP_ERROR_USAGE,
                         "--format %s: refusing to write binary data to a terminal\nuse -o FILE", config->format->name);
    if (status == TXTAP_OK && config->queue_bytes > 0)
        status = output_start_queue(&printer->output, config->queue_bytes, error);
    if (status == TXTAP_OK && gzip_is_named(config->path) && !config->format->whole_buffer)
        status = gzip_open(&printer->gzip, &printer->output, error);
    if (status != TXTAP_OK)
        output_close(&printer->output);
    return status;
}

/* Bytes that may be collected before they reach the queue, plus some lines. */
#define ROOM_BYTES (TXTAP_EXPORTER_CHUNK_BYTES + OUTPUT_BUFFER_BYTES + 16384)

static bool has_room(const void *self, bool after_loss)
{
    const struct printer *printer = self;

    return output_room(&printer->output) >= (after_loss ? printer->resume_room : ROOM_BYTES);
}

/* ---- opening ---- */

/* Returns the local time's present offset from UTC, in seconds; east of Greenwich is positive. */
static int32_t utc_offset_s(void)
{
    time_t now = (time_t)(wall_us() / 1000000);
    struct tm local;

    return localtime_r(&now, &local) ? (int32_t)local.tm_gmtoff : 0;
}

static void set_exporter(struct printer *printer, const struct outlet_config *config)
{
    const struct outlet_view *view = &config->view;

    printer->exporter = (struct txtap_exporter){
        .ops = config->format,
        .writer = printer->gzip != NULL ? gzip_writer(printer->gzip) : output_writer(&printer->output),
        .definitions = printer->view.definitions,
        .channels = config->channels,
        .options = {.tick_hz = view->tick_hz,
                    .time = view->time,
                    .color = wants_color(view->color, &printer->output),
                    .wide = view->wide,
                    .width = view->wide ? 0 : output_columns(&printer->output),
                    .host_time = view->host_time,
                    .utc_offset_s = utc_offset_s(),
                    .profile = view->profile,
                    .columns = view->columns,
                    .title = view->title},
        .memory = &printer->memory,
    };
    /* The events that are not shown also decide what numbers of interrupts mean. */
    printer->view.choice.interrupts = &printer->exporter.interrupts;
}

/* Prepares a format that copies a whole buffer. */
static enum txtap_status set_buffer(struct printer *printer, const struct outlet_buffer *buffer, struct error *error)
{
    printer->kept = calloc(txtap_header_ring_entries(buffer->header), TXTB_ENTRY_BYTES);
    if (printer->kept == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for a trace buffer of %zu bytes", buffer->length);
    printer->exporter.image = (struct txtap_exporter_image){buffer->bytes, buffer->length, printer->kept};
    return TXTAP_OK;
}

/* Opens the file at config->path. After success, call printer_close(). On failure error is one line. */
static enum txtap_status printer_open(struct printer *printer, const struct outlet_config *config, struct error *error)
{
    enum txtap_status status;

    printer->gzip = NULL;
    printer->kept = NULL;
    printer->resume_room = config->queue_bytes / 2;
    status =
        event_view_open(&printer->view, config, (struct txtap_sink){txtap_exporter_take, &printer->exporter}, error);
    if (status == TXTAP_OK)
        status = open_output(printer, config, error);
    if (status != TXTAP_OK) {
        event_view_close(&printer->view);
        return status;
    }
    printer->overflow = (struct overflow){.next = printer->view.choice.next, .has_room = has_room, .self = printer};
    printer->view.choice.next = (struct txtap_sink){overflow_take, &printer->overflow};
    set_exporter(printer, config);
    if (config->format->whole_buffer)
        status = set_buffer(printer, config->buffer, error);
    if (status != TXTAP_OK) {
        output_close(&printer->output);
        output_discard(&printer->output);
        event_view_close(&printer->view);
    }
    return status;
}

/* ---- printing ---- */

/* Begins the output. This function and the following functions are like the members of struct outlet_kind, for a
 * printer that belongs to the caller. self: a struct printer. */
static enum txtap_status printer_begin(void *self, const struct txtap_header *header,
                                       const struct txtap_registry *registry)
{
    struct printer *printer = self;

    printer->exporter.header = header;
    printer->exporter.registry = registry;
    event_view_begin(&printer->view, registry);
    return printer->exporter.ops->begin(&printer->exporter);
}

static enum txtap_status printer_reopen(void *self, struct error *error)
{
    struct printer *printer = self;
    const struct txtap_interrupts interrupts = printer->exporter.interrupts;
    enum txtap_status status = printer->exporter.ops->end(&printer->exporter);

    if (status == TXTAP_OK && printer->gzip != NULL)
        status = gzip_end(printer->gzip);
    if (status == TXTAP_OK)
        status = output_reopen(&printer->output, error);
    if (status == TXTAP_OK)
        status = printer->exporter.ops->begin(&printer->exporter);
    printer->exporter.interrupts = interrupts; /* the numbers so far */
    return status;
}

static enum txtap_status printer_flush(void *self, bool *written)
{
    struct printer *printer = self;
    enum txtap_status status = txtap_exporter_flush(&printer->exporter);

    if (!printer->exporter.options.wide) /* the size of the terminal may have changed */
        printer->exporter.options.width = output_columns(&printer->output);
    if (status == TXTAP_OK)
        status = printer->gzip != NULL ? gzip_flush(printer->gzip) : output_flush(&printer->output);
    *written = output_is_written(&printer->output);
    return status;
}

static void printer_count(const void *self, struct outlet_counts *counts)
{
    const struct printer *printer = self;

    counts->unread_events = printer->overflow.events;
    counts->unread_gaps = printer->overflow.gaps;
    counts->undecided = printer->view.choice.undecided;
}

/* ---- closing ---- */

/* Ends the export. After a failure the collected lines are still written, except for a copy of a buffer, which would
 * lack events. */
static enum txtap_status end_export(struct printer *printer, enum txtap_status earlier)
{
    const struct txtap_exporter_ops *ops = printer->exporter.ops;
    enum txtap_status status;

    if (earlier < TXTAP_OK)
        status = printer->exporter.registry ? txtap_exporter_flush(&printer->exporter) : TXTAP_OK;
    else
        status = overflow_flush(&printer->overflow);
    if (earlier >= TXTAP_OK && status == TXTAP_OK)
        status = ops->end(&printer->exporter);
    if (status == TXTAP_OK && printer->gzip != NULL)
        status = gzip_end(printer->gzip);
    return earlier < TXTAP_OK || status == TXTAP_OK ? earlier : status;
}

/* Closes the file. Returns status if it is a failure, else the result of closing. */
static enum txtap_status close_output(struct printer *printer, enum txtap_status status, struct error *error)
{
    bool whole_buffer = printer->exporter.ops->whole_buffer;
    enum txtap_status closed;

    if (status == TXTAP_ERROR_SYSTEM && !error_is_set(error))
        failure(error, status, "%s: cannot be written: %s", printer->output.name, strerror(errno));
    closed = output_close(&printer->output);
    if (whole_buffer && (status < TXTAP_OK || closed < TXTAP_OK))
        output_discard(&printer->output);
    if (closed == ERROR_INTERRUPTED)
        return failure(error, closed, "%s: nobody reads it: the last lines were not written", printer->output.name);
    if (closed == TXTAP_ERROR_SYSTEM && status >= TXTAP_OK)
        return failure(error, closed, "%s: cannot be written: %s: %s", printer->output.name, strerror(errno),
                       whole_buffer ? "nothing of it is kept" : "what was written before is whole");
    return status;
}

static void warn(const struct printer *printer, const struct txtap_event_maker *maker)
{
    if (printer->overflow.events > 0 && !printer->view.quiet)
        fprintf(stderr, "txtap: %s was not read fast enough: %" PRIu64 " event%s lost: use a larger --buffer\n",
                printer->output.name, printer->overflow.events, plural(printer->overflow.events));
    if (maker != NULL)
        event_view_warn(&printer->view, maker);
}

static enum txtap_status printer_close(void *self, enum txtap_status earlier, const struct txtap_event_maker *maker,
                                       struct outlet_counts *counts, struct error *error)
{
    struct printer *printer = self;
    enum txtap_status status = close_output(printer, end_export(printer, earlier), error);

    printer_count(printer, counts);
    warn(printer, maker);
    free(printer->kept);
    gzip_free(printer->gzip);
    event_view_close(&printer->view);
    return status;
}

/* ---- the outlet of lines, and of a copy of a whole buffer ---- */

static bool takes_any(const struct outlet_config *config)
{
    (void)config;
    return true;
}

static enum txtap_status open_lines(void **self, const struct outlet_config *config, struct error *error)
{
    struct printer *printer = malloc(sizeof *printer);
    enum txtap_status status = printer != NULL ? printer_open(printer, config, error)
                                               : failure(error, TXTAP_ERROR_SYSTEM, "no memory for the output");

    if (status != TXTAP_OK)
        free(printer);
    *self = printer;
    return status;
}

static struct txtap_sink sink_of_lines(void *self)
{
    struct printer *printer = self;

    return event_view_sink(&printer->view);
}

static enum txtap_status close_lines(void *self, enum txtap_status earlier, const struct txtap_event_maker *maker,
                                     struct outlet_counts *counts, struct error *error)
{
    enum txtap_status status = printer_close(self, earlier, maker, counts, error);

    free(self);
    return status;
}

extern const struct outlet_kind outlet_lines;
const struct outlet_kind outlet_lines = {
    .takes = takes_any,
    .open = open_lines,
    .sink = sink_of_lines,
    .begin = printer_begin,
    .flush = printer_flush,
    .reopen = printer_reopen,
    .count = printer_count,
    .close = close_lines,
};

/* ---- the outlet of formats that show the activity of threads ---- */

/*
 * These outlets are perfetto and vcd, and ctf below. They get all events and choose the events to show. They need the
 * events of other kernels translated.
 */

#define THREADS_MAX 1024 /* largest number of threads in an export */
#define OBJECTS_MAX 4096
#define NAMES_MAX   4096 /* names of threads found in CTF bytes */

struct changes_outlet {
    struct printer printer;
    struct outlet_items items;
    char *path;   /* path of the printer's file, freed with the outlet; NULL: the path is in the config */
    void *memory; /* memory of the exporter's changes */
    struct translation translation;    /* the sink before the printer, for the items of other kernels */
    struct txtap_registry names;       /* names found in CTF bytes */
    struct txtap_object *names_memory; /* NULL: no bytes */
};

static enum txtap_status give_memory(struct changes_outlet *outlet, const struct outlet_config *config,
                                     struct error *error)
{
    const struct txtap_change_limits limits = {.threads = THREADS_MAX, .objects = OBJECTS_MAX};
    struct txtap_exporter *exporter = &outlet->printer.exporter;

    outlet->memory = malloc(txtap_exporter_changes_bytes(config->format, &limits));
    if (outlet->memory == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for --format %s", config->format->name);
    exporter->changes =
        (struct txtap_exporter_changes){.memory = outlet->memory, .limits = limits, .filter = config->view.filter};
    return TXTAP_OK;
}

static enum txtap_status open_translation(struct changes_outlet *outlet, const struct outlet_items *items,
                                          struct error *error)
{
    outlet->translation.next = (struct txtap_sink){overflow_take, &outlet->printer.overflow};
    if (!items->bytes)
        return items->definitions != NULL ? translation_from_logger(&outlet->translation, error) : TXTAP_OK;
    outlet->names_memory = calloc(NAMES_MAX, sizeof *outlet->names_memory);
    if (outlet->names_memory == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the names of threads");
    txtap_registry_init(&outlet->names, outlet->names_memory, NAMES_MAX);
    return translation_from_ctf(&outlet->translation, items->ctf_metadata, &outlet->names, error);
}

static void release(struct changes_outlet *outlet)
{
    translation_free(&outlet->translation);
    free(outlet->names_memory);
    free(outlet->memory);
    free(outlet->path);
    free(outlet);
}

static enum txtap_status changes_open(void **self, const struct outlet_config *config, struct error *error)
{
    struct changes_outlet *outlet = calloc(1, sizeof *outlet);
    enum txtap_status status;

    if (outlet == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the output");
    outlet->items = config->items;
    status = printer_open(&outlet->printer, config, error);
    if (status != TXTAP_OK) {
        release(outlet);
        return status;
    }
    status = give_memory(outlet, config, error);
    if (status == TXTAP_OK)
        status = open_translation(outlet, &config->items, error);
    if (status != TXTAP_OK) {
        (void)printer_close(&outlet->printer, status, NULL, &(struct outlet_counts){0}, error);
        release(outlet);
        return status;
    }
    if (!(config->view.tick_hz > 0) && !config->quiet)
        fprintf(stderr, "txtap: --format %s: 1 tick is shown as 1 us: give --hz for true times\n",
                config->format->name);
    *self = outlet;
    return TXTAP_OK;
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct changes_outlet *outlet = self;
    struct txtap_item filled = *item;

    if (item->kind == TXTAP_ITEM_GAP && outlet->items.bytes)
        fprintf(stderr, "txtap: %s\n", outlet->items.gap_means);
    if (item->kind == TXTAP_ITEM_BYTES && outlet->items.filled_once)
        filled.bytes.length = translation_filled(&outlet->translation, item->bytes.at, item->bytes.length);
    return translation_take(&outlet->translation, &filled);
}

static struct txtap_sink changes_sink(void *self)
{
    struct changes_outlet *outlet = self;
    bool translates = outlet->items.bytes || outlet->items.definitions != NULL;

    return translates ? (struct txtap_sink){take, outlet} : outlet->translation.next;
}

static enum txtap_status changes_begin(void *self, const struct txtap_header *header,
                                       const struct txtap_registry *registry)
{
    struct changes_outlet *outlet = self;

    return printer_begin(&outlet->printer, header, outlet->items.bytes ? &outlet->names : registry);
}

static enum txtap_status changes_flush(void *self, bool *written)
{
    struct changes_outlet *outlet = self;

    return printer_flush(&outlet->printer, written);
}

static enum txtap_status reopen(void *self, struct error *error)
{
    struct changes_outlet *outlet = self;

    return printer_reopen(&outlet->printer, error);
}

static void changes_count(const void *self, struct outlet_counts *counts)
{
    const struct changes_outlet *outlet = self;

    printer_count(&outlet->printer, counts);
    if (outlet->translation.ctf != NULL)
        counts->records = outlet->translation.ctf->ctf.seq;
}

static enum txtap_status changes_close(void *self, enum txtap_status earlier, const struct txtap_event_maker *maker,
                                       struct outlet_counts *counts, struct error *error)
{
    struct changes_outlet *outlet = self;
    enum txtap_status status = earlier;

    if (status >= TXTAP_OK) { /* writes the items that the translation held back */
        enum txtap_status ended = translation_end(&outlet->translation);

        status = ended == TXTAP_OK ? status : ended;
    }
    changes_count(outlet, counts);
    status = printer_close(&outlet->printer, status, maker, counts, error);
    release(outlet);
    return status;
}

static bool takes(const struct outlet_config *config)
{
    return config->format->change != NULL;
}

extern const struct outlet_kind outlet_changes;
const struct outlet_kind outlet_changes = {
    .takes = takes,
    .open = changes_open,
    .sink = changes_sink,
    .begin = changes_begin,
    .flush = changes_flush,
    .reopen = reopen,
    .count = changes_count,
    .close = changes_close,
};

/* ---- the outlet of a format whose output is a directory: a stream, and a file that describes its bytes ---- */

static bool is_directory(const struct outlet_config *config)
{
    return config->format->metadata != NULL;
}

static enum txtap_status append(void *self, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, self) == length ? TXTAP_OK : TXTAP_ERROR_SYSTEM;
}

static enum txtap_status write_metadata(struct txtap_exporter *exporter, const char *directory, struct error *error)
{
    char path[PATH_MAX];
    struct text_maker maker;
    enum txtap_status status = TXTAP_ERROR_SYSTEM;

    if (text_maker_begin(&maker))
        status = exporter->ops->metadata(exporter, (struct txtap_writer){append, maker.out});
    if (!text_maker_end(&maker))
        status = TXTAP_ERROR_SYSTEM;
    if (status != TXTAP_OK)
        failure(error, status, "no memory for the metadata of the trace");
    if (status == TXTAP_OK)
        status = ctf_directory_join(path, directory, CTF_METADATA_NAME, error);
    if (status == TXTAP_OK)
        status = output_whole_file(path, maker.text, maker.length, true, error);
    free(maker.text);
    return status;
}

/* Makes the directory. The caller frees *path. */
static enum txtap_status make_directory(const struct outlet_config *config, char **path, struct error *error)
{
    char joined[PATH_MAX];
    enum txtap_status status;

    *path = NULL;
    if (output_is_standard(config->path))
        return failure(error, TXTAP_ERROR_USAGE, "--format %s: it is a directory\nuse -o DIRECTORY",
                       config->format->name);
    status = ctf_directory_make(config->path, error);
    if (status == TXTAP_OK)
        status = ctf_directory_join(joined, config->path, CTF_STREAM_NAME, error);
    if (status == TXTAP_OK && (*path = strdup(joined)) == NULL)
        status = failure(error, TXTAP_ERROR_SYSTEM, "no memory for the output");
    return status;
}

static enum txtap_status open_directory(void **self, const struct outlet_config *config, struct error *error)
{
    struct outlet_config stream = *config;
    struct changes_outlet *outlet;
    char *path;
    enum txtap_status status = make_directory(config, &path, error);

    stream.path = path;
    if (status == TXTAP_OK)
        status = changes_open(self, &stream, error);
    if (status != TXTAP_OK) {
        free(path);
        return status;
    }
    outlet = *self;
    outlet->path = path;
    status = write_metadata(&outlet->printer.exporter, config->path, error);
    if (status != TXTAP_OK)
        (void)changes_close(outlet, status, NULL, &(struct outlet_counts){0}, error);
    return status;
}

extern const struct outlet_kind outlet_directory;
const struct outlet_kind outlet_directory = {
    .takes = is_directory,
    .open = open_directory,
    .sink = changes_sink,
    .begin = changes_begin,
    .flush = changes_flush,
    .count = changes_count,
    .close = changes_close,
};
