/* SPDX-License-Identifier: MIT */
/* txtap decode: the events of a file. Nobody writes to it, so the ring reader of a live target is not needed. */
#include <errno.h>
#include <string.h>

#include "attach/attach.h"
#include "base/runtime.h"
#include "command/commands.h"
#include "command/ctf_ram.h"
#include "command/decode_recording.h"
#include "command/event_logger.h"
#include "file/trace_file.h"
#include "output/printer.h"
#include "output/report.h"
#include "txtap/recording.h"

static enum txtap_status take_item(const struct session_sink *sink, const struct txtap_trace_item *item,
                                   struct session_stats *stats)
{
    enum txtap_status status;
    struct txtap_gap gap;

    if (item->entry != NULL) {
        status = sink->entry(sink->self, item->entry, item->seq, false);
        stats->events += status >= TXTAP_OK;
        return status;
    }
    gap = txtap_trace_gap(item);
    stats->lost += gap.lost;
    stats->lost_estimate += gap.lost;
    stats->gaps++;
    return sink->gap(sink->self, &gap);
}

/* Gives a sink the whole buffer, from its oldest event. */
static enum txtap_status read_all(struct txtap_trace *trace, const struct session_sink *sink,
                                  struct session_stats *stats)
{
    enum txtap_status status = TXTAP_OK;
    struct txtap_trace_item item;

    txtap_trace_rewind(trace);
    while (status == TXTAP_OK) {
        status = txtap_trace_next(trace, &item);
        if (status == TXTAP_OK)
            status = take_item(sink, &item, stats);
    }
    return status;
}

/* What all events together tell and the first one's line needs: which way time counts. */
static enum txtap_status survey(struct printer *printer, struct txtap_trace *trace)
{
    struct session_sink sink = printer_surveyor(printer);
    struct session_stats unused = {0};
    enum txtap_status status = read_all(trace, &sink, &unused);

    return status == TXTAP_END ? TXTAP_OK : status;
}

static enum txtap_status print_all(const struct options *options, struct trace_file *file, struct session_stats *stats,
                                   char error[static ERROR_TEXT_BYTES])
{
    static struct printer printer;
    struct session_sink sink;
    enum txtap_status status = printer_open(&printer, options, &file->trace.header, error);

    if (status != TXTAP_OK)
        return status;
    sink = printer_sink(&printer);
    status = printer_give_buffer(&printer, file->bytes, file->length, error);
    if (status == TXTAP_OK)
        status = survey(&printer, &file->trace);
    if (status == TXTAP_OK)
        status = printer_begin(&printer, &file->trace.registry);
    if (status == TXTAP_OK)
        status = read_all(&file->trace, &sink, stats);
    if (status == TXTAP_ERROR_SYSTEM && !*error)
        failure(error, status, "%s: cannot be written: %s", printer.output.name, strerror(errno));
    status = printer_close(&printer, status, error);
    printer_warn(&printer, options);
    return status;
}

static enum txtap_status decode_buffer(const struct options *options, struct input *input, struct session_stats *stats,
                                       char error[static ERROR_TEXT_BYTES])
{
    static struct trace_file file;
    const struct trace_file_request request = {
        .input = input,
        .has_base = options->has_base,
        .base = options->base,
        .has_address = options->target.has_address,
        .address = options->target.address,
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

static int run_command(const struct options *options)
{
    char error[ERROR_TEXT_BYTES] = "";
    struct session_stats stats = {.lost_exact = true};
    struct input input;
    uint64_t begin = now_us();
    enum txtap_status status = input_open(&input, options->files, options->file_count, error);
    bool cut = false;
    int code;

    if (status == TXTAP_OK) {
        bool is_recording = txtap_recording_signature(input.head, input.head_bytes);

        if (options->file_count > 1 && !is_recording)
            status = failure(error, TXTAP_ERROR_USAGE, "%.160s: not a recording: give one file", options->files[0]);
        else if (is_recording)
            status = decode_recording(options, &input, &stats, &cut, error);
        else if (options->ring.kind->bytes)
            status = ram_decode(options, &input, &stats, error);
        else if (options->ring.kind->by_symbols)
            status = logger_decode(options, &input, &stats, error);
        else
            status = decode_buffer(options, &input, &stats, error);
        input_close(&input);
    }
    if (status < TXTAP_OK)
        report_error(*error ? error : txtap_status_text(status));
    else if (!report_stats_json(options, &stats, (double)(now_us() - begin) / 1e6))
        status = TXTAP_ERROR_SYSTEM;
    code = attach_exit_code(status);
    return code == EXIT_DONE && options->strict && (stats.lost > 0 || stats.unseen || cut) ? EXIT_LOST : code;
}

/* ---- its options ---- */

static const struct argp_option rows[] = {
    {"base", KEY_BASE, "ADDR", 0, "address of the first byte of a file that has no addresses", 0},
    {"address", KEY_BUFFER, "ADDR", 0, "address of the trace buffer, or its offset, if the file has several", 0},
    {"elf", KEY_ELF, "FILE", 0, "the firmware's ELF file, for a ring that is found by symbols", 0},
    {"strict", KEY_STRICT, NULL, 0, "exit code 5 if events are missing", 0},
    {0},
};

static const struct argp_child groups[] = {
    {&options_format, 0, OPTIONS_OUTPUT_HEAD, 1},
    {&options_filter, 0, OPTIONS_FILTER_HEAD, 2},
    {&options_messages, 0, OPTIONS_MESSAGES_HEAD, 3},
    {&ring_options, 0, RING_OPTIONS_HEAD, 4},
    {0},
};

static const struct argp argp = {
    rows,
    options_parse_files,
    "FILE...",
    "Print the events of a trace buffer in a file, or of a recording.\v"
    "FILE is what record or snapshot wrote or TraceX reads (.trx), a dump of RAM, an ELF core file, Intel HEX, "
    "Motorola "
    "S-records or hexadecimal text; - is standard input. What kind it is, its content tells. Several files are those "
    "of one recording.\n\n"
    "A line 'N events lost' stands where the file has no data for them.",
    groups,
    NULL,
    NULL};

const struct command decode_command = {
    .name = "decode",
    .brief = "print the events of a trace file, or of a recording",
    .run = run_command,
    .argp = &argp,
    .reads_files = true,
};
