/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The value of a counter line of the definitions (definitions.h): the order of its words, and its text.
 */
#ifndef TXTAP_INNER_USER_VALUE_H
#define TXTAP_INNER_USER_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "txtap/definitions.h"
#include "txtap/registry.h"

/* How a word is a number. */
enum txtap_value_form {
    TXTAP_VALUE_UNSIGNED,
    TXTAP_VALUE_SIGNED, /* two's complement */
    TXTAP_VALUE_FLOAT,  /* IEEE 754 binary32 */
    TXTAP_VALUE_FORMS
};

/*
 * Returns the field of the definition's text that shows the word, 0 to 3. This field has the unit and the kind of the
 * value. NULL: the text does not show the word, so its value is an unsigned number.
 */
const struct txtap_definition_part *txtap_definition_part_of(const struct txtap_definition *definition, unsigned word);

/* Returns a key for the word. Keys have the same order as the numbers. The key of a NaN is above or below all numbers.
 */
uint32_t txtap_value_key(enum txtap_value_form form, uint32_t word);

/* Returns the word of a key. */
uint32_t txtap_value_word(enum txtap_value_form form, uint32_t key);

#define TXTAP_VALUE_TEXT_BYTES 512u /* enough for each value and its unit */

/*
 * Writes a value of the definition's word, as the text format shows it, with its unit and a NUL: "23.4 C". The address
 * of an object is shown by its newest name, which may contain any bytes. Returns the length without the NUL.
 */
size_t txtap_value_text(const struct txtap_registry *registry, const struct txtap_definition *definition, unsigned word,
                        uint32_t number, char text[static TXTAP_VALUE_TEXT_BYTES]);

#endif
