/* SPDX-License-Identifier: MIT */
/* Matches threads and objects with a pattern or an address that the user gave. */
#ifndef TXTAP_DECODER_FIGURES_NAMED_H
#define TXTAP_DECODER_FIGURES_NAMED_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "txtap/inner/pattern.h"

/*
 * Returns true if the pattern matches the subject's number or name. The number may be an address. name: "" if the
 * subject has no name.
 */
static inline bool is_named(const char *pattern, uint32_t number, const char *name)
{
    uint32_t given;

    if (digits_number(pattern, strlen(pattern), &given) && given == number)
        return true;
    return name[0] != '\0' ? txtap_pattern_matches(pattern, name) : strcmp(pattern, "*") == 0;
}

#endif
