/* SPDX-License-Identifier: MIT */
/* Finds members of structs in DWARF. The file may be damaged, so the depth of every search is limited. */
#include "locate/dwarf.h"

#include <stdlib.h>
#include <string.h>

#include "locate/dwarf_die.h"

#define STRUCTS_MAX 16 /* structs whose place is remembered */
#define NAME_BYTES  64
#define DEPTH_MAX   8 /* of unnamed structs and unions, and of a path */

struct known {
    char name[NAME_BYTES];
    bool found;
    Dwarf_Die die;
};

struct dwarf {
    Dwarf *handle;
    struct known known[STRUCTS_MAX];
    size_t known_count;
};

struct dwarf *dwarf_open(const struct elf_file *elf)
{
    struct dwarf *dwarf = calloc(1, sizeof *dwarf);

    if (dwarf == NULL)
        return NULL;
    dwarf->handle = dwarf_begin_elf(elf_libelf(elf), DWARF_C_READ, NULL);
    if (dwarf->handle == NULL) {
        free(dwarf);
        return NULL;
    }
    return dwarf;
}

void dwarf_close(struct dwarf *dwarf)
{
    if (dwarf == NULL)
        return;
    (void)dwarf_end(dwarf->handle);
    free(dwarf);
}

/* Finds the definition of a struct among the children of a unit. */
static bool find_in_unit(Dwarf_Die *unit, const char *name, Dwarf_Die *found)
{
    Dwarf_Die child;

    if (dwarf_child(unit, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) == DW_TAG_structure_type && die_is_named(&child, name, strlen(name)) &&
            dwarf_hasattr(&child, DW_AT_byte_size)) {
            *found = child;
            return true;
        }
    } while (die_next(&child));
    return false;
}

static bool search_units(struct dwarf *dwarf, const char *name, Dwarf_Die *found)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;

    while (dwarf_get_units(dwarf->handle, unit, &unit, NULL, NULL, &die, NULL) == 0)
        if (find_in_unit(&die, name, found))
            return true;
    return false;
}

/* Returns the struct; NULL: there is no such struct. */
static Dwarf_Die *find_struct(struct dwarf *dwarf, const char *name)
{
    struct known *known = NULL;

    for (size_t i = 0; i < dwarf->known_count; i++)
        if (strcmp(dwarf->known[i].name, name) == 0)
            return dwarf->known[i].found ? &dwarf->known[i].die : NULL;
    if (dwarf->known_count == STRUCTS_MAX || strlen(name) >= NAME_BYTES)
        return NULL;
    known = &dwarf->known[dwarf->known_count++];
    strcpy(known->name, name);
    known->found = search_units(dwarf, name, &known->die);
    return known->found ? &known->die : NULL;
}

bool dwarf_has_struct(struct dwarf *dwarf, const char *structure)
{
    return find_struct(dwarf, structure) != NULL;
}

/* Finds a member by its name, of `length` bytes. Adds its offset to *offset. */
static bool find_member(Dwarf_Die *structure, const char *name, size_t length, unsigned depth, Dwarf_Word *offset,
                        Dwarf_Die *type)
{
    bool is_union = dwarf_tag(structure) == DW_TAG_union_type;
    Dwarf_Word own;
    Dwarf_Die child;

    if (depth == DEPTH_MAX || dwarf_child(structure, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) != DW_TAG_member || !die_offset(&child, is_union, &own) || !die_type(&child, type))
            continue;
        *offset += own;
        if (die_is_named(&child, name, length))
            return !dwarf_hasattr(&child, DW_AT_bit_size);
        if (dwarf_diename(&child) == NULL && find_member(type, name, length, depth + 1, offset, type))
            return true;
        *offset -= own;
    } while (die_next(&child));
    return false;
}

/* Goes from an array to its element [number]. Adds the element's offset to *offset. False: no such element. */
static bool enter_element(Dwarf_Die *type, const char *number, const char **end, Dwarf_Word *offset)
{
    unsigned long index = 0;
    Dwarf_Word all, bytes;
    Dwarf_Die element;

    for (; *number >= '0' && *number <= '9' && index < UINT16_MAX; number++)
        index = 10 * index + (unsigned long)(*number - '0');
    if (*number != ']' || dwarf_tag(type) != DW_TAG_array_type || dwarf_aggregate_size(type, &all) != 0 ||
        !die_type(type, &element) || dwarf_aggregate_size(&element, &bytes) != 0 || bytes == 0 || index >= all / bytes)
        return false;
    *type = element;
    *offset += index * bytes;
    *end = number + 1;
    return true;
}

bool dwarf_member_find(struct dwarf *dwarf, const char *structure, const char *path, struct dwarf_member *member)
{
    Dwarf_Die *found = find_struct(dwarf, structure), at, type;
    Dwarf_Word offset = 0, bytes = 0;

    if (found == NULL)
        return false;
    at = *found;
    for (unsigned depth = 0; *path != '\0' && depth < DEPTH_MAX; depth++) {
        size_t length = strcspn(path, ".[");

        if (!find_member(&at, path, length, 0, &offset, &type))
            return false;
        at = type;
        path += length;
        if (*path == '[' && !enter_element(&at, path + 1, &path, &offset))
            return false;
        path += *path == '.';
    }
    if (*path != '\0' || dwarf_aggregate_size(&at, &bytes) != 0 || offset > UINT16_MAX || bytes > UINT16_MAX)
        return false;
    *member = (struct dwarf_member){(uint32_t)offset, (uint32_t)bytes};
    return true;
}
