/* SPDX-License-Identifier: MIT */
/* Figures of many runs as CSV: a line for each figure of each run, for programs that read columns. */
#ifndef TXTAP_CAPTURE_TABLES_CSV_TABLE_H
#define TXTAP_CAPTURE_TABLES_CSV_TABLE_H

#include <stdio.h>

#include "tables/table_run.h"

/* Writes the line of column names. docs/reference/lab.md describes the columns. */
void csv_table_head(FILE *out);

/* Writes the lines of a run. */
void csv_table_run(const struct table_run *run, FILE *out);

#endif
