/* SPDX-License-Identifier: MIT */
/*
 * A sink in front of the screen lets each event pass when its time has come. Between two events it takes keys. Rows
 * for a pipe are due by the time of the trace, so they are the same at any speed.
 */
#include "command/top/top_replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "command/top/top_screen.h"
#include "file/ctf_directory.h"
#include "file/recording_reader.h"
#include "file/trace_file.h"
#include "output/report.h"
#include "output/translation.h"
#include "txtap/recording.h"

#define OBJECTS_MAX 65536 /* known at a time: the file may name any number */
#define KEYS_US     40000 /* a key is taken after this long at most */

struct replay {
    const struct options *options;
    struct top_screen screen;
    struct translation translation; /* in front of take() */
    struct txtap_registry registry;
    bool begun;
    uint64_t first_ticks, begin_us; /* of the pace */
    struct error error;
    struct reading_notes notes; /* of the files */
};

/* As it was recorded, if the rate of its time stamps is known. */
static double speed_of(const struct options *options)
{
    if (options->top.speed != SPEED_DEFAULT)
        return options->top.speed;
    return options->tick_hz > 0 ? 1 : 0;
}

static uint64_t rows_us(const struct replay *replay, uint64_t ticks)
{
    double hz = replay->options->tick_hz;

    return hz > 0 ? 1 + (uint64_t)((double)(ticks - replay->first_ticks) * 1e6 / hz) : 0;
}

/* Takes keys while nothing else is to be done; a pause moves the start. */
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
    double speed = speed_of(replay->options), hz = replay->options->tick_hz;

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
    return status; /* the names are needed to the end of the program */
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

static enum txtap_status read_recording(struct replay *replay, struct input *input, struct error *error)
{
    static struct txtap_recording_player player;
    static struct recording_reader reader;
    struct txtap_recording_item block;
    enum txtap_status status = open_names(replay, input, error);

    if (status != TXTAP_OK)
        return status;
    txtap_recording_player_init(&player, &replay->registry);
    status = recording_reader_open(&reader, input, error);
    if (status != TXTAP_OK)
        return status;
    while (status == TXTAP_OK && (status = recording_reader_next(&reader, &block, error)) == TXTAP_OK) {
        if (block.type == TXTAP_RECORDING_DEFINITIONS) /* only the event logger's have some */
            status = translation_from_logger(&replay->translation, error);
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

/* ---- the whole ---- */

static enum txtap_status check(const struct options *options, const struct input *input, struct error *error)
{
    if (options->file_count > 1 && !txtap_recording_signature(input->head, input->head_bytes))
        return failure(error, TXTAP_ERROR_USAGE, "%.160s: not a recording\ngive one file", options->files[0]);
    if (options->tick_hz == 0 && speed_of(options) > 0)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.120s: how fast its time stamps run is not known\ngive --hz, or --replay-speed 0",
                       options->files[0]);
    return TXTAP_OK;
}

/* At the end of the file the screen stays until the user has seen enough. */
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
        screen->due_us = 0; /* pages and windows can still be chosen */
        status = top_screen_step(screen, now_us(), &replay->error);
    }
    return status;
}

int top_replay(const struct options *options, struct input *input)
{
    static struct replay replay;
    struct error error = {0};
    const char *slash = strrchr(input->name, '/');
    enum exit_code verdict = EXIT_DONE;
    enum txtap_status status;

    runtime_take_requests();
    replay.options = options;
    status = check(options, input, &error);
    if (status == TXTAP_OK)
        status = top_screen_open(&replay.screen, options, slash ? slash + 1 : input->name, &error);
    if (status == TXTAP_OK) {
        replay.screen.condition = "REPLAY";
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
