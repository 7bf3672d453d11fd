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
#include "base/text_maker.h"
#include "file/ctf_directory.h"
#include "file/definitions_file.h"
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
                                     bool overwrite, struct error *error)
{
    enum txtap_status status = output_open(&printer->output, path, overwrite, error);

    printer->output.file.binary = ops->binary;
    if (status != TXTAP_OK || !ops->binary || !output_is_terminal(&printer->output))
        return status;
    output_close(&printer->output);
    return failure(error, TXTAP_ERROR_USAGE, "--format %s: refusing to write binary data to a terminal\nuse -o FILE",
                   ops->name);
}

/* A format with metadata has its output in a directory. */
static enum txtap_status open_place(struct printer *printer, const struct txtap_exporter_ops *ops,
                                    const struct options *options, struct error *error)
{
    enum txtap_status status;

    printer->directory = ops->metadata != NULL ? options->output : NULL;
    if (ops->metadata == NULL)
        return open_output(printer, ops, options->output, options->force, error);
    if (output_is_standard(options->output))
        return failure(error, TXTAP_ERROR_USAGE, "--format %s: it is a directory\nuse -o DIRECTORY", ops->name);
    status = ctf_directory_make(printer->directory, error);
    if (status == TXTAP_OK)
        status = ctf_directory_join(printer->path, printer->directory, CTF_STREAM_NAME, error);
    return status == TXTAP_OK ? open_output(printer, ops, printer->path, options->force, error) : status;
}

static enum txtap_status append(void *self, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, self) == length ? TXTAP_OK : TXTAP_ERROR_SYSTEM;
}

static enum txtap_status write_metadata(struct printer *printer, struct error *error)
{
    char path[PATH_MAX];
    struct text_maker maker;
    enum txtap_status status = TXTAP_ERROR_SYSTEM;

    if (text_maker_begin(&maker))
        status = printer->exporter.ops->metadata(&printer->exporter, (struct txtap_writer){append, maker.out});
    if (!text_maker_end(&maker))
        status = TXTAP_ERROR_SYSTEM;
    if (status != TXTAP_OK)
        failure(error, status, "no memory for the metadata of the trace");
    if (status == TXTAP_OK)
        status = ctf_directory_join(path, printer->directory, CTF_METADATA_NAME, error);
    if (status == TXTAP_OK)
        status = output_whole_file(path, maker.text, maker.length, true, error);
    free(maker.text);
    return status;
}

/* Seconds east of Greenwich, now. */
static int32_t utc_offset_s(void)
{
    time_t now = (time_t)(wall_us() / 1000000);
    struct tm local;

    return localtime_r(&now, &local) ? (int32_t)local.tm_gmtoff : 0;
}

/* What may be collected in front of the queue, and a few lines more. */
#define ROOM_BYTES (TXTAP_EXPORTER_CHUNK_BYTES + OUTPUT_BUFFER_BYTES + 16384)

static bool has_room(const void *self, bool after_loss)
{
    const struct printer *printer = self;

    return output_room(&printer->output) >= (after_loss ? printer->resume_room : ROOM_BYTES);
}

/* What the trace is of, for a format that names it: the file of the firmware, or of the trace. NULL: not known. */
static const char *title_of(const struct options *options)
{
    const char *path = options->target.elf != NULL ? options->target.elf
                       : options->file_count > 0   ? options->files[0]
                                                   : NULL;
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;

    return slash != NULL ? slash + 1 : path;
}

#define THREADS_MAX 1024 /* whose changes an export shows */
#define OBJECTS_MAX 4096

/* A format of changes shows what all events mean, and chooses itself which of them it shows. */
static enum txtap_status open_changes(struct printer *printer, const struct options *options, struct error *error)
{
    const struct txtap_change_limits limits = {.threads = THREADS_MAX, .objects = OBJECTS_MAX};
    struct txtap_exporter *exporter = &printer->exporter;

    if (exporter->ops->change == NULL)
        return TXTAP_OK;
    printer->changes = malloc(txtap_exporter_changes_bytes(exporter->ops, &limits));
    if (!printer->changes)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for --format %s", exporter->ops->name);
    exporter->changes = (struct txtap_exporter_changes){
        .memory = printer->changes, .limits = limits, .filter = &options->filter.filter};
    if (!(options->tick_hz > 0) && !options->quiet)
        fprintf(stderr, "txtap: --format %s: 1 tick is shown as 1 us: --hz says how long it is\n", exporter->ops->name);
    return TXTAP_OK;
}

static enum txtap_status open_gzip(struct printer *printer, struct error *error)
{
    enum txtap_status status = gzip_open(&printer->gzip, &printer->output, error);

    if (status == TXTAP_OK)
        printer->exporter.writer = gzip_writer(printer->gzip);
    return status;
}

enum txtap_status printer_open(struct printer *printer, const struct options *options, struct error *error)
{
    const struct txtap_exporter_ops *ops = txtap_exporter_find(options->format);
    enum txtap_status status =
        definitions_load(&printer->definitions, options->ring.definitions, options->filter.definitions,
                         options->filter.definitions_count, options->quiet, error);

    if (status == TXTAP_OK)
        status = open_place(printer, ops, options, error);
    if (status != TXTAP_OK) {
        definitions_free(printer->definitions);
        return status;
    }
    printer->quiet = options->quiet;
    printer->resume_room = options->buffer_bytes / 2;
    printer->kept = NULL;
    printer->changes = NULL;
    printer->gzip = NULL;
    printer->limit = (struct limit){.next = {txtap_exporter_take, &printer->exporter}, .most = options->limit};
    printer->overflow = (struct overflow){.next = {limit_take, &printer->limit}, .has_room = has_room, .self = printer};
    printer->choice = (struct choice){
        .next = {overflow_take, &printer->overflow}, .filter = &options->filter.filter, .exporter = &printer->exporter};
    printer->exporter = (struct txtap_exporter){
        .ops = ops,
        .writer = output_writer(&printer->output),
        .definitions = printer->definitions,
        .options = {.tick_hz = options->tick_hz,
                    .time = options->time,
                    .color = wants_color(options, &printer->output),
                    .wide = options->wide,
                    .width = options->wide ? 0 : output_columns(&printer->output),
                    .host_time = options->host_time,
                    .utc_offset_s = utc_offset_s(),
                    .profile = options->filter.profile,
                    .columns = options->filter.columns,
                    .title = title_of(options)},
        .memory = &printer->memory,
    };
    status = open_changes(printer, options, error);
    if (status == TXTAP_OK && gzip_is_named(options->output) && !ops->whole_buffer && ops->metadata == NULL)
        status = open_gzip(printer, error);
    if (status == TXTAP_OK && ops->metadata != NULL)
        status = write_metadata(printer, error);
    if (status != TXTAP_OK) {
        output_close(&printer->output);
        definitions_free(printer->definitions);
    }
    return status;
}

enum txtap_status printer_open_before(struct printer *printer, const struct options *options, struct txtap_sink next,
                                      struct error *error)
{
    struct options choosing = *options;
    enum txtap_status status;

    choosing.format = "text";
    choosing.output = NULL;
    status = printer_open(printer, &choosing, error);
    printer->choice.filter = &options->filter.filter;
    printer->limit.next = next;
    return status;
}

struct txtap_sink printer_sink(struct printer *printer)
{
    if (printer->exporter.ops->change != NULL)
        return printer->choice.next;
    return (struct txtap_sink){choice_take, &printer->choice};
}

enum txtap_status printer_give_buffer(struct printer *printer, const struct txtap_header *header, const uint8_t *bytes,
                                      size_t length, struct error *error)
{
    uint32_t entries = txtap_header_ring_entries(header);

    if (!printer->exporter.ops->whole_buffer)
        return TXTAP_OK;
    printer->kept = calloc(entries, TXTB_ENTRY_BYTES);
    if (!printer->kept)
        return failure(error, TXTAP_ERROR_SYSTEM, "out of memory for a trace buffer of %zu bytes", length);
    printer->exporter.image = (struct txtap_exporter_image){bytes, length, printer->kept};
    return TXTAP_OK;
}

enum txtap_status printer_begin(struct printer *printer, const struct txtap_header *header,
                                const struct txtap_registry *registry)
{
    printer->exporter.header = header;
    printer->exporter.registry = registry;
    if (!printer->quiet)
        name_check_objects(printer->choice.filter, registry);
    return printer->exporter.ops->begin(&printer->exporter);
}

enum txtap_status printer_reopen(struct printer *printer, struct error *error)
{
    enum txtap_status status = printer->exporter.ops->end(&printer->exporter);

    if (status == TXTAP_OK && printer->gzip != NULL)
        status = gzip_end(printer->gzip);
    if (status == TXTAP_OK)
        status = output_reopen(&printer->output, error);
    return status == TXTAP_OK ? printer->exporter.ops->begin(&printer->exporter) : status;
}

enum txtap_status printer_flush(struct printer *printer)
{
    enum txtap_status status = txtap_exporter_flush(&printer->exporter);

    if (!printer->exporter.options.wide) /* the terminal may have another size by now */
        printer->exporter.options.width = output_columns(&printer->output);

    if (status != TXTAP_OK)
        return status;
    return printer->gzip != NULL ? gzip_flush(printer->gzip) : output_flush(&printer->output);
}

void printer_warn(const struct printer *printer, const struct options *options, const struct txtap_event_maker *maker)
{
    unsigned notices = txtap_clock_notices(&maker->clock);

    for (unsigned bit = 1; bit <= notices && !options->quiet; bit <<= 1)
        if (notices & bit)
            fprintf(stderr, "txtap: %s\n", txtap_clock_notice_text(bit));
    if (printer->overflow.events > 0 && !options->quiet)
        fprintf(stderr,
                "txtap: %s was not read fast enough: %" PRIu64 " event%s lost: a larger --buffer lasts longer\n",
                printer->output.name, printer->overflow.events, plural(printer->overflow.events));
    if (txtap_host_time_doubtful(&maker->host_time, &maker->clock) && !options->quiet)
        fprintf(
            stderr,
            "txtap: before some events (marked ~) the time stamp counter may have wrapped more or less often than is "
            "shown%s\n",
            options->tick_hz > 0 ? "" : ": --hz helps");
    if (printer->limit.events == 0 && printer->choice.left_out > 0 && !options->quiet)
        fprintf(stderr, "txtap: no event matched: %" PRIu64 " %s read\n", printer->choice.left_out,
                printer->choice.left_out == 1 ? "was" : "were");
    if (printer->choice.undecided > 0 && !options->quiet)
        fprintf(stderr,
                "txtap: %" PRIu64 " of the events left out may match: the name of their thread or object is not known; "
                "choose them by address\n",
                printer->choice.undecided);
}

/* After a failure the lines that were collected are still written, but a trx file would lack events. */
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

enum txtap_status printer_close(struct printer *printer, enum txtap_status earlier, struct error *error)
{
    enum txtap_status status = end_export(printer, earlier), closed;
    bool whole_buffer = printer->exporter.ops->whole_buffer;

    if (status == TXTAP_ERROR_SYSTEM && !error_is_set(error))
        failure(error, status, "%s: cannot be written: %s", printer->output.name, strerror(errno));
    closed = output_close(&printer->output);
    if (whole_buffer && (status < TXTAP_OK || closed < TXTAP_OK))
        output_discard(&printer->output);
    free(printer->kept);
    free(printer->changes);
    gzip_free(printer->gzip);
    printer->gzip = NULL;
    printer->changes = NULL;
    printer->kept = NULL;
    definitions_free(printer->definitions);
    printer->exporter.definitions = printer->definitions = NULL;
    if (closed == ERROR_INTERRUPTED)
        return failure(error, closed, "%s: nobody reads it: the last lines were not written", printer->output.name);
    if (closed == TXTAP_ERROR_SYSTEM && status >= TXTAP_OK)
        return failure(error, closed, "%s: cannot be written: %s: %s", printer->output.name, strerror(errno),
                       whole_buffer ? "nothing of it is kept" : "what was written before is whole");
    return status;
}
