/* SPDX-License-Identifier: MIT */
/* The trace of a page. It takes bytes of files, and stores their content, which can be queried at any time. It is the C
 * half of decoder.js, but knows neither the page nor WebAssembly. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_VIEW_TRACE_H
#define TXTAP_CAPTURE_VIEW_WASM_VIEW_TRACE_H

#include "txtap/inner/ctf_layout.h"
#include "txtap/inner/interrupts.h"
#include "txtap/inner/recording.h"
#include "txtap/inner/stacks.h"
#include "txtap/definitions.h"
#include "txtap/exporter.h"
#include "txtap/recording.h"
#include "view/wasm/recording_feed.h"
#include "view/wasm/store.h"
#include "view/wasm/text.h"
#include "view/wasm/timeline.h"

#ifndef VIEW_OBJECTS_MAX        /* the fuzzer uses fewer, which is faster */
#define VIEW_OBJECTS_MAX 65536u /* limit of objects known at a time, because a recording may name any number */
#endif

#define VIEW_HZ_LEAST 1.0 /* lowest valid tick rate, in ticks per second */
#define VIEW_HZ_MOST  1e12

/* The names of objects from event index on. Firmware that restarts has other names. */
struct era {
    uint32_t index; /* index of the first event */
    struct txtap_registry registry;
};

struct view_options {
    double tick_hz; /* 0: not known */
    bool hz_given;  /* tick_hz is the user's, so rates in the recording are ignored */
    unsigned profile;
    uint32_t keep;    /* largest number of stored events; older events are dropped. 0: no limit */
    const char *name; /* name of the file or the target; borrowed */
};

struct view_counts {
    uint64_t gaps, lost, resets; /* counts since the first event */
    bool lost_exact;
    uint64_t earlier; /* events in a gap before the first event: lost, or no longer stored for the page */
    bool earlier_exact;
};

/* An exporter that writes one event at a time. */
struct view_lines {
    struct txtap_exporter exporter;
    struct txtap_exporter_memory memory;
    const struct era *era; /* the era whose names the exporter has; NULL: not started */
};

/* The content of rows in columns, as the page's typed arrays read it. All rows of a picture share the same edges. All 0
 * at the start. */
struct columns {
    struct txtap_rows_edge *edges;
    struct txtap_row_events *events;
    void *cells;      /* the answer, little-endian */
    uint32_t room;    /* number of columns for which there is memory */
    uint32_t version; /* version of the trace for which the edges are valid */
    struct txtap_rows_range range;
};

struct ctf_trace; /* view_trace_ctf.c */

/* The origin of a text of definitions. A later origin overrides an earlier origin. */
enum meaning_origin {
    MEANING_OF_RING,     /* the events of another kernel, in the recording */
    MEANING_OF_FIRMWARE, /* the vector table of the firmware's file */
    MEANING_RECORDED,    /* the user's, in the recording; ignored if the user gives definitions to the page */
    MEANING_OF_USER,
};

#define MEANINGS_MAX 40

struct meaning {
    enum meaning_origin origin;
    char *text;
    size_t length;
};

struct view_trace {
    struct view_options options;
    struct pool pool;
    struct txtap_stack_use *stacks; /* according to the kernel: stack_count elements; NULL: not in the recording */
    size_t stack_count;
    struct store store;
    struct timeline timeline;
    bool even;         /* moments of rows have the same index as their events */
    struct era **eras; /* sorted, the newest last */
    size_t era_count;
    struct txtap_recording_player player;
    struct txtap_channels *channels; /* of samples; NULL: the recording has no channel */
    struct recording_feed feed;
    struct txtap_recording_start *starts; /* the files' starts, to find their order; NULL: no files */
    size_t start_count;
    bool cut;                              /* the end of the recording, or a file of it, is missing */
    struct txtap_rate rate;                /* the newest rate in the recording */
    struct txtap_definitions *definitions; /* made from `meanings`; NULL: no definitions */
    struct meaning meanings[MEANINGS_MAX];
    size_t meaning_count;
    char *piece;                          /* the beginning of a text whose other pieces follow; NULL: no such text */
    struct txtap_recording_pieces pieces; /* of the text in `piece` */
    struct txtap_interrupts interrupts;   /* names, for the numbers of all rows */
    uint32_t interrupts_rows;             /* number of rows for which `interrupts` is valid */
    struct ctf_trace *ctf;                /* NULL: not a recording of CTF */
    struct view_counts counts;
    uint32_t version;     /* increases with all new data */
    uint64_t bytes;       /* number of bytes taken */
    bool samples_dropped; /* the notes say that old samples were dropped */
    bool full;            /* no memory for further events */
    bool ended;
    bool unread;         /* the problem concerns only the file that is being read, not later files */
    struct text problem; /* one line: the reason why nothing more can be read */
    struct text notes;   /* lines: other facts for the user */
    struct text out;     /* the newest answer */
    struct columns columns;
    void *analysis_memory;       /* memory of reports; NULL before the first report */
    void *why_memory;            /* memory of causes; NULL before the first report */
    struct report *report;       /* the report in progress (report.h); NULL: no report */
    struct instances *instances; /* the samples of a figure (instances.h); NULL: no figure was chosen */
    struct csv *csv;             /* the CSV in progress (csv.h); NULL: no CSV */
    struct view_lines text, json;
};

/* Returns NULL if there is no memory. Copies options->name. */
struct view_trace *view_trace_new(const struct view_options *options);
void view_trace_free(struct view_trace *trace);

/* Returns the rate of the time stamps: the rate that the user gave, or else the newest rate in the recording. */
struct txtap_rate view_trace_rate(const struct view_trace *trace);

/* Adds a text of definitions, unless it is known already: each file of a recording repeats its texts. */
void view_trace_define(struct view_trace *trace, enum meaning_origin origin, const char *text, size_t length);

/* Returns the name of an interrupt; NULL: not known. */
const char *view_trace_interrupt(struct view_trace *trace, uint32_t number);

/* Takes bytes of a recording, in pieces of any size. After a problem, bytes are ignored. */
void view_trace_feed(struct view_trace *trace, const uint8_t *bytes, size_t length);

/* Takes a complete file of any kind that 'txtap decode' reads without options. */
void view_trace_load(struct view_trace *trace, const uint8_t *bytes, size_t length);

/* Ends a file after which another file of the same recording follows. */
void view_trace_next_file(struct view_trace *trace);

/* Ends the trace. Call it after the last byte. */
void view_trace_end(struct view_trace *trace);

/* ---- before several files are read ---- */

/* Takes the first `length` bytes of another file, which has `size` bytes. False: these bytes contain no complete block
 * of a recording. */
bool view_trace_add_start(struct view_trace *trace, const uint8_t *bytes, size_t length, uint64_t size);

/* Writes the right order of the files as JSON into trace->out. */
void view_trace_sort(struct view_trace *trace);

/* ---- more about the trace ---- */

/* Adds a line to the notes for the user. */
void view_trace_note(struct view_trace *trace, const char *text);

/* Returns the information that the trace's events lack, in a few words; NULL for ThreadX's events, which lack
 * nothing. */
const char *view_trace_lacks(const struct view_trace *trace);

/* ---- events of CTF ---- */

/* The content of an event's record. */
struct view_record {
    const struct txtap_ctf_layout *layout;
    const struct txtap_ctf_event *event;
    const uint8_t *fields; /* the first `length` bytes of the fields */
    size_t length;
};

/* Returns true if the trace's events are records of CTF. Then all events of store_get() are stored in the form
 * below. */
bool view_trace_is_ctf(const struct view_trace *trace);

/* Gets the record of an event of store_get(). It borrows the event's words. */
struct view_record view_trace_record(const struct view_trace *trace, const struct txtap_event *event);

/* Turns an event of store_get() back into the translator's event, for analyses. */
void view_trace_translate_back(struct txtap_event *event);

/* ---- columns ---- */

void columns_free(struct columns *columns);

/*
 * Writes the pieces of a row, as struct txtap_row_columns, of a counter as struct txtap_row_values, or of a
 * channel as struct txtap_row_samples, to
 * trace->columns.cells. Returns their number; 0 also if there is no such row or range. Indexes are indexes of events.
 */
size_t columns_of_row(struct view_trace *trace, uint32_t row, const struct txtap_rows_range *range);

/*
 * Writes three arrays with `count` elements each, about the events that the row recorded in each column
 * (TXTAP_ROW_NONE: all events). The arrays are the index of the first event (uint32_t), the number of events
 * (uint16_t), and the most frequent class (uint8_t). Returns `count`.
 */
size_t columns_of_events(struct view_trace *trace, uint32_t row, const struct txtap_rows_range *range);

/*
 * Writes the shares of txtap_rows_shares(), uint16_t. Returns their number; 0: no such row or range, or all shares are
 * 0.
 */
size_t columns_of_shares(struct view_trace *trace, uint32_t row, bool second, const struct txtap_rows_range *range);

/* Returns the row that recorded an event, or TXTAP_ROW_NONE. */
uint32_t columns_row_of(const struct view_trace *trace, uint32_t index);

/*
 * Returns the nearest event that the row recorded, or that changed the row: the first at `ticks` or later (forward), or
 * the last before `ticks`. TXTAP_ROWS_NO_INDEX: no such event.
 */
uint32_t columns_near(const struct view_trace *trace, uint32_t row, uint64_t ticks, bool forward);

/* Returns the event at a moment of the rows, and the moment of an event. */
uint32_t columns_event_of(const struct view_trace *trace, uint32_t moment);
uint32_t columns_moment_of(const struct view_trace *trace, uint32_t index);

/* ---- for the other view_trace files ---- */

/* Takes a piece of a text of definitions from a recording. */
void meanings_take_piece(struct view_trace *trace, const struct txtap_recording_item *block);
void meanings_free(struct view_trace *trace);

/* Notes that no further event can be stored. */
void view_trace_no_memory(struct view_trace *trace);

/* Sets the problem, unless there already is a problem. */
void view_trace_fail(struct view_trace *trace, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes an item. The sink of all items: self is a struct view_trace. */
enum txtap_status view_trace_take(void *self, const struct txtap_item *item);

/* Takes an item that needs no translation. */
enum txtap_status view_trace_take_item(struct view_trace *trace, const struct txtap_item *item);

/* Makes room for channels, before the player gets a block of a channel. False: no memory. */
bool view_trace_take_channel(struct view_trace *trace);

/* Prepares the names of a recording, which are learned while it is read. False: no memory. */
bool view_trace_begin_names(struct view_trace *trace);

/* Takes a block of a recording of CTF. False: no more blocks can be taken. */
bool view_trace_take_ctf(struct view_trace *trace, const struct txtap_recording_item *block);

/* Translates an item of a CTF trace, and takes it. */
enum txtap_status view_trace_translate(struct view_trace *trace, const struct txtap_item *item);
void view_trace_end_ctf(struct view_trace *trace);
void view_trace_free_ctf(struct view_trace *trace);

/* Begins an era: from the next event on, the names are different. NULL: no memory. */
struct era *view_trace_new_era(struct view_trace *trace);

/* Frees the rest of the era's memory. Call it when the era learns nothing more. */
void view_trace_finish_names(struct era *era);

/* Returns the era whose names apply to an event. */
const struct era *view_trace_era(const struct view_trace *trace, uint32_t index);

/* Opens the trace buffer in a file's memory, and takes its events. */
void view_trace_load_image(struct view_trace *trace, const uint8_t *bytes, size_t length);

#endif
