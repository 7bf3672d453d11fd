/* SPDX-License-Identifier: MIT */
/*
 * Finds how much of a stack was used at most. ThreadX and Zephyr fill a stack with a constant before the thread starts.
 *
 * A scan reads a stack from its lowest address up to the first word that is not the fill word: nothing below this word
 * was ever written. A binary search would be wrong, because a function that reserves memory without writing to it
 * leaves fill words above the deepest use.
 *
 * The deepest use only moves down, until the kernel fills the stack again for another thread. So the first scan gives a
 * lower limit until it has ended, and later scans only read the words below the known deepest use. A walk first reads
 * this deepest used word, which tells whether the stack was filled again, and the words just below it, where a deeper
 * use shows most often. Then it continues the scan.
 */
#include "base/bytes.h"
#include "kernel/inside.h"

#define SCAN_BYTES      1024u        /* of one stack in one exchange */
#define EXCHANGE_BYTES  (16u * 1024) /* of all stacks in one exchange */
#define WINDOW_BYTES    64u          /* the deepest used word, and the words just below it */
#define STACK_BYTES_MAX (16u << 20)  /* a larger stack is not believed */

static bool is_thread(const struct node *node)
{
    return node->object.type == TXTAP_OBJECT_THREAD && node->stage == NODE_PROVEN && node->fresh;
}

void stack_follow(struct txtap_kernel *kernel, struct node *node)
{
    const struct txtap_kernel_object *object = &node->object;
    uint32_t start = object->values[KERNEL_STACK_START], size = object->values[KERNEL_STACK_SIZE], end;

    if (!txtap_kernel_knows(object, KERNEL_STACK_START) || !txtap_kernel_knows(object, KERNEL_STACK_SIZE) ||
        size > STACK_BYTES_MAX || start > UINT32_MAX - size - 4) {
        node->stack = (struct stack_scan){.unreadable = true};
        return;
    }
    end = (start + size) & ~UINT32_C(3);
    start = (start + 3) & ~UINT32_C(3);
    if (start >= end || !kernel->reads.memory.permits(kernel->reads.memory.self, start, end - start))
        node->stack = (struct stack_scan){.unreadable = true};
    else if (node->stack.start - node->stack.guard != start || node->stack.end != end)
        node->stack = (struct stack_scan){.start = start, .end = end, .low = end, .at = start};
}

void stacks_begin(struct txtap_kernel *kernel)
{
    for (size_t i = 0; i < kernel->node_count; i++)
        kernel->nodes[i].stack.finished = !is_thread(&kernel->nodes[i]) || kernel->nodes[i].stack.unreadable;
}

/* Returns the number of bytes that the next exchange reads of a stack. */
static uint32_t scan_bytes(const struct stack_scan *stack)
{
    uint32_t left = stack->low > stack->at ? stack->low - stack->at : 0;

    return left < SCAN_BYTES ? left : SCAN_BYTES;
}

static uint32_t window_end(const struct stack_scan *stack)
{
    return stack->low < stack->end ? stack->low + 4 : stack->low;
}

static uint32_t window_start(const struct stack_scan *stack)
{
    uint32_t end = window_end(stack);

    return end - stack->start > WINDOW_BYTES ? end - WINDOW_BYTES : stack->start;
}

static bool want(struct txtap_kernel *kernel, uint32_t *exchange, uint32_t address, uint32_t bytes)
{
    if (bytes == 0 || bytes > kernel->stack_bytes || bytes > *exchange || !reads_want(&kernel->reads, address, bytes))
        return false;
    kernel->stack_bytes -= bytes;
    *exchange -= bytes;
    return true;
}

bool stacks_want(struct txtap_kernel *kernel)
{
    uint32_t exchange = EXCHANGE_BYTES;
    bool any = false, wanted;

    for (size_t i = 0; i < kernel->node_count; i++) {
        struct node *node = &kernel->nodes[(kernel->stack_turn + i) % kernel->node_count];
        struct stack_scan *stack = &node->stack;

        if (stack->finished)
            continue;
        wanted = stack->passed && stack->at == stack->start &&
                 want(kernel, &exchange, window_start(stack), window_end(stack) - window_start(stack));
        wanted = want(kernel, &exchange, stack->at, scan_bytes(stack)) || wanted;
        stack->touched = stack->touched || wanted;
        any = any || wanted;
    }
    if (kernel->node_count > 0)
        kernel->stack_turn = (kernel->stack_turn + 1) % kernel->node_count;
    return any;
}

/* Returns the address of the first word in [start, end) that is not the fill word; `end` if there is no such word. */
static uint32_t first_used(const struct txtap_kernel *kernel, const struct node *node, const uint8_t *bytes,
                           uint32_t start, uint32_t end)
{
    uint32_t fill = txtap_kernel_knows(&node->object, KERNEL_STACK_FILL) ? node->object.values[KERNEL_STACK_FILL]
                                                                         : kernel->ops->fill;

    for (uint32_t at = start; at < end; at += 4, bytes += 4)
        if (bytes_u32(bytes, kernel->layout.endian) != fill)
            return at;
    return end;
}

static void take_window(struct txtap_kernel *kernel, struct node *node)
{
    struct stack_scan *stack = &node->stack;
    uint32_t start = window_start(stack), end = window_end(stack), low = stack->low;
    const uint8_t *bytes = end > start ? reads_at(&kernel->reads, 0, start, end - start) : NULL;

    if (bytes == NULL)
        return;
    stack->low = first_used(kernel, node, bytes, start, end);
    if (stack->low < end || low == stack->end)
        return;
    stack->low = stack->end; /* the deepest used word is filled again: the thread was created again */
    stack->passed = false;
}

/* Takes the guard word out of the stack if it is at the lowest address. */
static bool skip_guard(const struct txtap_kernel *kernel, struct stack_scan *stack, const uint8_t *bytes)
{
    if (kernel->ops->guard == 0 || stack->guard > 0 || stack->at != stack->start ||
        bytes_u32(bytes, kernel->layout.endian) != kernel->ops->guard)
        return false;
    stack->guard = 4;
    stack->start += 4;
    stack->at += 4;
    return true;
}

static void take_scan(struct txtap_kernel *kernel, struct node *node)
{
    struct stack_scan *stack = &node->stack;
    uint32_t end = stack->at + scan_bytes(stack), used;
    const uint8_t *bytes = end > stack->at ? reads_at(&kernel->reads, 0, stack->at, end - stack->at) : NULL;

    if (bytes == NULL && end > stack->at)
        return;
    if (end > stack->at && skip_guard(kernel, stack, bytes))
        bytes += 4;
    used = end > stack->at ? first_used(kernel, node, bytes, stack->at, end) : end;
    stack->at = used;
    if (used < end)
        stack->low = used;
    if (stack->at < stack->low)
        return;
    kernel->fills_stacks = kernel->fills_stacks || stack->low > stack->start;
    stack->passed = stack->finished = true;
    stack->at = stack->start;
}

/* Notes the stacks that the target refuses to read. */
static void take_refusals(struct txtap_kernel *kernel)
{
    const struct reads *reads = &kernel->reads;

    for (size_t i = 0; i < reads->count; i++)
        for (size_t k = 0; k < kernel->node_count && reads->failed[i]; k++) {
            struct stack_scan *stack = &kernel->nodes[k].stack;

            if (!stack->finished && stack->at >= reads->list[i].address &&
                stack->at - reads->list[i].address < reads->list[i].length)
                stack->unreadable = stack->finished = true;
        }
}

void stacks_take(struct txtap_kernel *kernel)
{
    take_refusals(kernel);
    for (size_t i = 0; i < kernel->node_count; i++) {
        struct node *node = &kernel->nodes[i];

        if (node->stack.finished)
            continue;
        if (node->stack.passed && node->stack.at == node->stack.start)
            take_window(kernel, node);
        take_scan(kernel, node);
    }
}

static void set(struct txtap_kernel_object *object, enum txtap_kernel_value value, uint32_t number)
{
    object->values[value] = number;
    object->known |= UINT64_C(1) << value;
}

/* Returns true if the pointer is in the stack, or below it after an overflow. A pointer that is more than the stack's
 * size below it is not believed. */
static bool is_on_stack(const struct stack_scan *stack, uint32_t pointer)
{
    uint32_t size = stack->end - stack->start, lowest = stack->start > size ? stack->start - size : 0;

    return pointer >= lowest && pointer <= stack->end;
}

void stack_conclude(const struct txtap_kernel *kernel, const struct node *node, struct txtap_kernel_object *object)
{
    const struct stack_scan *stack = &node->stack;
    uint32_t pointer = object->values[KERNEL_STACK_POINTER], low = stack->low;

    if (stack->unreadable || stack->end == 0)
        return;
    if (!object->running && txtap_kernel_knows(object, KERNEL_STACK_POINTER) && is_on_stack(stack, pointer)) {
        set(object, KERNEL_STACK_USED, stack->end - pointer);
        low = pointer < low ? pointer : low;
    }
    if (!kernel->fills_stacks || low == stack->end)
        return;
    set(object, KERNEL_STACK_PEAK, stack->end - low);
    object->peak_at_least = !stack->passed;
    if (stack->passed)
        set(object, KERNEL_STACK_FREE, low > stack->start ? low - stack->start : 0);
}
