/* SPDX-License-Identifier: MIT */
/* How much of a stack was used: the scan of a stack over one or several walks. */
#include <criterion/criterion.h>
#include <string.h>

#include "kernel/kernel_model.h"
#include "seeds.h"

#define THREAD  TXTAP_OBJECT_THREAD
#define FILL    0xEFEFEFEFu
#define ALL     (1u << 20) /* bytes of stacks in a walk */
#define BIG     (MODEL_RAM + 0x1C000u)
#define BIG_END (MODEL_RAM + 0x20000u)

static struct model *model;
static uint32_t thread, start, end;

static void fill(uint32_t from, uint32_t to, uint32_t word)
{
    for (uint32_t at = from; at < to; at += 4)
        model_poke(model, at, word);
}

static void set(unsigned value, uint32_t word)
{
    model_poke(model, model_member(model, THREAD, thread, value), word);
}

/* Gives the thread this stack, filled and unused; its saved pointer is at the end. */
static void give_stack(uint32_t from, uint32_t to)
{
    start = from;
    end = to;
    set(KERNEL_STACK_START, from);
    set(KERNEL_STACK_SIZE, to - from);
    set(KERNEL_STACK_POINTER, to);
    fill(from, to, FILL);
}

static void open_model(void)
{
    model = model_open(0);
    thread = model_create(model, THREAD, 0, 0);
    give_stack(BIG, BIG_END);
}

static void close_model(void)
{
    model_close(model);
}

TestSuite(kernel_stacks, .init = open_model, .fini = close_model);

static const struct txtap_kernel_object *walk(uint32_t bytes)
{
    const struct txtap_kernel_object *object;

    model_walk(model, TXTAP_KERNEL_THREADS, bytes);
    object = txtap_kernel_find(model->kernel, thread);
    cr_assert_not_null(object);
    return object;
}

/* Uses the stack from its end down to this number of bytes. */
static void use(uint32_t bytes)
{
    fill(end - bytes, end, 0x12345678);
}

#define expect_peak(object, bytes)                                                                                     \
    cr_assert(txtap_kernel_knows(object, KERNEL_STACK_PEAK) && (object)->values[KERNEL_STACK_PEAK] == (bytes) &&       \
                  !(object)->peak_at_least,                                                                            \
              "peak %s: %u%s", txtap_kernel_knows(object, KERNEL_STACK_PEAK) ? "known" : "unknown",                    \
              (object)->values[KERNEL_STACK_PEAK], (object)->peak_at_least ? " at least" : "")

Test(kernel_stacks, the_deepest_use_is_the_first_word_that_was_written)
{
    static const uint32_t depths[] = {4, 8, 60, 64, 68, 1020, 1024, 1028, 8192, 0x4000 - 4, 0x4000};

    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        const struct txtap_kernel_object *object;

        use(depths[i]); /* each use is deeper than the last */
        object = walk(ALL);
        expect_peak(object, depths[i]);
        cr_assert_eq(object->values[KERNEL_STACK_FREE], end - start - depths[i]);
    }
}

/* A function that reserves memory without writing to it leaves a hole of fill words. A search that halves the stack
 * would take the upper end of a hole for the deepest use. */
Test(kernel_stacks, holes_do_not_hide_the_deepest_use)
{
    uint64_t random = 7;

    for (unsigned turn = 0; turn < 100; turn++) {
        uint32_t deepest = 4 + 4 * next_random(&random, 0x1000 - 1), hole = 4 * next_random(&random, deepest / 4);

        close_model();
        open_model();
        use(deepest);
        fill(end - hole, end, FILL); /* only the words below the hole were written */
        model_poke(model, end - 4, 1);
        expect_peak(walk(ALL), deepest);
    }
}

Test(kernel_stacks, a_stack_that_was_used_to_its_last_word_has_no_free_bytes)
{
    const struct txtap_kernel_object *object;
    uint32_t other = model_create(model, THREAD, 1, 1); /* another stack shows that the firmware fills stacks */

    (void)other;
    fill(MODEL_RAM + 0x10000 + 1024, MODEL_RAM + 0x10000 + 2048, FILL);
    use(end - start);
    object = walk(ALL);
    expect_peak(object, end - start);
    cr_assert_eq(object->values[KERNEL_STACK_FREE], 0);
}

Test(kernel_stacks, a_stack_without_fill_has_no_known_use)
{
    const struct txtap_kernel_object *object;

    fill(start, end, 0);
    object = walk(ALL);
    cr_assert_not(txtap_kernel_fills_stacks(model->kernel));
    cr_assert_not(txtap_kernel_knows(object, KERNEL_STACK_PEAK));
    cr_assert_not(txtap_kernel_knows(object, KERNEL_STACK_FREE));
}

Test(kernel_stacks, the_saved_pointer_counts_as_use)
{
    const struct txtap_kernel_object *object;

    use(100);
    set(KERNEL_STACK_POINTER, end - 256); /* reserved, but not written */
    object = walk(ALL);
    expect_peak(object, 256);
    cr_assert(txtap_kernel_knows(object, KERNEL_STACK_USED) && object->values[KERNEL_STACK_USED] == 256);
}

Test(kernel_stacks, the_pointer_of_the_running_thread_is_old)
{
    const struct txtap_kernel_object *object;

    use(100);
    set(KERNEL_STACK_POINTER, end - 256);
    model_poke(model, model_variable(model, "_tx_thread_current_ptr"), thread);
    object = walk(ALL);
    expect_peak(object, 100);
    cr_assert_not(txtap_kernel_knows(object, KERNEL_STACK_USED));
}

Test(kernel_stacks, a_pointer_outside_the_stack_is_ignored)
{
    const uint32_t pointers[] = {0, start - (end - start) - 4, end + 4, UINT32_MAX};

    use(100);
    for (size_t i = 0; i < 4; i++) {
        const struct txtap_kernel_object *object;

        set(KERNEL_STACK_POINTER, pointers[i]);
        object = walk(ALL);
        expect_peak(object, 100);
        cr_assert_not(txtap_kernel_knows(object, KERNEL_STACK_USED));
    }
}

Test(kernel_stacks, a_pointer_below_the_stack_is_an_overflow)
{
    const struct txtap_kernel_object *object;

    use(100);
    set(KERNEL_STACK_POINTER, start - 8);
    object = walk(ALL);
    expect_peak(object, end - start + 8);
    cr_assert_eq(object->values[KERNEL_STACK_FREE], 0);
    cr_assert_eq(object->values[KERNEL_STACK_USED], end - start + 8);
}

Test(kernel_stacks, a_deeper_use_shows_in_the_next_walk)
{
    use(100);
    expect_peak(walk(ALL), 100);
    use(104); /* just below: in the window that a walk reads first */
    expect_peak(walk(64), 104);
    use(1000);
    walk(ALL);
    expect_peak(walk(ALL), 1000);
}

Test(kernel_stacks, a_jump_to_a_deeper_use_is_found)
{
    use(100);
    expect_peak(walk(ALL), 100);
    model_poke(model, start + 4, 1); /* far below, over many fill words */
    expect_peak(walk(ALL), end - start - 4);
}

Test(kernel_stacks, a_walk_reads_no_more_than_its_bytes)
{
    size_t without;
    const struct txtap_kernel_object *object;

    use(512);
    set(KERNEL_STACK_POINTER, end - 64);
    walk(0);
    walk(0);
    without = model->bytes;
    object = walk(2048);
    /* after the stack, the identity of the thread (72 bytes) and its name (64 bytes) are read again */
    cr_assert(model->bytes > without && model->bytes <= without + 2048 + 136, "%zu bytes", model->bytes - without);
    cr_assert_not(txtap_kernel_knows(object, KERNEL_STACK_FREE), "the scan has not ended");
    for (unsigned i = 0; i < 8; i++)
        object = walk(2048);
    expect_peak(object, 512);
}

Test(kernel_stacks, a_scan_that_has_not_ended_gives_a_lower_limit)
{
    const struct txtap_kernel_object *object;

    use(512);
    expect_peak(walk(ALL), 512); /* the firmware fills stacks */
    thread = model_create(model, THREAD, 1, 1);
    give_stack(MODEL_RAM + 0x10000 + MODEL_STACK, MODEL_RAM + 0x10000 + 2 * MODEL_STACK);
    use(512);
    set(KERNEL_STACK_POINTER, end - 64);
    object = walk(256);
    cr_assert(txtap_kernel_knows(object, KERNEL_STACK_PEAK) && object->peak_at_least);
    cr_assert_eq(object->values[KERNEL_STACK_PEAK], 64);
    cr_assert_not(txtap_kernel_knows(object, KERNEL_STACK_FREE));
}

Test(kernel_stacks, an_exchange_reads_parts_of_stacks)
{
    size_t most = 0;

    for (unsigned i = 1; i < 40; i++) {
        thread = model_create(model, THREAD, i, 1);
        give_stack(MODEL_RAM + 0x10000 + i * MODEL_STACK, MODEL_RAM + 0x10000 + (i + 1) * MODEL_STACK);
        use(4);
    }
    walk(0);
    txtap_kernel_begin(model->kernel, TXTAP_KERNEL_THREADS, ALL);
    model->bytes = 0;
    for (size_t before = 0; model_exchange(model); before = model->bytes)
        most = model->bytes - before > most ? model->bytes - before : most;
    cr_assert(most > 8192 && most <= 16384, "%zu bytes in one exchange", most);
}

Test(kernel_stacks, a_new_stack_begins_a_new_scan)
{
    use(1000);
    expect_peak(walk(ALL), 1000);
    model_delete(model, thread);
    thread = model_create(model, THREAD, 0, 3);
    give_stack(BIG, BIG_END - 1024);
    use(16);
    expect_peak(walk(ALL), 16);
}

Test(kernel_stacks, a_new_thread_in_the_same_memory_begins_a_new_scan)
{
    use(1000);
    expect_peak(walk(ALL), 1000);
    model_delete(model, thread);
    thread = model_create(model, THREAD, 0, 3);
    give_stack(BIG, BIG_END);
    use(16);
    expect_peak(walk(ALL), 16);
}

Test(kernel_stacks, a_thread_that_starts_again_begins_a_new_scan)
{
    set(KERNEL_RUNS, 100);
    use(1000);
    expect_peak(walk(ALL), 1000);
    set(KERNEL_RUNS, 3); /* the target was reset */
    fill(start, end, FILL);
    use(16);
    expect_peak(walk(ALL), 16);
}

Test(kernel_stacks, a_thread_with_its_own_fill_word)
{
    for (size_t i = 0; i < model->ops->member_count; i++)
        if (model->ops->members[i].value == KERNEL_STACK_FILL)
            model->layout.members[i] = (struct txtap_kernel_place){160, 4};
    cr_assert_eq(txtap_kernel_init(model->kernel, model->ops, &model->layout, model->kernel->reads.memory), TXTAP_OK);
    set(KERNEL_STACK_FILL, 0xA7A7A7A7);
    fill(start, end, 0xA7A7A7A7);
    use(400);
    fill(end - 400, end - 200, FILL); /* the usual fill word is nothing special here */
    expect_peak(walk(ALL), 400);
}

Test(kernel_stacks, impossible_stacks_are_not_read)
{
    static const uint32_t stacks[][2] = {{0, 0},
                                         {BIG, 0},
                                         {BIG, 3},
                                         {BIG, 0x4004},
                                         {BIG, UINT32_MAX},
                                         {0xFFFFFFF0, 8},
                                         {0xFFFFFFF0, 64},
                                         {0x40000000, 256},
                                         {BIG_END - 2, 2},
                                         {MODEL_RAM - 8, 64},
                                         {BIG, 17 << 20},
                                         {UINT32_MAX, 1},
                                         {UINT32_MAX, UINT32_MAX}};

    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++) {
        const struct txtap_kernel_object *object;

        set(KERNEL_STACK_START, stacks[i][0]);
        set(KERNEL_STACK_SIZE, stacks[i][1]);
        object = walk(ALL);
        cr_assert_not(txtap_kernel_knows(object, KERNEL_STACK_PEAK), "stack %zu", i);
    }
}

Test(kernel_stacks, a_refused_stack_is_unknown)
{
    const struct txtap_kernel_object *object;

    use(100);
    model->refused = start;
    model->refused_end = start + 4;
    object = walk(ALL);
    cr_assert_not(txtap_kernel_knows(object, KERNEL_STACK_PEAK));
    cr_assert_lt(model->exchanges, 8, "the refused memory is not tried again in this walk");
}

Test(kernel_stacks, a_stack_at_an_odd_address_is_read_in_whole_words)
{
    use(100);
    set(KERNEL_STACK_START, start + 1);
    set(KERNEL_STACK_SIZE, end - start - 2);
    expect_peak(walk(ALL), 96);
}
