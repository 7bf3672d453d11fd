/* SPDX-License-Identifier: MIT */
/*
 * Finds the function at an address in the symbol table, and the inlined functions and lines with libdw. The file may be
 * damaged: the depth of each search and the number of all steps are limited.
 */
#include "profile/code_map.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#define FUNCTIONS_MAX 65536u
#define DEPTH_MAX     32u       /* of blocks and inlined functions in a function */
#define STEPS_ONCE    1000000u  /* entries of debug information that one search may visit */
#define STEPS_ALL     50000000u /* the same for all searches */

struct code_map {
    Dwarf *dwarf;                   /* NULL: the file has no debug information */
    struct elf_function *functions; /* sorted by address */
    size_t function_count;
    uint32_t steps, steps_left; /* of the current search, and of all searches */
};

/* ---- symbols ---- */

/* If several functions have the same address, the functions with a size come first, and weak functions last. */
static int compare(const void *left, const void *right)
{
    const struct elf_function *a = left, *b = right;

    if (a->address != b->address)
        return (a->address > b->address) - (a->address < b->address);
    if ((a->size == 0) != (b->size == 0))
        return (a->size == 0) - (b->size == 0);
    return a->weak - b->weak;
}

static bool read_functions(struct code_map *map, const struct elf_file *elf)
{
    struct elf_function function;
    size_t room = 0;

    for (size_t at = 0; map->function_count < FUNCTIONS_MAX && elf_next_function(elf, &at, &function);) {
        if (map->function_count == room) {
            struct elf_function *larger = realloc(map->functions, (2 * room + 64) * sizeof *larger);

            if (larger == NULL)
                return false;
            map->functions = larger;
            room = 2 * room + 64;
        }
        map->functions[map->function_count++] = function;
    }
    if (map->function_count > 0)
        qsort(map->functions, map->function_count, sizeof *map->functions, compare);
    return true;
}

/* Returns the name of the function that contains the address; NULL: no function. A function without a size, which is
 * usual in assembly, ends at the next function. */
static const char *function_at(const struct code_map *map, uint32_t pc)
{
    const struct elf_function *functions = map->functions;
    size_t low = 0, high = map->function_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (functions[middle].address <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 1 && functions[low - 2].address == functions[low - 1].address)
        low--;
    if (low == 0 || (functions[low - 1].size > 0 && pc - functions[low - 1].address >= functions[low - 1].size))
        return NULL;
    return functions[low - 1].name;
}

/* ---- debug information ---- */

struct code_map *code_map_open(const struct elf_file *elf)
{
    struct code_map *map = calloc(1, sizeof *map);

    if (map == NULL)
        return NULL;
    if (!read_functions(map, elf)) {
        code_map_close(map);
        return NULL;
    }
    map->dwarf = dwarf_begin_elf(elf_libelf(elf), DWARF_C_READ, NULL);
    map->steps_left = STEPS_ALL;
    return map;
}

void code_map_close(struct code_map *map)
{
    if (map == NULL)
        return;
    if (map->dwarf != NULL)
        (void)dwarf_end(map->dwarf);
    free(map->functions);
    free(map);
}

bool code_map_has_lines(const struct code_map *map)
{
    return map->dwarf != NULL;
}

static bool may_step(struct code_map *map)
{
    if (map->steps == 0 || map->steps_left == 0)
        return false;
    map->steps--;
    map->steps_left--;
    return true;
}

/* Finds the unit that contains the address. Some compilers write no table of units, so all units are searched, too. */
static bool find_unit(struct code_map *map, uint32_t pc, Dwarf_Die *found)
{
    Dwarf_CU *unit = NULL;

    if (dwarf_addrdie(map->dwarf, pc, found) != NULL)
        return true;
    while (may_step(map) && dwarf_get_units(map->dwarf, unit, &unit, NULL, NULL, found, NULL) == 0)
        if (dwarf_haspc(found, pc) > 0)
            return true;
    return false;
}

/* Returns true for an entry whose children may contain functions, but which has no addresses. */
static bool is_scope(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
}

/* Finds the function among the children of an entry. */
static bool find_function(struct code_map *map, Dwarf_Die *parent, uint32_t pc, unsigned depth, Dwarf_Die *found)
{
    Dwarf_Die child;

    if (depth == DEPTH_MAX || dwarf_child(parent, &child) != 0)
        return false;
    do {
        int tag = dwarf_tag(&child);

        if (tag == DW_TAG_subprogram && dwarf_haspc(&child, pc) > 0) {
            *found = child;
            return true;
        }
        if (is_scope(tag) && find_function(map, &child, pc, depth + 1, found))
            return true;
    } while (may_step(map) && dwarf_siblingof(&child, &child) == 0);
    return false;
}

/* Goes to the block or the inlined function in *at that contains the address. False: there is no such child. */
static bool enter_child(struct code_map *map, uint32_t pc, Dwarf_Die *at)
{
    Dwarf_Die child;

    if (dwarf_child(at, &child) != 0)
        return false;
    do {
        int tag = dwarf_tag(&child);

        if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) && dwarf_haspc(&child, pc) > 0) {
            *at = child;
            return true;
        }
    } while (may_step(map) && dwarf_siblingof(&child, &child) == 0);
    return false;
}

/* Returns the name of a function or an inlined function, whose name may be in another entry. */
static const char *name_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;

    return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
}

static uint32_t number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;

    return dwarf_attr(die, name, &attribute) != NULL && dwarf_formudata(&attribute, &value) == 0 ? (uint32_t)value : 0;
}

/* Sets file and line of a frame to the place where an inlined function is called. */
static void set_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct txtap_profile_frame *frame)
{
    uint32_t file = number_of(inlined, DW_AT_call_file);
    Dwarf_Files *files;
    size_t count;

    frame->line = number_of(inlined, DW_AT_call_line);
    if (dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count)
        frame->file = dwarf_filesrc(files, file, NULL, NULL);
}

/* Sets file and line of a frame to the address. */
static void set_line(Dwarf_Die *unit, uint32_t pc, struct txtap_profile_frame *frame)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, pc);
    int number;

    if (line == NULL || dwarf_lineno(line, &number) != 0 || number <= 0)
        return;
    frame->line = (uint32_t)number;
    frame->file = dwarf_linesrc(line, NULL, NULL);
}

/* Collects frames from the function inwards: frames[0] is the function. Returns their number. If there are too many,
 * leaves out the frames that the function itself inlines, and keeps the innermost frames. */
static size_t collect(struct code_map *map, Dwarf_Die *unit, uint32_t pc, struct txtap_profile_frame *frames)
{
    Dwarf_Die at;
    size_t count = 1;

    if (!find_function(map, unit, pc, 0, &at))
        return 0;
    frames[0] = (struct txtap_profile_frame){.function = name_of(&at)};
    for (unsigned depth = 0; depth < DEPTH_MAX && enter_child(map, pc, &at); depth++) {
        if (dwarf_tag(&at) != DW_TAG_inlined_subroutine)
            continue;
        set_call(unit, &at, &frames[count - 1]);
        if (count == TXTAP_PROFILE_FRAMES_MAX)
            memmove(&frames[1], &frames[2], (--count - 1) * sizeof *frames);
        frames[count++] = (struct txtap_profile_frame){.function = name_of(&at)};
    }
    return count;
}

static void reverse(struct txtap_profile_frame *frames, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct txtap_profile_frame frame = frames[i];

        frames[i] = frames[count - 1 - i];
        frames[count - 1 - i] = frame;
    }
}

size_t code_map_frames(void *self, uint32_t pc, struct txtap_profile_frame frames[static TXTAP_PROFILE_FRAMES_MAX])
{
    struct code_map *map = self;
    const char *function = function_at(map, pc);
    size_t count = 0;
    Dwarf_Die unit;

    map->steps = STEPS_ONCE;
    frames[0] = (struct txtap_profile_frame){.function = NULL};
    if (map->dwarf != NULL && find_unit(map, pc, &unit)) {
        count = collect(map, &unit, pc, frames);
        set_line(&unit, pc, &frames[count > 0 ? count - 1 : 0]);
    }
    if (count == 0 && (function != NULL || frames[0].file != NULL))
        count = 1;
    if (count > 0 && (function != NULL || frames[0].function == NULL))
        frames[0].function = function; /* as the linker and all other tools call it */
    reverse(frames, count);
    return count;
}
