/* SPDX-License-Identifier: MIT */
/*
 * A sink that makes CTF traces of bytes, as babeltrace2 reads them: for each a directory with the stream in channel0_0
 * and the metadata beside it, and a word about it on standard error.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_CTF_WRITER_H
#define TXTAP_CAPTURE_OUTPUT_CTF_WRITER_H

#include "base/failure.h"
#include "options/options.h"
#include "txtap/ctf_layout.h"
#include "txtap/item.h"

struct ctf_writer {
    const struct options *options;
    const char *gap_means; /* what a gap in the bytes says of the ring */
    unsigned number;       /* of traces before this one: the n-th of them is in DIRECTORY.n */
    uint8_t *metadata;
    size_t metadata_bytes;
    bool knows_layout; /* false: records are not told apart */
    struct txtap_ctf_layout layout;
    struct txtap_ctf_counter counter; /* of this trace */
    uint64_t bytes;                   /* of its stream */
    int fd;                           /* of its stream, or -1 */
    uint64_t records;                 /* of all traces */
    bool cut;                         /* a trace ended before its last byte */
    struct error error;               /* why the sink failed */
};

/*
 * Begins a trace in the directory that the options name: one that is there is used, but not if it has a stream already,
 * unless they say so. On failure error is one line and nothing stays open.
 */
enum txtap_status ctf_writer_open(struct ctf_writer *writer, const struct options *options, const char *gap_means,
                                  struct error *error);

/* A trace that restarted has times of its own: it gets a directory of its own. */
struct txtap_sink ctf_writer_sink(struct ctf_writer *writer);

/* Ends the trace and says what it has; earlier: what happened before, passed on if it is a failure. */
enum txtap_status ctf_writer_close(struct ctf_writer *writer, enum txtap_status earlier, struct error *error);

#endif
