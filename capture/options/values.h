/* SPDX-License-Identifier: MIT */
/*
 * From the text of an option to its value. What is none ends the program with a usage error, which names the option,
 * the text, and what would do.
 */
#ifndef TXTAP_CAPTURE_OPTIONS_VALUES_H
#define TXTAP_CAPTURE_OPTIONS_VALUES_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* Only looks: a number at the start of the text, as C has them, without sign or blanks. *end is behind it. */
bool option_u32(const char *text, uint32_t *value, char **end);

/* Of a target's memory: a multiple of 4. */
uint32_t option_address(const struct argp_state *state, const char *text);

/* Of files: what lies in one need not be aligned. */
uint32_t option_byte_address(const struct argp_state *state, const char *name, const char *text);

/* Above 0. */
double option_positive(const struct argp_state *state, const char *name, const char *text);
uint64_t option_count(const struct argp_state *state, const char *name, const char *text);

#endif
