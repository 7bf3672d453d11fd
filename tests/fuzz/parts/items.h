/* SPDX-License-Identifier: MIT */
/* Items out of bytes: events with few ids and addresses, so that they often mean something together. */
#ifndef TXTAP_TESTS_FUZZ_ITEMS_H
#define TXTAP_TESTS_FUZZ_ITEMS_H

#include "txtap/item.h"

#define ITEM_BYTES 8

/* An event, a gap or a mark; an event is so many ticks later that *ticks is its time. cores: 0 to 3; 0 and 1: one core
 */
struct txtap_item item_of(const uint8_t at[ITEM_BYTES], uint64_t seq, uint64_t *ticks, unsigned cores);

#endif
