/* SPDX-License-Identifier: MIT */
/* A CTF trace as babeltrace2 reads it: a directory with the stream in channel0_0 and the metadata beside it. */
#ifndef TXTAP_CAPTURE_OUTPUT_CTF_DIRECTORY_H
#define TXTAP_CAPTURE_OUTPUT_CTF_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/ctf_layout.h"

struct ctf_directory {
    const char *path; /* of the first; borrowed */
    unsigned number;  /* of traces before this one: the n-th of them is in PATH.n */
    char *metadata;
    size_t metadata_bytes;
    bool knows_layout; /* false: records are not told apart */
    struct txtap_ctf_layout layout;
    struct txtap_ctf_counter counter;
    uint64_t bytes; /* of the stream */
    int fd;         /* of the stream, or -1 */
};

/*
 * Reads the metadata and begins the first trace. A directory that is there is used, but not if it has a stream already,
 * unless force. On failure error is one line and nothing stays open. On success ctf_directory_close() is due.
 */
enum txtap_status ctf_directory_open(struct ctf_directory *directory, const char *path, const char *metadata,
                                     bool force, struct error *error);

/* The stream's next bytes. */
enum txtap_status ctf_directory_write(struct ctf_directory *directory, const uint8_t *bytes, size_t length,
                                      struct error *error);

/* Ends this trace and begins another one. */
enum txtap_status ctf_directory_next(struct ctf_directory *directory, bool force, struct error *error);

/*
 * Ends the trace: what is behind its last whole record is cut off, where records are told apart. rest: how many bytes
 * that were, all_zero: they were nothing but zeros. Safe to call again.
 */
enum txtap_status ctf_directory_end(struct ctf_directory *directory, uint64_t *rest, bool *all_zero,
                                    struct error *error);

void ctf_directory_close(struct ctf_directory *directory);

/* "PATH", "PATH.1", ...: where this trace is. Valid until the next call. */
const char *ctf_directory_name(const struct ctf_directory *directory);

#endif
