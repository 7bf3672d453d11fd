/* SPDX-License-Identifier: MIT */
/* txtap snapshot: reads the ring once, and writes a copy of the ring or its events to a file for other programs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "attach/attach.h"
#include "base/option_values.h"
#include "base/runtime.h"
#include "command/commands.h"
#include "command/run_loop.h"
#include "command/read_ring.h"
#include "crash/crash_core.h"
#include "options/begin.h"
#include "output/output.h"
#include "output/report.h"
#include "probe/source_base.h"

/* ---- writing a copy ---- */

static void say_copy(const struct options *options, const struct ring_copy *copy)
{
    if (!copy->complete)
        fprintf(stderr,
                "txtap: the target writes faster than it can be copied: the file has %" PRIu64
                " consecutive event%s of the ring's %" PRIu32 "\n",
                copy->events, plural(copy->events), copy->capacity);
    if (copy->stats.unseen)
        fprintf(stderr, "txtap: the time stamps stand still and no laps are counted: events overwritten during the "
                        "copy may be missing undetected\n");
    if (!options->quiet)
        report_without_names(copy->several);
    if (!options->quiet)
        fprintf(stderr, "txtap: %s: %" PRIu64 " event%s, %zu bytes; %" PRIu64 " bytes read\n", options->output,
                copy->events, plural(copy->events), copy->length, copy->stats.bytes_read);
}

/* Copies the ring. *missing: set to true if events of the ring are missing in the copy. */
static enum txtap_status take_copy(const struct options *options, const struct attachment *attachment,
                                   struct stream_stats *stats, bool *missing, struct error *error)
{
    const struct poller_place place = attach_place(attachment);
    struct ring_copy copy = {.stats = *stats};
    enum txtap_status status = attachment->ring->copy(&place, &copy, error);

    if (status == TXTAP_OK)
        status = output_whole_file(options->output, copy.bytes, copy.length, options->force, error);
    attach_account(attachment, &copy.stats);
    if (status == TXTAP_OK)
        say_copy(options, &copy);
    *stats = copy.stats;
    *missing = !copy.complete || copy.stats.unseen;
    free(copy.bytes);
    return status;
}

/* ---- writing events ---- */

static void say_events(const struct options *options, const struct stream_stats *stats)
{
    if (stats->lost > 0)
        fprintf(stderr,
                "txtap: %s: %s%" PRIu64 " event%s missing: dropped by the target, or overwritten before they were "
                "read\n",
                options->output, stats->lost_exact ? "" : "at least ", stats->lost, stats->lost == 1 ? " is" : "s are");
    if (!options->quiet)
        fprintf(stderr, "txtap: %s: %" PRIu64 " event%s; %" PRIu64 " bytes read\n", options->output, stats->events,
                plural(stats->events), stats->bytes_read);
}

static enum txtap_status take_events(const struct options *options, const struct attachment *attachment,
                                     struct stream_stats *stats, bool *missing, struct error *error)
{
    bool bytes = attachment->ring->bytes;
    struct txtap_filter all;
    struct outlet_config config = options_outlet(options);
    enum txtap_status status;

    if (!bytes) {
        config.format = txtap_exporter_find("trx");
        config.quiet = true;
        txtap_filter_init(&all); /* snapshot has no filter options */
        config.view.filter = &all;
    }
    status = read_ring(&config, attachment, stats, error);
    attach_account(attachment, stats);
    *missing = stats->lost > 0;
    if (status == TXTAP_ERROR_FORMAT && stats->events == 0 && stats->polls > 0)
        return failure(
            error, status,
            "ring at 0x%08" PRIx32
            ": empty, its collector has taken all events: nothing was written\n'txtap tail' shows new events",
            attachment->place.address);
    if (status >= TXTAP_OK && !bytes) /* for a ring of bytes, the outlet has printed the counts */
        say_events(options, stats);
    return status;
}

/* ---- a core file ---- */

static void say_core(const struct options *options, const struct crash_core *core)
{
    const struct ram_copy *copy = core->copy;

    if (copy->missing > 0)
        fprintf(stderr,
                "txtap: %s: %" PRIu64 " of %" PRIu64 " bytes of RAM are missing: the target refused to read them\n",
                options->output, copy->missing, copy->size);
    if (!options->quiet)
        fprintf(stderr, "txtap: %s: %" PRIu64 " bytes of RAM, registers of %zu thread%s%s\n", options->output,
                copy->size - copy->missing, core->thread_count, core->thread_count == 1 ? "" : "s",
                core->left_out > 0 ? "; the others are not in memory" : "");
}

/* Reads all RAM, in the order of addresses. The target keeps running, so parts of the copy are from different times. */
static enum txtap_status copy_ram(struct ram_copy *copy, const struct attachment *attachment, struct error *error)
{
    enum txtap_status status = ram_copy_begin(copy, attachment->source);

    while (status == TXTAP_OK && !stop_requested())
        status = ram_copy_step(copy, attachment->source);
    if (status == TXTAP_OK)
        return failure(error, ERROR_INTERRUPTED, "interrupted: nothing was written");
    return status == TXTAP_END ? TXTAP_OK : memory_failure(attachment->source, status, NULL, error);
}

static enum txtap_status take_core(const struct options *options, const struct attachment *attachment,
                                   struct ram_copy *copy, bool *missing, struct error *error)
{
    const struct locate_wish *wished = &options->target.ring.wished;
    struct crash_core core;
    enum txtap_status status = copy_ram(copy, attachment, error);

    if (status == TXTAP_OK)
        status = crash_core_open(&core, copy, attachment->elf, wished->ram, wished->ram_count, error);
    if (status != TXTAP_OK)
        return status;
    *missing = copy->missing > 0;
    status = crash_core_write(&core, options->output, options->force, error);
    if (status == TXTAP_OK)
        say_core(options, &core);
    crash_core_close(&core);
    return status;
}

static int run_core(const struct options *options)
{
    static struct attachment attachment;
    static struct ram_copy copy;
    const struct locate_wish *wished = &options->target.ring.wished;
    struct error error = {0};
    enum txtap_status status;
    bool missing = false;

    status = attach_memory(&options->target, &attachment, &error);
    if (status != TXTAP_OK)
        return report_unopened(options, status, &error);
    status = ram_copy_open(&copy, attachment.elf, wished->ram, wished->ram_count, &error);
    if (status == TXTAP_OK) {
        status = take_core(options, &attachment, &copy, &missing, &error);
        ram_copy_close(&copy);
    }
    if (status != TXTAP_OK)
        report_error(&error);
    attach_close(&attachment);
    if (status != TXTAP_OK)
        return status_exit_code(status);
    return options->strict && missing ? EXIT_LOST : EXIT_DONE;
}

/* ---- the command ---- */

static int run(const struct options *options, struct attachment *attachment, struct error *error)
{
    struct stream_stats stats = {.lost_exact = true};
    uint64_t begin = now_us();
    bool missing = false;
    enum txtap_status status = attachment->ring->copy != NULL
                                   ? take_copy(options, attachment, &stats, &missing, error)
                                   : take_events(options, attachment, &stats, &missing, error);

    if (status < TXTAP_OK ||
        !report_stats_json(options->stats_json, options->command->name, &stats, (double)(now_us() - begin) / 1e6, ""))
        return EXIT_FAILED;
    return options->strict && missing ? EXIT_LOST : EXIT_DONE;
}

static int run_command(const struct options *options)
{
    return options->core ? run_core(options) : run_attached(options, options->target.elf, run);
}

/* ---- its options ---- */

enum key {
    KEY_CORE = 1100,
};

static const struct argp_option rows[] = {
    {"output", 'o', "FILE", 0, "the file to write (required); - is standard output", 0},
    {"core", KEY_CORE, NULL, 0,
     "write all RAM and the saved registers of threads as an ELF core file for GDB, with or without a trace", 0},
    {"force", KEY_FORCE, NULL, 0, "overwrite FILE if it exists", 0},
    {"strict", KEY_STRICT, NULL, 0, "exit code 5 if events are missing in the copy", 0},
    {0},
};

static error_t parse_own(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == KEY_CORE) {
        options->core = true;
        return 0;
    }
    if (key == ARGP_KEY_END && options->core && options->target.elf == NULL)
        option_error(state, "--core needs the firmware's ELF file: 'txtap snapshot --core -o core.elf firmware.elf'");
    return options_parse_output(key, text, state);
}

const struct command snapshot_command = {
    .name = "snapshot",
    .brief = "write a consistent copy of the trace buffer, which TraceX opens",
    .run = run_command,
    .rows = rows,
    .parser = parse_own,
    .operands = "[ELF]",
    .common = "output force probe",
    .help = "Write one consistent copy of the trace buffer to a file that TraceX opens.\v"
            "The target keeps running. What changes while it is copied is read again.",
    .groups = target_groups,
};
