/* SPDX-License-Identifier: MIT */
/* Digits and numbers in text. */
#ifndef TXTAP_DECODER_BASE_DIGITS_H
#define TXTAP_DECODER_BASE_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of a hexadecimal digit; 16 for any other character. */
unsigned digit_value(char character);

/* All of text[0..length) as a number, decimal, or hexadecimal after 0x. False if it is not one, or above 32 bits. */
bool digits_number(const char *text, size_t length, uint32_t *number);

#endif
