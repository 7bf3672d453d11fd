/* SPDX-License-Identifier: MIT */
/* Steps through entries of debug information (DWARF) that may be damaged: each step ends, also in a circle of types. */
#ifndef TXTAP_CAPTURE_LOCATE_DWARF_DIE_H
#define TXTAP_CAPTURE_LOCATE_DWARF_DIE_H

#include <stdbool.h>
#include <stddef.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

/* Returns true if the entry has this name, of `length` bytes. */
bool die_is_named(Dwarf_Die *die, const char *name, size_t length);

/* Goes to the next entry with the same parent. False: there is no further entry. */
bool die_next(Dwarf_Die *die);

/* Sets *type to the type without typedefs and qualifiers. `type` may be &die. False: the type is damaged. */
bool die_peel(Dwarf_Die *die, Dwarf_Die *type);

/* Sets *type to the type of a variable, a member or an array's elements, without typedefs and qualifiers. False: there
 * is no type, as for void. With -fdebug-types-section, a struct may be described in a unit of its own, to which the
 * declaration of the struct refers. */
bool die_type(Dwarf_Die *die, Dwarf_Die *type);

/* Sets *offset to the place of a member or a base class in its struct. Old compilers write the place as an expression.
 * False: the place is not constant. */
bool die_offset(Dwarf_Die *member, bool is_union, Dwarf_Word *offset);

/* Replaces the declaration of a struct by its definition, which may be in another unit. False: the file has no
 * definition. */
bool die_complete(Dwarf_Die *type);

#endif
