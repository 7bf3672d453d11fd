/* SPDX-License-Identifier: MIT */
/*
 * The files of a recording: writes their heads and their ends, and begins the next file when a file is full. Used by
 * recorder.c only. The functions with a status return TXTAP_OK, TXTAP_END if the pipe has no reader any more, or an
 * error whose text is in recording->error.
 */
#ifndef TXTAP_CAPTURE_RECORD_RECORDER_FILES_H
#define TXTAP_CAPTURE_RECORD_RECORDER_FILES_H

#include "record/recorder.h"

/* Adds a block that is not compressed. hold: it waits, and is written together with the next block. */
enum txtap_status files_add(struct recording *recording, enum txtap_recording_type type, const uint8_t *payload,
                            size_t length, bool hold);

/* Adds objects to the file. If `fresh` is true, adds all objects that the file's events can refer to; otherwise only
 * objects that changed. If events already wait for a new file, `fresh` adds the objects as they were last written,
 * because there may be no room for newer names. */
enum txtap_status files_add_objects(struct recording *recording, bool fresh);

/* Writes the file's head at once, so that every file that exists can be read, even if txtap ends early. */
enum txtap_status files_begin(struct recording *recording, bool overwrite);

/* Returns true if this file has no room for `length` more bytes of blocks. A file with only its head is never full. */
bool files_is_full(const struct recording *recording, size_t length);

/* Writes the end block and closes the file. The caller must have written the waiting events. */
enum txtap_status files_end(struct recording *recording, enum txtap_recording_why why);

/* Sets the error if `status` means that the path makes no valid file name. Returns status. */
enum txtap_status files_name_failure(struct recording *recording, enum txtap_status status);

/* Ends the file, and begins the next. */
enum txtap_status files_next(struct recording *recording);

/* Begins the next file if this file has no room for a block with `length` bytes of payload. If other blocks must be in
 * the same file as this block, the caller adds their size to `length`. */
enum txtap_status files_make_room(struct recording *recording, size_t length);

/* Returns the size limit for the entries and the words of a block that begins now. With this limit, the file does not
 * exceed its own limit. UINT64_MAX: no limit. */
uint64_t files_block_bytes_max(const struct recording *recording);

/* Writes the header and the objects of another trace buffer. Begins the next file first if this file is full. */
enum txtap_status files_change_buffer(struct recording *recording);

#endif
