/* SPDX-License-Identifier: MIT */
/* Events out, in one of several formats, to a writer. One loop drives all formats: a new one is a file and a row. */
#ifndef TXTAP_EXPORTER_H
#define TXTAP_EXPORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/definitions.h"
#include "txtap/event.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

struct txtap_writer {
    /*
     * Takes all bytes or says why not. TXTAP_END: the reader went away, which is no error. Of the line formats it gets
     * whole lines, many at a time.
     */
    enum txtap_status (*write)(void *self, const char *bytes, size_t length);
    void *self;
};

/* What is shown as an event's time. JSON Lines and CSV always have the ticks, and the other one beside them. */
enum txtap_time {
    TXTAP_TIME_RELATIVE, /* since the first event read */
    TXTAP_TIME_DELTA,    /* since the event on the line before, whatever was filtered or lost between them */
    TXTAP_TIME_ABSOLUTE, /* the stamp as recorded, masked: it goes back where the counter wraps */
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
    enum txtap_time time;
    bool color;           /* ANSI colour, text only */
    bool wide;            /* text only: stack pointers, too */
    unsigned width;       /* text only: columns that an event's line should fit in; 0: any number */
    bool host_time;       /* the host's time beside it: in JSON Lines and CSV unix_us, in text the time of day */
    int32_t utc_offset_s; /* of that time of day: seconds east of Greenwich */
    unsigned profile;
    unsigned columns; /* of enum txtap_column; 0: those that the format shows by itself */
};

/* Where trx finds what it does not get event by event; other formats need none of it. All of it is the caller's. */
struct txtap_exporter_image {
    const uint8_t *bytes; /* the buffer as it was read: header, registry, ring, and what followed it in the file */
    size_t length;        /* less than the header describes, where the capture was cut */
    uint8_t *kept;        /* room for all entries of the ring: txtap_header_ring_entries() * TXTB_ENTRY_BYTES bytes */
};

#define TXTAP_EXPORTER_CHUNK_BYTES  65536u /* about so much is collected for one write */
#define TXTAP_EXPORTER_EVENTS       512u
#define TXTAP_EXPORTER_NAMES        256u
#define TXTAP_EXPORTER_CACHED_BYTES 64u

/* A text as the format writes it, escaped once for all the times that it is written. */
struct txtap_exporter_cached_text {
    const char *source;
    uint32_t generation;     /* of the registry, for an object's name */
    uint8_t length, columns; /* length: PIECE_BYTES + 1 if it does not fit; columns: on a terminal */
    char bytes[TXTAP_EXPORTER_CACHED_BYTES];
};

struct txtap_exporter_words {
    uint32_t id;
    unsigned profile;
    bool known;                          /* false: this slot was not used yet */
    const struct txtap_event_info *info; /* or NULL */
    struct txtap_exporter_cached_text name, label[4];
};

/* What an exporter remembers, about 320 KiB. Nothing in it is for the caller. */
struct txtap_exporter_memory {
    struct txtap_exporter_words events[TXTAP_EXPORTER_EVENTS];        /* by id */
    struct txtap_exporter_cached_text names[2][TXTAP_EXPORTER_NAMES]; /* by object; as contexts, in fields */
    size_t used;                                                      /* bytes of chunk */
    char chunk[TXTAP_EXPORTER_CHUNK_BYTES];
};

/*
 * Filled in by the caller, all it does not use zero; options must stay the same from begin on. registry and header are
 * needed by every format; the registry may be updated between two events, and width changed.
 */
struct txtap_exporter {
    const struct txtap_exporter_ops *ops;
    struct txtap_writer writer;
    const struct txtap_registry *registry;       /* names; borrowed */
    const struct txtap_header *header;           /* borrowed */
    const struct txtap_definitions *definitions; /* of user events, borrowed; NULL: none */
    struct txtap_exporter_options options;
    struct txtap_exporter_memory *memory; /* the caller's, zeroed before begin */
    struct txtap_exporter_image image;    /* for formats with ops->whole_buffer */
    unsigned context_width;               /* text: columns of the context so far */
    bool any;                             /* an event was written */
    uint64_t last_ticks;                  /* of it */
    uint32_t kept_entries;                /* trx */
};

/*
 * begin comes first and once, then events and gaps in their order, then end, once. After it begin may come again.
 * Each returns TXTAP_OK, or what the writer said when collected lines were handed to it: TXTAP_END or an error. What
 * was handed over then is forgotten. trx writes at the end alone: begin says TXTAP_ERROR_USAGE without an image, event
 * TXTAP_ERROR_SPACE when there are more events than the ring has entries, or one without its entry.
 */
struct txtap_exporter_ops {
    const char *name; /* as in --format */
    enum txtap_status (*begin)(struct txtap_exporter *self);
    enum txtap_status (*event)(struct txtap_exporter *self, const struct txtap_event *event);
    enum txtap_status (*gap)(struct txtap_exporter *self, const struct txtap_gap *gap);
    enum txtap_status (*mark)(struct txtap_exporter *self, const struct txtap_mark *mark);
    enum txtap_status (*end)(struct txtap_exporter *self); /* writes what follows the events, and flushes */
    bool whole_buffer; /* it writes bytes, not text, and needs image: nothing for an endless stream or a terminal */
};

/*
 * What ops says of the item, between begin and end: event, gap or mark; TXTAP_OK for any other kind. self: the struct
 * txtap_exporter, so that it is a sink's take, too.
 */
enum txtap_status txtap_exporter_take(void *self, const struct txtap_item *item);

/* Hands the lines collected so far to the writer: they are seen now, and not only when a chunk is full. */
enum txtap_status txtap_exporter_flush(struct txtap_exporter *self);

/* The row that the exporter shows an event with that id by: of definitions and table, by profile; NULL if none. */
const struct txtap_event_info *txtap_exporter_row(struct txtap_exporter *exporter, uint32_t id);

/* The format of that name, or NULL. */
const struct txtap_exporter_ops *txtap_exporter_find(const char *name);

/*
 * Zeroes *exporter and *memory, and sets the format of that name and where it writes. registry and header, and what
 * else is wanted, are to be set before begin. TXTAP_ERROR_USAGE: there is no such format.
 */
enum txtap_status txtap_exporter_init(struct txtap_exporter *exporter, const char *format, struct txtap_writer writer,
                                      struct txtap_exporter_memory *memory);

struct txtap_trace;

/*
 * A whole buffer, begin and end included: all events, oldest first, and gaps where it has none. Sets registry and
 * header.
 */
enum txtap_status txtap_exporter_trace(struct txtap_exporter *exporter, struct txtap_trace *trace);

/* "text, jsonl, ...": the names of all formats, for help and messages. */
const char *txtap_exporter_names(void);

TXTAP_API_END

#endif
