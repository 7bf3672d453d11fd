/* SPDX-License-Identifier: MIT */
#include "stream/kernel_registry.h"

#include <string.h>

static struct {
    uint32_t slots, free_slots, search_start;
} kernel;

void kernel_registry_init(uint32_t slots)
{
    kernel.slots = kernel.free_slots = slots;
    kernel.search_start = 0;
}

static void store(uint32_t offset, const void *value, size_t length)
{
    memcpy(ram + offset, value, length);
    txtap_trace_port_stored(ram + offset);
}

static void store8(uint32_t offset, uint8_t value)
{
    store(offset, &value, 1);
}

static void store32(uint32_t offset, uint32_t value)
{
    store(offset, &value, 4);
}

static uint32_t pointer_in(uint32_t slot)
{
    return load32(object_at(slot) + TXTB_OBJECT_POINTER);
}

/* Searches once around from the search start: a slot that has the address or was never used, else the last free one. */
static uint32_t find_slot(uint32_t pointer)
{
    uint32_t found = kernel.slots;

    for (uint32_t i = 0; i < kernel.slots; i++) {
        uint32_t slot = (kernel.search_start + i) % kernel.slots;

        if (pointer_in(slot) == 0 || pointer_in(slot) == pointer)
            return slot;
        if (ram[object_at(slot) + TXTB_OBJECT_AVAILABLE] == 1)
            found = slot;
    }
    return found;
}

static void store_name(uint32_t offset, const char *name)
{
    uint32_t i = 0;

    for (; name != NULL && i < OBJECT_BYTES - TXTB_OBJECT_FIXED_BYTES - 1; i++) {
        store8(offset + i, (uint8_t)name[i]);
        if (name[i] == '\0')
            break;
    }
    store8(offset + i, 0);
}

void kernel_register(uint8_t type, uint32_t pointer, const char *name, uint32_t parameter1, uint32_t parameter2)
{
    uint32_t slot = kernel.free_slots != 0 ? find_slot(pointer) : kernel.slots, at = object_at(slot);

    if (slot == kernel.slots)
        return;
    kernel.free_slots--;
    kernel.search_start = (slot + 1) % kernel.slots;
    store8(at + TXTB_OBJECT_AVAILABLE, 0);
    store8(at + TXTB_OBJECT_TYPE, type);
    store32(at + TXTB_OBJECT_POINTER, pointer);
    store32(at + TXTB_OBJECT_PARAMETER1, parameter1);
    store32(at + TXTB_OBJECT_PARAMETER2, parameter2);
    store_name(at + TXTB_OBJECT_NAME, name);
    store8(at + TXTB_OBJECT_RESERVED1, type == 1 ? 0x80 : 0);
    store8(at + TXTB_OBJECT_RESERVED2, type == 1 ? 5 : 0);
}

void kernel_unregister(uint32_t pointer)
{
    for (uint32_t slot = 0; slot < kernel.slots; slot++) {
        if (pointer_in(slot) != pointer)
            continue;
        store8(object_at(slot) + TXTB_OBJECT_AVAILABLE, 1);
        kernel.free_slots++;
        kernel.search_start = slot;
        return;
    }
}
