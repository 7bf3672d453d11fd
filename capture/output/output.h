/* SPDX-License-Identifier: MIT */
/* Where data goes: standard output or a file, through one buffer. */
#ifndef TXTAP_CAPTURE_OUTPUT_OUTPUT_H
#define TXTAP_CAPTURE_OUTPUT_OUTPUT_H

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
    bool owned;        /* fd is to be closed */
    size_t since_line; /* bytes written behind the last end of a line */
    int error_number;  /* of the thread's first failure */
};

/* Must stay where it is, for the rest of the program if output_close() was interrupted. */
struct output {
    int fd; /* as it was opened: a terminal is asked through it */
    const char *name;
    struct output_file file;
    struct job_queue *queue; /* NULL: written at once */
    size_t all_room;         /* of the queue when nothing waits in it */
    size_t used;
    char buffer[OUTPUT_BUFFER_BYTES];
};

/*
 * Writes bytes to fd, and returns how many: fewer than length after a failure, errno says why. EINTR: the end was asked
 * for, and the time that is left then is over.
 */
size_t output_write_bytes(int fd, const void *bytes, size_t length);

/* NULL, "-" or "/dev/stdout". */
bool output_is_standard(const char *path);

/*
 * Opens a new file for writing; with overwrite one that is there is emptied. A device or a pipe is opened as it is.
 * -1: errno says why, EEXIST that a file is there.
 */
int output_create(const char *path, bool overwrite);

/* ERROR_EXISTS, and the words for it. */
enum txtap_status output_exists(const char *path, struct error *error);

/*
 * path: NULL or "-" for standard output, else as output_create().
 * ERROR_EXISTS, TXTAP_ERROR_SYSTEM: error says file, cause and next step.
 */
enum txtap_status output_open(struct output *output, const char *path, bool overwrite, struct error *error);

/*
 * From here on a stalled reader costs no time: up to capacity bytes wait for it. output_room() then says how many more
 * could.
 */
enum txtap_status output_start_queue(struct output *output, size_t capacity, struct error *error);

/* Bytes that can be written now without waiting for a reader; SIZE_MAX without a queue. */
size_t output_room(const struct output *output);

/* Has all that was given to it been written? */
bool output_is_written(const struct output *output);

/*
 * Opens the file of that name again, which is another one by now if the old one was renamed; what is there already
 * stays. For an output with a queue and a file of its own.
 */
enum txtap_status output_reopen(struct output *output, struct error *error);

/* The exporter's writer. TXTAP_END when the reader of a pipe went away; TXTAP_ERROR_SYSTEM with errno otherwise. */
struct txtap_writer output_writer(struct output *output);

enum txtap_status output_flush(struct output *output);

/* Flushes and closes; also after a failure. The first failure wins. */
enum txtap_status output_close(struct output *output);

/* Takes a file that was opened here away again, after output_close(): half of it would be of no use. */
void output_discard(const struct output *output);

/* True if it is a terminal, which is what colour and alignment are for. */
bool output_is_terminal(const struct output *output);

/* How many columns the terminal has; 0 if it is no terminal, or does not tell. */
unsigned output_columns(const struct output *output);

/* ERROR_EXISTS if the file is there and overwrite is false: to be asked before the work is done. */
enum txtap_status output_check_new(const char *path, bool overwrite, struct error *error);

/* Could output_whole_file() make it now, overwriting what is there? False: errno says why not. Nothing is left behind.
 */
bool output_can_be_whole_file(const char *path);

/*
 * Writes a whole file so that it is there complete or not at all: to a temporary file beside it, then renamed.
 * "-" is standard output; a device or a pipe is written to as it is. ERROR_EXISTS if the file is there and
 * overwrite is false; TXTAP_ERROR_SYSTEM otherwise; error says file, cause and next step. A file of that name is left
 * as it was on failure.
 */
enum txtap_status output_whole_file(const char *path, const void *bytes, size_t length, bool overwrite,
                                    struct error *error);

#endif
