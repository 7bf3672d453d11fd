/* SPDX-License-Identifier: MIT */
/* Amounts as short text: at most seven characters for whatever number, and a sign in front of one that is a bound. */
#ifndef TXTAP_DECODER_TOP_AMOUNT_H
#define TXTAP_DECODER_TOP_AMOUNT_H

#define AMOUNT_BYTES 16

enum amount_sign { AMOUNT_EXACT, AMOUNT_AT_LEAST, AMOUNT_AT_MOST, AMOUNT_ABOUT };

/* All return text. A negative amount is not known, and shown as "-"; so is one that no column has room for. */
const char *amount_count(char text[static AMOUNT_BYTES], enum amount_sign sign, double count);
const char *amount_percent(char text[static AMOUNT_BYTES], enum amount_sign sign, double percent); /* without "%" */
const char *amount_ticks(char text[static AMOUNT_BYTES], enum amount_sign sign, double ticks, double tick_hz);

#endif
