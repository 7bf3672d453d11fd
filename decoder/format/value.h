/* SPDX-License-Identifier: MIT */
/* The value of an information word, in a form that every format can write. */
#ifndef TXTAP_DECODER_FORMAT_VALUE_H
#define TXTAP_DECODER_FORMAT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/line.h"
#include "txtap/event.h"
#include "txtap/registry.h"

enum value_form {
    VALUE_DECIMAL, /* decimal; the field has words, but no word for this value */
    VALUE_NAME,    /* text from the target, in the registry's memory; formats cache such texts by their address */
    VALUE_WORD,    /* text from txtap or from a definitions file; the text was checked when the file was read */
    VALUE_NUMBER,  /* decimal, and also a number for programs; the field may have decimals */
    VALUE_SIGNED,  /* like VALUE_NUMBER, in two's complement */
    VALUE_FLOAT,   /* like VALUE_NUMBER, a finite IEEE 754 binary32 */
    VALUE_HEX,
    VALUE_ADDRESS, /* hexadecimal, all eight digits */
    VALUE_IPV4,
    VALUE_BITS,    /* the words of all set bits; set bits without a word are written in hexadecimal */
    VALUE_NOTHING, /* an object pointer that is 0 */
};

/* The struct has 16 bytes, so that it is passed in registers. */
struct value {
    enum value_form form;
    uint32_t number;
    union {
        const char *text;                     /* set for the forms NAME and WORD */
        const struct txtap_field_info *field; /* set for all other forms */
    };
};

/* Returns the thread that recorded the event or that the interrupt interrupted. The value is the thread's name, or its
 * address if it has no name. */
struct value value_of_thread(const struct txtap_registry *registry, const struct txtap_event *event);

/* Returns the value of the event's word i, formatted as field. info: the event's row. */
struct value value_of_field(const struct txtap_registry *registry, const struct txtap_event *event,
                            const struct txtap_event_info *info, const struct txtap_field_info *field, size_t i);

/*
 * Sets *label and *value to the label and the value of the event's word i. Returns false if the word is not shown.
 * info: the event's row, or NULL. A word that is not 0 is shown even if the row has no label for it, because firmware
 * may use an id for another purpose than the kernel's components. All words of an unknown event are shown. If the event
 * records its number of words, exactly these words are shown.
 */
bool value_of_word(const struct txtap_registry *registry, const struct txtap_event *event,
                   const struct txtap_event_info *info, size_t i, const char **label, struct value *value);

/* Writes the event's words after the fourth word, each like " info5=0x1f". first: omits the first blank. */
void value_write_more(struct line *line, const struct txtap_event *event, bool first);

/* Returns true if the value is a number for programs: JSON writes it without quotes. */
bool value_is_number(const struct value *value);

/* Writes a value of any form except VALUE_NAME. Each format escapes names in its own way. */
void value_write(const struct value *value, struct line *line);

#endif
