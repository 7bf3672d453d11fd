/* SPDX-License-Identifier: MIT */
/* Writes events in one of several formats. One loop drives all formats: a new format needs only a file and a table
 * row. */
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
     * Takes all bytes, or returns an error. TXTAP_END: the reader closed the output, which is not an error. Line
     * formats pass whole lines, many at a time.
     */
    enum txtap_status (*write)(void *self, const char *bytes, size_t length);
    void *self;
};

/* How an event's time is shown. JSON Lines and CSV always show the ticks as well as the chosen time. */
enum txtap_time {
    TXTAP_TIME_RELATIVE, /* since the first event read */
    TXTAP_TIME_DELTA,    /* since the event on the previous line, even if events between were filtered or lost */
    TXTAP_TIME_ABSOLUTE, /* the stamp as recorded, masked: it decreases when the counter wraps */
};

/* The parts of an event that a format may show, named as in --fields. */
enum txtap_column {
    TXTAP_COLUMN_SEQ = 1 << 0,
    TXTAP_COLUMN_TIME = 1 << 1, /* ticks, and seconds if they are known */
    TXTAP_COLUMN_CORE = 1 << 2, /* number of the core, if the number is not 0 */
    TXTAP_COLUMN_CONTEXT = 1 << 3,
    TXTAP_COLUMN_THREAD = 1 << 4, /* text shows the thread as part of the context */
    TXTAP_COLUMN_PRIORITY = 1 << 5,
    TXTAP_COLUMN_THRESHOLD = 1 << 6,
    TXTAP_COLUMN_ID = 1 << 7,
    TXTAP_COLUMN_EVENT = 1 << 8, /* the event's name */
    TXTAP_COLUMN_INFO = 1 << 9,  /* the event's words as recorded */
    TXTAP_COLUMN_FIELDS = 1 << 10,
};

/*
 * Parses "time,event,fields" into *columns. Returns false and leaves *columns unchanged if a name is unknown, or if
 * names is empty.
 */
bool txtap_columns_parse(const char *names, unsigned *columns);

/* Returns "seq, time, core, ...": for help and messages. */
const char *txtap_columns_names(void);

struct txtap_exporter_options {
    double tick_hz; /* > 0: time is shown in seconds; 0: in ticks */
    enum txtap_time time;
    bool color;           /* ANSI colour, text only */
    bool wide;            /* text only: show stack pointers, too */
    unsigned width;       /* text only: preferred maximum width of an event's line, in columns; 0: unlimited */
    bool host_time;       /* also show the host's time: unix_us in JSON Lines and CSV, the time of day in text */
    int32_t utc_offset_s; /* offset of the time of day from UTC, in seconds east of Greenwich */
    unsigned profile;     /* TXTAP_PROFILE_* */
    unsigned columns;     /* bits of enum txtap_column; 0: the format's default */
    const char *title;    /* perfetto only, borrowed: title of the trace, such as a file name; NULL: unknown */
};

/* Only for trx, which also needs the parts of the buffer that are not events. Borrowed. */
struct txtap_exporter_image {
    const uint8_t *bytes; /* the buffer as it was read (header, registry, ring), and the rest of the file */
    size_t length;        /* less than the header describes if the capture was cut */
    uint8_t *kept;        /* room for all entries of the ring: txtap_header_ring_entries() * TXTB_ENTRY_BYTES bytes */
};

struct txtap_change;  /* the meaning of an event, for a format with ops->change; not public */
struct txtap_changes; /* turns items into changes; not public */
struct txtap_notices; /* marks and samples that wait for earlier events; not public */

/*
 * Limits for a format with ops->change: the numbers of threads and objects whose states it shows, each at most 65535.
 */
struct txtap_change_limits {
    uint32_t threads;
    uint32_t objects; /* queues, mutexes, ... */
};

/* Only for formats with ops->change. */
struct txtap_exporter_changes {
    void *memory; /* txtap_exporter_changes_bytes() bytes, aligned as malloc() aligns; borrowed */
    struct txtap_change_limits limits;
    const struct txtap_filter *filter; /* borrowed: chooses the events that are shown; the states follow from all
                                          events. NULL: all events are shown */

    /* private */
    struct txtap_changes *changes;
    struct txtap_notices *notices;
    void *state;         /* state of the format */
    bool learnt;         /* the objects of the registry were read at the generation below */
    uint32_t generation; /* the registry's generation when it was last read */
    uint64_t next_seq;   /* seq that follows the last event */
};

#define TXTAP_EXPORTER_CHUNK_BYTES  65536u /* bytes collected for one write */
#define TXTAP_EXPORTER_EVENTS       512u
#define TXTAP_EXPORTER_NAMES        256u
#define TXTAP_EXPORTER_CACHED_BYTES 64u

/* Private: a text that was escaped once for the format and is written many times. */
struct txtap_exporter_cached_text {
    const char *source;
    uint32_t generation;     /* generation of the registry, for an object's name */
    uint8_t length, columns; /* length CACHED_BYTES + 1: the text does not fit; columns: width on a terminal */
    char bytes[TXTAP_EXPORTER_CACHED_BYTES];
};

/* Private: the texts of one event id. */
struct txtap_exporter_words {
    uint32_t id;
    unsigned profile;
    bool known;                          /* false: this slot is unused */
    uint8_t stack_pointers;              /* bit i: word i is a stack pointer */
    const struct txtap_event_info *info; /* or NULL */
    struct txtap_exporter_cached_text name, label[4];
};

/* Private: caches and collected lines, about 320 KiB. */
struct txtap_exporter_memory {
    struct txtap_exporter_words events[TXTAP_EXPORTER_EVENTS];        /* by id */
    struct txtap_exporter_cached_text names[2][TXTAP_EXPORTER_NAMES]; /* by object; first row: names in contexts;
                                                                         second row: names in fields */
    size_t used;                                                      /* bytes of chunk */
    char chunk[TXTAP_EXPORTER_CHUNK_BYTES];
};

/*
 * txtap_exporter_init() sets the format and the writer; the caller sets the other public fields before begin. Every
 * format needs registry and header. After begin the caller may change only the width in options. The registry may be
 * updated between two events.
 */
struct txtap_exporter {
    const struct txtap_exporter_ops *ops;
    struct txtap_writer writer;
    const struct txtap_registry *registry;       /* names; borrowed */
    const struct txtap_header *header;           /* borrowed */
    const struct txtap_definitions *definitions; /* definitions of user events, borrowed; NULL: no definitions */
    const struct txtap_channels *channels; /* channels that are known before begin, borrowed; NULL: no channels. Only
                                              vcd and vcd-wires need them: they leave other channels out */
    struct txtap_exporter_options options;
    struct txtap_exporter_memory *memory; /* borrowed; txtap_exporter_begin() clears it */
    struct txtap_exporter_image image;    /* only for formats with ops->whole_buffer */
    struct txtap_exporter_changes changes;

    /* private */
    struct txtap_interrupts interrupts;
    unsigned context_width; /* text: columns of the widest context so far */
    bool any;               /* an event or a sample was written */
    uint64_t last_ticks;    /* ticks of the last event or sample written */
    uint32_t last_stamp;    /* stamp of the last event or sample written */
    uint32_t kept_entries;  /* trx: in image.kept */
};

/*
 * Call begin once, then event, gap, mark and sample in the order of the stream, then end once. After end, begin may be
 * called again. Each function returns TXTAP_OK, or the writer's status (TXTAP_END or an error). After such a status the
 * collected lines are dropped. A format with ops->change shows the states that events imply: begin returns
 * TXTAP_ERROR_USAGE if changes.memory is NULL. Such a format writes the last events in end, because only later events
 * tell which thread ran. trx writes only in end. Its begin returns TXTAP_ERROR_USAGE if there is no image. Its event
 * returns TXTAP_ERROR_SPACE if there are more events than ring entries, or if an event has no entry.
 */
struct txtap_exporter_ops {
    const char *name; /* as in --format */
    const char *use;  /* a few words on the format's purpose, shown after the name; NULL: the name is enough */
    enum txtap_status (*begin)(struct txtap_exporter *self);
    enum txtap_status (*event)(struct txtap_exporter *self, const struct txtap_event *event);
    enum txtap_status (*gap)(struct txtap_exporter *self, const struct txtap_gap *gap);          /* NULL: not shown */
    enum txtap_status (*mark)(struct txtap_exporter *self, const struct txtap_mark *mark);       /* NULL: not shown */
    enum txtap_status (*sample)(struct txtap_exporter *self, const struct txtap_sample *sample); /* NULL: not shown */
    enum txtap_status (*end)(struct txtap_exporter *self); /* writes the text after the events, and flushes */
    /* Passes on all collected data, for txtap_exporter_flush(). NULL: the format collects only lines. */
    enum txtap_status (*flush)(struct txtap_exporter *self);
    bool whole_buffer; /* the format needs image, so it cannot show an endless stream */
    bool binary;       /* the output is not for a terminal */
    enum txtap_status (*change)(struct txtap_exporter *self, const struct txtap_change *change); /* or NULL */
    size_t (*state_bytes)(const struct txtap_change_limits *limits); /* bytes of state, for a format with change */
    /*
     * Writes a second file, which describes the first file. Call it before begin. NULL: the format has one file. Only a
     * format with change may have a second file.
     */
    enum txtap_status (*metadata)(struct txtap_exporter *self, struct txtap_writer writer);
};

/*
 * Passes an item to event, gap, mark or sample. Ignores items of other kinds and returns TXTAP_OK. The function can be
 * the take of a sink; self is the struct txtap_exporter. Call it between begin and end.
 */
enum txtap_status txtap_exporter_take(void *self, const struct txtap_item *item);

/* Returns the bytes that a format with ops->change needs for limits; 0: limits are out of range. */
size_t txtap_exporter_changes_bytes(const struct txtap_exporter_ops *ops, const struct txtap_change_limits *limits);

/* Passes all collected bytes to the writer now, although no chunk or packet is full. */
enum txtap_status txtap_exporter_flush(struct txtap_exporter *self);

/* Returns the format called name, or NULL. */
const struct txtap_exporter_ops *txtap_exporter_find(const char *name);

/*
 * Zeroes *exporter and *memory, and sets the writer and the format called `format`. The caller then sets registry,
 * header and any other public fields. TXTAP_ERROR_USAGE: there is no such format.
 */
enum txtap_status txtap_exporter_init(struct txtap_exporter *exporter, const char *format, struct txtap_writer writer,
                                      struct txtap_exporter_memory *memory);

struct txtap_trace;

/* Writes a whole buffer, from begin to end: all events, oldest first, and gaps. Sets registry and header. */
enum txtap_status txtap_exporter_trace(struct txtap_exporter *exporter, struct txtap_trace *trace);

/* Returns the names of all formats, "text, jsonl, ...": for help and messages. */
const char *txtap_exporter_names(void);

TXTAP_API_END

#endif
