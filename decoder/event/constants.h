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

/* By a field's kind, its words, from the components' headers; for bits, one word each. Most are empty. */
extern const struct word_list word_lists[TXTAP_FIELD_KINDS];

/* The word for that number, or NULL. */
const char *words_find(struct word_list list, uint32_t number);

#endif
