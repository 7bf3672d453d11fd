/* SPDX-License-Identifier: MIT */
/* A sink that prints: the chosen events go through an exporter to the output, as long as there is room. */
#ifndef TXTAP_CAPTURE_OUTPUT_PRINTER_H
#define TXTAP_CAPTURE_OUTPUT_PRINTER_H

#include "options/options.h"
#include "output/gzip.h"
#include "output/output.h"
#include "output/sinks.h"
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
    void *changes;                         /* memory of a format that takes changes */
    struct gzip *gzip;                     /* between exporter and output; NULL: nothing is compressed */
    const char *directory;                 /* of a format with metadata: has that file, and the output; borrowed */
    char path[PATH_MAX];                   /* of the output in it */
    bool quiet;
};

/* Opens the output that the options name. On failure error is one line. */
enum txtap_status printer_open(struct printer *printer, const struct options *options, struct error *error);

/* The same, but the events that are chosen go to next: nothing is printed, and no file is opened. */
enum txtap_status printer_open_before(struct printer *printer, const struct options *options, struct txtap_sink next,
                                      struct error *error);

/* Of an open printer: what takes the items between printer_begin() and printer_close(). */
struct txtap_sink printer_sink(struct printer *printer);

/*
 * Gives a format that needs it the whole buffer, from its header on; other formats ignore it. bytes: borrowed until
 * printer_close(). To be called before printer_begin().
 */
enum txtap_status printer_give_buffer(struct printer *printer, const struct txtap_header *header, const uint8_t *bytes,
                                      size_t length, struct error *error);

/* Opens the output's file again, which begins as the first one did. For an output with a queue. */
enum txtap_status printer_reopen(struct printer *printer, struct error *error);

/* Shows what was printed so far. */
enum txtap_status printer_flush(struct printer *printer);

/* Warns on standard error, without -q: of what is odd about the times that maker gave, and if no event was chosen. */
void printer_warn(const struct printer *printer, const struct options *options, const struct txtap_event_maker *maker);

/* Writes what precedes the events. header and registry: of their buffer; borrowed until printer_close(), and may change
 * between two items. */
enum txtap_status printer_begin(struct printer *printer, const struct txtap_header *header,
                                const struct txtap_registry *registry);

/* Writes what follows the events, and closes. Returns earlier if it is a failure, else how this went. */
enum txtap_status printer_close(struct printer *printer, enum txtap_status earlier, struct error *error);

#endif
