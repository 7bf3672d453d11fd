/* SPDX-License-Identifier: MIT */
/* A memory image as a probe. */
#include <stdio.h>

#include "attach/probe.h"
#include "base/text_row.h"
#include "probe/image.h"
#include "txtap/escape.h"

static bool is_wanted(const struct target_options *options)
{
    return options->image_path != NULL;
}

static enum txtap_status open_image(const struct target_options *options, unsigned timeout_ms, void **self,
                                    struct txtap_source *source, struct error *error)
{
    struct image_source *image;
    enum txtap_status status = image_open(&image, options->image_path, options->image_address, error);

    (void)timeout_ms;
    if (status == TXTAP_OK) {
        *self = image;
        *source = image_source_of(image);
    }
    return status;
}

static void close_image(void *self)
{
    image_source_of(self).ops->close(self);
}

static void describe(void *self, const struct target_options *options, char out[static PROBE_TEXT_BYTES])
{
    (void)self;
    snprintf(out, PROBE_TEXT_BYTES, "%s", options->image_path);
}

static void print(void *self, const struct target_options *options)
{
    char escaped[1024];

    (void)self;
    text_row("image", "%s", txtap_escape_terminal(escaped, sizeof escaped, options->image_path));
}

static struct memory_region region(void *self)
{
    return image_region(self);
}

const struct probe_kind probe_image = {
    .is_wanted = is_wanted,
    .open = open_image,
    .close = close_image,
    .describe = describe,
    .print = print,
    .region = region,
};
