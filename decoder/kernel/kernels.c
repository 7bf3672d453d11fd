/* SPDX-License-Identifier: MIT */
/* The table of kernels, and functions that use only a row. */
#include "kernel/inside.h"

const struct txtap_kernel_ops *const txtap_kernels[] = {&txtap_kernel_threadx, &txtap_kernel_zephyr, NULL};

const char *txtap_kernel_state_name(const struct txtap_kernel_ops *ops, uint32_t state)
{
    for (uint32_t i = 0; ops->states[i] != NULL; i++)
        if (i == state)
            return ops->states[i];
    return NULL;
}

void txtap_kernel_usual_members(const struct txtap_kernel_ops *ops, struct txtap_kernel_layout *layout)
{
    for (size_t i = 0; i < ops->member_count; i++) {
        const struct txtap_kernel_member *row = &ops->members[i];

        if (row->usual == KERNEL_NOWHERE)
            layout->members[i] = (struct txtap_kernel_place){0, 0};
        else
            layout->members[i] = (struct txtap_kernel_place){row->usual, 4};
    }
}
