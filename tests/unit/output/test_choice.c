/* SPDX-License-Identifier: MIT */
/* The sink that chooses events: events that it leaves out also decide what numbers of interrupts mean. */
#include <criterion/criterion.h>
#include <string.h>

#include "output/sinks.h"
#include "txtap/inner/interrupts.h"

static struct txtap_definition events[1];
static struct txtap_word words[1];
static char strings[256];
static struct txtap_definitions definitions;
static struct txtap_interrupts interrupts;
static struct txtap_registry registry;
static struct txtap_filter filter;
static struct choice choice;
static uint32_t passed;

static enum txtap_status count(void *self, const struct txtap_item *item)
{
    (void)self;
    (void)item;
    passed++;
    return TXTAP_OK;
}

static void set_up(void)
{
    static const char table[] = "vector 22 \"sensor\"\nvector 38 \"other\"\n";
    struct txtap_definitions_problem problem;

    txtap_definitions_init(&definitions,
                           (struct txtap_definitions_memory){events, 1, words, 1, strings, sizeof strings});
    cr_assert_eq(txtap_definitions_parse(&definitions, table, strlen(table), &problem), TXTAP_OK);
    txtap_interrupts_init(&interrupts, &definitions);
    txtap_registry_init(&registry, NULL, 0);
    txtap_filter_init(&filter);
    cr_assert_eq(txtap_filter_add(&filter, TXTAP_FILTER_INTERRUPT, "sensor"), TXTAP_OK);
    choice = (struct choice){.next = {count, NULL},
                             .filter = &filter,
                             .registry = &registry,
                             .definitions = &definitions,
                             .interrupts = &interrupts};
}

TestSuite(choice, .init = set_up);

static void enter(uint32_t number)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_EVENT,
                                    .event = {.id = 3, .context = TXTAP_CONTEXT_IDLE, .info = {0, number}}};

    cr_assert_eq(choice_take(&choice, &item), TXTAP_OK);
}

Test(choice, an_interrupt_left_out_may_make_another_name_certain)
{
    enter(22);
    cr_assert_eq(passed, 0, "22 is the number of exception 22 or of interrupt 22, which is exception 38");
    cr_assert_eq(choice.undecided, 1);
    enter(38);
    cr_assert_eq(passed, 0);
    cr_assert_eq(choice.undecided, 1);
    enter(22);
    cr_assert_eq(passed, 1, "38 can only be an exception, so 22 is an exception, too");
}

Test(choice, an_interrupt_left_out_may_take_the_name_of_another)
{
    enter(38);
    enter(22);
    cr_assert_eq(passed, 1);
    enter(7);
    enter(22);
    cr_assert_eq(passed, 1, "7 has no handler with either meaning, so no name is certain");
    cr_assert_eq(choice.undecided, 2);
}

Test(choice, samples_pass_in_the_time_range)
{
    static const struct txtap_channel channel = {.name = "x"};
    struct txtap_item item = {.kind = TXTAP_ITEM_SAMPLE, .sample = {.channel = &channel, .text = ""}};

    filter.from_ticks = 5;
    filter.to_ticks = 7;
    for (item.sample.ticks = 0; item.sample.ticks < 10; item.sample.ticks++)
        cr_assert_eq(choice_take(&choice, &item), TXTAP_OK);
    cr_assert_eq(passed, 3);
    cr_assert_eq(choice.left_out, 0, "samples are no events");
}
