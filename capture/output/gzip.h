/* SPDX-License-Identifier: MIT */
/*
 * Compresses what an exporter writes on its way to an output (RFC 1952). A file is whole after each flush: its end
 * stands behind what was written, until more is written there.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_GZIP_H
#define TXTAP_CAPTURE_OUTPUT_GZIP_H

#include <stdbool.h>
#include <string.h>

#include "output/output.h"

struct gzip;

/* Does the name end with .gz? path may be NULL. */
static inline bool gzip_is_named(const char *path)
{
    size_t length = path != NULL ? strlen(path) : 0;

    return length > strlen(".gz") && strcmp(path + length - strlen(".gz"), ".gz") == 0;
}

/* output: open, borrowed. On failure error is one line and *out is NULL. */
enum txtap_status gzip_open(struct gzip **out, struct output *output, struct error *error);

/* What takes the bytes; as output_writer(). */
struct txtap_writer gzip_writer(struct gzip *gzip);

/* All bytes so far can be read now. */
enum txtap_status gzip_flush(struct gzip *gzip);

/* Ends the file. Bytes that follow are of another one. */
enum txtap_status gzip_end(struct gzip *gzip);

/* gzip may be NULL. */
void gzip_free(struct gzip *gzip);

#endif
