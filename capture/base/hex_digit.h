/* SPDX-License-Identifier: MIT */
/* A hexadecimal digit, in upper or lower case. */
#ifndef TXTAP_CAPTURE_BASE_HEX_DIGIT_H
#define TXTAP_CAPTURE_BASE_HEX_DIGIT_H

/* Returns the value of the digit; -1: not a digit. */
static inline int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

#endif
