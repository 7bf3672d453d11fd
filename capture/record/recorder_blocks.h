/* SPDX-License-Identifier: MIT */
/*
 * The lower half of a recording: blocks to files, one file after the other. Knows what was written of the objects;
 * knows nothing of triggers. Statuses other than TXTAP_OK: TXTAP_END, nobody reads the pipe any more; an error, of
 * which recording->error says why.
 */
#ifndef TXTAP_CAPTURE_RECORD_RECORDER_BLOCKS_H
#define TXTAP_CAPTURE_RECORD_RECORDER_BLOCKS_H

#include "record/recorder.h"

/* Opens the file that the rotation names and writes what each begins with. */
enum txtap_status recording_begin_file(struct recording *recording, bool overwrite);

/* Writes the end and closes; the events that wait in the block are to be written before. */
enum txtap_status recording_end_file(struct recording *recording, enum txtap_recording_why why);

/* Says that no name comes of the path, if status does; returns status. */
enum txtap_status recording_name_failure(struct recording *recording, enum txtap_status status);

/* The buffer, which is another one, and all its objects: to the next file if this one is full. */
enum txtap_status recording_change_buffer(struct recording *recording);

/* How many bytes the entries of a block that begins now may have, with the block of their words, so that a file with it
 * is no larger than asked for. */
uint64_t recording_block_bytes_max(const struct recording *recording);

/* What a block of words takes in the file, whose payload has so many bytes; 0: there is none. */
size_t recording_words_bytes(size_t payload);

/* The events that wait, if there are any: to the next file if this one is full. */
enum txtap_status recording_write_events(struct recording *recording);

/* A gap or a mark, whose payload of length bytes is in recording->payload; the events before it are written. */
enum txtap_status recording_write_other(struct recording *recording, enum txtap_recording_type type, size_t length);

/* Objects that are not in the file as they are now, behind the events that wait. */
enum txtap_status recording_write_new_objects(struct recording *recording);

/* Objects are of this registry from now on; nothing of it was written. False: out of memory, nothing has changed. */
bool recording_set_registry(struct recording *recording, const struct txtap_registry *registry);

#endif
