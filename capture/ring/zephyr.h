/* SPDX-License-Identifier: MIT */
/* The common parts of Zephyr's rings. They are found by symbols, and each exchange does the same reads. */
#ifndef TXTAP_CAPTURE_RING_ZEPHYR_H
#define TXTAP_CAPTURE_RING_ZEPHYR_H

#include "ring/ring_kind.h"

#define ZEPHYR_WORDS_MAX 8u

/* Finds a variable in RAM. built_with: a question to the user, printed if the variable is missing, about the build
 * option that the firmware may lack. */
enum txtap_status zephyr_find(const struct elf_file *elf, const char *name, const char *built_with,
                              struct elf_symbol *symbol, struct error *error);

/* Reads `count` words of target memory, at most ZEPHYR_WORDS_MAX. */
enum txtap_status zephyr_read_words(struct poller *poller, enum txtap_endian endian, uint32_t address, uint32_t *words,
                                    uint32_t count, struct error *error);

/* Repeats an exchange of these reads. *bytes_per_second counts only the bytes of the first read; the other reads are
 * its cost. */
enum txtap_status zephyr_measure(struct poller *poller, const struct txtap_read *reads, size_t count,
                                 double *bytes_per_second, struct error *error);

/* Variables that count the time since the start of Zephyr's kernel; the list ends with NULL. */
extern const char *const zephyr_uptime_symbols[];

#endif
