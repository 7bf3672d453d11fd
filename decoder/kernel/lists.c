/* SPDX-License-Identifier: MIT */
/* Reads the heads of the kernel's lists, and follows the lists over the objects that were read. */
#include "base/bytes.h"
#include "kernel/inside.h"

/* ---- heads ---- */

void heads_want(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->ops->symbol_count; i++) {
        const struct txtap_kernel_place *place = &kernel->layout.symbols[i];

        if (place->bytes > 0)
            (void)reads_want(&kernel->reads, place->at, place->bytes);
    }
    reads_end_phase(&kernel->reads);
}

static void take_head(struct txtap_kernel *kernel, struct heads *heads, size_t symbol, const uint8_t *bytes)
{
    const struct txtap_kernel_symbol *row = &kernel->ops->symbols[symbol];
    uint32_t size = kernel->layout.symbols[symbol].bytes;
    enum txtap_endian endian = kernel->layout.endian;
    uint32_t word = (uint32_t)bytes_number(bytes, endian, size < 4 ? size : 4);

    switch (row->role) {
    case KERNEL_LIST_HEAD:
        heads->lists[row->type].first = word;
        heads->lists[row->type].known = true;
        break;
    case KERNEL_LIST_COUNT:
        heads->lists[row->type].count = word;
        break;
    case KERNEL_CURRENT:
        for (size_t i = 0; i < size / 4 && heads->current_count < KERNEL_CORES_MAX; i++)
            heads->current[heads->current_count++] = bytes_u32(bytes + 4 * i, endian);
        break;
    case KERNEL_WORD:
        heads->words[row->number] = word;
        heads->words_known |= 1u << row->number;
        break;
    }
}

void heads_take(struct txtap_kernel *kernel, size_t phase, struct heads *heads)
{
    *heads = (struct heads){0};
    for (size_t i = 0; i < kernel->ops->symbol_count; i++) {
        const struct txtap_kernel_place *place = &kernel->layout.symbols[i];
        const uint8_t *bytes = place->bytes > 0 ? reads_at(&kernel->reads, phase, place->at, place->bytes) : NULL;

        if (bytes != NULL)
            take_head(kernel, heads, i, bytes);
    }
    for (size_t i = 0; i < kernel->ops->symbol_count; i++) {
        const struct txtap_kernel_place *place = &kernel->layout.symbols[i];

        if (kernel->ops->symbols[i].role == KERNEL_LIST_COUNT &&
            (place->bytes == 0 || reads_at(&kernel->reads, phase, place->at, place->bytes) == NULL))
            heads->lists[kernel->ops->symbols[i].type].known = false;
    }
}

bool list_has_count(const struct txtap_kernel *kernel)
{
    return kernel->ops->circular;
}

/* ---- following the lists ---- */

static struct node *node_add(struct txtap_kernel *kernel, uint8_t type, uint32_t address)
{
    struct node *node;

    if (kernel->node_count == KERNEL_NODES_MAX)
        return NULL;
    node = &kernel->nodes[kernel->node_count++];
    *node = (struct node){.object = {.address = address, .type = type}, .stage = NODE_NEW};
    return node;
}

static bool can_be_object(const struct txtap_kernel *kernel, uint8_t type, uint32_t address)
{
    const struct txtap_kernel_memory *memory = &kernel->reads.memory;
    const struct span *last = &kernel->spans[type][kernel->span_counts[type] - 1];

    return address != 0 && address % 4 == 0 && address <= UINT32_MAX - (last->offset + last->bytes) &&
           memory->permits(memory->self, address, last->offset + last->bytes);
}

bool list_follow(struct txtap_kernel *kernel, uint8_t type)
{
    const struct list_head *head = &kernel->after.lists[type];
    uint32_t address = head->first, limit = list_has_count(kernel) ? head->count : KERNEL_NODES_MAX;

    if (!head->known)
        return false;
    for (uint32_t i = 0; i < limit && i < KERNEL_NODES_MAX && can_be_object(kernel, type, address); i++) {
        struct node *node = node_find(kernel, type, address);

        if (node == NULL)
            return node_add(kernel, type, address) != NULL;
        if (node->stage == NODE_NEW)
            return true;
        if (node->stage == NODE_BAD || !node->fresh)
            return false;
        address = node->object.values[KERNEL_NEXT];
    }
    return false;
}

bool list_is_closed(struct txtap_kernel *kernel, uint8_t type, uint32_t *length)
{
    const struct list_head *head = &kernel->after.lists[type];
    uint32_t address = head->first, previous = 0, limit = list_has_count(kernel) ? head->count : KERNEL_NODES_MAX;
    const struct node *first = NULL;

    *length = 0;
    if (list_has_count(kernel) && head->count > KERNEL_NODES_MAX)
        return false;
    for (uint32_t i = 0; i < limit && (list_has_count(kernel) || address != 0); i++) {
        const struct node *node = node_find(kernel, type, address);

        if (node == NULL || node->stage != NODE_PROVEN || !node->fresh || (i > 0 && address == head->first))
            return false;
        if (i > 0 && txtap_kernel_knows(&node->object, KERNEL_PREVIOUS) &&
            node->object.values[KERNEL_PREVIOUS] != previous)
            return false;
        first = first == NULL ? node : first;
        previous = address;
        address = node->object.values[KERNEL_NEXT];
        ++*length;
    }
    if (!list_has_count(kernel))
        return address == 0;
    if (first != NULL && txtap_kernel_knows(&first->object, KERNEL_PREVIOUS) &&
        first->object.values[KERNEL_PREVIOUS] != previous)
        return false;
    return head->count == 0 || address == head->first;
}

bool list_is_complete(struct txtap_kernel *kernel, uint8_t type)
{
    const struct list_head *before = &kernel->before.lists[type], *after = &kernel->after.lists[type];
    uint32_t length;

    return before->known && after->known && before->count == after->count && before->first == after->first &&
           list_is_closed(kernel, type, &length);
}
