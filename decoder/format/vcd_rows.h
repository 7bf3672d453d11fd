/* SPDX-License-Identifier: MIT */
/* The rows of a value change dump: which threads and objects have one, their names, and the dump's time. */
#ifndef TXTAP_DECODER_FORMAT_VCD_ROWS_H
#define TXTAP_DECODER_FORMAT_VCD_ROWS_H

#include "format/exporter.h"

#define VCD_CORES 4u
#define VCD_LATE  8u  /* rows for threads that are not known at the start, */
#define VCD_ALL   24u /* or that many if none is */

struct vcd_row {
    uint32_t address; /* 0: of a row that waits for a thread */
    uint8_t type;     /* enum txtap_object_type */
    uint8_t late;     /* 1, 2, ...: it was declared before its thread was known; 0: it was not */
    bool shared;      /* perhaps another row has its name: the address stands behind it */
    uint32_t hash;    /* of the name */

    uint8_t state, reason; /* of a thread: enum txtap_thread_state, enum txtap_wait */
    uint8_t object_type;
    uint32_t object; /* that it waits for; 0: not known */
    bool known;      /* of an object: */
    uint32_t value;
};

struct vcd_rows {
    struct vcd_row *rows;
    uint32_t capacity, declared;
    uint32_t *of_number; /* by number of the thread or object: its row plus one; 0: not looked up yet */
    uint32_t numbers;
    uint32_t left_out; /* had no row */
};

struct vcd {
    struct vcd_rows threads, objects;
    struct txtap_change_run cores[VCD_CORES];
    uint32_t cores_seen;
    bool lost;         /* in a gap */
    uint64_t time;     /* of the values that follow, in units of the dump; */
    bool time_written; /* it stands in the dump */
};

size_t vcd_state_bytes(const struct txtap_change_limits *limits);

/* Rows for all that the registry has, and for threads that come later. The state is zeroed. */
void vcd_make_rows(struct txtap_exporter *self);

/* The row of that thread or object; TXTAP_CHANGE_NONE if it has none. */
uint32_t vcd_row_of(struct vcd_rows *rows, const struct txtap_change_party *party);

/* From now on all is unknown. */
void vcd_forget(struct vcd *vcd);

/* The values that follow are of that time. */
void vcd_set_time(struct txtap_exporter *self, uint64_t ticks);

/* Any text as one word of printable ASCII. */
void vcd_write_text(struct line *line, const char *text);

/* The name as one word of printable ASCII, or the address if the name is not certain. */
void vcd_write_name(const struct txtap_exporter *self, struct line *line, uint32_t address, uint8_t type);

/* Its identifier: of letters, digits and '_'. No other row has it. */
void vcd_write_row_name(const struct txtap_exporter *self, struct line *line, const struct vcd_row *row);

/* "$timescale ... $end": a tick is a whole number of these units, if nanoseconds are fine enough for that. */
const char *vcd_timescale(double tick_hz);

/* The time in these units. */
uint64_t vcd_time(uint64_t ticks, double tick_hz);

#endif
