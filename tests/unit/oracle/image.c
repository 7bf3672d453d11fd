/* SPDX-License-Identifier: MIT */
#include "oracle/image.h"

#include <stdio.h>
#include <string.h>

#include "txtap/registry.h"
#include "txtap/txtb.h"

#define BASE       0x20020000u
#define NAME_BYTES 32u

static void put(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint8_t *put_object(uint8_t *at, uint32_t address, uint8_t type, const uint32_t parameters[2], const char *name)
{
    memset(at, 0, TXTB_OBJECT_FIXED_BYTES + NAME_BYTES);
    at[TXTB_OBJECT_TYPE] = type;
    put(at + TXTB_OBJECT_POINTER, address);
    put(at + TXTB_OBJECT_PARAMETER1, parameters[0]);
    put(at + TXTB_OBJECT_PARAMETER2, parameters[1]);
    (void)snprintf((char *)at + TXTB_OBJECT_NAME, NAME_BYTES, "%s", name);
    return at + TXTB_OBJECT_FIXED_BYTES + NAME_BYTES;
}

/* Returns the parameter that the create service puts into the registry, if the report uses this parameter; see
 * tx_queue_create.c and tx_mutex_create.c. */
static uint32_t parameter_of(const struct kernel_object *object)
{
    if (object->type == TXTAP_OBJECT_QUEUE)
        return 4 * object->capacity;
    return object->type == TXTAP_OBJECT_MUTEX && object->inherit;
}

static uint8_t *put_registry(const struct kernel *kernel, uint8_t *at)
{
    char name[NAME_BYTES];

    for (unsigned i = 0; i < kernel->thread_count; i++) {
        const struct kernel_thread *thread = &kernel->threads[i];
        uint8_t *entry = at;

        (void)snprintf(name, sizeof(name), "thread %u", i);
        at = put_object(at, thread->address, TXTAP_OBJECT_THREAD,
                        (const uint32_t[]){thread->stack, thread->stack_bytes}, name);
        entry[TXTB_OBJECT_RESERVED1] = 0x80;
        entry[TXTB_OBJECT_RESERVED2] = thread->created_priority;
        entry[TXTB_OBJECT_AVAILABLE] = !thread->exists;
    }
    for (unsigned i = 0; i < kernel->object_count; i++) {
        const struct kernel_object *object = &kernel->objects[i];
        const uint32_t parameters[] = {parameter_of(object), 0};
        uint8_t *entry = at;

        (void)snprintf(name, sizeof(name), "object %u", i);
        at = put_object(at, object->address, object->type, parameters, name);
        entry[TXTB_OBJECT_AVAILABLE] = !object->exists;
    }
    return at;
}

static uint8_t *put_ring(const struct kernel *kernel, uint8_t *at)
{
    for (unsigned i = 0; i < kernel->count; i++, at += TXTB_ENTRY_BYTES) {
        const struct kernel_entry *entry = &kernel->events[i];

        put(at + TXTB_ENTRY_THREAD, entry->thread);
        put(at + TXTB_ENTRY_PRIORITY, entry->priority);
        put(at + TXTB_ENTRY_ID, (uint32_t)entry->core << 24 | entry->id);
        put(at + TXTB_ENTRY_STAMP, (uint32_t)entry->ticks);
        for (unsigned word = 0; word < 4; word++)
            put(at + TXTB_ENTRY_INFO + 4 * word, entry->info[word]);
    }
    return at;
}

size_t image_of(const struct kernel *kernel, uint8_t *bytes)
{
    uint8_t *ring = put_registry(kernel, bytes + TXTB_HEADER_BYTES), *end = put_ring(kernel, ring);

    memset(bytes, 0, TXTB_HEADER_BYTES);
    put(bytes + TXTB_HEADER_ID, TXTB_ID);
    put(bytes + TXTB_HEADER_TIMER_MASK, UINT32_MAX);
    put(bytes + TXTB_HEADER_BASE, BASE);
    put(bytes + TXTB_HEADER_REGISTRY_START, BASE + TXTB_HEADER_BYTES);
    bytes[TXTB_HEADER_NAME_BYTES] = NAME_BYTES;
    put(bytes + TXTB_HEADER_REGISTRY_END, BASE + (uint32_t)(ring - bytes));
    put(bytes + TXTB_HEADER_RING_START, BASE + (uint32_t)(ring - bytes));
    put(bytes + TXTB_HEADER_RING_END, BASE + (uint32_t)(end - bytes));
    put(bytes + TXTB_HEADER_CURRENT, BASE + (uint32_t)(ring - bytes)); /* the next event goes to slot 0 */
    put(bytes + TXTB_HEADER_RESERVED2, TXTB_RESERVED2);
    put(bytes + TXTB_HEADER_RESERVED3, TXTB_RESERVED3);
    put(bytes + TXTB_HEADER_RESERVED4, TXTB_RESERVED4);
    return (size_t)(end - bytes);
}
