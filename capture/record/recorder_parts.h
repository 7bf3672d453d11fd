/* SPDX-License-Identifier: MIT */
/*
 * The parts of a recording, which share its struct. Statuses other than TXTAP_OK: TXTAP_END, nobody reads the pipe any
 * more; or an error, and recording->error says why.
 */
#ifndef TXTAP_CAPTURE_RECORD_RECORDER_PARTS_H
#define TXTAP_CAPTURE_RECORD_RECORDER_PARTS_H

#include "record/recorder.h"

/* ---- recorder_stream.c: events, gaps and marks become blocks in their order ---- */

/* Is there room for one more item? Always, without a buffer. self: the struct recording. */
bool recording_has_room(const void *self, bool after_loss);

/* Sets up overflow and limit. */
void recording_init_stream(struct recording *recording);

/* Passes an event, a gap or a mark through overflow and limit to its block. now: when it was read. TXTAP_END: limit. */
enum txtap_status recording_put(struct recording *recording, const struct txtap_item *item, uint64_t now);

/* ---- recorder_blocks.c: blocks go to files, one file after the other ---- */

/* Opens the file that the rotation names, and writes what each file begins with. */
enum txtap_status recording_begin_file(struct recording *recording, bool overwrite);

/* Writes the end and closes. The events that wait in the block must have been written. */
enum txtap_status recording_end_file(struct recording *recording, enum txtap_recording_why why);

/* Sets the error if status says that the path gives no file name. Returns status. */
enum txtap_status recording_name_failure(struct recording *recording, enum txtap_status status);

/* Writes the header of another buffer, and all its objects: to the next file if this one is full. */
enum txtap_status recording_change_buffer(struct recording *recording);

/* How many bytes a block that begins now may have, with the block of its words, so that the file does not get larger
 * than asked for. */
uint64_t recording_block_bytes_max(const struct recording *recording);

/* Writes the events that wait: to the next file if this one is full. */
enum txtap_status recording_write_events(struct recording *recording);

/* Writes a gap or a mark, whose payload is in recording->batch.payload. The events before it must have been written. */
enum txtap_status recording_write_other(struct recording *recording, enum txtap_recording_type type, size_t length);

/* Writes objects that have changed since they were written, behind the events that wait. */
enum txtap_status recording_write_new_objects(struct recording *recording);

#endif
