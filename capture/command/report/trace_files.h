/* SPDX-License-Identifier: MIT */
/* The traces in a folder. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_TRACE_FILES_H
#define TXTAP_CAPTURE_COMMAND_REPORT_TRACE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"

#define TRACE_FILES_MAX 100000

/* {0}: empty. */
struct trace_files {
    char **paths; /* `count` paths; owned */
    size_t count, room;
};

/*
 * Adds a path. If it is a folder, but not a directory of CTF, adds the traces in it and in its folders, sorted by name:
 * files that begin like a recording, and files whose names end in .rec, .trx or, if reports is true, .json. Ignores
 * hidden files and symbolic links. TXTAP_ERROR_SYSTEM: a folder cannot be read, or there is no memory.
 * TXTAP_ERROR_SPACE: more than TRACE_FILES_MAX paths. TXTAP_ERROR_FORMAT: the folder has no trace. error has the cause.
 */
enum txtap_status trace_files_add(struct trace_files *files, const char *path, bool reports, struct error *error);
void trace_files_free(struct trace_files *files);

#endif
