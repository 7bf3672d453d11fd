/* SPDX-License-Identifier: MIT */
/*
 * Walks over the lists of a kernel while the kernel changes them.
 *
 * An attempt reads the heads of the lists, all known objects, the heads again, and then the identity of each object
 * again, in one exchange. objects.c says which values count.
 *
 * A list is complete if its head and its count were the same before and after the objects were read, if the values of
 * all its objects count, and if the objects form a closed list of this length in both directions: at the moment when
 * the heads were read again, all these objects existed, and there were no others. Otherwise the walk reads the objects
 * that it does not know yet, and begins another attempt for the list, a few times.
 */
#include <string.h>

#include "kernel/inside.h"

static bool is_pending(const struct txtap_kernel *kernel, const struct node *node)
{
    return (kernel->pending >> node->object.type & 1u) != 0;
}

/* ---- plan ---- */

static void want_main(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (is_pending(kernel, &kernel->nodes[i]) && kernel->nodes[i].stage == NODE_UNPROVEN)
            object_want_name(kernel, &kernel->nodes[i].object, false);
    heads_want(kernel);
    for (size_t i = 0; i < kernel->node_count; i++)
        if (is_pending(kernel, &kernel->nodes[i]))
            object_want(kernel, &kernel->nodes[i].object);
    reads_end_phase(&kernel->reads);
    heads_want(kernel);
    for (size_t i = 0; i < kernel->node_count; i++) {
        if (!is_pending(kernel, &kernel->nodes[i]))
            continue;
        object_want_identity(kernel, &kernel->nodes[i].object);
        object_want_name(kernel, &kernel->nodes[i].object, kernel->nodes[i].stage == NODE_UNPROVEN);
    }
    reads_end_phase(&kernel->reads);
}

static void want_new(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (kernel->nodes[i].stage == NODE_NEW)
            object_want(kernel, &kernel->nodes[i].object);
    reads_end_phase(&kernel->reads);
}

/* Wants the identities of the threads whose stacks this walk has read. */
static void want_confirmation(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++) {
        if (!kernel->nodes[i].stack.touched)
            continue;
        object_want_identity(kernel, &kernel->nodes[i].object);
        object_want_name(kernel, &kernel->nodes[i].object, false);
    }
    reads_end_phase(&kernel->reads);
}

/* Begins an attempt for the lists that are not complete. */
static void begin_attempt(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (is_pending(kernel, &kernel->nodes[i]))
            kernel->nodes[i].fresh = false;
    kernel->step = STEP_MAIN;
}

void txtap_kernel_begin(struct txtap_kernel *kernel, unsigned classes, uint32_t stack_bytes)
{
    kernel->classes = 0;
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++)
        if ((classes >> type & 1u) && kernel->span_counts[type] > 0)
            kernel->classes |= 1u << type;
    kernel->pending = kernel->classes;
    kernel->attempt = 0;
    kernel->stack_bytes = stack_bytes;
    begin_attempt(kernel);
}

static void finish(struct txtap_kernel *kernel);

size_t txtap_kernel_plan(struct txtap_kernel *kernel, const struct txtap_read **reads)
{
    reads_clear(&kernel->reads);
    switch (kernel->step) {
    case STEP_MAIN:
        want_main(kernel);
        break;
    case STEP_CHASE:
        want_new(kernel);
        break;
    case STEP_STACKS:
        if (stacks_want(kernel)) {
            reads_end_phase(&kernel->reads);
            break;
        }
        kernel->step = STEP_CONFIRM;
        /* fall through */
    case STEP_CONFIRM:
        want_confirmation(kernel);
        if (kernel->reads.count == 0)
            finish(kernel);
        break;
    case STEP_DONE:
        break;
    }
    *reads = kernel->reads.list;
    return kernel->reads.count;
}

/* ---- result ---- */

/* Appends the object to the result. */
static void emit(struct txtap_kernel *kernel, const struct node *node)
{
    kernel->objects[kernel->object_count++] = node->object;
    kernel->lists[node->object.type].found++;
}

static bool is_emitted(const struct txtap_kernel *kernel, size_t from, uint32_t address)
{
    for (size_t i = from; i < kernel->object_count; i++)
        if (kernel->objects[i].address == address)
            return true;
    return false;
}

/* Appends the objects of a class: first in the order of the list; then, if the list is not complete, the others that
 * were read. */
static void emit_class(struct txtap_kernel *kernel, uint8_t type)
{
    uint32_t address = kernel->firsts[type];
    size_t from = kernel->object_count;
    struct node *node;

    while ((node = node_find(kernel, type, address)) != NULL && node->stage == NODE_PROVEN && node->fresh &&
           !is_emitted(kernel, from, address)) {
        emit(kernel, node);
        address = node->object.values[KERNEL_NEXT];
    }
    for (size_t i = 0; i < kernel->node_count && !kernel->lists[type].complete; i++) {
        node = &kernel->nodes[i];
        if (node->object.type == type && node->stage == NODE_PROVEN && node->fresh &&
            !is_emitted(kernel, from, node->object.address))
            emit(kernel, node);
    }
}

static void conclude_object(struct txtap_kernel *kernel, struct txtap_kernel_object *object)
{
    const struct node *node = node_find(kernel, object->type, object->address);

    for (size_t i = 0; i < kernel->after.current_count; i++)
        if (object->type == TXTAP_OBJECT_THREAD && kernel->after.current[i] == object->address)
            object->running = true;
    if (object->type == TXTAP_OBJECT_THREAD && node != NULL)
        stack_conclude(kernel, node, object);
    if (kernel->ops->conclude != NULL)
        kernel->ops->conclude(kernel, object);
}

/* Makes the result of the walk. The objects of classes that are not part of this walk stay. */
static void finish(struct txtap_kernel *kernel)
{
    kernel->object_count = 0;
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        kernel->lists[type].found = 0;
        emit_class(kernel, type);
    }
    for (size_t i = 0; i < kernel->object_count; i++)
        conclude_object(kernel, &kernel->objects[i]);
    kernel->step = STEP_DONE;
}

/* Forgets the objects of the class that are no longer on its list. */
static void drop_absent(struct txtap_kernel *kernel, uint8_t type)
{
    size_t kept = 0;

    for (size_t i = 0; i < kernel->node_count; i++) {
        const struct node *node = &kernel->nodes[i];

        if (node->object.type != type || (node->fresh && node->stage != NODE_BAD && node->stage != NODE_NEW))
            kernel->nodes[kept++] = *node;
    }
    kernel->node_count = kept;
}

/* Forgets the objects that a complete list does not contain. */
static void drop_unlisted(struct txtap_kernel *kernel, uint8_t type)
{
    uint32_t address = kernel->after.lists[type].first, length;
    bool listed[KERNEL_NODES_MAX] = {false};
    size_t kept = 0;

    (void)list_is_closed(kernel, type, &length);
    for (uint32_t i = 0; i < length; i++) {
        struct node *node = node_find(kernel, type, address);

        listed[node - kernel->nodes] = true;
        address = node->object.values[KERNEL_NEXT];
    }
    for (size_t i = 0; i < kernel->node_count; i++)
        if (kernel->nodes[i].object.type != type || listed[i])
            kernel->nodes[kept++] = kernel->nodes[i];
    kernel->node_count = kept;
}

/* Judges the lists of an attempt. */
static void judge(struct txtap_kernel *kernel)
{
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        struct txtap_kernel_list *list = &kernel->lists[type];

        if (!(kernel->pending >> type & 1u))
            continue;
        list->present = kernel->after.lists[type].known;
        list->counted = list_has_count(kernel);
        list->created = kernel->after.lists[type].count;
        kernel->firsts[type] = kernel->after.lists[type].first;
        list->complete = list_is_complete(kernel, type);
        list->too_long = list_has_count(kernel) && list->created > KERNEL_NODES_MAX;
        if (list->complete) {
            kernel->pending &= ~(1u << type);
            drop_unlisted(kernel, type);
        } else {
            drop_absent(kernel, type);
        }
    }
}

static void begin_stacks(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (kernel->nodes[i].object.type == TXTAP_OBJECT_THREAD)
            stack_follow(kernel, &kernel->nodes[i]);
    kernel->step = STEP_STACKS;
    stacks_begin(kernel);
}

/* ---- commit ---- */

/* Returns true if objects must be read that were not known. */
static bool follow_lists(struct txtap_kernel *kernel)
{
    bool more = false;

    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++)
        if (kernel->pending >> type & 1u)
            more = list_follow(kernel, type) || more;
    return more;
}

static void commit_main(struct txtap_kernel *kernel)
{
    heads_take(kernel, PHASE_HEADS, &kernel->before);
    for (size_t i = 0; i < kernel->node_count; i++)
        if (is_pending(kernel, &kernel->nodes[i]))
            object_take(kernel, &kernel->nodes[i]);
    heads_take(kernel, PHASE_HEADS_AGAIN, &kernel->after);
    judge(kernel);
    kernel->attempt++;
    if (kernel->pending == 0 || kernel->attempt == KERNEL_ATTEMPTS)
        begin_stacks(kernel);
    else if (follow_lists(kernel))
        kernel->step = STEP_CHASE;
    else
        begin_attempt(kernel);
}

static void commit_new(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        if (kernel->nodes[i].stage == NODE_NEW)
            object_take_new(kernel, &kernel->nodes[i]);
    if (!follow_lists(kernel))
        begin_attempt(kernel);
}

/* Forgets the use of stacks whose threads may have been deleted while the stacks were read. */
static void commit_confirmation(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++) {
        struct node *node = &kernel->nodes[i];
        struct txtap_kernel_object after = {.address = node->object.address, .type = node->object.type};

        if (!node->stack.touched)
            continue;
        node->stack.touched = false;
        if (object_take_members(kernel, 0, KERNEL_IDENTITY, &after) && object_is_same(kernel, &after, &node->object)) {
            object_take_name(kernel, 0, &after, node->object.name);
            if (strcmp(after.name, node->object.name) == 0)
                continue;
        }
        node->stack = (struct stack_scan){0};
    }
    finish(kernel);
}

void txtap_kernel_commit(struct txtap_kernel *kernel, const bool *failed)
{
    reads_take(&kernel->reads, failed);
    switch (kernel->step) {
    case STEP_MAIN:
        commit_main(kernel);
        break;
    case STEP_CHASE:
        commit_new(kernel);
        break;
    case STEP_STACKS:
        stacks_take(kernel);
        break;
    case STEP_CONFIRM:
        commit_confirmation(kernel);
        break;
    case STEP_DONE:
        break;
    }
}

/* ---- questions ---- */

const struct txtap_kernel_object *txtap_kernel_objects(const struct txtap_kernel *kernel, size_t *count)
{
    *count = kernel->object_count;
    return kernel->objects;
}

const struct txtap_kernel_object *txtap_kernel_find(const struct txtap_kernel *kernel, uint32_t address)
{
    for (size_t i = 0; i < kernel->object_count; i++)
        if (kernel->objects[i].address == address)
            return &kernel->objects[i];
    return NULL;
}

struct txtap_kernel_list txtap_kernel_list(const struct txtap_kernel *kernel, uint8_t type)
{
    return kernel->lists[type];
}

bool txtap_kernel_word(const struct txtap_kernel *kernel, uint8_t number, uint32_t *word)
{
    *word = kernel->after.words[number];
    return (kernel->after.words_known >> number & 1u) != 0;
}

bool txtap_kernel_fills_stacks(const struct txtap_kernel *kernel)
{
    return kernel->fills_stacks;
}
