/* SPDX-License-Identifier: MIT */
/* The page as one HTML document: the page, the decoder, the setup that the page needs at its start, and optionally a
 * trace. */
#ifndef TXTAP_CAPTURE_VIEW_DOCUMENT_H
#define TXTAP_CAPTURE_VIEW_DOCUMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/failure.h"
#include "txtap/check.h"
#include "txtap/exporter.h"
#include "view/trace_data.h"

enum document_mode {
    DOCUMENT_EMPTY,    /* the page waits for the user to drop files on it */
    DOCUMENT_EMBEDDED, /* contains the trace */
    DOCUMENT_FILE,     /* the server has the trace */
    DOCUMENT_LIVE,     /* the server follows a target */
    DOCUMENT_COMPARED, /* contains two traces and their comparison */
};

/* The result of a check. The page lists it, with a link to the event. */
struct document_check {
    const char *check;          /* as the user wrote it: "wake(control).p99 <= 200us" */
    enum txtap_verdict verdict; /* failed checks open the list */
    const char *text;           /* the measured value: "213 us of control, event 1234 at 0.500000 s"; "": nothing */
    const char *subject;        /* name of the deciding thread, object or interrupt; "": no name */
    bool has_event;             /* an event decided: `event` and `seconds` are valid */
    uint64_t event;             /* number of this event */
    double seconds;             /* its time since the start of the trace; below 0: not known */
};

struct document {
    enum document_mode mode;
    const char *name;         /* name of the file or of the firmware */
    double tick_hz;           /* 0: not known */
    bool hz_found;            /* tick_hz is from the recording, not from the user */
    unsigned profile;         /* TXTAP_PROFILE_* */
    char *const *definitions; /* texts of definitions_count files that define user events */
    size_t definitions_count;
    const char *interrupts;        /* definitions of interrupts from the firmware's file; NULL: not known */
    const char *functions;         /* definitions of functions from the firmware's file; NULL: not known */
    const char *panel;             /* the panel that is open at the start, "summary"; NULL: the page chooses */
    const struct trace_data *data; /* the trace of DOCUMENT_EMBEDDED and DOCUMENT_FILE; otherwise NULL */
    const char *const *files;      /* names of the trace's file_count files */
    size_t file_count;
    const struct document_check *checks; /* check_count results, in the order of the list */
    size_t check_count;
    const struct document *sides; /* for DOCUMENT_COMPARED: the 2 traces, as for DOCUMENT_EMBEDDED; otherwise NULL */
    const char *comparison;       /* for DOCUMENT_COMPARED: JSON without '<', see changes_show_page() */
    const char *advice;           /* advice against losses, for DOCUMENT_LIVE; NULL: no advice */
};

/* Writes the setup for the page as one JSON object. more: further members, each with a comma before it, or "". */
void document_put_setup(FILE *out, const struct document *document, const char *more);

/*
 * Writes the document into memory, which the caller frees. TXTAP_ERROR_SYSTEM: error has the cause, and *text is NULL.
 */
enum txtap_status document_make(const struct document *document, char **text, size_t *length, struct error *error);

/* Returns the Content-Security-Policy of a document. fetches: the document may fetch from its server. The caller frees
 * it; NULL: no memory. */
char *document_policy(bool fetches);

/* ---- compressed ---- */

struct packed;

/* Begins the text, which `writer` receives. TXTAP_ERROR_SYSTEM: no memory; *out is NULL. */
enum txtap_status packed_open(struct packed **out, struct txtap_writer writer, struct error *error);

/* Returns the writer that takes the bytes. Returns the statuses of the writer that receives the text. */
struct txtap_writer packed_writer(struct packed *packed);

/* Writes the rest, unless `status` is already an error, and frees `packed`. Returns the first failure. */
enum txtap_status packed_close(struct packed *packed, enum txtap_status status);

#endif
