/* SPDX-License-Identifier: MIT */
/* "Did you mean": finds the names that are spelled most like a name that was not found. */
#ifndef TXTAP_CAPTURE_BASE_SIMILAR_H
#define TXTAP_CAPTURE_BASE_SIMILAR_H

#include <stddef.h>

#define SIMILAR_NAMES_MAX  3
#define SIMILAR_NAME_BYTES 64 /* size of a kept name, with its NUL */
#define SIMILAR_TEXT_BYTES (SIMILAR_NAMES_MAX * (SIMILAR_NAME_BYTES + 8) + 32)

struct similar {
    const char *wanted;
    struct {
        char name[SIMILAR_NAME_BYTES]; /* printable ASCII */
        size_t edits;
    } best[SIMILAR_NAMES_MAX]; /* fewest edits first */
    size_t count;
};

/* Begins a search. `wanted` is the name that was not found; borrowed. */
void similar_init(struct similar *similar, const char *wanted);

/* Offers a name, which may have any bytes. Keeps a copy if the name is similar to the wanted name: if it differs by few
 * letters (added, dropped, replaced or swapped; case is ignored), or if one name contains the other. */
void similar_offer(struct similar *similar, const char *name);

/* Writes ": did you mean 'a', 'b' or 'c'?", or "" if no name is similar. Returns `text`. */
const char *similar_text(const struct similar *similar, char text[static SIMILAR_TEXT_BYTES]);

#endif
