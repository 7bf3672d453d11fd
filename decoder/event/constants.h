/* SPDX-License-Identifier: MIT */
/* Names of the constants that information words hold: wait options, types, states. */
#ifndef TXTAP_DECODER_EVENT_CONSTANTS_H
#define TXTAP_DECODER_EVENT_CONSTANTS_H

#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"

struct word_list {
    const struct txtap_word *words;
    size_t count;
};

/* The words for a field of that kind, from the components' headers; for bits, one word each. May be empty. */
struct word_list words_of_kind(enum txtap_field_kind kind);

/* The word for that number, or NULL. */
const char *words_find(struct word_list list, uint32_t number);

#endif
