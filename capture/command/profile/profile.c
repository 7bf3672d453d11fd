/* SPDX-License-Identifier: MIT */
/* txtap profile: shows in which functions and threads the core spends its time, from samples of the program counter. */
#include <stdio.h>
#include <stdlib.h>

#include "attach/attach.h"
#include "input/input.h"
#include "base/option_values.h"
#include "base/runtime.h"
#include "command/commands.h"
#include "command/operands.h"
#include "command/profile/profile_parts.h"
#include "command/profile/profile_show.h"
#include "txtap/recording.h"

#define SAMPLES_DEFAULT 10000u
#define SAMPLES_MAX     1000000000u

/* ---- a profile and its names ---- */

enum txtap_status profile_work_open(struct profile_work *work, const char *elf, struct error *error)
{
    enum txtap_status status = elf_open(&work->elf, elf, error);

    if (status != TXTAP_OK) /* the exit code of TRUNCATED means that no trace buffer was found, which is wrong here */
        return status == TXTAP_ERROR_TRUNCATED ? TXTAP_ERROR_FORMAT : status;
    if (!profile_names_open(&work->names, work->elf)) {
        elf_close(work->elf);
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the functions of the firmware");
    }
    txtap_profile_init(&work->profile, profile_names_of(&work->names));
    return TXTAP_OK;
}

void profile_work_close(struct profile_work *work)
{
    profile_names_close(&work->names);
    elf_close(work->elf);
}

/* ---- running ---- */

static int fail(enum txtap_status status, struct error *error)
{
    error->status = status;
    report_error(error);
    return status_exit_code(status);
}

/* Shows the profile, even if its source failed after the first samples. */
static int show(struct profile_work *work, struct output *output, const struct options *options,
                enum txtap_status status, struct error *error)
{
    struct error shown = {0};
    bool has_samples = work->profile.samples > 0;
    enum txtap_status written =
        profile_show(&work->profile, output, options, has_samples ? TXTAP_OK : status, has_samples ? &shown : error);

    if (status < TXTAP_OK)
        return fail(status, error);
    return written < TXTAP_OK ? fail(written, has_samples ? &shown : error) : EXIT_DONE;
}

static int run_target(const struct options *options)
{
    static struct profile_work work;
    static struct output output;
    struct error error = {0};
    enum txtap_status status = profile_open_output(&output, options, &error);
    int code;

    if (status != TXTAP_OK)
        return fail(status, &error);
    status = profile_work_open(&work, options->target.elf, &error);
    if (status != TXTAP_OK) {
        (void)output_close(&output);
        output_discard(&output);
        return fail(status, &error);
    }
    status = profile_target(&work, options, &error);
    code = show(&work, &output, options, status, &error);
    profile_work_close(&work);
    return code;
}

static int run_recording(const struct options *options, struct input *input)
{
    static struct profile_work work;
    static struct output output;
    struct error error = {0};
    enum txtap_status status;
    int code;

    if (options->target.elf == NULL)
        return fail(failure(&error, TXTAP_ERROR_USAGE,
                            "%.120s: a recording has addresses and no code\ngive the firmware, too: 'txtap profile "
                            "%.60s firmware.elf'",
                            input->name, input->name),
                    &error);
    if (!txtap_recording_signature(input->head, input->head_bytes))
        return fail(failure(&error, TXTAP_ERROR_FORMAT,
                            "%.160s: not a recording\nrecord samples first: 'txtap record --pc -o FILE firmware.elf'",
                            input->name),
                    &error);
    status = profile_open_output(&output, options, &error);
    if (status != TXTAP_OK)
        return fail(status, &error);
    status = profile_work_open(&work, options->target.elf, &error);
    if (status != TXTAP_OK) {
        (void)output_close(&output);
        output_discard(&output);
        return fail(status, &error);
    }
    status = profile_recording(&work, options, input, &error);
    code = show(&work, &output, options, status, &error);
    profile_work_close(&work);
    return code;
}

static int run(const struct options *given)
{
    struct options own = *given;
    struct error error = {0};
    struct input input;
    enum txtap_status status = TXTAP_OK;
    int code;

    if (own.file_count == 0)
        status =
            failure(&error, TXTAP_ERROR_USAGE, "profile: no firmware\ngive its ELF file: txtap profile firmware.elf");
    if (status == TXTAP_OK)
        status = operands_take_firmware(&own, &error);
    if (status == TXTAP_OK)
        status = input_open(&input, own.files, own.file_count, &error);
    input.board = own.board;
    if (status != TXTAP_OK)
        return fail(status, &error);
    if (own.file_count == 1 && operands_is_firmware(&input)) {
        input_close(&input);
        own.target.elf = own.files[0];
        return run_target(&own);
    }
    code = run_recording(&own, &input);
    input_close(&input);
    return code;
}

/* ---- its options ---- */

enum { KEY_SAMPLES = 1000, KEY_WITHIN, KEY_FROM, KEY_TO };

static const struct argp_option rows[] = {
    {"format", 'f', "FORMAT", 0, "text (default), folded (stacks for flame graphs), pprof or json", 0},
    {"output", 'o', "FILE", 0, "write to FILE; - is standard output (default)", 0},
    {"force", KEY_FORCE, NULL, 0, "overwrite FILE if it exists", 0},
    {"quiet", 'q', NULL, 0, "only errors on standard error", 0},
    {"samples", KEY_SAMPLES, "N", 0, "end after N samples (default 10000, without --seconds and --within)", 0},
    {"seconds", KEY_SECONDS, "TIME", 0, "end after this time: 10, 500ms, 2h", 0},
    {"within", KEY_WITHIN, "PERCENT", 0,
     "end when the share of each function is certain to within PERCENT points (95 % confidence)", 0},
    {"from", KEY_FROM, "TIME", 0, "of a recording: only samples from this time on", 0},
    {"to", KEY_TO, "TIME", 0, "of a recording: only samples up to this time", 0},
    {"hz", KEY_HZ, "HZ", 0, "of a recording: rate of the time stamps, for --from and --to", 0},
    {0},
};

static double within_option(const struct argp_state *state, const char *text)
{
    char *end;
    double points = strtod(text, &end);

    if (end == text || *end != '\0' || !(points >= 0.01 && points <= 50))
        option_error(state, "--within: '%s' is not a number of percent points from 0.01 to 50", text);
    return points / 100;
}

static void finish(struct options *options, const struct argp_state *state)
{
    struct profile_options *own = &options->profile;
    struct option_rate rate = options_rate(options);

    if (own->from != NULL)
        own->from_ticks = option_ticks(state, "--from", own->from, rate);
    if (own->to != NULL)
        own->to_ticks = option_ticks(state, "--to", own->to, rate);
    if (own->from_ticks > own->to_ticks)
        option_error(state, "--from %s is after --to %s", own->from, own->to);
    if (own->samples == 0 && own->within == 0 && options->seconds == 0)
        own->samples = SAMPLES_DEFAULT;
}

static error_t parse_own(int key, char *text, struct argp_state *state)
{
    static const char *const formats[] = {"text", "folded", "pprof", "json"};
    struct options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        options->profile = (struct profile_options){.to_ticks = UINT64_MAX};
        break;
    case 'f':
        options->profile.format = (enum profile_format)option_choice(state, "--format", text, formats, 4);
        return 0;
    case 'q':
        options->quiet = options->target.quiet = true;
        return 0;
    case KEY_SAMPLES:
        options->profile.samples = option_number(state, "--samples", text, 1, SAMPLES_MAX);
        return 0;
    case KEY_WITHIN:
        options->profile.within = within_option(state, text);
        return 0;
    case KEY_FROM:
        options->profile.from = text;
        return 0;
    case KEY_TO:
        options->profile.to = text;
        return 0;
    default:
        break;
    }
    if (key == ARGP_KEY_END)
        finish(options, state);
    return options_parse_operands(key, text, state);
}

static const struct argp_child groups[] = {
    {&options_memory, 0, "How to reach the target:", 2},
    {0},
};

const struct command profile_command = {
    .name = "profile",
    .brief = "show in which functions and threads the core spends its time",
    .run = run,
    .rows = rows,
    .parser = parse_own,
    .operands = "ELF | RECORDING ELF",
    .common = "format output samples seconds probe",
    .help = "Show in which functions, lines and threads the core spends its time, from samples of its program counter. "
            "The core runs on, and the firmware needs no trace.\vThe core must have DWT_PCSR (Cortex-M3, M4, M7, M33), "
            "and DEMCR.TRCENA must be set. txtap never writes to the target, but OpenOCD sets this bit when it "
            "connects.\n\nThe samples of a recording are those of 'txtap record --pc'.",
    .groups = groups,
    .only_shows = true,
};
