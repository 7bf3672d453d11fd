/* SPDX-License-Identifier: MIT */
/* A sink that prints: entries become events with time, and go through an exporter to the output. */
#ifndef TXTAP_CAPTURE_OUTPUT_PRINTER_H
#define TXTAP_CAPTURE_OUTPUT_PRINTER_H

#include "file/definitions_file.h"
#include "options/options.h"
#include "output/output.h"
#include "output/overflow.h"
#include "stream/session.h"
#include "txtap/clock.h"
#include "txtap/host_time.h"

struct printer {
    struct output output;
    struct txtap_exporter exporter;
    struct txtap_exporter_memory memory;
    struct overflow overflow; /* a reader that is too slow */
    size_t resume_room;       /* bytes that must be free again before more is written behind an overflow */
    struct txtap_clock clock;
    struct txtap_host_time host_time;
    uint64_t unix_offset_us; /* from now_us() to wall_us() when it was opened: the host's clock may be set */
    struct txtap_header header;
    struct txtap_definitions *definitions; /* or NULL */
    const struct txtap_filter *filter;     /* of the options */
    uint8_t *kept;                         /* entries, for a format that needs the whole buffer */
    const uint32_t *words;                 /* of the next entry, word_count of them; NULL: it has four */
    size_t word_count;
    uint64_t limit, printed, left_out; /* limit 0: none */
    bool quiet;
};

/* Opens the output that the options name. On failure error is one line. */
enum txtap_status printer_open(struct printer *printer, const struct options *options,
                               const struct txtap_header *header, char error[static ERROR_TEXT_BYTES]);

/* What a session needs. */
struct session_sink printer_sink(struct printer *printer);

/*
 * For what can be read twice, all in one pass before printer_begin(): a sink that prints nothing and learns how the
 * target counts time, so that the first event is printed right already.
 */
struct session_sink printer_surveyor(struct printer *printer);

/*
 * The buffer as it was read, from its header on, for a format that needs it; others ignore it. bytes: borrowed until
 * printer_close(). To be called before printer_begin().
 */
enum txtap_status printer_give_buffer(struct printer *printer, const uint8_t *bytes, size_t length,
                                      char error[static ERROR_TEXT_BYTES]);

/* The events to come are of another buffer. */
void printer_set_header(struct printer *printer, const struct txtap_header *header);

/* An entry that comes next, and its ticks where they are known from elsewhere. */
void printer_set_time(struct printer *printer, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t ticks);

/* The output has another file from here on: it begins as the first one did. For an output with a queue. */
enum txtap_status printer_reopen(struct printer *printer, char error[static ERROR_TEXT_BYTES]);

/* What was printed so far is seen now. */
enum txtap_status printer_flush(struct printer *printer);

/* Says on standard error what is odd about the time stamps, or that no event was chosen, unless -q was given. */
void printer_warn(const struct printer *printer, const struct options *options);

/* Writes what precedes the events; registry: the names, borrowed until printer_close(). */
enum txtap_status printer_begin(struct printer *printer, const struct txtap_registry *registry);

/* Writes what follows them, flushes and closes; earlier: what happened before, passed on if it is a failure. */
enum txtap_status printer_close(struct printer *printer, enum txtap_status earlier,
                                char error[static ERROR_TEXT_BYTES]);

#endif
