/* SPDX-License-Identifier: MIT */
/* The handlers in the vector table of a Cortex-M, as definitions of interrupts. */
#ifndef TXTAP_CAPTURE_LOCATE_VECTORS_H
#define TXTAP_CAPTURE_LOCATE_VECTORS_H

#include <stddef.h>

#include "locate/elf_file.h"

/*
 * Returns lines `vector NUMBER "NAME"` (definitions.h) for the handlers in the firmware's vector table. The
 * caller frees the text. NULL: no table is known, or it has no such handler. A handler is left out if several vectors
 * share it, or if it has the name of a default handler, because it is not the handler of one interrupt. Reset and the
 * faults are also left out, because no firmware records them as interrupts.
 */
char *vectors_text(const struct elf_file *elf);

#endif
