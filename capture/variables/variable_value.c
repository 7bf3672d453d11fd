/* SPDX-License-Identifier: MIT */
/* Turns bytes of the target's memory into the value of a variable. */
#include "variables/variable.h"

#include <string.h>

static uint64_t number_of(const struct variable *variable, const uint8_t *bytes)
{
    uint64_t number = 0;

    for (uint32_t i = 0; i < variable->bytes; i++)
        number = number << 8 | bytes[variable->endian == TXTAP_BIG ? i : variable->bytes - 1 - i];
    number >>= variable->shift;
    return variable->bits < 64 ? number & ((UINT64_C(1) << variable->bits) - 1) : number;
}

static double float_of(uint64_t bits, unsigned count)
{
    uint32_t half = (uint32_t)bits;
    double wide;
    float narrow;

    if (count == 64) {
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    }
    memcpy(&narrow, &half, sizeof narrow);
    return (double)narrow;
}

uint64_t variable_value(const struct variable *variable, const uint8_t *bytes)
{
    uint64_t number = number_of(variable, bytes);

    if (variable->form == TXTAP_FORM_BOOL)
        return number != 0;
    if (variable->form == TXTAP_FORM_FLOAT)
        return txtap_sample_bits(float_of(number, variable->bits));
    if (variable->type == VARIABLE_SIGNED && variable->bits < 64 && (number >> (variable->bits - 1) & 1) != 0)
        number |= ~UINT64_C(0) << variable->bits;
    return number;
}
