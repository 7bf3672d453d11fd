/* SPDX-License-Identifier: MIT */
/*
 * txtap top: shows the present state of threads, interrupts and objects. The source is a target, or a file that is
 * replayed. In a replay, a sink delays each event until its time has come, and reads keys meanwhile. The time of rows
 * for a pipe is the time of the trace, so that the rows are the same at any replay speed.
 */
#include <stdlib.h>
#include <string.h>

#include "attach/attach.h"
#include "base/runtime.h"
#include "command/commands.h"
#include "command/operands.h"
#include "command/run_loop.h"
#include "command/top/top_board.h"
#include "command/top/top_lab.h"
#include "command/top/top_live.h"
#include "command/top/top_screen.h"
#include "file/ctf_directory.h"
#include "file/recording_reader.h"
#include "file/trace_file.h"
#include "output/report.h"
#include "output/translation.h"
#include "txtap/recording.h"

/* ---- replay ---- */

#define OBJECTS_MAX 65536 /* most objects at one time; a file may have more over its whole time */
#define KEYS_US     40000 /* longest delay until a key is read */

struct replay {
    const struct options *options;
    struct top_screen screen;
    struct translation translation; /* translates items for take() */
    struct txtap_registry registry;
    double hz; /* best known rate of the time stamps so far; 0: unknown */
    bool begun;
    uint64_t first_ticks, begin_us; /* start of the replay, in ticks and in host time */
    struct error error;
    struct reading_notes notes; /* notes of the files */
};

/* Returns the speed of the replay. The default is 1 if the user gave the tick rate, otherwise 0. */
static double speed_of(const struct options *options)
{
    if (options->top.speed != SPEED_DEFAULT)
        return options->top.speed;
    return options->tick_hz > 0 && !options->hz_found ? 1 : 0;
}

static uint64_t rows_us(const struct replay *replay, uint64_t ticks)
{
    double hz = replay->hz;

    return hz > 0 ? 1 + (uint64_t)((double)(ticks - replay->first_ticks) * 1e6 / hz) : 0;
}

/* Waits until due_us after the start of the replay, and reads keys meanwhile. A pause moves the start forward. */
static enum txtap_status wait_until(struct replay *replay, double due_us)
{
    enum txtap_status status = TXTAP_OK;

    while (status == TXTAP_OK) {
        uint64_t now = now_us();
        double left = (double)replay->begin_us + due_us - (double)now;

        if (!replay->screen.paused && left <= 0)
            return TXTAP_OK;
        if (stop_requested() || reopen_requested())
            return TXTAP_END;
        (void)sleep_us(!replay->screen.paused && left < KEYS_US ? (uint64_t)left + 1 : KEYS_US);
        if (replay->screen.paused)
            replay->begin_us += now_us() - now;
        if (!replay->options->top.rows)
            status = top_screen_step(&replay->screen, now_us(), &replay->error);
    }
    return status;
}

static enum txtap_status pace(struct replay *replay, uint64_t ticks)
{
    double speed = speed_of(replay->options), hz = replay->hz;

    if (!replay->begun || hz == 0 || ticks < replay->first_ticks) {
        replay->begun = true;
        replay->first_ticks = ticks;
        replay->begin_us = now_us();
    }
    if (stop_requested() || reopen_requested())
        return TXTAP_END;
    if (speed == 0 || hz == 0)
        return replay->screen.paused ? wait_until(replay, 0) : TXTAP_OK;
    return wait_until(replay, (double)(ticks - replay->first_ticks) / hz / speed * 1e6);
}

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct replay *replay = self;
    enum txtap_status status = TXTAP_OK;
    uint64_t now;

    if (item->kind == TXTAP_ITEM_EVENT)
        status = pace(replay, item->event.ticks);
    if (item->kind == TXTAP_ITEM_GAP) {
        replay->screen.state.lost += item->gap.lost;
        replay->screen.state.lost_exact = replay->screen.state.lost_exact && item->gap.exact;
    }
    if (status == TXTAP_OK)
        status = top_screen_take(&replay->screen, item);
    if (status != TXTAP_OK || item->kind != TXTAP_ITEM_EVENT)
        return status;
    now = replay->options->top.rows ? rows_us(replay, item->event.ticks) : now_us();
    return now > 0 ? top_screen_step(&replay->screen, now, &replay->error) : TXTAP_OK;
}

/* ---- files ---- */

static enum txtap_status read_buffer(struct replay *replay, struct input *input, struct error *error)
{
    static struct trace_file file;
    const struct trace_file_request request = {.input = input};
    enum txtap_status status;
    struct txtap_item item;

    status = trace_file_open(&file, &request, error);
    if (status != TXTAP_OK)
        return status;
    replay->registry = file.trace.registry;
    replay->screen.names = &replay->registry;
    while (status == TXTAP_OK && (status = txtap_trace_next(&file.trace, &item)) == TXTAP_OK)
        status = take(replay, &item);
    return status; /* does not free the names, which are needed until the program ends */
}

static enum txtap_status open_names(struct replay *replay, const struct input *input, struct error *error)
{
    struct txtap_object *objects = calloc(OBJECTS_MAX, sizeof *objects);

    if (objects == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", input->name);
    txtap_registry_init(&replay->registry, objects, OBJECTS_MAX);
    replay->screen.names = &replay->registry;
    return TXTAP_OK;
}

/* Uses the best known rate from now on. */
static void use_rate(struct replay *replay)
{
    const struct txtap_rate rate = options_known_rate(replay->options);

    replay->hz = rate.hz;
    top_screen_rate(&replay->screen, &rate);
}

/* Takes a block that describes the recording, if the recording is a stream. */
static enum txtap_status take_description(struct replay *replay, const struct txtap_recording_item *block,
                                          struct error *error)
{
    struct identity *identity = replay->options->identity;
    size_t texts = identity->text_count;

    if (identity->scanned)
        return TXTAP_OK;
    identity_take(identity, block);
    if (block->type == TXTAP_RECORDING_RATE)
        use_rate(replay);
    return identity->text_count > texts ? top_screen_definitions(&replay->screen, identity, error) : TXTAP_OK;
}

static enum txtap_status read_recording(struct replay *replay, struct input *input, struct error *error)
{
    static struct txtap_recording_player player;
    static struct txtap_channels channels;
    static struct recording_reader reader;
    struct txtap_recording_item block;
    enum txtap_status status = open_names(replay, input, error);

    if (status != TXTAP_OK)
        return status;
    txtap_recording_player_init(&player, &replay->registry);
    channels.count = channels.word_count = 0;
    player.channels = &channels;
    status = recording_reader_open(&reader, input, error);
    if (status != TXTAP_OK)
        return status;
    while (status == TXTAP_OK && (status = recording_reader_next(&reader, &block, error)) == TXTAP_OK) {
        if (block.type == TXTAP_RECORDING_DEFINITIONS) /* only recordings from the event logger have such a block */
            status = translation_from_logger(&replay->translation, error);
        if (status == TXTAP_OK)
            status = take_description(replay, &block, error);
        if (status == TXTAP_OK)
            status = txtap_recording_play(&player, &block, (struct txtap_sink){translation_take, &replay->translation});
    }
    recording_reader_close(&reader);
    replay->notes = reader.notes;
    replay->screen.state.lost_exact = replay->screen.state.lost_exact && !reader.cut;
    return status;
}

static enum txtap_status read_directory(struct replay *replay, struct input *input, struct error *error)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_BYTES};
    uint8_t *stream = NULL;
    enum txtap_status status = open_names(replay, input, error);

    if (status == TXTAP_OK)
        status = translation_from_directory(&replay->translation, input->name, &replay->registry, &stream,
                                            &item.bytes.length, error);
    item.bytes.at = stream;
    if (status == TXTAP_OK)
        status = translation_take(&replay->translation, &item);
    free(stream);
    return status == TXTAP_OK ? TXTAP_END : status;
}

static enum txtap_status read_any(struct replay *replay, struct input *input, struct error *error)
{
    enum txtap_status status, ended = TXTAP_OK;

    if (ctf_directory_is(input->name))
        status = read_directory(replay, input, error);
    else
        status = txtap_recording_signature(input->head, input->head_bytes) ? read_recording(replay, input, error)
                                                                           : read_buffer(replay, input, error);
    if (status == TXTAP_END && !replay->screen.quit)
        ended = translation_end(&replay->translation);
    return ended < TXTAP_OK ? ended : status;
}

/* ---- all parts ---- */

static enum txtap_status check_replay(const struct options *options, const struct input *input, struct error *error)
{
    if (options->file_count > 1 && !txtap_recording_signature(input->head, input->head_bytes))
        return failure(error, TXTAP_ERROR_USAGE, "%.160s: not a recording\ngive one file", options->files[0]);
    if (options->tick_hz == 0 && speed_of(options) > 0)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.120s: the rate of its time stamps is unknown\ngive --hz, or --replay-speed 0",
                       options->files[0]);
    return TXTAP_OK;
}

/* Keeps the screen at the end of the file until the user quits. */
static enum txtap_status stay(struct replay *replay)
{
    struct top_screen *screen = &replay->screen;
    enum txtap_status status;

    top_findings_complete(&screen->findings);
    screen->condition = "END";
    screen->exception = NULL;
    screen->paused = false;
    status = top_screen_last(screen, &replay->error);
    while (status == TXTAP_OK && !replay->options->top.rows && !reopen_requested() && sleep_us(KEYS_US)) {
        screen->due_us = 0; /* draws at each step, because keys may change the page */
        status = top_screen_step(screen, now_us(), &replay->error);
    }
    return status;
}

static int replay_files(const struct options *options, struct input *input)
{
    static struct replay replay;
    struct error error = {0};
    const char *slash = strrchr(input->name, '/');
    enum exit_code verdict = EXIT_DONE;
    enum txtap_status status;

    runtime_take_requests();
    replay.options = options;
    status = check_replay(options, input, &error);
    if (status == TXTAP_OK)
        status = top_screen_open(&replay.screen, options, options->identity, slash ? slash + 1 : input->name, &error);
    if (status == TXTAP_OK) {
        replay.screen.condition = "REPLAY";
        use_rate(&replay);
        replay.translation.next = (struct txtap_sink){take, &replay};
        status = read_any(&replay, input, &error);
        if (status == TXTAP_END && !replay.screen.quit && !stop_requested())
            status = stay(&replay);
        if (status >= TXTAP_OK)
            verdict = top_screen_verdict(&replay.screen, &error);
        top_screen_close(&replay.screen);
        if (!options->quiet)
            report_notes(&replay.notes);
    }
    if (status < TXTAP_OK || error_is_set(&error))
        report_error(error_is_set(&error)          ? &error
                     : error_is_set(&replay.error) ? &replay.error
                                                   : &(struct error){status, "", ""});
    return status < TXTAP_OK ? status_exit_code(status) : (int)verdict;
}

/* ---- command ---- */

static int run_command(const struct options *options)
{
    if (options->follow)
        return top_board_run(options);
    if (options->lab)
        return top_lab_run(options);
    return operands_run(options, top_live_run, replay_files);
}

/* ---- its options ---- */

static error_t parse_top(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_END && options->follow)
        options_check_follow(options, state);
    return top_option(&options->top, key, text, state);
}

static const struct argp_option rate_rows[] = {
    {"hz", KEY_HZ, "HZ", 0,
     "rate of the time stamps, such as 168M or 32768; without it the rate of a target is measured", 0},
    OPTIONS_FOLLOW_ROW,
    {0},
};

static const struct argp top_argp = {top_option_rows, parse_top, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child top_child[] = {{&top_argp, 0, NULL, 0}, {0}};
static const struct argp screen = {rate_rows, options_parse_with, NULL, NULL, top_child, NULL, NULL};

static const struct argp_child groups[] = {
    {&screen, 0, "The screen:", 1},
    {&options_check, 0, OPTIONS_CHECK_HEAD, 2},
    {&options_stream, 0, OPTIONS_STREAM_HEAD, 3},
    {&options_messages, 0, OPTIONS_MESSAGES_HEAD, 4},
    {&options_target, 0, OPTIONS_TARGET_HEAD, 5},
    {&options_ring, 0, OPTIONS_RING_HEAD, 6},
    {0},
};

const struct command top_command = {
    .name = "top",
    .brief = "a live table of threads, interrupts and objects",
    .run = run_command,
    .without_ring = top_live_run_kernel,
    .parser = options_parse_operands,
    .operands = "[ELF | FILE...]",
    .nothing = "nothing to show",
    .common = "hz rows delay check probe",
    .help = "Show what the threads, interrupts and objects of a running target do now.\v"
            "ELF is the firmware's file: it says where the trace buffer is. Without it RAM is "
            "searched. FILE is a recording, or "
            "a trace as 'txtap decode' reads it: it is replayed. The folder of a lab, or 'nats://HOST/lab.>', has "
            "a row for each board.\n\n"
            "Keys: q ends, s sorts, w chooses the window, ? shows all others.",
    .groups = groups,
    .streams = true,
    .shows_labs = true,
    .only_shows = true,
};
