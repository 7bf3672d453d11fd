/* SPDX-License-Identifier: MIT */
/* Checks what must be true for every CTF trace and for every value change dump. */
#ifndef TXTAP_FUZZ_FORMAT_CHECK_H
#define TXTAP_FUZZ_FORMAT_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* Begins a new trace or dump. */
void format_check_start(void);

/* Checks a packet's lengths. Also checks that times and numbers of lost events do not decrease. */
void ctf_check(const uint8_t *packet, size_t length);

/* Checks complete lines of a dump: printable ASCII, increasing times, and values only of declared variables. */
void vcd_check(const char *lines, size_t length);

#endif
