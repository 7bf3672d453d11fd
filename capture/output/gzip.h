/* SPDX-License-Identifier: MIT */
/*
 * Compresses the bytes of an exporter on their way to an output (RFC 1952). After each flush the file is complete: it
 * ends with a trailer, which the next bytes overwrite.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_GZIP_H
#define TXTAP_CAPTURE_OUTPUT_GZIP_H

#include <stdbool.h>
#include <string.h>

#include "output/output.h"

struct gzip;

/* Returns true if the name ends with .gz. path may be NULL. */
static inline bool gzip_is_named(const char *path)
{
    size_t length = path != NULL ? strlen(path) : 0;

    return length > strlen(".gz") && strcmp(path + length - strlen(".gz"), ".gz") == 0;
}

/* Begins compression. `output` is open; borrowed. On failure error is one line and *out is NULL. */
enum txtap_status gzip_open(struct gzip **out, struct output *output, struct error *error);

/* Returns the writer for the bytes to compress. It works like output_writer(). */
struct txtap_writer gzip_writer(struct gzip *gzip);

/* Makes all bytes readable that were written so far. */
enum txtap_status gzip_flush(struct gzip *gzip);

/* Ends the compressed file. Later bytes belong to another file. */
enum txtap_status gzip_end(struct gzip *gzip);

/* Frees the memory; NULL is allowed. */
void gzip_free(struct gzip *gzip);

#endif
