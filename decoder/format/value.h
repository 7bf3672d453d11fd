/* SPDX-License-Identifier: MIT */
/* The value of an information word, ready to be written in any format. */
#ifndef TXTAP_DECODER_FORMAT_VALUE_H
#define TXTAP_DECODER_FORMAT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/line.h"
#include "txtap/event.h"
#include "txtap/registry.h"

enum value_form {
    VALUE_DECIMAL, /* decimal, of a field that has words, but none for this value */
    VALUE_NAME,    /* text: bytes from the target, in the registry's memory: formats cache texts by that address */
    VALUE_WORD,    /* text: from txtap itself, or from a definitions file, which was checked when it was read */
    VALUE_NUMBER,  /* decimal, a number for programs, too; the field may have decimals */
    VALUE_SIGNED,  /* the same in two's complement */
    VALUE_FLOAT,   /* the same, a finite IEEE 754 binary32 */
    VALUE_HEX,
    VALUE_ADDRESS, /* hexadecimal, all eight digits */
    VALUE_IPV4,
    VALUE_BITS,    /* the words of all bits that are set, and bits without a word in hexadecimal */
    VALUE_NOTHING, /* an object pointer that is 0 */
};

/* 16 bytes, which are passed in registers. */
struct value {
    enum value_form form;
    uint32_t number;
    union {
        const char *text;                     /* of NAME and WORD */
        const struct txtap_field_info *field; /* of all others */
    };
};

/* The thread that recorded the event or was interrupted: its name if it has one, otherwise its address. */
struct value value_of_thread(const struct txtap_registry *registry, const struct txtap_event *event);

/* The value of the event's word i, by field. info: the event's row. */
struct value value_of_field(const struct txtap_registry *registry, const struct txtap_event *event,
                            const struct txtap_event_info *info, const struct txtap_field_info *field, size_t i);

/*
 * Label and value of the event's word i, or false if the word is not shown. info: the event's row, or NULL. Words that
 * are not 0 are shown even if the row does not name them, and so are all words of an unknown event: firmware may use an
 * id for something else than the kernel's components do. If the event has its number of words, exactly those are shown.
 */
bool value_of_word(const struct txtap_registry *registry, const struct txtap_event *event,
                   const struct txtap_event_info *info, size_t i, const char **label, struct value *value);

/* Writes the event's words beyond four, each as " info5=0x1f". first: omits the first blank. */
void value_write_more(struct line *line, const struct txtap_event *event, bool first);

/* True if programs read it as a number: JSON writes it without quotes. */
bool value_is_number(const struct value *value);

/* Writes any form but VALUE_NAME, which each format escapes in its own way. */
void value_write(const struct value *value, struct line *line);

#endif
