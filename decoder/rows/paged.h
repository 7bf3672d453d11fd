/* SPDX-License-Identifier: MIT */
/*
 * A list in pages of the caller's: grows at its end, and is dropped from its beginning. Pages never move. They hang on
 * a tree of directories, so any page is found in a few steps, and nothing is ever copied.
 */
#ifndef TXTAP_DECODER_ROWS_PAGED_H
#define TXTAP_DECODER_ROWS_PAGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/inner/rows.h"

#define PAGED_FAN_BITS 10u /* a directory has 1,024 slots */

/* Elements keep their numbers: first is the oldest one held. */
struct paged {
    void *root;   /* a page, or a directory */
    void *newest; /* the page of the newest element, if it is not full */
    uint32_t first, count;
    uint32_t first_page; /* the pages before it are gone */
    uint32_t height;     /* directories above a page */
};

/* Where pages come from. */
struct page_source {
    struct txtap_rows_pages pages;
    uint32_t used;
};

static inline void *paged_page(const struct paged *list, uint32_t number)
{
    void *page = list->root;

    for (uint32_t level = list->height; level > 0; level--)
        page = ((void **)page)[number >> (level - 1) * PAGED_FAN_BITS & ((1u << PAGED_FAN_BITS) - 1)];
    return page;
}

/* The page for one more element, of which a page holds per_page; its content is undefined if the element is its first.
 * NULL: there is none. The caller fills the element in and raises count. */
void *paged_room(struct paged *list, struct page_source *source, uint32_t per_page);

/* Forgets the elements before first, and gives pages back that have no others. */
void paged_drop(struct paged *list, struct page_source *source, uint32_t per_page, uint32_t first);

/* Gives all pages back. */
void paged_clear(struct paged *list, struct page_source *source);

#endif
