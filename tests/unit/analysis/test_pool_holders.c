/* SPDX-License-Identifier: MIT */
/* How much memory of a pool each thread holds. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "analysis/made_trace.h"

#define A     0x20000100u
#define B     0x20000200u
#define POOL  0x20001000u
#define BYTES 0x20002000u

static const struct txtap_measure *held(const struct figure_list *list, const char *name, uint32_t pool,
                                        uint32_t thread)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->figures[i].name, name) == 0 && list->figures[i].subject.number == pool &&
            list->figures[i].other.number == thread)
            return &list->figures[i].stat[TXTAP_STAT_VALUE];
    return NULL;
}

static void allocate(uint64_t ticks, uint32_t thread, uint32_t block)
{
    made_event(ticks, thread, EVENT_BLOCK_ALLOCATE, POOL, block, 0, 4);
}

Test(pool_holders, a_thread_holds_its_memory_until_any_thread_releases_it)
{
    const struct figure_list *list;

    made_begin(&(struct txtap_analysis_options){0});
    allocate(0, A, 0x30000000);
    allocate(1, A, 0x30000040);
    allocate(2, B, 0x30000080);
    made_event(3, B, EVENT_BLOCK_RELEASE, POOL, 0x30000000, 0, 0);
    made_event(4, A, EVENT_BYTE_ALLOCATE, BYTES, 0x40000000, 100, 0);
    made_event(5, A, EVENT_BYTE_ALLOCATE, BYTES, 0x40000100, 28, 0);
    made_event(6, B, EVENT_BYTE_ALLOCATE, BYTES, 0x40000200, 7, 0);
    made_event(7, B, EVENT_BYTE_RELEASE, BYTES, 0x40000200, 0, 1000);
    made_event(9, A, EVENT_RUNNING, 0, 0, 0, 0);
    list = made_end();
    cr_assert_eq(held(list, "held", POOL, A)->value, 1);
    cr_assert_eq(held(list, "held", POOL, A)->upper, 1);
    cr_assert_eq(held(list, "held", POOL, B)->value, 1);
    cr_assert_null(held(list, "held_bytes", POOL, A));
    cr_assert_eq(held(list, "held", BYTES, A)->value, 2);
    cr_assert_eq(held(list, "held_bytes", BYTES, A)->value, 128);
    cr_assert_eq(held(list, "held", BYTES, B)->value, 0);
    cr_assert_eq(made_stat("outstanding", POOL, TXTAP_STAT_VALUE), 2);
}

Test(pool_holders, a_block_that_is_allocated_again_has_a_new_holder)
{
    const struct figure_list *list;

    made_begin(&(struct txtap_analysis_options){0});
    allocate(0, A, 0x30000000);
    made_gap(2);
    allocate(5, B, 0x30000000);
    made_event(9, A, EVENT_RUNNING, 0, 0, 0, 0);
    list = made_end();
    cr_assert_eq(held(list, "held", POOL, A)->value, 0);
    cr_assert_eq(held(list, "held", POOL, B)->value, 1);
    cr_assert_eq(held(list, "held", POOL, B)->lower, 0);
    cr_assert(isinf(held(list, "held", POOL, B)->upper));
    cr_assert_eq(made_stat("outstanding", POOL, TXTAP_STAT_VALUE), 1);
    cr_assert(isinf(made_figure("outstanding", POOL)->stat[TXTAP_STAT_VALUE].upper), "allocated in the gap");
}

/* Each block is released after 3 ticks. In one of the pools, one block in ten is never released. */
Test(pool_holders, a_pool_leaks_if_its_use_keeps_growing)
{
    uint64_t ticks = 0;

    made_begin(&(struct txtap_analysis_options){0});
    for (uint32_t i = 0; i < 100; i++) {
        allocate(ticks++, A, 0x30000000 + 64 * i);
        made_event(ticks++, A, EVENT_BYTE_ALLOCATE, BYTES, 0x40000000, 16, 0);
        ticks += 1;
        if (i % 10 != 5)
            made_event(ticks, A, EVENT_BLOCK_RELEASE, POOL, 0x30000000 + 64 * i, 0, 0);
        made_event(++ticks, A, EVENT_BYTE_RELEASE, BYTES, 0x40000000, 0, 0);
        ticks++;
    }
    (void)made_end();
    cr_assert_eq(made_stat("outstanding", POOL, TXTAP_STAT_VALUE), 10);
    cr_assert_eq(made_stat("leak", POOL, TXTAP_STAT_N), 10);
    cr_assert_null(made_figure("leak", BYTES), "all is released");
}
