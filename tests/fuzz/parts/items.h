/* SPDX-License-Identifier: MIT */
/* Makes items from bytes. There are few ids and addresses, so that several events often affect the same object. */
#ifndef TXTAP_TESTS_FUZZ_ITEMS_H
#define TXTAP_TESTS_FUZZ_ITEMS_H

#include "txtap/item.h"

#define ITEM_BYTES 8

/*
 * Makes an event, a gap or a mark. An event first adds its distance to *ticks, and gets *ticks as its time. cores:
 * number of cores, 0 to 3; 0 means 1.
 */
struct txtap_item item_of(const uint8_t at[ITEM_BYTES], uint64_t seq, uint64_t *ticks, unsigned cores);

#endif
