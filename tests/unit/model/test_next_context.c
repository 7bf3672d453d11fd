/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "model/tracex_reference.h"
#include "txtap/inner/next_context.h"

#define A 0x100u
#define B 0x200u
#define C 0x300u

enum id { RESUME = 1, SUSPEND = 2, ENTER = 3, EXIT = 4, SLICE = 5, GET = 52, RELINQUISH = 109 };

static struct txtap_next_context state;

static struct txtap_event event_in(enum txtap_context context, uint32_t thread, uint32_t id)
{
    return (struct txtap_event){.context = context, .thread = thread, .id = id};
}

static struct txtap_event of_thread(uint32_t thread, uint32_t id, uint32_t info1, uint32_t info4)
{
    struct txtap_event event = event_in(TXTAP_CONTEXT_THREAD, thread, id);

    event.info[0] = info1;
    event.info[3] = info4;
    return event;
}

/* Returns an event of an interrupt. interrupted: the interrupted thread, which newer kernels record; else 0. */
static struct txtap_event of_isr(uint32_t interrupted, uint32_t id, uint32_t info1, uint32_t info4)
{
    struct txtap_event event = of_thread(interrupted, id, info1, info4);

    event.context = interrupted != 0 ? TXTAP_CONTEXT_ISR : TXTAP_CONTEXT_IDLE;
    return event;
}

/* Steps through all events. expected: one letter for the context after each event. */
static void assert_nexts(const struct txtap_event *events, size_t count, const char *expected)
{
    char letters[64] = "";

    txtap_next_context_init(&state);
    for (size_t i = 0; i < count; i++) {
        struct txtap_next next;

        cr_assert_eq(txtap_next_context_step(&state, &events[i], count - i, false, &next), TXTAP_OK);
        if (next.runner == TXTAP_RUNNER_THREAD)
            letters[i] = next.thread == A ? 'A' : next.thread == B ? 'B' : next.thread == C ? 'C' : '?';
        else
            letters[i] = "-?in"[next.runner];
        cr_assert_eq(next.thread != 0, next.runner == TXTAP_RUNNER_THREAD);
    }
    cr_assert_str_eq(letters, expected);
}

#define ASSERT_NEXTS(expected, ...)                                                                                    \
    do {                                                                                                               \
        const struct txtap_event events[] = {__VA_ARGS__};                                                             \
        assert_nexts(events, sizeof(events) / sizeof(events[0]), expected);                                            \
    } while (0)

Test(next_context, after_a_suspension_the_kernels_next_thread_runs)
{
    ASSERT_NEXTS("B-", of_thread(A, SUSPEND, A, B), of_thread(B, SUSPEND, B, 0));
}

Test(next_context, a_suspension_followed_by_the_same_thread_is_priority_inheritance)
{
    ASSERT_NEXTS("AA", of_thread(A, SUSPEND, A, B), of_thread(A, GET, 0, 0));
    ASSERT_NEXTS("BA", of_thread(A, SUSPEND, C, B), of_thread(A, GET, 0, 0));
}

Test(next_context, a_resumed_thread_runs_if_the_kernel_says_so_or_if_its_event_is_the_next)
{
    ASSERT_NEXTS("BA", of_thread(A, RESUME, B, B), of_thread(A, GET, 0, 0));
    ASSERT_NEXTS("BB", of_thread(A, RESUME, B, 0), of_thread(B, GET, 0, 0));
    ASSERT_NEXTS("AC", of_thread(A, RESUME, B, 0), of_thread(C, GET, 0, 0));
    ASSERT_NEXTS("A", of_thread(A, RESUME, B, 0));
}

Test(next_context, an_interrupt_is_not_a_thread_switch)
{
    ASSERT_NEXTS("AA", of_thread(A, GET, 0, 0), of_isr(0, GET, 0, 0));
    ASSERT_NEXTS("BB", of_thread(A, GET, 0, 0), of_thread(B, GET, 0, 0));
}

Test(next_context, after_relinquish_the_named_thread_runs_or_the_next_recorded_thread)
{
    struct txtap_event named = of_thread(A, RELINQUISH, 0, 0);

    named.info[1] = B;
    ASSERT_NEXTS("BC", named, of_thread(C, GET, 0, 0));
    ASSERT_NEXTS("CC", of_thread(A, RELINQUISH, 0, 0), of_thread(C, GET, 0, 0));
    ASSERT_NEXTS("A", of_thread(A, RELINQUISH, 0, 0));
}

Test(next_context, after_relinquish_no_thread_resumed_or_suspended_meanwhile_runs)
{
    ASSERT_NEXTS("ACC", of_thread(A, RELINQUISH, 0, 0), of_isr(0, RESUME, C, C), of_thread(C, GET, 0, 0));
    ASSERT_NEXTS("ACC", of_thread(A, RELINQUISH, 0, 0), of_isr(0, SUSPEND, C, B), of_thread(C, GET, 0, 0));
    ASSERT_NEXTS("CCC", of_thread(A, RELINQUISH, 0, 0), of_isr(0, RESUME, B, B), of_thread(C, GET, 0, 0));
}

Test(next_context, between_enter_and_exit_the_interrupt_runs)
{
    ASSERT_NEXTS("AiiAA", of_thread(A, GET, 0, 0), of_isr(0, ENTER, 0, 0), of_isr(0, GET, 0, 0), of_isr(0, EXIT, 0, 0),
                 of_thread(A, GET, 0, 0));
}

Test(next_context, the_interrupted_thread_of_an_entered_interrupt_waits_for_its_end)
{
    ASSERT_NEXTS("BiiBB", of_thread(B, GET, 0, 0), of_isr(B, ENTER, 0, 0), of_isr(B, GET, 0, 0), of_isr(B, EXIT, 0, 0),
                 of_thread(B, GET, 0, 0));
}

Test(next_context, a_thread_event_shows_that_all_interrupts_have_ended)
{
    ASSERT_NEXTS("iABB", of_isr(0, ENTER, 0, 0), of_thread(A, GET, 0, 0), of_isr(0, RESUME, B, B),
                 of_thread(B, GET, 0, 0));
}

Test(next_context, a_nested_interrupt_ends_in_the_outer_one)
{
    ASSERT_NEXTS("iiiB", of_isr(0, ENTER, 0, 0), of_isr(0, ENTER, 0, 0), of_isr(0, EXIT, 0, 0),
                 of_thread(B, SUSPEND, B, B));
}

Test(next_context, an_exit_without_its_enter_ends_the_interrupt)
{
    ASSERT_NEXTS("BB", of_isr(0, EXIT, 0, 0), of_thread(B, GET, 0, 0));
}

Test(next_context, an_interrupt_without_enter_returns_to_the_thread_it_resumed)
{
    ASSERT_NEXTS("ABB", of_thread(A, GET, 0, 0), of_isr(0, RESUME, B, B), of_isr(0, GET, 0, 0));
    ASSERT_NEXTS("ACC", of_thread(A, GET, 0, 0), of_isr(0, SLICE, C, 0), of_isr(0, GET, 0, 0));
    ASSERT_NEXTS("A--", of_thread(A, GET, 0, 0), of_isr(0, SUSPEND, A, 0), of_isr(0, GET, 0, 0));
}

Test(next_context, the_first_recorded_of_interrupted_and_resumed_thread_ran)
{
    ASSERT_NEXTS("ABCBB", of_thread(A, GET, 0, 0), of_isr(0, RESUME, B, 0), of_isr(0, GET, 0, 0),
                 of_thread(C, GET, 0, 0), of_thread(B, GET, 0, 0));
    ASSERT_NEXTS("AACABB", of_thread(A, GET, 0, 0), of_isr(0, RESUME, B, 0), of_isr(0, GET, 0, 0),
                 of_thread(C, SUSPEND, C, A), of_thread(A, GET, 0, 0), of_thread(B, GET, 0, 0));
}

Test(next_context, an_interrupt_that_resumes_is_followed_by_the_next_interrupt)
{
    ASSERT_NEXTS("iC", of_isr(0, GET, 0, 0), of_isr(0, RESUME, C, C));
}

Test(next_context, the_thread_that_an_interrupt_names_ran_before_it)
{
    ASSERT_NEXTS("BB", of_thread(A, GET, 0, 0), of_isr(B, GET, 0, 0));
    ASSERT_NEXTS("CAA", of_isr(B, GET, 0, 0), of_isr(C, GET, 0, 0), of_thread(A, GET, 0, 0));
    ASSERT_NEXTS("AA", of_thread(A, GET, 0, 0), of_isr(UINT32_MAX, GET, 0, 0));
}

/* Deviation: the reference begins with the third event (its condition is i > 1), so its second row is wrong. */
Test(next_context, the_thread_that_an_interrupt_names_ran_before_it_also_at_the_start)
{
    ASSERT_NEXTS("BB", event_in(TXTAP_CONTEXT_INIT, 0, GET), of_isr(B, GET, 0, 0));
}

Test(next_context, initialization_lasts_until_a_thread_runs)
{
    ASSERT_NEXTS("nBB", event_in(TXTAP_CONTEXT_INIT, 0, GET), event_in(TXTAP_CONTEXT_INIT, 0, GET),
                 of_thread(B, GET, 0, 0));
    ASSERT_NEXTS("-", event_in(TXTAP_CONTEXT_INIT, 0, GET));
}

Test(next_context, each_core_has_its_own_stream)
{
    struct txtap_event second = of_thread(B, GET, 0, 0), second_next = of_thread(C, GET, 0, 0);

    second.core = 1;
    second_next.core = 1;
    ASSERT_NEXTS("ACAC", of_thread(A, GET, 0, 0), second, of_thread(A, GET, 0, 0), second_next);
}

/* Deviation: the reference assumes priority inheritance, although the other core resumed the thread. */
Test(next_context, on_several_cores_a_thread_that_suspended_itself_stopped)
{
    struct txtap_event sleeps = of_thread(B, SUSPEND, B, 0), inherits = of_thread(B, SUSPEND, B, 0);
    struct txtap_event runs = of_thread(B, GET, 0, 0);

    inherits.info[1] = 14;
    sleeps.core = inherits.core = runs.core = 1;
    ASSERT_NEXTS("A-BBB", of_thread(A, GET, 0, 0), sleeps, runs, inherits, runs);
}

Test(next_context, an_undecided_window_requests_more_and_changes_nothing)
{
    const struct txtap_event events[] = {of_isr(A, RESUME, B, 0), of_isr(A, ENTER, 0, 0), of_thread(B, GET, 0, 0)};
    struct txtap_next_context before = state;
    struct txtap_next next = {TXTAP_RUNNER_INIT, 7};

    cr_assert_eq(txtap_next_context_step(&state, events, 1, true, &next), TXTAP_AGAIN);
    cr_assert_eq(txtap_next_context_step(&state, events, 2, true, &next), TXTAP_AGAIN);
    cr_assert_eq(memcmp(&state, &before, sizeof(state)), 0);
    cr_assert(next.runner == TXTAP_RUNNER_INIT && next.thread == 7);
    cr_assert_eq(txtap_next_context_step(&state, events, 3, true, &next), TXTAP_OK);
}

Test(next_context, it_never_looks_further_ahead_than_its_limit)
{
    static struct txtap_event events[TXTAP_NEXT_CONTEXT_LOOK_AHEAD + 1];
    struct txtap_next next;

    for (size_t i = 0; i < TXTAP_NEXT_CONTEXT_LOOK_AHEAD; i++)
        events[i] = of_isr(0, RESUME, B, 0);
    events[TXTAP_NEXT_CONTEXT_LOOK_AHEAD] = of_thread(B, GET, 0, 0);
    cr_assert_eq(txtap_next_context_step(&state, events, TXTAP_NEXT_CONTEXT_LOOK_AHEAD + 1, true, &next), TXTAP_OK);
    cr_assert_eq(state.core[0].current, 0, "B is past the limit");
    cr_assert_eq(txtap_next_context_step(&state, events + 1, TXTAP_NEXT_CONTEXT_LOOK_AHEAD, true, &next), TXTAP_OK);
    cr_assert_eq(state.core[0].current, B);
}

Test(next_context, growing_windows_give_the_result_of_the_whole_trace)
{
    static struct decoded decoded;

    for (size_t s = 0; s < SAMPLES; s++) {
        struct txtap_next_context whole = {0}, stream = {0};

        decoded_load(&decoded, s);
        for (size_t i = 0; i < decoded.count; i++) {
            size_t left = decoded.count - i, window = 1;
            struct txtap_next expected, next;

            cr_assert_eq(txtap_next_context_step(&whole, &decoded.events[i], left, false, &expected), TXTAP_OK);
            while (txtap_next_context_step(&stream, &decoded.events[i], window, window < left, &next) == TXTAP_AGAIN)
                window++;
            cr_assert(next.runner == expected.runner && next.thread == expected.thread, "%s: event %zu",
                      decoded.sample.name, i);
            cr_assert_leq(window, left);
        }
    }
}
