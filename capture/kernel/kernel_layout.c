/* SPDX-License-Identifier: MIT */
/* Looks up each row of a kernel's tables in the ELF file: variables in its symbols, members in its debug information.
 */
#include "kernel/kernel_layout.h"

#include <string.h>

#include "locate/dwarf.h"

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

    if (row->role != KERNEL_CURRENT || symbol->size < 4)
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
    if (usual.bytes > 0)
        layout->assumed |= 1u << row->type;
}

static bool has_list(const struct kernel_layout *layout)
{
    for (size_t i = 0; i < layout->ops->symbol_count; i++)
        if (layout->ops->symbols[i].role == KERNEL_LIST_HEAD && layout->places.symbols[i].bytes > 0)
            return true;
    return false;
}

enum txtap_status kernel_layout_find(struct kernel_layout *layout, const struct elf_file *elf, struct error *error)
{
    struct dwarf *dwarf;

    *layout = (struct kernel_layout){.ops = kernel_of(elf)};
    if (!elf_has_symbols(elf))
        return failure(error, ERROR_SYMBOL,
                       "%.120s: stripped, so the kernel's lists cannot be found\ngive the ELF file before strip",
                       elf_path(elf));
    if (layout->ops == NULL)
        return failure(error, ERROR_SYMBOL,
                       "%.120s: contains no ThreadX (no symbol %s)\ngive the ELF file of firmware with ThreadX",
                       elf_path(elf), txtap_kernel_threadx.mark_symbol);
    layout->places.endian = elf_endian(elf);
    txtap_kernel_usual_members(layout->ops, &layout->places);
    dwarf = dwarf_open(elf);
    layout->has_debug = dwarf != NULL;
    for (size_t i = 0; i < layout->ops->symbol_count; i++)
        find_symbol(layout, elf, dwarf, i);
    for (size_t i = 0; i < layout->ops->member_count; i++)
        find_member(layout, dwarf, i);
    dwarf_close(dwarf);
    if (!has_list(layout))
        return failure(error, ERROR_SYMBOL, "%.120s: the kernel's lists have no symbols\ncompile with -g",
                       elf_path(elf));
    return TXTAP_OK;
}
