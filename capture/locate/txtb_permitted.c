/* SPDX-License-Identifier: MIT */
/* Does not read anything. */
#include "locate/txtb_permitted.h"

/* Armv7-M and Armv8-M Architecture Reference Manuals, "The system address map": [start, end). */
static const struct {
    uint64_t start, end;
} registers[] = {{0x40000000, 0x60000000}, {0xE0000000, UINT64_C(1) << 32}};

uint64_t locate_registers_from(uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (start < registers[i].end && end > registers[i].start)
            return start > registers[i].start ? start : registers[i].start;
    return end;
}

static bool is_register(uint64_t address)
{
    return locate_registers_from(address, address + 1) == address;
}

static bool is_inside(const struct memory_region *regions, size_t count, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < count; i++)
        if (start >= regions[i].start && end <= (uint64_t)regions[i].start + regions[i].size)
            return true;
    return false;
}

bool locate_permits(const struct locate_request *request, uint32_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    const struct memory_region *ram;
    size_t count = 0;

    if (locate_registers_from(address, end) == end || is_inside(request->ram, request->ram_count, address, end))
        return true;
    ram = request->elf != NULL ? elf_ram(request->elf, &count) : NULL;
    return is_inside(ram, count, address, end) || (request->has_address && is_register(request->address));
}
