/* SPDX-License-Identifier: MIT */
/* A sink that makes CTF traces of bytes: a directory for each, and a word about it on standard error. */
#ifndef TXTAP_CAPTURE_OUTPUT_CTF_WRITER_H
#define TXTAP_CAPTURE_OUTPUT_CTF_WRITER_H

#include "options/options.h"
#include "output/ctf_directory.h"
#include "txtap/item.h"

struct ctf_writer {
    struct ctf_directory directory;
    const struct options *options;
    const char *gap_means; /* what a gap in the bytes says of the ring */
    uint64_t records;      /* of all traces, as far as they are told apart */
    bool cut;              /* a trace ended before its last byte */
    struct error error;    /* why the sink failed */
};

/* Begins a trace in the directory that the options name. On failure error is one line and nothing stays open. */
enum txtap_status ctf_writer_open(struct ctf_writer *writer, const struct options *options, const char *gap_means,
                                  struct error *error);

/* A trace that restarted has times of its own: it gets a directory of its own. */
struct txtap_sink ctf_writer_sink(struct ctf_writer *writer);

/* Ends the trace and says what it has; earlier: what happened before, passed on if it is a failure. */
enum txtap_status ctf_writer_close(struct ctf_writer *writer, enum txtap_status earlier, struct error *error);

#endif
