/* SPDX-License-Identifier: MIT */
/* Numbers with a fraction, as user events have them. */
#ifndef TXTAP_DECODER_FORMAT_NUMBER_H
#define TXTAP_DECODER_FORMAT_NUMBER_H

#include <stdint.h>

#include "format/line.h"

/* value / 10^decimals, exactly; decimals: 0 to 9. */
void line_scaled(struct line *line, uint32_t value, unsigned decimals);

/* A finite IEEE 754 binary32 by its bits: up to nine digits, which tell any two apart. Valid as a number in JSON. */
void line_float(struct line *line, uint32_t bits);

#endif
