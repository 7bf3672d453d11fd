/* SPDX-License-Identifier: MIT */
/*
 * Marks and samples that wait for the events before them. A format with ops->change needs this: events wait until later
 * events show what ran, and marks and samples must not overtake them.
 */
#ifndef TXTAP_DECODER_FORMAT_NOTICES_H
#define TXTAP_DECODER_FORMAT_NOTICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/item.h"

#define NOTICES_MAX        4096u
#define NOTICES_TEXT_BYTES 65536u

struct notice {
    bool is_sample;
    uint32_t text_bytes; /* bytes of `texts` that become free with this notice */
    union {              /* is_sample selects the member; its text is in the queue */
        struct txtap_mark mark;
        struct txtap_sample sample;
    };
};

/* A queue, first in, first out. {0}: empty. 500 KiB: not for the stack. */
struct txtap_notices {
    size_t first, count;
    size_t text_at, text_used; /* place of the next text; number of bytes that are not free */
    struct notice at[NOTICES_MAX];
    char texts[NOTICES_TEXT_BYTES];
};

void notices_clear(struct txtap_notices *notices);

/* Adds a copy of a mark or a sample. A text that is too long is cut. Returns false if there is no room. */
bool notices_add_mark(struct txtap_notices *notices, const struct txtap_mark *mark);
bool notices_add_sample(struct txtap_notices *notices, const struct txtap_sample *sample);

/* Returns the first notice, or NULL. It is valid until notices_remove() or the next addition. */
const struct notice *notices_first(const struct txtap_notices *notices);

/* Returns the seq of the event that follows the notice. */
uint64_t notice_seq(const struct notice *notice);

/* Removes the first notice. */
void notices_remove(struct txtap_notices *notices);

#endif
