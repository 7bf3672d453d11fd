/* SPDX-License-Identifier: MIT */
/* The page as one HTML document: with the decoder, with what it must know before it begins, and perhaps with a trace.
 */
#ifndef TXTAP_CAPTURE_VIEW_DOCUMENT_H
#define TXTAP_CAPTURE_VIEW_DOCUMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/failure.h"
#include "txtap/exporter.h"
#include "view/trace_data.h"

enum document_mode {
    DOCUMENT_EMPTY,    /* waits for files to be dropped on it */
    DOCUMENT_EMBEDDED, /* the trace is in it */
    DOCUMENT_FILE,     /* the server has the trace */
    DOCUMENT_LIVE,     /* the server follows a target */
};

struct document {
    enum document_mode mode;
    const char *name;         /* of what is shown: a file, a firmware */
    double tick_hz;           /* 0: not known */
    unsigned profile;         /* TXTAP_PROFILE_* */
    char *const *definitions; /* of user events: texts of files, definitions_count of them */
    size_t definitions_count;
    const char *panel;             /* that is open first, "summary"; NULL: the page's choice */
    const struct trace_data *data; /* DOCUMENT_EMBEDDED, _FILE; else NULL */
    const char *const *files;      /* their names, file_count of them */
    size_t file_count;
};

/* What the page must know, as one JSON object. more: further members, each with a comma before it, or "". */
void document_put_setup(FILE *out, const struct document *document, const char *more);

/* Writes the document into memory, which the caller frees. TXTAP_ERROR_SYSTEM: error says why; *text is NULL. */
enum txtap_status document_make(const struct document *document, char **text, size_t *length, struct error *error);

/* The Content-Security-Policy of a document that may or may not fetch from its server. The caller frees it; NULL: no
 * memory. */
char *document_policy(bool fetches);

/* ---- compressed ---- */

struct packed;

/* writer: takes the text. TXTAP_ERROR_SYSTEM: no memory; *out is NULL. */
enum txtap_status packed_open(struct packed **out, struct txtap_writer writer, struct error *error);

/* What takes the bytes. Statuses as those of the writer behind it. */
struct txtap_writer packed_writer(struct packed *packed);

/* Writes what is left, unless status says that writing has failed, and frees. Returns the first failure. */
enum txtap_status packed_close(struct packed *packed, enum txtap_status status);

#endif
