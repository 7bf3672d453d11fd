/* SPDX-License-Identifier: MIT */
/* What an information word is to be shown as, the same in every text format. */
#ifndef TXTAP_DECODER_VALUE_H
#define TXTAP_DECODER_VALUE_H

#include <stdint.h>

#include "line.h"
#include "txtap/event.h"
#include "txtap/registry.h"

enum value_form {
    VALUE_NAME,    /* text: the target's bytes, where the registry has them: formats remember what is at that address */
    VALUE_WORD,    /* text: ours */
    VALUE_NUMBER,  /* decimal, and a number to a program too */
    VALUE_DECIMAL, /* decimal, where a word would stand if the value had one */
    VALUE_HEX,
    VALUE_ADDRESS, /* hexadecimal, all eight digits */
    VALUE_IPV4,
    VALUE_NOTHING, /* an object pointer that is 0 */
};

struct value {
    enum value_form form;
    uint32_t number;
    const char *text;
};

/* The object at that address: by its name if it has one, else by its address. */
struct value value_of_pointer(const struct txtap_registry *registry, uint32_t pointer);

/*
 * What is to be shown of event's word i: true and *label and *value, or false when there is nothing to say. info is the
 * table's row or NULL. A word that the row knows nothing of but that is not 0 is shown all the same, as is every word
 * of an unknown event: the firmware may use an id for something else than the kernel's components do.
 */
bool value_of_word(const struct txtap_registry *registry, const struct txtap_event *event,
                   const struct txtap_event_info *info, size_t i, const char **label, struct value *value);

/* Any form but VALUE_NAME, which every format escapes in its own way. */
void value_write(const struct value *value, struct line *line);

#endif
