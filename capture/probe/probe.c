/* SPDX-License-Identifier: MIT */
/* The table of probes, and the options that choose a probe. */
#include "probe/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"

/* ---- counting ---- */

static enum txtap_status counting_read(void *self, const struct txtap_read *reads, size_t count)
{
    struct counting_source *counting = self;
    enum txtap_status status = counting->inner.ops->read(counting->inner.self, reads, count);

    counting->requests += count > 0;
    for (size_t i = 0; i < count && status == TXTAP_OK; i++)
        counting->bytes += reads[i].length;
    return status;
}

static const char *counting_error_text(void *self)
{
    const struct counting_source *counting = self;

    return counting->inner.ops->error_text(counting->inner.self);
}

static const char *counting_hint_text(void *self)
{
    const struct counting_source *counting = self;

    return counting->inner.ops->hint_text != NULL ? counting->inner.ops->hint_text(counting->inner.self) : "";
}

static void counting_close(void *self)
{
    struct counting_source *counting = self;

    counting->inner.ops->close(counting->inner.self);
    counting->inner = (struct txtap_source){0};
}

struct txtap_source counting_source_of(struct counting_source *counting, struct txtap_source inner)
{
    counting->inner = inner;
    counting->ops = *inner.ops;
    counting->ops.read = counting_read;
    counting->ops.error_text = counting_error_text;
    counting->ops.hint_text = counting_hint_text;
    counting->ops.close = counting_close;
    return (struct txtap_source){&counting->ops, counting};
}

/* ---- options ---- */

#define TIMEOUT_MS    3000
#define TIMEOUT_S_MAX 600

enum {
    KEY_TIMEOUT = 890,
    KEY_WAY,
};

static const struct argp_option rows[] = {
    {"timeout", KEY_TIMEOUT, "TIME", 0, "how long the server or probe may take to answer (default 3s)", 0},
    {"way", KEY_WAY, "NAME", 0, "use only this way to the target; --way=help lists the ways, the best first", 0},
    {0},
};

static const struct argp_child kinds[] = {
    {&probe_openocd.options, 0, NULL, 0},
    {&probe_openocd_child.options, 0, NULL, 0},
    {&probe_usb.options, 0, NULL, 0},
    {&probe_stlink_server.options, 0, NULL, 0},
    {&probe_gdb.options, 0, NULL, 0},
    {&probe_image.options, 0, NULL, 0},
    {0},
};

/* The ways that txtap tries in this order if no option names a connection. */
static const struct probe_kind *const ways[] = {
    &probe_usb_direct,
    &probe_usb_openocd,
    &probe_openocd,
    &probe_stlink_server,
};

#define WAYS (sizeof ways / sizeof *ways)

void probe_choose(const struct probe_kind *kind, const struct argp_state *state)
{
    struct probe_options *options = state->input;

    if (options->kind->name != NULL && options->kind != kind)
        option_error(state, "--%s and --%s exclude each other", options->kind->name, kind->name);
    options->kind = kind;
}

const struct probe_way *probe_way_at(size_t index)
{
    return index < WAYS ? &ways[index]->way : NULL;
}

static void list_ways(FILE *out)
{
    for (size_t i = 0; i < WAYS; i++)
        fprintf(out, "%-14s %s\n", ways[i]->way.name, ways[i]->way.text);
}

static const struct probe_kind *parse_way(const char *text, const struct argp_state *state)
{
    for (size_t i = 0; i < WAYS; i++)
        if (strcmp(ways[i]->way.name, text) == 0)
            return ways[i];
    if (strcmp(text, "help") == 0) {
        list_ways(stdout);
        exit(EXIT_DONE);
    }
    list_ways(stderr);
    option_error(state, "--way: '%s' is not a way to a target", text);
}

/* Sets the row. An option that names another connection contradicts --way. */
static void choose_way(struct probe_options *options, const struct argp_state *state)
{
    const struct probe_kind *way = options->way;
    bool is_named = options->kind->name != NULL || options->openocd.given;

    options->any = !is_named && way == NULL;
    if (way == NULL)
        return;
    if (is_named && options->kind != way && options->kind != way->way.family)
        option_error(state, "--way=%s and --%s exclude each other", way->way.name,
                     options->kind->name != NULL ? options->kind->name : "tcl");
    options->kind = way;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct probe_options *options = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        options->kind = &probe_openocd;
        options->timeout_ms = TIMEOUT_MS;
        for (size_t i = 0; kinds[i].argp != NULL; i++)
            state->child_inputs[i] = options;
        return 0;
    case KEY_TIMEOUT:
        options->timeout_ms =
            (unsigned)(option_seconds(state, "--timeout", text, 0.1, TIMEOUT_S_MAX, "from 100ms to 10min") * 1e3);
        return 0;
    case KEY_WAY:
        options->way = parse_way(text, state);
        return 0;
    case ARGP_KEY_END:
        choose_way(options, state);
        if (options->kind->check != NULL)
            options->kind->check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp probe_argp = {rows, parse, NULL, NULL, kinds, NULL, NULL};

/* ---- opening ---- */

static enum txtap_status open_row(struct probe *probe, const struct probe_kind *kind,
                                  const struct probe_options *options, struct error *error)
{
    struct txtap_source source;
    enum txtap_status status = kind->open(options, options->timeout_ms, &probe->device, &probe->self, &source, error);

    if (status != TXTAP_OK)
        return status;
    probe->kind = probe->before = kind;
    probe->source = counting_source_of(&probe->counting, source);
    return TXTAP_OK;
}

/* How much an error says about the reason why nothing can be read. */
enum reason { UNCERTAIN, NO_SERVER, NO_DEVICE, UNUSABLE, FAILED };

static enum reason reason_of(enum txtap_status status, const struct error *error)
{
    if (status != ERROR_NOT_FOUND && status != ERROR_UNREACHABLE)
        return FAILED;
    if (error->status == ERROR_UNREACHABLE)
        return NO_SERVER;
    if (error->status == ERROR_NOT_FOUND)
        return NO_DEVICE;
    return error->status == TXTAP_ERROR_SYSTEM ? UNCERTAIN : UNUSABLE;
}

/* Reports why no way is there. If no device is there, names the servers, too. */
static enum txtap_status report_reason(enum reason reason, const struct error *cause,
                                       const struct probe_options *options, struct error *error)
{
    if (reason == NO_DEVICE)
        return failure(error, ERROR_UNREACHABLE,
                       "%.80s, and no OpenOCD answers at %.80s:%.8s\n"
                       "'txtap probes' shows what is on USB; --tcl HOST:PORT names another OpenOCD",
                       cause->what, options->openocd.host, options->openocd.port);
    *error = *cause;
    return cause->status;
}

/* A probe that fails does not hide a server, but it is not tried in another way. */
enum txtap_status probe_open_best(struct probe *probe, const struct probe_kind *const best[], size_t count,
                                  const struct probe_options *options, struct error *error)
{
    const struct probe_kind *failed = NULL;
    struct error cause, reported = {0};
    enum reason reason = UNCERTAIN;

    for (size_t i = 0; i < count; i++) {
        enum txtap_status status;

        if (failed != NULL && best[i]->way.family == failed)
            continue;
        status = open_row(probe, best[i], options, &cause);
        if (status == TXTAP_OK) {
            snprintf(probe->why, sizeof probe->why, "%s", reason >= UNUSABLE ? reported.what : best[i]->way.why);
            return status;
        }
        if (status == ERROR_INTERRUPTED)
            return failure(error, status, "%s", cause.what);
        if (reason_of(status, &cause) == FAILED)
            failed = best[i]->way.family;
        if (i == 0 || reason_of(status, &cause) > reason) {
            reason = reason_of(status, &cause);
            reported = cause;
        }
    }
    return report_reason(reason, &reported, options, error);
}

enum txtap_status probe_open(struct probe *probe, const struct probe_options *options, struct error *error)
{
    if (probe->before == NULL && options->any)
        return probe_open_best(probe, ways, WAYS, options, error);
    return open_row(probe, probe->before != NULL ? probe->before : options->kind, options, error);
}

void probe_describe(const struct probe *probe, const struct probe_options *options, char out[static PROBE_LINE_BYTES])
{
    char name[PROBE_TEXT_BYTES];

    probe->kind->describe(probe->self, options, name);
    if (probe->why[0] != '\0')
        snprintf(out, PROBE_LINE_BYTES, "%s (--way=%s: %.200s)", name, probe->kind->way.name, probe->why);
    else
        snprintf(out, PROBE_LINE_BYTES, "%s", name);
}

void probe_close(struct probe *probe)
{
    if (probe->kind == NULL)
        return;
    if (probe->kind->close != NULL)
        probe->kind->close(probe->self);
    else
        probe->source.ops->close(probe->source.self);
    probe->kind = NULL;
    probe->source = (struct txtap_source){NULL, NULL};
}
