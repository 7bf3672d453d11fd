/* SPDX-License-Identifier: MIT */
/* txtap decode: prints the events of a file. Nobody writes to it, so it needs no ring reader. */
#include <stdlib.h>

#include "attach/attach.h"
#include "base/runtime.h"
#include "command/commands.h"
#include "command/decode_recording.h"
#include "command/read_ring.h"
#include "output/outlet.h"
#include "command/tally.h"
#include "file/trace_file.h"
#include "output/report.h"
#include "probe/image.h"
#include "txtap/recording.h"

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

/* ---- rings that are found by symbols ---- */

/* The file holds the target's memory. */
static enum txtap_status decode_memory(const struct options *options, struct input *input, struct stream_stats *stats,
                                       struct error *error)
{
    static struct attachment attachment; /* to a file instead of a target */
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

/* The file is a dump of the ring: only its records say how much of it is filled. */
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

static int run_command(const struct options *options)
{
    struct error error = {0};
    struct stream_stats stats = {.lost_exact = true};
    struct input input;
    uint64_t begin = now_us();
    enum txtap_status status = input_open(&input, options->files, options->file_count, &error);
    bool cut = false;
    int code;

    if (status == TXTAP_OK) {
        bool is_recording = txtap_recording_signature(input.head, input.head_bytes);

        if (options->file_count > 1 && !is_recording)
            status = failure(&error, TXTAP_ERROR_USAGE, "%.160s: not a recording\ngive one file", options->files[0]);
        else if (is_recording)
            status = decode_recording(options, &input, &stats, &cut, &error);
        else if (options->target.ring.kind->by_symbols)
            status = options->target.elf != NULL ? decode_memory(options, &input, &stats, &error)
                                                 : decode_bytes(options, &input, &stats, &error);
        else
            status = decode_buffer(options, &input, &stats, &error);
        input_close(&input);
    }
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
    {"address", KEY_BUFFER, "ADDR", 0, "address of the trace buffer, or its offset, if the file has several", 0},
    {"elf", KEY_ELF, "FILE", 0, "the firmware's ELF file, for a ring that is found by symbols", 0},
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
    .operands = "FILE...",
    .help = "Print the events of a trace buffer in a file, or of a recording.\v"
            "FILE is what record or snapshot wrote, a .trx file of TraceX, a dump of RAM, an ELF core file, "
            "Intel HEX, "
            "Motorola S-records or hexadecimal text; txtap recognises it by its content. - is standard input. "
            "Several files "
            "must be those of one recording.\n\n"
            "A line 'N events lost' stands where events are missing in the file.",
    .groups = groups,
    .reads_files = true,
};
