/* SPDX-License-Identifier: MIT */
/* Variables in debug information that GCC writes with different options. The values that the compiler put into the ELF
 * file are the reference for address, size, bits and type. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "locate/arm_elf.h"
#include "variables/variable.h"

#define SOURCES "variables/arm_variables.c variables/arm_variables_other.c"

static struct variable variables[VARIABLES_MAX];

/* Reads the value of a variable from the ELF file, and writes it as text. */
static void read_text(const struct elf_file *elf, const struct variable *variable, char text[TXTAP_SAMPLE_VALUE_BYTES])
{
    const struct txtap_channel channel = {
        .form = variable->form, .words = variable->words, .word_count = variable->word_count};
    struct txtap_sample sample = {.channel = &channel};
    uint32_t address = variable->address;
    const uint8_t *bytes;

    if (variable->follows) {
        bytes = elf_bytes(elf, address, 4);
        cr_assert_not_null(bytes);
        address = bytes_u32(bytes, variable->endian) + variable->offset;
    }
    bytes = elf_bytes(elf, address, variable->bytes);
    cr_assert_not_null(bytes);
    sample.bits = variable_value(variable, bytes);
    txtap_sample_value_text(&sample, text);
}

static enum txtap_status find(const struct elf_file *elf, const char *list, struct error *error)
{
    struct variable_requests requests = {.count = 0};

    *error = (struct error){0};
    cr_assert(variable_requests_add(&requests, list, error), "%s: %s", list, error->what);
    return variables_find(variables, &requests, elf, error);
}

struct row {
    const char *text, *value;
};

static void expect_rows(const char *flags, const char *sources, const struct row *rows, size_t count)
{
    struct elf_file *elf = arm_elf(flags, sources);
    char text[TXTAP_SAMPLE_VALUE_BYTES];
    struct error error;

    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(find(elf, rows[i].text, &error), TXTAP_OK, "%s: %s: %s", flags, rows[i].text, error.what);
        read_text(elf, &variables[0], text);
        cr_expect_str_eq(text, rows[i].value, "%s: %s is %s", flags, rows[i].text, text);
        variables_free(variables, 1);
    }
    elf_close(elf);
}

static void expect_values(const char *flags)
{
    static const struct row rows[] = {
        {"motor.iq", "1.5"},
        {"motor.angle", "-0.25"},
        {"motor.inner", "-9"},
        {"motor.raw", "458759"},
        {"motor.low", "7"},
        {"motor.high", "7"},
        {"motor.bits.a", "5"},
        {"motor.bits.b", "100"},
        {"motor.bits.c", "-11"},
        {"motor.bits.whole", "200"},
        {"motor.bits.mode", "FAULT"},
        {"motor.bits.wide", "737894404660"},
        {"motor.bits.flag", "true"},
        {"motor.grid[1][3]", "-13"},
        {"motor.grid[2][0]", "20"},
        {"motor.points[1].x", "-3"},
        {"motor.mode", "RUNNING"},
        {"motor.mode:unsigned", "1"},
        {"motor.level", "LOW"},
        {"motor.list->size", "77"},
        {"motor.list->at[1].y", "-4"},
        {"motor.list[0].size", "77"},
        {"byte", "250"},
        {"byte:signed", "-6"},
        {"small", "-5"},
        {"half", "60000"},
        {"negative", "-30000"},
        {"wide", "1311768467463790320"},
        {"deep", "-1234567890123"},
        {"yes", "true"},
        {"letter", "65"},
        {"ratio", "-2.75"},
        {"precise", "1e+100"},
        {"alias.y", "-12"},
        {"*pointer", "-9"},
        {"list[3]", "4"},
        {"list[0x2]", "3"},
        {"arm_variables.c:twice", "1"},
        {"variables/arm_variables_other.c:twice", "2"},
        {"use::calls", "42"},
        {"calls", "42"},
        {"hidden->secret", "99"},
    };

    expect_rows(flags, SOURCES, rows, sizeof rows / sizeof rows[0]);
}

Test(variables, values_are_those_of_the_compiler)
{
    static const char *const flags[] = {
        "-g",
        "-g -O2",
        "-gdwarf-2 -gstrict-dwarf",
        "-gdwarf-3 -gstrict-dwarf",
        "-gdwarf-4",
        "-gdwarf-5",
        "-gdwarf-4 -fdebug-types-section",
        "-gdwarf-5 -fdebug-types-section",
        "-g3 -gz",
        "-g -mbig-endian",
        "-gdwarf-2 -gstrict-dwarf -mbig-endian",
    };

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        expect_values(flags[i]);
}

Test(variables, classes_and_namespaces_are_found)
{
    static const struct row rows[] = {
        {"drive::speed", "1200"},     {"speed", "1200"},
        {"drive::left.radius", "33"}, {"left.ticks", "7"},
        {"drive::left.gears", "5"},   {"drive::wheel::count", "4"},
        {"wheel::count", "4"},        {"drive::selected", "FIRST"},
    };
    static const char *const flags[] = {"-gdwarf-4 -std=c++11", "-gdwarf-5 -std=c++11"};

    if (system("'" TXTAP_TEST_ARM_GCC "' -x c++ -fsyntax-only /dev/null 2>/dev/null") != 0)
        cr_skip_test("no C++ compiler for Arm");
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        expect_rows(flags[i], "variables/arm_variables_classes.cpp", rows, sizeof rows / sizeof rows[0]);
}

Test(variables, messages_name_the_mistake)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"motr", "has no variable 'motr': did you mean 'motor'?"},
        {"motor", "'motor': is a struct: give one of its members"},
        {"motor.iqq", "'motor' has no member 'iqq': did you mean 'iq'?"},
        {"motor.points", "'motor.points': is an array"},
        {"motor.grid[1]", "is an array"},
        {"motor.grid[3][0]", "'motor.grid' has only 3 elements"},
        {"list[4]", "'list' has only 4 elements"},
        {"motor.list.size", "'motor.list': is a pointer: its members follow ->"},
        {"motor.list->next->size", "'motor.list->next': this is a second pointer on the way, and txtap follows one"},
        {"byte.x", "'byte': has no members"},
        {"byte->x", "'byte': is no pointer"},
        {"twice", "'twice' is in arm_variables.c and in arm_variables_other.c"},
        {"byte:enum", "'byte' is no enum"},
        {"byte:u32", "'byte' has 8 bits"},
        {"byte:float", "'byte' has 8 bits"},
        {"list[-1]", "an index is a number from 0 on"},
        {"motor..iq", "the name of a member is missing"},
        {"nothing.c:byte", "has no variable"},
        {"*0x100000000", "is no address"},
    };
    struct elf_file *elf = arm_elf("-g", SOURCES);
    struct error error;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_expect_eq(find(elf, rows[i].text, &error), TXTAP_ERROR_USAGE, "%s", rows[i].text);
        cr_expect(strstr(error.what, rows[i].message) != NULL, "%s: %s", rows[i].text, error.what);
        variables_free(variables, 1);
    }
    elf_close(elf);
}

Test(variables, a_type_replaces_missing_debug_information)
{
    struct elf_file *elf = arm_elf("-g0", SOURCES);
    char text[TXTAP_SAMPLE_VALUE_BYTES];
    struct error error;

    cr_assert_eq(find(elf, "half", &error), TXTAP_ERROR_USAGE);
    cr_expect(strstr(error.hint, "compile with -g") != NULL, "%s", error.hint);
    cr_assert_eq(find(elf, "half:u16,ratio:f32", &error), TXTAP_OK, "%s", error.what);
    read_text(elf, &variables[0], text);
    cr_expect_str_eq(text, "60000");
    read_text(elf, &variables[1], text);
    cr_expect_str_eq(text, "-2.75");
    elf_close(elf);
}

Test(variables, addresses_need_no_file)
{
    struct error error;

    cr_assert_eq(find(NULL, "*0x20000100:s16, *0x20000104", &error), TXTAP_OK);
    cr_expect(variables[0].address == 0x20000100 && variables[0].bytes == 2 && variables[0].form == TXTAP_FORM_SIGNED);
    cr_expect(variables[1].bytes == 4 && variables[1].form == TXTAP_FORM_UNSIGNED);
    cr_expect_eq(find(NULL, "speed", &error), TXTAP_ERROR_USAGE);
}
