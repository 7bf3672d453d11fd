/* SPDX-License-Identifier: MIT */
/*
 * Sorts in place. Takes linear time if only a few items are out of place. Never takes quadratic time: files and targets
 * choose the order of the items, so the worst case must be fast.
 */
#ifndef TXTAP_DECODER_BASE_HEAPSORT_H
#define TXTAP_DECODER_BASE_HEAPSORT_H

#include <stdbool.h>
#include <stddef.h>

#define HEAPSORT_ITEM_BYTES_MAX 256u

typedef bool heapsort_order(const void *a, const void *b); /* does a come before b? */

/*
 * Sorts count items of item_bytes bytes each, at most HEAPSORT_ITEM_BYTES_MAX. The order of equal items is undefined.
 */
void heapsort_items(void *items, size_t count, size_t item_bytes, heapsort_order *comes_before);

#endif
