/* SPDX-License-Identifier: MIT */
/* Finds out which kernel the firmware contains, and where the kernel's variables and members of structs are. */
#ifndef TXTAP_CAPTURE_KERNEL_KERNEL_LAYOUT_H
#define TXTAP_CAPTURE_KERNEL_KERNEL_LAYOUT_H

#include <stdbool.h>

#include "base/failure.h"
#include "locate/elf_file.h"
#include "txtap/inner/kernel.h"

struct kernel_layout {
    const struct txtap_kernel_ops *ops;
    struct txtap_kernel_layout places;
    /* classes whose struct is not in the debug information: their offsets are those of a release without options, and
     * only the identifiers in memory can prove them */
    unsigned assumed;
    bool has_debug; /* the file has debug information, perhaps without these structs */
};

/*
 * Sets *layout. On failure error is one line. ERROR_SYMBOL: the file has no symbols, or no kernel that txtap knows, or
 * nothing describes the kernel's structs.
 */
enum txtap_status kernel_layout_find(struct kernel_layout *layout, const struct elf_file *elf, struct error *error);

#endif
