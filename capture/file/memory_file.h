/* SPDX-License-Identifier: MIT */
/* A file that holds target memory, in any format that libtxtap reads, as a memory source. */
#ifndef TXTAP_CAPTURE_FILE_MEMORY_FILE_H
#define TXTAP_CAPTURE_FILE_MEMORY_FILE_H

#include "file/trace_file.h"
#include "probe/file_memory.h"
#include "txtap/source.h"

struct memory_file {
    struct file_memory memory; /* first; file_memory_source() reads from it */
    struct trace_file file;
};

/*
 * On success close its source. On failure error is one line: as trace_file_load(), or TXTAP_ERROR_USAGE: the
 * file has no addresses, and the request has no base.
 */
enum txtap_status memory_file_open(struct memory_file *memory, const struct trace_file_request *request,
                                   struct error *error);

#endif
