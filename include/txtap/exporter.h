/* SPDX-License-Identifier: MIT */
/* Writes events in one of several formats. One loop drives all formats: a new one is a file and a table row. */
#ifndef TXTAP_EXPORTER_H
#define TXTAP_EXPORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/definitions.h"
#include "txtap/event.h"
#include "txtap/filter.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

struct txtap_writer {
    /*
     * Takes all bytes, or returns an error. TXTAP_END: the reader went away, which is not an error. Line formats pass
     * whole lines, many at a time.
     */
    enum txtap_status (*write)(void *self, const char *bytes, size_t length);
    void *self;
};

/* What is shown as an event's time. JSON Lines and CSV always show the ticks, and the others beside them. */
enum txtap_time {
    TXTAP_TIME_RELATIVE, /* since the first event read */
    TXTAP_TIME_DELTA,    /* since the event on the previous line, even if events between them were filtered or lost */
    TXTAP_TIME_ABSOLUTE, /* the stamp as recorded, masked: goes back when the counter wraps */
};

/* The parts of an event that a format may show; names as in --fields. */
enum txtap_column {
    TXTAP_COLUMN_SEQ = 1 << 0,
    TXTAP_COLUMN_TIME = 1 << 1, /* ticks, and seconds if they are known */
    TXTAP_COLUMN_CORE = 1 << 2, /* if it is not 0 */
    TXTAP_COLUMN_CONTEXT = 1 << 3,
    TXTAP_COLUMN_THREAD = 1 << 4, /* in text a part of the context */
    TXTAP_COLUMN_PRIORITY = 1 << 5,
    TXTAP_COLUMN_THRESHOLD = 1 << 6,
    TXTAP_COLUMN_ID = 1 << 7,
    TXTAP_COLUMN_EVENT = 1 << 8, /* its name */
    TXTAP_COLUMN_INFO = 1 << 9,  /* its words as recorded */
    TXTAP_COLUMN_FIELDS = 1 << 10,
};

/* Parses "time,event,fields" into *columns. False, and *columns unchanged, if a name is unknown or there is none. */
bool txtap_columns_parse(const char *names, unsigned *columns);

/* "seq, time, core, ...": for help and messages. */
const char *txtap_columns_names(void);

struct txtap_exporter_options {
    double tick_hz; /* > 0: time is shown in seconds; 0: in ticks */
    enum txtap_time time;
    bool color;           /* ANSI colour, text only */
    bool wide;            /* text only: show stack pointers, too */
    unsigned width;       /* text only: columns that an event's line should fit in; 0: unlimited */
    bool host_time;       /* show the host's time, too: unix_us in JSON Lines and CSV, the time of day in text */
    int32_t utc_offset_s; /* of that time of day: seconds east of Greenwich */
    unsigned profile;     /* TXTAP_PROFILE_* */
    unsigned columns;     /* bits of enum txtap_column; 0: the format's default */
    const char *title; /* perfetto only: what is traced, for instance the firmware's file; NULL: not known. Borrowed */
};

/* Only for trx, which also needs the parts of the buffer that are not events. Borrowed. */
struct txtap_exporter_image {
    const uint8_t *bytes; /* the buffer as it was read: header, registry, ring, and what followed it in the file */
    size_t length;        /* less than the header describes if the capture was cut */
    uint8_t *kept;        /* room for all entries of the ring: txtap_header_ring_entries() * TXTB_ENTRY_BYTES bytes */
};

#define TXTAP_EXPORTER_MARKS           4u /* that wait for events before them; more come too early */
#define TXTAP_EXPORTER_MARK_TEXT_BYTES 256u

struct txtap_exporter_mark {
    struct txtap_mark mark;
    char text[TXTAP_EXPORTER_MARK_TEXT_BYTES];
};

struct txtap_change;  /* tells a format with ops->change what an event means; not public */
struct txtap_changes; /* makes changes of items; not public */

/* Of how many threads and objects a format with ops->change shows the states, at most 65535 of each. */
struct txtap_change_limits {
    uint32_t threads;
    uint32_t objects; /* queues, mutexes, ... */
};

/* Only for formats with ops->change. */
struct txtap_exporter_changes {
    void *memory; /* txtap_exporter_changes_bytes() bytes, aligned as malloc() aligns; borrowed */
    struct txtap_change_limits limits;
    const struct txtap_filter *filter; /* events that do not pass are not shown, but what they mean is. NULL: all pass.
                                          Borrowed */

    /* private */
    struct txtap_changes *changes;
    void *state;         /* of the format */
    bool learnt;         /* the objects of */
    uint32_t generation; /* the registry */
    uint64_t next_seq;   /* behind the last event told */
    size_t mark_count;
    struct txtap_exporter_mark marks[TXTAP_EXPORTER_MARKS];
};

#define TXTAP_EXPORTER_CHUNK_BYTES  65536u /* collected for one write */
#define TXTAP_EXPORTER_EVENTS       512u
#define TXTAP_EXPORTER_NAMES        256u
#define TXTAP_EXPORTER_CACHED_BYTES 64u

/* Private: a text in the format's form, escaped once and written many times. */
struct txtap_exporter_cached_text {
    const char *source;
    uint32_t generation;     /* of the registry, for an object's name */
    uint8_t length, columns; /* length: CACHED_BYTES + 1 if it does not fit; columns: on a terminal */
    char bytes[TXTAP_EXPORTER_CACHED_BYTES];
};

/* Private: the texts of one event id. */
struct txtap_exporter_words {
    uint32_t id;
    unsigned profile;
    bool known;                          /* false: this slot is unused */
    uint8_t stack_pointers;              /* bit i: word i is one */
    const struct txtap_event_info *info; /* or NULL */
    struct txtap_exporter_cached_text name, label[4];
};

/* Private: caches and collected lines, about 320 KiB. */
struct txtap_exporter_memory {
    struct txtap_exporter_words events[TXTAP_EXPORTER_EVENTS];        /* by id */
    struct txtap_exporter_cached_text names[2][TXTAP_EXPORTER_NAMES]; /* by object: in contexts, in fields */
    size_t used;                                                      /* bytes of chunk */
    char chunk[TXTAP_EXPORTER_CHUNK_BYTES];
};

/*
 * txtap_exporter_init() sets the format and the writer; the caller sets the other public fields before begin. Every
 * format needs registry and header. From begin on options must stay the same, except for width; the registry may be
 * updated between two events.
 */
struct txtap_exporter {
    const struct txtap_exporter_ops *ops;
    struct txtap_writer writer;
    const struct txtap_registry *registry;       /* names; borrowed */
    const struct txtap_header *header;           /* borrowed */
    const struct txtap_definitions *definitions; /* of user events, borrowed; NULL: none */
    struct txtap_exporter_options options;
    struct txtap_exporter_memory *memory; /* borrowed; begin clears it */
    struct txtap_exporter_image image;    /* for formats with ops->whole_buffer */
    struct txtap_exporter_changes changes;

    /* private */
    unsigned context_width; /* text: columns of the widest context so far */
    bool any;               /* an event was written */
    uint64_t last_ticks;    /* of the last event written */
    uint32_t kept_entries;  /* trx: in image.kept */
};

/*
 * Call begin once, then event, gap and mark in order, then end once. After end, begin may start again. Each returns
 * TXTAP_OK, or what the writer returned for the collected lines: TXTAP_END or an error; those lines are then dropped.
 * A format with ops->change shows what events mean: begin returns TXTAP_ERROR_USAGE without memory for it, and the last
 * events are written at the end, because those behind them say what ran. trx writes only at the end: begin returns
 * TXTAP_ERROR_USAGE without an image, and event TXTAP_ERROR_SPACE if there are more events than the ring has entries,
 * or an event has no entry.
 */
struct txtap_exporter_ops {
    const char *name; /* as in --format */
    const char *use;  /* what it is for, in a few words after its name; NULL: the name says it */
    enum txtap_status (*begin)(struct txtap_exporter *self);
    enum txtap_status (*event)(struct txtap_exporter *self, const struct txtap_event *event);
    enum txtap_status (*gap)(struct txtap_exporter *self, const struct txtap_gap *gap);    /* NULL: it has none */
    enum txtap_status (*mark)(struct txtap_exporter *self, const struct txtap_mark *mark); /* NULL: it has none */
    enum txtap_status (*end)(struct txtap_exporter *self); /* writes what follows the events, and flushes */
    /* NULL: it collects nothing but lines. Passes on what it has collected, for txtap_exporter_flush(). */
    enum txtap_status (*flush)(struct txtap_exporter *self);
    bool whole_buffer; /* it needs image: not for an endless stream */
    bool binary;       /* not for a terminal */
    enum txtap_status (*change)(struct txtap_exporter *self, const struct txtap_change *change); /* or NULL */
    size_t (*state_bytes)(const struct txtap_change_limits *limits); /* of a format with change: what it keeps */
    /* NULL: its output is one file. Writes the file that says what the bytes of the other one mean; before begin. Only
     * a format with change may have it. */
    enum txtap_status (*metadata)(struct txtap_exporter *self, struct txtap_writer writer);
};

/*
 * Passes an item to event, gap or mark; ignores other kinds and returns TXTAP_OK. A sink's take: self is the struct
 * txtap_exporter. Call it between begin and end.
 */
enum txtap_status txtap_exporter_take(void *self, const struct txtap_item *item);

/* The bytes that a format with ops->change needs for limits; 0: limits are out of range. */
size_t txtap_exporter_changes_bytes(const struct txtap_exporter_ops *ops, const struct txtap_change_limits *limits);

/* Passes what was collected so far to the writer now, and not only when a chunk or a packet is full. */
enum txtap_status txtap_exporter_flush(struct txtap_exporter *self);

/* The format of that name, or NULL. */
const struct txtap_exporter_ops *txtap_exporter_find(const char *name);

/*
 * Zeroes *exporter and *memory, and sets the format of that name and the writer. The caller then sets registry, header
 * and what else it wants. TXTAP_ERROR_USAGE: there is no such format.
 */
enum txtap_status txtap_exporter_init(struct txtap_exporter *exporter, const char *format, struct txtap_writer writer,
                                      struct txtap_exporter_memory *memory);

struct txtap_trace;

/* Writes a whole buffer, from begin to end: all events, oldest first, and gaps. Sets registry and header. */
enum txtap_status txtap_exporter_trace(struct txtap_exporter *exporter, struct txtap_trace *trace);

/* "text, jsonl, ...": the names of all formats, for help and messages. */
const char *txtap_exporter_names(void);

TXTAP_API_END

#endif
