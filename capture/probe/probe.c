/* SPDX-License-Identifier: MIT */
/* The table of probes, and the options that choose one. */
#include "probe/probe.h"

#define TIMEOUT_MS 3000

static const struct argp_child kinds[] = {
    {&probe_openocd.options, 0, NULL, 0},
    {&probe_openocd_child.options, 0, NULL, 0},
    {&probe_gdb.options, 0, NULL, 0},
    {&probe_image.options, 0, NULL, 0},
    {0},
};

void probe_choose(const struct probe_kind *kind, const struct argp_state *state)
{
    struct probe_options *options = state->input;

    if (options->kind->name != NULL && options->kind != kind)
        argp_error(state, "--%s and --%s exclude each other", options->kind->name, kind->name);
    options->kind = kind;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct probe_options *options = state->input;

    (void)text;
    switch (key) {
    case ARGP_KEY_INIT:
        options->kind = &probe_openocd;
        for (size_t i = 0; kinds[i].argp != NULL; i++)
            state->child_inputs[i] = options;
        return 0;
    case ARGP_KEY_END:
        if (options->kind->check != NULL)
            options->kind->check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp probe_argp = {NULL, parse, NULL, NULL, kinds, NULL, NULL};

enum txtap_status probe_open(struct probe *probe, const struct probe_options *options, struct error *error)
{
    struct txtap_source source;
    enum txtap_status status = options->kind->open(options, TIMEOUT_MS, &probe->self, &source, error);

    if (status != TXTAP_OK)
        return status;
    probe->kind = options->kind;
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
