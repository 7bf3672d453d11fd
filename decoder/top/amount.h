/* SPDX-License-Identifier: MIT */
/* Amounts as short text: at most seven characters for any number, plus a sign if the amount is a bound. */
#ifndef TXTAP_DECODER_TOP_AMOUNT_H
#define TXTAP_DECODER_TOP_AMOUNT_H

#define AMOUNT_BYTES 16

enum amount_sign { AMOUNT_EXACT, AMOUNT_AT_LEAST, AMOUNT_AT_MOST, AMOUNT_ABOUT };

/*
 * Writes an amount to text, and returns text. Writes "-" for a negative amount, which means unknown, and for an amount
 * that is too large for every column.
 */
const char *amount_count(char text[static AMOUNT_BYTES], enum amount_sign sign, double count);
const char *amount_percent(char text[static AMOUNT_BYTES], enum amount_sign sign, double percent); /* writes no "%" */
const char *amount_ticks(char text[static AMOUNT_BYTES], enum amount_sign sign, double ticks, double tick_hz);

#endif
