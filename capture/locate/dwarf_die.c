/* SPDX-License-Identifier: MIT */
/* Steps through entries of debug information with libdw. */
#include "locate/dwarf_die.h"

#include <string.h>

#define TYPES_MAX 64 /* typedefs and qualifiers of a type */

bool die_is_named(Dwarf_Die *die, const char *name, size_t length)
{
    const char *own = dwarf_diename(die);

    return own != NULL && strlen(own) == length && memcmp(own, name, length) == 0;
}

bool die_next(Dwarf_Die *die)
{
    Dwarf_Off before = dwarf_dieoffset(die);

    /* An entry of a damaged file may name an entry before it as the next. */
    return dwarf_siblingof(die, die) == 0 && dwarf_dieoffset(die) > before;
}

static bool is_alias(int tag)
{
    return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
           tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

bool die_peel(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;

    *type = *die;
    for (unsigned i = 0; is_alias(dwarf_tag(type)); i++)
        if (i == TYPES_MAX || dwarf_attr_integrate(type, DW_AT_type, &attribute) == NULL ||
            dwarf_formref_die(&attribute, type) == NULL)
            return false;
    return dwarf_attr(type, DW_AT_signature, &attribute) == NULL || dwarf_formref_die(&attribute, type) != NULL;
}

bool die_type(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;

    return dwarf_attr_integrate(die, DW_AT_type, &attribute) != NULL && dwarf_formref_die(&attribute, type) != NULL &&
           die_peel(type, type);
}

bool die_offset(Dwarf_Die *member, bool is_union, Dwarf_Word *offset)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;

    *offset = 0;
    if (dwarf_attr_integrate(member, DW_AT_data_member_location, &attribute) == NULL)
        return is_union || dwarf_hasattr_integrate(member, DW_AT_data_bit_offset);
    if (dwarf_formudata(&attribute, offset) == 0)
        return true;
    if (dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1 ||
        operations[0].atom != DW_OP_plus_uconst)
        return false;
    *offset = operations[0].number;
    return true;
}

bool die_complete(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);
    Dwarf *file = dwarf_cu_getdwarf(type->cu);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, child;

    if (!dwarf_hasattr(type, DW_AT_declaration))
        return true;
    if (name == NULL)
        return false;
    while (dwarf_get_units(file, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        if (dwarf_child(&die, &child) != 0)
            continue;
        do {
            if (dwarf_tag(&child) == dwarf_tag(type) && !dwarf_hasattr(&child, DW_AT_declaration) &&
                die_is_named(&child, name, strlen(name))) {
                *type = child;
                return true;
            }
        } while (die_next(&child));
    }
    return false;
}
