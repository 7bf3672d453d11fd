/* SPDX-License-Identifier: MIT */
/* A taker that prints: entries become events with time, and go through an exporter to the output. */
#ifndef TXTAP_CAPTURE_PRINTER_H
#define TXTAP_CAPTURE_PRINTER_H

#include "definitions_file.h"
#include "options.h"
#include "output.h"
#include "session.h"
#include "txtap/clock.h"

struct printer {
    struct output output;
    struct txtap_exporter exporter;
    struct txtap_clock clock;
    struct txtap_header header;
    struct txtap_definitions *definitions; /* or NULL */
    const struct txtap_filter *filter;     /* of the options */
    uint64_t limit, printed;               /* limit 0: none */
};

/* Opens the output that the options name. On failure error is one line. */
enum txtap_status printer_open(struct printer *printer, const struct options *options,
                               const struct txtap_header *header, char error[static ERROR_TEXT_BYTES]);

/* What a session needs. */
struct session_taker printer_taker(struct printer *printer);

/* Writes what precedes the events; registry: the names, borrowed until printer_close(). */
enum txtap_status printer_begin(struct printer *printer, const struct txtap_registry *registry);

/* Writes what follows them, flushes and closes; earlier: what happened before, passed on if it is a failure. */
enum txtap_status printer_close(struct printer *printer, enum txtap_status earlier,
                                char error[static ERROR_TEXT_BYTES]);

#endif
