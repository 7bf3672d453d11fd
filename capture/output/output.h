/* SPDX-License-Identifier: MIT */
/* Writes data to standard output or a file, through one buffer. */
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

/* The file to which the bytes are written. While there is a queue, only its thread uses this struct. */
struct output_file {
    int fd;
    bool owned; /* close `fd` at the end */
    atomic_bool regular;
    bool binary;       /* the data has no lines: bytes that are written at once belong together */
    size_t since_line; /* bytes written after the last line end */
    int error_number;  /* errno of the first failure, after which nothing is written; 0: no failure */
};

/* An output must not be moved. After an interrupted output_close(), it must not be freed until the program ends. */
struct output {
    int fd; /* the first descriptor, used to ask whether the output is a terminal */
    const char *name;
    struct output_file file;
    bool replaces_end;       /* output_flush_before() will be called */
    struct job_queue *queue; /* NULL: data is written at once */
    size_t all_room;         /* room in the empty queue */
    size_t used;
    char buffer[OUTPUT_BUFFER_BYTES];
};

bool output_is_regular(int fd);

/* Returns true for a device, a pipe or a terminal, to which data is written without creating or renaming a file. */
bool output_is_special(const char *path);

/* Returns true for NULL, "-" and "/dev/stdout". */
bool output_is_standard(const char *path);

/*
 * Opens a new file for writing. If `overwrite` is true, empties an existing file. Opens a device or a pipe without
 * creating it. -1: errno has the cause; EEXIST: the file exists.
 */
int output_create(const char *path, bool overwrite);

/* Sets the error for a file that exists, and returns ERROR_EXISTS. */
enum txtap_status output_exists(const char *path, struct error *error);

/* Opens an output. path: NULL or "-" for standard output, otherwise a path as for output_create(). ERROR_EXISTS,
 * TXTAP_ERROR_SYSTEM: error has the file, the cause and a hint. */
enum txtap_status output_open(struct output *output, const char *path, bool overwrite, struct error *error);

/* Starts a queue: from now on at most `capacity` bytes can wait for a slow reader, and writing does not wait for the
 * reader. output_room() tells how many more bytes fit. */
enum txtap_status output_start_queue(struct output *output, size_t capacity, struct error *error);

/* Bytes that can be written without waiting for a reader; SIZE_MAX without a queue. */
size_t output_room(const struct output *output);

/* Returns true if everything has been written. */
bool output_is_written(const struct output *output);

/*
 * Opens the file of the same name again. If the old file was renamed, this creates a new file; otherwise it appends to
 * the file. Only for an output with a queue and its own file.
 */
enum txtap_status output_reopen(struct output *output, struct error *error);

/* Returns a writer for an exporter. TXTAP_END: the pipe has no reader any more. TXTAP_ERROR_SYSTEM: errno has the
 * cause. */
struct txtap_writer output_writer(struct output *output);

enum txtap_status output_flush(struct output *output);

/* Flushes the output like output_flush(). At the end of a regular file, also writes `ending` (at most 64 bytes). The
 * next bytes replace this ending. */
enum txtap_status output_flush_before(struct output *output, const char *ending, size_t length);

/* Flushes and closes the output, even after a failure. Returns the first failure. */
enum txtap_status output_close(struct output *output);

/* Removes the file that the output opened, because an incomplete file is useless. Call it after output_close(). */
void output_discard(const struct output *output);

/* Returns true for a terminal: colour and alignment make sense there. */
bool output_is_terminal(const struct output *output);

/* Returns the number of columns of the terminal; 0: no terminal, or unknown. */
unsigned output_columns(const struct output *output);

/* Returns the number of columns of the terminal to which output_whole_file() would write; 0: no terminal, or unknown.
 */
unsigned output_path_columns(const char *path);

/* Returns ERROR_EXISTS if the file exists and overwrite is false. Call it before the work is done. */
enum txtap_status output_check_new(const char *path, bool overwrite, struct error *error);

/* Returns true if output_whole_file() could now write this file, or overwrite it. False: errno has the cause. Leaves no
 * file behind. */
bool output_can_be_whole_file(const char *path);

/*
 * Writes a file completely or not at all: writes a temporary file beside it, then renames it. "-" is standard output; a
 * device or a pipe is written directly. A symbolic link is kept, and the file at its end is replaced. ERROR_EXISTS if
 * the file exists and overwrite is false, else TXTAP_ERROR_SYSTEM; error has the file, the cause and a hint. After a
 * failure an existing file is unchanged.
 */
enum txtap_status output_whole_file(const char *path, const void *bytes, size_t length, bool overwrite,
                                    struct error *error);

#endif
