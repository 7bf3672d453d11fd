/* SPDX-License-Identifier: MIT */
/*
 * A trace as the page holds it: bytes of files come in, and what they say is kept, to be asked for at any time. The C
 * half of decoder.js; it knows neither the page nor WebAssembly.
 */
#ifndef TXTAP_CAPTURE_VIEW_WASM_VIEW_TRACE_H
#define TXTAP_CAPTURE_VIEW_WASM_VIEW_TRACE_H

#include "txtap/inner/ctf_layout.h"
#include "txtap/definitions.h"
#include "txtap/exporter.h"
#include "txtap/recording.h"
#include "view/wasm/recording_feed.h"
#include "view/wasm/store.h"
#include "view/wasm/text.h"
#include "view/wasm/timeline.h"

#ifndef VIEW_OBJECTS_MAX        /* the fuzzer has fewer, and is quicker */
#define VIEW_OBJECTS_MAX 65536u /* known at a time: a recording may name any number */
#endif

#define VIEW_HZ_LEAST 1.0 /* ticks per second that a rate can have */
#define VIEW_HZ_MOST  1e12

/* The names of objects from event index on: firmware that starts again has others. */
struct era {
    uint32_t index; /* of the first event */
    struct txtap_registry registry;
};

struct view_options {
    double tick_hz; /* 0: not known */
    unsigned profile;
    uint32_t keep;    /* events that are held at most; of more the oldest are forgotten. 0: all */
    const char *name; /* of the file or the target; borrowed */
};

struct view_counts {
    uint64_t gaps, lost, resets; /* behind the first event */
    bool lost_exact;
    uint64_t earlier; /* events in a gap before the first one: lost, or no longer kept for the page */
    bool earlier_exact;
};

/* One exporter writes one event at a time. */
struct view_lines {
    struct txtap_exporter exporter;
    struct txtap_exporter_memory memory;
    const struct era *era; /* whose names it has; NULL: it was not begun */
};

/* What the rows show in columns, as typed arrays of the page read it: all rows of a picture share their edges. All 0 at
 * first. */
struct columns {
    struct txtap_rows_edge *edges;
    struct txtap_row_events *events;
    void *cells;      /* the answer: little-endian, 16 bytes for each column at most */
    uint32_t room;    /* columns that there is memory for */
    uint32_t version; /* of the trace, to which the edges belong */
    struct txtap_rows_range range;
};

struct ctf_trace; /* view_trace_ctf.c */

struct view_trace {
    struct view_options options;
    struct pool pool;
    struct store store;
    struct timeline timeline;
    bool even;         /* the rows' moments have the index of their events */
    struct era **eras; /* the newest last */
    size_t era_count;
    struct txtap_recording_player player;
    struct recording_feed feed;
    struct txtap_recording_start *starts; /* of files, to find their order; NULL: none */
    size_t start_count;
    struct txtap_definitions *definitions; /* NULL: none */
    char *user_definitions;                /* their text; NULL: none */
    struct ctf_trace *ctf;                 /* NULL: the recording is not one of CTF */
    struct view_counts counts;
    uint32_t version; /* grows with all that comes */
    uint64_t bytes;   /* taken */
    bool full;        /* there is no memory for further events */
    bool ended;
    bool unread;         /* the problem is one of the file that is being read, not of those after it */
    struct text problem; /* one line: why nothing more can be read */
    struct text notes;   /* lines: what else the user should know */
    struct text out;     /* the newest answer */
    struct columns columns;
    void *analysis_memory; /* of reports; NULL before the first one */
    struct report *report; /* that is under way (report.h); NULL: none */
    struct view_lines text, json;
};

/* NULL: there is no memory. options->name is copied. */
struct view_trace *view_trace_new(const struct view_options *options);
void view_trace_free(struct view_trace *trace);

/* What user events mean, as in a file of definitions. Before the first event. False: see problem. */
bool view_trace_define(struct view_trace *trace, const char *text, size_t length);

/* Bytes of a recording; any cut. After a problem they are ignored. */
void view_trace_feed(struct view_trace *trace, const uint8_t *bytes, size_t length);

/* A whole file of any kind that 'txtap decode' reads without options. */
void view_trace_load(struct view_trace *trace, const uint8_t *bytes, size_t length);

/* What came is a whole file, and another file of the same recording begins. */
void view_trace_next_file(struct view_trace *trace);

/* No more comes. */
void view_trace_end(struct view_trace *trace);

/* ---- before it reads several files ---- */

/* Looks at the first bytes of another file, of size bytes. False: there is no whole block of a recording in them. */
bool view_trace_add_start(struct view_trace *trace, const uint8_t *bytes, size_t length, uint64_t size);

/* Writes the order in which the files must be read, as JSON into trace->out. */
void view_trace_sort(struct view_trace *trace);

/* ---- more of it ---- */

/* Something else that the user should know, in one line. */
void view_trace_note(struct view_trace *trace, const char *text);

/* What its events do not say, in a few words; NULL: they are ThreadX's. */
const char *view_trace_lacks(const struct view_trace *trace);

/* ---- events of CTF ---- */

/* What the record of an event says. */
struct view_record {
    const struct txtap_ctf_layout *layout;
    const struct txtap_ctf_event *event;
    const uint8_t *fields; /* the first length bytes of them */
    size_t length;
};

/* Are its events records of CTF? All that store_get() gives are then held as below. */
bool view_trace_is_ctf(const struct view_trace *trace);

/* The record of an event of store_get(), whose words it borrows. */
struct view_record view_trace_record(const struct view_trace *trace, const struct txtap_event *event);

/* Makes the event of store_get() what the translator gave: for analyses. */
void view_trace_translate_back(struct txtap_event *event);

/* ---- columns ---- */

void columns_free(struct columns *columns);

/* The pieces of a row, as struct txtap_row_columns, or of a counter as struct txtap_row_values, at
 * trace->columns.cells. Returns how many; 0 also if there is no such row or range. Indexes are those of events. */
size_t columns_of_row(struct view_trace *trace, uint32_t row, const struct txtap_rows_range *range);

/* Events that the row recorded, TXTAP_ROW_NONE: all, in each column: count times their number as uint16_t; before them
 * count times the index of the first, uint32_t; behind both count times the class of most, uint8_t. Returns count. */
size_t columns_of_events(struct view_trace *trace, uint32_t row, const struct txtap_rows_range *range);

/* The event at a moment of the rows, and the moment of an event. */
uint32_t columns_event_of(const struct view_trace *trace, uint32_t moment);
uint32_t columns_moment_of(const struct view_trace *trace, uint32_t index);

/* ---- for its parts ---- */

/* No further events can be held. */
void view_trace_no_memory(struct view_trace *trace);

/* Sets the problem, unless there is one already. */
void view_trace_fail(struct view_trace *trace, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The sink of all items: self is a struct view_trace. */
enum txtap_status view_trace_take(void *self, const struct txtap_item *item);

/* The same for items that need no translation any more. */
enum txtap_status view_trace_take_item(struct view_trace *trace, const struct txtap_item *item);

/* The names of a recording, which learns them as they come. False: there is no memory. */
bool view_trace_begin_names(struct view_trace *trace);

/* A block behind or among those of a recording of CTF. False: no more can be taken. */
bool view_trace_take_ctf(struct view_trace *trace, const struct txtap_recording_item *block);

/* Of a trace of CTF: translates an item, and takes it. */
enum txtap_status view_trace_translate(struct view_trace *trace, const struct txtap_item *item);
void view_trace_end_ctf(struct view_trace *trace);
void view_trace_free_ctf(struct view_trace *trace);

/* The names from the next event on are others. NULL: there is no memory. */
struct era *view_trace_new_era(struct view_trace *trace);

/* It learns nothing more: gives the rest of its memory back. */
void view_trace_finish_names(struct era *era);

/* The names that an event has. */
const struct era *view_trace_era(const struct view_trace *trace, uint32_t index);

/* Opens the trace buffer in memory that a file holds, and takes its events. */
void view_trace_load_image(struct view_trace *trace, const uint8_t *bytes, size_t length);

#endif
