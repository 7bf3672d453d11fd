/* SPDX-License-Identifier: MIT */
/* The types in a firmware's debug information (DWARF), read with libdw. Knows nothing of kernels. */
#ifndef TXTAP_CAPTURE_LOCATE_DWARF_H
#define TXTAP_CAPTURE_LOCATE_DWARF_H

#include <stdbool.h>
#include <stdint.h>

#include "locate/elf_file.h"

struct dwarf;

/* Returns the debug information of the file, which must stay open until dwarf_close(). NULL: the file has no debug
 * information, or there is no memory. */
struct dwarf *dwarf_open(const struct elf_file *elf);
void dwarf_close(struct dwarf *dwarf); /* NULL is allowed */

/* Returns true if a struct with this name is described. */
bool dwarf_has_struct(struct dwarf *dwarf, const char *structure);

struct dwarf_member {
    uint32_t offset; /* bytes from the start of the struct */
    uint32_t bytes;  /* size; for an array, of the whole array */
};

/*
 * Finds a member of a struct. path: names separated by dots, "timer.list_head", "cores[1].thread"; members of an
 * unnamed struct or union belong to the enclosing struct. False: there is no such struct or member, or its place is not
 * constant.
 */
bool dwarf_member_find(struct dwarf *dwarf, const char *structure, const char *path, struct dwarf_member *member);

#endif
