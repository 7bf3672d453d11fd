/* SPDX-License-Identifier: MIT */
/* Members of structs in debug information that GCC writes with different options. The compiler's own table of offsets
 * in the same file is the reference. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/bytes.h"
#include "locate/arm_elf.h"
#include "locate/dwarf.h"

#define ROW_BYTES 32u

static void expect_members(const char *flags)
{
    struct elf_file *elf = arm_elf(flags, "locate/arm_opaque.c locate/arm_structs.c");
    struct dwarf *dwarf = dwarf_open(elf);
    struct elf_symbol rows;

    cr_assert_not_null(dwarf, "%s", flags);
    cr_assert(dwarf_has_struct(dwarf, "sample"), "%s", flags);
    cr_assert_not(dwarf_has_struct(dwarf, "row_of_another_name"));
    cr_assert_eq(elf_symbol_find(elf, "rows", &rows), TXTAP_OK);
    cr_assert(rows.size > 10 * ROW_BYTES && rows.size % ROW_BYTES == 0);
    for (uint32_t at = 0; at < rows.size; at += ROW_BYTES) {
        const uint8_t *row = elf_bytes(elf, rows.address + at, ROW_BYTES);
        struct dwarf_member member = {0, 0};

        cr_assert_not_null(row);
        cr_assert(dwarf_member_find(dwarf, "sample", (const char *)row, &member), "%s: no %s", flags,
                  (const char *)row);
        cr_assert(member.offset == bytes_u32(row + 24, TXTAP_LITTLE) &&
                      member.bytes == bytes_u32(row + 28, TXTAP_LITTLE),
                  "%s: %s is %u bytes at %u", flags, (const char *)row, member.bytes, member.offset);
    }
    dwarf_close(dwarf);
    elf_close(elf);
}

Test(dwarf, members_have_the_places_of_the_compiler)
{
    static const char *const flags[] = {"-g",
                                        "-g -O2",
                                        "-gdwarf-2 -gstrict-dwarf",
                                        "-gdwarf-3 -gstrict-dwarf",
                                        "-gdwarf-4",
                                        "-gdwarf-5",
                                        "-g -flto -O2",
                                        "-gdwarf-4 -fdebug-types-section",
                                        "-g3",
                                        "-ggdb",
                                        "-gdwarf-5 -fdebug-types-section"};

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        expect_members(flags[i]);
}

Test(dwarf, files_without_types_have_no_structs)
{
    static const char *const flags[] = {"-g0", "-g1", "-g -s"};

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        struct elf_file *elf = arm_elf(flags[i], "locate/arm_structs.c");
        struct dwarf *dwarf = dwarf_open(elf);
        struct dwarf_member member;

        if (dwarf != NULL) {
            cr_assert_not(dwarf_has_struct(dwarf, "sample"), "%s", flags[i]);
            cr_assert_not(dwarf_member_find(dwarf, "sample", "id", &member));
        }
        dwarf_close(dwarf);
        elf_close(elf);
    }
}

Test(dwarf, members_without_a_place_are_not_found)
{
    static const char *const paths[] = {"bits",      "bits_of_another_name", "nested.absent", ".id",
                                        "id.first",  "name.first",           "nested..first", "nested.first.more",
                                        "many.first"};
    struct elf_file *elf = arm_elf("-g", "locate/arm_structs.c");
    struct dwarf *dwarf = dwarf_open(elf);
    struct dwarf_member member = {77, 78};

    cr_assert_not_null(dwarf);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        cr_assert_not(dwarf_member_find(dwarf, "sample", paths[i], &member), "%s", paths[i]);
    cr_assert_not(dwarf_member_find(dwarf, "absent", "id", &member));
    cr_assert(member.offset == 77 && member.bytes == 78);
    dwarf_close(dwarf);
    elf_close(elf);
}
