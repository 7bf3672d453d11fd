/* SPDX-License-Identifier: MIT */
/* A memory image as a probe. */
#include <stdio.h>
#include <string.h>

#include "base/option_values.h"
#include "base/text_maker.h"
#include "probe/image.h"
#include "probe/probe.h"
#include "txtap/inner/escape.h"

enum { KEY_IMAGE = 930 };

static const struct argp_option rows[] = {
    {"image", KEY_IMAGE, "FILE@ADDRESS", 0, "read a memory image instead of a running target", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct probe_options *options = state->input;
    char *at;

    if (key != KEY_IMAGE)
        return ARGP_ERR_UNKNOWN;
    probe_choose(&probe_image, state);
    at = strrchr(text, '@');
    if (!at || at == text) {
        option_error(state, "--image: '%s' is not FILE@ADDRESS", text);
        return 0;
    }
    *at = '\0';
    options->file = text;
    options->file_address = option_address(state, "--image", at + 1, 4);
    return 0;
}

static enum txtap_status open_image(const struct probe_options *options, unsigned timeout_ms,
                                    struct probe_device *device, void **self, struct txtap_source *source,
                                    struct error *error)
{
    struct image_source *image;
    enum txtap_status status = image_open(&image, options->file, options->file_address, error);

    (void)timeout_ms;
    (void)device;
    if (status == TXTAP_OK) {
        *self = image;
        *source = image_source_of(image);
    }
    return status;
}

static void describe(void *self, const struct probe_options *options, char out[static PROBE_TEXT_BYTES])
{
    (void)self;
    snprintf(out, PROBE_TEXT_BYTES, "%s", options->file);
}

static void print(void *self, const struct probe_options *options)
{
    char escaped[1024];

    (void)self;
    text_row("image", "%s", txtap_escape_terminal(escaped, sizeof escaped, options->file));
}

static struct memory_region region(void *self)
{
    return image_region(self);
}

const struct probe_kind probe_image = {
    .name = "image",
    .options = {rows, parse, NULL, NULL, NULL, NULL, NULL},
    .open = open_image,
    .describe = describe,
    .print = print,
    .region = region,
};
