/* SPDX-License-Identifier: MIT */
/* The lines of "txtap info" about the kernel that writes the trace. */
#ifndef TXTAP_CAPTURE_COMMAND_INFO_KERNEL_H
#define TXTAP_CAPTURE_COMMAND_INFO_KERNEL_H

#include <stddef.h>

#include "attach/attach.h"
#include "command/info/info.h"

/*
 * Prints the version and options of the kernel, the number of its objects, and its objects that the registry does not
 * have. registry: the objects of the trace's registry, which has `slots` slots. Prints nothing if the ELF file does not
 * describe the kernel of the target.
 */
void info_kernel_print(const struct attachment *attachment, const struct info_objects *registry, size_t slots);

#endif
