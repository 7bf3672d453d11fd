/* SPDX-License-Identifier: MIT */
/* Lists the functions in the symbol table. If a function has several names, a name that is not weak is used. */
#include "locate/functions.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "txtap/definitions.h"

#define FUNCTIONS_MAX TXTAP_DEFINITION_FUNCTIONS_MAX
#define LINE_BYTES    (TXTAP_DEFINITION_NAME_MAX + 24u)

bool functions_is_plain(const char *name)
{
    for (const char *at = name; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '.' && *at != '$')
            return false;
    return *name != '\0';
}

static int compare(const void *left, const void *right)
{
    const struct elf_function *a = left, *b = right;

    return a->address != b->address ? (a->address > b->address) - (a->address < b->address) : a->weak - b->weak;
}

static size_t collect(const struct elf_file *elf, struct elf_function *functions)
{
    struct elf_function function;
    size_t count = 0;

    for (size_t at = 0; count < FUNCTIONS_MAX && elf_next_function(elf, &at, &function);)
        if (functions_is_plain(function.name))
            functions[count++] = function;
    qsort(functions, count, sizeof *functions, compare);
    return count;
}

char *functions_text(const struct elf_file *elf)
{
    struct elf_function *functions = malloc(FUNCTIONS_MAX * sizeof *functions);
    size_t count = functions != NULL ? collect(elf, functions) : 0, used = 0;
    char *text = count > 0 ? malloc(count * LINE_BYTES) : NULL;

    for (size_t i = 0; text != NULL && i < count; i++)
        if (i == 0 || functions[i].address != functions[i - 1].address)
            used += (size_t)sprintf(text + used, "function 0x%08" PRIx32 " \"%.*s\"\n", functions[i].address,
                                    TXTAP_DEFINITION_NAME_MAX, functions[i].name);
    free(functions);
    return text;
}
