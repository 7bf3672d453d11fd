/* SPDX-License-Identifier: MIT */
/* What Zephyr's rings have in common: they are found by symbols, and read in one exchange that is always the same. */
#ifndef TXTAP_CAPTURE_RING_ZEPHYR_H
#define TXTAP_CAPTURE_RING_ZEPHYR_H

#include "ring/ring_kind.h"

#define ZEPHYR_WORDS_MAX 8u

/* Finds a variable in RAM. built_with: a question after what the firmware may lack if the variable is missing. */
enum txtap_status zephyr_find(const struct elf_file *elf, const char *name, const char *built_with,
                              struct elf_symbol *symbol, struct error *error);

/* Reads count words of target memory, at most ZEPHYR_WORDS_MAX. */
enum txtap_status zephyr_read_words(struct poller *poller, enum txtap_endian endian, uint32_t address, uint32_t *words,
                                    uint32_t count, struct error *error);

/* Repeats one exchange of these reads and gives the bytes per second of the first: the others are what it costs. */
enum txtap_status zephyr_measure(struct poller *poller, const struct txtap_read *reads, size_t count,
                                 double *bytes_per_second, struct error *error);

/* Variables that count the time since the start of Zephyr's kernel; NULL ends the list. */
extern const char *const zephyr_uptime_symbols[];

#endif
