/* SPDX-License-Identifier: MIT */
/* Where data goes: standard output or a file, through one buffer. */
#ifndef TXTAP_CAPTURE_OUTPUT_OUTPUT_H
#define TXTAP_CAPTURE_OUTPUT_OUTPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "base/job_queue.h"
#include "txtap/exporter.h"
#include "txtap/status.h"

#define OUTPUT_BUFFER_BYTES 65536

/* What the bytes go to: the thread's while there is a queue. */
struct output_file {
    int fd;
    bool owned; /* fd is to be closed */
    atomic_bool regular;
    bool binary;       /* has no lines: what is written at once belongs together */
    size_t since_line; /* bytes written behind the last end of a line */
    int error_number;  /* of the first failure: nothing is written behind it; 0: there was none */
};

/* Must not be moved; if output_close() was interrupted, not until the program ends. */
struct output {
    int fd; /* as it was opened, to ask a terminal */
    const char *name;
    struct output_file file;
    bool replaces_end;       /* output_flush_before() will be called */
    struct job_queue *queue; /* NULL: written at once */
    size_t all_room;         /* of the queue when nothing waits in it */
    size_t used;
    char buffer[OUTPUT_BUFFER_BYTES];
};

bool output_is_regular(int fd);

/* A device, a pipe or a terminal, which is written to as it is. */
bool output_is_special(const char *path);

/* NULL, "-" or "/dev/stdout". */
bool output_is_standard(const char *path);

/*
 * Opens a new file for writing; overwrite: empties one that exists. A device or a pipe is opened as it is. -1: errno
 * says why; EEXIST: the file exists.
 */
int output_create(const char *path, bool overwrite);

/* Sets the error for a file that exists, and returns ERROR_EXISTS. */
enum txtap_status output_exists(const char *path, struct error *error);

/*
 * path: NULL or "-" for standard output, else as output_create().
 * ERROR_EXISTS, TXTAP_ERROR_SYSTEM: error says file, cause and next step.
 */
enum txtap_status output_open(struct output *output, const char *path, bool overwrite, struct error *error);

/*
 * From now on a stalled reader delays nobody: up to capacity bytes wait for it. output_room() says how many more can.
 */
enum txtap_status output_start_queue(struct output *output, size_t capacity, struct error *error);

/* Bytes that can be written now without waiting for a reader; SIZE_MAX without a queue. */
size_t output_room(const struct output *output);

/* Has everything been written? */
bool output_is_written(const struct output *output);

/*
 * Opens the file of that name again, which is a new one if the old one was renamed. Appends to a file that exists. Only
 * for an output with a queue and a file of its own.
 */
enum txtap_status output_reopen(struct output *output, struct error *error);

/* A writer for an exporter. TXTAP_END: the reader of a pipe went away. TXTAP_ERROR_SYSTEM: errno says why. */
struct txtap_writer output_writer(struct output *output);

enum txtap_status output_flush(struct output *output);

/* The same, and a regular file then ends with these bytes until the next ones replace them. At most 64. */
enum txtap_status output_flush_before(struct output *output, const char *ending, size_t length);

/* Flushes and closes; also after a failure. The first failure wins. */
enum txtap_status output_close(struct output *output);

/* After output_close(): removes a file that was opened here, because half of it would be useless. */
void output_discard(const struct output *output);

/* True if it is a terminal, which is what colour and alignment are for. */
bool output_is_terminal(const struct output *output);

/* How many columns the terminal has; 0: it is no terminal, or does not say. */
unsigned output_columns(const struct output *output);

/* ERROR_EXISTS if the file exists and overwrite is false. To be called before the work is done. */
enum txtap_status output_check_new(const char *path, bool overwrite, struct error *error);

/* Could output_whole_file() write this file now, overwriting one that exists? False: errno says why not. Leaves nothing
 * behind. */
bool output_can_be_whole_file(const char *path);

/*
 * Writes a file completely or not at all: a temporary file beside it is written, then renamed. "-" is standard output;
 * a device or a pipe is written to as it is. A symbolic link stays: the file that it names is replaced. ERROR_EXISTS if
 * the file exists and overwrite is false, else TXTAP_ERROR_SYSTEM; error says file, cause and next step. After a
 * failure an existing file is as it was.
 */
enum txtap_status output_whole_file(const char *path, const void *bytes, size_t length, bool overwrite,
                                    struct error *error);

#endif
