/* SPDX-License-Identifier: MIT */
/* txtap kernel: shows the threads, stacks, queues and other objects of a running kernel, with or without a trace. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "attach/attach.h"
#include "base/files.h"
#include "base/option_values.h"
#include "base/runtime.h"
#include "command/commands.h"
#include "command/kernel/kernel_show.h"
#include "command/run_loop.h"
#include "figures/text_table.h"
#include "kernel/kernel_reader.h"
#include "output/output.h"
#include "output/report.h"

#define WATCH_SECONDS 1.0

/* ---- one walk ---- */

static enum txtap_status show(const struct options *options, const struct kernel_reader *reader, struct error *error)
{
    unsigned width = output_path_columns(NULL);

    if (options->json)
        kernel_show_json(reader, stdout);
    else if (!kernel_show_text(reader, width, stdout))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the tables");
    return standard_output_flush(error);
}

static bool is_complete(const struct kernel_reader *reader)
{
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        struct txtap_kernel_list list = txtap_kernel_list(reader->kernel, type);

        if (list.present && !list.complete)
            return false;
    }
    return true;
}

/* ---- repeated walks ---- */

static enum txtap_status open_reader(const struct options *options, const struct attachment *attachment,
                                     struct kernel_reader *reader, struct error *error)
{
    return kernel_reader_open(reader, attachment->elf, options->target.ring.wished.ram,
                              options->target.ring.wished.ram_count, error);
}

/* Tells why a walk failed, and attaches again. The target may run other firmware now. */
static enum txtap_status recover(const struct options *options, struct attachment *attachment,
                                 struct kernel_reader *reader, struct error *error)
{
    char text[ERROR_TEXT_BYTES];
    enum txtap_status status;

    if (!options->quiet)
        fprintf(stderr, "txtap: %s; txtap attaches again\n", error_text(error, text));
    error_clear(error);
    kernel_reader_close(reader);
    status = attach_again(attachment, error);
    return status == TXTAP_OK ? open_reader(options, attachment, reader, error) : status;
}

static void begin_screen(const struct options *options, bool first)
{
    if (options->json)
        return;
    if (isatty(STDOUT_FILENO))
        fputs("\033[H\033[J", stdout);
    else if (!first)
        fputc('\n', stdout);
}

/* Walks over the lists. A list that is not complete may be a sign of other firmware. */
static enum txtap_status walk_and_check(struct attachment *attachment, struct kernel_reader *reader, uint32_t bytes,
                                        struct error *error)
{
    enum txtap_status status = kernel_reader_walk(reader, attachment->source, TXTAP_KERNEL_ALL, bytes, error);

    if (status == TXTAP_OK && (!is_complete(reader) || elf_has_changed(attachment->elf)))
        status = attach_check(attachment, error);
    return status;
}

static enum txtap_status watch(const struct options *options, struct attachment *attachment,
                               struct kernel_reader *reader, struct error *error)
{
    enum txtap_status status = TXTAP_OK;
    uint32_t bytes = KERNEL_STACK_BYTES_MAX;
    bool first = true;

    while (status == TXTAP_OK && !stop_requested()) {
        status = walk_and_check(attachment, reader, bytes, error);
        if (attach_may_pass(status)) {
            status = recover(options, attachment, reader, error);
            bytes = KERNEL_STACK_BYTES_MAX;
            continue;
        }
        if (status != TXTAP_OK)
            break;
        begin_screen(options, first);
        status = show(options, reader, error);
        bytes = kernel_reader_stack_bytes(reader, options->watch_seconds);
        if (status == TXTAP_OK)
            (void)sleep_us(kernel_reader_pause_us(reader, options->watch_seconds));
        first = false;
    }
    if (stop_requested() || status == TXTAP_END) {
        error_clear(error);
        status = TXTAP_OK;
    }
    return status;
}

/* Tells that places of members are assumed, because the ELF file does not describe the structs. */
static void say_assumed(const struct options *options, const struct kernel_reader *reader)
{
    if (reader->layout.assumed == 0 || options->quiet)
        return;
    fprintf(stderr,
            "txtap: %s: %s: txtap assumes the layout of a %s without options, and shows only objects with the right "
            "identifier: compile with -g to be sure\n",
            options->target.elf,
            reader->layout.has_debug ? "its debug information does not describe all structs of the kernel"
                                     : "no debug information",
            reader->layout.ops->name);
}

static int run_attached_kernel(const struct options *options, struct attachment *attachment, struct error *error)
{
    struct kernel_reader reader;
    enum txtap_status status = open_reader(options, attachment, &reader, error);
    bool complete = true;

    if (status != TXTAP_OK)
        return EXIT_NO_BUFFER;
    say_assumed(options, &reader);
    if (options->watch) {
        status = watch(options, attachment, &reader, error);
    } else {
        status = kernel_reader_walk(&reader, attachment->source, TXTAP_KERNEL_ALL, KERNEL_STACK_BYTES_MAX, error);
        if (status == TXTAP_OK)
            status = show(options, &reader, error);
        complete = is_complete(&reader);
    }
    kernel_reader_close(&reader);
    if (status < TXTAP_OK)
        return status_exit_code(status);
    return options->strict && !complete ? EXIT_LOST : EXIT_DONE;
}

static int run(const struct options *options)
{
    static struct attachment attachment;
    struct error error = {0};
    enum txtap_status status;
    int code;

    if (options->target.elf == NULL) {
        (void)failure(&error, TXTAP_ERROR_USAGE,
                      "txtap kernel needs the firmware's ELF file\n'txtap kernel firmware.elf'");
        report_error(&error);
        return EXIT_USAGE;
    }
    status = attach_memory(&options->target, &attachment, &error);
    if (status != TXTAP_OK)
        return report_unopened(options, status, &error);
    code = run_attached_kernel(options, &attachment, &error);
    if (error_is_set(&error))
        report_error(&error);
    attach_close(&attachment);
    return code;
}

/* ---- its options ---- */

static const struct argp_option rows[] = {
    {"format", 'f', "FORMAT", 0, "text (default) or json", 0},
    {"watch", KEY_WATCH, "TIME", OPTION_ARG_OPTIONAL, "show the objects again every TIME (default 1s), until Ctrl-C",
     0},
    {"strict", KEY_STRICT, NULL, 0, "exit code 5 if a list is incomplete", 0},
    {"quiet", 'q', NULL, 0, "only errors on standard error", 0},
    {0},
};

static error_t parse_own(int key, char *text, struct argp_state *state)
{
    static const char *const formats[] = {"text", "json"};
    struct options *options = state->input;

    switch (key) {
    case 'f':
        options->json = option_choice(state, "--format", text, formats, 2) == 1;
        return 0;
    case 'q':
        options->quiet = options->target.quiet = true;
        return 0;
    case KEY_WATCH:
        options->watch = true;
        options->watch_seconds = WATCH_SECONDS;
        if (text != NULL)
            options->watch_seconds = option_seconds(state, "--watch", text, 0.1, 3600, "from 100ms to 1h");
        return 0;
    default:
        return options_parse_elf(key, text, state);
    }
}

static const struct argp_child groups[] = {
    {&options_memory, 0, "How to reach the target:", 2},
    {0},
};

const struct command kernel_command = {
    .name = "kernel",
    .brief = "show threads, stacks and queues of the running kernel",
    .run = run,
    .rows = rows,
    .parser = parse_own,
    .operands = "ELF",
    .common = "format watch probe",
    .help =
        "Show the objects of the running kernel: threads with their states and stacks, queues, semaphores, mutexes, "
        "event flags, pools and timers.\vThe firmware needs no trace. Compile it with -g: debug information tells the "
        "layout of the kernel's structs.",
    .groups = groups,
    .only_shows = true,
};
