/* SPDX-License-Identifier: MIT */
/* Functions, inlined functions and lines of code that GCC writes with different options. */
#include <criterion/criterion.h>
#include <string.h>

#include "locate/arm_elf.h"
#include "profile/code_map.h"

static struct txtap_profile_frame frames[TXTAP_PROFILE_FRAMES_MAX];

/* Looks up the address of a label in the firmware. */
static size_t frames_at(struct code_map *map, const struct elf_file *elf, const char *label)
{
    struct elf_symbol symbol;

    cr_assert_eq(elf_symbol_find(elf, label, &symbol), TXTAP_OK, "%s", label);
    return code_map_frames(map, symbol.address & ~1u, frames);
}

static bool is_in_code(const char *file)
{
    size_t length = file != NULL ? strlen(file) : 0;

    return length >= 6 && strcmp(file + length - 6, "code.c") == 0;
}

static void expect_frame(size_t i, const char *function, uint32_t line, const char *flags)
{
    cr_assert(frames[i].function != NULL && strcmp(frames[i].function, function) == 0, "%s: frame %zu is not %s", flags,
              i, function);
    cr_assert(frames[i].line == line && is_in_code(frames[i].file), "%s: %s is at line %u of %s", flags, function,
              frames[i].line, frames[i].file != NULL ? frames[i].file : "?");
}

Test(code_map, inlined_functions_and_lines)
{
    static const char *const all[] = {"-g -O2",
                                      "-gdwarf-3 -O2",
                                      "-gdwarf-4 -O2",
                                      "-gdwarf-5 -O2",
                                      "-g3 -O1",
                                      "-g -Os",
                                      "-gdwarf-4 -fdebug-types-section -O2"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct elf_file *elf = arm_elf(all[i], "profile/code.c");
        struct code_map *map = code_map_open(elf);

        cr_assert(map != NULL && code_map_has_lines(map));
        cr_assert_eq(frames_at(map, elf, "twist_at"), 3, "%s", all[i]);
        expect_frame(0, "twist", 6, all[i]);
        expect_frame(1, "repeat", 13, all[i]);
        expect_frame(2, "outer", 19, all[i]);
        cr_assert_eq(frames_at(map, elf, "plain_at"), 1, "%s", all[i]);
        expect_frame(0, "plain", 25, all[i]);
        cr_assert_eq(frames_at(map, elf, "assembled_at"), 1, "%s", all[i]);
        cr_assert_str_eq(frames[0].function, "assembled");
        cr_assert_eq(code_map_frames(map, 0xFFFF0000, frames), 0);
        code_map_close(map);
        elf_close(elf);
    }
}

Test(code_map, symbols_alone_give_functions)
{
    static const char *const all[] = {"-g0 -O2", "-g -O2 -Wl,--strip-debug"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct elf_file *elf = arm_elf(all[i], "profile/code.c");
        struct code_map *map = code_map_open(elf);

        cr_assert_not_null(map);
        cr_assert_eq(frames_at(map, elf, "twist_at"), 1, "%s", all[i]);
        cr_assert_str_eq(frames[0].function, "outer");
        cr_assert_null(frames[0].file);
        code_map_close(map);
        elf_close(elf);
    }
}

Test(code_map, a_stripped_file_has_no_functions)
{
    struct elf_file *elf = arm_elf("-g0 -s", "profile/code.c");
    struct code_map *map = code_map_open(elf);

    cr_assert_not_null(map);
    cr_assert_not(code_map_has_lines(map));
    cr_assert_eq(code_map_frames(map, 0x8000, frames), 0);
    code_map_close(map);
    elf_close(elf);
}
