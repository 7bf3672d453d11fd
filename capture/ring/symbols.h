/* SPDX-License-Identifier: MIT */
/* What the kinds of ring that are found by symbols have in common: a firmware's variables. */
#ifndef TXTAP_CAPTURE_RING_SYMBOLS_H
#define TXTAP_CAPTURE_RING_SYMBOLS_H

#include "base/failure.h"
#include "locate/elf_file.h"
#include "stream/session.h"
#include "txtap/source.h"

/* A variable in RAM. built_with: what the firmware may lack if it is not there, as a question. */
enum txtap_status symbols_find(const struct elf_file *elf, const char *name, const char *built_with,
                               struct elf_symbol *symbol, struct error *error);

/* That the variable of that name cannot be read; returns status. */
enum txtap_status symbols_failure(struct txtap_source source, const char *name, enum txtap_status status,
                                  struct error *error);

#define SYMBOLS_WORDS_MAX 8u

/* So many words of target memory, SYMBOLS_WORDS_MAX at most. */
enum txtap_status symbols_read_words(struct session *session, enum txtap_endian endian, uint32_t address,
                                     uint32_t *words, uint32_t count, struct error *error);

/* Of variables that count the time since the start of Zephyr's kernel, NULL behind the last. */
extern const char *const symbols_zephyr_uptime[];

#endif
