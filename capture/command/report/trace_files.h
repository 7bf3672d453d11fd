/* SPDX-License-Identifier: MIT */
/* The traces in a folder, or on the subjects of a NATS server. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_TRACE_FILES_H
#define TXTAP_CAPTURE_COMMAND_REPORT_TRACE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"

#define TRACE_FILES_MAX 100000

/* {0}: empty. */
struct trace_files {
    struct trace_file_name {
        char *path; /* or a place on NATS servers; owned */
        char *name; /* the same without password and time, to be shown; owned */
    } * at;         /* `count` files; owned */
    size_t count, room;
    size_t fixed; /* of the last pattern of subjects: see struct nats_subjects */
};

/*
 * Adds a path. If it is a folder, but not a directory of CTF, adds the traces in it and in its folders, sorted by name:
 * files that begin like a recording, and files whose names end in .rec, .trx or, if reports is true, .json. Ignores
 * hidden files and symbolic links. If it is a place of a NATS server, adds each subject with recordings: see
 * nats_subjects_find(), also for since_us and for other statuses. TXTAP_ERROR_SYSTEM: a folder cannot be read, or there
 * is no memory. TXTAP_ERROR_SPACE: more than TRACE_FILES_MAX paths. TXTAP_ERROR_FORMAT: the folder has no trace. error
 * has the cause.
 */
enum txtap_status trace_files_add(struct trace_files *files, const char *path, bool reports, uint64_t since_us,
                                  struct error *error);
void trace_files_free(struct trace_files *files);

#endif
