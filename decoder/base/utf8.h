/* SPDX-License-Identifier: MIT */
/* Recognises valid UTF-8. */
#ifndef TXTAP_DECODER_BASE_UTF8_H
#define TXTAP_DECODER_BASE_UTF8_H

#include <stddef.h>

/*
 * Bytes (1 to 4) of the UTF-8 character at text, or 0 if there is none: a stray or missing continuation byte, an
 * overlong form, a surrogate, beyond U+10FFFF. text: NUL-terminated, not empty. Source: RFC 3629, section 4.
 */
size_t utf8_length(const char *text);

#endif
