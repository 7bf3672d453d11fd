/* SPDX-License-Identifier: MIT */
/* Files that txtap keeps for itself beside a user's files. A file of another user could mislead it. */
#ifndef TXTAP_CAPTURE_BASE_OWN_FILE_H
#define TXTAP_CAPTURE_BASE_OWN_FILE_H

#include <stddef.h>

#include "base/failure.h"

/* Returns the text of a file and a NUL; the caller frees it. *length: without the NUL. NULL: there is no such file, it
 * is empty or larger than `most`, or it is a symbolic link or another user's file. */
char *own_file_read(const char *path, size_t most, size_t *length);

/*
 * Replaces the file completely, or not at all: writes a hidden temporary file beside it, and renames that. A symbolic
 * link is replaced, and the file at its end is unchanged. TXTAP_ERROR_SYSTEM: error has the cause.
 */
enum txtap_status own_file_write(const char *path, const void *bytes, size_t length, struct error *error);

#endif
