/* SPDX-License-Identifier: MIT */
#include "base/heapsort.h"

#include <criterion/criterion.h>
#include <stdint.h>

#define ITEMS_MAX 100

struct item {
    uint32_t key, copy;
};

static bool has_lower_key(const void *a, const void *b)
{
    return ((const struct item *)a)->key < ((const struct item *)b)->key;
}

/* Fills `items` with random keys. keys: number of different keys; with few keys, many items are equal. */
static void fill(struct item *items, size_t count, uint32_t keys, uint32_t *seed)
{
    for (size_t i = 0; i < count; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        items[i].key = items[i].copy = (*seed >> 8) % keys;
    }
}

static uint64_t sum_of(const struct item *items, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (uint64_t)items[i].key * items[i].key;
    return sum;
}

Test(heapsort, sorts_any_number_of_items_and_loses_none)
{
    struct item items[ITEMS_MAX];
    uint32_t seed = 1;

    for (size_t count = 0; count <= ITEMS_MAX; count++) {
        for (uint32_t keys = 1; keys < 1000; keys *= 3) {
            uint64_t sum;

            fill(items, count, keys, &seed);
            sum = sum_of(items, count);
            heapsort_items(items, count, sizeof *items, has_lower_key);
            for (size_t i = 0; i < count; i++) {
                cr_assert(i == 0 || items[i - 1].key <= items[i].key, "%zu items, %u keys", count, (unsigned)keys);
                cr_assert_eq(items[i].key, items[i].copy);
            }
            cr_assert_eq(sum_of(items, count), sum);
        }
    }
}

static unsigned comparisons;

static bool counted(const void *a, const void *b)
{
    comparisons++;
    return has_lower_key(a, b);
}

/* Some callers add one item to a thousand sorted items. */
Test(heapsort, makes_few_comparisons_if_few_items_are_out_of_place)
{
    struct item items[ITEMS_MAX];

    for (uint32_t moved = 0; moved < ITEMS_MAX; moved++) {
        for (uint32_t i = 0; i < ITEMS_MAX; i++)
            items[i].key = items[i].copy = i;
        items[moved].key = items[moved].copy = ITEMS_MAX / 2;
        comparisons = 0;
        heapsort_items(items, ITEMS_MAX, sizeof *items, counted);
        cr_assert_leq(comparisons, 4 * ITEMS_MAX, "%u from place %u", comparisons, (unsigned)moved);
        for (size_t i = 1; i < ITEMS_MAX; i++)
            cr_assert_leq(items[i - 1].key, items[i].key);
    }
}
