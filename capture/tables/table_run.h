/* SPDX-License-Identifier: MIT */
/* A run: a recorded file with its figures, for tables of many runs. */
#ifndef TXTAP_CAPTURE_TABLES_TABLE_RUN_H
#define TXTAP_CAPTURE_TABLES_TABLE_RUN_H

#include "figures/checks.h"
#include "figures/figures.h"
#include "store/store_file.h"

/* All pointers are borrowed. */
struct table_run {
    const char *board; /* see struct board_folder */
    const char *name;  /* of the file, without its folder */
    const char *key;   /* identifies the file's content and the analysis: a run with the same key has the same rows */
    const struct store_file *file; /* its row in the index; NULL: it is no recording of events */
    const struct figures *figures; /* with their rate */
    const struct checks *checks;   /* completed */
    uint64_t begun_us;             /* host time of the first event, since 1970; 0: not known */
    bool cut;                      /* the recording's end is missing */
};

/* Returns the unit of a figure in tables: "seconds" instead of "ticks", if the rate is known; static. */
const char *table_unit(const struct table_run *run, const struct txtap_figure *figure);

/* Returns the number of units of the figure in its unit in tables: the rate, or 1. */
double table_divisor(const struct table_run *run, const struct txtap_figure *figure);

#define TABLE_TIME_BYTES 32

/* Writes the time in UTC as ISO 8601; "" if it is not known. Returns out. */
const char *table_time(char out[static TABLE_TIME_BYTES], uint64_t unix_us);

/* Returns the build and the name of the firmware; "": unknown. */
const char *table_build(const struct table_run *run);
const char *table_firmware(const struct table_run *run);

#endif
