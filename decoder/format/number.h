/* SPDX-License-Identifier: MIT */
/* Numbers with a fraction, for user events. */
#ifndef TXTAP_DECODER_FORMAT_NUMBER_H
#define TXTAP_DECODER_FORMAT_NUMBER_H

#include <stdint.h>

#include "format/line.h"

/* value / 10^decimals, exactly; decimals: 0 to 9. */
void line_scaled(struct line *line, uint32_t value, unsigned decimals);

/* A finite IEEE 754 binary32 by its bits, with up to nine digits, so that no two look the same. A valid JSON number. */
void line_float(struct line *line, uint32_t bits);

#endif
