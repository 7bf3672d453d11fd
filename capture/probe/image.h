/* SPDX-License-Identifier: MIT */
/* A file as target memory: for --image FILE@ADDRESS, and for files that decode reads. */
#ifndef TXTAP_CAPTURE_PROBE_IMAGE_H
#define TXTAP_CAPTURE_PROBE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "input/input.h"
#include "base/memory_region.h"
#include "txtap/container.h"
#include "txtap/source.h"
#include "txtap/status.h"

#define IMAGE_BYTES_MAX (256u * 1024 * 1024)

/*
 * Reads all of `input`, which the caller owns. Sets *bytes, which the caller frees, and *length. On failure *bytes is
 * NULL, and error has the file, the cause and the next step. TXTAP_ERROR_SYSTEM: the input cannot be read. _TRUNCATED:
 * the input is empty. _SPACE: the input is larger than IMAGE_BYTES_MAX.
 */
enum txtap_status image_load(struct input *input, uint8_t **bytes, size_t *length, struct error *error);

struct image_source;

/*
 * Reads a whole file into memory, or standard input if path is "-". The first byte is at the target address `base`.
 * `path` is borrowed. On success the caller closes *out through its ops. On failure *out is NULL and status and error
 * are those of image_load(), or TXTAP_ERROR_USAGE: the image would end beyond the last address.
 */
enum txtap_status image_open(struct image_source **out, const char *path, uint32_t base, struct error *error);

/* Returns the source. A read that is not wholly inside the image returns ERROR_FAULT. */
struct txtap_source image_source_of(struct image_source *image);

/* Returns the addresses that the image covers. */
struct memory_region image_region(const struct image_source *image);

/* ---- segments of any file ---- */

/* Memory of a file, for a source. It must be the source's first member, because close() gets it as self. All pointers
 * are borrowed. */
struct file_memory {
    struct error error;                   /* must be first: source_base.h */
    const char *name;                     /* name of the file */
    const struct txtap_segment *segments; /* sorted by address */
    size_t segment_count;
    void (*close)(void *self);
};

/* Returns the source. `memory` must not move. ERROR_FAULT: the file does not contain all of the requested memory. */
struct txtap_source file_memory_source(struct file_memory *memory);

#endif
