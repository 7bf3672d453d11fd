/* SPDX-License-Identifier: MIT */
/*
 * A sink that writes bytes as CTF traces for babeltrace2. Each trace is a directory with the stream in channel0_0 and
 * the metadata beside it; a line on standard error says what it has.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_CTF_WRITER_H
#define TXTAP_CAPTURE_OUTPUT_CTF_WRITER_H

#include "base/failure.h"
#include "options/options.h"
#include "txtap/ctf_layout.h"
#include "txtap/item.h"

struct ctf_writer {
    const struct options *options;
    const char *gap_means; /* the message for a gap in the bytes */
    unsigned number;       /* of this trace, from 0: number n > 0 is in DIRECTORY.n */
    uint8_t *metadata;
    size_t metadata_bytes;
    bool knows_layout; /* false: records cannot be counted */
    struct txtap_ctf_layout layout;
    struct txtap_ctf_counter counter; /* of this trace */
    uint64_t bytes;                   /* of its stream */
    int fd;                           /* of its stream, or -1 */
    uint64_t records;                 /* of all traces */
    bool cut;                         /* some trace ended within a record */
    struct error error;               /* why the sink failed */
};

/*
 * Begins a trace in the directory that the options name, which may exist. If it has a stream already, --force
 * overwrites that. On failure error is one line, and nothing stays open.
 */
enum txtap_status ctf_writer_open(struct ctf_writer *writer, const struct options *options, const char *gap_means,
                                  struct error *error);

/* A sink. A trace that restarts gets a directory of its own, because its time starts again. */
enum txtap_status ctf_writer_take(void *self, const struct txtap_item *item);

/* Ends the trace and prints what it has. Returns earlier if it is a failure, else how this went. */
enum txtap_status ctf_writer_close(struct ctf_writer *writer, enum txtap_status earlier, struct error *error);

#endif
