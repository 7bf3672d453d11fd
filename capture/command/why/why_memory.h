/* SPDX-License-Identifier: MIT */
/* Writes the causes of figures of memory: of a stack and of a pool. */
#ifndef TXTAP_CAPTURE_COMMAND_WHY_WHY_MEMORY_H
#define TXTAP_CAPTURE_COMMAND_WHY_WHY_MEMORY_H

#include "figures/figures.h"
#include "options/options.h"
#include "txtap/inner/why_memory.h"

/* Opens the search for causes of memory. On success the caller frees *memory with free(), before the analysis. Returns
 * TXTAP_OK, or TXTAP_ERROR_SYSTEM. */
enum txtap_status why_memory_open(struct txtap_memory **memory, struct txtap_analysis *analysis, struct error *error);

/* Writes the cause for a figure of the subject. Kind SYSTEM: for the first leak of the findings. Returns TXTAP_OK,
 * TXTAP_ERROR_USAGE: the trace does not show it, TXTAP_ERROR_SYSTEM or the statuses of output_whole_file(); error has
 * the text. */
enum txtap_status why_memory_show(const struct txtap_memory *memory, enum txtap_figure_id figure,
                                  const struct txtap_subject *subject, const struct figures *figures,
                                  const struct options *options, struct error *error);

/* Write the causes of full stacks and of leaks of the findings: a line for each, or JSON objects in a list. Return the
 * number of causes. */
size_t why_memory_lines(const struct txtap_memory *memory, const struct figures *figures, FILE *out);
size_t why_memory_json(const struct txtap_memory *memory, const struct figures *figures, FILE *out);

/* Writes bytes to a FILE: a function of struct txtap_writer. */
enum txtap_status why_write_file(void *self, const char *bytes, size_t length);

/* Writes the first members of the JSON: {"trace":...,"tick_hz":... */
void why_json_head(const struct figures *figures, FILE *out);

#endif
