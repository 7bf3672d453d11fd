/* SPDX-License-Identifier: MIT */
/*
 * A list in the caller's pages. Elements are added at the end of the list, and dropped at its beginning. Pages never
 * move. A tree of directories contains the pages, so any page is found in a few steps and nothing is ever copied.
 */
#ifndef TXTAP_DECODER_ROWS_PAGED_H
#define TXTAP_DECODER_ROWS_PAGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/inner/rows.h"

#define PAGED_FAN_BITS 10u /* a directory has 1,024 slots */

/* Elements keep their numbers. first: number of the oldest remaining element. */
struct paged {
    void *root;   /* a page if height is 0, otherwise a directory */
    void *newest; /* the page of the newest element; NULL: that page is full */
    uint32_t first, count;
    uint32_t first_page; /* the pages before first_page were dropped */
    uint32_t height;     /* number of levels of directories above a page */
};

/* The source of pages. */
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

/*
 * Returns the page with room for one more element. per_page: elements in a page. If the element is the first of its
 * page, the content of the page is undefined. NULL: there is no page. The caller sets the element and then increments
 * count.
 */
void *paged_room(struct paged *list, struct page_source *source, uint32_t per_page);

/* Forgets the elements before `first`, and gives back the pages that contain only forgotten elements. */
void paged_drop(struct paged *list, struct page_source *source, uint32_t per_page, uint32_t first);

/* Gives all pages back. */
void paged_clear(struct paged *list, struct page_source *source);

#endif
