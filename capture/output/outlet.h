/* SPDX-License-Identifier: MIT */
/*
 * Where the items of a ring or a file go: lines, files for other programs, directories. Each kind of outlet is one file
 * and one row; nothing else knows the rows' names.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_OUTLET_H
#define TXTAP_CAPTURE_OUTPUT_OUTLET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/event_maker.h"
#include "txtap/exporter.h"
#include "txtap/filter.h"
#include "txtap/header.h"
#include "txtap/item.h"
#include "txtap/registry.h"

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* What the items are. All 0: events of ThreadX. */
struct outlet_items {
    const char *definitions;  /* of another kernel's events, in txtap's format; NULL: they are ThreadX's, or bytes */
    bool bytes;               /* they are bytes of a CTF trace */
    const char *ctf_metadata; /* the file that describes the bytes; NULL: no bytes come */
    const char *gap_means;    /* the message where bytes are missing; NULL: no bytes come */
    bool filled_once;         /* the bytes come at once; zeros at their end are memory that was never written */
};

/* Which events are shown, and how. */
struct outlet_view {
    const struct txtap_filter *filter;
    uint64_t limit;                 /* the number of events after which the outlet ends; 0: no limit */
    const char *const *definitions; /* definitions_count files that say what user events mean */
    size_t definitions_count;
    unsigned profile; /* TXTAP_PROFILE_* */
    unsigned columns; /* bits of enum txtap_column; 0: the format's default */
    double tick_hz;   /* 0: time is shown in ticks */
    enum txtap_time time;
    enum color_mode color;
    bool wide, host_time;
    const char *title; /* what the trace is of; NULL: not known */
};

/* A whole trace buffer, from its header on. */
struct outlet_buffer {
    const struct txtap_header *header;
    const uint8_t *bytes;
    size_t length;
};

/* The pointers are borrowed until outlet_close(). */
struct outlet_config {
    const char *path; /* a file or a directory; NULL or "-": standard output */
    bool force;       /* overwrite a file that exists */
    bool quiet;       /* only errors on standard error */
    const struct txtap_exporter_ops *format;
    size_t queue_bytes; /* output that may wait for its reader; 0: the outlet waits for the reader */
    struct outlet_items items;
    struct outlet_view view;
    const struct outlet_buffer *buffer; /* that the items are of, for a copy of it; NULL: there is no such buffer */
};

/* What an outlet counted. */
struct outlet_counts {
    uint64_t unread_events, unread_gaps; /* lost because nobody read the output fast enough */
    uint64_t undecided;                  /* events left out that may match: a name is not known */
    uint64_t records;                    /* records in the bytes that came */
    bool cut;                            /* the bytes end within a record */
};

/* One row. */
struct outlet_kind {
    /* Is it for that format and these items? The first row that says so is taken. */
    bool (*takes)(const struct outlet_config *config);
    /* *self: the state, freed by close. On failure error is one line, and nothing stays open. */
    enum txtap_status (*open)(void **self, const struct outlet_config *config, struct error *error);
    struct txtap_sink (*sink)(void *self);
    enum txtap_status (*begin)(void *self, const struct txtap_header *header, const struct txtap_registry *registry);
    /* *written: everything so far is written. NULL: items are written as they come. */
    enum txtap_status (*flush)(void *self, bool *written);
    /* Opens its file again, which may have been renamed. NULL: it has no such file. */
    enum txtap_status (*reopen)(void *self, struct error *error);
    void (*count)(const void *self, struct outlet_counts *counts);
    /* As outlet_close(). */
    enum txtap_status (*close)(void *self, enum txtap_status earlier, const struct txtap_event_maker *maker,
                               struct outlet_counts *counts, struct error *error);
};

struct outlet {
    const struct outlet_kind *kind; /* NULL: it is not open */
    void *self;
    struct outlet_counts counts; /* as of outlet_count(), or of the end */
};

/* Opens the outlet for that format. On failure error is one line and nothing stays open. */
enum txtap_status outlet_open(struct outlet *outlet, const struct outlet_config *config, struct error *error);

/* The sink that takes the items between outlet_begin() and outlet_close(). */
struct txtap_sink outlet_sink(const struct outlet *outlet);

/*
 * Writes what precedes the events. header and registry: of their buffer; borrowed until outlet_close(), and may change
 * between two items. NULL for both: the items are bytes of a file.
 */
enum txtap_status outlet_begin(struct outlet *outlet, const struct txtap_header *header,
                               const struct txtap_registry *registry);

/* Shows what came so far. *written: all of it has reached its file or its reader. */
enum txtap_status outlet_flush(struct outlet *outlet, bool *written);

/* Opens the outlet's file again, if there is one. */
enum txtap_status outlet_reopen(struct outlet *outlet, struct error *error);

/* The counts so far. After outlet_close() outlet->counts has those of the end. */
const struct outlet_counts *outlet_count(struct outlet *outlet);

/*
 * Writes what is left, closes, and warns of what is odd. maker: that gave the events their time; NULL: there was none.
 * Returns status if it is a failure, else how closing went; error says why, unless it is set already.
 */
enum txtap_status outlet_close(struct outlet *outlet, enum txtap_status status, const struct txtap_event_maker *maker,
                               struct error *error);

#endif
