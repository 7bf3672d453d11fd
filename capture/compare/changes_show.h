/* SPDX-License-Identifier: MIT */
/* Writes the changes between two sides for people, for a pull request and for programs. */
#ifndef TXTAP_CAPTURE_COMPARE_CHANGES_SHOW_H
#define TXTAP_CAPTURE_COMPARE_CHANGES_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/changes.h"

#define CHANGES_VERDICT_BYTES 1024

/* Writes "2 figures changed: cpu(filter) x 30 (worse), load x 15 (worse)" or "no change". Printable. Returns out. */
char *changes_verdict(char out[static CHANGES_VERDICT_BYTES], const struct changes *changes);

/*
 * Writes both sides, a table of the changes, the threads and objects that only one side has, and the verdict as the
 * last line. all: also a table of all other numbers; otherwise only of the figures of gate.h. width: columns of the
 * terminal, or TEXT_ENDLESS. Returns false if there is no memory.
 */
bool changes_show_text(const struct changes *changes, bool all, unsigned width, FILE *out);

/* Writes the same as a comment of a pull request: a heading with the verdict, a table of at most 20 changes, and a
 * closed list of the figures of gate.h. */
void changes_show_markdown(const struct changes *changes, FILE *out);

/* Writes the lines and tables of the text, with all numbers, as a JSON object for the page of two traces
 * (capture/view/page/compare/figures_table.js). It has no '<'. runs: number of the run that the page shows, for each
 * side. */
void changes_show_page(const struct changes *changes, const size_t runs[2], FILE *out);

/* Writes an object with all numbers; docs/user/compare.md describes it. */
void changes_show_json(const struct changes *changes, FILE *out);

/* Writes the figures of gate.h of the second side as an array for github-action-benchmark, tool
 * customSmallerIsBetter. */
void changes_show_benchmark(const struct changes *changes, FILE *out);

#endif
