/* SPDX-License-Identifier: MIT */
/* The handlers in the vector table of a Cortex-M, as definitions of interrupts. */
#ifndef TXTAP_CAPTURE_LOCATE_VECTORS_H
#define TXTAP_CAPTURE_LOCATE_VECTORS_H

#include <stddef.h>

#include "locate/elf_file.h"

/*
 * Returns lines `vector NUMBER "NAME"` (definitions.h) for the handlers in the firmware's vector table, which the
 * caller frees; NULL: no table is known, or it has no such handler. A handler that several vectors share, or that is
 * called like a default handler, is left out, because it is not the handler of one interrupt. So are reset and the
 * faults: no firmware records them as interrupts.
 */
char *vectors_text(const struct elf_file *elf);

#endif
