/* SPDX-License-Identifier: MIT */
/* The causes of full stacks and of blocks that are not released. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/made_trace.h"
#include "txtap/inner/why_memory.h"

#define MAKER 0x20000100u
#define A     0x20000200u
#define B     0x20000300u
#define POOL  0x20001000u
#define STACK 0x20008000u

static const char *name_of(const void *self, const struct txtap_subject *subject)
{
    (void)self;
    return subject->number == A ? "a" : subject->number == B ? "b" : subject->number == POOL ? "pond" : "";
}

static const struct txtap_finding_names names = {name_of, NULL};
static struct txtap_memory *memory;
static char text[TXTAP_MEMORY_TEXT_BYTES];

/* pairs: room for blocks */
static void begin_with_room(uint32_t pairs)
{
    const struct txtap_analysis_limits limits = {
        .threads = 64, .objects = 128, .pairs = pairs, .pages = 4096, .buckets = FIGURE_LIST_BUCKETS};
    static void *bytes;

    made_begin(&(struct txtap_analysis_options){0});
    free(bytes);
    bytes = malloc(txtap_memory_bytes(&limits));
    memory = txtap_memory_open(bytes, &limits, made_analysis());
}

static void begin(void)
{
    begin_with_room(512);
}

static struct txtap_subject thread(uint32_t address)
{
    return made_figure("cpu", address)->subject;
}

static struct txtap_subject pool(void)
{
    return made_figure("allocations", POOL)->subject;
}

/* ---- stacks ---- */

static void use(uint64_t ticks, uint32_t free_bytes)
{
    made_event(ticks, A, EVENT_THREAD_SUSPEND, A, REASON_SLEEP, STACK + free_bytes, MAKER);
}

static void make_stack(void)
{
    begin();
    made_event(0, MAKER, EVENT_THREAD_CREATE, A, 4, STACK, 512);
    use(10, 400);
    use(20, 450);
    use(30, 100);
    use(40, 300);
}

static const char *stack_text(struct txtap_stack_cause *cause)
{
    const struct txtap_subject a = thread(A);

    return txtap_memory_stack(memory, &a, cause) ? txtap_stack_cause_text(text, cause, &names, 0) : NULL;
}

Test(memory, a_stack_has_the_event_with_the_deepest_use_and_the_growth_since_the_event_before)
{
    struct txtap_stack_cause cause;

    make_stack();
    made_end();
    cr_assert_str_eq(stack_text(&cause),
                     "a used at least 412 of 512 bytes of its stack, at event 3 at tick 30 (Internal "
                     "Thread Suspend); the use grew most, by 350 bytes, from its event 2 to event 3");
    cr_assert_eq(cause.step_count, 2);
    cr_assert_eq(cause.steps[0].used, 112);
    cr_assert_eq(cause.steps[0].at.seq, 1);
}

Test(memory, the_newest_steps_are_kept)
{
    struct txtap_stack_cause cause;

    begin();
    made_event(0, MAKER, EVENT_THREAD_CREATE, A, 4, STACK, 512);
    for (uint32_t i = 0; i < 20; i++)
        use(10 + i, 500 - i);
    made_end();
    cr_assert_not_null(stack_text(&cause));
    cr_assert_eq(cause.step_count, TXTAP_STACK_STEPS);
    cr_assert_eq(cause.steps[TXTAP_STACK_STEPS - 1].used, 31);
    cr_assert_eq(cause.steps[0].used, 31 - TXTAP_STACK_STEPS + 1);
}

Test(memory, a_stack_pointer_outside_comes_first)
{
    struct txtap_stack_cause cause;

    make_stack();
    use(50, (uint32_t)-8);
    use(60, 600);
    made_end();
    cr_assert_str_eq(
        stack_text(&cause),
        "the stack pointer of a was outside its stack 2 times, first at event 5 at tick 50 (Internal Thread "
        "Suspend); a used at least 412 of 512 bytes of its stack, at event 3 at tick 30 (Internal Thread "
        "Suspend); the use grew most, by 350 bytes, from its event 2 to event 3");
}

Test(memory, the_kernels_value_replaces_a_smaller_value)
{
    const struct txtap_stack_use uses[] = {{A, STACK, 512, 500, false, "a"}};
    struct txtap_stack_cause cause;

    make_stack();
    made_stacks(uses, 1);
    made_end();
    cr_assert_str_eq(
        stack_text(&cause),
        "a used at least 500 of 512 bytes of its stack according to the kernel; the events show at most 412, "
        "at event 3 at tick 30 (Internal Thread Suspend); the use grew most, by 350 bytes, from its event 2 to event "
        "3");
}

Test(memory, a_thread_without_a_stack_has_no_cause)
{
    struct txtap_stack_cause cause;

    begin();
    made_event(0, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_event(5, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_null(stack_text(&cause));
}

/* ---- pools ---- */

static void allocate(uint64_t ticks, uint32_t owner, uint32_t block)
{
    made_event(ticks, owner, EVENT_BLOCK_ALLOCATE, POOL, block, 0, 4);
}

static const char *pool_text(struct txtap_pool_cause *cause)
{
    const struct txtap_subject pond = pool();

    cr_assert(txtap_memory_pool(memory, &pond, cause));
    return txtap_pool_cause_text(text, cause, &names, 0);
}

Test(memory, a_leak_names_the_thread_that_holds_most_and_its_oldest_block)
{
    struct txtap_pool_cause cause;

    begin();
    allocate(0, A, 0x30000000);
    allocate(1, A, 0x30000040);
    allocate(2, B, 0x30000080);
    made_event(3, B, EVENT_BLOCK_RELEASE, POOL, 0x30000000, 0, 0);
    allocate(4, A, 0x300000c0);
    allocate(5, A, 0); /* it waits: the event does not have its block */
    made_event(9, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_str_eq(pool_text(&cause),
                     "a allocated 3 blocks of pool pond, of which 2 were not released, since event 1 "
                     "at tick 1; other threads hold 1");
    cr_assert_eq(cause.holder_count, 2);
    cr_assert_eq(cause.holders[0].last.seq, 4);
    cr_assert_eq(cause.holders[1].held, 1);
}

Test(memory, a_gap_makes_a_leak_doubtful)
{
    struct txtap_pool_cause cause;

    begin();
    allocate(0, A, 0x30000000);
    made_gap(2);
    made_event(9, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_str_eq(pool_text(&cause),
                     "a allocated 1 block of pool pond and released none of them, since event 0 at tick "
                     "0; events were lost, so the trace may not show every release");
}

Test(memory, released_blocks_are_no_leak)
{
    struct txtap_pool_cause cause;

    begin();
    allocate(0, A, 0x30000000);
    made_event(3, B, EVENT_BLOCK_RELEASE, POOL, 0x30000000, 0, 0);
    made_event(9, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_assert_str_eq(pool_text(&cause), "pool pond: each block that the trace shows was released");
}

Test(memory, allocations_without_room_make_a_leak_doubtful)
{
    struct txtap_pool_cause cause;

    begin_with_room(2);
    for (uint32_t i = 0; i < 5; i++)
        allocate(i, A, 0x30000000 + 8 * i);
    made_event(6, B, EVENT_BLOCK_RELEASE, POOL, 0x30000000, 0, 0);
    made_event(7, B, EVENT_BLOCK_RELEASE, POOL, 0x30000008, 0, 0);
    made_event(9, A, EVENT_RUNNING, 0, 0, 0, 0);
    made_end();
    cr_expect_str_eq(pool_text(&cause),
                     "pool pond: each block that the trace shows was released; 3 allocations had no room in the table, "
                     "so their blocks may be held",
                     "%s", text);
    cr_expect_eq(cause.allocated, 2);
}
