/* SPDX-License-Identifier: MIT */
/* Explains the result of a check with the other figures of the trace: which threads and objects were involved, and at
 * which event. */
#ifndef TXTAP_CAPTURE_FIGURES_REASONS_H
#define TXTAP_CAPTURE_FIGURES_REASONS_H

#include "figures/checks.h"
#include "figures/figures.h"

#define REASON_BYTES 1024

/*
 * Writes the reason for a result that is not ok, such as "left waits for 'second', held by right since event 151; ...".
 * figures: all figures and findings of the trace. Writes "" if the measured value says everything. Printable. Returns
 * the place of the event that a user should look at; known is false if there is no such event.
 */
struct txtap_place reason_text(char text[static REASON_BYTES], const struct check_entry *entry,
                               const struct figures *figures);

#endif
