/* SPDX-License-Identifier: MIT */
/* The functions of an ELF file. */
#include "locate/functions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "error_line.h"
#include "locate/elf_maker.h"

static void text_is(const struct made_symbol *symbols, size_t count, const char *expected)
{
    const struct elf_recipe recipe = {.symbols = symbols, .symbol_count = count};
    uint8_t bytes[ELF_MAKER_BYTES];
    struct elf_file *elf;
    struct error error;
    char path[32], *text;
    int fd = elf_make_file(bytes, elf_make(&recipe, bytes), path);

    cr_assert_eq(elf_open(&elf, path, &error), TXTAP_OK, "%s", error_line(&error));
    text = functions_text(elf);
    if (expected == NULL)
        cr_assert_null(text, "%s", text);
    else
        cr_assert(text != NULL && strcmp(text, expected) == 0, "%s", text);
    free(text);
    elf_close(elf);
    close(fd);
}

#define FUNCTION(text, offset) .name = (text), .value = MADE_TEXT + (offset) + 1, .function = true

Test(elf_functions, are_sorted_and_variables_are_left_out)
{
    const struct made_symbol symbols[] = {
        {FUNCTION("second", 0x20)}, {.name = "variable", .value = MADE_DATA}, {FUNCTION("first", 0x10), .local = true}};

    text_is(symbols, 3, "function 0x08000010 \"first\"\nfunction 0x08000020 \"second\"\n");
}

Test(elf_functions, a_name_that_is_not_weak_is_better)
{
    const struct made_symbol symbols[] = {{FUNCTION("weak", 0x10), .weak = true},
                                          {FUNCTION("strong", 0x10)},
                                          {FUNCTION("also_weak", 0x10), .weak = true}};

    text_is(symbols, 3, "function 0x08000010 \"strong\"\n");
}

Test(elf_functions, a_name_that_needs_an_escape_is_left_out)
{
    const struct made_symbol symbols[] = {
        {FUNCTION("a\"b", 0x10)}, {FUNCTION("a\nb", 0x20)}, {FUNCTION("a.b$c", 0x30)}};

    text_is(symbols, 3, "function 0x08000030 \"a.b$c\"\n");
    text_is(symbols, 2, NULL);
}
