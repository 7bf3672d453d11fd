/* SPDX-License-Identifier: MIT */
/* Finds functions in the symbol table, and lines in DWARF with libdw. */
#include "locate/source_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdw.h>

#define OFFSET_MAX 0x10000u /* a function is not believed to be larger */
#define LINE_BYTES 120u

struct code_places {
    const struct elf_file *elf;
    Dwarf *handle; /* NULL: no debug information */
};

struct code_places *code_places_open(const struct elf_file *elf)
{
    struct code_places *places = calloc(1, sizeof *places);

    if (places == NULL)
        return NULL;
    places->elf = elf;
    places->handle = dwarf_begin_elf(elf_libelf(elf), DWARF_C_READ, NULL);
    return places;
}

void code_places_close(struct code_places *places)
{
    if (places == NULL)
        return;
    if (places->handle != NULL)
        (void)dwarf_end(places->handle);
    free(places);
}

/* Finds the last function that begins at or before the address. */
static bool find_function(const struct elf_file *elf, uint32_t address, struct elf_function *found)
{
    struct elf_function function;
    bool any = false;

    *found = (struct elf_function){.name = ""};
    for (size_t at = 0; elf_next_function(elf, &at, &function);) {
        if (function.address > address || address - function.address >= OFFSET_MAX)
            continue;
        if (any && (function.address < found->address ||
                    (function.address == found->address && (function.weak || !found->weak))))
            continue;
        *found = function;
        any = true;
    }
    return any;
}

/* Finds the unit that contains the address. Not every compiler writes a table of the units' addresses. */
static bool find_unit(Dwarf *handle, uint32_t address, Dwarf_Die *found)
{
    Dwarf_CU *unit = NULL;

    if (dwarf_addrdie(handle, address, found) != NULL)
        return true;
    while (dwarf_get_units(handle, unit, &unit, NULL, NULL, found, NULL) == 0)
        if (dwarf_haspc(found, address) > 0)
            return true;
    return false;
}

static void find_line(Dwarf *handle, uint32_t address, char text[static LINE_BYTES])
{
    const char *path, *name;
    Dwarf_Line *line;
    Dwarf_Die unit;
    int number;

    text[0] = '\0';
    if (handle == NULL || !find_unit(handle, address, &unit))
        return;
    line = dwarf_getsrc_die(&unit, address);
    if (line == NULL || dwarf_lineno(line, &number) != 0)
        return;
    path = dwarf_linesrc(line, NULL, NULL);
    if (path == NULL)
        return;
    name = strrchr(path, '/');
    snprintf(text, LINE_BYTES, " (%.90s:%d)", name != NULL ? name + 1 : path, number);
}

void code_place(const struct code_places *places, uint32_t address, char text[static CODE_PLACE_BYTES])
{
    struct elf_function function;
    char line[LINE_BYTES], offset[16] = "";

    text[0] = '\0';
    address &= ~UINT32_C(1);
    if (!find_function(places->elf, address, &function))
        return;
    find_line(places->handle, address, line);
    if (address > function.address)
        snprintf(offset, sizeof offset, "+0x%" PRIx32, address - function.address);
    snprintf(text, CODE_PLACE_BYTES, "%.100s%s%s", function.name, offset, line);
}
