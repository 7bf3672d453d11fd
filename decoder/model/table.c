/* SPDX-License-Identifier: MIT */
/* A hash table with open addressing and linear probing. Nothing is ever removed. */
#include "model/table.h"

void table_layout(struct table *table, struct arena *arena, uint32_t capacity)
{
    table->capacity = capacity;
    table->slot_count = 4;
    while (table->slot_count < capacity + capacity / 2 + 1)
        table->slot_count *= 2;
    table->keys = arena_take(arena, capacity, sizeof(*table->keys));
    table->slots = arena_take(arena, table->slot_count, sizeof(*table->slots));
}

/* Returns the slot that has the key, or the free slot where it belongs. */
static uint32_t slot_of(const struct table *table, uint64_t key)
{
    uint64_t mixed = (key ^ key >> 29) * 0x9E3779B97F4A7C15u;
    uint32_t mask = table->slot_count - 1, at = (uint32_t)(mixed >> 32) & mask;

    while (table->slots[at] != 0 && table->keys[table->slots[at] - 1] != key)
        at = (at + 1) & mask;
    return at;
}

uint32_t table_find(const struct table *table, uint64_t key)
{
    uint32_t number = table->slots[slot_of(table, key)];

    return number > 0 ? number - 1 : TABLE_NONE;
}

uint32_t table_add(struct table *table, uint64_t key, bool *added)
{
    uint32_t *slot = &table->slots[slot_of(table, key)];

    *added = false;
    if (*slot > 0)
        return *slot - 1;
    if (table->count == table->capacity) {
        table->left_out++;
        return TABLE_NONE;
    }
    *added = true;
    table->keys[table->count] = key;
    *slot = ++table->count;
    return *slot - 1;
}
