/* SPDX-License-Identifier: MIT */
/* Standard input, output and error, of which the caller may have closed any; and writing to a descriptor. */
#ifndef TXTAP_CAPTURE_BASE_FILES_H
#define TXTAP_CAPTURE_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "txtap/status.h"

/*
 * Opens a device in place of each one that is closed: reading from a closed input and writing to a closed output still
 * fail. From now on no control byte reaches standard error, whatever a message quotes (names of files and hosts, a
 * server's answer): bytes that are not printable UTF-8 are shown as \xNN. When the program ends, whatever ends it,
 * standard output is flushed: a failure is reported, and the exit code is EXIT_FAILED. To be called before anything
 * else is opened. False: a device cannot be opened.
 */
bool standard_files_begin(void);

/* TXTAP_ERROR_SYSTEM if it was closed; error says so. */
enum txtap_status standard_output_check(struct error *error);

/*
 * Writes what was printed with printf(). TXTAP_END: its reader went away. TXTAP_ERROR_SYSTEM: some of it could not be
 * written; error says why, and the exit does not report it again.
 */
enum txtap_status standard_output_flush(struct error *error);

/*
 * Writes bytes to fd, and returns how many: fewer than length after a failure, and errno says why. EINTR: the user
 * wants the end, and the time for that is over.
 */
size_t write_bytes(int fd, const void *bytes, size_t length);

#endif
