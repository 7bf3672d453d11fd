/* SPDX-License-Identifier: MIT */
/*
 * A sink that writes events to files that TraceX opens. Each ring is as large as its events need, up to
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

#define TRX_FILES_EVENTS     32768u /* as many as TraceX's documentation allows in a file */
#define TRX_FILES_NAME_BYTES 32u    /* of an object's name; TraceX refuses 64 and more */

struct trx_files {
    const char *path;                      /* borrowed; NULL or "-": standard output */
    bool overwrite;                        /* files that exist */
    const struct txtap_header *newest;     /* of the event that comes next; borrowed */
    const struct txtap_registry *registry; /* borrowed */
    struct txtap_header header;            /* of the events in entries */
    uint8_t *entries;
    uint64_t *seqs;        /* of the events in entries */
    uint32_t count, files; /* events in entries; files written */
    uint32_t several;      /* addresses left without a name in some file, because they had several */
    struct error error;    /* why the sink failed */
};

/* After success trx_files_close() or trx_files_free() is due. On failure error is one line. */
enum txtap_status trx_files_open(struct trx_files *files, const char *path, bool overwrite, struct error *error);

/* Before the first event. Both are borrowed until trx_files_close(), and may change between two items. */
void trx_files_begin(struct trx_files *files, const struct txtap_header *header, const struct txtap_registry *registry);

/* A sink: a file is written when it is full. files->error says why the sink failed. */
enum txtap_status trx_files_take(void *self, const struct txtap_item *item);

/*
 * Writes the last file, unless earlier is a failure, and frees. Returns earlier, or why that failed; error says why,
 * unless it is set already. TXTAP_ERROR_FORMAT: there was no event.
 */
enum txtap_status trx_files_close(struct trx_files *files, enum txtap_status earlier, struct error *error);
void trx_files_free(struct trx_files *files);

#endif
