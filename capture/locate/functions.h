/* SPDX-License-Identifier: MIT */
/* The functions of a firmware, as definitions. */
#ifndef TXTAP_CAPTURE_LOCATE_FUNCTIONS_H
#define TXTAP_CAPTURE_LOCATE_FUNCTIONS_H

#include <stdbool.h>

#include "locate/elf_file.h"

/*
 * Returns lines `function ADDRESS "NAME"` (definitions.h) for the functions in the firmware's symbol table, at most
 * TXTAP_DEFINITION_FUNCTIONS_MAX. The caller frees the text. NULL: there are no functions, or there is no memory.
 */
char *functions_text(const struct elf_file *elf);

/* Returns true if the name needs no escape in a line of definitions. */
bool functions_is_plain(const char *name);

#endif
