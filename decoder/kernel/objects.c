/* SPDX-License-Identifier: MIT */
/*
 * Reads the objects of a list. The identity of an object is its identifier, its name, its stack, and everything else
 * that is set only when it is created. The values of an object count only if three reads found the same identity: an
 * earlier read (in the last walk, or when the object was found), the read of the values, and a read after it. Then the
 * object existed for the whole time, so its values are not a mixture of two objects that used the same memory.
 */
#include <string.h>

#include "base/bytes.h"
#include "kernel/inside.h"

#define BIT(number) (UINT64_C(1) << (number))

struct node *node_find(struct txtap_kernel *kernel, uint8_t type, uint32_t address)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (kernel->nodes[i].object.address == address && kernel->nodes[i].object.type == type)
            return &kernel->nodes[i];
    return NULL;
}

/* Returns the name in memory that never changes; NULL: the name is not in such memory. */
static const uint8_t *constant_name(const struct txtap_kernel *kernel, uint32_t address, uint32_t *bytes)
{
    const struct txtap_kernel_memory *memory = &kernel->reads.memory;

    return memory->constant != NULL ? memory->constant(memory->self, address, bytes) : NULL;
}

void object_want_name(struct txtap_kernel *kernel, const struct txtap_kernel_object *object, bool proves)
{
    uint32_t unused, bytes = TXTAP_OBJECT_NAME_BYTES;

    if (!txtap_kernel_knows(object, KERNEL_NAME) || object->values[KERNEL_NAME] == 0 ||
        (!proves && constant_name(kernel, object->values[KERNEL_NAME], &unused) != NULL))
        return;
    while (bytes >= 4 && !reads_want(&kernel->reads, object->values[KERNEL_NAME], bytes))
        bytes /= 2;
}

void object_want(struct txtap_kernel *kernel, const struct txtap_kernel_object *object)
{
    for (size_t i = 0; i < kernel->span_counts[object->type]; i++) {
        const struct span *span = &kernel->spans[object->type][i];

        (void)reads_want(&kernel->reads, object->address + span->offset, span->bytes);
    }
}

void object_want_identity(struct txtap_kernel *kernel, const struct txtap_kernel_object *object)
{
    for (size_t i = 0; i < kernel->identity_counts[object->type]; i++) {
        const struct span *span = &kernel->identities[object->type][i];

        (void)reads_want(&kernel->reads, object->address + span->offset, span->bytes);
    }
}

static void set_name(struct txtap_kernel_object *object, const uint8_t *text, size_t bytes)
{
    size_t length = 0;

    if (bytes >= sizeof object->name)
        bytes = sizeof object->name - 1;
    while (length < bytes && text[length] != '\0')
        length++;
    memset(object->name, 0, sizeof object->name);
    memcpy(object->name, text, length);
}

void object_take_name(struct txtap_kernel *kernel, size_t phase, struct txtap_kernel_object *object, const char *had)
{
    uint32_t address = object->values[KERNEL_NAME], bytes = TXTAP_OBJECT_NAME_BYTES, constant = 0;
    const uint8_t *text = NULL;

    if (!txtap_kernel_knows(object, KERNEL_NAME) || address == 0)
        return;
    for (; bytes >= 4 && text == NULL; bytes = text == NULL ? bytes / 2 : bytes)
        text = reads_at(&kernel->reads, phase, address, bytes);
    if (text != NULL) {
        set_name(object, text, bytes);
        return;
    }
    text = constant_name(kernel, address, &constant);
    if (text != NULL && had[0] != '\0')
        memcpy(object->name, had, sizeof object->name);
    else if (text != NULL)
        set_name(object, text, constant);
}

static uint32_t number_of(const struct txtap_kernel_member *row, const uint8_t *bytes, uint32_t count,
                          enum txtap_endian endian)
{
    uint32_t number = (uint32_t)bytes_number(bytes, endian, count), sign = UINT32_C(1) << (8 * count - 1);

    return row->flags & KERNEL_SIGNED ? (number ^ sign) - sign : number;
}

bool object_take_members(struct txtap_kernel *kernel, size_t phase, uint8_t flags, struct txtap_kernel_object *object)
{
    const struct txtap_kernel_ops *ops = kernel->ops;

    for (size_t i = 0; i < ops->member_count; i++) {
        const struct txtap_kernel_member *row = &ops->members[i];
        const struct txtap_kernel_place *place = &kernel->layout.members[i];
        const uint8_t *bytes;

        if (row->type != object->type || (row->flags & flags) != flags || place->bytes == 0)
            continue;
        bytes = reads_at(&kernel->reads, phase, object->address + place->at, place->bytes);
        if (bytes == NULL && (row->flags & KERNEL_REQUIRED))
            return false;
        if (bytes == NULL)
            continue;
        if (row->flags & KERNEL_TEXT) {
            set_name(object, bytes, place->bytes);
            continue;
        }
        object->values[row->value] = number_of(row, bytes, place->bytes < 4 ? place->bytes : 4, kernel->layout.endian);
        object->known |= BIT(row->value);
    }
    return ops->ids[object->type] == 0 || object->values[KERNEL_ID] == ops->ids[object->type];
}

bool object_is_same(const struct txtap_kernel *kernel, const struct txtap_kernel_object *a,
                    const struct txtap_kernel_object *b)
{
    for (size_t i = 0; i < kernel->ops->member_count; i++) {
        const struct txtap_kernel_member *row = &kernel->ops->members[i];

        if (row->type != a->type || !(row->flags & KERNEL_IDENTITY))
            continue;
        if (row->flags & KERNEL_TEXT
                ? strcmp(a->name, b->name) != 0
                : (a->known ^ b->known) & BIT(row->value) || a->values[row->value] != b->values[row->value])
            return false;
    }
    return true;
}

/* Returns true if a thread was created again, perhaps after a reset: its run count is smaller than before. */
static bool is_restarted(const struct txtap_kernel_object *now, const struct txtap_kernel_object *before)
{
    return txtap_kernel_knows(now, KERNEL_RUNS) && txtap_kernel_knows(before, KERNEL_RUNS) &&
           now->values[KERNEL_RUNS] < before->values[KERNEL_RUNS];
}

void object_take_new(struct txtap_kernel *kernel, struct node *node)
{
    struct txtap_kernel_object object = {.address = node->object.address, .type = node->object.type};

    node->fresh = true;
    node->stage = object_take_members(kernel, 0, 0, &object) ? NODE_UNPROVEN : NODE_BAD;
    node->stack = (struct stack_scan){0};
    node->object = object;
}

/* Takes the name as read after the values. Returns false if there was another text before the values. */
static bool take_proven_name(struct txtap_kernel *kernel, const struct node *node, struct txtap_kernel_object *object)
{
    struct txtap_kernel_object before = {.known = object->known};
    uint32_t unused;

    if (!txtap_kernel_knows(object, KERNEL_NAME))
        return true;
    object_take_name(kernel, PHASE_PROOF, object, node->object.name);
    before.values[KERNEL_NAME] = object->values[KERNEL_NAME];
    if (object->values[KERNEL_NAME] == 0 || constant_name(kernel, object->values[KERNEL_NAME], &unused) != NULL)
        return true;
    if (node->stage == NODE_UNPROVEN)
        object_take_name(kernel, PHASE_HEADS, &before, "");
    return strcmp(object->name, node->stage == NODE_UNPROVEN ? before.name : node->object.name) == 0;
}

void object_take(struct txtap_kernel *kernel, struct node *node)
{
    struct txtap_kernel_object object = {.address = node->object.address, .type = node->object.type}, after = object;
    bool same;

    node->fresh = true;
    if (!object_take_members(kernel, PHASE_OBJECTS, 0, &object)) {
        node->stage = NODE_BAD;
        return;
    }
    same = object_take_members(kernel, PHASE_PROOF, KERNEL_IDENTITY, &after) && node->stage != NODE_BAD &&
           object_is_same(kernel, &object, &node->object) && object_is_same(kernel, &object, &after) &&
           take_proven_name(kernel, node, &object);
    node->stage = same ? NODE_PROVEN : NODE_UNPROVEN;
    if (!same || is_restarted(&object, &node->object)) /* the stack's memory may contain an older use */
        node->stack = (struct stack_scan){0};
    node->object = object;
}
