/* SPDX-License-Identifier: MIT */
#include "locate/arm_elf.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct elf_file *arm_elf(const char *flags, const char *sources)
{
    char command[1000], path[] = "/tmp/txtap-arm-XXXXXX";
    struct elf_file *elf = NULL;
    struct error error = {0};
    int file, length;

    if (TXTAP_TEST_ARM_GCC[0] == '\0')
        cr_skip_test("no arm-none-eabi-gcc");
    file = mkstemp(path);
    cr_assert(file >= 0, "no temporary file");
    close(file);
    length = snprintf(command, sizeof command,
                      "cd '%s' && '%s' -mcpu=cortex-m4 -mthumb -std=c11 -ffreestanding -nostdlib -Wl,-e,0 %s -o %s %s",
                      TXTAP_TEST_UNIT, TXTAP_TEST_ARM_GCC, flags, path, sources);
    cr_assert(length > 0 && (size_t)length < sizeof command);
    cr_assert_eq(system(command), 0, "%s", command);
    cr_assert_eq(elf_open(&elf, path, &error), TXTAP_OK);
    unlink(path);
    return elf;
}
