/* SPDX-License-Identifier: MIT */
/* Characters and numbers in text: UTF-8, and digits. */
#ifndef TXTAP_DECODER_BASE_TEXT_H
#define TXTAP_DECODER_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns the length of the UTF-8 character at text, in bytes (1 to 4). Returns 0 if the character is invalid (a stray
 * or missing continuation byte, an overlong form, a surrogate, or a value beyond U+10FFFF). text: NUL-terminated, not
 * empty. Source: RFC 3629, section 4.
 */
size_t utf8_length(const char *text);

/* Returns the value of a hexadecimal digit; 16 for any other character. */
unsigned digit_value(char character);

/*
 * Parses all of text[0..length) as a number: decimal, or hexadecimal after 0x. Returns false if the text is not a
 * number, or if the number has more than 32 bits.
 */
bool digits_number(const char *text, size_t length, uint32_t *number);

#endif
