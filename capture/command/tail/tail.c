/* SPDX-License-Identifier: MIT */
/* txtap tail: prints the events of a running target. */
#include "attach/attach.h"
#include "base/runtime.h"
#include "command/check_watch.h"
#include "command/commands.h"
#include "command/hold.h"
#include "command/run_loop.h"
#include "command/tail/tail_board.h"
#include "file/definitions_file.h"
#include "nats/place.h"
#include "output/name_check.h"
#include "output/outlet.h"
#include "output/output.h"
#include "store/board.h"

#define FLUSH_US 20000 /* longest delay of output, even if a slow probe leaves no idle time between polls */

struct tail {
    struct outlet outlet;
    struct hold hold; /* before the outlet, if the firmware's clock may become the rate of the time stamps */
    struct identity identity;
    struct check_watch watch;              /* a sink that takes items before the outlet does */
    const struct txtap_channels *channels; /* of samples; NULL: no samples */
    struct run_loop loop;
    const struct options *options;
    uint64_t flushed_us;
    struct error error; /* error of after_step() */
};

/* Opens the output file again, after SIGHUP. Ends tail if the output is no file, or if the terminal was closed. */
static enum txtap_status reopen(struct tail *tail)
{
    if (output_is_standard(tail->loop.options->output) || terminal_is_gone())
        return TXTAP_END;
    return outlet_reopen(&tail->outlet, &tail->error);
}

/* Copies the outlet's counts to the loop, for the summary. */
static void take_figures(struct tail *tail)
{
    const struct outlet_counts *counts;

    if (tail->outlet.kind == NULL) /* it is not open yet */
        return;
    counts = outlet_count(&tail->outlet);
    tail->loop.unread_events = counts->unread_events;
    tail->loop.unread_gaps = counts->unread_gaps;
    tail->loop.undecided = counts->undecided;
    tail->loop.records = counts->records;
}

static enum txtap_status after_step(void *self, bool idle)
{
    struct tail *tail = self;
    const struct txtap_rate rate = run_loop_rate(&tail->loop);
    uint64_t now = now_us();
    enum txtap_status status;
    bool written;

    check_watch_rate(&tail->watch, &rate);
    status = check_watch_step(&tail->watch);
    take_figures(tail);
    if (status != TXTAP_OK)
        return status;
    if (tail->hold.holds) {
        bool is_known = rate.how == TXTAP_RATE_FIRMWARE;

        if (!is_known && !hold_is_over(&tail->hold))
            return TXTAP_OK;
        status = hold_end(&tail->hold);
        if (status != TXTAP_OK)
            return status;
    }
    if (reopen_requested())
        return reopen(tail);
    tail->loop.output_busy = true;
    if (!idle && now - tail->flushed_us <= FLUSH_US)
        return TXTAP_OK;
    tail->flushed_us = now;
    status = outlet_flush(&tail->outlet, &written);
    tail->loop.output_busy = !written;
    return status;
}

static enum txtap_status open_outlet(struct tail *tail, struct error *error)
{
    struct outlet_config config = options_outlet(tail->options);

    config.queue_bytes = tail->options->buffer_bytes;
    config.view.identity = &tail->identity;
    config.channels = tail->channels;
    if (tail->loop.used_hz > 0)
        config.view.tick_hz = tail->loop.used_hz;
    return outlet_open(&tail->outlet, &config, error);
}

/* Opens the outlet when it is known whether the firmware's clock is the rate of the time stamps. The output keeps this
 * unit until its end. */
static enum txtap_status begin_output(void *self)
{
    struct tail *tail = self;
    const struct poller *poller = &tail->loop.stream.poller;
    const struct txtap_rate rate = run_loop_rate(&tail->loop);
    enum txtap_status status;

    tail->loop.hurries = false;
    if (rate.how == TXTAP_RATE_FIRMWARE)
        tail->loop.used_hz = rate.hz;
    status = open_outlet(tail, &tail->error);
    if (status != TXTAP_OK)
        return TXTAP_ERROR_SYSTEM;
    tail->hold.next = outlet_sink(&tail->outlet);
    return outlet_begin(&tail->outlet, &poller->header, &poller->registry);
}

static enum txtap_status take_violation(void *self, const struct txtap_mark *mark)
{
    struct tail *tail = self;

    return run_loop_mark(&tail->loop, mark);
}

static int follow(struct tail *tail, const struct options *options, struct attachment *attachment, struct error *error)
{
    const struct poller *poller = &tail->loop.stream.poller;
    const bool holds = tail->hold.holds;
    const struct txtap_sink sink = check_watch_sink(&tail->watch, holds ? (struct txtap_sink){hold_take, &tail->hold}
                                                                        : outlet_sink(&tail->outlet));
    enum txtap_status status = run_loop_begin(&tail->loop, options, attachment, sink, false, error), judged, begun;

    if (status != TXTAP_OK) {
        if (!holds)
            (void)outlet_close(&tail->outlet, status, &poller->maker, error);
        return status_exit_code(status);
    }
    tail->loop.hurries = holds;
    if (!holds)
        status = outlet_begin(&tail->outlet, &poller->header, &poller->registry);
    if (status == TXTAP_OK)
        status = run_loop_run(&tail->loop, after_step, tail, error);
    check_watch_stacks(&tail->watch, &tail->loop);
    judged = check_watch_finish(&tail->watch);
    begun = hold_end(&tail->hold);
    if (status >= TXTAP_OK && begun < TXTAP_OK)
        status = begun;
    if (status == TXTAP_ERROR_SYSTEM && error_is_set(&tail->error))
        *error = tail->error;
    if (status >= TXTAP_OK && judged < TXTAP_OK)
        status = judged;
    if (tail->outlet.kind != NULL) /* NULL: it could not be opened */
        status = outlet_close(&tail->outlet, status, &poller->maker, error);
    take_figures(tail);
    return check_watch_end(&tail->watch, run_loop_end(&tail->loop, status, error), error);
}

/* Checks the names of interrupts before the first event, because the outlet may be opened much later. */
static enum txtap_status check_names(const struct tail *tail, struct error *error)
{
    const struct filter_options *filter = &tail->options->filter;
    struct txtap_definitions *definitions;
    enum txtap_status status;

    if (!filter->filter.has_kind[TXTAP_FILTER_INTERRUPT])
        return TXTAP_OK;
    status = definitions_load(&definitions, tail->options->target.ring.kind->definitions, &tail->identity,
                              filter->definitions, filter->definitions_count, true, error);
    if (status == TXTAP_OK)
        status = name_check_interrupts(&filter->filter, definitions, "--isr", error);
    definitions_free(definitions);
    return status;
}

static int run(const struct options *options, struct attachment *attachment, struct error *error)
{
    static struct tail tail;
    enum txtap_status status =
        check_watch_open(&tail.watch, options, &tail.loop.stream.poller.registry, now_us, wall_us, error);
    int code;

    if (status != TXTAP_OK)
        return status_exit_code(status);
    tail.options = options;
    tail.channels = attachment->guests != NULL ? &attachment->guests->channels : NULL;
    tail.watch.marks.take = take_violation;
    tail.watch.marks.self = &tail;
    attach_identity(attachment, &tail.identity);
    status = check_watch_learn(&tail.watch, &tail.identity, error);
    if (status == TXTAP_OK)
        status = check_names(&tail, error);
    tail.hold = (struct hold){.holds = options->tick_hz == 0 && attach_has_core_clock(attachment),
                              .begin = begin_output,
                              .self = &tail,
                              .now_us = now_us};
    if (status == TXTAP_OK && !tail.hold.holds)
        status = open_outlet(&tail, error);
    code = status == TXTAP_OK ? follow(&tail, options, attachment, error) : status_exit_code(status);
    check_watch_close(&tail.watch);
    identity_free(&tail.identity);
    return code;
}

static int run_command(const struct options *options)
{
    return options->file_count > 0 ? tail_board(options) : run_attached(options, options->target.elf, run);
}

/* ---- its options ---- */

/* An operand is the firmware's ELF file, or a board: a folder or a subject of a NATS server. */
static error_t parse_operand(int key, char *text, struct argp_state *state)
{
    static const char *folder; /* used until the program ends */
    struct options *options = state->input;

    if (key != ARGP_KEY_ARG || (options->file_count == 0 && !board_is(text) && !nats_is_place(text)))
        return options_parse_elf(key, text, state);
    if (options->file_count > 0 || options->target.elf != NULL)
        option_error(state, "the folder of a board is the only operand");
    folder = text;
    options->files = &folder;
    options->file_count = 1;
    return 0;
}

static const struct argp_option rows[] = {
    {"buffer", KEY_OUTPUT_BUFFER, "SIZE", 0,
     "output buffer size (default 64M); when it is full, events are dropped and reported", 0},
    {"host-time", KEY_HOST_TIME, NULL, 0, "also show when each event was written, by this host's clock", 0},
    {0},
};

static const struct argp_child format[] = {{&options_format, 0, NULL, 0}, {0}};
static const struct argp output = {rows, options_parse_with, NULL, NULL, format, NULL, NULL};

static const struct argp_child groups[] = {
    {&output, 0, OPTIONS_OUTPUT_HEAD, 1},
    {&options_filter, 0, OPTIONS_FILTER_HEAD, 2},
    {&options_stream, 0, OPTIONS_STREAM_HEAD, 3},
    {&options_samples, 0, OPTIONS_SAMPLES_HEAD, 4},
    {&options_check, 0, OPTIONS_CHECK_HEAD, 5},
    {&options_messages, 0, OPTIONS_MESSAGES_HEAD, 6},
    {&options_target, 0, OPTIONS_TARGET_HEAD, 7},
    {&options_ring, 0, OPTIONS_RING_HEAD, 8},
    {0},
};

const struct command tail_command = {
    .name = "tail",
    .brief = "follow the events of a running target until Ctrl-C",
    .run = run_command,
    .parser = parse_operand,
    .operands = "[ELF | FOLDER]",
    .common = "hz definitions output seconds probe",
    .help =
        "Follow the trace events of a running target until Ctrl-C.\v"
        "The target is read through a debug probe while it runs; it is never halted and never written to. ELF is "
        "the firmware's "
        "ELF file: it says where the trace buffer is. Without it txtap searches RAM. FOLDER, or nats://HOST/SUBJECT "
        "in its place, has the recordings of a board: the newest is followed while 'txtap record --store' writes "
        "it, and then the next.\n\n"
        "A line 'N events lost' shows where events were overwritten before txtap read them.\n\nA line 'check' is "
        "printed when a CHECK fails. See txtap-report(1) for the syntax.",
    .groups = groups,
    .streams = true,
};
