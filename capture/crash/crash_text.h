/* SPDX-License-Identifier: MIT */
/* Describes a crash for people: the cause, the registers of the fault, its frame, and the kernel's threads. */
#ifndef TXTAP_CAPTURE_CRASH_CRASH_TEXT_H
#define TXTAP_CAPTURE_CRASH_CRASH_TEXT_H

#include <stdio.h>

#include "crash/crash_core.h"
#include "locate/source_line.h"

/* Prints the text. cause: the text of the mark. places: of the same ELF file; or NULL. */
void crash_text_put(FILE *out, struct crash_core *core, const struct code_places *places, const char *cause);

#endif
