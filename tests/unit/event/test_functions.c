/* SPDX-License-Identifier: MIT */
/* Names of functions in definitions. */
#include "txtap/inner/functions.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct txtap_definition events[4];
static char strings[1 << 20];
static struct txtap_definitions definitions;
static struct txtap_definitions_problem problem;

static void set_up(void)
{
    txtap_definitions_init(&definitions,
                           (struct txtap_definitions_memory){events, 4, NULL, 0, strings, sizeof strings});
}

TestSuite(functions, .init = set_up);

static enum txtap_status define(const char *text)
{
    return txtap_definitions_parse(&definitions, text, strlen(text), &problem);
}

Test(functions, have_names_in_any_order)
{
    cr_assert_eq(define("function 0x300 \"c\"\nfunction 0x100 \"a\"\nfunction 0x200 \"b\"\n"), TXTAP_OK);
    cr_assert_str_eq(txtap_function_name(&definitions, 0x100), "a");
    cr_assert_str_eq(txtap_function_name(&definitions, 0x200), "b");
    cr_assert_str_eq(txtap_function_name(&definitions, 0x300), "c");
    cr_assert_null(txtap_function_name(&definitions, 0x102), "an address inside a function");
    cr_assert_null(txtap_function_name(&definitions, 0x400));
    cr_assert_null(txtap_function_before(&definitions, 0xfe));
    cr_assert_str_eq(txtap_function_before(&definitions, 0x101)->word, "a");
    cr_assert_str_eq(txtap_function_before(&definitions, 0x1fe)->word, "a");
    cr_assert_str_eq(txtap_function_before(&definitions, 0x200)->word, "b");
    cr_assert_str_eq(txtap_function_before(&definitions, UINT32_MAX)->word, "c");
    cr_assert_null(txtap_function_before(NULL, 0x100));
    cr_assert_null(txtap_function_name(NULL, 0x100));
}

Test(functions, the_thumb_bit_does_not_matter)
{
    cr_assert_eq(define("function 0x101 \"a\"\nfunction 0x200 \"b\"\n"), TXTAP_OK);
    cr_assert_str_eq(txtap_function_name(&definitions, 0x100), "a");
    cr_assert_str_eq(txtap_function_name(&definitions, 0x201), "b");
}

Test(functions, a_later_name_replaces_an_earlier_name)
{
    cr_assert_eq(define("function 0x101 \"a\"\nfunction 0x100 \"b\"\n"), TXTAP_OK);
    cr_assert_str_eq(txtap_function_name(&definitions, 0x101), "b");
    cr_assert_eq(definitions.function_count, 1);
}

Test(functions, only_words_that_are_addresses_of_functions_have_names)
{
    const struct txtap_event event = {.id = 4096, .info = {0x101, 0x101, 0, 0x500}};
    const struct txtap_event_info *info;

    cr_assert_eq(define("function 0x100 \"a\"\nfunction 0 \"zero\"\n"
                        "event 4096 \"e\" \"{0:function} {1:addr} {2:function} {3:function}\"\n"),
                 TXTAP_OK);
    info = &txtap_definitions_find(&definitions, 4096)->info;
    cr_assert_str_eq(txtap_function_of(&definitions, &event, info, 0), "a");
    cr_assert_null(txtap_function_of(&definitions, &event, info, 1));
    cr_assert_null(txtap_function_of(&definitions, &event, info, 2), "no function");
    cr_assert_null(txtap_function_of(&definitions, &event, info, 3), "not known");
    cr_assert_null(txtap_function_of(&definitions, &event, NULL, 0));
}

Test(functions, there_is_a_limit)
{
    char line[64];

    for (unsigned i = 0; i < TXTAP_DEFINITION_FUNCTIONS_MAX; i++) {
        snprintf(line, sizeof line, "function %u \"f\"\n", 4 * i + 4);
        cr_assert_eq(define(line), TXTAP_OK);
    }
    cr_assert_eq(define("function 4 \"again\"\n"), TXTAP_OK);
    cr_assert_eq(define("function 1 \"f\"\n"), TXTAP_ERROR_SPACE);
    cr_assert_eq(strncmp(problem.text, "too many functions", 18), 0, "%s", problem.text);
}

Test(functions, a_wrong_line_has_a_reason)
{
    cr_assert_eq(define("function main \"main\"\n"), TXTAP_ERROR_FORMAT);
    cr_assert_str_eq(problem.text, "expected the address of a function: 'main'");
    cr_assert_eq(define("function 4 main\n"), TXTAP_ERROR_FORMAT);
}
