/* SPDX-License-Identifier: MIT */
/* Stacks: what the events showed, and what the kernel tells at the end. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "analysis/made_trace.h"

#define MAKER 0x20000100u
#define A     0x20000200u
#define B     0x20000300u
#define STACK 0x20008000u

/* A thread with a stack of 512 bytes, of which an event shows 128 in use. */
static void begin(void)
{
    made_begin(&(struct txtap_analysis_options){0});
    made_event(10, MAKER, EVENT_THREAD_CREATE, A, 4, STACK, 512);
    made_event(30, MAKER, EVENT_THREAD_RELINQUISH, 0, A, 0, 0);
    made_event(60, A, EVENT_THREAD_SUSPEND, A, REASON_SLEEP, STACK + 384, MAKER);
    made_event(90, MAKER, EVENT_RUNNING, 0, 0, 0, 0);
}

static void is_kernel(const char *name, uint32_t subject, double value, double lower, double upper)
{
    const struct txtap_figure *figure = made_figure(name, subject);

    cr_assert_not_null(figure, "%s", name);
    cr_expect_str_eq(figure->detail, "kernel");
    cr_expect_eq(figure->stat[TXTAP_STAT_VALUE].value, value, "%s: %g", name, figure->stat[TXTAP_STAT_VALUE].value);
    cr_expect_eq(figure->stat[TXTAP_STAT_VALUE].lower, lower);
    cr_expect_eq(figure->stat[TXTAP_STAT_VALUE].upper, upper);
}

Test(stack_use, without_the_kernel_have_the_value_of_the_events)
{
    begin();
    made_end();
    cr_expect_eq(made_stat("stack_used_bytes", A, TXTAP_STAT_VALUE), 128);
    cr_expect_str_eq(made_figure("stack_used", A)->detail, "");
    cr_expect_null(made_figure("stack_seen_bytes", A));
}

Test(stack_use, have_the_value_of_the_kernel_beside_the_value_of_the_events)
{
    const struct txtap_stack_use use = {A, STACK, 512, 256, true, "a"};

    begin();
    made_gap(100);
    made_event(200, MAKER, EVENT_RUNNING, 0, 0, 0, 0);
    made_stacks(&use, 1);
    made_end();
    is_kernel("stack_used", A, 50, 50, 50);
    is_kernel("stack_used_bytes", A, 256, 256, 256);
    is_kernel("stack", A, 50, 50, 50);
    is_kernel("stack_bytes", A, 256, 256, 256);
    cr_expect_eq(made_stat("stack_size", A, TXTAP_STAT_VALUE), 512);
    cr_expect_eq(made_stat("stack_seen_bytes", A, TXTAP_STAT_VALUE), 128);
    cr_expect(made_figure("stack_seen_bytes", A)->max_at.known);
}

Test(stack_use, that_the_kernel_told_in_part_have_bounds)
{
    const struct txtap_stack_use use = {A, STACK, 512, 64, false, "a"};

    begin();
    made_stacks(&use, 1);
    made_end();
    is_kernel("stack_used_bytes", A, 128, 128, 512); /* an event showed more */
    is_kernel("stack_bytes", A, 384, 0, 384);
}

Test(stack_use, of_another_thread_at_the_address_are_not_mixed)
{
    const struct txtap_stack_use uses[] = {{A, STACK + 512, 512, 256, true, "other"}, {A, STACK, 256, 256, true, "x"}};

    begin();
    made_stacks(uses, 2);
    made_end();
    cr_expect_eq(made_figure("stack_used_bytes", A)->stat[TXTAP_STAT_VALUE].value, 128);
    cr_expect_str_eq(made_figure("stack_used_bytes", A)->detail, "");
}

Test(stack_use, of_threads_without_events_have_the_kernel_s_name)
{
    const struct txtap_stack_use use = {B, STACK + 512, 1024, 1000, true, "idle"};

    begin();
    made_stacks(&use, 1);
    made_end();
    cr_assert_not_null(made_life("stack_used_bytes", B, 1));
    cr_expect_str_eq(made_life("stack_used_bytes", B, 1)->subject.name, "idle");
    cr_expect_eq(made_life("stack_used_bytes", B, 1)->stat[TXTAP_STAT_VALUE].value, 1000);
    cr_expect_eq(made_findings()->count, 1, "more than 90 %% is a finding");
}

Test(stack_use, are_known_without_any_event)
{
    const struct txtap_stack_use use = {B, STACK, 1024, 512, true, "idle"};

    made_begin(&(struct txtap_analysis_options){0});
    made_stacks(&use, 1);
    made_end();
    cr_assert_not_null(made_life("stack_used", B, 1));
    cr_expect_eq(made_life("stack_used", B, 1)->stat[TXTAP_STAT_VALUE].value, 50);
}

Test(stack_use, are_the_same_after_a_recording)
{
    const struct txtap_stack_use uses[] = {{A, STACK, 512, 256, true, "a b"}, {B, STACK + 512, 1024, 0, false, "x\ny"}};
    static struct txtap_stack_use taken[TXTAP_STACKS_MAX];
    static char text[TXTAP_STACKS_TEXT_BYTES];
    size_t length = txtap_stacks_put(text, uses, 2);

    cr_assert_eq(length, strlen(text));
    cr_assert_eq(txtap_stacks_take(taken, text), 2);
    cr_expect(taken[0].thread == A && taken[0].start == STACK && taken[0].bytes == 512 && taken[0].used == 256);
    cr_expect(taken[0].exact && !taken[1].exact && taken[1].used == 0);
    cr_expect_str_eq(taken[0].name, "a b");
    cr_expect_str_eq(taken[1].name, "x?y");
}

Test(stack_use, in_lines_of_another_form_are_ignored)
{
    static const char *const lines[] = {
        "",
        "20000200\n",
        "20000200 20008000 512 256 exact name",    /* without an end */
        "20000200 20008000 512 256 exact\n",       /* without a name */
        "20000200 20008000 512 256 about name\n",  /* neither exact nor least */
        "20000200 20008000 512 513 exact name\n",  /* more than the size */
        "20000200 20008000 0 0 exact name\n",      /* no size */
        "120000200 20008000 512 256 exact name\n", /* more than 32 bits */
        "20000200  20008000 512 256 exact name\n", /* two blanks */
        "20000200 20008000 512 0x10 exact name\n",
    };
    static struct txtap_stack_use taken[TXTAP_STACKS_MAX];

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect_eq(txtap_stacks_take(taken, lines[i]), 0, "%s", lines[i]);
    cr_expect_eq(txtap_stacks_take(taken, "?\n20000200 20008000 512 256 exact \n"), 1);
}
