/* SPDX-License-Identifier: MIT */
/* A target's events go to the analyses and, if they are needed later, to a recording. */
#include "command/check/observe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/runtime.h"
#include "command/analysis_open.h"
#include "command/final_stacks.h"
#include "command/operands.h"
#include "file/definitions_file.h"

/* ---- opening and closing ---- */

enum txtap_status observation_open(struct observation *observation, const struct options *options,
                                   const struct txtap_check *list, size_t count, const char *name, bool may_learn,
                                   struct error *error)
{
    const struct txtap_rate rate = options_known_rate(options);
    enum txtap_status status;

    *observation = (struct observation){.input = {.name = name, .to_ticks = UINT64_MAX, .stats = {.lost_exact = true}},
                                        .begun_us = wall_us()};
    observation->input.identity = options->identity != NULL ? options->identity : &observation->identity;
    status = checks_init(&observation->results.checks, list, count, "--check '", may_learn ? NULL : &rate, error);
    if (status == TXTAP_OK)
        status = analysis_open(&observation->input.analysis, options, TXTAP_SECTIONS_ALL, error);
    if (status == TXTAP_OK)
        status = why_open(&observation->input.why, observation->input.analysis,
                          &(struct txtap_why_wish){.select = TXTAP_WHY_WORST}, false, error);
    observation->input.translation.next = (struct txtap_sink){report_input_take, &observation->input};
    if (status != TXTAP_OK)
        observation_close(observation);
    return status;
}

void observation_close(struct observation *observation)
{
    if (observation->kept != NULL)
        unlink(observation->kept);
    free(observation->kept);
    figures_free(&observation->results.figures);
    checks_free(&observation->results.checks);
    translation_free(&observation->input.translation);
    definitions_free(observation->input.definitions);
    identity_free(&observation->identity);
    free(observation->input.why);
    free(observation->input.analysis);
    free(observation->input.objects);
}

/* ---- completing ---- */

/* Completes the checks. A check that matches nothing stays undecided: its sentence says so. */
static enum txtap_status complete(struct observation *observation, const struct options *options, struct error *error)
{
    struct report_results *results = &observation->results;
    enum txtap_status status = translation_end(&observation->input.translation);

    if (status == TXTAP_OK)
        status = report_collect(results, &observation->input, options, error);
    if (status == TXTAP_ERROR_USAGE) { /* an option such as --period matches nothing: its checks stay undecided */
        report_error(error);
        error_clear(error);
        status = TXTAP_OK;
    }
    if (status != TXTAP_OK)
        return status;
    if (results->figures.summary.events == 0)
        checks_take_no_events(&results->checks);
    (void)checks_complete(&results->checks, &results->figures.summary, &(struct error){0});
    return TXTAP_OK;
}

static void note_end(struct observation *observation)
{
    observation->took = (double)(wall_us() - observation->begun_us) / 1e6;
}

/* ---- files ---- */

enum txtap_status observation_read(struct observation *observation, const struct options *options, struct input *input,
                                   struct error *error)
{
    enum txtap_status status = report_input_read(&observation->input, options, input, error);

    if (status == TXTAP_OK)
        status = complete(observation, options, error);
    note_end(observation);
    return status;
}

/* ---- a target ---- */

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    struct observation *observation = self;
    enum txtap_status status = translation_take(&observation->input.translation, item);

    return status == TXTAP_OK && observation->records ? recording_take(&observation->recording, item) : status;
}

static enum txtap_status after_step(void *self, bool idle)
{
    struct observation *observation = self;

    (void)idle;
    observation->identity.rate = run_loop_rate(&observation->loop);
    observation->input.of_target = true;
    if (observation->records)
        recording_set_rate(&observation->recording, &observation->identity.rate);
    if (reopen_requested()) /* a closed terminal is a normal end */
        return TXTAP_END;
    return observation->records ? recording_step(&observation->recording) : TXTAP_OK;
}

/* Creates the temporary file. */
static enum txtap_status keep(struct observation *observation, struct error *error)
{
    const char *folder = getenv("TMPDIR");
    int fd = -1;

    if (asprintf(&observation->kept, "%s/txtap-check-XXXXXX", folder != NULL && *folder != '\0' ? folder : "/tmp") < 0)
        observation->kept = NULL;
    if (observation->kept != NULL)
        fd = mkostemp(observation->kept, O_CLOEXEC);
    if (fd >= 0) {
        close(fd);
        return TXTAP_OK;
    }
    failure(error, TXTAP_ERROR_SYSTEM, "%.120s: cannot be written: %s\nset TMPDIR to a folder for the events",
            observation->kept != NULL ? observation->kept : "temporary file", strerror(errno));
    free(observation->kept);
    observation->kept = NULL;
    return error->status;
}

static enum txtap_status open_recording(struct observation *observation, const struct options *options,
                                        const struct attachment *attachment, struct error *error)
{
    struct run_loop *loop = &observation->loop;
    const char *elf = attachment->config.elf;
    struct recording_setup setup = {
        .config = options_record(options),
        .clock = &loop->stream.poller.maker.clock,
        .firmware = elf != NULL ? basename(elf) : NULL, /* the recording must not contain the path of the folder */
        .identity = &observation->identity,
        .now_us = now_us,
        .wall_us = wall_us,
    };
    enum txtap_status status = TXTAP_OK;

    if (options->output == NULL) {
        status = keep(observation, error);
        setup.config.path = observation->kept;
        setup.config.force = true;
    }
    if (status == TXTAP_OK)
        status = recording_open(&observation->recording, &setup, &attachment->place.header,
                                &loop->stream.poller.registry, error);
    observation->records = status == TXTAP_OK;
    return status;
}

static enum txtap_status begin(struct observation *observation, const struct options *options,
                               struct attachment *attachment, bool keeps, struct error *error)
{
    struct run_loop *loop = &observation->loop;
    enum txtap_status status = record_describe(&observation->identity, options, attachment, error);

    observation->input.identity = &observation->identity;
    observation->input.names = &loop->stream.poller.registry;
    if (status == TXTAP_OK)
        status = operands_translate(&observation->input.translation, options, &loop->stream.poller.registry, error);
    if (status == TXTAP_OK)
        status = run_loop_begin(loop, options, attachment, (struct txtap_sink){take, observation}, false, error);
    if (status != TXTAP_OK)
        return status;
    if (options->seconds == 0)
        loop->deadline_us = loop->begin_us + OBSERVE_SECONDS_DEFAULT * UINT64_C(1000000);
    if (keeps)
        status = open_recording(observation, options, attachment, error);
    if (status != TXTAP_OK)
        event_stream_free(&loop->stream);
    return status;
}

int observation_follow(struct observation *observation, const struct options *options, struct attachment *attachment,
                       bool keeps, struct error *error)
{
    static char stacks[TXTAP_STACKS_TEXT_BYTES];
    struct run_loop *loop = &observation->loop;
    struct error incomplete = {0};
    enum txtap_status status = begin(observation, options, attachment, keeps, error), completed;
    int code;

    if (status != TXTAP_OK)
        return status_exit_code(status);
    status = run_loop_run(loop, after_step, observation, error);
    observation->identity.rate = run_loop_rate(loop);
    observation->input.of_target = true;
    final_stacks_read(&observation->input.stacks, loop);
    completed = complete(observation, options, &incomplete);
    if (observation->records &&
        txtap_stacks_put(stacks, observation->input.stacks.list, observation->input.stacks.count))
        recording_set_stacks(&observation->recording, stacks);
    if (observation->records)
        status = recording_close(&observation->recording, status, error);
    note_end(observation);
    code = run_loop_end(loop, status, error);
    observation->results.figures.registry = NULL; /* it was the stream's; the figures have copies of the names */
    if (observation->records && (options->output != NULL || observation->recording.overflow.events > 0) &&
        !options->quiet)
        record_summary(&observation->recording, NULL);
    if (completed == TXTAP_OK)
        return code;
    if (!error_is_set(error))
        *error = error_is_set(&incomplete) ? incomplete : (struct error){completed, "", ""};
    return status_exit_code(completed);
}
