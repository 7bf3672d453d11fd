/* SPDX-License-Identifier: MIT */
/* A hash table of numbers with open addressing, at most half full. */
#include "view/wasm/heads.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 1024u
#define SLOTS_MAX   (1u << 20) /* then a search begins with none: only a target that lies has so many */

void heads_init(struct heads *heads, struct pool *pool)
{
    *heads = (struct heads){.from = 0};
    deque_init(&heads->list, pool, sizeof(struct head));
}

void heads_free(struct heads *heads)
{
    deque_free(&heads->list);
    free(heads->slots);
    heads->slots = NULL;
    heads->slot_count = heads->from = 0;
}

static uint32_t hash_of(const struct head *head)
{
    uint32_t words[3];

    memcpy(words, head->bytes, sizeof words);
    return (((words[0] * 0x9E3779B1u) ^ words[1]) * 0x85EBCA77u ^ words[2]) * 0xC2B2AE3Du;
}

/* The head's slot, or the free one where it belongs. */
static uint32_t *slot_of(const struct heads *heads, const struct head *head)
{
    uint32_t mask = heads->slot_count - 1, at = hash_of(head) >> 8;

    for (;; at++) {
        uint32_t *slot = &heads->slots[at & mask];

        if (*slot == 0 || memcmp(heads_at(heads, *slot - 1), head, sizeof *head) == 0)
            return slot;
    }
}

static bool enlarge(struct heads *heads)
{
    uint32_t count = heads->slot_count == 0 ? SLOTS_FIRST : heads->slot_count * 2;
    uint32_t *slots;

    if (count > SLOTS_MAX) {
        memset(heads->slots, 0, heads->slot_count * sizeof *slots);
        heads->from = heads->list.end;
        return true;
    }
    slots = calloc(count, sizeof *slots);
    if (slots == NULL)
        return false;
    free(heads->slots);
    heads->slots = slots;
    heads->slot_count = count;
    for (uint32_t i = heads->from; i < heads->list.end; i++)
        *slot_of(heads, heads_at(heads, i)) = i + 1;
    return true;
}

uint32_t heads_number(struct heads *heads, const struct head *head)
{
    uint32_t *slot;
    struct head *added;

    if ((heads->list.end - heads->from) * 2 >= heads->slot_count && !enlarge(heads))
        return UINT32_MAX;
    slot = slot_of(heads, head);
    if (*slot != 0)
        return *slot - 1;
    added = deque_push(&heads->list);
    if (added == NULL)
        return UINT32_MAX;
    *added = *head;
    *slot = heads->list.end;
    return heads->list.end - 1;
}

void heads_drop(struct heads *heads, uint32_t number)
{
    deque_drop(&heads->list, number < heads->from ? number : heads->from);
}
