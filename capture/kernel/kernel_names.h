/* SPDX-License-Identifier: MIT */
/* Names of a kernel's objects and functions, as text without escapes. */
#ifndef TXTAP_CAPTURE_KERNEL_KERNEL_NAMES_H
#define TXTAP_CAPTURE_KERNEL_KERNEL_NAMES_H

#include <stdint.h>

#include "kernel/kernel_reader.h"

#define KERNEL_NAME_BYTES 128

/* Sets name to the object's name; without a name, to the variable at the address; without a variable, to the address.
 */
void kernel_object_name(const struct kernel_reader *reader, uint32_t address, char name[static KERNEL_NAME_BYTES]);

/* Sets name to the function at the address, or to the address. */
void kernel_code_name(const struct kernel_reader *reader, uint32_t address, char name[static KERNEL_NAME_BYTES]);

/* Sets version to the kernel's name and version as the ELF file has them; without a version, only the name. */
void kernel_version(const struct kernel_reader *reader, char version[static KERNEL_NAME_BYTES]);

#endif
