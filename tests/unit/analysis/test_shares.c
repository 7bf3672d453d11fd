/* SPDX-License-Identifier: MIT */
/* Shares of the processor's time. The bounds must include the true shares, even if interrupts do not record when they
 * begin and end.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "model/event_ids.h"
#include "analysis/figure_list.h"
#include "analysis/scheduler.h"
#include "sanitized.h"
#include "seeds.h"

#define A 0x20000100u
#define B 0x20000200u

#define SEMAPHORE 0x20000300u

static struct figure_list list;
static struct txtap_analysis *analysis;
static uint64_t seq;

static void begin(void)
{
    analysis = figure_list_analysis(&(struct txtap_analysis_options){0});
    seq = 0;
}

static void give(uint64_t ticks, enum txtap_context context, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2,
                 uint32_t i4)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT,
                              .event = {.seq = seq++,
                                        .ticks = ticks,
                                        .context = context,
                                        .thread = thread,
                                        .id = id,
                                        .priority = 4,
                                        .info = {i1, i2, 0, i4}}};

    txtap_analysis_take(analysis, &item);
}

static void of_thread(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i4)
{
    give(ticks, TXTAP_CONTEXT_THREAD, thread, id, i1, i2, i4);
}

/* Records an event of an interrupt. interrupted: the interrupted thread; 0: no thread. */
static void of_isr(uint64_t ticks, uint32_t interrupted, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i4)
{
    give(ticks, interrupted != 0 ? TXTAP_CONTEXT_ISR : TXTAP_CONTEXT_IDLE, interrupted, id, i1, i2, i4);
}

static const struct txtap_figure *find(const char *name, uint32_t thread)
{
    for (size_t i = 0; i < list.count; i++) {
        const struct txtap_figure *figure = &list.figures[i];

        if (strcmp(figure->name, name) == 0 && figure->subject.number == thread &&
            (figure->subject.kind == TXTAP_SUBJECT_SYSTEM) == (thread == 0))
            return figure;
    }
    return NULL;
}

static void assert_share(const char *name, uint32_t thread, double value, double lower, double upper)
{
    const struct txtap_figure *figure = find(name, thread);
    const struct txtap_measure *is;

    cr_assert_not_null(figure, "%s", name);
    is = &figure->stat[TXTAP_STAT_VALUE];
    cr_assert(is->known && is->value == value && is->lower == lower && is->upper == upper,
              "%s of 0x%x: %g (%g to %g), not %g (%g to %g)", name, (unsigned)thread, is->value, is->lower, is->upper,
              value, lower, upper);
}

/* A thread runs from 0 to 10, and then waits. From 20 to 30 an interrupt runs. It records its start and its end, and
 * wakes no thread. */
static void sleep_and_interrupt(void)
{
    of_thread(0, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    of_thread(10, A, EVENT_THREAD_SUSPEND, A, REASON_SLEEP, 0);
    of_isr(20, 0, EVENT_ISR_ENTER, 0, 30, 0);
    of_isr(30, 0, EVENT_ISR_EXIT, 0, 30, 0);
}

Test(shares, after_an_interrupt_that_wakes_no_thread_the_core_sleeps_until_an_interrupt_without_start)
{
    begin();
    sleep_and_interrupt();
    of_isr(90, 0, EVENT_THREAD_RESUME, A, REASON_SLEEP, A);
    of_thread(100, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    figure_list_end(&list, analysis);
    assert_share("idle", 0, 70, 10, 70);
    assert_share("interrupts", 0, 10, 10, 80);
    assert_share("load", 0, 30, 30, 90);
    assert_share("cpu", A, 20, 10, 20);
}

Test(shares, shares_of_interrupts_are_unknown_if_no_interrupt_recorded_an_event)
{
    begin();
    of_thread(0, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    of_thread(10, A, EVENT_THREAD_SUSPEND, A, REASON_SLEEP, 0);
    of_thread(100, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    figure_list_end(&list, analysis);
    cr_assert_not(find("interrupts", 0)->stat[TXTAP_STAT_VALUE].known);
    cr_assert_null(find("interrupts_ticks", 0));
}

Test(shares, all_shares_are_exact_if_each_interrupt_records_its_start_and_end)
{
    begin();
    sleep_and_interrupt();
    of_isr(90, 0, EVENT_ISR_ENTER, 0, 15, 0);
    of_isr(92, 0, EVENT_THREAD_RESUME, A, REASON_SLEEP, A);
    of_isr(94, 0, EVENT_ISR_EXIT, 0, 15, 0);
    of_thread(100, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    figure_list_end(&list, analysis);
    assert_share("idle", 0, 70, 70, 70);
    assert_share("interrupts", 0, 14, 14, 14);
    assert_share("load", 0, 30, 30, 30);
    assert_share("cpu", A, 16, 16, 16);
}

Test(shares, a_thread_has_the_time_around_an_interrupt_that_records_no_start_or_less)
{
    begin();
    of_thread(0, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    of_isr(40, A, EVENT_SEMAPHORE_PUT, SEMAPHORE, 0, 0);
    of_isr(45, A, EVENT_SEMAPHORE_PUT, SEMAPHORE, 1, 0);
    of_thread(60, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 1, 0);
    of_thread(100, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    figure_list_end(&list, analysis);
    assert_share("cpu", A, 100, 40, 100);
    assert_share("interrupts", 0, 0, 0, 60);
    assert_share("load", 0, 100, 100, 100);
    assert_share("idle", 0, 0, 0, 0);
}

Test(shares, an_interrupt_that_records_no_end_has_the_core_at_most_until_a_thread_records)
{
    begin();
    of_thread(0, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    of_isr(10, A, EVENT_ISR_ENTER, 0, 30, 0);
    of_isr(20, A, EVENT_SEMAPHORE_PUT, SEMAPHORE, 0, 0);
    of_thread(70, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 1, 0);
    of_thread(100, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    figure_list_end(&list, analysis);
    assert_share("interrupts", 0, 10, 0, 60);
    assert_share("cpu", A, 90, 40, 100);
    assert_share("load", 0, 100, 100, 100);
}

Test(shares, the_core_may_sleep_after_an_interrupt_that_records_no_end)
{
    begin();
    of_thread(0, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    of_isr(0, A, EVENT_ISR_ENTER, 0, 30, 0);
    of_isr(1, A, EVENT_ISR_EXIT, 0, 30, 0);
    of_thread(1, A, EVENT_THREAD_SUSPEND, A, REASON_SLEEP, 0);
    of_isr(10, 0, EVENT_ISR_ENTER, 0, 30, 0);
    of_isr(50, 0, EVENT_ISR_ENTER, 0, 30, 0);
    of_isr(90, 0, EVENT_ISR_ENTER, 0, 30, 0);
    of_isr(92, 0, EVENT_THREAD_RESUME, A, REASON_SLEEP, A);
    of_thread(100, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    figure_list_end(&list, analysis);
    assert_share("idle", 0, 9, 9, 91);
    assert_share("interrupts", 0, 83, 1, 91);
}

/* The inner interrupt does not record its end. It must have ended when the outer interrupt records its end. */
Test(shares, after_the_outer_interrupts_end_the_core_sleeps)
{
    begin();
    of_thread(0, A, EVENT_THREAD_SUSPEND, A, REASON_SLEEP, 0);
    of_isr(10, 0, EVENT_ISR_ENTER, 0, 30, 0);
    of_isr(12, 0, EVENT_ISR_ENTER, 0, 31, 0);
    of_isr(20, 0, EVENT_ISR_EXIT, 0, 30, 0);
    of_isr(90, 0, EVENT_ISR_ENTER, 0, 32, 0);
    of_isr(100, 0, EVENT_ISR_EXIT, 0, 32, 0);
    figure_list_end(&list, analysis);
    cr_assert_eq(find("idle", 0)->stat[TXTAP_STAT_VALUE].value, 80);
    cr_assert_eq(find("idle", 0)->stat[TXTAP_STAT_VALUE].lower, 80);
}

Test(shares, only_the_latest_possible_end_of_the_initialization_is_known)
{
    begin();
    give(0, TXTAP_CONTEXT_INIT, 0, EVENT_THREAD_CREATE, A, 0, 0);
    give(10, TXTAP_CONTEXT_INIT, 0, EVENT_THREAD_RESUME, A, REASON_SUSPENDED, A);
    of_thread(60, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    of_thread(100, A, EVENT_SEMAPHORE_GET, SEMAPHORE, 0, 0);
    figure_list_end(&list, analysis);
    assert_share("cpu", A, 90, 40, 90);
    assert_share("init", 0, 10, 10, 60);
}

/* Learns the names of two threads. mark: may mark A as the kernel's idle thread. */
static void learn_names(uint8_t mark)
{
    struct txtap_object objects[2] = {{.pointer = A, .type = TXTAP_OBJECT_THREAD, .name = "idle"},
                                      {.pointer = B, .type = TXTAP_OBJECT_THREAD, .name = "worker"}};
    struct txtap_registry registry;

    objects[0].reserved[0] = 0x80 | mark;
    objects[0].reserved[1] = 31;
    txtap_registry_init(&registry, objects, 2);
    registry.count = 2;
    txtap_analysis_objects(analysis, &registry);
}

static void idle_thread_runs(void)
{
    of_thread(0, A, EVENT_RUNNING, 0, 0, 0);
    of_isr(40, A, EVENT_ISR_ENTER, 0, 30, 0);
    of_isr(44, A, EVENT_ISR_EXIT, 0, 30, 0);
    of_isr(60, A, EVENT_ISR_ENTER, 0, 30, 0);
    of_isr(62, A, EVENT_THREAD_RESUME, B, REASON_SLEEP, 0);
    of_isr(64, A, EVENT_ISR_EXIT, 0, 30, 0);
    of_thread(66, B, EVENT_RUNNING, 0, 0, 0);
    of_thread(80, B, EVENT_THREAD_SUSPEND, B, REASON_SLEEP, A);
    of_thread(82, A, EVENT_RUNNING, 0, 0, 0);
    of_thread(100, A, 0xA001, 0, 0, 0);
    figure_list_end(&list, analysis);
}

Test(shares, the_time_of_a_kernels_idle_thread_is_idle)
{
    begin();
    learn_names(0x40);
    idle_thread_runs();
    assert_share("idle", 0, 76, 76, 76);
    assert_share("interrupts", 0, 8, 8, 8);
    assert_share("load", 0, 24, 24, 24);
    assert_share("cpu", B, 16, 16, 16);
    cr_assert_null(find("cpu", A));
    cr_assert_eq(find("switches_to_idle", 0)->stat[TXTAP_STAT_VALUE].value, 1);
}

Test(shares, the_time_of_a_thread_that_is_called_idle_is_load)
{
    begin();
    learn_names(0);
    idle_thread_runs();
    assert_share("idle", 0, 0, 0, 0);
    assert_share("cpu", A, 76, 76, 76);
    assert_share("cpu", B, 16, 16, 16);
}

static void assert_within(uint64_t seed, const char *name, uint32_t thread, uint64_t truth)
{
    const struct txtap_figure *figure = find(name, thread);
    const struct txtap_measure *is = figure != NULL ? &figure->stat[TXTAP_STAT_VALUE] : NULL;

    if (figure == NULL) {
        cr_assert_eq(truth, 0, "seed %" PRIu64 ": no %s", seed, name);
        return;
    }
    cr_assert(is->lower <= (double)truth && (double)truth <= is->upper && is->lower <= is->value &&
                  is->value <= is->upper,
              "seed %" PRIu64 ": %s of 0x%x is %" PRIu64 ", not %g (%g to %g)", seed, name, (unsigned)thread, truth,
              is->value, is->lower, is->upper);
}

Test(shares, true_shares_are_within_their_bounds)
{
    static struct scheduler scheduler;
    uint64_t seed = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 500 / RUNS_DIVISOR);

    for (uint64_t end = seed + runs; seed < end; seed++) {
        const struct scheduler_truth *truth = &scheduler.truth;

        scheduler_run_silent(&scheduler, seed);
        begin();
        for (size_t i = 0; i < scheduler.count; i++)
            txtap_analysis_take(analysis, &(struct txtap_item){.kind = TXTAP_ITEM_EVENT, .event = scheduler.events[i]});
        figure_list_end(&list, analysis);
        assert_within(seed, "idle_ticks", 0, truth->idle);
        assert_within(seed, "load_ticks", 0, truth->window - truth->idle);
        assert_within(seed, "interrupts_ticks", 0, truth->interrupts);
        for (unsigned i = 0; i < SCHEDULER_THREADS; i++)
            assert_within(seed, "cpu_ticks", scheduler_thread(i), truth->ran[i]);
    }
}
