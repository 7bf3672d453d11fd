/* SPDX-License-Identifier: MIT */
/* Standard input, output and error, which the caller of txtap may have closed. Also writes to descriptors. */
#ifndef TXTAP_CAPTURE_BASE_FILES_H
#define TXTAP_CAPTURE_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "txtap/status.h"

/*
 * Prepares the standard files. Call it before anything else is opened. It does three things:
 * - It opens a device for each closed standard file. Reading from a closed input and writing to a closed output still
 *   fail.
 * - From then on no control byte reaches standard error, whatever a message quotes (names of files and hosts, a
 *   server's answer): bytes that are not printable UTF-8 are shown as \xNN.
 * - It flushes standard output when the program ends for any reason. If that fails, it reports the failure, and the
 *   exit code is EXIT_FAILED.
 * Returns false if a device cannot be opened.
 */
bool standard_files_begin(void);

/* Returns TXTAP_ERROR_SYSTEM, and sets `error`, if standard output was closed. */
enum txtap_status standard_output_check(struct error *error);

/* Writes the output of printf(). TXTAP_END: the reader has closed its end. TXTAP_ERROR_SYSTEM: a part could not be
 * written; error has the cause, and the failure is not reported again at exit. */
enum txtap_status standard_output_flush(struct error *error);

/* Writes bytes to `fd`. Returns the number of bytes written. If this number is less than `length`, errno has the cause.
 * EINTR: the user asked txtap to end, and the grace time is over. */
size_t write_bytes(int fd, const void *bytes, size_t length);

/* Makes a directory, and its parents if they are missing, like mkdir -p. -1: errno has the cause. */
int make_directories(const char *path);

#endif
