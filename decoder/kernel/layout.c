/* SPDX-License-Identifier: MIT */
/* Decides which classes can be read, and which parts of an object a walk reads. */
#include <string.h>

#include "base/heapsort.h"
#include "kernel/inside.h"

size_t txtap_kernel_bytes(void)
{
    return sizeof(struct txtap_kernel);
}

static bool has_member(const struct txtap_kernel *kernel, size_t member)
{
    return kernel->layout.members[member].bytes > 0;
}

/* Returns true if the layout has the head of the class and all its required members. */
static bool class_is_readable(const struct txtap_kernel *kernel, uint8_t type)
{
    const struct txtap_kernel_ops *ops = kernel->ops;
    bool head = false;

    for (size_t i = 0; i < ops->symbol_count; i++)
        if (ops->symbols[i].role == KERNEL_LIST_HEAD && ops->symbols[i].type == type)
            head = kernel->layout.symbols[i].bytes >= 4;
    for (size_t i = 0; i < ops->member_count; i++)
        if (ops->members[i].type == type && (ops->members[i].flags & KERNEL_REQUIRED) && !has_member(kernel, i))
            head = false;
    return head;
}

static bool span_comes_before(const void *a, const void *b)
{
    const struct span *left = a, *right = b;

    return left->offset < right->offset;
}

/* Joins the members of a class that have all `flags` to spans. Returns their number; 0: there are too many spans. */
static size_t find_spans(const struct txtap_kernel *kernel, uint8_t type, uint8_t flags,
                         struct span spans[static KERNEL_SPANS_MAX])
{
    struct span all[KERNEL_MEMBERS_MAX];
    size_t count = 0, kept = 0;

    for (size_t i = 0; i < kernel->ops->member_count; i++)
        if (kernel->ops->members[i].type == type && (kernel->ops->members[i].flags & flags) == flags &&
            has_member(kernel, i))
            all[count++] = (struct span){kernel->layout.members[i].at, kernel->layout.members[i].bytes};
    heapsort_items(all, count, sizeof all[0], span_comes_before);
    for (size_t i = 0; i < count; i++) {
        struct span *last = &spans[kept > 0 ? kept - 1 : 0];

        if (kept > 0 && all[i].offset <= last->offset + last->bytes + READS_GAP_BYTES) {
            if (all[i].offset + all[i].bytes > last->offset + last->bytes)
                last->bytes = all[i].offset + all[i].bytes - last->offset;
        } else if (kept == KERNEL_SPANS_MAX) {
            return 0;
        } else {
            spans[kept++] = all[i];
        }
    }
    return kept;
}

enum txtap_status txtap_kernel_init(struct txtap_kernel *kernel, const struct txtap_kernel_ops *ops,
                                    const struct txtap_kernel_layout *layout, struct txtap_kernel_memory memory)
{
    bool any = false;

    memset(kernel, 0, sizeof *kernel);
    kernel->ops = ops;
    kernel->layout = *layout;
    kernel->reads.memory = memory;
    kernel->step = STEP_DONE;
    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        if (class_is_readable(kernel, type))
            kernel->span_counts[type] = find_spans(kernel, type, 0, kernel->spans[type]);
        kernel->identity_counts[type] = find_spans(kernel, type, KERNEL_IDENTITY, kernel->identities[type]);
        any = any || kernel->span_counts[type] > 0;
    }
    return any ? TXTAP_OK : TXTAP_ERROR_FORMAT;
}

#define SAVED_BYTES 32u

uint32_t txtap_kernel_saved_at(const struct txtap_kernel_ops *ops, const struct txtap_kernel_layout *layout,
                               uint32_t thread)
{
    for (size_t i = 0; i < ops->member_count && ops->saves_in_object; i++)
        if (ops->members[i].value == KERNEL_STACK_POINTER && layout->members[i].bytes == 4 &&
            layout->members[i].at >= SAVED_BYTES)
            return thread + layout->members[i].at - SAVED_BYTES;
    return 0;
}
