/* SPDX-License-Identifier: MIT */
/*
 * A trace as the page takes it: one recording, not compressed, of events or of CTF, or the bytes of a trace buffer. It
 * is kept in a file
 * without a name, so that any number of pages can read it, and none of them the files it came from.
 */
#ifndef TXTAP_CAPTURE_VIEW_TRACE_DATA_H
#define TXTAP_CAPTURE_VIEW_TRACE_DATA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/failure.h"
#include "file/reading_notes.h"
#include "file/trace_file.h"
#include "txtap/exporter.h"

struct trace_data {
    FILE *file;
    uint64_t bytes;
    bool recording;  /* else it is a trace buffer */
    uint32_t blocks; /* of the recording, so far */
    bool cut;        /* of a recording: blocks are missing, see notes */
    struct reading_notes notes;
};

/*
 * Reads what request->input has: a recording, perhaps of several files, a directory of CTF, or anything that
 * trace_file_open() takes. quiet: says nothing of what is missing. Statuses as those of recording_reader_open(),
 * ctf_directory_read() and trace_file_open(), and
 * TXTAP_ERROR_SYSTEM: there is no room to keep it. After success trace_data_close() is due.
 */
enum txtap_status trace_data_open(struct trace_data *data, const struct trace_file_request *request, bool quiet,
                                  struct error *error);
void trace_data_close(struct trace_data *data);

/* Writes all of it, from the beginning. TXTAP_ERROR_SYSTEM: it cannot be read; error says why. */
enum txtap_status trace_data_write(const struct trace_data *data, struct txtap_writer writer, struct error *error);

#endif
