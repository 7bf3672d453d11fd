/* SPDX-License-Identifier: MIT */
/* Checks properties that every CTF trace and every value change dump must have. */
#ifndef TXTAP_FUZZ_FORMAT_CHECK_H
#define TXTAP_FUZZ_FORMAT_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* Begins a new trace or dump. */
void format_check_start(void);

/* Checks a packet: its lengths, and that times and numbers of lost events do not decrease. */
void ctf_check(const uint8_t *packet, size_t length);

/* Checks complete lines of a dump: printable ASCII, increasing times, and values of declared variables only. */
void vcd_check(const char *lines, size_t length);

#endif
