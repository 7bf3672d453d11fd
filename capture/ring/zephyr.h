/* SPDX-License-Identifier: MIT */
/* What Zephyr's rings have in common: they are found by symbols, and read in one exchange that is always the same. */
#ifndef TXTAP_CAPTURE_RING_ZEPHYR_H
#define TXTAP_CAPTURE_RING_ZEPHYR_H

#include "ring/ring_kind.h"

#define ZEPHYR_WORDS_MAX 8u

/* A variable in RAM. built_with: what the firmware may lack if it is not there, as a question. */
enum txtap_status zephyr_find(const struct elf_file *elf, const char *name, const char *built_with,
                              struct elf_symbol *symbol, struct error *error);

/* So many words of target memory, ZEPHYR_WORDS_MAX at most. */
enum txtap_status zephyr_read_words(struct poller *poller, enum txtap_endian endian, uint32_t address, uint32_t *words,
                                    uint32_t count, struct error *error);

/* Bytes per second of these reads in one exchange, counted of the first alone: what is read beside it is what it costs.
 */
enum txtap_status zephyr_measure(struct poller *poller, const struct txtap_read *reads, size_t count,
                                 double *bytes_per_second, struct error *error);

/* Of variables that count the time since the start of Zephyr's kernel, NULL behind the last. */
extern const char *const zephyr_uptime_symbols[];

#endif
