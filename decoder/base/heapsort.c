/* SPDX-License-Identifier: MIT */
/* Heapsort. Knows bytes and an order; knows nothing of what it sorts. */
#include "base/heapsort.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

static void swap(uint8_t *a, uint8_t *b, size_t bytes)
{
    uint8_t moved[HEAPSORT_ITEM_BYTES_MAX];

    memcpy(moved, a, bytes);
    memcpy(a, b, bytes);
    memcpy(b, moved, bytes);
}

static void sift_down(uint8_t *items, size_t root, size_t count, size_t bytes, heapsort_order *comes_before)
{
    for (;;) {
        size_t child = 2 * root + 1;

        if (child >= count)
            return;
        if (child + 1 < count && comes_before(items + child * bytes, items + (child + 1) * bytes))
            child++;
        if (!comes_before(items + root * bytes, items + child * bytes))
            return;
        swap(items + root * bytes, items + child * bytes, bytes);
        root = child;
    }
}

void heapsort_items(void *items, size_t count, size_t item_bytes, heapsort_order *comes_before)
{
    uint8_t *first = items;

    assert(item_bytes <= HEAPSORT_ITEM_BYTES_MAX);
    for (size_t root = count / 2; root-- > 0;)
        sift_down(first, root, count, item_bytes, comes_before);
    for (size_t end = count; end-- > 1;) {
        swap(first, first + end * item_bytes, item_bytes);
        sift_down(first, 0, end, item_bytes, comes_before);
    }
}
