/* SPDX-License-Identifier: MIT */
/* What an information word is, ready to be written in any format. */
#ifndef TXTAP_DECODER_FORMAT_VALUE_H
#define TXTAP_DECODER_FORMAT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/line.h"
#include "txtap/event.h"
#include "txtap/registry.h"

enum value_form {
    VALUE_NAME,    /* text: the target's bytes, where the registry has them: formats remember what is at that address */
    VALUE_WORD,    /* text: ours, or from a definitions file, which is checked when it is read */
    VALUE_NUMBER,  /* decimal, and a number to a program too; with decimals of its own */
    VALUE_SIGNED,  /* the same in two's complement */
    VALUE_FLOAT,   /* the same, of an IEEE 754 binary32 that is finite */
    VALUE_DECIMAL, /* decimal, where a word would stand if the value had one */
    VALUE_HEX,
    VALUE_ADDRESS, /* hexadecimal, all eight digits */
    VALUE_IPV4,
    VALUE_BITS,    /* the words of all bits that are set, and what is left in hexadecimal */
    VALUE_NOTHING, /* an object pointer that is 0 */
};

/* Two words, which are passed in registers. */
struct value {
    enum value_form form;
    uint32_t number;
    union {
        const char *text;                     /* of NAME and WORD */
        const struct txtap_field_info *field; /* of all others: what it was made by */
    };
};

/* The thread that the event ran in or interrupted: by its name if it has one, else by its address. */
struct value value_of_thread(const struct txtap_registry *registry, const struct txtap_event *event);

/* What word i of the event is, as field says. info: the event's row. */
struct value value_of_field(const struct txtap_registry *registry, const struct txtap_event *event,
                            const struct txtap_event_info *info, const struct txtap_field_info *field, size_t i);

/*
 * What is to be shown of event's word i: true and *label and *value, or false when there is nothing to say. info is the
 * table's row or NULL. A word that the row knows nothing of but that is not 0 is shown all the same, as is every word
 * of an unknown event: the firmware may use an id for something else than the kernel's components do. Of an event that
 * says how many words it has, those are shown whatever they are, and no others.
 */
bool value_of_word(const struct txtap_registry *registry, const struct txtap_event *event,
                   const struct txtap_event_info *info, size_t i, const char **label, struct value *value);

/* Writes what the event has beyond four words, each as " info5=0x1f"; first: without the blank before the first. */
void value_write_more(struct line *line, const struct txtap_event *event, bool first);

/* True for what a program reads as a number: JSON writes it without quotes. */
bool value_is_number(const struct value *value);

/* Any form but VALUE_NAME, which every format escapes in its own way. */
void value_write(const struct value *value, struct line *line);

#endif
