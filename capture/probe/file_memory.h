/* SPDX-License-Identifier: MIT */
/* Target memory that a file holds, as segments: the read() of the memory sources that are files. */
#ifndef TXTAP_CAPTURE_PROBE_FILE_MEMORY_H
#define TXTAP_CAPTURE_PROBE_FILE_MEMORY_H

#include <stddef.h>

#include "base/failure.h"
#include "txtap/container.h"
#include "txtap/source.h"

#define FILE_MEMORY_READ_BYTES_MAX (64u * 1024 * 1024)
#define FILE_MEMORY_READS_MAX      64u

/* The first member of such a source. All pointers are borrowed. */
struct file_memory {
    struct error error;                   /* first: source_base.h */
    const char *name;                     /* of the file */
    const struct txtap_segment *segments; /* by address */
    size_t segment_count;
};

/* Takes the struct as self. ERROR_FAULT: the file does not hold all of the memory asked for. */
enum txtap_status file_memory_read(void *self, const struct txtap_read *reads, size_t count);

#endif
