/* SPDX-License-Identifier: MIT */
/* The core that a firmware was built for, from the build attributes in its ELF file. */
#ifndef TXTAP_CAPTURE_LOCATE_ARM_CORE_H
#define TXTAP_CAPTURE_LOCATE_ARM_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "locate/elf_file.h"

struct arm_core {
    const char *name;   /* the architecture, and cores that have it; NULL: not a Cortex-M, or not known */
    bool cycle_counter; /* the core has DWT_CYCCNT, unless the chip's vendor left it out */
    bool may_cache;     /* cores of this architecture may have a data cache */
};

/* Returns the core; all members are 0 if the file does not tell it. */
struct arm_core arm_core(const struct elf_file *elf);

/* Parses the content of a section of build attributes, which may be damaged. */
struct arm_core arm_core_parse(const uint8_t *bytes, size_t length);

#endif
