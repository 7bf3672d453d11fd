/* SPDX-License-Identifier: MIT */
/* A sink that prints: events that are chosen go through an exporter to the output, as many as there is room for. */
#ifndef TXTAP_CAPTURE_OUTPUT_PRINTER_H
#define TXTAP_CAPTURE_OUTPUT_PRINTER_H

#include "file/definitions_file.h"
#include "options/options.h"
#include "output/choice.h"
#include "output/limit.h"
#include "output/output.h"
#include "output/overflow.h"
#include "txtap/event_maker.h"

struct printer {
    struct output output;
    struct txtap_exporter exporter;
    struct txtap_exporter_memory memory;
    struct choice choice;                  /* in front of */
    struct overflow overflow;              /* for a reader that is too slow, in front of */
    struct limit limit;                    /* in front of the exporter */
    size_t resume_room;                    /* bytes that must be free again before more is written behind an overflow */
    struct txtap_definitions *definitions; /* or NULL */
    uint8_t *kept;                         /* entries, for a format that needs the whole buffer */
    bool quiet;
};

/* Opens the output that the options name. On failure error is one line. */
enum txtap_status printer_open(struct printer *printer, const struct options *options, struct error *error);

/* The same, but the events that are chosen go to next: nothing is printed, and no file is opened. */
enum txtap_status printer_open_before(struct printer *printer, const struct options *options, struct txtap_sink next,
                                      struct error *error);

/* What takes the items between printer_begin() and printer_close(). */
struct txtap_sink printer_sink(struct printer *printer);

/*
 * The buffer as it was read, from its header on, for a format that needs it; others ignore it. bytes: borrowed until
 * printer_close(). To be called before printer_begin().
 */
enum txtap_status printer_give_buffer(struct printer *printer, const struct txtap_header *header, const uint8_t *bytes,
                                      size_t length, struct error *error);

/* The output has another file from here on: it begins as the first one did. For an output with a queue. */
enum txtap_status printer_reopen(struct printer *printer, struct error *error);

/* What was printed so far is seen now. */
enum txtap_status printer_flush(struct printer *printer);

/* Says on standard error what is odd about the times that maker gave, or that no event was chosen, unless -q was given.
 */
void printer_warn(const struct printer *printer, const struct options *options, const struct txtap_event_maker *maker);

/* Writes what precedes the events, which are of a buffer with that header and those names; both may change between two
 * items, and are borrowed until printer_close(). */
enum txtap_status printer_begin(struct printer *printer, const struct txtap_header *header,
                                const struct txtap_registry *registry);

/* Writes what follows them, flushes and closes; earlier: what happened before, passed on if it is a failure. */
enum txtap_status printer_close(struct printer *printer, enum txtap_status earlier, struct error *error);

#endif
