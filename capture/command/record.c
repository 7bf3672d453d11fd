/* SPDX-License-Identifier: MIT */
/* txtap record: writes the events of a running target to files until it is stopped. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/attach.h"
#include "base/compress.h"
#include "base/files.h"
#include "base/option_values.h"
#include "base/runtime.h"
#include "command/check_watch.h"
#include "command/commands.h"
#include "command/final_stacks.h"
#include "command/run_loop.h"
#include "crash/crash_files.h"
#include "file/definitions_file.h"
#include "nats/place.h"
#include "options/begin.h"
#include "output/event_view.h"
#include "output/name_check.h"
#include "output/output.h"
#include "output/report.h"
#include "record/alarms.h"
#include "record/recorder.h"

#define STORE_FILE_SECONDS 3600
#define STORE_NAME         "%Y-%m-%dT%H%M%S.rec"

/* In a place of NATS. A reader begins with a file, so files are short. */
#define NATS_FILE_SECONDS 60
#define NATS_FILE_BYTES   4000000

struct record {
    struct recording recording;
    struct check_watch watch; /* a sink that takes items before `recording` does */
    struct run_loop loop;
    struct alarms alarms;                  /* a sink between `watch` and `recording`, with --alarms */
    struct crash_files crashes;            /* with --on-fault */
    struct identity identity;              /* written to the recording */
    struct txtap_definitions *definitions; /* or NULL */
};

/* Copies the counts of lost events from the recording to the loop, for the summary. */
static void take_figures(struct record *record)
{
    record->loop.unread_events = record->recording.overflow.events;
    record->loop.unread_gaps = record->recording.overflow.gaps;
}

/* ---- --on-fault ---- */

#define CRASH_STEP_US 10000   /* time for copying RAM between two exchanges of the ring */
#define CRASH_END_US  3000000 /* time for completing a copy at the end of the recording */

static enum txtap_status open_crashes(struct record *record, const struct options *options,
                                      const struct attachment *attachment, struct error *error)
{
    const struct locate_wish *wished = &options->target.ring.wished;
    const struct crash_files_setup setup = {
        .directory = options->record.on_fault,
        .max = options->record.fault_limit,
        .elf = attachment->elf,
        .ram = wished->ram,
        .ram_count = wished->ram_count,
        .ring = attachment->ring,
        .quiet = options->quiet,
        .now_us = now_us,
        .wall_us = wall_us,
    };

    if (setup.directory == NULL)
        return TXTAP_OK;
    if (!attachment->live || attachment->config.probe.gdb.intrusive)
        return failure(error, TXTAP_ERROR_USAGE,
                       "--on-fault needs a target that runs while txtap reads it\nrecord without --on-fault");
    return crash_files_open(&record->crashes, &setup, error);
}

static void step_crashes(struct record *record, uint64_t limit_us)
{
    struct run_loop *loop = &record->loop;
    const struct poller_place place = attach_place(loop->attachment);

    if (loop->options->record.on_fault == NULL)
        return;
    crash_files_step(&record->crashes, &loop->faults, &place, loop->stream.state == STREAM_READING, limit_us);
    loop->hurries = record->crashes.busy;
}

/* Completes the files of a fault that was seen just before the end. */
static void end_crashes(struct record *record)
{
    const struct poller_place place = attach_place(record->loop.attachment);
    uint64_t left = stop_grace_left_us() / 2;

    step_crashes(record, left < CRASH_END_US ? left : CRASH_END_US);
    if (record->crashes.busy)
        crash_files_cut(&record->crashes, &place);
    crash_files_close(&record->crashes);
}

static enum txtap_status after_step(void *self, bool idle)
{
    struct record *record = self;
    const struct txtap_rate rate = run_loop_rate(&record->loop);
    enum txtap_status status;

    (void)idle;
    check_watch_rate(&record->watch, &rate);
    status = check_watch_step(&record->watch);
    take_figures(record);
    step_crashes(record, CRASH_STEP_US);
    recording_set_rate(&record->recording, &rate);
    if (status != TXTAP_OK)
        return status;
    if (reopen_requested()) /* SIGHUP means a closed terminal here, which is a normal end */
        return TXTAP_END;
    return recording_step(&record->recording);
}

static enum txtap_status take_violation(void *self, const struct txtap_mark *mark)
{
    struct record *record = self;

    return run_loop_mark(&record->loop, mark);
}

static enum txtap_status take_trigger(void *self, const struct txtap_mark *mark)
{
    struct record *record = self;

    return recording_fire(&record->recording, mark->text, mark->seq);
}

static enum txtap_status open_watch(struct record *record, const struct options *options, struct error *error)
{
    enum txtap_status status =
        check_watch_open(&record->watch, options, &record->loop.stream.poller.registry, now_us, wall_us, error);

    record->watch.marks.take = take_violation;
    record->watch.triggers.take = take_trigger;
    record->watch.marks.self = record->watch.triggers.self = record;
    return status;
}

static int record_until_end(struct record *record, const struct options *options, struct attachment *attachment,
                            struct error *error)
{
    struct recording *recording = &record->recording;
    struct run_loop *loop = &record->loop;
    const char *elf = attachment->config.elf;
    const struct recording_setup setup = {
        .config = options_record(options),
        .clock = &loop->stream.poller.maker.clock,
        .definitions = record->definitions,
        .firmware = elf ? basename(elf) : NULL, /* without the path, which is private */
        .channels = attachment->guests != NULL ? &attachment->guests->channels : NULL,
        .identity = &record->identity,
        .now_us = now_us,
        .wall_us = wall_us,
    };
    const struct txtap_sink sink =
        check_watch_sink(&record->watch, alarms_sink(&record->alarms, (struct txtap_sink){recording_take, recording},
                                                     recording->rotation.name));
    enum txtap_status status = run_loop_begin(loop, options, attachment, sink, false, error), judged;
    struct error wrong = {0};
    char *stacks;
    int code;

    if (status != TXTAP_OK)
        return status_exit_code(status);
    status = recording_open(recording, &setup, &attachment->place.header, &loop->stream.poller.registry, error);
    if (status != TXTAP_OK) {
        event_stream_free(&loop->stream);
        return status_exit_code(status);
    }
    for (size_t i = 0; i < options->record.trigger_count && !options->quiet; i++)
        name_check_objects(&options->record.triggers[i].filter, &loop->stream.poller.registry);
    status = run_loop_run(loop, after_step, record, error);
    end_crashes(record);
    stacks = final_stacks_text(loop);
    recording_set_stacks(recording, stacks);
    check_watch_stacks(&record->watch, loop);
    judged = check_watch_finish(&record->watch);
    status = recording_close(recording, status >= TXTAP_OK && judged < TXTAP_OK ? judged : status, error);
    judged = alarms_close(&record->alarms, &wrong);
    if (status >= TXTAP_OK && judged < TXTAP_OK) {
        status = judged;
        *error = wrong;
    }
    free(stacks);
    take_figures(record);
    if (!options->quiet)
        event_view_warn_of_clock(&loop->stream.poller.maker);
    code = run_loop_end(loop, status, error);
    if (!options->quiet)
        record_summary(recording, options->store);
    return check_watch_end(&record->watch, code, error);
}

static int run(const struct options *options, struct attachment *attachment, struct error *error)
{
    static struct record record;
    const struct filter_options *meaning = &options->filter;
    const struct publisher_setup published = {.place = options->output,
                                              .spool = options->record.spool,
                                              .spool_bytes = PUBLISHER_SPOOL_BYTES,
                                              .limits = options->record.stream};
    enum txtap_status status;
    int code;

    status = record_describe(&record.identity, options, attachment, error);
    if (status == TXTAP_OK)
        status = definitions_load(&record.definitions, options->target.ring.kind->definitions, &record.identity,
                                  meaning->definitions, meaning->definitions_count, options->quiet, error);
    for (size_t i = 0; i < options->record.trigger_count && status == TXTAP_OK; i++)
        status = name_check_interrupts(&options->record.triggers[i].filter, record.definitions, "--trigger", error);
    if (status == TXTAP_OK)
        status = open_watch(&record, options, error);
    if (status == TXTAP_OK)
        status = check_watch_learn(&record.watch, &record.identity, error);
    if (status == TXTAP_OK)
        status = open_crashes(&record, options, attachment, error);
    if (status == TXTAP_OK && options->record.alarms != NULL)
        status = alarms_open(&record.alarms, options->record.alarms, nats_is_place(options->output) ? &published : NULL,
                             now_us, wall_us, error);
    code = status == TXTAP_OK ? record_until_end(&record, options, attachment, error) : status_exit_code(status);
    (void)alarms_close(&record.alarms, NULL);
    check_watch_close(&record.watch);
    definitions_free(record.definitions);
    identity_free(&record.identity);
    return code;
}

/* Makes the folder of --store, if the store is a folder. */
static enum txtap_status make_store(const struct options *options, struct error *error)
{
    if (options->store == NULL || block_disk_has_prefix(options->store) || make_directories(options->store) == 0)
        return TXTAP_OK;
    return failure(error, TXTAP_ERROR_SYSTEM, "%.140s: no folder can be made there: %s\nchoose another with --store",
                   options->store, strerror(errno));
}

/* Refuses a terminal as output at once, without first waiting for the server. */
static int run_command(const struct options *options)
{
    struct error error;

    if (make_store(options, &error) != TXTAP_OK) {
        report_error(&error);
        return status_exit_code(error.status);
    }
    if (!output_is_standard(options->output) || !isatty(STDOUT_FILENO))
        return run_attached(options, options->target.elf, run);
    failure(&error, TXTAP_ERROR_USAGE, "refusing to write a recording to a terminal\ngive -o PATH or --store DIR");
    report_error(&error);
    return status_exit_code(error.status);
}

/* ---- its options ---- */

static const struct argp_option rows[] = {
    {"output", 'o', "PATH", 0, "file to write, or the first of several; - is standard output", 0},
    {"store", KEY_STORE, "PLACE", 0,
     "instead of -o: write to PLACE, the folder of a board, which is made if it is missing. A file begins each hour, "
     "or "
     "as -G and -C say; its name is the local time. No file is overwritten. Or publish to the NATS server "
     "nats://HOST/SUBJECT, for many readers",
     0},
    {"force", KEY_FORCE, NULL, 0, "overwrite the first file if it exists", 0},
    {"buffer", KEY_OUTPUT_BUFFER, "SIZE", 0,
     "buffer for a disk or pipe that stalls (default 64M); when it is full, events are dropped and reported", 0},
    {"hz", KEY_HZ, "HZ", 0,
     "rate of the time stamps, such as 168M or 32768, if txtap does not find it; also the clock of --before and "
     "--after",
     0},
    {"stats-every", KEY_STATS_EVERY, "TIME", 0, "also write --stats-json at this interval while recording", 0},
    {"alarms", KEY_ALARMS, "FILE", 0,
     "append a line of JSON to FILE for each violated check, fault and reset, with the command that shows the event",
     0},
    {0},
};

/* Refuses a trigger on a variable that is not read. */
static void check_value_triggers(const struct options *options, const struct argp_state *state)
{
    for (size_t i = 0; i < options->record.value_count; i++)
        if (!variable_requests_have(&options->variables, options->record.values[i].name))
            option_error(state, "--trigger: '%s': --watch does not name this variable", options->record.values[i].text);
}

/* Checks the place of a NATS server, and chooses when a file of it is full. */
static void take_nats(struct options *options, const struct argp_state *state)
{
    struct record_options *record = &options->record;
    struct nats_place place;
    struct error error = {0};
    char text[ERROR_TEXT_BYTES];

    if (nats_place_parse(&place, options->store, &error) != TXTAP_OK)
        option_error(state, "--store: %s", error_text(&error, text));
    if (record->file_bytes == 0)
        record->file_bytes = NATS_FILE_BYTES;
    if (record->file_seconds == 0)
        record->file_seconds = NATS_FILE_SECONDS;
    if (record->compress == 0)
        record->compress = COMPRESS_LEVEL_DEFAULT;
}

/* Makes the pattern of the files' names from the folder of a store. A store that is no folder chooses its own names. */
static void take_store(struct options *options, const struct argp_state *state)
{
    static char pattern[PATH_MAX]; /* used until the program ends */
    size_t used = 0;

    if (options->output != NULL || options->force)
        option_error(state, "--store does not work with %s: it never overwrites a file, and chooses the names",
                     options->force ? "--force" : "-o");
    if (options->record.file_count > 0 && options->record.file_bytes > 0)
        option_error(state, "--store keeps all files: give -W with -G alone, to end after N files");
    options->output = options->store;
    if (nats_is_place(options->store)) {
        take_nats(options, state);
        return;
    }
    if (options->record.file_seconds == 0)
        options->record.file_seconds = STORE_FILE_SECONDS;
    if (*options->store == '\0')
        option_error(state, "--store: the name of a folder is missing");
    for (const char *at = options->store; *at != '\0' && used < sizeof pattern - sizeof STORE_NAME - 3; at++) {
        if (*at == '%')
            pattern[used++] = '%';
        pattern[used++] = *at;
    }
    snprintf(pattern + used, sizeof pattern - used, "/%s", STORE_NAME);
    options->output = pattern;
}

static error_t parse_record(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;
    const struct stream_limits *stream = &options->record.stream;

    if (options_parse_with(key, text, state) == 0)
        return 0;
    if (key == ARGP_KEY_END && options->record.trigger_count == 0 && options->filter.profile != 0)
        option_error(state, "--profile needs --trigger: it names the trigger's events");
    if (key == ARGP_KEY_END && options->record.on_fault != NULL && options->target.elf == NULL)
        option_error(state,
                     "--on-fault needs the firmware's ELF file: 'txtap record -o t.rec --on-fault DIR firmware.elf'");
    if (key == ARGP_KEY_END && options->store != NULL)
        take_store(options, state);
    else if (key == ARGP_KEY_END && options->output != NULL && nats_is_place(options->output))
        option_error(state, "-o is for files: give --store nats://HOST/SUBJECT");
    if (key == ARGP_KEY_END && options->record.spool != NULL &&
        (options->store == NULL || !nats_is_place(options->store)))
        option_error(state, "--spool is for --store nats://HOST/SUBJECT");
    if (key == ARGP_KEY_END && stream->seconds + stream->bytes + stream->copies > 0 &&
        (options->store == NULL || !nats_is_place(options->store)))
        option_error(state, "--stream-age, --stream-bytes and --stream-replicas are for --store nats://HOST/SUBJECT");
    if (key == ARGP_KEY_END && options->output && strcmp(options->output, "-") == 0 &&
        (options->record.file_bytes > 0 || options->record.file_seconds > 0))
        option_error(state, "-C and -G are for files: give -o PATH");
    if (key == ARGP_KEY_END && options->stats_seconds > 0 && options->stats_json == NULL)
        option_error(state, "--stats-every needs --stats-json: it repeats the writing of that file");
    if (key == ARGP_KEY_END)
        check_value_triggers(options, state);
    return record_option(&options->record, key, text, state);
}

static const struct argp_child meaning[] = {{&options_meaning, 0, NULL, 0}, {0}};
static const struct argp files = {record_option_rows, parse_record, NULL, NULL, meaning, NULL, NULL};

static const struct argp_child groups[] = {
    {&files, 0, "Files, and triggers:", 1},
    {&options_stream, 0, OPTIONS_STREAM_HEAD, 2},
    {&options_samples, 0, OPTIONS_SAMPLES_HEAD, 3},
    {&options_check, 0, OPTIONS_CHECK_HEAD, 4},
    {&options_messages, 0, OPTIONS_MESSAGES_HEAD, 5},
    {&options_target, 0, OPTIONS_TARGET_HEAD, 6},
    {&options_recorded_ring, 0, OPTIONS_RING_HEAD, 7},
    {0},
};

const struct command record_command = {
    .name = "record",
    .brief = "write the events of a running target to files, without end",
    .run = run_command,
    .rows = rows,
    .parser = options_parse_output,
    .operands = "[ELF]",
    .common = "output seconds file-size hz probe",
    .help = "Write the trace events of a running target to files, until Ctrl-C.\v"
            "The files have txtap's own format. 'txtap decode' prints them, even those that a crash or a power "
            "cut left "
            "unfinished, and converts them for TraceX.",
    .groups = groups,
    .streams = true,
    .records = true,
};
