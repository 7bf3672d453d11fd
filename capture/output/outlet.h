/* SPDX-License-Identifier: MIT */
/*
 * Outlets write the items of a ring or a file: lines, files for other programs, directories. Each kind of outlet is a
 * row in its own file; only the table in outlet.c names the rows.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_OUTLET_H
#define TXTAP_CAPTURE_OUTPUT_OUTLET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "file/identity.h"
#include "txtap/event_maker.h"
#include "txtap/exporter.h"
#include "txtap/filter.h"
#include "txtap/header.h"
#include "txtap/item.h"
#include "txtap/registry.h"

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The type of the items. All 0: events of ThreadX. */
struct outlet_items {
    const char *definitions;  /* definitions of another kernel's events, in txtap's format; NULL: ThreadX's, or bytes */
    bool bytes;               /* the items are bytes of a CTF trace */
    const char *ctf_metadata; /* the file that describes the bytes; NULL: no bytes */
    const char *gap_means;    /* the message for missing bytes; NULL: the items are no bytes */
    bool filled_once;         /* the bytes come all at once; zeros at their end are memory that was never written */
};

/* Which events to show, and how. */
struct outlet_view {
    const struct txtap_filter *filter;
    uint64_t limit;                  /* end after this number of events; 0: no limit */
    const struct identity *identity; /* the meaning of user events and interrupts that is known already, or NULL */
    const char *const *definitions;  /* definitions_count files with the meaning of user events */
    size_t definitions_count;
    unsigned profile; /* TXTAP_PROFILE_* */
    unsigned columns; /* bits of enum txtap_column; 0: the format's default */
    double tick_hz;   /* 0: show time in ticks */
    enum txtap_time time;
    enum color_mode color;
    bool wide, host_time;
    const char *title; /* the source of the trace; NULL: unknown */
};

/* A whole trace buffer, starting with its header. */
struct outlet_buffer {
    const struct txtap_header *header;
    const uint8_t *bytes;
    size_t length;
};

/* The pointers are borrowed until outlet_close(). */
struct outlet_config {
    const char *path; /* a file or a directory; NULL or "-": standard output */
    bool force;       /* overwrite an existing file */
    bool quiet;       /* only errors on standard error */
    const struct txtap_exporter_ops *format;
    size_t queue_bytes; /* output that may wait for its reader, in bytes; 0: the outlet waits for the reader */
    struct outlet_items items;
    struct outlet_view view;
    const struct txtap_channels *channels; /* channels of samples that are known so far; NULL: no channels */
    const struct outlet_buffer *buffer;    /* the buffer with the items, if it can be copied; NULL: no such buffer */
};

/* The counts of an outlet. */
struct outlet_counts {
    uint64_t unread_events, unread_gaps; /* lost because the output was not read fast enough */
    uint64_t undecided;                  /* omitted events that may match the filter, because a name is unknown */
    uint64_t records;                    /* number of records in the bytes */
    bool cut;                            /* the bytes end within a record */
};

/* A row of the table. */
struct outlet_kind {
    bool lacks_samples; /* this kind of outlet cannot show samples */
    /* Returns true if this kind of outlet supports the format and the items. The first such row is used. */
    bool (*takes)(const struct outlet_config *config);
    /* Opens an outlet. *self: the outlet's state, which close() frees. On failure error is one line, and nothing stays
     * open. */
    enum txtap_status (*open)(void **self, const struct outlet_config *config, struct error *error);
    struct txtap_sink (*sink)(void *self);
    enum txtap_status (*begin)(void *self, const struct txtap_header *header, const struct txtap_registry *registry);
    /* Writes the collected items. *written: true if everything so far is written. NULL: items are written
     * immediately. */
    enum txtap_status (*flush)(void *self, bool *written);
    /* Opens the outlet's file again, because the old file may have been renamed. NULL: the outlet has no such file. */
    enum txtap_status (*reopen)(void *self, struct error *error);
    void (*count)(const void *self, struct outlet_counts *counts);
    /* See outlet_close(). */
    enum txtap_status (*close)(void *self, enum txtap_status earlier, const struct txtap_event_maker *maker,
                               struct outlet_counts *counts, struct error *error);
};

struct outlet {
    const struct outlet_kind *kind; /* NULL: not open */
    void *self;
    const char *lacks_samples; /* name of the format, if the outlet cannot show samples; NULL: it can */
    bool quiet;
    uint64_t samples_left_out;   /* number of samples that the outlet could not show */
    struct outlet_counts counts; /* updated by outlet_count() and at the end */
};

/* Opens the outlet for that format. On failure error is one line and nothing stays open. */
enum txtap_status outlet_open(struct outlet *outlet, const struct outlet_config *config, struct error *error);

/* Returns the sink that takes the items between outlet_begin() and outlet_close(). */
struct txtap_sink outlet_sink(struct outlet *outlet);

/* Writes the text before the first event. header and registry: those of the events' buffer. They are borrowed until
 * outlet_close(), and may change between two items. Both are NULL if the items are bytes of a file. */
enum txtap_status outlet_begin(struct outlet *outlet, const struct txtap_header *header,
                               const struct txtap_registry *registry);

/* Writes the items so far. *written: true if all of them have reached the file or the reader. */
enum txtap_status outlet_flush(struct outlet *outlet, bool *written);

/* Opens the outlet's file again, if there is one. */
enum txtap_status outlet_reopen(struct outlet *outlet, struct error *error);

/* Returns the counts so far. After outlet_close() outlet->counts has the final counts. */
const struct outlet_counts *outlet_count(struct outlet *outlet);

/*
 * Writes the remaining items, closes the outlet, and warns about unusual results, such as samples that were left out.
 * maker: the maker that set the times of the events, or NULL. Returns `status` if `status` is a failure, otherwise the
 * result of closing. Sets error to the cause, unless error is already set.
 */
enum txtap_status outlet_close(struct outlet *outlet, enum txtap_status status, const struct txtap_event_maker *maker,
                               struct error *error);

#endif
