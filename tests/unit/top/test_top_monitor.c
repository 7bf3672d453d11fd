/* SPDX-License-Identifier: MIT */
/* The monitor's windows, maxima and objects. The figures of all events are known. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "model/event_ids.h"
#include "seeds.h"
#include "txtap/inner/top.h"

#define A          0x20000100u
#define B          0x20000200u
#define QUEUE      0x20001000u
#define MUTEX      0x20002000u
#define TICKS      1000u /* ticks per second */
#define MUTEX_WAIT REASON_MUTEX

static struct txtap_analysis *analysis; /* with all sections */
static struct txtap_top *top;
static struct txtap_top_state state;
static uint64_t seq;

static void setup(void)
{
    const struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    const struct txtap_analysis_options options = {.tick_hz = TICKS};

    analysis = txtap_analysis_open(malloc(txtap_analysis_bytes(&limits, 0)), &limits, &options);
    top = txtap_top_open(malloc(txtap_top_bytes(analysis)), analysis);
    seq = 0;
}

static void teardown(void)
{
    free(top);
    free(analysis);
}

TestSuite(top_monitor, .init = setup, .fini = teardown);

static void take(uint64_t ticks, enum txtap_context context, uint32_t thread, uint32_t id, const uint32_t info[4])
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};

    item.event = (struct txtap_event){
        .seq = seq++, .ticks = ticks, .thread = thread, .id = id, .priority = thread == A ? 4 : 8, .context = context};
    memcpy(item.event.info, info, sizeof item.event.info);
    txtap_analysis_take(analysis, &item);
}

static void event(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4)
{
    take(ticks, TXTAP_CONTEXT_THREAD, thread, id, (const uint32_t[4]){i1, i2, i3, i4});
}

static void interrupt(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4)
{
    take(ticks, thread ? TXTAP_CONTEXT_ISR : TXTAP_CONTEXT_IDLE, thread, id, (const uint32_t[4]){i1, i2, i3, i4});
}

static void gap(uint64_t lost)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_GAP, .gap = {.seq = seq, .lost = lost, .exact = true}};

    seq += lost;
    txtap_analysis_take(analysis, &item);
}

/* In each 100 ticks, A runs for `run` ticks and sleeps for the others. Interrupt 15 wakes it. */
static void run_a(uint64_t from, uint64_t to, uint64_t run)
{
    for (uint64_t at = from; at < to; at += 100) {
        interrupt(at, 0, EVENT_ISR_ENTER, 0, 15, 0, 0);
        interrupt(at + 1, 0, EVENT_THREAD_RESUME, A, REASON_SLEEP, 0, A);
        interrupt(at + 2, 0, EVENT_ISR_EXIT, 0, 15, 0, 0);
        event(at + 4, A, EVENT_THREAD_SLEEP, 9, 0, 0, 0);
        event(at + run + 2, A, EVENT_THREAD_SUSPEND, A, REASON_SLEEP, 0, 0);
    }
}

static const struct txtap_top_thread *look(unsigned window)
{
    txtap_top_look(top, NULL, window, &state);
    for (size_t i = 0; i < state.thread_count; i++)
        if (state.threads[i].address == A)
            return &state.threads[i];
    return NULL;
}

static void is_about(double got, double want, double within)
{
    cr_assert(got >= want - within && got <= want + within, "got %g, want %g", got, want);
}

Test(top_monitor, a_window_has_shares_and_rates_of_its_own_time_only)
{
    const struct txtap_top_thread *a;

    txtap_top_rate(top, TICKS);
    run_a(0, 20 * TICKS, 50);
    run_a(20 * TICKS, 30 * TICKS, 20);
    run_a(30 * TICKS, 31 * TICKS + 500, 80);
    txtap_analysis_end(analysis);
    a = look(0);
    is_about(a->cpu, 80, 5);
    is_about(a->activations, 10, 1);
    is_about(state.interrupt_rate, 10, 1);
    is_about(state.interrupt_cpu, 2, 0.5);
    is_about(state.load + state.idle, 100, 1e-9);
    a = look(1);
    is_about(a->cpu, 65, 6);
    a = look(2);
    is_about(a->cpu, 29, 3);
    is_about(a->activations, 10, 0.5);
    cr_assert(state.window == 10 && state.tick_hz == TICKS);
    is_about(state.load_max, 82, 1);
    cr_assert(!state.gap && !state.window_gap);
}

Test(top_monitor, everything_a_core_did_adds_up_to_the_window)
{
    txtap_top_rate(top, TICKS);
    run_a(0, 12345, 37);
    txtap_analysis_end(analysis);
    for (unsigned window = 0; window < TXTAP_TOP_WINDOWS; window++)
        is_about(look(window)->cpu + state.interrupt_cpu + state.idle, 100, 1e-6);
}

Test(top_monitor, maxima_cover_the_time_since_the_reset)
{
    const struct txtap_top_thread *a;

    txtap_top_rate(top, TICKS);
    run_a(0, 2 * TICKS, 90);
    cr_assert(look(0)->run.max == 90 && state.interrupts[0].run_max == 2 && state.interrupts[0].gap_min == 100);
    interrupt(1995, 0, EVENT_ISR_ENTER, 0, 15, 0, 0); /* makes the model pass on the previous event */
    interrupt(1996, 0, EVENT_ISR_EXIT, 0, 15, 0, 0);
    txtap_top_reset(top);
    a = look(0);
    cr_assert(a->run.max == TXTAP_TOP_UNKNOWN && a->run.n == 0 && state.load_max == TXTAP_TOP_UNKNOWN);
    run_a(2 * TICKS, 4 * TICKS, 30);
    a = look(0);
    cr_assert(a->run.max == 30 && a->run.n >= 18 && a->wake.max == 1 && a->response.max == 31);
}

Test(top_monitor, a_gap_causes_bounds_while_it_is_in_the_window)
{
    txtap_top_rate(top, TICKS);
    run_a(0, 5 * TICKS, 50);
    gap(7);
    run_a(6 * TICKS, 7 * TICKS, 50);
    cr_assert(look(1) && state.window_gap && state.window_lost == 7 && state.gap);
    is_about(look(1)->cpu, 50, 6); /* percentage of the observed time */
    run_a(7 * TICKS, 10 * TICKS, 50);
    cr_assert(look(1) && !state.window_gap && state.window_lost == 0 && state.gap);
    cr_assert(look(2) && state.window_gap && state.window_lost == 7);
    is_about(state.gap_at, 5 * TICKS, 100);
    txtap_top_reset(top);
    cr_assert(look(1) && !state.gap && state.gap_at == TXTAP_TOP_UNKNOWN);
}

Test(top_monitor, the_first_event_after_a_gap_reports_it_however_late)
{
    txtap_top_rate(top, TICKS);
    run_a(0, TICKS, 50);
    gap(1);
    run_a(100 * TICKS, 101 * TICKS, 50);
    cr_assert(look(1) && state.window_gap);
}

Test(top_monitor, a_second_gap_leaves_the_time_of_the_first)
{
    txtap_top_rate(top, TICKS);
    run_a(5 * TICKS, 8 * TICKS, 50);
    gap(1);
    run_a(9 * TICKS, 10 * TICKS, 50);
    gap(1);
    run_a(11 * TICKS, 12 * TICKS, 50);
    look(1);
    is_about(state.gap_at, 3 * TICKS, 100);
}

Test(top_monitor, a_window_begins_with_the_first_event)
{
    txtap_top_rate(top, TICKS);
    run_a(100 * TICKS, 101 * TICKS, 50);
    look(1);
    cr_assert(state.window == 1 && state.window_full == 2, "%g of %g", state.window, state.window_full);
    cr_assert_eq(state.history_count, 3);
    run_a(101 * TICKS, 102 * TICKS, 50);
    look(1);
    cr_assert_eq(state.window, 2);
}

Test(top_monitor, a_history_has_the_complete_quarters_of_a_second)
{
    const struct txtap_top_thread *a;

    txtap_top_rate(top, TICKS);
    run_a(0, 2 * TICKS, 80);
    gap(1);
    run_a(4 * TICKS, 6 * TICKS, 20);
    run_a(6 * TICKS, 6 * TICKS + 100, 50); /* begins the next quarter, which is not complete */
    a = look(0);
    cr_assert_eq(state.history_count, 24);
    for (size_t i = TXTAP_TOP_HISTORY - 24; i < TXTAP_TOP_HISTORY; i++) {
        size_t quarter = i - (TXTAP_TOP_HISTORY - 24);

        if (quarter < 7)
            is_about(a->history[i], 80, 16); /* a quarter contains two or three jobs */
        else if (quarter >= 8 && quarter < 16)
            cr_assert(a->history[i] < 0 && state.load_history[i] < 0, "nothing was observed in quarter %zu", quarter);
        else if (quarter > 16)
            is_about(a->history[i], 20, 6);
        if (quarter > 16)
            is_about(state.load_history[i], a->history[i] + 2, 2); /* the interrupts are in the load, too */
    }
    run_a(7 * TICKS, 20 * TICKS, 20);
    look(0);
    cr_assert_eq(state.history_count, TXTAP_TOP_HISTORY);
}

/* Sends a message to a queue that has `before` messages, or receives a message from it. */
static void use_queue(uint64_t ticks, uint32_t id, uint32_t before)
{
    event(ticks, A, id, QUEUE, 0, 0, before);
    event(ticks + 1, A, EVENT_RUNNING, 0, 0, 0, 0);
}

Test(top_monitor, a_queue_has_a_history)
{
    static const float percent[] = {100, 75, 75, 75, 75, 50, 50, -1, 25};
    struct txtap_object object = {.pointer = QUEUE, .parameter = {16, 1}, .type = TXTAP_OBJECT_QUEUE, .name = "q"};
    struct txtap_registry registry;
    const float *history = state.objects[0].history + TXTAP_TOP_HISTORY - 9;

    txtap_registry_init(&registry, &object, 1);
    registry.count = 1;
    txtap_analysis_objects(analysis, &registry);
    txtap_top_rate(top, TICKS);
    use_queue(100, EVENT_QUEUE_SEND, 3); /* full */
    use_queue(200, EVENT_QUEUE_RECEIVE, 4);
    use_queue(1000, EVENT_QUEUE_RECEIVE, 3);
    event(1250, A, EVENT_RUNNING, 0, 0, 0, 0);
    event(1300, A, EVENT_RUNNING, 0, 0, 0, 0);
    event(1501, A, EVENT_RUNNING, 0, 0, 0, 0);
    gap(1);
    use_queue(2000, EVENT_QUEUE_SEND, 0);
    event(2250, A, EVENT_RUNNING, 0, 0, 0, 0);
    txtap_analysis_end(analysis);
    txtap_top_look(top, &registry, 0, &state);
    cr_assert_eq(state.history_count, 9);
    for (size_t i = 0; i < 9; i++)
        cr_expect_eq(history[i], percent[i], "quarter %zu: got %g", i, (double)history[i]);
    txtap_top_reset(top);
    event(2251, A, EVENT_QUEUE_SEND, QUEUE, 0, 0, 1);
    event(2252, A, EVENT_RUNNING, 0, 0, 0, 0);
    txtap_top_look(top, &registry, 0, &state);
    cr_expect_eq(history[8], 25, "a reset keeps the history");
}

Test(top_monitor, without_a_rate_there_is_one_window_of_everything)
{
    run_a(0, 20 * TICKS, 50);
    is_about(look(0)->cpu, 50, 1);
    cr_assert(state.window == 0 && state.tick_hz == 0 && state.seconds < 0 && state.threads[0].activations < 0);
    txtap_top_rate(top, TICKS);
    run_a(20 * TICKS, 21 * TICKS, 20);
    is_about(look(2)->cpu, 20, 3); /* events before the rate was known do not count */
}

Test(top_monitor, a_queue_has_the_state_that_its_events_show)
{
    struct txtap_object object = {.pointer = QUEUE, .parameter = {16, 1}, .type = TXTAP_OBJECT_QUEUE, .name = "q"};
    struct txtap_registry registry;

    txtap_registry_init(&registry, &object, 1);
    registry.count = 1;
    txtap_analysis_objects(analysis, &registry);
    event(0, A, EVENT_QUEUE_SEND, QUEUE, 0, 0, 2);
    event(1, A, EVENT_QUEUE_SEND, QUEUE, 0, 0, 3);
    event(2, A, EVENT_QUEUE_SEND, QUEUE, 0, 0, 4); /* fails, because the queue is full */
    event(3, A, EVENT_QUEUE_RECEIVE, QUEUE, 0, 0, 4);
    event(4, A, EVENT_RUNNING, 0, 0, 0, 0);
    txtap_analysis_end(analysis);
    txtap_top_look(top, &registry, 0, &state);
    cr_assert_eq(state.object_count, 1);
    cr_assert_str_eq(state.objects[0].now, "3/4");
    cr_assert_str_eq(state.objects[0].extreme, "4/4");
    cr_assert_str_eq(state.objects[0].name, "q");
    cr_assert(state.objects[0].uses == 4 && state.objects[0].failed == 1);
}

/* A completes. Later another thread is created at A's address. */
Test(top_monitor, threads_at_one_address_have_rows_of_their_own)
{
    struct txtap_object objects[] = {
        {.pointer = A, .type = TXTAP_OBJECT_THREAD, .created = true, .from_seq = 2, .name = "two"},
        {.pointer = A, .type = TXTAP_OBJECT_THREAD, .until_seq = 2, .name = "one"}};
    struct txtap_registry registry;

    txtap_registry_init(&registry, objects, 2);
    registry.count = 2;
    txtap_analysis_names(analysis, &registry);
    txtap_analysis_objects(analysis, &registry);
    event(0, B, EVENT_THREAD_RESUME, A, REASON_SUSPENDED, 0, A);
    event(10, A, EVENT_THREAD_SUSPEND, A, REASON_COMPLETED, 0, B);
    event(20, B, EVENT_THREAD_CREATE, A, 4, 0x20008200, 512);
    event(30, B, EVENT_THREAD_RESUME, A, REASON_SUSPENDED, 0, A);
    event(60, A, EVENT_THREAD_SLEEP, 9, 0, 0, 0);
    event(70, A, EVENT_THREAD_SUSPEND, A, REASON_SLEEP, 0, B);
    event(80, B, EVENT_RUNNING, 0, 0, 0, 0);
    txtap_analysis_end(analysis);
    registry.count = 0; /* the registry forgets the objects; the rows must keep their names */
    txtap_top_look(top, &registry, 0, &state);
    cr_assert_eq(state.thread_count, 3);
    cr_expect_str_eq(state.threads[0].name, "one");
    cr_expect_str_eq(state.threads[2].name, "two");
    cr_expect(state.threads[0].address == A && state.threads[2].address == A);
    cr_expect_neq(state.threads[0].id, state.threads[2].id);
    is_about(state.threads[0].cpu, 12.5, 1e-9);
    is_about(state.threads[2].cpu, 50, 1e-9);
    cr_expect_str_eq(state.threads[0].waits, "completed");
    cr_expect_str_eq(state.threads[2].waits, "sleep");
}

Test(top_monitor, a_mutex_has_its_owner_and_waiting_threads)
{
    event(0, B, EVENT_MUTEX_GET, MUTEX, 10, 0, 0);
    interrupt(1, B, EVENT_THREAD_RESUME, A, REASON_SLEEP, 0, A);
    event(2, A, EVENT_MUTEX_GET, MUTEX, 10, B, 1);
    event(3, A, EVENT_THREAD_SUSPEND, A, MUTEX_WAIT, 0, B);
    event(4, B, EVENT_THREAD_RELINQUISH, 0, 0, 0, 0);
    event(5, B, EVENT_THREAD_RELINQUISH, 0, 0, 0, 0);
    cr_assert(look(0) && state.object_count == 1);
    cr_assert_str_eq(state.objects[0].now, "0x20000200");
    cr_assert_str_eq(state.objects[0].waiter, "0x20000100");
    cr_assert_str_eq(look(0)->waits, "mutex 0x20002000");
    event(6, B, EVENT_MUTEX_PUT, MUTEX, B, 1, 0);
    event(7, B, EVENT_THREAD_RESUME, A, MUTEX_WAIT, 0, A);
    event(8, A, EVENT_THREAD_RELINQUISH, 0, 0, 0, 0);
    txtap_analysis_end(analysis);
    cr_assert(look(0) && state.objects[0].waiters == 0 && state.objects[0].wait.max == 4);
    cr_assert_str_eq(state.objects[0].now, "0x20000100");
    gap(1);
    cr_assert(look(0) && *state.objects[0].now == '\0');
}

Test(top_monitor, unfinished_times_are_at_least_until_now_or_the_gap)
{
    txtap_top_rate(top, TICKS);
    event(1, A, EVENT_QUEUE_RECEIVE, QUEUE, 0, WAIT_FOREVER, 0);
    event(2, A, EVENT_THREAD_SUSPEND, A, REASON_QUEUE, 0, B);
    for (uint64_t ticks = 3; ticks <= 60; ticks++)
        event(ticks, B, EVENT_RUNNING, 0, 0, 0, 0);
    look(0);
    cr_assert_eq(state.objects[0].wait.n, 0);
    cr_assert(state.objects[0].wait.at_least > 40 && state.objects[0].wait.at_least <= 58);
    gap(5);
    event(100, B, EVENT_RUNNING, 0, 0, 0, 0);
    event(101, B, EVENT_THREAD_RESUME, A, REASON_SLEEP, 0, A);
    event(102, A, EVENT_RUNNING, 0, 0, 0, 0);
    event(112, A, EVENT_RUNNING, 0, 0, 0, 0);
    txtap_analysis_end(analysis);
    cr_assert_eq(look(0)->run.at_least, 11);
    cr_assert_eq(look(0)->response.at_least, 11);
    cr_assert_eq(look(0)->run.n, 0);
    cr_assert_eq(state.objects[0].wait.at_least, 58);
    txtap_top_reset(top);
    cr_assert(look(0)->run.at_least == 11 && state.object_count == 0);
}

Test(top_monitor, a_large_jump_in_time_takes_no_longer)
{
    txtap_top_rate(top, TICKS);
    for (uint64_t i = 0; i < 60; i++)
        event((uint64_t)1 << i, A, EVENT_THREAD_RELINQUISH, 0, 0, 0, 0);
    txtap_analysis_end(analysis);
    is_about(look(2)->cpu, 100, 1);
}

/* Makes an event of any kind. There are few addresses and ids, so that events often refer to the same object. */
static void any_event(unsigned *seed, uint64_t ticks)
{
    static const uint32_t ids[] = {1, 2, 3, 4, 5, 10, 17, 20, 27, 32, 36, 52, 57, 63, 68, 69, 80, 83, 88, 100, 112};
    static const uint32_t words[] = {0, 1, 2, 13, A, B, QUEUE, MUTEX, 0x20003000u, UINT32_MAX};
    uint32_t info[4];

    for (unsigned i = 0; i < 4; i++)
        info[i] = rand_r(seed) % 8 ? words[(unsigned)rand_r(seed) % 10] : (uint32_t)rand_r(seed);
    take(ticks, (enum txtap_context)(rand_r(seed) % 4), rand_r(seed) % 2 ? A : B,
         rand_r(seed) % 50 ? ids[(unsigned)rand_r(seed) % 21] : (uint32_t)rand_r(seed), info);
}

Test(top_monitor, any_events_do_no_harm)
{
    static char cells[60 * 200];
    struct txtap_top_view view = {0};
    unsigned seed = (unsigned)setting("TXTAP_SEED", 7);
    uint64_t ticks = 0;

    for (int i = 0; i < 100000; i++) {
        ticks += (uint64_t)rand_r(&seed) % (rand_r(&seed) % 100 ? 20 : 100000);
        any_event(&seed, ticks);
        if (rand_r(&seed) % 1000 == 0)
            gap((uint64_t)rand_r(&seed));
        if (i == 5000)
            txtap_top_rate(top, TICKS);
        if (rand_r(&seed) % 5000 == 0)
            txtap_top_reset(top);
        if (i % 100)
            continue;
        txtap_top_look(top, NULL, (unsigned)i % TXTAP_TOP_WINDOWS, &state);
        view.page = (enum txtap_top_page)(rand_r(&seed) % (TXTAP_TOP_PAGE_HELP + 1));
        view.selected = txtap_top_neighbour(&state, &view, rand_r(&seed) % 3 - 1);
        txtap_top_draw(&state, &view,
                       &(struct txtap_top_screen){.rows = 1 + (size_t)rand_r(&seed) % 60,
                                                  .columns = 1 + (size_t)rand_r(&seed) % 200,
                                                  .cells = cells});
    }
    txtap_analysis_end(analysis);
    txtap_top_look(top, NULL, 0, &state);
}
