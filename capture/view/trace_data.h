/* SPDX-License-Identifier: MIT */
/*
 * A trace in the form that the page takes: one uncompressed recording of events or of CTF, or the bytes of a trace
 * buffer. It is kept in a file without a name. So any number of pages can read it, and the original files are no longer
 * needed.
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
    bool recording;  /* false: a trace buffer */
    uint32_t blocks; /* number of blocks of the recording so far */
    bool cut;        /* blocks of the recording are missing: see `notes` */
    struct reading_notes notes;
};

/*
 * Reads request->input: a recording of one or several files, a directory of CTF, or any file that trace_file_open()
 * accepts. quiet: if true, prints nothing about missing parts. Returns the statuses of recording_reader_open(),
 * ctf_directory_read() and trace_file_open(), and TXTAP_ERROR_SYSTEM: no room to keep the trace. After success, call
 * trace_data_close().
 */
enum txtap_status trace_data_open(struct trace_data *data, const struct trace_file_request *request, bool quiet,
                                  struct error *error);
void trace_data_close(struct trace_data *data);

/* Writes the whole trace, from the beginning. TXTAP_ERROR_SYSTEM: the kept trace cannot be read; error has the
 * cause. */
enum txtap_status trace_data_write(const struct trace_data *data, struct txtap_writer writer, struct error *error);

#endif
