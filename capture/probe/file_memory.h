/* SPDX-License-Identifier: MIT */
/* Target memory that a file holds, as segments: the memory sources that are files. */
#ifndef TXTAP_CAPTURE_PROBE_FILE_MEMORY_H
#define TXTAP_CAPTURE_PROBE_FILE_MEMORY_H

#include <stddef.h>

#include "base/failure.h"
#include "txtap/container.h"
#include "txtap/source.h"

/* The first member of such a source, whose close() gets it as self. All pointers are borrowed. */
struct file_memory {
    struct error error;                   /* first: source_base.h */
    const char *name;                     /* of the file */
    const struct txtap_segment *segments; /* by address */
    size_t segment_count;
    void (*close)(void *self);
};

/* memory must not move. ERROR_FAULT: the file does not hold all of the memory asked for. */
struct txtap_source file_memory_source(struct file_memory *memory);

#endif
