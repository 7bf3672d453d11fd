/* SPDX-License-Identifier: MIT */
/*
 * Sorts by insertion if few items are out of place, otherwise by heapsort. The functions know only bytes and an order.
 */
#include "base/heapsort.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define MOVES_EACH 8 /* up to this number of moves per item, insertion is faster than heapsort */

/* Returns the index at which the next item belongs: after the last sorted item that may come before it. */
static size_t place_of(const uint8_t *items, size_t sorted, size_t bytes, heapsort_order *comes_before)
{
    const uint8_t *item = items + sorted * bytes;
    size_t low = 0, high = sorted;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (comes_before(item, items + middle * bytes))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/*
 * Moves each item that comes too late to its place. Returns false if this takes too many moves; the remaining items are
 * then not sorted.
 */
static bool insert_few(uint8_t *items, size_t count, size_t bytes, heapsort_order *comes_before)
{
    uint8_t item[HEAPSORT_ITEM_BYTES_MAX];
    size_t moves = count * MOVES_EACH;

    for (size_t i = 1; i < count; i++) {
        uint8_t *from = items + i * bytes;
        size_t place;

        if (!comes_before(from, from - bytes))
            continue;
        place = place_of(items, i, bytes, comes_before);
        if (i - place > moves)
            return false;
        moves -= i - place;
        memcpy(item, from, bytes);
        memmove(items + (place + 1) * bytes, items + place * bytes, (i - place) * bytes);
        memcpy(items + place * bytes, item, bytes);
    }
    return true;
}

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
    if (insert_few(first, count, item_bytes, comes_before))
        return;
    for (size_t root = count / 2; root-- > 0;)
        sift_down(first, root, count, item_bytes, comes_before);
    for (size_t end = count; end-- > 1;) {
        swap(first, first + end * item_bytes, item_bytes);
        sift_down(first, 0, end, item_bytes, comes_before);
    }
}
