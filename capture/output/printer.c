/* SPDX-License-Identifier: MIT */
/* Prints events through an exporter to an output. Knows no source of the events. */
#include "output/printer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/runtime.h"
#include "output/report.h"

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

/* What may be collected in front of the queue, and a few lines more. */
#define ROOM_BYTES (TXTAP_EXPORTER_CHUNK_BYTES + OUTPUT_BUFFER_BYTES + 16384)

static bool has_room(const void *self, bool after_loss)
{
    const struct printer *printer = self;

    return output_room(&printer->output) >= (after_loss ? printer->resume_room : ROOM_BYTES);
}

/* ---- opening ---- */

/* Seconds east of Greenwich, now. */
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
}

/* For a format that copies a whole buffer. */
static enum txtap_status set_buffer(struct printer *printer, const struct outlet_buffer *buffer, struct error *error)
{
    printer->kept = calloc(txtap_header_ring_entries(buffer->header), TXTB_ENTRY_BYTES);
    if (printer->kept == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for a trace buffer of %zu bytes", buffer->length);
    printer->exporter.image = (struct txtap_exporter_image){buffer->bytes, buffer->length, printer->kept};
    return TXTAP_OK;
}

enum txtap_status printer_open(struct printer *printer, const struct outlet_config *config, struct error *error)
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

enum txtap_status printer_begin(void *self, const struct txtap_header *header, const struct txtap_registry *registry)
{
    struct printer *printer = self;

    printer->exporter.header = header;
    printer->exporter.registry = registry;
    event_view_begin(&printer->view, registry);
    return printer->exporter.ops->begin(&printer->exporter);
}

enum txtap_status printer_reopen(void *self, struct error *error)
{
    struct printer *printer = self;
    enum txtap_status status = printer->exporter.ops->end(&printer->exporter);

    if (status == TXTAP_OK && printer->gzip != NULL)
        status = gzip_end(printer->gzip);
    if (status == TXTAP_OK)
        status = output_reopen(&printer->output, error);
    return status == TXTAP_OK ? printer->exporter.ops->begin(&printer->exporter) : status;
}

enum txtap_status printer_flush(void *self, bool *written)
{
    struct printer *printer = self;
    enum txtap_status status = txtap_exporter_flush(&printer->exporter);

    if (!printer->exporter.options.wide) /* the terminal may have another size by now */
        printer->exporter.options.width = output_columns(&printer->output);
    if (status == TXTAP_OK)
        status = printer->gzip != NULL ? gzip_flush(printer->gzip) : output_flush(&printer->output);
    *written = output_is_written(&printer->output);
    return status;
}

void printer_count(const void *self, struct outlet_counts *counts)
{
    const struct printer *printer = self;

    counts->unread_events = printer->overflow.events;
    counts->unread_gaps = printer->overflow.gaps;
    counts->undecided = printer->view.choice.undecided;
}

/* ---- closing ---- */

/* After a failure the lines that were collected are still written, but a copy of a buffer would lack events. */
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

/* Returns how closing the file went, after status. */
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
        fprintf(stderr,
                "txtap: %s was not read fast enough: %" PRIu64 " event%s lost: a larger --buffer lasts longer\n",
                printer->output.name, printer->overflow.events, plural(printer->overflow.events));
    if (maker != NULL)
        event_view_warn(&printer->view, maker);
}

enum txtap_status printer_close(void *self, enum txtap_status earlier, const struct txtap_event_maker *maker,
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
