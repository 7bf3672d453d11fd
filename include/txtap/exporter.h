/* SPDX-License-Identifier: MIT */
/* Events out, as text in one of several formats, to a sink. One loop drives all formats: a new one is a file and a row.
 */
#ifndef TXTAP_EXPORTER_H
#define TXTAP_EXPORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/definitions.h"
#include "txtap/event.h"
#include "txtap/registry.h"
#include "txtap/status.h"

struct txtap_sink {
    /* Takes all bytes or says why not. TXTAP_END: the reader went away, which is no error. */
    enum txtap_status (*write)(void *self, const char *bytes, size_t length);
    void *self;
};

/* Events between two delivered ones that were not delivered. */
struct txtap_gap {
    uint64_t seq;  /* of the first event lost */
    uint64_t lost; /* how many */
    bool exact;    /* false: at least that many */
};

/* What of an event is shown, in any format that has it; names as in --fields. */
enum txtap_column {
    TXTAP_COLUMN_SEQ = 1 << 0,
    TXTAP_COLUMN_TIME = 1 << 1, /* ticks, and seconds where they are known */
    TXTAP_COLUMN_CORE = 1 << 2, /* where it is not 0 */
    TXTAP_COLUMN_CONTEXT = 1 << 3,
    TXTAP_COLUMN_THREAD = 1 << 4, /* in text the context shows it */
    TXTAP_COLUMN_PRIORITY = 1 << 5,
    TXTAP_COLUMN_THRESHOLD = 1 << 6,
    TXTAP_COLUMN_ID = 1 << 7,
    TXTAP_COLUMN_EVENT = 1 << 8, /* its name */
    TXTAP_COLUMN_INFO = 1 << 9,  /* its words as recorded */
    TXTAP_COLUMN_FIELDS = 1 << 10,
};

/*
 * "time,event,fields" as columns: *columns. False if a name is none, or there is no name at all; *columns is then as it
 * was.
 */
bool txtap_columns_parse(const char *names, unsigned *columns);

/* "seq, time, core, ...": for help and messages. */
const char *txtap_columns_names(void);

struct txtap_exporter_options {
    double tick_hz; /* > 0: time is shown in seconds; 0: in ticks */
    bool color;     /* ANSI colour, text only */
    unsigned profile;
    unsigned columns; /* of enum txtap_column; 0: those that the format shows by itself */
};

struct txtap_exporter {
    const struct txtap_exporter_ops *ops;
    struct txtap_sink sink;
    const struct txtap_registry *registry;       /* names; borrowed */
    const struct txtap_header *header;           /* borrowed */
    const struct txtap_definitions *definitions; /* of user events, borrowed; NULL: none */
    struct txtap_exporter_options options;
    unsigned context_width; /* text: columns of the context so far */
};

/* Each returns what the sink said: TXTAP_OK, TXTAP_END or an error. Each line is one write. */
struct txtap_exporter_ops {
    const char *name; /* as in --format */
    enum txtap_status (*begin)(struct txtap_exporter *self);
    enum txtap_status (*event)(struct txtap_exporter *self, const struct txtap_event *event);
    enum txtap_status (*gap)(struct txtap_exporter *self, const struct txtap_gap *gap);
    enum txtap_status (*end)(struct txtap_exporter *self);
};

/* The row that the exporter shows an event with that id by: of definitions and table, by profile; NULL if none. */
const struct txtap_event_info *txtap_exporter_row(const struct txtap_exporter *exporter, uint32_t id);

/* The format of that name, or NULL. */
const struct txtap_exporter_ops *txtap_exporter_find(const char *name);

/* "text, jsonl": the names of all formats, for help and messages. */
const char *txtap_exporter_names(void);

#endif
