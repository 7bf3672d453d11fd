/* SPDX-License-Identifier: MIT */
/* The table of probes, and the options that choose a probe. */
#include "probe/probe.h"

#include <stdio.h>
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

#define TIMEOUT_MS    3000
#define TIMEOUT_S_MAX 600

enum { KEY_TIMEOUT = 890 };

static const struct argp_option rows[] = {
    {"timeout", KEY_TIMEOUT, "TIME", 0, "how long the server or probe may take to answer (default 3s)", 0},
    {0},
};

static const struct argp_child kinds[] = {
    {&probe_openocd.options, 0, NULL, 0}, {&probe_openocd_child.options, 0, NULL, 0}, {&probe_usb.options, 0, NULL, 0},
    {&probe_gdb.options, 0, NULL, 0},     {&probe_image.options, 0, NULL, 0},         {0},
};

void probe_choose(const struct probe_kind *kind, const struct argp_state *state)
{
    struct probe_options *options = state->input;

    if (options->kind->name != NULL && options->kind != kind)
        option_error(state, "--%s and --%s exclude each other", options->kind->name, kind->name);
    options->kind = kind;
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
    case ARGP_KEY_END:
        if (options->kind->check != NULL)
            options->kind->check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp probe_argp = {rows, parse, NULL, NULL, kinds, NULL, NULL};

/* Tries another kind of probe. If such a probe exists but cannot be opened, its error replaces the error that no server
 * is there. If it is certain that no such probe exists, the error names both causes and the next step. */
static enum txtap_status open_otherwise(struct probe *probe, const struct probe_kind *kind,
                                        const struct probe_options *options, struct txtap_source *source,
                                        struct error *error)
{
    struct error cause;
    enum txtap_status status = kind->open(options, options->timeout_ms, &probe->device, &probe->self, source, &cause);

    if (status != TXTAP_OK && status != ERROR_NOT_FOUND)
        *error = cause;
    else if (status == ERROR_NOT_FOUND && cause.status == ERROR_NOT_FOUND)
        (void)failure(error, error->status,
                      "%.80s, and no OpenOCD answers at %.80s:%.8s\n"
                      "'txtap probes' shows what is on USB; --tcl HOST:PORT names another OpenOCD",
                      cause.what, options->openocd.host, options->openocd.port);
    return status;
}

enum txtap_status probe_open(struct probe *probe, const struct probe_options *options, struct error *error)
{
    const struct probe_kind *kind = probe->before != NULL ? probe->before : options->kind;
    struct txtap_source source;
    enum txtap_status status = kind->open(options, options->timeout_ms, &probe->device, &probe->self, &source, error);

    if (status == ERROR_UNREACHABLE && probe->before == NULL && kind->otherwise != NULL && !options->openocd.given) {
        enum txtap_status other = open_otherwise(probe, kind->otherwise, options, &source, error);

        if (other != ERROR_NOT_FOUND)
            status = other;
        kind = kind->otherwise;
    }
    if (status != TXTAP_OK)
        return status;
    probe->kind = probe->before = kind;
    probe->source = counting_source_of(&probe->counting, source);
    return TXTAP_OK;
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
