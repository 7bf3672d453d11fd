/* SPDX-License-Identifier: MIT */
/* Events through an exporter to an output. Does not know where the events come from. */
#include "output/printer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/runtime.h"
#include "base/wall_offset.h"
#include "output/name_check.h"
#include "output/report.h"

static bool wants_color(const struct options *options, const struct output *output)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");

    if (options->color != COLOR_AUTO)
        return options->color == COLOR_ALWAYS;
    return output_is_terminal(output) && !(no_color && *no_color) && !(terminal && strcmp(terminal, "dumb") == 0);
}

static enum txtap_status open_output(struct printer *printer, const struct txtap_exporter_ops *ops, const char *path,
                                     bool overwrite, char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = output_open(&printer->output, path, overwrite, error);

    if (status != TXTAP_OK || !ops->whole_buffer || !output_is_terminal(&printer->output))
        return status;
    output_close(&printer->output);
    return failure(error, TXTAP_ERROR_USAGE, "--format %s: refusing to write binary data to a terminal: use -o FILE",
                   ops->name);
}

/* Seconds east of Greenwich, now. */
static int32_t utc_offset_s(void)
{
    time_t now = (time_t)(wall_us() / 1000000);
    struct tm local;

    return localtime_r(&now, &local) ? (int32_t)local.tm_gmtoff : 0;
}

enum txtap_status printer_open(struct printer *printer, const struct options *options,
                               const struct txtap_header *header, char error[static ERROR_TEXT_BYTES])
{
    const struct txtap_exporter_ops *ops = txtap_exporter_find(options->format);
    enum txtap_status status =
        definitions_load(&printer->definitions, options->ring.definitions, options->filter.definitions,
                         options->filter.definitions_count, options->quiet, error);

    if (status == TXTAP_OK)
        status = open_output(printer, ops, options->output, options->force, error);
    if (status != TXTAP_OK) {
        definitions_free(printer->definitions);
        return status;
    }
    printer->filter = &options->filter.filter;
    printer->header = *header;
    printer->limit = options->limit;
    printer->quiet = options->quiet;
    printer->printed = printer->left_out = 0;
    printer->overflow = (struct overflow){.lost = 0};
    printer->resume_room = options->buffer_bytes / 2;
    printer->kept = NULL;
    printer->words = NULL;
    memset(&printer->memory, 0, sizeof printer->memory);
    txtap_clock_init(&printer->clock, header->timer_mask);
    txtap_host_time_init(&printer->host_time, options->tick_hz);
    printer->unix_offset_us = wall_offset_us(wall_us, now_us);
    printer->exporter = (struct txtap_exporter){
        .ops = ops,
        .writer = output_writer(&printer->output),
        .header = &printer->header,
        .definitions = printer->definitions,
        .options = {.tick_hz = options->tick_hz,
                    .time = options->time,
                    .color = wants_color(options, &printer->output),
                    .wide = options->wide,
                    .width = options->wide ? 0 : output_columns(&printer->output),
                    .host_time = options->host_time,
                    .utc_offset_s = utc_offset_s(),
                    .profile = options->filter.profile,
                    .columns = options->filter.columns},
        .memory = &printer->memory,
    };
    return TXTAP_OK;
}

/* ---- a reader that is too slow ---- */

/* All that may stand between here and the queue, and a few lines more. */
#define ROOM_BYTES (TXTAP_EXPORTER_CHUNK_BYTES + OUTPUT_BUFFER_BYTES + 16384)

static bool has_room(const struct printer *printer)
{
    size_t room = output_room(&printer->output);

    /* Once something was lost there is no hurry: fewer and larger gaps. */
    return room >= (printer->overflow.lost > 0 ? printer->resume_room : ROOM_BYTES);
}

static enum txtap_status write_overflow(struct printer *printer)
{
    struct txtap_gap gap;

    return overflow_take(&printer->overflow, &gap) ? printer->exporter.ops->gap(&printer->exporter, &gap) : TXTAP_OK;
}

/* ---- the sink ---- */

static enum txtap_status print_entry(void *self, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq, bool unsettled)
{
    struct printer *printer = self;
    struct txtap_event event;
    enum txtap_status status;

    txtap_event_parse(entry, &printer->header, &event);
    event.seq = seq;
    event.unsettled = unsettled;
    event.words = printer->words;
    event.word_count = printer->word_count;
    printer->words = NULL; /* they are of this entry */
    event.ticks = txtap_host_time_unwrap(&printer->host_time, &printer->clock, event.stamp);
    event.ticks_doubtful = txtap_host_time_last_doubtful(&printer->host_time);
    if (txtap_host_time_last_us(&printer->host_time, &event.unix_us))
        event.unix_us += printer->unix_offset_us;
    if (!txtap_filter_passes(printer->filter, printer->exporter.registry, &event,
                             txtap_exporter_row(&printer->exporter, event.id))) {
        printer->left_out++;
        return TXTAP_OK;
    }
    if (!has_room(printer)) {
        overflow_add_event(&printer->overflow, seq);
        return TXTAP_OK;
    }
    status = write_overflow(printer);
    if (status == TXTAP_OK)
        status = printer->exporter.ops->event(&printer->exporter, &event);
    printer->printed++;
    if (status == TXTAP_OK && printer->printed == printer->limit)
        return TXTAP_END;
    return status;
}

static enum txtap_status print_gap(void *self, const struct txtap_gap *gap)
{
    struct printer *printer = self;
    enum txtap_status status;

    if (!has_room(printer)) {
        overflow_add_gap(&printer->overflow, gap);
        return TXTAP_OK;
    }
    status = write_overflow(printer);
    return status == TXTAP_OK ? printer->exporter.ops->gap(&printer->exporter, gap) : status;
}

/* Rare, and never left out. */
static enum txtap_status print_mark(void *self, const struct txtap_mark *mark)
{
    struct printer *printer = self;
    enum txtap_status status = write_overflow(printer);

    return status == TXTAP_OK ? printer->exporter.ops->mark(&printer->exporter, mark) : status;
}

static enum txtap_status begin_restart(void *self, const struct txtap_header *header)
{
    printer_set_header(self, header);
    return TXTAP_OK;
}

static void note_window(void *self, uint64_t from_us, uint64_t to_us)
{
    struct printer *printer = self;

    txtap_host_time_window(&printer->host_time, from_us, to_us);
}

static void note_words(void *self, const uint32_t *words, size_t count)
{
    struct printer *printer = self;

    printer->words = words;
    printer->word_count = count;
}

struct session_sink printer_sink(struct printer *printer)
{
    return (struct session_sink){.entry = print_entry,
                                 .gap = print_gap,
                                 .mark = print_mark,
                                 .restart = begin_restart,
                                 .self = printer,
                                 .window = note_window,
                                 .words = note_words,
                                 .waits_for_names = true};
}

static enum txtap_status survey_entry(void *self, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq, bool unsettled)
{
    struct printer *printer = self;
    struct txtap_event event;

    txtap_event_parse(entry, &printer->header, &event);
    (void)seq;
    (void)txtap_clock_unwrap(&printer->clock, event.stamp);
    (void)unsettled;
    return TXTAP_OK;
}

static enum txtap_status survey_gap(void *self, const struct txtap_gap *gap)
{
    (void)self;
    (void)gap;
    return TXTAP_OK;
}

struct session_sink printer_surveyor(struct printer *printer)
{
    return (struct session_sink){.entry = survey_entry, .gap = survey_gap, .self = printer};
}

enum txtap_status printer_give_buffer(struct printer *printer, const uint8_t *bytes, size_t length,
                                      char error[static ERROR_TEXT_BYTES])
{
    uint32_t entries = txtap_header_ring_entries(&printer->header);

    if (!printer->exporter.ops->whole_buffer)
        return TXTAP_OK;
    printer->kept = calloc(entries, TXTB_ENTRY_BYTES);
    if (!printer->kept)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for a trace buffer of %zu bytes", length);
    printer->exporter.image = (struct txtap_exporter_image){bytes, length, printer->kept};
    return TXTAP_OK;
}

void printer_set_header(struct printer *printer, const struct txtap_header *header)
{
    printer->header = *header;
    txtap_host_time_restart(&printer->host_time, &printer->clock, header->timer_mask);
}

void printer_set_time(struct printer *printer, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t ticks)
{
    struct txtap_event event;

    txtap_event_parse(entry, &printer->header, &event);
    txtap_clock_set(&printer->clock, event.stamp, ticks);
}

enum txtap_status printer_begin(struct printer *printer, const struct txtap_registry *registry)
{
    txtap_clock_settle(&printer->clock); /* without a survey nothing was seen, and nothing changes */
    printer->exporter.registry = registry;
    if (!printer->quiet)
        name_check_objects(printer->filter, registry);
    return printer->exporter.ops->begin(&printer->exporter);
}

enum txtap_status printer_reopen(struct printer *printer, char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = txtap_exporter_flush(&printer->exporter);

    if (status == TXTAP_OK)
        status = output_reopen(&printer->output, error);
    return status == TXTAP_OK ? printer->exporter.ops->begin(&printer->exporter) : status;
}

enum txtap_status printer_flush(struct printer *printer)
{
    enum txtap_status status = txtap_exporter_flush(&printer->exporter);

    if (!printer->exporter.options.wide) /* the terminal may have another size by now */
        printer->exporter.options.width = output_columns(&printer->output);

    return status == TXTAP_OK ? output_flush(&printer->output) : status;
}

void printer_warn(const struct printer *printer, const struct options *options)
{
    unsigned notices = txtap_clock_notices(&printer->clock);

    for (unsigned bit = 1; bit <= notices && !options->quiet; bit <<= 1)
        if (notices & bit)
            fprintf(stderr, "txtap: %s\n", txtap_clock_notice_text(bit));
    if (printer->overflow.events > 0 && !options->quiet)
        fprintf(stderr,
                "txtap: %s was not read fast enough: %" PRIu64 " event%s lost: a larger --buffer lasts longer\n",
                printer->output.name, printer->overflow.events, plural(printer->overflow.events));
    if (txtap_host_time_doubtful(&printer->host_time, &printer->clock) && !options->quiet)
        fprintf(
            stderr,
            "txtap: before some events (marked ~) the time stamp counter may have wrapped more or less often than is "
            "shown%s\n",
            options->tick_hz > 0 ? "" : ": --hz helps");
    if (printer->printed == 0 && printer->left_out > 0 && !options->quiet)
        fprintf(stderr, "txtap: no event matched: %" PRIu64 " %s read\n", printer->left_out,
                printer->left_out == 1 ? "was" : "were");
}

/* After a failure the lines that were collected before it are still good, but trx's buffer would lack its events. */
static enum txtap_status end_export(struct printer *printer, enum txtap_status earlier)
{
    const struct txtap_exporter_ops *ops = printer->exporter.ops;
    enum txtap_status status;

    if (earlier < TXTAP_OK)
        status = printer->exporter.registry ? txtap_exporter_flush(&printer->exporter) : TXTAP_OK;
    else
        status = write_overflow(printer);
    if (earlier >= TXTAP_OK && status == TXTAP_OK)
        status = ops->end(&printer->exporter);
    return earlier < TXTAP_OK || status == TXTAP_OK ? earlier : status;
}

enum txtap_status printer_close(struct printer *printer, enum txtap_status earlier, char error[static ERROR_TEXT_BYTES])
{
    enum txtap_status status = end_export(printer, earlier), closed;
    bool whole_buffer = printer->exporter.ops->whole_buffer;

    if (earlier >= TXTAP_OK && status == TXTAP_ERROR_SYSTEM && printer->exporter.writer.self == &printer->output)
        failure(error, status, "%s: cannot be written: %s", printer->output.name, strerror(errno));
    closed = output_close(&printer->output);
    if (whole_buffer && (status < TXTAP_OK || closed < TXTAP_OK))
        output_discard(&printer->output);
    free(printer->kept);
    printer->kept = NULL;
    definitions_free(printer->definitions);
    printer->exporter.definitions = printer->definitions = NULL;
    if (closed == TXTAP_ERROR_INTERRUPTED)
        return failure(error, closed, "%s: nobody reads it: the last lines were not written", printer->output.name);
    if (closed == TXTAP_ERROR_SYSTEM && status >= TXTAP_OK)
        return failure(error, closed, "%s: cannot be written: %s: %s", printer->output.name, strerror(errno),
                       whole_buffer ? "nothing of it is kept" : "what was written before is whole");
    return status;
}
