/* SPDX-License-Identifier: MIT */
/* Names of interrupts: a name is shown only if the meaning of the numbers is certain. */
#include "txtap/inner/interrupts.h"

#include <criterion/criterion.h>
#include <string.h>

static struct txtap_definition events[4];
static struct txtap_word words[4];
static char strings[4096];
static struct txtap_definitions definitions;
static struct txtap_definitions_problem problem;
static struct txtap_interrupts interrupts;

static void set_up(void)
{
    txtap_definitions_init(&definitions,
                           (struct txtap_definitions_memory){events, 4, words, 4, strings, sizeof strings});
}

TestSuite(interrupts, .init = set_up);

static void define(const char *text)
{
    cr_assert_eq(txtap_definitions_parse(&definitions, text, strlen(text), &problem), TXTAP_OK, "line %zu: %s",
                 problem.line, problem.text);
}

static void see(const uint32_t *numbers, size_t count)
{
    txtap_interrupts_init(&interrupts, &definitions);
    for (size_t i = 0; i < count; i++)
        txtap_interrupts_see(&interrupts, numbers[i]);
}

static void is_named(uint32_t number, const char *expected)
{
    const char *name = txtap_interrupts_name(&interrupts, number);

    if (expected == NULL)
        cr_assert_null(name, "%u is %s", number, name);
    else
        cr_assert(name != NULL && strcmp(name, expected) == 0, "%u is %s", number, name != NULL ? name : "not known");
}

#define SEE(...) see((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static const char table[] = "vector 15 \"SysTick_Handler\"\n"
                            "vector 22 \"EXTI0_IRQHandler\"\n"
                            "vector 38 \"SPI1_IRQHandler\"\n"
                            "vector 44 \"TIM2_IRQHandler\"\n";

Test(interrupts, numbers_of_exceptions_are_named_if_only_they_fit)
{
    define(table);
    SEE(15, 22);
    is_named(15, "SysTick_Handler");
    is_named(22, "EXTI0_IRQHandler");
}

Test(interrupts, numbers_of_irqs_are_named_if_only_they_fit)
{
    define(table);
    SEE(6, 28);
    is_named(6, "EXTI0_IRQHandler");
    is_named(28, "TIM2_IRQHandler");
}

Test(interrupts, systick_is_the_irq_minus_one_only_in_its_definition)
{
    define(table);
    define("interrupt -1 \"tick\"\n");
    SEE(UINT32_MAX, 6);
    is_named(UINT32_MAX, "tick");
    is_named(6, "EXTI0_IRQHandler");
}

Test(interrupts, a_number_that_has_two_meanings_is_not_named)
{
    define(table);
    SEE(22); /* EXTI0_IRQHandler as an exception, SPI1_IRQHandler as an IRQ */
    is_named(22, NULL);
    txtap_interrupts_see(&interrupts, 15);
    is_named(22, "EXTI0_IRQHandler");
}

Test(interrupts, a_number_without_a_handler_makes_all_numbers_doubtful)
{
    define(table);
    SEE(15, 22, 3);
    is_named(15, NULL);
    is_named(22, NULL);
}

Test(interrupts, the_user_may_give_the_meaning_of_the_numbers)
{
    define(table);
    define("interrupts irq\n");
    SEE(22, 3);
    is_named(22, "SPI1_IRQHandler");
    is_named(3, NULL);
    define("interrupts exception\n");
    is_named(22, "EXTI0_IRQHandler");
}

Test(interrupts, the_users_name_is_right_and_says_nothing_about_other_numbers)
{
    define(table);
    define("interrupt 3 \"motor\"\ninterrupt 0x64 \"first\"\ninterrupt 100 \"second\"\n");
    SEE(3, 100, 15);
    is_named(3, "motor");
    is_named(100, "second");
    is_named(15, "SysTick_Handler");
}

Test(interrupts, an_unknown_number_has_no_name_and_no_effect)
{
    define(table);
    SEE(UINT32_MAX, 15);
    is_named(UINT32_MAX, NULL);
    is_named(15, "SysTick_Handler");
}

Test(interrupts, without_definitions_no_number_is_named)
{
    txtap_interrupts_init(&interrupts, NULL);
    txtap_interrupts_see(&interrupts, 15);
    is_named(15, NULL);
}

Test(interrupts, only_the_events_of_interrupts_are_taken)
{
    struct txtap_event event = {.id = 3, .info = {0x100, 15}};

    define(table);
    txtap_interrupts_init(&interrupts, &definitions);
    cr_assert_str_eq(txtap_interrupts_event(&interrupts, &event), "SysTick_Handler");
    event.id = 4;
    cr_assert_str_eq(txtap_interrupts_event(&interrupts, &event), "SysTick_Handler");
    event.info[1] = 1;
    event.id = 5;
    cr_assert_null(txtap_interrupts_event(&interrupts, &event));
    event.id = 3;
    event.event_class = 1;
    cr_assert_null(txtap_interrupts_event(&interrupts, &event));
    is_named(15, "SysTick_Handler");
}

static const struct {
    const char *line, *reason;
} wrong[] = {
    {"interrupt \"x\"", "number of an interrupt"},
    {"interrupt 1 x", "in quotes"},
    {"interrupt 1 \"x\" y", "more than a name"},
    {"interrupt 1 \"\"", "empty"},
    {"vector 512 \"x\"", "0 to 511"},
    {"vector -1 \"x\"", "0 to 511"},
    {"vector 1", "in quotes"},
    {"interrupts", "exception or irq"},
    {"interrupts both", "exception or irq"},
    {"interrupts irq 2", "exception or irq"},
};

Test(interrupts, invalid_lines_are_refused)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        set_up();
        cr_assert_eq(txtap_definitions_parse(&definitions, wrong[i].line, strlen(wrong[i].line), &problem),
                     TXTAP_ERROR_FORMAT, "%s", wrong[i].line);
        cr_assert(strstr(problem.text, wrong[i].reason) != NULL, "%s: %s", wrong[i].line, problem.text);
    }
}

Test(interrupts, at_most_256_names_are_given)
{
    char line[40];

    for (unsigned i = 0; i <= TXTAP_DEFINITION_INTERRUPTS_MAX; i++) {
        enum txtap_status expected = i < TXTAP_DEFINITION_INTERRUPTS_MAX ? TXTAP_OK : TXTAP_ERROR_SPACE;

        snprintf(line, sizeof line, "interrupt %u \"n%u\"", i, i);
        cr_assert_eq(txtap_definitions_parse(&definitions, line, strlen(line), &problem), expected, "%u", i);
    }
}
