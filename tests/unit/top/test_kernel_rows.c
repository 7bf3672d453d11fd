/* SPDX-License-Identifier: MIT */
/* Tests the rows and values that the lists of the kernel add to a state. TXTAP_UPDATE=1: writes
 * tests/data/top.kernel.expect. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top/top_sample.h"

static struct txtap_top_state state;
static struct txtap_top_kernel kernel;

static struct txtap_top_thread *kernel_thread(uint32_t address, const char *name)
{
    struct txtap_top_thread *thread = &kernel.threads[kernel.thread_count++];

    *thread = txtap_top_unknown_thread(address);
    txtap_top_name(thread->name, name);
    thread->priority = thread->base = 7;
    thread->state = TXTAP_TOP_WAITING;
    snprintf(thread->waits, sizeof thread->waits, "queue samples");
    thread->stack = 25;
    thread->stack_bytes = 1024;
    thread->stack_free = 768;
    thread->stack_exact = true;
    return thread;
}

static void set_up(void)
{
    top_sample(&state);
    kernel.thread_count = kernel.object_count = 0;
}

TestSuite(kernel_rows, .init = set_up);

static const struct txtap_top_thread *row_of(const char *name)
{
    for (size_t i = 0; i < state.thread_count; i++)
        if (strcmp(state.threads[i].name, name) == 0)
            return &state.threads[i];
    return NULL;
}

Test(kernel_rows, fill_in_a_thread_of_which_the_events_told_nothing)
{
    size_t count = state.thread_count;
    uint32_t id = row_of("0x20000600")->id;

    kernel_thread(0x20000600, "idle task");
    txtap_top_add_kernel(&state, &kernel);
    cr_assert_eq(state.thread_count, count);
    cr_assert_eq(row_of("idle task")->id, id, "it stays the chosen thread");
    cr_expect_eq(row_of("idle task")->state, TXTAP_TOP_WAITING);
    cr_expect(strcmp(row_of("idle task")->waits, "queue samples") == 0);
    cr_expect(row_of("idle task")->priority == 7 && row_of("idle task")->stack == 25);
}

Test(kernel_rows, keep_what_the_events_told)
{
    kernel_thread(0x20000200, "control");
    txtap_top_add_kernel(&state, &kernel);
    cr_expect(strcmp(row_of("control")->waits, "mutex model") == 0);
    cr_expect(row_of("control")->priority == 6);
}

Test(kernel_rows, show_the_larger_stack_figure_and_mark_only_the_kernel_s)
{
    kernel_thread(0x20000000, "System Timer Thr"); /* 9 % at events */
    kernel_thread(0x20000200, "control");          /* 43 % at events */
    txtap_top_add_kernel(&state, &kernel);
    cr_expect(row_of("System Timer Thr")->stack == 25 && row_of("System Timer Thr")->stack_exact);
    cr_expect(row_of("control")->stack == 43 && !row_of("control")->stack_exact);
}

Test(kernel_rows, do_not_mix_two_threads_at_an_address)
{
    size_t count = state.thread_count;

    kernel_thread(0x20000200, "other");
    txtap_top_add_kernel(&state, &kernel);
    cr_assert_eq(state.thread_count, count + 1);
    cr_expect(row_of("control")->stack == 43 && row_of("control")->runs < 0);
    cr_expect(row_of("other")->cpu < 0 && row_of("other")->run.max < 0, "only events tell this");
}

Test(kernel_rows, know_a_name_that_the_registry_has_cut)
{
    size_t count = state.thread_count;

    txtap_top_name(state.threads[2].name, "a thread, whose name has 31 byt");
    kernel_thread(0x20000200, "a thread, whose name has 31 bytes");
    txtap_top_add_kernel(&state, &kernel);
    cr_expect_eq(state.thread_count, count);
    cr_expect_not_null(row_of("a thread, whose name has 31 bytes"));
}

Test(kernel_rows, count_what_does_not_fit)
{
    for (uint32_t i = 0; i < TXTAP_TOP_THREADS; i++)
        kernel_thread(0x20010000 + 256 * i, "thread");
    kernel.object_count = TXTAP_TOP_OBJECTS;
    snprintf(state.kernel, sizeof state.kernel, "ThreadX");
    txtap_top_add_kernel(&state, &kernel);
    cr_expect_eq(state.thread_count, TXTAP_TOP_THREADS);
    cr_expect_eq(state.threads_more, 7);
    cr_expect_eq(state.objects_more, 3);
}

Test(kernel_rows, leave_the_objects_of_a_trace_alone)
{
    kernel.object_count = 2;
    txtap_top_add_kernel(&state, &kernel);
    cr_expect_eq(state.object_count, 3);
}

Test(kernel_rows, runs_per_second_survive_a_wrap_but_not_a_new_thread)
{
    const struct txtap_top_runs before = {0x20000000, UINT32_MAX - 9, 1000000};
    struct txtap_top_runs now = {0x20000000, 90, 3000000};
    double rate;

    cr_assert(txtap_top_runs_per_second(&before, &now, &rate));
    cr_expect(rate == 50);
    cr_expect(!txtap_top_runs_per_second(&now, &(struct txtap_top_runs){0x20000000, 3, 4000000}, &rate), "it fell");
    cr_expect(!txtap_top_runs_per_second(&before, &(struct txtap_top_runs){0x20000100, 90, 3000000}, &rate));
    now.us = before.us;
    cr_expect(!txtap_top_runs_per_second(&before, &now, &rate), "no time has passed");
}

/* A screen without a trace has the columns and lines that need no events, and no zeros for the others. */
Test(kernel_rows, a_screen_without_a_trace)
{
    static const struct txtap_top_object queue = {.type = TXTAP_OBJECT_QUEUE, .name = "samples", .now = "3/8"};
    static const struct txtap_top_view view = {.sort = TXTAP_TOP_SORT_STACK};
    static char cells[24 * 80], text[24 * 81 + 1], expected[sizeof text];
    struct txtap_top_screen screen = {24, 80, cells, NULL, 0};
    const char *path = TXTAP_TEST_DATA "/top.kernel.expect";
    size_t at = 0;
    FILE *file;

    memset(&state, 0, sizeof state);
    snprintf(state.source, sizeof state.source, "demo.elf");
    snprintf(state.condition, sizeof state.condition, "LIVE");
    snprintf(state.kernel, sizeof state.kernel, "ThreadX 6.4.2");
    state.gap_at = TXTAP_TOP_UNKNOWN;
    state.check_count = 1;
    snprintf(state.checks[0].text, sizeof state.checks[0].text, "stack(*) < 90%%");
    kernel_thread(0x20000000, "sampler")->runs = 100;
    kernel_thread(0x20000100, "control")->state = TXTAP_TOP_RUNNING;
    kernel.threads[1].stack_exact = false;
    kernel.threads[1].stack = 96;
    kernel_thread(0x20000200, "logger")->stack = 100;
    kernel_thread(0x20000300, "reporter")->stack = TXTAP_TOP_UNKNOWN;
    kernel.objects[0] = queue;
    kernel.object_count = 1;
    txtap_top_add_kernel(&state, &kernel);
    txtap_top_draw(&state, &view, &screen);
    for (size_t row = 0; row < 24; row++) {
        memcpy(text + at, cells + row * 80, 80);
        for (at += 80; at > 0 && text[at - 1] == ' ';)
            at--;
        text[at++] = '\n';
    }
    if (getenv("TXTAP_UPDATE")) {
        file = fopen(path, "w");
        cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    }
    file = fopen(path, "r");
    cr_assert(file != NULL, "%s", path);
    expected[fread(expected, 1, sizeof expected - 1, file)] = '\0';
    fclose(file);
    cr_assert(strcmp(text, expected) == 0, "%s: got\n%swant\n%s", path, text, expected);
}
