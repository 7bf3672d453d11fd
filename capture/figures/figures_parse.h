/* SPDX-License-Identifier: MIT */
/* Reads the figures of a report that figures_show_json() wrote. */
#ifndef TXTAP_CAPTURE_FIGURES_FIGURES_PARSE_H
#define TXTAP_CAPTURE_FIGURES_FIGURES_PARSE_H

#include "figures/figures.h"

/* Returns true if this program was built with a JSON reader. */
bool figures_can_parse(void);

/*
 * Reads a report from a text of `length` bytes. name: name of the file, for messages, and the name of the trace in
 * *figures; borrowed. TXTAP_ERROR_FORMAT: the text is not a report. TXTAP_ERROR_SYSTEM: no memory, or this build cannot
 * read JSON. error has the cause. On success the caller frees *figures with figures_free(). A figure of an unknown name
 * has the identifier TXTAP_FIGURE_NONE. The result has no findings and no names of interrupts.
 */
enum txtap_status figures_parse(struct figures *figures, const char *text, size_t length, const char *name,
                                struct error *error);

#endif
