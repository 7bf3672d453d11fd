/* SPDX-License-Identifier: MIT */
/* Shows the flow of a trace (flow.h of the core) in several formats. The member flow of the figures is set. */
#ifndef TXTAP_CAPTURE_FIGURES_FLOW_SHOW_H
#define TXTAP_CAPTURE_FIGURES_FLOW_SHOW_H

#include <stdio.h>

#include "figures/figures.h"

/* Prints a table of calls, the most frequent first, and a table of objects. Returns false if there is no memory. */
bool figures_show_flow(const struct figures *figures, unsigned width, FILE *out);

/* Writes a line of column names, then a line for each row of the table of calls. */
void figures_show_flow_csv(const struct figures *figures, FILE *out);

/* Writes the object that docs/user/flow.md describes. */
void figures_show_flow_json(const struct figures *figures, FILE *out);

/* Writes the graph for Graphviz. */
void figures_show_flow_dot(const struct figures *figures, FILE *out);

#endif
