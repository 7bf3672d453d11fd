/* SPDX-License-Identifier: MIT */
/* Sorts in place: what is sorted but for a few items in linear time, and nothing in quadratic time, though files and
 * targets choose what is sorted. */
#ifndef TXTAP_DECODER_BASE_HEAPSORT_H
#define TXTAP_DECODER_BASE_HEAPSORT_H

#include <stdbool.h>
#include <stddef.h>

#define HEAPSORT_ITEM_BYTES_MAX 256u

typedef bool heapsort_order(const void *a, const void *b); /* does a come before b? */

/* items: count of them, item_bytes each, at most HEAPSORT_ITEM_BYTES_MAX. Equal items get any order. */
void heapsort_items(void *items, size_t count, size_t item_bytes, heapsort_order *comes_before);

#endif
