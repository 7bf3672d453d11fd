/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Names of functions, whose addresses are in some events.
 */
#ifndef TXTAP_INNER_FUNCTIONS_H
#define TXTAP_INNER_FUNCTIONS_H

#include "txtap/definitions.h"
#include "txtap/event.h"

/* Returns the name of the function at an address. Bit 0 of the address, the Thumb bit, does not matter. NULL: no
 * definition has the function. definitions: may be NULL. */
const char *txtap_function_name(const struct txtap_definitions *definitions, uint32_t address);

/* Returns the address and the name of the last function at or before an address, such as a program counter, from the
 * list of the definitions; NULL: there is no such function. The end of the function is not known. */
const struct txtap_word *txtap_function_before(const struct txtap_definitions *definitions, uint32_t address);

/* Returns the name of the function whose address is the event's word i. info: the event's row, or NULL. NULL: the name
 * is not known, or the word has another meaning. */
const char *txtap_function_of(const struct txtap_definitions *definitions, const struct txtap_event *event,
                              const struct txtap_event_info *info, size_t i);

#endif
