/* SPDX-License-Identifier: MIT */
/*
 * Events that come one by one as files that TraceX opens: an exporter that makes the ring as large as it takes, up to
 * RECORDING_TRX_EVENTS, and begins a file more when there are more.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_TRX_FILES_H
#define TXTAP_CAPTURE_OUTPUT_TRX_FILES_H

#include <limits.h>

#include "base/failure.h"
#include "output/printer.h"
#include "txtap/exporter.h"

#define RECORDING_TRX_EVENTS     32768u /* as many as TraceX's documentation allows in a file */
#define RECORDING_TRX_NAME_BYTES 32u    /* of an object's name; TraceX refuses 64 and more */

struct recording_trx {
    const char *path;           /* borrowed; NULL or "-": standard output */
    bool overwrite;             /* files that are there */
    struct txtap_header header; /* of the events in entries */
    uint8_t *entries;
    uint64_t *seqs; /* of the events in entries */
    uint32_t count, files;
    uint32_t several;   /* addresses without a name, for they had several in a file; of all files */
    struct error error; /* why an operation failed */
};

/* False: out of memory. */
bool recording_trx_init(struct recording_trx *trx, const char *path);
void recording_trx_free(struct recording_trx *trx);

/*
 * As printer_open(), but for trx the printer only chooses the events, and the files are the trx's own:
 * recording_trx_free() is due then.
 */
enum txtap_status recording_trx_open_printer(struct recording_trx *trx, struct printer *printer,
                                             const struct options *options, struct error *error);

/* For exporter.ops; exporter.writer.self is to be the trx. A file is written when it is full, and at the end. */
extern const struct txtap_exporter_ops recording_trx_ops;

#endif
