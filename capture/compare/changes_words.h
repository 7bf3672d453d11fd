/* SPDX-License-Identifier: MIT */
/* The parts of a row of a comparison, as text. All texts are printable. */
#ifndef TXTAP_CAPTURE_COMPARE_CHANGES_WORDS_H
#define TXTAP_CAPTURE_COMPARE_CHANGES_WORDS_H

#include "compare/changes.h"

#define CHANGE_NAME_BYTES   1024
#define CHANGE_NUMBER_BYTES 64

/* Each function returns out. */

/* Writes "run(filter).p99", "cpu(filter)", "calls(x).rate". */
char *change_name(char out[static CHANGE_NAME_BYTES], const struct change *change);

/* Writes the median of a side: "12.3us". "~": the number has bounds, because events were lost. */
char *change_number(char out[static CHANGE_NUMBER_BYTES], const struct change *change, size_t side);

/* Writes half the distance from the smallest to the largest run; "" if there is only a run. */
char *change_spread(char out[static CHANGE_NUMBER_BYTES], const struct change *change, size_t side);

/* Writes "x 1.54"; "-" if only the first side is 0. */
char *change_factor(char out[static CHANGE_NUMBER_BYTES], const struct change *change);

/* Writes "thread filter". */
char *change_subject(char out[static CHANGE_NAME_BYTES], const struct named_figure *named);

/* Returns "worse", "better", "changed", "?" or ""; static. */
const char *change_kind_word(enum change_kind kind);

/* Returns true if the number can be worse: see gate.h. */
bool change_is_gate(const struct change *change);

/* Returns true if the subject of a figure that only a side has is not on the other side either. i: index in
 * changes->only[side]. */
bool changes_subject_is_only(const struct changes *changes, size_t side, size_t i);

/* Returns true if no earlier figure in changes->only[side] has this subject. */
bool changes_subject_is_first(const struct changes *changes, size_t side, size_t i);

#endif
