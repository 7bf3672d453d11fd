/* SPDX-License-Identifier: MIT */
/* Parses the text of an option into its value. An invalid text ends the program with a usage error, which names the
 * option, the text and the valid values. name: as the user types it, "--seconds" or "-C". */
#ifndef TXTAP_CAPTURE_BASE_OPTION_VALUES_H
#define TXTAP_CAPTURE_BASE_OPTION_VALUES_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* Prints "txtap COMMAND: MESSAGE" on standard error, and ends the program with EXIT_USAGE. Use it instead of
 * argp_error(), which adds a second line. */
void option_error(const struct argp_state *state, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* Parses a number at the start of the text, as in C, without sign or blanks; *end points after it. Prints no error
 * message. */
bool option_u32(const char *text, uint32_t *value, char **end);

/* Parses an address in target memory or in a file: a multiple of alignment, which is 4 or 1. */
uint32_t option_address(const struct argp_state *state, const char *name, const char *text, uint32_t alignment);

/* Parses [HOST:]PORT, where HOST may be [IPv6]. Splits text in place; *host does not change if there is no HOST. */
void option_host_port(const struct argp_state *state, const char *name, char *text, const char **host,
                      const char **port);

/* Parses a whole number in [least, most], without unit. */
uint64_t option_number(const struct argp_state *state, const char *name, const char *text, uint64_t least,
                       uint64_t most);

/* Parses a size: 512K, 64M, 2G (powers of 1024), or hexadecimal bytes. A number without unit is a multiple of `bare`
 * bytes. Prints no error message. */
bool option_is_size(const char *text, uint64_t bare, uint64_t *bytes);

/* Parses a size in [least, most]. range: these limits as text. */
uint64_t option_size(const struct argp_state *state, const char *name, const char *text, uint64_t bare, uint64_t least,
                     uint64_t most, const char *range);

#define OPTION_SECONDS_MAX 1e9 /* about 30 years, so that microseconds do not overflow */

/* Parses a time in [least, most], in seconds. range: these limits as text. */
double option_seconds(const struct argp_state *state, const char *name, const char *text, double least, double most,
                      const char *range);

/* The rate of the time stamps, for times in options. */
struct option_rate {
    double hz;  /* 0: not known */
    bool given; /* the user gave it, so a number without a unit is in seconds; otherwise it is in ticks */
};

/* Parses a moment of a trace, in ticks. A time is rounded to the nearest tick. */
uint64_t option_ticks(const struct argp_state *state, const char *name, const char *text, struct option_rate rate);

/* Parses a time of the wall clock: 2026-11-28, 2026-11-28T12:34, 2026-11-28T12:34:56.789, in the local time zone, or
 * with a Z at the end in UTC. Returns microseconds since 1970, above 0. */
uint64_t option_wall_us(const struct argp_state *state, const char *name, const char *text);

/* Parses a frequency above 0, in hertz: 168M, 168MHz, 32.768k, 32768. */
double option_frequency(const struct argp_state *state, const char *name, const char *text);

/* Parses a percentage from 0 to 10000: "20%" or "20". Returns 0.2 for 20 %. */
double option_percent(const struct argp_state *state, const char *name, const char *text);

/* Returns the index of the text in `words`, which has `count` elements. */
unsigned option_choice(const struct argp_state *state, const char *name, const char *text, const char *const *words,
                       unsigned count);

#endif
