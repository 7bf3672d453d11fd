/* SPDX-License-Identifier: MIT */
/* Compiles a source of tests/unit/ for Arm, as firmware is compiled, and opens the ELF file. */
#ifndef TXTAP_TESTS_ARM_ELF_H
#define TXTAP_TESTS_ARM_ELF_H

#include "locate/elf_file.h"

/* Skips the test if there is no Arm compiler. flags: options of GCC, separated by spaces. sources: paths below
 * tests/unit/, separated by spaces. The caller closes the file with elf_close(). */
struct elf_file *arm_elf(const char *flags, const char *sources);

#endif
