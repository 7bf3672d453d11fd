/* SPDX-License-Identifier: MIT */
/* "txtap view" for files. */
#include "command/view/view_files.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/runtime.h"
#include "command/operands.h"
#include "command/view/view_page.h"
#include "file/ctf_directory.h"
#include "output/report.h"
#include "ring/ring_kind.h"
#include "txtap/recording.h"

#define STEP_US 100000

/* ---- a trace that is streamed from its file ---- */

struct position {
    const struct trace_data *data;
    uint64_t at;
};

static void *open_position(void *self)
{
    struct position *position = malloc(sizeof *position);

    if (position != NULL)
        *position = (struct position){.data = self};
    return position;
}

static ssize_t read_position(void *stream, char *bytes, size_t size)
{
    struct position *position = stream;
    ssize_t got = pread(fileno(position->data->file), bytes, size, (off_t)position->at);

    if (got <= 0)
        return -1;
    position->at += (uint64_t)got;
    return got;
}

static void put_state(void *self, FILE *out)
{
    const struct view_page *page = self;

    document_put_setup(out, &page->document, "");
}

static enum txtap_status serve(const struct options *options, struct trace_data *data, struct error *error)
{
    static struct view_page page;
    const struct server_source source = {open_position, read_position, free, data};
    enum txtap_status status = view_page_open(&page, options, DOCUMENT_FILE, data, error);

    if (status != TXTAP_OK)
        return status;
    status = view_page_serve(&page, &source, put_state, &page, error);
    if (status == TXTAP_OK && !options->quiet)
        fprintf(stderr, "txtap: the page is served until Ctrl-C\n");
    while (status == TXTAP_OK && sleep_us(STEP_US))
        server_step(page.server);
    view_page_close(&page);
    return status;
}

/* ---- a trace in the page ---- */

static enum txtap_status write_page(const struct options *options, struct trace_data *data, struct error *error)
{
    static struct view_page page;
    enum txtap_status status =
        view_page_open(&page, options, data != NULL ? DOCUMENT_EMBEDDED : DOCUMENT_EMPTY, data, error);

    if (status != TXTAP_OK)
        return status;
    status = view_page_write(&page, error);
    view_page_close(&page);
    return status;
}

/* ---- both ---- */

static int exit_code(enum txtap_status status, const struct error *error)
{
    if (status < TXTAP_OK)
        report_error(error_is_set(error) ? error : &(struct error){status, "", ""});
    return status_exit_code(status);
}

/* What gives bytes instead of events needs their metadata, and has no events to record. */
enum txtap_status view_check(const struct options *options, struct error *error)
{
    const struct ring_config *ring = &options->target.ring;

    if (!ring->kind->bytes)
        return TXTAP_OK;
    if (options->file_count == 1 && ctf_directory_is(options->files[0]))
        return failure(error, TXTAP_ERROR_USAGE, "%.160s: a file\n--%s is for a running target: leave it out",
                       options->files[0], ring->kind->name);
    if (options->view.record != NULL)
        return failure(error, TXTAP_ERROR_USAGE,
                       "--record is not for --%s, which gives CTF\nwrite it with 'txtap tail --%s -o DIR': 'txtap view "
                       "DIR' shows it",
                       ring->kind->name, ring->kind->name);
    return operands_check_metadata(ring, error);
}

/* An option that would be ignored silently; NULL: there is none. */
static const char *live_option(const struct options *options)
{
    if (options->view.record != NULL)
        return "--record";
    if (options->check.count > 0)
        return "--check";
    if (options->stats_json != NULL)
        return "--stats-json";
    if (options->only_new)
        return "--new";
    return options->strict ? "--strict" : NULL;
}

static enum txtap_status check_operands(const struct options *options, const struct input *input, struct error *error)
{
    const char *name = options->files[0], *live = live_option(options);

    if (live != NULL)
        return failure(error, TXTAP_ERROR_USAGE, "%.160s: a file\n%s is for a running target: leave it out", name,
                       live);
    if (ctf_directory_is(name) && (options->has_base || options->target.ring.wished.has_address))
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.160s: a directory of CTF has no addresses\ndo not use --base and --address here", name);
    if (options->file_count > 1 && !txtap_recording_signature(input->head, input->head_bytes))
        return failure(error, TXTAP_ERROR_USAGE, "%.160s: not a recording\ngive one file", name);
    return TXTAP_OK;
}

static int run(const struct options *options, struct input *input,
               enum txtap_status (*show)(const struct options *, struct trace_data *, struct error *))
{
    const struct trace_file_request request = {.input = input,
                                               .has_base = options->has_base,
                                               .base = options->base,
                                               .has_address = options->target.ring.wished.has_address,
                                               .address = options->target.ring.wished.address};
    struct trace_data data;
    struct error error = {0};
    enum txtap_status status = check_operands(options, input, &error);

    if (status == TXTAP_OK)
        status = trace_data_open(&data, &request, options->quiet, &error);
    if (status != TXTAP_OK)
        return exit_code(status, &error);
    if (!options->quiet)
        report_notes(&data.notes);
    status = show(options, &data, &error);
    trace_data_close(&data);
    return exit_code(status, &error);
}

int view_files_serve(const struct options *options, struct input *input)
{
    return run(options, input, serve);
}

int view_files_write(const struct options *options, struct input *input)
{
    return run(options, input, write_page);
}

int view_files_write_empty(const struct options *options)
{
    struct error error = {0};

    return exit_code(write_page(options, NULL, &error), &error);
}
