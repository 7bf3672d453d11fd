/* SPDX-License-Identifier: MIT */
/*
 * A sink that writes events to files that TraceX can open. Each file's ring is as large as its events need, up to
 * TRX_FILES_EVENTS; more events, or events of another buffer, begin another file.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_TRX_FILES_H
#define TXTAP_CAPTURE_OUTPUT_TRX_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/header.h"
#include "txtap/item.h"
#include "txtap/registry.h"

#define TRX_FILES_EVENTS     32768u /* the largest number in a file according to TraceX's documentation */
#define TRX_FILES_NAME_BYTES 32u    /* size of an object's name; TraceX refuses 64 and more */

struct trx_files {
    const char *path;                      /* borrowed; NULL or "-": standard output */
    bool overwrite;                        /* overwrite existing files */
    const struct txtap_header *newest;     /* header of the next event; borrowed */
    const struct txtap_registry *registry; /* borrowed */
    struct txtap_header header;            /* header of the events in `entries` */
    uint8_t *entries;
    uint64_t *seqs;        /* sequence numbers of the events in `entries` */
    uint32_t count, files; /* number of events in `entries`; number of files written */
    uint32_t several;      /* number of addresses that have no name in a file because each had several names */
    struct error error;    /* why the sink failed */
};

/* Opens the files. After success, call trx_files_close() or trx_files_free(). On failure error is one line. */
enum txtap_status trx_files_open(struct trx_files *files, const char *path, bool overwrite, struct error *error);

/* Begins the output. Call it before the first event. header and registry are borrowed until trx_files_close(), and may
 * change between two items. */
void trx_files_begin(struct trx_files *files, const struct txtap_header *header, const struct txtap_registry *registry);

/* Takes an item, and writes a file when it is full. A sink's function. On failure files->error has the cause. */
enum txtap_status trx_files_take(void *self, const struct txtap_item *item);

/* Writes the last file, unless `earlier` is a failure, and frees memory. Returns `earlier` if it is a failure, else the
 * result of writing. error gets the cause, unless it is already set. TXTAP_ERROR_FORMAT: there was no event. */
enum txtap_status trx_files_close(struct trx_files *files, enum txtap_status earlier, struct error *error);
void trx_files_free(struct trx_files *files);

#endif
