/* SPDX-License-Identifier: MIT */
/* The common parts of Zephyr's rings. They are found by symbols, and each exchange does the same reads. */
#ifndef TXTAP_CAPTURE_RING_ZEPHYR_H
#define TXTAP_CAPTURE_RING_ZEPHYR_H

#include "ring/ring_kind.h"

#define ZEPHYR_WORDS_MAX 8u

/* Finds a variable in RAM. built_with: text for the error if the variable is missing; it asks the user whether the
 * firmware was built with the necessary option. */
enum txtap_status zephyr_find(const struct elf_file *elf, const char *name, const char *built_with,
                              struct elf_symbol *symbol, struct error *error);

/* Reads `count` words of target memory, at most ZEPHYR_WORDS_MAX. */
enum txtap_status zephyr_read_words(struct poller *poller, enum txtap_endian endian, uint32_t address, uint32_t *words,
                                    uint32_t count, struct error *error);

/* Measures the probe's speed by repeating an exchange of these reads. *bytes_per_second counts only the bytes of the
 * first read, because the other reads are overhead. */
enum txtap_status zephyr_measure(struct poller *poller, const struct txtap_read *reads, size_t count,
                                 double *bytes_per_second, struct error *error);

/* Variables that count the time since the start of Zephyr's kernel; the list ends with NULL. */
extern const char *const zephyr_uptime_symbols[];

#endif
