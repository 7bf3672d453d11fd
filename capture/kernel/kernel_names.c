/* SPDX-License-Identifier: MIT */
/* Takes names from the kernel's objects and from the ELF file. */
#include "kernel/kernel_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define VERSION_BYTES 100u

void kernel_object_name(const struct kernel_reader *reader, uint32_t address, char name[static KERNEL_NAME_BYTES])
{
    const struct txtap_kernel_object *object = txtap_kernel_find(reader->kernel, address);

    if (object != NULL && object->name[0] != '\0')
        snprintf(name, KERNEL_NAME_BYTES, "%s", object->name);
    else if (!elf_symbol_at(reader->permitted.elf, address, name, KERNEL_NAME_BYTES))
        snprintf(name, KERNEL_NAME_BYTES, "0x%08" PRIx32, address);
}

void kernel_code_name(const struct kernel_reader *reader, uint32_t address, char name[static KERNEL_NAME_BYTES])
{
    struct elf_function function;
    size_t at = 0;

    while (elf_next_function(reader->permitted.elf, &at, &function))
        if (function.address == (address & ~UINT32_C(1))) {
            snprintf(name, KERNEL_NAME_BYTES, "%s", function.name);
            return;
        }
    snprintf(name, KERNEL_NAME_BYTES, "0x%08" PRIx32, address);
}

/* Finds the text of the version, from the kernel's name up to the first '*' or the end: "Copyright (c) ... * ThreadX
 * Cortex-M4/GNU Version 6.4.2 *". */
static bool find_version(const struct elf_file *elf, const struct txtap_kernel_ops *ops,
                         char text[static KERNEL_NAME_BYTES])
{
    char copy[VERSION_BYTES + 1] = "";
    const uint8_t *bytes = NULL;
    struct elf_symbol symbol;
    const char *begin;

    if (ops->version_symbol == NULL || elf_symbol_find(elf, ops->version_symbol, &symbol) != TXTAP_OK)
        return false;
    for (uint32_t length = VERSION_BYTES; length > 0 && bytes == NULL; length--) {
        bytes = elf_bytes(elf, symbol.address, length);
        if (bytes != NULL)
            memcpy(copy, bytes, length);
    }
    begin = strstr(copy, ops->name);
    if (begin == NULL)
        return false;
    snprintf(text, KERNEL_NAME_BYTES, "%.*s", (int)strcspn(begin, "*"), begin);
    for (size_t end = strlen(text); end > 0 && text[end - 1] == ' '; end--)
        text[end - 1] = '\0';
    return true;
}

void kernel_version(const struct kernel_reader *reader, char version[static KERNEL_NAME_BYTES])
{
    const struct txtap_kernel_ops *ops = reader->layout.ops;

    if (!find_version(reader->permitted.elf, ops, version))
        snprintf(version, KERNEL_NAME_BYTES, "%s", ops->name);
}
