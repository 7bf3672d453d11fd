/* SPDX-License-Identifier: MIT */
/* What holds for every CTF trace and every value change dump, whatever the input was. */
#ifndef TXTAP_FUZZ_FORMAT_CHECK_H
#define TXTAP_FUZZ_FORMAT_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* A new trace or dump begins. */
void format_check_start(void);

/* One packet: lengths, and times and numbers of lost events that never go back. */
void ctf_check(const uint8_t *packet, size_t length);

/* Whole lines of a dump: printable ASCII, times that rise, and values of variables that were declared. */
void vcd_check(const char *lines, size_t length);

#endif
