/* SPDX-License-Identifier: MIT */
/* A file that holds a trace buffer, of any kind that libtxtap reads: opened, found, and ready for txtap_trace_next().
 */
#ifndef TXTAP_CAPTURE_FILE_TRACE_FILE_H
#define TXTAP_CAPTURE_FILE_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "probe/image.h"
#include "txtap/container.h"
#include "txtap/trace.h"

#define TRACE_FILE_BUFFERS_MAX 16

struct trace_file_request {
    struct input *input; /* open, at its first byte */
    bool has_base;       /* where the first byte of a file without addresses lay */
    uint32_t base;
    bool has_address; /* which buffer, by the address of its header */
    uint32_t address;
};

/* A place that looks like a trace buffer's header. */
struct trace_file_buffer {
    uint64_t address; /* where it is; without addresses, its offset in the file */
    const uint8_t *bytes;
    size_t length;       /* to the end of the memory that the file holds there */
    bool at_home;        /* where it is is known, and it is where the header says */
    unsigned word_bytes; /* 4 or 8 */
    enum txtap_status status;
    struct txtap_header header;
};

struct trace_file {
    uint8_t *image; /* the file as it is */
    size_t image_bytes;
    const char *name;
    struct txtap_container container;
    struct txtap_segment *segments;
    size_t segment_count;
    uint64_t overlapping; /* bytes that the file gives more than once */
    uint8_t *memory, *narrowed;
    struct txtap_trace_narrowed narrow; /* bytes 0: of 32-bit words as recorded */

    struct trace_file_buffer buffers[TRACE_FILE_BUFFERS_MAX]; /* by address; usable ones stay, others make room */
    size_t buffer_count, usable;
    size_t dropped; /* that the table has no room for */
    const struct trace_file_buffer *chosen;

    const uint8_t *bytes; /* of the chosen buffer, narrowed if need be */
    size_t length;
    struct txtap_object *objects;
    struct txtap_trace trace;
};

/*
 * On success the file is to be closed. On failure error is one line with file, cause and next step, nothing stays open,
 * and of several buffers all were listed on standard error: ERROR_NOT_FOUND none; _AMBIGUOUS several; _FORMAT a
 * damaged container; _USAGE a base for a file that has addresses; what image_load() and txtap_trace_open() say.
 */
enum txtap_status trace_file_open(struct trace_file *file, const struct trace_file_request *request,
                                  struct error *error);

/*
 * The first half of that: the memory that the file holds, in segments; nothing is looked for in it. Closed and failing
 * in the same way.
 */
enum txtap_status trace_file_load(struct trace_file *file, const struct trace_file_request *request,
                                  struct error *error);

void trace_file_close(struct trace_file *file);

/* What of the file's memory is odd, on standard error: what is cut off, or there twice. */
void trace_file_report_memory(const struct trace_file *file);

/* Says on standard error what is missing or was changed, a line each; nothing if all is there. */
void trace_file_report(const struct trace_file *file);

#endif
