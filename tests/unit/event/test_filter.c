/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "txtap/definitions.h"
#include "txtap/filter.h"
#include "txtap/inner/pattern.h"

#define THREAD 0x100u
#define QUEUE  0x200u

static struct txtap_object objects[2];
static struct txtap_registry registry;
static struct txtap_filter filter;
static struct txtap_event event;
static const char *interrupt; /* name of the event's interrupt */

static void set_up(void)
{
    memset(objects, 0, sizeof(objects));
    objects[0] =
        (struct txtap_object){.pointer = THREAD, .type = TXTAP_OBJECT_THREAD, .live = true, .name = "producer"};
    objects[1] = (struct txtap_object){.pointer = QUEUE, .type = TXTAP_OBJECT_QUEUE, .live = true, .name = "samples"};
    txtap_registry_init(&registry, objects, 2);
    registry.count = 2;
    txtap_filter_init(&filter);
    event = (struct txtap_event){.id = 69, .thread = THREAD, .info = {QUEUE, 0x20000f3c, 0, 3}, .ticks = 1000};
}

TestSuite(filter, .init = set_up);

static bool passes(void)
{
    return txtap_filter_passes(&filter, &registry, &event, txtap_event_find(event.id, 0), interrupt);
}

static void add(enum txtap_filter_kind kind, const char *pattern)
{
    cr_assert_eq(txtap_filter_add(&filter, kind, pattern), TXTAP_OK);
}

static bool passes_only(enum txtap_filter_kind kind, const char *pattern)
{
    txtap_filter_init(&filter);
    add(kind, pattern);
    return passes();
}

Test(filter, an_empty_filter_passes_everything)
{
    cr_assert(passes());
    event.ticks = UINT64_MAX;
    event.id = 199;
    event.context = TXTAP_CONTEXT_INIT;
    cr_assert(passes());
}

Test(filter, a_thread_is_known_by_name_pattern_or_address)
{
    cr_assert(passes_only(TXTAP_FILTER_THREAD, "producer"));
    cr_assert(passes_only(TXTAP_FILTER_THREAD, "prod*"));
    cr_assert(passes_only(TXTAP_FILTER_THREAD, "0x100"));
    cr_assert(passes_only(TXTAP_FILTER_THREAD, "256"));
    cr_assert_not(passes_only(TXTAP_FILTER_THREAD, "consumer"));
    cr_assert_not(passes_only(TXTAP_FILTER_THREAD, "0x101"));
    cr_assert_not(passes_only(TXTAP_FILTER_THREAD, "samples"));
}

Test(filter, an_interrupt_belongs_to_the_interrupted_thread_and_no_other_context_has_a_thread)
{
    add(TXTAP_FILTER_THREAD, "producer");
    event.context = TXTAP_CONTEXT_ISR;
    cr_assert(passes());
    event.context = TXTAP_CONTEXT_INIT;
    cr_assert_not(passes());
    event.context = TXTAP_CONTEXT_IDLE;
    cr_assert_not(passes());
}

Test(filter, a_thread_without_a_name_is_known_only_by_its_address)
{
    objects[0].name[0] = '\0';
    cr_assert(passes_only(TXTAP_FILTER_THREAD, "0x100"));
    cr_assert_not(passes_only(TXTAP_FILTER_THREAD, "*"));
}

static bool undecided_with(enum txtap_filter_kind kind, const char *pattern)
{
    return !passes_only(kind, pattern) &&
           txtap_filter_undecided(&filter, &registry, &event, txtap_event_find(event.id, 0), interrupt);
}

/* An object with this name was at the address, but at another time. */
Test(filter, a_possible_name_of_the_object_at_an_address_matches)
{
    objects[0].from_seq = objects[1].from_seq = 500;
    event.seq = 400;
    cr_assert(passes_only(TXTAP_FILTER_THREAD, "producer"));
    cr_assert(passes_only(TXTAP_FILTER_OBJECT, "samples"));
    cr_assert_not(passes_only(TXTAP_FILTER_OBJECT, "producer"), "of another type");
    cr_assert(undecided_with(TXTAP_FILTER_THREAD, "consumer"));
    cr_assert(undecided_with(TXTAP_FILTER_OBJECT, "letters"));
    cr_assert_not(undecided_with(TXTAP_FILTER_THREAD, "0x101"), "an address is known");
    event.seq = 500;
    cr_assert_not(undecided_with(TXTAP_FILTER_THREAD, "consumer"));
    cr_assert_not(undecided_with(TXTAP_FILTER_OBJECT, "letters"));
}

Test(filter, an_event_is_undecided_only_if_nothing_else_leaves_it_out)
{
    event.thread = 0x300;
    add(TXTAP_FILTER_THREAD, "consumer");
    add(TXTAP_FILTER_EVENT, "tx_queue_send");
    cr_assert(txtap_filter_undecided(&filter, &registry, &event, txtap_event_find(event.id, 0), interrupt));
    add(TXTAP_FILTER_THREAD, "0x300");
    cr_assert(passes());
    cr_assert_not(txtap_filter_undecided(&filter, &registry, &event, txtap_event_find(event.id, 0), interrupt));
    event.id = 68;
    cr_assert_not(txtap_filter_undecided(&filter, &registry, &event, txtap_event_find(event.id, 0), interrupt));
}

Test(filter, a_thread_whose_name_is_a_number_is_found_by_it)
{
    strcpy(objects[0].name, "7");
    cr_assert(passes_only(TXTAP_FILTER_THREAD, "7"));
}

Test(filter, an_event_is_known_by_name_symbol_or_id)
{
    cr_assert(passes_only(TXTAP_FILTER_EVENT, "tx_queue_send"));
    cr_assert(passes_only(TXTAP_FILTER_EVENT, "tx_queue_*"));
    cr_assert(passes_only(TXTAP_FILTER_EVENT, "TX_TRACE_QUEUE_SEND"));
    cr_assert(passes_only(TXTAP_FILTER_EVENT, "69"));
    cr_assert(passes_only(TXTAP_FILTER_EVENT, "0x45"));
    cr_assert_not(passes_only(TXTAP_FILTER_EVENT, "tx_queue_receive"));
    cr_assert_not(passes_only(TXTAP_FILTER_EVENT, "6"));
    event.id = 199;
    cr_assert(passes_only(TXTAP_FILTER_EVENT, "199"));
    cr_assert_not(passes_only(TXTAP_FILTER_EVENT, "*"), "an unknown event has no name");
}

Test(filter, an_object_is_searched_in_the_fields_that_point_to_objects)
{
    cr_assert(passes_only(TXTAP_FILTER_OBJECT, "samples"));
    cr_assert(passes_only(TXTAP_FILTER_OBJECT, "0x200"));
    cr_assert(passes_only(TXTAP_FILTER_OBJECT, "0x20000f3c"), "the address of a message is one too");
    cr_assert_not(passes_only(TXTAP_FILTER_OBJECT, "3"), "a count is no address");
    cr_assert_not(passes_only(TXTAP_FILTER_OBJECT, "0"));
    cr_assert_not(passes_only(TXTAP_FILTER_OBJECT, "producer"), "the context is not an object of the event");
    event.info[0] = THREAD; /* the word is a queue, but its address was a thread's address */
    cr_assert_not(passes_only(TXTAP_FILTER_OBJECT, "producer"));
    event.id = 199;
    cr_assert_not(passes_only(TXTAP_FILTER_OBJECT, "*"));
}

Test(filter, rules_of_one_kind_are_alternatives_and_kinds_must_agree)
{
    add(TXTAP_FILTER_THREAD, "consumer");
    cr_assert_not(passes());
    add(TXTAP_FILTER_THREAD, "producer");
    cr_assert(passes());
    add(TXTAP_FILTER_EVENT, "tx_queue_receive");
    cr_assert_not(passes());
    add(TXTAP_FILTER_EVENT, "tx_queue_send");
    cr_assert(passes());
    add(TXTAP_FILTER_OBJECT, "other");
    cr_assert_not(passes());
}

Test(filter, contexts_are_alternatives_and_isr_means_any_interrupt)
{
    cr_assert(txtap_filter_add_context(&filter, "isr"));
    cr_assert_not(passes());
    event.context = TXTAP_CONTEXT_IDLE;
    cr_assert(passes());
    event.context = TXTAP_CONTEXT_ISR;
    cr_assert(passes());
    txtap_filter_init(&filter);
    cr_assert(txtap_filter_add_context(&filter, "idle"));
    cr_assert_not(passes());
    cr_assert(txtap_filter_add_context(&filter, "init"));
    event.context = TXTAP_CONTEXT_INIT;
    cr_assert(passes());
    cr_assert(txtap_filter_add_context(&filter, "thread"));
    event.context = TXTAP_CONTEXT_THREAD;
    cr_assert(passes());
    cr_assert_not(txtap_filter_add_context(&filter, "threads"));
    cr_assert_not(txtap_filter_add_context(&filter, ""));
}

Test(filter, from_and_to_are_included)
{
    filter.from_ticks = 1000;
    filter.to_ticks = 1000;
    cr_assert(passes());
    event.ticks = 999;
    cr_assert_not(passes());
    event.ticks = 1001;
    cr_assert_not(passes());
}

Test(filter, more_rules_than_fit_are_refused)
{
    for (size_t i = 0; i < TXTAP_FILTER_RULES_MAX; i++)
        add(TXTAP_FILTER_EVENT, "x");
    cr_assert_eq(txtap_filter_add(&filter, TXTAP_FILTER_EVENT, "x"), TXTAP_ERROR_SPACE);
}

Test(pattern, stars_and_question_marks_match_as_in_a_shell)
{
    static const struct {
        const char *pattern, *text;
        bool matches;
    } cases[] = {
        {"", "", true},
        {"", "a", false},
        {"a", "", false},
        {"*", "", true},
        {"*", "abc", true},
        {"a*c", "abc", true},
        {"a*c", "ac", true},
        {"a*c", "abcd", false},
        {"*b*", "abc", true},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"?", "", false},
        {"*.*.", "a.b.c.", true},
        {"a**b", "axxb", true},
        {"*ab", "aab", true},
        {"*aab", "aaab", true},
        {"[a-c]x", "bx", true},
        {"[a-c]x", "dx", false},
        {"[!a-c]x", "dx", true},
        {"[^a-c]x", "ax", false},
        {"[]]", "]", true},
        {"[a-]", "-", true},
        {"[abc", "[abc", true},
        {"[abc", "a", false},
        {"\\*", "*", true},
        {"\\*", "a", false},
        {"a\\", "a\\", true},
        {"[\\]]", "]", true},
        {"[!]]", "a", true},
        {"[", "[", true},
        {"[a-", "[a-", true},
        {"a[*]b", "a*b", true},
        {"A", "a", true},
        {"tx_QUEUE_*", "TX_queue_send", true},
        {"[A-C]x", "bX", true},
        {"[!A-C]x", "bx", false},
        {"@", "`", false}, /* these characters differ only in the bit for upper case, but are no letters */
        {"[", "{", false},
        {"\xC3*", "\xC3\xA9", true},
        {"[\x80-\xFF]", "\xC3", true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        cr_assert_eq(txtap_pattern_matches(cases[i].pattern, cases[i].text), cases[i].matches, "'%s' on '%s'",
                     cases[i].pattern, cases[i].text);
}

Test(pattern, many_stars_take_time_linear_in_stars_and_text)
{
    static char pattern[4001], text[4001];

    for (size_t i = 0; i < 2000; i++)
        memcpy(pattern + 2 * i, "*a", 2);
    pattern[3999] = 'b';
    memset(text, 'a', 4000);
    cr_assert_not(txtap_pattern_matches(pattern, text), "with backtracking over all stars this would not end");
}

Test(filter, an_interrupt_is_known_by_name_pattern_or_number)
{
    event = (struct txtap_event){.id = 3, .context = TXTAP_CONTEXT_ISR, .info = {0x200, 28}};
    interrupt = "TIM2_IRQHandler";
    cr_assert(passes_only(TXTAP_FILTER_INTERRUPT, "TIM2_IRQHandler"));
    cr_assert(passes_only(TXTAP_FILTER_INTERRUPT, "tim?_*"));
    cr_assert(passes_only(TXTAP_FILTER_INTERRUPT, "28"));
    cr_assert(passes_only(TXTAP_FILTER_INTERRUPT, "0x1c"));
    cr_assert_not(passes_only(TXTAP_FILTER_INTERRUPT, "TIM3_IRQHandler"));
    cr_assert_not(passes_only(TXTAP_FILTER_INTERRUPT, "44"));
    event.id = 4;
    cr_assert(passes_only(TXTAP_FILTER_INTERRUPT, "TIM2_IRQHandler"));
    event.id = 69;
    cr_assert_not(passes_only(TXTAP_FILTER_INTERRUPT, "28"), "the word of another event");
}

Test(filter, an_interrupt_without_a_known_name_may_match_a_name)
{
    event = (struct txtap_event){.id = 3, .context = TXTAP_CONTEXT_ISR, .info = {0x200, 28}};
    interrupt = NULL;
    cr_assert(undecided_with(TXTAP_FILTER_INTERRUPT, "TIM2_IRQHandler"));
    cr_assert_not(undecided_with(TXTAP_FILTER_INTERRUPT, "44"), "a number is known");
    cr_assert(passes_only(TXTAP_FILTER_INTERRUPT, "28"));
    interrupt = "TIM3_IRQHandler";
    cr_assert_not(undecided_with(TXTAP_FILTER_INTERRUPT, "TIM2_IRQHandler"));
    event.id = 69;
    cr_assert_not(undecided_with(TXTAP_FILTER_INTERRUPT, "TIM2_IRQHandler"), "it enters no interrupt");
}

Test(filter, an_interrupt_that_a_definition_replaces_does_not_match)
{
    const struct txtap_definition definition = {.info = {.definition = &definition, .name = "own", .symbol = ""}};

    event = (struct txtap_event){.id = 3, .info = {0, 28}};
    txtap_filter_init(&filter);
    add(TXTAP_FILTER_INTERRUPT, "28");
    cr_assert_not(txtap_filter_passes(&filter, &registry, &event, &definition.info, NULL));
}
