/* SPDX-License-Identifier: MIT */
/* The tree of directories above the pages of a list. The tree grows at its root, and loses its oldest pages. */
#include "rows/paged.h"

#include <string.h>

#define FAN (1u << PAGED_FAN_BITS)

_Static_assert(FAN * sizeof(void *) <= TXTAP_ROWS_PAGE_BYTES, "a directory is a page");

static void *take_page(struct page_source *source)
{
    void *page = source->pages.page(source->pages.self);

    source->used += page != NULL;
    return page;
}

static void give_back(struct page_source *source, void **slot)
{
    if (*slot == NULL)
        return;
    source->pages.release(source->pages.self, *slot);
    source->used--;
    *slot = NULL;
}

static void **take_directory(struct page_source *source)
{
    void **slots = (void **)take_page(source);

    return slots != NULL ? (void **)memset(slots, 0, FAN * sizeof(void *)) : NULL;
}

/* Returns the number of pages in a tree of this height. */
static uint64_t reach(uint32_t height)
{
    return UINT64_C(1) << height * PAGED_FAN_BITS;
}

static bool grow_to(struct paged *list, struct page_source *source, uint32_t number)
{
    while (number >= reach(list->height)) {
        void **slots = take_directory(source);

        if (slots == NULL)
            return false;
        slots[0] = list->root;
        list->root = slots;
        list->height++;
    }
    return true;
}

/*
 * Returns the slot of page `number`. If level is above 0, returns the slot of the directory at this level above the
 * page. With a source, adds missing directories. Returns NULL if a directory is missing and the source is NULL or has
 * no page left.
 */
static void **slot_of(struct paged *list, struct page_source *source, uint32_t number, uint32_t level)
{
    void **slot = &list->root;

    for (uint32_t at = list->height; at > level; at--) {
        if (*slot == NULL && source != NULL)
            *slot = take_directory(source);
        if (*slot == NULL)
            return NULL;
        slot = &((void **)*slot)[number >> (at - 1) * PAGED_FAN_BITS & (FAN - 1)];
    }
    return slot;
}

void *paged_room(struct paged *list, struct page_source *source, uint32_t per_page)
{
    uint32_t number = list->count / per_page;
    void **slot, *page;

    if (list->count % per_page != 0)
        return list->newest;
    if (!grow_to(list, source, number))
        return NULL;
    slot = slot_of(list, source, number, 0);
    if (slot == NULL)
        return NULL;
    /* The page already exists if an earlier call took the page but the element was not added. */
    page = *slot != NULL ? *slot : take_page(source);
    *slot = page;
    list->newest = page;
    return page;
}

void paged_drop(struct paged *list, struct page_source *source, uint32_t per_page, uint32_t first)
{
    list->first = first;
    for (; list->first_page < first / per_page; list->first_page++) {
        uint32_t number = list->first_page;

        for (uint32_t level = 0; level <= list->height; level++) {
            void **slot = slot_of(list, NULL, number, level);

            if (level > 0 && ((number + 1) & (reach(level) - 1)) != 0)
                break; /* the directory also has later pages */
            if (slot != NULL && (level < list->height || level == 0))
                give_back(source, slot);
        }
    }
}

static void clear(struct page_source *source, void **slot, uint32_t height)
{
    if (*slot == NULL)
        return;
    for (uint32_t i = 0; height > 0 && i < FAN; i++)
        clear(source, &((void **)*slot)[i], height - 1);
    give_back(source, slot);
}

void paged_clear(struct paged *list, struct page_source *source)
{
    clear(source, &list->root, list->height);
    *list = (struct paged){0};
}
