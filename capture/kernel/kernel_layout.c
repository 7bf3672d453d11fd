/* SPDX-License-Identifier: MIT */
/* Looks up each row of a kernel's tables in the ELF file: variables in its symbols, members in its debug information.
 */
#include "kernel/kernel_layout.h"

#include <stdio.h>
#include <string.h>

#include "locate/dwarf.h"

#define NAMES_BYTES 160 /* of all kernels, with their symbols */

static const struct txtap_kernel_ops *kernel_of(const struct elf_file *elf)
{
    struct elf_symbol symbol;

    for (size_t i = 0; txtap_kernels[i] != NULL; i++)
        if (elf_symbol_find(elf, txtap_kernels[i]->mark_symbol, &symbol) == TXTAP_OK)
            return txtap_kernels[i];
    return NULL;
}

static uint32_t symbol_bytes(const struct txtap_kernel_symbol *row, const struct elf_symbol *symbol)
{
    uint32_t most = 4 * KERNEL_CORES_MAX;

    if (row->role != KERNEL_CURRENT || row->member != NULL || symbol->size < 4)
        return 4;
    return symbol->size < most ? symbol->size & ~UINT32_C(3) : most;
}

static void find_symbol(struct kernel_layout *layout, const struct elf_file *elf, struct dwarf *dwarf, size_t i)
{
    const struct txtap_kernel_symbol *row = &layout->ops->symbols[i];
    struct txtap_kernel_place *place = &layout->places.symbols[i];
    struct dwarf_member member = {0, 0};
    struct elf_symbol symbol;

    if (elf_symbol_find(elf, row->name, &symbol) != TXTAP_OK)
        return;
    if (row->member != NULL && (dwarf == NULL || !dwarf_member_find(dwarf, row->structure, row->member, &member)))
        return;
    if ((symbol.address + member.offset) % 4 == 0)
        *place = (struct txtap_kernel_place){symbol.address + member.offset, symbol_bytes(row, &symbol)};
}

/* Returns true if the firmware has the list of this class; 0: of any class. */
static bool has_list(const struct kernel_layout *layout, uint8_t type)
{
    for (size_t i = 0; i < layout->ops->symbol_count; i++) {
        const struct txtap_kernel_symbol *row = &layout->ops->symbols[i];

        if (row->role == KERNEL_LIST_HEAD && (type == 0 || row->type == type) && layout->places.symbols[i].bytes > 0)
            return true;
    }
    return false;
}

/* Finds a member in the debug information. If its struct is not described there, uses the usual offset. */
static void find_member(struct kernel_layout *layout, struct dwarf *dwarf, size_t i)
{
    const struct txtap_kernel_member *row = &layout->ops->members[i];
    struct txtap_kernel_place *place = &layout->places.members[i], usual = *place;
    struct dwarf_member member;

    *place = (struct txtap_kernel_place){0, 0};
    if (dwarf != NULL && dwarf_has_struct(dwarf, row->structure)) {
        if (dwarf_member_find(dwarf, row->structure, row->member, &member) && member.bytes > 0)
            *place = (struct txtap_kernel_place){member.offset, member.bytes};
        return;
    }
    *place = usual;
    if (usual.bytes > 0 && has_list(layout, row->type))
        layout->assumed |= 1u << row->type;
}

/* Returns true if the debug information describes the structs of all variables. */
static bool has_all_structs(const struct txtap_kernel_ops *ops, struct dwarf *dwarf)
{
    for (size_t i = 0; i < ops->symbol_count; i++)
        if (ops->symbols[i].structure != NULL && (dwarf == NULL || !dwarf_has_struct(dwarf, ops->symbols[i].structure)))
            return false;
    return true;
}

/* Tells that the file has no kernel of the table. */
static enum txtap_status no_kernel(const struct elf_file *elf, struct error *error)
{
    char names[NAMES_BYTES] = "";

    for (size_t i = 0; txtap_kernels[i] != NULL; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s (no symbol %s)",
                 i == 0                         ? ""
                 : txtap_kernels[i + 1] != NULL ? ", "
                                                : " or ",
                 txtap_kernels[i]->name, txtap_kernels[i]->mark_symbol);
    return failure(error, ERROR_SYMBOL, "%.120s: contains no %s\ngive the ELF file of firmware with such a kernel",
                   elf_path(elf), names);
}

/* Tells why the kernel's lists have no place: the firmware was compiled without them, or nothing describes them. */
static enum txtap_status no_list(const struct kernel_layout *layout, const struct elf_file *elf, bool described,
                                 struct error *error)
{
    const struct txtap_kernel_ops *ops = layout->ops;

    if (described && ops->lists_option != NULL)
        return failure(error, ERROR_SYMBOL, "%.120s: its %s has no lists of objects\ncompile the firmware with %s",
                       elf_path(elf), ops->name, ops->lists_option);
    return failure(error, ERROR_SYMBOL, "%.120s: nothing describes the lists of %s\ncompile the firmware with -g",
                   elf_path(elf), ops->name);
}

enum txtap_status kernel_layout_find(struct kernel_layout *layout, const struct elf_file *elf, struct error *error)
{
    struct dwarf *dwarf;
    bool described;

    *layout = (struct kernel_layout){.ops = kernel_of(elf)};
    if (!elf_has_symbols(elf))
        return failure(error, ERROR_SYMBOL,
                       "%.120s: stripped, so the kernel's lists cannot be found\ngive the ELF file before strip",
                       elf_path(elf));
    if (layout->ops == NULL)
        return no_kernel(elf, error);
    layout->places.endian = elf_endian(elf);
    txtap_kernel_usual_members(layout->ops, &layout->places);
    dwarf = dwarf_open(elf);
    layout->has_debug = dwarf != NULL;
    for (size_t i = 0; i < layout->ops->symbol_count; i++)
        find_symbol(layout, elf, dwarf, i);
    for (size_t i = 0; i < layout->ops->member_count; i++)
        find_member(layout, dwarf, i);
    described = has_all_structs(layout->ops, dwarf);
    dwarf_close(dwarf);
    return has_list(layout, 0) ? TXTAP_OK : no_list(layout, elf, described, error);
}
