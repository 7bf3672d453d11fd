/* SPDX-License-Identifier: MIT */
/* Writes the pieces of a span as text with a timeline, or as JSON. */
#ifndef TXTAP_CAPTURE_COMMAND_WHY_WHY_SHOW_H
#define TXTAP_CAPTURE_COMMAND_WHY_WHY_SHOW_H

#include "figures/figures.h"
#include "options/options.h"
#include "txtap/inner/why.h"
#include "txtap/inner/why_memory.h"

/* Writes the span that was found. Without a span, writes the cause of each thread's longest job, and of full stacks and
 * leaks. memory: NULL: a span was found. figures: names and rate of the trace. Returns TXTAP_OK, TXTAP_ERROR_SYSTEM or
 * the statuses of output_whole_file(); error has the text. */
enum txtap_status why_show(const struct txtap_why *why, const struct txtap_memory *memory,
                           const struct figures *figures, const struct options *options, struct error *error);

#endif
