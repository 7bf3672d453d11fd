/* SPDX-License-Identifier: MIT */
/* Lists that are stored in pages: deep trees of pages, and missing pages. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "rows/paged.h"

struct pool {
    unsigned used, most;
};

static void *take(void *self)
{
    struct pool *pool = self;

    if (pool->used == pool->most)
        return NULL;
    pool->used++;
    return malloc(TXTAP_ROWS_PAGE_BYTES);
}

static void give(void *self, void *page)
{
    struct pool *pool = self;

    pool->used--;
    free(page);
}

static bool add(struct paged *list, struct page_source *source, uint32_t per_page, uint32_t value)
{
    uint32_t *page = paged_room(list, source, per_page);

    if (page != NULL)
        page[list->count++ % per_page] = value;
    return page != NULL;
}

static uint32_t value_at(const struct paged *list, uint32_t per_page, uint32_t number)
{
    return ((const uint32_t *)paged_page(list, number / per_page))[number % per_page];
}

/* A list of more than 1,048,576 pages needs three levels of directories. */
Test(paged, keep_a_window_of_a_long_list)
{
    struct pool pool = {.most = 20};
    struct page_source source = {.pages = {take, give, &pool}};
    struct paged list = {0};

    for (uint32_t i = 0; i < 1050000; i++) {
        cr_assert(add(&list, &source, 1, i * 7));
        if (i >= 10)
            paged_drop(&list, &source, 1, i - 9);
        if (i % 1023 == 0)
            for (uint32_t at = list.first; at < list.count; at++)
                cr_assert_eq(value_at(&list, 1, at), at * 7);
    }
    cr_assert_eq(list.count - list.first, 10);
    cr_assert_eq(source.used, pool.used);
    paged_clear(&list, &source);
    cr_assert_eq(pool.used, 0);
}

Test(paged, continue_after_a_missing_page)
{
    struct pool pool = {.most = 0};
    struct page_source source = {.pages = {take, give, &pool}};
    struct paged list = {0};

    for (uint32_t i = 0; i < 5000; i++) {
        while (!add(&list, &source, 3, i))
            pool.most++;
    }
    for (uint32_t i = 0; i < 5000; i++)
        cr_assert_eq(value_at(&list, 3, i), i);
    paged_drop(&list, &source, 3, 4998);
    cr_assert_eq(value_at(&list, 3, 4999), 4999);
    cr_assert_leq(pool.used, 1 + 1 + 2); /* a page, its directory, and two directories above it */
    paged_clear(&list, &source);
    cr_assert_eq(pool.used, 0);
}
