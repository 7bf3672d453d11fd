/* SPDX-License-Identifier: MIT */
/* A file with a trace buffer, in any format of libtxtap: opens it, and finds the buffer for txtap_trace_next(). */
#ifndef TXTAP_CAPTURE_FILE_TRACE_FILE_H
#define TXTAP_CAPTURE_FILE_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "probe/image.h"
#include "txtap/container.h"
#include "txtap/source.h"
#include "txtap/trace.h"

#define TRACE_FILE_BUFFERS_MAX 16

struct trace_file_request {
    struct input *input; /* the file, open at its first byte */
    bool has_base;       /* true: the file has no addresses, and its first byte is at address `base` */
    uint32_t base;
    bool has_address; /* true: reads only the buffer whose header is at `address` */
    uint32_t address;
};

/* A candidate: bytes that look like a trace buffer's header. */
struct trace_file_buffer {
    uint64_t address; /* address of the header; in a file without addresses, its offset in the file */
    const uint8_t *bytes;
    size_t length;       /* bytes from the header to the end of its segment */
    bool at_home;        /* the header says that it is at this address; false: a copy */
    unsigned word_bytes; /* 4 or 8 */
    enum txtap_status status;
    struct txtap_header header;
};

struct trace_file {
    uint8_t *image; /* the unchanged file */
    size_t image_bytes;
    const char *name;
    struct txtap_container container;
    struct txtap_segment *segments;
    size_t segment_count;
    uint64_t overlapping; /* bytes that the file contains more than once */
    uint8_t *memory, *narrowed;
    struct txtap_trace_narrowed narrow; /* narrow.bytes is 0 if the trace has 32-bit words */

    struct trace_file_buffer
        buffers[TRACE_FILE_BUFFERS_MAX]; /* sorted by address; in a full table, usable buffers replace unusable ones */
    size_t buffer_count, usable;
    size_t dropped; /* number of candidates that did not fit into the table */
    const struct trace_file_buffer *chosen;

    const uint8_t *bytes; /* content of the chosen buffer; narrowed if its words have 64 bits */
    size_t length;
    struct txtap_object *objects;
    struct txtap_trace trace;
};

/*
 * Opens a file. On success the caller closes it. On failure nothing stays open, and error is one line with the file,
 * the cause and the next step. ERROR_NOT_FOUND: no buffer. ERROR_AMBIGUOUS: several buffers; a list of them is on
 * standard error. TXTAP_ERROR_FORMAT: a damaged container. TXTAP_ERROR_USAGE: the request has a base, but the file has
 * addresses. Other statuses are those of image_load() and txtap_trace_open().
 */
enum txtap_status trace_file_open(struct trace_file *file, const struct trace_file_request *request,
                                  struct error *error);

void trace_file_close(struct trace_file *file);

/* Returns true if the file at `path` begins like a recording, or with a trace buffer. Prints no message. */
bool trace_file_is_trace(const char *path);

/* Prints a line on standard error if the file's memory is cut off, and a line if the file has some memory twice. */
void trace_file_report_memory(const struct trace_file *file);

/* Prints the lines of trace_file_report_memory(), and a line for each kind of missing or changed data in the trace. */
void trace_file_report(const struct trace_file *file);

/* ---- as a memory source ---- */

struct memory_file {
    struct file_memory memory; /* must be first; file_memory_source() reads from it */
    struct trace_file file;
};

/* Opens a file as memory. On success the caller closes the source that file_memory_source() returns. On failure error
 * is one line. TXTAP_ERROR_USAGE: neither the file nor the request has an address for the file's bytes. Other statuses
 * are those of trace_file_open() while it loads the file. */
enum txtap_status memory_file_open(struct memory_file *memory, const struct trace_file_request *request,
                                   struct error *error);

#endif
